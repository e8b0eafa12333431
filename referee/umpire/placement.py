"""Matching dice with the places that the rules lay out: a backtracking search over a handful of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.actions import DiePosition
from referee.dice import Die, Zone
from referee.umpire.table_change import KeptDie, TableChange


def places_left(layout: Sequence[DiePosition], kept: Sequence[KeptDie]) -> Iterator[tuple[DiePosition, ...]]:
    """Give every kept die a place of the layout; yield the places left over, for each way of doing so."""
    if not kept:
        yield tuple(layout)
        return
    for position in dict.fromkeys(layout):
        if _fits(position, kept[0]):
            rest = list(layout)
            rest.remove(position)
            yield from places_left(rest, kept[1:])


def is_laid_out(layout: Sequence[DiePosition], kept: Sequence[KeptDie]) -> bool:
    """Return True if every kept die has a place in the layout."""
    return next(places_left(layout, kept), None) is not None


def without_zones(kept: Sequence[KeptDie]) -> tuple[KeptDie, ...]:
    """Return the kept dice with places that say nothing."""
    return tuple(replace(die, zone=None) for die in kept)


def positions_not_kept(layout: Sequence[DiePosition], change: TableChange) -> tuple[DiePosition, ...]:
    """Return what the layout has beyond the kept dice, which are taken out by number first, then by face."""
    known = Counter(change.known[die.number] for die in change.kept if die.number in change.known)
    rest = tuple((Counter(layout) - known).elements())
    unknown = tuple(die for die in change.kept if die.number not in change.known)
    return next(places_left(rest, without_zones(unknown)), rest)


def _fits(position: DiePosition, die: KeptDie) -> bool:
    there = position.zone in (None, Zone.SIGNAL) or die.zone in (None, position.zone)
    return there and (position.die in die.dice or position.die in (Die(other.kind) for other in die.dice))
