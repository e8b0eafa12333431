"""The odds of Toss Up!: known figures, and the referee's own rulings tried with every outcome of a roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from math import comb, sqrt
from random import Random

import pytest
from toss_up_table import done, new_game, turn

from referee.chances import Chance
from referee.games.toss_up.odds import (
    PRINTED,
    Reading,
    all_yellow,
    bust,
    chances,
    fewest_turns,
    greens,
    reach,
    roll_values,
    ten_green,
)
from referee.games.toss_up.state import TossUpState, end_refusal, taken_back, throws

READINGS: tuple[dict[str, str], ...] = (
    {},
    {"ten-green": "roll-on"},
    {"new-green": "may-roll"},
    {"last-yellow": "red-light"},
    {"ten-green": "roll-on", "new-green": "may-roll", "last-yellow": "red-light"},
)
every_reading = pytest.mark.parametrize(
    "options", READINGS, ids=lambda options: "-".join(options.values()) or "printed"
)


def outcomes(count: int) -> Iterator[tuple[str, Fraction]]:
    """Every roll of so many dice, and its chance: three sides green, two yellow, one red."""
    for green in range(count + 1):
        for yellow in range(count - green + 1):
            ways = comb(count, green) * comb(count - green, yellow) * 3**green * 2**yellow
            yield f"{green}g {yellow}y {count - green - yellow}r", Fraction(ways, 6**count)


def ruled(state: TossUpState, count: int) -> Iterator[tuple[TossUpState | None, float]]:
    """What the referee makes of every roll of so many dice, None for a red light, and its chance."""
    for text, chance in outcomes(count):
        after = done(state, text)
        yield (after if after.rolled else None), float(chance)


def in_hand(count: int, points: int, options: dict[str, str]) -> TossUpState:
    """Ann with so many dice in hand, all of them yellow; none in hand is ten green."""
    return played_by(options, turn(f"{count}y" if count else "", points))


def played_by(options: dict[str, str], state: TossUpState) -> TossUpState:
    """The same where the table has chosen these readings."""
    return replace(state, options={**state.options, **options})


@pytest.fixture(autouse=True, scope="module")
def worked_out_here() -> None:
    """Every figure is worked out by these tests: none is left over from tests before them."""
    for kept in (ten_green, roll_values, reach, fewest_turns):
        kept.cache_clear()


# Known figures


@pytest.mark.parametrize(
    ("count", "percent"),
    [(1, 16.67), (2, 13.89), (3, 8.80), (4, 5.02), (5, 2.71), (6, 1.43), (7, 0.74), (8, 0.38), (9, 0.19), (10, 0.096)],
)
def test_the_chance_of_a_red_light(count: int, percent: float) -> None:
    assert float(bust(count)) * 100 == pytest.approx(percent, abs=0.005)
    assert bust(count) == Fraction(1, 2**count) - Fraction(1, 3**count)


def test_the_best_turn_brings_13_and_a_quarter() -> None:
    assert roll_values()[0][10] == pytest.approx(13.24, abs=0.005)


def test_the_points_below_which_one_rolls() -> None:
    rows = roll_values()
    ends = [next((points for points, row in enumerate(rows) if row[dice] <= points), 451) for dice in range(1, 11)]
    assert ends[:6] == [25, 22, 27, 48, 99, 217]
    assert min(ends[6:]) > 450
    assert rows[24][1] > 24
    assert rows[25][1] <= 25


def test_ten_green_before_a_red_light() -> None:
    assert float(ten_green(10)) == pytest.approx(0.69738, abs=0.000005)
    assert ten_green(0) == 1
    assert ten_green(1) == Fraction(3, 4)
    assert ten_green(1, Reading(last_yellow_red=True)) == Fraction(1, 2)


def test_the_fewest_turns_alone() -> None:
    assert fewest_turns(100)[0] == pytest.approx(7.763, abs=0.0005)
    assert fewest_turns(101)[0] == pytest.approx(7.823, abs=0.0005)
    assert len(fewest_turns(100)) == 100
    assert fewest_turns(101)[1:] == pytest.approx(fewest_turns(100))


# The same from the referee's rulings


def test_the_chances_of_a_roll_are_whole() -> None:
    for count in range(1, 11):
        assert sum(greens(count, green) for green in range(1, count + 1)) + bust(count) + all_yellow(count) == 1
    assert greens(3, 2) == Fraction(3, 8)


@every_reading
@pytest.mark.parametrize("count", range(1, 11))
def test_red_lights_are_as_the_referee_rules(options: dict[str, str], count: int) -> None:
    state = in_hand(count, 10 - count, options)
    lost = sum(chance for text, chance in outcomes(count) if not done(state, text).rolled)
    assert bust(count, Reading.of(state)) == lost


@every_reading
@pytest.mark.parametrize(("count", "points"), [(1, 9), (1, 39), (2, 8), (2, 28), (3, 7), (4, 46), (5, 5), (6, 204)])
def test_the_value_of_a_roll_is_that_of_all_its_rulings(options: dict[str, str], count: int, points: int) -> None:
    state = in_hand(count, points, options)
    values = [(_best(after) if after else 0.0, chance) for after, chance in ruled(state, count)]
    expected = sum(value * chance for value, chance in values)
    assert roll_values(Reading.of(state))[points][count] == pytest.approx(expected, abs=1e-9)


@every_reading
def test_the_value_of_ten_dice_is_that_of_all_its_rulings(options: dict[str, str]) -> None:
    for points in (0, 10, 60):
        state = in_hand(0, points, options) if points else played_by(options, new_game())
        expected = sum((_best(after) if after else 0.0) * chance for after, chance in ruled(state, 10))
        row = roll_values(Reading.of(state))[points]
        assert row[10] == row[0] == pytest.approx(expected, abs=1e-9)


def _best(state: TossUpState) -> float:
    """The best that the rules allow now, by the table of the rolls' values."""
    rows = roll_values(Reading.of(state))
    rolls = [rows[state.points - taken_back(state, count)][count] for count in throws(state)]
    return max(rolls) if end_refusal(state) else max(state.points, *rolls)


