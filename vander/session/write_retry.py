"""When a failing write of the journal is tried again."""

from __future__ import annotations

from collections.abc import Callable

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
"""Seconds between attempts: they double, from the first pause to the longest. A failing card may hang at each."""


class WriteRetry:
    """The pause after a failed write; `clock` returns seconds that never go back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pause_s = FIRST_PAUSE_S
        self._due_at = float("-inf")

    @property
    def is_due(self) -> bool:
        """True if it may be tried now."""
        return self._clock() >= self._due_at

    def failed(self) -> None:
        """Wait for the pause, which doubles each time."""
        self._due_at = self._clock() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def succeeded(self) -> None:
        """Begin with the first pause again."""
        self._pause_s, self._due_at = FIRST_PAUSE_S, float("-inf")
