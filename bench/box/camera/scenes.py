"""What is done with our camera on the real picamera2, each scene in a process of its own, which prints what came of it.

python scenes.py SCENE: run by test_virtual_libcamera.py with the Python that has libcamera and picamera2.
"""

from __future__ import annotations

import json
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

import cv2
import numpy as np
from stack import VirtualPicamera2

from hardware.cameras.base import CameraLost, CameraReport, NoSuchCamera
from hardware.cameras.pi_camera import PiCamera
from models import die_sets
from vision.frames import Frame, small_image
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

REOPENINGS = 20
FRAMES = 4000
LONGEST_LOOK_S = 20.0


class Seen(VirtualPicamera2):
    """The last one made, so that a scene can do things to picamera2 behind our camera's back."""

    last: Seen

    def __init__(self, number: int) -> None:
        super().__init__(number)
        Seen.last = self


def camera(number: int = 0) -> PiCamera:
    """Our camera over the real picamera2."""
    return PiCamera(number, load=lambda: Seen)


@contextmanager
def opened() -> Iterator[PiCamera]:
    """Our camera, open."""
    one = camera()
    one.open()
    try:
        yield one
    finally:
        one.close()


def sentence(call: Callable[[], object]) -> tuple[str, float]:
    """What a call says that must fail, and after how many seconds."""
    began = time.monotonic()
    try:
        call()
    except (CameraLost, NoSuchCamera) as error:
        return f"{type(error).__name__}: {error}", time.monotonic() - began
    return "no error", time.monotonic() - began


def looking() -> dict[str, Any]:
    """Some frames in both streams."""
    with opened() as one:
        frames, ages = [], []
        for _ in range(24):
            frames.append(one.frame())
            ages.append(time.monotonic() - frames[-1].taken_at)
        configured = Seen.last.camera_configuration()
        return {
            "numbers": [frame.number for frame in frames],
            "shapes": [
                list(frames[0].pixels.shape),
                list(frames[0].small.shape) if frames[0].small is not None else None,
            ],
            "its_own": [small_image(frame) is frame.small for frame in frames],
            "apart": [_apart(frame) for frame in frames],
            "bright": [float(np.median(frame.pixels)) for frame in frames],
            "grows": all(np.diff([frame.taken_at for frame in frames]) > 0),
            "ages": ages,
            "reported": {
                name: [configured[name]["format"], list(configured[name]["size"]), configured[name]["stride"]]
                for name in ("main", "lores")
            },
            "notes": one.notes,
        }


