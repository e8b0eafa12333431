"""Which games of a hall's tables count in a tournament, and as what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, select, tuple_
from sqlalchemy.engine import Connection, Row

from referee.games import named
from vander.hall.game_replays import GameKey
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import GAMES, SEATS
from vander.hall.tournament_store import reference_of
from vander.tournaments.organising import begin_play, correct_result, record_game
from vander.tournaments.tournament import (
    AT_TABLE,
    Fixture,
    FixtureState,
    Tournament,
    TournamentGame,
    is_decided,
)

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
        return TournamentGame(self.won[0] if len(self.won) == 1 else None, scores, reference_of(self.key))


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
    told = {reference_of(game.key): game for game in games}
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
