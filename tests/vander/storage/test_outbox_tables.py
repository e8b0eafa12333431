"""The outbox: lines for the hall about a table's games, in order, each once, kept until the hall has taken them."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.actions import Action
from referee.journal import Deed, Entry, Source
from vander.storage import outbox_tables, player_tables
from vander.storage.data_folder import Unwritten
from vander.storage.journal_schema import Ending
from vander.storage.journal_store import Journal
from vander.storage.outbox_tables import OutboxLine, line_hash

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def entry(number: int, text: str = "1 stop") -> Entry:
    return Entry(number, NOON, Source.TABLET, Deed.PLAY, Action.parse(text), note="Ann stopped.")


def lines(journal: Journal, after: int = 0) -> tuple[OutboxLine, ...]:
    with journal.reading() as connection:
        return outbox_tables.waiting_lines(connection, after, 100)


def told(journal: Journal) -> list[tuple[str, object]]:
    return [(line.kind, json.loads(line.body).get("game")) for line in lines(journal)]


def begin(journal: Journal) -> int:
    return journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number


def test_a_table_without_a_hall_writes_no_outbox(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.write(begin(journal), entry(1))
        assert lines(journal) == ()


def test_a_hall_is_told_of_the_game_on_the_table_and_of_all_that_follows(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        begin(journal)
        now = begin(journal)
        journal.write(now, entry(1))
        journal.follow_hall("link")
        journal.write(now, entry(2))
        journal.write(1, entry(1))  # of a game before: a hall is told nothing of it
        journal.write(now, ending=Ending(NOON))
        begin(journal)
        assert told(journal) == [("game", "toss-up"), ("entry", 2), ("entry", 2), ("ended", 2), ("game", "toss-up")]
        assert [line.sequence for line in lines(journal)] == [1, 2, 3, 4, 5]


def test_a_line_holds_an_entry_with_the_columns_of_the_journal(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.follow_hall("link")
        journal.write(begin(journal), entry(1))
        body = json.loads(lines(journal)[1].body)
    assert (body["game"], body["number"], body["action"]) == (1, 1, "1 stop")
    assert (datetime.fromisoformat(body["at"]), body["note"], body["dice"]) == (NOON, "Ann stopped.", "")


def test_each_hash_holds_the_one_before(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.follow_hall("link")
        journal.write(begin(journal), entry(1), entry(2))
        last = ""
        for line in lines(journal):
            last = line_hash(last, line.sequence, line.kind, line.body)
            assert line.hash == last


def test_what_was_not_written_is_not_told(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.follow_hall("link")
        game = begin(journal)
        journal.write(game, entry(1))
        before = lines(journal)
        with pytest.raises(Unwritten):
            journal.write(game, entry(1))
        assert lines(journal) == before


def test_what_the_hall_has_taken_is_dropped_but_the_last_line(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.follow_hall("link")
        journal.write(begin(journal), entry(1), entry(2))
        all_lines = lines(journal)
        with journal.writing() as connection:
            outbox_tables.drop_taken(connection, "link", 2)
        with journal.reading() as connection:
            assert outbox_tables.hash_of_line(connection, 2) == all_lines[1].hash
            assert outbox_tables.hash_of_line(connection, 1) is None
            head = outbox_tables.outbox_head(connection)
        assert lines(journal) == all_lines[1:]
        assert head == outbox_tables.OutboxHead("link", 3, all_lines[2].hash, 2)


def test_a_new_name_is_told(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.follow_hall("link")
        begin(journal)
        with journal.writing() as connection:
            player_tables.name_seats(connection, 1, "")
        assert [json.loads(line.body)["players"] for line in lines(journal)] == [["Ann", "Bob"], ["Player 1", "Bob"]]


def test_a_table_that_leaves_its_hall_tells_nothing_and_keeps_nothing(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.follow_hall("link")
        game = begin(journal)
        journal.leave_hall()
        journal.write(game, entry(1))
        assert lines(journal) == ()
        journal.follow_hall("another")
        assert told(journal) == [("game", "toss-up"), ("entry", 1)]
