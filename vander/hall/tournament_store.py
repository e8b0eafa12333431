"""The hall's tournaments in its database: each change is one transaction, with the organiser's decision.

A change is computed from a version that was read, with no lock held, since a draw for many players takes seconds. It is
written if that version still stands; else another change came first, and it is computed again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.engine import Connection, Engine, Row
from sqlalchemy.exc import IntegrityError

from referee.refused import Reason, Refused
from referee.sentences import say
from vander.hall.game_replays import GameKey
from vander.hall.hall_schema import FIXTURE_GAMES, FIXTURE_TABLES, TOURNAMENT_DECISIONS, TOURNAMENTS
from vander.tournaments.tournament import AT_TABLE, Fixture, Tournament
from web.schemas.tournament_schemas import Decision

MOST_PARSED = 16
"""Tournaments that are kept in memory as values, by number and version."""
_TOURNAMENT = TypeAdapter(Tournament)


@dataclass(frozen=True)
class KeptTournament:
    """A tournament of the hall in one version; `decided_in` is the version that an organiser made last."""

    number: int
    name: str
    version: int
    decided_in: int
    made_at: datetime
    tournament: Tournament


@dataclass(frozen=True)
class DecisionLine:
    """What an organiser decides: who, what, and about whom; `at` None for now."""

    organiser: str
    decision: Decision
    about: str = ""
    at: datetime | None = None


class TournamentStore:
    """The tournaments of a database. Any thread may call any method."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._lock = engine, Lock()
        self._parsed: OrderedDict[tuple[int, int], Tournament] = OrderedDict()

    def add(self, name: str, tournament: Tournament, line: DecisionLine) -> int:
        """Keep a new tournament and return its number."""
        row = {"name": name, "state": _text(tournament), "version": 1, "decided_in": 1, "made_at": datetime.now(UTC)}
        with self._engine.begin() as connection:
            number = int(connection.execute(insert(TOURNAMENTS).values(row).returning(TOURNAMENTS.c.id)).scalar_one())
            _log(connection, number, line)
        return number

    def read(self, number: int) -> KeptTournament:
        """Return a tournament. Raises Refused (NOT_FOUND)."""
        wanted = select(TOURNAMENTS).where(TOURNAMENTS.c.id == number, TOURNAMENTS.c.removed_at.is_(None))
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            raise Refused(say("The hall has no such tournament."), Reason.NOT_FOUND)
        return self._kept(row)

    def all(self) -> Sequence[KeptTournament]:
        """Return the tournaments that were not removed, the last one first."""
        wanted = select(TOURNAMENTS).where(TOURNAMENTS.c.removed_at.is_(None)).order_by(TOURNAMENTS.c.id.desc())
        with self._engine.connect() as connection:
            return [self._kept(row) for row in connection.execute(wanted)]

    def called_beside(self, number: int) -> Sequence[KeptTournament]:
        """Return the other tournaments, those that were not removed, of which players are called to tables."""
        rows, kept = FIXTURE_TABLES.c, TOURNAMENTS.c
        others = select(rows.tournament_id).where(rows.tournament_id != number)
        wanted = select(TOURNAMENTS).where(kept.id.in_(others), kept.removed_at.is_(None))
        with self._engine.connect() as connection:
            return [self._kept(row) for row in connection.execute(wanted)]

    def write(self, kept: KeptTournament, tournament: Tournament, line: DecisionLine | None) -> bool:
        """Put a tournament in the place of the version it was made from; False where another came first.

        It is False too where the tournament was removed.

        Raises Refused (CONFLICT) where a table was called for another tournament meanwhile.
        """
        version = kept.version + 1
        values = {"state": _text(tournament), "version": version} | ({"decided_in": version} if line else {})
        stands = TOURNAMENTS.c.removed_at.is_(None)
        same = (TOURNAMENTS.c.id == kept.number, TOURNAMENTS.c.version == kept.version, stands)
        try:
            with self._engine.begin() as connection:
                if not connection.execute(update(TOURNAMENTS).where(*same).values(values)).rowcount:
                    return False
                _write_tables(connection, kept, tournament)
                _write_games(connection, kept, tournament)
                if line is not None:
                    _log(connection, kept.number, line)
        except IntegrityError as error:
            raise Refused(say("Another match is on this table."), Reason.CONFLICT) from error
        return True

    def remove(self, number: int, line: DecisionLine) -> None:
        """Show a tournament no more; its rows stay. Raises Refused (NOT_FOUND)."""
        still = (TOURNAMENTS.c.id == number, TOURNAMENTS.c.removed_at.is_(None))
        with self._engine.begin() as connection:
            if not connection.execute(update(TOURNAMENTS).where(*still).values(removed_at=datetime.now(UTC))).rowcount:
                raise Refused(say("The hall has no such tournament."), Reason.NOT_FOUND)
            connection.execute(delete(FIXTURE_TABLES).where(FIXTURE_TABLES.c.tournament_id == number))
            _log(connection, number, line)

    def log_once(self, number: int, line: DecisionLine) -> None:
        """Log what is no organiser's decision, unless it stands there already."""
        same = (
            TOURNAMENT_DECISIONS.c.tournament_id == number,
            TOURNAMENT_DECISIONS.c.decision == line.decision,
            TOURNAMENT_DECISIONS.c.about == line.about,
        )
        with self._engine.begin() as connection:
            if connection.execute(select(TOURNAMENT_DECISIONS.c.id).where(*same)).first() is None:
                _log(connection, number, line)

    def decisions(self, number: int, most: int) -> Sequence[DecisionLine]:
        """Return the last decisions, the last first."""
        log = TOURNAMENT_DECISIONS
        wanted = select(log).where(log.c.tournament_id == number).order_by(log.c.id.desc()).limit(most)
        with self._engine.connect() as connection:
            return [
                DecisionLine(row.organiser, Decision(row.decision), row.about, row.at)
                for row in connection.execute(wanted)
            ]

    def _kept(self, row: Row[Any]) -> KeptTournament:
        key = (row.id, row.version)
        with self._lock:
            found = self._parsed.get(key)
        if found is None:
            found = _TOURNAMENT.validate_json(row.state)
            with self._lock:
                self._parsed[key] = found
                while len(self._parsed) > MOST_PARSED:
                    self._parsed.popitem(last=False)
        return KeptTournament(row.id, row.name, row.version, row.decided_in, row.made_at, found)


