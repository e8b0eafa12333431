"""What the pages of past games and statistics need of the running program. Any thread may call any method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from referee.achievements import Progress
from referee.past_result import PastResult
from referee.past_steps import PastStep
from referee.play_statistics import GameSum, PastGame, PastGameFilter


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
