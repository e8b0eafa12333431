"""What stirs in the tray: moving, hands, settled again; and what is wrong with the feed. All on small pictures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import SMALL_LONG_SIDE, Frame, Pixels

QUIET_SECONDS = 0.2
"""How long nothing may move before the table counts as settled: it is said with the last frame within that time."""
UNEVEN_SECONDS = 0.005
"""How much earlier or later than due a frame may come."""
STEP = 14
"""Grey levels by which a pixel must change from one frame to the next; sensor noise in the small picture is about 1."""
CHANGE = 22
"""Grey levels by which a pixel must differ from the table at rest."""
LEAST_PIXELS = 6
"""Fewer changed pixels are noise: a die of 16 mm has about 150 of them in a tray that fills the picture."""
HAND_SHARE = 0.015
"""Share of the picture that a hand covers at least: about three dice of 16 mm."""
LIGHT_SHARE = 0.6
"""Change over more of the picture than this is light, or the camera itself, and no hand."""
MOST_VOTES = 60.0
"""Levels of an edge's slope that count in telling a hand from a change of light."""
LEFT_LYING_SECONDS = 30.0
"""What reaches into the picture and keeps still for so long is no hand."""
BLIP = 2
"""So few frames of motion are nothing when they leave the table as it was: a flicker, a fly, a fault of the video."""
EARLY = 2
"""In so many frames from the first motion on, dice are picked up; later they may be pushed by others."""
PAUSE = 2
"""So many frames without motion in the midst of a burst are a pause."""
STILLS_SECONDS = 0.4
"""Frames of a replay that lie so far apart are photographs, each of a table at rest."""
CHECK_SECONDS = 0.5
"""How often a quiet table is compared with the table at rest, for what comes too slowly to be seen moving."""

Mask: TypeAlias = npt.NDArray[np.uint8]
"""0 or 255 for each pixel of a small picture."""

FREE, HAND = 1, 2


def small_image(frame: Frame) -> Pixels:
    """The frame's own small picture where it brings one of the right size and shape, else one made of its pixels."""
    small = frame.small
    return small if small is not None and _fits(small, frame.pixels) else downscale(frame.pixels)


def _fits(small: Pixels, pixels: Pixels) -> bool:
    (high, wide), (height, width) = small.shape[:2], pixels.shape[:2]
    return max(high, wide) == SMALL_LONG_SIDE and bool(abs(high * width - wide * height) <= max(height, width))


def downscale(pixels: Pixels) -> Pixels:
    """The picture with a long side of SMALL_LONG_SIDE pixels, each the mean of those it stands for.

    Halving is so much quicker than any other averaging that it goes first, as often as it fits.
    """
    while max(pixels.shape) >= 2 * SMALL_LONG_SIDE and not (pixels.shape[0] % 2 or pixels.shape[1] % 2):
        pixels = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    height, width = pixels.shape[:2]
    if max(height, width) == SMALL_LONG_SIDE:
        return pixels
    scale = SMALL_LONG_SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, eq=False)
class Burst:
    """What happened between two quiet moments. Places are in pixels of the frame.

    hand: whether one reached in. scale: small pixels to a frame pixel. traces: for each pixel what last moved there
    (0, FREE or HAND). taken: where a hand was, or something moved just as it all began. changed: where the table now
    differs from before; None when there was no quiet table before. whole: whether it was one unbroken movement inside
    the picture, so that nothing can have been out of sight.
    """

    hand: bool
    scale: float
    traces: npt.NDArray[np.uint8]
    taken: Mask
    changed: Mask | None
    whole: bool = False

    def changed_at(self, x: float, y: float, edge: float) -> bool:
        """Whether the table looks different there."""
        if self.changed is None:
            return True
        return float(self._around(self.changed, x, y, edge * 0.5).mean()) > 255 * 0.08

    def tumbled_at(self, x: float, y: float, edge: float) -> bool:
        """Whether something that no hand held came rolling to that place: it moved last there, and left a trace."""
        here = self._around(self.traces, x, y, edge * 0.6)
        free, hand = int((here == FREE).sum()), int((here == HAND).sum())
        if free <= hand or free < here.size * 0.2:
            return False
        trace = int((self._around(self.traces, x, y, edge * 3) == FREE).sum())
        trace -= int((self._around(self.traces, x, y, edge * 1.1) == FREE).sum())
        return trace > (edge * self.scale) ** 2 * 0.7

    def taken_at(self, x: float, y: float, edge: float) -> bool:
        """Whether a die that lay there may have been picked up."""
        return float(self._around(self.taken, x, y, edge * 0.5).mean()) > 255 * 0.2

    def _around(self, mask: npt.NDArray[np.uint8], x: float, y: float, reach: float) -> npt.NDArray[np.uint8]:
        height, width = mask.shape
        x, y, reach = x * self.scale, y * self.scale, max(1.0, reach * self.scale)
        left, right = (_inside(x + side * reach, width) for side in (-1, 1))
        top, bottom = (_inside(y + side * reach, height) for side in (-1, 1))
        return mask[top : bottom + 1, left : right + 1]


