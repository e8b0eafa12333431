"""Plates, on which glyphs are drawn: discs, panels, octagons, triangles and others, solid, outlined or bordered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Canvas, Colour, Points, curve, rounded_outline
from models.synthetic.face_style import Style

Path = npt.NDArray[np.float64]
Plate = Callable[[Canvas, Style, np.random.Generator], "PlateArea"]


@dataclass(frozen=True)
class PlateArea:
    """The area of a plate that is left for a glyph.

    ink: colour to draw in. ground: colour of the area, None for the die's body. half: half-width and half-height. at:
    its centre.
    """

    ink: Colour
    ground: Colour | None
    half: tuple[float, float]
    at: tuple[float, float] = (0.0, 0.0)

    @property
    def side(self) -> float:
        """Side of the largest square in the area."""
        return 2 * min(self.half)

    def put(self, points: Points) -> Path:
        """Return points of the unit square (-0.5 to 0.5) moved into the area's square."""
        return np.asarray(self.at) + self.side * np.asarray(points, np.float64)


@dataclass(frozen=True)
class _Shape:
    """A plate's outline, and the half-width, half-height and centre of the area in it."""

    outline: Path
    half: tuple[float, float]
    at: tuple[float, float] = (0.0, 0.0)


def _disc(rng: np.random.Generator) -> _Shape:
    radius = float(rng.uniform(0.37, 0.46))
    return _Shape(curve((0, 0), (radius, radius), 0, 360), (0.7 * radius, 0.66 * radius))


def _square(corners: tuple[float, float], rng: np.random.Generator) -> _Shape:
    half = float(rng.uniform(0.36, 0.45))
    corner = float(rng.uniform(*corners))
    return _Shape(rounded_outline((0, 0), (half, half), corner), (0.84 * half, 0.8 * half))


def _regular(corners: int, first: float, rng: np.random.Generator) -> _Shape:
    radius = float(rng.uniform(0.4, 0.47))
    turns = np.radians(first + np.arange(corners) * 360 / corners)
    room = radius * np.cos(np.pi / corners)
    return _Shape(radius * np.stack([np.cos(turns), np.sin(turns)], axis=1), (0.74 * room, 0.7 * room))


def _diamond(rng: np.random.Generator) -> _Shape:
    reach = float(rng.uniform(0.44, 0.49))
    return _Shape(reach * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]), (0.52 * reach, 0.48 * reach))


def _triangle(rng: np.random.Generator) -> _Shape:
    half, top, foot = float(rng.uniform(0.4, 0.46)), float(rng.uniform(-0.43, -0.36)), float(rng.uniform(0.3, 0.38))
    return _Shape(np.array([(0, top), (half, foot), (-half, foot)]), (0.2, 0.2), (0.0, foot - 0.27))


def _pennant(rng: np.random.Generator) -> _Shape:
    shape = _triangle(rng)
    return _Shape(-shape.outline, shape.half, (0.0, -shape.at[1]))


def _strip(corner: float, rng: np.random.Generator) -> _Shape:
    wide, high = float(rng.uniform(0.41, 0.46)), float(rng.uniform(0.24, 0.33))
    return _Shape(rounded_outline((0, 0), (wide, high), corner * high), (0.84 * wide, 0.8 * high))


def _badge(rng: np.random.Generator) -> _Shape:
    lobes, radius, deep = int(rng.integers(9, 17)), float(rng.uniform(0.4, 0.44)), float(rng.uniform(0.02, 0.04))
    turns = np.radians(np.arange(0, 360, 2))
    reach = radius + deep * np.cos(lobes * turns)
    return _Shape((reach * np.array([np.cos(turns), np.sin(turns)])).T, (0.66 * radius, 0.62 * radius))


def _arch(rng: np.random.Generator) -> _Shape:
    half, shoulder = float(rng.uniform(0.34, 0.41)), float(rng.uniform(-0.12, 0.02))
    roof = curve((0, shoulder), (half, 0.42 + shoulder), 180, 360)
    return _Shape(np.concatenate([roof, [(half, 0.42), (-half, 0.42)]]), (0.8 * half, 0.26), (0.0, 0.08))


def _crest(rng: np.random.Generator) -> _Shape:
    half, waist = float(rng.uniform(0.34, 0.41)), float(rng.uniform(-0.02, 0.1))
    right = np.array([(half, -0.4), (half, waist), (0.72 * half, 0.24), (0.36 * half, 0.37), (0.0, 0.45)])
    return _Shape(np.concatenate([right, (right * (-1, 1))[::-1]]), (0.78 * half, 0.24), (0.0, -0.06))


