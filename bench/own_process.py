"""What a camera costs that runs in a process of its own, next to the same camera in this process.

    python bench/own_process.py [--rounds 5] [--seconds 4]

Processor time a frame, the delay from the driver to the reader, start and memory, for frames of 1280 x 960. One camera
gives pixels and a small picture as they are, as the Raspberry Pi's does; the other decodes JPEG, as a webcam's does.
Rounds alternate between the two ways, so that a busy machine treats both alike.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import cv2
import numpy as np
import psutil

from hardware.cameras.base import Camera
from hardware.cameras.camera_process import CameraProcess
from vision.frames import Frame

SIZE, SMALL = (1280, 960), (320, 240)
RATES = (10, 15, 30)
KINDS = ("pixels", "jpeg")


class Paced(Camera):
    """A camera with so many frames a second; `taken_at` is when its driver has the frame."""

    def __init__(self, kind: str, rate: float) -> None:
        self.name = f"paced:{kind}"
        self._rate = rate
        noise = np.random.default_rng(1).integers(60, 190, (SIZE[1] // 8, SIZE[0] // 8, 3), np.uint8)
        self._pixels = np.asarray(cv2.resize(noise, SIZE), np.uint8)
        self._jpeg = cv2.imencode(".jpg", self._pixels)[1] if kind == "jpeg" else None
        self._small = np.asarray(cv2.resize(self._pixels, SMALL), np.uint8)
        self._number, self._due = 0, 0.0

    def open(self) -> None:
        self._number, self._due = 0, time.monotonic()

    def frame(self, timeout: float = 1.0) -> Frame:
        self._due = max(self._due + 1 / self._rate, time.monotonic())
        time.sleep(max(self._due - time.monotonic(), 0.0))
        at, self._number = time.monotonic(), self._number + 1
        if self._jpeg is None:
            return Frame(self._pixels.copy(), self._number, at, self._small.copy())
        return Frame(np.asarray(cv2.imdecode(self._jpeg, cv2.IMREAD_COLOR), np.uint8), self._number, at)

    def close(self) -> None:
        """There is nothing to close."""


@dataclass
class Cost:
    """Milliseconds a frame: of the processor in this process and in the camera's, and from the driver to here."""

    here: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)

    @property
    def cpu(self) -> float:
        return statistics.median(here + there for here, there in zip(self.here, self.there, strict=True))

    def __str__(self) -> str:
        p95 = statistics.quantiles(self.delays, n=20)[-1]
        return (
            f"{self.cpu:6.2f} ms cpu a frame ({statistics.median(self.here):5.2f} here),"
            f" delay {statistics.median(self.delays):5.2f} ms, 95 % within {p95:5.2f} ms"
        )


def measure(camera: Camera, frames: int, cost: Cost) -> None:
    """Take so many frames, and note what they cost."""
    camera.open()
    child = psutil.Process(camera.process) if isinstance(camera, CameraProcess) and camera.process else None
    for _ in range(3):
        camera.frame()
    here, there = time.process_time(), _cpu(child)
    for _ in range(frames):
        frame = camera.frame(2.0)
        assert frame is not None
        cost.delays.append(1000 * (time.monotonic() - frame.taken_at))
    cost.there.append(1000 * (_cpu(child) - there) / frames)
    cost.here.append(1000 * (time.process_time() - here) / frames)
    camera.close()


def _cpu(process: psutil.Process | None) -> float:
    times = process.cpu_times() if process else None
    return times.user + times.system if times else 0.0


def main() -> None:
    """Print the costs of both ways, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for kind in KINDS:
        for rate in RATES:
            within, apart = Cost(), Cost()
            for _ in range(options.rounds):
                measure(Paced(kind, rate), round(rate * options.seconds), within)
                measure(CameraProcess("apart", "own_process:Paced", kind, rate), round(rate * options.seconds), apart)
            print(f"{kind} at {rate} frames a second\n  in this process   {within}\n  in one of its own {apart}")
            more = apart.cpu - within.cpu
            print(
                f"  ratio {apart.cpu / within.cpu:.2f}; {more:.2f} ms a frame more, {more * rate / 10:.1f} % of a core"
            )
    _print_start()


def _print_start() -> None:
    camera = CameraProcess("apart", "own_process:Paced", "pixels", 30)
    began = time.monotonic()
    camera.open()
    opened_ms = 1000 * (time.monotonic() - began)
    camera.frame()
    child = psutil.Process(camera.process)
    memory = child.memory_full_info()
    print(
        f"a process starts and opens its camera in {opened_ms:.0f} ms, {1000 * _cpu(child):.0f} ms cpu;"
        f" memory: {memory.uss / 2**20:.0f} MB its own, {memory.pss / 2**20:.0f} MB with its share of what is shared"
    )
    camera.close()


if __name__ == "__main__":
    main()
