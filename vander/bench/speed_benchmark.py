"""`vander bench speed`: time a frame from pixels to observation, next to a YOLO-sized network in the same run."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import cv2
from rich.progress import track

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from vander.bench.baselines import YOLO, YoloSized, yolo_sized
from vander.bench.photo_scores import errors, median_interval, print_grid, print_lines
from vander.resources.vision_models import LoadedModels, weights_path
from vision.frames import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

MOST_FRAMES = 120
"""Eight seconds: every throw on the virtual tray is shorter."""
SETTLING_FRAMES = 10
IDLE_FRAMES = 15
COLUMNS = ("clock_median_ms", "clock_p95_ms", "cpu_median_ms", "cpu_p95_ms")

Given = TypeVar("Given")


@dataclass(frozen=True, order=True)
class Elapsed:
    """Milliseconds of processor time and of wall-clock time."""

    cpu: float
    clock: float


@dataclass(frozen=True)
class Timing:
    """The times of one kind of frames.

    They differ on a busy machine, where the processor's time is the one that can be compared.
    """

    of: str
    ms: tuple[Elapsed, ...]

    def figures(self) -> dict[str, Any]:
        """Return the medians with their 95 % intervals, and the 95th percentiles."""
        clock, cpu = _middle("clock", [one.clock for one in self.ms]), _middle("cpu", [one.cpu for one in self.ms])
        return {"of": self.of, "frames": len(self.ms), **clock, **cpu}


def _middle(name: str, ms: Sequence[float]) -> dict[str, Any]:
    median, *interval = (round(one, 2) for one in median_interval(ms))
    p95 = round(statistics.quantiles(ms, n=20)[-1], 2)
    return {f"{name}_median_ms": median, f"{name}_median_interval": interval, f"{name}_p95_ms": p95}


@dataclass(frozen=True)
class ThrowTiming:
    """The times of one throw's frames: moving, up to the one that was read, and at rest after that.

    `yolo` are those of the YOLO-sized network, run once right after the frame that was read.
    """

    moving: tuple[Elapsed, ...]
    idle: tuple[Elapsed, ...]
    yolo: Elapsed | None = None

    @property
    def read(self) -> Elapsed:
        """The time of the frame that was read, the longest."""
        return max(self.moving)


@dataclass(frozen=True)
class SpeedReport:
    """All measurements."""

    throws: tuple[ThrowTiming, ...]
    models_bytes: dict[str, int] = field(default_factory=dict)
    peak_memory_mb: float = 0.0

    def timings(self) -> list[Timing]:
        rows = [
            Timing("the frame that is read", tuple(one.read for one in self.throws)),
            Timing("something moves", tuple(took for one in self.throws for took in one.moving)),
            Timing("nothing moves", tuple(took for one in self.throws for took in one.idle)),
        ]
        yolo = tuple(one.yolo for one in self.throws if one.yolo)
        return [*rows, Timing(YOLO, yolo)] if yolo else rows

    def ratios(self) -> dict[str, Any]:
        """Return how many times longer the network takes than the frame that is read: medians with 95 % intervals."""
        pairs = [(one.yolo, one.read) for one in self.throws if one.yolo]
        if not pairs:
            return {}
        clock = median_interval([yolo.clock / ours.clock for yolo, ours in pairs])
        cpu = median_interval([yolo.cpu / ours.cpu for yolo, ours in pairs])
        return {**_ratio_figures("clock", clock), **_ratio_figures("cpu", cpu)}


def _ratio_figures(name: str, ratio: tuple[float, float, float]) -> dict[str, Any]:
    value, *interval = (round(one, 2) for one in ratio)
    return {f"yolo_to_ours_{name}": value, f"yolo_to_ours_{name}_interval": interval}


def run_speed_benchmark(throws: int, as_json: bool) -> None:
    """Time the pipeline on the virtual tray, on one thread, and print the figures. Raises BrokenModel."""
    cv2.setNumThreads(1)
    pipeline = LoadedModels.load(threads=1).pipeline(die_sets.load("intersection"), TrayLayout())
    yolo = yolo_sized()
    tray = VirtualTray("intersection", seed=1)
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    timed = tuple(_timed_throw(pipeline, tray, camera, yolo) for _ in track(range(throws), "throws", console=errors))
    size = {name: weights_path(name).stat().st_size for name in ("finder", "reader", "second")}
    speeds = SpeedReport(timed, size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if as_json:
        print_lines(one.figures() for one in speeds.timings())
        if ratios := speeds.ratios():
            print_lines([ratios])
        print_lines([{"models_bytes": speeds.models_bytes, "peak_memory_mb": round(speeds.peak_memory_mb)}])
    else:
        _print_speed(speeds, yolo)


def _timed_throw(pipeline: Pipeline, tray: VirtualTray, camera: VirtualCamera, yolo: YoloSized | None) -> ThrowTiming:
    """Throw all dice: time each frame until they have been read, and as many frames at rest."""
    tray.throw([int(die["number"]) for die in tray.dice()])
    moving = (*_until(pipeline, camera, at_rest=False), *_until(pipeline, camera, at_rest=True))
    network_took = _time(yolo.look)[1] if yolo else None
    for _ in range(SETTLING_FRAMES):  # doubtful dice are looked at again before the pipeline rests
        pipeline.process(_frame(camera))
    return ThrowTiming(moving, tuple(_time_frame(pipeline, camera)[1] for _ in range(IDLE_FRAMES)), network_took)


def _until(pipeline: Pipeline, camera: VirtualCamera, *, at_rest: bool) -> list[Elapsed]:
    """Time each frame until the table is at rest, or moves."""
    taken = list[Elapsed]()
    for _ in range(MOST_FRAMES):
        observation, took = _time_frame(pipeline, camera)
        taken.append(took)
        if observation.at_rest is at_rest:
            break
    return taken


def _time_frame(pipeline: Pipeline, camera: VirtualCamera) -> tuple[Observation, Elapsed]:
    frame = _frame(camera)
    return _time(lambda: pipeline.process(frame))


def _time(work: Callable[[], Given]) -> tuple[Given, Elapsed]:
    began, worked = time.perf_counter(), time.thread_time()
    given = work()
    return given, Elapsed(1000 * (time.thread_time() - worked), 1000 * (time.perf_counter() - began))


def _frame(camera: VirtualCamera) -> Frame:
    frame = camera.frame()
    if frame is None:
        raise EOFError("the virtual camera gave no frame")
    return frame


def _print_speed(speeds: SpeedReport, yolo: YoloSized | None) -> None:
    names = ("frames", "median ms", "95 % within", "cpu median ms", "95 % within")
    print_grid(("a frame of 1280 x 960 with six dice", *names), map(_cells, speeds.timings()))
    if yolo:
        print(f"the network has {yolo.size}, and ran once after each frame that was read; its time is")
        print("; ".join(_ratios(speeds.ratios())))
    network = " and the network" if yolo else ""
    models = ", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in speeds.models_bytes.items())
    print(f"peak memory {speeds.peak_memory_mb:.0f} MB, the virtual tray{network} included; models: {models}")


def _cells(timing: Timing) -> tuple[str, ...]:
    figures = timing.figures()
    return (timing.of, *(str(figures[name]) for name in ("frames", *COLUMNS)))


def _ratios(ratios: dict[str, Any]) -> Iterable[str]:
    for name, told in (("clock", "by the clock"), ("cpu", "of the processor alone")):
        low, high = ratios[f"yolo_to_ours_{name}_interval"]
        yield f"{ratios[f'yolo_to_ours_{name}']} times ours {told} ({low} to {high})"
