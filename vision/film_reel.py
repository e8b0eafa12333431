"""Run a burst's film backwards: what the table showed before each picture, what moved freely, where a hand was.

State 0 is the table at rest before the burst, state k the table in its k-th picture with motion. Places and lengths are
in small pixels.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.background_subtraction import Background, Mask
from vision.burst_film import BurstFilm
from vision.face_search import Place
from vision.frames import Pixels

SHORTEST_HAND_SECONDS = 0.4
"""What reaches in over the border for a shorter time is no hand: dice that fly in together look like one at first."""


class FilmReel:
    """The states of a film, each made ready when it is asked for. `last` is the number of the last state."""

    def __init__(self, film: BurstFilm) -> None:
        self.last = len(film.pictures)
        self.film = film
        self._background = Background(film.before)
        self._is_hand = _lasting_hands(film)
        self._free: dict[int, Mask] = {}

    def pixels(self, state: int) -> Pixels:
        """Return the small picture of a state."""
        return self.film.pictures[state - 1].pixels if state else self.film.before

    def began(self, state: int) -> float:
        """Return when a state (from 1) was first seen, in seconds."""
        return self.film.pictures[state - 1].at

    def step(self, state: int) -> float:
        """Return how many seconds lie between a state (from 1) and the last picture of the state before it."""
        return max(self.film.pictures[state - 1].after, 1e-3)

    def moved_at(self, state: int, place: Place, reach: float) -> float:
        """Return the share of a place that moved between the state before and this one (from 1)."""
        return _share(self.film.pictures[state - 1].moved, place, reach)

    def hand_at(self, state: int, place: Place, reach: float) -> float:
        """Return the share of a place that a hand covered."""
        hand = self._hand(state)
        return 0.0 if hand is None else _share(hand, place, reach)

    def free(self, state: int) -> Mask:
        """Return what moves into a state or out of it, differs from the table before, and is under no hand."""
        if state not in self._free:
            self._free[state] = self._find_free(state)
        return self._free[state]

    def _find_free(self, state: int) -> Mask:
        pictures = self.film.pictures[max(0, state - 1) : state + 1]
        moved = np.max([picture.moved for picture in pictures], axis=0)
        near = cv2.dilate(moved, np.ones((3, 3), np.uint8))
        free = np.asarray(cv2.bitwise_and(near, self._background.foreground(self.pixels(state))), np.uint8)
        hand = self._hand(state)
        if hand is not None:
            free[hand > 0] = 0
        return free

    def _hand(self, state: int) -> Mask | None:
        return self.film.pictures[state - 1].hand if state and self._is_hand[state - 1] else None


def _lasting_hands(film: BurstFilm) -> list[bool]:
    """Return for each picture whether the hand in it is there for SHORTEST_HAND_SECONDS at least."""
    lasting = [picture.hand is not None for picture in film.pictures]
    begin = 0
    while begin < len(lasting):
        end = begin
        while end < len(lasting) and lasting[end] == lasting[begin]:
            end += 1
        first, last = film.pictures[begin], film.pictures[min(end, len(lasting) - 1)]
        if last.at - (first.at - first.after) < SHORTEST_HAND_SECONDS:
            lasting[begin:end] = [False] * (end - begin)
        begin = end
    return lasting


def _share(mask: Mask, place: Place, reach: float) -> float:
    left, top = (max(0, int(middle - reach)) for middle in place)
    part = mask[top : int(place[1] + reach) + 1, left : int(place[0] + reach) + 1]
    return cv2.countNonZero(part) / part.size if part.size else 0.0
