"""Train the reader and its second look on augmented crops: jittered, turned, recoloured, with camera faults."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from models.training.augmentation import DEVICE, Randomness, cut, from_afar, lit, recoloured, stored
from models.training.crops import NONE, UNKNOWN, TrainingCrop
from models.training.networks import ReaderNet, SecondNet, start_from, train
from models.training.recipes import Recipe
from vision.kinds import CLASSES
from vision.rectification import INPUT_EDGES, INPUT_SIDE, RotatedSquare, crop

COLOURED = frozenset(
    ("go", "slow", "stop", "green", "yellow", "red", "green-switch", "red-switch", "block", "blank", "none")
)
"""Faces that another hue could turn into another face."""

KEPT_SIDE, KEPT_EDGES = 160, 2.5
"""Pixels a side, and edges of the die, of what is kept of each crop: enough to turn it by any angle."""
JITTER_EDGES, JITTER_SIZE = 0.045, 0.07
"""Standard deviations of a finder's errors: the place in edges, and the logarithm of the edge."""
JITTER_DEGREES = (4.0, 25.0)
"""Of its rotation: of nine tenths of the dice, and of the others."""
MEASURED_CROPS = 384
"""Crops on which an exported network's normalisations are measured."""


class CropBatches:
    """`steps` batches of random crops, each displaced, rescaled and rotated: pictures, faces and postures.

    With `hard` (for training) some get other colours, glare, a shadow's edge or low resolution, and all the faults of a
    camera; a share `distant` of them at a distant die's resolution. Pictures to choose on have their camera's faults.
    """

    def __init__(  # noqa: PLR0913 - what a batch depends on
        self,
        found: Sequence[TrainingCrop],
        batch: int,
        steps: int,
        seed: int,
        *,
        hard: bool = False,
        distant: float = 0.0,
    ) -> None:
        self._batch, self._steps, self._seed, self._hard, self._distant = batch, steps, seed, hard, distant
        self._pictures = stored([_kept(one) for one in found])
        self._faces, self._postures = (
            torch.tensor(labels, device=DEVICE)
            for labels in ([one.face for one in found], [one.posture for one in found])
        )
        self._upright = torch.tensor([one.is_upright for one in found], device=DEVICE)
        self._weights = torch.tensor(_weights(found), dtype=torch.float32, device=DEVICE)
        self._free = torch.tensor([name not in COLOURED for name in CLASSES], device=DEVICE)

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[list[Tensor]]:
        random = Randomness(self._batch, self._seed)
        for _ in range(self._steps):
            chosen = torch.multinomial(self._weights, self._batch, replacement=True, generator=random.generator)
            yield [self._shown(chosen, random), self._faces[chosen], self._postures[chosen]]

    def _shown(self, chosen: Tensor, random: Randomness) -> Tensor:
        usual, odd = (random.normal(math.radians(degrees)) for degrees in JITTER_DEGREES)
        quarters = torch.where(self._upright[chosen], 0.0, random.uniform(0, 4).floor())
        turned = quarters * math.pi / 2 + torch.where(random.uniform(0, 1) < 0.9, usual, odd)
        shift = random.normal(2 * JITTER_EDGES / KEPT_EDGES, 2)
        size = INPUT_EDGES / KEPT_EDGES * torch.exp(random.normal(JITTER_SIZE))
        seen = cut(self._pictures[chosen], shift, size, turned, INPUT_SIDE)
        if not self._hard:
            return seen
        coloured = recoloured(seen, random, self._free[self._faces[chosen]])
        return from_afar(lit(coloured, random), random, self._distant)


def _kept(one: TrainingCrop) -> npt.NDArray[np.uint8]:
    return crop(one.pixels, RotatedSquare(one.x, one.y, one.edge, one.turned_degrees), KEPT_EDGES, KEPT_SIDE)


def _weights(found: Sequence[TrainingCrop]) -> npt.NDArray[np.float64]:
    """Return sampling weights: rare faces are drawn more often, by the inverse square root of their count."""
    counts = np.bincount([sample.face % len(CLASSES) for sample in found], minlength=len(CLASSES))
    return np.array([counts[sample.face] ** -0.5 for sample in found])


def loss(out: tuple[Tensor, Tensor, Tensor], faces: Tensor, postures: Tensor) -> Tensor:
    """Return the cross-entropy of the face plus 0.3 times that of the posture; UNKNOWN labels are ignored."""
    named = torch.nn.functional.cross_entropy(out[0], faces, label_smoothing=0.02, ignore_index=UNKNOWN)
    lying = torch.nn.functional.cross_entropy(out[1], postures, ignore_index=UNKNOWN)
    return named + 0.3 * torch.nan_to_num(lying)


def batch_loss(net: torch.nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the loss of a batch of crops and its accuracy on faces."""
    crops, faces, postures = batch
    out = net(crops.contiguous(memory_format=torch.channels_last))
    return loss(out, faces, postures), right_share(out[0], faces)


def right_share(logits: Tensor, faces: Tensor) -> Tensor:
    """Return the share of faces that are right, of those that are known."""
    return (logits.argmax(1) == faces).sum() / (faces != UNKNOWN).sum().clamp(min=1)


def shown_crops(found: Sequence[TrainingCrop], recipe: Recipe) -> Tensor:
    """Return crops by which normalisations are measured, (MEASURED_CROPS, 3, 64, 64), 0 to 1."""
    return next(iter(CropBatches(found[::8], MEASURED_CROPS, 1, recipe.seed + 1, hard=True)))[0]


def fit(found: Sequence[TrainingCrop], recipe: Recipe, checkpoint: Path, start: Path | None = None) -> ReaderNet:
    """Train a reader by a recipe, from the weights `start` if given."""
    torch.manual_seed(recipe.seed)
    net = ReaderNet().to(DEVICE, memory_format=torch.channels_last)
    if start is not None:
        start_from(net, start, shown_crops(found, recipe))
    train(net, CropBatches(found, recipe.batch, recipe.steps, recipe.seed, hard=True), batch_loss, recipe, checkpoint)
    return net


# The second look: it starts as the shipped reader, deepened, and learns the faces that are hard to read


BACKGROUND_SHARE = 0.08
"""Places beside painted dice, which show no face, for every die."""


def second_look_loss(net: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of a batch of crops and its accuracy; UNKNOWN labels are ignored."""
    crops, faces, _ = batch
    logits = net(crops.contiguous(memory_format=torch.channels_last))
    entropy = nn.functional.cross_entropy(logits, faces, label_smoothing=0.02, ignore_index=UNKNOWN)
    return entropy, right_share(logits, faces)


def fit_second_look(
    found: Sequence[TrainingCrop], recipe: Recipe, checkpoint: Path, reader: Path, start: Path | None = None
) -> SecondNet:
    """Train the second look by a recipe, from a reader (an ONNX file) or from the second look's own weights `start`."""
    torch.manual_seed(recipe.seed)
    net = SecondNet().to(DEVICE, memory_format=torch.channels_last)
    start_from(*((net, start) if start is not None else (net.reader, reader)), shown_crops(found, recipe))
    batches = CropBatches(found, recipe.batch, recipe.steps, recipe.seed, hard=True, distant=recipe.distant)
    train(net, batches, second_look_loss, recipe, checkpoint)
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
