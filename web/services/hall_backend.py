"""What the pages and the API of a hall need of the running program: tables, seasons and tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from web.schemas.hall_table_schemas import HallTable, PastTableGame, TablesChange, WatchedTable
from web.schemas.hall_wire_schemas import EntriesRequest, EntriesResponse, JoinHallRequest, JoinHallResponse
from web.schemas.season_schemas import ApiKey, HallGame, HallPlayer, SeasonFilter, SeasonRow
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

# What the pages and the API of a hall need of the running program


@dataclass(frozen=True)
class WaitingList:
    """What a table is called and who waits there, in the order of joining.

    `own` joined with the secret that was given, '' for nobody.
    """

    table: str
    names: tuple[str, ...]
    own: str


class HallBackend(Protocol):
    """The tables of a hall and what they send. Any thread may call any method; refusals are `Refused`."""

    def take_entries(self, key: str, request: EntriesRequest, network: str = "") -> EntriesResponse:
        """Take a table's lines, each once. Raises Refused: NOT_ALLOWED for a key that nobody has, CONFLICT."""

    def join(self, request: JoinHallRequest, address: str) -> JoinHallResponse:
        """Pair a table by the code that the hall shows. Raises Refused: NOT_ALLOWED, CONFLICT, TOO_SOON."""

    def leave(self, key: str) -> None:
        """Take nothing of the table any more that has this key. Raises Refused (NOT_ALLOWED, NOT_FOUND)."""

    def waiting_at(self, link: str, secret: str = "") -> WaitingList:
        """Return who waits at the table of that pairing, and who of them joined so. Raises Refused (NOT_FOUND)."""

    def known_names(self, beginning: str) -> Sequence[str]:
        """Return some names of players that begin so; none for less than two letters."""

    def add_waiting(self, link: str, name: str, secret: str) -> None:
        """Let a player wait for a game at a table, and nowhere else; only who has the secret moves the name from there.

        Raises Refused: INVALID for a name that nobody can read, NOT_FOUND, CONFLICT, TOO_SOON.
        """

    def leave_waiting(self, link: str, secret: str) -> None:
        """Let who joined with a secret wait no more at a table. Raises Refused (NOT_FOUND, TOO_SOON)."""

    def remove_waiting(self, key: str, name: str, network: str = "") -> tuple[str, ...]:
        """Take a name off the list of the table that has this key, and return who still waits there.

        Raises Refused: NOT_ALLOWED for a key that nobody has, TOO_SOON.
        """

    def table_code(self) -> tuple[int, ...] | None:
        """Return the six dice of the code that lets a table join, None when none is shown."""

    def show_table_code(self) -> tuple[int, ...]:
        """Show a code that lets a table join for five minutes, and return its six dice."""

    def tables(self) -> Sequence[HallTable]:
        """Return the tables that were not removed, by name."""

    def remove_table(self, number: int) -> None:
        """Take nothing of a table any more; its games stay. Raises Refused (NOT_FOUND)."""

    def changes(self) -> int:
        """Return a number that grows with each change, for `wait`."""

    def wait(self, seen: int, timeout_s: float) -> int:
        """Return the number of changes as soon as it differs from `seen`, or after so many seconds."""


# What the pages of a hall's tables need of the running program


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


# What pages and programs ask of a hall's games over a season: standings, a player's games, and all plays as files


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


# What pages and programs ask of a hall's tournaments, and what organisers decide


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
