"""A clock that goes slower, by which a bench finds what a machine takes that has more time for it than this one.

On a machine that does other work a process waits for its turn for longer than it works. Where its film, its browser and
its own clock all go slower by the same factor, the wait counts less by that factor, and so does what it works.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition

IN_A_PAGE = """(() => {
  const [slower, beganMs] = [%f, %f];
  const [origin, now, timeout] = [performance.timeOrigin, performance.now.bind(performance), AbortSignal.timeout];
  Object.defineProperty(performance, 'timeOrigin', {value: beganMs + (origin - beganMs) / slower});
  performance.now = () => now() / slower;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * slower);
  const shown = HTMLVideoElement.prototype;
  shown.requestEveryFrame = shown.requestVideoFrameCallback;
  shown.requestVideoFrameCallback = function (seen) {
    let left = Math.round(slower);
    const next = (...given) => void ((left -= 1) > 0 ? this.requestEveryFrame(next) : seen(...given));
    this.requestEveryFrame(next);
  };
})()"""


@dataclass(frozen=True)
class SlowClock:
    """A clock that goes `slower` times slower than others; it showed the right time when it was made."""

    slower: float = 1.0
    began: float = 0.0
    began_monotonic: float = 0.0

    @classmethod
    def starting_now(cls, slower: float) -> SlowClock:
        """Return a clock that shows the right time now."""
        return cls(slower, time.time(), time.monotonic())

    def time(self) -> float:
        """Return seconds since 1970."""
        return self.began + (time.time() - self.began) / self.slower

    def monotonic(self) -> float:
        """Return seconds that only increase."""
        return self.began_monotonic + (time.monotonic() - self.began_monotonic) / self.slower

    def sleep(self, seconds: float) -> None:
        """Wait for so many seconds of this clock."""
        time.sleep(seconds * self.slower)

    @property
    def script(self) -> str:
        """Return a script that slows the clock of a page down, and shows it each frame of a slowed film once."""
        return IN_A_PAGE % (self.slower, 1000 * self.began)


class SlowCondition(Condition):
    """A condition that waits by a slow clock."""

    def __init__(self, clock: SlowClock) -> None:
        super().__init__()
        self._slow_clock = clock

    def wait_for(self, predicate: Callable[[], object], timeout: float | None = None) -> object:  # type: ignore[override]
        """Wait for so many seconds of the slow clock."""
        return super().wait_for(predicate, None if timeout is None else timeout * self._slow_clock.slower)
