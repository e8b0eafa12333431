"""Every face that the reader knows, in several drawings.

A drawing's name is its face and its variant, `happy/disc`. Some drawings, and some body colours, are kept out of the
training (`use_of`), so that a reader can be scored on art that it has never seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic import composed_faces
from models.synthetic.canvas import Pixels, Sheet
from models.synthetic.die_styles import art_for
from models.synthetic.face_style import Material, Style, Use
from models.synthetic.materials import body, clouds
from models.synthetic.numerals import (
    HANDS,
    PIPS,
    draw_digit,
    draw_digit_and_word,
    draw_digit_on_plate,
    draw_pips,
    draw_red_pips,
    draw_word,
)
from models.synthetic.palette import random_look
from models.synthetic.signs import BLOCKS, BOLTS, GO, PANELS, SLOW, STARS, STOP, SWITCHES
from models.synthetic.smileys import HAPPY_ONLY, SAD_ONLY, SMILEYS, Mood
from referee.dice import FaceName

__all__ = [
    "ARTISTS",
    "DRAWINGS",
    "POOLS",
    "FaceArt",
    "Material",
    "NoSuchDrawing",
    "Style",
    "Use",
    "art_for",
    "draw",
    "printed",
    "random_style",
]

Artist = Callable[[Sheet, Style, np.random.Generator], None]
Relief = npt.NDArray[np.float32]


class NoSuchDrawing(LookupError):
    """No drawing of that name is known; the message says which faces there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class FaceArt:
    """A drawn face, edge to edge; the first row is its top.

    `pixels` is size x size x 3, blue-green-red; `relief` is size x size, 0 on the body to 1 where the ink is
    engraved deepest.
    """

    pixels: Pixels
    relief: Relief


def _nothing(_sheet: Sheet, _style: Style, _rng: np.random.Generator) -> None:
    return


def _pips(count: int) -> dict[str, Artist]:
    red: dict[str, Artist] = {"red": partial(draw_red_pips, count)} if count in (1, 4) else {}
    return {shape: partial(draw_pips, count, shape) for shape in PIPS} | red


def _digits(count: int) -> dict[str, Artist]:
    hands = [hand for hand in HANDS if count == 6 or hand not in ("underlined", "dotted")]
    return {hand: partial(draw_digit, count, hand) for hand in hands}


_TRAFFIC_PIPS = ("round", "ring", "square", "target")
_TRAFFIC_HANDS = ("simplex", "duplex", "complex", "triplex", "stroke", "bold", "outlined", "seven-segment", "angular")


def _number(count: int) -> dict[str, Artist]:
    pips: dict[str, Artist] = {f"{shape}-pips": partial(draw_pips, count, shape) for shape in _TRAFFIC_PIPS}
    digits: dict[str, Artist] = {hand: partial(draw_digit, count, hand) for hand in _TRAFFIC_HANDS}
    signs: dict[str, Artist] = {
        "word": partial(draw_word, count),
        "digit-and-word": partial(draw_digit_and_word, count),
        "plate": partial(draw_digit_on_plate, count),
    }
    return pips | digits | signs


def _mood(mood: Mood) -> dict[str, Artist]:
    heads = SMILEYS | (HAPPY_ONLY if mood is Mood.HAPPY else SAD_ONLY)
    return {name: partial(head, mood) for name, head in heads.items()}


_BLANKS: dict[str, Artist] = {material.value: _nothing for material in Material}

_SINGLE: dict[FaceName, dict[str, Artist]] = {
    **{FaceName(f"pip-{count}"): _pips(count) for count in range(1, 7)},
    **{FaceName(f"digit-{count}"): _digits(count) for count in range(1, 7)},
    FaceName("happy"): _mood(Mood.HAPPY),
    FaceName("star"): STARS,
    FaceName("sad"): _mood(Mood.SAD),
    FaceName("two"): _number(2),
    FaceName("three"): _number(3),
    FaceName("four"): _number(4),
    FaceName("go"): GO,
    FaceName("slow"): SLOW,
    FaceName("stop"): STOP,
    FaceName("green"): PANELS,
    FaceName("yellow"): PANELS,
    FaceName("red"): PANELS,
    FaceName("zap"): BOLTS,
    FaceName("green-switch"): SWITCHES,
    FaceName("red-switch"): SWITCHES,
    FaceName("block"): BLOCKS,
    FaceName("blank"): _BLANKS,
}

ARTISTS: dict[FaceName, dict[str, Artist]] = {
    face: single | composed_faces.COMPOSITIONS.get(face, {}) for face, single in _SINGLE.items()
}

_PIPS_HELD, _HANDS_HELD = ("target", "hexagon"), ("angular", "triplex")
_NUMBER_HELD = ("target-pips", "angular", "triplex", "plate")
_CHOSEN_ON = frozenset(
    {"target", "triplex", "target-pips", "square", "faceted", "jagged", "panel-circle", "shield-disc"}
)
"""Of the single drawings that are not trained on, those to choose on; the others are scored on."""
_VARIANTS_HELD: dict[str, tuple[str, ...]] = {
    **{f"pip-{count}": _PIPS_HELD for count in range(1, 7)},
    **{f"digit-{count}": _HANDS_HELD for count in range(1, 7)},
    **dict.fromkeys(("happy", "sad"), ("square", "cat")),
    "star": ("disc", "faceted"),
    **dict.fromkeys(("two", "three", "four"), _NUMBER_HELD),
    **dict.fromkeys(("go", "slow", "stop"), ("plate",)),
    **dict.fromkeys(("green", "yellow", "red"), ("framed",)),
    "zap": ("jagged", "burst"),
    **dict.fromkeys(("green-switch", "red-switch"), ("panel-circle", "panel-word")),
    "block": ("cross", "shield-disc"),
    "blank": ("marbled",),
}

