"""Training crops: dice, and places without one, with surroundings, so that they can be cut out again with jitter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.training.ground_truth import TrueDie
from models.training.picture_dataset import StoredPicture
from vision.detection import POSTURES
from vision.kinds import CLASSES

NONE = len(CLASSES) - 1
UNKNOWN = -1
"""Label that the loss ignores: the face of a die too tilted to have one, the posture of no die."""

MIN_EDGE_PX = 12.0
"""Edge in pixels below which a die cannot be read."""


@dataclass(frozen=True, eq=False)
class TrainingCrop:
    """A die, or a place without one, with its surroundings.

    pixels: uint8, BGR. x, y, edge: centre and edge in these pixels; turned_degrees: clockwise rotation. face: index
    into CLASSES; posture: index into POSTURES; either may be UNKNOWN. is_upright: True if it is turned
    so that its sides are below its top, to be shown so; else any quarter turn will do.
    """

    pixels: npt.NDArray[np.uint8]
    x: float
    y: float
    edge: float
    turned_degrees: float
    face: int
    posture: int
    is_upright: bool = False


def cut_crops(pictures: Sequence[StoredPicture], seed: int) -> list[TrainingCrop]:
    """Return every legible die of the pictures, and about a third as many places without a die (face NONE)."""
    rng = np.random.default_rng(seed)
    found: list[TrainingCrop] = []
    for picture in tqdm(pictures, desc="crops", mininterval=5):
        pixels = picture.pixels()
        found += [crop_of_die(pixels, die) for die in picture.dice if _legible(die)]
        found += _background_crops(pixels, picture.dice, rng)
    return found


def _legible(die: TrueDie) -> bool:
    return die.clear and die.face in CLASSES and die.edge >= MIN_EDGE_PX


def crop_of_die(pixels: npt.NDArray[np.uint8], die: TrueDie) -> TrainingCrop:
    """Return a die of a picture (BGR) with its surroundings; the face is UNKNOWN if none is on top."""
    posture = POSTURES.index(die.posture)  # the postures' values are strings
    face = CLASSES.index(die.face) if die.clear else UNKNOWN
    return crop_around(pixels, (die.x, die.y, die.edge, die.turned_degrees), face, posture)


def crop_around(
    pixels: npt.NDArray[np.uint8], place: tuple[float, float, float, float], face: int, posture: int
) -> TrainingCrop:
    """Return a place (x, y, edge, rotation in degrees) of a picture (BGR) with its surroundings."""
    x, y, edge, turned = place
    reach = 1.5 * edge
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = pixels[top : int(y + reach) + 1, left : int(x + reach) + 1].copy()
    return TrainingCrop(part, x - left, y - top, edge, turned, face, posture)


def _background_crops(
    pixels: npt.NDArray[np.uint8], dice: Sequence[TrueDie], rng: np.random.Generator
) -> list[TrainingCrop]:
    """Return places without a top face: bare table, clutter, sides and corners of dice, and single pips."""
    height, width = pixels.shape[:2]
    found = [_pip_crop(pixels, die, rng) for die in dice if die.clear and die.edge > 50 and rng.random() < 0.25]
    for _ in range(1 + len(dice) // 4):
        edge = float(rng.uniform(20, 90))
        x, y = float(rng.uniform(edge, width - edge)), float(rng.uniform(edge, height - edge))
        if dice and rng.random() < 0.5:
            die = dice[int(rng.integers(len(dice)))]
            away, angle = die.edge * rng.uniform(0.7, 1.1), rng.uniform(0, 2 * np.pi)
            x, y, edge = die.x + away * np.cos(angle), die.y + away * np.sin(angle), die.edge
        inside = edge < x < width - edge and edge < y < height - edge
        if inside and all(np.hypot(d.x - x, d.y - y) > 0.6 * max(d.edge, edge) for d in dice):
            found.append(crop_around(pixels, (x, y, edge, float(rng.uniform(0, 90))), NONE, UNKNOWN))
    return found


def _pip_crop(pixels: npt.NDArray[np.uint8], die: TrueDie, rng: np.random.Generator) -> TrainingCrop:
    """Return a part of a die's face as large as a pip, which alone is no die."""
    dx, dy = rng.choice([-0.25, 0.0, 0.25], 2) * die.edge
    lean = np.radians(die.turned_degrees)
    x, y = die.x + dx * np.cos(lean) - dy * np.sin(lean), die.y + dx * np.sin(lean) + dy * np.cos(lean)
    return crop_around(pixels, (x, y, die.edge * rng.uniform(0.15, 0.35), float(rng.uniform(0, 90))), NONE, UNKNOWN)
