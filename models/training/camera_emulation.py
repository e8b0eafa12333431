"""Emulate a cheap camera: exposure, white balance, lens, focus, motion blur, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.lying_dice import TrueDie

# Emulate a cheap camera: exposure, white balance, vignette, focus, motion blur, noise, JPEG


Picture = npt.NDArray[np.uint8]
DirectionalLight = npt.NDArray[np.float32]
Rng = np.random.Generator

NOISE_SIDE = 512
"""Side of the square of noise that every picture takes a random part of."""


@cache
def _noise_square() -> DirectionalLight:
    """Return white noise, made once: drawing it for every picture would cost more than all the rest."""
    return np.random.default_rng(0).standard_normal((NOISE_SIDE, NOISE_SIDE, 3), np.float32)


def _noise(shape: tuple[int, int], rng: Rng) -> DirectionalLight:
    """Return noise of standard deviation 1, float32, (height, width, 3)."""
    height, width = shape
    top, left = (int(rng.integers(0, max(1, NOISE_SIDE - size + 1))) for size in shape)
    return np.resize(_noise_square()[top : top + height, left : left + width], (height, width, 3))


def emulate(picture: Picture, rng: Rng, strength: float = 1.0) -> Picture:
    """Return a picture (uint8, BGR) as a cheap camera would take it; `strength` (0 to 1) scales all faults."""
    soft = _focused(_exposed(picture, rng, strength), rng, strength)
    return _compressed(_sensed(soft, rng, strength), rng, strength)


def noisy(picture: Picture, rng: Rng, spread: float) -> Picture:
    """Return a picture with noise that is new in each of a film; `spread`: its standard deviation, a share of 255."""
    noise = 255 * spread * _noise((picture.shape[0], picture.shape[1]), rng)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def _exposed(picture: Picture, rng: Rng, strength: float) -> DirectionalLight:
    """Apply gamma, gain and colour cast, by a table of 256 levels a channel, and a vignette."""
    height, width = picture.shape[:2]
    gain = np.exp(rng.normal(0, 0.30 * strength)) * np.exp(rng.normal(0, 0.10 * strength, 3))
    levels = np.clip(np.linspace(0, 1, 256)[:, None] * gain, 0, 1.3) ** np.exp(rng.normal(0, 0.25 * strength))
    lift = rng.uniform(-0.03, 0.10) * strength
    table = (levels * (1 - lift) + lift).astype(np.float32)
    y, x = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    vignette = (1 - rng.uniform(0, 0.35 * strength) * (x * x + y * y) / 2).astype(np.float32)
    return cv2.merge([cv2.LUT(picture[..., k], table[:, k]) * vignette for k in range(3)])


def _focused(light: DirectionalLight, rng: Rng, strength: float) -> DirectionalLight:
    """Apply defocus and, to some pictures, motion blur or excessive sharpening."""
    chance = rng.random()
    if chance < 0.55 * strength:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), rng.uniform(0.3, 1.5)), np.float32)
    if chance > 0.92:
        steps = int(rng.integers(2, 6))
        kernel = np.zeros((steps, steps), np.float32)
        cv2.line(kernel, (0, int(rng.integers(steps))), (steps - 1, int(rng.integers(steps))), 1.0)
        light = np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    elif chance > 0.80:
        light = light + rng.uniform(0.3, 1.0) * (light - cv2.GaussianBlur(light, (0, 0), 1.2))
    return light


def _sensed(light: DirectionalLight, rng: Rng, strength: float) -> Picture:
    """Add shot and read noise, sometimes in blotches, as a small sensor's denoiser leaves it."""
    spread = rng.gamma(1.5, 0.010) * strength
    noise = _noise((light.shape[0], light.shape[1]), rng)
    if rng.random() < 0.3:
        noise = np.asarray(2 * cv2.GaussianBlur(noise, (0, 0), 0.9), np.float32)
    noisy = light + spread * noise * cv2.sqrt(np.clip(light, 0.05, 1))
    return (np.clip(noisy, 0, 1) * 255).astype(np.uint8)


def _compressed(picture: Picture, rng: Rng, strength: float) -> Picture:
    if rng.random() > 0.6 * strength:
        return picture
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


# Radial lens distortion, as of cheap wide-angle lenses, of a picture and its ground truth


Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LensDistortion:
    """The first term of the radial distortion model (Brown 1966): barrel if `coefficient` is below 0, else pincushion.

    A point at r half-diagonals from the middle of the distorted picture shows what is at r (1 - coefficient r^2).
    size: width and height of the pictures in pixels.
    """

    coefficient: float
    size: tuple[int, int]

    def distort(self, straight: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return a picture (uint8, BGR) as the lens shows it."""
        if not self.coefficient:
            return straight
        y, x = np.indices(straight.shape[:2], np.float32)
        sources = self._undistorted(np.stack([x, y], axis=-1)).astype(np.float32)
        seen = cv2.remap(
            straight, sources[..., 0], sources[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        return np.asarray(seen, np.uint8)

    def distort_die(self, die: TrueDie) -> TrueDie:
        """Return the ground truth of a die at the position and size that the lens shows."""
        if not self.coefficient:
            return die
        at = np.array([die.x, die.y])
        neighbour = at + np.array([1.0, 0.0])
        x, y = seen = self.distort_point(at)
        return replace(
            die, x=float(x), y=float(y), edge=die.edge * float(np.linalg.norm(self.distort_point(neighbour) - seen))
        )

    def _undistorted(self, points: npt.NDArray[np.floating[Any]]) -> Array:
        middle = np.array(self.size) / 2
        away = (points - middle) / np.hypot(*middle)
        return np.asarray(middle + (points - middle) * (1 - self.coefficient * (away**2).sum(axis=-1, keepdims=True)))

    def distort_point(self, point: Array) -> Array:
        """Return where a point of the straight picture is shown, by fixed-point iteration."""
        seen = point
        for _ in range(8):
            seen = seen + point - self._undistorted(seen)
        return seen
