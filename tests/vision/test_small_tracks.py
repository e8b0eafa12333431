"""Blobs that are followed through the small pictures of a burst."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from painted import LEFT, SCALE, TOP, Film, Piece, paint

from vision.background_subtraction import Background, motion_mask
from vision.frames import Frame, downscale
from vision.motion import MotionDetector
from vision.motion_burst import BlobFollower, BlobTrack, MotionBurst

SMALL = 0.25
WAY = [Piece(20 + 22 * k, 60 + 9 * k, "star", 17.0 * k) for k in range(10)]


def follow(shots: Sequence[Sequence[Piece]], lying: Sequence[Piece] = ()) -> tuple[BlobTrack, ...]:
    pictures = [downscale(paint([*lying, *shot], seed=k)) for k, shot in enumerate(shots)]
    follower, last = BlobFollower(Background(downscale(paint(lying, seed=99)))), downscale(paint(lying, seed=98))
    for k, picture in enumerate(pictures):
        moved = motion_mask(last, picture)
        if moved is not None:
            follower.update(picture, moved, None, k / 15, SMALL)
        last = picture
    return follower.tracks


def burst_of(frames: Sequence[Frame]) -> MotionBurst:
    motion = MotionDetector()
    states = [motion.update(downscale(frame.pixels), frame.taken_at, SMALL) for frame in frames]
    bursts = [state.settled for state in states if state.settled is not None]
    return bursts[-1]


def test_a_die_that_crosses_the_tray_is_one_track_at_its_places() -> None:
    (track,) = follow([[piece] for piece in WAY])
    places = [(seen.x, seen.y) for seen in track.sightings]
    assert places == [pytest.approx((LEFT + p.x * SCALE, TOP + p.y * SCALE), abs=9) for p in WAY]
    assert [seen.edge for seen in track.sightings] == pytest.approx([16 * SCALE] * len(WAY), rel=0.2)
    assert not any(seen.held or seen.at_border for seen in track.sightings)


def test_two_dice_that_fly_side_by_side_are_two_tracks() -> None:
    shots = [[piece, Piece(piece.x, piece.y + 40, "sad", piece.turned)] for piece in WAY]
    assert [len(track.sightings) for track in follow(shots)] == [10, 10]


def test_a_lost_picture_breaks_no_track() -> None:
    shots = [[piece] for k, piece in enumerate(WAY) if k != 5]
    assert [len(track.sightings) for track in follow(shots)] == [9]


def test_a_die_that_is_pushed_leaves_a_place_that_is_no_track() -> None:
    lying = [Piece(150, 150, "sad")]
    shots = [[Piece(150 - 12 * k, 150, "sad")] for k in range(8)]
    pictures = [downscale(paint(shot, seed=k)) for k, shot in enumerate(shots)]
    follower = BlobFollower(Background(downscale(paint(lying, seed=99))))
    for k, picture in enumerate(pictures[1:], 1):
        moved = motion_mask(pictures[k - 1], picture)
        assert moved is not None
        follower.update(picture, moved, None, k / 15, SMALL)
    assert max(len(track.sightings) for track in follower.tracks) >= 6


def test_a_die_that_flies_off_ends_at_the_border() -> None:
    tracks = follow([[Piece(200 + 25 * k, 100, "star", 20.0 * k)] for k in range(8)])
    assert tracks[0].last.at_border


def test_what_moves_under_a_hand_is_held() -> None:
    film, before, after = Film(), [Piece(130, 120, "star")], [Piece(170, 150, "star")]
    burst = burst_of([*film.still(before), *film.reach(before, after), *film.still(after)])
    arm = max(burst.tracks, key=lambda track: len(track.sightings))
    assert all(seen.held for seen in arm.sightings[1:4])
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
    assert burst.tracks


def test_the_first_burst_has_no_table_before_it_and_so_no_film() -> None:
    burst = burst_of(Film().still((Piece(150, 90),)))
    assert (burst.film, burst.tracks) == (None, ())
