"""Load photographs to train on: those whose licence allows it. They are excluded wherever photographs are scored.

The labels give a box around every die, with its visible sides; where the top face is in there is what a finder says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.training.crops import NONE, UNKNOWN, TrainingCrop, crop_around
from vision.detection import Finder
from vision.die_posture import POSTURES
from vision.face_drawings import CLASSES
from vision.frames import Frame
from vision.image_io import load_picture
from vision.observations import DieSighting, Posture
from vision.rectification import unrectified_view

ALLOWED: Mapping[str, str] = {"epanemu": "Epanemu's dice (CC BY 4.0)"}
"""Sources, by the beginning of their files' names, whose licence allows training, and the words for the card."""

REPEATS = 5
"""How often each die is repeated: they are few, and nothing else is real."""


def crops_of_photographs(folder: Path, finder: Path) -> list[TrainingCrop]:
    """Return the dice, and the hard negatives of a finder, in the allowed photographs of a labelled folder."""
    loaded = Finder(finder)
    found: list[TrainingCrop] = []
    for row in allowed(folder):
        pixels = load_picture(folder / row["file"])
        sightings = loaded.find(unrectified_view(Frame(pixels, 0, 0.0)))
        found += [crop for one in sightings for crop in crop_of_sighting(pixels, one, row["dice"])]
    return found * REPEATS


def allowed(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the labels of the photographs that have boxes and may be trained on."""
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if "dice" in row and Path(row["file"]).name.lower().startswith(tuple(ALLOWED)):
            yield row


def crop_of_sighting(
    pixels: npt.NDArray[np.uint8], one: DieSighting, boxes: list[dict[str, Any]]
) -> list[TrainingCrop]:
    """Return the crop of a sighting: the die of its box, a hard negative, or nothing where that is ambiguous."""
    place = one.x, one.y, one.edge, one.turned_degrees
    inside = [box for box in boxes if abs(box["cx"] - one.x) < box["w"] / 2 and abs(box["cy"] - one.y) < box["h"] / 2]
    if not inside:
        near = any(np.hypot(box["cx"] - one.x, box["cy"] - one.y) < max(box["w"], box["h"]) for box in boxes)
        return [] if near else [crop_around(pixels, place, NONE, UNKNOWN)]
    box = inside[0]
    whole = 0.6 * max(box["w"], box["h"]) < one.edge < 1.1 * max(box["w"], box["h"])
    if len(inside) > 1 or not whole or one.confidence < 0.5:
        return []
    return [crop_around(pixels, place, CLASSES.index(box["face"]), POSTURES.index(Posture.FLAT))]
