"""What players of Rollers may be proud of."""

from __future__ import annotations

from collections.abc import Iterator

from referee.actions import Action
from referee.game import GameFeat
from referee.games.rollers.state import RollersState
from referee.sentences import say

MOST_POINTS = 3
"""The points of a round that one player may get (R.2-14)."""


def _whole_round(before: RollersState, _action: Action, after: RollersState) -> Iterator[int]:
    """Yield the player who gets all points of a round: for the full board, and for the most chips."""
    scores = zip(before.scores, after.scores, strict=True)
    yield from (seat for seat, (had, has) in enumerate(scores, start=1) if has - had >= MOST_POINTS)


FEATS = (GameFeat("whole-round", say("All three"), say("Get all three points of a round of Rollers."), _whole_round),)
