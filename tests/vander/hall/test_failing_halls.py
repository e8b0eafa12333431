"""A hall that fails for ever at what a table sends: one sentence at the table, play goes on, all is sent in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from loopback import answering
from playing_table import PlayingTable
from random_matches import random_match
from sqlalchemy import func, select
from sqlalchemy.engine import Engine
from test_joining import answer_json, play

from referee.games import named
from vander.extras.hall_link import membership as outbox_sender
from vander.extras.hall_link.membership import LONGEST_WAIT_S, HallMembership, HallUnreachable, OutboxSender, check_hall
from vander.hall import hall_games
from vander.hall.hall_schema import ENTRIES, QUARANTINED_LINES
from vander.hall.hall_service import NO_DATABASE
from vander.storage.journal_store import Journal
from vander.storage.settings import load
from web.schemas.access_schemas import JoinedHall, Verdict

OpenTable = Callable[[str], PlayingTable]
FAILS = "The hall fails at what this table sends. The hall's log says why."
FULL_DISK = """
CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION fill();
"""


class CountedWaits:
    """An event that passes no time, notes how long it was to be waited for, and is set after so many waits."""

    waits: list[float]

    def __init__(self, most: int = 9) -> None:
        self.waits, self._most = [], most

    def is_set(self) -> bool:
        return len(self.waits) >= self._most

    def set(self) -> None:
        self._most = 0

    def wait(self, timeout_s: float) -> bool:
        self.waits.append(timeout_s)
        return self.is_set()


@pytest.mark.parametrize(
    ("status", "told", "sentence"),
    [
        pytest.param(500, "The referee failed at this.", FAILS, id="an error of its own"),
        pytest.param(503, str(NO_DATABASE), str(NO_DATABASE), id="no database"),
    ],
)
def test_a_table_asks_a_failing_hall_less_and_less_often_and_says_why_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    status: int,
    told: str,
    sentence: str,
) -> None:
    monkeypatch.setattr(outbox_sender, "Event", CountedWaits)
    with answering(answer_json({"error": told}, status)) as address:
        journal = Journal.in_folder(tmp_path)
        membership = HallMembership(address=address, name="Table 4", key="key", link="link")
        journal.follow_hall(membership.link)
        play(journal, 5)
        sender = OutboxSender(journal, membership, lambda _s: None)
        waits: list[float] = sender._over.waits  # type: ignore[attr-defined]
        sender.start()
        sender._thread.join()
        play(journal, 5)
        with journal.reading() as connection:
            waiting = outbox_sender.outbox_tables.waiting_lines(connection, 0, 100)
        sender.close()
        journal.close()
    assert len(waiting) == 2 + 10 + 1  # two games, their entries, and the first one's end
    assert sender.status.trouble == sentence
    assert [min(LONGEST_WAIT_S, 2.0**step) / 2 for step in range(9)] <= waits
    assert all(min(LONGEST_WAIT_S, 2.0**step) / 2 <= wait_s for step, wait_s in enumerate(waits))
    assert [record.getMessage() for record in caplog.records] == [f"hall: {sentence}"]
    joined = JoinedHall("http://hall", "Table 4", "link", sender.status)
    found = check_hall(load(data_dir=tmp_path), lambda: joined)
    assert (found.verdict, str(found.told)) == (Verdict.UNSURE, sentence)


def rows(engine: Engine) -> tuple[int, int]:
    """How many entries and quarantined lines the hall has."""
    with engine.connect() as connection:
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (ENTRIES, QUARANTINED_LINES)
        ]
    return counts[0], counts[1]


def test_nothing_of_a_request_is_kept_by_a_hall_whose_disk_is_full_and_all_of_it_later(
    playing_table: PlayingTable, engine: Engine
) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(FULL_DISK)
    playing_table.play(10)
    for _ in range(2):
        with pytest.raises(HallUnreachable, match=str(NO_DATABASE)):
            playing_table.sender().send_once()
        assert rows(engine) == (0, 0)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER full_disk ON entries")
    playing_table.send_all()
    assert rows(engine) == (10, 0)


def test_an_entry_at_which_the_hall_fails_holds_up_its_own_table_alone_until_that_is_mended(
    open_playing_table: OpenTable, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, other = open_playing_table("Failing"), open_playing_table("Other")
    whole = hall_games.entry_row

    def fail(table: int, *line: object) -> dict[str, object]:
        if table == 1 and line[1].number == 3:  # type: ignore[attr-defined]
            raise RuntimeError("a fault of the hall")
        return whole(table, *line)  # type: ignore[arg-type]

    monkeypatch.setattr(hall_games, "entry_row", fail)
    number = failing.journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
    match = random_match(named("toss-up"), 6, 1)
    for entry in match.entries:
        failing.journal.write(number, replace(entry, evidence=""))
        if entry.number == 2:
            failing.send_all()  # so that the entry at which the hall fails is the first of its request
    other.play(6)
    for _ in range(2):
        with pytest.raises(HallUnreachable):
            failing.sender().send_once()
    other.send_all()
    assert rows(engine) == (2 + 6, 0)
    failing.play(4, 2)
    monkeypatch.setattr(hall_games, "entry_row", whole)
    failing.send_all()
    assert rows(engine) == (16, 0)
