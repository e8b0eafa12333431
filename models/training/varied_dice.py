"""Dice that are hard to read, for the second look: more lettering, inks of metal, fancy bodies, worn and faint paint.

Some of their faces are signs that belong to no set, of class `none`.
"""

from __future__ import annotations

from dataclasses import replace

from models.synthetic.canvas import Canvas, Colour, contrast, luma, mix
from models.synthetic.composed_faces import BARE, use_of
from models.synthetic.face_style import Style, Use
from models.synthetic.faces import ARTISTS, Artist, FaceArt, ink_of, print_on_body, random_style
from models.synthetic.fancy_finishes import METALS, fancy_body, metallic
from models.synthetic.materials import body
from models.synthetic.palette import BLACK, WHITE, random_face_style
from models.synthetic.plates import PLATES
from models.training.font_masks import text_mask
from models.training.stray_signs import fonts, signs
from models.training.texture_atlas import (
    TILE,
    DieAtlas,
    Rng,
    arrange,
    class_of,
    random_sides,
    shade,
)
from referee.dice import FaceName, KindName

FOREIGN = KindName("foreign")
"""The kind of dice with signs that belong to no set."""

_KINDS: dict[str, float] = {"d6": 0.17, "digits": 0.2, "traffic": 0.14, "signal": 0.08, "tossup": 0.03,
                            "rollers-purple": 0.06, "rollers-black": 0.05, "switch": 0.07, FOREIGN: 0.2}  # fmt: skip
_FANCY_BODY, _METAL, _FAINT, _WORN = 0.45, 0.3, 0.3, 0.3
"""Shares of dice with a fancy body, an ink of metal, a faint ink, worn paint."""
_DIGITS_SET, _NUMBERS_SET, _WORDS_SET = 0.7, 0.6, 0.3
"""Shares of digits, of numbers that may be words, and of signs that are set in a font rather than drawn."""
_MIN_CONTRAST = 26.0
_SIGN_WORDS = {"go": ("GO", "Go", "GO!"), "slow": ("SLOW", "Slow"), "stop": ("STOP", "Stop"), "zap": ("ZAP", "ZAP!"),
               "block": ("BLOCK", "Block"), "green-switch": ("SWITCH", "Switch", "SWAP"),
               "red-switch": ("SWITCH", "Switch", "SWAP"), "two": ("TWO", "Two", "two"),
               "three": ("THREE", "Three", "three"), "four": ("FOUR", "Four", "four")}  # fmt: skip
_MARKED, _BARE_SHARE = FaceName("digit-1"), 0.45
_COLOURED = frozenset(("go", "slow", "stop", "green", "yellow", "red", "green-switch", "red-switch", "block"))
_NUMBERS = ("two", "three", "four")


def varied_dice(rng: Rng, count: int, use: Use = Use.TRAINING) -> list[DieAtlas]:
    """Return random dice of the kinds that games have, and foreign ones, in the fonts and signs of that use."""
    kinds = rng.choice(list(_KINDS), count, p=list(_KINDS.values()))
    return [_varied_die(str(kind), rng, use) for kind in kinds]


def foreign_dice(rng: Rng, count: int, use: Use) -> list[DieAtlas]:
    """Return dice all of whose faces are signs of no set."""
    return [_varied_die(FOREIGN, rng, use) for _ in range(count)]


def _varied_die(kind: str, rng: Rng, use: Use) -> DieAtlas:
    finish = _Finish(rng)
    if kind == FOREIGN:
        named = _foreign_sides(rng, use)
    else:
        named = [(str(side), *_drawing_of(str(side), rng, use)) for side in random_sides(KindName(kind), rng)]
    first = random_face_style(named[0][1], rng, use, None)
    tiles = []
    for face, drawing, artist in named:
        style = random_face_style(drawing, rng, use, first)
        if face in _COLOURED and rng.random() < 0.7:
            style = random_face_style(drawing, rng, use, None)
        tiles.append(shade(finish.print(artist, style, is_coloured=face in _COLOURED), rng))
    classes = tuple("none" if kind == FOREIGN else class_of(drawing) for _, drawing, _ in named)
    drawings = tuple(drawing for _, drawing, _ in named)
    return DieAtlas(KindName("d6" if kind == "digits" else kind), arrange(tiles, rng), classes, drawings)


