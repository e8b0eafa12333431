"""`vander bench`: how well a labelled folder is read, and how fast a frame becomes an observation."""

from __future__ import annotations

import csv
import json
import resource
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from assistant.opened import Models, weights
from assistant.scores import BadLabels, Label, Read, Row, Score, load_labels, plain_face, report, score
from hardware.cameras.replay import ReplayCamera
from hardware.virtual.camera import VirtualCamera
from hardware.virtual.tray import VirtualTray
from models import die_sets
from vision.calibrate import TrayLayout
from vision.eye import Eye, read_photograph
from vision.frames import Camera, Frame
from vision.pictures import load_picture
from vision.sightings import Observation

NUMBERED = frozenset({"pip", "digit"})
"""Photographs of ordinary dice are read with their die set; of the others any known face is read."""

MOST_FRAMES = 120
"""Eight seconds: no throw on the virtual tray takes so long."""
SETTLING_FRAMES = 10
IDLE_FRAMES = 15

errors = Console(stderr=True)


def photographs(folder: Path, leave_out: Sequence[str], as_json: bool) -> None:
    """Score a labelled folder's photographs and print the report. Raises BadLabels, BadPicture and BrokenModel."""
    labels = [label for label in load_labels(folder) if label.source not in leave_out]
    models = Models.load()
    scored = [(label, _score(folder, label, models)) for label in track(labels, "photographs", console=errors)]
    rows = report(scored)
    if as_json:
        _print_lines(row.shares() for row in rows)
    else:
        _print_report(rows)


def _score(folder: Path, label: Label, models: Models) -> Score:
    dice = die_sets.load("d6") if label.kind in NUMBERED else None
    pixels = load_picture(folder / label.file)
    began = time.perf_counter()
    seen = read_photograph(pixels, models.finder, models.reader, dice, TrayLayout())
    return score(label, readings(seen), 1000 * (time.perf_counter() - began))


def readings(seen: Observation) -> list[Read]:
    """An observation's readings as scoring needs them."""
    read = (die.reading for die in seen.dice)
    return [Read(one.face, one.accepted, one.sighting.x, one.sighting.y) for one in read]


