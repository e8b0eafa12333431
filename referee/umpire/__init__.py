"""The umpire: from what changed on the real table to the legal actions that explain it.

The dice that moved in a throw are the thrown ones. All others were kept, and lie where the state has them or where a
hand has put them since. An explanation is a row of actions by hand and at most one throw, such that every kept die has
its place in what the rules lay out and the thrown dice are what is left.

    table_change     the change, sorted: thrown, kept, fallen, carried, not in view
    obstacles        what stops an explanation: movement, strangers, fallen dice
    rethrow          leaning dice, which are thrown again within their throw
    reachable        where the game can stand after what hands may do
    placement        matching dice with places
    throws           the legal throws that fit
    throw_reading    their faces, and the dice whose face must be asked
    throw_doubts     what a throw that fits may mean instead
    throwing         the explanation of a throw
    resting          the explanation of a table on which nothing was thrown, and of a tap
    breaches         what no legal action explains
    wording          dice and ways in words
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.dice import Seen, Zone
from referee.game import Action, Game, GameState
from referee.umpire.explanation import LOST_DIE_QUESTION, Explanation
from referee.umpire.obstacles import find_fallen, find_movement, find_strangers
from referee.umpire.placement import is_laid_out, without_zones
from referee.umpire.rest_explanation import explain_rest, explain_tap, then_tap
from referee.umpire.rethrow import (
    ask_of_flat,
    find_flat_thrown_again,
    find_leaning,
    find_not_thrown_again,
    find_turned_by_rethrow,
    join_rethrow,
)
from referee.umpire.rethrow_due import RethrowDue
from referee.umpire.table_change import KeptDie, dice_inside, likely_dice, sort_change
from referee.umpire.throw_explanation import explain_throw
from referee.umpire.wording import describe, dice_words

__all__ = ["LOST_DIE_QUESTION", "Explanation", "RethrowDue", "describe", "differs", "explain", "join_rethrow"]


def explain(  # noqa: PLR0913  # the table before and after, and what people did between
    game: Game,
    state: GameState,
    before: Seen,
    after: Seen,
    tapped: Action | None = None,
    *,
    moved: Sequence[Action] = (),
    rethrow: RethrowDue | None = None,
) -> Explanation:
    """Find the legal actions that turn `before` into `after`; with `tapped`, ways that end with that decision.

    `before` is the table as last ruled on, `after` the settled table now. `moved` is what was `pending` when the
    table was last seen at rest between the two: a throw that takes all dice no longer shows where they lay; `rethrow`
    is that of the last explanation which had one since `before`. Nothing is ruled on here: the caller plays the way
    that is taken.
    """
    joined = join_rethrow(rethrow, after)
    change = replace(sort_change(game, state, before, joined), moved=tuple(moved))
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
    found = ask_of_flat(game, state, found, find_flat_thrown_again(state, before, after, rethrow))
    return then_tap(game, state, found, tapped) if tapped else found


def differs(game: Game, state: GameState, seen: Seen) -> str:
    """Return one sentence on where the real table is not as the state has it; '' where it is. Asked after a pause."""
    layout = game.lay(state)
    if not layout:
        return ""
    inside = dice_inside(seen)
    kept = tuple(KeptDie(die.number, likely_dice(state, die), die.zone if seen.bay else None) for die in inside)
    if len(kept) < len(layout) or not is_laid_out(layout, without_zones(kept)):
        wanted, there = dice_words(position.die for position in layout), dice_words(die.die for die in inside)
        return f"The game stands with {wanted} on the table, and {there or 'nothing'} lies there."
    if is_laid_out(layout, kept):
        return ""
    aside = dice_words(position.die for position in layout if position.zone is Zone.ASIDE)
    return f"The dice show what they should, but {aside or 'no die'} should lie in the bay and the rest on the field."
