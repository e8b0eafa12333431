"""Gaps in what the camera sees: no usable frame for a while, and how much that leaves unknown."""

from __future__ import annotations

from dataclasses import dataclass

from referee.dice import Blindness
from vision.observations import BlindInterval

GAP_SECONDS = 0.3
"""A longer time without a usable frame is a gap, in which motion is not seen. About four frames at 15 per second."""
SPARED_GAP_SECONDS = 0.7
"""The same for a camera that gives few frames on purpose, since it sees nothing move."""
LONG_GAP_SECONDS = 1.0
"""After a longer gap hands may have acted although the table looks the same: every die is read again."""


@dataclass(frozen=True)
class SightGap:
    """A time without a usable frame. `is_long`: anything may have happened, so that every die is read again."""

    interval: BlindInterval
    is_long: bool

    @property
    def matters(self) -> bool:
        """True if the gap is to be told of, though nothing has moved in it."""
        return self.is_long or self.interval.reason is Blindness.RESTART


class SightGaps:
    """Note the usable frames of one camera, and return the gap that each ends."""

    def __init__(self) -> None:
        self._last_taken_at = self._last_now = 0.0
        self._is_first, self._is_lost = True, False
        self._missed: Blindness | None = None

    def miss(self, reason: Blindness) -> None:
        """Take note of a frame that shows nothing, or nothing new."""
        self._missed = reason if self._missed is not Blindness.LENS else self._missed

    def lose(self, reason: Blindness = Blindness.NO_FRAMES) -> None:
        """Take note that the camera gives no frames: however soon the next one comes, it ends a long gap."""
        self._is_lost = not self._is_first
        self.miss(reason)

    def see(self, taken_at: float, now: float, *, is_spared: bool = False) -> SightGap | None:
        """Take note of a usable frame: its own moment, and that of a steady clock, in seconds. Return the gap before.

        `is_spared`: the camera waited with the frame on purpose, because it saw nothing move.

        The first frame of all ends one that began before the program did: it counts as no long one, since no dice are
        known yet.
        """
        gap = self._gap(taken_at, now, SPARED_GAP_SECONDS if is_spared else GAP_SECONDS)
        self._last_taken_at, self._last_now = taken_at, now
        self._is_first, self._is_lost, self._missed = False, False, None
        return gap

    def _gap(self, taken_at: float, now: float, longest_s: float) -> SightGap | None:
        if self._is_first:
            return SightGap(BlindInterval(Blindness.RESTART, taken_at, taken_at), is_long=False)
        lasted = now - self._last_now
        if lasted < longest_s and not self._is_lost:
            return None
        reason = self._missed or Blindness.NO_FRAMES
        interval = BlindInterval(reason, min(self._last_taken_at, taken_at), taken_at)
        return SightGap(interval, is_long=self._is_lost or lasted >= LONG_GAP_SECONDS)
