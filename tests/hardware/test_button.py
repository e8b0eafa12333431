"""The button at gpiozero's own mock pins."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from assistant.settings import BadSetting, load
from hardware.button import Button, NoButton

PIN = 17


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()  # closing does not let go of mock pins
    Device.pin_factory = before


def press(pins: MockFactory) -> None:
    pins.pin(PIN).drive_low()
    pins.pin(PIN).drive_high()


def test_each_press_is_told_once(pins: MockFactory) -> None:
    told: list[str] = []
    button = Button(PIN, lambda: told.append("pressed"))
    assert told == []
    press(pins)
    assert told == ["pressed"]
    press(pins)
    assert told == ["pressed", "pressed"]
    button.close()


def test_the_pin_is_pulled_up_so_that_a_button_to_ground_will_do(pins: MockFactory) -> None:
    button = Button(PIN, lambda: None)
    assert pins.pin(PIN).pull == "up"
    button.close()


def test_a_closed_button_tells_nothing_and_gives_its_pin_back(pins: MockFactory) -> None:
    told: list[int] = []
    button = Button(PIN, lambda: told.append(1))
    button.close()
    button.close()
    press(pins)
    assert told == []
    again = Button(PIN, lambda: told.append(2))
    press(pins)
    assert told == [2]
    again.close()


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_one_sentence() -> None:
    button = Button(PIN, lambda: None)
    with pytest.raises(NoButton, match=r"^the button at pin 17 cannot be had: .*in use"):
        Button(PIN, lambda: None)
    button.close()


@pytest.mark.usefixtures("pins")
def test_a_pin_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(NoButton, match=r"^the button at pin 99 cannot be had: [^\n]+$"):
        Button(99, lambda: None)


def test_a_machine_without_pins_is_one_sentence_and_no_warning(capfd: pytest.CaptureFixture[str]) -> None:
    before, Device.pin_factory = Device.pin_factory, None
    try:
        with pytest.raises(NoButton, match=r"^the button at pin 17 cannot be had: [^\n]+$"):
            Button(PIN, lambda: None)
    finally:
        Device.pin_factory = before
    assert capfd.readouterr().err == ""


def test_whoever_has_no_button_needs_no_gpiozero() -> None:
    assert "gpiozero" not in vars(sys.modules["hardware.button"])
    assert load().button_pin == 0


@pytest.mark.parametrize("pin", [5, 17, 27])
def test_a_free_pin_may_be_the_shutters(pin: int) -> None:
    assert load(button_pin=pin).button_pin == pin


@pytest.mark.parametrize("pin", [-1, 1, 2, 3, 9, 10, 11, 14, 15, 28])
def test_a_pin_that_the_box_needs_itself_is_refused(pin: int) -> None:
    with pytest.raises(BadSetting, match=f"the setting button_pin cannot be {pin}: it is the BCM number"):
        load(button_pin=pin)
