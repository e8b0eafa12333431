"""The values of a tournament: settings, entrants, and fixtures with their games. All are frozen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from referee.sentences import Reason, Refused, say

# The values of a tournament: settings, entrants, and fixtures with their games. All are frozen
#
# A fixture is what players call a match: exactly two players who meet over one or several games. Games for more than
# two at a table have no tournaments here.


WIN, TIE, LOSS = 1.0, 0.5, 0.0
"""Points for a fixture, as chess counts them; a bye and a walkover are a win (FIDE Handbook C.04.1, basic rules)."""


class TournamentKind(StrEnum):
    """How it is found who meets whom."""

    ROUND_ROBIN = "round robin"  # everybody meets everybody, once or twice
    SWISS = "swiss"  # each round pairs players with about as many points, who have not met
    KNOCK_OUT = "knock-out"  # who loses is out
    LEAGUE = "league"  # a round robin with a date for each round


class FixtureState(StrEnum):
    """Where a fixture stands. DONE and VOID are over; nobody gets anything for a VOID one."""

    WAITING = "waiting"
    CALLED = "called"
    PLAYING = "playing"
    DONE = "done"
    VOID = "void"


class FixtureEnd(StrEnum):
    """How a fixture ended. BYE and WITHDRAWAL follow from the tournament; the others are what people did."""

    PLAYED = "played"
    BYE = "bye"
    WITHDRAWAL = "withdrawal"
    NO_SHOW = "no show"
    GIVEN_UP = "given up"
    REPLACED = "replaced"  # the organiser had it played again by the corrected results; its games stay on record


BY_PEOPLE = (FixtureEnd.PLAYED, FixtureEnd.NO_SHOW, FixtureEnd.GIVEN_UP, FixtureEnd.REPLACED)
AT_TABLE = (FixtureState.CALLED, FixtureState.PLAYING)


@dataclass(frozen=True)
class TournamentSettings:
    """What is agreed before the first round.

    `options` are the game's. `best_of` is odd: a player wins a fixture by more games. `ties`: the game can end without
    a single winner. `rounds` counts for SWISS alone, None for as many as find one winner. `twice` (ROUND_ROBIN,
    LEAGUE): everybody meets everybody two times. `third_place` (KNOCK_OUT): the losers of the semi-finals meet.
    `match_days` (LEAGUE): the dates, in order. `random_seed` draws the lots. A called player may be given up after
    `walkover_minutes`.
    """

    kind: TournamentKind
    game: str
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    best_of: int = 1
    ties: bool = True
    rounds: int | None = None
    twice: bool = False
    third_place: bool = False
    match_days: tuple[date, ...] = ()
    random_seed: int = 0
    walkover_minutes: int = 10


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament. `player` is the club's number for them; the best has `seed` 1.

    None of the rounds from `withdrawn_from_round` on is played by them; None while they take part. Who came late has
    `entered_in_round` above 1, and with `ties_missed` a tie for each round before that.
    """

    player: int
    name: str
    seed: int
    withdrawn_from_round: int | None = None
    entered_in_round: int = 1
    ties_missed: bool = False

    def plays_in(self, round_number: int) -> bool:
        """True if the player has come by this round, and has not withdrawn before or in it."""
        if round_number < self.entered_in_round:
            return False
        return self.withdrawn_from_round is None or round_number < self.withdrawn_from_round

    @property
    def points_for_missed(self) -> float:
        """Return what the player got for the rounds before the first one of theirs."""
        return TIE * (self.entered_in_round - 1) if self.ties_missed else LOSS


@dataclass(frozen=True)
class TournamentGame:
    """One finished game of a fixture. `winner` is a player, None for a tie; `scores` in the order of the fixture.

    `scores` is None where the game has none. `reference` names the game in its table's journal, '' where a person
    entered it.
    """

    winner: int | None
    scores: tuple[int, int] | None = None
    reference: str = ""


