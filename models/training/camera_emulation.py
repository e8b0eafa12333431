"""Emulate a cheap camera: exposure, white balance, vignette, focus, motion blur, noise, JPEG."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

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
