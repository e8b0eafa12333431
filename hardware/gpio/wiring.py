"""How button, lamp and buzzer are wired to the Raspberry Pi's header. Pins have their BCM numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.sentences import say


class PinSettings(Protocol):
    """The pins that are in use, as the settings name them: 0 or '' for a part that is not fitted."""

    @property
    def button_pin(self) -> int:
        """Return the BCM number of the button's pin."""

    @property
    def lamp_pins(self) -> str:
        """Return the BCM numbers of the lamp's pins, as red,green,blue."""

    @property
    def buzzer_pin(self) -> int:
        """Return the BCM number of the buzzer's pin."""


@dataclass(frozen=True)
class PinNumbers:
    """BCM numbers of the pins of the button, the lamp (red,green,blue) and the buzzer."""

    button_pin: int = 0
    lamp_pins: str = ""
    buzzer_pin: int = 0


RECOMMENDED = PinNumbers(button_pin=17, lamp_pins="22,27,24", buzzer_pin=23)
"""Button, lamp and buzzer on pins that serve nothing else on a plain Raspberry Pi."""


@dataclass(frozen=True)
class Wire:
    """One wire of the box: what it goes to, its BCM number, its pin on the header (from 1), and what else it needs."""

    what: str
    bcm: int
    header: int
    remark: str


HEADER = {
    **{2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22},
    **{11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40},
}
"""The pin of each BCM number on the 40-pin header that every Raspberry Pi since the model B+ has."""
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""The header's pins that are ground."""
TAKEN_BY_BOARDS = {
    4: say("some 1-Wire sensors use this pin"),
    **dict.fromkeys((7, 8), say("boards on SPI use this pin")),
    **dict.fromkeys((18, 19, 20, 21), say("sound boards on I2S use this pin")),
}
"""BCM numbers that can be used unless such a board is plugged in."""
LAMP_LEGS = (
    (say("lamp, red"), say("the red leg")),
    (say("lamp, green"), say("the green leg")),
    (say("lamp, blue"), say("the blue leg")),
)
"""The legs of the lamp in the order of its pins: what is wired, and its leg."""


def wiring(pins: PinSettings) -> Sequence[Wire]:
    """Return the wires for those pins, in the order of making them; each part has a ground pin of its own."""
    return tuple(_wires(pins, list(GROUNDS)))


def _wires(pins: PinSettings, grounds: list[int]) -> Iterator[Wire]:
    if pins.button_pin:
        ground = _nearest(grounds, pins.button_pin)
        remark = say("the button's other leg to GND at {ground}; no resistor is needed", ground=ground)
        yield _wire(say("button"), pins.button_pin, remark)
    if pins.lamp_pins:
        yield from _lamp_wires([int(pin) for pin in pins.lamp_pins.split(",")], grounds)
    if pins.buzzer_pin:
        ground = _nearest(grounds, pins.buzzer_pin)
        transistor = say("1 kilohm to the base of an NPN transistor, its emitter to GND at {ground}", ground=ground)
        buzzer = say("an active buzzer from 5 V at 2 to its collector")
        yield _wire(say("buzzer"), pins.buzzer_pin, say("{first}, {rest}", first=transistor, rest=buzzer))


def _lamp_wires(pins: Sequence[int], grounds: list[int]) -> Iterator[Wire]:
    ground = _nearest(grounds, pins[0])
    for (what, leg), pin in zip(LAMP_LEGS, pins, strict=True):
        yield _wire(what, pin, say("330 ohm to {leg}; the common leg to GND at {ground}", leg=leg, ground=ground))


def _wire(what: str, bcm: int, remark: str) -> Wire:
    taken = TAKEN_BY_BOARDS.get(bcm)
    return Wire(what, bcm, HEADER[bcm], say("{remark}; {taken}", remark=remark, taken=taken) if taken else remark)


def _nearest(grounds: list[int], bcm: int) -> int:
    """Take the ground pin with the fewest steps to that pin on the header's two rows out of `grounds`."""
    header = HEADER[bcm]
    nearest = min(grounds, key=lambda ground: abs((ground - 1) // 2 - (header - 1) // 2) + (ground - header) % 2)
    grounds.remove(nearest)
    return nearest
