"""Games of the tables that count in tournaments: a thread follows them, records what counts, and corrects it."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any

from sqlalchemy import and_, select, tuple_
from sqlalchemy.engine import Connection, Engine, Row

from referee.games import named
from referee.sentences import Refused, say
from vander.extras.tournaments.organising import begin_play, correct_result, record_game
from vander.extras.tournaments.tournament import AT_TABLE, Fixture, FixtureState, Tournament, TournamentGame, is_decided
from vander.hall import tournament_service
from vander.hall.entry_intake import counted_elsewhere
from vander.hall.game_replays import GameKey
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import FIXTURE_GAMES, FIXTURE_TABLES, GAMES, SEATS, TOURNAMENTS
from vander.hall.hall_service import NO_ANSWER
from web.schemas.tournament_schemas import Decision

# Which games of a hall's tables count in a tournament, and as what


CLOCK_SLACK = timedelta(seconds=5)
"""By how much a table's clock may be off what the hall has measured: one request over a slow network."""
NOWHERE = (GameStanding.QUARANTINED, GameStanding.RETOLD)
"""The standings of games that count nowhere."""
LARGEST_OFF_S = timedelta(days=365).total_seconds()
"""A table's clock that is further off was never set: what it says of a game's beginning counts nothing."""


@dataclass(frozen=True)
class TableGame:
    """A game of a table as the hall knows it. `players` are the hall's numbers, 0 for a name that nobody can read.

    `begun_at` is by the hall's clock. `won` are the players who have won a `finished` game: one that was played to its
    end. One that `goes_on` may be finished yet.
    """

    key: GameKey
    game: str
    options: dict[str, str]
    players: tuple[int, ...]
    scores: tuple[int, ...]
    won: tuple[int, ...]
    finished: bool
    goes_on: bool
    begun_at: datetime

    def result(self, fixture: Fixture) -> TournamentGame:
        """Return what a finished game is in a fixture of its players."""
        score = dict(zip(self.players, self.scores, strict=False))
        first, second = (score.get(player or 0) for player in fixture.players)
        scores = None if first is None or second is None else (first, second)
        return TournamentGame(
            self.won[0] if len(self.won) == 1 else None, scores, tournament_service.reference_of(self.key)
        )


def read_table_games(connection: Connection, keys: Iterable[GameKey]) -> list[TableGame]:
    """Return these games in the order of their beginnings, without those that count nowhere.

    A game that was told twice stays in a tournament as it counted there first.
    """
    seated = and_(SEATS.c.table_id == GAMES.c.table_id, SEATS.c.game_id == GAMES.c.game_id)
    wanted = (
        select(GAMES, SEATS.c.seat, SEATS.c.player_id, SEATS.c.won, SEATS.c.finished)
        .join(SEATS, seated)
        .where(tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(list(keys)), GAMES.c.standing.not_in(NOWHERE))
        .order_by(GAMES.c.table_id, GAMES.c.game_id, SEATS.c.seat)
    )
    rows: dict[GameKey, list[Row[Any]]] = {}
    for row in connection.execute(wanted):
        rows.setdefault((row.table_id, row.game_id), []).append(row)
    return sorted(map(_table_game, rows.values()), key=lambda one: (one.begun_at, one.key))


def _table_game(seats: Sequence[Row[Any]]) -> TableGame:
    first = seats[0]
    players = {row.seat: row.player_id for row in seats}
    finished = all(row.finished for row in seats)
    return TableGame(
        (first.table_id, first.game_id),
        first.game,
        whole_options(first.game, first.options),
        tuple(players.get(seat, 0) for seat in range(1, len(first.players) + 1)),
        tuple(first.scores),
        tuple(row.player_id for row in seats if row.won),
        finished,
        first.standing == GameStanding.GOING,
        _begun_at(first),
    )


def _begun_at(game: Row[Any]) -> datetime:
    """Return when a game was begun by the hall's clock: when it was told, where the table's clock says nothing."""
    told_at: datetime = game.taken_at
    if game.clock_doubted or game.clock_off_s is None or abs(game.clock_off_s) > LARGEST_OFF_S:
        return told_at
    try:
        begun_at: datetime = game.started_at - timedelta(seconds=game.clock_off_s)
    except OverflowError:
        return told_at
    return begun_at


