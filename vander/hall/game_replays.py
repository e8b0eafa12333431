"""The games that go on, replayed entry by entry from what tables tell: what the rules refuse is found here."""

from __future__ import annotations

import tomllib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from models import die_sets
from referee.actions import GameState
from referee.dice import DieSet
from referee.game import Game, begin_again
from referee.games import named
from referee.journal import Entry, JournalReader
from referee.known_players import is_writable
from referee.sentences import say
from vander.storage.journal_schema import read_entry

# The games that go on, replayed entry by entry: what the rules refuse is found here


MOST_KEPT = 400
"""Games whose replay is kept in memory; another one is read from the database again. Some 100 KB each."""

GameKey = tuple[int, int]
"""The number of a table, and the number of a game there."""


class Unplayable(ValueError):
    """A game that cannot be begun by the rules. The message is one sentence."""


@dataclass(frozen=True)
class GameSetUp:
    """How a game was begun: its name, players, options and dice, and the table's own printed sheets."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str
    die_set_file: str = ""
    sheets: Mapping[str, str] | None = None


def open_game(set_up: GameSetUp) -> tuple[Game, GameState]:
    """Return a game and its first state. Raises Unplayable."""
    try:
        game = named(set_up.game)
        if game.on_sheets and set_up.sheets:
            game = game.on_sheets(set_up.sheets)
        return game, begin_again(game, set_up.players, open_dice(set_up), set_up.options)
    except (LookupError, ValueError, TypeError, RecursionError) as error:  # nested too deep
        raise Unplayable(say("the game cannot be begun: {cause}", cause=error)) from error


def open_dice(set_up: GameSetUp) -> DieSet:
    """Return the dice of a game: those that ship, or the table's own. Raises LookupError, TypeError, ValueError."""
    if set_up.die_set in die_sets.names():
        return die_sets.load(set_up.die_set)
    dice = die_sets.parse(tomllib.loads(set_up.die_set_file))
    if dice.name != set_up.die_set:
        raise ValueError(f"the die set {set_up.die_set!r} came as {dice.name!r}")
    return dice


@dataclass
class GameReplay:
    """A game as far as it was replayed."""

    game: Game
    start: GameState
    reader: JournalReader
    players: tuple[str, ...]
    written: object = None
    """What was last written of the seats, so that it is not written again; of the one who writes."""
    is_retold: bool | None = None
    """Whether another pairing tells this game too; None where nobody has looked since its first entry."""

    @classmethod
    def of(cls, set_up: GameSetUp, entries: Iterable[Entry] = ()) -> GameReplay:
        """Replay entries from the start. Raises Unplayable, and Contradiction or ValueError for a broken entry."""
        game, start = open_game(set_up)
        replayed = cls(game, start, JournalReader(game, start), set_up.players)
        for entry in entries:
            refusal = replayed.reader.add(entry)
            if refusal:
                raise Unplayable(refusal.sentence)
        return replayed

    @property
    def state(self) -> GameState:
        return self.reader.state


class GameReplays:
    """The replays that are kept in memory, the one used last stays longest. Any thread may call it."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most, self._lock = most, Lock()
        self._kept: OrderedDict[GameKey, GameReplay] = OrderedDict()

    def get(self, key: GameKey) -> GameReplay | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(self, key: GameKey, replayed: GameReplay) -> None:
        """Keep a game's replay, and let those go that were used longest ago."""
        with self._lock:
            self._kept[key] = replayed
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def drop(self, keys: Iterable[GameKey]) -> None:
        """Forget replays, since what they hold was not written."""
        with self._lock:
            for key in keys:
                self._kept.pop(key, None)


# What the lines of a table's outbox say: their bodies, read and checked


LARGEST = 2**31 - 1
MOST_PLAYERS = 40
YEARS = range(2000, 2100)
"""The years that a time may be of: a database cannot give all others back."""
Number = Annotated[int, Field(ge=0, le=LARGEST)]
GameNumber = Annotated[int, Field(ge=1, le=LARGEST)]


class BadLine(ValueError):
    """A line whose body cannot be read. The message is one sentence."""


def _in_range(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        raise ValueError(f"the year {moment.year} is none of a game")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_in_range)]


def _shown_as_it_is(name: str) -> str:
    """Refuse a name that turns the words around it on a page, or shows nothing; no table takes one either."""
    if not is_writable(name):
        raise ValueError("a name has characters that cannot be shown")
    return name


PlayerNames = Annotated[
    list[Annotated[str, Field(max_length=60), AfterValidator(_shown_as_it_is)]], Field(max_length=MOST_PLAYERS)
]


class _LineBody(BaseModel):
    """The JSON of a line."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GameBody(_LineBody):
    """A game was begun."""

    number: GameNumber
    game: Annotated[str, Field(max_length=40)]
    players: PlayerNames
    options: dict[Annotated[str, Field(max_length=60)], Annotated[str, Field(max_length=60)]]
    die_set: Annotated[str, Field(max_length=40)]
    started_at: Moment
    clock_doubted: bool


class EntryBody(_LineBody):
    """An entry, with the columns of the journal's table."""

    game: GameNumber
    number: GameNumber
    at: Moment
    source: Annotated[str, Field(max_length=10)]
    deed: Annotated[str, Field(max_length=10)]
    action: str
    target: Number
    note: str
    rule: Annotated[str, Field(max_length=20)]
    evidence: Annotated[str, Field(max_length=120)]
    device: Annotated[str, Field(max_length=60)]
    seat: Annotated[int, Field(ge=0, le=MOST_PLAYERS)]
    dice: str

    def entry(self, players: Iterable[str]) -> Entry:
        """Return the entry of a game with these players. Raises BadLine."""
        try:
            return read_entry(self, players)
        except ValueError as error:
            raise BadLine(say("entry {number} cannot be read: {cause}", number=self.number, cause=error)) from error


class EndedBody(_LineBody):
    """A game is over, or goes on after all."""

    game: GameNumber
    at: Moment | None


class NamesBody(_LineBody):
    """Players of a game have other names now."""

    game: GameNumber
    players: PlayerNames


Body = GameBody | EntryBody | EndedBody | NamesBody
_KINDS: Mapping[str, type[_LineBody]] = {"game": GameBody, "entry": EntryBody, "ended": EndedBody, "names": NamesBody}


@dataclass(frozen=True)
class ToldLine:
    """A line as it came, and what it says."""

    sequence: int
    kind: str
    text: str
    body: Body
    taken_at: datetime


def read_line(sequence: int, kind: str, text: str, now: datetime) -> ToldLine:
    """Return what a line says. Raises BadLine."""
    if "\\u0000" in text or "\0" in text:
        raise BadLine(say("line {sequence} holds a character that no text has", sequence=sequence))
    try:
        body = _KINDS[kind].model_validate_json(text)
    except (ValidationError, ValueError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
        where = ".".join(map(str, first["loc"])) or "it"
        raise BadLine(
            say("line {sequence} cannot be read: {where}: {cause}", sequence=sequence, where=where, cause=first["msg"])
        ) from error
    assert isinstance(body, GameBody | EntryBody | EndedBody | NamesBody)  # noqa: S101 - for mypy: all of _KINDS
    return ToldLine(sequence, kind, text, body, now)
