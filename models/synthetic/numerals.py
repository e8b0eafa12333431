"""Pips, numerals and number words, and happy and sad faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Canvas, Colour, Style, bgr, curve, mix, rounded_outline

# Pips, numerals and number words


Artist = Callable[[Canvas, Style, np.random.Generator], None]
Path = npt.NDArray[np.float64]

_PIP_RADIUS, _PIP_REACH = 0.09, 0.25
_RED = bgr("#c8202c")
_WORDS = {1: "ONE", 2: "TWO", 3: "THREE", 4: "FOUR", 5: "FIVE", 6: "SIX"}


def _places(count: int, reach: float, mirrored: bool) -> list[tuple[float, float]]:
    lean = 1 if mirrored else -1
    middle = [(0.0, 0.0)] if count % 2 else []
    falling = [(-reach, lean * reach), (reach, -lean * reach)] if count > 1 else []
    rising = [(-reach, -lean * reach), (reach, lean * reach)] if count > 3 else []
    sides = [(-reach, 0.0), (reach, 0.0)] if count == 6 else []
    return middle + falling + rising + sides


def _ring(canvas: Canvas, x: float, y: float, radius: float, ink: Colour) -> None:
    canvas.disc(x, y, radius * 1.08, ink)
    canvas.disc(x, y, radius * 0.62, None)


def _target(canvas: Canvas, x: float, y: float, radius: float, ink: Colour) -> None:
    canvas.disc(x, y, radius * 1.15, ink)
    canvas.disc(x, y, radius * 0.84, None)
    canvas.disc(x, y, radius * 0.5, ink)


def _diamond(canvas: Canvas, x: float, y: float, radius: float, ink: Colour) -> None:
    reach = radius * 1.2
    canvas.polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], ink)


def _hexagon(canvas: Canvas, x: float, y: float, radius: float, ink: Colour) -> None:
    turns = np.radians(np.arange(0, 360, 60))
    canvas.polygon(np.stack([x + 1.1 * radius * np.cos(turns), y + 1.1 * radius * np.sin(turns)], axis=1), ink)


PIPS = {
    "round": lambda canvas, x, y, radius, ink: canvas.disc(x, y, radius, ink),
    "ring": _ring,
    "square": lambda canvas, x, y, radius, ink: canvas.square(radius * 0.9, radius * 0.15, ink, x, y),
    "diamond": _diamond,
    "target": _target,
    "hexagon": _hexagon,
}


def draw_pips(count: int, shape: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    """Draw pips, arranged as on every die; those of a 2 and a 3 are on either diagonal."""
    reach = _PIP_REACH * style.spread
    radius = min(_PIP_RADIUS * style.size, 0.42 * reach if count == 6 else 0.6 * reach)
    for x, y in _places(count, reach, style.mirrored):
        PIPS[shape](canvas, x, y, radius, style.ink)


def draw_red_pips(count: int, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    """Draw the red 1 (large) or 4 of East Asian dice."""
    radius = _PIP_RADIUS * style.size * (1.9 if count == 1 else 1.0)
    for x, y in _places(count, _PIP_REACH * style.spread, style.mirrored):
        canvas.disc(x, y, radius, style.accent if style.accent != style.body else _RED)


def _box(*parts: Path) -> list[Path]:
    return [np.asarray(part, np.float64) for part in parts]


def _joined(*parts: Path | list[tuple[float, float]]) -> Path:
    return np.concatenate([np.asarray(part, np.float64) for part in parts])


# Strokes of the numerals in a box from -0.5 to 0.5; y points down.
ROUND_STROKES: dict[int, list[Path]] = {
    1: _box(_joined([(-0.24, -0.28), (0.06, -0.5), (0.06, 0.5)])),
    2: _box(_joined(curve((0.0, -0.2), (0.32, 0.3), 190, 385), [(-0.33, 0.5), (0.35, 0.5)])),
    3: _box(_joined(curve((0.0, -0.25), (0.29, 0.25), 200, 440), curve((0.0, 0.23), (0.33, 0.27), 280, 510))),
    4: _box(_joined([(0.18, 0.5), (0.18, -0.5), (-0.36, 0.22), (0.4, 0.22)])),
    5: _box(_joined([(0.28, -0.5), (-0.24, -0.5), (-0.29, -0.04)], curve((0.0, 0.18), (0.33, 0.32), 225, 510))),
    6: _box(
        _joined(curve((0.1, 0.1), (0.42, 0.6), 285, 180), curve((0.0, 0.2), (0.32, 0.3), 180, 540)),
    ),
}

ANGULAR_STROKES: dict[int, list[Path]] = {
    1: _box(np.array([(-0.2, -0.32), (0.0, -0.5), (0.0, 0.5)]), np.array([(-0.24, 0.5), (0.24, 0.5)])),
    2: _box(np.array([(-0.3, -0.32), (-0.14, -0.5), (0.16, -0.5), (0.3, -0.3), (-0.3, 0.5), (0.32, 0.5)])),
    3: _box(np.array([(-0.3, -0.5), (0.3, -0.5), (-0.02, -0.08), (0.32, 0.16), (0.2, 0.46), (-0.3, 0.5)])),
    4: _box(np.array([(0.02, -0.5), (-0.34, 0.16), (0.38, 0.16)]), np.array([(0.16, -0.16), (0.16, 0.5)])),
    5: _box(
        np.array([(0.3, -0.5), (-0.26, -0.5), (-0.26, -0.06), (0.16, -0.06), (0.32, 0.2), (0.14, 0.5), (-0.3, 0.5)])
    ),
    6: _box(
        np.array(
            [
                (0.22, -0.5),
                (-0.3, 0.06),
                (-0.3, 0.34),
                (-0.12, 0.5),
                (0.14, 0.5),
                (0.32, 0.3),
                (0.14, 0.04),
                (-0.26, 0.06),
            ]
        )
    ),
}

_SEGMENTS = {
    "a": ((-1, -2), (1, -2)),
    "b": ((1, -2), (1, 0)),
    "c": ((1, 0), (1, 2)),
    "d": ((-1, 2), (1, 2)),
    "e": ((-1, 0), (-1, 2)),
    "f": ((-1, -2), (-1, 0)),
    "g": ((-1, 0), (1, 0)),
}
_SEVEN = {1: "bc", 2: "abged", 3: "abgcd", 4: "fgbc", 5: "afgcd", 6: "afgedc"}

FONTS = {
    "simplex": cv2.FONT_HERSHEY_SIMPLEX,
    "duplex": cv2.FONT_HERSHEY_DUPLEX,
    "complex": cv2.FONT_HERSHEY_COMPLEX,
    "triplex": cv2.FONT_HERSHEY_TRIPLEX,
    "italic": cv2.FONT_HERSHEY_SIMPLEX | cv2.FONT_ITALIC,
}
_HEIGHT = 0.56


def _strokes(paths: list[Path], canvas: Canvas, style: Style, width: float, ink: Colour | None) -> None:
    tall = _HEIGHT * style.size - 0.1
    for path in paths:
        canvas.line(path * (tall * min(style.spread, 1.1), tall), width, ink)


def _font(name: str, count: int, canvas: Canvas, style: Style) -> None:
    tall = _HEIGHT * style.size
    canvas.text(str(count), FONTS[name], (1.0, tall), 0.06 * style.weight, style.ink)


def _seven(count: int, canvas: Canvas, style: Style) -> None:
    tall, width = _HEIGHT * style.size, 0.075 * style.weight
    for segment in _SEVEN[count]:
        ends = np.array(_SEGMENTS[segment], np.float64)
        middle = ends.mean(axis=0)
        canvas.line((middle + (ends - middle) * 0.86) * tall / 4.4, width, style.ink)


def _outlined(count: int, canvas: Canvas, style: Style) -> None:
    width = 0.05 * style.weight
    _strokes(ROUND_STROKES[count], canvas, style, width + 0.09, style.ink)
    _strokes(ROUND_STROKES[count], canvas, style, width, None)


def _underlined(count: int, canvas: Canvas, style: Style) -> None:
    _strokes(ROUND_STROKES[count], canvas, style, 0.1 * style.weight, style.ink)
    foot = _HEIGHT * style.size / 2 + 0.08
    canvas.line([(-0.14, foot), (0.14, foot)], 0.05 * style.weight, style.ink)


def _dotted(count: int, canvas: Canvas, style: Style) -> None:
    _strokes(ROUND_STROKES[count], canvas, style, 0.09 * style.weight, style.ink)
    canvas.disc(0.25 * style.size, _HEIGHT * style.size / 2, 0.045 * style.weight, style.ink)


def draw_digit(count: int, digit_style: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    DIGIT_STYLES[digit_style](count, canvas, style)


def _stroked(strokes: dict[int, list[Path]], width: float, count: int, canvas: Canvas, style: Style) -> None:
    _strokes(strokes[count], canvas, style, width * style.weight, style.ink)


DIGIT_STYLES: dict[str, Callable[[int, Canvas, Style], None]] = {
    **{name: partial(_font, name) for name in FONTS},
    "stroke": partial(_stroked, ROUND_STROKES, 0.09),
    "bold": partial(_stroked, ROUND_STROKES, 0.14),
    "angular": partial(_stroked, ANGULAR_STROKES, 0.09),
    "seven-segment": _seven,
    "outlined": _outlined,
    "underlined": _underlined,
    "dotted": _dotted,
}


def draw_word(count: int, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    """Write the number's English name across the face."""
    canvas.text(_WORDS[count], FONTS["duplex"], (0.84, 0.4 * style.size), 0.045 * style.weight, style.ink)


