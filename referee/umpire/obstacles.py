"""What stops the umpire from explaining a table: dice that move, do not belong, or left the tray."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.dice import KindName, Seen
from referee.game import Game
from referee.game_state import GameState
from referee.sentences import say, say_count
from referee.umpire.explanation import LOST_DIE_QUESTION, Explanation
from referee.umpire.reachable import as_moved, reachable_states
from referee.umpire.table_change import TableChange, dice_inside, numbers_of


def find_movement(after: Seen) -> Explanation | None:
    """Explain that dice still move or a hand is in the tray; None where the table is quiet."""
    if not after.at_rest:
        return Explanation(unfinished=say("The dice are still moving."))
    if after.hands_in:
        return Explanation(unfinished=say("A hand is in the tray."))
    return None


def find_strangers(state: GameState, after: Seen) -> Explanation | None:
    """Explain that more dice of a kind lie in the tray than the game has; None where none is too many.

    Leaning dice are left out: their kind is as doubtful as their face.
    """
    flat = [die for die in dice_inside(after) if not die.cocked]
    for kind, count in Counter(die.kind for die in flat).items():
        belongs = state.dice.count(kind)
        if count > belongs:
            numbers = numbers_of(die for die in flat if die.kind == kind)
            return Explanation(unfinished=_too_many(state, kind, count), dice=numbers)
    return None


def find_fallen(game: Game, state: GameState, change: TableChange) -> Explanation | None:
    """Explain that a die came to rest outside in a throw; None where none did.

    At the start of a turn the die may have been swept there with the last turn's dice, and after several throws it may
    have been laid there by hand: both are asked.
    """
    if not change.fell:
        return None
    is_certain = change.one_throw and (not change.kept or bool(game.lay(state)))
    return _turn_over_and_lost(game, state, change) or call_lost(game, state, change, is_certain)


def call_lost(game: Game, state: GameState, change: TableChange, is_certain: bool) -> Explanation:
    """Explain that a die left the table, by the game's own verb where it has one; ask unless that is certain."""
    outside = (*change.fell, *change.carried)
    calls = tuple((offer,) for offer in game.legal(state) if offer.verb == game.lost)
    if calls:
        return Explanation(calls, question="" if is_certain else LOST_DIE_QUESTION, dice=outside)
    return Explanation(unfinished=say("A die left the tray: throw the dice of this throw again."), dice=outside)


def _turn_over_and_lost(game: Game, state: GameState, change: TableChange) -> Explanation | None:
    """Explain a die that fell in what is by its count the next player's throw: whether this turn was over is asked."""
    count = len(change.thrown) + len(change.fell)
    reachable = tuple(reachable_states(game, state, game.implied))
    for each in as_moved(game, reachable, change) or reachable:
        throws = [len(offer.dice) for offer in game.legal(each.state) if offer.is_throw]
        lost = next((offer for offer in game.legal(each.state) if offer.verb == game.lost), None)
        if count in throws and not any(action.verb in game.implied for action in each.actions):
            return None
        if count in throws and lost:
            first = call_lost(game, state, change, is_certain=False)
            return replace(first, ways=((*each.actions, lost), *first.ways))
    return None


def _too_many(state: GameState, kind: KindName, count: int) -> str:
    dice, belongs = state.dice.spell(kind, count), state.dice.count(kind)
    if belongs:
        return say(
            "{dice} lie in the tray, and the game has {belongs}: take the rest away.", dice=dice, belongs=belongs
        )
    return say_count(
        "{dice} lies in the tray, and the game has none: take it away.",
        "{dice} lie in the tray, and the game has none: take them away.",
        count,
        dice=dice,
    )
