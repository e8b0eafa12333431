"""What the pages of a hall's tables need of the running program."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from web.schemas.hall_table_values import PastTableGame, TablesChange, WatchedTable
from web.schemas.season_values import HallGame


class HallTableBackend(Protocol):
    """The tables of a hall as people watch them. Any thread may call any method; refusals are `Refused`."""

    def shown(self) -> TablesChange:
        """Return all tables."""

    def wait(self, seen: int, timeout_s: float) -> TablesChange:
        """Return the tables that changed after the change of this number as soon as there is one, or none in time.

        All tables have changed since a number that there never was.
        """

    def table(self, number: int) -> WatchedTable:
        """Return a table. Raises Refused (NOT_FOUND)."""

    def past_games(self, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
        """Return the ended games of a table that ended before a time, the last first. Raises Refused (NOT_FOUND)."""

    def past_game(self, number: int, game: int) -> PastTableGame:
        """Return a game entry by entry. Raises Refused: NOT_FOUND, CONFLICT for one that cannot be replayed."""
