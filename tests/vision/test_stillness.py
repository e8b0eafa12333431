"""When a table is still to a fraction of a pixel."""

import numpy as np
import pytest
from painted import Piece, paint

from vision.background_subtraction import motion_mask
from vision.frames import Pixels, downscale
from vision.motion import StillRun, StillWatch

DIE = Piece(150, 120, "star", 20)


def small(*pieces: Piece, seed: int, light: float = 1.0, size: tuple[int, int] = (1280, 960)) -> Pixels:
    return downscale(paint(pieces, seed=seed, light=light, size=size))


def watched(*pictures: Pixels) -> StillRun:
    watch = StillWatch()
    return [watch.update(picture, k / 15, has_moved=False) for k, picture in enumerate(pictures)][-1]


@pytest.mark.parametrize("size", [(1280, 960), (640, 480)])
def test_noise_is_still(size: tuple[int, int]) -> None:
    run = watched(*(small(DIE, seed=k, size=size) for k in range(5)))
    assert (run.since, run.pictures) == (0.0, 5)
    assert run.seconds == pytest.approx(4 / 15)


@pytest.mark.parametrize(
    "moved", [Piece(150.7, 120, "star", 20), Piece(150, 120, "star", 25), Piece(150, 120, "two", 20)]
)
def test_a_die_that_moves_too_little_to_be_seen_moving_is_not_still(moved: Piece) -> None:
    before, now = small(DIE, seed=1), small(moved, seed=2)
    assert moved.face != DIE.face or motion_mask(before, now) is None
    assert watched(before, small(DIE, seed=3), now) == StillRun(2 / 15)


def test_a_die_that_creeps_is_compared_with_where_it_lay_first() -> None:
    run = watched(*(small(Piece(150 + 0.25 * k, 120, "star", 20), seed=k) for k in range(6)))
    assert run.pictures < 4


@pytest.mark.parametrize(("light", "pictures"), [(1.01, 2), (0.99, 2), (1.06, 1)])
def test_a_little_more_light_is_still_and_much_more_is_not(light: float, pictures: int) -> None:
    assert watched(small(DIE, seed=1), small(DIE, seed=2, light=light)).pictures == pictures


def test_what_has_moved_begins_again_though_it_looks_the_same() -> None:
    watch = StillWatch()
    for k in range(3):
        run = watch.update(small(DIE, seed=k), k / 15, has_moved=k == 2)
    assert run == StillRun(2 / 15)


def test_strong_noise_is_never_still() -> None:
    noise = np.random.default_rng(1)
    dim = [np.clip(noise.normal(60, 12, (240, 320, 3)), 0, 255).astype(np.uint8) for _ in range(3)]
    assert watched(*dim).pictures == 1


def grain(seed: int, levels: float) -> Pixels:
    """The table in a picture whose squares of five pixels differ from one to the next, as JPEG leaves it."""
    coarse = np.random.default_rng(seed).uniform(-levels, levels, (48, 64, 3)).repeat(5, axis=0).repeat(5, axis=1)
    return np.clip(small(DIE, seed=0) + coarse, 0, 255).astype(np.uint8)


def still_for(levels: float, learned: int) -> int:
    """How many pictures of a table at rest are still, once so many pairs of them were seen."""
    watch = StillWatch()
    for k in range(learned):
        watch.learn(grain(100 + k, levels), grain(200 + k, levels))
    return [watch.update(grain(k, levels), k / 15, has_moved=False) for k in range(5)][-1].pictures


def test_the_noise_of_a_camera_is_learned_at_rest() -> None:
    assert still_for(3.0, learned=0) < 5
    assert still_for(3.0, learned=4) == 5


def test_more_noise_than_a_moving_die_makes_is_never_learned() -> None:
    assert still_for(20.0, learned=4) == 1


def test_a_shadow_over_a_table_at_rest_is_not_learned_as_noise() -> None:
    watch = StillWatch()
    for k in range(5):
        before, now = grain(100 + k, 0.5), grain(200 + k, 0.5)
        now[100:120, 40:60] -= 8 * (k > 2)
        watch.learn(before, now)
    assert [watch.update(grain(k, 3.0), k / 15, has_moved=False).pictures for k in range(5)][-1] < 5
