"""The dice that can be put out on the virtual tray, and the looks, that is the drawings, in which they can come."""

from __future__ import annotations

from functools import cache
from zlib import crc32

import numpy as np

from models import die_sets
from models.die_sets import NoSuchDieSet
from models.synthetic import die_styles
from models.synthetic.face_style import Style, Use
from models.synthetic.faces import FaceArt, draw, random_style
from models.synthetic.novel_symbols import draw_novel, random_novel_style
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from referee.sentences import say

ART_PIXELS = 80
"""Pixels on each side of a drawn face."""

STRANGE = DieSet(
    "strange",
    say("Strange dice"),
    (
        (
            DieKind(
                KindName("strange"),
                say("Strange die"),
                tuple(
                    Face(FaceName(f"strange-{symbol}"), title)
                    for symbol, title in {
                        "sun": say("Sun"),
                        "paw": say("Paw"),
                        "mushroom": say("Mushroom"),
                        "boat": say("Boat"),
                        "eye": say("Eye"),
                        "cactus": say("Cactus"),
                    }.items()
                ),
            ),
            3,
        ),
    ),
    16.0,
)
"""Dice of no game, with symbols that no reader was trained on."""

TRAINED_LOOKS = tuple(f"house-{number}" for number in range(1, die_styles.STYLE_COUNT + 1))
UNSEEN_LOOKS = ("unseen-1", "unseen-2", "unseen-3", "unseen-4")
LOOKS = {
    **{name: say("Vander (look {number})", number=number) for number, name in enumerate(TRAINED_LOOKS, 1)},
    **{name: say("a stranger (look {number})", number=number) for number, name in enumerate(UNSEEN_LOOKS, 1)},
}
"""The titles of the looks by name: drawings that readers were trained on, and others that they never saw."""


class NoSuchLook(LookupError):
    """There is no such look; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def set_names() -> tuple[str, ...]:
    """Return the names of the sets: those of the games, and the strange dice."""
    return (*die_sets.names(), STRANGE.name)


def load_dice(name: str) -> DieSet:
    """Return the set of that name. Raises NoSuchDieSet."""
    if name == STRANGE.name:
        return STRANGE
    if name not in set_names():
        raise NoSuchDieSet(
            say("there is no die set {name}; there are {known}", name=repr(name), known=", ".join(set_names()))
        )
    return die_sets.load(name)


def check_look(name: str) -> str:
    """Return the name of a look. Raises NoSuchLook."""
    if name not in LOOKS:
        raise NoSuchLook(say("there is no look {name}; there are {known}", name=repr(name), known=", ".join(LOOKS)))
    return name


@cache
def face_art(kind: DieKind, face: FaceName, look: str) -> FaceArt:
    """Return a face of a die of that kind as it is drawn in that look."""
    if kind in STRANGE.kinds:
        hand, style = random_novel_style(np.random.default_rng(list(LOOKS).index(look)), Use.SCORING)
        return draw_novel(face, hand, style, ART_PIXELS, np.random.default_rng(0))
    drawing, style = drawings(kind, look)[face]
    return draw(drawing, style, ART_PIXELS, np.random.default_rng(0))


@cache
def drawings(kind: DieKind, look: str) -> dict[FaceName, tuple[str, Style]]:
    """Return for every face of a die its drawing and style; all pips are in one hand."""
    if look in TRAINED_LOOKS:
        return {face: die_styles.art_for(kind.name, face, TRAINED_LOOKS.index(look)) for face in kind.faces}
    rng = np.random.default_rng([crc32(kind.name.encode()), UNSEEN_LOOKS.index(look)])
    body = random_style(kind.faces[0], rng, Use.SCORING)[1]
    drawn = {face: random_style(face, rng, Use.SCORING, like=body) for face in kind.faces}
    pips = [(drawing.partition("/")[2], style) for face, (drawing, style) in drawn.items() if face.startswith("pip-")]
    return drawn | {face: (f"{face}/{pips[0][0]}", pips[0][1]) for face in drawn if face.startswith("pip-")}
