"""A thread that follows the games of the tables in the tournaments: what counts is recorded, what is corrected changes.

It is fed by `HallService.listen`, never waits in the thread of the intake, and looks up the games of all tournaments
again when it starts and after the database was away.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from queue import Empty, Queue
from threading import Event, Thread

from sqlalchemy import and_, select, tuple_
from sqlalchemy.engine import Connection, Engine

from referee.refused import Refused
from referee.sentences import say
from vander.hall.counted_games import TableGame, read_table_games, with_changed_games, with_new_game
from vander.hall.game_replays import GameKey
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import FIXTURE_GAMES, FIXTURE_TABLES, GAMES, TOURNAMENTS
from vander.hall.hall_service import NO_ANSWER
from vander.hall.retold_games import counted_elsewhere
from vander.hall.tournament_service import TournamentService, hall_clock
from vander.hall.tournament_store import DecisionLine, reference_of
from vander.hall.tournament_view import fixture_title
from vander.tournaments.tournament import Tournament
from web.schemas.tournament_schemas import Decision

AGAIN_S = 5.0
"""After so many seconds a database that was away is asked again."""
LONGEST_AWAY = timedelta(days=30)
"""A game that was told longer ago than a hall is ever switched off is not looked up again at its start."""
_LOG = logging.getLogger(__name__)


class TournamentFollower:
    """Follows games; `listener` goes to `HallService.listen`. Any thread may call any method."""

    def __init__(
        self,
        engine: Engine,
        service: TournamentService,
        clock: Callable[[], datetime] = hall_clock,
        again_s: float = AGAIN_S,
    ) -> None:
        self._engine, self._service, self._clock, self._again_s = engine, service, clock, again_s
        self._told: Queue[GameKey] = Queue()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="tournaments", daemon=True)

    def listener(self, games: Sequence[GameKey]) -> None:
        """Note games that changed."""
        for key in games:
            self._told.put(key)

    def start(self) -> None:
        """Look up what was missed, and follow from now on."""
        self._thread.start()

    def close(self) -> None:
        """Stop after what is being done."""
        self._stopped.set()
        self._told.put((0, 0))
        self._thread.join()

    def settle(self) -> None:
        """Wait until everything that was told is followed."""
        self._told.join()

    def catch_up(self) -> bool:
        """Follow all games that count in a tournament, and all at tables to which players are called.

        Return and raise as `follow`.
        """
        with self._engine.connect() as connection:
            keys = {*_counted(connection), *_at_called_tables(connection)}
        return self.follow(keys)

    def follow(self, keys: Iterable[GameKey]) -> bool:
        """Record and correct what these games change; False where that failed in some tournament, not in the others.

        Raises NO_ANSWER where the database is away.
        """
        with self._engine.connect() as connection:
            found = _by_tournament(connection, set(keys))
            refused = _refused_games(connection, set(keys))
        for number, fixture, key, why in refused:
            self._tell_refused(number, fixture, key, why)
        followed = [self._follow_in(number, games) for number, games in found.items()]
        return all(followed)

    def _follow_in(self, number: int, games: Mapping[int, Sequence[TableGame]]) -> bool:
        try:
            for fixture, of_fixture in games.items():
                for several in [of_fixture] if fixture else [[game] for game in of_fixture]:
                    self._apply(number, fixture, several)
        except NO_ANSWER:
            raise
        except Exception:
            _LOG.exception("tournament %s: its games could not be followed", number)
            return False
        return True

    def _tell_refused(self, number: int, fixture: int, key: GameKey, why: str) -> None:
        """Log that a game which counts is refused by the rules since; its result is the organiser's to decide."""
        try:
            tournament = self._service.store.read(number).tournament
        except Refused:
            return
        found = tournament.fixture(fixture)
        if reference_of(key) in {game.reference for game in found.games}:
            match = fixture_title(tournament, found)
            about = say("The rules refuse a game of {match}: {reason}", match=match, reason=why)
            self._service.store.log_once(number, DecisionLine("", Decision.REFUSED, about))

    def _apply(self, number: int, fixture: int, games: Sequence[TableGame]) -> None:
        """Apply games to a tournament: those that ever counted in a fixture, or, for fixture 0, new ones."""

        def change(tournament: Tournament) -> Tournament:
            if fixture:
                return with_changed_games(tournament, fixture, games, self._clock())
            for game in games:
                tournament = with_new_game(tournament, game, self._clock())
            return tournament

        try:
            self._service.change(number, change)
        except Refused as refused:
            told = ", ".join("/".join(map(str, game.key)) for game in games)
            _LOG.warning("tournament %s: game %s not followed: %s", number, told, refused)
            self._service.store.log_once(number, DecisionLine("", Decision.REFUSED, str(refused)))

    def _run(self) -> None:
        missed = True
        while not self._stopped.is_set():
            keys = self._waiting() if missed else [self._told.get(), *self._waiting()]
            missed = not self._has_followed(keys, missed=missed)
            for _ in keys:
                self._told.task_done()
            if missed:
                self._stopped.wait(self._again_s)

    def _has_followed(self, keys: Sequence[GameKey], *, missed: bool) -> bool:
        """Follow these games, or all where some were missed; False where all must be followed again."""
        try:
            return self.catch_up() if missed else self.follow(keys)
        except NO_ANSWER as error:
            _LOG.warning("tournaments: the database does not answer: %s", error)
        except Exception:
            _LOG.exception("tournaments: games could not be followed")
        return False

    def _waiting(self) -> list[GameKey]:
        """Return the games that have changed, none where none has."""
        keys = list[GameKey]()
        while True:
            try:
                keys.append(self._told.get_nowait())
            except Empty:
                return keys


