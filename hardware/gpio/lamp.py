"""The lamp: one RGB LED, which says a few things by its colour and its rhythm.

The rhythm alone tells signals apart, for people who do not tell the colours apart. None flashes more than three times a
second, since faster flashes can cause seizures (WCAG 2.2, success criterion 2.3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import cycle
from threading import Lock

from hardware.gpio import pins
from hardware.gpio.pins import PinUnavailable

BEAT_S = 0.1
"""Seconds of one beat of a rhythm."""


class LampUnavailable(PinUnavailable):
    """The lamp cannot be used; the message says at which pins and why."""


class Colour(Enum):
    """A colour, and the lights that make it: red, green, blue."""

    RED = (1, 0, 0)
    GREEN = (0, 1, 0)
    BLUE = (0, 0, 1)
    YELLOW = (1, 1, 0)
    MAGENTA = (1, 0, 1)
    CYAN = (0, 1, 1)
    WHITE = (1, 1, 1)


DARK = (0, 0, 0)


class Rhythm(Enum):
    """A rhythm in words, and its beats, repeated: `#` is lit, `-` is dark."""

    STEADY = ("steady", "#")
    SLOW = ("blinks slowly", "#" * 10 + "-" * 10)
    FAST = ("blinks fast", "##--")
    EVEN = ("blinks once a second", "#####-----")
    ONE = ("one flash and a long pause", "##" + "-" * 28)
    TWO = ("two flashes and a pause", "##---##" + "-" * 13)
    THREE = ("three flashes and a pause", "##---##---##" + "-" * 13)
    FOUR = ("four flashes and a pause", "##---##---##---##" + "-" * 13)
    FIVE = ("five flashes and a pause", "##---##---##---##---##" + "-" * 13)
    WINK = ("goes dark for a moment", "#" * 18 + "--")
    LONG_SHORT = ("long and short in turn", "#" * 10 + "---##---")

    def __init__(self, words: str, beats: str) -> None:
        self.words = words
        self.beats = beats


@dataclass(frozen=True)
class LampSignal:
    """A colour in a rhythm. Its text is for people: `green, steady`."""

    colour: Colour
    rhythm: Rhythm

    def __str__(self) -> str:
        return f"{self.colour.name.lower()}, {self.rhythm.words}"


def code_beats(numbers: Sequence[int]) -> str:
    """Return the beats of a code: each number as that many flashes, a pause after each, a longer one after the last."""
    pause, longer = "-" * 10, "-" * 20
    return pause.join("##---" * number for number in numbers) + pause + longer


class RgbLamp:
    """A lamp at three pins (BCM numbers), with its common leg at ground. Any thread may call.

    The lamp shows a signal until it gets another. `beat_s` is the seconds of a beat. Raises LampUnavailable.
    """

    def __init__(self, red: int, green: int, blue: int, beat_s: float = BEAT_S) -> None:
        self._lock = Lock()
        self._shown: tuple[Colour, str] | None = None
        self._lights = pins.open_rgb_led((red, green, blue), LampUnavailable)
        self._lights.source_delay = beat_s

    def show(self, signal: LampSignal) -> None:
        """Show a signal. The same signal again does not restart its rhythm."""
        self._play(signal.colour, signal.rhythm.beats)

    def flash(self, numbers: Sequence[int]) -> None:
        """Show a code in white: each number as that many flashes, repeated."""
        self._play(Colour.WHITE, code_beats(numbers))

    def close(self) -> None:
        """Darken the lamp and release the pins."""
        with self._lock:
            self._shown = None
            self._lights.source = None  # else gpiozero goes on writing to lights that are closed
            self._lights.close()

    def _play(self, colour: Colour, beats: str) -> None:
        with self._lock:
            if self._shown == (colour, beats):
                return
            self._shown = colour, beats
            self._lights.source = cycle([colour.value if beat == "#" else DARK for beat in beats])


class NullLamp:
    """The absence of a lamp."""

    def show(self, signal: LampSignal) -> None:
        """Do nothing."""

    def flash(self, numbers: Sequence[int]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
