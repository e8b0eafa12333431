"""The face of the box: its lamp and its buzzer, and which of several things that they could say comes first."""

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
"""How long the lamp shows what came of a press."""
LOST_AFTER_S = 2.0
"""Whoever reaches over the tray hides it for a moment; a camera gone for longer than that is told by a sound."""


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
    """A lamp and a buzzer that say what the table waits for, and what the button does. Any thread may call.

    The lamp shows what the button does; else, for ANSWER_S, what came of a press; else a code; else the table.
    `update` is called again and again, by one thread: what is shown for a while ends then. After `close` nothing is
    said any more.
    """

    def __init__(
        self, lamp: LampOutput, buzzer: BuzzerOutput, snapshot: Snapshot, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lamp, self._buzzer, self._clock = lamp, buzzer, clock
        self._lock = Lock()
        self._closed = False
        self._now = snapshot
        self._held = self._leaving = False
        self._answer = (THROW, 0.0)  # what is shown of a press, and until when
        self._code: tuple[int, ...] = ()
        self._lost_at: float | None = None

    def update(self, snapshot: Snapshot) -> None:
        """Show the table as it is now; say by a sound what nobody should miss: a breach, a camera that stays away."""
        before, self._now = self._now, snapshot
        if signal_of(snapshot) == BREACH and (signal_of(before), before.notice) != (BREACH, snapshot.notice):
            self._say(Sound.BREACH)
        elif self._is_lost_for_good(snapshot):
            self._say(Sound.LOST)
        self._say()

    def flash(self, code: Sequence[int]) -> None:
        """Show a code from now on, or, with (), no code any more."""
        self._code = tuple(code)
        self._say()

    def button_held(self) -> None:
        """The finger has been on the button for a long press."""
        self._held = True
        self._say(Sound.TICK)

    def button_released(self) -> None:
        """The finger is off the button."""
        self._held = False
        self._say()

    def shutting_down(self) -> None:
        """The box shuts down."""
        self._leaving = True
        self._say(Sound.CONFIRM)

    def shutdown_failed(self) -> None:
        """The box cannot be shut down after all."""
        self._leaving = False
        self._say()

    def confirm(self, go_ahead: bool = False) -> None:
        """The press did something, or nothing was needed: go ahead and throw."""
        self._answer = (THROW, self._clock() + ANSWER_S if go_ahead else 0.0)
        self._say(Sound.CONFIRM)

    def reject(self) -> None:
        """The press did nothing: look at the tablet."""
        self._answer = (DOUBT, self._clock() + ANSWER_S)
        self._say(Sound.NO)

    def close(self) -> None:
        """Be dark and silent, and give the pins back."""
        with self._lock:
            self._closed = True
            self._lamp.close()
            self._buzzer.close()

    def _is_lost_for_good(self, snapshot: Snapshot) -> bool:
        """Whether the camera has been gone long enough to say so, once."""
        if signal_of(snapshot) != NO_CAMERA:
            self._lost_at = None
        elif self._lost_at is None:
            self._lost_at = self._clock()
        elif self._clock() - self._lost_at >= LOST_AFTER_S:
            self._lost_at = float("inf")
            return True
        return False

    def _say(self, sound: Sound | None = None) -> None:
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
        """What the button does, or what came of it just now."""
        if self._leaving:
            return SHUTTING_DOWN
        answer, until = self._answer
        return HELD_LONG if self._held else answer if self._clock() < until else None
