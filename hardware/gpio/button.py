"""A push button between a pin and ground, whose presses are short, long or very long."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from threading import Lock, Timer

from hardware.gpio import pins
from hardware.gpio.pins import PinUnavailable

BOUNCE_S = 0.05
"""Seconds within which presses are one: the contacts of a switch bounce for some milliseconds."""


class ButtonUnavailable(PinUnavailable):
    """The button cannot be used; the message says at which pin and why."""


class PressLength(StrEnum):
    """How long the button was held down in one press."""

    SHORT = "short"
    LONG = "long"
    VERY_LONG = "very long"


def _nothing() -> None:
    return None


class Button:
    """A button between a pin (its BCM number) and ground.

    on_press: called once a press. SHORT, or LONG after `long_s` seconds, when the button is released; VERY_LONG after
        `very_long_s` seconds, while it is still held, and then not at the release.
    on_long: called at the moment from which a release means LONG.

    Both are called from threads of this class and must not raise. Raises ButtonUnavailable.
    """

    def __init__(
        self,
        pin: int,
        on_press: Callable[[PressLength], None],
        long_s: float = 1.0,
        very_long_s: float = 6.0,
        on_long: Callable[[], None] = _nothing,
    ) -> None:
        self._on_press, self._on_long = on_press, on_long
        self._long_s, self._very_long_s = long_s, very_long_s
        self._lock = Lock()
        self._press: _Press | None = None
        self._device = pins.open_button(pin, BOUNCE_S, ButtonUnavailable)
        self._device.when_pressed = self._down
        self._device.when_released = self._up

    def close(self) -> None:
        """Release the pin; a press that is not over is dropped. Closing twice is harmless."""
        self._device.close()
        self._end()

    def _down(self) -> None:
        self._end()
        press = _Press()
        with self._lock:
            self._press = press
        press.time(self._long_s, self._long)
        press.time(self._very_long_s, self._very_long)

    def _up(self) -> None:
        press = self._end()
        if press is not None:
            self._on_press(press.length)

    def _long(self, press: _Press) -> None:
        with self._lock:
            if self._press is not press:
                return
            press.length = PressLength.LONG
        self._on_long()

    def _very_long(self, press: _Press) -> None:
        if self._end(press) is not None:
            self._on_press(PressLength.VERY_LONG)

    def _end(self, only: _Press | None = None) -> _Press | None:
        """End the press that is going on and return it; None where there is none, or it is not `only`."""
        with self._lock:
            press = self._press
            if only is not None and press is not only:
                return None
            self._press = None
        if press is not None:
            press.stop_timing()
        return press


class _Press:
    """A press that is going on, with the length that it has so far."""

    def __init__(self) -> None:
        self.length = PressLength.SHORT
        self._timers: list[Timer] = []

    def time(self, after_s: float, then: Callable[[_Press], None]) -> None:
        """Call `then` with this press after that many seconds."""
        timer = Timer(after_s, then, (self,))
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def stop_timing(self) -> None:
        """Cancel the calls that are still to come."""
        for timer in self._timers:
            timer.cancel()
