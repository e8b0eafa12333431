"""What changed while the camera could not see it: marked as unseen, never taken in silence."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from painted import LAYOUT, ColourFinder, ColourReader, Film, Piece, colour_arrivals

from referee.dice import Blindness, Handling
from vision.frames import Frame
from vision.observations import Observation
from vision.pipeline import TOO_SLOW, Pipeline

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))
TURNED = (DICE[0], replace(DICE[1], face="two"), DICE[2])
SIZE = (640, 480)


class SmallFilm(Film):
    """Small frames, which are painted sooner; the clock can be moved, and the pace changed."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.pace = 1 / 15

    def frame(self, pixels: object) -> Frame:
        self.now += self.pace
        return replace(super().frame(pixels), taken_at=self.now)  # type: ignore[arg-type]

    def still(self, pieces: Sequence[Piece] = (), count: int = 6, **look: object) -> list[Frame]:
        return super().still(pieces, count, size=SIZE, **look)

    def tumble(self, pieces: Sequence[Piece], resting: Sequence[Piece] = (), count: int = 10) -> list[Frame]:
        frames = super().tumble(pieces, resting, count)
        return [replace(frame, pixels=frame.pixels[::2, ::2].copy()) for frame in frames]


@pytest.fixture
def film() -> SmallFilm:
    return SmallFilm()


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline(ColourFinder(), ColourReader(), colour_arrivals, None, LAYOUT)


def watch(pipeline: Pipeline, frames: list[Frame]) -> Observation:
    for frame in frames:
        observation = pipeline.process(frame)
    return observation


def marks(observation: Observation) -> dict[str, Handling | None]:
    return {str(die.reading.face): die.handled for die in observation.dice}


def reasons(observation: Observation) -> list[Blindness]:
    return [interval.reason for interval in observation.blind]