@dataclass(frozen=True)
class Feeder:
    """Where a player of a knock-out fixture comes from: the winner of an earlier one, or its loser."""

    fixture: int
    winner: bool = True


@dataclass(frozen=True)
class Fixture:
    """Two players who meet in a round. A player is None for a bye, and where `feeders` have yet to find one.

    `number` is from 1, and unique in the tournament. `games` are in their order. `walkover_to` has the win where `end`
    is not PLAYED; None there means that nobody has it. `table` is the last one it was called to. `waiting_since` is
    when both players were known; `day` is when a league wants it played.
    """

    number: int
    round: int
    players: tuple[int | None, int | None]
    state: FixtureState = FixtureState.WAITING
    games: tuple[TournamentGame, ...] = ()
    end: FixtureEnd | None = None
    walkover_to: int | None = None
    table: int | None = None
    feeders: tuple[Feeder, Feeder] | None = None
    third_place: bool = False
    waiting_since: datetime | None = None
    called_at: datetime | None = None
    ended_at: datetime | None = None
    day: date | None = None

    @property
    def over(self) -> bool:
        """True if nothing is left to play."""
        return self.state in (FixtureState.DONE, FixtureState.VOID)

    @property
    def stands(self) -> bool:
        """True unless another fixture was put in the place of this one."""
        return self.end is not FixtureEnd.REPLACED

    @property
    def begun(self) -> bool:
        """True if people have acted on it: it was called, played, or given to the one who came."""
        return self.state in AT_TABLE or bool(self.games) or self.end in BY_PEOPLE

    @property
    def known(self) -> tuple[int, ...]:
        """Return the players who are known: two, one or none."""
        return tuple(player for player in self.players if player is not None)

    @property
    def wins(self) -> tuple[int, int]:
        """Return how many games each player won, in the order of `players`."""
        first, second = (sum(game.winner == player for game in self.games) for player in self.players)
        return first, second

    @property
    def winner(self) -> int | None:
        """Return who won the fixture; None while it is open, for a tie, and where nobody did."""
        if self.state is not FixtureState.DONE:
            return None
        if self.end is not FixtureEnd.PLAYED:
            return self.walkover_to
        first, second = self.wins
        return None if first == second else self.players[0 if first > second else 1]

    @property
    def loser(self) -> int | None:
        """Return who lost to a winner; None where nobody did."""
        return None if self.winner is None else self.opponent(self.winner)

    def opponent(self, player: int) -> int | None:
        """Return who meets a player of this fixture; None in a bye."""
        first, second = self.players
        return second if first == player else first

    def points(self, player: int) -> float:
        """Return what the fixture gives one of its players."""
        if self.state is not FixtureState.DONE:
            return LOSS
        if self.winner == player:
            return WIN
        return TIE if self.end is FixtureEnd.PLAYED and self.winner is None else LOSS


Meeting = tuple[int | None, int | None]
"""Who meets whom; None for a bye."""


def meeting_sets(meetings: Iterable[Meeting]) -> set[frozenset[int | None]]:
    """Return meetings without the order of their players, to be compared."""
    return {frozenset(meeting) for meeting in meetings}


