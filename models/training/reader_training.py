"""Fitting the reader: every die of the pictures cut out, a little off, turned by quarters, seen by a bad camera."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import Dataset

from models.training import training_loop
from models.training.camera_emulation import emulate
from models.training.crops import UNKNOWN, Cutting
from models.training.networks import ReaderNet
from models.training.recipes import Recipe
from vision.die_crops import INPUT_SIDE, RotatedSquare, crop
from vision.drawings import CLASSES

Picture = npt.NDArray[np.uint8]

COLOURED = frozenset(
    ("go", "slow", "stop", "green", "yellow", "red", "green-switch", "red-switch", "block", "blank", "none")
)
"""Faces that another colour could turn into another face."""


class Crops(Dataset[tuple[Tensor, int, int]]):
    """Endless crops from the cuttings, each a little displaced, rescaled and turned.

    With `hard` some get other colours, a glare, a shadow's edge or few pixels, and a bad camera takes them all: to
    learn from. Pictures to choose on have their camera's faults already.
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
            dimmed = _softened(_shaded(_glaring(_recoloured(seen, chosen.face, rng), rng), rng), rng)
            seen = emulate(dimmed, rng)
        return torch.from_numpy(seen.transpose(2, 0, 1).copy()), chosen.face, chosen.posture


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
    return crop(cutting.pixels, RotatedSquare(cutting.x + dx, cutting.y + dy, edge, turned))


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
    spot = np.zeros((INPUT_SIDE, INPUT_SIDE), np.float32)
    at, half = rng.uniform(0.15, 0.85, 2) * INPUT_SIDE, rng.uniform(0.05, 0.22, 2) * INPUT_SIDE
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
    y, x = np.mgrid[0:INPUT_SIDE, 0:INPUT_SIDE] - (INPUT_SIDE - 1) / 2
    beyond = np.cos(angle) * x + np.sin(angle) * y + rng.uniform(-0.3, 0.3) * INPUT_SIDE
    dark = rng.uniform(0.2, 0.65) * np.clip(beyond / width + 0.5, 0, 1)
    return np.asarray(pixels * (1 - dark[..., None]), np.uint8)


def _softened(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Now and then as few pixels as a distant die has."""
    if rng.random() > 0.12:
        return pixels
    side = int(rng.integers(22, 40))
    few = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(few, (INPUT_SIDE, INPUT_SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)


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
        training_loop.grown(net, start)
    shown = Crops(found, how.batch * how.steps, how.seed, hard=True)
    training_loop.fit(net, shown, worth, how, checkpoint)
    return net
