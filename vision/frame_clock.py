"""The time of frames: a clock that puts them in order, and the gaps in which nobody saw the tray."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median

from referee.dice import Blindness
from vision.observations import BlindInterval

# The clock
#
# What lasts so many seconds is measured by `FrameClock.now`, which never goes back and never leaps.

GAP_SECONDS = 0.3
"""A longer time without a usable frame is a gap, in which motion is not seen. About four frames at 15 per second."""
LONG_GAP_SECONDS = 1.0
"""After a longer gap hands may have acted although the table looks the same: every die is read again. A frame that is
older than the last by less came late; if it is older by more, the clock was set back."""
SPARED_GAP_SECONDS = LONG_GAP_SECONDS - GAP_SECONDS
"""A gap of a camera that gives few frames on purpose, since it sees nothing move: less than a long one."""
MOST_LATE = 3
"""Late or repeated frames tolerated in a row; one more means a clock that was set back, or a frozen camera."""
LONGEST_STEP = 1.5 * LONG_GAP_SECONDS
"""The most seconds that pass between two frames: a clock set forward by an hour is no hour, though a long gap."""
SLOW_STEP = 1 / 6
"""With longer steps between frames dice cannot be followed, nor be seen to be thrown: a rolling die moves six
centimetres in that time."""
STEPS = 9
"""The camera's pace is the median of so many steps, so that frames that are lost here and there do not count."""


class FrameClock:
    """Measure time by the moments at which frames were taken, in seconds.

    `now` begins with the first frame's moment, and is the last frame's as long as the frames' clock does not jump.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._last_taken_at: float | None = None
        self._late = 0
        self._steps: deque[float] = deque(maxlen=STEPS)

    def taken_at(self, now: float) -> float:
        """Return the frames' moment for a time of this clock since the frames' clock last jumped.

        In whole milliseconds, so that the same moment is the same number whenever it is asked for.
        """
        return round(now + (self._last_taken_at or 0.0) - self.now, 3)

    @property
    def is_slow(self) -> bool:
        """True if the camera gives too few frames a second to follow dice."""
        return len(self._steps) == STEPS and self._pace > SLOW_STEP

    @property
    def _pace(self) -> float:
        """Return the usual seconds between two frames."""
        return median(self._steps) if self._steps else SLOW_STEP

    def advance(self, taken_at: float, is_spared: bool = False) -> bool:
        """Go on to the next frame's moment (seconds). Return False, and stay, if the frame came late or twice.

        `is_spared`: the camera waited with the frame on purpose, which says nothing of its pace.
        """
        last = self._last_taken_at
        if last is None:
            self.now = self._last_taken_at = taken_at
            return True
        step = taken_at - last
        if -LONG_GAP_SECONDS < step <= 0 and self._late < MOST_LATE:
            self._late += 1
            return False
        self._last_taken_at, self._late = taken_at, 0
        self.now += min(step if step > 0 else self._pace, LONGEST_STEP)
        if step > 0 and not is_spared:
            self._steps.append(step)
        return True

    def pause(self) -> None:
        """Take note that the camera gives no frames: its pace is measured from the next one on."""
        self._steps.clear()


# Gaps in what the camera sees: no usable frame for a while, and how much that leaves unknown


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
