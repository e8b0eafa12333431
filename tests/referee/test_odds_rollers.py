"""The odds of Rollers against an enumeration that knows nothing of them, and against dice thrown by chance."""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from random import Random

import pytest
from rollers_table import apply, new_game, turn

from referee.chances import Chance, odds
from referee.games.rollers import RollersState
from referee.games.rollers.odds import BlackDie as Black
from referee.games.rollers.odds import SetHand as Hand
from referee.games.rollers.odds import chances, hand_of, leaves_black, set_chance

PURPLE_SIDES, BLACK_SIDES = "12345*", "12345z"
DULL = str.maketrans("1245", "----")
"""To a player who wants 3s the other numbers are one and the same."""


def figures(state: RollersState) -> dict[str, float]:
    found = chances(state)
    assert all(chance.unit == "chance" and 0 <= chance.value <= 1 and not chance.advised for chance in found)
    return {chance.what: chance.value for chance in found}


# An independent enumeration: every side of every die, every handful saved, no reasoning about what is best to keep.

Thrown = tuple[str, ...]
"""The six dice, the black one first; '' where the roll that it fell in was cancelled."""


def counted(dice: Thrown, value: str) -> int:
    return sum(die in (value, "*") for die in dice)


def enumerated(wanted: int, rolls: int, dice: Thrown, bound: frozenset[int], final: bool) -> Fraction:
    """The best chance for so many 3s, over all the ways to save, and all the ways in which the others may fall."""

    @cache
    def best(rolls: int, dice: Thrown, bound: frozenset[int]) -> Fraction:
        if counted(dice, "3") >= wanted or not rolls:
            return Fraction(counted(dice, "3") >= wanted)
        alive = [place for place, die in enumerate(dice) if die]
        handfuls = [frozenset(each for each, kept in zip(alive, keeps, strict=True) if kept) for keeps in _keeps(alive)]
        return max(after(rolls, dice, saved) for saved in handfuls if bound <= saved and len(saved) < len(dice))

    @cache
    def after(rolls: int, dice: Thrown, saved: frozenset[int]) -> Fraction:
        rolled = [place for place in range(len(dice)) if place not in saved]
        sides = ((BLACK_SIDES if place == 0 else PURPLE_SIDES).translate(DULL) for place in rolled)
        ends = Counter(_fallen(dice, rolled, fall) for fall in product(*sides))
        bound = saved if final else frozenset[int]()
        return sum((ways * best(rolls - 1, end, bound) for end, ways in ends.items()), Fraction(0)) / ends.total()

    return best(rolls, dice, bound)


def _keeps(alive: list[int]) -> product[tuple[bool, ...]]:
    return product((True, False), repeat=len(alive))


def _fallen(dice: Thrown, rolled: list[int], fall: tuple[str, ...]) -> Thrown:
    new = dict(zip(rolled, fall, strict=True))
    zapped = "z" in fall
    return tuple(("" if zapped else new[place]) if place in new else die for place, die in enumerate(dice))


ONE_LEFT = [("b2 1 3 4 5 5", value) for value in range(1, 6)] + [("b3 3 3 * 1 1", 3), ("b4 * * * 1 1", 4)]


@pytest.mark.parametrize(("good", "value"), ONE_LEFT)
@pytest.mark.parametrize("more", [0, 1])
def test_one_roll_left_is_as_enumerated_with_all_six_dice(good: str, value: int, more: int) -> None:
    state = turn(good, rolls=2)
    dice = tuple(word.removeprefix("b") for word in good.split())
    keeping = frozenset(place for place, die in enumerate(dice) if die in (str(value), "*"))
    found = set_chance(hand_of(state, value, value + more), 1)
    assert found == _last_roll(value + more, value, dice, keeping)


def _last_roll(wanted: int, value: int, dice: Thrown, keeping: frozenset[int]) -> Fraction:
    """With one roll left: all purple dice that do not count are rolled, and the black one with them or not."""
    if len(keeping) >= wanted:
        return Fraction(1)
    ways = [keeping] if 0 in keeping else [keeping, keeping | {0}]
    return max(_hits(wanted, str(value), dice, saved) for saved in ways)


def _hits(wanted: int, value: str, dice: Thrown, saved: frozenset[int]) -> Fraction:
    rolled = [place for place in range(6) if place not in saved]
    falls = list(product(*(BLACK_SIDES if place == 0 else PURPLE_SIDES for place in rolled)))
    return Fraction(sum(counted(_fallen(dice, rolled, fall), value) >= wanted for fall in falls), len(falls))


