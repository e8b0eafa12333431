"""`vander bench signs`: how often a sign that belongs to no set is silently taken for a face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from models import die_sets
from models.synthetic.canvas import Use
from models.synthetic.family_art import SIDE, KindArt, random_body_style
from models.synthetic.novel_symbols import SIGNS, draw_sign
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vander.bench.first_game import read_dice
from vander.bench.game_throws import GameThrow
from vander.bench.photo_scores import LabelledDie, PhotoLabel, errors, print_grid, print_lines, share, share_of
from vander.bench.simulated_families import GAMES, Family, FamilyThrow, family_game, family_of
from vander.resources.vision_models import LoadedModels
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout

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
