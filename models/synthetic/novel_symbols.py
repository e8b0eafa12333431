"""Novel symbols, which no game has and no reader was trained on, to choose and to score few-shot learning on.

The symbols for choosing and for scoring are disjoint. A symbol is a mask of filled, cut and stroked parts in the unit
square, and is printed in one of several finishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Canvas, Colour, Pixels, Style, Use, curve, rounded_outline
from models.synthetic.faces import FaceArt, NoSuchDrawing, print_face
from models.synthetic.numerals import FONTS
from models.synthetic.palette import random_face_style
from referee.dice import FaceName

_INK: Colour = (255, 255, 255)
_FINE = 200
"""Side of a symbol's mask in pixels."""
_LINE = 0.075
"""Stroke width of a symbol in the lined finish, as a share of its mask's side."""

_SLIVER = 9
"""Pixels of a mask: a narrower hollow is filled."""

FINISHES = ("solid", "lined", "disc", "rounded")
"""How the symbols of a die are printed: solid, as an outline, or cut out of a plate of ink."""

Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Part:
    """A part of a symbol: an area of ink, a hole (`ink` False), or a stroke if `width` is not 0."""

    points: Points
    ink: bool = True
    width: float = 0.0
    closed: bool = False

    def on(self, canvas: Canvas) -> None:
        if self.width:
            canvas.line(self.points, self.width, _INK if self.ink else None, self.closed)
        else:
            canvas.polygon(self.points, _INK if self.ink else None)


def _fill(*points: tuple[float, float]) -> _Part:
    return _Part(points)


def _cut_out(*points: tuple[float, float]) -> _Part:
    return _Part(points, ink=False)


def _line(width: float, *points: tuple[float, float]) -> _Part:
    return _Part(points, width=width)


def _gap(width: float, *points: tuple[float, float]) -> _Part:
    return _Part(points, ink=False, width=width)


def _disc(x: float, y: float, radius: float, high: float = 0.0) -> _Part:
    return _Part(curve((x, y), (radius, high or radius), 0, 360))


def _hole(x: float, y: float, radius: float, high: float = 0.0) -> _Part:
    return _Part(curve((x, y), (radius, high or radius), 0, 360), ink=False)


def _ring(x: float, y: float, radius: float, width: float) -> _Part:
    return _Part(curve((x, y), (radius, radius), 0, 360), width=width, closed=True)


def _arc(centre: tuple[float, float], radii: tuple[float, float], sweep: tuple[float, float], width: float) -> _Part:
    return _Part(curve(centre, radii, *sweep), width=width)


def _slice(centre: tuple[float, float], radii: tuple[float, float], sweep: tuple[float, float]) -> _Part:
    return _Part(curve(centre, radii, *sweep))


def _slab(x: float, y: float, half: tuple[float, float], corner: float = 0.03) -> _Part:
    return _Part(rounded_outline((x, y), half, corner))


def _turned(part: _Part, degrees: float) -> _Part:
    lean = np.radians(degrees)
    turn = np.array([(np.cos(lean), np.sin(lean)), (-np.sin(lean), np.cos(lean))])
    return _Part(np.asarray(part.points, np.float64) @ turn, part.ink, part.width, part.closed)


def _spiral() -> _Part:
    turns = np.linspace(0.3, 5.0 * np.pi, 120)
    radii = 0.027 * turns
    return _Part(np.stack([radii * np.cos(turns), radii * np.sin(turns)], axis=1), width=0.085)


