"""The hall's tournaments as pages and programs see them, and how its database keeps them."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.engine import Connection, Engine, Row
from sqlalchemy.exc import IntegrityError

from referee.game import BadOption, read_options
from referee.games import named, title_of
from referee.phrases import shown_name
from referee.sentences import Reason, Refused, Remembered, say
from vander.extras.tournaments import draws, organising
from vander.extras.tournaments.standings import Standing, standings
from vander.extras.tournaments.tournament import (
    AT_TABLE,
    END_TITLES,
    KIND_TITLES,
    Conflict,
    Entrant,
    Fixture,
    FixtureEnd,
    FixtureState,
    Meeting,
    Tournament,
    TournamentGame,
    TournamentKind,
    TournamentSettings,
    is_decided,
    round_title,
)
from vander.hall.game_replays import GameKey
from vander.hall.hall_games import GameStanding, find_or_add
from vander.hall.hall_schema import (
    ENTRIES,
    FIXTURE_GAMES,
    FIXTURE_TABLES,
    GAMES,
    PLAYERS,
    TABLES,
    TOURNAMENT_DECISIONS,
    TOURNAMENTS,
)
from web.schemas import tournament_schemas as shapes
from web.schemas.hall_schemas import HallInvitation, TableStanding
from web.schemas.tournament_schemas import Decision

# The hall's tournaments in its database: each change is one transaction, with the organiser's decision
#
# A change is computed from a version that was read, with no lock held, since a draw for many players takes seconds.
# It is written if that version still stands; else another change came first, and it is computed again.


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


# Which tables of the hall are free for a match


QUIET = timedelta(minutes=10)
"""A game without a new line for this long counts as abandoned on the table."""
SWITCHED_OFF = timedelta(minutes=10)
"""A table that has sent nothing for this long counts as switched off."""


def hall_tables(connection: Connection, now: datetime) -> Sequence[shapes.FreeTable]:
    """Return the tables to which nobody is called, by name."""
    told = func.coalesce(ENTRIES.c.taken_at, GAMES.c.taken_at)
    line = and_(ENTRIES.c.table_id == GAMES.c.table_id, ENTRIES.c.sequence == GAMES.c.sequence)
    going = (
        select(GAMES.c.table_id)
        .outerjoin(ENTRIES, line)
        .where(GAMES.c.standing == GameStanding.GOING, told > now - QUIET)
    )
    called = select(FIXTURE_TABLES.c.table_id)
    wanted = (
        select(TABLES.c.id, TABLES.c.name, TABLES.c.seen_at, TABLES.c.id.in_(going).label("is_played_at"))
        .where(TABLES.c.removed_at.is_(None), TABLES.c.standing == TableStanding.LIVE, TABLES.c.id.not_in(called))
        .order_by(func.length(TABLES.c.name), TABLES.c.name_key)
    )
    return [
        shapes.FreeTable(
            row.id,
            row.name,
            not row.is_played_at and row.seen_at is not None and row.seen_at > now - SWITCHED_OFF,
        )
        for row in connection.execute(wanted)
    ]


def table_names(connection: Connection) -> dict[int, str]:
    """Return the name of each table that was ever in the hall."""
    return {row.id: row.name for row in connection.execute(select(TABLES.c.id, TABLES.c.name))}


# A tournament of the hall as its pages show it


DECISION_TITLES: Final[Mapping[Decision, str]] = {
    Decision.MADE: say("Tournament made"),
    Decision.ENTERED: say("Players entered"),
    Decision.STARTED: say("First round drawn"),
    Decision.DREW: say("Next round drawn"),
    Decision.CALLED: say("Called"),
    Decision.WAITS_AGAIN: say("Waits again"),
    Decision.RESULT: say("Result entered"),
    Decision.WALKOVER: say("Walkover"),
    Decision.GAVE_UP: say("Match given up"),
    Decision.WITHDREW: say("Withdrawn"),
    Decision.REINSTATED: say("Takes part again"),
    Decision.CAME_LATE: say("Came late"),
    Decision.POSTPONED: say("Another day"),
    Decision.KEPT: say("Kept as played"),
    Decision.PLAYED_AGAIN: say("Played again"),
    Decision.REFUSED: say("A table corrected a game that cannot be followed"),
    Decision.REMOVED: say("Removed"),
}


@dataclass(frozen=True)
class _Names:
    """The names of a tournament's players and of the hall's tables."""

    players: Mapping[int, str]
    tables: Mapping[int, str]

    def of(self, player: int | None) -> str:
        return self.players.get(player or 0, "")

    def pairs(self, meetings: Sequence[Meeting]) -> tuple[tuple[str, str], ...]:
        return tuple((self.of(first), self.of(second)) for first, second in meetings)


def state_of(tournament: Tournament) -> shapes.StateName:
    """Return whether a tournament has begun, and is over."""
    if not tournament.fixtures:
        return "draft"
    return "over" if organising.is_over(tournament) else "going"


def fixture_title(tournament: Tournament, fixture: Fixture) -> str:
    """Return who meets whom, for the log."""
    return " \N{EN DASH} ".join(tournament.entrant(player).name for player in fixture.known)


def heading(kept: KeptTournament) -> shapes.TournamentHeading:
    tournament, state = kept.tournament, state_of(kept.tournament)
    first = [shown_name(row.entrant.name) for row in standings(tournament) if row.place == 1] if state == "over" else []
    open_rounds = [one.round for one in tournament.standing_fixtures if not one.over]
    return shapes.TournamentHeading(
        kept.number,
        kept.name,
        tournament.settings.kind.value,
        KIND_TITLES[tournament.settings.kind],
        title_of(tournament.settings.game),
        state,
        len(tournament.entrants),
        kept.made_at.isoformat(),
        round_title(tournament, min(open_rounds)) if open_rounds else "",
        tuple(first),
    )


def tournament_response(
    kept: KeptTournament,
    places: tuple[Sequence[shapes.FreeTable], Mapping[int, str]],
    can_be_called: int,
    decisions: Sequence[DecisionLine],
    now: datetime,
) -> shapes.TournamentResponse:
    """Return a tournament as it stands; `places` are the tables to call to, and the names of all."""
    tournament, settings = kept.tournament, kept.tournament.settings
    free, table_names = places
    names = _Names({one.player: shown_name(one.name) for one in tournament.entrants}, table_names)
    return shapes.TournamentResponse(
        kept.number,
        kept.name,
        kept.version,
        settings.kind.value,
        KIND_TITLES[settings.kind],
        settings.game,
        title_of(settings.game),
        settings.best_of,
        state_of(tournament),
        tuple(map(_entrant, tournament.entrants)),
        _rounds(tournament, names, now),
        organising.planned_rounds(tournament) if tournament.fixtures else 0,
        tuple(map(_standing, standings(tournament))) if tournament.fixtures else (),
        _may_draw_now(tournament),
        organising.may_enter_late(tournament),
        can_be_called,
        _waiting(tournament, now),
        tuple(_conflict(number, one, names) for number, one in enumerate(tournament.conflicts, start=1)),
        tuple(free),
        tuple(_decision(line, names.players.values()) for line in decisions),
    )


def _entrant(entrant: Entrant) -> shapes.EntrantSchema:
    is_gone = entrant.withdrawn_from_round is not None
    return shapes.EntrantSchema(entrant.player, shown_name(entrant.name), is_gone, entrant.entered_in_round)


def _may_draw_now(tournament: Tournament) -> bool:
    over = bool(tournament.fixtures) and all(one.over for one in tournament.fixtures)
    return over and not tournament.conflicts and organising.may_draw(tournament)


def _waiting(tournament: Tournament, now: datetime) -> int:
    busy = organising.busy_players(tournament)
    ready = draws.ready_fixtures(tournament, now.astimezone().date())
    waiting = [one for one in ready if one.state is FixtureState.WAITING and len(one.known) == len(one.players)]
    return sum(busy.isdisjoint(one.known) for one in waiting)


def _rounds(tournament: Tournament, names: _Names, now: datetime) -> tuple[shapes.RoundSchema, ...]:
    late = {one.number for one in organising.late_fixtures(tournament, now)}
    numbers = sorted({one.round for one in tournament.standing_fixtures})
    return tuple(
        shapes.RoundSchema(
            number,
            round_title(tournament, number),
            tuple(_fixture(one, names, late=one.number in late) for one in tournament.in_round(number)),
        )
        for number in numbers
    )


def _fixture(fixture: Fixture, names: _Names, *, late: bool) -> shapes.FixtureSchema:
    first, second = fixture.players
    shown_end = fixture.end is not None and fixture.end is not FixtureEnd.PLAYED
    return shapes.FixtureSchema(
        fixture.number,
        fixture.round,
        (first or 0, second or 0),
        (names.of(first), names.of(second)),
        fixture.state.value,
        END_TITLES[fixture.end] if shown_end and fixture.end else "",
        fixture.wins,
        fixture.winner or 0,
        tuple(map(_game, fixture.games)),
        fixture.table or 0,
        names.tables.get(fixture.table or 0, ""),
        fixture.called_at.isoformat() if fixture.called_at else "",
        late,
        fixture.third_place,
        tuple(feeder.fixture for feeder in fixture.feeders or ()),
        fixture.day.isoformat() if fixture.day else "",
    )


def _game(game: TournamentGame) -> shapes.FixtureGameSchema:
    return shapes.FixtureGameSchema(game.winner or 0, game.scores or ())


def _standing(row: Standing) -> shapes.StandingSchema:
    return shapes.StandingSchema(
        row.place or 0,
        row.entrant.player,
        shown_name(row.entrant.name),
        row.entrant.withdrawn_from_round is not None,
        row.points,
        row.played,
        row.won,
        row.tied,
        row.lost,
        row.buchholz,
        row.sonneborn_berger,
        row.score_difference,
    )


def _conflict(number: int, conflict: Conflict, names: _Names) -> shapes.ConflictSchema:
    now, corrected = names.pairs(conflict.meetings), names.pairs(conflict.corrected)
    return shapes.ConflictSchema(number, conflict.sentence, conflict.round, now, corrected)


def _decision(line: DecisionLine, names: Iterable[str]) -> shapes.DecisionSchema:
    """Return a line of the log. What the hall refuses is a sentence; all else that a line is about is a name."""
    at = line.at.isoformat() if line.at else ""
    about = Remembered(line.about, names) if line.decision is Decision.REFUSED else line.about
    return shapes.DecisionSchema(at, line.organiser, DECISION_TITLES[line.decision], about)


# The hall's tournaments as pages and programs see them
#
# A decision is a pure function of `vander.extras.tournaments`, computed from the version that was read and written if
# that still stands.


MOST_DECISIONS = 30
"""Lines of the log that a page shows."""
TRIES = 20
"""How often a change is computed again because another one came first."""
PAIR = 2
LARGEST_SEED = 2**31
SOMEBODY_ELSE = say("Another organiser has just decided something. Look again, then decide.")
BEGUN = say("The tournament has begun.")
NOT_BEGUN = say("The tournament has not begun yet.")
Change = Callable[[Tournament], Tournament]


def hall_clock() -> datetime:
    return datetime.now(UTC)


class TournamentService:
    """The tournaments over the hall's database. Any thread may call any method; refusals are `Refused`.

    What an organiser decides is refused (CONFLICT) where another organiser has decided since the version by which it
    is decided. `organiser` is the name of the tablet that decides.
    """

    def __init__(
        self, engine: Engine, tell_change: Callable[[], None] = lambda: None, clock: Callable[[], datetime] = hall_clock
    ) -> None:
        self._engine, self._tell_change, self._clock = engine, tell_change, clock
        self.store = TournamentStore(engine)

    def headings(self) -> Sequence[shapes.TournamentHeading]:
        """Return the tournaments, the last one first."""
        return [heading(kept) for kept in self.store.all()]

    def find(self, number: int) -> shapes.TournamentResponse:
        """Return a tournament as it stands. Raises Refused (NOT_FOUND)."""
        kept = self.store.read(number)
        with self._engine.connect() as connection:
            places = hall_tables(connection, self._clock()), table_names(connection)
        can_be_called = len(self._assigned(kept, kept.tournament))
        decisions = self.store.decisions(number, MOST_DECISIONS)
        return tournament_response(kept, places, can_be_called, decisions, self._clock())

    def version(self, number: int) -> int:
        """Return how often a tournament has changed. Raises Refused (NOT_FOUND)."""
        return self.store.read(number).version

    def invitation_for(self, table: int) -> HallInvitation | None:
        """Return the game for which players are called to a table, or None."""
        rows = FIXTURE_TABLES
        with self._engine.connect() as connection:
            row = connection.execute(select(rows.c.id, rows.c.invitation).where(rows.c.table_id == table)).first()
        if row is None:
            return None
        told = row.invitation
        named_as = (told["title"], told["game"], tuple(told["players"]), told["options"])
        return HallInvitation(row.id, *named_as, told.get("tournament", ""), told.get("round", 0))

    def change(self, number: int, change: Change) -> None:
        """Change a tournament by what the tables told. Raises Refused, also where changes come too fast."""
        self._change(number, None, lambda tournament: (change(tournament), None))

    def make(self, request: shapes.NewTournamentRequest, organiser: str) -> int:
        """Make a tournament, start it if that is asked for, and return its number."""
        settings = _settings(request)
        tournament = Tournament(settings, self._entrants(request.players))
        if request.start:
            tournament = self._started(tournament, in_order=request.in_order)
        line = DecisionLine(organiser, Decision.MADE, request.name)
        number = self.store.add(request.name, tournament, line)
        self._tell_change()
        return number

    def enter_players(self, number: int, request: shapes.EnterPlayersRequest, organiser: str) -> None:
        """Set who is to play in a tournament that has not begun."""
        entrants = self._entrants(request.players)

        def enter(tournament: Tournament) -> Tournament:
            _refuse_begun(tournament)
            return replace(tournament, entrants=entrants)

        self._decide(number, request, DecisionLine(organiser, Decision.ENTERED, ", ".join(request.players)), enter)

    def start(self, number: int, request: shapes.StartTournamentRequest, organiser: str) -> None:
        """Draw the first round."""

        def begin(tournament: Tournament) -> Tournament:
            _refuse_begun(tournament)
            return self._started(tournament, in_order=request.in_order)

        self._decide(number, request, DecisionLine(organiser, Decision.STARTED), begin)

    def draw(self, number: int, request: shapes.VersionRequest, organiser: str) -> None:
        """Draw the next round of a Swiss tournament."""
        self._act(number, request, organiser, Decision.DREW, lambda it: organising.next_round(it, self._clock()))

    def call_all(self, number: int, request: shapes.VersionRequest, organiser: str) -> None:
        """Call players to all tables that are free."""

        def act(tournament: Tournament) -> tuple[Tournament, DecisionLine]:
            kept = self.store.read(number)
            assigned = self._assigned(kept, tournament)
            if not assigned:
                raise Refused(say("No table is free, or nobody waits who could play."), Reason.CONFLICT)
            about = "; ".join(fixture_title(tournament, fixture) for fixture, _ in assigned)
            for fixture, table in assigned:
                tournament = organising.call_players(tournament, fixture.number, table, self._clock())
            return tournament, DecisionLine(organiser, Decision.CALLED, about)

        self._change(number, request.version, act)

    def call_players(self, number: int, request: shapes.CallPlayersRequest, organiser: str) -> None:
        """Call the players of a match to a table, or to another one."""

        def called(tournament: Tournament) -> Tournament:
            self._check_call(number, tournament, request)
            if tournament.fixture(request.fixture).state in AT_TABLE:
                return organising.move_to_table(tournament, request.fixture, request.table)
            return organising.call_players(tournament, request.fixture, request.table, self._clock())

        self._at_fixture(number, request, organiser, Decision.CALLED, called)

    def take_back_call(self, number: int, request: shapes.FixtureRequest, organiser: str) -> None:
        """Let called players wait again."""
        waits = partial(organising.take_back_call, number=request.fixture)
        self._at_fixture(number, request, organiser, Decision.WAITS_AGAIN, waits)

    def enter_result(self, number: int, request: shapes.ResultRequest, organiser: str) -> None:
        """Enter the games of a match by hand, or take its result back."""
        games = [
            TournamentGame(game.winner or None, (game.scores[0], game.scores[1]) if len(game.scores) == PAIR else None)
            for game in request.games
        ]

        def entered(tournament: Tournament) -> Tournament:
            return _with_result(tournament, tournament.fixture(request.fixture), games, self._clock())

        self._at_fixture(number, request, organiser, Decision.RESULT, entered)

    def give_walkover(self, number: int, request: shapes.AbsentRequest, organiser: str) -> None:
        """Give a match to the player who came."""

        def given(tournament: Tournament) -> Tournament:
            return organising.give_walkover(tournament, request.fixture, request.absent, self._clock())

        self._at_fixture(number, request, organiser, Decision.WALKOVER, given)

    def give_up(self, number: int, request: shapes.FixturePlayerRequest, organiser: str) -> None:
        """Let a player give up a match."""

        def given_up(tournament: Tournament) -> Tournament:
            return organising.give_up(tournament, request.fixture, request.player, self._clock())

        self._at_fixture(number, request, organiser, Decision.GAVE_UP, given_up)

    def withdraw(self, number: int, request: shapes.EntrantRequest, organiser: str) -> None:
        """Take a player out of the tournament."""
        act = partial(organising.withdraw, player=request.player, at=self._clock())
        self._of_entrant(number, request, organiser, Decision.WITHDREW, act)

    def reinstate(self, number: int, request: shapes.EntrantRequest, organiser: str) -> None:
        """Let a player who has withdrawn take part again."""
        act = partial(organising.reinstate, player=request.player, at=self._clock())
        self._of_entrant(number, request, organiser, Decision.REINSTATED, act)

    def enter_late(self, number: int, request: shapes.LateEntrantRequest, organiser: str) -> None:
        """Let a player come in after the first round."""

        def act(tournament: Tournament) -> tuple[Tournament, DecisionLine]:
            _refuse_draft(tournament)
            organising.check_late_entrant(tournament)  # before the hall gets to know a player whom it needs for nothing
            (late,) = self._entrants([request.name])
            after = organising.enter_late(
                tournament, late.player, late.name, self._clock(), ties_missed=request.ties_missed
            )
            return after, DecisionLine(organiser, Decision.CAME_LATE, late.name)

        self._change(number, request.version, act)

    def postpone(self, number: int, request: shapes.PostponeRequest, organiser: str) -> None:
        """Give a match of a league another day."""
        later = partial(organising.postpone, number=request.fixture, day=_day(request.day))
        self._at_fixture(number, request, organiser, Decision.POSTPONED, later)

    def settle(self, number: int, request: shapes.SettleRequest, organiser: str) -> None:
        """Keep what was begun before a result was corrected, or have it played again."""

        def settled(tournament: Tournament) -> Tournament:
            if not 1 <= request.conflict <= len(tournament.conflicts):
                raise Refused(say("This was decided already, or the results have changed again."), Reason.GONE)
            way = draws.keep_as_played if request.keep else draws.play_again
            return way(tournament, tournament.conflicts[request.conflict - 1], self._clock())

        decision = Decision.KEPT if request.keep else Decision.PLAYED_AGAIN
        self._act(number, request, organiser, decision, settled)

    def remove(self, number: int, organiser: str) -> None:
        """Show a tournament no more."""
        self.store.remove(number, DecisionLine(organiser, Decision.REMOVED))
        self._tell_change()

    # One way for all changes.

    def _change(
        self, number: int, version: int | None, act: Callable[[Tournament], tuple[Tournament, DecisionLine | None]]
    ) -> None:
        """Compute a change and write it, again where another one came first. Raises Refused."""
        for _ in range(TRIES):
            kept = self.store.read(number)
            if version is not None and kept.decided_in > version:
                raise Refused(SOMEBODY_ELSE, Reason.CONFLICT)
            tournament, line = act(kept.tournament)
            if tournament == kept.tournament and line is None:
                return
            if self.store.write(kept, tournament, line):
                self._tell_change()
                return
        raise Refused(say("The tournament changes too fast. Try again."), Reason.CONFLICT)

    def _decide(self, number: int, request: shapes.VersionRequest, line: DecisionLine, change: Change) -> None:
        self._change(number, request.version, lambda tournament: (change(tournament), line))

    def _act(
        self, number: int, request: shapes.VersionRequest, organiser: str, decision: Decision, change: Change
    ) -> None:
        def begun(tournament: Tournament) -> Tournament:
            _refuse_draft(tournament)
            return change(tournament)

        self._decide(number, request, DecisionLine(organiser, decision), begun)

    def _at_fixture(
        self, number: int, request: shapes.FixtureRequest, organiser: str, decision: Decision, change: Change
    ) -> None:
        def act(tournament: Tournament) -> tuple[Tournament, DecisionLine]:
            changed = change(tournament)
            about = fixture_title(changed, changed.fixture(request.fixture))
            return changed, DecisionLine(organiser, decision, about)

        self._change(number, request.version, act)

    def _of_entrant(
        self, number: int, request: shapes.EntrantRequest, organiser: str, decision: Decision, change: Change
    ) -> None:
        def act(tournament: Tournament) -> tuple[Tournament, DecisionLine]:
            _refuse_draft(tournament)
            return change(tournament), DecisionLine(organiser, decision, tournament.entrant(request.player).name)

        self._change(number, request.version, act)

    # What a decision needs to know of the hall.

    def _entrants(self, names: Sequence[str]) -> tuple[Entrant, ...]:
        """Return players of the hall, the first with seed 1; who is new is added. Raises Refused for one twice."""
        with self._engine.begin() as connection:
            numbers = find_or_add(connection, names, self._clock())
            if 0 in numbers:
                raise Refused(say("{name} is in the list twice.", name=names[numbers.index(0)]))
            known = connection.execute(select(PLAYERS.c.id, PLAYERS.c.name).where(PLAYERS.c.id.in_(numbers)))
            called = {row.id: row.name for row in known}
        return tuple(Entrant(player, called[player], seed) for seed, player in enumerate(numbers, start=1))

    def _started(self, tournament: Tournament, *, in_order: bool) -> Tournament:
        settings, entrants = tournament.settings, tournament.entrants
        if not in_order:
            players = [(entrant.player, entrant.name) for entrant in entrants]
            entrants = organising.draw_lots(players, settings.random_seed)
        rounds = (
            len(draws.circle_rounds([entrant.player for entrant in entrants], twice=settings.twice)) if entrants else 0
        )
        settings = replace(settings, match_days=settings.match_days[:rounds])
        return organising.start(settings, entrants, self._clock())

    def _assigned(self, kept: KeptTournament, tournament: Tournament) -> tuple[tuple[Fixture, int], ...]:
        """Return the matches that can be called now, each with its table."""
        if not tournament.fixtures:
            return ()
        with self._engine.connect() as connection:
            free = [table.number for table in hall_tables(connection, self._clock()) if table.is_free]
        busy = organising.busy_players(tournament) | self._busy_elsewhere(kept.number)
        return draws.assign_tables(draws.ready_fixtures(tournament, self._today()), free, busy)

    def _busy_elsewhere(self, number: int) -> frozenset[int]:
        """Return the players who are at a table for another tournament."""
        busy = [organising.busy_players(other.tournament) for other in self.store.called_beside(number)]
        return frozenset[int]().union(*busy)

    def _check_call(self, number: int, tournament: Tournament, request: shapes.CallPlayersRequest) -> None:
        """Refuse a table that the hall does not have, and players who are at a table for another tournament."""
        with self._engine.connect() as connection:
            tables = {table.number for table in hall_tables(connection, self._clock())}
        if request.table not in tables:
            raise Refused(say("The hall has no such table, or another match is on it."), Reason.NOT_FOUND)
        busy = self._busy_elsewhere(number).intersection(tournament.fixture(request.fixture).known)
        if busy:
            name = tournament.entrant(min(busy)).name
            raise Refused(say("{name} is at another table.", name=name), Reason.CONFLICT)

    def _today(self) -> date:
        return self._clock().astimezone().date()


def _settings(request: shapes.NewTournamentRequest) -> TournamentSettings:
    """Return what is agreed. Raises Refused (INVALID)."""
    try:
        game = named(request.game)
        options = read_options(game.options, request.options)
    except (LookupError, BadOption) as error:
        raise Refused(say("There is no such game, or no such option: {cause}", cause=str(error.args[0]))) from error
    if game.seats[0] > PAIR:
        raise Refused(say("A match is between two players, and {game} needs more.", game=game.title))
    if game.finish is None:
        raise Refused(say("Nobody wins {game} at its end. Choose another game.", game=game.title))
    kind = TournamentKind(request.kind)
    return TournamentSettings(
        kind,
        request.game,
        options,
        request.best_of,
        rounds=request.rounds or None,
        twice=request.twice,
        third_place=request.third_place,
        match_days=draws.weekly(_day(request.first_day), PAIR * organising.MOST_ENTRANTS, request.every_days)
        if kind is TournamentKind.LEAGUE
        else (),
        random_seed=secrets.randbelow(LARGEST_SEED),
        walkover_minutes=request.walkover_minutes,
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(say("{text} is no day such as 2026-12-24.", text=repr(text))) from None


def _refuse_begun(tournament: Tournament) -> None:
    if tournament.fixtures:
        raise Refused(BEGUN, Reason.CONFLICT)


def _refuse_draft(tournament: Tournament) -> None:
    if not tournament.fixtures:
        raise Refused(NOT_BEGUN, Reason.CONFLICT)


def _with_result(tournament: Tournament, fixture: Fixture, games: Sequence[TournamentGame], at: datetime) -> Tournament:
    """Return the tournament with a result by hand; what tables tell of the match's games changes it no more."""
    if fixture.over or fixture.games:
        return organising.correct_result(tournament, fixture.number, games, at)
    if not is_decided(tournament.settings, games, fixture.players):
        raise Refused(say("These games do not decide the match."))
    for game in games:
        tournament = organising.record_game(tournament, fixture.number, game, at)
    return tournament
