"""Record one burst: its film, the places that moved, and the hands in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import copy

import cv2
import numpy as np
import numpy.typing as npt

from vision.background_subtraction import LIGHT_SHARE, Background, Mask
from vision.burst_film import MAX_PICTURES, BurstFilm, FilmPicture
from vision.frames import Pixels
from vision.hands import NO_HAND, HandView, HandWatch, in_hindsight
from vision.motion_burst import FREE, HAND, MotionBurst
from vision.small_tracks import BlobFollower, BlobSighting, find_blobs

BLIP_FRAMES = 2
"""So few frames of motion are ignored when the table is then as before: a flicker, a fly, a fault of the video."""
PICK_UP_FRAMES = 2
"""Within so many frames from the first motion on, what moves is taken to be picked up; later, dice push each other."""


class BurstRecorder:
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

    def copy(self) -> BurstRecorder:
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


def _touches_border(traces: npt.NDArray[np.uint8]) -> bool:
    """True if something moved freely within two pixels of the picture's border."""
    sides = (traces[:2], traces[-2:], traces[:, :2], traces[:, -2:])
    return any(bool((side == FREE).any()) for side in sides)
