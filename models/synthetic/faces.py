"""Draw every face that the reader knows, in several drawings, and the styles of the dice of the virtual tray."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic import glyphs, numerals
from models.synthetic.canvas import Canvas, Colour, Material, Pixels, Style, Use, bgr
from models.synthetic.palette import body, clouds, random_face_style
from models.synthetic.signs import BLOCKS, BOLTS, GO, PANELS, SLOW, STARS, STOP, SWITCHES
from referee.dice import FaceName, KindName, NoSuchFace
from referee.sentences import say

# The styles of the virtual tray's dice: three for every kind, the first the easiest to read


_WHITE, _IVORY, _BLACK, _INK = bgr("#f4f4f1"), bgr("#ede3c9"), bgr("#1b1b1f"), bgr("#151518")
_GOLD, _YELLOW, _SKY, _PAPER = bgr("#e0a010"), bgr("#ffd02e"), bgr("#5aa9ea"), bgr("#fafaf6")
_GREEN, _AMBER, _RED, _BLUE = bgr("#149a48"), bgr("#f5a714"), bgr("#d01f2b"), bgr("#1c56b8")
_PANEL_YELLOW, _LEMON, _PURPLE = bgr("#f5d31c"), bgr("#fff04a"), bgr("#5b2a86")

STYLE_COUNT = 3
_NUMERALS = "bold"


@dataclass(frozen=True)
class _Face:
    """One face: the drawing's variant, and what differs from the die's own style."""

    variant: str
    ink: Colour | None = None
    accent: Colour | None = None
    size: float = 1.0
    weight: float = 1.0


@dataclass(frozen=True)
class _Die:
    """One die: its body, its ink, and the art of each face; `others` is the variant of faces not listed."""

    name: str
    body: Colour
    ink: Colour
    faces: dict[str, _Face] = field(default_factory=dict)
    others: str = "round"
    material: Material = Material.PLAIN
    depth: float = 0.7


def _moods(happy: str, sad: str) -> dict[str, _Face]:
    return {
        "happy": _Face(happy, _YELLOW, _INK),
        "sad": _Face(sad, _SKY, _INK),
        "star": _Face("filled", _GOLD, _PAPER),
    }


def _numbers(variant: str) -> dict[str, _Face]:
    return {face: _Face(variant) for face in ("two", "three", "four")}


def _signals(go: str, slow: str, stop: str) -> dict[str, _Face]:
    return {
        "go": _Face(go, _GREEN, _PAPER),
        "slow": _Face(slow, _AMBER, _INK),
        "stop": _Face(stop, _RED, _PAPER),
    }


def _panels(variant: str) -> dict[str, _Face]:
    return {
        "green": _Face(variant, _GREEN, _PAPER),
        "yellow": _Face(variant, _PANEL_YELLOW, _INK),
        "red": _Face(variant, _RED, _PAPER),
    }


def _switches(switch: str, block: str) -> dict[str, _Face]:
    return {
        "green-switch": _Face(switch, _GREEN, _PAPER),
        "red-switch": _Face(switch, _RED, _PAPER),
        "block": _Face(block, _BLUE, _PAPER),
        "blank": _Face("plain"),
    }


def _bare(face: str, variant: str, ink: Colour, accent: Colour) -> dict[str, _Face]:
    return {face: _Face(variant, ink, accent)}


_BOTTLE = bgr("#2f8f4e")
_KINDS: dict[str, tuple[_Die, _Die, _Die]] = {
    "d6": (
        _Die("white", _WHITE, _INK),
        _Die("red", bgr("#b81c28"), _PAPER, material=Material.TRANSLUCENT),
        _Die("ivory", _IVORY, _INK, {"pip-1": _Face("red", None, _RED), "pip-4": _Face("red", None, _RED)}),
    ),
    "traffic": (
        _Die("white", _WHITE, _INK, _moods("disc", "disc") | _numbers("bold"), depth=0.2),
        _Die("black", _BLACK, _PAPER, _moods("blushing", "tearful") | _numbers("round-pips"), depth=0.4),
        _Die("ivory", _IVORY, bgr("#20304e"), {
            "happy": _Face("bare"), "sad": _Face("bare"), "star": _Face("outlined"), **_numbers("digit-and-word"),
        }),
    ),
    "signal": (
        _Die("white", _WHITE, _INK, _signals("disc", "disc", "octagon-word"), depth=0.2),
        _Die("black", _BLACK, _PAPER, _signals("disc-word", "disc-word", "octagon-word"), depth=0.2),
        _Die("ivory", _IVORY, _INK, _signals("lamps", "lamps", "lamps"), depth=0.2),
    ),
    "tossup": (
        _Die("white", _WHITE, _INK, _panels("panel"), depth=0.15),
        _Die("ivory", _IVORY, _INK, _panels("rounded"), depth=0.15),
        _Die("white", _WHITE, _INK, _panels("disc"), depth=0.4),
    ),
    "rollers-purple": (
        _Die("purple", _PURPLE, _PAPER, _bare("star", "filled", _PAPER, _PAPER)),
        _Die("green", _BOTTLE, _PAPER, _bare("star", "rounded", _LEMON, _INK)),
        _Die("violet", bgr("#7440a8"), _LEMON, _bare("star", "filled", _LEMON, _INK), material=Material.MARBLED),
    ),
    "rollers-black": (
        _Die("black", _BLACK, _PAPER, _bare("zap", "classic", _LEMON, _PAPER)),
        _Die("red", bgr("#b3202c"), _PAPER, _bare("zap", "broad", _LEMON, _PAPER)),
        _Die("black", _BLACK, _LEMON, _bare("zap", "outlined", _LEMON, _PAPER), material=Material.SPECKLED),
    ),
    "switch": (
        _Die("white", _WHITE, _INK, _switches("swap", "panel"), depth=0.15),
        _Die("ivory", _IVORY, _INK, _switches("panel-swap", "crossed"), depth=0.15),
        _Die("white", _WHITE, _INK, _switches("circle", "word"), depth=0.15),
    ),
}  # fmt: skip


def art_for(kind: KindName, face: FaceName, number: int = 0) -> tuple[str, Style]:
    """Return the drawing and style of one face of a kind's die.

    `number` is that of the die's style, from 0, modulo STYLE_COUNT. Raises NoSuchFace for an unknown kind.
    """
    if kind not in _KINDS:
        raise NoSuchFace(
            say(
                "no art is drawn for dice of kind {kind}; there is art for {known}",
                kind=repr(kind),
                known=", ".join(_KINDS),
            )
        )
    die = _KINDS[kind][number % STYLE_COUNT]
    art = die.faces.get(face, _Face(_NUMERALS if face.startswith("digit-") else die.others))
    style = Style(die.name, die.body, die.ink, die.ink, die.material, depth=die.depth)
    return f"{face}/{art.variant}", replace(
        style, ink=art.ink or die.ink, accent=art.accent or die.ink, size=art.size, weight=art.weight
    )


# Draw every face that the reader knows, in several drawings
#
# A drawing's name is its face and its variant, `happy/disc`. Some drawings and body colours are held out of training
# (`use_of`), so that a reader can be scored on art that it has never seen.


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
    "ink_of",
    "print_face",
    "print_on_body",
    "random_style",
]

Artist = Callable[[Canvas, Style, np.random.Generator], None]
Relief = npt.NDArray[np.float32]


class NoSuchDrawing(LookupError):
    """There is no drawing of that name; the message says which there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class FaceArt:
    """A drawn face from edge to edge; the first row is its top.

    pixels: uint8, (size, size, 3), BGR. relief: float32, (size, size), 0 on the body to 1 at the deepest engraving.
    """

    pixels: Pixels
    relief: Relief


