"""What hands did with single dice between two tables, each deed with its own word, and the sentence that says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from referee.dice import Die, Handling, SeenDie, Zone
from referee.sentences import say
from referee.umpire.wording import die_word


class HandDeed(StrEnum):
    """What a hand did with a die, or may have done.

    TURNED: it shows another face in its place. SET_DOWN: it was laid down with a face that it did not show there.
    UNSEEN: it shows another face, and the camera saw nothing of how that came. SWAPPED: it changed places with another
    die. ADDED: it was not there before. TAKEN: it is not there any more. MOVED: it shows what it showed, elsewhere.
    """

    TURNED = "turned"
    SET_DOWN = "set down"
    UNSEEN = "unseen"
    SWAPPED = "swapped"
    ADDED = "added"
    TAKEN = "taken"
    MOVED = "moved"


@dataclass(frozen=True)
class HandChange:
    """What a hand did with one die.

    number: the tracker's number of the die, as it is now or, of one that was taken, was. old, new: what it showed and
    shows; None where it was not there. other: the number of the die that it was swapped with, else 0.
    """

    deed: HandDeed
    number: int
    old: Die | None = None
    new: Die | None = None
    other: int = 0

    @property
    def is_harmless(self) -> bool:
        """True if the die shows what it showed: no rule asks for more."""
        return self.deed is HandDeed.MOVED


SEVERITY: Final = tuple(HandDeed)
"""The deeds in the order in which they are said: what changes a face first."""


def find_hand_changes(
    before: Iterable[SeenDie], after: Iterable[SeenDie], marked: Sequence[SeenDie]
) -> tuple[HandChange, ...]:
    """Return what hands did with the marked dice of the table `after`, and which dice of `before` they took away.

    A die that a hand carried may have another number: it is known again by what it shows, else by its kind.
    """
    old = {die.number: die for die in before if die.zone is not Zone.OUT}
    there = {die.number for die in after if die.zone is not Zone.OUT}
    gone = [die for number, die in old.items() if number not in there]
    changes = list[HandChange]()
    for die in sorted(marked, key=lambda each: each.number not in old):
        was = old.get(die.number) or _known_again(die, gone)
        if was in gone:
            gone.remove(was)
        if die.zone is not Zone.OUT:
            changes.append(_change(die, was))
    taken = (HandChange(HandDeed.TAKEN, die.number, die.die) for die in gone)
    found = (*_swapped(changes), *taken)
    return tuple(sorted(found, key=lambda change: SEVERITY.index(change.deed)))


def _known_again(die: SeenDie, gone: Sequence[SeenDie]) -> SeenDie | None:
    same = next((old for old in gone if old.die == die.die), None)
    return same or next((old for old in gone if old.kind == die.kind), None)


def _change(die: SeenDie, was: SeenDie | None) -> HandChange:
    if was is None:
        return HandChange(HandDeed.ADDED, die.number, None, die.die)
    if was.die in _likely(die):
        return HandChange(HandDeed.MOVED, die.number, was.die, was.die)
    return HandChange(_DEEDS.get(die.handled, HandDeed.TURNED), die.number, was.die, die.die)


_DEEDS: Final[Mapping[Handling | None, HandDeed]] = {
    Handling.PLACED: HandDeed.SET_DOWN,
    Handling.UNSEEN: HandDeed.UNSEEN,
}
"""What became of a die that shows another face, by its mark: where frames are missing nobody is accused."""


def _likely(die: SeenDie) -> tuple[Die, ...]:
    return (die.die, *(Die(die.kind, face) for face, _ in die.faces[1:]))


def _swapped(changes: Sequence[HandChange]) -> tuple[HandChange, ...]:
    """Return the changes in which two dice that show each other's faces are swapped ones."""
    found = list(changes)
    for place, change in enumerate(found):
        other = next((at for at, each in enumerate(found) if at > place and _are_swapped(change, each)), None)
        if other is not None:
            found[place] = replace(change, deed=HandDeed.SWAPPED, other=found[other].number)
            found[other] = replace(found[other], deed=HandDeed.SWAPPED, other=change.number)
    return tuple(found)


def _are_swapped(one: HandChange, other: HandChange) -> bool:
    is_open = {one.deed, other.deed} <= {HandDeed.TURNED, HandDeed.SET_DOWN, HandDeed.UNSEEN}
    return is_open and one.new != one.old and (one.old, one.new) == (other.new, other.old)


def spell_hands(changes: Sequence[HandChange]) -> str:
    """Return what hands did that is not harmless, the gravest deed, and what to do; '' where nothing has to be done."""
    grave = [change for change in changes if not change.is_harmless]
    if not grave:
        return ""
    alike = [change for change in grave if change.deed is grave[0].deed]
    return _ONE[grave[0].deed](alike[0]) if len(alike) == 1 else _several(alike)


def _several(alike: Sequence[HandChange]) -> str:
    first, deed = alike[0], alike[0].deed
    if deed is HandDeed.SWAPPED and len(alike) == 2:
        return say("Two dice were swapped: {old} and {new}. Put them back.", old=_word(first.old), new=_word(first.new))
    return _SEVERAL[deed](len(alike))


def _word(die: Die | None) -> str:
    return die_word(die) if die else say("nothing")


def _turned(change: HandChange) -> str:
    old, new = _word(change.old), _word(change.new)
    return say("A die was turned: {old}, now {new}. Put it back to {old}.", old=old, new=new)


def _set_down(change: HandChange) -> str:
    old, new = _word(change.old), _word(change.new)
    return say("A die was set down: {old}, now {new}. Put it back to {old}.", old=old, new=new)


def _unseen(change: HandChange) -> str:
    old, new = _word(change.old), _word(change.new)
    return say("A die shows {new}, and the camera did not see why. Put it back to {old}.", old=old, new=new)


def _added(change: HandChange) -> str:
    return say("A die was added that shows {new}. Take it away.", new=_word(change.new))


def _taken(change: HandChange) -> str:
    return say("A die was taken away: {old}. Lay it back.", old=_word(change.old))


def _a_swap(change: HandChange) -> str:
    return say("A die was swapped: {old}, now {new}. Put it back.", old=_word(change.old), new=_word(change.new))


_ONE: Final = {
    HandDeed.TURNED: _turned,
    HandDeed.SET_DOWN: _set_down,
    HandDeed.UNSEEN: _unseen,
    HandDeed.SWAPPED: _a_swap,
    HandDeed.ADDED: _added,
    HandDeed.TAKEN: _taken,
}


def _several_turned(count: int) -> str:
    return say("{count} dice were turned by hand. Put each back as it was.", count=count)


def _several_set_down(count: int) -> str:
    return say("{count} dice were set down by hand. Put each back as it was.", count=count)


def _several_unseen(count: int) -> str:
    return say("{count} dice show other faces, and the camera did not see why. Put each back as it was.", count=count)


def _several_swapped(count: int) -> str:
    return say("{count} dice were swapped. Put each back as it was.", count=count)


def _several_added(count: int) -> str:
    return say("{count} dice were added. Take them away.", count=count)


def _several_taken(count: int) -> str:
    return say("{count} dice were taken away. Lay them back.", count=count)


_SEVERAL: Final = {
    HandDeed.TURNED: _several_turned,
    HandDeed.SET_DOWN: _several_set_down,
    HandDeed.UNSEEN: _several_unseen,
    HandDeed.SWAPPED: _several_swapped,
    HandDeed.ADDED: _several_added,
    HandDeed.TAKEN: _several_taken,
}
