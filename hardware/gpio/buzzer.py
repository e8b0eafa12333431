"""An active buzzer, which sounds while its pin is high."""

from __future__ import annotations

from enum import Enum

from hardware.gpio import pins
from hardware.gpio.pins import PinUnavailable


class BuzzerUnavailable(PinUnavailable):
    """The buzzer cannot be used; the message says at which pin and why."""


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
    """A buzzer at a pin (its BCM number), through a transistor. Raises BuzzerUnavailable."""

    def __init__(self, pin: int) -> None:
        self._device = pins.open_buzzer(pin, BuzzerUnavailable)

    def sound(self, sound: Sound) -> None:
        """Start a sound in place of the one before, and return at once."""
        self._device.beep(sound.on_s, sound.off_s, sound.times)

    def close(self) -> None:
        """Be silent and release the pin."""
        self._device.close()


class NullBuzzer:
    """The absence of a buzzer, or one that is switched off."""

    def sound(self, sound: Sound) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