def read_reference(reference: str) -> GameKey | None:
    """Return the table and the game that a `TournamentGame.reference` names, None for ''."""
    table, _, game = reference.partition("/")
    return (int(table), int(game)) if game else None


def reference_of(key: GameKey) -> str:
    """Return the reference of a game of the hall: `4/17` is game 17 of table 4."""
    return f"{key[0]}/{key[1]}"


def _text(tournament: Tournament) -> str:
    return _TOURNAMENT.dump_json(tournament).decode()


def _log(connection: Connection, number: int, line: DecisionLine) -> None:
    row = {"tournament_id": number, "at": datetime.now(UTC), "organiser": line.organiser}
    connection.execute(insert(TOURNAMENT_DECISIONS).values(row | {"decision": line.decision, "about": line.about}))


def _write_tables(connection: Connection, kept: KeptTournament, tournament: Tournament) -> None:
    """Bring the rows of the called tables in line with the tournament; a row that still holds keeps its number."""
    rows = FIXTURE_TABLES
    own = select(rows.c.table_id, rows.c.fixture, rows.c.played).where(rows.c.tournament_id == kept.number)
    before = {(row.table_id, row.fixture, row.played) for row in connection.execute(own)}
    at_table = [one for one in tournament.fixtures if one.state in AT_TABLE and one.table is not None]
    wanted = {(one.table, one.number, len(one.games)): one for one in at_table}
    gone = [table for table, fixture, played in before if (table, fixture, played) not in wanted]
    if gone:
        connection.execute(delete(rows).where(rows.c.tournament_id == kept.number, rows.c.table_id.in_(gone)))
    new = [_table_row(kept, tournament, one) for key, one in wanted.items() if key not in before]
    if new:
        connection.execute(insert(rows), new)


def _table_row(kept: KeptTournament, tournament: Tournament, fixture: Fixture) -> Mapping[str, object]:
    settings = tournament.settings
    invitation = {
        "title": say("{tournament}, round {number}", tournament=kept.name, number=fixture.round),
        "tournament": kept.name,
        "round": fixture.round,
        "game": settings.game,
        "players": [tournament.entrant(player).name for player in fixture.known],
        "options": dict(settings.options),
    }
    return {
        "table_id": fixture.table,
        "tournament_id": kept.number,
        "fixture": fixture.number,
        "played": len(fixture.games),
        "invitation": invitation,
    }


def _write_games(connection: Connection, kept: KeptTournament, tournament: Tournament) -> None:
    """Note the games that count for the first time."""
    known = _games(kept.tournament)
    new = [
        {"table_id": key[0], "game_id": key[1], "tournament_id": kept.number, "fixture": fixture}
        for key, fixture in _games(tournament).items()
        if key not in known
    ]
    if new:
        connection.execute(upsert(FIXTURE_GAMES).on_conflict_do_nothing(), new)


def _games(tournament: Tournament) -> dict[GameKey, int]:
    read = ((read_reference(game.reference), one.number) for one in tournament.fixtures for game in one.games)
    return {key: number for key, number in read if key is not None}
