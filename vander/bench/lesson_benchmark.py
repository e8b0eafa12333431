"""`vander bench teach` and `signs`: what a lesson costs, and how often a strange sign is taken for a face."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from models import die_sets
from models.dataset import FaceLabel, NewSample, SampleStore
from models.die_sets.catalog import DieSetCatalog, build_die_set
from models.synthetic.canvas import Use
from models.synthetic.family_art import SIDE, KindArt, random_body_style
from models.synthetic.novel_symbols import SIGNS, SYMBOLS, draw_novel, draw_sign, random_novel_style
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vander.bench.first_game import read_dice
from vander.bench.photo_scores import (
    LabelledDie,
    PhotoLabel,
    errors,
    median_interval,
    print_grid,
    print_lines,
    share,
    share_of,
)
from vander.bench.simulated_families import GAMES, Family, FamilyThrow, GameThrow, family_game, family_of
from vander.resources import vision_models
from vander.resources.data_stores import open_learning_service
from vander.resources.vision_models import LoadedModels
from vander.storage.settings import load
from vision.frames import Pixels
from vision.pipeline import read_photograph
from vision.rectification import RotatedSquare
from vision.tray_calibration import TrayLayout

PATCH, EDGE = 120, 44
"""Pixels of a side of a sample, and of the die in it."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
NAME = "bench"


