"""`vander bench photos`: score the photographs of a labelled folder, by view and picture by picture."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from jinja2 import Environment
from rich.progress import track

from vander.bench import photo_scores
from vander.bench.baselines import BaselineComparison, time_call
from vander.bench.photo_scores import outcomes, score
from vander.resources.models_and_stores import LoadedModels
from vision.frames import Pixels
from vision.image_io import load_picture
from vision.observations import Observation
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout

# The worst photographs of a labelled folder: a table, and a page with a picture of every misread die


CROP = 176
"""Pixels of a side of a die's picture on the page."""
CROP_EDGES = 2.0
"""The side of a die's picture in edges of the die."""
QUALITY = 85

TITLES = (
    (
        photo_scores.DieVerdict.WRONG,
        "Silently wrong",
        "Accepted, and not what the die shows, not the die that shows it, or where no die is left to show it.",
    ),
    (photo_scores.DieVerdict.PHANTOM, "Phantoms", "Accepted where no die is."),
    (photo_scores.DieVerdict.MISSED, "Missed", "A die lies here and was not found."),
    (photo_scores.DieVerdict.ASKED, "Asked", "A person would be asked what the die shows."),
    (photo_scores.DieVerdict.LOUD_PHANTOM, "Phantoms that are asked", "No die is here; a person would be asked."),
)
"""The page's chapters: each bad verdict, its heading, and its meaning."""


class ErrorPageError(OSError):
    """The page of the worst dice cannot be written; the message names the file and says why."""


@dataclass(frozen=True)
class ScoredPhoto:
    """A photograph's label, its score, and the outcome of each die."""

    label: photo_scores.PhotoLabel
    score: photo_scores.PhotoScore
    outcomes: tuple[photo_scores.DieOutcome, ...]

    @property
    def badness(self) -> tuple[int, int, int]:
        """Counts to sort by: silent errors with accepted phantoms, dice missed, dice and phantoms asked about."""
        one = self.score
        return one.wrong + one.accepted_phantoms, one.dice - one.found, one.asked + one.loud

    def figures(self) -> dict[str, Any]:
        """Return the photograph's counts as JSON."""
        one = self.score
        counts = {"dice": one.dice, "found": one.found, "asked": one.asked, "wrong": one.wrong}
        phantoms = {"phantoms": one.accepted_phantoms, "phantoms_asked": one.loud}
        return {"picture": self.label.file, **counts, **phantoms, "ms": round(one.ms, 1)}


def worst_of(scored: Iterable[ScoredPhoto], count: int) -> list[ScoredPhoto]:
    """Return the `count` worst photographs, the worst first."""
    return sorted(scored, key=lambda one: one.badness, reverse=True)[:count]


def show(folder: Path, scored: Sequence[ScoredPhoto], count: int, as_json: bool) -> None:
    """Print the worst photographs, a line each."""
    rows = [one.figures() for one in worst_of(scored, count)]
    if as_json:
        photo_scores.print_lines(rows)
        return
    headings = (
        f"the worst of {folder}",
        "dice",
        "found",
        "asked",
        "silently wrong",
        "phantoms",
        "phantoms asked",
        "ms",
    )
    photo_scores.print_grid(headings, (tuple(str(figure) for figure in row.values()) for row in rows))


def check_place(page: Path) -> None:
    """Check that the page's folder exists, before anything takes long. Raises ErrorPageError."""
    if not page.parent.is_dir():
        raise ErrorPageError(f"the page {page} cannot be written: there is no folder {page.parent}")


def write_page(page: Path, folder: Path, scored: Sequence[ScoredPhoto], count: int) -> None:
    """Write one self-contained HTML file with every misread die of the worst photographs. Raises ErrorPageError."""
    worst = worst_of(scored, count)
    template = Environment(autoescape=True).from_string(
        files(__package__).joinpath("error_page.html").read_text("utf-8")
    )
    chapters = _chapters(folder, worst)
    html = template.render(
        folder=folder.name, whole=len(scored), rows=[one.figures() for one in worst], chapters=chapters, side=CROP
    )
    try:
        page.write_text(html, "utf-8")
    except OSError as error:
        raise ErrorPageError(f"the page {page} cannot be written: {error.strerror or error}") from error


@dataclass(frozen=True)
class PictureOnPage:
    """A die on the page: its picture as a data URI, its true face, the reading with its confidence, and the photograph.

    Where nobody labelled which face lies where, `known` is False and `truth` holds all the faces of the photograph.
    """

    verdict: photo_scores.DieVerdict
    picture: str
    known: bool
    truth: tuple[str, ...]
    read: str
    sure: str
    photograph: str


def _chapters(folder: Path, worst: Iterable[ScoredPhoto]) -> list[dict[str, Any]]:
    misread = [shown for one in worst for shown in _misread(folder, one)]
    return [
        {
            "name": verdict.name.lower(),
            "title": title,
            "told": told,
            "dice": [one for one in misread if one.verdict is verdict],
        }
        for verdict, title, told in TITLES
    ]


def _misread(folder: Path, one: ScoredPhoto) -> list[PictureOnPage]:
    bad = [outcome for outcome in one.outcomes if outcome.verdict is not photo_scores.DieVerdict.RIGHT]
    if not bad:
        return []
    pixels = load_picture(folder / one.label.file)
    return [_on_page(pixels, one.label, outcome) for outcome in bad]


