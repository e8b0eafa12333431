"""What a game is: a record of pure functions; and the one door through which every action goes, `judge`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from referee.dice import Die, DieSet, Zone


@dataclass(frozen=True)
class Action:
    """What a player did. Chance is an action too: the camera plays `roll`.

    `player` is the seat, from 1. `dice` are in canonical (sorted) order; in an offer the faces that chance
    will give are unknown (`traffic:?`). `choice` says which way, where a verb has ways (`parked`, `field`).
    The text, `1 fix traffic:happy traffic:two =parked`, reads back: `Action.parse(str(action)) == action`.
    """

    player: int
    verb: str
    dice: tuple[Die, ...] = ()
    choice: str = ""

    def __str__(self) -> str:
        raise NotImplementedError

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an action in its canonical spelling. Raises ValueError with a sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class Call:
    """What the referee says happened: one sentence, and the number of the rule behind it (`I.2-10`)."""

    sentence: str
    rule: str


@dataclass(frozen=True)
class Refusal:
    """Why an action is not allowed: one sentence and the rule."""

    sentence: str
    rule: str


@dataclass(frozen=True)
class Player:
    """A seat at the table, from 1, and who sits there."""

    seat: int
    name: str


@dataclass(frozen=True)
class GameState:
    """Where a game stands. Each game extends it with fields of its own.

    `to_act` are the seats that may act now (empty when the game is over). `dice_awaited` are the dice of the
    next throw, faces unknown; empty while a decision is awaited. `winner` holds the winning seats.
    """

    players: tuple[Player, ...]
    dice: DieSet
    options: Mapping[str, str] = field(default_factory=dict)
    to_act: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    dice_awaited: tuple[Die, ...] = ()
    winner: tuple[int, ...] = ()


@dataclass(frozen=True)
class Option:
    """One ambiguity of the rulebook, named: its readings, the default first, and the sentence that explains it."""

    name: str
    title: str
    readings: tuple[tuple[str, str], ...]
    """(value, what it means), the default first."""
    source: str
    """The ambiguity's number, for example AMB-I-10."""

    @property
    def default(self) -> str:
        """The recommended reading."""
        return self.readings[0][0]


@dataclass(frozen=True)
class Lying:
    """Where the rules say that a die lies: what the umpire compares the real table with."""

    die: Die
    zone: Zone


@dataclass(frozen=True)
class Game:
    """A game as a record of pure functions.

    setup(players, dice, options) -> GameState
    legal(state) -> actions that may be done now; in a roll the faces are unknown (`traffic:?`)
    play(state, action) -> (state, calls); it never sees an illegal action
    lay(state) -> where every die of the set lies now; () when anywhere will do (before the first throw)
    thrown(state, action) -> the dice that the action throws, as they lay before (their old faces and zones)
    tell(state) -> one short sentence: what the table waits for
    offer_title(state, action) -> what a button for the action says
    """

    name: str
    title: str
    die_set: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    setup: Callable[[tuple[Player, ...], DieSet, Mapping[str, str]], GameState]
    legal: Callable[[Any], tuple[Action, ...]]
    play: Callable[[Any, Action], tuple[Any, tuple[Call, ...]]]
    lay: Callable[[Any], tuple[Lying, ...]]
    thrown: Callable[[Any, Action], tuple[Lying, ...]]
    tell: Callable[[Any], str]
    offer_title: Callable[[Any, Action], str]


@dataclass(frozen=True)
class Ruling:
    """The referee's answer to an action: the state after it, what happened, or why not.

    A refusal leaves the state as it was.
    """

    action: Action
    state: GameState
    calls: tuple[Call, ...] = ()
    refusal: Refusal | None = None


def judge(game: Game, state: GameState, action: Action) -> Ruling:
    """Rule on one action: faces are checked against the die set, legality against `legal`, then it is played."""
    raise NotImplementedError
