"""A fast model of a camera's sensor: blur, white balance, exposure, vignette, noise."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from models.synthetic.canvas import Pixels

_SPARE = 48  # pixels by which the noise is larger than the picture, so that it can lie differently each time


def emulate_sensor(  # noqa: PLR0913 - a chip has these faults, each with its own measure
    picture: Pixels,
    rng: np.random.Generator,
    *,
    noise: float = 3.0,
    blur: float = 0.6,
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
    vignette: float = 0.0,
) -> Pixels:
    """Return a picture (uint8, BGR) as a camera would deliver it.

    noise: standard deviation in grey levels. blur: standard deviation in pixels. gains: factors of blue, green and red.
    vignette: how much darker the corners are than the centre, 0 to 1.
    """
    seen: Pixels = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur) if blur > 0 else picture.copy(), np.uint8)
    if gains != (1.0, 1.0, 1.0):
        seen = np.asarray(cv2.LUT(seen, _curves(gains)), np.uint8)
    if vignette > 0:
        cv2.multiply(seen, _falloff(seen.shape[:2], round(vignette, 2)), seen, 1 / 255)
    if noise > 0:
        _add_noise(seen, rng, noise)
    return seen


def _curves(gains: tuple[float, float, float]) -> Pixels:
    levels = np.arange(256, dtype=np.float32)[:, None] * np.array(gains, np.float32)
    return np.clip(levels, 0, 255).astype(np.uint8)[None]


def _add_noise(picture: Pixels, rng: np.random.Generator, noise: float) -> None:
    high, wide = picture.shape[:2]
    more, less = _grain(high + _SPARE, wide + _SPARE, round(noise, 1))
    top, left = rng.integers(0, _SPARE, 2).tolist()
    cv2.add(picture, more[top : top + high, left : left + wide], picture)
    cv2.subtract(picture, less[top : top + high, left : left + wide], picture)


@lru_cache(maxsize=4)
def _grain(high: int, wide: int, noise: float) -> tuple[Pixels, Pixels]:
    """Return the positive and the negative part of the noise; the same in every run."""
    grain = np.random.default_rng(20).normal(0.0, noise, (high, wide, 3)).astype(np.float32)
    return np.rint(np.maximum(grain, 0)).astype(np.uint8), np.rint(np.maximum(-grain, 0)).astype(np.uint8)


@lru_cache(maxsize=4)
def _falloff(shape: tuple[int, int], vignette: float) -> Pixels:
    down, right = np.linspace(-1, 1, shape[0])[:, None], np.linspace(-1, 1, shape[1])[None, :]
    kept = 255 * (1 - vignette * (down**2 + right**2) / 2)
    return np.repeat(np.rint(kept).astype(np.uint8)[..., None], 3, axis=2)
