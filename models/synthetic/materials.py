"""Bodies of dice: plain, speckled, veined, cloudy or flecked plastic, wood, and metal."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Colour, Material, Pixels, bgr, luma, mix

Field = npt.NDArray[np.float32]
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)


def body(colour: Colour, material: Material, size: int, rng: np.random.Generator) -> Pixels:
    """Return a square of the material: (size, size, 3), BGR."""
    return _MAKERS[material](colour, size, rng)


def clouds(size: int, cells: tuple[int, int], rng: np.random.Generator) -> Field:
    """Return smooth noise, (size, size), 0 to 1, with about `cells` (rows, columns) blobs."""
    coarse = rng.random((cells[0] + 1, cells[1] + 1), np.float32)
    return np.clip(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC), 0.0, 1.0).astype(np.float32)


def _plain(colour: Colour, size: int, _rng: np.random.Generator) -> Pixels:
    return np.full((size, size, 3), colour, np.uint8)


def _speckled(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    square = _plain(colour, size, rng)
    speck = mix(colour, _BLACK if luma(colour) > 110 else _WHITE, float(rng.uniform(0.2, 0.5)))
    for x, y in rng.integers(0, size * 16, (int(rng.integers(15, 60)), 2)).tolist():
        radius = int(rng.uniform(0.004, 0.014) * size * 16)
        cv2.circle(square, (x, y), max(radius, 6), speck, -1, cv2.LINE_AA, 4)
    return square


def _marbled(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    veins = np.abs(clouds(size, (3, 3), rng) + 0.5 * clouds(size, (7, 7), rng) - 0.75)
    share = np.clip(1.0 - veins * float(rng.uniform(4.0, 9.0)), 0.0, 1.0)
    other = mix(colour, _BLACK if luma(colour) > 110 else _WHITE, float(rng.uniform(0.12, 0.3)))
    return _blend(colour, other, share)


def _wooden(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    grain = 0.6 * clouds(size, (2, 24), rng) + 0.4 * clouds(size, (4, 60), rng)
    return _blend(colour, mix(colour, _BLACK, float(rng.uniform(0.15, 0.35))), grain)


def _translucent(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    axis = np.linspace(-1.0, 1.0, size, dtype=np.float32)
    lean = rng.uniform(-0.4, 0.4, 2)
    glow = 1.0 - 0.5 * ((axis[None, :] - lean[0]) ** 2 + (axis[:, None] - lean[1]) ** 2)
    share = np.clip(0.75 * glow + 0.4 * clouds(size, (4, 4), rng) - 0.2, 0.0, 1.0)
    return _blend(mix(colour, _BLACK, 0.15), mix(colour, _WHITE, 0.25), share)


def _cloudy(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    lumps = int(rng.integers(2, 6))
    other = mix(colour, _BLACK if rng.random() < 0.5 else _WHITE, float(rng.uniform(0.1, 0.3)))
    return _blend(colour, other, clouds(size, (lumps, lumps), rng))


def _flecked(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    square = _plain(colour, size, rng)
    for x, y in rng.integers(0, size, (int(rng.integers(20, 90)), 2)).tolist():
        fleck = mix(colour, _BLACK if rng.random() < 0.5 else _WHITE, float(rng.uniform(0.1, 0.4)))
        half = (int(rng.uniform(0.008, 0.025) * size) + 1, int(rng.uniform(0.004, 0.012) * size) + 1)
        cv2.ellipse(square, (x, y), half, float(rng.uniform(0, 180)), 0, 360, fleck, -1, cv2.LINE_AA)
    return square


def _brushed(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    streaks = 0.5 * clouds(size, (1, 60), rng) + 0.5 * clouds(size, (2, 30), rng)
    return _blend(mix(colour, _BLACK, 0.12), mix(colour, _WHITE, float(rng.uniform(0.1, 0.25))), streaks)


def _blend(one: Colour, other: Colour, share: npt.NDArray[np.floating[Any]]) -> Pixels:
    start, way = np.array(one, np.float32), np.subtract(other, one).astype(np.float32)
    return np.asarray(start + share[..., None] * way, np.uint8)


_MAKERS = {
    Material.PLAIN: _plain,
    Material.SPECKLED: _speckled,
    Material.MARBLED: _marbled,
    Material.WOODEN: _wooden,
    Material.TRANSLUCENT: _translucent,
    Material.CLOUDY: _cloudy,
    Material.FLECKED: _flecked,
    Material.BRUSHED: _brushed,
}


# Bodies and inks that are hard to read: swirled, glittering, layered and clear bodies, inks of metal
#
# They are for training and scoring the second look; the virtual tray keeps the plain materials.


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
    return _blend(colour, _partner(colour, rng), share)


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
    return _blend(colour, _partner(colour, rng), np.clip(across * float(rng.uniform(1.0, 8.0)) + 0.5, 0, 1))


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
