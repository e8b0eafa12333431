"""A burst of motion: what moved between two times at rest, and what changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from vision.background_subtraction import Mask
from vision.burst_film import BurstFilm
from vision.small_tracks import BlobSighting, BlobTrack

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
    table before. film: its small pictures, None if there was no quiet table before. tracks: the blobs that were
    followed through them. blobs: what differed from the quiet table in each of them, moving or not. afresh: True if the
    camera saw nothing for so long that anything may have happened. unseen: where the table changed in a gap of the
    camera's sight; None without one. seen_since: when the last such gap ended, in seconds of the film.
    """

    scale: float
    changed: Mask | None
    film: BurstFilm | None = None
    tracks: tuple[BlobTrack, ...] = ()
    blobs: tuple[tuple[BlobSighting, ...], ...] = ()
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
