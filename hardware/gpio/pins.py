"""The box's pins, through gpiozero: what hangs on them, and where each is on the header.

Pins are called by their BCM numbers. All errors of the pins are NoPin or below it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class NoPin(RuntimeError, OSError):
    """Something on the box's pins cannot be had; the message says what, at which pin and why."""

    def __str__(self) -> str:
        return str(self.args[0])


# What hangs on the pins


class PushButton(Protocol):
    """A push button; both callbacks come from a thread of gpiozero's."""

    when_pressed: Callable[[], None]
    when_released: Callable[[], None]

    def close(self) -> None:
        """Give the pin back."""


class ThreeLights(Protocol):
    """A red, a green and a blue light; each is 1 when it is lit. `source` is copied to them, a value a delay."""

    value: tuple[int, int, int]
    source: Iterable[tuple[int, int, int]] | None
    source_delay: float

    def close(self) -> None:
        """Darken the lights and give the pins back."""


class Sounder(Protocol):
    """What sounds as long as it has power."""

    def beep(self, on_time: float, off_time: float, n: int) -> None:
        """Sound so many times, in seconds, in place of what sounded before; it does not wait until that is done."""

    def close(self) -> None:
        """Be silent and give the pin back."""


def push_button(pin: int, bounce_s: float, refusal: type[NoPin]) -> PushButton:
    """A button between the pin and ground; the pin is pulled up inside. Raises `refusal`."""
    device: PushButton = _had(f"button at pin {pin}", refusal, lambda gpio: gpio.Button(pin, bounce_time=bounce_s))
    return device


def three_lights(pins: tuple[int, int, int], refusal: type[NoPin]) -> ThreeLights:
    """Lights between the pins, red, green and blue, and ground; dark at first. Raises `refusal`."""
    named = ", ".join(map(str, pins))
    device: ThreeLights = _had(f"lamp at the pins {named}", refusal, lambda gpio: gpio.RGBLED(*pins, pwm=False))
    return device


def sounder(pin: int, refusal: type[NoPin]) -> Sounder:
    """What sounds while the pin is high; silent at first. Raises `refusal`."""
    device: Sounder = _had(f"buzzer at pin {pin}", refusal, lambda gpio: gpio.Buzzer(pin))
    return device


def _had(what: str, refusal: type[NoPin], make: Callable[[Any], Any]) -> Any:  # noqa: ANN401  # gpiozero ships no types
    """What gpiozero makes. It warns of each way to the pins that it tries in vain; the one error tells enough."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import gpiozero  # noqa: PLC0415  # whoever has nothing on the pins needs none of it

            return make(gpiozero)
    except Exception as error:  # what the ways to the pins raise shares no other root
        raise refusal(f"the {what} cannot be had: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip("!.") or type(error).__name__


# How it is wired


class Wired(Protocol):
    """The pins that are in use, as the settings name them: 0 or '' for what is not there."""

    @property
    def button_pin(self) -> int:
        """The button's pin."""

    @property
    def lamp_pins(self) -> str:
        """The lamp's pins, as red,green,blue."""

    @property
    def buzzer_pin(self) -> int:
        """The buzzer's pin."""


@dataclass(frozen=True)
class Pins:
    """Pins for the button, the lamp (red,green,blue) and the buzzer."""

    button_pin: int = 0
    lamp_pins: str = ""
    buzzer_pin: int = 0


RECOMMENDED = Pins(button_pin=17, lamp_pins="22,27,24", buzzer_pin=23)
"""A full box: no pin of these serves anything else on a plain Raspberry Pi."""


@dataclass(frozen=True)
class Wire:
    """One wire of the box: what it goes to, its BCM number, its place on the header, from 1, and what else it needs."""

    what: str
    bcm: int
    header: int
    remark: str


HEADER = {
    **{2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22},
    **{11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40},
}
"""Where each BCM number is on the header of 40 pins that every Raspberry Pi since the model B+ has."""
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""The header's pins that are ground."""
TAKEN_BY_BOARDS = {
    4: "some 1-Wire sensors use this pin",
    **dict.fromkeys((7, 8), "boards on SPI use this pin"),
    **dict.fromkeys((18, 19, 20, 21), "sound boards on I2S use this pin"),
}
"""Pins that serve well unless such a board is plugged in."""


def wiring(pins: Wired) -> Sequence[Wire]:
    """The wires for those pins, in the order in which one makes them; no two things share a ground of the header."""
    return tuple(_wires(pins, list(GROUNDS)))


def _wires(pins: Wired, grounds: list[int]) -> Iterator[Wire]:
    if pins.button_pin:
        ground = _nearest(grounds, pins.button_pin)
        yield _wire("button", pins.button_pin, f"the button's other leg to GND at {ground}; no resistor is needed")
    if pins.lamp_pins:
        yield from _lamp_wires([int(pin) for pin in pins.lamp_pins.split(",")], grounds)
    if pins.buzzer_pin:
        ground = _nearest(grounds, pins.buzzer_pin)
        transistor = f"1 kilohm to the base of an NPN transistor, its emitter to GND at {ground}"
        yield _wire("buzzer", pins.buzzer_pin, f"{transistor}, an active buzzer from 5 V at 2 to its collector")


def _lamp_wires(pins: Sequence[int], grounds: list[int]) -> Iterator[Wire]:
    ground = _nearest(grounds, pins[0])
    for colour, pin in zip(("red", "green", "blue"), pins, strict=True):
        yield _wire(f"lamp, {colour}", pin, f"330 ohm to the {colour} leg; the common leg to GND at {ground}")


def _wire(what: str, bcm: int, remark: str) -> Wire:
    taken = TAKEN_BY_BOARDS.get(bcm)
    return Wire(what, bcm, HEADER[bcm], f"{remark}; {taken}" if taken else remark)


def _nearest(grounds: list[int], bcm: int) -> int:
    """The ground with the fewest steps to that pin on the header's two rows; nothing else takes it from now on."""
    header = HEADER[bcm]
    nearest = min(grounds, key=lambda ground: abs((ground - 1) // 2 - (header - 1) // 2) + (ground - header) % 2)
    grounds.remove(nearest)
    return nearest
