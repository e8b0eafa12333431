"""What the pages of past games, players, fair dice and challenges need of the running program, on any thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from referee.feats import Progress
from referee.journal import NOBODY, Actor
from referee.known_players import ForgetWishes, ForgottenPlayer, KnownPlayer, NameTraces
from referee.past_result import GameSum, PastGame, PastGameFilter, PastResult, PastStep
from web.schemas.challenge_schemas import BeforeAfterResponse, ChallengeResponse, PastThrowsResponse, WhatIfResponse
from web.schemas.history_schemas import CheckedThrowsResponse, FairnessOverview, FairnessResponse

# What the pages of past games and statistics need of the running program. Any thread may call any method


class HistoryBackend(Protocol):
    """The ended games. Refusals are `Refused`."""

    def played(self, wanted: PastGameFilter) -> Sequence[PastGame]:
        """Return some ended games of those that are wanted, the newest first."""

    def played_game(self, number: int) -> PastGame:
        """Return the ended game of that number. Raises Refused (NOT_FOUND)."""

    def steps(self, number: int) -> Sequence[PastStep]:
        """Return an ended game entry by entry. Raises Refused (NOT_FOUND, CONFLICT)."""

    def sums(self, player: int, against: int = 0) -> Sequence[GameSum]:
        """Return a player's finished games in figures, game by game; `against` another player only those of both."""

    def results_of(self, player: int) -> str:
        """Return a player's results as a JSON file. Raises Refused (NOT_FOUND)."""

    def results_table(self, player: int) -> str:
        """Return a player's results as CSV. Raises Refused (NOT_FOUND)."""

    def achievements(self, player: int) -> Sequence[Progress]:
        """Return how far a player has come with each achievement. Raises Refused (NOT_FOUND)."""

    def result(self, number: int) -> PastResult:
        """Return how an ended game came out. Raises Refused (NOT_FOUND)."""

    def record(self, number: int) -> str:
        """Return the record of an ended game. Raises Refused (NOT_FOUND, CONFLICT)."""

    def plays(self, form: str) -> Iterator[bytes]:
        """Return all ended games in pieces: `csv`, `json`, or `records`, a zip of their records."""

    def bg_stats_link(self, number: int) -> str:
        """Return the link that opens BG Stats with an ended game. Raises Refused (NOT_FOUND)."""

    def count_soon(self) -> None:
        """Begin to count in the background the games that are not counted yet."""

    @property
    def uncounted(self) -> int:
        """How many ended games are not counted yet."""


# What the pages of the players need of the running program. Any thread may call any method


class PlayerBackend(Protocol):
    """The players whom the table remembers, by their numbers. Refusals are `Refused`."""

    def players(self) -> Sequence[KnownPlayer]:
        """Return the players who are remembered, in the order in which they came."""

    def player(self, number: int) -> KnownPlayer:
        """Return the player of that number. Raises Refused (NOT_FOUND)."""

    def change(self, number: int, *, name: str = "", colour: str = "", picture: str = "") -> None:
        """Give a player another name, colour or picture; '' leaves each as it is."""

    def merge(self, number: int, into: int) -> None:
        """Make one player of two: the first one's games are the other's."""

    def traces(self, number: int) -> NameTraces:
        """Return what holds a player's name besides the journal, and is the owner's to decide on."""

    def forget(self, number: int, wishes: ForgetWishes) -> ForgottenPlayer:
        """Take a player's name out of everything that is kept; the games stay."""


# What the page of the dice test needs of the running program. Any thread may call any method


class FairnessBackend(Protocol):
    """The test of the dice by what was read of them in ended games. Refusals are `Refused`."""

    def overview(self) -> FairnessOverview:
        """Return the die sets that can be tested, and what the test rests on."""

    def finding(self, die_set: str) -> FairnessResponse:
        """Return the test of a die set. Raises Refused (NOT_FOUND)."""

    def checked_throws(self, before: int, *, only_wrong: bool) -> CheckedThrowsResponse:
        """Return throws that people checked, the newest first: below a number, 0 for all, or those read wrong."""


# What the pages need of the running program to challenge a past throw. Any thread may call any method


class ChallengeBackend(Protocol):
    """Past throws of the game, with their films. Refusals are `Refused`.

    `faces` are the faces that dice of the throw are said to show, by their places. `action` is the throw as the page
    shows it, '' for any.
    """

    def throws(self) -> PastThrowsResponse:
        """Return the throws that stand, newest first; none without a game."""

    def sheet(self, entry: int) -> ChallengeResponse:
        """Return what was kept of a throw."""

    def what_if(self, entry: int, action: str, faces: Mapping[int, str]) -> WhatIfResponse:
        """Return what would follow."""

    def challenge(  # noqa: PLR0913, PLR0917  # what people decided, and of what
        self, entry: int, action: str, faces: Mapping[int, str], verdict: str, step: str = "", by: Actor = NOBODY
    ) -> None:
        """Take what people decided: `stands`, `correct`, or `take-back` for what could not have been."""

    def breach(self, name: str) -> BeforeAfterResponse:
        """Return the table before and after a breach, by the name of its picture."""

    def film(self, name: str) -> bytes:
        """Return the file of a film."""

    def film_picture(self, name: str, number: int) -> bytes:
        """Return a JPEG of a film, counted from 0."""

    def film_crop(self, name: str, number: int) -> bytes:
        """Return the JPEG of a die as it was ruled on, by its number."""
