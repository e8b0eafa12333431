"""Motion in the tray: what moves, whether a hand is in, and when the table has settled. All on small pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum, auto

import cv2
import numpy as np
import numpy.typing as npt

from vision.background_subtraction import LIGHT_SHARE, MIN_PIXELS, Background, Mask, match_brightness, motion_mask
from vision.burst_film import MAX_PICTURES, BurstFilm, FilmPicture
from vision.frames import SMALL_LONG_SIDE, Frame, Pixels
from vision.hands import NO_HAND, HandView, HandWatch, in_hindsight
from vision.sight_gaps import SightGap
from vision.small_tracks import BlobFollower, BlobSighting, BlobTrack, find_blobs
from vision.stillness import StillRun, StillWatch

QUIET_SECONDS = 0.2
"""Time without motion after which the table counts as settled; reported with the last frame within that time."""
FRAME_JITTER_SECONDS = 0.005
"""How much earlier or later than due a frame may come."""
HAND_TIMEOUT_SECONDS = 30.0
"""What reaches into the picture and keeps still for so many seconds is no hand."""
BLIP_FRAMES = 2
"""So few frames of motion are ignored when the table is then as before: a flicker, a fly, a fault of the video."""
PICK_UP_FRAMES = 2
"""Within so many frames from the first motion on, what moves is taken to be picked up; later, dice push each other."""
PHOTOGRAPH_SECONDS = 0.4
"""Frames of a replay so many seconds apart are photographs, each of a table at rest."""
SLOW_CHANGE_SECONDS = 0.5
"""How often a quiet table is compared with the background, for changes too slow to be seen as motion."""

FREE, HAND = 1, 2
"""Values of MotionBurst.traces: moved by itself, moved under a hand; 0 for nothing."""


def small_image(frame: Frame) -> Pixels:
    """Return the frame's own small picture if it has the right size and shape, else its pixels downscaled."""
    small = frame.small
    return small if small is not None and _fits(small, frame.pixels) else downscale(frame.pixels)


def _fits(small: Pixels, pixels: Pixels) -> bool:
    """True if `small` has a long side of SMALL_LONG_SIDE and the aspect ratio of `pixels`."""
    (small_height, small_width), (height, width) = small.shape[:2], pixels.shape[:2]
    same_aspect = abs(small_height * width - small_width * height) <= max(height, width)
    return max(small_height, small_width) == SMALL_LONG_SIDE and bool(same_aspect)


def downscale(pixels: Pixels) -> Pixels:
    """Return the picture with a long side of SMALL_LONG_SIDE pixels, by area averaging.

    Halving is much faster than any other factor, so it goes first, as often as it fits.
    """
    while max(pixels.shape) >= 2 * SMALL_LONG_SIDE and not (pixels.shape[0] % 2 or pixels.shape[1] % 2):
        pixels = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    height, width = pixels.shape[:2]
    if max(height, width) == SMALL_LONG_SIDE:
        return pixels
    scale = SMALL_LONG_SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


class BurstEnd(Enum):
    """When a burst may end with a picture: with a photograph at once, and not with one that cannot be read."""

    WHEN_QUIET = auto()
    AT_ONCE = auto()
    NEVER = auto()


