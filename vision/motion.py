"""Motion in the tray: what moves, whether a hand is in, and when the table has settled. All on small pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.background_subtraction import FREE_SECONDS, MIN_PIXELS, SAME_LIGHT, Background, Mask, motion_mask
from vision.frame_clock import SightGap
from vision.frames import Pixels
from vision.motion_burst import BLIP_FRAMES, BurstEnd, BurstRecorder, FilmPicture, MotionBurst

# How long pictures have shown the same, to a fraction of a pixel
#
# Motion is what changes by many grey levels over several pixels (`vision/background_subtraction.py`). A die that rocks
# on its edge or turns slowly may stay below that; the mean of a few pixels around each pixel shows it, since the
# sensor's noise nearly vanishes in it. What is left of it, and of what JPEG does to a phone's pictures, is learned at
# rest.

STILL_LEVELS = 4.5
"""Grey levels by which the means of two pictures of a still table differ at most: 3.9 on the virtual tray. The edge of
a die 80 levels brighter than the table, moved by 0.3 of a pixel (0.4 mm in a tray that fills the picture), changes them
by more."""
NOISIEST_LEVELS = 10.0
"""The same for a camera whose pictures of one table at rest mostly differ by more, as those of a phone do by 7
to 9: such an edge then moves by 0.6 of a pixel at most. In still more noise no table counts as still."""
LEARNED = 8
"""So many pairs of pictures of a table at rest are remembered."""
MEAN_PIXELS = 5
"""Width and height of the square of pixels that are averaged."""

Means: TypeAlias = npt.NDArray[np.float32]
"""The mean around each pixel of a small picture, (height, width, 3), BGR."""


@dataclass(frozen=True)
class StillRun:
    """Pictures in a row that all show what the first one shows: since when (seconds), for how long, and how many."""

    since: float
    seconds: float = 0.0
    pictures: int = 1


class StillWatch:
    """Compare each small picture with the first one of those that show the same."""

    def __init__(self) -> None:
        self._picture: Pixels | None = None
        self._means: Means | None = None
        self._run: StillRun | None = None
        self._noise: deque[float] = deque(maxlen=LEARNED)

    def learn(self, before: Pixels, now: Pixels) -> None:
        """Take in two small pictures of one table at rest, which differ by noise alone."""
        difference = _difference(_means(before), _means(now))
        if difference is not None:
            self._noise.append(difference)

    def update(self, picture: Pixels, taken_at: float, *, has_moved: bool) -> StillRun:
        """Take in the next small picture and its time in seconds; `has_moved`: since the picture before it."""
        if has_moved or self._run is None or not self._is_same(picture):
            self._picture, self._means, self._run = picture, None, StillRun(taken_at)
        else:
            self._run = replace(self._run, seconds=taken_at - self._run.since, pictures=self._run.pictures + 1)
        return self._run

    def forget(self) -> None:
        """Let the next picture be the first."""
        self._picture = self._means = self._run = None

    def _is_same(self, picture: Pixels) -> bool:
        """True if a picture shows what the first one does."""
        if self._picture is None or self._picture.shape != picture.shape:
            return False
        self._means = _means(self._picture) if self._means is None else self._means
        difference = _difference(self._means, _means(picture))
        return difference is not None and difference <= self._levels

    @property
    def _levels(self) -> float:
        """Return by how many grey levels the means of two pictures of one table may differ."""
        noise = median(self._noise) if self._noise else 0.0  # a shadow in one pair of pictures is no noise
        return STILL_LEVELS if noise <= STILL_LEVELS else NOISIEST_LEVELS


def _means(picture: Pixels) -> Means:
    return np.asarray(cv2.boxFilter(picture, cv2.CV_32F, (MEAN_PIXELS, MEAN_PIXELS)), np.float32)


def _difference(before: Means, now: Means) -> float | None:
    """Return the largest difference in grey levels once the brightness is matched, colour by colour.

    None in another light: its exposure is still being adjusted.
    """
    gain = np.median((now[::8, ::8] + 1) / (before[::8, ::8] + 1), axis=(0, 1)).astype(np.float32)
    if float(np.abs(gain - 1).max()) > SAME_LIGHT:
        return None
    return float(cv2.norm(now, (before + 1) * gain - 1, cv2.NORM_INF))


# Motion

QUIET_SECONDS = 0.2
"""Time without motion after which the table counts as settled; reported with the last frame within that time."""
FRAME_JITTER_SECONDS = 0.005
"""How much earlier or later than due a frame may come."""
HAND_TIMEOUT_SECONDS = 30.0
"""What reaches into the picture and keeps still for so many seconds is no hand."""
PHOTOGRAPH_SECONDS = 2 * QUIET_SECONDS
"""Frames of a replay so many seconds apart are photographs, each of a table at rest."""


@dataclass(frozen=True)
class MotionState:
    """What one frame shows.

    moving: something moved since the last frame. hands_in: a hand is in the picture. quiet: True from the moment the
    table has settled until something moves. settled: the burst that ended with this frame, else None. still: how long
    pictures have shown the same to a fraction of a pixel; None while the table is quiet.
    """

    moving: bool
    hands_in: bool
    quiet: bool
    settled: MotionBurst | None = None
    still: StillRun | None = None


class MotionDetector:
    """Watch the small pictures of one camera for motion.

    It starts unsettled, so that the first quiet moment is reported. A bump of the camera, a picture of another size and
    a change of light that `match_light` does not explain end in a report as well, without a hand. `live` is False for a
    replay, where frames far apart in time are photographs.
    """

    def __init__(self, live: bool = True) -> None:
        self._live = live
        self._last: Pixels | None = None
        self._last_at = float("-inf")
        self._scale = 1.0
        self._background: Background | None = None
        self._recorder: BurstRecorder | None = BurstRecorder()  # None while the table is quiet
        self._still_since: float | None = None
        self._still = StillWatch()
        self._checked: Pixels | None = None
        self._checked_at = float("-inf")
        self._moving = self._hand_in = False

    def update(
        self,
        picture: Pixels,
        taken_at: float,
        scale: float,
        after: SightGap | None = None,
        *,
        ends: BurstEnd = BurstEnd.WHEN_QUIET,
    ) -> MotionState:
        """Take in the next small picture (BGR), its time in monotonic seconds, and small pixels per frame pixel.

        `after` is the gap in the camera's sight that ended with it, if one did. `ends` says whether a burst may end
        with this picture.
        """
        moved = self._moved_since_last(picture)
        self._scale = scale
        if moved is not None:
            self._record(moved, picture, taken_at)
        is_unseen = after is not None and self._miss(moved, picture, taken_at, after)
        if moved is not None or is_unseen or self._still_since is None:
            self._still_since = taken_at
        if self._recorder is None:
            self._check_slow_change(picture, taken_at)
        still = self._still_run(picture, taken_at)
        return replace(self._state(picture, taken_at, moved is not None, ends), still=still)

    def _still_run(self, picture: Pixels, taken_at: float) -> StillRun | None:
        """Return how long pictures have shown the same; None while the table is quiet, and before it ever was."""
        if self._recorder is None or self._background is None:
            self._still.forget()
            return None
        return self._still.update(picture, taken_at, has_moved=self._still_since == taken_at)

    def preview(self) -> MotionBurst | None:
        """Return the burst as it will be if nothing moves until the table has settled.

        None where there was no quiet table before, or so little moved that it may be nothing.
        """
        if self._recorder is None or self._last is None or self._background is None or self._recorder.is_blip:
            return None
        return self._recorder.burst(self._scale, self._changed(self._last), self._last)

    def settle_early(self, dice: Sequence[tuple[float, float, float]] = ()) -> bool:
        """End the burst with the last picture, before QUIET_SECONDS are over. Return False if a hand is in.

        dice: where some are seen (x, y, edge in pixels of the frame); what is there is no hand.
        """
        if self._recorder is None or self._last is None:
            return False
        hand = self._find_hand(self._recorder, self._last, self._last_at)
        places = [(x * self._scale, y * self._scale, edge * self._scale) for x, y, edge in dice]
        if hand is None or self._recorder.is_of_dice(places):
            self._end_burst(self._last)
        return not self._hand_in

    def finish(self) -> MotionState:
        """Report at the end of the feed: what moved last counts as settled, moving or not."""
        moving, hand = self._moving, self._hand_in
        settled = self._settle(self._recorder, self._last) if self._last is not None and self._recorder else None
        return MotionState(moving, hand, True, settled)

    def _restart(self) -> None:
        """Forget the table, since the pictures have another size: the next quiet moment is the first."""
        self._background = None
        self._recorder = BurstRecorder()
        self._still_since = self._checked = None
        self._checked_at = float("-inf")
        self._moving = self._hand_in = False

    def _moved_since_last(self, picture: Pixels) -> Mask | None:
        last, self._last = self._last, picture
        if last is None or last.shape != picture.shape:
            self._restart()
            return None
        return motion_mask(last, picture)

    def _miss(self, moved: Mask | None, picture: Pixels, taken_at: float, gap: SightGap) -> bool:
        """Record what a gap left unknown. Return False if that is nothing more than was recorded before.

        Where nothing has moved that is so for a short gap, and for a camera that gives a frame a second.
        """
        is_afresh = self._recorder is not None and self._recorder.is_afresh
        if moved is None and (is_afresh or not gap.is_long):
            return False
        if self._recorder is None:
            self._recorder = BurstRecorder(self._background)
        if gap.is_long:
            self._recorder.miss_all((picture.shape[0], picture.shape[1]), taken_at)
        elif moved is not None:
            self._recorder.miss(moved, taken_at)
        return True

    def _record(self, moved: Mask, picture: Pixels, taken_at: float) -> None:
        """Record what moved where, and whether a hand moved it."""
        if self._recorder is None:
            self._recorder = BurstRecorder(self._background)
        self._recorder.count_frame()
        hand = self._find_hand(self._recorder, picture, taken_at)
        shown = FilmPicture(taken_at, taken_at - self._last_at, picture, moved, hand)
        self._recorder.film(shown)

    def _find_hand(self, recorder: BurstRecorder, picture: Pixels, taken_at: float) -> Mask | None:
        hand = recorder.find_hand(picture, taken_at)
        self._hand_in = hand is not None
        return hand

    def _check_slow_change(self, picture: Pixels, taken_at: float) -> None:
        """Compare the quiet table with the background: follow the light, or begin a burst if the table changed."""
        if taken_at - self._checked_at < FREE_SECONDS or self._background is None:
            return
        self._checked_at = taken_at
        if self._background.is_same(picture):
            self._background = self._background.at_rest_again(picture, taken_at)
        elif cv2.countNonZero(self._background.changed(picture)) >= MIN_PIXELS:
            self._recorder = BurstRecorder(self._background, moving_frames=BLIP_FRAMES + 1)
            return
        if self._checked is not None:
            self._still.learn(self._checked, picture)
        self._checked = picture

    def _state(self, picture: Pixels, taken_at: float, moving: bool, ends: BurstEnd) -> MotionState:
        self._moving = moving
        since_last, self._last_at = taken_at - self._last_at, taken_at
        recorder = self._recorder
        if recorder is None:
            return MotionState(moving, self._hand_in, True)
        if ends is BurstEnd.AT_ONCE or (not self._live and since_last >= PHOTOGRAPH_SECONDS):
            return MotionState(False, False, True, self._settle(recorder, picture))
        quiet_for = taken_at - (taken_at if self._still_since is None else self._still_since)
        is_due = quiet_for > 0 and quiet_for + since_last > QUIET_SECONDS + FRAME_JITTER_SECONDS
        if not is_due or ends is BurstEnd.NEVER:
            return MotionState(moving, self._hand_in, False)
        self._find_hand(recorder, picture, taken_at)
        if self._hand_in and quiet_for < HAND_TIMEOUT_SECONDS:
            return MotionState(moving, True, False)
        return MotionState(False, False, True, self._settle(recorder, picture, recorder.is_blip))

    def _settle(self, recorder: BurstRecorder, picture: Pixels, is_blip: bool = False) -> MotionBurst | None:
        """End the burst and make the picture the background. Return None for a blip that changed nothing."""
        burst = recorder.burst(self._scale, self._changed(picture), picture)
        is_nothing = is_blip and self._background is not None and self._background.is_same(picture)
        self._end_burst(picture)
        return None if is_nothing else burst

    def _end_burst(self, picture: Pixels) -> None:
        earlier = self._background
        at = self._last_at
        self._background = Background(picture, at) if earlier is None else earlier.at_rest_again(picture, at)
        self._recorder = self._checked = None
        self._hand_in = False

    def _changed(self, picture: Pixels) -> Mask | None:
        """Return where a picture differs from the table before the burst; None without one."""
        if self._background is None:
            return None
        return np.asarray(cv2.dilate(self._background.changed(picture), np.ones((3, 3), np.uint8)), np.uint8)
