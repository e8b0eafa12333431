"""What is wrong with a feed although frames arrive."""

import numpy as np
from painted import Piece, paint

from vision.feed_health import FeedFault, FeedHealth
from vision.frames import downscale

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))


def test_a_covered_lens_is_known_at_once_and_said_when_it_lasts() -> None:
    feed = FeedHealth()
    dark = paint(light=0.04)
    feed.update(paint(), downscale(paint()), 0.0)
    assert (feed.update(dark, downscale(dark), 0.1), feed.is_blind) == (None, True)
    assert feed.update(paint(light=0.04, seed=1), downscale(dark), 1.2) is FeedFault.DARK
    assert feed.update(paint(), downscale(paint()), 1.3) is None
    assert not feed.is_blind


def test_a_picture_without_any_detail_is_a_covered_lens() -> None:
    feed = FeedHealth()
    for k in range(4):
        blank = np.random.default_rng(k).normal(110, 2, (960, 1280, 3)).clip(0, 255).astype(np.uint8)
        told = feed.update(blank, downscale(blank), k * 0.5)
    assert told is FeedFault.COVERED


def test_a_room_too_dark_to_see_all_that_moves_is_said_and_a_dim_one_is_not() -> None:
    feed = FeedHealth()
    for k, light in enumerate((0.5, 0.5, 0.2, 0.2, 0.5)):
        picture = paint(DICE, light=light, seed=k)
        told = feed.update(picture, downscale(picture), 2.0 * k)
        assert told == (FeedFault.DARK if light < 0.3 else None)


def test_a_frozen_feed_is_said_after_two_seconds_and_forgotten_with_a_fresh_picture() -> None:
    feed, same = FeedHealth(), paint()
    told = [feed.update(same, downscale(same), k * 0.5) for k in range(6)]
    assert told[4] is None
    assert told[5] is FeedFault.FROZEN
    assert feed.update(paint(seed=1), downscale(same), 3.0) is None


def test_a_replay_may_repeat_its_pictures() -> None:
    feed, same = FeedHealth(live=False), paint()
    assert [feed.update(same, downscale(same), float(k)) for k in range(6)] == [None] * 6


def test_the_feed_of_a_camera_that_was_lost_begins_again_without_a_fault() -> None:
    feed, same = FeedHealth(), paint()
    assert [feed.update(same, downscale(same), k * 3.0) for k in range(2)] == [None, FeedFault.FROZEN]
    feed.reset()
    assert feed.fault is None
    assert feed.update(same, downscale(same), 9.0) is None
    assert feed.is_fresh
