"""Every game, played at random, is recorded and found within the rules: the record's words are the game's own."""

from __future__ import annotations

import pytest
from any_game import QUIET, dice_of, played_at_random
from hypothesis import given
from hypothesis import strategies as st

from referee.game import Game
from referee.games import games
from referee.journal import Deed
from referee.record_check import check_record, start_of_record
from referee.record_parser import Record, RecordedEntry, parse_record, write_record

every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


@every_game
@QUIET
@given(st.data())
def test_a_game_that_was_played_is_recorded_and_found_within_the_rules(game: Game, data: st.DataObject) -> None:
    played = data.draw(played_at_random(game))
    players = tuple(player.name for player in played.start.players)
    lines = tuple(RecordedEntry(Deed.PLAY, action) for action in played.actions)
    written = write_record(Record(game.name, players, played.start.options, dice_of(game).name, lines=lines))
    record = parse_record(written)
    found = list(check_record(game, start_of_record(record, game, dice_of(game)), record))
    assert [each.state for each in found] == list(played.states[1:])
    assert not any(each.refusal for each in found)
    assert all(each.calls for each in found)
