"""Dice that people captured, to train on: those with a label that the reader's drawings have.

Whole sessions are kept back to test on, as `models.dataset.splits` parts them; those are not trained on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from models.dataset import Sample, SampleStore
from models.dataset.splits import TRAIN, split_by_date
from models.training.crops import UNKNOWN, Cutting
from vision.drawings import CLASSES
from vision.frames import Pixels

AGAIN = 3
"""How often each die is counted: they are few, and they are real."""


@dataclass(frozen=True, eq=False)
class Collected:
    """The dice to train on, and how many were left out: kept back for testing, and of faces that no drawing is."""

    cuttings: list[Cutting]
    kept_back: int
    strange: Counter[str]

    def __str__(self) -> str:
        strange = ", ".join(f"{count} x {face}" for face, count in self.strange.most_common(5)) or "none"
        dice = len(self.cuttings) // AGAIN
        return f"{dice} captured dice; {self.kept_back} kept back for testing; of faces not to be trained: {strange}"


def collected(folder: Path) -> Collected:
    """The captured dice of a folder. Raises DatasetError."""
    store = SampleStore(folder)
    labelled = [sample for sample in store.samples() if sample.label]
    parts = split_by_date(store.sessions(), labelled)
    known = [sample for sample in labelled if _face(sample) in CLASSES]
    trained = [sample for sample in known if parts.of[sample.session] == TRAIN]
    found = [_cutting(sample, pixels) for sample, pixels in store.with_pixels(trained)]
    strange = Counter(_face(sample) for sample in labelled if _face(sample) not in CLASSES)
    return Collected(found * AGAIN, len(known) - len(trained), strange)


def _face(sample: Sample) -> str:
    return sample.label.face if sample.label else ""


def _cutting(sample: Sample, pixels: Pixels) -> Cutting:
    """A captured die; how it lay nobody said."""
    place = sample.place
    face = CLASSES.index(_face(sample))  # the faces are strings
    return Cutting(pixels, place.x, place.y, place.edge, place.turned_degrees, face, UNKNOWN)
