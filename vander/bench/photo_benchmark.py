"""`vander bench photos`: score the photographs of a labelled folder, by view and picture by picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
from rich.progress import track

from vander.bench import error_page
from vander.bench.baselines import BaselineComparison, time_call
from vander.bench.error_page import ScoredPhoto
from vander.bench.photo_scores import BenchReading, PhotoLabel, ReportRow, load_labels, outcomes, report, score
from vander.bench.report import errors, print_grid, print_lines, share
from vander.resources.vision_models import LoadedModels
from vision.frames import Pixels
from vision.image_io import load_picture
from vision.observations import Observation
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout


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
    labels = [label for label in load_labels(folder) if not label.is_among(leave_out)]
    if wanted.worst:
        error_page.check_place(wanted.page)
    models = LoadedModels.load()
    race = BaselineComparison() if wanted.rivals else None
    scored = [_score_photo(folder, label, models, race) for label in track(labels, "photographs", console=errors)]
    _print_report(report((one.label, one.score) for one in scored), wanted.as_json)
    if race:
        race.show(wanted.as_json)
    if wanted.worst:
        error_page.show(folder, scored, wanted.worst, wanted.as_json)
        error_page.write_page(wanted.page, folder, scored, wanted.worst)


def _score_photo(folder: Path, label: PhotoLabel, models: LoadedModels, race: BaselineComparison | None) -> ScoredPhoto:
    pixels = load_picture(folder / label.file)
    seen, ms = time_call(lambda: _read(label, pixels, models))
    became = outcomes(label, readings(seen))
    ours = score(label, became, ms)
    if race:
        race.run(label, pixels, ours)
    return ScoredPhoto(label, ours, became)


def _read(label: PhotoLabel, pixels: Pixels, models: LoadedModels) -> Observation:
    return read_photograph(pixels, models.finder, models.reader, label.there, TrayLayout())


def readings(seen: Observation) -> list[BenchReading]:
    """Return an observation's readings for scoring."""
    read = (die.reading for die in seen.dice)
    return [
        BenchReading(
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


def _print_report(rows: Sequence[ReportRow], as_json: bool) -> None:
    if as_json:
        print_lines(row.shares() for row in rows)
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
    print_grid(("over", *names), map(_cells, rows))


def _cells(row: ReportRow) -> tuple[str, ...]:
    one = row.shares()
    return (
        row.over,
        str(one["pictures"]),
        str(one["dice"]),
        share(one, "found"),
        share(one, "asked"),
        share(one, "wrong", "per_1000"),
        str(one["wrong_kind"]),
        f"{one['phantoms']} ({one['phantoms_asked']} asked)",
        share(one, "exact"),
        str(one["ms"]),
    )
