"""Cuttings: dice, and places without one, with enough around them to be cut out anew, a little off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.training.ground_truth import Truth
from models.training.picture_dataset import Kept
from vision.drawings import CLASSES
from vision.posture import POSTURES

NONE = len(CLASSES) - 1
UNKNOWN = -1
"""The label of what is not to be learned: the face of a die too tilted to have one, the posture of no die."""

SMALLEST = 12.0
"""Edge in pixels below which no die is read."""


@dataclass(frozen=True, eq=False)
class Cutting:
    """A die, or a place without one, with its surroundings: enough pixels to cut it out anew, a little off."""

    pixels: npt.NDArray[np.uint8]
    x: float
    y: float
    edge: float
    turned_degrees: float
    face: int
    posture: int


def cuttings(pictures: Sequence[Kept], seed: int) -> list[Cutting]:
    """Every die of the pictures, and about a third as many places where none is."""
    rng = np.random.default_rng(seed)
    found: list[Cutting] = []
    for kept in tqdm(pictures, desc="cutting", mininterval=5):
        pixels = kept.pixels()
        found += [cutting_of(pixels, die) for die in kept.dice if _legible(die)]
        found += _elsewhere(pixels, kept.dice, rng)
    return found


def _legible(die: Truth) -> bool:
    return die.clear and die.face in CLASSES and die.edge >= SMALLEST


def cutting_of(pixels: npt.NDArray[np.uint8], die: Truth) -> Cutting:
    """A die of a picture, cut out with its surroundings; what shows no face on top has none to be learned."""
    posture = POSTURES.index(die.posture)  # the postures' values are strings
    face = CLASSES.index(die.face) if die.clear else UNKNOWN
    return around(pixels, (die.x, die.y, die.edge, die.turned_degrees), face, posture)


def around(pixels: npt.NDArray[np.uint8], place: tuple[float, float, float, float], face: int, posture: int) -> Cutting:
    """A place (x, y, edge, turn in degrees) of a picture with its surroundings."""
    x, y, edge, turned = place
    reach = 1.5 * edge
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = pixels[top : int(y + reach) + 1, left : int(x + reach) + 1].copy()
    return Cutting(part, x - left, y - top, edge, turned, face, posture)


def _elsewhere(pixels: npt.NDArray[np.uint8], dice: Sequence[Truth], rng: np.random.Generator) -> list[Cutting]:
    """Places with no die on top: bare table and clutter, the sides and corners of dice, and single pips of theirs."""
    height, width = pixels.shape[:2]
    found = [_pip(pixels, die, rng) for die in dice if die.clear and die.edge > 50 and rng.random() < 0.25]
    for _ in range(1 + len(dice) // 4):
        edge = float(rng.uniform(20, 90))
        x, y = float(rng.uniform(edge, width - edge)), float(rng.uniform(edge, height - edge))
        if dice and rng.random() < 0.5:
            die = dice[int(rng.integers(len(dice)))]
            away, angle = die.edge * rng.uniform(0.7, 1.1), rng.uniform(0, 2 * np.pi)
            x, y, edge = die.x + away * np.cos(angle), die.y + away * np.sin(angle), die.edge
        inside = edge < x < width - edge and edge < y < height - edge
        if inside and all(np.hypot(d.x - x, d.y - y) > 0.6 * max(d.edge, edge) for d in dice):
            found.append(around(pixels, (x, y, edge, float(rng.uniform(0, 90))), NONE, UNKNOWN))
    return found


def _pip(pixels: npt.NDArray[np.uint8], die: Truth, rng: np.random.Generator) -> Cutting:
    """A small part of a die's face, as large as a pip, which alone is no die."""
    dx, dy = rng.choice([-0.25, 0.0, 0.25], 2) * die.edge
    lean = np.radians(die.turned_degrees)
    x, y = die.x + dx * np.cos(lean) - dy * np.sin(lean), die.y + dx * np.sin(lean) + dy * np.cos(lean)
    return around(pixels, (x, y, die.edge * rng.uniform(0.15, 0.35), float(rng.uniform(0, 90))), NONE, UNKNOWN)
