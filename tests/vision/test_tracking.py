"""Which die is which, and which were thrown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from painted import LAYOUT, SCALE, TOP, reading
from painted import LEFT as LEFT_PX

from referee.dice import Handling, Zone
from vision.arrival import Arrival
from vision.motion_burst import BurstFilm, FilmPicture, MotionBurst
from vision.observations import TrackedDie
from vision.tracking import Tracker

SMALL = 0.25
ROLLED, BY_HAND = Arrival(1.0, 0.0, 0.0, 0.0), Arrival(0.0, 0.6, 0.4, 0.0)
UNTOUCHED = Arrival(0.0, 0.0, 0.0, 1.0)
Places = tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class ToldFilm(BurstFilm):
    """A film of which it is said how dice came to some places (mm)."""

    ways: tuple[tuple[Arrival, Places], ...] = ()

    def at(self, x: float, y: float, edge: float) -> Arrival:
        for arrival, places in self.ways:
            if any(np.hypot(*(_small(*place) - (x, y))) < edge for place in places):
                return arrival
        return UNTOUCHED


def _small(x: float, y: float) -> np.ndarray:
    return np.array([LEFT_PX + x * SCALE, TOP + y * SCALE]) * SMALL


@pytest.fixture
def tracker() -> Tracker:
    return Tracker(LAYOUT, tell=tell)


def tell(film: BurstFilm, places: Sequence[tuple[float, float, float]]) -> list[Arrival]:
    assert isinstance(film, ToldFilm)
    return [film.at(*place) for place in places]


def burst(rolled: Places = (), under_hand: Places = (), changed: Places = ()) -> MotionBurst:
    """A burst in which dice rolled to some places (mm), and a hand brought them to others."""
    still, differs = np.full((240, 320, 3), 90, np.uint8), np.zeros((240, 320), np.uint8)
    for place in (*rolled, *under_hand, *changed):
        column, row = _small(*place)
        reach = 8 * SCALE * SMALL
        top, left = max(0, int(row - reach)), max(0, int(column - reach))
        differs[top : int(row + reach), left : int(column + reach)] = 255
    return MotionBurst(SMALL, differs, ToldFilm(still, (), still, ways=((ROLLED, rolled), (BY_HAND, under_hand))))


def told(dice: tuple[TrackedDie, ...]) -> list[tuple[int, str, int]]:
    return [(die.number, str(die.reading.face), die.thrown) for die in dice]


def test_dice_that_lie_there_at_first_were_not_thrown(tracker: Tracker) -> None:
    assert told(tracker.settle([reading(50, 50), reading(270, 150, "star")])) == [(1, "happy", 0), (2, "star", 0)]
    assert [die.zone for die in tracker.dice] == [Zone.FIELD, Zone.ASIDE]
    assert tracker.throw == 0


def test_dice_that_come_rolling_in_are_one_throw(tracker: Tracker) -> None:
    tracker.settle([])
    places = ((50, 50), (100, 100), (150, 60))
    dice = tracker.settle([reading(*place) for place in places], burst(rolled=places))
    assert tracker.throw == 1
    assert [die.thrown for die in dice] == [1, 1, 1]


def test_unmoved_dice_keep_number_and_throw(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50), reading(100, 100, "star")])
    dice = tracker.settle(
        [reading(100.6, 99.5, "star"), reading(150, 60, "sad"), reading(50.4, 50)], burst(rolled=((150, 60),))
    )
    assert told(dice) == [(1, "happy", 0), (2, "star", 0), (3, "sad", 1)]


def test_thrown_dice_take_the_numbers_of_the_vanished(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50), reading(200, 100, "star")])
    rolled = ((60, 120), (180, 180))
    dice = tracker.settle(
        [reading(60, 120, "sad"), reading(180, 180, "two")], burst(rolled=rolled, changed=((50, 50), (200, 100)))
    )
    assert told(dice) == [(1, "sad", 1), (2, "two", 1)]


def test_dice_picked_up_and_thrown_later_keep_their_numbers(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50), reading(200, 100, "star")])
    tracker.settle([reading(200, 100, "star")], burst(under_hand=((50, 50),)))
    assert tracker.is_short
    dice = tracker.settle([reading(200, 100, "star"), reading(120, 60, "happy")], burst(rolled=((120, 60),)))
    assert told(dice) == [(1, "happy", 1), (2, "star", 0)]
    assert tracker.throw == 1


def test_a_die_carried_to_the_bay_keeps_its_number_and_its_throw(tracker: Tracker) -> None:
    tracker.settle([])
    rolled = ((50, 50), (100, 100))
    tracker.settle([reading(50, 50), reading(100, 100, "star")], burst(rolled=rolled))
    hand = burst(under_hand=((100, 100), (270, 150)))
    dice = tracker.settle([reading(50, 50), reading(270, 150, "star")], hand)
    assert told(dice) == [(1, "happy", 1), (2, "star", 1)]
    assert dice[1].zone is Zone.ASIDE
    assert tracker.throw == 1


def test_some_dice_are_carried_while_others_are_thrown(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50), reading(100, 100, "star"), reading(150, 60, "sad")])
    mixed = burst(under_hand=((50, 50), (100, 100), (150, 60), (270, 150)), rolled=((70, 140), (180, 90)))
    dice = tracker.settle([reading(270, 150, "star"), reading(70, 140, "happy"), reading(180, 90, "two")], mixed)
    assert told(dice) == [(1, "happy", 1), (2, "star", 0), (3, "two", 1)]
    assert [die.zone for die in dice] == [Zone.FIELD, Zone.ASIDE, Zone.FIELD]


def test_a_thrown_die_that_rolls_into_the_bay_belongs_to_the_field(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50, "star")])
    dice = tracker.settle([reading(270, 150, "star")], burst(under_hand=((50, 50),), rolled=((270, 150),)))
    assert (dice[0].zone, dice[0].thrown, tracker.throw) == (Zone.FIELD, 1, 1)


def test_a_die_that_lay_outside_after_its_throw_and_is_laid_back_has_left(tracker: Tracker) -> None:
    tracker.settle([])
    tracker.settle([reading(50, 50), reading(-20, 90, "star")], burst(rolled=((50, 50), (-20, 90))))
    hand = burst(under_hand=((-20, 90), (120, 100)))
    stayed, returned = tracker.settle([reading(50, 50), reading(120, 100, "star")], hand)
    assert (returned.zone, returned.handled, returned.thrown) == (Zone.FIELD, Handling.RETURNED, 1)
    assert stayed.handled is None


def test_a_die_that_a_hand_carried_out_and_back_has_not_left(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50), reading(100, 100, "star")])
    tracker.settle([reading(50, 50), reading(-20, 90, "star")], burst(under_hand=((100, 100), (-20, 90))))
    _, back = tracker.settle([reading(50, 50), reading(100, 100, "star")], burst(under_hand=((-20, 90), (100, 100))))
    assert back.handled is not Handling.RETURNED


def test_a_thrown_die_beyond_the_rectangle_is_out(tracker: Tracker) -> None:
    tracker.settle([])
    assert tracker.settle([reading(-30, 100)], burst(rolled=((-30, 100),)))[0].zone is Zone.OUT


def test_a_thrown_die_in_the_bay_is_aside_once_a_hand_has_put_it_there(tracker: Tracker) -> None:
    tracker.settle([])
    tracker.settle([reading(270, 100)], burst(rolled=((270, 100),)))
    tracker.settle([reading(150, 100)], burst(under_hand=((270, 100), (150, 100))))
    dice = tracker.settle([reading(270, 150)], burst(under_hand=((150, 100), (270, 150))))
    assert (dice[0].zone, dice[0].thrown) == (Zone.ASIDE, 1)


def test_a_thrown_die_in_the_bay_is_aside_once_a_hand_has_moved_it_within_the_bay(tracker: Tracker) -> None:
    tracker.settle([])
    tracker.settle([reading(270, 60)], burst(rolled=((270, 60),)))
    dice = tracker.settle([reading(270, 150)], burst(under_hand=((270, 60), (270, 150))))
    assert (dice[0].zone, dice[0].thrown) == (Zone.ASIDE, 1)


def test_a_thrown_die_in_the_bay_that_another_throw_pushes_belongs_to_the_field(tracker: Tracker) -> None:
    tracker.settle([])
    tracker.settle([reading(270, 60)], burst(rolled=((270, 60),)))
    pushed = burst(rolled=((100, 60),), under_hand=((270, 92),))
    dice = tracker.settle([reading(270, 92), reading(100, 60, "star")], pushed)
    assert (dice[0].zone, tracker.throw) == (Zone.FIELD, 2)


def test_a_die_moved_about_the_field_by_hand_was_not_thrown(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50, "star")])
    dice = tracker.settle([reading(150, 120, "star")], burst(under_hand=((50, 50), (150, 120))))
    assert (told(dice), tracker.throw) == ([(1, "star", 0)], 0)


def test_a_die_laid_down_with_another_face_counts_as_thrown(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50, "star")])
    dice = tracker.settle([reading(150, 120, "sad")], burst(under_hand=((50, 50), (150, 120))))
    assert told(dice) == [(1, "sad", 1)]


def test_a_lone_die_rethrown_to_the_same_face_was_thrown(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50, "star")])
    tracker.settle([], burst(under_hand=((50, 50),)))
    assert told(tracker.settle([reading(150, 120, "star")], burst(rolled=((150, 120),)))) == [(1, "star", 1)]


def test_a_die_nudged_by_a_thrown_one_keeps_its_throw(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star")])
    pushed = burst(rolled=((60, 60),), under_hand=((118, 104),))
    dice = tracker.settle([reading(118, 104, "star"), reading(60, 60, "sad")], pushed)
    assert told(dice) == [(1, "star", 0), (2, "sad", 1)]


def test_a_lookalike_thrown_to_the_spot_of_a_die_picked_up_was_thrown(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star")])
    tracker.settle([], burst(under_hand=((100, 100),)))
    assert told(tracker.settle([reading(102, 101, "star")], burst(rolled=((102, 101),)))) == [(1, "star", 1)]


def test_a_flicker_of_the_reader_on_an_untouched_die_is_no_throw(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star", 0.97)])
    dice = tracker.settle([reading(100, 100, "sad", 0.6), reading(60, 60)], burst(rolled=((60, 60),)))
    assert told(dice)[0] == (1, "star", 0)


def test_a_die_that_lies_to_a_hair_as_before_did_not_move_though_others_flew_over_it(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star"), reading(60, 60)])
    over = burst(rolled=((150, 150),), changed=((60, 60), (100, 100)))
    dice = tracker.settle([reading(101, 100, "star"), reading(150, 150, "sad")], over)
    assert told(dice) == [(1, "star", 0), (2, "sad", 1)]


def test_a_second_reading_of_the_same_die_is_no_other_die(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star")])
    assert len(tracker.read_again([reading(100, 100, "star"), reading(106, 103, "sad", 0.4)])) == 1


def test_a_die_turned_over_in_its_place_is_noticed(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star")])
    dice = tracker.settle([reading(100, 100, "sad")], burst(under_hand=((100, 100),)))
    assert told(dice) == [(1, "sad", 1)]


def test_a_die_overlooked_where_nothing_changed_stays(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star"), reading(50, 50)])
    assert len(tracker.settle([reading(50, 50)], burst(rolled=((200, 150),)))) == 2
    assert tracker.is_unsure


def test_a_die_overlooked_too_often_is_gone(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star"), reading(50, 50)])
    for _ in range(3):
        tracker.settle([reading(50, 50)], burst(rolled=((200, 150),)))
    assert told(tracker.dice) == [(2, "happy", 0)]


def test_a_die_found_late_where_nothing_changed_was_not_thrown(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50)])
    dice = tracker.settle([reading(50, 50), reading(100, 100, "star")], burst(rolled=((200, 150),)))
    assert told(dice)[1] == (2, "star", 0)
    assert tracker.throw == 0


def test_a_second_reading_fills_in_a_die_of_the_same_throw(tracker: Tracker) -> None:
    tracker.settle([])
    tracker.settle([reading(50, 50)], burst(rolled=((50, 50), (100, 100))))
    dice = tracker.read_again([reading(50, 50), reading(100, 100, "star")])
    assert (told(dice), tracker.throw) == ([(1, "happy", 1), (2, "star", 1)], 1)


def test_a_second_reading_takes_no_die_that_is_only_coming_in(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50)])
    tracker.settle([], burst(under_hand=((50, 50),)))
    assert tracker.read_again([reading(150, 220)]) == ()


def test_dice_keep_their_numbers_when_the_tray_is_found_or_lost(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50), reading(270, 150, "star")], None, calibrated=True)
    dice = tracker.settle([reading(270, 150, "star"), reading(50, 50)], None, calibrated=False)
    assert told(dice) == [(1, "happy", 0), (2, "star", 0)]
    assert [die.zone for die in dice] == [Zone.FIELD, Zone.FIELD]


def test_a_die_that_fingers_turned_is_noticed_though_its_place_looks_the_same(tracker: Tracker) -> None:
    tracker.settle([reading(100, 100, "star")])
    seen = replace(burst(under_hand=((100, 100),)), changed=np.zeros((240, 320), np.uint8))
    dice = tracker.settle([reading(100, 100, "sad")], seen)
    assert told(dice) == [(1, "sad", 1)]


@pytest.mark.parametrize(
    ("arrival", "handled"),
    [
        (Arrival(0.95, 0.03, 0.02, 0.0), None),
        (Arrival(0.3, 0.5, 0.2, 0.0), Handling.PLACED),
        (Arrival(0.3, 0.2, 0.5, 0.0), Handling.TURNED),
        (Arrival(0.3, 0.2, 0.5, 0.0, longest_step=0.4), Handling.UNSEEN),
    ],
)
def test_a_die_that_was_hardly_thrown_is_marked(arrival: Arrival, handled: Handling | None) -> None:
    tracker = Tracker(LAYOUT, tell=lambda _, places: [arrival] * len(places))
    tracker.settle([reading(100, 100, "star")])
    (die,) = tracker.settle([reading(102, 100, "sad")], burst(changed=((100, 100),)))
    assert (die.thrown, die.handled) == (1, handled)
    assert die.chance == (None if handled is Handling.UNSEEN else arrival.thrown)


def test_a_die_that_is_turned_in_the_bay_is_marked_and_lies_there(tracker: Tracker) -> None:
    tracker.settle([reading(270, 150, "star")])
    (die,) = tracker.settle([reading(270, 150, "sad")], burst(under_hand=((270, 150),)))
    assert (die.handled, die.zone, die.thrown) == (Handling.PLACED, Zone.ASIDE, 1)


def test_a_die_that_came_while_nobody_could_see_it_was_not_moved_for_showing_the_same(tracker: Tracker) -> None:
    tracker.settle([reading(50, 50, "star"), reading(150, 60, "sad")])
    hidden = replace(
        burst(under_hand=((50, 50), (100, 100))), unseen=np.full((240, 320), 255, np.uint8), seen_since=1.0
    )
    dice = tracker.settle([reading(100, 100, "star"), reading(150, 60, "sad")], hidden)
    assert [(die.handled, die.thrown) for die in dice] == [(Handling.UNSEEN, 1), (None, 0)]


@pytest.mark.parametrize(("right", "handled"), [(6.0, Handling.UNSEEN), (0.3, None)])
def test_a_die_that_came_unseen_about_where_one_lay_with_its_face_is_that_one_only_to_the_pixel(
    right: float, handled: Handling | None
) -> None:
    tracker = Tracker(LAYOUT, tell=lambda _, places: [Arrival(0.7, 0.2, 0.0, 0.1)] * len(places))
    tracker.settle([reading(100, 100, "star")])
    hidden = replace(burst(changed=((100, 100),)), unseen=np.full((240, 320), 255, np.uint8), seen_since=1.0)
    (die,) = tracker.settle([reading(100 + right, 100, "star")], hidden)
    assert (die.handled, die.thrown) == (handled, 1 if handled else 0)


def test_a_die_that_a_throw_shook_in_its_place_was_hardly_thrown(tracker: Tracker) -> None:
    shaken, rolled = ((100, 100),), ((150, 60),)
    over = burst(changed=(*shaken, *rolled))
    assert over.film is not None
    told_so = ToldFilm(
        over.film.before, (), over.film.after, ways=((ROLLED, rolled), (Arrival(0.5, 0.4, 0.0, 0.1), shaken))
    )
    tracker.settle([reading(100, 100, "star")])
    dice = tracker.settle([reading(101, 100, "star"), reading(150, 60)], replace(over, film=told_so))
    assert told(dice) == [(1, "star", 0), (2, "happy", 1)]
    assert dice[0].chance is None


@pytest.mark.parametrize(
    ("hand_at", "handled"), [((40, 60), None), ((105, 110), Handling.PLACED), (None, Handling.PLACED)]
)
def test_where_no_hand_was_a_die_that_comes_into_view_is_hardly_laid_down(
    hand_at: tuple[int, int] | None, handled: Handling | None
) -> None:
    tracker = Tracker(LAYOUT, tell=lambda _, places: [Arrival(0.5, 0.4, 0.1, 0.0)] * len(places))
    tracker.settle([reading(200, 100, "star")])
    tracker.settle([], burst(changed=((200, 100),)))
    still, hand = np.zeros((240, 320, 3), np.uint8), np.zeros((240, 320), np.uint8)
    if hand_at:
        column, row = map(int, _small(*hand_at))
        hand[row - 3 : row + 3, :column] = 255
    pictures = (FilmPicture(1.0, 0.1, still, hand, hand if hand_at else None),)
    seen = replace(burst(changed=((120, 110),)), film=BurstFilm(still, pictures, still))
    (die,) = tracker.settle([reading(120, 110, "sad")], seen)
    assert (die.thrown, die.handled) == (1, handled)
    assert die.chance == pytest.approx(0.5 if handled else 0.909, abs=0.01)
