"""Score the clips of a labelled folder: throws counted, faces read, and how soon a throw is reported."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.progress import track

from hardware.cameras.base import Camera
from hardware.cameras.replay import ReplayCamera
from models import die_sets
from vander.bench.photo_scores import LabelError, canonical_face, errors, print_grid, print_lines, source_of
from vander.resources.game_catalog import PLAIN_DICE
from vander.resources.vision_models import LoadedModels
from vision.model_file import wilson_interval
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

COLUMNS = frozenset({"file", "fps", "last_motion_frame", "settled_faces_by_eye"})
SOON_MS = 200
"""How long after the last motion a throw may be reported as settled, in milliseconds."""


@dataclass(frozen=True)
class ClipScore:
    """The score of a clip: throws counted, the faces at the end, dice asked about, and the time.

    `settled_ms` is how long after the last moving frame the pipeline first reported a settled throw, or the clip ended;
    negative where it spoke too early.
    """

    clip: str
    throws: int
    faces: tuple[str, ...]
    asked: int
    truth: tuple[str, ...]
    settled_ms: float

    @property
    def verdict(self) -> str:
        """`right`, `asked` if a question covers what is missing, else `wrong`."""
        if self.throws != 1:
            return "wrong"
        if self.asked == 0:
            return "right" if Counter(self.faces) == Counter(self.truth) else "wrong"
        same = len(self.faces) + self.asked == len(self.truth) and not Counter(self.faces) - Counter(self.truth)
        return "asked" if same else "wrong"

    @property
    def timing(self) -> str:
        """`in time`, `too early` if before the last motion (never right), or `late`."""
        if self.settled_ms < 0:
            return "too early"
        return "in time" if self.settled_ms <= SOON_MS else "late"

    def figures(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict, "timing": self.timing}


def run_clip_benchmark(folder: Path, leave_out: Sequence[str], as_json: bool) -> None:
    """Play a labelled folder's clips through the pipeline and print the scores; nothing if there are none.

    Raises LabelError, CameraError and BrokenModel.
    """
    table = folder / "clips" / "clips.csv"
    if not table.exists():
        return
    rows = [row for row in _clip_rows(table) if source_of(row["file"]) not in leave_out]
    models = LoadedModels.load()
    scores = [_score_clip(table.parent, row, models) for row in track(rows, "clips", console=errors)]
    if as_json:
        print_lines(one.figures() for one in scores)
        print_lines([totals(scores)])
    else:
        names = ("throws", "faces read", "asked", "truth", "verdict", f"settled (within {SOON_MS} ms)")
        print_grid(("clip", *names), map(_cells, scores))


def totals(scores: Sequence[ClipScore]) -> dict[str, Any]:
    """Return how many clips were counted exactly and reported in time, with 95 % intervals."""
    counted = sum(one.throws == 1 for one in scores)
    timely = sum(one.timing == "in time" for one in scores)
    return {
        "clips": len(scores),
        "counted_exactly": counted,
        "counted_interval": _percent(counted, len(scores)),
        "in_time": timely,
        "in_time_interval": _percent(timely, len(scores)),
    }


def _percent(part: int, whole: int) -> list[float]:
    return [round(100 * share, 2) for share in wilson_interval(part, whole)]


def _cells(one: ClipScore) -> tuple[str, ...]:
    settled = f"{one.settled_ms:.0f} ms, {one.timing}"
    return (one.clip, str(one.throws), " ".join(one.faces), str(one.asked), " ".join(one.truth), one.verdict, settled)


def _clip_rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if any(row.get(column) is None for row in rows for column in COLUMNS):
        raise LabelError(f"{table} needs the columns {', '.join(sorted(COLUMNS))} in every row")
    return rows


def _score_clip(folder: Path, row: dict[str, str], models: LoadedModels) -> ClipScore:
    dice = die_sets.load(PLAIN_DICE)
    pipeline = models.pipeline(dice, TrayLayout(), live=False)
    last, settled = _play_clip(ReplayCamera(folder / row["file"], paced=False), pipeline)
    seen = [die.reading for die in last.dice]
    faces = tuple(sorted(canonical_face(one.face, dice) for one in seen if one.accepted))
    truth = row["settled_faces_by_eye"].removeprefix("end:").split()
    named = tuple(sorted(canonical_face(face, dice) for face in truth))
    asked = sum(not one.accepted for one in seen)
    return ClipScore(row["file"], last.throw, faces, asked, named, _since_motion(settled, row))


def _since_motion(settled: int, row: dict[str, str]) -> float:
    """Return milliseconds from the last moving frame to frame `settled`, both from 0. Raises LabelError."""
    try:
        return round(1000 * (settled - int(row["last_motion_frame"])) / float(row["fps"]), 1)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise LabelError(f"{row['file']} has no last_motion_frame and fps that are numbers: {error}") from error


def _play_clip(camera: Camera, pipeline: Pipeline) -> tuple[Observation, int]:
    """Return the last observation, and the first frame (from 0) in which a throw had settled, or the last frame."""
    camera.open()
    settled, frames = -1, 0
    try:
        while (frame := camera.frame()) is not None:
            seen = pipeline.process(frame)
            if settled < 0 and seen.throw and seen.at_rest:
                settled = frames
            frames += 1
    finally:
        camera.close()
    return pipeline.finish(), settled if settled >= 0 else frames - 1
