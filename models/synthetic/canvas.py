"""A transparent canvas in units of the edge of a die, the style of a face, and letters drawn with a nib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

# A transparent canvas, in units of the die's edge: the face extends from -0.5 to 0.5, x right, y down


Colour = tuple[int, int, int]
"""Blue, green and red, each 0 to 255."""

Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

CUT: tuple[int, int, int, int] = (0, 0, 0, 0)
_BITS = 4
_MAX_STROKE = 0.24  # of a letter's height: a thicker stroke would close the loops of letters


def bgr(text: str) -> Colour:
    """Return the colour of `#rrggbb`."""
    return int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Return a colour by hue (degrees, of any range), saturation and value (0 to 1)."""
    pixel = np.array([[[hue % 360.0, saturation, value]]], np.float32)
    blue, green, red = (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255).round().astype(int).tolist()
    return blue, green, red


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours, with `share` (0 to 1) of the second."""
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return blue, green, red


def luma(colour: Colour) -> float:
    """Return the luma of a colour (ITU-R BT.601), 0 to 255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return a perceptual difference of two colours, 0 to about 255; mostly by luma."""
    chroma = float(np.linalg.norm(np.subtract(one, other))) / 3**0.5
    return 0.7 * abs(luma(one) - luma(other)) + 0.3 * chroma


def curve(centre: tuple[float, float], radii: tuple[float, float], start: float, end: float) -> npt.NDArray[np.float64]:
    """Return points, (n, 2), along an ellipse from `start` to `end` degrees; 0 is right and 90 is down."""
    angles = np.radians(np.linspace(start, end, max(8, int(abs(end - start) / 6))))
    return np.stack([centre[0] + radii[0] * np.cos(angles), centre[1] + radii[1] * np.sin(angles)], axis=1)


class Canvas:
    """A square transparent canvas. Later strokes cover earlier ones; the colour None cuts a hole."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.paint = np.zeros((side, side, 4), np.uint8)

    def polygon(self, points: Points, colour: Colour | None) -> None:
        cv2.fillPoly(self.paint, [self._to_pixels(points)], _ink(colour), cv2.LINE_8, _BITS)

    def line(self, points: Points, width: float, colour: Colour | None, closed: bool = False) -> None:
        """Draw a polyline with round ends and joins."""
        cv2.polylines(
            self.paint, [self._to_pixels(points)], closed, _ink(colour), self._width(width), cv2.LINE_8, _BITS
        )

    def disc(self, x: float, y: float, radius: float, colour: Colour | None, height: float | None = None) -> None:
        """Fill a disc, or an upright ellipse if `height`, its half-height, is given."""
        self.polygon(curve((x, y), (radius, radius if height is None else height), 0, 360), colour)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour | None) -> None:
        """Draw a circle; `radius` is that of the middle of the stroke."""
        self.line(curve((x, y), (radius, radius), 0, 360), width, colour, closed=True)

    def square(self, half: float, corner: float, colour: Colour | None, x: float = 0.0, y: float = 0.0) -> None:
        """Fill a square of half-side `half` with corners of radius `corner`."""
        self.rounded_rectangle((x, y), (half, half), corner, colour)

    def rounded_rectangle(
        self, at: tuple[float, float], half: tuple[float, float], corner: float, colour: Colour | None
    ) -> None:
        self.polygon(rounded_outline(at, half, corner), colour)

    def text(self, words: str, font: int, box: tuple[float, float], width: float, colour: Colour | None) -> None:
        """Write in one of OpenCV's stroke fonts, fitted into a box (width, height) around the centre."""
        self.text_at(words, font, (0.0, 0.0), box, width, colour)

    def text_at(  # noqa: PLR0913, PLR0917 - a text has a place, a font and an ink, and each is said once
        self,
        words: str,
        font: int,
        at: tuple[float, float],
        box: tuple[float, float],
        width: float,
        colour: Colour | None,
    ) -> None:
        """Write the same around another point."""
        (wide, high), _ = cv2.getTextSize(words, font, 10.0, 1)
        room = [max((side - width) * self.side, 1.0) for side in box]
        scale = min(room[0] / wide, room[1] / high) * 10.0
        (wide, high), _ = cv2.getTextSize(words, font, scale, 1)
        thick = max(1, min(self._width(width), round(_MAX_STROKE * high)))
        left, foot = (at[0] + 0.5) * self.side - wide / 2, (at[1] + 0.5) * self.side + high / 2
        cv2.putText(self.paint, words, (round(left), round(foot)), font, scale, _ink(colour), thick)

    def stamp(self, mask: Pixels, at: tuple[float, float], half: tuple[float, float], colour: Colour | None) -> None:
        """Print a mask (ink above 127), scaled to fit into a box around a point, its aspect ratio kept."""
        high, wide = mask.shape
        scale = min(2 * half[0] * self.side / wide, 2 * half[1] * self.side / high)
        left, top = ((at[0] + 0.5) * self.side - scale * wide / 2, (at[1] + 0.5) * self.side - scale * high / 2)
        turn = np.array([[scale, 0.0, left], [0.0, scale, top]])
        self.paint[cv2.warpAffine(mask, turn, (self.side, self.side)) > 127] = _ink(colour)

    def transform(self, turn: float, grow: float, shift: tuple[float, float]) -> None:
        """Rotate (degrees), scale and shift everything drawn so far, as a careless print does."""
        middle = self.side / 2
        matrix = cv2.getRotationMatrix2D((middle, middle), turn, grow)
        matrix[:, 2] += np.multiply(shift, self.side)
        self.paint = np.asarray(cv2.warpAffine(self.paint, matrix, (self.side, self.side)), np.uint8)

    def downscaled(self, size: int) -> Pixels:
        """Return the canvas at its final size, (size, size, 4): premultiplied BGR, and the coverage."""
        return np.asarray(cv2.resize(self.paint, (size, size), interpolation=cv2.INTER_AREA), np.uint8)

    def _to_pixels(self, points: Points) -> npt.NDArray[np.int32]:
        return np.rint((np.asarray(points, np.float64) + 0.5) * (self.side << _BITS)).astype(np.int32)

    def _width(self, width: float) -> int:
        return max(1, round(width * self.side))