def _counted(connection: Connection) -> Iterable[GameKey]:
    rows = FIXTURE_GAMES.c
    kept = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.removed_at.is_(None))
    wanted = select(rows.table_id, rows.game_id).where(rows.tournament_id.in_(kept))
    return [(row.table_id, row.game_id) for row in connection.execute(wanted)]


def _at_called_tables(connection: Connection) -> Iterable[GameKey]:
    called = select(FIXTURE_TABLES.c.table_id)
    lately = GAMES.c.taken_at > hall_clock() - LONGEST_AWAY
    wanted = select(GAMES.c.table_id, GAMES.c.game_id).where(GAMES.c.table_id.in_(called), lately)
    return [(row.table_id, row.game_id) for row in connection.execute(wanted)]


def _by_tournament(connection: Connection, keys: set[GameKey]) -> dict[int, dict[int, list[TableGame]]]:
    """Return games by tournament and fixture; those that have not counted yet are under fixture 0."""
    found: defaultdict[int, dict[int, list[TableGame]]] = defaultdict(dict)
    counted = _fixtures_of(connection, keys)
    for (tournament, fixture), of_fixture in counted.items():
        found[tournament][fixture] = read_table_games(connection, of_fixture)
    new = keys.difference(*counted.values())
    rows = FIXTURE_TABLES.c
    called = connection.execute(
        select(rows.table_id, rows.tournament_id).where(rows.table_id.in_([table for table, _ in new]))
    ).all()
    tournaments = {row.table_id: row.tournament_id for row in called}
    at_called = {key for key in new if key[0] in tournaments}
    for game in read_table_games(connection, at_called - counted_elsewhere(connection, at_called)):
        found[tournaments[game.key[0]]].setdefault(0, []).append(game)
    return found


def _fixtures_of(connection: Connection, keys: set[GameKey]) -> dict[tuple[int, int], set[GameKey]]:
    """Return the fixtures in which some of these games count, each with all games that ever counted there."""
    rows = FIXTURE_GAMES.c
    some = select(rows.tournament_id, rows.fixture).where(tuple_(rows.table_id, rows.game_id).in_(list(keys)))
    wanted = select(FIXTURE_GAMES).where(tuple_(rows.tournament_id, rows.fixture).in_(some))
    found: defaultdict[tuple[int, int], set[GameKey]] = defaultdict(set)
    for row in connection.execute(wanted):
        found[row.tournament_id, row.fixture].add((row.table_id, row.game_id))
    return found


def _refused_games(connection: Connection, keys: set[GameKey]) -> Sequence[tuple[int, int, GameKey, str]]:
    """Return those of the games that ever counted which the rules refuse: tournament, fixture, game and why."""
    rows = FIXTURE_GAMES.c
    same = and_(GAMES.c.table_id == rows.table_id, GAMES.c.game_id == rows.game_id)
    wanted = (
        select(FIXTURE_GAMES, GAMES.c.reason)
        .join(GAMES, same)
        .where(tuple_(rows.table_id, rows.game_id).in_(list(keys)), GAMES.c.standing == GameStanding.QUARANTINED)
    )
    found = connection.execute(wanted)
    return [(row.tournament_id, row.fixture, (row.table_id, row.game_id), row.reason) for row in found]