@every_reading
@pytest.mark.parametrize(("count", "needed"), [(1, 1), (2, 1), (2, 5), (3, 3), (4, 20), (10, 4), (10, 10), (10, 11)])
def test_the_chance_to_reach_points_is_that_of_all_rulings(options: dict[str, str], count: int, needed: int) -> None:
    state = in_hand(count % 10, 10 - count % 10, options)
    goal = state.points + needed
    reading = Reading.of(state)
    expected = sum(_reaching(after, goal, reading) * chance for after, chance in ruled(state, count) if after)
    assert reach(needed, count, reading) == pytest.approx(expected, abs=1e-9)


def _reaching(state: TossUpState, goal: int, reading: Reading) -> float:
    if state.points >= goal and not end_refusal(state):
        return 1.0
    if state.points >= goal:
        return _ends(reading)
    return max(reach(goal - state.points + taken_back(state, count), count, reading) for count in throws(state))


def _ends(reading: Reading) -> float:
    """From ten green that have to be rolled on: the chance that some roll leaves a die that is not green."""
    assert reading.rolls_on
    chance = 0.0
    for _ in range(20):
        chance = float(1 - bust(10) - greens(10, 10)) + float(greens(10, 10)) * chance
    return chance


def test_points_are_reached_as_they_are_reckoned() -> None:
    assert reach(1, 3) == pytest.approx((1 - 1 / 8) / (1 - 1 / 27))
    assert reach(10, 10) == pytest.approx(float(ten_green(10)))
    assert reach(3, 3) == pytest.approx(float(ten_green(3)))


def test_the_fewest_turns_to_a_near_goal_by_trying_every_ruling() -> None:
    goal, nearer = 12, list[float]()
    for short in range(1, goal + 1):
        nearer.append(_fixed_point(partial(_turns_over, short, nearer)))
    assert fewest_turns(goal) == pytest.approx(tuple(reversed(nearer)), abs=1e-9)


