"""Batches of dice as a finder's errors, lights and cheap cameras change them: tensors, on a GPU where there is one.

A picture is float32, 0 to 1, (n, 3, side, side), BGR. `models.training.camera_emulation` has the same faults of a
camera for whole pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Randomness:
    """Random numbers for batches of `count` pictures; the same for the same seed on the same device."""

    def __init__(self, count: int, seed: int) -> None:
        self.count = count
        self.generator = torch.Generator(DEVICE).manual_seed(seed)
        self.few = np.random.default_rng(seed)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        """Return even numbers for each picture, (count, *shape)."""
        return low + (high - low) * torch.rand(self.count, *shape, device=DEVICE, generator=self.generator)

    def normal(self, spread: float, *shape: int) -> Tensor:
        return spread * torch.randn(self.count, *shape, device=DEVICE, generator=self.generator)

    def some(self, share: float) -> Tensor:
        """Return the indices of that share of the pictures."""
        wanted = min(self.count, int(share * self.count + self.few.random()))
        return (torch.arange(wanted, device=DEVICE) + int(self.few.integers(self.count))) % self.count

    def among(self, count: int) -> Randomness:
        """Return the same random numbers for batches of another size."""
        other = Randomness.__new__(Randomness)
        other.count, other.generator, other.few = count, self.generator, self.few
        return other


def cut(pictures: Tensor, shift: Tensor, size: Tensor, turned: Tensor, side: int) -> Tensor:
    """Return squares of `side` pixels of pictures (uint8), float32, each sampled twice as finely.

    shift: of the middle, (n, 2), as a share of half the picture; size: of the square, (n,), as a share of the picture;
    turned: in radians, (n,).
    """
    cosine, sine = size * torch.cos(turned), size * torch.sin(turned)
    rows = torch.stack([cosine, -sine, shift[:, 0], sine, cosine, shift[:, 1]], 1).view(-1, 2, 3)
    places = functional.affine_grid(rows, [len(pictures), 3, 2 * side, 2 * side], align_corners=False)
    fine = functional.grid_sample(pictures.float(), places, padding_mode="reflection", align_corners=False)
    return functional.avg_pool2d(fine, 2).div_(255)


def recoloured(pictures: Tensor, random: Randomness, free: Tensor) -> Tensor:
    """Turn the hue of a quarter of the `free` ones (n,) anyhow and that of all others slightly, and the saturation."""
    anyhow = free & (random.uniform(0, 1) < 0.25)
    angle = torch.where(anyhow, random.uniform(0, 2 * math.pi), random.normal(0.06))
    grey = torch.full((3, 3), 1 / 3, device=DEVICE)
    across = torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]], device=DEVICE) / math.sqrt(3)
    plain = torch.eye(3, device=DEVICE) - grey
    turn = torch.cos(angle)[:, None, None] * plain + torch.sin(angle)[:, None, None] * across
    return _mixed(grey + random.uniform(0.7, 1.2, 1, 1) * turn, pictures).clamp_(0, 1)


def _mixed(weights: Tensor, pictures: Tensor) -> Tensor:
    """Return each picture's planes as sums of its planes, by weights (n or 1, 3, 3)."""
    return torch.bmm(weights.expand(len(pictures), 3, 3), pictures.flatten(2)).view_as(pictures)


def lit(pictures: Tensor, random: Randomness) -> Tensor:
    """Add the reflection of a light to some pictures, and the edge of a shadow to some."""
    pictures = pictures.clone()
    for change in (_glare, _shadow):
        some = random.some(0.15)
        pictures[some] = change(pictures[some], random.among(len(some)))
    return pictures


def _glare(pictures: Tensor, random: Randomness) -> Tensor:
    y, x = _axes(pictures)
    turn, half = random.uniform(0, math.pi, 1, 1), random.uniform(0.05, 0.22, 2, 1, 1)
    away = random.uniform(-0.35, 0.35, 2, 1, 1)
    right, down = x - away[:, 0], y - away[:, 1]
    along = torch.cos(turn) * right + torch.sin(turn) * down
    beside = torch.cos(turn) * down - torch.sin(turn) * right
    reach = torch.hypot(along / half[:, 0], beside / half[:, 1])
    soft = half.mean(1) / random.uniform(0.015, 0.08, 1, 1)
    cover = (random.uniform(0.3, 0.95, 1, 1) * torch.sigmoid(1.7 * soft * (1 - reach)))[:, None]
    return pictures * (1 - cover) + random.uniform(0.88, 1, 1, 1, 1) * cover


