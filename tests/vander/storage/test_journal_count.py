"""A journal that lost games or entries is found out by its count file and evidence, and no number is given twice."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from models import die_sets
from referee.actions import Action
from referee.games import games
from referee.journal import Deed, Entry, Source
from vander.storage.data_folder import Unwritten
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import (
    LENGTH,
    LOG_PAGES,
    CountFile,
    Ending,
    JournalCount,
    KeptGame,
    MissingGames,
    Pictured,
    UnreadableCount,
    find_missing,
)
from vander.storage.journal_store import Journal
from vander.table.journal_writer import GameRecord

NOON = datetime(2025, 5, 1, 12, tzinfo=UTC)
ROLL = Entry(1, NOON, Source.CAMERA, Deed.PLAY, Action.parse("1 roll d6:pip-3"))
PAGE = 4096
FRAME = 24 + PAGE
LOG_HEADER = 32


def begun(journal: Journal) -> int:
    return journal.begin("dice", ["Ann"], {}, "d6").number


def entries(count: int, since: int = 1) -> list[Entry]:
    return [replace(ROLL, number=number) for number in range(since, since + count)]


def play(journal: Journal, count: int = 3) -> int:
    """Play a game to its end."""
    number = begun(journal)
    for entry in entries(count):
        journal.write(number, entry)
    journal.write(number, ending=Ending(NOON))
    return number


def pull_the_plug(folder: Path) -> Path:
    """What is on disk now, as a killed program leaves it."""
    left = folder.with_name(f"{folder.name}-left")
    shutil.copytree(folder, left)
    return left


def log_of(folder: Path) -> Path:
    return folder / "journal.sqlite-wal"


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A folder whose program was killed in its third game, with all that it wrote."""
    folder = tmp_path / "data"
    with closing(Journal.in_folder(folder)) as journal:
        for _ in range(2):
            play(journal)
        number = begun(journal)
        for entry in entries(8):
            journal.write(number, entry)
        return pull_the_plug(folder)


def test_a_game_that_is_over_is_in_the_database_itself(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path / "data")) as journal:
        numbers = [play(journal) for _ in range(21)]
        left = pull_the_plug(tmp_path / "data")
    log_of(left).unlink()
    with closing(Journal.in_folder(left)) as journal:
        assert [game.number for game in journal.games()] == numbers
        assert all(len(journal.entries(number)) == 3 for number in numbers)
        assert not journal.missing


def test_what_a_kill_left_in_the_log_is_in_the_database_after_the_next_start(left: Path) -> None:
    assert log_of(left).stat().st_size
    with closing(Journal.in_folder(left)):
        assert log_of(left).stat().st_size == 0


