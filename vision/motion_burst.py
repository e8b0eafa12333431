"""A burst of motion: its film and hands, what changed and what nobody could see, recorded while it goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np

from vision.background_subtraction import ARRIVED, HAND_SHARE, SHADOW_EDGES, Background, Mask
from vision.frame_clock import GAP_SECONDS
from vision.frames import Pixels

# The film of a burst

MAX_PICTURES = 120
"""The last pictures with motion that are kept of a burst: four seconds at 30 a second, 46 MB."""


@dataclass(frozen=True, eq=False)
class FilmPicture:
    """A small picture in which something moved.

    at: seconds of the frame. after: seconds since the picture before it, which it was compared with. moved: what moved
    since then. hand: where a hand is, None without one.
    """

    at: float
    after: float
    pixels: Pixels
    moved: Mask
    hand: Mask | None


@dataclass(frozen=True, eq=False)
class BurstFilm:
    """What happened between two tables at rest: the small pictures of both, and those with motion between them.

    whole: False if the burst began before the first picture that was kept.
    """

    before: Pixels
    pictures: tuple[FilmPicture, ...]
    after: Pixels
    whole: bool = True


# What a burst tells

CHANGED_SHARE = 0.08
"""A place of which more differs has changed."""


class BurstEnd(Enum):
    """When a burst may end with a picture: with a photograph at once, and not with one that cannot be read."""

    WHEN_QUIET = auto()
    AT_ONCE = auto()
    NEVER = auto()


@dataclass(frozen=True, eq=False)
class MotionBurst:
    """What happened between two quiet moments. Positions and edges passed in are in pixels of the frame.

    scale: small pixels per frame pixel. changed: where the table now differs from before; None if there was no quiet
    table before. film: its small pictures, None if there was no quiet table before. afresh: True if the camera saw
    nothing for so long that anything may have happened. unseen: where the table changed in a gap of the camera's sight;
    None without one. seen_since: when the last such gap ended, in seconds of the film.
    """

    scale: float
    changed: Mask | None
    film: BurstFilm | None = None
    afresh: bool = False
    unseen: Mask | None = None
    seen_since: float = 0.0

    def changed_at(self, x: float, y: float, edge: float) -> bool:
        """True if the table looks different there, or if it is not known how it looked before."""
        if self.changed is None or self.afresh:
            return True
        return self._is_marked(self.changed, x, y, edge)

    def unseen_at(self, x: float, y: float, edge: float) -> bool:
        """True if the place changed in a gap of the camera's sight."""
        return self.unseen is not None and self._is_marked(self.unseen, x, y, edge)

    def hand_since(self, at: float) -> bool:
        """True if a hand was in sight after that moment (seconds), or if nothing is known of hands."""
        return self.film is None or any(one.hand is not None and one.at > at for one in self.film.pictures)

    def hand_at(self, x: float, y: float, reach: float) -> bool:
        """True if a hand came within `reach` of a place, or if none was seen at all."""
        x, y, reach = (each * self.scale for each in (x, y, reach))
        hands = [one.hand for one in self.film.pictures if one.hand is not None] if self.film else []
        left, top = (max(0, round(at - reach)) for at in (x, y))
        window = np.s_[top : round(y + reach) + 1, left : round(x + reach) + 1]
        return not hands or any(bool(hand[window].any()) for hand in hands)

    def tells_the_same(self, other: MotionBurst, places: Iterable[tuple[float, float, float]]) -> bool:
        """True if both say the same of dice at these places (x, y, edge).

        They have the very same film, and end with two pictures of one table that differ by the sensor's noise.
        """
        return (
            _filmed(self) == _filmed(other)
            and self.afresh == other.afresh
            and (self.unseen is None) == (other.unseen is None)
            and all(
                self.changed_at(*place) == other.changed_at(*place)
                and self.unseen_at(*place) == other.unseen_at(*place)
                for place in places
            )
        )

    def _is_marked(self, mask: Mask, x: float, y: float, edge: float) -> bool:
        """True if enough of a place is marked in a mask; the part that is looked at has one pixel at least."""
        height, width = mask.shape
        x, y, reach = x * self.scale, y * self.scale, max(1.0, edge * self.scale / 2)
        left, right = (_clamp(x + side * reach, width) for side in (-1, 1))
        top, bottom = (_clamp(y + side * reach, height) for side in (-1, 1))
        return float(np.mean(mask[top : bottom + 1, left : right + 1])) > 255 * CHANGED_SHARE


def _filmed(burst: MotionBurst) -> list[int] | None:
    """Return which pictures a film has; None without one."""
    return None if burst.film is None else [id(picture) for picture in burst.film.pictures]


def _clamp(position: float, size: int) -> int:
    """Return the index nearest to a position in a row or column of `size` pixels."""
    return max(0, min(round(position), size - 1))


