"""Bodies and inks that are hard to read: swirled, glittering, layered and clear bodies, inks of metal.

They are drawn for training and scoring the second look. The virtual tray's dice keep the plain materials of
`models.synthetic.materials`.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Colour, Pixels, bgr, luma
from models.synthetic.materials import Field, clouds

Rng = np.random.Generator

METALS: tuple[Colour, ...] = tuple(
    bgr(text) for text in ("#d4af37", "#e6c35c", "#b8862b", "#f0d98a", "#c0c0c8", "#e4e4ea", "#8d9099", "#b87333")
)
"""Gold, silver and copper."""


def fancy_body(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return a square of a swirled, glittering, layered or clear body: (size, size, 3), BGR."""
    makers = (_swirled, _swirled, _glittering, _layered, _clear)
    return makers[int(rng.integers(len(makers)))](colour, size, rng)


def metallic(ink: Pixels, rng: Rng) -> Pixels:
    """Return an ink (premultiplied BGR and coverage) with the sheen of polished or brushed metal."""
    size = len(ink)
    turn = rng.uniform(0, 2 * np.pi)
    along = np.linspace(-1, 1, size, dtype=np.float32)
    across = np.cos(turn) * along[None, :] + np.sin(turn) * along[:, None]
    bands = np.sin(across * float(rng.uniform(1.0, 5.0)) + float(rng.uniform(0, 6.3)))
    shine = 1.0 + float(rng.uniform(0.1, 0.45)) * bands + 0.25 * (clouds(size, (12, 12), rng) - 0.5)
    lit = ink[..., :3].astype(np.float32) * shine[..., None]
    return np.dstack([np.minimum(lit, ink[..., 3:]), ink[..., 3:]]).astype(np.uint8)


def _swirled(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return two or three colours folded into one another, as in a poured resin."""
    warp = [float(rng.uniform(0.1, 0.5)) * size * (clouds(size, (3, 3), rng) - 0.5) for _ in range(2)]
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    cells = int(rng.integers(2, 7))
    field = cv2.remap(clouds(size, (cells, cells), rng), x + warp[0], y + warp[1], cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_REFLECT_101)  # fmt: skip
    share = np.clip((field - 0.5) * float(rng.uniform(2.0, 7.0)) + 0.5, 0, 1)
    return _mixed(colour, _partner(colour, rng), share)


def _glittering(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return a body full of bright flakes."""
    square = np.full((size, size, 3), colour, np.float32)
    share = float(rng.uniform(0.02, 0.15))
    grain = float(rng.uniform(0.006, 0.016)) * size
    flakes = cv2.GaussianBlur(rng.random((size, size), np.float32), (0, 0), max(grain, 0.5))
    bright = np.clip((flakes - np.quantile(flakes, 1 - share)) * 40, 0, 1)[..., None]
    hues = cv2.resize(rng.uniform(90, 255, (16, 16, 3)).astype(np.float32), (size, size))
    return np.asarray(np.clip(square * (1 - bright) + hues * bright, 0, 255), np.uint8)


def _layered(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return two colours with a soft border between them."""
    turn = rng.uniform(0, 2 * np.pi)
    along = np.linspace(-1, 1, size, dtype=np.float32)
    across = np.cos(turn) * along[None, :] + np.sin(turn) * along[:, None] + rng.uniform(-0.6, 0.6)
    return _mixed(colour, _partner(colour, rng), np.clip(across * float(rng.uniform(1.0, 8.0)) + 0.5, 0, 1))


def _clear(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return a clear body: bright where light gathers, with the blurred signs of the sides beneath."""
    glow = clouds(size, (3, 3), rng)[..., None] * float(rng.uniform(0.2, 0.6))
    square = np.array(colour, np.float32) * (1 - glow) + 255 * glow
    ghosts = np.zeros((size, size), np.float32)
    for x, y in rng.uniform(0.1, 0.9, (int(rng.integers(1, 7)), 2)) * size:
        cv2.circle(ghosts, (int(x), int(y)), int(rng.uniform(0.05, 0.12) * size), 1.0, -1)
    blurred = cv2.GaussianBlur(ghosts, (0, 0), float(rng.uniform(0.03, 0.07)) * size)[..., None]
    ghost = 255.0 if luma(colour) < 128 else 0.0
    faint = float(rng.uniform(0.05, 0.35)) * blurred
    return np.asarray(np.clip(square * (1 - faint) + ghost * faint, 0, 255), np.uint8)


def _partner(colour: Colour, rng: Rng) -> Colour:
    """Return a colour to go with another: mostly of similar lightness, so that ink stays legible on both."""
    partner = np.clip(np.array(colour) + rng.normal(0, 55, 3) + rng.normal(0, 15), 0, 255)
    blue, green, red = partner.astype(int).tolist()
    return blue, green, red


def _mixed(one: Colour, other: Colour, share: npt.NDArray[np.floating[Any]] | Field) -> Pixels:
    start, way = np.array(one, np.float32), np.subtract(other, one).astype(np.float32)
    return np.asarray(start + share[..., None] * way, np.uint8)
