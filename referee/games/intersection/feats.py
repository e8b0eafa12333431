"""What players of Intersection may be proud of."""

from __future__ import annotations

from collections.abc import Iterator

from referee.actions import Action
from referee.game import GameFeat
from referee.games.intersection.state import IntersectionPhase, IntersectionState
from referee.sentences import say


def _doubled(before: IntersectionState, action: Action, after: IntersectionState) -> Iterator[int]:
    """Yield the player whose double or nothing came true (I.2-13)."""
    seat = action.player
    if before.phase == IntersectionPhase.DOUBLE and after.scores[seat - 1] > before.scores[seat - 1]:
        yield seat


FEATS = (GameFeat("doubled", say("Double it"), say("Win a double or nothing in Intersection."), _doubled),)
