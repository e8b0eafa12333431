"""A button on the box, between a pin and ground: one press of it is short, long or very long."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from threading import Lock, Timer

from hardware.gpio import pins
from hardware.gpio.pins import NoPin

BOUNCE_S = 0.05
"""A switch chatters for some milliseconds; presses so near to each other are one."""


class NoButton(NoPin):
    """The button cannot be had; the message says at which pin and why."""


class Held(StrEnum):
    """How long the button was held in one press."""

    SHORT = "short"
    LONG = "long"
    VERY_LONG = "very long"


def _nothing() -> None:
    return None


class Button:
    """A button between the pin of that BCM number and ground. `close` gives the pin back; closing twice is harmless.

    `on_press` is called once a press: when the button is let go with SHORT, or with LONG where it was held `long_s`;
    at once with VERY_LONG when it is held `very_long_s`, and then not when it is let go. `on_long` is called at the
    moment from which letting go means LONG. Both are called from threads of the button's, and raise nothing.
    Raises NoButton.
    """

    def __init__(
        self,
        pin: int,
        on_press: Callable[[Held], None],
        long_s: float = 1.0,
        very_long_s: float = 6.0,
        on_long: Callable[[], None] = _nothing,
    ) -> None:
        self._on_press, self._on_long = on_press, on_long
        self._long_s, self._very_long_s = long_s, very_long_s
        self._lock = Lock()
        self._press: _Press | None = None
        self._device = pins.push_button(pin, BOUNCE_S, NoButton)
        self._device.when_pressed = self._down
        self._device.when_released = self._up

    def close(self) -> None:
        """Give the pin back; a press that is not over counts for nothing."""
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
            self._on_press(press.held)

    def _long(self, press: _Press) -> None:
        with self._lock:
            if self._press is not press:
                return
            press.held = Held.LONG
        self._on_long()

    def _very_long(self, press: _Press) -> None:
        if self._end(press) is not None:
            self._on_press(Held.VERY_LONG)

    def _end(self, only: _Press | None = None) -> _Press | None:
        """The press that was going on, which is over now; None without one, or where it is not the one meant."""
        with self._lock:
            press = self._press
            if only is not None and press is not only:
                return None
            self._press = None
        if press is not None:
            press.stop_timing()
        return press


class _Press:
    """A press that is going on, and what it is so far."""

    def __init__(self) -> None:
        self.held = Held.SHORT
        self._timers: list[Timer] = []

    def time(self, after_s: float, then: Callable[[_Press], None]) -> None:
        """Call `then` with this press when it has gone on for so long."""
        timer = Timer(after_s, then, (self,))
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def stop_timing(self) -> None:
        """What has not been called yet is not called."""
        for timer in self._timers:
            timer.cancel()