_CHOOSING: dict[str, tuple[_Part, ...]] = {
    "moon": (_disc(-0.03, 0, 0.44), _hole(0.18, -0.06, 0.36)),
    "anchor": (
        _ring(0, -0.36, 0.09, 0.065), _line(0.09, (0, -0.26), (0, 0.4)), _line(0.085, (-0.2, -0.14), (0.2, -0.14)),
        _arc((0, 0.04), (0.36, 0.36), (20, 160), 0.085), _fill((-0.48, 0.16), (-0.34, -0.06), (-0.2, 0.2)),
        _fill((0.48, 0.16), (0.34, -0.06), (0.2, 0.2)),
    ),
    "key": (
        _ring(0, -0.27, 0.16, 0.1), _line(0.1, (0, -0.1), (0, 0.45)), _line(0.09, (0, 0.42), (0.22, 0.42)),
        _line(0.09, (0, 0.24), (0.17, 0.24)),
    ),
    "leaf": (
        _Part(
            np.concatenate([curve((-0.3, -0.04), (0.56, 0.52), -58, 58), curve((0.3, -0.04), (0.56, 0.52), 122, 238)])
        ),
        _gap(0.05, (0, -0.28), (0, 0.3)), _gap(0.045, (0, 0.12), (0.18, -0.04)), _gap(0.045, (0, 0.12), (-0.18, -0.04)),
        _line(0.085, (0, 0.36), (0, 0.5)),
    ),
    "cloud": (
        _disc(-0.24, 0.1, 0.19), _disc(-0.04, -0.1, 0.24), _disc(0.22, 0.06, 0.2), _slab(0, 0.19, (0.34, 0.1), 0.1),
    ),
    "fish": (
        _disc(-0.1, 0, 0.34, 0.21), _fill((0.14, 0), (0.46, -0.24), (0.38, 0), (0.46, 0.24)),
        _hole(-0.27, -0.05, 0.045),
        _gap(0.035, (-0.13, -0.13), (-0.1, 0), (-0.13, 0.13)),
    ),
    "crown": (
        _fill((-0.42, 0.18), (-0.46, -0.26), (-0.2, 0), (0, -0.36), (0.2, 0), (0.46, -0.26), (0.42, 0.18)),
        _slab(0, 0.31, (0.42, 0.07), 0.02), _disc(-0.46, -0.3, 0.06), _disc(0, -0.4, 0.06), _disc(0.46, -0.3, 0.06),
    ),
    "spiral": (_spiral(),),
    "bell": (
        _slice((0, -0.1), (0.27, 0.32), (180, 360)), _fill((-0.27, -0.1), (0.27, -0.1), (0.42, 0.26), (-0.42, 0.26)),
        _disc(0, 0.34, 0.1), _disc(0, -0.43, 0.06), _gap(0.035, (-0.44, 0.26), (0.44, 0.26)),
    ),
    "mountain": (
        _fill((-0.5, 0.34), (-0.14, -0.36), (0.08, 0.04), (0.2, -0.14), (0.5, 0.34)),
        _cut_out((-0.14, -0.3), (-0.23, -0.1), (-0.15, -0.14), (-0.1, -0.06), (-0.04, -0.1)),
    ),
    "umbrella": (
        _slice((0, -0.04), (0.44, 0.38), (180, 360)), _hole(-0.29, -0.02, 0.145, 0.07), _hole(0, -0.02, 0.145, 0.07),
        _hole(0.29, -0.02, 0.145, 0.07), _line(0.06, (0, -0.44), (0, 0.36)),
        _arc((0.1, 0.36), (0.1, 0.1), (180, 0), 0.06),
    ),
    "cup": (
        _fill((-0.36, -0.14), (0.22, -0.14), (0.15, 0.32), (-0.29, 0.32)), _ring(0.24, 0.05, 0.14, 0.07),
        _slab(-0.07, 0.41, (0.36, 0.035)), _line(0.045, (-0.2, -0.22), (-0.15, -0.3), (-0.2, -0.38)),
        _line(0.045, (0.03, -0.22), (0.08, -0.3), (0.03, -0.38)),
    ),
    "ladder": (
        _line(0.08, (-0.2, -0.45), (-0.2, 0.45)), _line(0.08, (0.2, -0.45), (0.2, 0.45)),
        *(_line(0.075, (-0.2, y), (0.2, y)) for y in (-0.3, -0.1, 0.1, 0.3)),
    ),
    "candle": (
        _slab(0, 0.14, (0.12, 0.24), 0.02), _slab(0, 0.42, (0.34, 0.05)), _line(0.035, (0, -0.2), (0, -0.1)),
        _Part(np.concatenate([curve((0, -0.26), (0.1, 0.11), 0, 180), [(0, -0.5)]])), _ring(0.26, 0.28, 0.1, 0.06),
    ),
    "letter-a": (_line(0.12, (-0.33, 0.42), (0, -0.42), (0.33, 0.42)), _line(0.1, (-0.2, 0.14), (0.2, 0.14))),
    "letter-k": (
        _line(0.13, (-0.22, -0.42), (-0.22, 0.42)), _line(0.12, (0.26, -0.42), (-0.2, 0.06)),
        _line(0.12, (-0.08, -0.06), (0.29, 0.42)),
    ),
    "trident": (
        _line(0.085, (0, -0.36), (0, 0.46)), _arc((0, -0.16), (0.3, 0.28), (0, 180), 0.08),
        *(_fill((x - 0.1, -0.22), (x, -0.47), (x + 0.1, -0.22)) for x in (-0.3, 0, 0.3)),
    ),
    "butterfly": (
        *(
            _fill((0.03 * x, 0.04), (0.16 * x, -0.3), (0.34 * x, -0.42), (0.48 * x, -0.32), (0.42 * x, 0.0))
            for x in (-1, 1)
        ),
        *(
            _fill((0.03 * x, 0.02), (0.36 * x, 0.06), (0.36 * x, 0.26), (0.24 * x, 0.4), (0.12 * x, 0.28))
            for x in (-1, 1)
        ),
        _gap(0.13, (0, -0.22), (0, 0.34)), _line(0.075, (0, -0.18), (0, 0.36)), _hole(-0.3, -0.22, 0.06),
        _hole(0.3, -0.22, 0.06), _line(0.035, (0, -0.2), (-0.1, -0.4)), _line(0.035, (0, -0.2), (0.1, -0.4)),
    ),
    "boot": (
        _fill((-0.26, -0.46), (0.06, -0.46), (0.08, 0.06), (0.34, 0.12), (0.42, 0.24), (0.42, 0.3), (-0.28, 0.3)),
        _fill((-0.28, 0.34), (0.42, 0.34), (0.42, 0.42), (0.0, 0.42), (-0.04, 0.38), (-0.06, 0.45), (-0.28, 0.45)),
        _gap(0.04, (-0.3, -0.32), (0.1, -0.32)),
    ),
    "bone": (
        _turned(_line(0.17, (-0.26, 0), (0.26, 0)), 40),
        *(_turned(_disc(x, y, 0.12), 40) for x in (-0.32, 0.32) for y in (-0.11, 0.11)),
    ),
}  # fmt: skip

