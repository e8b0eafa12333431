"""Score how often a sign that belongs to no set is silently taken for a face: painted dice, read where they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from models import die_sets
from models.synthetic.face_style import Use
from models.training.crops import TrainingCrop
from models.training.painted_dice import paint_batch
from models.training.texture_atlas import DieAtlas, Rng, novel_dice
from models.training.varied_dice import foreign_dice
from referee.dice import DieSet
from vision.classification import Reader
from vision.detection import POSTURES
from vision.frames import Frame
from vision.model_file import wilson_interval
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import unrectified_view

SURE = 0.9
"""The finder's confidence in a painted die, which is there without doubt."""


@dataclass(frozen=True)
class SignsTaken:
    """How many readings of foreign signs there were, and how many of them were accepted; `taken` counts the faces."""

    of: str
    read: int
    taken: Counter[str]

    def __str__(self) -> str:
        wrong = self.taken.total()
        low, high = wilson_interval(wrong, self.read)
        worst = ", ".join(f"{count} x {face}" for face, count in self.taken.most_common(6))
        share = 100 * wrong / self.read if self.read else 0.0
        return (f"{self.of}: {wrong} of {self.read} silently taken for a face = {share:.2f} per 100 "
                f"(95 % interval {100 * low:.2f} to {100 * high:.2f}); {worst or 'none'}")  # fmt: skip


def painted_signs(batches: int, use: Use, seed: int) -> dict[str, list[TrainingCrop]]:
    """Return flat painted dice with foreign signs and, where the use has any, with novel symbols."""
    sources = {"signs of no set": partial(_foreign), "novel symbols": partial(_novel)}
    return {
        name: [crop for number in range(batches) for crop in paint_batch(seed, use, number, source) if _flat(crop)]
        for name, source in sources.items()
        if name != "novel symbols" or use is not Use.TRAINING
    }


def _foreign(rng: Rng, count: int, use: Use) -> list[DieAtlas]:
    return foreign_dice(rng, count, use)


def _novel(rng: Rng, count: int, use: Use) -> list[DieAtlas]:
    """Return novel dice under the class of no face."""
    return [
        DieAtlas(die.kind, die.pixels, ("none",) * len(die.faces), die.drawings)
        for die in novel_dice(rng, count, use, "sign")
    ]


def _flat(crop: TrainingCrop) -> bool:
    return POSTURES[crop.posture] is Posture.FLAT


def score(reader: Reader, shown: Sequence[TrainingCrop], of: str) -> list[SignsTaken]:
    """Return the scores with every game's die set, and without any."""
    sets: list[DieSet | None] = [die_sets.load(name) for name in die_sets.names()]
    with_sets = [reading for dice in sets for crop in shown for reading in [read_one(reader, crop, dice)]]
    without = [read_one(reader, crop, None) for crop in shown]
    return [_scored(f"{of}, each read with every die set", with_sets), _scored(f"{of}, without a die set", without)]


def _scored(of: str, readings: Sequence[DieReading | None]) -> SignsTaken:
    taken = Counter(str(reading.face) for reading in readings if reading is not None and reading.accepted)
    return SignsTaken(of, len(readings), taken)


def read_one(reader: Reader, crop: TrainingCrop, dice: DieSet | None) -> DieReading | None:
    """Read the die of a crop where it lies; None if it is taken for no die."""
    view = unrectified_view(Frame(crop.pixels, 0, 0.0))
    return next(iter(reader.read(view, [sighting_of(crop)], dice)), None)


def sighting_of(crop: TrainingCrop) -> DieSighting:
    """Return the sighting of a crop's die."""
    turned = float(np.mod(crop.turned_degrees, 90.0))
    return DieSighting(crop.x, crop.y, crop.edge, turned, Posture.FLAT, SURE, crop.x, crop.y, crop.edge)