def _fixed_point(better: Callable[[float], float]) -> float:
    guess = 1.0
    while abs(better(guess) - guess) > 1e-13:
        guess = better(guess)
    return guess


def _turns_over(short: int, nearer: list[float], guess: float) -> float:
    """What one turn and those after it come to, so many points short, where a lost turn costs the guess."""

    @cache
    def cost(points: int) -> float:
        if points >= short:
            return 0.0
        return min(nearer[short - points - 1], roll(points)) if points else roll(points)

    def roll(points: int) -> float:
        fell = RULED[10 - points % 10]
        red = sum(chance for after, chance in fell if after is None)
        same = sum(chance for after, chance in fell if after and not after.fresh)
        green = sum(chance * cost(points + after.fresh) for after, chance in fell if after and after.fresh)
        return (red * guess + green) / (1 - same)

    return 1 + cost(0)


RULED = {count: list(ruled(in_hand(count % 10, 10 - count % 10, {}), count)) for count in range(1, 11)}
"""The rulings on every roll of so many dice."""


# Played


def fall(random: Random, count: int) -> str:
    fell = random.choices("gyr", (3, 2, 1), k=count)
    return " ".join(f"{fell.count(colour)}{colour}" for colour in "gyr")


def advised(state: TossUpState) -> int:
    """How many dice the figures say to roll, 0 to end the turn."""
    (figure,) = (figure for figure in chances(state) if figure.advised)
    return int(figure.what.split()[1]) if figure.what.startswith("Roll") else 0


def points_of_a_turn(random: Random, decide: Callable[[TossUpState], int]) -> int:
    state = new_game()
    while state.seat == 1:
        count = decide(state)
        state = done(state, fall(random, count) if count else "end")
    return state.scores[0]


def test_turns_played_as_advised_bring_what_they_should() -> None:
    random, turns = Random(13), 500  # noqa: S311 - a game's dice, not a secret
    points = [points_of_a_turn(random, advised) for _ in range(turns)]
    mean = sum(points) / turns
    error = sqrt(sum((each - mean) ** 2 for each in points) / (turns - 1) / turns)
    assert abs(mean - roll_values()[0][10]) < 3 * error < 2


def test_rolling_on_to_ten_green_goes_well_as_often_as_it_should() -> None:
    random, turns = Random(69), 500  # noqa: S311 - a game's dice, not a secret
    to_ten_green = [
        points_of_a_turn(random, lambda state: 10 - state.aside if state.points < 10 else 0) for _ in range(turns)
    ]
    share = sum(points == 10 for points in to_ten_green) / turns
    assert abs(share - float(ten_green(10))) < 3 * sqrt(0.7 * 0.3 / turns)


# At the table


def shown(state: TossUpState) -> list[tuple[str, float, str, bool]]:
    return [(each.what, round(each.value, 4), each.unit, each.advised) for each in chances(state)]


def test_at_the_start_there_is_one_way() -> None:
    assert shown(new_game()) == [
        ("Roll 10 dice: a red light", 0.001, "chance", False),
        ("Roll 10 dice, then on while it pays", 13.2393, "points", True),
        ("Ten green before a red light", 0.6974, "chance", False),
    ]


def test_what_brings_more_points_is_advised() -> None:
    few = shown(turn("1y", 19))
    assert few[0] == ("Roll 1 die: a red light", 0.1667, "chance", False)
    assert few[1][0] == "Roll 1 die, then on while it pays"
    assert few[1][2:] == ("points", True)
    assert few[2:] == [
        ("End the turn", 19, "points", False),
        ("Ten green before a red light", 0.75, "chance", False),
    ]
    many = shown(turn("1y", 29))
    assert (many[1][1] < 29, many[1][3], many[2]) == (True, False, ("End the turn", 29, "points", True))


def test_where_the_turn_cannot_end_no_end_is_shown() -> None:
    figures = shown(turn("", 10, ten_green="roll-on"))
    assert [each[0] for each in figures] == [
        "Roll 10 dice: a red light",
        "Roll 10 dice, then on while it pays",
        "Ten green before a red light",
    ]
    assert figures[1][3]


