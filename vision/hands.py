"""Which of what differs from the table at rest is a hand: seen from one picture to the next, and in hindsight.

A single picture does not always tell: fingers before a frame of wood change little, and what the hand covers has edges
too. So a hand that was sure in one picture is followed through the next ones, and through those before it once the
burst is over. All masks are uint8, (height, width), 0 or 255, of small pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.background_subtraction import (
    ARRIVED,
    CHANGE_LEVELS,
    NO_LARGE_CHANGE,
    Background,
    LargeChange,
    Mask,
    match_light,
    touches_border,
)
from vision.burst_film import FilmPicture
from vision.frames import Pixels

MEMORY_SECONDS = 0.3
"""Time constant of the running average of a region that stays: the weight of a picture falls to 1/e in this time."""
PASSING_SHARE = 0.6
"""A changed region is a hand if more than this share of it differs from the table at rest afterwards."""
FOLLOWED_SECONDS = 0.35
"""A hand is followed this long before and after a picture that shows it for certain: it comes and goes in that time."""
GROWN_PIXELS = 3
GROWN = np.ones((2 * GROWN_PIXELS + 1,) * 2, np.uint8)
"""A hand is taken to be three pixels wider than it differs from the table: its border is soft, and it moves."""
LEAST_RADIUS_EDGES = 1.6
"""A hand has room for a disc of this radius, in edges of the dice, in one of the pictures that show it at least. On
real films up to three dice that fly or lie together have room for 1.2; on the virtual tray six dice for 1.7 and hands
for 2.2 to 5.8."""


@dataclass(frozen=True, eq=False)
class HandView:
    """Where a hand is in a picture, None without one, and what there is as large as one."""

    hand: Mask | None = None
    change: LargeChange = NO_LARGE_CHANGE


NO_HAND = HandView()


class HandWatch:
    """Follow what reaches in over the border through the pictures of one burst."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._region: Mask | None = None
        self._belief = 0.0
        self._at = 0.0

    def update(self, picture: Pixels, taken_at: float) -> HandView:
        """Take in the next small picture, its time in seconds."""
        change = self._background.large_change(picture)
        region, since = change.reaching, taken_at - self._at
        is_same = self._region is not None and region is not None and bool(cv2.bitwise_and(self._region, region).any())
        kept = float(np.exp(-since / MEMORY_SECONDS)) if is_same else 0.0
        self._belief = kept * self._belief + (1 - kept) * change.arrived
        self._region, self._at = region, taken_at
        surely = max(self._belief, change.arrived)
        is_hand = ARRIVED[0] < surely and 0.0 < change.arrived < ARRIVED[1]
        return HandView(_grown(region) if is_hand and region is not None else None, change)


def in_hindsight(pictures: Sequence[FilmPicture], after: Pixels) -> tuple[FilmPicture, ...]:
    """Return the pictures of a burst with the hands that only the whole of it gives away.

    What is as solid as a hand was one where the table at rest afterwards (the small picture `after`) does not show it,
    and such a hand is followed through the pictures before and after.
    """
    known = [picture if picture.hand is not None else _with_solid_hand(picture, after) for picture in pictures]
    sure = [picture.hand is not None for picture in known]
    for step in (1, -1):
        sure_at = float("-inf")
        for k in range(len(known))[::step]:
            sure_at = known[k].at if sure[k] else sure_at
            hand = known[k - step].hand if 0 <= k - step < len(known) else None
            if known[k].hand is None and hand is not None and abs(known[k].at - sure_at) < FOLLOWED_SECONDS:
                known[k] = _with_same_hand(known[k], hand, after)
    return tuple(known)


def without_dice(pictures: Sequence[FilmPicture], edge: float) -> tuple[FilmPicture, ...]:
    """Return the pictures of a burst without the hands that are no wider than dice of that edge (small pixels).

    How large a hand is in a picture, the dice alone tell: near the camera a die is as large as a hand elsewhere.
    """
    kept, run = list(pictures), list[int]()
    for k in range(len(kept) + 1):
        if k < len(kept) and kept[k].hand is not None:
            run.append(k)
            continue
        if run and max(_radius(kept[one].hand) for one in run) < LEAST_RADIUS_EDGES * edge:
            for one in run:
                kept[one] = replace(kept[one], hand=None)
        run = []
    return tuple(kept)


def _radius(hand: Mask | None) -> float:
    """Return the radius of the largest disc that has room in a hand as it differs from the table, in small pixels."""
    return 0.0 if hand is None else float(cv2.distanceTransform(hand, cv2.DIST_L2, 3).max()) - GROWN_PIXELS


def _with_solid_hand(picture: FilmPicture, after: Pixels) -> FilmPicture:
    """Return a picture with what is as solid in it as a hand."""
    solid = picture.change.solid
    if solid is None:
        return picture
    _, labels = cv2.connectedComponents(solid)
    return _with_hand(picture, labels, set(np.unique(labels).tolist()), after)


def _with_same_hand(picture: FilmPicture, hand: Mask, after: Pixels) -> FilmPicture:
    """Return a picture with the hand that was seen in the picture after or before, if it shows that one."""
    regions = picture.change.regions
    if regions is None:
        return picture
    _, labels, stats, _ = cv2.connectedComponentsWithStats(regions)
    touched = set(np.unique(labels[hand > 0]).tolist())
    same = {k for k in touched if touches_border(stats[k], labels.shape)}
    return _with_hand(picture, labels, same, after)


def _with_hand(picture: FilmPicture, labels: cv2.typing.MatLike, chosen: set[int], after: Pixels) -> FilmPicture:
    """Return a picture with those of the chosen components (0 is none) as a hand that were gone afterwards."""
    passing = cv2.absdiff(match_light(picture.pixels, after), after).max(axis=2) > CHANGE_LEVELS
    hands = [k for k in chosen - {0} if float(passing[labels == k].mean()) > PASSING_SHARE]
    if not hands:
        return picture
    return replace(picture, hand=_grown(np.asarray(np.isin(labels, hands) * 255, np.uint8)))


def _grown(region: Mask) -> Mask:
    return np.asarray(cv2.dilate(region, GROWN), np.uint8)
