"""What is wrong with the feed of a camera that still delivers frames: covered, dark or frozen."""

from __future__ import annotations

from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

DARK_LEVEL = 60
"""Grey level (0 to 255) of the brightest patch below which not all motion can be seen; paper in a lit room has 200."""
DETAIL_LEVEL = 6
"""Grey levels by which a covered lens still deviates from its own blurred picture."""
BLIND_SECONDS = 1.0
"""A dark or blank feed is a fault after so many seconds: a sleeve may pass over the lens."""
FROZEN_SECONDS = 2.0
"""A feed that repeats one picture is a fault after so many seconds."""
STREAM_FROZEN_SECONDS = 20.0
"""The same for a video stream: its encoder leaves out the noise of what lies still, but not in a key frame, and cameras
send one each ten seconds at least."""


class FeedFault(StrEnum):
    """What can be wrong with a feed although frames arrive."""

    DARK = "dark"
    """Even the brightest patch is dark: the lens is covered, or the room is too dark to see what moves."""
    COVERED = "covered"
    """The picture has light but no detail."""
    FROZEN = "frozen"
    """A live camera sends the same picture again and again."""


class FeedHealth:
    """Watch a feed for a covered lens, a dark room and a frozen picture.

    `fault` is what has been wrong for BLIND_SECONDS or FROZEN_SECONDS, None for nothing. The rest is about the last
    frame alone. `is_blind`: it was dark or blank. `has_changed`: it differed from the one before. `is_fresh`: it did,
    or it may equal it. `live` is False for a replay, whose frames may repeat: only a live camera always has noise.
    """

    def __init__(self, live: bool = True) -> None:
        self.fault: FeedFault | None = None
        self.is_blind = False
        self.is_fresh = self.has_changed = False
        self._live = live
        self._sample: npt.NDArray[np.uint8] | None = None
        self._last_seeing_at = self._last_changed_at = float("-inf")

    def update(self, pixels: Pixels, small: Pixels, taken_at: float, *, may_repeat: bool = False) -> FeedFault | None:
        """Take in a frame (BGR), its small picture (BGR) and its time in monotonic seconds; return `fault`.

        A frame of a stream that `may_repeat` is fresh though it equals the one before.
        """
        fault = _blindness(small) if self._live else None
        self.is_blind = fault is not None
        if fault is None or self._last_seeing_at == float("-inf"):
            self._last_seeing_at = taken_at
        self.has_changed = self._differs_from_last(pixels)
        self.is_fresh = self.has_changed or may_repeat
        if self.has_changed:
            self._last_changed_at = taken_at
        self.fault = self._lasting(fault, taken_at, STREAM_FROZEN_SECONDS if may_repeat else FROZEN_SECONDS)
        return self.fault

    def reset(self) -> None:
        """Forget the feed, since the camera gives no frames: the next frame is the first of a new feed."""
        self.fault = None
        self._sample = None
        self._last_seeing_at = float("-inf")

    def _differs_from_last(self, pixels: Pixels) -> bool:
        """Compare a sparse sample of the frame with the last one: sensor noise alone changes it in a live feed."""
        sample = pixels[3::33, 5::7].copy()
        last, self._sample = self._sample, sample
        return not self._live or last is None or not np.array_equal(last, sample)

    def _lasting(self, fault: FeedFault | None, taken_at: float, frozen_s: float) -> FeedFault | None:
        if fault is not None and taken_at - self._last_seeing_at >= BLIND_SECONDS:
            return fault
        return FeedFault.FROZEN if taken_at - self._last_changed_at > frozen_s else None


def _blindness(small: Pixels) -> FeedFault | None:
    """Return DARK or COVERED for a small picture that shows nothing, else None."""
    tiny = np.asarray(cv2.resize(small, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))
    if tiny.max() < DARK_LEVEL:
        return FeedFault.DARK
    detail = cv2.absdiff(tiny, cv2.blur(tiny, (5, 5)))
    return None if float(np.asarray(detail).max()) > DETAIL_LEVEL else FeedFault.COVERED
