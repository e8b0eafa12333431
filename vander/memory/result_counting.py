"""Count what ended games came to, in a process of its own: exact chances take seconds for a long game.

A thread that counts holds the interpreter's lock against the camera loop; see `vander.session.odds_process`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import TimeoutError, get_context
from multiprocessing.pool import AsyncResult

from models.die_sets import DieSetSource
from referee.dice import DieSet
from referee.game import Game, begin
from referee.game_results import SeatResult, count_results
from referee.games import named
from referee.journal import Entry, replay
from referee.throw_chances import ThrowChances
from vander.storage.journal_store import Journal
from vander.storage.result_tables import uncounted_games, write_results
from vander.storage.stored_game import KeptGame

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
                found = _wait_for(pool.apply_async(results_of, (game,)), is_closing)
                if found is None:
                    break
                with journal.writing() as connection:
                    write_results(connection, game.kept.number, found, entries=len(game.entries))
                counted += 1
    return counted


def _wait_for(
    answer: AsyncResult[tuple[SeatResult, ...]], is_closing: Callable[[], bool]
) -> tuple[SeatResult, ...] | None:
    """Return what the process answers; None where the program ends meanwhile."""
    while not is_closing():
        with suppress(TimeoutError):
            return answer.get(LOOK_S)
    return None


def results_of(counted: CountedGame) -> tuple[SeatResult, ...]:
    """Return what a game came to. One that the rules of today cannot replay counts as left, without a score."""
    try:
        game = _game(counted)
        if counted.dice is None:
            return _unknown(counted.kept)
        start = begin(game, counted.kept.players, counted.dice, counted.kept.options)
        return count_results(game, start, replay(game, start, counted.entries), _chances_of(game))
    except (LookupError, ValueError):
        return _unknown(counted.kept)


def _unknown(kept: KeptGame) -> tuple[SeatResult, ...]:
    return tuple(SeatResult(seat, False, False, 0) for seat in range(1, len(kept.players) + 1))


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
