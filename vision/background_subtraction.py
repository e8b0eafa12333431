"""Background subtraction on small pictures: what differs from the table at rest, and which of it is a hand.

All pictures are uint8, (height, width, 3), BGR, with a long side of SMALL_LONG_SIDE pixels; all masks uint8,
(height, width), 0 or 255.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.feed_health import OVEREXPOSED_LEVEL
from vision.frames import Pixels

Mask: TypeAlias = npt.NDArray[np.uint8]
"""0 or 255 for each pixel of a small picture."""

Cells: TypeAlias = npt.NDArray[np.float32]
"""Mean levels, from 1 on, of squares of a small picture: (3, height, width), BGR."""

MOTION_LEVELS = 14
"""Grey levels by which a pixel must change from one frame to the next; sensor noise in the small picture is about 1. It
also links changed pixels to one region: a dark wrist before dark wood differs by less than a hand before felt."""
CHANGE_LEVELS = 22
"""Grey levels by which a pixel must differ from the table at rest."""
MIN_PIXELS = 6
"""Fewer changed pixels are noise: a die of 16 mm has about 150 of them in a tray that fills the picture."""
HAND_SHARE = 0.015
"""Share of the picture that a hand covers at least: about three dice of 16 mm."""
SHADOW_EDGES = 1.5
"""How far from its middle a die's sides and its shadow reach, in its edges."""
ARRIVED = 0.5, 1.3
"""A region of which the edges are due to the picture now by a share between these has arrived; else it went, or the
light changed."""
ARRIVED_WHERE_FREE = 0.35
"""The lower limit where nothing lay before that could have gone: a dark hand before dark wood has hardly an edge of its
own, and hides the edges of what is under it. `bench/hands.py` counts what both limits see, by skin."""
MOST_SPREAD = 0.65
"""The share of the picture's parts in which something changed, from which on the camera moved, or the light: a hand
changes a third of them, a jolt of the camera nearly all (`bench/hands.py`)."""
PARTS = 8, 6
"""The parts of a picture, across and down."""
FREE_SECONDS = 0.5
"""A table that was at rest for so long has no hand in it. So often it is compared with the background, for changes too
slow to be seen as motion."""
EARLIER_TABLES = 3
"""So many earlier tables at rest are remembered."""
SAME_SHARE = 2 / 3
"""A region of which so much looks as at an earlier table at rest is as it was then, but for dice."""
MOST_GAIN = 2.0
"""By which factor the light of two pictures may differ."""
LIGHT_CELL = 8
"""Light is told by the means of cells of so many pixels each way, so that noise and a shake tell none."""
SAME_LIGHT = 0.02
"""Less is no other light: two grey levels in a hundred."""
LIGHT_ERROR = 3 * SAME_LIGHT
"""By which share a cell may differ from what the light explains."""
MAX_VOTE = 60.0
"""Limit of an edge pixel's vote (grey levels of its gradient) in telling a hand from a change of light."""


@dataclass(frozen=True, eq=False)
class ReachingRegion:
    """What changed over an area as large as a hand's and touches the picture's border.

    arrived: how surely it is there now and was not before: 1, the reverse 0, a change of light far from both.
    """

    region: Mask
    arrived: float