def draw_digit_and_word(count: int, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    """Draw the numeral above its English name."""
    canvas.text_at(str(count), FONTS["duplex"], (0.0, -0.11), (0.6, 0.46 * style.size), 0.07 * style.weight, style.ink)
    canvas.text_at(_WORDS[count], FONTS["simplex"], (0.0, 0.29), (0.66, 0.15), 0.03 * style.weight, style.ink)


def draw_digit_on_plate(count: int, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    """Draw the numeral in the accent colour on a plate of ink: a disc or a road sign's square."""
    if rng.random() < 0.5:
        canvas.disc(0, 0, 0.38, style.ink)
    else:
        canvas.polygon(rounded_outline((0, 0), (0.36, 0.36), 0.08), style.ink)
    _strokes(ROUND_STROKES[count], canvas, style, 0.09 * style.weight, style.accent)


# Happy and sad faces: heads of several designs, which differ mainly by the mouth


_CHEEK, _TEAR = bgr("#f08a8a"), bgr("#58b4f0")


class Mood(IntEnum):
    """The direction in which the mouth bends; its middle is low on a happy face and high on a sad one (y is down)."""

    HAPPY = 1
    SAD = -1


@dataclass(frozen=True)
class _Features:
    """The features of one face: mood, colour, scale, and stroke width."""

    mood: Mood
    ink: Colour
    scale: float
    stroke: float


def _eyes(canvas: Canvas, features: _Features, rng: np.random.Generator) -> None:
    apart, high, kind = (
        features.scale * rng.uniform(0.13, 0.17),
        -features.scale * rng.uniform(0.08, 0.13),
        rng.random(),
    )
    for side in (-1, 1):
        x = side * apart
        if kind < 0.4:
            canvas.disc(x, high, features.scale * 0.05, features.ink)
        elif kind < 0.8:
            canvas.disc(x, high, features.scale * 0.042, features.ink, features.scale * 0.075)
        else:
            start = 180 if features.mood is Mood.HAPPY else 0
            canvas.line(
                curve((x, high), (0.06 * features.scale,) * 2, start, start + 180), features.stroke, features.ink
            )


def _lips(features: _Features, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    wide, deep = features.scale * rng.uniform(0.18, 0.23), features.scale * rng.uniform(0.13, 0.19)
    across = np.linspace(-1.0, 1.0, 24)
    foot = features.scale * (0.07 if features.mood is Mood.HAPPY else 0.25)
    bend = (1.0 - np.abs(across) ** rng.uniform(1.9, 2.6)) * deep * features.mood
    return np.stack([across * wide, foot + bend], axis=1), foot


def _mouth(canvas: Canvas, features: _Features, rng: np.random.Generator) -> None:
    lips, _ = _lips(features, rng)
    canvas.line(lips, features.stroke * 1.15, features.ink)


def _brows(canvas: Canvas, features: _Features) -> None:
    for side in (-1, 1):
        inner, outer = (
            (side * 0.09 * features.scale, -0.25 * features.scale),
            (side * 0.22 * features.scale, -0.19 * features.scale),
        )
        canvas.line([inner, outer], features.stroke * 0.8, features.ink)


def _features(canvas: Canvas, features: _Features, rng: np.random.Generator) -> None:
    _eyes(canvas, features, rng)
    _mouth(canvas, features, rng)
    if features.mood is Mood.SAD and rng.random() < 0.35:
        _brows(canvas, features)


def _scaled_features(mood: Mood, ink: Colour, style: Style, scale: float = 1.0) -> _Features:
    return _Features(mood, ink, scale * style.size, 0.05 * style.weight * scale)


def _disc(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4 * style.size, mix(style.ink, (0, 0, 0), 0.35 if rng.random() < 0.5 else 0.0))
    canvas.disc(0, 0, 0.375 * style.size, style.ink)
    _features(canvas, _scaled_features(mood, style.accent, style), rng)


def _outline(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.ring(0, 0, 0.37 * style.size, 0.05 * style.weight, style.ink)
    _features(canvas, _scaled_features(mood, style.ink, style), rng)


def _blushing(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.39 * style.size, style.ink)
    for side in (-1, 1):
        canvas.disc(side * 0.23 * style.size, 0.05 * style.size, 0.065 * style.size, mix(style.ink, _CHEEK, 0.75))
    _features(canvas, _scaled_features(mood, style.accent, style), rng)


def _dark(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4 * style.size, style.ink)
    features = _scaled_features(mood, style.accent, style, 1.05)
    _eyes(canvas, features, rng)
    _mouth(canvas, features, rng)


def _open(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4 * style.size, style.ink)
    features = _scaled_features(mood, style.accent, style, 1.1)
    _eyes(canvas, features, rng)
    lips, foot = _lips(features, rng)
    canvas.polygon(lips, features.ink)
    canvas.line([(lips[0, 0], foot), (lips[-1, 0], foot)], features.stroke * 0.5, features.ink)


def _tearful(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    _disc(mood, canvas, style, rng)
    side, size = (-1 if rng.random() < 0.5 else 1), style.size
    x, y = side * 0.2 * size, 0.08 * size
    canvas.disc(x, y, 0.05 * size, _TEAR)
    canvas.polygon(
        [(x - 0.045 * size, y - 0.02 * size), (x, y - 0.13 * size), (x + 0.045 * size, y - 0.02 * size)], _TEAR
    )


def _laughing(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    _outline(mood, canvas, style, rng)
    lips, _ = _lips(_scaled_features(mood, style.ink, style), rng)
    canvas.polygon(lips, style.ink)


def _square_head(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.square(0.38 * style.size, 0.09, style.ink)
    _features(canvas, _scaled_features(mood, style.accent, style, 1.05), rng)


def _cat(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    size = style.size
    for side in (-1, 1):
        ear = [(side * 0.33, -0.1), (side * 0.34, -0.42), (side * 0.08, -0.3)]
        canvas.polygon(np.array(ear) * size, style.ink)
        for y in (0.03, 0.09):
            canvas.line(np.array([(side * 0.3, y), (side * 0.44, y * 1.6 - 0.03)]) * size, 0.02, style.ink)
    canvas.disc(0, 0.03 * size, 0.37 * size, style.ink, 0.34 * size)
    _features(canvas, _scaled_features(mood, style.accent, style, 0.95), rng)


SMILEYS: dict[str, Callable[[Mood, Canvas, Style, np.random.Generator], None]] = {
    "disc": _disc,
    "outline": _outline,
    "blushing": _blushing,
    "bare": lambda mood, canvas, style, rng: _features(canvas, _scaled_features(mood, style.ink, style, 1.3), rng),
    "dark": _dark,
    "open": _open,
    "square": _square_head,
    "cat": _cat,
}
HAPPY_ONLY = {"laughing": _laughing}
SAD_ONLY = {"tearful": _tearful}
