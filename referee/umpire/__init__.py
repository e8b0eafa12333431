"""The umpire: from what changed on the real table to the legal actions that explain it.

The dice that moved in a throw are the thrown ones. All others were kept, and lie where the state has them or where a
hand has put them since. An explanation is a row of actions by hand and at most one throw, such that every kept die has
its place in what the rules lay out and the thrown dice are what is left.

    weighing   dice of which it is not certain that they were thrown; the checks in order
    leaning    the two tables with what was said between them; leaning dice, which are thrown again within their throw
    throws     the explanation of a throw: the throws that fit, their faces, what they may mean instead
    rest       where the game can stand, the legal throws, what stops an explanation, breaches, tables without a throw
    tables     the change between two tables, matching dice with places, deeds of hands, dice and ways in words
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.actions import Action, GameState
from referee.dice import Seen, Zone
from referee.game import Game
from referee.sentences import say
from referee.umpire.leaning import NOTHING_SAID, DieAndThrow, Sayings, TablePair, as_said, join_rethrow
from referee.umpire.tables import (
    LOST_DIE_QUESTION,
    Explanation,
    HandChange,
    HandDeed,
    KeptDie,
    RethrowDue,
    describe,
    dice_inside,
    dice_words,
    is_laid_out,
    likely_dice,
    without_zones,
)
from referee.umpire.weighing import ask_if_thrown, counted_unseen, explain_weighed

__all__ = [
    "LOST_DIE_QUESTION",
    "NOTHING_SAID",
    "DieAndThrow",
    "Explanation",
    "HandChange",
    "HandDeed",
    "RethrowDue",
    "Sayings",
    "ask_if_thrown",
    "counted_unseen",
    "describe",
    "differs",
    "explain",
    "join_rethrow",
]


def explain(  # noqa: PLR0913  # the table before and after, and what people did between
    game: Game,
    state: GameState,
    before: Seen,
    after: Seen,
    tapped: Action | None = None,
    *,
    moved: Sequence[Action] = (),
    rethrow: RethrowDue | None = None,
    said: Sayings = NOTHING_SAID,
    by_tap: frozenset[str] = frozenset(),
    told: bool = False,
) -> Explanation:
    """Find the legal actions that turn `before` into `after`; with `tapped`, ways that end with that decision.

    `before` is the table as last ruled on, `after` the settled table now. `moved` is what was `pending` when the
    table was last seen at rest between the two: a throw that takes all dice no longer shows where they lay; `rethrow`
    is that of the last explanation which had one since `before`; `said` is what people said of dice, which is certain.
    `by_tap` are the verbs of what a throw may imply, such as a discard, that people tap: where a throw fits without
    them, nothing of the kind was done. `told`: people were told since `before` what is wrong. Nothing is ruled on
    here: the caller plays the way that is taken.
    """
    after = as_said(before, after, said)
    joined = join_rethrow(rethrow, after)
    tables = TablePair(game, state, before, after, joined, tuple(moved), rethrow, by_tap, told)
    return explain_weighed(tables, tapped)


def differs(game: Game, state: GameState, seen: Seen) -> str:
    """Return one sentence on where the real table is not as the state has it; '' where it is. Asked after a pause."""
    layout = game.lay(state)
    if not layout:
        return ""
    inside = dice_inside(seen)
    kept = tuple(KeptDie(die.number, likely_dice(state, die), die.zone if seen.bay else None) for die in inside)
    if len(kept) < len(layout) or not is_laid_out(layout, without_zones(kept)):
        wanted, there = dice_words(position.die for position in layout), dice_words(die.die for die in inside)
        if not there:
            return say("The table should show {wanted}, but it is empty.", wanted=wanted)
        return say("The table should show {wanted}, but it shows {there}.", wanted=wanted, there=there)
    if is_laid_out(layout, kept):
        return ""
    aside = dice_words(position.die for position in layout if position.zone is Zone.ASIDE)
    if not aside:
        return say("The faces are right. But all dice belong on the field, none in the bay.")
    return say("The faces are right. But these go in the bay: {aside}. The rest goes on the field.", aside=aside)
