"""What the referee says of an action, and the verbs of a game, which say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, number_on
from referee.sentences import say


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


S = TypeVar("S", bound=GameState)


if TYPE_CHECKING:
    S_co = TypeVar("S_co", bound=GameState, covariant=True, default=GameState)
else:
    S_co = TypeVar("S_co", bound=GameState, covariant=True)  # Python 3.13 has `default`, type checkers have it now


Outcome = tuple[S, tuple[Call, ...]]
"""The state after an action, and what the referee says about it."""
Reasons = Iterator[Refusal]
"""Reasons against an action, the one to be told first."""


@dataclass(frozen=True)
class Verb(Generic[S]):
    """Everything that one verb of a game means, as a record of pure functions and flags.

    offers(state, seat) -> actions with this verb that the seat, one of `to_act`, may do now; in a throw the faces are
        unknown (`traffic:?`)
    play(state, action) -> the state after the action, and one call at least; called with legal actions only
    title(state, action) -> the label of a button for the action; a plain text where the label never changes
    throws(state, action) -> the dice that the action throws, as they lay before (their old faces and zones); () for an
        action without a throw
    loses(state, action) -> what the action throws away that could still be had, in a sentence; the tablet then asks a
        second time. '' for nothing
    refusals(state, action) -> reasons why the action is not offered, the first to be told first; the action may have
        any choice and any dice of the die set. The last reason of all is `usage`, with `rule`.

    `help` says in one sentence what the verb does. `usage` says with which dice and which choice it is written; ''
    means without either.
    `by_hand`: players do it by moving dice, without a tap and without a throw; the umpire holds it back until the next
    throw or tap. `implied`: the next throw may say it without a tap, as taking all dice for the next turn ends the last
    one. `ends_turn`: the player stops and takes what the turn has brought; one such offer at a time at most.
    `grave`: the tablet asks a second time. `lost`: what to play when a die left the table.
    """

    name: str
    rule: str
    help: str
    offers: Callable[[S, int], Iterable[Action]]
    play: Callable[[S, Action], Outcome[S]]
    title: str | Callable[[S, Action], str]
    throws: Callable[[S, Action], tuple[DiePosition, ...]] = lambda _state, _action: ()
    loses: Callable[[S, Action], str] = lambda _state, _action: ""
    refusals: Callable[[S, Action], Iterable[Refusal]] = lambda _state, _action: ()
    usage: str = ""
    by_hand: bool = False
    implied: bool = False
    ends_turn: bool = False
    grave: bool = False
    lost: bool = False

    def title_of(self, state: S, action: Action) -> str:
        """Return the label of a button for the action; also the words for an action already done."""
        return self.title if isinstance(self.title, str) else self.title(state, action)

    def why_not(self, state: S, action: Action) -> Refusal:
        """Return the first reason why an action with this verb is not offered."""
        usage = Refusal(self.usage or say("There is nothing to choose for {verb!r}.", verb=self.name), self.rule)
        return next(iter(self.refusals(state, action)), usage)
