"""Texture atlases: the six drawn faces of a die in one picture, with the names of what they show."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models import die_sets
from models.synthetic.faces import (
    ARTISTS,
    DRAWINGS,
    STYLE_COUNT,
    FaceArt,
    Material,
    Style,
    Use,
    art_for,
    draw,
    face_of,
    ink_of,
    print_on_body,
    random_style,
)
from models.synthetic.novel_symbols import SYMBOLS, draw_novel, random_novel_style
from models.synthetic.palette import body
from referee.dice import FaceName, KindName

Rng = np.random.Generator
Pixels = npt.NDArray[np.uint8]

TILE = 128
"""Pixels a side of one face in an atlas, which holds three faces in each of two rows."""

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
"""Share of each kind of die: the ordinary ones most, then those with most drawings."""

STANDARD_SHARE = 0.25
"""Share of dice in a style of the virtual tray."""


NOVEL = KindName("strange")
"""The kind of dice with novel symbols, which no game has."""


@dataclass(frozen=True, eq=False)
class DieAtlas:
    """The six faces of a die: uint8, (2 TILE, 3 TILE, 3), BGR, and for each side the reader's class and the drawing."""

    kind: KindName
    pixels: Pixels
    faces: tuple[str, ...]
    drawings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class UnlitDie:
    """The six faces of a die before light falls on them: what a renderer shades itself.

    pixels: uint8, (2 TILE, 3 TILE, 4), BGR and the share of ink. relief: float32, (2 TILE, 3 TILE), 0 to 1 at the
    deepest engraving. faces, drawings: as those of `DieAtlas`. material: of the body.
    """

    kind: KindName
    pixels: Pixels
    relief: npt.NDArray[np.float32]
    faces: tuple[str, ...]
    drawings: tuple[str, ...]
    material: Material


def random_dice(rng: Rng, count: int, use: Use = Use.TRAINING) -> list[DieAtlas]:
    kinds = rng.choice(list(KINDS), count, p=list(KINDS.values()))
    return [random_die(KindName(str(kind)), rng, use) for kind in kinds]


def random_die(kind: KindName, rng: Rng, use: Use = Use.TRAINING) -> DieAtlas:
    return _compose(kind, _named_sides(kind, rng, use), rng)


def random_unlit_die(kind: KindName, rng: Rng, use: Use) -> UnlitDie:
    """Return a random die of a kind, its engraving as a relief."""
    named = _named_sides(kind, rng, use)
    layers = arrange([_layers(drawing, style, rng) for drawing, style in named], rng)
    drawings = tuple(drawing for drawing, _ in named)
    return UnlitDie(
        KindName("d6" if kind == "digits" else kind),
        np.ascontiguousarray(layers[..., :4]),
        np.asarray(layers[..., 4] / 255, np.float32),
        tuple(class_of(drawing) for drawing in drawings),
        drawings,
        named[0][1].material,
    )


def _layers(drawing: str, style: Style, rng: Rng) -> Pixels:
    """Return a face as blue, green, red, share of ink and relief: uint8, (TILE, TILE, 5)."""
    ink = ink_of(ARTISTS[face_of(drawing)][drawing.partition("/")[2]], style, TILE, rng)
    art = print_on_body(ink, body(style.body, style.material, TILE, rng), style, rng)
    return np.dstack([art.pixels, ink[..., 3], (255 * art.relief).astype(np.uint8)])


def _named_sides(kind: KindName, rng: Rng, use: Use) -> list[tuple[str, Style]]:
    """Return a drawing and a style for each side of a random die."""
    sides = random_sides(kind, rng)
    if use is Use.TRAINING and kind != "digits" and rng.random() < STANDARD_SHARE:
        look = int(rng.integers(STYLE_COUNT))
        return [art_for(kind, face, look) for face in sides]
    return _side_styles(sides, rng, use)


def dice_in_few_styles(rng: Rng, count: int, use: Use, scene: str) -> list[DieAtlas]:
    """Return few dice in drawings and colours of that use, so that each is seen in many pictures.

    A face that a die has twice is drawn the same on both sides. A drawing's name ends in that of its style, which is
    `scene` and a number: `happy/disc/r0003-1`.
    """
    kinds = rng.choice(list(KINDS), count, replace=count > len(KINDS), p=list(KINDS.values()))
    return [
        _named_by_style(
            _compose(kind, _same_drawing_twice(_side_styles(random_sides(kind, rng), rng, use)), rng),
            f"{scene}-{number}",
        )
        for number, kind in enumerate((KindName(str(kind)) for kind in kinds), 1)
    ]


