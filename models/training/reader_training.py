"""Train the reader on augmented crops of dice: jittered, rotated by quarter turns, recoloured, with camera faults."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import Dataset

from models.training.camera_emulation import emulate
from models.training.crops import UNKNOWN, TrainingCrop
from models.training.networks import ReaderNet, start_from, train
from models.training.recipes import Recipe
from vision.kinds import CLASSES
from vision.rectification import INPUT_SIDE, RotatedSquare, crop

Picture = npt.NDArray[np.uint8]

COLOURED = frozenset(
    ("go", "slow", "stop", "green", "yellow", "red", "green-switch", "red-switch", "block", "blank", "none")
)
"""Faces that another hue could turn into another face."""

MEASURED_CROPS = 384
"""Crops on which an exported network's normalisations are measured."""


class CropDataset(Dataset[tuple[Tensor, int, int]]):
    """`count` random crops, each displaced, rescaled and rotated; reproducible by seed and index.

    With `hard` (for training) some get other colours, glare, a shadow's edge or low resolution, and all the faults of a
    camera; a share `distant` of them at a distant die's resolution, so that noise and blur are as large as strokes.
    Pictures to choose on have their camera's faults already.
    """

    def __init__(
        self, found: Sequence[TrainingCrop], count: int, seed: int, *, hard: bool = False, distant: float = 0.0
    ) -> None:
        self._found, self._count, self._seed, self._hard, self._distant = found, count, seed, hard, distant
        self._weights = np.cumsum(_weights(found))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Tensor, int, int]:
        rng = np.random.default_rng([self._seed, index])
        chosen = self._found[int(np.searchsorted(self._weights, rng.random() * self._weights[-1]))]
        seen = _jittered(chosen, rng)
        if self._hard:
            dimmed = _downsampled(_with_shadow(_with_glare(_recoloured(seen, chosen.face, rng), rng), rng), rng)
            is_distant = self._distant > 0 and rng.random() < self._distant
            seen = _distant(dimmed, rng) if is_distant else emulate(dimmed, rng)
        return torch.from_numpy(seen.transpose(2, 0, 1).copy()), chosen.face, chosen.posture


def _weights(found: Sequence[TrainingCrop]) -> npt.NDArray[np.float64]:
    """Return sampling weights: rare faces are drawn more often, by the inverse square root of their count."""
    counts = np.bincount([sample.face % len(CLASSES) for sample in found], minlength=len(CLASSES))
    return np.array([counts[sample.face] ** -0.5 for sample in found])


def _jittered(sample: TrainingCrop, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Cut out with a finder's errors: up to some tenths of an edge, and any quarter turn unless it is upright."""
    dx, dy = rng.normal(0, 0.045 * sample.edge, 2)
    edge = sample.edge * np.exp(rng.normal(0, 0.07))
    spread = 4.0 if rng.random() < 0.9 else 25.0
    quarters = 0 if sample.is_upright else int(rng.integers(4))
    turned = sample.turned_degrees + 90 * quarters + rng.normal(0, spread)
    return crop(sample.pixels, RotatedSquare(sample.x + dx, sample.y + dy, edge, turned))


def _recoloured(pixels: Picture, face: int, rng: np.random.Generator) -> Picture:
    """Change the hue freely where colour does not identify the face, slightly where it does."""
    free = CLASSES[face] not in COLOURED and rng.random() < 0.25
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV_FULL).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + (rng.uniform(0, 256) if free else rng.normal(0, 2.5))) % 256
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.7, 1.2), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR_FULL), np.uint8)


def _with_glare(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Add the reflection of a light to some crops."""
    if rng.random() > 0.15:
        return pixels
    spot = np.zeros((INPUT_SIDE, INPUT_SIDE), np.float32)
    at, half = rng.uniform(0.15, 0.85, 2) * INPUT_SIDE, rng.uniform(0.05, 0.22, 2) * INPUT_SIDE
    cv2.ellipse(
        spot, (at.tolist(), (2 * half).tolist(), float(rng.uniform(0, 180))), (float(rng.uniform(0.3, 0.95)),), -1
    )
    cover = cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(1, 5)))[..., None]
    return np.asarray(pixels * (1 - cover) + rng.uniform(225, 255) * cover, np.uint8)


def _with_shadow(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Add the edge of a shadow to some crops."""
    if rng.random() > 0.15:
        return pixels
    angle, width = rng.uniform(0, 2 * np.pi), rng.uniform(1, 14)
    y, x = np.mgrid[0:INPUT_SIDE, 0:INPUT_SIDE] - (INPUT_SIDE - 1) / 2
    beyond = np.cos(angle) * x + np.sin(angle) * y + rng.uniform(-0.3, 0.3) * INPUT_SIDE
    dark = rng.uniform(0.2, 0.65) * np.clip(beyond / width + 0.5, 0, 1)
    return np.asarray(pixels * (1 - dark[..., None]), np.uint8)


def _downsampled(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Reduce some crops to the resolution of a distant die."""
    if rng.random() > 0.12:
        return pixels
    side = int(rng.integers(22, 40))
    few = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(few, (INPUT_SIDE, INPUT_SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)


def _distant(pixels: Picture, rng: np.random.Generator) -> Picture:
    """Return a crop as a cheap camera takes it from afar: its faults are those of few pixels."""
    side = int(rng.integers(26, 54))
    few = emulate(np.asarray(cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA), np.uint8), rng, 0.8)
    return np.asarray(cv2.resize(few, (INPUT_SIDE, INPUT_SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)


def loss(out: tuple[Tensor, Tensor, Tensor], faces: Tensor, postures: Tensor) -> Tensor:
    """Return the cross-entropy of the face plus 0.3 times that of the posture; UNKNOWN labels are ignored."""
    named = torch.nn.functional.cross_entropy(out[0], faces, label_smoothing=0.02, ignore_index=UNKNOWN)
    lying = torch.nn.functional.cross_entropy(out[1], postures, ignore_index=UNKNOWN)
    return named + 0.3 * torch.nan_to_num(lying)


def batch_loss(net: torch.nn.Module, batch: list[Tensor]) -> tuple[Tensor, float]:
    """Return the loss of a batch of crops and its accuracy on faces."""
    crops, faces, postures = batch
    out = net((crops.float() / 255).contiguous(memory_format=torch.channels_last))
    known = faces != UNKNOWN
    return loss(out, faces, postures), (out[0].argmax(1) == faces)[known].float().mean().item()


def shown_crops(found: Sequence[TrainingCrop], recipe: Recipe) -> Tensor:
    """Return crops by which normalisations are measured, (MEASURED_CROPS, 3, 64, 64), 0 to 1."""
    dataset = CropDataset(found, MEASURED_CROPS, recipe.seed + 1, hard=True)
    return torch.stack([dataset[k][0] for k in range(MEASURED_CROPS)]).float() / 255


def fit(found: Sequence[TrainingCrop], recipe: Recipe, checkpoint: Path, start: Path | None = None) -> ReaderNet:
    """Train a reader by a recipe, from the weights `start` if given."""
    torch.manual_seed(recipe.seed)
    net = ReaderNet().to(memory_format=torch.channels_last)
    if start is not None:
        start_from(net, start, shown_crops(found, recipe))
    dataset = CropDataset(found, recipe.batch * recipe.steps, recipe.seed, hard=True)
    train(net, dataset, batch_loss, recipe, checkpoint)
    return net
