"""What hangs on the wires: button, buzzer and lamp, by their pins."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import cycle
from threading import Lock, Timer
from typing import Any

from referee.sentences import say

# Button, RGB LED and buzzer on the GPIO pins, through gpiozero. Pins have their BCM numbers


class PinUnavailable(RuntimeError, OSError):
    """A part on the pins cannot be used; the message says which, at which pin and why."""

    def __str__(self) -> str:
        return str(self.args[0])


def _open(what: str, make: Callable[[Any], Any]) -> Any:  # noqa: ANN401  # gpiozero ships no types
    """Return what gpiozero makes. Its warnings, one for each pin library that it tries, say no more than the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import gpiozero  # noqa: PLC0415  # a machine without anything on its pins does not need it

            return make(gpiozero)
    except Exception as cause:  # the errors of the pin libraries have no other root in common
        why = " ".join(str(cause).split()).rstrip("!.") or type(cause).__name__
        raise PinUnavailable(f"the {what} cannot be used: {why}") from cause


# A push button between a pin and ground, whose presses are short, long or very long


BOUNCE_S = 0.05
"""Seconds within which presses are one: the contacts of a switch bounce for some milliseconds."""


class PressLength(StrEnum):
    """How long the button was held down in one press."""

    SHORT = "short"
    LONG = "long"
    VERY_LONG = "very long"


class Button:
    """A button between a pin (its BCM number) and ground, with the internal pull-up resistor.

    on_press: called once a press. SHORT, or LONG after `long_s` seconds, when the button is released; VERY_LONG after
        `very_long_s` seconds, while it is still held, and then not at the release.
    on_long: called at the moment from which a release means LONG.

    Both are called from threads of this class and must not raise. Raises PinUnavailable.
    """

    def __init__(
        self,
        pin: int,
        on_press: Callable[[PressLength], None],
        long_s: float = 1.0,
        very_long_s: float = 6.0,
        on_long: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_press, self._on_long = on_press, on_long
        self._long_s, self._very_long_s = long_s, very_long_s
        self._lock = Lock()
        self._press: _Press | None = None
        self._device = _open(f"button at pin {pin}", lambda gpio: gpio.Button(pin, bounce_time=BOUNCE_S))
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


# An active buzzer, which sounds while its pin is high


class Sound(Enum):
    """What the buzzer can say: the number of beeps, the seconds of each, and the seconds of silence after each."""

    TICK = (1, 0.03, 0.0)
    """The button is held long enough to mean something else."""
    CONFIRM = (1, 0.08, 0.0)
    NO = (2, 0.15, 0.1)
    BREACH = (1, 0.8, 0.0)
    LOST = (3, 0.3, 0.2)
    """The camera is gone."""
    UNSAVED = (5, 0.15, 0.15)
    """The journal cannot be written, or a throw was made although it cannot."""

    def __init__(self, times: int, on_s: float, off_s: float) -> None:
        self.times = times
        self.on_s = on_s
        self.off_s = off_s


class Buzzer:
    """A buzzer at a pin (its BCM number), through a transistor. Raises PinUnavailable."""

    def __init__(self, pin: int) -> None:
        self._device = _open(f"buzzer at pin {pin}", lambda gpio: gpio.Buzzer(pin))

    def sound(self, sound: Sound) -> None:
        """Start a sound in place of the one before, and return at once."""
        self._device.beep(sound.on_s, sound.off_s, sound.times)

    def close(self) -> None:
        """Be silent and release the pin."""
        self._device.close()


# The lamp: one RGB LED, which says a few things by its colour and its rhythm
#
# The rhythm alone tells signals apart, for people who do not tell the colours apart. None flashes more than three
# times a second, since faster flashes can cause seizures (WCAG 2.2, success criterion 2.3.1).


BEAT_S = 0.1
"""Seconds of one beat of a rhythm."""


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

    The lamp shows a signal until it gets another. `beat_s` is the seconds of a beat. Raises PinUnavailable.
    """

    def __init__(self, red: int, green: int, blue: int, beat_s: float = BEAT_S) -> None:
        self._lock = Lock()
        self._shown: tuple[Colour, str] | None = None
        what = f"lamp at the pins {red}, {green}, {blue}"
        self._lights = _open(what, lambda gpio: gpio.RGBLED(red, green, blue, pwm=False))
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


# How button, lamp and buzzer are wired to the Raspberry Pi's header. Pins have their BCM numbers


@dataclass(frozen=True)
class PinNumbers:
    """BCM numbers of the pins of button, lamp (red,green,blue) and buzzer; 0 or '' for what is not fitted."""

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


def wiring(pins: PinNumbers) -> Sequence[Wire]:
    """Return the wires for those pins, in the order of making them; each part has a ground pin of its own."""
    return tuple(_wires(pins, list(GROUNDS)))


def _wires(pins: PinNumbers, grounds: list[int]) -> Iterator[Wire]:
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
