"""What changes a score waits until another seat confirms it, where the table asks for that; and nobody gets stuck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from session_scenes import entries

from referee.journal import Actor, Deed, SeatRules, seat_of
from referee.sentences import Reason, Refused
from vander.table.challenges import Challenge, ChallengedDie, ChallengeResult
from vander.table.session import Session
from vander.table.taps import playing

ANN, BOB, BOX = Actor("Ann's phone", 1), Actor("Bob's phone", 2), Actor("The box itself")
BOTH = ("Ann", "Bob")


@pytest.fixture
def duel(table: Session, dice: Any) -> Session:
    """Ann and Bob play, each with a phone; Ann has thrown, and five dice show what she has."""
    table.follow_seat_rules(lambda: SeatRules(confirm=True, bound=BOTH))
    table.observe(dice.look())
    table.start("intersection", BOTH, {}, starter=1)
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    return table


def waiting(table: Session) -> int:
    change = table.snapshot().unconfirmed
    assert change is not None
    return change.number


def deeds(folder: Path) -> list[Deed]:
    return [entry.deed for entry in entries(folder)]


def test_a_correction_waits_and_is_done_by_the_one_who_asked_when_another_seat_confirms(
    duel: Session, tmp_path: Path
) -> None:
    before = deeds(tmp_path)
    duel.correct(5, "sad", by=ANN)
    change = duel.snapshot().unconfirmed
    assert change is not None
    assert (change.sentence, change.device, change.seat) == ("Correct a die: Sad, not Three.", "Ann's phone", 1)
    assert deeds(tmp_path) == before
    duel.confirm(change.number, agrees=True, by=BOB)
    confirmed, corrected = entries(tmp_path)[len(before) :]
    assert (confirmed.deed, confirmed.by) == (Deed.ANSWER, BOB)
    assert confirmed.note == "Ann's phone asks: Correct a die: Sad, not Three. Confirmed."
    assert (corrected.deed, corrected.by) == (Deed.CORRECT, ANN)
    assert duel.snapshot().unconfirmed is None
    assert duel.snapshot().dice[4].face == "sad"


def test_what_waits_is_not_confirmed_while_dice_roll_and_waits_on(duel: Session, dice: Any) -> None:
    duel.correct(5, "sad", by=ANN)
    number = waiting(duel)
    duel.observe(dice.look(at_rest=False))
    with pytest.raises(Refused, match="Wait until the dice lie still"):
        duel.confirm(number, agrees=True, by=BOB)
    duel.observe(dice.look())
    duel.confirm(number, agrees=True, by=BOB)
    assert duel.snapshot().dice[4].face == "sad"


def test_a_challenge_that_changes_a_throw_waits_and_one_that_lets_it_stand_does_not(duel: Session) -> None:
    (entry,) = [each.number for each, ruling in playing(duel.state).standing if ruling.action.verb == "roll"]
    duel.challenge(Challenge(entry, ""), ANN)
    assert duel.snapshot().unconfirmed is None
    place = [die.face for die in playing(duel.state).action_of(entry).dice].index("three")  # type: ignore[union-attr]
    duel.challenge(Challenge(entry, "", (ChallengedDie(place, "sad"),), ChallengeResult.CORRECT), ANN)
    change = duel.snapshot().unconfirmed
    assert change is not None
    assert change.sentence.endswith("It is Sad, not Three.")
    duel.confirm(change.number, agrees=True, by=BOB)
    assert "sad" in {die.face for die in playing(duel.state).action_of(entry).dice}  # type: ignore[union-attr]


def test_nobody_confirms_what_they_asked_for_themselves(duel: Session) -> None:
    duel.undo(by=ANN)
    for by in (ANN, Actor("A tablet of the table")):
        with pytest.raises(Refused, match="Another player has to confirm this"):
            duel.confirm(waiting(duel), agrees=True, by=by)
    with pytest.raises(Refused, match="Another player has to confirm this"):
        duel.confirm(waiting(duel), agrees=True, by=ANN, may_override=True)


def test_what_is_declined_changes_nothing_and_leaves_a_line(duel: Session, tmp_path: Path) -> None:
    standing = duel.snapshot().last
    duel.undo(by=ANN)
    duel.confirm(waiting(duel), agrees=False, by=BOB)
    assert duel.snapshot().last == standing
    assert entries(tmp_path)[-1].note.endswith("Declined.")
    assert duel.snapshot().interventions[0].device == "Bob's phone"


def test_who_asked_may_drop_it_and_the_box_may_confirm_it(duel: Session, tmp_path: Path) -> None:
    duel.undo(by=ANN)
    duel.confirm(waiting(duel), agrees=False, by=ANN)
    assert duel.snapshot().unconfirmed is None
    duel.void(by=ANN)
    duel.confirm(waiting(duel), agrees=True, by=BOX, may_override=True)
    assert Deed.UNDO in deeds(tmp_path)


def test_one_change_waits_at_a_time_and_an_old_number_is_refused(duel: Session) -> None:
    duel.undo(by=ANN)
    with pytest.raises(Refused, match="Another player first has to confirm"):
        duel.correct(5, "sad", by=BOB)
    with pytest.raises(Refused) as gone:
        duel.confirm(waiting(duel) + 1, agrees=True, by=BOB)
    assert gone.value.reason is Reason.NOT_FOUND


def test_what_is_too_old_by_now_is_said_and_dropped(duel: Session, dice: Any) -> None:
    duel.undo(duel.snapshot().step, by=ANN)
    duel.correct(5, "sad", by=BOX)
    with pytest.raises(Refused):
        duel.confirm(waiting(duel), agrees=True, by=BOB)
    assert duel.snapshot().unconfirmed is None


def test_a_table_tablet_and_the_only_phone_wait_for_nobody(duel: Session) -> None:
    duel.correct(5, "sad", by=BOX)
    duel.follow_seat_rules(lambda: SeatRules(confirm=True, bound=("Ann", "Cy who does not play")))
    duel.correct(5, "two", by=ANN)
    assert duel.snapshot().unconfirmed is None
    assert duel.snapshot().dice[4].face == "two"


def test_what_is_refused_now_need_not_wait(duel: Session) -> None:
    with pytest.raises(Refused):
        duel.correct(5, "zap", by=ANN)
    assert duel.snapshot().unconfirmed is None


def test_a_new_game_drops_what_waited(duel: Session) -> None:
    duel.undo(by=ANN)
    duel.start("intersection", BOTH, {}, step=duel.snapshot().step)
    assert duel.snapshot().unconfirmed is None


def test_a_tap_for_another_seat_is_a_line_or_is_refused_where_the_table_wants_that(duel: Session) -> None:
    duel.follow_seat_rules(lambda: SeatRules(own_seat_only=True, bound=BOTH))
    with pytest.raises(Refused, match="This phone is Bob"):
        duel.act("1 vander", by=BOB)
    duel.follow_seat_rules(lambda: SeatRules(bound=BOTH))
    duel.act("1 vander", by=BOB)
    line = duel.snapshot().interventions[0]
    assert (line.device, line.sentence.startswith("Tapped for Ann: ")) == ("Bob's phone", True)


def test_a_tap_for_a_seat_that_has_a_phone_is_a_line_on_any_other_device(duel: Session) -> None:
    duel.follow_seat_rules(lambda: SeatRules(bound=BOTH))
    duel.correct(5, "sad", by=ANN)
    duel.act("1 vander", by=BOX)
    line = duel.snapshot().interventions[0]
    assert (line.device, line.sentence.startswith("Tapped for Ann: ")) == (BOX.device, True)


def test_a_tap_on_the_tables_tablet_is_no_line_where_nobody_has_a_phone(duel: Session) -> None:
    duel.act("1 vander", by=BOX)
    assert not [line for line in duel.snapshot().interventions if line.sentence.startswith("Tapped")]


def test_a_phone_has_the_seat_of_its_player_in_each_game(duel: Session) -> None:
    state = duel.snapshot().state
    assert state is not None
    assert [seat_of(name, state.players) for name in ("Bob", "Cy", "")] == [2, 0, 0]
