"""What players of Toss Up! may be proud of."""

from __future__ import annotations

from collections.abc import Iterator

from referee.actions import Action
from referee.game import GameFeat
from referee.games.toss_up.state import DICE, TossUpState
from referee.sentences import say


def _perfect(before: TossUpState, action: Action, after: TossUpState) -> Iterator[int]:
    """Yield the player whose ten dice have all become green (T.2-8)."""
    if after.aside == DICE and before.aside < DICE:
        yield action.player


FEATS = (GameFeat("all-green", say("Perfect turn"), say("Get all ten dice green in a turn of Toss Up!"), _perfect),)