def _apart(frame: Frame) -> float:
    """Grey levels by which a frame's small picture differs from one made of its pixels, in the mean."""
    small = small_image(frame)
    made = cv2.resize(frame.pixels, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    return float(np.abs(made.astype(int) - small).mean())


def controls() -> dict[str, Any]:
    """What was set, and what the camera offers."""
    with opened() as one:
        one.frame()
        try:
            Seen.last.set_controls({"ExposureTime": 9000})
        except RuntimeError as error:
            refusal = str(error)
        return {
            "set": sorted(Seen.last.camera_configuration()["controls"]),
            "offered": sorted(Seen.last.camera_controls),
            "refusal": refusal,
        }


def starving() -> dict[str, Any]:
    """All buffers are held, so that no frame comes; then some come again; then the camera is opened anew."""
    with opened() as one:
        one.frame()
        held = _hold_all()
        Seen.last.cancel_all_and_flush()
        lost = sentence(lambda: one.frame(2.0))
        again = sentence(lambda: one.frame(2.0))
        for request in held:
            request.release()
        back = one.frame().number
        _hold_all()
        sentence(lambda: one.frame(0.5))
        one.open()
        return {"lost": lost, "again": again, "back": back, "anew": one.frame().number}


def _hold_all() -> list[Any]:
    """All the camera's buffers, until they are released."""
    held: list[Any] = []
    with suppress(TimeoutError):
        while True:
            held.append(Seen.last.wait(Seen.last.capture_request(wait=False), timeout=0.5))
    return held


def hanging() -> dict[str, Any]:
    """picamera2 itself hangs, as with a driver that does not come back; later it does."""
    with opened() as one:
        one.frame()
        with Seen.last.lock:
            lost = sentence(lambda: one.frame(2.0))
            began = time.monotonic()
            one.close()
            closing = time.monotonic() - began
            still = sentence(one.open)
        one.open()
        return {"lost": lost, "closing": closing, "still": still, "anew": one.frame().number}


def ending() -> dict[str, Any]:
    """The program comes to its end while picamera2 hangs."""
    one = camera()
    one.open()
    one.frame()
    Seen.last.lock.acquire()
    return {"lost": sentence(lambda: one.frame(2.0))}


def two() -> dict[str, Any]:
    """A second camera of the same number."""
    with opened() as one:
        others, files = [], []
        for _ in range(REOPENINGS):
            others.append(sentence(camera().open))
            files.append(_open_files())
        return {"other": others[0], "files": files, "number": one.frame().number}


def none() -> dict[str, Any]:
    """A camera that is not there."""
    return {"none": sentence(camera(7).open)}


def reopening() -> dict[str, Any]:
    """Opened again and again."""
    numbers, files = [], []
    for _ in range(REOPENINGS):
        with opened() as one:
            numbers.append(one.frame().number)
        files.append(_open_files())
    return {"numbers": numbers, "files": files, "threads": threading.active_count()}


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def lasting() -> dict[str, Any]:
    """Some minutes of frames, as fast as they come: memory in kilobytes and open files, early and late."""
    with opened() as one:
        measured = []
        for number in range(1, FRAMES + 1):
            one.frame()
            if number in (FRAMES // 4, FRAMES):
                measured.append((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, _open_files()))
        return {"measured": measured, "threads": threading.active_count()}


class Receiver:
    """A receiver of the camera loop's reports: their sentences, one after another, and the number of observations."""

    dice = die_sets.load("d6")
    occasion = None

    def __init__(self) -> None:
        self.troubles = [""]
        self.observed = 0

    def observe(self, observation: Observation, *_: object) -> None:
        self.observed += 1

    def report_camera(self, report: CameraReport) -> None:
        self._say(report.sentence)

    def _say(self, sentence: str) -> None:
        if sentence != self.troubles[-1]:
            self.troubles.append(sentence)

    def report_unsaved(self, sentence: str) -> None:
        if sentence:
            self._say(sentence)

    def wait_for(self, wanted: Callable[[], bool]) -> bool:
        until = time.monotonic() + LONGEST_LOOK_S
        while not wanted() and time.monotonic() < until:
            time.sleep(0.05)
        return wanted()


def watching() -> dict[str, Any]:
    """The camera loop: frames, none for a while, and frames again from a camera that was opened again."""
    from vander.app.camera_loop import CameraLoop
    from vander.resources.models_and_stores import LoadedModels  # here, so that other scenes need no models

    receiver, models = Receiver(), LoadedModels.load()
    loop = CameraLoop(camera(), receiver, lambda dice: models.pipeline(dice, TrayLayout()))
    loop.start()
    seen = receiver.wait_for(lambda: receiver.observed > 10)
    held = _hold_all()
    told = receiver.wait_for(lambda: len(receiver.troubles) > 1)
    back = receiver.wait_for(lambda: len(receiver.troubles) > 2)
    loop.stop()
    return {"seen": seen, "held": len(held), "told": told, "back": back, "troubles": receiver.troubles}


def reading(dice: str) -> dict[str, Any]:
    """The dice on the table, through our camera, the pipeline and the shipped models."""
    from vander.resources.models_and_stores import LoadedModels

    pipeline = LoadedModels.load().pipeline(die_sets.load(dice), TrayLayout())
    with opened() as one:
        seen = _settled(pipeline, one)
        small = one.frame().small
    return {
        "dice": sorted([str(die.reading.kind), str(die.reading.face), die.reading.accepted] for die in seen.dice),
        "places": sorted([str(die.zone) for die in seen.dice]),
        "calibrated": seen.calibrated,
        "at_rest": seen.at_rest,
        "doubts": seen.doubts,
        "trouble": str(pipeline.fault or ""),
        "small": small is not None,
    }


def _settled(pipeline: Pipeline, one: PiCamera) -> Observation:
    until = time.monotonic() + LONGEST_LOOK_S
    seen = pipeline.process(one.frame())
    while not (seen.at_rest and seen.dice) and time.monotonic() < until:
        seen = pipeline.process(one.frame())
    return seen


SCENES: dict[str, Callable[..., dict[str, Any]]] = {
    scene.__name__: scene
    for scene in (
        looking,
        controls,
        starving,
        hanging,
        ending,
        two,
        none,
        reopening,
        lasting,
        watching,
        reading,
    )
}

if __name__ == "__main__":
    print(json.dumps(SCENES[sys.argv[1]](*sys.argv[2:])), flush=True)
