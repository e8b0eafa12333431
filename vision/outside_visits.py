"""What a burst of motion shows beyond the tray: blobs that cross its edge, and come back or do not.

Dice that are thrown fly in from outside, and a hand takes dice out before a throw: both cross the edge once, and in the
other direction. A die that leaves the tray does so after the first one flew in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from vision.small_tracks import BlobSighting, BlobTrack

MIN_DIE, MAX_DIE = 0.5, 2.2
"""The side of a square of a blob's area, in edges of the die, to be one die with its shadow or two that touch."""
MIN_DIE_AT_BORDER = 0.3
"""The same of a die that the picture's border cuts."""
REACH_WIDTHS = 4.5
"""Widths of the picture that a flying die crosses in a second at most."""
MEMORY_SECONDS = 0.2
"""A visit ends when its blob has not been seen outside the tray for this long."""
CROSSING_EDGES = 0.1
"""A die that moves outwards by more than this (edges) is leaving, not flying in."""
STANDING_EDGES = 0.2
"""What moves by less stays in its place."""
DWELLING_SECONDS = 0.12
"""A die that flies in spends less time than this outside the tray."""

Outside: TypeAlias = Callable[[BlobSighting], float]
"""Return how far beyond the tray a blob is, in edges of a die: negative inside."""


@dataclass(frozen=True)
class OutsideVisit:
    """A blob beyond the tray, from the first picture to the last; `depths` say how far beyond, in edges of a die."""

    sightings: tuple[BlobSighting, ...]
    depths: tuple[float, ...]

    @property
    def began(self) -> float:
        """When it was first seen outside, in seconds."""
        return self.sightings[0].at

    @property
    def ended(self) -> float:
        """When it was last seen outside."""
        return self.sightings[-1].at

    @property
    def lasted(self) -> float:
        """For how many seconds it was outside."""
        return self.ended - self.began

    @property
    def is_seen_whole(self) -> bool:
        """True if the picture's border did not cut it all the time."""
        return not all(seen.at_border for seen in self.sightings)

    @property
    def went_out(self) -> bool:
        """True if it moved outwards, or stayed longer than a die that flies in without moving inwards."""
        has_risen = max(self.depths) - self.depths[0] > CROSSING_EDGES
        return self._has_moved and (has_risen or (self.lasted >= DWELLING_SECONDS and not self.came_in))

    @property
    def _has_moved(self) -> bool:
        """True if it was not all the time in one place, as where a die was taken away is."""
        first = self.sightings[0]
        ways = (float(np.hypot(seen.x - first.x, seen.y - first.y)) for seen in self.sightings)
        return max(ways) > STANDING_EDGES * max(seen.edge for seen in self.sightings)

    @property
    def came_in(self) -> bool:
        """True if it moved inwards from the first."""
        return self.depths[0] - self.depths[-1] > CROSSING_EDGES


def visits(blobs: Iterable[BlobSighting], outside: Outside, edge: float, width: float) -> tuple[OutsideVisit, ...]:
    """Return the visits of die-sized blobs beyond the tray that no hand held, by their first moments.

    blobs: of all pictures, in the order of time. edge: of a die, and width: of the picture, in pixels of the frame.
    """
    open_: list[OutsideVisit] = []
    ended: list[OutsideVisit] = []
    for blob in blobs:
        if blob.held or not is_die(blob, edge) or (depth := outside(blob)) <= 0:
            continue
        ended += [visit for visit in open_ if blob.at - visit.ended > MEMORY_SECONDS]
        open_ = [visit for visit in open_ if blob.at - visit.ended <= MEMORY_SECONDS]
        nearest = min(
            (visit for visit in open_ if visit.ended < blob.at), key=lambda visit: _distance(visit, blob), default=None
        )
        if nearest is None or _distance(nearest, blob) > _reach(nearest, blob, edge, width):
            open_.append(OutsideVisit((blob,), (depth,)))
        else:
            open_.remove(nearest)
            open_.append(replace(nearest, sightings=(*nearest.sightings, blob), depths=(*nearest.depths, depth)))
    return tuple(sorted((*ended, *open_), key=lambda visit: visit.began))


def is_die(blob: BlobSighting, edge: float) -> bool:
    """True if a blob has the size of a die of that edge, as far as the picture shows it."""
    return (MIN_DIE_AT_BORDER if blob.at_border else MIN_DIE) <= blob.edge / edge <= MAX_DIE


def first_flight(tracks: Sequence[BlobTrack], outside: Outside) -> float:
    """Return when the first thing flew in over the tray's edge, in seconds; infinity if nothing did."""
    entering = (_entered(track, outside) for track in tracks)
    return min((at for at in entering if at is not None), default=float("inf"))


def _entered(track: BlobTrack, outside: Outside) -> float | None:
    """Return when a track crossed the edge inwards; None if it did not."""
    for before, after in zip(track.sightings, track.sightings[1:], strict=False):
        if outside(after) <= 0 < outside(before) or (before.at_border and outside(before) - outside(after) > 1):
            return before.at
    return None


def _distance(visit: OutsideVisit, blob: BlobSighting) -> float:
    last = visit.sightings[-1]
    return float(np.hypot(blob.x - last.x, blob.y - last.y))


def _reach(visit: OutsideVisit, blob: BlobSighting, edge: float, width: float) -> float:
    """Return how far a blob may be from where a visit was last seen."""
    return max(1.5 * edge, min(REACH_WIDTHS * width * (blob.at - visit.ended), 4 * edge))