def _draw_nothing(_canvas: Canvas, _style: Style, _rng: np.random.Generator) -> None:
    return


def _pips(count: int) -> dict[str, Artist]:
    red: dict[str, Artist] = {"red": partial(numerals.draw_red_pips, count)} if count in (1, 4) else {}
    return {shape: partial(numerals.draw_pips, count, shape) for shape in numerals.PIPS} | red


def _digits(count: int) -> dict[str, Artist]:
    digit_styles = [
        digit_style
        for digit_style in numerals.DIGIT_STYLES
        if count == 6 or digit_style not in ("underlined", "dotted")
    ]
    return {digit_style: partial(numerals.draw_digit, count, digit_style) for digit_style in digit_styles}


_TRAFFIC_PIPS = ("round", "ring", "square", "target")
_TRAFFIC_HANDS = ("simplex", "duplex", "complex", "triplex", "stroke", "bold", "outlined", "seven-segment", "angular")


def _number(count: int) -> dict[str, Artist]:
    pips: dict[str, Artist] = {f"{shape}-pips": partial(numerals.draw_pips, count, shape) for shape in _TRAFFIC_PIPS}
    digits: dict[str, Artist] = {
        digit_style: partial(numerals.draw_digit, count, digit_style) for digit_style in _TRAFFIC_HANDS
    }
    signs: dict[str, Artist] = {
        "word": partial(numerals.draw_word, count),
        "digit-and-word": partial(numerals.draw_digit_and_word, count),
        "plate": partial(numerals.draw_digit_on_plate, count),
    }
    return pips | digits | signs


def _mood(mood: numerals.Mood) -> dict[str, Artist]:
    heads = numerals.SMILEYS | (numerals.HAPPY_ONLY if mood is numerals.Mood.HAPPY else numerals.SAD_ONLY)
    return {name: partial(head, mood) for name, head in heads.items()}


_BLANKS: dict[str, Artist] = {material.value: _draw_nothing for material in Material}

_SINGLE: dict[FaceName, dict[str, Artist]] = {
    **{FaceName(f"pip-{count}"): _pips(count) for count in range(1, 7)},
    **{FaceName(f"digit-{count}"): _digits(count) for count in range(1, 7)},
    FaceName("happy"): _mood(numerals.Mood.HAPPY),
    FaceName("star"): STARS,
    FaceName("sad"): _mood(numerals.Mood.SAD),
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
    face: single | glyphs.COMPOSITIONS.get(face, {}) for face, single in _SINGLE.items()
}