def _inside(place: float, end: int) -> int:
    """The nearest pixel of a row or column of so many."""
    return max(0, min(round(place), end - 1))


@dataclass(frozen=True)
class Stir:
    """What a frame shows: something moves, a hand is in; `settled` is the burst that has come to its end with it.

    `quiet` is True from the moment the table has settled until something stirs.
    """

    moving: bool
    hands_in: bool
    quiet: bool
    settled: Burst | None = None


class Motion:
    """Watches small pictures for motion, one after another, all of the same camera.

    It starts unsettled, so that the first quiet moment is reported. A change of light, a bump of the camera and a
    picture of another size end in a report as well, without a hand. `live` is False for a replay, where frames far
    apart in time are photographs.
    """

    def __init__(self, live: bool = True) -> None:
        self._live = live
        self._looked_at = float("-inf")
        self._last: Pixels | None = None
        self._rest: _Rest | None = None
        self._quiet_since: float | None = None
        self._traces: npt.NDArray[np.uint8] | None = None
        self._taken: Mask | None = None
        self._hand_before: Mask | None = None
        self._forget()

    def look(self, picture: Pixels, taken_at: float, scale: float) -> Stir:
        """Take in the next small picture; `scale` is small pixels to a frame pixel."""
        moved = self._step(picture)
        self._scale = scale
        if moved is None:
            self._pause += 1
        else:
            self._note(moved, picture)
        if moved is not None or self._quiet_since is None:
            self._quiet_since = taken_at
        if not self._stirred:
            self._check(picture, taken_at)
        return self._stir(picture, taken_at, moved is not None)

    def finish(self) -> Stir:
        """The feed has ended: what stirred last counts as settled, moving or not."""
        moving, hand = self._moving, self._hand_now
        settled = self._settle(self._last) if self._last is not None and self._stirred else None
        return Stir(moving, hand, True, settled)

    def _forget(self) -> None:
        self._stirred = True
        self._quiet_since = self._traces = self._taken = self._hand_before = None
        self._checked_at = float("-inf")
        self._moving = False
        self._hand_now = self._hand_was = False
        self._steps = self._pause = 0
        self._paused = False
        self._scale = 1.0

    def _step(self, picture: Pixels) -> Mask | None:
        """Where the picture moved since the last one, or None where nothing did."""
        last, self._last = self._last, picture
        if last is None or last.shape != picture.shape:
            self._rest = None
            self._forget()
            return None
        return _moved(last, picture)

    def _note(self, moved: Mask, picture: Pixels) -> None:
        """Remember what moved where, and whose doing it was."""
        if self._traces is None or self._taken is None:
            self._traces, self._taken = np.zeros_like(moved), np.zeros_like(moved)
        if not self._stirred:
            self._stirred, self._hand_was, self._steps, self._paused = True, False, 0, False
        self._steps += 1
        self._paused |= self._steps > 1 and self._pause >= PAUSE
        self._pause = 0
        hand = self._look_for_hand(picture)
        before, self._hand_before = self._hand_before, hand
        if cv2.countNonZero(moved) > LIGHT_SHARE * moved.size or self._rest is None:
            return
        self._traces[moved > 0] = FREE
        if self._steps <= EARLY:
            self._taken[moved > 0] = 255
        # What a hand uncovers has moved as well, and was under it a frame ago.
        for under in (hand, before):
            if under is not None:
                self._traces[(moved > 0) & (under > 0)] = HAND
                self._taken[under > 0] = 255

    def _look_for_hand(self, picture: Pixels) -> Mask | None:
        hand = self._rest.hand(picture) if self._rest is not None else None
        self._hand_now = hand is not None
        self._hand_was |= self._hand_now
        return hand

    def _check(self, picture: Pixels, taken_at: float) -> None:
        """Look whether the quiet table has slowly become another; if not, follow the light."""
        if taken_at - self._checked_at < CHECK_SECONDS or self._rest is None:
            return
        self._checked_at = taken_at
        if self._rest.is_like(_relit(picture, self._rest.picture)):
            self._rest = _Rest(picture)
        elif cv2.countNonZero(self._rest.changed(picture)) >= LEAST_PIXELS:
            self._stirred, self._hand_was, self._steps, self._paused = True, False, BLIP + 1, False

    def _stir(self, picture: Pixels, taken_at: float, moving: bool) -> Stir:
        self._moving = moving
        since, self._looked_at = taken_at - self._looked_at, taken_at
        still = not self._live and since >= STILLS_SECONDS
        if still and self._stirred:
            return Stir(False, False, True, self._settle(picture))
        quiet_for = taken_at - (taken_at if self._quiet_since is None else self._quiet_since)
        last_within = quiet_for > 0 and quiet_for + since > QUIET_SECONDS + UNEVEN_SECONDS
        if not self._stirred or not last_within:
            return Stir(moving, self._hand_now, not self._stirred)
        self._look_for_hand(picture)
        if self._hand_now and quiet_for < LEFT_LYING_SECONDS:
            return Stir(moving, True, False)
        return Stir(False, False, True, self._settle(picture, self._steps <= BLIP and not self._hand_was))

    def _settle(self, picture: Pixels, blip: bool = False) -> Burst | None:
        """End the burst. A blip that left the table as it was is none."""
        changed = None if self._rest is None else cv2.dilate(self._rest.changed(picture), np.ones((3, 3), np.uint8))
        nowhere = np.zeros(picture.shape[:2], np.uint8)
        traces = nowhere if self._traces is None else self._traces
        taken = nowhere if self._taken is None else self._taken
        differs = None if changed is None else np.asarray(changed, np.uint8)
        whole = not self._paused and not _at_border(traces)
        burst = Burst(self._hand_was, self._scale, traces, taken, differs, whole)
        nothing = blip and self._rest is not None and self._rest.is_like(picture)
        self._rest = _Rest(picture)
        self._stirred = self._hand_now = False
        self._traces = self._taken = self._hand_before = None
        return None if nothing else burst