def run_lesson_benchmark(faces: int, pictures: int, times: int, as_json: bool) -> None:
    """Print the time to learn these faces from this many pictures each, and the peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        write_die_set(Path(folder), faces, pictures)
        taken = [_run_once(Path(folder)) for _ in range(times)]
    seconds, megabytes = [one["seconds"] for one in taken], max(one["megabytes"] for one in taken)
    middle, low, high = median_interval(seconds)
    figures = {
        "faces": faces,
        "pictures of each": pictures,
        "runs": times,
        "seconds": round(middle, 2),
        "interval": [round(low, 2), round(high, 2)],
        "megabytes at most": round(megabytes),
    }
    if as_json:
        print(json.dumps(figures))
    else:
        print_grid(("figure", "value"), [(name, str(value)) for name, value in figures.items()])


def write_die_set(folder: Path, faces: int, pictures: int) -> None:
    """Write a die set of novel symbols into a data folder, with random pictures of each face."""
    symbols = SYMBOLS[Use.SCORING][:faces]
    kinds = [("Die", 1, [str(symbol).removeprefix("strange-") for symbol in symbols])]
    dice = build_die_set(NAME, NAME, kinds)
    DieSetCatalog(folder / "dice").save(dice)
    store, (kind,) = SampleStore(folder / "captured"), dice.kinds
    session, rng = store.start_session(NAME, "guided"), np.random.default_rng(1)
    hand, style = random_novel_style(rng, Use.SCORING)
    for symbol, face in zip(symbols, kind.faces, strict=True):
        art = draw_novel(symbol, hand, style, 2 * EDGE, rng).pixels
        for _ in range(pictures):
            taken = NewSample(*_draw_sample(art, rng), label=FaceLabel(kind.name, face, "drawn", datetime.now(UTC)))
            store.save(session, NAME, None, [taken])


def _draw_sample(art: Pixels, rng: np.random.Generator) -> tuple[Pixels, RotatedSquare]:
    """Return a drawn face on a plain table with random rotation, light and noise, and its position."""
    turned = float(rng.uniform(0, 90))
    turn = cv2.getRotationMatrix2D((art.shape[1] / 2, art.shape[0] / 2), -turned, EDGE / art.shape[0])
    turn += np.array([[0, 0, PATCH / 2 - art.shape[1] / 2], [0, 0, PATCH / 2 - art.shape[0] / 2]])
    table = np.full((PATCH, PATCH, 3), rng.uniform(40, 90, 3), np.uint8)
    cv2.warpAffine(art, turn, (PATCH, PATCH), dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    seen = table * rng.uniform(0.7, 1.2) + rng.normal(0, 4, table.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), RotatedSquare(PATCH / 2, PATCH / 2, EDGE, turned)


def _run_once(folder: Path) -> dict[str, float]:
    """Run one lesson in a process of its own."""
    words = [sys.executable, "-m", "vander.bench.lesson_benchmark", str(folder)]
    done = subprocess.run(words, env=os.environ | ONE_THREAD, check=True, capture_output=True, text=True)  # noqa: S603
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _measure_lesson(folder: Path) -> Iterator[tuple[str, float]]:
    learning = open_learning_service(load(data_dir=folder), vision_models.LoadedModels.load())
    began = time.perf_counter()
    learning.teach(NAME)
    yield "seconds", time.perf_counter() - began
    yield "megabytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(dict(_measure_lesson(Path(sys.argv[1])))))


DICE = 6
"""Dice of a family, with six signs each."""
THROWS = 5
"""Throws of a family."""
ANY = "any known face"
WORST = 12
"""The signs that are listed at most."""


@dataclass(frozen=True)
class SignScore:
    """What became of dice with foreign signs, read as dice of one set: how many, asked about, taken for a face."""

    dice: int = 0
    asked: int = 0
    taken: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: SignScore) -> SignScore:
        return SignScore(self.dice + other.dice, self.asked + other.asked, self.taken + other.taken)

    def figures(self, read_as: str) -> dict[str, Any]:
        """Return the score as JSON, per cent with 95 % intervals; what is neither was turned away as no face."""
        return {
            "read_as": read_as,
            "dice": self.dice,
            "asked": self.asked,
            **share_of("asked", self.asked, self.dice),
            "taken": self.taken.total(),
            **share_of("taken", self.taken.total(), self.dice),
            "worst": dict(self.taken.most_common(WORST)),
        }


def run_sign_benchmark(families: int, as_json: bool) -> None:
    """Read dice with signs of no set, without a set and as the dice of each game, and print the figures."""
    cv2.setNumThreads(1)
    models = LoadedModels.load()
    total = dict.fromkeys((ANY, *GAMES), SignScore())
    for number in track(range(1, families + 1), "families", console=errors):
        for throw in family_game(sign_family(number), THROWS, number):
            for read_as in total:
                total[read_as] += score_throw(throw, None if read_as == ANY else die_sets.load(read_as), models)
    rows = [score.figures(read_as) for read_as, score in total.items()]
    if as_json:
        print_lines(rows)
        return
    print_grid(("signs of no set, read as", "dice", "asked %", "silently taken for a face %"), map(_cells, rows))
    for what, count in sum(total.values(), SignScore()).taken.most_common(WORST):
        print(f"{count} x {what}")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return row["read_as"], str(row["dice"]), share(row, "asked"), share(row, "taken")


def sign_family(number: int) -> Family:
    """Return the `number`-th family (from 1) of dice with foreign signs, for scoring."""
    rng = np.random.default_rng([number, 3])
    signs = rng.permutation(np.array(SIGNS * (1 + DICE * 6 // len(SIGNS))))[: DICE * 6].reshape(DICE, 6)
    kinds = {KindName(f"signs-{n}"): [str(sign) for sign in row] for n, row in enumerate(signs, 1)}
    art = {kind: _kind_art(row, rng) for kind, row in kinds.items()}
    counts = tuple(
        (DieKind(kind, str(kind), tuple(Face(FaceName(sign), sign) for sign in row)), 1) for kind, row in kinds.items()
    )
    return family_of(DieSet("signs", "Signs of no set", counts, 16.0), art, Use.SCORING, rng)


def _kind_art(signs: Sequence[str], rng: np.random.Generator) -> KindArt:
    style = random_body_style(Use.SCORING, rng)
    return KindArt(style.name, style.material, {FaceName(sign): draw_sign(sign, style, SIDE, rng) for sign in signs})


def score_throw(throw: FamilyThrow, dice: DieSet | None, models: LoadedModels) -> SignScore:
    """Return what becomes of a throw of foreign signs that is read as dice of a set, or as any known faces."""
    seen = read_photograph(throw.pixels, models.finder, models.reader, dice, TrayLayout())
    lying = tuple(_labelled(throw))
    label = PhotoLabel("", "", "", tuple(die.face for die in lying), lying, boxes=True)
    read, _ = read_dice(1, GameThrow(label, (None,) * len(lying), lambda: throw.pixels), seen)
    readings = [(one.die.face, one.reading) for one in read if one.reading]
    taken = Counter(f"{sign} read as {reading.face}" for sign, reading in readings if reading.accepted)
    return SignScore(len(lying), len(readings) - taken.total(), taken)


def _labelled(throw: FamilyThrow) -> Iterator[LabelledDie]:
    for die in throw.label["dice"]:
        yield LabelledDie(die["face"], die["cx"], die["cy"], max(die["w"], die["h"]))
