"""What the caller says of a real session: each snapshot brings the words of the change that it shows."""

from typing import Any

from referee.dice import Zone
from referee.spoken_parts import number_part, sound_part
from vander.table.session import Session


def test_a_correction_is_said_in_a_snapshot_of_its_own_with_what_it_changed(solo: Session, dice: Any) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert solo.snapshot().utterances[-1].parts == (sound_part("accepted"),)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2))
    solo.observe(dice.throw(d3="star", d4="two", d5="three"))
    before = solo.snapshot()
    solo.correct(1, "star")
    after = solo.snapshot()
    new = [each for each in after.utterances if each.number > before.number]
    assert after.turn_points != before.turn_points
    assert new[-1].parts[0].clips == (("corrected",),)
    assert new[-1].parts[-1] == number_part(after.turn_points)


def test_what_changes_nothing_that_is_said_brings_no_utterance(solo: Session, dice: Any) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    said = solo.snapshot().utterances
    solo.lend_tray(True)
    assert solo.snapshot().utterances == said
