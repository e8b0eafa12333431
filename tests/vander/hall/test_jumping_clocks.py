"""Tables whose clocks jump, by hours and by years: the order of entries and what counts do not depend on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle

import pytest
from playing_table import PlayingTable
from random_matches import finished_match
from sqlalchemy import update
from sqlalchemy.engine import Engine

from referee.games import named
from vander.hall import hall_games, season
from vander.hall.hall_schema import GAMES
from vander.hall.hall_service import HallService
from vander.storage.journal_schema import Ending
from web.schemas.tournament_schemas import SeasonFilter

OpenTable = Callable[[str], PlayingTable]
EVENING = datetime(2026, 3, 4, 19, 30, tzinfo=UTC)
JUMPS = ((0, 3600, -7200), (-365 * 86_400, 0, 40 * 365 * 86_400))
"""Seconds by which the clocks of two tables are off, entry after entry."""

ENTRIES_IN_A_REQUEST = 8
"""Some in each request: a hall takes only so many requests a second, and a fast machine would send more."""


@pytest.mark.parametrize("ends_first", [0, 1])
def test_two_tables_whose_clocks_jump_have_all_entries_in_order_and_their_results(
    open_playing_table: OpenTable, hall: HallService, engine: Engine, ends_first: int
) -> None:
    tables = [open_playing_table(f"Table {number}") for number in (1, 2)]
    played = [finished_match(named("toss-up"), seed, ("Ann", "Bob"), {}).entries for seed in (1, 2)]
    numbers = [table.journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number for table in tables]
    for step in range(max(map(len, played))):
        for table, number, entries, jumps in zip(tables, numbers, played, JUMPS, strict=True):
            if step < len(entries):
                off = timedelta(seconds=jumps[step % len(jumps)])
                at = EVENING + timedelta(seconds=step) + off
                table.journal.write(number, replace(entries[step], at=at, evidence=""))
                if step % ENTRIES_IN_A_REQUEST == 0:
                    table.send_all()
    for place, jump in zip((ends_first, 1 - ends_first), cycle((-86_400, 86_400)), strict=False):
        tables[place].journal.write(numbers[place], ending=Ending(EVENING + timedelta(seconds=jump)))
        tables[place].send_all()
    with engine.connect() as connection:
        for key, table in enumerate(tables, start=1):
            row = hall_games.game_row(connection, (key, 1))
            assert row is not None
            assert (row.standing, row.reason) == ("over", "")
            kept = tuple(hall_games.read_entries(connection, (key, 1), row.players))
            assert kept == table.journal.entries(1)
        assert [row.games for row in season.standings(connection, SeasonFilter(), 9)] == [2, 2]
    assert [table.standing for table in hall.registry.tables()] == ["live", "live"]


@pytest.mark.parametrize(("set_by_s", "is_doubted"), [(0, False), (30, False), (-7200, True), (7200, True)])
def test_a_game_during_which_the_clock_was_set_has_doubtful_times(
    open_playing_table: OpenTable, hall: HallService, engine: Engine, set_by_s: int, is_doubted: bool
) -> None:
    table = open_playing_table("Table 1")
    number = table.journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
    table.send_all()
    with engine.begin() as connection:  # as if the clock had been other when the game was begun
        connection.execute(update(GAMES).values(clock_off_s=GAMES.c.clock_off_s + set_by_s))
    table.journal.write(number, ending=Ending(datetime.now(UTC)))
    table.send_all()
    with engine.connect() as connection:
        row = hall_games.game_row(connection, (1, number))
    assert row is not None
    assert row.clock_doubted == is_doubted
