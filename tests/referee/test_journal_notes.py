"""What a journal keeps and no rule depends on: answers, remarks and challenges, in replays and in game records."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from at_the_table import GAME, entry, new_game, spelled

from referee.actions import Action
from referee.journal import Actor, Deed, Entry, JournalReader, replay
from referee.record_parser import Record, journal_lines, parse_record, write_record

START = new_game("Ann")
ROLL, FIX = (Action.parse(spelled(text)) for text in ("1 roll go happy sad star two two", "1 fix happy two =field"))
ANN = Actor("Ann's phone", 1)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def note(number: int, deed: Deed, sentence: str, rule: str = "") -> Entry:
    return replace(entry(number, deed=deed), note=sentence, rule=rule, device=ANN.device, seat=ANN.seat)


def with_notes() -> list[Entry]:
    return [
        entry(1, ROLL),
        note(2, Deed.ANSWER, "What does this die show? Happy."),
        entry(3, FIX),
        note(4, Deed.REMARK, "A die was turned over by hand.", "I.2-12"),
        replace(entry(5, deed=Deed.UNDO, target=3), device=ANN.device, seat=ANN.seat),
        note(6, Deed.CHALLENGE, "The star is a star."),
    ]


@pytest.mark.parametrize("deed", [Deed.ANSWER, Deed.REMARK, Deed.CHALLENGE])
def test_a_note_changes_no_state_and_an_undo_passes_over_it(deed: Deed) -> None:
    course = JournalReader(GAME, START)
    for one in (entry(1, ROLL), note(2, deed, "Said."), entry(3, FIX)):
        assert course.add(one) is None
    assert course.replay().last == 3
    assert course.add(entry(4, deed=Deed.UNDO, target=3)) is None
    assert course.state == replay(GAME, START, [entry(1, ROLL)]).state


def test_a_record_counts_entries_without_notes_and_has_these_in_comments() -> None:
    said = journal_lines(with_notes())
    record = Record("intersection", ("Ann",), started=NOON, lines=said.entries, comments=said.comments)
    text = write_record(record)
    assert [str(line) for line in said.entries] == [str(ROLL), str(FIX), "undo 2"]
    assert parse_record(text) == record
    body = [line for line in text.splitlines() if line.startswith("#")]
    assert body == [
        "# answer: What does this die show? Happy. by Ann's phone, seat 1",
        "# remark: A die was turned over by hand. (I.2-12) by Ann's phone, seat 1",
        "# by Ann's phone, seat 1",
        "# challenge: The star is a star. by Ann's phone, seat 1",
    ]
    assert text.index("undo 2") > text.index("# by Ann's phone, seat 1") > text.index("1 fix")


def test_a_name_of_a_device_cannot_end_its_comment() -> None:
    said = journal_lines([replace(entry(1, ROLL), device='x"\n1 quit')])
    record = Record("intersection", ("Ann",), started=NOON, lines=said.entries, comments=said.comments)
    assert parse_record(write_record(record)) == record
