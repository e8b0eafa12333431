"""Fitting the finder: crops of pictures at every scale, a heat map that peaks on the middle of each die."""

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
from models.training.ground_truth import Truth
from models.training.networks import FinderNet
from models.training.picture_dataset import Kept
from models.training.recipes import Recipe
from vision.detection import STRIDE, UNIT_EDGE
from vision.posture import POSTURES

SIDE = 256
CELLS = SIDE // STRIDE
EDGES = (9.0, 46.0)
"""Edges, in the network's pixels, that the finder is taught."""
HUGE_EDGES = (64.0, 170.0)
"""Edges of dice that are none at this scale: their pips and corners must not be taken for dice."""
HUGE = 0.12
"""The share of parts with such dice."""

RARE = (1.0, 5.0, 5.0)
"""How much a die of each posture counts in learning postures: most dice lie flat."""

Floats = npt.NDArray[np.float32]


class Patches(Dataset[tuple[Tensor, Tensor, Tensor]]):
    """Random square parts of the pictures, at random scale and turn, with the network's target and its mask.

    The target has seven planes (heat, dx, dy, size, cos, sin, posture number), the mask three (heat, middle, angle).
    """

    def __init__(self, pictures: Sequence[Kept], count: int, seed: int) -> None:
        self._pictures, self._count, self._seed = pictures, count, seed

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor, Tensor]:
        rng = np.random.default_rng([self._seed, index])
        kept = self._pictures[int(rng.integers(len(self._pictures)))]
        pixels, dice = _part(kept.pixels(), kept.dice, rng)
        noisy = emulate(pixels, rng)
        target, weight = aims(dice)
        planes = np.ascontiguousarray(noisy.transpose(2, 0, 1))
        return torch.from_numpy(planes), torch.from_numpy(target), torch.from_numpy(weight)


def _part(
    pixels: npt.NDArray[np.uint8], dice: Sequence[Truth], rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], list[Truth]]:
    """A SIDE x SIDE part in which the dice measure EDGES, turned and mirrored at random."""
    edges = [die.edge for die in dice]
    huge = rng.random() < HUGE
    wished = np.exp(rng.uniform(*np.log(HUGE_EDGES if huge else EDGES)))
    scale = min(wished / (np.median(edges) if edges else 40.0), 5.0 if huge else 1.4)
    middle = _middle(pixels, dice, rng)
    angle = rng.uniform(0, 360)
    turn = np.asarray(cv2.getRotationMatrix2D(middle, angle, scale), np.float64)
    turn[:, 2] += [float(SIDE / 2 - at + rng.uniform(-0.4, 0.4) * SIDE) for at in middle]
    if scale < 0.6:
        pixels = cv2.GaussianBlur(pixels, (0, 0), 0.35 / scale).astype(np.uint8)
    beyond = pixels[int(rng.integers(len(pixels))), int(rng.integers(pixels.shape[1]))].tolist()
    part = cv2.warpAffine(pixels, turn, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderValue=beyond)
    moved = [_moved(die, turn, scale, angle) for die in dice]
    return part.astype(np.uint8), moved


def _middle(pixels: npt.NDArray[np.uint8], dice: Sequence[Truth], rng: np.random.Generator) -> tuple[float, float]:
    if dice and rng.random() < 0.85:
        die = dice[int(rng.integers(len(dice)))]
        return die.x, die.y
    return float(rng.uniform(0, pixels.shape[1])), float(rng.uniform(0, pixels.shape[0]))


def _moved(die: Truth, turn: npt.NDArray[np.float64], scale: float, angle: float) -> Truth:
    x, y = turn @ np.array([die.x, die.y, 1.0])
    turned = (die.turned_degrees - angle) % 90
    return Truth(die.face, die.drawing, x, y, die.edge * scale, turned, die.posture, die.clear)


def aims(dice: Sequence[Truth]) -> tuple[Floats, Floats]:
    """Target (7 planes) and weights (3 planes: heat, middle, angle) of CELLS x CELLS for the dice of a part."""
    target = np.zeros((7, CELLS, CELLS), np.float32)
    weight = np.zeros((3, CELLS, CELLS), np.float32)
    weight[0] = 1
    for die in dice:
        _aim(target, weight, die)
    return target, weight


def _aim(target: Floats, weight: Floats, die: Truth) -> None:
    column, row = die.x / STRIDE - 0.5, die.y / STRIDE - 0.5
    spread = max(0.7, 0.13 * die.edge / STRIDE)
    cells = np.arange(CELLS)
    across, down = (np.exp(-((cells - middle) ** 2) / (2 * spread**2)) for middle in (column, row))
    bell = np.outer(down, across).astype(np.float32)
    if die.edge >= HUGE_EDGES[0]:
        return
    if not die.clear or die.edge > 1.1 * EDGES[1]:
        weight[0][bell > 0.01] = 0
        return
    target[0] = np.maximum(target[0], bell)
    i, j = round(row), round(column)
    if not (0 <= i < CELLS and 0 <= j < CELLS):
        return
    target[0, i, j] = 1
    lean = np.radians(4 * die.turned_degrees)
    size = np.log(die.edge / UNIT_EDGE)
    target[1:6, i, j] = column - j, row - i, size, np.cos(lean), np.sin(lean)
    target[6, i, j] = POSTURES.index(die.posture)  # the postures' values are strings
    weight[0, i, j], weight[1, i, j], weight[2, i, j] = 1, 1, float(die.turned_degrees >= 0)


def loss(out: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Penalty-reduced focal loss on the heat (Zhou et al. 2019, "Objects as Points", eq. 1), L1 and cross-entropy."""
    dice = weight[:, 1].sum().clamp(min=1)
    heat = out[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    hit = target[:, 0] == 1
    there = -((1 - heat) ** 2) * heat.log() * hit
    nowhere = -((1 - target[:, 0]) ** 4) * heat**2 * (1 - heat).log() * ~hit
    focal = ((there + nowhere) * weight[:, 0]).sum() / dice
    place = ((out[:, 1:4] - target[:, 1:4]).abs().sum(1) * weight[:, 1]).sum() / dice
    angle = ((out[:, 4:6] - target[:, 4:6]).abs().sum(1) * weight[:, 2]).sum() / dice
    lean = torch.nn.functional.cross_entropy(out[:, 6:9], target[:, 6].long(), torch.tensor(RARE), reduction="none")
    return focal + 1.0 * place + 0.5 * angle + 0.3 * (lean * weight[:, 1]).sum() / dice


def worth(net: torch.nn.Module, batch: list[Tensor]) -> tuple[Tensor, float]:
    """The loss of a batch of parts, and the share of dice whose middle is sighted in the very cell."""
    parts, target, weight = batch
    out = net((parts.float() / 255).contiguous(memory_format=torch.channels_last)).float()
    there = target[:, 0] == 1
    seen = (out[:, 0][there] > 0).float().mean().item() if bool(there.any()) else 1.0
    return loss(out, target, weight), seen


def fit(pictures: Sequence[Kept], how: Recipe, checkpoint: Path, start: Path | None = None) -> FinderNet:
    """A finder fitted to parts of the pictures by a recipe, from an earlier one's weights where given."""
    torch.manual_seed(how.seed)
    net = FinderNet().to(memory_format=torch.channels_last)
    if start is not None:
        training_loop.grown(net, start)
    training_loop.fit(net, Patches(pictures, how.batch * how.steps, how.seed), worth, how, checkpoint)
    return net
