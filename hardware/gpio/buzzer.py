"""The box's buzzer: an active one, which sounds as long as it has power."""

from __future__ import annotations

from enum import Enum

from hardware.gpio import pins
from hardware.gpio.pins import NoPin


class NoBuzzer(NoPin):
    """The buzzer cannot be had; the message says at which pin and why."""


class Sound(Enum):
    """What the buzzer can say: so many times on for so long, with so long a rest after each, in seconds."""

    TICK = (1, 0.03, 0.0)
    """The button was held long enough to mean something else."""
    CONFIRM = (1, 0.08, 0.0)
    NO = (2, 0.15, 0.1)
    BREACH = (1, 0.8, 0.0)
    LOST = (3, 0.3, 0.2)
    """The camera is gone."""

    def __init__(self, times: int, on_s: float, off_s: float) -> None:
        self.times = times
        self.on_s = on_s
        self.off_s = off_s


class Buzzer:
    """A buzzer at the pin of that BCM number, through a transistor. `close` gives the pin back. Raises NoBuzzer."""

    def __init__(self, pin: int) -> None:
        self._device = pins.sounder(pin, NoBuzzer)

    def sound(self, sound: Sound) -> None:
        """Sound, in place of what sounded before, without waiting until it is done."""
        self._device.beep(sound.on_s, sound.off_s, sound.times)

    def close(self) -> None:
        """Be silent and give the pin back."""
        self._device.close()


class Silent:
    """No buzzer, or one that shall not be heard."""

    def sound(self, sound: Sound) -> None:
        """Nobody hears it."""

    def close(self) -> None:
        """There is nothing to give back."""