def test_every_roll_that_the_table_allows_is_weighed() -> None:
    figures = chances(turn("3y", 7, fresh=3, new_green="may-roll"))
    rows = roll_values(Reading(takes_back=True))
    rolls = {each.what: each.value for each in figures if each.unit == "points"}
    assert rolls == {
        "Roll 3 dice, then on while it pays": rows[7][3],
        "Roll 4 dice, then on while it pays": rows[6][4],
        "Roll 5 dice, then on while it pays": rows[5][5],
        "End the turn": 7,
    }
    (best,) = (each for each in figures if each.advised)
    assert best.value == max(rolls.values())


def test_taking_green_back_is_advised_where_it_pays_and_only_there() -> None:
    def rolled(state: TossUpState) -> str:
        return next(each.what.partition(",")[0] for each in chances(state) if each.advised)

    assert rolled(turn("3y", 7, fresh=4, new_green="may-roll")) == "Roll 6 dice"
    assert rolled(turn("2y", 8, fresh=4, new_green="may-roll")) == "Roll 2 dice"
    behind = ((90, 99, 0), ())
    assert rolled(turn("3y", 7, 4, *behind, new_green="may-roll")) == "Roll 6 dice"
    assert rolled(turn("2y", 8, 4, *behind, new_green="may-roll")) == "Roll 2 dice"


def test_the_figures_are_those_of_the_table_s_readings() -> None:
    last_die = [each.value for each in chances(turn("1r", 9, last_yellow="red-light"))]
    assert (last_die[0], last_die[-1]) == (0.5, 0.5)
    chased = [each.value for each in chances(turn("1r", 9, scores=(0, 103), still=(), last_yellow="red-light"))]
    assert (chased[0], chased[-1]) == (0.5, 0.5)


def test_behind_in_a_last_turn_one_rolls_until_ahead() -> None:
    state = turn("3y", 7, scores=(90, 103, 0), still=())
    assert chances(state) == (
        Chance("Roll 3 dice: a red light", float(bust(3)), "chance"),
        Chance("Roll 3 dice, then on until 103 is passed", reach(7, 3), "chance", advised=True),
        Chance("Ten green before a red light", float(ten_green(3)), "chance"),
    )
    back = chances(turn("3y", 7, 2, scores=(90, 103, 0), still=(), new_green="may-roll"))
    assert back[1].value == reach(7, 3, Reading(takes_back=True))
    assert back[3].value == reach(8, 4, Reading(takes_back=True))
    assert [each.advised for each in back] == [
        False,
        back[1].value >= back[3].value,
        False,
        back[1].value < back[3].value,
        False,
    ]


def test_level_in_a_last_turn_nothing_is_advised() -> None:
    figures = chances(turn("3y", 13, scores=(90, 103, 0), still=()))
    assert figures[1] == Chance("Roll 3 dice, then on until 103 is passed", reach(1, 3), "chance")
    assert not any(each.advised for each in figures)


def test_ahead_in_the_very_last_turn_one_ends_it() -> None:
    figures = chances(turn("5y", 15, scores=(90, 103, 0), still=()))
    assert [each.what for each in figures if each.advised] == ["End the turn"]


def test_ahead_with_others_to_come_nothing_is_advised() -> None:
    figures = chances(turn("5y", 15, scores=(90, 103, 0), still=(3,)))
    assert "End the turn" in [each.what for each in figures]
    assert not any(each.advised for each in figures)


def test_a_game_that_is_over_has_no_odds() -> None:
    assert chances(done(turn("3y", 3, scores=(99, 101), still=()), "end")) == ()


def test_as_printed_no_reading_differs() -> None:
    assert Reading.of(new_game()) == PRINTED == Reading(False, False, False)
    assert Reading.of(new_game(ten_green="roll-on")) == Reading(rolls_on=True)
    assert Reading.of(new_game(new_green="may-roll")) == Reading(takes_back=True)
    assert Reading.of(new_game(last_yellow="red-light")) == Reading(last_yellow_red=True)