def test_a_die_turned_under_a_covered_lens_is_unseen(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    watch(pipeline, film.still((), 15, light=0.04))
    seen = watch(pipeline, film.still(TURNED))
    assert seen.at_rest
    assert marks(seen) == {"happy": None, "two": Handling.UNSEEN, "sad": None}
    assert reasons(seen) == [Blindness.LENS]
    (blind,) = seen.blind
    assert (blind.began, blind.ended) == (pytest.approx(6 / 15), pytest.approx(22 / 15))


def test_a_lens_covered_for_a_moment_hides_as_much_as_it_can(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    watch(pipeline, film.still((), 6, light=0.04))
    assert marks(watch(pipeline, film.still(TURNED)))["two"] is Handling.UNSEEN


def test_nothing_is_marked_where_nothing_changed_and_the_table_is_read_afresh(film: SmallFilm) -> None:
    finder = ColourFinder()
    pipeline = Pipeline(finder, ColourReader(), colour_arrivals, None, LAYOUT)
    before, calls = watch(pipeline, film.still(DICE)), finder.calls
    watch(pipeline, film.still((), 20, light=0.04))
    seen = watch(pipeline, film.still(DICE))
    assert (seen.throw, marks(seen)) == (before.throw, dict.fromkeys(("happy", "star", "sad")))
    assert finder.calls > calls
    assert seen.at_rest


def test_a_turned_die_that_looks_alike_in_the_small_picture_is_read_afresh(film: SmallFilm) -> None:
    reader = ColourReader()
    pipeline = Pipeline(ColourFinder(), reader, colour_arrivals, None, LAYOUT)
    watch(pipeline, film.still(DICE))
    film.now += 5.0
    reader.doubts = "star"
    (star,) = (die for die in watch(pipeline, film.still(DICE)).dice if die.reading.face == "star")
    assert not star.reading.accepted


def test_a_die_turned_while_no_frames_came_is_unseen(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    film.now += 0.7
    seen = watch(pipeline, film.still(TURNED))
    assert (marks(seen)["two"], reasons(seen)) == (Handling.UNSEEN, [Blindness.NO_FRAMES])


def upright(frames: list[Frame]) -> list[Frame]:
    """The frames as a phone sends them that was turned by a quarter."""
    return [replace(frame, pixels=np.rot90(frame.pixels).copy()) for frame in frames]


def test_dice_thrown_while_a_phone_is_turned_are_unseen(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    thrown = film.tumble(TURNED[1:2], (DICE[0], DICE[2]))
    watch(pipeline, [*thrown[:5], *upright(thrown[5:])])
    seen = watch(pipeline, upright(film.still(TURNED)))
    assert marks(seen) == {"happy": None, "two": Handling.UNSEEN, "sad": None}
    assert reasons(seen) == [Blindness.NO_FRAMES]


def test_dice_that_lie_as_they_lay_are_not_marked_when_a_phone_is_turned(pipeline: Pipeline, film: SmallFilm) -> None:
    before = watch(pipeline, film.still(DICE))
    seen = watch(pipeline, upright(film.still(DICE)))
    assert (seen.throw, marks(seen)) == (before.throw, dict.fromkeys(("happy", "star", "sad")))


def test_a_die_carried_while_no_frames_came_is_unseen(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    film.now += 3.0
    seen = watch(pipeline, film.still((DICE[0], replace(DICE[1], x=60), DICE[2])))
    assert marks(seen) == {"happy": None, "star": Handling.UNSEEN, "sad": None}


def test_a_camera_that_was_lost_for_a_moment_hides_what_changed(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    pipeline.mark_lost()
    seen = watch(pipeline, film.still(TURNED))
    assert (marks(seen)["two"], reasons(seen)) == (Handling.UNSEEN, [Blindness.NO_FRAMES])


def test_the_first_table_was_not_seen_before(pipeline: Pipeline, film: SmallFilm) -> None:
    seen = watch(pipeline, film.still(DICE))
    assert reasons(seen) == [Blindness.RESTART]
    assert set(marks(seen).values()) == {None}
    after = watch(pipeline, [*film.tumble(DICE[:1], DICE[1:]), *film.still(DICE)])
    assert after.blind == ()


def test_a_throw_that_is_seen_to_roll_after_a_gap_is_not_marked(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still())
    watch(pipeline, film.still((), 20, light=0.04))
    seen = watch(pipeline, [*film.tumble(DICE), *film.still(DICE)])
    assert (seen.throw, set(marks(seen).values())) == (1, {None})


def test_dice_that_came_to_rest_in_a_gap_are_unseen_and_those_before_it_are_not(
    pipeline: Pipeline, film: SmallFilm
) -> None:
    watch(pipeline, film.still())
    watch(pipeline, film.tumble(DICE[:1]))
    watch(pipeline, film.tumble(DICE[1:], DICE[:1])[:2])  # the other eight frames are lost
    seen = watch(pipeline, film.still(DICE))
    assert marks(seen) == {"happy": None, "star": Handling.UNSEEN, "sad": Handling.UNSEEN}
    assert reasons(seen) == [Blindness.NO_FRAMES]


def test_lost_pictures_here_and_there_mark_nothing(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still())
    frames = [*film.tumble(DICE, count=14), *film.still(DICE, 8)]
    seen = watch(pipeline, [frame for number, frame in enumerate(frames) if number % 4])
    assert (seen.throw, set(marks(seen).values()), seen.blind) == (1, {None}, ())


def test_a_mark_goes_with_the_next_throw(pipeline: Pipeline, film: SmallFilm) -> None:
    watch(pipeline, film.still(DICE))
    film.now += 3.0
    watch(pipeline, film.still(TURNED))
    again = replace(TURNED[1], face="star", x=130, y=60)
    seen = watch(pipeline, [*film.tumble((again,), (DICE[0], DICE[2])), *film.still((DICE[0], again, DICE[2]))])
    assert (seen.throw, marks(seen)["star"]) == (2, None)


def test_a_slow_camera_is_said_and_what_it_cannot_follow_is_unseen(pipeline: Pipeline, film: SmallFilm) -> None:
    film.pace = 1 / 3
    before = watch(pipeline, film.still(DICE, 12))
    assert before.doubts == (TOO_SLOW,)
    after = watch(pipeline, film.still(TURNED, 4))
    assert (after.at_rest, marks(after)["two"]) == (True, Handling.UNSEEN)
    film.pace = 1 / 15
    assert watch(pipeline, film.still(TURNED, 10)).doubts == ()


@pytest.mark.parametrize(("pause", "is_spared", "is_told"), [(0.4, True, False), (0.4, False, True), (0.8, True, True)])
def test_a_camera_that_waits_on_purpose_while_nothing_moves_has_no_gap(
    pause: float, is_spared: bool, is_told: bool, pipeline: Pipeline, film: SmallFilm
) -> None:
    watch(pipeline, film.still(DICE))
    film.now += pause - film.pace
    first, *tumbling = film.tumble(TURNED)
    watch(pipeline, [replace(first, is_spared=is_spared), *tumbling, *film.still(TURNED)])
    assert (Blindness.NO_FRAMES in reasons(pipeline.process(film.still(TURNED, 1)[0]))) == is_told
