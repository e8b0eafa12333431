"""Letters and numerals in random lettering: a skeleton of lines, condensed and slanted, drawn with a nib."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Pixels, curve

Path = npt.NDArray[np.float64]

TALL = 80
"""Height in pixels of a capital's skeleton."""

_PAD = 40
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)


@dataclass(frozen=True)
class Lettering:
    """How letters are drawn.

    font: one of OpenCV's Hershey fonts. nib: width and height as shares of a letter's height. nib_turned: degrees.
    square: True for a rectangular nib. squeeze: horizontal scale. slant: horizontal shear. hollow: share (0 to 1) of a
    stroke's width that stays empty. cut: True if a stencil's bridge crosses the strokes.
    """

    font: int
    nib: tuple[float, float]
    nib_turned: float = 0.0
    square: bool = False
    squeeze: float = 1.0
    slant: float = 0.0
    hollow: float = 0.0
    cut: bool = False


def random_lettering(make: str, rng: np.random.Generator) -> Lettering:
    """Return lettering of a family with random proportions."""
    width = float(rng.uniform(0.1, 0.2))
    plain = Lettering(
        int(rng.choice(_FONTS)),
        (width, width),
        square=bool(rng.random() < 0.4),
        squeeze=float(rng.uniform(0.8, 1.1)),
        slant=float(rng.normal(0.0, 0.04)),
    )
    return _FAMILIES[make](plain, width, rng)


def _quill(plain: Lettering, width: float, rng: np.random.Generator) -> Lettering:
    return replace(plain, nib=(1.4 * width, 0.5 * width), nib_turned=float(rng.uniform(20, 70)))


def _slanted(plain: Lettering, _width: float, rng: np.random.Generator) -> Lettering:
    return replace(plain, slant=float(rng.uniform(0.14, 0.36) * rng.choice((1, 1, -1))))


def _hollow(plain: Lettering, _width: float, rng: np.random.Generator) -> Lettering:
    broad = float(rng.uniform(0.2, 0.27))
    return replace(plain, font=_FONTS[0], nib=(broad, broad), hollow=float(rng.uniform(0.35, 0.6)))


_FAMILIES: dict[str, Callable[[Lettering, float, np.random.Generator], Lettering]] = {
    "round": lambda plain, _width, _rng: replace(plain, square=False),
    "slab": lambda plain, width, _rng: replace(plain, nib=(1.1 * width, 1.1 * width), square=True, slant=0.0),
    "quill": _quill,
    "upright": lambda plain, width, _rng: replace(plain, nib=(1.5 * width, 0.55 * width)),
    "condensed": lambda plain, _width, rng: replace(plain, squeeze=float(rng.uniform(0.5, 0.72))),
    "wide": lambda plain, _width, rng: replace(plain, squeeze=float(rng.uniform(1.15, 1.45))),
    "slanted": _slanted,
    "hollow": _hollow,
    "stencil": lambda plain, width, _rng: replace(plain, font=_FONTS[0], nib=(1.2 * width, 1.2 * width), cut=True),
}
LETTERINGS = tuple(_FAMILIES)
"""The families of lettering that `random_lettering` knows."""


def render_text(words: str, lettering: Lettering) -> Pixels:
    """Return the words as a mask (uint8, 255 for ink), cropped to the ink."""
    scale = cv2.getFontScaleFromHeight(lettering.font, TALL)
    (wide, high), below = cv2.getTextSize(words, lettering.font, scale, 1)
    lines = np.zeros((high + below + 2 * _PAD, wide + 2 * _PAD), np.uint8)
    cv2.putText(lines, words, (_PAD, _PAD + high), lettering.font, scale, (255,), 3)
    return _inked(lines, lettering)


def render_numeral(count: int, lettering: Lettering, rng: np.random.Generator) -> Pixels:
    """Return the numeral 1 to 6 as a mask, on a skeleton with random curves."""
    lines = np.zeros((TALL + 2 * _PAD, TALL + 2 * _PAD), np.uint8)
    for path in skeleton(count, rng):
        dots = np.rint(((path + 0.5) * TALL + _PAD) * 16).astype(np.int32)
        cv2.polylines(lines, [dots], False, (255,), 3, cv2.LINE_8, 4)
    return _inked(lines, lettering)


def skeleton(count: int, rng: np.random.Generator) -> list[Path]:
    """Return the lines of a numeral in a box from -0.5 to 0.5; y points down."""
    wide, waist = float(rng.uniform(0.26, 0.36)), float(rng.uniform(-0.1, 0.06))
    return _SKELETONS[count](wide, waist, rng)