def rounded_outline(at: tuple[float, float], half: tuple[float, float], corner: float) -> npt.NDArray[np.float64]:
    """Return the outline, (n, 2), of a rectangle with round corners."""
    right, low = half[0] - corner, half[1] - corner
    corners: Iterable[tuple[float, float, float]] = (
        (right, low, 0),
        (-right, low, 90),
        (-right, -low, 180),
        (right, -low, 270),
    )
    return np.concatenate(
        [curve((at[0] + x, at[1] + y), (corner, corner), start, start + 90) for x, y, start in corners]
    )


def _ink(colour: Colour | None) -> tuple[int, int, int, int]:
    return CUT if colour is None else (*colour, 255)


# The style of a face: body, inks, and the proportions of the drawing


class Material(StrEnum):
    """The material of a die's body."""

    PLAIN = "plain"
    SPECKLED = "speckled"
    MARBLED = "marbled"
    WOODEN = "wooden"
    TRANSLUCENT = "translucent"
    CLOUDY = "cloudy"
    FLECKED = "flecked"
    BRUSHED = "brushed"


class Use(StrEnum):
    """The use of a drawing, colour, surface or light; the uses are disjoint."""

    TRAINING = "training"
    CHOOSING = "choosing"
    """For what training cannot set: the temperature, the acceptance threshold, which weights to keep."""
    SCORING = "scoring"


@dataclass(frozen=True)
class Style:
    """How one face is drawn.

    ink: colour on the body; accent: colour on the ink (a smile on its disc, a word on its panel). size, weight,
    spread: factors of the drawing's size, stroke width and pip distance. depth: of the engraving, 0 to 1. wear: share
    of the ink rubbed off, 0 to 1. wobble: how carelessly it is printed, 0 to 1.
    """

    name: str
    body: Colour
    ink: Colour
    accent: Colour
    material: Material = Material.PLAIN
    size: float = 1.0
    weight: float = 1.0
    spread: float = 1.0
    depth: float = 0.0
    wear: float = 0.0
    wobble: float = 0.0
    mirrored: bool = False


# Letters and numerals in random lettering: a skeleton of lines, condensed and slanted, drawn with a nib


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
    "slanted": lambda plain, _width, rng: replace(plain, slant=float(rng.uniform(0.14, 0.36) * rng.choice((1, 1, -1)))),
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
