"""How Vander does with what nobody here made: photographs and films of others, public formats, other cameras and lamps.

    python bench/contact.py ../shared/photos           # everything, an hour on two busy cores
    python bench/contact.py ../shared/photos --quick   # two minutes: a part of the photographs and conditions
    python bench/contact.py ../shared/photos --parts films,formats --json

The photographs are those of a labelled folder (docs/measuring.md); its films are told by `clips/clips.csv` and
`clips/throws.csv`. Each condition is made from the real films and from films of the virtual tray while they are played.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.bad_pictures import BadPictureRow, bad_pictures, shown_for
from bench.contact_films import Film, FilmScore, play, real_films, virtual_films
from bench.film_conditions import Condition, can_encode, conditions
from models.training.crops import ALLOWED
from vander.bench.photo_benchmark import readings
from vander.bench.photo_scores import (
    LabelError,
    PhotoLabel,
    PhotoScore,
    load_labels,
    outcomes,
    print_grid,
    print_lines,
    score,
)
from vander.resources.models_and_stores import LoadedModels
from vision.image_io import load_picture
from vision.model_file import wilson_interval
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout

PARTS = ("photographs", "films", "conditions", "bad")
QUICK_EVERY = 6
"""With --quick one photograph of so many is read."""
AS_FILMED = Condition("as filmed", live=False, is_quick=True)
CONDITIONS = {one.name: one for one in (AS_FILMED, *conditions())}
HEADINGS = (
    "what",
    "pictures",
    "throws",
    "false",
    "dice found",
    "right",
    "asked",
    "silently wrong",
    "in 1000 (95 %)",
    "known as thrown",
    "ms",
    "said",
)


@dataclass(frozen=True)
class Row:
    """A row of the table; what was not counted is None."""

    what: str
    pictures: int
    dice: int
    found: int
    right: int
    asked: int
    wrong: int
    throws: int | None = None
    counted: int | None = None
    false: int | None = None
    thrown: int | None = None
    ms: float | None = None
    said: tuple[str, ...] = ()

    def cells(self) -> tuple[str, ...]:
        """Return the row as the table shows it."""
        counted = "" if self.throws is None else f"{self.counted} of {self.throws}"
        thrown = "" if self.thrown is None else f"{self.thrown} of {self.dice}"
        low, high = (1000 * end for end in wilson_interval(self.wrong, self.dice))
        share = f"{1000 * self.wrong / self.dice:.1f} ({low:.1f}-{high:.1f})" if self.dice else ""
        counts = (f"{self.found} of {self.dice}", f"{self.right}", _percent(self.asked, self.dice), f"{self.wrong}")
        false = "" if self.false is None else f"{self.false}"
        ms = "" if self.ms is None else f"{self.ms:.0f}"
        numbers = counts if self.dice else ("", "", f"{self.asked}", f"{self.wrong}")
        return (self.what, f"{self.pictures}", counted, false, *numbers, share, thrown, ms, " ".join(self.said))

    def figures(self) -> dict[str, Any]:
        """Return the row as JSON, with the 95 % interval of what is silently wrong in 1,000."""
        interval = [round(1000 * end, 1) for end in wilson_interval(self.wrong, self.dice)]
        return {**vars(self), "wrong_interval": interval}


def photo_rows(folder: Path, jobs: int, quick: bool) -> Iterator[Row]:
    """Yield a row for each source and view of the photographs that were not trained on, and for each way of looking."""
    labels = [one for one in load_labels(folder) if not one.is_among(ALLOWED)]
    labels = labels[::QUICK_EVERY] if quick else labels
    totals: dict[str, PhotoScore] = {}
    for label, one in zip(labels, _in_parallel(_score_photo, [(folder, each) for each in labels], jobs), strict=True):
        for what in (f"{label.source}, {label.view}", _way_of_looking(label.view), "all photographs"):
            totals[what] = totals.get(what, PhotoScore()) + one
    last = ("all top-down", "all oblique", "all photographs")
    for what in (*sorted(set(totals) - set(last)), *last):
        if what in totals:
            yield _photo_row(what, totals[what])


def _way_of_looking(view: str) -> str:
    return "all oblique" if "oblique" in view else "all top-down"


def _photo_row(what: str, one: PhotoScore) -> Row:
    wrong = one.wrong + one.accepted_phantoms
    return Row(what, one.pictures, one.dice, one.found, one.right, one.asked, wrong, ms=one.ms / one.pictures)


def _score_photo(job: tuple[Path, PhotoLabel]) -> PhotoScore:
    folder, label = job
    pixels, models = load_picture(folder / label.file), _models()
    began = time.perf_counter()
    seen = read_photograph(pixels, models.finder, models.reader, label.there, TrayLayout())
    ms = 1000 * (time.perf_counter() - began)
    return score(label, outcomes(label, readings(seen)), ms)


def film_rows(folder: Path, jobs: int) -> Iterator[Row]:
    """Yield a row for each real film as it was filmed, and one for all."""
    films = real_films(folder / "clips")
    scores = _in_parallel(_play, [(film, AS_FILMED.name) for film in films], jobs)
    total = FilmScore()
    for film, one in zip(films, scores, strict=True):
        total += one
        yield _film_row(film.name, one)
    yield _film_row("all real films", total)


def condition_rows(folder: Path, jobs: int, quick: bool) -> Iterator[Row]:
    """Yield two rows for each condition: of the real films, and of those of the virtual tray."""
    wanted = [one for one in CONDITIONS.values() if one.is_quick or not quick]
    wanted = [one for one in wanted if one.container is None or can_encode()]
    if not can_encode():
        yield Row("public formats: ffmpeg is missing", 0, 0, 0, 0, 0, 0)
    real, ours = real_films(folder / "clips"), virtual_films()[: 1 if quick else None]
    films: tuple[Film, ...] = (*real, *ours)
    tasks = [(film, condition.name) for condition in wanted for film in films]
    scores = _in_parallel(_play, tasks, jobs)
    for condition in wanted:
        came = [(film, next(scores)) for film in films]
        for whose, is_ours in (("real", False), ("virtual", True)):
            told = sum((one for film, one in came if film.is_ours is is_ours), FilmScore())
            yield _film_row(f"{condition.name}, {whose}", told)


def _play(task: tuple[Film, str]) -> FilmScore:
    """Play a film under a condition, which is known here by its name: what it does to pictures cannot be sent."""
    film, condition = task[0], CONDITIONS[task[1]]
    with tempfile.TemporaryDirectory() as folder:
        try:
            return play(film, condition, _models(), Path(folder))
        except (OSError, subprocess.CalledProcessError) as error:
            dice = sum(len(one.faces) for one in film.throws)
            return FilmScore(throws=len(film.throws), dice=dice, said=Counter({str(error): 1}))


def _film_row(what: str, one: FilmScore) -> Row:
    found, ms = one.right + one.asked + one.wrong, one.ms / max(one.pictures, 1)
    said = tuple(f"{sentence} ({films})" for sentence, films in sorted(one.said.items()))
    counts = one.pictures, one.dice, found, one.right, one.asked, one.wrong
    return Row(what, *counts, one.throws, one.counted, one.false, one.thrown, ms, said)


def bad_rows() -> Iterator[BadPictureRow]:
    """Yield what is shown for each bad picture."""
    return (shown_for(one) for one in bad_pictures())


@cache
def _models() -> LoadedModels:
    cv2.setNumThreads(1)
    return LoadedModels.load()


def _in_parallel(work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int) -> Iterator[Any]:
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(work, tasks)


def _percent(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else ""


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a labelled folder with photographs and films")
    parser.add_argument("--quick", action="store_true", help="two minutes: a part of it")
    parser.add_argument("--parts", default=",".join(PARTS), help="which, with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="one object a line")
    return parser.parse_args(words)


def tables(given: argparse.Namespace) -> Iterator[Iterator[Row]]:
    """Yield the rows of each part that is wanted."""
    parts = given.parts.split(",")
    if "photographs" in parts:
        yield photo_rows(given.folder, given.jobs, given.quick)
    if "films" in parts:
        yield film_rows(given.folder, given.jobs)
    if "conditions" in parts:
        yield condition_rows(given.folder, given.jobs, given.quick)


def main() -> None:
    """Measure, and print the table of each part when it is done, or each row as JSON."""
    given, began = arguments(), time.perf_counter()
    if not given.folder.is_dir():
        sys.exit(f"there are no photographs at {given.folder}; give the labelled folder as PHOTOS=DIR")
    try:
        for table in tables(given):
            if given.json:
                print_lines(row.figures() for row in table)
            else:
                print_grid(HEADINGS, (row.cells() for row in table))
                print(f"{time.perf_counter() - began:.0f} s", flush=True)
    except (LabelError, FileNotFoundError, KeyError) as error:
        sys.exit(f"the labels of {given.folder} cannot be read: {error}")
    if "bad" not in given.parts.split(","):
        return
    bad = list(bad_rows())
    if given.json:
        print_lines([vars(row) for row in bad])
    else:
        print_grid(("bad picture", "calibrated", "what the page says"), (row.cells() for row in bad))
        print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
