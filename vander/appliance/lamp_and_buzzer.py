"""The lamp and the buzzer of the box, and which of several signals they give."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from hardware.gpio.buzzer import Sound
from hardware.gpio.lamp import LampSignal
from referee.snapshot import Snapshot
from vander.appliance.led_patterns import BREACH, DOUBT, HELD_LONG, NO_CAMERA, SHUTTING_DOWN, THROW, signal_of

ANSWER_S = 2.0
"""How long the lamp shows the result of a press."""
LOST_AFTER_S = 2.0
"""A hand over the tray hides it for a moment; the buzzer reports a camera that is lost for longer than this."""


class LampOutput(Protocol):
    """A lamp, or none."""

    def show(self, signal: LampSignal) -> None:
        """Show a signal."""

    def flash(self, numbers: Sequence[int]) -> None:
        """Show a code."""

    def close(self) -> None:
        """Give the pins back."""


class BuzzerOutput(Protocol):
    """A buzzer, or none."""

    def sound(self, sound: Sound) -> None:
        """Sound."""

    def close(self) -> None:
        """Give the pin back."""


class Indicators:
    """A lamp and a buzzer that show what the table waits for, and what the button does. Any thread may call any method.

    The lamp shows a press in progress; else, for ANSWER_S, the result of a press; else a code; else the table.
    One thread calls `update` every half second, which also ends what is shown for a time. After `close` nothing is
    shown.
    """

    def __init__(
        self, lamp: LampOutput, buzzer: BuzzerOutput, snapshot: Snapshot, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lamp, self._buzzer, self._clock = lamp, buzzer, clock
        self._lock = Lock()
        self._closed = False
        self._now = snapshot
        self._held = self._leaving = False
        self._answer = (THROW, 0.0)  # the signal for the last press, and until when
        self._code: tuple[int, ...] = ()
        self._lost_at: float | None = None

    def update(self, snapshot: Snapshot) -> None:
        """Show the table's state; sound for a new breach, a camera that stays lost, and throws that cannot be kept."""
        before, self._now = self._now, snapshot
        if snapshot.unsaved and (not before.unsaved or snapshot.held_throws > before.held_throws):
            self._show(Sound.UNSAVED)
        elif _breach(snapshot) not in (None, _breach(before)):
            self._show(Sound.BREACH)
        elif self._is_lost_for_long(snapshot):
            self._show(Sound.LOST)
        self._show()

    def flash(self, code: Sequence[int]) -> None:
        """Flash a code until the next call; () ends it."""
        self._code = tuple(code)
        self._show()

    def button_held(self) -> None:
        """Show that the button has been held for a long press."""
        self._held = True
        self._show(Sound.TICK)

    def button_released(self) -> None:
        """Show that the button is released."""
        self._held = False
        self._show()

    def shutting_down(self) -> None:
        """Show that the box shuts down."""
        self._leaving = True
        self._show(Sound.CONFIRM)

    def shutdown_failed(self) -> None:
        """Stop showing a shutdown, which failed."""
        self._leaving = False
        self._show()

    def confirm(self, go_ahead: bool = False) -> None:
        """Confirm a press; `go_ahead` says that only a throw is left to do."""
        self._answer = (THROW, self._clock() + ANSWER_S if go_ahead else 0.0)
        self._show(Sound.CONFIRM)

    def reject(self) -> None:
        """Show that a press did nothing, and that the tablet has the choice."""
        self._answer = (DOUBT, self._clock() + ANSWER_S)
        self._show(Sound.NO)

    def close(self) -> None:
        """Turn lamp and buzzer off, and release the pins."""
        with self._lock:
            self._closed = True
            self._lamp.close()
            self._buzzer.close()

    def _is_lost_for_long(self, snapshot: Snapshot) -> bool:
        """True once, when the camera has been lost for LOST_AFTER_S."""
        if signal_of(snapshot) != NO_CAMERA:
            self._lost_at = None
        elif self._lost_at is None:
            self._lost_at = self._clock()
        elif self._clock() - self._lost_at >= LOST_AFTER_S:
            self._lost_at = float("inf")
            return True
        return False

    def _show(self, sound: Sound | None = None) -> None:
        with self._lock:
            if self._closed:
                return
            if sound is not None:
                self._buzzer.sound(sound)
            pressed = self._pressed()
            if self._code and not pressed:
                self._lamp.flash(self._code)
            else:
                self._lamp.show(pressed or signal_of(self._now))

    def _pressed(self) -> LampSignal | None:
        """Return the signal of a press in progress or of its result, else None."""
        if self._leaving:
            return SHUTTING_DOWN
        answer, until = self._answer
        return HELD_LONG if self._held else answer if self._clock() < until else None


def _breach(snapshot: Snapshot) -> tuple[str, str, tuple[int, ...]] | None:
    """Return what tells one breach from the next, or None if the snapshot shows none."""
    if signal_of(snapshot) != BREACH:
        return None
    return snapshot.step, snapshot.rule, tuple(question.number for question in snapshot.questions)
