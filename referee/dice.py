"""The dice of a game, and what lies on the table, in the referee's words.

Nothing here knows of cameras or pages: `vision` makes these values, and the umpire takes them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import NewType, Self, TypeVar

from referee.sentences import Sentence, say, say_count

FaceName = NewType("FaceName", str)
KindName = NewType("KindName", str)


class RefereeError(Exception):
    """The root of what the referee raises.

    RefereeError
    ├── NoSuchFace (ValueError)      a face or kind that the die set does not have
    ├── BadAction (ValueError)       text that is no action, or not in the canonical spelling
    ├── BadStart (ValueError)        players or dice with which a game cannot begin
    ├── BadOption (ValueError)       an option, or a reading of one, that the game does not have
    ├── BadSheet (ValueError)        a printed sheet's file that does not hold what the game needs
    ├── BadRecord (ValueError)       a game record that cannot be read; the message names the line
    ├── NoSuchGame (LookupError)     no game of that name
    └── Contradiction (ValueError)   a journal that the rules refuse
    """


class NoSuchFace(RefereeError, ValueError):
    """The die set has no such face, or no such kind."""


class BadAction(RefereeError, ValueError):
    """The text is no action, or no die of one, in the canonical spelling."""


class Zone(StrEnum):
    """The part of the table on which a die lies: `out` is all that lies beyond the tray."""

    FIELD = "field"
    ASIDE = "aside"
    SIGNAL = "signal"
    OUT = "out"


@dataclass(frozen=True)
class Face:
    """One side of a die: its name, and the title that people read."""

    name: FaceName
    title: str


@dataclass(frozen=True)
class DieKind:
    """A kind of die: its sides in order, repeats included, and the colours of its body (#rrggbb)."""

    name: KindName
    title: str
    sides: tuple[Face, ...]
    bodies: tuple[str, ...] = ()

    @property
    def faces(self) -> tuple[FaceName, ...]:
        """Return the different faces, in the order of the sides."""
        return tuple(dict.fromkeys(side.name for side in self.sides))

    def title_of(self, face: FaceName) -> str:
        """Return the title of a face. Raises NoSuchFace."""
        for side in self.sides:
            if side.name == face:
                return side.title
        raise NoSuchFace(
            say(
                "a {name} die has no face {face}; it has {known}",
                name=self.name,
                face=repr(face),
                known=", ".join(self.faces),
            )
        )


@dataclass(frozen=True)
class DieSet:
    """The dice that belong together: how many of each kind, and the edge of a die in millimetres."""

    name: str
    title: str
    counts: tuple[tuple[DieKind, int], ...]
    edge_mm: float

    @property
    def kinds(self) -> tuple[DieKind, ...]:
        """Return the kinds, in the order of the die set's file."""
        return tuple(kind for kind, _ in self.counts)

    def kind(self, name: KindName) -> DieKind:
        """Return the kind of that name. Raises NoSuchFace."""
        for kind in self.kinds:
            if kind.name == name:
                return kind
        raise NoSuchFace(say("the {title} dice have no kind {name}", title=self.title, name=repr(name)))

    def face_title(self, name: KindName, face: FaceName) -> str:
        """Return what a person calls a face, as that kind has it, else another; its own name if the set has it not."""
        kinds = sorted(self.kinds, key=lambda kind: kind.name != name)
        return next((side.title for kind in kinds for side in kind.sides if side.name == face), face)

    def spell(self, name: KindName, count: int) -> str:
        """Return so many dice of that kind in words, by its title: `1 Signal die`, `5 Traffic dice`, `6 dice`.

        A kind that is called just "Die" is "ordinary" among others; one that the set does not have goes by its name.
        The words for a kind of a set that ships, whose title is a Sentence, are those of its title's extraction.
        """
        title = next((kind.title for kind in self.kinds if kind.name == name), name)
        own = without_die(title)
        if own and isinstance(title, Sentence):
            return Sentence(*counted_templates(own), {"count": count})
        if own:
            return say_count("{count} {kind} die", "{count} {kind} dice", count, kind=own)
        if len(self.kinds) == 1:
            return say_count("{count} die", "{count} dice", count)
        return say_count("{count} ordinary die", "{count} ordinary dice", count)

    def count(self, name: KindName) -> int:
        """Return how many dice of that kind belong to the set; 0 for a kind that it does not have."""
        return sum(count for kind, count in self.counts if kind.name == name)


def without_die(title: str) -> str:
    """Return what tells a kind of die from others, by its title: `Signal` of `Signal die`."""
    return re.sub(r" *\b[Dd]ie$", "", title)


def counted_templates(kind: str) -> tuple[str, str]:
    """Return the templates for one die and for several of a kind, such as `Signal`."""
    return f"{{count}} {kind} die", f"{{count}} {kind} dice"


_DIE = re.compile(r"[a-z0-9][a-z0-9-]*:(\?|[a-z0-9][a-z0-9-]*)")


@dataclass(frozen=True)
class Die:
    """A die as the rules see it: its kind, and its upper face, None before it is thrown.

    Its text, `traffic:happy` or `traffic:?`, reads back to the same die.
    """

    kind: KindName
    face: FaceName | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.face or '?'}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the die that a text `kind:face` names. Raises BadAction."""
        if not _DIE.fullmatch(text):
            raise BadAction(say("{text} is no die; write kind:face, for example traffic:happy", text=repr(text)))
        kind, _, face = text.partition(":")
        return cls(KindName(kind), None if face == "?" else FaceName(face))


def number_on(face: FaceName | None) -> int:
    """Return the number on a face, in pips or as a numeral: 3 for `pip-3` and `digit-3`, 0 for any other face."""
    drawn, _, number = (face or "").partition("-")
    return int(number) if drawn in ("pip", "digit") else 0


def in_order(dice: Iterable[Die]) -> tuple[Die, ...]:
    """Return the dice in canonical order, which is that of their texts."""
    return tuple(sorted(dice, key=str))


def fills(offered: Sequence[Die], shown: Sequence[Die]) -> bool:
    """True if the dice shown are those offered with every unknown face filled in, in whatever order."""
    if len(offered) != len(shown):
        return False
    unknown = sorted(die.kind for die in offered if die.face is None)
    if len(unknown) == len(offered):
        return unknown == sorted(die.kind for die in shown)
    known, rest = Counter(die for die in offered if die.face is not None), Counter(shown)
    return not known - rest and unknown == sorted(die.kind for die in (rest - known).elements())


class Handling(StrEnum):
    """Why it is not certain that a throw brought a die to its place and its face.

    PLACED: a hand was at its place as it came to rest there. TURNED: it shows another face in its place and did not
    tumble. UNSEEN: nobody could see its place meanwhile. RETURNED: it came to rest outside in its throw, and a hand has
    laid it back.
    """

    PLACED = "placed"
    TURNED = "turned"
    UNSEEN = "unseen"
    RETURNED = "returned"


class Blindness(StrEnum):
    """Why the camera could not see the tray for a while: a hand, something on the lens, no frames, a restart.

    Between two photographs nobody sees who moves what.
    """

    HAND = "hand"
    LENS = "lens"
    NO_FRAMES = "no frames"
    RESTART = "restart"
    PHOTOGRAPH = "photograph"


@dataclass(frozen=True)
class SeenDie:
    """One die on the real table.

    number: the tracker's number of the die.
    faces: the likely faces with their probabilities, the likeliest first; one face when the reader is sure.
    throw: the number of the throw in which the die last moved; 0 if it lay there before the first.
    cocked: True if the die does not lie flat.
    kinds: the likely kinds with their probabilities, the likeliest first, where the kind is in doubt; else empty.
    stacked: True if it is cocked since it lies on another die.
    handled: why it is not certain that the die was thrown in `throw`; None where it was seen to tumble, or lay still.
    chance: how likely it is by the camera that the die was thrown when it last moved, 0 to 1; None where nothing tells.
    """

    number: int
    kind: KindName
    faces: tuple[tuple[FaceName, float], ...]
    zone: Zone
    throw: int
    cocked: bool = False
    kinds: tuple[tuple[KindName, float], ...] = ()
    stacked: bool = False
    handled: Handling | None = None
    chance: float | None = None

    @property
    def die(self) -> Die:
        """Return the die with its likeliest face; without a face where none was read."""
        return Die(self.kind, self.faces[0][0] if self.faces else None)


@dataclass(frozen=True)
class Seen:
    """What lies on the table.

    throw: the number of the last throw. at_rest: True if no die moves. hands_in: True if a hand is in the tray.
    bay: False if the tray has no bay, so that field and aside cannot be told apart.
    blind: why the camera could not see the tray at some moment since the table was last at rest.
    """

    dice: tuple[SeenDie, ...] = ()
    throw: int = 0
    at_rest: bool = True
    hands_in: bool = False
    bay: bool = True
    blind: tuple[Blindness, ...] = ()


# Which of some things is which of others, such as dice and the places that the rules lay out

One = TypeVar("One")
Other = TypeVar("Other")


def closest_pairs(
    ones: Sequence[One], others: Sequence[Other], distance: Callable[[One, Other], float | None]
) -> list[tuple[One, Other]]:
    """Return pairs of one and another, the closest first, and each of them once; `distance` is None where none may be.

    Where distances are equal, the order of `ones` decides, then that of `others`.
    """
    places = product(range(len(ones)), range(len(others)))
    rated = [(far, i, j) for i, j in places if (far := distance(ones[i], others[j])) is not None]
    pairs: dict[int, int] = {}
    for _, i, j in sorted(rated):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return [(ones[i], others[j]) for i, j in pairs.items()]
