"""Dice after a breach: people put them right by hand, or make a legal throw while some still lie wrong. Pure.

Before a turn's first throw nothing depends on how the dice lie: nothing is put right then, and the throw is made again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.dice import Seen
from referee.umpire import Explanation, explain
from referee.umpire.tables import dice_inside
from referee.umpire.weighing import BY_HAND
from vander.session.hand_questions import thrown_since_ruling
from vander.session.match import Match
from vander.session.session_state import SessionState


def accused_dice(state: SessionState) -> frozenset[DieOfThrow]:
    """Return the dice of a breach, and of every refused throw after it; those that hands laid since are put right."""
    thrown = thrown_since_ruling(state.table)
    if state.unresolved.breach is None:
        return thrown
    seen = state.table.seen.dice if state.table.seen else ()
    by_hand = {(die.number, die.throw) for die in seen if die.handled in BY_HAND}
    return state.unresolved.accused | (thrown - by_hand)


def without_refused_throw(state: SessionState, match: Match) -> SessionState:
    """Return the state in which the refused first throw of a turn is no part of a later one.

    That is so once one of its dice is thrown again; others of the same throw may have fallen a moment late.
    """
    ruled, seen, accused = state.table.ruled, state.table.seen, state.unresolved.accused
    if state.unresolved.breach is None or ruled is None or seen is None or match.game.lay(match.state):
        return state
    last, refused = max((throw for _, throw in accused), default=ruled.throw), {number for number, _ in accused}
    if not any(die.number in refused and die.throw > last for die in seen.dice):
        return state
    return replace(state, table=replace(state.table, ruled=replace(ruled, throw=last)))


def find_legal_throw(state: SessionState, match: Match) -> tuple[Seen, Explanation] | None:
    """Return the table as if the dice of the breach were put back, and the only throw since then, which is legal.

    None where nothing was thrown since, where it is not legal either, or where anything has to be asked about it.
    """
    ruled, seen, accused = state.table.ruled, state.table.seen, state.unresolved.accused
    if state.unresolved.breach is None or ruled is None or seen is None:
        return None
    put_back = _put_back(ruled, seen, accused)
    if put_back is None:
        return None
    found = explain(match.game, match.state, ruled, put_back, said=state.unresolved.said)
    is_sure = len(found.ways) == 1 and not (found.question or found.unsure_dice or found.rethrow)
    is_within = is_sure and not any(action.verb in (*match.game.implied, match.game.lost) for action in found.ways[0])
    return (put_back, found) if is_within else None


def is_being_put_right(state: SessionState) -> bool:
    """True if hands alone were at the dice since the breach: they lay them, or have some of them outside."""
    ruled, seen, accused = state.table.ruled, state.table.seen, state.unresolved.accused
    if state.unresolved.breach is None or ruled is None or seen is None:
        return False
    later = [die for die in seen.dice if die.throw > ruled.throw and (die.number, die.throw) not in accused]
    return (bool(later) or is_any_out(state)) and all(die.handled in BY_HAND for die in later)


def is_any_out(state: SessionState) -> bool:
    """True if fewer dice lie in the tray than at the last ruling: hands have them, or they lie outside."""
    ruled, seen = state.table.ruled, state.table.seen
    return ruled is not None and seen is not None and len(dice_inside(seen)) < len(dice_inside(ruled))


def _put_back(ruled: Seen, seen: Seen, accused: Collection[DieOfThrow]) -> Seen | None:
    """Return the table with the dice of a breach as they lay before; None where all were thrown again, or none was."""
    wrong = [die for die in seen.dice if (die.number, die.throw) in accused]
    lay = {die.number: die for die in ruled.dice}
    if not wrong or seen.throw <= max(die.throw for die in wrong) or any(die.number not in lay for die in wrong):
        return None
    return replace(seen, dice=tuple(lay[die.number] if die in wrong else die for die in seen.dice))
