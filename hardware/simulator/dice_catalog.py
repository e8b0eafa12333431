"""The virtual tray's cupboard: the dice that can be put out on it, and the drawings they can come in."""

from __future__ import annotations

from functools import cache
from zlib import crc32

import numpy as np

from models import die_sets
from models.die_sets import NoSuchDieSet
from models.synthetic import die_styles
from models.synthetic.face_style import Style, Use
from models.synthetic.faces import FaceArt, draw, random_style
from models.synthetic.novel_symbols import draw_strange, random_strange
from referee.dice import DieKind, DieSet, Face, FaceName, KindName

ART_PIXELS = 80
"""Pixels of a drawn face on each side."""

STRANGE = DieSet(
    "strange",
    "Strange dice",
    (
        (
            DieKind(
                KindName("strange"),
                "Strange die",
                tuple(
                    Face(FaceName(f"strange-{symbol}"), symbol.capitalize())
                    for symbol in ("sun", "paw", "mushroom", "boat", "eye", "cactus")
                ),
            ),
            3,
        ),
    ),
    16.0,
)
"""Dice that no game has, with symbols that no reader was trained on."""

HOUSE = tuple(f"house-{number}" for number in range(1, die_styles.LOOKS + 1))
UNSEEN = ("unseen-1", "unseen-2", "unseen-3", "unseen-4")
LOOKS = {
    **{name: f"Vander (look {number})" for number, name in enumerate(HOUSE, 1)},
    **{name: f"a stranger (look {number})" for number, name in enumerate(UNSEEN, 1)},
}
"""Who drew the dice, by name: drawings that were trained on, and others that never were."""


class NoSuchLook(LookupError):
    """Nobody drew dice in that look; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def names() -> tuple[str, ...]:
    """The sets in the cupboard: those of the games, and the strange dice."""
    return (*die_sets.names(), STRANGE.name)


def dice(name: str) -> DieSet:
    """The set of that name. Raises NoSuchDieSet."""
    if name == STRANGE.name:
        return STRANGE
    if name not in names():
        raise NoSuchDieSet(f"there is no die set {name!r}; there are {', '.join(names())}")
    return die_sets.load(name)


def known_look(name: str) -> str:
    """The name again. Raises NoSuchLook."""
    if name not in LOOKS:
        raise NoSuchLook(f"there is no look {name!r}; there are {', '.join(LOOKS)}")
    return name


@cache
def face_art(kind: DieKind, face: FaceName, look: str) -> FaceArt:
    """A face of a die of that kind as it is drawn in that look."""
    if kind in STRANGE.kinds:
        hand, style = random_strange(np.random.default_rng(list(LOOKS).index(look)), Use.SCORING)
        return draw_strange(face, hand, style, ART_PIXELS, np.random.default_rng(0))
    drawing, style = styles(kind, look)[face]
    return draw(drawing, style, ART_PIXELS, np.random.default_rng(0))


@cache
def styles(kind: DieKind, look: str) -> dict[FaceName, tuple[str, Style]]:
    """For every face of a die its drawing and style; one hand drew all the pips."""
    if look in HOUSE:
        return {face: die_styles.art_for(kind.name, face, HOUSE.index(look)) for face in kind.faces}
    rng = np.random.default_rng([crc32(kind.name.encode()), UNSEEN.index(look)])
    body = random_style(kind.faces[0], rng, Use.SCORING)[1]
    drawn = {face: random_style(face, rng, Use.SCORING, like=body) for face in kind.faces}
    pips = [(drawing.partition("/")[2], style) for face, (drawing, style) in drawn.items() if face.startswith("pip-")]
    return drawn | {face: (f"{face}/{pips[0][0]}", pips[0][1]) for face in drawn if face.startswith("pip-")}
