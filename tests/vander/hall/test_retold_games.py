"""A game that a table tells again under a new pairing, from a backup that was put back, counts once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest
from playing_table import AppClient, PlayingTable
from random_matches import finished_match, played_on, random_match
from sqlalchemy import event, select, update
from sqlalchemy.engine import Engine
from tournament_evening import PLAYERS, TournamentEvening

from referee.games import named
from referee.journal import Deed
from vander.hall import hall_games, season
from vander.hall.entry_intake import GameTelling, standings_of
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import ENTRIES, GAMES
from vander.hall.hall_service import HallService
from vander.storage.journal_schema import Ending
from vander.storage.journal_store import Journal
from vander.table.match import Match
from web.schemas.tournament_schemas import CallPlayersRequest, SeasonFilter

GAME = named("toss-up")
PAIR = ("Ann", "Bob")
FIRST, AGAIN = (1, 1), (2, 1)


class Club:
    """A hall, the table that joins it, and backups of the table's data folder, each of which joins it as another."""

    def __init__(self, folder: Path, hall: HallService, client: AppClient, on_exit: ExitStack) -> None:
        self._folder, self._hall, self._client, self._on_exit = folder, hall, client, on_exit
        self._backups = 0
        self.table = self._join(folder / "table", "Table 1")

    def _join(self, folder: Path, name: str) -> PlayingTable:
        return self._on_exit.enter_context(
            closing(PlayingTable(folder, self._client, name, self._hall.registry.show_code()))
        )

    def back_up(self) -> Path:
        self._backups += 1
        self.table.journal.close()
        copy = self._folder / f"backup {self._backups}"
        shutil.copytree(self._folder / "table", copy)
        self.table.journal = Journal.in_folder(self._folder / "table")
        return copy

    def restore(self, backup: Path) -> PlayingTable:
        """Pair a table anew that has this backup's journal."""
        return self._join(backup, f"Table 1, {backup.name}")


@pytest.fixture
def club(tmp_path: Path, hall: HallService, app_client: AppClient) -> Iterator[Club]:
    with ExitStack() as on_exit:
        yield Club(tmp_path, hall, app_client, on_exit)


def begin(table: PlayingTable, match: Match, entries: int | None = None) -> int:
    """Begin a match at a table and play so many entries of it, or all, without its end."""
    number = table.journal.begin(GAME.name, PAIR, {}, GAME.name).number
    go_on(table, match, number, 0, entries)
    return number


def go_on(table: PlayingTable, match: Match, number: int, since: int, until: int | None = None) -> None:
    for entry in match.entries[since:until]:
        table.journal.write(number, replace(entry, evidence=""))


def end(table: PlayingTable, match: Match, number: int = 1) -> None:
    table.journal.write(number, ending=Ending(match.entries[-1].at))
    table.send_all()


def two_ends() -> tuple[Match, Match]:
    """Two ways in which one game goes on from its twelfth entry: each is won by somebody else."""
    common, seed = random_match(GAME, 12, 5, PAIR), 1
    first = played_on(common, GAME, 0)
    while (second := played_on(common, GAME, seed)).state.winner == first.state.winner:
        seed += 1
    return first, second


def corrected(match: Match) -> Match:
    """The match with its end taken back and played again until the other player has won."""
    undone, seed = match, 0
    for _ in range(30):
        undone = undone.undo()
    while (found := played_on(undone, GAME, seed)).state.winner == match.state.winner:
        seed += 1
    return found


def counted(engine: Engine) -> dict[str, tuple[int, int]]:
    """How many games and wins each player has, by the standings; exports and players' pages must say the same."""
    with engine.connect() as connection:
        rows = season.standings(connection, SeasonFilter(), 9)
        for row in rows:
            assert len(season.player_games(connection, row.player, None, 9)) == row.games
    exported = list(season.ended_games(engine, SeasonFilter()))
    assert sum(len(game.seats) for game in exported) == sum(row.games for row in rows)
    return {row.name: (row.games, row.wins) for row in rows}


def stands(engine: Engine) -> dict[tuple[int, int], str]:
    with engine.connect() as connection:
        return {(row.table_id, row.game_id): row.standing for row in connection.execute(select(GAMES))}


