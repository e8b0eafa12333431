"""What the camera missed, and dice that left the tray or leaned are kept in the journal once, also across a restart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from session_scenes import entries, opened

from referee.dice import Blindness, Handling, Zone
from referee.fair_play import LEANED, FairPlayMark, note_sentence
from referee.journal import Deed
from vander.table.session import Session
from vision.observations import BlindInterval


def remarks(folder: Path) -> list[str]:
    return [note_sentence(entry) for entry in entries(folder) if entry.deed in (Deed.REMARK, Deed.BLIND, Deed.DEPARTED)]


def test_a_covered_lens_is_remarked_on_once_with_its_seconds(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    covered = replace(dice.look(), blind=(BlindInterval(Blindness.LENS, 10.0, 13.2),))
    solo.observe(covered)
    solo.observe(replace(covered, frame=covered.frame + 1))
    assert remarks(tmp_path) == ["Nobody saw the tray for 3.2 s: something covered the lens."]
    assert [each.sentence for each in solo.snapshot().interventions] == remarks(tmp_path)


def test_everybody_is_told_once_that_the_program_was_started_again_in_mid_game(
    solo: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    started = (BlindInterval(Blindness.RESTART, 5.0, 5.0),)
    solo.observe(replace(dice.look(), blind=started))
    opened(solo, dice)
    assert solo.snapshot().interventions == ()
    again = open_table()
    dice.recount()
    for _ in range(2):
        again.observe(replace(dice.look(), blind=started))
    assert [each.sentence for each in again.snapshot().interventions] == [
        "Vander was started again. Nobody saw the tray meanwhile."
    ]
    assert again.snapshot().mood == "calm"


def test_a_hand_in_the_tray_and_a_blink_are_not_remarked_on(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    hand, blink = BlindInterval(Blindness.HAND, 1.0, 9.0), BlindInterval(Blindness.NO_FRAMES, 9.0, 9.4)
    solo.observe(replace(dice.look(), blind=(hand, blink)))
    assert remarks(tmp_path) == []


def test_everybody_is_told_once_that_dice_were_taken_up_before_they_were_read(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    taken = replace(dice.roll("go", "happy", "happy", "star", "two", "three"), taken_up_at=7.5)
    solo.observe(taken)
    solo.observe(replace(taken, frame=taken.frame + 1))
    assert remarks(tmp_path) == ["Dice were taken up before they could be read."]
    assert [each.sentence for each in solo.snapshot().interventions] == remarks(tmp_path)


def test_a_die_that_left_the_tray_is_remarked_on_once_and_counted(solo: Session, dice: Any, tmp_path: Path) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.zones[5] = Zone.OUT
    solo.observe(dice.look())
    dice.zones[5], dice.marks[5] = Zone.FIELD, Handling.RETURNED
    solo.observe(dice.look())
    assert remarks(tmp_path) == ["A die left the tray in the throw."]
    (report,) = solo.fair_play()
    assert report.report.counts[FairPlayMark.NEAR_MISS] == 1


@pytest.mark.parametrize("mark", [Handling.PLACED, Handling.TURNED])
def test_nobody_is_told_of_dice_that_a_hand_tidied_out_of_the_tray_between_turns(
    table: Session, dice: Any, tmp_path: Path, mark: Handling
) -> None:
    """Said publicly 26 times in 596 throws, of dice of which none had left."""
    table.start("intersection", ["Ann", "Bob"], {}, starter=1)
    for number in (2, 3):
        dice.zones[number] = Zone.OUT
        table.observe(dice.look())
    dice.lay(mark, d4="two")
    dice.zones[4] = Zone.OUT
    table.observe(dice.look())
    assert remarks(tmp_path) == []


def test_a_throw_with_a_leaning_die_is_counted_once_it_is_ruled_on(solo: Session, dice: Any, tmp_path: Path) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.leaning.add(5)
    solo.observe(dice.look())
    assert entries(tmp_path) == ()
    dice.leaning.clear()
    solo.observe(dice.throw(d5="three"))
    assert [entry.note for entry in entries(tmp_path)] == [LEANED]
    assert solo.snapshot().interventions == ()
    (report,) = solo.fair_play()
    assert report.report.counts == {FairPlayMark.LEANING: 1}


def test_the_report_outlives_the_program(solo: Session, dice: Any, open_table: Callable[..., Session]) -> None:
    opened(solo, dice)
    solo.observe(replace(dice.look(), blind=(BlindInterval(Blindness.LENS, 10.0, 13.2),)))
    again = open_table()
    assert [one.report for one in again.fair_play()] == [one.report for one in solo.fair_play()]
    assert again.snapshot().resumed
