"""Load captured dice to train on: those labelled with one of the reader's drawings.

Whole sessions are held out for testing, as `models.dataset.splits` divides them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from models.dataset import Sample, SampleStore
from models.dataset.splits import TRAIN, split_by_date
from models.training.crops import UNKNOWN, TrainingCrop
from vision.frames import Pixels
from vision.kinds import CLASSES

REPEATS = 3
"""How often each die is repeated: captured dice are few, but real."""


@dataclass(frozen=True, eq=False)
class CapturedCrops:
    """The crops to train on, how many dice are held out for testing, and the count of faces that are no drawing."""

    crops: list[TrainingCrop]
    held_out: int
    unknown_faces: Counter[str]

    def __str__(self) -> str:
        unknown_faces = ", ".join(f"{count} x {face}" for face, count in self.unknown_faces.most_common(5)) or "none"
        dice = len(self.crops) // REPEATS
        return (
            f"{dice} captured dice; {self.held_out} kept back for testing; of faces not to be trained: {unknown_faces}"
        )


def load_captured_crops(folder: Path) -> CapturedCrops:
    """Return the captured dice of a folder. Raises DatasetError."""
    store = SampleStore(folder)
    labelled = [sample for sample in store.samples() if sample.label]
    parts = split_by_date(store.sessions(), labelled)
    known = [sample for sample in labelled if _face(sample) in CLASSES]
    trained = [sample for sample in known if parts.of[sample.session] == TRAIN]
    found = [_crop_of(sample, pixels) for sample, pixels in store.with_pixels(trained)]
    unknown_faces = Counter(_face(sample) for sample in labelled if _face(sample) not in CLASSES)
    return CapturedCrops(found * REPEATS, len(known) - len(trained), unknown_faces)


def _face(sample: Sample) -> str:
    return sample.label.face if sample.label else ""


def _crop_of(sample: Sample, pixels: Pixels) -> TrainingCrop:
    """Return the crop of a captured die; its posture is UNKNOWN, since nobody labelled it."""
    place = sample.place
    face = CLASSES.index(_face(sample))  # the faces are strings
    return TrainingCrop(pixels, place.x, place.y, place.edge, place.turned_degrees, face, UNKNOWN)