@dataclass(frozen=True, eq=False)
class MotionBurst:
    """What happened between two quiet moments. Positions and edges passed in are in pixels of the frame.

    hand_seen: True if a hand reached in. scale: small pixels per frame pixel. traces: uint8 (height, width), what last
    moved at each pixel (0, FREE or HAND). picked_up: where a hand was, or something moved in the first frames.
    changed: where the table now differs from before; None if there was no quiet table before. in_sight: True if all
    of it happened inside the picture, and nothing can have been out of sight. film: its small
    pictures, None if there was no quiet table before. tracks: the blobs that were followed through them. blobs: what
    differed from the quiet table in each of them, moving or not. afresh: True if the camera saw nothing for so long
    that anything may have happened. unseen: where the table changed in a gap of the camera's sight; None without one.
    traces_in_sight: the traces without what moved before such a change.
    """

    hand_seen: bool
    scale: float
    traces: npt.NDArray[np.uint8]
    picked_up: Mask
    changed: Mask | None
    in_sight: bool = False
    film: BurstFilm | None = None
    tracks: tuple[BlobTrack, ...] = ()
    blobs: tuple[tuple[BlobSighting, ...], ...] = ()
    afresh: bool = False
    unseen: Mask | None = None
    traces_in_sight: npt.NDArray[np.uint8] | None = None

    def changed_at(self, x: float, y: float, edge: float) -> bool:
        """True if the table looks different there, or if it is not known how it looked before."""
        if self.changed is None or self.afresh:
            return True
        return float(self._around(self.changed, x, y, edge * 0.5).mean()) > 255 * 0.08

    def rolled_to(self, x: float, y: float, edge: float) -> bool:
        """True if something that no hand held moved last at that place, and left a trace on its way there."""
        return self._rolled_to(self.traces, x, y, edge)

    def unseen_at(self, x: float, y: float, edge: float) -> bool:
        """True if the place changed in a gap of the camera's sight, and nothing was seen to roll there since."""
        if self.unseen is None or self.traces_in_sight is None:
            return False
        has_changed = float(self._around(self.unseen, x, y, edge * 0.5).mean()) > 255 * 0.08
        return has_changed and not self._rolled_to(self.traces_in_sight, x, y, edge)

    def _rolled_to(self, traces: npt.NDArray[np.uint8], x: float, y: float, edge: float) -> bool:
        here = self._around(traces, x, y, edge * 0.6)
        free, hand = int((here == FREE).sum()), int((here == HAND).sum())
        if free <= hand or free < here.size * 0.2:
            return False
        trace = int((self._around(traces, x, y, edge * 3) == FREE).sum())
        trace -= int((self._around(traces, x, y, edge * 1.1) == FREE).sum())
        return trace > (edge * self.scale) ** 2 * 0.7

    def hand_since(self, at: float) -> bool:
        """True if a hand was in sight after that moment (seconds), or if nothing is known of hands."""
        return self.film is None or any(one.hand is not None and one.at > at for one in self.film.pictures)

    def tells_the_same(self, other: MotionBurst, places: Iterable[tuple[float, float, float]]) -> bool:
        """True if both say the same of dice at these places (x, y, edge).

        They have the very same film, and end with two pictures of one table that differ by the sensor's noise.
        """
        return (
            _filmed(self) == _filmed(other)
            and self.hand_seen == other.hand_seen
            and self.in_sight == other.in_sight
            and self.afresh == other.afresh
            and all(_are_equal(*masks) for masks in zip(self._masks, other._masks, strict=True))
            and all(self.changed_at(*place) == other.changed_at(*place) for place in places)
        )

    @property
    def _masks(self) -> tuple[npt.NDArray[np.uint8] | None, ...]:
        return self.traces, self.picked_up, self.unseen, self.traces_in_sight

    def stirred_at(self, x: float, y: float, edge: float) -> float:
        """Return for how many seconds something moved at that place, from the first picture of it to the last."""
        pictures = () if self.film is None else self.film.pictures
        moved = [one for one in pictures if float(self._around(one.moved, x, y, edge * 0.5).mean()) > 255 * 0.03]
        return moved[-1].at - moved[0].at + moved[0].after if moved else 0.0

    def picked_up_at(self, x: float, y: float, edge: float) -> bool:
        """True if a die that lay there may have been picked up."""
        return self.afresh or float(self._around(self.picked_up, x, y, edge * 0.5).mean()) > 255 * 0.2

    def _around(self, mask: npt.NDArray[np.uint8], x: float, y: float, reach: float) -> npt.NDArray[np.uint8]:
        """Return the part of a mask within `reach` frame pixels of a frame position: at least one pixel."""
        height, width = mask.shape
        x, y, reach = x * self.scale, y * self.scale, max(1.0, reach * self.scale)
        left, right = (_clamp(x + side * reach, width) for side in (-1, 1))
        top, bottom = (_clamp(y + side * reach, height) for side in (-1, 1))
        return mask[top : bottom + 1, left : right + 1]


