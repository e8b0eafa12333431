"""A verb of a game: what it offers, plays, throws and refuses, as a record of pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from referee.actions import Action, DiePosition
from referee.calls import Call, Refusal
from referee.game_state import GameState
from referee.sentences import say

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
