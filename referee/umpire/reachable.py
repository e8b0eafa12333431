"""Where a game can stand after what hands may do between two throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.actions import Action, DiePosition
from referee.dice import Zone
from referee.game import Game
from referee.game_state import GameState
from referee.umpire.placement import places_left
from referee.umpire.table_change import TableChange


@dataclass(frozen=True)
class ReachableState:
    """A state that the game can reach by actions by hand, and the die positions in that state."""

    actions: tuple[Action, ...]
    state: GameState
    layout: tuple[DiePosition, ...]


def reachable_states(game: Game, state: GameState, implied: frozenset[str] = frozenset()) -> Iterator[ReachableState]:
    """Yield where the game can stand after legal actions by hand, and implied ones, the fewest actions first."""
    start = ReachableState((), state, game.lay(state))
    seen, frontier = {state}, [start]
    yield start
    for _ in range(game.held_actions):
        further = (after for old in frontier for after in _one_further(game, old, implied))
        new = {after.state: after for after in further if after.state not in seen}
        frontier = list(new.values())
        seen.update(new)
        yield from frontier


def as_moved(game: Game, reachable: Sequence[ReachableState], change: TableChange) -> tuple[ReachableState, ...]:
    """Return the states that begin with what hands were seen to do before the throw; () where hands did nothing."""
    by_hand = ((each, tuple(action for action in each.actions if action.verb in game.by_hand)) for each in reachable)
    return tuple(each for each, moved in by_hand if moved and moved == change.moved)


def agrees(reachable: ReachableState, change: TableChange) -> bool:
    """Return True if the dice lie as in the state; dice out of view may be in a hand, unless they were put aside."""
    if not reachable.layout or not change.bay:
        return not reachable.actions
    left_over = places_left(reachable.layout, change.kept)
    return any(all(position.zone is not Zone.ASIDE for position in left) for left in left_over)


def _one_further(game: Game, old: ReachableState, implied: frozenset[str]) -> Iterator[ReachableState]:
    for offer in game.legal(old.state):
        by_hand = offer.verb in game.by_hand and old.layout
        if by_hand or offer.verb in implied:
            after, _ = game.play(old.state, offer)
            layout = game.lay(after) or (_put_aside(old.layout, offer) if by_hand else ())
            yield ReachableState((*old.actions, offer), after, layout)


def _put_aside(layout: Sequence[DiePosition], action: Action) -> tuple[DiePosition, ...]:
    taken = Counter(DiePosition(die, Zone.FIELD) for die in action.dice)
    return (*(Counter(layout) - taken).elements(), *(DiePosition(die, Zone.ASIDE) for die in action.dice))
