"""A player's progress with the achievements is kept, and is always what counting all games again gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from referee.feats import SeatFeat, progress
from referee.game_results import SeatResult
from referee.journal import Deed, Entry, Source
from referee.sentences import Refused
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService
from vander.storage.journal_schema import CAREERS, KeptGame
from vander.storage.journal_store import Journal
from vander.storage.player_tables import read_career, write_results

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GAMES = ("intersection", "toss-up", "rollers", "switch-16", "dice-county-fair")
SEATED = (("Ann", "Bob"), ("Bob", "Cy"), ("Cy", "Ann"), ("Ann", "Dee"), ("Dee", "Bob"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path)) as opened:
        yield opened


@pytest.fixture
def statistics(journal: Journal) -> Iterator[PlayStatisticsService]:
    for number in range(60):
        ended(journal, number)
    with closing(PlayStatisticsService(journal)) as service:
        service.count()
        yield service


def ended(journal: Journal, number: int) -> int:
    """Put a game into the journal that is counted already, without entries; return its number."""
    begun = NOON + timedelta(hours=number)
    game = GAMES[number % len(GAMES)]
    kept = KeptGame(0, game, SEATED[number // 3 % len(SEATED)], {}, game, begun, begun + timedelta(minutes=30))
    placed = journal.keep(kept, ()).number
    count(journal, placed, first_wins=number % 3 > 0)
    return placed


def count(journal: Journal, game: int, *, first_wins: bool, entries: int = 0) -> None:
    results = (SeatResult(1, True, first_wins, 9), SeatResult(2, True, not first_wins, 8))
    feats = (SeatFeat(1, "lucky", 3), SeatFeat(2, "bold", 4)) if game % 4 else ()
    with journal.writing() as connection:
        write_results(connection, game, results, entries, feats=feats)


def kept_players(journal: Journal) -> set[int]:
    with journal.reading() as connection:
        return set(connection.execute(select(CAREERS.c.player_id)).scalars())


def counted_again(journal: Journal, statistics: PlayStatisticsService, player: int) -> list[object]:
    with journal.reading() as connection:
        career = read_career(connection, player)
    return [progress(each, career) for each in statistics._achievements]


def test_what_is_kept_is_what_counting_gives(journal: Journal, statistics: PlayStatisticsService) -> None:
    assert kept_players(journal) == {1, 2, 3, 4}
    for player in (1, 2, 3, 4):
        found = list(statistics.achievements(player))
        assert found == counted_again(journal, statistics, player)
        assert any(each.level for each in found)


def goes_on(journal: Journal, players: PlayerService) -> None:
    journal.write(7, Entry(1, NOON, Source.TABLET, Deed.REMARK, note="It went on."))


def is_counted_otherwise(journal: Journal, players: PlayerService) -> None:
    count(journal, 8, first_wins=False)
    count(journal, 9, first_wins=False)


def is_played(journal: Journal, players: PlayerService) -> None:
    ended(journal, 61)


def is_merged(journal: Journal, players: PlayerService) -> None:
    with pytest.raises(Refused, match="played together"):
        players.merge(4, into=1)
    ended(journal, 62)
    journal.keep(KeptGame(0, "rollers", ("Eve", "Bob"), {}, "rollers", NOON, NOON), ())
    count(journal, 62, first_wins=True)
    players.merge(5, into=3)


def is_forgotten(journal: Journal, players: PlayerService) -> None:
    players.forget(2)


@pytest.mark.parametrize("happens", [goes_on, is_counted_otherwise, is_played, is_merged, is_forgotten])
def test_whatever_happens_to_a_game_what_is_shown_is_what_counting_gives(
    journal: Journal,
    statistics: PlayStatisticsService,
    tmp_path: Path,
    happens: Callable[[Journal, PlayerService], None],
) -> None:
    players = PlayerService(journal, tmp_path)
    happens(journal, players)
    for _ in range(2):  # before the progress is kept again, and after
        for player in players.players():
            assert list(statistics.achievements(player.number)) == counted_again(journal, statistics, player.number)
        statistics._keep_progress()
    assert kept_players(journal) == {player.number for player in players.players()}


def test_nothing_is_kept_of_who_was_merged_or_forgotten_after_it_was_asked_whose_progress_is_missing(
    journal: Journal, statistics: PlayStatisticsService, tmp_path: Path
) -> None:
    players = PlayerService(journal, tmp_path)
    is_merged(journal, players)
    players.forget(2)
    for player in (1, 2, 3, 4, 5):
        statistics.keep_progress_of(player)
    assert kept_players(journal) == {1, 3, 4}


def test_other_achievements_are_counted_again(journal: Journal, statistics: PlayStatisticsService) -> None:
    first, *others = statistics._achievements
    statistics._achievements = (replace(first, levels=(2, 4)), *others)
    found = statistics.achievements(1)[0]
    assert (found.level, found.next) == (2, 0)
    statistics._keep_progress()
    assert statistics.achievements(1)[0] == found


def test_a_player_of_whom_part_is_missing_is_counted_again(journal: Journal, statistics: PlayStatisticsService) -> None:
    before = statistics.achievements(1)
    with journal.writing() as connection:
        connection.execute(delete(CAREERS).where(CAREERS.c.achievement == "streak", CAREERS.c.level == 0))
    assert statistics.achievements(1) == before


def test_a_game_on_the_table_leaves_the_progress_of_its_players(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    """Each entry of a game would else make the pages count all games of its players again."""
    number = journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
    journal.write(number, Entry(1, NOON, Source.TABLET, Deed.REMARK, note="Somebody sneezed."))
    assert kept_players(journal) == {1, 2, 3, 4}


def test_the_progress_is_that_of_games_in_the_order_in_which_they_ended(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    """A game that stood open for days ends after games that were begun later."""
    late = KeptGame(0, "toss-up", ("Eve", "Fay"), {}, "toss-up", NOON, NOON + timedelta(days=9))
    first = journal.keep(late, ()).number
    second = journal.keep(replace(late, ended_at=NOON + timedelta(days=8)), ()).number
    for game in (first, second):
        count(journal, game, first_wins=True)
    with journal.reading() as connection:
        assert [played.number for played in read_career(connection, 5)] == [second, first]