def _shadow(pictures: Tensor, random: Randomness) -> Tensor:
    y, x = _axes(pictures)
    angle, width = random.uniform(0, 2 * math.pi, 1, 1), random.uniform(0.015, 0.22, 1, 1)
    beyond = torch.cos(angle) * x + torch.sin(angle) * y + random.uniform(-0.3, 0.3, 1, 1)
    dark = random.uniform(0.2, 0.65, 1, 1) * (beyond / width + 0.5).clamp(0, 1)
    return pictures * (1 - dark[:, None])


def _axes(pictures: Tensor) -> tuple[Tensor, Tensor]:
    """Return the pixels' places, (side, 1) and (1, side), from -0.5 to 0.5."""
    steps = [(torch.arange(size, device=DEVICE) + 0.5) / size - 0.5 for size in pictures.shape[-2:]]
    return steps[0][:, None], steps[1][None]


def from_afar(pictures: Tensor, random: Randomness, distant: float) -> Tensor:
    """Return pictures as cheap cameras take them: all with their faults, some in the resolution of a distant die.

    A share `distant` is taken by the camera in that resolution, so that its noise and blur are as large as strokes.
    """
    side, pictures = pictures.shape[-1], pictures.clone()
    some = random.some(0.12)
    pictures[some] = _resized(_resized(pictures[some], int(random.few.integers(22, 40))), side)
    taken = taken_by_a_camera(pictures, random)
    if distant:
        some = random.some(distant)
        few = _resized(pictures[some], int(random.few.integers(26, 54)))
        taken[some] = _resized(taken_by_a_camera(few, random.among(len(some)), 0.8), side)
    return taken


def _resized(pictures: Tensor, side: int) -> Tensor:
    if side < pictures.shape[-1]:
        return functional.interpolate(pictures, (side, side), mode="area")
    return functional.interpolate(pictures, (side, side), mode="bilinear", align_corners=False)


def taken_by_a_camera(pictures: Tensor, random: Randomness, strength: float = 1.0) -> Tensor:
    """Return pictures with a cheap camera's exposure, focus, noise and JPEG; `strength` (0 to 1) scales all faults."""
    return _compressed(_sensed(_focused(_exposed(pictures, random, strength), random, strength), random), random)


def _exposed(pictures: Tensor, random: Randomness, strength: float) -> Tensor:
    gain = torch.exp(random.normal(0.3 * strength, 1, 1, 1) + random.normal(0.1 * strength, 3, 1, 1))
    light = (pictures * gain).clamp(1e-4, 1.3) ** torch.exp(random.normal(0.25 * strength, 1, 1, 1))
    lift = strength * random.uniform(-0.03, 0.10, 1, 1, 1)
    y, x = _axes(pictures)
    return (light * (1 - lift) + lift) * (1 - strength * random.uniform(0, 0.7, 1, 1, 1) * (x * x + y * y))


def _focused(light: Tensor, random: Randomness, strength: float) -> Tensor:
    """Blur some pictures by defocus, others by motion, and sharpen others too much; `light` itself is changed."""
    some = random.some(0.55 * strength)
    light[some] = _blurred(light[some], random.among(len(some)).uniform(0.3, 1.5, 1, 1, 1))
    some = random.some(0.08)
    light[some] = _moved(light[some], random)
    some = random.some(0.12)
    few = random.among(len(some))
    soft = _blurred(light[some], torch.full((few.count, 1, 1, 1), 1.2, device=DEVICE))
    light[some] += few.uniform(0.3, 1.0, 1, 1, 1) * (light[some] - soft)
    return light


REACH = 4
"""Pixels that a blur reaches."""


def _blurred(pictures: Tensor, spread: Tensor) -> Tensor:
    """Blur each picture by a Gaussian of its own spread in pixels, (n, 1, 1, 1)."""
    weights = [torch.exp(-(step**2) / (2 * spread**2)) for step in range(REACH + 1)]
    total = weights[0] + 2 * sum(weights[1:])
    for axis in (3, 2):
        size = pictures.shape[axis]
        wide = functional.pad(pictures, (REACH, REACH, 0, 0) if axis == 3 else (0, 0, REACH, REACH), mode="reflect")
        pictures = weights[0] * wide.narrow(axis, REACH, size)
        for step in range(1, REACH + 1):
            pictures.addcmul_(weights[step], wide.narrow(axis, REACH - step, size))
            pictures.addcmul_(weights[step], wide.narrow(axis, REACH + step, size))
        pictures /= total
    return pictures