def whole_options(game: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return every option of a game with its reading, and what a table's own sheets are called as it is given."""
    try:
        known = named(game).options
    except LookupError:
        return dict(given)
    return {option.name: option.default for option in known} | dict(given)


def with_new_game(tournament: Tournament, game: TableGame, at: datetime) -> Tournament:
    """Return the tournament with a game that has not counted yet; unchanged where it counts nothing. Raises Refused."""
    fixture = next((one for one in tournament.fixtures if one.state in AT_TABLE and one.table == game.key[0]), None)
    if fixture is None or not _belongs(tournament, fixture, game):
        return tournament
    if game.finished:
        return record_game(tournament, fixture.number, game.result(fixture), at)
    if game.goes_on and fixture.state is FixtureState.CALLED:
        return begin_play(tournament, fixture.number)
    return tournament


def _belongs(tournament: Tournament, fixture: Fixture, game: TableGame) -> bool:
    """True if a game is of these two players, by what was agreed, and was begun after they were called."""
    settings = tournament.settings
    agreed = (game.game, game.options) == (settings.game, whole_options(settings.game, settings.options))
    called_at = fixture.called_at
    return agreed and _is_of(fixture, game) and called_at is not None and game.begun_at >= called_at - CLOCK_SLACK


def _is_of(fixture: Fixture, game: TableGame) -> bool:
    return len(game.players) == len(fixture.known) and set(game.players) == set(fixture.known)


def with_changed_games(tournament: Tournament, number: int, games: Sequence[TableGame], at: datetime) -> Tournament:
    """Return the tournament with a fixture's games as their tables have them now. Raises Refused.

    `games` are all that ever counted in the fixture: one that is too many by the others is left out, and counts again
    when they are corrected again. A game that goes on again counts as before until it is over. Where a person has
    entered the result, it stays.
    """
    fixture = tournament.fixture(number)
    told = {tournament_service.reference_of(game.key): game for game in games}
    if not fixture.stands or not any(one.reference in told for one in fixture.games):
        return tournament
    found = [_as_told(fixture, one, told.pop(one.reference, None)) for one in fixture.games]
    found += [game.result(fixture) for game in told.values() if game.finished and _is_of(fixture, game)]
    corrected = _until_decided(tournament, fixture, [one for one in found if one is not None])
    return tournament if corrected == fixture.games else correct_result(tournament, number, corrected, at)


def _as_told(fixture: Fixture, counted: TournamentGame, game: TableGame | None) -> TournamentGame | None:
    """Return a game that counted as it stands now; None where it was ended without a result after all."""
    if game is None or game.goes_on or not _is_of(fixture, game):
        return counted
    return game.result(fixture) if game.finished else None


def _until_decided(
    tournament: Tournament, fixture: Fixture, games: Sequence[TournamentGame]
) -> tuple[TournamentGame, ...]:
    for count in range(1, len(games)):
        if is_decided(tournament.settings, games[:count], fixture.players):
            return tuple(games[:count])
    return tuple(games)


# A thread that follows the games of the tables in the tournaments: what counts is recorded, what is corrected changes
#
# It is fed by `HallService.listen`, never waits in the thread of the intake, and looks up the games of all
# tournaments again when it starts and after the database was away.


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
        service: tournament_service.TournamentService,
        clock: Callable[[], datetime] = tournament_service.hall_clock,
        again_s: float = AGAIN_S,
    ) -> None:
        self._engine, self._service, self._clock, self._again_s = engine, service, clock, again_s
        self._told: Queue[GameKey] = Queue()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="tournaments", daemon=True)

    def listener(self, games: Sequence[GameKey]) -> None:
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
        if tournament_service.reference_of(key) in {game.reference for game in found.games}:
            match = tournament_service.fixture_title(tournament, found)
            about = say("The rules refuse a game of {match}: {reason}", match=match, reason=why)
            self._service.store.log_once(number, tournament_service.DecisionLine("", Decision.REFUSED, about))

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
            self._service.store.log_once(number, tournament_service.DecisionLine("", Decision.REFUSED, str(refused)))

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
    lately = GAMES.c.taken_at > tournament_service.hall_clock() - LONGEST_AWAY
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
