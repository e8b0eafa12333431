"""Put the frames of one camera in order: frames that come late or twice are left out, and a clock that jumps is none.

What lasts so many seconds is measured by `FrameClock.now`, which never goes back and never leaps.
"""

from __future__ import annotations

from collections import deque
from statistics import median

LATE_SECONDS = 1.0
"""A frame that is older than the last by less came late; if it is older by more, the clock was set back."""
MOST_LATE = 3
"""Late or repeated frames tolerated in a row; one more means a clock that was set back, or a frozen camera."""
LONGEST_STEP = 1.5
"""The most seconds that pass between two frames: a clock set forward by an hour is no hour."""
USUAL_STEP = 1 / 15
"""Seconds between two frames, where the clock does not tell."""
SLOW_STEP = 1 / 6
"""With longer steps between frames dice cannot be followed: a rolling die moves six centimetres in that time."""
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
        """Return the frames' moment for a time of this clock since the frames' clock last jumped."""
        return now + (self._last_taken_at or 0.0) - self.now

    @property
    def is_slow(self) -> bool:
        """True if the camera gives too few frames a second to follow dice."""
        return len(self._steps) == STEPS and median(self._steps) > SLOW_STEP

    def advance(self, taken_at: float, is_spared: bool = False) -> bool:
        """Go on to the next frame's moment (seconds). Return False, and stay, if the frame came late or twice.

        `is_spared`: the camera waited with the frame on purpose, which says nothing of its pace.
        """
        last = self._last_taken_at
        if last is None:
            self.now = self._last_taken_at = taken_at
            return True
        step = taken_at - last
        if -LATE_SECONDS < step <= 0 and self._late < MOST_LATE:
            self._late += 1
            return False
        self._last_taken_at, self._late = taken_at, 0
        self.now += min(step, LONGEST_STEP) if step > 0 else USUAL_STEP
        if step > 0 and not is_spared:
            self._steps.append(step)
        return True

    def pause(self) -> None:
        """Take note that the camera gives no frames: its pace is measured from the next one on."""
        self._steps.clear()
