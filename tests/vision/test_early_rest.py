"""When a table counts as settled before the quiet time is over: only where nothing can move a die any more."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from painted import LAYOUT, ColourFinder, ColourReader, Film, Piece, colour_arrivals, leaning, paint

from models.die_sets import load
from referee.dice import DieSet, KindName
from vision.frames import Frame
from vision.motion_burst import BurstFilm, FilmPicture, MotionBurst
from vision.observations import DieReading, DieSighting, Observation, TrackedDie
from vision.pipeline import Pipeline
from vision.rectification import TrayView
from vision.tracking import Tracker

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))
ELSEWHERE = (Piece(60, 60, "two"), Piece(80, 100, "two", 30), Piece(60, 180, "two", 50))
EARLY, USUAL = pytest.approx(2 / 15), pytest.approx(3 / 15)
"""Seconds from the first picture of dice at rest to the one with which that is said, at 15 a second."""


class LeaningReader(ColourReader):
    """Sees a star lean."""

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        readings = super().read(view, sightings, dice)
        return tuple(leaning(one) if one.face == "star" else one for one in readings)


@pytest.fixture
def film() -> Film:
    return Film()


@pytest.fixture
def finder() -> ColourFinder:
    return ColourFinder()


def set_of(count: int) -> DieSet:
    dice = load("intersection")
    return replace(dice, counts=((dice.kind(KindName("traffic")), count),))


@pytest.fixture
def three() -> DieSet:
    return set_of(3)


@pytest.fixture
def pipeline(finder: ColourFinder, three: DieSet) -> Pipeline:
    return Pipeline(finder, ColourReader(), colour_arrivals, three, LAYOUT)


def roll(film: Film, dice: Sequence[Piece] = DICE, resting: Sequence[Piece] = ()) -> list[Frame]:
    """Dice roll in, and lie still from one picture to the next."""
    *rolling, _, last = Film().tumble(dice, resting)
    return [film.frame(frame.pixels) for frame in (*rolling, last)]


def rested(pipeline: Pipeline, frames: Sequence[Frame], resting: Frame) -> tuple[float, Observation]:
    """How many seconds after the picture of dice at rest it is said that they are, and what is said of them."""
    for frame in frames:
        seen = pipeline.process(frame)
        if seen.at_rest:
            return frame.taken_at - resting.taken_at, seen
    raise AssertionError("it was never said that the dice are at rest")


def thrown(pipeline: Pipeline, film: Film, dice: Sequence[Piece] = DICE) -> tuple[float, Observation]:
    """Throw dice among nothing, and let them lie."""
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    *rolling, resting = roll(film, dice)
    return rested(pipeline, [*rolling, resting, *film.still(dice)], resting)


def test_a_throw_that_leaves_no_doubt_is_at_rest_after_three_pictures(
    pipeline: Pipeline, film: Film, finder: ColourFinder
) -> None:
    finder.calls = -1  # the table before it is read once
    waited, seen = thrown(pipeline, film)
    assert waited == EARLY
    assert (seen.throw, sorted(str(die.reading.face) for die in seen.dice)) == (1, ["happy", "sad", "star"])
    assert finder.calls == 1
    for frame in film.still(DICE, 10):
        assert pipeline.process(frame).at_rest
    assert finder.calls == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda three: Pipeline(ColourFinder(), LeaningReader(), colour_arrivals, three, LAYOUT),
        lambda three: Pipeline(ColourFinder(), ColourReader(doubts="star"), colour_arrivals, three, LAYOUT),
        lambda _: Pipeline(ColourFinder(), ColourReader(), colour_arrivals, set_of(4), LAYOUT),
        lambda _: Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT),
    ],
    ids=["one leans", "one is in doubt", "one is missing", "nobody knows how many there are"],
)
def test_a_throw_that_leaves_a_doubt_waits_for_the_quiet_time(
    make: Callable[[DieSet], Pipeline], film: Film, three: DieSet
) -> None:
    waited, _ = thrown(make(three), film)
    assert waited == USUAL


def test_what_was_read_while_the_time_ran_is_not_read_again(film: Film, finder: ColourFinder) -> None:
    finder.calls = -1
    waited, seen = thrown(Pipeline(finder, ColourReader(), colour_arrivals, None, LAYOUT), film)
    assert (waited, seen.throw, finder.calls) == (USUAL, 1, 1)


def test_how_dice_came_to_lie_is_not_judged_again_where_nothing_new_is_known(
    film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = []
    settle = Tracker.settle

    def counted(tracker: Tracker, *given: Any) -> tuple[TrackedDie, ...]:
        judged.append(given)
        return settle(tracker, *given)

    monkeypatch.setattr(Tracker, "settle", counted)
    waited, seen = thrown(Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT), film)
    assert (waited, seen.throw) == (USUAL, 1)
    assert len(judged) == 2  # the table before it, and the throw


def test_a_hand_that_is_seen_at_last_tells_something_new() -> None:
    nothing = np.zeros((8, 8), np.uint8)
    burst = MotionBurst(1.0, nothing)
    assert burst.tells_the_same(replace(burst, changed=nothing.copy()), [(4, 4, 2)])
    assert not burst.tells_the_same(replace(burst, unseen=nothing), [])
    changed = replace(burst, changed=nothing + 255)
    assert burst.tells_the_same(changed, [])
    assert not burst.tells_the_same(changed, [(4, 4, 2)])
    film = BurstFilm(nothing, (), nothing)
    assert not burst.tells_the_same(replace(burst, film=film), [])
    filmed = replace(burst, film=replace(film, pictures=(FilmPicture(0.0, 0.1, nothing, nothing, None),)))
    assert not filmed.tells_the_same(replace(burst, film=film), [])


def test_a_die_that_is_missing_since_before_the_throw_may_still_roll_somewhere(pipeline: Pipeline, film: Film) -> None:
    waited, seen = thrown(pipeline, film, DICE[:2])
    assert waited > 0.2
    assert len(seen.dice) == 2


def test_a_hand_that_has_just_left_may_have_let_go_of_nothing_yet(pipeline: Pipeline, film: Film) -> None:
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    *rolling, resting = roll(film)
    leaving = [film.frame(paint(DICE, sleeve=way, seed=film.number)) for way in (150, 90, 40)]
    for frame in (*rolling, resting, *leaving):
        assert not pipeline.process(frame).at_rest
    first, *still = film.still(DICE)
    waited, _ = rested(pipeline, [first, *still], first)
    assert waited == USUAL


@pytest.mark.parametrize("before", [1, 2, 3])
def test_a_hand_that_one_picture_alone_shows_may_have_held_a_die(pipeline: Pipeline, film: Film, before: int) -> None:
    """It is seen so many pictures before the first of dice at rest."""
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    *rolling, resting = roll(film)
    hand = film.frame(paint(DICE, sleeve=150, seed=film.number))
    for frame in (*rolling, resting, hand):
        assert not pipeline.process(frame).at_rest
    for k in range(before - 1):
        rocking = (*DICE[:2], replace(DICE[2], x=206 - 12 * (k % 2)))
        assert not pipeline.process(film.frame(paint(rocking, seed=k))).at_rest
    first, *still = film.still(DICE)
    waited, seen = rested(pipeline, [first, *still], first)
    assert waited == USUAL
    assert seen.throw == 1


@pytest.mark.parametrize("skipped", [4, 9])
def test_a_die_that_moves_on_while_a_slow_reader_would_have_read_was_seen_to(film: Film, skipped: int) -> None:
    """Reading keeps from seeing: so many pictures after one that was read are lost."""
    finder, busy_until, at_rest = ColourFinder(), 0, list[Observation]()
    pipeline = Pipeline(finder, ColourReader(), colour_arrivals, None, LAYOUT)
    moving = [replace(DICE[2], x=200 + 5.5 * k, face=face) for k, face in enumerate(("star", "happy", "sad"), 1)]
    before = film.still(ELSEWHERE, 20)
    moves = [*roll(film), *film.still(DICE, 2)]
    moves += [film.frame(paint((*DICE[:2], die), seed=film.number)) for die in moving]
    tipped = (*DICE[:2], Piece(222, 170, "two", 150))
    for frame in (*before, *moves, *film.still(tipped, 20)):
        if frame.number > busy_until:
            calls, seen = finder.calls, pipeline.process(frame)
            busy_until = frame.number + skipped if finder.calls > calls else busy_until
            at_rest += [seen] if seen.at_rest else []
    assert {seen.throw for seen in at_rest[-2:]} == {1}
    assert [die.handled for die in at_rest[-1].dice] == [None] * 3


@pytest.mark.parametrize("pause", [1, 2])
def test_a_die_that_creeps_on_is_read_where_it_lies_at_last(pipeline: Pipeline, film: Film, pause: int) -> None:
    """What was read in the pause counts no more: the die moves too little to be seen moving."""
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    creeping = [(replace(DICE[0], x=DICE[0].x + 0.8 * k), *DICE[1:]) for k in range(1, 4)]
    moves = [film.frame(paint(dice, seed=film.number)) for dice in [*[DICE] * (pause - 1), *creeping]]
    frames = [*roll(film), *moves]
    early = [frame.number for frame in frames if pipeline.process(frame).at_rest]
    assert not early or early[0] >= frames[-1].number - 1
    seen = [pipeline.process(frame) for frame in film.still(creeping[-1], 30)][-1]
    assert seen.at_rest
    assert seen.throw == 1


def test_a_die_that_creeps_on_in_the_very_picture_that_settles_is_read_where_it_lies(film: Film) -> None:
    pipeline = Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)
    crept = (replace(DICE[0], x=DICE[0].x + 0.8), *DICE[1:])
    frames = [*film.still(ELSEWHERE), *roll(film), *film.still(DICE, 2), *film.still(crept, 1)]
    seen = [pipeline.process(frame) for frame in frames]
    assert [one.at_rest for one in seen[-3:]] == [False, False, True]
    happy = next(die for die in seen[-1].dice if die.reading.face == "happy")
    assert happy.reading.sighting.x_mm == pytest.approx(crept[0].x, abs=0.3)


def test_a_die_that_tips_after_it_was_read_is_read_again(pipeline: Pipeline, film: Film) -> None:
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    tipped = (*DICE[:2], Piece(212, 170, "two", 70))
    frames = [*roll(film), *film.still(DICE, 1), *roll(film, tipped[2:], tipped[:2])[-2:], *film.still(tipped)]
    seen = [pipeline.process(frame) for frame in frames]
    assert {one.throw for one in seen if one.at_rest} == {1}
    assert {tuple(sorted(str(die.reading.face) for die in one.dice)) for one in seen if one.at_rest} == {
        ("happy", "star", "two")
    }


@pytest.mark.parametrize(("rate", "longest"), [(10, 0.2), (12, 2 / 12), (20, 0.1), (30, 0.1), (60, 0.1)])
def test_it_is_time_that_counts_and_three_pictures(pipeline: Pipeline, film: Film, rate: float, longest: float) -> None:
    def again(frames: Sequence[Frame]) -> list[Frame]:
        return [replace(frame, taken_at=frame.number / rate) for frame in frames]

    for frame in again(film.still(ELSEWHERE, round(rate))):
        pipeline.process(frame)
    *rolling, resting = again(roll(film))
    waited, _ = rested(pipeline, [*rolling, resting, *again(film.still(DICE, 30))], resting)
    assert waited == pytest.approx(longest)


def test_of_a_camera_that_gives_both_one_sharp_frame_is_read_and_small_ones_show_that_it_stays_so(
    pipeline: Pipeline, film: Film, finder: ColourFinder
) -> None:
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    finder.calls = 0
    *rolling, resting = roll(film)
    for frame in rolling:
        pipeline.process(replace(frame, is_detailed=False))
    small = [replace(frame, is_detailed=False) for frame in film.still(DICE)]
    waited, seen = rested(pipeline, [resting, *small], resting)
    assert (waited, seen.throw, finder.calls) == (EARLY, 1, 1)


def test_a_sharp_frame_of_dice_that_moved_since_is_not_read(
    pipeline: Pipeline, film: Film, finder: ColourFinder
) -> None:
    for frame in film.still(ELSEWHERE):
        pipeline.process(frame)
    finder.calls = 0
    *rolling, resting = roll(film)
    for frame in rolling:
        pipeline.process(frame)
    for frame in [resting, *film.still(DICE)]:
        assert not pipeline.process(replace(frame, is_detailed=False)).at_rest
    assert finder.calls == 0