def test_the_log_of_a_long_game_stays_small(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        number = begun(journal)
        for entry in entries(300):
            journal.write(number, entry)
        assert log_of(tmp_path).stat().st_size < (LOG_PAGES + 16) * FRAME


def test_a_reader_delays_no_end_of_a_game(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        play(journal)
        with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM games").fetchall()
            began = datetime.now(UTC)
            play(journal)
            assert (datetime.now(UTC) - began).total_seconds() < 4, "SQLite's patience with a reader is 5 s"
        assert len(journal.games()) == 2


def test_a_lost_log_is_told(left: Path, caplog: pytest.LogCaptureFixture) -> None:
    log_of(left).unlink()
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing == MissingGames(0, 8)
        assert "The journal lacks 8 entries of games that were played here." in caplog.text
        assert "vander restore" in caplog.text


def test_a_wrong_bit_in_the_log_is_told_and_the_log_kept(left: Path) -> None:
    contents = bytearray(log_of(left).read_bytes())
    contents[LOG_HEADER + 6 * FRAME + 100] ^= 1
    log_of(left).write_bytes(contents)
    with closing(Journal.in_folder(left)) as journal:
        (_, _, last) = journal.games()
        lost = 8 - len(journal.entries(last.number))
        assert 0 < lost < 8
        assert journal.missing == MissingGames(0, lost)
    assert (left / "journal.sqlite.unread-log").read_bytes() == contents


@pytest.mark.parametrize("lost", ["journal.sqlite*", "journal.sqlite-*"], ids=["journal", "log"])
def test_no_number_is_given_twice(left: Path, lost: str) -> None:
    for path in left.glob(lost):
        path.unlink()
    with closing(Journal.in_folder(left)) as journal:
        assert begun(journal) == 4
        assert journal.keep(KeptGame(0, "dice", ("Cy",), {}, "d6", NOON, NOON), ()).number == 5


def test_a_lost_journal_is_told_at_each_start_until_a_keeper_accepts_it(left: Path) -> None:
    for path in left.glob("journal.sqlite*"):
        path.unlink()
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing == MissingGames(3, 14)
        assert journal.missing.sentence == "The journal lacks 3 games that were played here."
        play(journal)
        assert journal.missing == MissingGames(3, 14)
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing == MissingGames(3, 14)
        journal.accept_missing()
        assert not journal.missing
        assert journal.missing.alert == ""
    with closing(Journal.in_folder(left)) as journal:
        assert not journal.missing
        assert begun(journal) == 5


def test_a_journal_that_is_put_back_lacks_what_was_played_meanwhile(left: Path) -> None:
    away = left.with_name("away")
    away.mkdir()
    for path in [*left.glob("journal.sqlite*")]:
        path.rename(away / path.name)
    with closing(Journal.in_folder(left)) as journal:
        play(journal)
    for path in [*left.glob("journal.sqlite*")]:
        path.unlink()
    for path in away.iterdir():
        path.rename(left / path.name)
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing == MissingGames(1, 3)
        assert begun(journal) == 5


def test_a_journal_that_is_put_back_at_once_lacks_nothing(left: Path, tmp_path: Path) -> None:
    whole = shutil.copytree(left, tmp_path / "whole")
    log_of(left).unlink()
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing
    for path in left.glob("journal.sqlite*"):
        path.unlink()
    for path in whole.glob("journal.sqlite*"):
        shutil.copy(path, left)
    with closing(Journal.in_folder(left)) as journal:
        assert not journal.missing


def test_a_loss_that_cannot_be_accepted_on_disk_stays(left: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log_of(left).unlink()
    with closing(Journal.in_folder(left)) as journal:
        (left / "journal.count").unlink()
        (left / "journal.count").mkdir()
        with pytest.raises(Unwritten, match="count file cannot be written"):
            journal.accept_missing()
        assert journal.missing == MissingGames(0, 8)


def test_a_folder_of_before_gets_its_count(left: Path) -> None:
    (left / "journal.count").unlink()
    with closing(Journal.in_folder(left)) as journal:
        assert not journal.missing
    assert JournalCount.parse((left / "journal.count").read_text()) == JournalCount(3, 14, 3)


NEGATIVE = str(JournalCount(-1, 0, 0))
TORN = str(JournalCount(9, 99, 9)).replace("99", "199")


@pytest.mark.parametrize("contents", ["", "{", "[]", '{"games": 3}', NEGATIVE, TORN, "\0" * 40])
def test_a_count_that_cannot_be_read_is_told_and_made_again(
    left: Path, contents: str, caplog: pytest.LogCaptureFixture
) -> None:
    (left / "journal.count").write_text(contents)
    with closing(Journal.in_folder(left)) as journal:
        assert not journal.missing
    assert "journal.count: unreadable, made again" in caplog.text
    assert JournalCount.parse((left / "journal.count").read_text()) == JournalCount(3, 14, 3)


def test_a_count_reads_back_and_is_always_as_long(tmp_path: Path) -> None:
    file = CountFile(tmp_path / "journal.sqlite")
    sizes = set()
    for count in (JournalCount(), JournalCount(9, 99, 9), JournalCount(10**9, 10**12, 10**9)):
        for durably in (True, False):
            file.write(count, durably)
            assert file.read() == count == JournalCount.parse(str(count))
            sizes.add((tmp_path / "journal.count").stat().st_size)
    assert sizes == {LENGTH + 1}
    assert [path.name for path in tmp_path.iterdir()] == ["journal.count"]


@pytest.mark.parametrize("number", ["true", "1.5", '"3"', "null"])
def test_a_count_is_of_whole_numbers(number: str) -> None:
    with pytest.raises(UnreadableCount):
        JournalCount.parse(f'{{"games": {number}, "entries": 0, "last_game": 0}}')


def test_without_a_count_the_pictures_tell_what_is_missing(tmp_path: Path) -> None:
    evidence = EvidenceStore(tmp_path / "evidence")
    for name in ("game-1-entry-1", "game-4-entry-2", "game-4-entry-7", "game-6-entry-1"):
        assert evidence.keep(name, b"picture")
    with closing(Journal.in_folder(tmp_path)) as journal:
        assert journal.missing == MissingGames(3, 0)
        assert begun(journal) == 7


def test_pictures_of_games_that_the_count_does_not_know_are_told(left: Path) -> None:
    assert EvidenceStore(left / "evidence").keep("game-9-entry-1", b"picture")
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing == MissingGames(1, 0)
        assert begun(journal) == 10


def test_a_picture_whose_entry_a_kill_prevented_is_no_missing_entry(left: Path) -> None:
    (left / "journal.count").unlink()
    evidence = EvidenceStore(left / "evidence")
    assert evidence.keep("game-3-entry-9", b"picture")
    Journal.in_folder(left).close()
    with closing(Journal.in_folder(left)) as journal:
        assert not journal.missing
    (left / "journal.count").unlink()
    assert evidence.keep("game-3-entry-12", b"picture")
    with closing(Journal.in_folder(left)) as journal:
        assert journal.missing == MissingGames(0, 3)


def test_a_journal_ahead_of_its_count_lacks_nothing() -> None:
    assert not find_missing(JournalCount(1, 2, 1), JournalCount(3, 9, 3), Pictured({1: 2, 3: 4}))


def test_no_place_of_a_lost_entry_is_replaced(tmp_path: Path) -> None:
    evidence = EvidenceStore(tmp_path / "evidence")
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.begin("dice", ["Ann"], {}, "d6")
        for number in range(1, 6):
            assert evidence.keep(f"game-1-entry-{number}", b"lost")
        record = GameRecord(journal, evidence)
        match = record.resume(games(), die_sets)
        assert match is not None
        assert match.evidence_name() == "game-1-entry-6"
        throw = match.play([(Action.parse("1 roll d6:pip-3"), Source.CAMERA)], match.evidence_name())
        assert throw.evidence_name() == "game-1-entry-7"
        journal.write(1, *throw.entries)
        assert evidence.keep("game-1-entry-6", b"new")
        again = record.resume(games(), die_sets)
        assert again is not None
        assert again.evidence_name() == "game-1-entry-7"
        assert again.entries[-1].number == 1


def test_a_count_that_cannot_be_written_stops_no_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "journal.count.part").mkdir(parents=True)
    caplog.set_level(logging.WARNING)
    with closing(Journal.in_folder(tmp_path)) as journal:
        assert play(journal) == 1
    assert "the count file cannot be written" in caplog.text


def test_a_database_that_is_no_file_is_not_counted() -> None:
    with closing(Journal("sqlite://")) as journal:
        assert play(journal) == 1
        journal.accept_missing()
    assert [*Path.cwd().glob("*.count")] == []
