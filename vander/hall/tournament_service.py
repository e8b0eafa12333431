"""The hall's tournaments as pages and programs see them; implements `web.services.tournament_backend`.

A decision is a pure function of `vander.tournaments`, computed from the version that was read and written if that still
stands.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial

from sqlalchemy import select
from sqlalchemy.engine import Engine

from referee.game_options import BadOption, read_options
from referee.games import named
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.hall.free_tables import hall_tables, table_names
from vander.hall.hall_games import find_or_add
from vander.hall.hall_schema import FIXTURE_TABLES, PLAYERS
from vander.hall.tournament_store import DecisionLine, KeptTournament, TournamentStore
from vander.hall.tournament_view import fixture_title, heading, tournament_response
from vander.tournaments import organising
from vander.tournaments.late_entrants import check_late_entrant, enter_late
from vander.tournaments.redraw import keep_as_played, play_again
from vander.tournaments.round_robin import circle_rounds, weekly
from vander.tournaments.table_assignment import assign_tables, ready_fixtures
from vander.tournaments.tournament import (
    AT_TABLE,
    Entrant,
    Fixture,
    Tournament,
    TournamentGame,
    TournamentKind,
    TournamentSettings,
    is_decided,
)
from web.schemas.hall_wire_schemas import InvitationResponse
from web.schemas.tournament_schemas import (
    AbsentRequest,
    CallPlayersRequest,
    Decision,
    EnterPlayersRequest,
    EntrantRequest,
    FixturePlayerRequest,
    FixtureRequest,
    LateEntrantRequest,
    NewTournamentRequest,
    PostponeRequest,
    ResultRequest,
    SettleRequest,
    StartTournamentRequest,
    TournamentHeading,
    TournamentResponse,
    VersionRequest,
)

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
    """Return the time by the hall's clock."""
    return datetime.now(UTC)


