"""A burst of motion: what moved where, between two times at rest, and where a hand was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np
import numpy.typing as npt

from vision.background_subtraction import Mask
from vision.burst_film import BurstFilm
from vision.hands import without_dice
from vision.small_tracks import BlobSighting, BlobTrack

FREE, HAND = 1, 2
"""Values of MotionBurst.traces: moved by itself, moved under a hand; 0 for nothing."""


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

    def among_dice(self, edge: float) -> MotionBurst:
        """Return the burst without the hands that are no wider than dice of that edge, in pixels of the frame."""
        if self.film is None or not self.hand_seen:
            return self
        pictures = without_dice(self.film.pictures, edge * self.scale)
        told = replace(self, film=replace(self.film, pictures=pictures))
        if any(picture.hand is not None for picture in pictures):
            return told
        in_sight = None if self.traces_in_sight is None else np.minimum(self.traces_in_sight, FREE)
        return replace(told, hand_seen=False, traces=np.minimum(self.traces, FREE), traces_in_sight=in_sight)

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