def _filmed(burst: MotionBurst) -> list[int] | None:
    """Return which pictures a film has; None without one."""
    return None if burst.film is None else [id(picture) for picture in burst.film.pictures]


def _are_equal(one: npt.NDArray[np.uint8] | None, other: npt.NDArray[np.uint8] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def _clamp(position: float, size: int) -> int:
    """Return the index nearest to a position in a row or column of `size` pixels."""
    return max(0, min(round(position), size - 1))


@dataclass(frozen=True)
class MotionState:
    """What one frame shows.

    moving: something moved since the last frame. hands_in: a hand is in the picture. quiet: True from the moment the
    table has settled until something moves. settled: the burst that ended with this frame, else None. still: how long
    pictures have shown the same to a fraction of a pixel; None while the table is quiet, and under a hand.
    """

    moving: bool
    hands_in: bool
    quiet: bool
    settled: MotionBurst | None = None
    still: StillRun | None = None


class _BurstRecorder:
    """Accumulates the traces of a burst while it goes on. Masks are None until something moves.

    `background` is the quiet table before it, None without one.
    """

    def __init__(self, background: Background | None = None, moving_frames: int = 0) -> None:
        self.hand_seen = False
        self._background = background
        self._follower = None if background is None else BlobFollower(background)
        self._hands = None if background is None else HandWatch(background)
        self._pictures: deque[FilmPicture] = deque(maxlen=MAX_PICTURES)
        self._blobs: deque[tuple[BlobSighting, ...]] = deque(maxlen=MAX_PICTURES)
        self._film_frames = 0
        self._moving_frames = moving_frames
        self._last_hand: Mask | None = None
        self._traces: npt.NDArray[np.uint8] | None = None
        self._picked_up: Mask | None = None
        self.is_afresh = False
        self._unseen: Mask | None = None
        self._in_sight: npt.NDArray[np.uint8] | None = None

    @property
    def is_blip(self) -> bool:
        """True if so little moved that it counts only where it changed the table."""
        return self._moving_frames <= BLIP_FRAMES and not self.hand_seen

    def count_frame(self) -> None:
        """Count a frame with motion."""
        self._moving_frames += 1

    def miss(self, changed: Mask) -> None:
        """Take note of what changed where nobody could see how: its traces are wiped out."""
        changed = np.asarray(cv2.dilate(changed, np.ones((5, 5), np.uint8)), np.uint8)
        self._unseen = changed if self._unseen is None else np.asarray(cv2.max(self._unseen, changed), np.uint8)
        if self._in_sight is None:
            self._in_sight = np.zeros_like(changed) if self._traces is None else self._traces.copy()
        self._in_sight[changed > 0] = 0

    def miss_all(self, shape: tuple[int, int]) -> None:
        """Note a gap in which anything may have happened, so that the burst is not dropped as a blip."""
        self.miss(np.full(shape, 255, np.uint8))
        self.is_afresh, self._moving_frames = True, BLIP_FRAMES + 1

    def find_hand(self, picture: Pixels, taken_at: float) -> HandView:
        """Return where a hand is in a small picture; without a background none can be recognised."""
        view = NO_HAND if self._hands is None else self._hands.update(picture, taken_at)
        self.hand_seen |= view.hand is not None
        return view

    def add(self, moved: Mask, hand: Mask | None) -> None:
        """Record where things moved, and under which hand."""
        if self._traces is None or self._picked_up is None:
            self._traces, self._picked_up = np.zeros_like(moved), np.zeros_like(moved)
        last_hand, self._last_hand = self._last_hand, hand
        if cv2.countNonZero(moved) > LIGHT_SHARE * moved.size or self._background is None:
            return
        if self._moving_frames <= PICK_UP_FRAMES:
            self._picked_up[moved > 0] = 255
        self._mark_under(moved, (hand, last_hand))

    def _mark_under(self, moved: Mask, hands: Sequence[Mask | None]) -> None:
        """Mark what moved: freely, or under one of these hands."""
        self._mark(moved, FREE)
        for hand in hands:
            if hand is not None and self._picked_up is not None:
                self._mark(np.asarray(cv2.bitwise_and(moved, hand), np.uint8), HAND)
                self._picked_up[hand > 0] = 255

    def _mark(self, moved: Mask, how: int) -> None:
        for traces in (self._traces, self._in_sight):
            if traces is not None:
                traces[moved > 0] = how

    def film(self, picture: FilmPicture, scale: float) -> None:
        """Keep a picture with motion, and follow its blobs; without a background neither is possible."""
        if self._follower is not None and self._background is not None:
            self._film_frames += 1
            self._pictures.append(picture)
            foreground = self._background.foreground(picture.pixels)
            self._blobs.append(find_blobs(foreground, picture.hand, picture.at, scale))
            self._follower.update(picture.pixels, picture.moved, picture.hand, picture.at, scale)

    def copy(self) -> _BurstRecorder:
        """Return an independent copy, which can end its burst while this recorder keeps recording."""
        other = copy(self)
        for name in ("_traces", "_picked_up", "_in_sight"):
            mask = getattr(self, name)
            setattr(other, name, None if mask is None else mask.copy())
        return other

    def burst(self, scale: float, changed: Mask | None, picture: Pixels) -> MotionBurst:
        """Return the recorded burst that ends with a small picture of the quiet table."""
        nothing = np.zeros(picture.shape[:2], np.uint8)
        self._look_back(picture)
        traces = nothing if self._traces is None else self._traces
        picked_up = nothing if self._picked_up is None else self._picked_up
        in_sight = self._unseen is None and not _touches_border(traces)
        tracks = () if self._follower is None else self._follower.tracks
        return MotionBurst(
            self.hand_seen,
            scale,
            traces,
            picked_up,
            changed,
            in_sight,
            self._finished_film(picture),
            tracks,
            tuple(self._blobs),
            self.is_afresh,
            self._unseen,
            self._in_sight,
        )

    def _look_back(self, after: Pixels) -> None:
        """Find the hands that only the pictures after or before give away, and mark again what moved since the first.

        After a gap in sight the marks stand as they are: what moved before it was wiped out.
        """
        seen = list(self._pictures)
        known = in_hindsight(seen, after)
        first = next((k for k, (one, other) in enumerate(zip(seen, known, strict=True)) if one is not other), None)
        if first is None:
            return
        self.hand_seen = True
        self._pictures = deque(known, maxlen=MAX_PICTURES)
        for k in range(first, len(known) if self._unseen is None else first):
            # What a hand uncovers has moved as well, and was under it a frame ago.
            self._mark_under(known[k].moved, [picture.hand for picture in known[max(k - 1, 0) : k + 1]])

    def _finished_film(self, picture: Pixels) -> BurstFilm | None:
        if self._background is None or self._background.picture.shape != picture.shape:
            return None
        is_whole = self._film_frames <= MAX_PICTURES
        return BurstFilm(self._background.picture, tuple(self._pictures), picture, is_whole)


class MotionDetector:
    """Watch the small pictures of one camera for motion.

    It starts unsettled, so that the first quiet moment is reported. A change of light, a bump of the camera and a
    picture of another size end in a report as well, without a hand. `live` is False for a replay, where frames far
    apart in time are photographs.
    """

    def __init__(self, live: bool = True) -> None:
        self._live = live
        self._last: Pixels | None = None
        self._last_at = float("-inf")
        self._scale = 1.0
        self._background: Background | None = None
        self._recorder: _BurstRecorder | None = _BurstRecorder()  # None while the table is quiet
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
        is_unseen = after is not None and self._miss(moved, picture, after)
        if moved is not None or is_unseen or self._still_since is None:
            self._still_since = taken_at
        if self._recorder is None:
            self._check_slow_change(picture, taken_at)
        still = self._still_run(picture, taken_at)
        state = self._state(picture, taken_at, moved is not None, ends)
        return state if self._hand_in else replace(state, still=still)

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
        return self._recorder.copy().burst(self._scale, self._changed(self._last), self._last)

    def settle_early(self) -> bool:
        """End the burst with the last picture, before QUIET_SECONDS are over. Return False if a hand is in."""
        if self._recorder is None or self._last is None:
            return False
        self._find_hand(self._recorder, self._last, self._last_at)
        if not self._hand_in:
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
        self._recorder = _BurstRecorder()
        self._still_since = self._checked = None
        self._checked_at = float("-inf")
        self._moving = self._hand_in = False

    def _moved_since_last(self, picture: Pixels) -> Mask | None:
        last, self._last = self._last, picture
        if last is None or last.shape != picture.shape:
            self._restart()
            return None
        return motion_mask(last, picture)

    def _miss(self, moved: Mask | None, picture: Pixels, gap: SightGap) -> bool:
        """Record what a gap left unknown. Return False if that is nothing more than was recorded before.

        Where nothing has moved that is so for a short gap, and for a camera that gives a frame a second.
        """
        is_afresh = self._recorder is not None and self._recorder.is_afresh
        if moved is None and (is_afresh or not gap.is_long):
            return False
        if self._recorder is None:
            self._recorder = _BurstRecorder(self._background)
        if gap.is_long:
            self._recorder.miss_all((picture.shape[0], picture.shape[1]))
        elif moved is not None:
            self._recorder.miss(moved)
        return True

    def _record(self, moved: Mask, picture: Pixels, taken_at: float) -> None:
        """Record what moved where, and whether a hand moved it."""
        if self._recorder is None:
            self._recorder = _BurstRecorder(self._background)
        self._recorder.count_frame()
        view = self._find_hand(self._recorder, picture, taken_at)
        self._recorder.add(moved, view.hand)
        shown = FilmPicture(taken_at, taken_at - self._last_at, picture, moved, view.hand, view.change)
        self._recorder.film(shown, self._scale)

    def _find_hand(self, recorder: _BurstRecorder, picture: Pixels, taken_at: float) -> HandView:
        view = recorder.find_hand(picture, taken_at)
        self._hand_in = view.hand is not None
        return view

    def _check_slow_change(self, picture: Pixels, taken_at: float) -> None:
        """Compare the quiet table with the background: follow the light, or begin a burst if the table changed."""
        if taken_at - self._checked_at < SLOW_CHANGE_SECONDS or self._background is None:
            return
        self._checked_at = taken_at
        if self._background.is_same(match_brightness(picture, self._background.picture)):
            self._background = Background(picture)
        elif cv2.countNonZero(self._background.changed(picture)) >= MIN_PIXELS:
            self._recorder = _BurstRecorder(self._background, moving_frames=BLIP_FRAMES + 1)
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

    def _settle(self, recorder: _BurstRecorder, picture: Pixels, is_blip: bool = False) -> MotionBurst | None:
        """End the burst and make the picture the background. Return None for a blip that changed nothing."""
        burst = recorder.burst(self._scale, self._changed(picture), picture)
        is_nothing = is_blip and self._background is not None and self._background.is_same(picture)
        self._end_burst(picture)
        return None if is_nothing else burst

    def _end_burst(self, picture: Pixels) -> None:
        self._background = Background(picture)
        self._recorder = self._checked = None
        self._hand_in = False

    def _changed(self, picture: Pixels) -> Mask | None:
        """Return where a picture differs from the table before the burst; None without one."""
        if self._background is None:
            return None
        return np.asarray(cv2.dilate(self._background.changed(picture), np.ones((3, 3), np.uint8)), np.uint8)


def _touches_border(traces: npt.NDArray[np.uint8]) -> bool:
    """True if something moved freely within two pixels of the picture's border."""
    sides = (traces[:2], traces[-2:], traces[:, :2], traces[:, -2:])
    return any(bool((side == FREE).any()) for side in sides)
