"""What the referee says of an action: calls with their moment and sum, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from referee.dice import Die, number_on


class Moment(StrEnum):
    """What the table celebrates or mourns: the page gives each its own colour and motion.

    SCORE: points are kept. BUST: they are lost. STOP: the rules end the turn, such as a red light. VANDER: a die left
    the table. COME_IN: a player comes into the game. LAST_ROUND: the last turns begin. WIN: the game is won.
    The strongest comes last: of several at once it alone is shown.
    """

    SCORE = "score"
    STOP = "stop"
    BUST = "bust"
    VANDER = "vander"
    COME_IN = "come-in"
    LAST_ROUND = "last-round"
    WIN = "win"


@dataclass(frozen=True)
class SumTerm:
    """Dice that counted, and what they are worth together. `label` says what counted where no dice did."""

    dice: tuple[Die, ...]
    worth: int
    label: str = ""


@dataclass(frozen=True)
class DiceSum:
    """How a call counted: its terms added up, then taken so many times."""

    terms: tuple[SumTerm, ...]
    times: int = 1

    @property
    def total(self) -> int:
        """The sum of the terms, as many times as it counts."""
        return self.times * sum(term.worth for term in self.terms)

    @classmethod
    def of_numbers(cls, dice: Iterable[Die]) -> Self:
        """Return the sum of the numbers that dice show."""
        return cls(tuple(SumTerm((die,), number_on(die.face)) for die in dice))


@dataclass(frozen=True)
class CitedSentence:
    """What the referee says, and the number of the rule behind it (`I.2-10`), or ''."""

    sentence: str
    rule: str


@dataclass(frozen=True)
class Call(CitedSentence):
    """What the referee says happened.

    `moment` and `sum` are for the page: what the table celebrates or mourns, and the dice that counted.
    """

    moment: Moment | None = field(default=None, compare=False)
    sum: DiceSum | None = field(default=None, compare=False)


def strongest_moment(calls: Iterable[Call]) -> Moment | None:
    """Return the moment that is shown of these calls: the strongest, None where there is none."""
    order = tuple(Moment)
    return max((call.moment for call in calls if call.moment), key=order.index, default=None)


@dataclass(frozen=True)
class Refusal(CitedSentence):
    """Why an action is not allowed."""
