"""The fair-play report: what is counted, in which turn, for whom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_the_table import entry

from referee.actions import Action
from referee.dice import Blindness
from referee.fair_play import (
    LEANED,
    MARK_TITLES,
    FairPlayMark,
    blind_note,
    fair_play,
    find_asked,
    mark_of_entry,
    note_sentence,
    told,
)
from referee.journal import Deed, Entry, Source


def played(number: int, seat: int, source: Source = Source.CAMERA, verb: str = "end") -> Entry:
    return replace(entry(number, Action(seat, verb)), source=source)


def note(number: int, deed: Deed, sentence: str = "", device: str = "") -> Entry:
    source = Source.TABLET if device else Source.CAMERA
    return replace(entry(number, deed=deed), source=source, note=sentence, device=device)


EVENING = (
    played(1, 1),
    note(2, Deed.ANSWER, "What does this die show? Two.", "Ann's phone"),
    played(3, 1),
    played(4, 2),
    note(5, Deed.BLIND, blind_note(3.25, [Blindness.LENS, Blindness.LENS])),
    note(6, Deed.DEPARTED, "A die left the tray in the throw."),
    replace(played(7, 2), note=LEANED),
    note(8, Deed.REMARK, "A die was turned over in its place."),
    note(9, Deed.BREACH, "That is none."),
    played(10, 2, Source.HAND),
    played(11, 1),
    replace(note(12, Deed.UNDO, device="Bob's tablet"), target=11),
)


def test_each_turn_has_a_mark_for_each_thing_that_happened_in_it() -> None:
    first, second, third = fair_play(EVENING).turns
    assert (first.seat, first.first, first.marks) == (1, 1, (FairPlayMark.ANSWER,))
    assert (second.seat, third.seat, third.marks) == (2, 1, (FairPlayMark.TAKE_BACK,))
    assert second.marks == (
        FairPlayMark.BLIND,
        FairPlayMark.NEAR_MISS,
        FairPlayMark.LEANING,
        FairPlayMark.HANDS,
        FairPlayMark.BREACH,
        FairPlayMark.BY_HAND,
    )


def test_blind_seconds_and_devices_are_counted() -> None:
    report = fair_play((*EVENING, note(13, Deed.BLIND, blind_note(1.0, [Blindness.RESTART]))))
    assert report.blind_s == pytest.approx(4.2, abs=0.06)
    assert report.by_device == {"Ann's phone": 1, "": 1, "Bob's tablet": 1}
    assert report.counts[FairPlayMark.BLIND] == 2


def test_plain_play_is_a_report_without_marks() -> None:
    report = fair_play([played(1, 1), played(2, 2), played(3, 1, Source.TABLET)])
    assert (len(report.turns), report.counts, report.blind_s) == (3, {}, 0.0)
    assert told(report) == ("Fair play: 3 turns", "Nothing but play")
    assert fair_play([]).turns == ()


def test_what_the_table_agrees_on_is_counted() -> None:
    assert mark_of_entry(played(1, 1, Source.TABLET, "skip")) is FairPlayMark.AGREEMENT


def test_every_way_that_the_camera_was_blind_has_words() -> None:
    assert all(
        mark_of_entry(note(1, Deed.BLIND, blind_note(2.0, [reason]))) is FairPlayMark.BLIND for reason in Blindness
    )
    assert mark_of_entry(note(1, Deed.DEPARTED, "A die left the tray in the throw.")) is FairPlayMark.NEAR_MISS
    assert MARK_TITLES.keys() == set(FairPlayMark)


def test_a_question_counts_by_its_answer_and_one_that_nobody_answered_by_itself() -> None:
    asked, gone = note(1, Deed.ASKED, "Red?"), note(2, Deed.UNANSWERED, "Red?")
    assert (mark_of_entry(asked), mark_of_entry(gone)) == (None, FairPlayMark.UNANSWERED)
    assert (find_asked([asked]), find_asked([asked, gone]), find_asked([])) == ("Red?", "", "")


def test_what_an_entry_is_about_is_known_by_its_deed_whatever_its_sentence_begins_with() -> None:
    """A question or a remark may begin with any words."""
    tricky = (
        note(1, Deed.REMARK, "Asked: a hand turned a die."),
        note(2, Deed.REMARK, "Nobody saw the tray for 9.9 s: x."),
    )
    assert [mark_of_entry(each) for each in tricky] == [FairPlayMark.HANDS, FairPlayMark.HANDS]
    assert (find_asked(tricky), fair_play(tricky).blind_s) == ("", 0.0)
    assert note_sentence(note(1, Deed.BLIND, blind_note(3.25, [Blindness.LENS]))) == (
        "Nobody saw the tray for 3.2 s: something covered the lens."
    )