_SCORING: dict[str, tuple[_Part, ...]] = {
    "sun": (
        _disc(0, 0, 0.21), *(_turned(_fill((-0.075, -0.27), (0, -0.49), (0.075, -0.27)), 45.0 * k) for k in range(8)),
    ),
    "heart": (
        _disc(-0.2, -0.16, 0.225), _disc(0.2, -0.16, 0.225),
        _fill((-0.395, -0.05), (0, -0.2), (0.395, -0.05), (0, 0.42)),
    ),
    "spade": (
        _disc(-0.19, 0.1, 0.19), _disc(0.19, 0.1, 0.19), _fill((-0.355, 0.0), (0, -0.47), (0.355, 0.0), (0, 0.2)),
        _fill((0, 0.05), (0.16, 0.46), (-0.16, 0.46)),
    ),
    "club": (
        _disc(0, -0.25, 0.185), _disc(-0.23, 0.06, 0.185), _disc(0.23, 0.06, 0.185), _disc(0, 0, 0.1),
        _fill((0, -0.1), (0.15, 0.46), (-0.15, 0.46)),
    ),
    "drop": (
        _Part(np.concatenate([curve((0, 0.17), (0.28, 0.28), -25, 205), [(0, -0.48)]])),
        _Part(curve((0, 0.17), (0.17, 0.17), 95, 170), ink=False, width=0.05),
    ),
    "tree": (
        _fill((0, -0.48), (0.22, -0.18), (-0.22, -0.18)), _fill((0, -0.3), (0.3, 0.06), (-0.3, 0.06)),
        _fill((0, -0.1), (0.38, 0.3), (-0.38, 0.3)), _slab(0, 0.38, (0.07, 0.1), 0.01),
    ),
    "eye": (
        _Part(np.concatenate([curve((0, 0.26), (0.5, 0.54), 208, 332), curve((0, -0.26), (0.5, 0.54), 28, 152)])),
        _hole(0, 0, 0.17), _disc(0, 0, 0.095),
    ),
    "mushroom": (
        _slice((0, -0.02), (0.42, 0.4), (180, 360)), _fill((-0.13, 0), (0.13, 0), (0.17, 0.44), (-0.17, 0.44)),
        _gap(0.04, (-0.44, 0.0), (0.44, 0.0)), _hole(-0.2, -0.14, 0.07), _hole(0.06, -0.24, 0.085),
        _hole(0.26, -0.1, 0.055),
    ),
    "flag": (
        _line(0.075, (-0.3, -0.44), (-0.3, 0.46)),
        _fill((-0.27, -0.42), (-0.04, -0.34), (0.16, -0.42), (0.4, -0.34), (0.4, 0.04), (0.16, -0.04), (-0.04, 0.04),
              (-0.27, -0.04)),
    ),
    "comb": (
        _slab(0, -0.22, (0.44, 0.12), 0.05), *(_line(0.055, (x, -0.14), (x, 0.3)) for x in np.linspace(-0.4, 0.4, 7)),
    ),
    "sword": (
        _fill((-0.12, 0.14), (-0.12, -0.32), (0, -0.5), (0.12, -0.32), (0.12, 0.14)),
        _line(0.1, (-0.3, 0.17), (0.3, 0.17)),
        _line(0.1, (0, 0.2), (0, 0.38)), _disc(0, 0.43, 0.09), _gap(0.035, (0, -0.3), (0, 0.1)),
    ),
    "boat": (
        _fill((-0.46, 0.2), (0.46, 0.2), (0.3, 0.42), (-0.3, 0.42)), _line(0.045, (-0.02, -0.46), (-0.02, 0.2)),
        _fill((0.05, -0.44), (0.38, 0.12), (0.05, 0.12)), _fill((-0.09, -0.3), (-0.09, 0.12), (-0.36, 0.12)),
    ),
    "hammer": (
        _turned(_slab(0, 0.12, (0.065, 0.36)), 35), _turned(_slab(0.02, -0.3, (0.26, 0.12), 0.04), 35),
        _turned(_fill((-0.2, -0.42), (-0.2, -0.18), (-0.42, -0.36)), 35),
    ),
    "cherries": (
        _disc(-0.22, 0.24, 0.19), _disc(0.22, 0.18, 0.19), _line(0.05, (-0.2, 0.1), (-0.06, -0.2), (0.08, -0.42)),
        _line(0.05, (0.2, 0.04), (0.16, -0.2), (0.08, -0.42)), _turned(_disc(0.07, -0.44, 0.17, 0.075), -38),
        _hole(-0.28, 0.18, 0.045), _hole(0.16, 0.12, 0.045),
    ),
    "letter-r": (
        _line(0.13, (-0.22, -0.42), (-0.22, 0.42)), _line(0.12, (-0.22, -0.4), (0.04, -0.4)),
        _line(0.12, (-0.22, 0.02), (0.04, 0.02)),
        _arc((0.04, -0.19), (0.2, 0.21), (-90, 90), 0.12), _line(0.12, (0.02, 0.02), (0.26, 0.42)),
    ),
    "letter-m": (_line(0.12, (-0.36, 0.4), (-0.3, -0.4), (0, 0.16), (0.3, -0.4), (0.36, 0.4)),),
    "omega": (
        _arc((0, -0.08), (0.32, 0.34), (120, 420), 0.12), _line(0.12, (-0.16, 0.22), (-0.18, 0.38), (-0.4, 0.38)),
        _line(0.12, (0.16, 0.22), (0.18, 0.38), (0.4, 0.38)),
    ),
    "pawn": (
        _disc(0, -0.28, 0.17), _slab(0, -0.09, (0.2, 0.045), 0.04),
        _fill((-0.09, -0.1), (0.09, -0.1), (0.2, 0.3), (-0.2, 0.3)),
        _slab(0, 0.37, (0.32, 0.085)),
    ),
    "cactus": (
        _line(0.18, (0, -0.36), (0, 0.4)), _line(0.12, (0, 0.12), (-0.28, 0.12), (-0.28, -0.14)),
        _line(0.12, (0, 0.0), (0.28, 0.0), (0.28, -0.26)), _slab(0, 0.45, (0.3, 0.04)),
    ),
    "paw": (
        _disc(0, 0.2, 0.24, 0.2), _disc(-0.34, -0.02, 0.1, 0.13), _disc(-0.13, -0.26, 0.105, 0.14),
        _disc(0.13, -0.26, 0.105, 0.14), _disc(0.34, -0.02, 0.1, 0.13),
    ),
}  # fmt: skip