def _on_page(pixels: Pixels, label: photo_scores.PhotoLabel, outcome: photo_scores.DieOutcome) -> PictureOnPage:
    read = outcome.read
    _, packed = cv2.imencode(".jpg", _picture(pixels, outcome), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return PictureOnPage(
        outcome.verdict,
        f"data:image/jpeg;base64,{base64.b64encode(packed.tobytes()).decode()}",
        bool(outcome.truth) or not label.faces or label.boxes,
        _truth(label, outcome),
        _read_as(outcome),
        f"{100 * read.sure:.1f} %" if read else "",
        Path(label.file).name,
    )


def _read_as(outcome: photo_scores.DieOutcome) -> str:
    """Return what a die was read as; its kind too, where the face alone is right."""
    if outcome.read is None:
        return "nothing"
    return f"{outcome.read.face}, {outcome.read.kind}" if outcome.only_kind_wrong else outcome.read.face


def _truth(label: photo_scores.PhotoLabel, outcome: photo_scores.DieOutcome) -> tuple[str, ...]:
    if outcome.only_kind_wrong and outcome.die:
        return (f"{outcome.truth}, {outcome.die.kind}",)
    if outcome.truth:
        return (outcome.truth,)
    return ("no die",) if label.boxes or not label.faces else tuple(sorted(label.faces))


def _picture(pixels: Pixels, outcome: photo_scores.DieOutcome) -> Pixels:
    """Return the die upright in the middle of a square, or the whole photograph if its place is unknown."""
    if outcome.read:
        return upright(pixels, outcome.read.x, outcome.read.y, outcome.read.edge, outcome.read.turned_degrees)
    if outcome.die:
        return upright(pixels, outcome.die.x, outcome.die.y, outcome.die.edge, 0.0)
    return _whole(pixels)


def _whole(pixels: Pixels) -> Pixels:
    """Return the photograph in the middle of a grey square."""
    height, width = (max(1, round(side * CROP / max(pixels.shape[:2]))) for side in pixels.shape[:2])
    square = np.full((CROP, CROP, 3), 128, np.uint8)
    top, left = (CROP - height) // 2, (CROP - width) // 2
    square[top : top + height, left : left + width] = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    return square


def upright(pixels: Pixels, x: float, y: float, edge: float, turned_degrees: float) -> Pixels:
    """Return a square of CROP pixels around a place, CROP_EDGES edges wide, rotated upright, mirrored at the rim."""
    zoom = CROP / (CROP_EDGES * max(edge, 1.0))
    small = cv2.resize(pixels, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 1 else pixels
    scale = small.shape[1] / pixels.shape[1]
    turn = cv2.getRotationMatrix2D((x * scale, y * scale), turned_degrees, zoom / scale)
    turn = np.add(turn, [[0, 0, CROP / 2 - x * scale], [0, 0, CROP / 2 - y * scale]])
    return np.asarray(cv2.warpAffine(small, turn, (CROP, CROP), borderMode=cv2.BORDER_REFLECT_101), np.uint8)


@dataclass(frozen=True)
class ReportOptions:
    """What is printed besides the table: the `worst` photographs with their page, and the baselines."""

    worst: int = 0
    page: Path = Path("worst.html")
    rivals: bool = False
    as_json: bool = False


def run_photo_benchmark(folder: Path, leave_out: Sequence[str], wanted: ReportOptions) -> None:
    """Score a labelled folder's photographs on one thread, and print the report.

    Raises LabelError, BadPicture, BrokenModel and ErrorPageError.
    """
    cv2.setNumThreads(1)
    labels = [label for label in photo_scores.load_labels(folder) if not label.is_among(leave_out)]
    if wanted.worst:
        check_place(wanted.page)
    models = LoadedModels.load()
    race = BaselineComparison() if wanted.rivals else None
    scored = [
        _score_photo(folder, label, models, race) for label in track(labels, "photographs", console=photo_scores.errors)
    ]
    _print_report(photo_scores.report((one.label, one.score) for one in scored), wanted.as_json)
    if race:
        race.show(wanted.as_json)
    if wanted.worst:
        show(folder, scored, wanted.worst, wanted.as_json)
        write_page(wanted.page, folder, scored, wanted.worst)


def _score_photo(
    folder: Path, label: photo_scores.PhotoLabel, models: LoadedModels, race: BaselineComparison | None
) -> ScoredPhoto:
    pixels = load_picture(folder / label.file)
    seen, ms = time_call(lambda: read_photograph(pixels, models.finder, models.reader, label.there, TrayLayout()))
    became = outcomes(label, readings(seen))
    ours = score(label, became, ms)
    if race:
        race.run(label, pixels, ours)
    return ScoredPhoto(label, ours, became)


def readings(seen: Observation) -> list[photo_scores.BenchReading]:
    read = (die.reading for die in seen.dice)
    return [
        photo_scores.BenchReading(
            one.face,
            one.accepted,
            one.sighting.x,
            one.sighting.y,
            one.sighting.edge,
            one.sighting.turned_degrees,
            one.confidence,
            one.kind,
        )
        for one in read
    ]


def _print_report(rows: Sequence[photo_scores.ReportRow], as_json: bool) -> None:
    if as_json:
        photo_scores.print_lines(row.shares() for row in rows)
        return
    names = (
        "photographs",
        "dice",
        "found %",
        "asked %",
        "silently wrong per 1000",
        "by kind",
        "phantoms",
        "exact %",
        "ms",
    )
    photo_scores.print_grid(("over", *names), map(_cells, rows))


def _cells(row: photo_scores.ReportRow) -> tuple[str, ...]:
    one = row.shares()
    return (
        row.over,
        str(one["pictures"]),
        str(one["dice"]),
        photo_scores.share(one, "found"),
        photo_scores.share(one, "asked"),
        photo_scores.share(one, "wrong", "per_1000"),
        str(one["wrong_kind"]),
        f"{one['phantoms']} ({one['phantoms_asked']} asked)",
        photo_scores.share(one, "exact"),
        str(one["ms"]),
    )