def results(match: Match) -> dict[str, tuple[int, int]]:
    return {name: (1, int(seat in match.state.winner)) for seat, name in enumerate(PAIR, start=1)}


def test_a_game_that_a_restored_backup_tells_again_counts_once_and_says_so(club: Club, engine: Engine) -> None:
    match = finished_match(GAME, 1, PAIR, {})
    begin(club.table, match)
    backup = club.back_up()
    end(club.table, match)
    again = club.restore(backup)
    end(again, match)
    assert counted(engine) == results(match)
    assert stands(engine) == {FIRST: "over", AGAIN: "retold"}
    with engine.connect() as connection:
        row = hall_games.game_row(connection, AGAIN)
    assert row is not None
    assert hall_games.why_not_counted(row) == "This game was reported twice. It counts as game 1 of Table 1."


def test_another_end_of_a_game_that_counts_changes_nothing(club: Club, engine: Engine) -> None:
    first, second = two_ends()
    begin(club.table, first, 12)
    backup = club.back_up()
    go_on(club.table, first, 1, 12)
    end(club.table, first)
    again = club.restore(backup)
    go_on(again, second, 1, 12)
    end(again, second)
    assert counted(engine) == results(first)
    again.journal.write(1, ending=Ending(None))  # nor when it is taken up again
    again.send_all()
    end(again, second)
    assert counted(engine) == results(first)


def test_a_game_that_is_left_when_it_was_told_again_keeps_its_result(club: Club, engine: Engine) -> None:
    match = finished_match(GAME, 2, PAIR, {})
    begin(club.table, match, 20)
    backup = club.back_up()
    go_on(club.table, match, 1, 20)
    end(club.table, match)
    end(club.restore(backup), match)
    assert counted(engine) == results(match)


def test_a_game_whose_first_table_never_told_its_end_counts_where_it_ended(club: Club, engine: Engine) -> None:
    match = finished_match(GAME, 2, PAIR, {})
    begin(club.table, match, 20)
    backup = club.back_up()
    club.table.send_all()
    again = club.restore(backup)
    go_on(again, match, 1, 20)
    end(again, match)
    assert counted(engine) == results(match)
    assert stands(engine) == {FIRST: "going", AGAIN: "over"}


def test_a_correction_of_a_game_that_is_told_again_takes_its_place(club: Club, engine: Engine) -> None:
    match = finished_match(GAME, 1, PAIR, {})
    other = corrected(match)
    begin(club.table, match)
    backup = club.back_up()
    end(club.table, match)
    again = club.restore(backup)
    go_on(again, other, 1, len(match.entries), len(match.entries) + 1)
    again.send_all()
    assert counted(engine) == {}
    go_on(again, other, 1, len(match.entries) + 1)
    end(again, other)
    assert counted(engine) == results(other)
    assert stands(engine) == {FIRST: "retold", AGAIN: "over"}


def test_a_copy_counts_when_the_game_is_put_into_quarantine(club: Club, engine: Engine) -> None:
    match = finished_match(GAME, 1, PAIR, {})
    begin(club.table, match)
    backup = club.back_up()
    end(club.table, match)
    end(club.restore(backup), match)
    forged = replace(match.entries[-1], number=len(match.entries) + 1, deed=Deed.CORRECT, target=99, evidence="")
    club.table.journal.write(1, forged)
    club.table.send_all()
    assert stands(engine) == {FIRST: "quarantined", AGAIN: "over"}
    assert counted(engine) == results(match)


@pytest.mark.parametrize("changed", ["first entry", "beginning"])
def test_a_game_that_only_looks_alike_counts_too(club: Club, engine: Engine, changed: str) -> None:
    match = finished_match(GAME, 1, PAIR, {})
    begin(club.table, match)
    backup = club.back_up()
    end(club.table, match)
    with engine.begin() as connection:  # as if it were another game, by a microsecond
        if changed == "beginning":
            connection.execute(update(GAMES).values(started_at=GAMES.c.started_at + timedelta(microseconds=1)))
        else:
            later = ENTRIES.c.at + timedelta(microseconds=1)
            connection.execute(update(ENTRIES).where(ENTRIES.c.number == 1).values(at=later))
    end(club.restore(backup), match)
    assert stands(engine) == {FIRST: "over", AGAIN: "over"}
    assert counted(engine) == {name: (2, 2 * wins) for name, (_, wins) in results(match).items()}