def _print_lines(rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        print(json.dumps(row), flush=True)


def _print_report(rows: Sequence[Row]) -> None:
    names = ("photographs", "dice", "found %", "asked %", "silently wrong per 1000", "phantoms", "exact %", "ms")
    grid = Grid("over", *names)
    for row in rows:
        one = row.shares()
        low, high = one["wrong_interval"]
        few, many = one["found_interval"]
        grid.add_row(
            row.over,
            str(one["pictures"]),
            str(one["dice"]),
            f"{one['found_percent']} ({few} to {many})" if row.score.dice else "",
            f"{one['asked_percent']}" if row.score.dice else "",
            f"{one['wrong_per_1000']} ({low} to {high})" if row.score.dice else "",
            f"{one['phantoms']} ({one['phantoms_asked']} asked)",
            f"{one['exact_percent']}",
            f"{one['ms']}",
        )
    Console(width=max(150, Console().width)).print(grid)


@dataclass(frozen=True)
class ClipScore:
    """What became of a clip: how many throws were counted, the faces at the end, and those asked."""

    clip: str
    throws: int
    faces: tuple[str, ...]
    asked: int
    truth: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """`right`, `asked` where a doubt covers what is missing, else `wrong`."""
        if self.throws != 1:
            return "wrong"
        if self.asked == 0:
            return "right" if Counter(self.faces) == Counter(self.truth) else "wrong"
        same = len(self.faces) + self.asked == len(self.truth) and not Counter(self.faces) - Counter(self.truth)
        return "asked" if same else "wrong"


def clips(folder: Path, as_json: bool) -> None:
    """Play a labelled folder's clips through the eye and print what was seen; nothing where there are none."""
    table = folder / "clips" / "clips.csv"
    if not table.exists():
        return
    models = Models.load()
    scores = [_watch(table.parent, row, models) for row in track(_clip_rows(table), "clips", console=errors)]
    if as_json:
        _print_lines({**asdict(one), "verdict": one.verdict} for one in scores)
        return
    grid = Grid("clip", "throws", "faces read", "asked", "truth", "verdict")
    for one in scores:
        grid.add_row(one.clip, str(one.throws), " ".join(one.faces), str(one.asked), " ".join(one.truth), one.verdict)
    Console(width=max(150, Console().width)).print(grid)


def _clip_rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if any("file" not in row or "settled_faces_by_eye" not in row for row in rows):
        raise BadLabels(f"{table} needs the columns file and settled_faces_by_eye")
    return rows


def _watch(folder: Path, row: dict[str, str], models: Models) -> ClipScore:
    eye = models.eye(die_sets.load("d6"), TrayLayout(), live=False)
    last = _watched(ReplayCamera(folder / row["file"], paced=False), eye)
    seen = [die.reading for die in last.dice]
    faces = tuple(sorted(str(one.face) for one in seen if one.accepted))
    truth = row["settled_faces_by_eye"].removeprefix("end:").split()
    asked = sum(not one.accepted for one in seen)
    return ClipScore(row["file"], last.throw, faces, asked, tuple(sorted(plain_face(face) for face in truth)))


def _watched(camera: Camera, eye: Eye) -> Observation:
    """The last observation of a recording."""
    camera.open()
    try:
        while (frame := camera.frame()) is not None:
            eye.look(frame)
    finally:
        camera.close()
    return eye.finish()


@dataclass(frozen=True, order=True)
class Took:
    """Milliseconds that something took: of the processor, and by the clock."""

    cpu: float
    clock: float


@dataclass(frozen=True)
class Timing:
    """Milliseconds that frames took, and of which frames: by the clock, and of the processor alone.

    They differ on a busy machine, where the processor's time is the one that can be compared.
    """

    of: str
    ms: tuple[Took, ...]

    def figures(self) -> dict[str, Any]:
        """The medians and 95th percentiles."""
        figures: dict[str, Any] = {"of": self.of, "frames": len(self.ms)}
        for name, ms in (("clock", [one.clock for one in self.ms]), ("cpu", [one.cpu for one in self.ms])):
            figures[f"{name}_median_ms"] = round(statistics.median(ms), 2)
            figures[f"{name}_p95_ms"] = round(statistics.quantiles(ms, n=20)[-1], 2)
        return figures


def speed(throws: int, as_json: bool) -> None:
    """Time the eye on the virtual tray, on one thread, and print the figures. Raises BrokenModel."""
    cv2.setNumThreads(1)
    eye = Models.load(threads=1).eye(die_sets.load("intersection"), TrayLayout())
    tray = VirtualTray("intersection", seed=1)
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    timed = [_timed_throw(eye, tray, camera) for _ in track(range(throws), "throws", console=errors)]
    timings = (
        Timing("the frame that is read", tuple(max(moving) for moving, _ in timed)),
        Timing("something moves", tuple(ms for moving, _ in timed for ms in moving)),
        Timing("nothing moves", tuple(ms for _, idle in timed for ms in idle)),
    )
    size = {name: weights(name).stat().st_size for name in ("finder", "reader")}
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if as_json:
        _print_lines((*(one.figures() for one in timings), {"models_bytes": size, "peak_memory_mb": round(memory_mb)}))
    else:
        _print_speed(timings, size, memory_mb)


def _timed_throw(eye: Eye, tray: VirtualTray, camera: VirtualCamera) -> tuple[list[Took], list[Took]]:
    """Throw all dice: the milliseconds of each frame until they have been read, and of as many after that."""
    tray.throw([int(die["number"]) for die in tray.dice()])
    moving = _until(eye, camera, at_rest=False) + _until(eye, camera, at_rest=True)
    for _ in range(SETTLING_FRAMES):  # doubtful dice are looked at again before the eye rests
        eye.look(_frame(camera))
    return moving, [_timed(eye, camera)[1] for _ in range(IDLE_FRAMES)]


def _until(eye: Eye, camera: VirtualCamera, *, at_rest: bool) -> list[Took]:
    """The milliseconds of each frame until the table is at rest, or is not."""
    taken = list[Took]()
    for _ in range(MOST_FRAMES):
        observation, took = _timed(eye, camera)
        taken.append(took)
        if observation.at_rest is at_rest:
            break
    return taken


def _timed(eye: Eye, camera: VirtualCamera) -> tuple[Observation, Took]:
    frame = _frame(camera)
    began, worked = time.perf_counter(), time.process_time()
    observation = eye.look(frame)
    return observation, Took(1000 * (time.process_time() - worked), 1000 * (time.perf_counter() - began))


def _frame(camera: VirtualCamera) -> Frame:
    frame = camera.frame()
    if frame is None:
        raise EOFError("the virtual camera gave no frame")
    return frame


def _print_speed(timings: Iterable[Timing], sizes: dict[str, int], memory_mb: float) -> None:
    grid = Grid(
        "a frame of 1280 x 960 with six dice", "frames", "median ms", "95 % within", "cpu median ms", "95 % within"
    )
    for timing in timings:
        one = timing.figures()
        grid.add_row(timing.of, *(str(figure) for figure in list(one.values())[1:]))
    Console(width=max(110, Console().width)).print(grid)
    models = ", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in sizes.items())
    print(f"peak memory {memory_mb:.0f} MB, the virtual tray included; models: {models}")
