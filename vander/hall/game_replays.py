"""The games that go on, replayed entry by entry: what the rules refuse is found here."""

from __future__ import annotations

import tomllib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock

from models import die_sets
from referee.dice import DieSet
from referee.game import Game, begin
from referee.game_state import GameState
from referee.games import named
from referee.journal import Entry, JournalReader
from referee.sentences import say

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
        return game, begin(game, set_up.players, open_dice(set_up), set_up.options)
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
        """Return where the game stands."""
        return self.reader.state


class GameReplays:
    """The replays that are kept in memory, the one used last stays longest. Any thread may call it."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most, self._lock = most, Lock()
        self._kept: OrderedDict[GameKey, GameReplay] = OrderedDict()

    def get(self, key: GameKey) -> GameReplay | None:
        """Return a game's replay if it is kept."""
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