class Background:
    """A picture of the table at rest, to compare later pictures with.

    since: when it came to rest, in seconds. earlier: pictures of the tables at rest before it, the newest first.
    """

    def __init__(self, picture: Pixels, since: float = 0.0, earlier: tuple[Pixels, ...] = ()) -> None:
        self.picture, self._since, self._earlier = picture, since, earlier
        self._darkest, self._brightest = _local_range(picture, 5)
        self._matched: tuple[Pixels, Pixels] | None = None  # the last picture, and in the light of this one

    def at_rest_again(self, picture: Pixels, since: float) -> Background:
        """Return the background for a table that came to rest after this one."""
        if self.picture.shape != picture.shape:
            return Background(picture, since)
        if self.is_same(picture):
            return Background(picture, self._since, self._earlier)
        return Background(picture, since, (self.picture, *self._earlier)[:EARLIER_TABLES])

    def least_arrived(self, found: ReachingRegion, at: float) -> float:
        """Return the lower limit of the share by which a region counts as arrived in a picture taken at `at` (s)."""
        is_free = at - self._since >= FREE_SECONDS or self.was_earlier(self.picture, found.region)
        return ARRIVED_WHERE_FREE if is_free else ARRIVED[0]

    def was_earlier(self, picture: Pixels, region: Mask) -> bool:
        """True if a region of a picture looks as it did at an earlier table at rest."""
        left, top, width, height = cv2.boundingRect(region)
        box = np.s_[top : top + height, left : left + width]
        inside, least = region[box], SAME_SHARE * cv2.countNonZero(region)
        apart = (cv2.absdiff(each[box], picture[box]) for each in self._earlier)
        alike = (cv2.inRange(each, (0,) * 3, (MOTION_LEVELS,) * 3) for each in apart)
        return any(cv2.countNonZero(cv2.bitwise_and(same, inside)) >= least for same in alike)

    def is_same(self, picture: Pixels) -> bool:
        """True if a picture shows the same, if in another light, but for less than MIN_PIXELS pixels."""
        return _count_above(cv2.absdiff(self._in_same_light(picture), self.picture), MOTION_LEVELS) < MIN_PIXELS

    def changed(self, picture: Pixels) -> Mask:
        """Return where a picture differs from the background after its brightness is matched.

        Each is compared with the local range of the other: a die full of contrast has a wide range, which hides what
        replaces it, but not the reverse.
        """
        return _above(self._difference(picture), CHANGE_LEVELS)

    def _difference(self, picture: Pixels) -> Pixels:
        """Return by how many levels (height, width) each pixel leaves the local range of the other picture."""
        now = self._in_same_light(picture)
        gone = _excess(self.picture, *_local_range(now, 5))
        return np.asarray(cv2.max(_excess(now, self._darkest, self._brightest), gone), np.uint8)

    def _in_same_light(self, picture: Pixels) -> Pixels:
        """Return a picture in the light of the background; of the last one it is known."""
        if self._matched is None or self._matched[0] is not picture:
            self._matched = picture, match_light(picture, self.picture)
        return self._matched[1]

    def foreground(self, picture: Pixels) -> Mask:
        """Return what is in a picture now and was not before; what is gone shows only where the table is uneven."""
        now = self._in_same_light(picture)
        return _outside_range(now, self._darkest, self._brightest, CHANGE_LEVELS)

    def reaching(self, picture: Pixels) -> ReachingRegion | None:
        """Return what may be a hand that reaches in over the picture's border; None for nothing, and for a jolt."""
        difference = self._difference(picture)
        linked = cv2.morphologyEx(_above(difference, MOTION_LEVELS), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(linked, np.uint8))
        changed = _above(difference, CHANGE_LEVELS)
        area = np.bincount(labels[changed > 0], minlength=count) / labels.size
        reaches = (area >= HAND_SHARE) & [_touches_border(row, labels.shape) for row in stats]
        reaches[0] = False
        spread = float(np.mean(cv2.resize(changed, PARTS, interpolation=cv2.INTER_AREA) > 0))
        if not reaches.any() or spread > MOST_SPREAD:
            return None
        region = _of_labels(labels, reaches)
        return ReachingRegion(region, _arrived(self.picture, picture, region))


def motion_mask(before: Pixels, now: Pixels) -> Mask | None:
    """Return where a picture moved since the last; None for nothing.

    A shift by one pixel, as of a camera that shakes, is no motion. Nor is a change of light.
    """
    if _count_above(cv2.absdiff(before, now), MOTION_LEVELS) < MIN_PIXELS:
        return None
    moved = _outside_range(match_light(now, before), *_local_range(before, 3), MOTION_LEVELS)
    return moved if cv2.countNonZero(moved) >= MIN_PIXELS else None


