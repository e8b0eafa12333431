"""What players of Switch 16 may be proud of."""

from __future__ import annotations

from collections.abc import Iterator

from referee.actions import Action
from referee.game import GameFeat
from referee.games.switch_16.state import Switch16State
from referee.sentences import say

LONG_RUN = 5
"""The cards of one turn from which on it is a long run."""


def _long_run(before: Switch16State, action: Action, after: Switch16State) -> Iterator[int]:
    """Yield the player who discards the fifth card of a turn."""
    if after.turn_cards >= LONG_RUN > before.turn_cards:
        yield action.player


FEATS = (GameFeat("long-run", say("Long run"), say("Discard five cards in one turn of Switch 16."), _long_run),)
