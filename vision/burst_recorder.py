"""Record one burst: its film, its blobs, and what changed in gaps of the camera's sight."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from vision.background_subtraction import Background, Mask
from vision.burst_film import MAX_PICTURES, BurstFilm, FilmPicture
from vision.frames import Pixels
from vision.hands import HandWatch
from vision.motion_burst import MotionBurst
from vision.small_tracks import BlobFollower, BlobSighting, find_blobs

BLIP_FRAMES = 2
"""So few frames of motion are ignored when the table is then as before: a flicker, a fly, a fault of the video."""


class BurstRecorder:
    """Record a burst while it goes on. `background` is the quiet table before it, None without one."""

    def __init__(self, background: Background | None = None, moving_frames: int = 0) -> None:
        self._background = background
        self._follower = None if background is None else BlobFollower(background)
        self._hands = None if background is None else HandWatch(background)
        self._has_hand = False
        self._pictures: deque[FilmPicture] = deque(maxlen=MAX_PICTURES)
        self._blobs: deque[tuple[BlobSighting, ...]] = deque(maxlen=MAX_PICTURES)
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

    def film(self, picture: FilmPicture, scale: float) -> None:
        """Keep a picture with motion, and follow its blobs; without a background neither is possible."""
        if self._follower is not None and self._background is not None:
            self._film_frames += 1
            self._pictures.append(picture)
            foreground = self._background.foreground(picture.pixels)
            self._blobs.append(find_blobs(foreground, picture.hand, picture.at, scale))
            self._follower.update(picture.pixels, picture.moved, picture.hand, picture.at, scale)

    def burst(self, scale: float, changed: Mask | None, picture: Pixels) -> MotionBurst:
        """Return the recorded burst that ends with a small picture of the quiet table."""
        tracks = () if self._follower is None else self._follower.tracks
        film, blobs = self._finished_film(picture), tuple(self._blobs)
        unseen = self.is_afresh, self._unseen, self._seen_since
        return MotionBurst(scale, changed, film, tracks, blobs, *unseen)

    def _finished_film(self, picture: Pixels) -> BurstFilm | None:
        if self._background is None or self._background.picture.shape != picture.shape:
            return None
        is_whole = self._film_frames <= MAX_PICTURES
        return BurstFilm(self._background.picture, tuple(self._pictures), picture, is_whole)
