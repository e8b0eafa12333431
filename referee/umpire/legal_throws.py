"""Throws: the legal throws that fit the dice that moved and those that were kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from referee.actions import Action, DiePosition
from referee.dice import Die, SeenDie, Zone
from referee.game import Game
from referee.umpire.placement import places_left
from referee.umpire.reachable import ReachableState
from referee.umpire.table_change import TableChange


@dataclass(frozen=True)
class CandidateThrow:
    """A legal throw that fits the kinds of the dice thrown and the dice kept, from a state that hands can reach."""

    start: ReachableState
    offer: Action

    def filled(self, dice: Sequence[Die]) -> Action:
        """Return the throw with the faces that were thrown."""
        return replace(self.offer, dice=tuple(dice))


def find_throws(game: Game, reachable: Sequence[ReachableState], change: TableChange) -> list[CandidateThrow]:
    """Find the throws that fit, after as few actions by hand as will do where the dice still show those."""
    kinds = Counter(die.kind for die in change.thrown)
    found = [
        CandidateThrow(start, offer)
        for start in reachable
        for offer in game.legal(start.state)
        if offer.is_throw
        and Counter(die.kind for die in offer.dice) == kinds
        and _leaves_kept(game, start, offer, change)
    ]
    fewest: dict[tuple[str, ...], int] = {}
    for candidate in found:
        implied, count = _implied(game, candidate), len(candidate.start.actions)
        fewest[implied] = min(count, fewest.get(implied, count))
    return [each for each in found if not each.start.layout or len(each.start.actions) == fewest[_implied(game, each)]]


def find_bumped(
    game: Game, reachable: Sequence[ReachableState], change: TableChange, unchanged: Sequence[SeenDie]
) -> tuple[tuple[SeenDie, ...], list[CandidateThrow]] | None:
    """Find the fewest unchanged dice whose having been only bumped makes a throw fit, and the throws that fit then."""
    for count in range(1, len(unchanged) + 1):
        for bumped in combinations(unchanged, count):
            candidates = find_throws(game, reachable, change.with_bumped(bumped))
            if candidates:
                return bumped, candidates
    return None


def _implied(game: Game, candidate: CandidateThrow) -> tuple[str, ...]:
    """Return the actions before a throw that only the throw tells of; each such row is an explanation of its own."""
    return tuple(str(action) for action in candidate.start.actions if action.verb in game.implied)


def _leaves_kept(game: Game, start: ReachableState, offer: Action, change: TableChange) -> bool:
    """Return True if the throw leaves exactly the dice that were kept."""
    layout = game.lay(start.state)
    if not layout:
        return True
    picked = game.thrown(start.state, offer)
    unseen = (not_picked(left, picked) for left in places_left(layout, change.kept))
    return any(positions is not None and _may_be_hidden(start, change, positions) for positions in unseen)


def not_picked(left: Sequence[DiePosition], picked: Sequence[DiePosition]) -> tuple[DiePosition, ...] | None:
    """Return the dice left over without those thrown, of which some may be any of their kind; None if one was kept."""
    rest = list(left)
    for position in sorted(picked, key=lambda position: position.die.face is None):
        same_kind = (other for other in rest if _is_any_of_kind(position, other))
        match = position if position in rest else next(same_kind, None)
        if match is None:
            return None
        rest.remove(match)
    return tuple(rest)


def _is_any_of_kind(position: DiePosition, other: DiePosition) -> bool:
    return position.die.face is None and position.die.kind == other.die.kind


def _may_be_hidden(start: ReachableState, change: TableChange, unseen: Sequence[DiePosition]) -> bool:
    """Return True if the unseen dice may lie out of view.

    Dice set aside before may, and so may a die with a spot of its own; without a bay also those set aside just now.
    """
    zones = (None, Zone.SIGNAL) if start.actions and change.bay else (None, Zone.SIGNAL, Zone.ASIDE)
    return all(position.zone in zones for position in unseen)
