"""Happy and sad faces: heads of several makes, told apart by the mouth above all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from models.synthetic.canvas import Colour, Sheet, bgr, curve, mixed
from models.synthetic.face_style import Style

_CHEEK, _TEAR = bgr("#f08a8a"), bgr("#58b4f0")


class Mood(IntEnum):
    """Which way the mouth bends: its middle lies low on a happy face and high on a sad one (y points down)."""

    HAPPY = 1
    SAD = -1


@dataclass(frozen=True)
class _Look:
    """The features of one face: their colour, their scale, the width of their strokes."""

    mood: Mood
    ink: Colour
    scale: float
    stroke: float


def _eyes(sheet: Sheet, look: _Look, rng: np.random.Generator) -> None:
    apart, high, kind = look.scale * rng.uniform(0.13, 0.17), -look.scale * rng.uniform(0.08, 0.13), rng.random()
    for side in (-1, 1):
        x = side * apart
        if kind < 0.4:
            sheet.disc(x, high, look.scale * 0.05, look.ink)
        elif kind < 0.8:
            sheet.disc(x, high, look.scale * 0.042, look.ink, look.scale * 0.075)
        else:
            start = 180 if look.mood is Mood.HAPPY else 0
            sheet.line(curve((x, high), (0.06 * look.scale,) * 2, start, start + 180), look.stroke, look.ink)


def _lips(look: _Look, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    wide, deep = look.scale * rng.uniform(0.18, 0.23), look.scale * rng.uniform(0.13, 0.19)
    across = np.linspace(-1.0, 1.0, 24)
    foot = look.scale * (0.07 if look.mood is Mood.HAPPY else 0.25)
    bend = (1.0 - np.abs(across) ** rng.uniform(1.9, 2.6)) * deep * look.mood
    return np.stack([across * wide, foot + bend], axis=1), foot


def _mouth(sheet: Sheet, look: _Look, rng: np.random.Generator) -> None:
    lips, _ = _lips(look, rng)
    sheet.line(lips, look.stroke * 1.15, look.ink)


def _open_mouth(sheet: Sheet, look: _Look, rng: np.random.Generator) -> None:
    lips, foot = _lips(look, rng)
    sheet.polygon(lips, look.ink)
    sheet.line([(lips[0, 0], foot), (lips[-1, 0], foot)], look.stroke * 0.5, look.ink)


def _brows(sheet: Sheet, look: _Look) -> None:
    for side in (-1, 1):
        inner, outer = (side * 0.09 * look.scale, -0.25 * look.scale), (side * 0.22 * look.scale, -0.19 * look.scale)
        sheet.line([inner, outer], look.stroke * 0.8, look.ink)


def _features(sheet: Sheet, look: _Look, rng: np.random.Generator) -> None:
    _eyes(sheet, look, rng)
    _mouth(sheet, look, rng)
    if look.mood is Mood.SAD and rng.random() < 0.35:
        _brows(sheet, look)


def _look(mood: Mood, ink: Colour, style: Style, scale: float = 1.0) -> _Look:
    return _Look(mood, ink, scale * style.size, 0.05 * style.weight * scale)


def _disc(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    sheet.disc(0, 0, 0.4 * style.size, mixed(style.ink, (0, 0, 0), 0.35 if rng.random() < 0.5 else 0.0))
    sheet.disc(0, 0, 0.375 * style.size, style.ink)
    _features(sheet, _look(mood, style.accent, style), rng)


def _outline(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    sheet.ring(0, 0, 0.37 * style.size, 0.05 * style.weight, style.ink)
    _features(sheet, _look(mood, style.ink, style), rng)


def _blushing(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    sheet.disc(0, 0, 0.39 * style.size, style.ink)
    for side in (-1, 1):
        sheet.disc(side * 0.23 * style.size, 0.05 * style.size, 0.065 * style.size, mixed(style.ink, _CHEEK, 0.75))
    _features(sheet, _look(mood, style.accent, style), rng)


def _bare(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    _features(sheet, _look(mood, style.ink, style, 1.3), rng)


def _dark(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    sheet.disc(0, 0, 0.4 * style.size, style.ink)
    look = _look(mood, style.accent, style, 1.05)
    _eyes(sheet, look, rng)
    _mouth(sheet, look, rng)


def _open(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    sheet.disc(0, 0, 0.4 * style.size, style.ink)
    look = _look(mood, style.accent, style, 1.1)
    _eyes(sheet, look, rng)
    _open_mouth(sheet, look, rng)


def _tearful(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    _disc(mood, sheet, style, rng)
    side, size = (-1 if rng.random() < 0.5 else 1), style.size
    x, y = side * 0.2 * size, 0.08 * size
    sheet.disc(x, y, 0.05 * size, _TEAR)
    sheet.polygon(
        [(x - 0.045 * size, y - 0.02 * size), (x, y - 0.13 * size), (x + 0.045 * size, y - 0.02 * size)], _TEAR
    )


def _laughing(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    _outline(mood, sheet, style, rng)
    lips, _ = _lips(_look(mood, style.ink, style), rng)
    sheet.polygon(lips, style.ink)


def _square(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    sheet.block(0.38 * style.size, 0.09, style.ink)
    _features(sheet, _look(mood, style.accent, style, 1.05), rng)


def _cat(mood: Mood, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    size = style.size
    for side in (-1, 1):
        ear = [(side * 0.33, -0.1), (side * 0.34, -0.42), (side * 0.08, -0.3)]
        sheet.polygon(np.array(ear) * size, style.ink)
        for y in (0.03, 0.09):
            sheet.line(np.array([(side * 0.3, y), (side * 0.44, y * 1.6 - 0.03)]) * size, 0.02, style.ink)
    sheet.disc(0, 0.03 * size, 0.37 * size, style.ink, 0.34 * size)
    _features(sheet, _look(mood, style.accent, style, 0.95), rng)


SMILEYS: dict[str, Callable[[Mood, Sheet, Style, np.random.Generator], None]] = {
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