_SYMBOLS = {FaceName(f"strange-{name}"): parts for name, parts in (_CHOOSING | _SCORING).items()}

SYMBOLS: dict[Use, tuple[FaceName, ...]] = {
    Use.TRAINING: (),
    Use.CHOOSING: tuple(FaceName(f"strange-{name}") for name in _CHOOSING),
    Use.SCORING: tuple(FaceName(f"strange-{name}") for name in _SCORING),
}
"""The symbols of each use; there are none for training."""


def symbol(face: FaceName) -> Pixels:
    """Return the symbol as a mask (uint8, 255 for ink), cropped to the ink. Raises NoSuchDrawing."""
    if face not in _SYMBOLS:
        raise NoSuchDrawing(f"there is no novel symbol {face!r}; there are {', '.join(_SYMBOLS)}")
    return _symbol_mask(face)


def draw_novel(face: FaceName, finish: str, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """Draw a symbol as a face in one of FINISHES, reproducible by the generator's state. Raises NoSuchDrawing."""
    mask = symbol(face)
    if finish not in FINISHES:
        raise NoSuchDrawing(f"there is no finish {finish!r}; there are {', '.join(FINISHES)}")

    def drawn(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
        half, ink = _draw_plate(finish, canvas, style)
        canvas.stamp(_outlined(mask, style.weight) if finish == "lined" else mask, (0.0, 0.0), (half, half), ink)

    return print_face(drawn, style, size, rng)


def random_novel_style(rng: np.random.Generator, use: Use) -> tuple[str, Style]:
    """Return a finish and a style for all six faces of a novel die, with body and ink colours of that use."""
    finish = str(rng.choice(FINISHES))
    return finish, random_face_style(f"strange/{finish}", rng, use, None)


def _draw_plate(finish: str, canvas: Canvas, style: Style) -> tuple[float, Colour]:
    """Draw the plate of the finish, if any; return half the side of the symbol's area, and its ink."""
    grow = min(style.size, 1.06)
    if finish == "disc":
        canvas.disc(0, 0, 0.43 * grow, style.ink)
        return 0.28 * grow, style.accent
    if finish == "rounded":
        canvas.square(0.42 * grow, 0.09, style.ink)
        return 0.34 * grow, style.accent
    return 0.4 * grow, style.ink


@cache
def _symbol_mask(face: FaceName) -> Pixels:
    canvas = Canvas(_FINE)
    for part in _SYMBOLS[face]:
        part.on(canvas)
    mask = np.ascontiguousarray(canvas.paint[..., 3])
    left, top, wide, high = cv2.boundingRect(mask)
    return mask[top : top + high, left : left + wide]


def _outlined(mask: Pixels, weight: float) -> Pixels:
    """Return the outline of a mask, drawn inwards; parts as thin as the stroke stay solid."""
    across = max(3, round(2 * _LINE * min(weight, 1.1) * _FINE) | 1)
    within = cv2.erode(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT), _round(across))
    hollow = cv2.morphologyEx(within[1:-1, 1:-1], cv2.MORPH_OPEN, _round(_SLIVER))
    return np.asarray(np.where(hollow > 0, 0, mask), np.uint8)


def _round(across: int) -> Pixels:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)), np.uint8)