def match_light(picture: Pixels, reference: Pixels, agreed: float = 0.0) -> Pixels:
    """Return a picture as it would look in the light of another one of the same size.

    agreed: the share of the picture, 0 to 1, that has to agree on another light; else it is returned as it is.

    The light may differ by up to MOST_GAIN, for the whole picture and for each line of it: a rolling shutter shows a
    lamp on the mains as bands, along the rows or, where the camera stands upright, along the columns. Medians tell it,
    since what is new in the picture must not count.
    """
    here, there = _cells(picture), _cells(reference)
    if agreed and _is_lit(here, there).mean() >= agreed:
        return picture
    light = np.full(here.shape[1:], np.median(there / here).clip(1 / MOST_GAIN, MOST_GAIN), np.float32)
    for axis in (0, 1):
        light *= _line_gains(here * light, there, axis)
    if float(np.abs(light - 1).max()) < SAME_LIGHT or _is_lit(here * light, there).mean() < agreed:
        return picture
    steps = (light * (255 / MOST_GAIN)).round().astype(np.uint8)  # bytes: floats take far longer
    wide = cv2.resize(cv2.merge([steps] * 3), picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    lit = cv2.multiply(picture, wide, scale=MOST_GAIN / 255)
    at_least = cv2.min(cv2.max(lit, reference), picture)  # what is overexposed may be brighter than it shows
    return np.where(picture >= OVEREXPOSED_LEVEL, at_least, lit).astype(np.uint8)


def _cells(picture: Pixels) -> Cells:
    size = max(1, picture.shape[1] // LIGHT_CELL), max(1, picture.shape[0] // LIGHT_CELL)
    return np.asarray(cv2.split(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)), np.float32) + 1


def _line_gains(here: Cells, there: Cells, axis: int) -> npt.NDArray[np.float32]:
    """Return by how much each row (axis 0) or column (1) is brighter there, (height, 1) or (1, width).

    A lamp changes a line as a whole and in all colours alike. Where most of a line's cells do not agree on one factor,
    as under a hand or where a jolt moved an edge there, it is lit as the lines around it.
    """
    gains = np.median(there.sum(axis=0) / here.sum(axis=0), axis=1 - axis, keepdims=True)
    known = np.flatnonzero(_is_lit(here * gains, there).mean(axis=1 - axis) > 0.5)
    filled = np.interp(np.arange(gains.size), known, gains.ravel()[known]) if known.size else np.ones(gains.size)
    return np.asarray(filled.reshape(gains.shape), np.float32)


def _is_lit(here: Cells, there: Cells) -> npt.NDArray[np.bool_]:
    """Return which cells, (height, width), look alike in all colours once their light is the same."""
    return np.asarray((np.abs(here - there) <= LIGHT_ERROR * there).all(axis=0))


def _count_above(difference: cv2.typing.MatLike, levels: int) -> int:
    return int(np.count_nonzero(np.asarray(difference) > levels))


def _local_range(picture: Pixels, width: int) -> tuple[Pixels, Pixels]:
    """Return the darkest and brightest level within `width` pixels: what a pixel may become in a shaken picture."""
    window = np.ones((width, width), np.uint8)
    return np.asarray(cv2.erode(picture, window), np.uint8), np.asarray(cv2.dilate(picture, window), np.uint8)


def _outside_range(picture: Pixels, darkest: Pixels, brightest: Pixels, levels: int) -> Mask:
    """Return where a picture leaves a range by more than `levels` in any colour."""
    return np.asarray(cv2.threshold(_excess(picture, darkest, brightest), levels, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _excess(picture: Pixels, darkest: Pixels, brightest: Pixels) -> Pixels:
    """Return by how many levels (height, width) a picture leaves a range in any colour."""
    blue, green, red = cv2.split(cv2.max(cv2.subtract(picture, brightest), cv2.subtract(darkest, picture)))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _above(difference: Pixels, levels: int) -> Mask:
    """Return where a difference is more than so many levels over two pixels each way at least."""
    above = cv2.threshold(difference, levels, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.morphologyEx(above, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)


def _touches_border(stats: npt.NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    """True if a component (a row of OpenCV's statistics) reaches the border of the picture, but for two pixels."""
    left, top, width, height = (int(v) for v in stats[:4])
    return left <= 2 or top <= 2 or left + width >= shape[1] - 2 or top + height >= shape[0] - 2


def _of_labels(labels: cv2.typing.MatLike, chosen: npt.NDArray[np.bool_]) -> Mask:
    """Return the mask of the components that are chosen by their label."""
    return np.asarray(np.where(chosen, 255, 0).astype(np.uint8)[labels], np.uint8)


def _outline(region: Mask) -> Mask:
    """Return the outline of a region, some pixels wide: edges inside it do not tell when the whole arrived."""
    window = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.subtract(cv2.dilate(region, window), cv2.erode(region, window)), np.uint8)


def _arrived(before: Pixels, now: Pixels, region: Mask) -> float:
    """Return how surely a region is there now and was not before: 1, the reverse 0, light and shadow less or more.

    The difference of two pictures has its edges from one of them: from `now` when something arrived, from `before` when
    something went. A change of light scales what was there, and then the share of `now` is far from both 0 and 1.
    Each pixel of the outline has a vote, limited to MAX_VOTE: under a hand lie dice, and they are full of contrast.
    Only edges along the outline count: what lies under it has edges across it as well.
    """
    outline = _outline(region)
    new, old = (_edges_along(picture, region, outline) for picture in (now, before))
    difference = new - old
    shares = np.clip(new * difference / np.maximum(difference**2, 1.0), -1.0, 2.0)
    votes = np.minimum(np.abs(difference), MAX_VOTE)
    return float((shares * votes).sum() / max(float(votes.sum()), 1.0))


def _edges_along(picture: Pixels, region: Mask, outline: Mask) -> npt.NDArray[np.float32]:
    """Return how steeply a picture rises out of a region, in grey levels (Sobel), at the n pixels of its outline."""
    there = outline > 0
    grey, soft = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.blur(region, (5, 5))
    slopes = ([cv2.Sobel(each, cv2.CV_32F, *way)[there] for way in ((1, 0), (0, 1))] for each in (grey, soft))
    (x, y), (out_x, out_y) = slopes
    return np.asarray((x * out_x + y * out_y) / np.maximum(np.hypot(out_x, out_y), 1e-3), np.float32)
