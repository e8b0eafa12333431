"""Which dice of the table an offered throw takes up."""

from __future__ import annotations

from typing import Any

from laid_dice import Dice
from rollers_dice import RollersDice, rollers_game
from session_states import watched

from referee.actions import Action
from referee.dice import KindName, Zone
from vander.table.session import Session
from vander.table.snapshot_builder import snapshot
from vander.table.taps import on_tap

OPENING = ("go", "happy", "happy", "star", "two", "three")


def _throws(session: Session) -> dict[str, tuple[int, ...]]:
    return {offer.title: offer.throws for offer in session.snapshot().offers if not offer.by_tap and offer.throws}


def test_the_first_roll_takes_all_dice(solo: Session, dice: Dice, sight: Any) -> None:
    solo.observe(dice.look(), sight)
    assert set(_throws(solo).values()) == {(1, 2, 3, 4, 5, 6)}


def test_a_roll_takes_the_dice_that_lie_on_the_field(solo: Session, dice: Dice, sight: Any) -> None:
    solo.observe(dice.roll(*OPENING), sight)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3), sight)
    assert list(_throws(solo).values()) == [(4, 5)]


def test_where_a_die_is_missing_no_dice_are_named(solo: Session, dice: Dice, sight: Any) -> None:
    solo.observe(dice.carry(Zone.OUT, 2), sight)
    assert _throws(solo) == {}


def test_a_die_that_leans_is_thrown_again_before_any_other(solo: Session, dice: Dice, sight: Any) -> None:
    solo.observe(dice.look(), sight)
    dice.leaning = {4}
    solo.observe(dice.roll(*OPENING), sight)
    assert set(_throws(solo).values()) == {(4,)}
    dice.leaning = set()
    solo.observe(dice.throw(d4="two"), sight)
    assert (4,) not in _throws(solo).values()


def test_a_die_that_leans_is_thrown_again_after_others_were_parked_by_hand(
    solo: Session, dice: Dice, sight: Any
) -> None:
    solo.observe(dice.roll(*OPENING), sight)
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3), sight)
    dice.leaning = {4}
    solo.observe(dice.throw(d4="two", d5="four"), sight)
    assert set(_throws(solo).values()) == {(4,)}


class TossUpDice(Dice):
    """Ten dice of Toss Up!."""

    def kind_of(self, number: int) -> KindName:
        return KindName("tossup")


def test_where_a_die_left_the_tray_the_dice_of_that_throw_are_thrown_again(table: Session) -> None:
    dice = TossUpDice(faces=dict.fromkeys(range(1, 11), "green"))
    table.start("toss-up", ["Ann", "Bob"], {}, starter=1)
    table.observe(dice.look())
    greens = {f"d{number}": "green" for number in range(1, 5)}
    table.observe(dice.throw(**greens, **{f"d{number}": "yellow" for number in range(5, 11)}))
    assert any(offer.usual for offer in table.snapshot().offers if offer.by_tap)
    dice.throw(**{f"d{number}": "green" for number in range(5, 11)})
    table.observe(dice.carry(Zone.OUT, 10))
    assert "left the tray" in table.snapshot().notice
    assert not any(offer.usual for offer in table.snapshot().offers), "a tap that would be refused is what comes next"
    assert set(_throws(table).values()) == {(5, 6, 7, 8, 9, 10)}
    dice.away = {10}
    table.observe(dice.look())
    assert set(_throws(table).values()) == {(5, 6, 7, 8, 9)}
    dice.away.clear()
    table.observe(dice.throw(**{f"d{number}": "yellow" for number in range(5, 11)}))
    assert set(_throws(table).values()) == {(5, 6, 7, 8, 9, 10)}
    assert "left the tray" not in table.snapshot().notice


def test_a_die_that_left_the_tray_is_in_the_throw_that_is_made_again_whatever_was_thrown_without_it(
    table: Session,
) -> None:
    dice = TossUpDice(faces=dict.fromkeys(range(1, 11), "green"))
    table.start("toss-up", ["Ann", "Bob"], {}, starter=1)
    table.observe(dice.look())
    greens = {f"d{number}": "green" for number in range(1, 5)}
    table.observe(dice.throw(**greens, **{f"d{number}": "yellow" for number in range(5, 11)}))
    dice.throw(**{f"d{number}": "yellow" for number in range(5, 11)})
    table.observe(dice.carry(Zone.OUT, 10))
    table.observe(dice.throw(d1="green", **{f"d{number}": "yellow" for number in range(5, 10)}))
    assert "left the tray" in table.snapshot().notice
    assert not any(offer.usual for offer in table.snapshot().offers), "a tap that would be refused is what comes next"
    assert set(_throws(table).values()) == {(5, 6, 7, 8, 9, 10)}


def test_dice_that_hands_carried_to_the_bay_are_saved_and_not_rolled_again() -> None:
    dice = RollersDice()
    state = watched(rollers_game(dice), dice.roll("pip-3", "pip-3", "pip-5", "pip-2", "pip-4", "pip-1"))
    dice.zones.update({1: Zone.ASIDE, 2: Zone.ASIDE})
    shown = snapshot(watched(state, dice.look()))
    assert [offer.throws for offer in shown.offers if offer.action.is_throw] == [(3, 4, 5, 6)]
    saved = next(part for board in shown.boards for part in board.parts if part.key == "saved")
    assert [die.face for die in getattr(saved, "dice", ())] == ["pip-3", "pip-3"]
    dice.zones.update({1: Zone.FIELD, 2: Zone.FIELD})
    again = snapshot(watched(state, dice.look()))
    assert [offer.throws for offer in again.offers if offer.action.is_throw] == [(1, 2, 3, 4, 5, 6)]


def test_dice_whose_saving_was_tapped_are_not_rolled_again() -> None:
    dice = RollersDice()
    state = watched(rollers_game(dice), dice.roll("pip-3", "pip-3", "pip-5", "pip-2", "pip-4", "pip-1"))
    saved = on_tap(state, Action.parse("1 save rollers-purple:pip-3 rollers-purple:pip-3")).state
    shown = snapshot(watched(saved, dice.look()))
    assert {offer.throws for offer in shown.offers if offer.action.is_throw} == {(3, 4, 5, 6)}
