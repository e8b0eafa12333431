"""What moves in the tray, and when it has settled."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import cv2
import numpy as np
import pytest
from painted import Film, Piece, paint

from vision.background_subtraction import MOTION_LEVELS
from vision.frames import Frame, downscale, small_image
from vision.motion import FRAME_JITTER_SECONDS, MotionDetector, MotionState

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))
SCALE = 320 / 1280


@pytest.fixture
def film() -> Film:
    return Film()


def watch(motion: MotionDetector, frames: list[Frame]) -> list[MotionState]:
    return [motion.update(downscale(frame.pixels), frame.taken_at, SCALE) for frame in frames]


def settled(states: list[MotionState]) -> list[MotionState]:
    return [state for state in states if state.settled is not None]


def test_the_first_quiet_moment_is_reported_once(film: Film) -> None:
    states = watch(MotionDetector(), film.still(DICE, 12))
    assert [state.quiet for state in states[:3]] == [False] * 3
    assert len(settled(states)) == 1
    assert states[-1].quiet


@pytest.mark.parametrize(
    "size", [(1280, 960), (960, 720), (1920, 1080), (640, 480), (500, 333), (320, 240), (200, 150)]
)
def test_a_small_picture_holds_the_mean_of_what_it_stands_for(size: tuple[int, int]) -> None:
    width, height = size
    slope = np.linspace(0, 250, width)[None, :, None] * np.ones((height, 1, 3))
    noisy = np.random.default_rng(1).normal(slope, 8).clip(0, 255).astype(np.uint8)
    small = downscale(noisy)
    assert max(small.shape) == 320
    assert small.shape[1] / small.shape[0] == pytest.approx(width / height, rel=0.01)
    expected = cv2.resize(slope.astype(np.uint8), small.shape[1::-1], interpolation=cv2.INTER_AREA)
    averaged = max(1.0, (width / 320))
    assert np.abs(small.astype(float) - expected).mean() < 8 / averaged + 1


def test_a_sensors_noise_stays_well_below_what_counts_as_motion() -> None:
    small = [downscale(paint(seed=k)).astype(int) for k in range(4)]
    steps = [np.abs(now - before) for before, now in pairwise(small)]
    assert max(int(step.max()) for step in steps) < MOTION_LEVELS / 1.5


@pytest.mark.parametrize("rate", [10, 12, 15, 20, 24, 25, 29.97, 30, 60])
def test_that_it_has_settled_is_said_within_200_ms_of_the_last_motion(rate: float) -> None:
    motion, count = MotionDetector(), round(rate)
    lying = [*range(count), *[count] * count]
    pictures = [np.full((240, 320, 3), 100, np.uint8) for _ in lying]
    for picture, at in zip(pictures, lying, strict=True):
        picture[100:116, 20 + at * 3 : 36 + at * 3] = 220
    states = [motion.update(picture, k / rate, SCALE) for k, picture in enumerate(pictures)]
    last = max(k for k, state in enumerate(states) if state.moving)
    said = [k for k, state in enumerate(states) if state.settled is not None and k > last]
    assert len(said) == 1
    assert 0.13 < (said[0] - last) / rate <= 0.2 + FRAME_JITTER_SECONDS


def test_a_pause_shorter_than_that_splits_no_throw(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(count=8))
    rolling = [frame.pixels for frame in Film().tumble(DICE)]
    states = watch(motion, [film.frame(pixels) for pixels in (*rolling[:5], *[rolling[4]] * 2, *rolling[5:])])
    assert [state.moving for state in states[5:7]] == [False, False]
    assert not settled(states)


def test_sensor_noise_is_no_motion(film: Film) -> None:
    assert not any(state.moving for state in watch(MotionDetector(), film.still(DICE, 12)))


def test_a_throw_moves_and_settles_once(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(count=8))
    rolling, resting = watch(motion, film.tumble(DICE)), watch(motion, film.still(DICE, 10))
    assert sum(state.moving for state in rolling) >= 8
    assert not settled(rolling)
    assert len(settled(resting)) == 1
    assert not any(state.hands_in for state in rolling + resting)


def test_the_places_of_thrown_dice_have_changed_and_that_of_a_lying_one_has_not(film: Film) -> None:
    motion = MotionDetector()
    lying = (Piece(60, 40, "two"),)
    watch(motion, film.still(lying, 8))
    watch(motion, film.tumble(DICE, lying))
    burst = settled(watch(motion, film.still((*DICE, *lying), 8)))[0].settled
    assert burst is not None
    places = [(160 + piece.x * 3.2, 120 + piece.y * 3.2, 51.0) for piece in (*DICE, *lying)]
    assert [burst.changed_at(*place) for place in places] == [True, True, True, False]
    assert not burst.hand_since(0.0)


def test_a_hand_is_seen_while_it_is_in_and_not_after(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(DICE, 8))
    reaching = watch(motion, film.reach(DICE, DICE))
    holding = watch(motion, film.still(DICE, 8, sleeve=150))
    after = watch(motion, film.still(DICE, 8))
    assert sum(state.hands_in for state in reaching) >= 8
    assert all(state.hands_in and not state.quiet for state in holding)
    assert not after[-1].hands_in
    assert after[-1].quiet


def test_a_hand_that_was_there_from_the_start_leaves_no_ghost(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(DICE, 8, sleeve=150))
    after = watch(motion, film.still(DICE, 8))
    assert not any(state.hands_in for state in after)
    assert after[-1].quiet


@pytest.mark.parametrize("light", [0.6, 1.5])
def test_a_lamp_is_no_hand_and_the_table_settles_again(film: Film, light: float) -> None:
    motion = MotionDetector()
    watch(motion, film.still(DICE, 8))
    states = watch(motion, film.still(DICE, 10, light=light))
    assert not any(state.hands_in for state in states)
    assert states[-1].quiet


def test_a_lamp_that_lights_a_part_of_the_picture_is_no_hand(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(DICE, 8))
    lit = np.linspace(1.9, 0.4, 960).clip(1.0, 1.6)[:, None, None]
    frames = [film.frame(np.clip(paint(DICE, seed=k) * lit, 0, 255).astype(np.uint8)) for k in range(8)]
    states = watch(motion, frames)
    assert not any(state.hands_in for state in states)
    assert states[-1].quiet


def swinging(film: Film, pieces: list[Piece]) -> Frame:
    """A picture under an exposure that hunts: a little brighter and darker without an end."""
    return film.frame(paint(pieces, light=1 + 0.2 * np.sin(film.number / 5), seed=film.number))


def banded(film: Film, pieces: list[Piece], axis: int = 0) -> Frame:
    """A picture under a lamp that flickers: the shutter has bands that wander, along the rows or the columns."""
    pixels = paint(pieces, seed=film.number)
    lines = np.linspace(0, 4 * np.pi, pixels.shape[axis])
    gains = 1 + 0.12 * np.cos(lines + 2.1 * film.number)
    return film.frame(np.clip(pixels * np.expand_dims(gains, (2, 1 - axis)), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("lit", [swinging, banded, partial(banded, axis=1)])
def test_a_light_that_changes_without_an_end_is_no_motion_and_hides_none(
    film: Film, lit: Callable[[Film, list[Piece]], Frame]
) -> None:
    motion = MotionDetector()
    first = watch(motion, [lit(film, []) for _ in range(20)])
    assert len(settled(first)) == 1
    assert not any(state.moving for state in first)
    rolling = [[Piece(x, 100 + x / 5, "happy", x) for x in (20 * k, 20 * k + 40)] for k in range(8)]
    assert all(state.moving for state in watch(motion, [lit(film, pieces) for pieces in rolling]))
    last = watch(motion, [lit(film, rolling[-1]) for _ in range(12)])
    assert len(settled(last)) == 1
    assert last[-1].quiet


@pytest.mark.slow
def test_dusk_is_followed_without_a_stir(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(DICE, 8))
    dusk = [film.frame(paint(DICE, light=1 - k / 200, seed=k)) for k in range(60)]
    assert not any(state.moving or state.settled for state in watch(motion, dusk))


def test_a_flicker_that_leaves_the_table_as_it_was_is_nothing(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(DICE, 8))
    fly = film.frame(paint([*DICE, Piece(30, 30, "two")], seed=5))
    states = watch(motion, [fly, *film.still(DICE, 10)])
    assert states[0].moving
    assert not settled(states)
    assert states[-1].quiet


@pytest.mark.slow
def test_what_comes_too_slowly_to_be_seen_moving_is_noticed_at_last(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still([Piece(100, 100)], 8))
    sliding = [film.frame(paint([Piece(100 + 0.3 * k, 100)], seed=k)) for k in range(80)]
    states = watch(motion, sliding)
    assert not any(state.moving for state in states)
    assert len(settled(states)) >= 1


def test_the_end_of_a_feed_settles_what_was_still_moving(film: Film) -> None:
    motion = MotionDetector()
    watch(motion, film.still(count=8))
    watch(motion, film.tumble(DICE)[:8])
    last = motion.finish()
    assert last.moving
    assert last.settled is not None
    assert motion.finish().settled is None


def test_photographs_far_apart_are_each_a_table_at_rest() -> None:
    motion = MotionDetector(live=False)
    tables = [paint([die], seed=k) for k, die in enumerate(DICE)]
    states = [motion.update(downscale(table), k * 0.5, SCALE) for k, table in enumerate(tables)]
    assert len(settled(states)) == 3


@pytest.mark.parametrize("size", [(320, 240), (1280, 960), (200, 150), (640, 480)])
def test_a_frames_own_small_picture_is_taken_where_it_fits(size: tuple[int, int]) -> None:
    pixels = np.zeros((*size[::-1], 3), np.uint8)
    small = np.ones((240, 320, 3), np.uint8)
    assert small_image(Frame(pixels, 1, 0.0, small)) is small
    assert np.array_equal(small_image(Frame(pixels, 1, 0.0)), downscale(pixels))


@pytest.mark.parametrize("shape", [(480, 640, 3), (180, 320, 3), (160, 120, 3), (320, 240, 3)])
def test_a_small_place_of_another_size_or_shape_is_made_anew(shape: tuple[int, int, int]) -> None:
    frame = Frame(paint(), 1, 0.0, np.ones(shape, np.uint8))
    assert np.array_equal(small_image(frame), downscale(frame.pixels))
