"""The film of a burst: which small pictures it keeps, and the hands in them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from painted import Film, Piece

from vision.background_subtraction import motion_mask
from vision.frames import Frame, downscale
from vision.motion import MotionDetector
from vision.motion_burst import MotionBurst

SMALL = 0.25


def burst_of(frames: Sequence[Frame]) -> MotionBurst:
    motion = MotionDetector()
    states = [motion.update(downscale(frame.pixels), frame.taken_at, SMALL) for frame in frames]
    bursts = [state.settled for state in states if state.settled is not None]
    return bursts[-1]


def test_a_film_shows_where_the_hand_was() -> None:
    film, before, after = Film(), [Piece(130, 120, "star")], [Piece(170, 150, "star")]
    burst = burst_of([*film.still(before), *film.reach(before, after), *film.still(after)])
    assert burst.film is not None
    assert burst.film.whole
    assert any(picture.hand is not None for picture in burst.film.pictures)


def test_a_burst_keeps_the_pictures_that_moved_and_the_tables_around_them() -> None:
    film, die = Film(), (Piece(150, 90, "star", 40),)
    burst = burst_of([*film.still(), *film.tumble(die), *film.still(die)])
    assert burst.film is not None
    times = [picture.at for picture in burst.film.pictures]
    assert times == sorted(times)
    assert 8 <= len(times) <= 11
    assert all(picture.after == pytest.approx(1 / 15) for picture in burst.film.pictures)
    assert motion_mask(burst.film.pictures[-1].pixels, burst.film.after) is None


def test_the_first_burst_has_no_table_before_it_and_so_no_film() -> None:
    burst = burst_of(Film().still((Piece(150, 90),)))
    assert burst.film is None
