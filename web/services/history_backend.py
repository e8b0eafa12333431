"""What the pages of past games and statistics need of the running program. Any thread may call any method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee.achievements import Progress
from referee.dice import Die
from referee.past_result import PastResult
from referee.past_steps import PastStep
from referee.play_statistics import GameSum, PastGame


class HistoryBackend(Protocol):
    """The ended games. Refusals are `Refused`."""

    def played(  # noqa: PLR0913  # each narrows the list
        self,
        *,
        before: int = 0,
        game: str = "",
        player: int = 0,
        against: int = 0,
        die_set: str = "",
        face: Die | None = None,
    ) -> Sequence[PastGame]:
        """Return some ended games, the newest first: below the number `before`, of a game, of one player or two.

        With the dice of a `die_set`, and with throws in which the camera read a `face`.
        """

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

    def plays(self, form: str) -> bytes:
        """Return all ended games: `csv`, `json`, or `records`, a zip of their records."""

    def bg_stats_link(self, number: int) -> str:
        """Return the link that opens BG Stats with an ended game. Raises Refused (NOT_FOUND)."""

    def count_soon(self) -> None:
        """Begin to count in the background the games that are not counted yet."""

    @property
    def uncounted(self) -> int:
        """How many ended games are not counted yet."""
