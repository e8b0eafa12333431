"""The time limit of a guided capture: it ends after a while without its page or without a picture."""

from __future__ import annotations

from collections.abc import Callable

PAGE_LEFT_S = 20.0
"""Seconds without a request of the capture's page after which nobody looks at it; it asks twice a second."""
NO_PICTURE_S = 300.0
"""Seconds without a picture, or another choice on the page, after which the tray is given back."""


class TrayLoan:
    """When a guided capture was looked at, and when it was last used. `clock` counts seconds and never goes back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._looked_at = self._used = clock()

    def look(self) -> None:
        """Take note that the page asked for the capture."""
        self._looked_at = self._clock()

    def use(self) -> None:
        """Take note that a picture was taken, by hand or by itself, or that something was chosen."""
        self._looked_at = self._used = self._clock()

    @property
    def is_over(self) -> bool:
        """True if the page was left, or no picture has been taken for minutes."""
        now = self._clock()
        return now - self._looked_at > PAGE_LEFT_S or now - self._used > NO_PICTURE_S
