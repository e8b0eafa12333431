"""The wiring: what is said of it is what the pins are, and what the settings take."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.wiring import GROUNDS, HEADER, RECOMMENDED, TAKEN_BY_BOARDS, PinNumbers, wiring
from vander.storage.settings import RESERVED_PINS, load

PI_4 = "c03114"
"""The revision code of a Raspberry Pi 4 B."""


def test_every_place_on_the_header_is_what_gpiozero_knows_of_the_board() -> None:
    header = MockFactory(revision=PI_4).board_info.headers["J8"]
    board = {place: pin.name for place, pin in header.pins.items()}
    assert {f"GPIO{bcm}": place for bcm, place in HEADER.items()} == {
        name: place for place, name in board.items() if name.startswith("GPIO")
    }
    assert list(GROUNDS) == [place for place, name in board.items() if name == "GND"]
    assert board[2] == "5V"


def test_the_recommended_pins_are_settings_and_serve_nothing_else() -> None:
    settings = load(**asdict(RECOMMENDED))
    assert wiring(settings) == wiring(RECOMMENDED)
    assert len(wiring(settings)) == 5
    assert not {wire.bcm for wire in wiring(settings)} & (RESERVED_PINS | set(TAKEN_BY_BOARDS))


def test_a_full_box_is_wired_so() -> None:
    assert [(wire.what, wire.bcm, wire.header) for wire in wiring(RECOMMENDED)] == [
        ("button", 17, 11),
        ("lamp, red", 22, 15),
        ("lamp, green", 27, 13),
        ("lamp, blue", 24, 18),
        ("buzzer", 23, 16),
    ]
    grounds = [wire.remark.split("GND at ")[1].split(";")[0].split(",")[0] for wire in wiring(RECOMMENDED)]
    assert grounds == ["9", "14", "14", "14", "20"]


def test_what_is_not_there_needs_no_wire() -> None:
    assert wiring(PinNumbers()) == ()
    assert wiring(load()) == ()
    assert [wire.what for wire in wiring(PinNumbers(buzzer_pin=5))] == ["buzzer"]
    assert [wire.what for wire in wiring(PinNumbers(button_pin=5))] == ["button"]


@pytest.mark.parametrize("pin", TAKEN_BY_BOARDS)
def test_a_pin_that_boards_use_is_said_to_be_one(pin: int) -> None:
    (wire,) = wiring(PinNumbers(button_pin=pin))
    assert wire.remark.endswith(TAKEN_BY_BOARDS[pin])
    assert TAKEN_BY_BOARDS[pin] not in wiring(PinNumbers(button_pin=17))[0].remark