# Signs that belong to no set: letters, runes, arrows and others, to score how often one is taken for a face
#
# No model is trained or chosen on these drawings. Signs that could be meant for a known face are left out: S for a
# switch, X for a block, O for a panel, Z and a lying N for a two, and the straight arrow that means go.


Strokes = Sequence[Sequence[tuple[float, float]]]

_TEXTS = ("-", "+", "=", "?", "&", "%", "#", *"AEFHJKLMPQRTVWY")
_NAMES = {"-": "minus", "+": "plus", "=": "equals", "?": "question", "&": "and", "%": "percent", "#": "hash"}
_STEM = ((-0.2, -0.45), (-0.2, 0.45))
_STROKES: dict[str, Strokes] = {
    "rune-fehu": (_STEM, ((-0.2, -0.05), (0.2, -0.4)), ((-0.2, 0.15), (0.25, -0.2))),
    "rune-uruz": (((-0.25, 0.45), (-0.25, -0.45), (0.25, -0.15), (0.25, 0.45)),),
    "rune-thurisaz": (_STEM, ((-0.2, -0.2), (0.2, 0.0), (-0.2, 0.2))),
    "rune-ansuz": (_STEM, ((-0.2, -0.45), (0.2, -0.2)), ((-0.2, -0.15), (0.2, 0.1))),
    "rune-raido": (_STEM, ((-0.2, -0.45), (0.2, -0.22), (-0.2, 0.0), (0.25, 0.45))),
    "rune-hagalaz": (_STEM, ((0.2, -0.45), (0.2, 0.45)), ((-0.2, -0.1), (0.2, 0.15))),
    "rune-naudiz": (((0.0, -0.45), (0.0, 0.45)), ((-0.22, -0.12), (0.22, 0.15))),
    "rune-algiz": (((0.0, -0.45), (0.0, 0.45)), ((-0.3, -0.45), (0.0, -0.08), (0.3, -0.45))),
    "rune-berkano": (((-0.2, -0.45), (-0.2, 0.45), (0.22, 0.22), (-0.2, 0.0), (0.22, -0.22), (-0.2, -0.45)),),
    "rune-othala": (((-0.28, 0.45), (0.25, -0.1), (0.0, -0.45), (-0.25, -0.1), (0.28, 0.45)),),
    "rune-dagaz": (((-0.3, -0.35), (-0.3, 0.35), (0.3, -0.35), (0.3, 0.35), (-0.3, -0.35)),),
    "arrow-both-ways": (
        ((0.0, -0.42), (0.0, 0.42)),
        ((-0.2, -0.22), (0.0, -0.44), (0.2, -0.22)),
        ((-0.2, 0.22), (0.0, 0.44), (0.2, 0.22)),
    ),
    "arrow-bent": (((-0.3, 0.42), (-0.3, -0.15), (0.3, -0.15)), ((0.1, -0.36), (0.34, -0.15), (0.1, 0.06))),
    "arrow-back": (
        ((0.3, -0.4), (0.3, 0.15), (-0.3, 0.15)),
        ((-0.1, -0.06), (-0.34, 0.15), (-0.1, 0.36)),
    ),
    "root": (((-0.42, 0.05), (-0.28, -0.02), (-0.1, 0.4), (0.1, -0.4), (0.42, -0.4)),),
    "sum": (((0.28, -0.3), (0.28, -0.42), (-0.28, -0.42), (0.05, 0.0), (-0.28, 0.42), (0.28, 0.42), (0.28, 0.3)),),
    "infinity": (
        curve((-0.2, 0.0), (0.19, 0.19), 30, 330).tolist(),
        curve((0.2, 0.0), (0.19, 0.19), 210, 510).tolist(),
        ((-0.04, -0.1), (0.04, 0.1)),
    ),
    "psi": (((0.0, -0.45), (0.0, 0.45)), curve((0.0, -0.2), (0.3, 0.3), 0, 180).tolist()),
}
SIGNS: tuple[str, ...] = (*(_NAMES.get(text, f"letter-{text.lower()}") for text in _TEXTS), *_STROKES)
"""The names of all signs."""


def draw_sign(sign: str, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """Draw a sign on a die's body, (size, size), reproducible by the generator's state."""
    return print_face(partial(_write if sign not in _STROKES else _stroke, sign), style, size, rng)


def _write(sign: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    text = next(text for text in _TEXTS if _NAMES.get(text, f"letter-{text.lower()}") == sign)
    canvas.text(text, FONTS["duplex"], (0.6, 0.62), 0.09 * style.weight, style.ink)


def _stroke(sign: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    for points in _STROKES[sign]:
        canvas.line(0.68 * np.asarray(points), 0.085 * style.weight, style.ink)
