"""Count what ended games came to, in a process of its own: exact chances take seconds for a long game.

A thread that counts holds the interpreter's lock against the camera loop; see `vander.table.odds`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import TimeoutError, get_context
from multiprocessing.pool import AsyncResult

from models.die_sets import DieSetSource
from referee.chances import ThrowChances
from referee.dice import DieSet
from referee.feats import SeatFeat, find_feats
from referee.game import Game, begin_again
from referee.game_results import SeatResult, count_results
from referee.games import named
from referee.journal import Entry, replay
from vander.extras.players.read_dice import read_faces
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
    journal: Journal,
    known: DieSetSource,
    sheets: Sequence[tuple[str, str]] = (),
    is_closing: Callable[[], bool] = bool,
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