def _at_border(traces: npt.NDArray[np.uint8]) -> bool:
    sides = (traces[:2], traces[-2:], traces[:, :2], traces[:, -2:])
    return any(bool((side == FREE).any()) for side in sides)


def _moved(before: Pixels, now: Pixels) -> Mask | None:
    """Where a picture moved; None for nothing. A shift by a pixel, as of a camera that shakes, is no motion."""
    if _count(cv2.absdiff(before, now), STEP) < LEAST_PIXELS:
        return None
    beyond = _beyond(now, *_range(before, 3), STEP)
    return beyond if cv2.countNonZero(beyond) >= LEAST_PIXELS else None


def _count(difference: cv2.typing.MatLike, least: int) -> int:
    return int(np.count_nonzero(np.asarray(difference) > least))


def _range(picture: Pixels, width: int) -> tuple[Pixels, Pixels]:
    """The darkest and the brightest that a pixel may become when the picture shifts by half of `width`."""
    window = np.ones((width, width), np.uint8)
    return np.asarray(cv2.erode(picture, window), np.uint8), np.asarray(cv2.dilate(picture, window), np.uint8)


def _beyond(picture: Pixels, darkest: Pixels, brightest: Pixels, by: int) -> Mask:
    """Where a picture leaves a range by more than so many levels in any colour."""
    over = cv2.max(cv2.subtract(picture, brightest), cv2.subtract(darkest, picture))
    blue, green, red = cv2.split(over)
    most = cv2.max(cv2.max(blue, green), red)
    return np.asarray(cv2.threshold(most, by, 255, cv2.THRESH_BINARY)[1], np.uint8)


class _Rest:
    """The table at rest, to compare later pictures with."""

    def __init__(self, picture: Pixels) -> None:
        self.picture = picture
        self._darkest, self._brightest = _range(picture, 5)

    def is_like(self, picture: Pixels) -> bool:
        """Whether a picture shows the same, to the pixel, in the same light."""
        return _count(cv2.absdiff(picture, self.picture), STEP) < LEAST_PIXELS

    def changed(self, picture: Pixels) -> Mask:
        """Where a picture differs, once its light is made that of the table at rest, in either direction.

        Each is held against the other: a die full of contrast hides what replaces it, but not the reverse.
        """
        now = _relit(picture, self.picture)
        gone = _beyond(self.picture, *_range(now, 5), CHANGE)
        beyond = cv2.max(_beyond(now, self._darkest, self._brightest, CHANGE), gone)
        return np.asarray(cv2.morphologyEx(beyond, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)

    def hand(self, picture: Pixels) -> Mask | None:
        """The region of a hand: large, reaching in over the picture's border, and there now rather than before."""
        closed = cv2.morphologyEx(self.changed(picture), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8))
        hands = np.zeros(labels.shape, np.uint8)
        for number in range(1, len(stats)):
            if _reaches_in(stats[number], labels.shape):
                hands[labels == number] = 255
        if not hands.any() or not _arrived(self.picture, picture, _rim(hands)):
            return None
        return np.asarray(cv2.dilate(hands, np.ones((7, 7), np.uint8)), np.uint8)


