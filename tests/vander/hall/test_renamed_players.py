"""Players of a hall's tournaments whose name is changed or forgotten at the only table that knew them by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playing_table import PlayingTable
from sqlalchemy import MetaData, select
from sqlalchemy.engine import Engine
from tournament_evening import TournamentEvening

from vander.extras.players.player_service import PlayerService
from vander.hall.hall_service import HallService


@pytest.fixture
def evening(
    engine: Engine, hall: HallService, open_playing_table: Callable[[str], PlayingTable]
) -> Iterator[TournamentEvening]:
    opened = TournamentEvening(engine, hall, [open_playing_table("Table 1")])
    yield opened
    opened.end()


@pytest.fixture
def players(evening: TournamentEvening, tmp_path: Path) -> PlayerService:
    """The players whom the table remembers."""
    return PlayerService(evening.tables["Table 1"].journal, tmp_path / "Table 1")


def a_match_begun(evening: TournamentEvening) -> int:
    """A match of Ann and Bob over three games, of which one was played, and the next is called."""
    number = evening.make("knock-out", 2, best_of=3)
    evening.call_all(number)
    evening.play_called(number)
    return number


def names_of(evening: TournamentEvening, number: int) -> tuple[str, ...]:
    return tuple(sorted(one.name for one in evening.found(number).entrants))


def test_who_has_another_name_now_stays_the_same_player_of_a_tournament(
    evening: TournamentEvening, players: PlayerService
) -> None:
    number = a_match_begun(evening)
    players.change(number_of(players, "Ann"), name="Anna")
    evening.tables["Table 1"].send_all()
    assert names_of(evening, number) == ("Anna", "Bob")
    (fixture,) = evening.found(number).at_tables
    evening.play("Table 1", fixture.names)
    assert [len(one.fixtures[0].games) for one in evening.found(number).rounds] == [2]
    assert {row.name for row in evening.found(number).standings} == {"Anna", "Bob"}


def test_the_name_of_a_player_who_is_forgotten_stands_nowhere_in_the_hall(
    evening: TournamentEvening, players: PlayerService
) -> None:
    number = a_match_begun(evening)
    assert "Ann" in all_texts(evening.engine)
    players.forget(number_of(players, "Ann"))
    evening.tables["Table 1"].send_all()
    assert names_of(evening, number)[0] == "Bob"
    assert names_of(evening, number)[1] in ("Player 1", "Player 2")
    assert "Ann" not in all_texts(evening.engine)


def test_a_player_who_is_known_at_another_table_too_keeps_the_name_in_the_tournament(
    evening: TournamentEvening, players: PlayerService, open_playing_table: Callable[[str], PlayingTable]
) -> None:
    other = open_playing_table("Table 2")
    other.play(5, game="toss-up", players=("Ann", "Eve"))
    other.send_all()
    number = a_match_begun(evening)
    players.forget(number_of(players, "Ann"))
    evening.tables["Table 1"].send_all()
    assert names_of(evening, number) == ("Ann", "Bob")


def number_of(players: PlayerService, name: str) -> int:
    return next(one.number for one in players.players() if one.name == name)


def all_texts(engine: Engine) -> str:
    """Return all rows of all tables of the hall."""
    found = MetaData()
    found.reflect(engine)
    with engine.connect() as connection:
        return "\n".join(str(tuple(row)) for table in found.sorted_tables for row in connection.execute(select(table)))
