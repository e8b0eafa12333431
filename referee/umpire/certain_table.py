"""Tables of which it is certain, die by die, whether it was thrown: the umpire's checks in their order."""

from __future__ import annotations

from dataclasses import replace

from referee.actions import Action
from referee.umpire.explanation import Explanation
from referee.umpire.obstacles import find_fallen, find_movement, find_strangers
from referee.umpire.rest_explanation import explain_rest, explain_tap, then_tap
from referee.umpire.rethrow import (
    ask_of_flat,
    find_flat_thrown_again,
    find_leaning,
    find_not_thrown_again,
    find_turned_by_rethrow,
)
from referee.umpire.table_change import sort_change
from referee.umpire.table_pair import TablePair
from referee.umpire.throw_explanation import explain_throw


def explain_certain(tables: TablePair, tapped: Action | None = None) -> Explanation:
    """Explain the change between two tables, whatever marks the dice have."""
    game, state, before, after = tables.game, tables.state, tables.before, tables.after
    joined, rethrow = tables.joined, tables.rethrow
    change = replace(sort_change(game, state, before, joined), moved=tables.moved, by_tap=tables.by_tap)
    layout = game.lay(state)
    nothing_thrown = not change.thrown and not (change.fell and layout)
    if tapped and (nothing_thrown or tapped.verb == game.lost):
        return explain_tap(game, state, change, tapped)
    waiting = find_movement(after)
    if nothing_thrown and not layout:
        return waiting or find_not_thrown_again(game, state, before, after, rethrow) or Explanation()
    found = (
        waiting
        or find_strangers(state, joined)
        or find_fallen(game, state, change)
        or find_leaning(game, state, before, joined, rethrow)
        or find_not_thrown_again(game, state, before, after, rethrow)
        or find_turned_by_rethrow(game, state, before, after, rethrow)
        or (explain_rest if nothing_thrown else explain_throw)(game, state, change)
    )
    if tapped and found.unchanged:
        return explain_tap(game, state, change.with_moved(change.thrown), tapped)
    found = ask_of_flat(game, state, found, find_flat_thrown_again(state, before, after, rethrow))
    return then_tap(game, state, found, tapped) if tapped else found
