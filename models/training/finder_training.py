"""Train the finder on patches of pictures at all scales, with a heatmap that peaks at the centre of each die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import Dataset

from models.training.augmentation import DEVICE
from models.training.camera_emulation import emulate
from models.training.crops import looked_at
from models.training.lying_dice import TrueDie, square_of
from models.training.networks import POSTURE_WEIGHTS, FinderNet, loaded, start_from, train
from models.training.picture_dataset import StoredPicture
from models.training.posture_truth import PosturePicture, TrueLie
from models.training.recipes import Recipe
from vision.classification import Reader
from vision.detection import POSTURES, STRIDE, UNIT_EDGE, Finder
from vision.observations import Posture
from vision.rectification import TrayView, unrectified_view

PATCH_SIDE = 256
CELLS = PATCH_SIDE // STRIDE
EDGES = (9.0, 46.0)
"""Range of edges, in the network's pixels, that the finder learns."""
HUGE_EDGES = (64.0, 170.0)
"""Edges of dice that must not be found at this scale, nor their pips and corners."""
HUGE_SHARE = 0.12
"""Share of patches with such dice."""

MEASURED_PATCHES = 64
"""Patches by which the normalisations of exported weights are measured."""
FLAT_DEGREES = 3.0
"""A die that leans by more is not flat."""

Floats = npt.NDArray[np.float32]


class PatchDataset(Dataset[tuple[Tensor, Tensor, Tensor]]):
    """`count` random patches at random scale and rotation, with target and weights; reproducible by seed and index.

    The target has seven planes (heatmap, dx, dy, log size, cos, sin, posture index), the weights three (heatmap,
    centre, angle).
    """

    def __init__(self, pictures: Sequence[StoredPicture], count: int, seed: int) -> None:
        self._pictures, self._count, self._seed = pictures, count, seed

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor, Tensor]:
        rng = np.random.default_rng([self._seed, index])
        picture = self._pictures[int(rng.integers(len(self._pictures)))]
        pixels, dice = _patch(picture.pixels(), picture.dice, rng)
        noisy = emulate(pixels, rng)
        target, weight = make_target(dice)
        planes = np.ascontiguousarray(noisy.transpose(2, 0, 1))
        return torch.from_numpy(planes), torch.from_numpy(target), torch.from_numpy(weight)


def _patch(
    pixels: npt.NDArray[np.uint8], dice: Sequence[TrueDie], rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], list[TrueDie]]:
    """Return a patch (PATCH_SIDE square) in which the dice have EDGES, rotated at random, and its dice."""
    edges = [die.edge for die in dice]
    huge = rng.random() < HUGE_SHARE
    wished = np.exp(rng.uniform(*np.log(HUGE_EDGES if huge else EDGES)))
    scale = min(wished / (np.median(edges) if edges else 40.0), 5.0 if huge else 1.4)
    middle = _patch_centre(pixels, dice, rng)
    angle = rng.uniform(0, 360)
    turn = np.asarray(cv2.getRotationMatrix2D(middle, angle, scale), np.float64)
    turn[:, 2] += [float(PATCH_SIDE / 2 - at + rng.uniform(-0.4, 0.4) * PATCH_SIDE) for at in middle]
    if scale < 0.6:
        pixels = cv2.GaussianBlur(pixels, (0, 0), 0.35 / scale).astype(np.uint8)
    beyond = pixels[int(rng.integers(len(pixels))), int(rng.integers(pixels.shape[1]))].tolist()
    part = cv2.warpAffine(pixels, turn, (PATCH_SIDE, PATCH_SIDE), flags=cv2.INTER_LINEAR, borderValue=beyond)
    moved = [_moved(die, turn, scale, angle) for die in dice]
    return part.astype(np.uint8), moved


def _patch_centre(
    pixels: npt.NDArray[np.uint8], dice: Sequence[TrueDie], rng: np.random.Generator
) -> tuple[float, float]:
    if dice and rng.random() < 0.85:
        die = dice[int(rng.integers(len(dice)))]
        return die.x, die.y
    return float(rng.uniform(0, pixels.shape[1])), float(rng.uniform(0, pixels.shape[0]))


def _moved(die: TrueDie, turn: npt.NDArray[np.float64], scale: float, angle: float) -> TrueDie:
    x, y = turn @ np.array([die.x, die.y, 1.0])
    turned = (die.turned_degrees - angle) % 90
    return TrueDie(die.face, die.drawing, x, y, die.edge * scale, turned, die.posture, die.clear)


