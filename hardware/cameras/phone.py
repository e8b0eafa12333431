"""`phone`: a phone in a browser as the camera. Whoever receives its pictures puts them in.

A phone sends small pictures, in which motion shows, and behind some of them the same picture in full, for reading dice.
Motion is found in the small ones alone: a full one that is shrunk differs from them by what JPEG does to edges, and
would be taken for motion itself. A phone counts time by a clock of its own, which stands still while the phone sleeps.

Where a browser lends no camera, a phone sends photographs of dice at rest instead: one a throw.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Condition

import cv2
import numpy as np

from hardware.cameras.base import Camera, CameraLost, NoSuchCamera
from referee.sentences import say
from vision.frames import SMALL_LONG_SIDE, Frame, Pixels

OPENING_S = 0.5
"""Seconds for which `open` waits for a first picture."""
SILENT_S = 1.5
"""Seconds without a picture after which a phone is gone: at rest it sends two or three a second."""
AGAIN_S = 0.5
"""Seconds after which a photograph is given once more."""
MOST_WAITING = 28
"""Pictures that wait to be taken, as many as a phone holds back while its network stands still; older ones give way."""
MOST_FULL_WAITING = 2
"""Waiting pictures that keep their full size (4 MB each); of older ones only the small picture is kept."""
SAME_CLOCK_S = 2.0
"""A picture so much later or earlier than others, by the phone's clock, shows that the clock stood still or jumped."""
DRIFT = 2e-4
"""Share by which two quartz clocks differ at most; most phones differ by a tenth of it."""
LEAST_STEP_S = 1e-3
NOT_YET = say("no phone shows the tray yet; scan the camera's code with one")
GONE = say("the phone's picture is gone; wake the phone, and open its camera page")


def camera(place: str) -> PhoneCamera:
    """Return the camera that a phone's pictures are put into. Raises NoSuchCamera for a place: there is one phone."""
    if place:
        raise NoSuchCamera(say("the camera phone has no number; write phone, not phone:{place}", place=place))
    return PhoneCamera()


@dataclass(frozen=True, eq=False)
class PhonePicture:
    """A picture as a phone sent it, small and perhaps in full (BGR), with seconds of the phone's own clock.

    is_spared: the phone sees nothing move, and sends few. is_photograph: it is a photograph of dice at rest.
    """

    small: Pixels
    full: Pixels | None
    taken_s: float
    is_spared: bool = False
    is_photograph: bool = False


class PhoneClock:
    """Turn seconds of a phone's clock into those of `time.monotonic`, by the pictures that arrived fastest."""

    def __init__(self) -> None:
        self._offset_s: float | None = None
        self._asked_at = self._last_s = 0.0

    def moment(self, taken_s: float, now: float) -> float:
        """Return when a picture was taken that arrived at `now`; moments increase from picture to picture."""
        offset = now - taken_s
        known = self._offset_s
        if known is not None:
            known += (now - self._asked_at) * DRIFT
        is_other = known is None or abs(offset - known) > SAME_CLOCK_S
        self._offset_s = offset if known is None or is_other else min(known, offset)
        self._asked_at = now
        self._last_s = max(taken_s + self._offset_s, self._last_s + LEAST_STEP_S)
        return self._last_s


