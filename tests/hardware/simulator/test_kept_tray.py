"""How the dice of the virtual tray lie, kept as text."""

from __future__ import annotations

import json

import pytest

from bench.simulator_truth import truth
from hardware.simulator.tray_dice import read_lying_dice, write_lying_dice
from hardware.simulator.virtual_tray import VirtualTray


def thrown(die_set: str = "intersection", seed: int = 3) -> VirtualTray:
    """A tray whose dice were thrown and lie still."""
    tray = VirtualTray(die_set, seed=seed)
    tray.throw([1, 2, 3])
    tray.advance(tray.rests_in() + 1)
    return tray


def test_dice_lie_as_they_lay_and_show_what_they_showed() -> None:
    before = thrown()
    after = VirtualTray("intersection", seed=99)
    after.remember(read_lying_dice(write_lying_dice(before.lying_dice())))
    assert list(after.dice()) == list(before.dice())
    assert {number: die.face for number, die in truth(after).items()} == {
        number: die.face for number, die in truth(before).items()
    }


def test_a_die_that_fell_off_is_still_away() -> None:
    before = thrown()
    before.knock_off(2)
    before.advance(before.rests_in() + 1)
    after = VirtualTray("intersection", seed=99)
    after.remember(read_lying_dice(write_lying_dice(before.lying_dice())))
    assert after.die(2)["place"] == "off"


def test_a_set_comes_back_as_it_lay_when_it_was_out_last() -> None:
    tray = thrown()
    before = list(tray.dice())
    tray.bring_out("toss-up")
    assert len(tray.dice()) == 10
    tray.bring_out("intersection")
    assert list(tray.dice()) == before


def test_new_dice_that_somebody_asks_for_are_laid_out_anew() -> None:
    tray = thrown()
    before = list(tray.dice())
    tray.set_out("intersection")
    assert list(tray.dice()) != before


GOOD = json.loads(write_lying_dice(VirtualTray("intersection", seed=1).lying_dice()))["intersection"]["1"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"intersection": []}',
        '{"intersection": {"one": [1]}}',
        '{"intersection": {"1": "here"}}',
        '{"intersection": {"1": [1, 2, 3]}}',
        json.dumps({"intersection": {"1": [*GOOD[:3], *[0.5] * 9]}}),
        json.dumps({"intersection": {"1": [1e9, *GOOD[1:]]}}),
        json.dumps({"intersection": {"1": [float("nan"), *GOOD[1:]]}}),
        '{"intersection": {"1": null}}',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the message is for the log alone
        read_lying_dice(text)


def test_dice_that_are_not_out_are_left_alone() -> None:
    tray = VirtualTray("intersection", seed=1)
    before = list(tray.dice())
    tray.remember(read_lying_dice(json.dumps({"intersection": {"77": GOOD}, "moon": {"1": GOOD}})))
    assert list(tray.dice()) == before
