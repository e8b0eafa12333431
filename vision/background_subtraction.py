"""Background subtraction on small pictures: what differs from the table at rest, and which of it is a hand.

All pictures are uint8, (height, width, 3), BGR, with a long side of SMALL_LONG_SIDE pixels; all masks uint8,
(height, width), 0 or 255.
"""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

Mask: TypeAlias = npt.NDArray[np.uint8]
"""0 or 255 for each pixel of a small picture."""

MOTION_LEVELS = 14
"""Grey levels by which a pixel must change from one frame to the next; sensor noise in the small picture is about 1."""
CHANGE_LEVELS = 22
"""Grey levels by which a pixel must differ from the table at rest."""
MIN_PIXELS = 6
"""Fewer changed pixels are noise: a die of 16 mm has about 150 of them in a tray that fills the picture."""
HAND_SHARE = 0.015
"""Share of the picture that a hand covers at least: about three dice of 16 mm."""
LIGHT_SHARE = 0.6
"""Change over more of the picture than this is light, or the camera itself, and no hand."""
MAX_VOTE = 60.0
"""Limit of an edge pixel's vote (grey levels of its gradient) in telling a hand from a change of light."""


class Background:
    """A picture of the table at rest, to compare later pictures with."""

    def __init__(self, picture: Pixels) -> None:
        self.picture = picture
        self._darkest, self._brightest = _local_range(picture, 5)

    def is_same(self, picture: Pixels) -> bool:
        """True if a picture shows the same in the same light, but for less than MIN_PIXELS pixels."""
        return _count_above(cv2.absdiff(picture, self.picture), MOTION_LEVELS) < MIN_PIXELS

    def changed(self, picture: Pixels) -> Mask:
        """Return where a picture differs from the background after its brightness is matched.

        Each is compared with the local range of the other: a die full of contrast has a wide range, which hides what
        replaces it, but not the reverse.
        """
        now = match_brightness(picture, self.picture)
        gone = _outside_range(self.picture, *_local_range(now, 5), CHANGE_LEVELS)
        differs = cv2.max(_outside_range(now, self._darkest, self._brightest, CHANGE_LEVELS), gone)
        return np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)

    def foreground(self, picture: Pixels) -> Mask:
        """Return what is in a picture now and was not before; what is gone shows only where the table is uneven."""
        now = match_brightness(picture, self.picture)
        return _outside_range(now, self._darkest, self._brightest, CHANGE_LEVELS)

    def hand(self, picture: Pixels) -> Mask | None:
        """Return the region of a hand, None without one.

        A hand is large, reaches in over the picture's border, and is there now rather than before.
        """
        closed = cv2.morphologyEx(self.changed(picture), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8))
        hands = np.zeros(labels.shape, np.uint8)
        for number in range(1, len(stats)):
            if _reaches_in(stats[number], labels.shape):
                hands[labels == number] = 255
        if not hands.any() or not _has_arrived(self.picture, picture, _outline(hands)):
            return None
        return np.asarray(cv2.dilate(hands, np.ones((7, 7), np.uint8)), np.uint8)


def motion_mask(before: Pixels, now: Pixels) -> Mask | None:
    """Return where a picture moved since the last; None for nothing.

    A shift by one pixel, as of a camera that shakes, is no motion.
    """
    if _count_above(cv2.absdiff(before, now), MOTION_LEVELS) < MIN_PIXELS:
        return None
    moved = _outside_range(now, *_local_range(before, 3), MOTION_LEVELS)
    return moved if cv2.countNonZero(moved) >= MIN_PIXELS else None


def match_brightness(picture: Pixels, reference: Pixels) -> Pixels:
    """Return the picture scaled to the brightness of the reference, by the median ratio of their pixels.

    The median, since what is new in the picture must not count. The gain is limited to 0.5 to 2.
    """
    here, there = (p[::8, ::8].astype(np.float32) + 1 for p in (picture, reference))
    gain = float(np.clip(np.median(there / here), 0.5, 2.0))
    return picture if abs(gain - 1) < 0.02 else np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)


def _count_above(difference: cv2.typing.MatLike, levels: int) -> int:
    return int(np.count_nonzero(np.asarray(difference) > levels))


def _local_range(picture: Pixels, width: int) -> tuple[Pixels, Pixels]:
    """Return the darkest and brightest level within `width` pixels: what a pixel may become in a shaken picture."""
    window = np.ones((width, width), np.uint8)
    return np.asarray(cv2.erode(picture, window), np.uint8), np.asarray(cv2.dilate(picture, window), np.uint8)


def _outside_range(picture: Pixels, darkest: Pixels, brightest: Pixels, levels: int) -> Mask:
    """Return where a picture leaves a range by more than `levels` in any colour."""
    excess = cv2.max(cv2.subtract(picture, brightest), cv2.subtract(darkest, picture))
    blue, green, red = cv2.split(excess)
    largest = cv2.max(cv2.max(blue, green), red)
    return np.asarray(cv2.threshold(largest, levels, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _reaches_in(stats: npt.NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    """True if a component (a row of OpenCV's statistics) touches the border and has the size of a hand."""
    left, top, width, height, area = (int(v) for v in stats)
    at_border = left <= 2 or top <= 2 or left + width >= shape[1] - 2 or top + height >= shape[0] - 2
    return at_border and HAND_SHARE <= area / (shape[0] * shape[1]) <= LIGHT_SHARE


def _outline(region: Mask) -> Mask:
    """Return the outline of a region, some pixels wide: edges inside it do not tell when the whole arrived."""
    window = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.subtract(cv2.dilate(region, window), cv2.erode(region, window)), np.uint8)


def _has_arrived(before: Pixels, now: Pixels, outline: Mask) -> bool:
    """True if what the outline encloses is there now and was not before: not the reverse, and not light or shadow.

    The difference of two pictures has its edges from one of them: from `now` when something arrived, from `before` when
    something went. A change of light scales what was there, and then the share of `now` is far from both 0 and 1.
    Each pixel of the outline has a vote, limited to MAX_VOTE: under a hand lie dice, and they are full of contrast.
    """
    new, old = (_gradients(picture, outline) for picture in (now, before))
    difference = new - old
    strength = (difference**2).sum(axis=0)
    shares = np.clip((new * difference).sum(axis=0) / np.maximum(strength, 1.0), -1.0, 2.0)
    votes = np.minimum(np.sqrt(strength), MAX_VOTE)
    return 0.5 < float((shares * votes).sum() / max(float(votes.sum()), 1.0)) < 1.3


def _gradients(picture: Pixels, region: Mask) -> npt.NDArray[np.float32]:
    """Return the Sobel gradients across and down, (2, n), at the region's n pixels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    both = [np.asarray(cv2.Sobel(grey, cv2.CV_32F, dx, dy), np.float32)[region > 0] for dx, dy in ((1, 0), (0, 1))]
    return np.stack(both)
