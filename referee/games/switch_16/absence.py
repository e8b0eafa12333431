"""Switch 16 without a player: a turn that is skipped, somebody who leaves, and a first turn without lot."""

from __future__ import annotations

from dataclasses import replace

from referee.games.switch_16.resolution import keep_deck, pass_on
from referee.games.switch_16.state import Switch16Phase, Switch16State, lowest_others
from referee.games.switch_16.verbs import draw_lots, first_turn
from referee.phrases import without_lot
from referee.verb import Outcome


def pass_over(state: Switch16State, seat: int) -> Outcome[Switch16State] | None:
    """Take no lot of the seat, or pass its turn on; a red switch waits no longer for one who has left."""
    if state.phase == Switch16Phase.LOTS:
        return _without_lot(state, seat) if seat in state.contenders else None
    if seat == state.seat:
        return pass_on(state), ()
    is_left_alone = state.phase == Switch16Phase.RED and not lowest_others(state)
    return keep_deck(state) if is_left_alone else None


def _without_lot(state: Switch16State, seat: int) -> Outcome[Switch16State]:
    contenders, lots = without_lot(state.contenders, state.lots, seat)
    return draw_lots(replace(state, contenders=contenders, lots=lots))


def begin_with(state: Switch16State, seat: int) -> Switch16State | None:
    """Return the state in which the seat has the first turn without lot."""
    return first_turn(state, seat) if state.phase == Switch16Phase.LOTS else None
