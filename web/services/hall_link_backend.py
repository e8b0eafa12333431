"""What a table's pages need of the running program to belong to a hall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class HallInvitation:
    """A game that the hall would have played at this table: its people take it up or not."""

    number: int
    title: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]


@dataclass(frozen=True)
class LinkStatus:
    """How a table stands with its hall: `trouble` is one sentence or '', `waiting_lines` are not taken yet.

    `last_taken_at` is None before the hall's first answer since the start. `players` have joined in by the table's
    code and wait for a game.
    """

    trouble: str = ""
    waiting_lines: int = 0
    last_taken_at: datetime | None = None
    players: tuple[str, ...] = ()
    invitation: HallInvitation | None = None


@dataclass(frozen=True)
class JoinedHall:
    """The hall that the table belongs to: its address, what the table is called there, its pairing, and how it goes."""

    address: str
    name: str
    link: str
    status: LinkStatus


class HallLinkBackend(Protocol):
    """The table's way to a hall. Any thread may call any method; refusals are `Refused`."""

    @property
    def suggested(self) -> str:
        """The address of a hall that the owner chose in the settings, without name and password; '' for none."""

    def joined(self) -> JoinedHall | None:
        """Return the hall that the table belongs to, None for none."""

    def join(self, address: str, code: Sequence[int], name: str) -> None:
        """Join a hall by the code that it shows. Raises Refused (CONFLICT, UNAVAILABLE)."""

    def remove_waiting(self, name: str) -> None:
        """Take a name off the hall's list of who waits at this table. Raises Refused (CONFLICT, UNAVAILABLE)."""

    def leave(self) -> None:
        """Tell the hall nothing any more. Raises Refused (CONFLICT, UNAVAILABLE)."""