def _foreign_sides(rng: Rng, use: Use) -> list[tuple[str, str, Artist]]:
    """Return six foreign signs on one plate style, each as (name, drawing, artist)."""
    names = list(signs(use))
    plate = _plate(_MARKED, rng, use)
    chosen = [names[k] for k in rng.choice(len(names), 6, replace=False)]
    return [(str(name), f"{name}/{plate}", _stamped(plate, signs(use)[name])) for name in chosen]


def _stamped(plate: str, mask_of: object) -> Artist:
    def drawn(canvas: Canvas, style: Style, rng: Rng) -> None:
        area = PLATES[plate](canvas, style, rng)
        squeeze = rng.uniform(0.8, 1.0, 2)
        half = (area.half[0] * float(squeeze[0]), area.half[1] * float(squeeze[1]))
        canvas.stamp(mask_of(rng), area.at, half, area.ink)  # type: ignore[operator]

    return drawn


def _drawing_of(face: str, rng: Rng, use: Use) -> tuple[str, Artist]:
    """Return a face in a font, or in one of the drawings of the use."""
    text = _text_of(face, rng)
    if text is not None:
        plate = _plate(FaceName(face), rng, use)
        font = str(rng.choice(fonts(use)))
        glyph = "word" if text[0].isalpha() else "numeral"
        return f"{face}/{plate}+{glyph}", _stamped(plate, lambda _rng: text_mask(text, font))
    drawing, _ = random_style(FaceName(face), rng, use)
    return drawing, ARTISTS[FaceName(face)][drawing.partition("/")[2]]


def _plate(face: FaceName, rng: Rng, use: Use) -> str:
    """Return no plate, or one on which neither numerals nor words are held out; foreign signs have the same plates."""
    if rng.random() < _BARE_SHARE:
        return BARE
    glyph = "numeral" if face.startswith("digit-") else "word"
    return str(rng.choice([p for p in PLATES if use is not Use.TRAINING or use_of(face, f"{p}+{glyph}") is use]))


def _text_of(face: str, rng: Rng) -> str | None:
    """Return what to set in a font for a face, or None to draw it."""
    if face.startswith("digit-"):
        return face[-1] if rng.random() < _DIGITS_SET else None
    if rng.random() > (_NUMBERS_SET if face in _NUMBERS else _WORDS_SET):
        return None
    if face in _NUMBERS and rng.random() < 0.6:
        return str(_NUMBERS.index(face) + 2)
    return str(rng.choice(_SIGN_WORDS[face])) if face in _SIGN_WORDS else None


class _Finish:
    """How all faces of one die are printed."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._fancy = rng.random() < _FANCY_BODY
        self._metal = METALS[int(rng.integers(len(METALS)))] if rng.random() < _METAL else None
        self._faint = float(rng.uniform(0.2, 0.7)) if rng.random() < _FAINT else 0.0
        self._wear = float(rng.uniform(0.3, 0.95)) if rng.random() < _WORN else 0.0

    def print(self, artist: Artist, style: Style, *, is_coloured: bool) -> FaceArt:
        """Return what an artist draws in this finish, TILE pixels a side."""
        inked = replace(self._inked(style, is_coloured), wear=max(style.wear, self._wear))
        ground = fancy_body(style.body, TILE, self._rng) if self._fancy else body(
            style.body, style.material, TILE, self._rng)  # fmt: skip
        ink = ink_of(artist, inked, TILE, self._rng)
        if self._metal is not None and not is_coloured:
            ink = metallic(ink, self._rng)
        return print_on_body(ink, ground, inked, self._rng)

    def _inked(self, style: Style, is_coloured: bool) -> Style:
        """Return the style in metal, or fainter, as long as the drawing can still be seen."""
        ink = style.ink
        if self._metal is not None and not is_coloured:
            ink = _seen_on(style.body, self._metal)
        if self._faint:
            faint = mix(ink, style.body, self._faint)
            ink = faint if contrast(faint, style.body) >= _MIN_CONTRAST else ink
        accent = style.body if style.accent == style.body else _seen_on(ink, style.accent)
        return replace(style, ink=ink, accent=accent)


def _seen_on(ground: Colour, ink: Colour) -> Colour:
    if contrast(ink, ground) >= _MIN_CONTRAST:
        return ink
    return mix(WHITE if luma(ground) < 128 else BLACK, ink, 0.4)
