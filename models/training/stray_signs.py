"""Signs that belong to no set: letters, arrows, minus, runes, suits, animals. The second look learns to reject them.

A sign is named by its character or by the number of its random strokes. Its use follows from a checksum of that name,
so that nobody could pick signs by their results; `models.synthetic.novel_symbols` are never among them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from zlib import crc32

import cv2
import matplotlib.ft2font
import numpy as np

from models.synthetic.canvas import Canvas, Pixels
from models.synthetic.face_style import Use
from models.training.font_masks import FACES, FOLDER, SIGNS, text_mask
from referee.dice import FaceName

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


def use_of(name: str) -> Use:
    """Return the use of a sign or a font by the checksum of its name."""
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
    """Return the signs of a use by name."""
    named: dict[str, Sign] = {f"rune-{number}": partial(_rune, number) for number in range(_RUNES)}
    named |= {f"beast-{number}": partial(_beast, number) for number in range(_RUNES)}
    named |= {f"blot-{number}": partial(_blot, number) for number in range(_RUNES // 2)}
    known = matplotlib.ft2font.FT2Font(str(FOLDER / f"{SIGNS}.ttf")).get_charmap()
    there = "".join((_LETTERS, _SUITS, _CHESS, _ARROWS, _PICTURES, _ZODIAC, _GREEK, _OTHERS, _MARKS))
    named |= {f"sign-{ord(c):x}": partial(_character, c, use) for c in there if ord(c) in known}
    named |= {f"word-{word}": partial(_character, word, use) for word in _WORDS}
    return {FaceName(name): sign for name, sign in named.items() if use_of(name) is use}
