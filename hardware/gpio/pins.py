"""Button, RGB LED and buzzer on the GPIO pins, through gpiozero. Pins have their BCM numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any, Protocol


class PinUnavailable(RuntimeError, OSError):
    """The root of what can go wrong with a pin; the message says what cannot be used, at which pin and why."""

    def __str__(self) -> str:
        return str(self.args[0])


class ButtonDevice(Protocol):
    """A push button; both callbacks run in a thread of gpiozero."""

    when_pressed: Callable[[], None]
    when_released: Callable[[], None]

    def close(self) -> None:
        """Release the pin."""


class RgbLedDevice(Protocol):
    """A red, a green and a blue light, 1 when lit; the values of `source` follow one another every `source_delay` s."""

    value: tuple[int, int, int]
    source: Iterable[tuple[int, int, int]] | None
    source_delay: float

    def close(self) -> None:
        """Darken the lights and release the pins."""


class BuzzerDevice(Protocol):
    """A buzzer that sounds while it has power."""

    def beep(self, on_time: float, off_time: float, n: int) -> None:
        """Start `n` beeps, with times in seconds, in place of what sounded before; return at once."""

    def close(self) -> None:
        """Be silent and release the pin."""


def open_button(pin: int, bounce_s: float, error: type[PinUnavailable]) -> ButtonDevice:
    """Open a button between the pin and ground, with the internal pull-up resistor. Raises `error`."""
    device: ButtonDevice = _open(f"button at pin {pin}", error, lambda gpio: gpio.Button(pin, bounce_time=bounce_s))
    return device


def open_rgb_led(pins: tuple[int, int, int], error: type[PinUnavailable]) -> RgbLedDevice:
    """Open the lights between three pins (red, green, blue) and ground, dark at first. Raises `error`."""
    named = ", ".join(map(str, pins))
    device: RgbLedDevice = _open(f"lamp at the pins {named}", error, lambda gpio: gpio.RGBLED(*pins, pwm=False))
    return device


def open_buzzer(pin: int, error: type[PinUnavailable]) -> BuzzerDevice:
    """Open a buzzer that sounds while the pin is high, silent at first. Raises `error`."""
    device: BuzzerDevice = _open(f"buzzer at pin {pin}", error, lambda gpio: gpio.Buzzer(pin))
    return device


def _open(what: str, error: type[PinUnavailable], make: Callable[[Any], Any]) -> Any:  # noqa: ANN401  # gpiozero ships no types
    """Return what gpiozero makes. Its warnings, one for each pin library that it tries, say no more than the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import gpiozero  # noqa: PLC0415  # a machine without anything on its pins does not need it

            return make(gpiozero)
    except Exception as cause:  # the errors of the pin libraries have no other root in common
        raise error(f"the {what} cannot be used: {_reason(cause)}") from cause


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip("!.") or type(error).__name__
