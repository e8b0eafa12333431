"""Dice to be rendered: six drawn faces of one body, side by side in an atlas, with the names of what they show."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models import die_sets
from models.synthetic.die_styles import LOOKS
from models.synthetic.faces import DRAWINGS, FaceArt, Style, Use, art_for, draw, random_style
from models.synthetic.novel_symbols import SYMBOLS, draw_strange, random_strange
from referee.dice import FaceName, KindName

Rng = np.random.Generator
Pixels = npt.NDArray[np.uint8]

TILE = 128
"""Pixels of one face in a die's atlas, which holds three faces in each of two rows."""

KINDS: dict[KindName, float] = {
    KindName("d6"): 0.22,
    KindName("digits"): 0.14,
    KindName("traffic"): 0.18,
    KindName("signal"): 0.16,
    KindName("tossup"): 0.07,
    KindName("rollers-purple"): 0.04,
    KindName("rollers-black"): 0.06,
    KindName("switch"): 0.13,
}
"""How often each kind of die is drawn: the ordinary ones most, then those whose signs come in most drawings."""

STANDARD = 0.25
"""The share of dice that wear a look of the virtual tray."""


STRANGE = KindName("strange")
"""The kind of a die with strange symbols, which no game has."""


@dataclass(frozen=True, eq=False)
class Atlas:
    """The six faces of a die of a kind: pixels (2 TILE x 3 TILE x 3, BGR), and for each side its class and drawing."""

    kind: KindName
    pixels: Pixels
    faces: tuple[str, ...]
    drawings: tuple[str, ...]


def bank(rng: Rng, count: int, use: Use = Use.TRAINING) -> list[Atlas]:
    """A boxful of random dice, in drawings and colours of that use."""
    kinds = rng.choice(list(KINDS), count, p=list(KINDS.values()))
    return [atlas(KindName(str(kind)), rng, use) for kind in kinds]


def atlas(kind: KindName, rng: Rng, use: Use = Use.TRAINING) -> Atlas:
    """One die of a kind."""
    sides = _sides(kind, rng)
    if use is Use.TRAINING and kind != "digits" and rng.random() < STANDARD:
        look = int(rng.integers(LOOKS))
        named = [art_for(kind, face, look) for face in sides]
    else:
        named = _styles(sides, rng, use)
    return _printed(kind, named, rng)


def known_looks(rng: Rng, count: int, use: Use, among: str) -> list[Atlas]:
    """So few dice in drawings and colours of that use that each is met in many pictures.

    A face that a die has twice is drawn alike on both sides, and a drawing's name ends in that of its look, which is
    `among` and the look's number: `happy/disc/r0003-1`.
    """
    kinds = rng.choice(list(KINDS), count, replace=count > len(KINDS), p=list(KINDS.values()))
    return [
        _looked(_printed(kind, _alike(_styles(_sides(kind, rng), rng, use)), rng), f"{among}-{number}")
        for number, kind in enumerate((KindName(str(kind)) for kind in kinds), 1)
    ]


def strange_looks(rng: Rng, count: int, use: Use, among: str) -> list[Atlas]:
    """The same with dice of a kind that no game has, six strange symbols of that use on each: `strange-moon/r0003-1`.

    Raises ValueError where there are no symbols for that use.
    """
    if not SYMBOLS[use]:
        raise ValueError(f"there are no strange symbols for {use}: they are there to choose and to score on")
    return [_strange(rng, use, f"{among}-{number}") for number in range(1, count + 1)]


def _strange(rng: Rng, use: Use, look: str) -> Atlas:
    """A die with six symbols, printed by one hand in one ink on one body."""
    faces = [FaceName(str(face)) for face in rng.choice(SYMBOLS[use], 6, replace=False)]
    hand, style = random_strange(rng, use)
    tiles = [_lit(draw_strange(face, hand, style, TILE, rng), rng) for face in faces]
    return Atlas(STRANGE, _spread(tiles, rng), tuple(faces), tuple(f"{face}/{look}" for face in faces))


def _alike(named: list[tuple[str, Style]]) -> list[tuple[str, Style]]:
    """Every face in the drawing and style in which it comes first."""
    first: dict[str, tuple[str, Style]] = {}
    return [first.setdefault(drawing.partition("/")[0], (drawing, style)) for drawing, style in named]


def _looked(die: Atlas, look: str) -> Atlas:
    return replace(die, drawings=tuple(f"{drawing}/{look}" for drawing in die.drawings))


def _printed(kind: KindName, named: list[tuple[str, Style]], rng: Rng) -> Atlas:
    pixels = _spread([_lit(draw(drawing, style, TILE, rng), rng) for drawing, style in named], rng)
    drawings = tuple(drawing for drawing, _ in named)
    faces = tuple(class_of(drawing) for drawing in drawings)
    return Atlas(KindName("d6" if kind == "digits" else kind), pixels, faces, drawings)


def _spread(tiles: list[Pixels], rng: Rng) -> Pixels:
    """The faces of a die side by side, each turned by chance."""
    turned = [np.rot90(tile, int(rng.integers(4))) for tile in tiles]
    return np.ascontiguousarray(np.vstack([np.hstack(turned[3:]), np.hstack(turned[:3])]))


def _sides(kind: KindName, rng: Rng) -> list[FaceName]:
    if kind in ("d6", "digits"):
        word = "digit" if kind == "digits" else "pip"
        sides = [FaceName(f"{word}-{n}") for n in (1, 6, 2, 5, 3, 4)]
    else:
        dice = next(die_set for die_set in map(die_sets.load, die_sets.names()) if die_set.count(kind))
        sides = [side.name for side in dice.kind(kind).sides]
        rng.shuffle(sides)
    return sides


def _styles(sides: list[FaceName], rng: Rng, use: Use) -> list[tuple[str, Style]]:
    """A style for each side: one body for all, and one hand for all the numbers."""
    first = random_style(sides[0], rng, use)
    named = [first] + [random_style(side, rng, use, like=first[1]) for side in sides[1:]]
    variant, style = first[0].partition("/")[2], first[1]
    for k, side in enumerate(sides):
        same = f"{side}/{variant}"
        if side.partition("-")[0] in ("pip", "digit") and variant != "red" and rng.random() < 0.93:
            named[k] = (same, style) if _exists(same) else named[k]
    return named


def _exists(drawing: str) -> bool:
    return drawing in DRAWINGS[FaceName(drawing.partition("/")[0])]


def class_of(drawing: str) -> str:
    """The reader's class of a drawing: a Traffic die's three may be drawn as pips, as a digit or as a word."""
    face, _, variant = drawing.partition("/")
    if face not in ("two", "three", "four"):
        return face
    number = ("two", "three", "four").index(face) + 2
    if variant.endswith("-pips"):
        return f"pip-{number}"
    return face if "word" in variant else f"digit-{number}"


def _lit(art: FaceArt, rng: Rng) -> npt.NDArray[np.uint8]:
    """The face with its engraving shaded, as if lit from one side."""
    around = rng.uniform(0, 2 * np.pi)
    down, right = np.gradient(cv2.GaussianBlur(art.relief, (0, 0), 1.0))
    shade = rng.uniform(0, 5) * (np.cos(around) * right + np.sin(around) * down) - rng.uniform(0, 0.15) * art.relief
    return np.clip(art.pixels * (1 + shade[..., None]), 0, 255).astype(np.uint8)