DRAWINGS: dict[FaceName, tuple[str, ...]] = {
    face: tuple(f"{face}/{variant}" for variant in variants) for face, variants in ARTISTS.items()
}
"""For each face, every drawing that can stand for it."""

COMPOSED = 0.65
"""How often a face that can be composed of a plate and a sign is."""

# How often a drawing is chosen, 1 unless said: what most real dice bear is most of what is trained.
_OFTEN = {
    "round": 12.0,
    "ring": 1.5,
    "red": 3.0,
    "round-pips": 4.0,
    "stroke": 2.5,
    "bold": 2.5,
    "duplex": 2.0,
    "panel": 2.0,
}

_RELIEF_SPREAD = 0.012


def face_of(drawing: str) -> FaceName:
    """The face that a drawing stands for. Raises NoSuchDrawing."""
    face, _, variant = drawing.partition("/")
    if variant not in ARTISTS.get(FaceName(face), {}):
        raise NoSuchDrawing(f"there is no drawing {drawing!r}; write face/variant, for example happy/disc")
    return FaceName(face)


def use_of(drawing: str) -> Use:
    """What a drawing is for: to train on, to choose on, or to score on. Raises NoSuchDrawing."""
    face, variant = face_of(drawing), drawing.partition("/")[2]
    if "+" in variant:
        return composed_faces.use_of(face, variant)
    if variant not in _VARIANTS_HELD[face]:
        return Use.TRAINING
    return Use.CHOOSING if variant in _CHOSEN_ON else Use.SCORING


def _pool(face: FaceName, use: Use) -> tuple[str, ...]:
    """The drawings of a face for a use; of what has none to choose on, those that are trained on."""
    found = tuple(drawing for drawing in DRAWINGS[face] if use_of(drawing) is use)
    return found or _pool(face, Use.TRAINING)


POOLS: dict[Use, dict[FaceName, tuple[str, ...]]] = {use: {face: _pool(face, use) for face in ARTISTS} for use in Use}
"""For each use and face, the drawings."""


def draw(drawing: str, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """The face that `drawing` names, in that style; a generator in the same state draws the same face.

    Raises NoSuchDrawing.
    """
    return printed(ARTISTS[face_of(drawing)][drawing.partition("/")[2]], style, size, rng)


def printed(artist: Artist, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """What an artist draws, printed in that style on the style's body, size x size."""
    sheet = Sheet(size * _fineness(size))
    artist(sheet, style, rng)
    if style.wobble:
        sheet.moved(*_wobbled(style.wobble, rng))
    return _pressed(sheet.shrunk(size), body(style.body, style.material, size, rng), style, rng)


def random_style(
    face: FaceName, rng: np.random.Generator, use: Use = Use.TRAINING, like: Style | None = None
) -> tuple[str, Style]:
    """A drawing of the face and a style to draw it in, of those for that use.

    With `like` the face gets that style's body, as the other sides of the same die do.
    """
    pool = POOLS[use][face]
    composed = tuple(name for name in pool if "+" in name)
    if composed and len(composed) < len(pool):
        pool = composed if rng.random() < COMPOSED else tuple(name for name in pool if "+" not in name)
    odds = np.array([_often(face, name.partition("/")[2]) for name in pool])
    drawing = str(rng.choice(pool, p=odds / odds.sum()))
    return drawing, random_look(drawing, rng, use, like)


def _often(face: FaceName, variant: str) -> float:
    return composed_faces.often(face, variant) if "+" in variant else _OFTEN.get(variant, 1.0)


def _fineness(size: int) -> int:
    return 4 if size <= 64 else 3 if size <= 128 else 2


def _wobbled(wobble: float, rng: np.random.Generator) -> tuple[float, float, tuple[float, float]]:
    turn, grow, *shift = rng.normal(0.0, 1.0, 4).clip(-2, 2).tolist()
    return 4.0 * turn * wobble, 1.0 + 0.03 * grow * wobble, (0.015 * shift[0] * wobble, 0.015 * shift[1] * wobble)


def _pressed(ink: Pixels, ground: Pixels, style: Style, rng: np.random.Generator) -> FaceArt:
    size = len(ground)
    print_, cover = ink[..., :3].astype(np.float32), ink[..., 3].astype(np.float32) / 255
    if style.wear:
        kept = 1.0 - style.wear * np.clip(3.0 * clouds(size, (9, 9), rng) - 1.6, 0.0, 1.0)
        print_, cover = print_ * kept[..., None], cover * kept
    pixels = ground * (1.0 - cover[..., None]) + print_
    relief = cv2.GaussianBlur(cover * style.depth, (0, 0), max(_RELIEF_SPREAD * size, 0.3)).astype(np.float32)
    return FaceArt(np.clip(pixels, 0, 255).astype(np.uint8), relief)