def _moved(pictures: Tensor, random: Randomness) -> Tensor:
    """Blur pictures along a line of two to five pixels."""
    steps, angle = int(random.few.integers(2, 6)), float(random.few.uniform(0, math.pi))
    kernel = torch.zeros(5, 5)
    for step in np.linspace(-(steps - 1) / 2, (steps - 1) / 2, 9):
        kernel[2 + round(step * math.sin(angle)), 2 + round(step * math.cos(angle))] += 1 / 9
    weights = kernel.to(DEVICE).expand(3, 1, 5, 5)
    return functional.conv2d(functional.pad(pictures, (2, 2, 2, 2), mode="reflect"), weights, groups=3)


def _sensed(light: Tensor, random: Randomness) -> Tensor:
    """Add shot and read noise, sometimes in blotches, as a small sensor's denoiser leaves it."""
    noise = random.normal(1.0, *light.shape[1:])
    some = random.some(0.3)
    noise[some] = 2 * _blurred(noise[some], torch.full((len(some), 1, 1, 1), 0.9, device=DEVICE))
    spread = 0.005 * (random.normal(1.0, 3, 1, 1) ** 2).sum(1, keepdim=True)  # a gamma distribution of shape 1.5
    return (light + spread * noise * light.clamp(0.05, 1).sqrt()).clamp(0, 1)


def _compressed(pictures: Tensor, random: Randomness) -> Tensor:
    """Compress most pictures in place as JPEG does: quantise the cosine transform of brightness and halved colours."""
    some = random.some(0.6)
    few = random.among(len(some))
    size = pictures.shape[-1]
    wide = functional.pad(pictures[some], (0, -size % 16, 0, -size % 16), mode="replicate")
    planes = _mixed(255 * _TO_YCC.to(DEVICE), wide)
    quality = few.uniform(35, 96, 1, 1)
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
    bright = _quantised(planes[:, 0] - 128, _BRIGHT.to(DEVICE) * scale)
    halved = functional.avg_pool2d(planes[:, 1:], 2)
    colours = torch.stack([_quantised(halved[:, k], _COLOUR.to(DEVICE) * scale) for k in (0, 1)], 1)
    colours = functional.interpolate(colours, scale_factor=2.0, mode="nearest")
    whole = torch.cat([bright[:, None] + 128, colours], 1)
    pictures[some] = _mixed(_FROM_YCC.to(DEVICE) / 255, whole)[..., :size, :size].clamp_(0, 1)
    return pictures


def _quantised(plane: Tensor, table: Tensor) -> Tensor:
    """Return a plane (n, h, w) with the cosine transform of its 8 x 8 blocks in steps of a table, (n, 8, 8)."""
    n, height, width = plane.shape
    basis, steps = _COSINES.to(DEVICE), table.round().clamp(1, 255)[:, None, None]
    blocks = plane.view(n, height // 8, 8, width // 8, 8).transpose(2, 3)
    told = ((basis @ blocks @ basis.T) / steps).round() * steps
    return (basis.T @ told @ basis).transpose(2, 3).reshape(n, height, width)


_TO_YCC = torch.tensor([[0.114, 0.587, 0.299], [0.5, -0.3313, -0.1687], [-0.0813, -0.4187, 0.5]])
_FROM_YCC = torch.linalg.inv(_TO_YCC)
_COSINES = torch.cos(math.pi / 16 * torch.arange(8)[:, None] * (2 * torch.arange(8)[None] + 1)) / 2
_COSINES[0] /= math.sqrt(2)
# The example tables of ITU-T T.81, annex K.
_BRIGHT = torch.tensor([
    [16.0, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99],
])  # fmt: skip
_COLOUR = torch.full((8, 8), 99.0)
_COLOUR[:4, :4] = torch.tensor([[17.0, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]])


def stored(pictures: Sequence[npt.NDArray[np.uint8]]) -> Tensor:
    """Return square pictures of one size, uint8, (side, side, 3), as a tensor (n, 3, side, side) on the device."""
    if not pictures:
        raise ValueError("there is nothing to train on")
    kept = torch.empty(len(pictures), 3, *pictures[0].shape[:2], dtype=torch.uint8, device=DEVICE)
    for first in range(0, len(pictures), 4096):
        part = np.stack(pictures[first : first + 4096])
        kept[first : first + 4096] = torch.from_numpy(part).to(DEVICE).permute(0, 3, 1, 2)
    return kept