def _reaches_in(stats: npt.NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    left, top, width, height, area = (int(v) for v in stats)
    at_border = left <= 2 or top <= 2 or left + width >= shape[1] - 2 or top + height >= shape[0] - 2
    return at_border and HAND_SHARE <= area / (shape[0] * shape[1]) <= LIGHT_SHARE


def _relit(picture: Pixels, like: Pixels) -> Pixels:
    """The picture in the light of another, by the median ratio of their pixels: what is new in it weighs nothing."""
    here, there = (p[::8, ::8].astype(np.float32) + 1 for p in (picture, like))
    gain = float(np.clip(np.median(there / here), 0.5, 2.0))
    return picture if abs(gain - 1) < 0.02 else np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)


def _rim(region: Mask) -> Mask:
    """The outline of a region, a few pixels wide: what is drawn inside says nothing of when the whole came."""
    window = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.subtract(cv2.dilate(region, window), cv2.erode(region, window)), np.uint8)


def _arrived(before: Pixels, now: Pixels, rim: Mask) -> bool:
    """Whether what the rim encloses is there now and was not before: not the reverse, and not light or shadow.

    The difference of two pictures has its edges from one of them: from `now` when something arrived, from `before` when
    something went. A change of light scales what was there, and then the share of `now` is far from both 0 and 1.
    Each pixel of the rim has a vote, strong edges not many: under a hand lie dice, and they are full of contrast.
    """
    new, old = (_slopes(picture, rim) for picture in (now, before))
    difference = new - old
    strength = (difference**2).sum(axis=0)
    shares = np.clip((new * difference).sum(axis=0) / np.maximum(strength, 1.0), -1.0, 2.0)
    votes = np.minimum(np.sqrt(strength), MOST_VOTES)
    return 0.5 < float((shares * votes).sum() / max(float(votes.sum()), 1.0)) < 1.3


def _slopes(picture: Pixels, region: Mask) -> npt.NDArray[np.float32]:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    both = [np.asarray(cv2.Sobel(grey, cv2.CV_32F, dx, dy), np.float32)[region > 0] for dx, dy in ((1, 0), (0, 1))]
    return np.stack(both)


DARK = 60
"""Level of a picture's brightest patch below which it is too dark to see all that moves; paper in a room has 200."""
DETAIL = 6
"""Levels of the strongest detail that a covered lens still shows."""
BLIND_SECONDS = 1.0
FROZEN_SECONDS = 2.0


class FeedFault(StrEnum):
    """What can be wrong with a feed although frames come."""

    DARK = "dark"
    """Even the brightest patch is dark: the lens is covered, or the room is too dark to see what moves."""
    COVERED = "covered"
    """The picture has light but no detail."""
    FROZEN = "frozen"
    """A live camera sends the same picture again and again."""


class FeedWatch:
    """Watch a feed for a covered lens, a dark room and a frozen picture.

    `fault` is what has been wrong for long enough to say it, None for nothing. `blind` and `fresh` are about the last
    frame alone: whether it showed nothing at all, and whether it differs from the one before. `live` is False for a
    replay, whose frames may well repeat: only a live camera always has noise.
    """

    def __init__(self, live: bool = True) -> None:
        self.fault: FeedFault | None = None
        self.blind = False
        self.fresh = False
        self._live = live
        self._sample: npt.NDArray[np.uint8] | None = None
        self._seeing_at = self._fresh_at = float("-inf")

    def look(self, pixels: Pixels, picture: Pixels, taken_at: float) -> FeedFault | None:
        """Take in a frame's pixels and its small picture (both BGR), taken at that second; return `fault`."""
        fault = _blindness(picture) if self._live else None
        self.blind = fault is not None
        if fault is None or self._seeing_at == float("-inf"):
            self._seeing_at = taken_at
        self.fresh = self._is_fresh(pixels)
        if self.fresh:
            self._fresh_at = taken_at
        self.fault = self._lasting(fault, taken_at)
        return self.fault

    def lose(self) -> None:
        """Forget the feed, since the camera gives no frames: the next frame is the first of a new feed."""
        self.fault = None
        self._sample = None
        self._seeing_at = float("-inf")

    def _is_fresh(self, pixels: Pixels) -> bool:
        sample = pixels[3::33, 5::7].copy()
        last, self._sample = self._sample, sample
        return not self._live or last is None or not np.array_equal(last, sample)

    def _lasting(self, fault: FeedFault | None, taken_at: float) -> FeedFault | None:
        if fault is not None and taken_at - self._seeing_at >= BLIND_SECONDS:
            return fault
        return FeedFault.FROZEN if taken_at - self._fresh_at > FROZEN_SECONDS else None


def _blindness(picture: Pixels) -> FeedFault | None:
    tiny = np.asarray(cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))
    if tiny.max() < DARK:
        return FeedFault.DARK
    detail = cv2.absdiff(tiny, cv2.blur(tiny, (5, 5)))
    return None if float(np.asarray(detail).max()) > DETAIL else FeedFault.COVERED