def novel_dice(rng: Rng, count: int, use: Use, scene: str) -> list[DieAtlas]:
    """Return the same for dice with six novel symbols of that use: `strange-moon/r0003-1`.

    Raises ValueError if there are no symbols for that use.
    """
    if not SYMBOLS[use]:
        raise ValueError(f"there are no novel symbols for {use}: they are there to choose and to score on")
    return [_novel_die(rng, use, f"{scene}-{number}") for number in range(1, count + 1)]


def _novel_die(rng: Rng, use: Use, look: str) -> DieAtlas:
    """Return a die with six symbols in one lettering, ink and body colour."""
    faces = [FaceName(str(face)) for face in rng.choice(SYMBOLS[use], 6, replace=False)]
    finish, style = random_novel_style(rng, use)
    tiles = [shade(draw_novel(face, finish, style, TILE, rng), rng) for face in faces]
    return DieAtlas(NOVEL, arrange(tiles, rng), tuple(faces), tuple(f"{face}/{look}" for face in faces))


def _same_drawing_twice(named: list[tuple[str, Style]]) -> list[tuple[str, Style]]:
    """Give every face the drawing and style of its first occurrence."""
    first: dict[str, tuple[str, Style]] = {}
    return [first.setdefault(drawing.partition("/")[0], (drawing, style)) for drawing, style in named]


def _named_by_style(die: DieAtlas, look: str) -> DieAtlas:
    return replace(die, drawings=tuple(f"{drawing}/{look}" for drawing in die.drawings))


def _compose(kind: KindName, named: list[tuple[str, Style]], rng: Rng) -> DieAtlas:
    pixels = arrange([shade(draw(drawing, style, TILE, rng), rng) for drawing, style in named], rng)
    drawings = tuple(drawing for drawing, _ in named)
    faces = tuple(class_of(drawing) for drawing in drawings)
    return DieAtlas(KindName("d6" if kind == "digits" else kind), pixels, faces, drawings)


def arrange(tiles: list[Pixels], rng: Rng) -> Pixels:
    """Arrange the faces of a die in an atlas, each rotated by random quarter turns."""
    turned = [np.rot90(tile, int(rng.integers(4))) for tile in tiles]
    return np.ascontiguousarray(np.vstack([np.hstack(turned[3:]), np.hstack(turned[:3])]))


def random_sides(kind: KindName, rng: Rng) -> list[FaceName]:
    """Return the six faces of a kind of die, in random order where that matters."""
    if kind in ("d6", "digits"):
        word = "digit" if kind == "digits" else "pip"
        sides = [FaceName(f"{word}-{n}") for n in (1, 6, 2, 5, 3, 4)]
    else:
        dice = next(die_set for die_set in map(die_sets.load, die_sets.names()) if die_set.count(kind))
        sides = [side.name for side in dice.kind(kind).sides]
        rng.shuffle(sides)
    return sides


def _side_styles(sides: list[FaceName], rng: Rng, use: Use) -> list[tuple[str, Style]]:
    """Return a drawing and style for each side: one body colour for all, and one lettering for all numbers."""
    first = random_style(sides[0], rng, use)
    named = [first] + [random_style(side, rng, use, like=first[1]) for side in sides[1:]]
    variant, style = first[0].partition("/")[2], first[1]
    for k, side in enumerate(sides):
        same = f"{side}/{variant}"
        if side.partition("-")[0] in ("pip", "digit") and variant != "red" and rng.random() < 0.93:
            named[k] = (same, style) if same in DRAWINGS[side] else named[k]
    return named


def class_of(drawing: str) -> str:
    """Return the reader's class of a drawing: a Traffic die's three may be drawn as pips, as a digit or as a word."""
    face, _, variant = drawing.partition("/")
    if face not in ("two", "three", "four"):
        return face
    number = ("two", "three", "four").index(face) + 2
    if variant.endswith("-pips"):
        return f"pip-{number}"
    return face if "word" in variant else f"digit-{number}"


def shade(art: FaceArt, rng: Rng) -> npt.NDArray[np.uint8]:
    """Return the face with its engraving shaded, as if lit from one side."""
    around = rng.uniform(0, 2 * np.pi)
    down, right = np.gradient(cv2.GaussianBlur(art.relief, (0, 0), 1.0))
    shade = rng.uniform(0, 5) * (np.cos(around) * right + np.sin(around) * down) - rng.uniform(0, 0.15) * art.relief
    return np.clip(art.pixels * (1 + shade[..., None]), 0, 255).astype(np.uint8)
