"""Count what ended games came to, in a process of its own: exact chances take seconds for a long game.

A thread that counts holds the interpreter's lock against the camera loop; see `vander.table.odds`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import TimeoutError, get_context
from multiprocessing.pool import AsyncResult

from models.die_sets import DieSetSource
from referee.chances import ThrowChances
from referee.dice import Die, DieSet, FaceName, KindName
from referee.feats import SeatFeat, find_feats
from referee.game import Game, begin_again
from referee.game_results import SeatResult, count_results
from referee.games import named
from referee.journal import Deed, Entry, Source, replay
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.storage.player_tables import ReadFace, uncounted_games, write_results

NICENESS = 10
"""How far the process gives way to the camera loop."""
LOOK_S = 0.5
"""How often it is asked whether the program ends."""


@dataclass(frozen=True)
class CountedGame:
    """What the process is given: a game with its entries, its dice, and the games' printed sheets."""

    kept: KeptGame
    entries: tuple[Entry, ...]
    dice: DieSet | None
    sheets: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class GameCount:
    """What the process answers: what the game came to for each seat, feats, and how often each face was read."""

    results: tuple[SeatResult, ...]
    feats: tuple[SeatFeat, ...] = ()
    faces: Mapping[ReadFace, int] = field(default_factory=dict)


def count_missing(
    journal: Journal, known: DieSetSource, sheets: Sequence[tuple[str, str]] = (), is_closing: Callable[[], bool] = bool
) -> int:
    """Count all ended games whose results are missing, until `is_closing`; return how many. Raises StorageError."""
    with journal.reading() as connection:
        missing = set(uncounted_games(connection))
    games = (_opened(journal, kept, known, sheets) for kept in journal.games() if kept.number in missing)
    counted = 0
    if missing:
        with get_context("spawn").Pool(1, initializer=_give_way) as pool:
            for game in games:
                found = _wait_for(pool.apply_async(count_game, (game,)), is_closing)
                if found is None:
                    break
                with journal.writing() as connection:
                    write_results(
                        connection,
                        game.kept.number,
                        found.results,
                        len(game.entries),
                        feats=found.feats,
                        faces=found.faces,
                    )
                counted += 1
    return counted


def _wait_for(answer: AsyncResult[GameCount], is_closing: Callable[[], bool]) -> GameCount | None:
    """Return what the process answers; None where the program ends meanwhile."""
    while not is_closing():
        with suppress(TimeoutError):
            return answer.get(LOOK_S)
    return None


def count_game(counted: CountedGame) -> GameCount:
    """Return what a game came to. One that the rules of today cannot replay counts as left, without a score."""
    try:
        game = _game(counted)
        if counted.dice is None:
            return _unknown(counted.kept)
        start, chances = begin_again(game, counted.kept.players, counted.dice, counted.kept.options), _chances_of(game)
        played = replay(game, start, counted.entries)
        return GameCount(
            count_results(game, start, played, chances),
            find_feats(game, start, played, counted.entries, chances),
            read_faces(counted.entries, {kind.name for kind in counted.dice.kinds}),
        )
    except (LookupError, ValueError):
        return _unknown(counted.kept)


def _unknown(kept: KeptGame) -> GameCount:
    return GameCount(tuple(SeatResult(seat, False, False, 0) for seat in range(1, len(kept.players) + 1)))


def _game(counted: CountedGame) -> Game:
    game = named(counted.kept.game)
    return game.on_sheets(dict(counted.sheets)) if game.on_sheets else game


def _chances_of(game: Game) -> ThrowChances:
    """Return the chances of a game, kept from one game to the next."""
    return _CHANCES.setdefault(game.name, ThrowChances(game))


_CHANCES: dict[str, ThrowChances] = {}


def _opened(journal: Journal, kept: KeptGame, known: DieSetSource, sheets: Sequence[tuple[str, str]]) -> CountedGame:
    try:
        dice = known.load(kept.die_set)
    except (LookupError, ValueError):
        dice = None
    return CountedGame(kept, journal.entries(kept.number), dice, tuple(sheets))


def _give_way() -> None:
    with suppress(OSError, AttributeError):  # it may be forbidden; then the process is not nice
        os.nice(NICENESS)


# The faces that the camera read in past games, and what people corrected, as the journal has them


WHOLE_THROW = "roll"
"""The verb that throws all of its dice, in every game."""


@dataclass
class ReadDice:
    """How often each die face of a die set was read in a throw, and which was corrected: (as it is, as it was read)."""

    read: Counter[Die] = field(default_factory=Counter)
    corrected: Counter[tuple[Die, Die]] = field(default_factory=Counter)

    @classmethod
    def of_faces(cls, faces: Mapping[ReadFace, int]) -> ReadDice:
        """Return what was counted face by face."""
        found = cls()
        for (kind, read_as, truth), dice in faces.items():
            die = Die(KindName(kind), FaceName(read_as))
            if truth:
                found.corrected[Die(KindName(kind), FaceName(truth)), die] += dice
            else:
                found.read[die] += dice
        return found


def read_faces(entries: Iterable[Entry], kinds: Container[str]) -> Counter[ReadFace]:
    """Return how often each face was read in a game, where a throw showed all dice of its action, as first taken.

    Only verbs that throw all their dice are counted: others hold dice that lay there before.
    """
    found: Counter[ReadFace] = Counter()
    for entry in entries:
        found.update((die.kind, die.face, "") for die in read_in(entry) if die.kind in kinds and die.face)
        if entry.deed is Deed.CORRECT and len(entry.dice) == 2:
            read, true = entry.dice
            if read.kind == true.kind and read.face and true.face:
                found[read.kind, read.face, true.face] += 1
    return found


def read_in(entry: Entry) -> tuple[Die, ...]:
    """Return the dice of a throw that the camera read, where it threw all dice of its action; () for another entry."""
    thrown = entry.action if entry.deed is Deed.PLAY and entry.source is Source.CAMERA else None
    return thrown.dice if thrown and thrown.verb == WHOLE_THROW else ()


def collect_read_dice(journal: Journal, die_set: str, known: DieSetSource) -> ReadDice:
    """Return what was read of a die set's dice in all ended games."""
    faces: Counter[ReadFace] = Counter()
    kinds = {kind.name for kind in known.load(die_set).kinds}
    for game in journal.games():
        if game.die_set == die_set and game.ended_at is not None:
            faces.update(read_faces(journal.entries(game.number), kinds))
    return ReadDice.of_faces(faces)