def _house(rng: np.random.Generator) -> _Shape:
    half, eaves = float(rng.uniform(0.34, 0.42)), float(rng.uniform(-0.16, -0.04))
    outline = np.array([(0, -0.45), (half, eaves), (half, 0.4), (-half, 0.4), (-half, eaves)])
    return _Shape(outline, (0.8 * half, 0.24), (0.0, 0.1))


def bare(_canvas: Canvas, style: Style, rng: np.random.Generator) -> PlateArea:
    """Return the area of the whole face, without a plate."""
    half = 0.42 * min(style.size, 1.05) * float(rng.uniform(0.82, 1.0))
    return PlateArea(style.ink, None, (half, 0.92 * half))


def _solid(
    shape: Callable[[np.random.Generator], _Shape], canvas: Canvas, style: Style, rng: np.random.Generator
) -> PlateArea:
    """Draw the shape solid, sometimes with a line of the accent colour along its edge."""
    plate = _jogged(shape(rng), rng)
    canvas.polygon(plate.outline, style.ink)
    if rng.random() < 0.35:
        share = float(rng.uniform(0.84, 0.92))
        canvas.line(_about(plate, share), float(rng.uniform(0.015, 0.035)), style.accent, closed=True)
    return PlateArea(style.accent, style.ink, plate.half, plate.at)


def _lined(
    shape: Callable[[np.random.Generator], _Shape], canvas: Canvas, style: Style, rng: np.random.Generator
) -> PlateArea:
    """Draw the shape's outline in ink, on the body or on the accent, as a road sign's red border on white."""
    plate, width = _jogged(shape(rng), rng), float(rng.uniform(0.03, 0.08)) * style.weight
    filled = rng.random() < 0.5
    if filled:
        canvas.polygon(plate.outline, style.accent)
    canvas.line(_about(plate, 1.0 - width), width, style.ink, closed=True)
    if rng.random() < 0.2:
        canvas.line(_about(plate, 0.98 - 2.2 * width), 0.4 * width, style.ink, closed=True)
    half = (plate.half[0] - 0.8 * width, plate.half[1] - 0.8 * width)
    return PlateArea(style.ink, style.accent if filled else None, half, plate.at)


def _either(
    shape: Callable[[np.random.Generator], _Shape], canvas: Canvas, style: Style, rng: np.random.Generator
) -> PlateArea:
    return (_solid if rng.random() < 0.6 else _lined)(shape, canvas, style, rng)


def _about(plate: _Shape, share: float) -> Path:
    middle = (plate.outline.min(axis=0) + plate.outline.max(axis=0)) / 2
    if len(plate.outline) == 3:
        middle = plate.outline.mean(axis=0)
    return np.asarray(middle + share * (plate.outline - middle))


def _jogged(plate: _Shape, rng: np.random.Generator) -> _Shape:
    """Return the plate slightly wider or narrower."""
    wide, high = rng.normal(1.0, 0.025, 2).clip(0.94, 1.05)
    return _Shape(plate.outline * (wide, high), (plate.half[0] * wide, plate.half[1] * high), plate.at)


_SHARP, _ROUND = partial(_square, (0.0, 0.02)), partial(_square, (0.06, 0.17))

PLATES: dict[str, Plate] = {
    "bare": bare,
    "disc": partial(_solid, _disc),
    "ring": partial(_lined, _disc),
    "panel": partial(_solid, _SHARP),
    "rounded": partial(_solid, _ROUND),
    "frame": partial(_lined, _SHARP),
    "roundframe": partial(_lined, _ROUND),
    "octagon": partial(_either, partial(_regular, 8, 22.5)),
    "hexagon": partial(_either, partial(_regular, 6, 0.0)),
    "pentagon": partial(_either, partial(_regular, 5, -90.0)),
    "diamond": partial(_either, _diamond),
    "triangle": partial(_either, _triangle),
    "pennant": partial(_either, _pennant),
    "pill": partial(_either, partial(_strip, 0.98)),
    "bar": partial(_either, partial(_strip, 0.08)),
    "badge": partial(_either, _badge),
    "arch": partial(_either, _arch),
    "crest": partial(_either, _crest),
    "house": partial(_either, _house),
}
"""Every plate by name; `bare` is no plate."""