class TournamentService:
    """The tournaments over the hall's database. Any thread may call any method."""

    def __init__(
        self,
        engine: Engine,
        tell_change: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = hall_clock,
    ) -> None:
        self._engine, self._tell_change, self._clock = engine, tell_change, clock
        self.store = TournamentStore(engine)

    def headings(self) -> Sequence[TournamentHeading]:
        """Return the tournaments, the last one first."""
        return [heading(kept) for kept in self.store.all()]

    def find(self, number: int) -> TournamentResponse:
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

    def invitation_for(self, table: int) -> InvitationResponse | None:
        """Return the game for which players are called to a table, or None."""
        rows = FIXTURE_TABLES
        with self._engine.connect() as connection:
            row = connection.execute(select(rows.c.id, rows.c.invitation).where(rows.c.table_id == table)).first()
        if row is None:
            return None
        told = row.invitation
        named_as = (told["title"], told["game"], tuple(told["players"]), told["options"])
        return InvitationResponse(row.id, *named_as, told.get("tournament", ""), told.get("round", 0))

    def change(self, number: int, change: Change) -> None:
        """Change a tournament by what the tables told. Raises Refused, also where changes come too fast."""
        self._change(number, None, lambda tournament: (change(tournament), None))

    def make(self, request: NewTournamentRequest, organiser: str) -> int:
        """Make a tournament, start it if that is asked for, and return its number."""
        settings = _settings(request)
        tournament = Tournament(settings, self._entrants(request.players))
        if request.start:
            tournament = self._started(tournament, in_order=request.in_order)
        line = DecisionLine(organiser, Decision.MADE, request.name)
        number = self.store.add(request.name, tournament, line)
        self._tell_change()
        return number

    def enter_players(self, number: int, request: EnterPlayersRequest, organiser: str) -> None:
        """Set who is to play in a tournament that has not begun."""
        entrants = self._entrants(request.players)

        def enter(tournament: Tournament) -> Tournament:
            _refuse_begun(tournament)
            return replace(tournament, entrants=entrants)

        self._decide(number, request, DecisionLine(organiser, Decision.ENTERED, ", ".join(request.players)), enter)

    def start(self, number: int, request: StartTournamentRequest, organiser: str) -> None:
        """Draw the first round."""

        def begin(tournament: Tournament) -> Tournament:
            _refuse_begun(tournament)
            return self._started(tournament, in_order=request.in_order)

        self._decide(number, request, DecisionLine(organiser, Decision.STARTED), begin)

    def draw(self, number: int, request: VersionRequest, organiser: str) -> None:
        """Draw the next round of a Swiss tournament."""
        self._act(number, request, organiser, Decision.DREW, lambda it: organising.next_round(it, self._clock()))

    def call_all(self, number: int, request: VersionRequest, organiser: str) -> None:
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

    def call_players(self, number: int, request: CallPlayersRequest, organiser: str) -> None:
        """Call the players of a match to a table, or to another one."""

        def called(tournament: Tournament) -> Tournament:
            self._check_call(number, tournament, request)
            if tournament.fixture(request.fixture).state in AT_TABLE:
                return organising.move_to_table(tournament, request.fixture, request.table)
            return organising.call_players(tournament, request.fixture, request.table, self._clock())

        self._at_fixture(number, request, organiser, Decision.CALLED, called)

    def take_back_call(self, number: int, request: FixtureRequest, organiser: str) -> None:
        """Let called players wait again."""
        waits = partial(organising.take_back_call, number=request.fixture)
        self._at_fixture(number, request, organiser, Decision.WAITS_AGAIN, waits)

    def enter_result(self, number: int, request: ResultRequest, organiser: str) -> None:
        """Enter the games of a match by hand, or take its result back."""
        games = [
            TournamentGame(game.winner or None, (game.scores[0], game.scores[1]) if len(game.scores) == PAIR else None)
            for game in request.games
        ]

        def entered(tournament: Tournament) -> Tournament:
            return _with_result(tournament, tournament.fixture(request.fixture), games, self._clock())

        self._at_fixture(number, request, organiser, Decision.RESULT, entered)

    def give_walkover(self, number: int, request: AbsentRequest, organiser: str) -> None:
        """Give a match to the player who came."""

        def given(tournament: Tournament) -> Tournament:
            return organising.give_walkover(tournament, request.fixture, request.absent, self._clock())

        self._at_fixture(number, request, organiser, Decision.WALKOVER, given)

    def give_up(self, number: int, request: FixturePlayerRequest, organiser: str) -> None:
        """Let a player give up a match."""

        def given_up(tournament: Tournament) -> Tournament:
            return organising.give_up(tournament, request.fixture, request.player, self._clock())

        self._at_fixture(number, request, organiser, Decision.GAVE_UP, given_up)

    def withdraw(self, number: int, request: EntrantRequest, organiser: str) -> None:
        """Take a player out of the tournament."""
        act = partial(organising.withdraw, player=request.player, at=self._clock())
        self._of_entrant(number, request, organiser, Decision.WITHDREW, act)

    def reinstate(self, number: int, request: EntrantRequest, organiser: str) -> None:
        """Let a player who has withdrawn take part again."""
        act = partial(organising.reinstate, player=request.player, at=self._clock())
        self._of_entrant(number, request, organiser, Decision.REINSTATED, act)

    def enter_late(self, number: int, request: LateEntrantRequest, organiser: str) -> None:
        """Let a player come in after the first round."""

        def act(tournament: Tournament) -> tuple[Tournament, DecisionLine]:
            _refuse_draft(tournament)
            check_late_entrant(tournament)  # before the hall gets to know a player whom it needs for nothing
            (late,) = self._entrants([request.name])
            after = enter_late(tournament, late.player, late.name, self._clock(), ties_missed=request.ties_missed)
            return after, DecisionLine(organiser, Decision.CAME_LATE, late.name)

        self._change(number, request.version, act)

    def postpone(self, number: int, request: PostponeRequest, organiser: str) -> None:
        """Give a match of a league another day."""
        later = partial(organising.postpone, number=request.fixture, day=_day(request.day))
        self._at_fixture(number, request, organiser, Decision.POSTPONED, later)

    def settle(self, number: int, request: SettleRequest, organiser: str) -> None:
        """Keep what was begun before a result was corrected, or have it played again."""

        def settled(tournament: Tournament) -> Tournament:
            if not 1 <= request.conflict <= len(tournament.conflicts):
                raise Refused(say("This was decided already, or the results have changed again."), Reason.GONE)
            way = keep_as_played if request.keep else play_again
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

    def _decide(self, number: int, request: VersionRequest, line: DecisionLine, change: Change) -> None:
        self._change(number, request.version, lambda tournament: (change(tournament), line))

    def _act(self, number: int, request: VersionRequest, organiser: str, decision: Decision, change: Change) -> None:
        def begun(tournament: Tournament) -> Tournament:
            _refuse_draft(tournament)
            return change(tournament)

        self._decide(number, request, DecisionLine(organiser, decision), begun)

    def _at_fixture(
        self, number: int, request: FixtureRequest, organiser: str, decision: Decision, change: Change
    ) -> None:
        def act(tournament: Tournament) -> tuple[Tournament, DecisionLine]:
            changed = change(tournament)
            about = fixture_title(changed, changed.fixture(request.fixture))
            return changed, DecisionLine(organiser, decision, about)

        self._change(number, request.version, act)

    def _of_entrant(
        self, number: int, request: EntrantRequest, organiser: str, decision: Decision, change: Change
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
        rounds = len(circle_rounds([entrant.player for entrant in entrants], twice=settings.twice)) if entrants else 0
        settings = replace(settings, match_days=settings.match_days[:rounds])
        return organising.start(settings, entrants, self._clock())

    def _assigned(self, kept: KeptTournament, tournament: Tournament) -> tuple[tuple[Fixture, int], ...]:
        """Return the matches that can be called now, each with its table."""
        if not tournament.fixtures:
            return ()
        with self._engine.connect() as connection:
            free = [table.number for table in hall_tables(connection, self._clock()) if table.is_free]
        busy = organising.busy_players(tournament) | self._busy_elsewhere(kept.number)
        return assign_tables(ready_fixtures(tournament, self._today()), free, busy)

    def _busy_elsewhere(self, number: int) -> frozenset[int]:
        """Return the players who are at a table for another tournament."""
        busy = [organising.busy_players(other.tournament) for other in self.store.called_beside(number)]
        return frozenset[int]().union(*busy)

    def _check_call(self, number: int, tournament: Tournament, request: CallPlayersRequest) -> None:
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


def _settings(request: NewTournamentRequest) -> TournamentSettings:
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
        match_days=weekly(_day(request.first_day), PAIR * organising.MOST_ENTRANTS, request.every_days)
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
