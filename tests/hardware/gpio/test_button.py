"""The button at gpiozero's own mock pins."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from queue import SimpleQueue

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.wiring import BOUNCE_S, Button, PinUnavailable, PressLength
from vander.storage.settings import SettingError, load

PIN = 17
NEVER_S = 600.0
AT_ONCE_S = 0.01
PATIENCE_S = 60.0


class Finger:
    """A finger on the button, and what came of it; `feels` what is told while it is still there."""

    def __init__(self, pins: MockFactory) -> None:
        self.pins = pins
        self.told: SimpleQueue[PressLength] = SimpleQueue()
        self.feels: SimpleQueue[str] = SimpleQueue()
        self.buttons: list[Button] = []

    def on_a_button(self, long_s: float = NEVER_S, very_long_s: float = NEVER_S) -> Button:
        self.buttons.append(Button(PIN, self.told.put, long_s, very_long_s, lambda: self.feels.put("long")))
        return self.buttons[-1]

    def down(self) -> None:
        self.pins.pin(PIN).drive_low()

    def up(self) -> None:
        self.pins.pin(PIN).drive_high()

    def comes_to(self) -> PressLength:
        return self.told.get(timeout=PATIENCE_S)


@pytest.fixture
def finger(pins: MockFactory) -> Iterator[Finger]:
    made = Finger(pins)
    yield made
    for button in made.buttons:
        button.close()


def test_a_short_press_is_told_once_when_the_button_is_let_go(finger: Finger) -> None:
    finger.on_a_button()
    finger.down()
    assert finger.told.empty()
    finger.up()
    assert finger.comes_to() is PressLength.SHORT
    finger.down()
    finger.up()
    assert finger.comes_to() is PressLength.SHORT
    assert finger.told.empty()
    assert finger.feels.empty()


def test_a_long_press_is_felt_while_it_is_held_and_told_when_it_is_let_go(finger: Finger) -> None:
    finger.on_a_button(long_s=AT_ONCE_S)
    finger.down()
    assert finger.feels.get(timeout=PATIENCE_S) == "long"
    assert finger.told.empty()
    finger.up()
    assert finger.comes_to() is PressLength.LONG
    assert finger.told.empty()


def test_a_very_long_press_is_told_at_once_and_is_no_long_one_besides(finger: Finger) -> None:
    finger.on_a_button(long_s=AT_ONCE_S, very_long_s=5 * AT_ONCE_S)
    finger.down()
    assert finger.comes_to() is PressLength.VERY_LONG
    finger.up()
    assert finger.told.empty()
    finger.down()
    assert finger.comes_to() is PressLength.VERY_LONG


def test_where_very_long_is_sooner_than_long_a_press_is_very_long(finger: Finger) -> None:
    finger.on_a_button(long_s=NEVER_S, very_long_s=AT_ONCE_S)
    finger.down()
    assert finger.comes_to() is PressLength.VERY_LONG
    assert finger.feels.empty()


def test_the_pin_is_pulled_up_so_that_a_button_to_ground_will_do(finger: Finger) -> None:
    finger.on_a_button()
    assert finger.pins.pin(PIN).pull == "up"


def test_the_pin_is_asked_to_leave_chatter_out_of_account(finger: Finger) -> None:
    finger.on_a_button()
    assert finger.pins.pin(PIN).bounce == BOUNCE_S


def test_a_closed_button_tells_nothing_and_gives_its_pin_back(finger: Finger) -> None:
    button = finger.on_a_button(very_long_s=AT_ONCE_S)
    button.close()
    button.close()
    finger.down()
    finger.up()
    finger.on_a_button()
    finger.down()
    finger.up()
    assert finger.comes_to() is PressLength.SHORT
    assert finger.told.empty()


def test_a_button_closed_under_the_finger_tells_nothing(finger: Finger) -> None:
    button = finger.on_a_button(long_s=AT_ONCE_S)
    finger.down()
    finger.feels.get(timeout=PATIENCE_S)
    button.close()
    finger.up()
    assert finger.told.empty()


def test_a_pin_in_use_is_one_sentence(finger: Finger) -> None:
    finger.on_a_button()
    with pytest.raises(PinUnavailable, match=r"^the button at pin 17 cannot be used: .*in use"):
        finger.on_a_button()


@pytest.mark.usefixtures("pins")
def test_a_pin_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(PinUnavailable, match=r"^the button at pin 99 cannot be used: [^\n]+$"):
        Button(99, lambda _: None)


@pytest.mark.usefixtures("no_pins")
def test_a_machine_without_pins_is_one_sentence_and_no_warning(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PinUnavailable, match=r"^the button at pin 17 cannot be used: [^\n]+$"):
        Button(PIN, lambda _: None)
    assert capfd.readouterr().err == ""


def test_whoever_has_no_button_needs_no_gpiozero() -> None:
    assert "gpiozero" not in vars(sys.modules["hardware.wiring"])
    assert load().button_pin == 0


@pytest.mark.parametrize("pin", [5, 17, 27])
def test_a_free_pin_may_be_the_buttons(pin: int) -> None:
    assert load(button_pin=pin).button_pin == pin


@pytest.mark.parametrize("pin", [-1, 1, 2, 3, 9, 10, 11, 14, 15, 28])
def test_a_pin_that_the_box_needs_itself_is_refused(pin: int) -> None:
    with pytest.raises(SettingError, match=f"the setting button_pin cannot be {pin}: it is the BCM number"):
        load(button_pin=pin)
