"""What pages and programs ask of a hall's games over a season: standings, a player's games, and all plays as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from web.schemas.season_values import ApiKey, HallGame, HallPlayer, SeasonFilter, SeasonRow


class SeasonBackend(Protocol):
    """The ended games of all tables. Any thread may call any method; refusals are `Refused`."""

    def standings(self, wanted: SeasonFilter, most: int) -> Sequence[SeasonRow]:
        """Return the players by wins, then by the share of games won, then by name."""

    def player(self, number: int) -> HallPlayer:
        """Return a player. Raises Refused (NOT_FOUND)."""

    def player_games(self, number: int, before: datetime | None, most: int) -> Sequence[HallGame]:
        """Return a player's games that ended before a time, the last first. Raises Refused (NOT_FOUND)."""

    def find_players(self, part: str, most: int) -> Sequence[HallPlayer]:
        """Return the players whose name holds this part, by name; all for ''."""

    def plays(self, form: str, wanted: SeasonFilter) -> Iterator[bytes]:
        """Yield the pieces of a file with all games: `csv`, `json`, or `records`, a zip of game records."""

    def api_keys(self) -> Sequence[ApiKey]:
        """Return the keys that were not taken back, by name."""

    def make_api_key(self, name: str) -> str:
        """Make a key for a program of that name and return it. Raises Refused (CONFLICT)."""

    def drop_api_key(self, number: int) -> None:
        """Take a key back. Raises Refused (NOT_FOUND)."""

    def check_api_key(self, key: str, network: str = "") -> None:
        """Note that a key is used; `network` is where it comes from.

        Raises Refused: NOT_ALLOWED for one that is not known, TOO_SOON for a flood.
        """
