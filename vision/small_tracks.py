"""Follow what moves through the small pictures: blobs, linked into tracks.

`BlobFollower.update` takes each small picture in which something moved. Dice that lie still have no blobs; dice that
touch in flight share one. The place that a die has left differs from the background too, but it moves only in the one
picture that uncovers it, so it makes a track of one sighting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.background_subtraction import MIN_PIXELS, Background, Mask
from vision.frames import Pixels

FASTEST = 4.5
"""Widths of the picture that a blob crosses in a second at most: a hard throw, over a tray that fills the picture."""
SURPRISE = 0.5
"""How far from where it was expected a blob may be, as a share of the way that the fastest could have gone."""
MIN_SURPRISE_EDGES = 1.0
"""However short the time: how far from where it was expected a blob may be, in its edges."""
MEMORY_SECONDS = 0.3
"""A track ends when its blob has not been seen for this long."""


@dataclass(frozen=True)
class BlobSighting:
    """A blob in one picture.

    at: seconds of the frame. x, y: its middle in pixels of the frame. edge: the side of a square of its area, in the
    same pixels. held: True if a hand was there. at_border: True if it touches the picture's border.
    """

    at: float
    x: float
    y: float
    edge: float
    held: bool
    at_border: bool


@dataclass(frozen=True)
class BlobTrack:
    """The sightings of what was taken for one blob, in the order of time; the number is from 1."""

    number: int
    sightings: tuple[BlobSighting, ...]

    @property
    def last(self) -> BlobSighting:
        return self.sightings[-1]

    def expected(self, at: float) -> tuple[float, float]:
        """Return where the blob will be if it goes on as it last went, in pixels of the frame."""
        now, before = self.last, self.sightings[-2:][0]
        share = (at - now.at) / max(now.at - before.at, 1e-3) if now is not before else 0.0
        return now.x + share * (now.x - before.x), now.y + share * (now.y - before.y)


class BlobFollower:
    """Link the moving blobs of one burst of motion into tracks.

    A blob is taken for the continuation of the track that it is nearest to where that is expected. `background` is the
    table at rest before the burst.
    """

    def __init__(self, background: Background) -> None:
        self._background = background
        self._ended: list[BlobTrack] = []
        self._open: list[BlobTrack] = []
        self._count = 0

    @property
    def tracks(self) -> tuple[BlobTrack, ...]:
        """All tracks so far, by number."""
        return tuple(sorted((*self._ended, *self._open), key=lambda track: track.number))

    def update(
        self, picture: Pixels, moved: Mask, hand: Mask | None, taken_at: float, scale: float
    ) -> tuple[BlobTrack, ...]:
        """Take in a small picture in which something moved; return the tracks that go on in it.

        moved: what moved since the last picture. hand: where a hand is, None without one. taken_at: seconds. scale:
        small pixels per frame pixel.
        """
        blobs = find_blobs(moving_foreground(picture, moved, self._background), hand, taken_at, scale)
        self._ended += [track for track in self._open if taken_at - track.last.at > MEMORY_SECONDS]
        alive = [track for track in self._open if taken_at - track.last.at <= MEMORY_SECONDS]
        continued = _nearest_pairs(alive, blobs, taken_at, picture.shape[1] / scale)
        self._open = [_go_on(track, blobs, continued.get(k)) for k, track in enumerate(alive)]
        self._open += [self._new_track(blob) for k, blob in enumerate(blobs) if k not in continued.values()]
        return tuple(track for track in self._open if track.last.at == taken_at)

    def _new_track(self, blob: BlobSighting) -> BlobTrack:
        self._count += 1
        return BlobTrack(self._count, (blob,))


def moving_foreground(picture: Pixels, moved: Mask, background: Background) -> Mask:
    """Return what of a small picture differs from the background and moved since the last one, or lies next to that."""
    near = cv2.dilate(moved, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.bitwise_and(near, background.foreground(picture)), np.uint8)


def find_blobs(moving: Mask, hand: Mask | None, taken_at: float, scale: float) -> tuple[BlobSighting, ...]:
    """Return the blobs of a mask of what moves; `scale` is small pixels per frame pixel, `hand` None without one."""
    _, labels, stats, centres = cv2.connectedComponentsWithStats(moving)
    return tuple(
        BlobSighting(
            at=taken_at,
            x=float(centres[k][0] + 0.5) / scale,
            y=float(centres[k][1] + 0.5) / scale,
            edge=float(stats[k][cv2.CC_STAT_AREA]) ** 0.5 / scale,
            held=hand is not None and bool(hand[labels == k].any()),
            at_border=_touches_border(stats[k], moving.shape),
        )
        for k in range(1, len(stats))
        if stats[k][cv2.CC_STAT_AREA] >= MIN_PIXELS
    )


def _touches_border(stats: npt.NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    left, top, width, height = (int(value) for value in stats[:4])
    return left <= 1 or top <= 1 or left + width >= shape[1] - 1 or top + height >= shape[0] - 1


def _go_on(track: BlobTrack, blobs: Sequence[BlobSighting], index: int | None) -> BlobTrack:
    return track if index is None else replace(track, sightings=(*track.sightings, blobs[index]))


def _nearest_pairs(
    tracks: Sequence[BlobTrack], blobs: Sequence[BlobSighting], at: float, width: float
) -> dict[int, int]:
    """Match blobs to tracks greedily, nearest pairs first; return pairs of indexes, each used once."""
    rated = sorted(
        (distance, i, j)
        for i, track in enumerate(tracks)
        for j, blob in enumerate(blobs)
        if (distance := _distance(track, blob)) <= _reach(track, blob, at, width)
    )
    pairs: dict[int, int] = {}
    for _, i, j in rated:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _distance(track: BlobTrack, blob: BlobSighting) -> float:
    x, y = track.expected(blob.at)
    return float(np.hypot(blob.x - x, blob.y - y))


def _reach(track: BlobTrack, blob: BlobSighting, at: float, width: float) -> float:
    """Return how far from where it is expected a track may go on: anywhere in reach while its speed is not known."""
    way = FASTEST * width * (at - track.last.at)
    share = SURPRISE if len(track.sightings) > 1 else 1.0
    return max(way * share, MIN_SURPRISE_EDGES * max(track.last.edge, blob.edge))
