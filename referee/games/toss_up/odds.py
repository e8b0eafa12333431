"""The odds of Toss Up!, exact apart from the rounding of floats; docs/odds.md has the formulas in words.

A die is green with 1/2, yellow with 1/3, red with 1/6. A turn's best plan is found backwards from so many points that
no roll is worth its risk; the fewest turns alone are found backwards from the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb
from operator import mul
from typing import Final

from referee.chances import Chance
from referee.games.toss_up.state import (
    DICE,
    LAST_YELLOW,
    NEW_GREEN,
    TEN_GREEN,
    TossUpState,
    end_refusal,
    hand,
    taken_back,
    throws,
    to_beat,
)
from referee.sentences import say, say_count

GREEN: Final = Fraction(1, 2)
YELLOW: Final = Fraction(1, 3)


@dataclass(frozen=True)
class Reading:
    """The readings of the rulebook that bear on a turn's odds: all False as recommended.

    `rolls_on`: a turn cannot end with ten green (AMB-T-5). `takes_back`: new green dice but one may be rolled again
    (AMB-T-6). `last_yellow_red`: a single die that shows yellow is a red light (AMB-T-7).
    """

    rolls_on: bool = False
    takes_back: bool = False
    last_yellow_red: bool = False

    @classmethod
    def of(cls, state: TossUpState) -> Reading:
        """Return the readings as the table plays."""
        return cls(
            state.chose(TEN_GREEN, "roll-on"),
            state.chose(NEW_GREEN, "may-roll"),
            state.chose(LAST_YELLOW, "red-light"),
        )


PRINTED: Final = Reading()


# One roll


def greens(dice: int, count: int) -> Fraction:
    """Return the chance that exactly `count` of the dice rolled fall green."""
    return comb(dice, count) * GREEN**dice


def all_yellow(dice: int, reading: Reading = PRINTED) -> Fraction:
    """Return the chance of a roll that changes nothing."""
    return Fraction(0) if dice == 1 and reading.last_yellow_red else YELLOW**dice


def bust(dice: int, reading: Reading = PRINTED) -> Fraction:
    """Return the chance of a red light: no green, and not all yellow."""
    return GREEN**dice - all_yellow(dice, reading)


@cache
def ten_green(dice: int, reading: Reading = PRINTED) -> Fraction:
    """Return the chance that the dice in hand all turn green before a red light, if the player only rolls on."""
    if not dice:
        return Fraction(1)
    turned = (greens(dice, count) * ten_green(dice - count, reading) for count in range(1, dice + 1))
    return sum(turned, Fraction(0)) / (1 - all_yellow(dice, reading))


# A turn's expected points


Row = tuple[float, ...]
"""A value for 0 to ten dice in hand; none in hand are all ten again."""


@cache
def roll_values(reading: Reading = PRINTED) -> tuple[Row, ...]:
    """Return the average points of a turn, by its points and the dice rolled next, with the best play from there.

    `roll_values()[points][dice]`. From the number of rows on no roll pays: an average gain of half a point a die is
    less than the points at risk, and both only grow. (Where a turn cannot end with ten green, the last ten rows are off
    by less than a hundredth of a point, and the others by less than a float can tell.)
    """
    most = ceil(max(Fraction(dice, 2) / bust(dice, reading) for dice in range(1, DICE + 1)))
    rows: list[Row] = [(float(points),) * (DICE + 1) for points in range(most + DICE - 1, most - 1, -1)]
    for points in range(most - 1, -1, -1):
        above = rows[: -DICE - 1 : -1]
        rolled = [_rolled(points, dice, above, reading) for dice in range(1, DICE + 1)]
        rows.append((rolled[-1], *rolled))
    return tuple(rows[: DICE - 1 : -1])


def _rolled(points: int, dice: int, above: Sequence[Row], reading: Reading) -> float:
    """Return the value of a roll, from the rows of one point more, two more and so on."""
    yellow = _yellow(dice, reading)
    green = _mean(dice, _after_green(points, dice, above, reading))
    again = green / (1 - yellow)
    return again if again > points else green + yellow * points


def _after_green(points: int, dice: int, above: Sequence[Row], reading: Reading) -> Iterator[float]:
    """Return the value of the turn after one green, two, and so on to all of them."""
    best = 0.0
    for count, row in enumerate(above[:dice], start=1):
        best = max(best, row[dice - count]) if reading.takes_back else row[dice - count]
        yield best if count == dice and reading.rolls_on else max(best, points + count)


@cache
def _yellow(dice: int, reading: Reading) -> float:
    return float(all_yellow(dice, reading))


_GREENS: Final = tuple(tuple(float(greens(dice, count)) for count in range(1, dice + 1)) for dice in range(DICE + 1))
"""For so many dice, the chances of one green, two, and so on to all of them."""


def _mean(dice: int, after: Iterable[float]) -> float:
    """Return the average over the rolls with a green, from the values after one green, two, and so on."""
    return float(sum(map(mul, _GREENS[dice], after)))


# A chance to get somewhere in one turn


@cache
def reach(points: int, dice: int, reading: Reading = PRINTED) -> float:
    """Return the chance that a turn gains `points` more, rolling `dice` dice first and on until it has them."""
    rows: list[Row] = []
    for needed in range(1, points + 1):
        rolled = [_reached(needed, count, rows, reading) for count in range(1, DICE + 1)]
        rows.append((rolled[-1], *rolled))
    return rows[-1][dice]


def _reached(needed: int, dice: int, rows: Sequence[Row], reading: Reading) -> float:
    green = _mean(dice, _reached_after(needed, dice, rows, reading))
    return green / (1 - _yellow(dice, reading))


def _reached_after(needed: int, dice: int, rows: Sequence[Row], reading: Reading) -> Iterator[float]:
    best = 0.0
    for count in range(1, dice + 1):
        if count >= needed:
            yield _ENDING if count == dice and reading.rolls_on else 1.0
            continue
        on = rows[needed - count - 1][dice - count]
        best = max(best, on) if reading.takes_back else on
        yield best


_ALL: Final = float(greens(DICE, DICE))
_ENDING: Final = (1 - float(bust(DICE)) - _ALL) / (1 - _ALL)
"""Where ten green have to be rolled on, the chance to come to an end from there."""


# The fewest turns alone


@cache
def fewest_turns(goal: int) -> tuple[float, ...]:
    """Return by total how many turns a player alone needs on average to reach the goal, playing for the fewest.

    With the recommended readings. Found from the goal down: a turn's end costs what its new total still needs, a red
    light what the old total needs, which is the unknown; it is guessed, the turn is planned for it, the plan gives a
    better one (Howard's policy iteration), until it stays.
    """
    turns: list[float] = []
    for short in range(1, goal + 1):
        turns.append(_turns(turns, short))
    return tuple(reversed(turns))


def _turns(nearer: Sequence[float], short: int) -> float:
    """Return the turns for a total `short` points below the goal, from those of all nearer totals."""
    guess = nearer[-1] if nearer else 1.0
    while True:
        fixed, share = _plan(nearer, short, guess)
        better = (1 + fixed) / (1 - share)
        if abs(better - guess) < _SAME:
            return better
        guess = better


_SAME: Final = 1e-12

Cost = tuple[float, float]
"""Turns still to come after this one: a fixed number, and the chance that the total stays as it is."""


def _plan(nearer: Sequence[float], short: int, guess: float) -> Cost:
    """Return the cost of a turn planned for a guess of what the present total costs; its points tell its dice."""
    ends: list[Cost] = [(0.0, 1.0), *((turns, 0.0) for turns in reversed(nearer))]
    best: list[Cost] = [(0.0, 0.0)] * DICE
    for points in range(short - 1, -1, -1):
        rolled = _roll_cost(DICE - points % DICE, best)
        best.insert(0, min(rolled, ends[points], key=lambda cost: cost[0] + cost[1] * guess))
    return best[0]


def _roll_cost(dice: int, best: Sequence[Cost]) -> Cost:
    """Return the cost of a roll, repeated after all yellow, from the best costs of one point more, two and so on."""
    fixed = _mean(dice, (cost[0] for cost in best))
    share = _mean(dice, (cost[1] for cost in best)) + float(bust(dice))
    going_on = 1 - _yellow(dice, PRINTED)
    return (fixed / going_on, share / going_on)


# At the table


def chances(state: TossUpState) -> tuple[Chance, ...]:
    """Return the figures for the decision at hand; () when the game is over.

    Advised is what brings the most points in this turn on average. In a last turn it is what passes the highest total:
    rolling while behind it, ending when ahead with nobody to come; else nothing is advised.
    """
    if not state.to_act:
        return ()
    reading = Reading.of(state)
    missing = _missing(state)
    figures = _chase(state, missing, reading) if missing > 0 else _gain(state, reading)
    return (*figures, Chance(say("Ten green before a red light"), float(ten_green(hand(state), reading)), "chance"))


def _missing(state: TossUpState) -> int:
    """Return how many points more pass the highest total in a last turn; 0 in any other turn, and when it is passed."""
    if state.last_turns is None:
        return 0
    return max(0, to_beat(state) + 1 - state.scores[state.seat - 1] - state.points)


def _chase(state: TossUpState, missing: int, reading: Reading) -> Iterator[Chance]:
    passing = {count: reach(missing + taken_back(state, count), count, reading) for count in throws(state)}
    best = max(passing, key=lambda count: passing[count])
    for count, chance in passing.items():
        yield _red_light(count, reading)
        advised = missing > 1 and count == best
        yield Chance(
            say("{roll}, then on until {to_beat} is passed", roll=_roll(count), to_beat=to_beat(state)),
            chance,
            "chance",
            advised,
        )


def _gain(state: TossUpState, reading: Reading) -> Iterator[Chance]:
    rows = roll_values(reading)
    worth = {count: rows[state.points - taken_back(state, count)][count] for count in throws(state)}
    advised = _advised(state, worth)
    for count, points in worth.items():
        yield _red_light(count, reading)
        yield Chance(say("{roll}, then on while it pays", roll=_roll(count)), points, "points", count == advised)
    if not end_refusal(state):
        yield Chance(say("End the turn"), state.points, "points", advised == 0)


def _advised(state: TossUpState, worth: Mapping[int, float]) -> int | None:
    """Return how many dice to roll, 0 to end the turn, None where the average of one turn does not decide."""
    if state.last_turns is not None:
        return None if state.last_turns else 0
    best = max(worth, key=lambda count: worth[count])
    return best if end_refusal(state) or worth[best] > state.points else 0


def _red_light(count: int, reading: Reading) -> Chance:
    return Chance(say("{roll}: a red light", roll=_roll(count)), float(bust(count, reading)), "chance")


def _roll(count: int) -> str:
    return say_count("Roll 1 die", "Roll {count} dice", count)
