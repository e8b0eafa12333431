"""Materials of dice: plain, speckled, veined, cloudy or flecked plastic, wood, and metal."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Colour, Pixels, luma, mix
from models.synthetic.face_style import Material

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
