"""Load photographs to train on: those whose licence allows it. They are excluded wherever photographs are scored.

The labels give a box around every die with its visible sides, or around its upper face alone; where the top face is in
there is what a finder says. What a finder takes for a die and is the side of one shows no face.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.training.crops import NONE, UNKNOWN, TrainingCrop, crop_around
from vision.detection import Finder
from vision.frames import Frame
from vision.image_io import load_picture
from vision.kinds import CLASSES
from vision.observations import DieSighting
from vision.rectification import unrectified_view, upright

ALLOWED: Mapping[str, str] = {
    "epanemu_*": "Epanemu's dice (CC BY 4.0)",
    "penlington_*[02468]": "half of Penlington's dice (MIT)",
}
"""Photographs, by a pattern of their files' names, whose licence allows training, and the words for the card."""
UPPER_FACES = "penlington"
"""The source whose boxes mark the upper face alone, and of a one sometimes its pip."""
TOP_ABOVE, SIDE_BELOW = -0.06, 0.12
"""Where in the box of a die seen aslant the middle of a sighting lies, as a share of its height from the box's middle:
above the first it is the top face, below the second a side, and between the two it may be either."""

REPEATS = 5
"""How often each die is repeated: they are few, and nothing else is real."""


def crops_of_photographs(folder: Path, finder: Path) -> list[TrainingCrop]:
    """Return the dice, and the hard negatives of a finder, in the allowed photographs of a labelled folder."""
    loaded = Finder(finder)
    found: list[TrainingCrop] = []
    for row in allowed(folder):
        pixels = load_picture(folder / row["file"])
        sightings = loaded.find(unrectified_view(Frame(pixels, 0, 0.0)))
        found += [crop for one in sightings for crop in crop_of_sighting(pixels, one, row)]
    return found * REPEATS


def allowed(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the labels of the photographs that have boxes and may be trained on."""
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if "dice" in row and any(fnmatch(Path(row["file"]).stem.lower(), name) for name in ALLOWED):
            yield row


def crop_of_sighting(pixels: npt.NDArray[np.uint8], one: DieSighting, row: dict[str, Any]) -> list[TrainingCrop]:
    """Return the crop of a sighting, upright, with what it shows: a face or none; nothing where that is ambiguous."""
    has_upper_faces = Path(row["file"]).stem.startswith(UPPER_FACES)
    face = _upper_face(one, row["dice"]) if has_upper_faces else _face_in_box(one, row["dice"], row["view"])
    if face is None:
        return []
    place = one.x, one.y, one.edge, upright(one.turned_degrees, np.array([0.0, 1.0]))
    return [replace(crop_around(pixels, place, face, UNKNOWN), is_upright=True)]


def _upper_face(one: DieSighting, boxes: list[dict[str, Any]]) -> int | None:
    """Return the class of what is seen where boxes mark upper faces; None if that is ambiguous."""
    for box in boxes:
        across, down = (max(box[side], 0.8 * one.edge) for side in ("w", "h"))
        if abs(box["cx"] - one.x) < 0.42 * across and abs(box["cy"] - one.y) < 0.42 * down:
            return CLASSES.index(box["face"]) if 0.5 * max(box["w"], box["h"]) < one.edge else None
    is_far = all(
        np.hypot(box["cx"] - one.x, box["cy"] - one.y) > 0.6 * max(box["w"], box["h"], one.edge) for box in boxes
    )
    return NONE if is_far else None


def _face_in_box(one: DieSighting, boxes: list[dict[str, Any]], view: str) -> int | None:
    """Return the same where boxes mark whole dice."""
    inside = [box for box in boxes if abs(box["cx"] - one.x) < box["w"] / 2 and abs(box["cy"] - one.y) < box["h"] / 2]
    if not inside:
        near = any(np.hypot(box["cx"] - one.x, box["cy"] - one.y) < max(box["w"], box["h"]) for box in boxes)
        return None if near else NONE
    box = inside[0]
    if len(inside) > 1 or not 0.5 * max(box["w"], box["h"]) < one.edge < 1.1 * max(box["w"], box["h"]):
        return None
    below = (one.y - box["cy"]) / box["h"]
    if view != "oblique" or below < TOP_ABOVE:
        return CLASSES.index(box["face"])
    return NONE if below > SIDE_BELOW else None
