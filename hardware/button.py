"""A button on the box, between a pin and ground, through gpiozero: the shutter."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

BOUNCE_S = 0.05
"""A switch chatters for some milliseconds; presses so near to each other are one."""


class NoButton(RuntimeError, OSError):
    """The button cannot be had; the message says at which pin and why."""

    def __str__(self) -> str:
        return str(self.args[0])


class Button:
    """A button between the pin of that BCM number and ground. `close` gives the pin back; closing twice is harmless.

    `pressed` is called once a press, from a thread of gpiozero's, and raises nothing. Raises NoButton.
    """

    def __init__(self, pin: int, pressed: Callable[[], None]) -> None:
        self._button = _opened(pin)
        self._button.when_pressed = pressed

    def close(self) -> None:
        """Give the pin back."""
        self._button.close()


def _opened(pin: int) -> Any:  # noqa: ANN401  # gpiozero ships no types
    """A gpiozero button. It warns of each way to the pins that it tries in vain; the one error tells enough."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import gpiozero  # noqa: PLC0415  # whoever has no button needs none of it

            return gpiozero.Button(pin, bounce_time=BOUNCE_S)
    except Exception as error:  # what the ways to the pins raise shares no other root
        raise NoButton(f"the button at pin {pin} cannot be had: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip("!.") or type(error).__name__
