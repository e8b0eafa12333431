"""The same game again."""

from __future__ import annotations

from referee.game import Game
from referee.past_result import Rematch
from referee.turn_rows import LOT
from vander.storage.stored_game import KeptGame


def rematch_of(kept: KeptGame, game: Game | None) -> Rematch:
    """Return the same game again. Where no lot decides who begins, the next player takes the first seat."""
    has_lot = game is not None and any(verb.name == LOT for verb in game.verbs)
    players = kept.players if has_lot else (*kept.players[1:], *kept.players[:1])
    return Rematch(kept.game, players, kept.options, kept.die_set)