@dataclass(frozen=True)
class Conflict:
    """A corrected result would have other players meet in what was begun already. The organiser decides.

    `fixtures` are the begun ones that would become void, `meetings` who meets in the round now, `corrected` who would
    meet. `redraw.keep_as_played` and `redraw.play_again` are the two ways on.
    """

    round: int
    fixtures: tuple[int, ...]
    meetings: tuple[Meeting, ...]
    corrected: tuple[Meeting, ...]

    def is_like(self, other: Conflict) -> bool:
        """True if both ask the same, though more may have been begun or finished since."""
        same_now = meeting_sets(self.meetings) == meeting_sets(other.meetings)
        return self.round == other.round and same_now and meeting_sets(self.corrected) == meeting_sets(other.corrected)

    @property
    def sentence(self) -> str:
        """Return the question to the organiser."""
        return say(
            "By the corrected result others meet in round {round}, which has begun. Keep it, or play it again?",
            round=self.round,
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament as it stands. `kept` are conflicts that the organiser left as they were played."""

    settings: TournamentSettings
    entrants: tuple[Entrant, ...]
    fixtures: tuple[Fixture, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    kept: tuple[Conflict, ...] = ()

    @property
    def is_knock_out(self) -> bool:
        """True if who loses is out."""
        return self.settings.kind is TournamentKind.KNOCK_OUT

    @property
    def is_swiss(self) -> bool:
        """True if a round is drawn when the one before it is over."""
        return self.settings.kind is TournamentKind.SWISS

    @property
    def standing_fixtures(self) -> tuple[Fixture, ...]:
        """Return the fixtures without those that others replaced."""
        return tuple(fixture for fixture in self.fixtures if fixture.stands)

    @property
    def last_round(self) -> int:
        """Return the number of the last round that is drawn, 0 before the first."""
        return max((fixture.round for fixture in self.standing_fixtures), default=0)

    def fixture(self, number: int) -> Fixture:
        """Return a fixture by its number. Raises Refused."""
        found = next((fixture for fixture in self.fixtures if fixture.number == number), None)
        if found is None:
            raise Refused(say("There is no match {number} in this tournament.", number=number), Reason.NOT_FOUND)
        return found

    def entrant(self, player: int) -> Entrant:
        """Return an entrant by the club's number for the player. Raises Refused."""
        found = next((entrant for entrant in self.entrants if entrant.player == player), None)
        if found is None:
            raise Refused(say("This player is not in the tournament."), Reason.NOT_FOUND)
        return found

    def fixtures_of(self, player: int) -> tuple[Fixture, ...]:
        """Return the standing fixtures of a player, in order of rounds."""
        theirs = (fixture for fixture in self.standing_fixtures if player in fixture.players)
        return tuple(sorted(theirs, key=lambda fixture: fixture.round))

    def in_round(self, round_number: int) -> tuple[Fixture, ...]:
        """Return the standing fixtures of a round."""
        return tuple(fixture for fixture in self.standing_fixtures if fixture.round == round_number)


def is_decided(settings: TournamentSettings, games: Sequence[TournamentGame], players: Meeting) -> bool:
    """True if these games decide a fixture: the lead cannot be lost, or all are played and a tie may stand.

    In a knock-out no tie stands: one more game is played until somebody leads.
    """
    first, second = (sum(game.winner == player for game in games) for player in players)
    lead = abs(first - second)
    left = max(0, settings.best_of - len(games))
    return lead > left or (left == 0 and settings.kind is not TournamentKind.KNOCK_OUT)


# What people call the kinds, rounds and ends of a tournament


KIND_TITLES: Final[Mapping[TournamentKind, str]] = {
    TournamentKind.ROUND_ROBIN: say("Everybody against everybody"),
    TournamentKind.SWISS: say("Swiss system"),
    TournamentKind.KNOCK_OUT: say("Knock-out"),
    TournamentKind.LEAGUE: say("League"),
}

END_TITLES: Final[Mapping[FixtureEnd, str]] = {
    FixtureEnd.PLAYED: say("played"),
    FixtureEnd.BYE: say("bye"),
    FixtureEnd.WITHDRAWAL: say("withdrawn"),
    FixtureEnd.NO_SHOW: say("did not come"),
    FixtureEnd.GIVEN_UP: say("given up"),
    FixtureEnd.REPLACED: say("played again"),
}

_LAST_ROUNDS: Final = (say("Final"), say("Semi-finals"), say("Quarter-finals"))


def round_title(tournament: Tournament, round_number: int) -> str:
    """Return what a round is called; a knock-out counts its last three from the final."""
    until_final = tournament.last_round - round_number
    if tournament.is_knock_out and until_final < len(_LAST_ROUNDS):
        return _LAST_ROUNDS[until_final]
    return say("Round {number}", number=round_number)