# Whether what differs from the table at rest is a hand, seen from one picture to the next
#
# A single picture does not always tell: fingers before a frame of wood change little, and what the hand covers has
# edges too. So a hand that was sure in one picture is followed through the next ones, and what looks as it did at an
# earlier table is none: a hand that was taken for a part of the table leaves no hand behind when it goes. The belief in
# a region that stays is a running average, in which the weight of a picture falls to 1/e in GAP_SECONDS.


class HandWatch:
    """Follow what reaches in over the border through the pictures of one burst."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._region: Mask | None = None
        self._belief = 0.0
        self._at = 0.0

    def update(self, picture: Pixels, taken_at: float) -> Mask | None:
        """Return where a hand is in the next small picture, taken at a time in seconds; None without one."""
        found = self._background.reaching(picture)
        since, region = taken_at - self._at, found.region if found else None
        is_same = self._region is not None and region is not None and bool(cv2.bitwise_and(self._region, region).any())
        kept = float(np.exp(-since / GAP_SECONDS)) if is_same else 0.0
        self._belief = kept * self._belief + (1 - kept) * (found.arrived if found else 0.0)
        self._region, self._at = region, taken_at
        if found is None or not 0.0 < found.arrived < ARRIVED[1]:
            return None
        if max(self._belief, found.arrived) <= self._background.least_arrived(found, taken_at):
            return None
        if self._background.was_earlier(picture, found.region):
            return None
        # Its border is soft, and it moves: it is taken to be three pixels wider than it differs from the table.
        return np.asarray(cv2.dilate(found.region, np.ones((7, 7), np.uint8)), np.uint8)

    def is_of_dice(self, dice: Iterable[tuple[float, float, float]]) -> bool:
        """True if what reaches in is dice at the picture's border and their shadows, but for less than a hand.

        dice: where some are seen (x, y, edge in small pixels).
        """
        if self._region is None:
            return False
        rest = self._region.copy()
        for x, y, edge in dice:
            cv2.circle(rest, (round(x), round(y)), round(SHADOW_EDGES * edge), 0, -1)
        return cv2.countNonZero(rest) < HAND_SHARE * rest.size


# Recording one

BLIP_FRAMES = 2
"""So few frames of motion are ignored when the table is then as before: a flicker, a fly, a fault of the video."""


class BurstRecorder:
    """Record a burst while it goes on. `background` is the quiet table before it, None without one."""

    def __init__(self, background: Background | None = None, moving_frames: int = 0) -> None:
        self._background = background
        self._hands = None if background is None else HandWatch(background)
        self._has_hand = False
        self._pictures: deque[FilmPicture] = deque(maxlen=MAX_PICTURES)
        self._film_frames = 0
        self._moving_frames = moving_frames
        self.is_afresh = False
        self._unseen: Mask | None = None
        self._seen_since = 0.0

    @property
    def is_blip(self) -> bool:
        """True if so little moved that it counts only where it changed the table."""
        return self._moving_frames <= BLIP_FRAMES and not self._has_hand

    def count_frame(self) -> None:
        """Count a frame with motion."""
        self._moving_frames += 1

    def miss(self, changed: Mask, until: float) -> None:
        """Take note of what changed where nobody could see how, until a time in seconds."""
        self._seen_since = until
        changed = np.asarray(cv2.dilate(changed, np.ones((5, 5), np.uint8)), np.uint8)
        self._unseen = changed if self._unseen is None else np.asarray(cv2.max(self._unseen, changed), np.uint8)

    def miss_all(self, shape: tuple[int, int], until: float) -> None:
        """Note a gap in which anything may have happened, so that the burst is not dropped as a blip."""
        self.miss(np.full(shape, 255, np.uint8), until)
        self.is_afresh, self._moving_frames = True, BLIP_FRAMES + 1

    def find_hand(self, picture: Pixels, taken_at: float) -> Mask | None:
        """Return where a hand is in a small picture; without a background none can be recognised."""
        hand = None if self._hands is None else self._hands.update(picture, taken_at)
        self._has_hand |= hand is not None
        return hand

    def is_of_dice(self, dice: Iterable[tuple[float, float, float]]) -> bool:
        """True if what seemed to be a hand in the last picture is dice at some places (x, y, edge in small pixels)."""
        return self._hands is not None and self._hands.is_of_dice(dice)

    def film(self, picture: FilmPicture) -> None:
        """Keep a picture with motion; without a background there is nothing to compare it with."""
        if self._background is not None:
            self._film_frames += 1
            self._pictures.append(picture)

    def burst(self, scale: float, changed: Mask | None, picture: Pixels) -> MotionBurst:
        """Return the recorded burst that ends with a small picture of the quiet table."""
        film = self._finished_film(picture)
        return MotionBurst(scale, changed, film, self.is_afresh, self._unseen, self._seen_since)

    def _finished_film(self, picture: Pixels) -> BurstFilm | None:
        if self._background is None or self._background.picture.shape != picture.shape:
            return None
        is_whole = self._film_frames <= MAX_PICTURES
        return BurstFilm(self._background.picture, tuple(self._pictures), picture, is_whole)