class PhoneCamera(Camera):
    """The camera of whichever phone sends pictures. `put` may be called from any thread.

    now: the seconds of the box's clock; that of a film for one that is played as fast as it is read.
    """

    name = "phone"

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._changed = Condition()
        self._waiting: deque[tuple[PhonePicture, float]] = deque(maxlen=MOST_WAITING)
        self._clock = PhoneClock()
        self._full_size: tuple[int, int] | None = None
        self._number = 0
        self._is_open = False
        self._photograph: Frame | None = None
        self._heard_at = 0.0

    @property
    def is_steady(self) -> bool:
        """False: a phone sends few pictures while nothing moves."""
        return False

    @property
    def longest_pause_s(self) -> float:
        """Return half a second: a phone comes back by itself, and looking for it costs nothing."""
        return OPENING_S

    def begin(self) -> None:
        """Take note that a phone begins to send: its clock is a new one, and nothing of the phone before is shown."""
        with self._changed:
            self._waiting.clear()
            self._clock = PhoneClock()
            self._full_size = self._photograph = None
            self._heard_at = self._now()

    def put_photograph(self, pixels: Pixels) -> None:
        """Take in a photograph (BGR) of dice at rest; no phone that sends a live picture is waited for any more."""
        with self._changed:
            self._waiting.clear()
            self._full_size = _size(pixels)
            moment = self._now()
            self._waiting.append((PhonePicture(pixels, pixels, moment, is_photograph=True), moment))
            self._changed.notify_all()

    def put(self, picture: PhonePicture) -> bool:
        """Take in the next picture. Return False for one before any full one of its shape: it is left out."""
        with self._changed:
            size = _size(picture.small) if picture.full is None else _size(picture.full)
            if picture.full is not None:
                self._full_size = size
            elif self._full_size is None or not is_same_shape(size, self._full_size):
                return False
            moment = self._clock.moment(picture.taken_s, self._now())
            self._heard_at = self._now()
            self._waiting.append((picture, moment))
            self._shed_full_pictures()
            self._changed.notify_all()
            return True

    def _shed_full_pictures(self) -> None:
        """Leave no more than the newest of the full pictures that wait."""
        full = [place for place, (picture, _) in enumerate(self._waiting) if picture.full is not None]
        for place in full[:-MOST_FULL_WAITING]:
            picture, moment = self._waiting[place]
            self._waiting[place] = replace(picture, full=None), moment

    def open(self) -> None:
        """Start as soon as a phone sends. Raises NoSuchCamera when none does."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting, OPENING_S):
                raise NoSuchCamera(GONE if self._number else NOT_YET)
            self._is_open = True

    def frame(self, timeout: float = 1.0) -> Frame:
        """Return the next picture; a small one is enlarged, and a photograph is returned again until the next one.

        Raises CameraLost after `timeout` seconds without a picture, and SILENT_S after the last one at the latest.
        """
        with self._changed:
            if not self._is_open:
                raise CameraLost(say("the phone's camera is not open; open it first"))
            if self._photograph is not None:
                self._waits_for_picture(min(timeout, AGAIN_S))
            if self._photograph is not None and not self._waiting:
                return replace(self._photograph, taken_at=self._now())
            if not self._waits_for_picture(min(timeout, SILENT_S - (self._now() - self._heard_at))):
                raise CameraLost(GONE)
            picture, taken_at = self._waiting.popleft()
            self._number += 1
            number, size = self._number, self._full_size or _size(picture.small)
            frame = _frame(picture, size, number, taken_at)
            self._photograph = frame if picture.is_photograph else None
        return frame

    def _waits_for_picture(self, longest_s: float) -> bool:
        """Wait so many seconds for a picture, and return whether there is one."""
        return bool(self._changed.wait_for(lambda: self._waiting, max(0.0, longest_s)))

    def close(self) -> None:
        """Stop; harmless when not open."""
        with self._changed:
            self._is_open = False
            self._waiting.clear()


def is_same_shape(small: tuple[int, int], full: tuple[int, int]) -> bool:
    """True if one picture is the other one shrunk, to a pixel, by their widths and heights."""
    return abs(small[0] * full[1] - small[1] * full[0]) <= max(full)


def _size(pixels: Pixels) -> tuple[int, int]:
    return pixels.shape[1], pixels.shape[0]


def _frame(picture: PhonePicture, full_size: tuple[int, int], number: int, taken_at: float) -> Frame:
    """Return a picture as a frame of the full size; one that came small alone is enlarged."""
    pixels, is_detailed = picture.full, picture.full is not None
    if pixels is None:
        pixels = np.asarray(cv2.resize(picture.small, full_size, interpolation=cv2.INTER_LINEAR), np.uint8)
    share = SMALL_LONG_SIDE / max(full_size)
    small_size = round(full_size[0] * share), round(full_size[1] * share)
    small = np.asarray(cv2.resize(picture.small, small_size, interpolation=cv2.INTER_AREA), np.uint8)
    return Frame(pixels, number, taken_at, small, is_detailed, picture.is_spared, picture.is_photograph)
