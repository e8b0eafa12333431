"""Happy and sad faces: heads of several designs, which differ mainly by the mouth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from models.synthetic.canvas import Canvas, Colour, bgr, curve, mix
from models.synthetic.face_style import Style

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


def _open_mouth(canvas: Canvas, features: _Features, rng: np.random.Generator) -> None:
    lips, foot = _lips(features, rng)
    canvas.polygon(lips, features.ink)
    canvas.line([(lips[0, 0], foot), (lips[-1, 0], foot)], features.stroke * 0.5, features.ink)


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


def _bare(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    _features(canvas, _scaled_features(mood, style.ink, style, 1.3), rng)


def _dark(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4 * style.size, style.ink)
    features = _scaled_features(mood, style.accent, style, 1.05)
    _eyes(canvas, features, rng)
    _mouth(canvas, features, rng)


def _open(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4 * style.size, style.ink)
    features = _scaled_features(mood, style.accent, style, 1.1)
    _eyes(canvas, features, rng)
    _open_mouth(canvas, features, rng)


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


def _square(mood: Mood, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
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
    "bare": _bare,
    "dark": _dark,
    "open": _open,
    "square": _square,
    "cat": _cat,
}
HAPPY_ONLY = {"laughing": _laughing}
SAD_ONLY = {"tearful": _tearful}
