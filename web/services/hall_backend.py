"""What the pages and the API of a hall need of the running program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from web.schemas.hall_wire_schemas import EntriesRequest, EntriesResponse, JoinHallRequest, JoinHallResponse


class TableStanding(StrEnum):
    """How a table stands with the hall: its entries are taken, or refused until it is paired again."""

    LIVE = "live"
    QUARANTINED = "quarantined"


@dataclass(frozen=True)
class HallTable:
    """A table of the hall.

    `reason` is why it is quarantined, '' else; `taken` how many lines the hall has taken; `clock_off_s` how far the
    table's clock is ahead of the hall's; `seen_at` when it last sent something; `version` its Vander's.
    """

    number: int
    name: str
    standing: TableStanding
    reason: str
    taken: int
    clock_off_s: float
    version: str
    paired_at: datetime
    seen_at: datetime | None


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
