"""A tournament of the hall as its pages show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.games import named
from referee.seat_names import shown_name
from referee.sentences import Remembered, say
from vander.hall.free_tables import HallPlace
from vander.hall.tournament_store import DecisionLine, KeptTournament
from vander.tournaments.late_entrants import may_enter_late
from vander.tournaments.organising import busy_players, is_over, late_fixtures, may_draw, planned_rounds
from vander.tournaments.standings import Standing, standings
from vander.tournaments.table_assignment import ready_fixtures
from vander.tournaments.tournament import (
    Conflict,
    Entrant,
    Fixture,
    FixtureEnd,
    FixtureState,
    Meeting,
    Tournament,
    TournamentGame,
)
from vander.tournaments.tournament_titles import END_TITLES, KIND_TITLES, round_title
from web.schemas.tournament_schemas import (
    ConflictSchema,
    Decision,
    DecisionSchema,
    EntrantSchema,
    FixtureGameSchema,
    FixtureSchema,
    FreeTableSchema,
    RoundSchema,
    StandingSchema,
    StateName,
    TournamentHeading,
    TournamentResponse,
)

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


def state_of(tournament: Tournament) -> StateName:
    """Return whether a tournament has begun, and is over."""
    if not tournament.fixtures:
        return "draft"
    return "over" if is_over(tournament) else "going"


def fixture_title(tournament: Tournament, fixture: Fixture) -> str:
    """Return who meets whom, for the log."""
    return " \N{EN DASH} ".join(tournament.entrant(player).name for player in fixture.known)


def heading(kept: KeptTournament) -> TournamentHeading:
    """Return a tournament in the list."""
    tournament, state = kept.tournament, state_of(kept.tournament)
    first = [shown_name(row.entrant.name) for row in standings(tournament) if row.place == 1] if state == "over" else []
    open_rounds = [one.round for one in tournament.standing_fixtures if not one.over]
    return TournamentHeading(
        kept.number,
        kept.name,
        tournament.settings.kind.value,
        KIND_TITLES[tournament.settings.kind],
        _game_title(tournament.settings.game),
        state,
        len(tournament.entrants),
        kept.made_at.isoformat(),
        round_title(tournament, min(open_rounds)) if open_rounds else "",
        tuple(first),
    )


def tournament_response(
    kept: KeptTournament,
    places: tuple[Sequence[HallPlace], Mapping[int, str]],
    can_be_called: int,
    decisions: Sequence[DecisionLine],
    now: datetime,
) -> TournamentResponse:
    """Return a tournament as it stands; `places` are the tables to call to, and the names of all."""
    tournament, settings = kept.tournament, kept.tournament.settings
    free, table_names = places
    names = _Names({one.player: shown_name(one.name) for one in tournament.entrants}, table_names)
    return TournamentResponse(
        kept.number,
        kept.name,
        kept.version,
        settings.kind.value,
        KIND_TITLES[settings.kind],
        settings.game,
        _game_title(settings.game),
        settings.best_of,
        state_of(tournament),
        tuple(map(_entrant, tournament.entrants)),
        _rounds(tournament, names, now),
        planned_rounds(tournament) if tournament.fixtures else 0,
        tuple(map(_standing, standings(tournament))) if tournament.fixtures else (),
        _may_draw_now(tournament),
        may_enter_late(tournament),
        can_be_called,
        _waiting(tournament, now),
        tuple(_conflict(number, one, names) for number, one in enumerate(tournament.conflicts, start=1)),
        tuple(FreeTableSchema(one.number, one.name, one.is_free) for one in free),
        tuple(_decision(line, names.players.values()) for line in decisions),
    )


def _entrant(entrant: Entrant) -> EntrantSchema:
    is_gone = entrant.withdrawn_from_round is not None
    return EntrantSchema(entrant.player, shown_name(entrant.name), is_gone, entrant.entered_in_round)


def _game_title(game: str) -> str:
    try:
        return named(game).title
    except LookupError:
        return game


def _may_draw_now(tournament: Tournament) -> bool:
    over = bool(tournament.fixtures) and all(one.over for one in tournament.fixtures)
    return over and not tournament.conflicts and may_draw(tournament)


def _waiting(tournament: Tournament, now: datetime) -> int:
    busy = busy_players(tournament)
    ready = ready_fixtures(tournament, now.astimezone().date())
    waiting = [one for one in ready if one.state is FixtureState.WAITING and len(one.known) == len(one.players)]
    return sum(busy.isdisjoint(one.known) for one in waiting)


def _rounds(tournament: Tournament, names: _Names, now: datetime) -> tuple[RoundSchema, ...]:
    late = {one.number for one in late_fixtures(tournament, now)}
    numbers = sorted({one.round for one in tournament.standing_fixtures})
    return tuple(
        RoundSchema(
            number,
            round_title(tournament, number),
            tuple(_fixture(one, names, late=one.number in late) for one in tournament.in_round(number)),
        )
        for number in numbers
    )


def _fixture(fixture: Fixture, names: _Names, *, late: bool) -> FixtureSchema:
    first, second = fixture.players
    shown_end = fixture.end is not None and fixture.end is not FixtureEnd.PLAYED
    return FixtureSchema(
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


def _game(game: TournamentGame) -> FixtureGameSchema:
    return FixtureGameSchema(game.winner or 0, game.scores or ())


def _standing(row: Standing) -> StandingSchema:
    return StandingSchema(
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


def _conflict(number: int, conflict: Conflict, names: _Names) -> ConflictSchema:
    now, corrected = names.pairs(conflict.meetings), names.pairs(conflict.corrected)
    return ConflictSchema(number, conflict.sentence, conflict.round, now, corrected)


def _decision(line: DecisionLine, names: Iterable[str]) -> DecisionSchema:
    """Return a line of the log. What the hall refuses is a sentence; all else that a line is about is a name."""
    at = line.at.isoformat() if line.at else ""
    about = Remembered(line.about, names) if line.decision is Decision.REFUSED else line.about
    return DecisionSchema(at, line.organiser, DECISION_TITLES[line.decision], about)
