"""Fitting the reader: every die of the pictures cut out, a little off, turned by quarters, seen by a bad camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import Dataset
from tqdm import tqdm

from models.training import fitting
from models.training.emulation import emulate
from models.training.fitting import Recipe
from models.training.nets import ReaderNet
from models.training.pictures import Kept
from models.training.truth import Truth
from vision.find import POSTURES
from vision.read import CLASSES, SIDE, Place, crop

Picture = npt.NDArray[np.uint8]

NONE = len(CLASSES) - 1
UNKNOWN = -1
"""The label of what is not to be learned: the face of a die too tilted to have one, the posture of no die."""

COLOURED = frozenset(
    ("go", "slow", "stop", "green", "yellow", "red", "green-switch", "red-switch", "block", "blank", "none")
)
"""Faces that another colour could turn into another face."""

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


class Crops(Dataset[tuple[Tensor, int, int]]):
    """Endless crops from the cuttings, each a little displaced, rescaled and turned, then taken by a bad camera.

    With `hard` some get other colours, a glare, a shadow's edge or few pixels: to learn from, not to choose on.
    """

    def __init__(self, found: Sequence[Cutting], count: int, seed: int, *, hard: bool = False) -> None:
        self._found, self._count, self._seed, self._hard = found, count, seed, hard
        self._odds = np.cumsum(_odds(found))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Tensor, int, int]:
        rng = np.random.default_rng([self._seed, index])
        chosen = self._found[int(np.searchsorted(self._odds, rng.random() * self._odds[-1]))]
        seen = _shaken(chosen, rng)
        if self._hard:
            seen = _softened(_shaded(_glaring(_recoloured(seen, chosen.face, rng), rng), rng), rng)
        pixels = emulate(seen, rng)
        return torch.from_numpy(pixels.transpose(2, 0, 1).copy()), chosen.face, chosen.posture


def _odds(found: Sequence[Cutting]) -> npt.NDArray[np.float64]:
    """Rare faces are drawn more often: by the inverse square root of how many there are."""
    counts = np.bincount([cutting.face % len(CLASSES) for cutting in found], minlength=len(CLASSES))
    return np.array([counts[cutting.face] ** -0.5 for cutting in found])


def _shaken(cutting: Cutting, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Cut out as a finder would have: off by some tenths of an edge at worst, by any quarter turn."""
    dx, dy = rng.normal(0, 0.045 * cutting.edge, 2)
    edge = cutting.edge * np.exp(rng.normal(0, 0.07))
    spread = 4.0 if rng.random() < 0.9 else 25.0
    turned = cutting.turned_degrees + 90 * int(rng.integers(4)) + rng.normal(0, spread)
    return crop(cutting.pixels, Place(cutting.x + dx, cutting.y + dy, edge, turned))


def _recoloured(pixels: Picture, face: int, rng: np.random.Generator) -> Picture:
    """Of other colours where colour says nothing of the face, and of nearly the same where it does."""
    free = CLASSES[face] not in COLOURED and rng.random() < 0.25
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV_FULL).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + (rng.uniform(0, 256) if free else rng.normal(0, 2.5))) % 256
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.7, 1.2), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR_FULL), np.uint8)


def _glaring(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Now and then a lamp is mirrored in the face."""
    if rng.random() > 0.15:
        return pixels
    spot = np.zeros((SIDE, SIDE), np.float32)
    at, half = rng.uniform(0.15, 0.85, 2) * SIDE, rng.uniform(0.05, 0.22, 2) * SIDE
    cv2.ellipse(
        spot, (at.tolist(), (2 * half).tolist(), float(rng.uniform(0, 180))), (float(rng.uniform(0.3, 0.95)),), -1
    )
    cover = cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(1, 5)))[..., None]
    return np.asarray(pixels * (1 - cover) + rng.uniform(225, 255) * cover, np.uint8)


def _shaded(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Now and then the edge of a shadow runs across the face."""
    if rng.random() > 0.15:
        return pixels
    angle, width = rng.uniform(0, 2 * np.pi), rng.uniform(1, 14)
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    beyond = np.cos(angle) * x + np.sin(angle) * y + rng.uniform(-0.3, 0.3) * SIDE
    dark = rng.uniform(0.2, 0.65) * np.clip(beyond / width + 0.5, 0, 1)
    return np.asarray(pixels * (1 - dark[..., None]), np.uint8)


def _softened(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Now and then as few pixels as a distant die has."""
    if rng.random() > 0.12:
        return pixels
    side = int(rng.integers(22, 40))
    few = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(few, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)


def loss(out: tuple[Tensor, Tensor, Tensor], faces: Tensor, postures: Tensor) -> Tensor:
    """Cross-entropy of the face, and of the posture where there is a die."""
    named = torch.nn.functional.cross_entropy(out[0], faces, label_smoothing=0.02, ignore_index=UNKNOWN)
    lying = torch.nn.functional.cross_entropy(out[1], postures, ignore_index=UNKNOWN)
    return named + 0.3 * torch.nan_to_num(lying)


def worth(net: torch.nn.Module, batch: list[Tensor]) -> tuple[Tensor, float]:
    """The loss of a batch of crops, and the share of its faces that are named rightly."""
    crops, faces, postures = batch
    out = net((crops.float() / 255).contiguous(memory_format=torch.channels_last))
    known = faces != UNKNOWN
    return loss(out, faces, postures), (out[0].argmax(1) == faces)[known].float().mean().item()


def fit(found: Sequence[Cutting], how: Recipe, checkpoint: Path, start: Path | None = None) -> ReaderNet:
    """A reader fitted to crops of the cuttings by a recipe, from an earlier one's weights where given."""
    torch.manual_seed(how.seed)
    net = ReaderNet().to(memory_format=torch.channels_last)
    if start is not None:
        fitting.grown(net, start)
    shown = Crops(found, how.batch * how.steps, how.seed, hard=True)
    fitting.fit(net, shown, worth, how, checkpoint)
    return net