def make_target(dice: Sequence[TrueDie]) -> tuple[Floats, Floats]:
    """Return the target, (7, CELLS, CELLS), and the weights, (3, CELLS, CELLS), for the dice of a patch."""
    target = np.zeros((7, CELLS, CELLS), np.float32)
    weight = np.zeros((3, CELLS, CELLS), np.float32)
    weight[0] = 1
    for die in dice:
        _draw_target(target, weight, die)
    return target, weight


def _draw_target(target: Floats, weight: Floats, die: TrueDie) -> None:
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
    """Return the sum of four losses per die.

    Penalty-reduced focal loss of the heatmap (Zhou et al. 2019, "Objects as Points", eq. 1), L1 of offset and size, L1
    of the angle, and cross-entropy of the posture.
    """
    dice = weight[:, 1].sum().clamp(min=1)
    heat = out[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    hit = target[:, 0] == 1
    there = -((1 - heat) ** 2) * heat.log() * hit
    nowhere = -((1 - target[:, 0]) ** 4) * heat**2 * (1 - heat).log() * ~hit
    focal = ((there + nowhere) * weight[:, 0]).sum() / dice
    place = ((out[:, 1:4] - target[:, 1:4]).abs().sum(1) * weight[:, 1]).sum() / dice
    angle = ((out[:, 4:6] - target[:, 4:6]).abs().sum(1) * weight[:, 2]).sum() / dice
    lean = torch.nn.functional.cross_entropy(
        out[:, 6:9], target[:, 6].long(), torch.tensor(POSTURE_WEIGHTS, device=out.device), reduction="none"
    )
    return focal + 1.0 * place + 0.5 * angle + 0.3 * (lean * weight[:, 1]).sum() / dice


def batch_loss(net: torch.nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the loss of a batch of patches, and the share of dice found in the right cell."""
    parts, target, weight = batch
    out = net((parts.float() / 255).contiguous(memory_format=torch.channels_last)).float()
    there = target[:, 0] == 1
    return loss(out, target, weight), ((out[:, 0] > 0) & there).sum() / there.sum().clamp(min=1)


def fit(pictures: Sequence[StoredPicture], recipe: Recipe, checkpoint: Path, start: Path | None = None) -> FinderNet:
    """Train a finder by a recipe, from the weights `start` if given."""
    torch.manual_seed(recipe.seed)
    net = FinderNet().to(DEVICE, memory_format=torch.channels_last)
    if start is not None:
        shown = PatchDataset(pictures, MEASURED_PATCHES, recipe.seed + 1)
        start_from(net, start, torch.stack([shown[k][0] for k in range(MEASURED_PATCHES)]).float().to(DEVICE) / 255)
    patches = PatchDataset(pictures, recipe.batch * recipe.steps, recipe.seed)
    train(net, loaded(patches, recipe), batch_loss, recipe, checkpoint)
    return net


# Pictures of trays as the finder gets them: as they were taken and, where the markers are seen, from straight above


JPEG_QUALITY = 94
NEAR_BORDER, MOST_COVERED = 0.5, 0.15
"""Edges from the border, and share of the top face that may be hidden, where a die has to be found."""


def views_of(pictures: Iterable[PosturePicture], finder: Finder, reader: Reader) -> Iterator[StoredPicture]:
    """Yield each picture as it was taken, and its rectified view if the markers are seen."""
    for picture, view, _ in looked_at(pictures, finder, reader):
        yield _stored(unrectified_view(view.frame), picture)
        if view.calibration is not None:
            yield _stored(view, picture)


def _stored(view: TrayView, picture: PosturePicture) -> StoredPicture:
    to_view, (height, width) = np.asarray(np.linalg.inv(view.to_frame), np.float64), view.pixels.shape[:2]
    dice = [_die_in(die, to_view, (width, height)) for die in picture.dice]
    coded = cv2.imencode(".jpg", view.pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return StoredPicture(coded.tobytes(), tuple(dice))


def _die_in(die: TrueLie, to_view: npt.NDArray[np.float64], size: tuple[int, int]) -> TrueDie:
    x, y, edge, turned = square_of(cv2.perspectiveTransform(np.array([die.corners]), to_view)[0])
    near = NEAR_BORDER * edge
    is_whole = near < x < size[0] - near and near < y < size[1] - near
    clear = is_whole and not die.hidden and die.covered <= MOST_COVERED
    lies = Posture.STACKED if die.stacked else Posture.COCKED if die.lean_degrees > FLAT_DEGREES else Posture.FLAT
    return TrueDie(die.face, die.drawing, x, y, edge, turned, str(lies.value), clear, die.kind)
