"""Faces put together of a plate and a sign, `octagon+hand`: many more drawings than anybody would draw one by one.

Which pairs are only chosen or scored on follows from their names (`use_of`), so that nobody took them by their results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from zlib import crc32

import numpy as np

from models.synthetic.canvas import Sheet
from models.synthetic.face_style import Style, Use
from models.synthetic.glyphs import (
    BLOCK_GLYPHS,
    BOLT_GLYPHS,
    GO_GLYPHS,
    SLOW_GLYPHS,
    STAR_GLYPHS,
    STOP_GLYPHS,
    SWITCH_GLYPHS,
    Glyph,
    nothing,
    number_words,
    numerals,
)
from models.synthetic.lettering import MAKES
from models.synthetic.plates import PLATES, Plate
from referee.dice import FaceName

Artist = Callable[[Sheet, Style, np.random.Generator], None]

BARE = "bare"
_SIXTH = 6
_SQUARE, _DISC = frozenset({"panel", "rounded"}), frozenset({"disc"})
_ROOMY = frozenset(PLATES) - {"triangle", "pennant", "diamond", "pentagon", "house"}
_SIGNS = frozenset(PLATES) - {"crest", "pennant", "arch", "house"}
_ANY = frozenset(PLATES)
_STOPS = frozenset({"octagon"})
"""Plates that say stop before anything upon them is read."""
_SHOWN = frozenset(
    {"disc+word", "disc+bolt", "disc+straight", "panel+straight", "rounded+straight", "panel+letter", "rounded+letter"}
)
"""Pairs that a single drawing shows in training already, so that nothing would be held out with them."""


def _composed(plate: Plate, glyph: Glyph, sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    glyph(sheet, plate(sheet, style, rng), style, rng)


def _pairs(glyphs: Mapping[str, Glyph], plates: Iterable[str], narrow: Iterable[str] = ("word",)) -> dict[str, Artist]:
    """Every glyph on every plate; the `narrow` ones, which need room, only where there is room."""
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
    return _pairs(numerals(count), _ANY, MAKES[4:6])


def _number_pairs(count: int) -> dict[str, Artist]:
    return _numeral_pairs(count) | _pairs(number_words(count), _ROOMY)


def _stop_pairs() -> dict[str, Artist]:
    """A bar alone says nothing: it needs its disc or another plate."""
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
"""For each face that has any, its compositions by name."""


def often(face: FaceName, variant: str) -> float:
    """How often a composition is drawn, against the others of its face: bare signs and whole words most."""
    plate, _, glyph = variant.partition("+")
    if plate == BARE:
        return 12.0 if face.startswith("digit-") else 4.0
    return 4.0 if glyph.endswith("word") else 1.0


def use_of(face: FaceName, variant: str) -> Use:
    """What a composition is for.

    A sixth of all pairs are kept out of training, the same for every face, by the checksum of their name; and those
    that are of a kind with a single drawing that is kept out, such as a word on a square plate. Of these the checksum
    gives one half to choosing and one to scoring.
    """
    plate, _, glyph = variant.partition("+")
    checksum = crc32(variant.encode())
    kept_out = plate != BARE and variant not in _SHOWN and checksum % _SIXTH == 0
    if not kept_out and not _of_a_kind(face, plate, glyph):
        return Use.TRAINING
    return Use.CHOOSING if checksum // _SIXTH % 2 else Use.SCORING


def _of_a_kind(face: FaceName, plate: str, glyph: str) -> bool:
    if face in ("go", "slow", "stop"):
        return plate in _SQUARE and glyph == "word"
    if face in ("green-switch", "red-switch"):
        return plate in _SQUARE and glyph in ("word", "circling")
    if face == "block":
        return (plate in _SQUARE and glyph == "crossed") or (plate in _DISC and glyph == "shield")
    if face == "star":
        return plate in _DISC
    return (face.startswith("digit-") or face in ("two", "three", "four")) and plate in _SQUARE | _DISC