def smaller(
    wanted: int, rolls: int, dice: Thrown, final: bool = False, bound: frozenset[int] = frozenset()
) -> Fraction:
    """The same game with fewer purple dice, as the odds have it: those that are not there are stuck for good."""
    black = {"": Black.TO_ROLL, "3": Black.COUNTS}.get(dice[0], Black.BOUND if 0 in bound else Black.FREE)
    stuck = 5 - (len(dice) - 1) + sum(place > 0 and dice[place] not in "3*" for place in bound)
    return set_chance(Hand(wanted, counted(dice[1:], "3"), black, stuck, final), rolls)


@pytest.mark.parametrize("rolls", [1, 2, 3])
@pytest.mark.parametrize("dice", [("", ""), ("2", "1"), ("2", "3"), ("3", "1"), ("", "*"), ("5", "*")])
@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize("wanted", [1, 2])
def test_two_dice_are_as_enumerated(rolls: int, dice: Thrown, final: bool, wanted: int) -> None:
    assert smaller(wanted, rolls, dice, final) == enumerated(wanted, rolls, dice, frozenset(), final)


@pytest.mark.parametrize("dice", [("", "", ""), ("2", "1", "3"), ("2", "1", "1"), ("3", "1", "1"), ("", "3", "")])
@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize("wanted", [1, 2, 3])
def test_three_dice_and_two_rolls_are_as_enumerated(dice: Thrown, final: bool, wanted: int) -> None:
    assert smaller(wanted, 2, dice, final) == enumerated(wanted, 2, dice, frozenset(), final)


def test_four_dice_and_two_rolls_are_as_enumerated() -> None:
    assert smaller(3, 2, ("",) * 4) == enumerated(3, 2, ("",) * 4, frozenset(), final=False)


def test_a_black_die_left_for_good_costs_a_little() -> None:
    dice = ("2", "1", "1", "1")
    assert smaller(2, 3, dice, final=True) == enumerated(2, 3, dice, frozenset(), final=True)
    assert smaller(2, 3, dice, final=True) < smaller(2, 3, dice)
    assert set_chance(Hand(3, final=True), 3) < set_chance(Hand(3), 3)


@pytest.mark.parametrize("bound", [frozenset({0}), frozenset({1}), frozenset({2}), frozenset({0, 1})])
def test_dice_saved_for_good_are_as_enumerated(bound: frozenset[int]) -> None:
    dice = ("2", "1", "3")
    assert smaller(2, 2, dice, True, bound) == enumerated(2, 2, dice, bound, final=True)


def test_five_fives_by_ten_thousand_turns_thrown_by_chance() -> None:
    chance, turns, dice = float(set_chance(Hand(5), 3)), 10_000, Random(2016)  # noqa: S311 - dice, no secret
    hits = sum(_five_fives(dice) for _ in range(turns))
    # Four standard deviations: a right figure fails once in sixteen thousand seeds.
    assert abs(hits / turns - chance) < 4 * sqrt(chance * (1 - chance) / turns)


def _five_fives(chance: Random) -> bool:
    """A turn for five 5s: counting dice are saved; the black one, with another number, is always rolled again."""
    saved, black = 0, False
    for _ in range(3):
        purple = sum(chance.choice(PURPLE_SIDES) in "5*" for _ in range(5 - saved))
        shown = "5" if black else chance.choice(BLACK_SIDES)
        if shown != "z":
            saved, black = saved + purple, shown == "5"
    return saved + black >= 5


def test_in_that_turn_the_black_die_is_indeed_better_rolled() -> None:
    assert not any(leaves_black(Hand(5, counting, Black.FREE), rolls) for counting in range(5) for rolls in (1, 2))


# Reckoned by hand


def test_one_roll_left_by_hand() -> None:
    # One 3 wanted of five purple dice: 1 - (2/3)^5 with the black 2 left lying; rolled, a zap would take a sixth.
    assert set_chance(Hand(1, 0, Black.BOUND), 1) == 1 - Fraction(2, 3) ** 5
    assert set_chance(Hand(1, 0, Black.FREE), 1) == 1 - Fraction(2, 3) ** 5
    assert set_chance(Hand(1, 0, Black.TO_ROLL), 1) == Fraction(1, 6) + Fraction(4, 6) * (1 - Fraction(2, 3) ** 5)
    assert set_chance(Hand(6, 5, Black.FREE), 1) == Fraction(1, 6)
    assert set_chance(Hand(6, 5, Black.BOUND), 1) == 0
    assert set_chance(Hand(6, 4, Black.COUNTS), 2) == 1 - Fraction(2, 3) ** 2
    assert set_chance(Hand(3, 3), 0) == 1
    assert set_chance(Hand(3, 2, Black.COUNTS), 0) == 1
    assert set_chance(Hand(3, 2), 0) == 0


