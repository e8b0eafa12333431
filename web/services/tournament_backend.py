"""What pages and programs ask of a hall's tournaments, and what organisers decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from web.schemas.tournament_schemas import (
    AbsentRequest,
    CallPlayersRequest,
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


class TournamentBackend(Protocol):
    """The tournaments of a hall. Any thread may call any method; refusals are `Refused`.

    What an organiser decides is refused (CONFLICT) where another organiser has decided since the version by which it
    is decided. `organiser` is the name of the tablet that decides.
    """

    def headings(self) -> Sequence[TournamentHeading]:
        """Return the tournaments, the last one first."""

    def find(self, number: int) -> TournamentResponse:
        """Return a tournament as it stands. Raises Refused (NOT_FOUND)."""

    def version(self, number: int) -> int:
        """Return how often a tournament has changed. Raises Refused (NOT_FOUND)."""

    def make(self, request: NewTournamentRequest, organiser: str) -> int:
        """Make a tournament, start it if that is asked for, and return its number."""

    def enter_players(self, number: int, request: EnterPlayersRequest, organiser: str) -> None:
        """Set who is to play in a tournament that has not begun."""

    def start(self, number: int, request: StartTournamentRequest, organiser: str) -> None:
        """Draw the first round."""

    def draw(self, number: int, request: VersionRequest, organiser: str) -> None:
        """Draw the next round of a Swiss tournament."""

    def call_all(self, number: int, request: VersionRequest, organiser: str) -> None:
        """Call players to all tables that are free."""

    def call_players(self, number: int, request: CallPlayersRequest, organiser: str) -> None:
        """Call the players of a match to a table, or to another one."""

    def take_back_call(self, number: int, request: FixtureRequest, organiser: str) -> None:
        """Let called players wait again."""

    def enter_result(self, number: int, request: ResultRequest, organiser: str) -> None:
        """Enter the games of a match by hand, or take its result back."""

    def give_walkover(self, number: int, request: AbsentRequest, organiser: str) -> None:
        """Give a match to the player who came."""

    def give_up(self, number: int, request: FixturePlayerRequest, organiser: str) -> None:
        """Let a player give up a match."""

    def withdraw(self, number: int, request: EntrantRequest, organiser: str) -> None:
        """Take a player out of the tournament."""

    def reinstate(self, number: int, request: EntrantRequest, organiser: str) -> None:
        """Let a player who has withdrawn take part again."""

    def enter_late(self, number: int, request: LateEntrantRequest, organiser: str) -> None:
        """Let a player come in after the first round."""

    def postpone(self, number: int, request: PostponeRequest, organiser: str) -> None:
        """Give a match of a league another day."""

    def settle(self, number: int, request: SettleRequest, organiser: str) -> None:
        """Keep what was begun before a result was corrected, or have it played again."""

    def remove(self, number: int, organiser: str) -> None:
        """Show a tournament no more."""
