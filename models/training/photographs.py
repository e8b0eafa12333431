"""Photographs to train on: those whose licence allows it. They are left out wherever photographs are scored.

The labels give a box round every die, the sides that are seen with it; where in there the top face lies is what a
finder says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops import NONE, UNKNOWN, Cutting, around
from vision.detection import Finder
from vision.drawings import CLASSES
from vision.frames import Frame
from vision.observations import DieSighting, Posture
from vision.posture import POSTURES
from vision.rectification import unrectified_view

ALLOWED: Mapping[str, str] = {"epanemu": "Epanemu's dice (CC BY 4.0)"}
"""Sources, by the beginning of their files' names, whose licence allows training, and the words for the card."""

AGAIN = 5
"""How often each die is counted: they are few, and nothing else is real."""


def photographed(folder: Path, finder: Path) -> list[Cutting]:
    """The dice of a labelled folder's allowed photographs, and what the finder takes for dice there and is none."""
    sights = Finder(finder)
    found: list[Cutting] = []
    for row in allowed(folder):
        pixels = np.asarray(cv2.imread(str(folder / row["file"])), np.uint8)
        sighted = sights.find(unrectified_view(Frame(pixels, 0, 0.0)))
        found += [cutting for one in sighted for cutting in cutting_of_sighting(pixels, one, row["dice"])]
    return found * AGAIN


def allowed(folder: Path) -> Iterator[dict[str, Any]]:
    """The labels of the photographs with boxes that may be trained on."""
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if "dice" in row and Path(row["file"]).name.lower().startswith(tuple(ALLOWED)):
            yield row


def cutting_of_sighting(pixels: npt.NDArray[np.uint8], one: DieSighting, boxes: list[dict[str, Any]]) -> list[Cutting]:
    """What lies where the finder sighted something: one box's die, nothing, or (no cutting) who knows what."""
    place = one.x, one.y, one.edge, one.turned_degrees
    inside = [box for box in boxes if abs(box["cx"] - one.x) < box["w"] / 2 and abs(box["cy"] - one.y) < box["h"] / 2]
    if not inside:
        near = any(np.hypot(box["cx"] - one.x, box["cy"] - one.y) < max(box["w"], box["h"]) for box in boxes)
        return [] if near else [around(pixels, place, NONE, UNKNOWN)]
    box = inside[0]
    whole = 0.6 * max(box["w"], box["h"]) < one.edge < 1.1 * max(box["w"], box["h"])
    if len(inside) > 1 or not whole or one.confidence < 0.5:
        return []
    return [around(pixels, place, CLASSES.index(box["face"]), POSTURES.index(Posture.FLAT))]
