"""Dice that are hard to read, for the second look: more lettering, inks of metal, fancy bodies, worn and faint paint.

Some of their faces are signs that belong to no set, of class `none`. A sign is named by its character or by the number
of its random strokes; `models.synthetic.novel_symbols` are never among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from zlib import crc32

import cv2
import matplotlib
import matplotlib.ft2font
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from models.synthetic.canvas import Canvas, Colour, Pixels, Style, Use, contrast, luma, mix
from models.synthetic.faces import ARTISTS, Artist, FaceArt, ink_of, print_on_body, random_style
from models.synthetic.glyphs import BARE, use_of
from models.synthetic.palette import BLACK, METALS, PLATES, WHITE, body, fancy_body, metallic, random_face_style
from models.training.texture_atlas import TILE, DieAtlas, Rng, arrange, class_of, random_sides, shade
from referee.dice import FaceName, KindName

# Masks of letters, numerals and signs in free fonts that matplotlib brings: DejaVu, STIX and Computer Modern


FOLDER = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
FACES = (
    *(f"DejaVuSans{cut}" for cut in ("", "-Bold", "-Oblique", "-BoldOblique")),
    *(f"DejaVuSansMono{cut}" for cut in ("", "-Bold", "-Oblique", "-BoldOblique")),
    *(f"DejaVuSerif{cut}" for cut in ("", "-Bold", "-Italic", "-BoldItalic")),
    *(f"STIXGeneral{cut}" for cut in ("", "Bol", "Italic", "BolIta")),
    *("cmb10", "cmr10", "cmss10", "cmti10", "cmtt10"),
)
"""The fonts that have letters and digits, by file name."""
SIGNS = "DejaVuSans"
"""The font with most signs."""

_TALL = 120.0
_PAD = 3


@lru_cache(maxsize=2048)
def text_mask(text: str, face: str) -> Pixels:
    """Return a text in one of FACES as a mask (uint8, 255 for ink), cropped to the ink."""
    path = TextPath((0, 0), text, size=_TALL, prop=FontProperties(fname=str(FOLDER / f"{face}.ttf")))
    outlines = [np.asarray(outline, np.float64) for outline in path.to_polygons(closed_only=True)]
    points = np.concatenate(outlines)
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = np.ceil(high - low).astype(int) + 2 * _PAD
    mask = np.zeros((tall, wide), np.uint8)
    flipped = [((outline - (low[0], high[1])) * (1, -1) + _PAD) * 16 for outline in outlines]
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32) for outline in flipped], (255,), cv2.LINE_8, 4)
    left, top, wide, high_px = cv2.boundingRect(mask)
    return np.ascontiguousarray(mask[top : top + high_px, left : left + wide])


# Signs that belong to no set: letters, arrows, minus, runes, suits, animals


Sign = Callable[[np.random.Generator], Pixels]
"""Return the sign as a mask (uint8, 255 for ink), cropped to the ink."""

_TAKEN = frozenset("123456IlSsZzbGgqpyO0oQDCXxUVTJ")
"""Characters that look like a digit, a circle or a cross, some of them when turned."""
_LETTERS = "".join(c for c in "ABCDEFGHJKLMNPRTUVWYabcdefghjkmnrtuvw78&#%@?$=~<>^*+/" if c not in _TAKEN)
_SUITS, _CHESS = "♠♣♥♦♤♧♡♢", "♔♕♖♗♘♙♚♛♜♝♞♟"
_ARROWS = "←↑↖↗↔↕↞↟↢↤↥↩↯↰↱⇐⇑⇔⇕⇖⇗⇚⇜⇠⇡⇤⇦⇧⇪⟵⟷➔➘➙➛➜➝➞➟➠➢➤➥➨➳➵➸➼"
_PICTURES = "☁☂☃☄☊☋☍☎☏☘☙☠☢☣☤☥☦☧☨☩☪☫☬☭☮☯♨♩♪♫♬♿⚒⚓⚔⚕⚖⚗⚘⚙⚚⚛✁✂✆✇✈✉✎✏✐✑✒✟❀❁❂❃❄❅❆❇❧❦✿✾✽⌂⌘⌛⌥⌨⎈⏎"
_ZODIAC = "♈♉♊♋♌♍♎♏♐♑♒♓☿♀♁♂♃♄♅♆♇"
_GREEK = "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθλμξπσφχψω"
_OTHERS = "ЖЉЊФЦЩЮЯЂБДאבגדהטכלמנפצקשתႠႡႢႣႤႥႦႧⴰⴱⴳⴷⴹⴼⴽⵀⵃⵄⵅⵇⵉⵊⵍⵎⵏⵓⵔⵖⵙⵛⵜⵟⵡⵢⵣⵥԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿ"
_MARKS = "−±∞∑∏∫√∂∇∈∉∩∪∴∵≈≠≡≤≥⊂⊃⊕⊖⊗⊙⊞⊟⊢⊣⊤⊥⋈⋮⋯¶§¤¥£€¢¿¡®©™°"  # noqa: RUF001
_WORDS = (
    *("LOSE", "SKIP", "NO", "YES", "WIN", "ROLL", "DRAW", "PASS", "HIT", "MISS", "END", "WILD", "JOKER", "BANK"),
    *("DOUBLE", "AGAIN", "TURN", "BONUS", "BUST", "HOT", "COLD", "BAM", "POW", "OUT", "IN", "UP", "NINE", "TEN"),
    *("EIGHT", "SEVEN", "ZERO", "10", "12", "20", "00", "7", "8", "+1", "-1", "x2", "Lv", "HP", "XP", "VP"),
)
_RUNES = 240
_HELD_OUT = 4
"""A quarter of the signs is held out of training; half of that is for choosing."""


def _use_of_sign(name: str) -> Use:
    """Return the use of a sign by the checksum of its name, so that nobody could pick signs by their results."""
    checksum = crc32(name.encode())
    if checksum % _HELD_OUT:
        return Use.TRAINING
    return Use.CHOOSING if checksum // _HELD_OUT % 2 else Use.SCORING


@cache
def fonts(use: Use) -> tuple[str, ...]:
    """Return the fonts of a use: those of a family, upright or oblique, bold or not, belong together."""
    return tuple(face for face in FACES if _use_of_font(face) is use)


def _use_of_font(face: str) -> Use:
    """Return the use of a font: one family is to choose on, one to score on, and all others to train on."""
    if face.startswith("STIX"):
        return Use.CHOOSING
    return Use.SCORING if face.startswith("DejaVuSerif") else Use.TRAINING


def _character(character: str, use: Use, rng: np.random.Generator) -> Pixels:
    face = str(rng.choice(fonts(use))) if character.isascii() else SIGNS
    mask = text_mask(character, face)
    return mask if character.isascii() or rng.random() < 0.5 else _bolder(mask, rng)


def _bolder(mask: Pixels, rng: np.random.Generator) -> Pixels:
    reach = int(rng.integers(2, 9))
    around = cv2.copyMakeBorder(mask, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.dilate(around, np.ones((reach, reach), np.uint8)), np.uint8)


def _rune(number: int, _rng: np.random.Generator) -> Pixels:
    """Return the rune of a number: a stem or two, with slanting twigs, the same whenever it is drawn."""
    strokes = np.random.default_rng([20, number])
    width = 0.08 + 0.07 * strokes.random()
    canvas = Canvas(160)
    stems = (-0.25, 0.25) if strokes.random() < 0.35 else (float(strokes.choice((-0.2, 0.0, 0.2))),)
    for x in stems:
        canvas.line([(x, -0.42), (x, 0.42)], width, (255, 255, 255))
    for _ in range(int(strokes.integers(1, 4))):
        x, side = float(strokes.choice(stems)), float(strokes.choice((-1, 1)))
        y, fall = strokes.uniform(-0.4, 0.2), strokes.uniform(-0.35, 0.35)
        canvas.line([(x, y), (x + 0.3 * side, y + fall)], width, (255, 255, 255))
    return _cropped(canvas)


def _beast(number: int, _rng: np.random.Generator) -> Pixels:
    """Return the silhouette of an animal that there is not: a body, a head, legs, a tail, an eye."""
    shape = np.random.default_rng([21, number])
    canvas, ink = Canvas(160), (255, 255, 255)
    long, tall = shape.uniform(0.2, 0.32), shape.uniform(0.1, 0.2)
    canvas.disc(0, 0, long, ink, tall)
    head = (long * shape.uniform(0.8, 1.1), -tall * shape.uniform(0.3, 1.6))
    canvas.line([(0.5 * long, 0), head], shape.uniform(0.08, 0.16), ink)
    canvas.disc(*head, shape.uniform(0.08, 0.14), ink)
    for x in np.linspace(-0.8, 0.8, int(shape.integers(2, 5))) * long:
        canvas.line([(x, 0.3 * tall), (x + shape.uniform(-0.05, 0.05), 0.42)], shape.uniform(0.04, 0.09), ink)
    canvas.line([(-long, 0), (-long - 0.12, shape.uniform(-0.35, 0.2))], shape.uniform(0.03, 0.08), ink)
    canvas.disc(head[0] + 0.02, head[1] - 0.03, 0.025, None)
    return _cropped(canvas)


def _blot(number: int, _rng: np.random.Generator) -> Pixels:
    """Return a random blot with holes, as an unknown emblem."""
    shape = np.random.default_rng([22, number])
    field = cv2.GaussianBlur(shape.normal(size=(160, 160)).astype(np.float32), (0, 0), shape.uniform(8, 22))
    y, x = np.mgrid[-1:1:160j, -1:1:160j]
    inside = field / field.std() + 1.6 - 2.6 * (x * x + y * y) > shape.uniform(0.0, 0.7)
    mask = np.where(inside, 255, 0).astype(np.uint8)
    if shape.random() < 0.5:
        mask = np.maximum(mask, mask[:, ::-1])
    return _trimmed(mask)


def _cropped(canvas: Canvas) -> Pixels:
    return _trimmed(np.ascontiguousarray(canvas.paint[..., 3]))


def _trimmed(mask: Pixels) -> Pixels:
    left, top, wide, high = cv2.boundingRect(mask)
    return np.ascontiguousarray(mask[top : top + high, left : left + wide])


@cache
def signs(use: Use) -> dict[FaceName, Sign]:
    named: dict[str, Sign] = {f"rune-{number}": partial(_rune, number) for number in range(_RUNES)}
    named |= {f"beast-{number}": partial(_beast, number) for number in range(_RUNES)}
    named |= {f"blot-{number}": partial(_blot, number) for number in range(_RUNES // 2)}
    known = matplotlib.ft2font.FT2Font(str(FOLDER / f"{SIGNS}.ttf")).get_charmap()
    there = "".join((_LETTERS, _SUITS, _CHESS, _ARROWS, _PICTURES, _ZODIAC, _GREEK, _OTHERS, _MARKS))
    named |= {f"sign-{ord(c):x}": partial(_character, c, use) for c in there if ord(c) in known}
    named |= {f"word-{word}": partial(_character, word, use) for word in _WORDS}
    return {FaceName(name): sign for name, sign in named.items() if _use_of_sign(name) is use}


# The dice


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
