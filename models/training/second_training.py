"""Train the second look: it starts as the shipped reader, deepened, and learns the faces that are hard to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training.augmentation import DEVICE
from models.training.crops import NONE, UNKNOWN, TrainingCrop
from models.training.networks import SecondNet, start_from, train
from models.training.reader_training import CropBatches, right_share, shown_crops
from models.training.recipes import Recipe

BACKGROUND_SHARE = 0.08
"""Places beside painted dice, which show no face, for every die."""


def batch_loss(net: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of a batch of crops and its accuracy; UNKNOWN labels are ignored."""
    crops, faces, _ = batch
    logits = net(crops.contiguous(memory_format=torch.channels_last))
    loss = nn.functional.cross_entropy(logits, faces, label_smoothing=0.02, ignore_index=UNKNOWN)
    return loss, right_share(logits, faces)


def fit(
    found: Sequence[TrainingCrop], recipe: Recipe, checkpoint: Path, reader: Path, start: Path | None = None
) -> SecondNet:
    """Train the second look by a recipe, from a reader (an ONNX file) or from the second look's own weights `start`."""
    torch.manual_seed(recipe.seed)
    net = SecondNet().to(DEVICE, memory_format=torch.channels_last)
    start_from(*((net, start) if start is not None else (net.reader, reader)), shown_crops(found, recipe))
    batches = CropBatches(found, recipe.batch, recipe.steps, recipe.seed, hard=True, distant=recipe.distant)
    train(net, batches, batch_loss, recipe, checkpoint)
    return net


def places_beside(found: Sequence[TrainingCrop], seed: int) -> list[TrainingCrop]:
    """Return crop places next to some dice, of class NONE: the table, edges and sides of dice."""
    rng = np.random.default_rng([seed, 3])
    chosen = rng.choice(len(found), round(BACKGROUND_SHARE * len(found)), replace=False)
    return [_beside(found[int(k)], rng) for k in chosen]


def _beside(die: TrainingCrop, rng: np.random.Generator) -> TrainingCrop:
    away, around = die.edge * rng.uniform(0.75, 1.1), rng.uniform(0, 2 * np.pi)
    x, y = die.x + away * float(np.cos(around)), die.y + away * float(np.sin(around))
    return replace(die, x=x, y=y, turned_degrees=float(rng.uniform(0, 90)), face=NONE, posture=UNKNOWN)