def test_a_new_turn() -> None:
    found = figures(turn(rolls=0))
    assert list(found) == [f"{words} the {value}s" for value in range(1, 6) for words in ("open", "open and close")]
    assert [round(found[f"open the {value}s"], 4) for value in range(1, 6)] == [0.9895, 0.9518, 0.8212, 0.5607, 0.2690]
    assert round(found["open and close the 5s"], 4) == 0.0642


# What the table is told


def test_the_table_finds_the_odds_of_the_game() -> None:
    state = turn("b2 3 3 4 5 *", boards=("-oc--", "-----"), rolls=2)
    assert odds(state) == chances(state) != ()
    # The star alone, or with the 4 or the 5, is saved. Of three purple dice one at least counts with 19/27, two with
    # 7/27, all with 1/27; the black one rolled with them counts with 1/6, and is no zap in 4/6 besides.
    assert figures(state) == pytest.approx(
        {
            "open the 1s": 1.0,
            "open and close the 1s, leaving the black die as it lies": 65 / 81,
            "close the 2s": 1.0,
            "open the 4s": (19 / 27) / 6 + (7 / 27) * 4 / 6,
            "open and close the 4s": (7 / 27) / 6 + (1 / 27) * 4 / 6,
            "open the 5s": (7 / 27) / 6 + (1 / 27) * 4 / 6,
            "open and close the 5s": (1 / 27) / 6,
        }
    )
    assert chances(state)[0] == Chance("open the 1s", 1.0, "chance")
    to_close = turn("b2 3 3 4 5 1", boards=("-oo--", "-----"), rolls=2)
    assert [each.value for each in chances(to_close) if each.what == "close the 2s"] == [1.0]
    ones = turn("b3 3 3 4 5 5", boards=("o----", "-----"), rolls=2)
    assert chances(ones)[0] == Chance("close the 1s, leaving the black die as it lies", 211 / 243, "chance")


def test_nothing_is_told_where_no_roll_is_to_come() -> None:
    assert chances(new_game()) == chances(apply("3 3 3")) == ()


def test_how_the_dice_lie_for_a_number() -> None:
    state = turn("b2 3 *", dead="1 1 1", bound="b2 3", saved_dice="final", rolls=2)
    assert hand_of(state, 3, 4) == Hand(4, 2, Black.BOUND, 0, final=True)
    assert hand_of(state, 2, 2) == Hand(2, 1, Black.COUNTS, 1, final=True)
    assert hand_of(turn("3 *", dead="bz 1 1 1"), 3, 3) == Hand(3, 2, Black.TO_ROLL)
    assert hand_of(turn("b2 3 3 1 1 *"), 3, 3) == Hand(3, 3, Black.FREE)


def test_the_black_die_is_left_only_when_that_is_better_and_can_be_chosen() -> None:
    assert leaves_black(Hand(3, 2, Black.FREE), 1)
    assert not leaves_black(Hand(3, 3, Black.FREE), 1)
    assert not leaves_black(Hand(3, 2, Black.FREE), 0)
    assert not leaves_black(Hand(3, 2, Black.BOUND), 1)
    assert not leaves_black(Hand(5, 2, Black.FREE), 1)


def test_when_the_black_die_is_better_left() -> None:
    better = {
        (wanted, counting, rolls)
        for wanted, counting, rolls in product(range(1, 7), range(6), (1, 2))
        if leaves_black(Hand(wanted, counting, Black.FREE), rolls)
    }
    few = {(wanted, counting, rolls) for wanted in (1, 2, 3) for counting in range(wanted) for rolls in (1, 2)}
    assert better == few - {(3, 0, 1)} | {(4, 3, 1), (4, 3, 2)}


def test_a_table_has_its_answer_at_once() -> None:
    set_chance.cache_clear()
    start = time.thread_time()  # which passes as fast on a busy machine
    chances(turn(rolls=0))
    assert time.thread_time() - start < 1