_PIPS_HELD, _HANDS_HELD = ("target", "hexagon"), ("angular", "triplex")
_NUMBER_HELD = ("target-pips", "angular", "triplex", "plate")
_CHOSEN_ON = frozenset(
    {"target", "triplex", "target-pips", "square", "faceted", "jagged", "panel-circle", "shield-disc"}
)
"""Of the single drawings that are not trained on, those for choosing; the others are for scoring."""
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
"""Every drawing of each face."""

COMPOSED = 0.65
"""Share of faces that are composed of a plate and a glyph, where they can be."""

# Relative frequency of drawings, else 1: training mostly shows what most real dice have.
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
    """Return the face of a drawing. Raises NoSuchDrawing."""
    face, _, variant = drawing.partition("/")
    if variant not in ARTISTS.get(FaceName(face), {}):
        raise NoSuchDrawing(f"there is no drawing {drawing!r}; write face/variant, for example happy/disc")
    return FaceName(face)


def use_of(drawing: str) -> Use:
    """Return the use of a drawing. Raises NoSuchDrawing."""
    face, variant = face_of(drawing), drawing.partition("/")[2]
    if "+" in variant:
        return glyphs.use_of(face, variant)
    if variant not in _VARIANTS_HELD[face]:
        return Use.TRAINING
    return Use.CHOOSING if variant in _CHOSEN_ON else Use.SCORING


def _pool(face: FaceName, use: Use) -> tuple[str, ...]:
    """Return the drawings of a face for a use; those for training if it has none."""
    found = tuple(drawing for drawing in DRAWINGS[face] if use_of(drawing) is use)
    return found or _pool(face, Use.TRAINING)


POOLS: dict[Use, dict[FaceName, tuple[str, ...]]] = {use: {face: _pool(face, use) for face in ARTISTS} for use in Use}
"""The drawings by use and face."""


def draw(drawing: str, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """Draw a face in a style, reproducible by the generator's state. Raises NoSuchDrawing."""
    return print_face(ARTISTS[face_of(drawing)][drawing.partition("/")[2]], style, size, rng)


def print_face(artist: Artist, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """Return what an artist draws, printed in a style on the style's body, (size, size)."""
    ink = ink_of(artist, style, size, rng)
    return print_on_body(ink, body(style.body, style.material, size, rng), style, rng)


def ink_of(artist: Artist, style: Style, size: int, rng: np.random.Generator) -> Pixels:
    """Return what an artist draws, (size, size, 4): premultiplied BGR, and the coverage."""
    canvas = Canvas(size * (4 if size <= 64 else 3 if size <= 128 else 2))
    artist(canvas, style, rng)
    if style.wobble:
        canvas.transform(*_random_transform(style.wobble, rng))
    return canvas.downscaled(size)


def random_style(
    face: FaceName, rng: np.random.Generator, use: Use = Use.TRAINING, like: Style | None = None
) -> tuple[str, Style]:
    """Return a random drawing of a face and a random style, of those for a use.

    With `like` the face has that style's body, as the other sides of the same die do.
    """
    pool = POOLS[use][face]
    composed = tuple(name for name in pool if "+" in name)
    if composed and len(composed) < len(pool):
        pool = composed if rng.random() < COMPOSED else tuple(name for name in pool if "+" not in name)
    odds = np.array([_relative_frequency(face, name.partition("/")[2]) for name in pool])
    drawing = str(rng.choice(pool, p=odds / odds.sum()))
    return drawing, random_face_style(drawing, rng, use, like)


def _relative_frequency(face: FaceName, variant: str) -> float:
    return glyphs.relative_frequency(face, variant) if "+" in variant else _OFTEN.get(variant, 1.0)


def _random_transform(wobble: float, rng: np.random.Generator) -> tuple[float, float, tuple[float, float]]:
    turn, grow, *shift = rng.normal(0.0, 1.0, 4).clip(-2, 2).tolist()
    return 4.0 * turn * wobble, 1.0 + 0.03 * grow * wobble, (0.015 * shift[0] * wobble, 0.015 * shift[1] * wobble)


def print_on_body(ink: Pixels, ground: Pixels, style: Style, rng: np.random.Generator) -> FaceArt:
    """Return an ink (premultiplied BGR and coverage) printed on a body, worn and engraved as the style says."""
    size = len(ground)
    print_, cover = ink[..., :3].astype(np.float32), ink[..., 3].astype(np.float32) / 255
    if style.wear:
        kept = 1.0 - style.wear * np.clip(3.0 * clouds(size, (9, 9), rng) - 1.6, 0.0, 1.0)
        print_, cover = print_ * kept[..., None], cover * kept
    pixels = ground * (1.0 - cover[..., None]) + print_
    relief = cv2.GaussianBlur(cover * style.depth, (0, 0), max(_RELIEF_SPREAD * size, 0.3)).astype(np.float32)
    return FaceArt(np.clip(pixels, 0, 255).astype(np.uint8), relief)