def test_two_tables_that_end_one_game_at_the_same_moment_count_it_once(club: Club, engine: Engine) -> None:
    match = finished_match(GAME, 1, PAIR, {})
    begin(club.table, match)
    tables = [club.table, club.restore(club.back_up())]
    for table in tables:
        table.send_all()
        table.journal.write(1, ending=Ending(match.entries[-1].at))
    both = Barrier(2)

    def wait_for_the_other(_connection: object) -> None:
        with suppress(BrokenBarrierError):
            both.wait(0.5)  # the second one cannot come while the first holds the game

    event.listen(engine, "commit", wait_for_the_other)
    senders = [Thread(target=table.sender().send_once) for table in tables]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    event.remove(engine, "commit", wait_for_the_other)
    assert sorted(stands(engine).values()) == ["over", "retold"]
    assert counted(engine) == results(match)


def test_a_game_that_counted_in_a_tournament_counts_there_once(
    engine: Engine, hall: HallService, club: Club, tmp_path: Path
) -> None:
    evening = TournamentEvening(engine, hall, [club.table])
    try:
        number = evening.make("knock-out", 2, best_of=3)
        evening.call_all(number)
        match = finished_match(GAME, 1, PLAYERS[:2], {})
        begin(club.table, match)
        backup = club.back_up()
        end(club.table, match)
        (before,) = evening.found(number).at_tables
        assert len(before.games) == 1
        again = club.restore(backup)
        moved = CallPlayersRequest(version=evening.found(number).version, fixture=before.number, table=2)
        evening.service.call_players(number, moved, "desk")
        end(again, match)
        (after,) = evening.found(number).at_tables
        assert (after.table, after.games) == (2, before.games)
    finally:
        evening.end()


def told(table: int, standing: str, *, counts: bool = False, is_won: bool = True) -> GameTelling:
    return GameTelling((table, 1), GameStanding(standing), is_won, counts, 9, ())


@pytest.mark.parametrize(
    ("changed", "others", "continued", "found"),
    [
        pytest.param(told(2, "over"), [told(1, "going")], (), {2: "over"}, id="the only one that ended"),
        pytest.param(told(2, "over"), [told(1, "over", counts=True)], (), {2: "retold"}, id="the second end"),
        pytest.param(
            told(2, "over", is_won=False),
            [told(1, "over", counts=True, is_won=False)],
            (),
            {2: "retold"},
            id="left twice",
        ),
        pytest.param(
            told(2, "over"), [told(1, "over", counts=True, is_won=False)], (), {1: "retold", 2: "over"}, id="left once"
        ),
        pytest.param(told(2, "going"), [told(1, "over", counts=True)], (), {}, id="it goes on"),
        pytest.param(told(2, "going"), [told(1, "over", counts=True)], [(1, 2)], {1: "retold"}, id="it goes on longer"),
        pytest.param(
            told(2, "retold"), [told(1, "over", counts=True)], [(1, 2)], {1: "retold", 2: "over"}, id="it is corrected"
        ),
        pytest.param(told(2, "retold"), [told(1, "going")], (), {2: "retold"}, id="what counted goes on"),
        pytest.param(told(1, "over"), [told(2, "going")], [(1, 2)], {1: "retold"}, id="the other one is longer"),
        pytest.param(told(1, "quarantined"), [told(2, "retold")], (), {2: "over"}, id="what counted is refused"),
        pytest.param(told(2, "quarantined"), [told(1, "over", counts=True)], (), {}, id="the copy is refused"),
        pytest.param(
            told(3, "over"),
            [told(1, "over", counts=True), told(2, "over", counts=True)],
            [(1, 3)],
            {1: "retold", 3: "retold"},
            id="three",
        ),
    ],
)
def test_one_of_all_that_tell_a_game_counts(
    changed: GameTelling, others: list[GameTelling], continued: list[tuple[int, int]], found: dict[int, str]
) -> None:
    pairs = {((short, 1), (long, 1)) for short, long in continued}
    assert standings_of(changed, others, pairs) == {(table, 1): standing for table, standing in found.items()}
