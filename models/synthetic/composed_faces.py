"""Compose faces of a plate and a glyph, `octagon+hand`: many more drawings than one would draw by hand.

Which pairs are held out for choosing or scoring follows from a checksum of their names (`use_of`), so that nobody could
pick them by their results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from zlib import crc32

import numpy as np

from models.synthetic.canvas import Canvas
from models.synthetic.emblem_glyphs import BLOCK_GLYPHS, BOLT_GLYPHS, STAR_GLYPHS, SWITCH_GLYPHS
from models.synthetic.face_style import Style, Use
from models.synthetic.glyphs import Glyph, nothing, number_words, numerals
from models.synthetic.lettering import LETTERINGS
from models.synthetic.plates import PLATES, Plate
from models.synthetic.signal_glyphs import GO_GLYPHS, SLOW_GLYPHS, STOP_GLYPHS
from referee.dice import FaceName

Artist = Callable[[Canvas, Style, np.random.Generator], None]

BARE = "bare"
_SIXTH = 6
_SQUARE, _DISC = frozenset({"panel", "rounded"}), frozenset({"disc"})
_ROOMY = frozenset(PLATES) - {"triangle", "pennant", "diamond", "pentagon", "house"}
_SIGNS = frozenset(PLATES) - {"crest", "pennant", "arch", "house"}
_ANY = frozenset(PLATES)
_STOPS = frozenset({"octagon"})
"""Plates that mean stop whatever is on them."""
_SHOWN = frozenset(
    {"disc+word", "disc+bolt", "disc+straight", "panel+straight", "rounded+straight", "panel+letter", "rounded+letter"}
)
"""Pairs that resemble a single drawing in training, so that holding them out would test nothing."""


def _composed(plate: Plate, glyph: Glyph, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    glyph(canvas, plate(canvas, style, rng), style, rng)


def _pairs(glyphs: Mapping[str, Glyph], plates: Iterable[str], narrow: Iterable[str] = ("word",)) -> dict[str, Artist]:
    """Return every glyph on every plate; the `narrow` ones only on plates with enough room."""
    narrow = set(narrow)
    return {
        f"{plate}+{name}": partial(_composed, PLATES[plate], glyph)
        for name, glyph in glyphs.items()
        for plate in sorted(plates)
        if name not in narrow or plate in _ROOMY
    }


def _empty(*plates: str) -> dict[str, Artist]:
    return {f"{plate}+nothing": partial(_composed, PLATES[plate], nothing) for plate in plates}


def _numeral_pairs(count: int) -> dict[str, Artist]:
    return _pairs(numerals(count), _ANY, LETTERINGS[4:6])


def _number_pairs(count: int) -> dict[str, Artist]:
    return _numeral_pairs(count) | _pairs(number_words(count), _ROOMY)


def _stop_pairs() -> dict[str, Artist]:
    """Return the pairs for stop without the bare entry bar, which means nothing without a plate."""
    return {name: artist for name, artist in _pairs(STOP_GLYPHS, _SIGNS).items() if name != f"{BARE}+entry-bar"}


COMPOSITIONS: dict[FaceName, dict[str, Artist]] = {
    **{FaceName(f"digit-{count}"): _numeral_pairs(count) for count in range(1, 7)},
    FaceName("star"): _pairs(STAR_GLYPHS, _ANY),
    **{FaceName(name): _number_pairs(count) for count, name in ((2, "two"), (3, "three"), (4, "four"))},
    FaceName("go"): _pairs(GO_GLYPHS, _SIGNS),
    FaceName("slow"): _pairs(SLOW_GLYPHS, _SIGNS) | _empty("triangle", "diamond"),
    FaceName("stop"): _stop_pairs() | _empty("octagon"),
    FaceName("zap"): _pairs(BOLT_GLYPHS, _ANY),
    FaceName("green-switch"): _pairs(SWITCH_GLYPHS, _SIGNS - _STOPS),
    FaceName("red-switch"): _pairs(SWITCH_GLYPHS, _SIGNS - _STOPS),
    FaceName("block"): _pairs(BLOCK_GLYPHS, _SIGNS) | _empty("hexagon", "crest", "panel", "rounded"),
}
"""The compositions of each face that has any, by name."""


def relative_frequency(face: FaceName, variant: str) -> float:
    """Return the relative frequency of a composition among those of its face: bare glyphs and words are commonest."""
    plate, _, glyph = variant.partition("+")
    if plate == BARE:
        return 12.0 if face.startswith("digit-") else 4.0
    return 4.0 if glyph.endswith("word") else 1.0


def use_of(face: FaceName, variant: str) -> Use:
    """Return the use of a composition.

    A sixth of all pairs are held out of training by the CRC-32 of their name, the same for every face, and so are pairs
    that resemble a held-out single drawing, such as a word on a square plate. The checksum divides these between
    choosing and scoring.
    """
    plate, _, glyph = variant.partition("+")
    checksum = crc32(variant.encode())
    held_out = plate != BARE and variant not in _SHOWN and checksum % _SIXTH == 0
    if not held_out and not _resembles_held_out(face, plate, glyph):
        return Use.TRAINING
    return Use.CHOOSING if checksum // _SIXTH % 2 else Use.SCORING


def _resembles_held_out(face: FaceName, plate: str, glyph: str) -> bool:
    if face in ("go", "slow", "stop"):
        return plate in _SQUARE and glyph == "word"
    if face in ("green-switch", "red-switch"):
        return plate in _SQUARE and glyph in ("word", "circling")
    if face == "block":
        return (plate in _SQUARE and glyph == "crossed") or (plate in _DISC and glyph == "shield")
    if face == "star":
        return plate in _DISC
    return (face.startswith("digit-") or face in ("two", "three", "four")) and plate in _SQUARE | _DISC
