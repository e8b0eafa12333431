"""Frames that come twice, late, frozen or with a clock that jumps: no error, and no false reading."""

from dataclasses import replace

import pytest
from painted import LAYOUT, ColourFinder, ColourReader, Film, Piece, colour_arrivals

from referee.dice import Handling
from vision.feed_health import FeedFault
from vision.frame_clock import LONGEST_STEP, FrameClock
from vision.frames import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))


@pytest.fixture(scope="module")
def throw() -> list[Frame]:
    """A throw: an empty tray, dice that roll in, dice at rest."""
    film = Film()
    frames = [*film.still(count=8), *film.tumble(DICE), *film.still(DICE, 8)]
    return [replace(frame, pixels=frame.pixels[::2, ::2].copy()) for frame in frames]


def watch(frames: list[Frame]) -> Observation:
    pipeline = Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)
    for frame in frames:
        observation = pipeline.process(frame)
    return observation


def outcome(observation: Observation) -> tuple[int, list[str], set[object], bool]:
    faces = sorted(str(die.reading.face) for die in observation.dice)
    return observation.throw, faces, {die.handled for die in observation.dice}, observation.at_rest


PLAIN = (1, ["happy", "sad", "star"], {None}, True)


def test_a_plain_throw(throw: list[Frame]) -> None:
    assert outcome(watch(throw)) == PLAIN


def test_each_frame_comes_twice(throw: list[Frame]) -> None:
    assert outcome(watch([frame for frame in throw for _ in range(2)])) == PLAIN


def test_pixels_that_come_twice_under_new_numbers_do_not_stand_still(throw: list[Frame]) -> None:
    flying = throw[11]
    stuck = [replace(flying, number=100 + k, taken_at=flying.taken_at + 0.005 * k) for k in range(1, 9)]
    assert outcome(watch([*throw[:12], *stuck, *throw[12:]])) == PLAIN
    frozen = [replace(flying, number=100 + k, taken_at=flying.taken_at + k / 15) for k in range(1, 9)]
    assert not watch([*throw[:12], *frozen]).at_rest


def test_a_video_stream_that_leaves_out_the_noise_of_a_still_table_is_neither_frozen_nor_blind(
    throw: list[Frame],
) -> None:
    pipeline = Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)

    def still(frame: Frame, seconds: float) -> list[Frame]:
        return [replace(frame, number=100 + k, taken_at=frame.taken_at + k / 15) for k in range(1, round(15 * seconds))]

    later = [replace(frame, taken_at=frame.taken_at + 8) for frame in throw[8:]]
    for frame in [*throw[:8], *still(throw[7], 8), *later, *still(later[-1], 8)]:
        seen = pipeline.process(replace(frame, may_repeat=True))
        assert (pipeline.fault, pipeline.is_fresh) == (None, True)
    assert outcome(seen) == PLAIN
    assert all(interval.began == interval.ended for interval in seen.blind)  # the program's start alone
    for frame in still(replace(later[-1], taken_at=later[-1].taken_at + 8), 15):
        pipeline.process(replace(frame, may_repeat=True))
    assert pipeline.fault is FeedFault.FROZEN


def test_a_picture_that_a_video_stream_repeats_in_mid_throw_does_not_stand_still(throw: list[Frame]) -> None:
    flying = throw[11]
    stuck = [replace(flying, number=100 + k, taken_at=flying.taken_at + k / 15) for k in range(1, 6)]
    later = [replace(frame, taken_at=frame.taken_at + 5 / 15) for frame in throw[12:]]
    pipeline = Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)
    seen = [pipeline.process(replace(frame, may_repeat=True)) for frame in [*throw[:12], *stuck, *later]]
    assert not any(one.at_rest for one in seen[12:17])


@pytest.mark.parametrize("swap", [1, 2, 5])
def test_neighbours_change_places(throw: list[Frame], swap: int) -> None:
    frames = list(throw)
    for k in range(swap, len(frames) - 1, swap + 2):
        frames[k], frames[k + 1] = frames[k + 1], frames[k]
    assert outcome(watch(frames)) == PLAIN


@pytest.mark.parametrize("jump", [-3600.0, -120.0, -2.0])
@pytest.mark.parametrize("at", [3, 10, 18])
def test_a_clock_that_is_set_back(throw: list[Frame], jump: float, at: int) -> None:
    later = [replace(frame, taken_at=frame.taken_at + jump) for frame in throw[at:]]
    assert outcome(watch([*throw[:at], *later])) == PLAIN


@pytest.mark.parametrize("jump", [120.0, 3600.0])
@pytest.mark.parametrize("at", [3, 12])
def test_a_clock_that_is_set_forward(throw: list[Frame], jump: float, at: int) -> None:
    later = [replace(frame, taken_at=frame.taken_at + jump) for frame in throw[at:]]
    throws, faces, marks, at_rest = outcome(watch([*throw[:at], *later]))
    assert (throws, faces, at_rest) == (1, PLAIN[1], True)
    assert marks <= {None, Handling.UNSEEN}


def test_a_clock_that_jumps_with_each_frame_reads_the_table_all_the_same(throw: list[Frame]) -> None:
    frames = [replace(frame, taken_at=(-1) ** frame.number * 1000.0 + frame.number) for frame in throw]
    assert outcome(watch(frames))[1] == PLAIN[1]


def test_the_frame_clock_measures_what_passed() -> None:
    clock = FrameClock()
    assert [clock.advance(moment) for moment in (100.0, 100.1, 100.1, 100.05, 100.2)] == [
        True,
        True,
        False,
        False,
        True,
    ]
    assert clock.now == pytest.approx(100.2)
    assert clock.advance(4000.0)
    assert clock.now == pytest.approx(100.2 + LONGEST_STEP)
    assert clock.taken_at(clock.now - 0.5) == pytest.approx(3999.5)
    assert clock.advance(50.0)
    assert 100.0 < clock.now < 102.0
    assert clock.advance(50.1)
    assert [clock.advance(49.7 + k / 15) for k in range(5)] == [False, False, False, True, True]


def test_one_picture_under_one_moment_again_and_again_is_a_frozen_feed(throw: list[Frame]) -> None:
    pipeline = Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)
    for frame in [*throw[:8], *[throw[8]] * 150]:
        pipeline.process(frame)
    assert pipeline.fault is FeedFault.FROZEN


def test_a_moment_stays_the_same_number_however_late_it_is_asked_for() -> None:
    """A departure that differed in its last bits from one frame to the next stood in the journal twice."""
    clock = FrameClock()
    clock.advance(1000.0 + 1 / 15)
    asked, told = clock.now, set[float]()
    for frame in range(2, 200):
        clock.advance(1000.0 + frame / 15)
        told.add(clock.taken_at(asked))
    assert told == {1000.067}


@pytest.mark.parametrize(("pace", "slow"), [(1 / 30, False), (1 / 15, False), (1 / 7, False), (1 / 3, True), (1, True)])
def test_a_slow_camera_is_known(pace: float, slow: bool) -> None:
    clock = FrameClock()
    for number in range(12):
        clock.advance(number * pace)
    assert clock.is_slow == slow
    clock.pause()
    assert not clock.is_slow