def _inked(lines: Pixels, lettering: Lettering) -> Pixels:
    drawn = cv2.dilate(_leaned(lines, lettering), _nib(lettering, 1.0))
    if lettering.hollow:
        drawn = cv2.subtract(drawn, cv2.dilate(_leaned(lines, lettering), _nib(lettering, lettering.hollow)))
    if lettering.cut:
        middle = round(0.52 * drawn.shape[0])
        drawn[middle - 4 : middle + 4] = 0
    left, top, wide, high = cv2.boundingRect(drawn)
    return np.asarray(drawn[top : top + high, left : left + wide], np.uint8)


def _leaned(lines: Pixels, lettering: Lettering) -> Pixels:
    high, wide = lines.shape
    lean = abs(lettering.slant) * high
    away = lean if lettering.slant > 0 else 0.0
    size = (round(wide * lettering.squeeze + lean), high)
    turn = np.array([[lettering.squeeze, -lettering.slant, away], [0.0, 1.0, 0.0]])
    return np.asarray(cv2.warpAffine(lines, turn, size), np.uint8)


def _nib(lettering: Lettering, share: float) -> Pixels:
    half_wide, half_high = (max(1.0, side * share * TALL / 2) for side in lettering.nib)
    reach = int(np.hypot(half_wide, half_high)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    turn = np.radians(lettering.nib_turned)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    if lettering.square:
        inside = (np.abs(along) <= half_wide) & (np.abs(across) <= half_high)
    else:
        inside = (along / half_wide) ** 2 + (across / half_high) ** 2 <= 1
    return np.asarray(inside, np.uint8)


def _one(wide: float, _waist: float, rng: np.random.Generator) -> list[Path]:
    flag = float(rng.uniform(0.12, 0.3))
    stem = np.array([(-0.28 * wide - flag * 0.6, -0.5 + flag), (0.0, -0.5), (0.0, 0.5)])
    foot = np.array([(-0.24, 0.5), (0.24, 0.5)])
    return [stem, foot] if rng.random() < 0.45 else [stem]


def _two(wide: float, waist: float, rng: np.random.Generator) -> list[Path]:
    bow = curve((0.0, -0.5 + wide), (wide, wide), 185 + rng.uniform(-8, 12), 385 + rng.uniform(-10, 15))
    if rng.random() < 0.12:
        neck = curve((-0.06, 0.5), (wide, 0.5 - waist), -60, -178)
        return [np.concatenate([bow, neck, [(wide, 0.5)]])]
    return [np.concatenate([bow, [(-wide, 0.5), (wide, 0.5)]])]


def _three(wide: float, waist: float, rng: np.random.Generator) -> list[Path]:
    low = curve((0.0, (0.5 + waist) / 2), (wide, (0.5 - waist) / 2), 270, 505 + rng.uniform(-20, 12))
    if rng.random() < 0.35:
        return [np.concatenate([[(-wide, -0.5), (wide, -0.5), (0.0, waist)], low])]
    top = (0.5 + waist) / 2
    return [np.concatenate([curve((0.0, waist - top), (0.92 * wide, top), 205 + rng.uniform(-15, 20), 450), low])]


def _four(wide: float, _waist: float, rng: np.random.Generator) -> list[Path]:
    bar, stem = float(rng.uniform(0.14, 0.28)), float(rng.uniform(0.1, 0.2))
    if rng.random() < 0.3:
        return [np.array([(-0.24, -0.5), (-wide, bar), (wide + 0.04, bar)]), np.array([(stem, -0.16), (stem, 0.5)])]
    return [np.array([(stem, 0.5), (stem, -0.5), (-wide - 0.04, bar), (wide + 0.06, bar)])]


def _five(wide: float, waist: float, rng: np.random.Generator) -> list[Path]:
    high = min(waist, -0.02)
    bowl = curve((0.0, (0.5 + high) / 2), (wide, (0.5 - high) / 2 + 0.03), 228, 505 + rng.uniform(-20, 15))
    return [np.concatenate([[(wide - 0.05, -0.5), (-wide + 0.07, -0.5), (-wide + 0.03, high + 0.02)], bowl])]


def _six(wide: float, waist: float, rng: np.random.Generator) -> list[Path]:
    high = float(np.clip(waist - 0.02, -0.12, 0.02))
    bowl = curve((0.0, (0.5 + high) / 2), (wide, (0.5 - high) / 2), 180, 540)
    if rng.random() < 0.35:
        return [np.concatenate([[(wide * 0.5, -0.5)], bowl])]
    back = curve((wide * 0.3, (0.5 + high) / 2), (wide * 1.3, 0.5 + (0.5 + high) / 2), 285 + rng.uniform(-8, 12), 180)
    return [np.concatenate([back, bowl])]


_SKELETONS = {1: _one, 2: _two, 3: _three, 4: _four, 5: _five, 6: _six}
