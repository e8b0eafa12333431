"""The box's lamp: one light of red, green and blue, which says a few things by its colour and its rhythm.

Rhythms alone tell signals apart, for those who do not tell the colours. None flashes more than three times a second:
faster flashes can be dangerous (WCAG 2.2, 2.3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import cycle
from threading import Lock

from hardware.gpio import pins
from hardware.gpio.pins import NoPin

BEAT_S = 0.1
"""A rhythm is written in beats of so many seconds."""


class NoLamp(NoPin):
    """The lamp cannot be had; the message says at which pins and why."""


class Colour(Enum):
    """A colour, and which of the red, the green and the blue light make it."""

    RED = (1, 0, 0)
    GREEN = (0, 1, 0)
    BLUE = (0, 0, 1)
    YELLOW = (1, 1, 0)
    MAGENTA = (1, 0, 1)
    CYAN = (0, 1, 1)
    WHITE = (1, 1, 1)


DARK = (0, 0, 0)


class Rhythm(Enum):
    """A rhythm in words, and its beats, `#` lit and `-` dark, which begin again at the end."""

    STEADY = ("steady", "#")
    SLOW = ("blinks slowly", "#" * 10 + "-" * 10)
    FAST = ("blinks fast", "##--")
    EVEN = ("blinks once a second", "#####-----")
    ONE = ("one flash and a long pause", "##" + "-" * 28)
    TWO = ("two flashes and a pause", "##---##" + "-" * 13)
    THREE = ("three flashes and a pause", "##---##---##" + "-" * 13)
    FOUR = ("four flashes and a pause", "##---##---##---##" + "-" * 13)
    WINK = ("goes dark for a moment", "#" * 18 + "--")
    LONG_SHORT = ("long and short in turn", "#" * 10 + "---##---")

    def __init__(self, words: str, beats: str) -> None:
        self.words = words
        self.beats = beats


@dataclass(frozen=True)
class Signal:
    """What the lamp shows: a colour in a rhythm. Its text is for people: `green, steady`."""

    colour: Colour
    rhythm: Rhythm

    def __str__(self) -> str:
        return f"{self.colour.name.lower()}, {self.rhythm.words}"


def code_beats(numbers: Sequence[int]) -> str:
    """The beats of a code: each number as so many flashes, a pause after each, and a longer one after the last."""
    pause, longer = "-" * 10, "-" * 20
    return pause.join("##---" * number for number in numbers) + pause + longer


class Lamp:
    """A lamp at three pins (BCM numbers), its common leg at ground. Any thread may call. Raises NoLamp.

    It shows what it was told until it is told otherwise; `close` darkens it and gives the pins back. `beat_s` is how
    many seconds a beat takes.
    """

    def __init__(self, red: int, green: int, blue: int, beat_s: float = BEAT_S) -> None:
        self._lock = Lock()
        self._shown: tuple[Colour, str] | None = None
        self._lights = pins.three_lights((red, green, blue), NoLamp)
        self._lights.source_delay = beat_s

    def show(self, signal: Signal) -> None:
        """Show a signal; one that is shown already goes on in its rhythm."""
        self._beat(signal.colour, signal.rhythm.beats)

    def flash(self, numbers: Sequence[int]) -> None:
        """Show a code in white: each number as so many flashes, again and again."""
        self._beat(Colour.WHITE, code_beats(numbers))

    def close(self) -> None:
        """Darken the lamp and give the pins back."""
        with self._lock:
            self._shown = None
            self._lights.source = None  # else it is copied on to lights that are closed already
            self._lights.close()

    def _beat(self, colour: Colour, beats: str) -> None:
        with self._lock:
            if self._shown == (colour, beats):
                return
            self._shown = colour, beats
            self._lights.source = cycle([colour.value if beat == "#" else DARK for beat in beats])


class Unlit:
    """No lamp: nobody sees what it shows."""

    def show(self, signal: Signal) -> None:
        """Nobody sees it."""

    def flash(self, numbers: Sequence[int]) -> None:
        """Nobody sees it."""

    def close(self) -> None:
        """There is nothing to give back."""
