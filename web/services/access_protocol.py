"""What the pages need of the running program to know who may do what: the door. `vander` gives one.

Anybody in the network may watch. Who wants to decide joins in: the box shows a code of six dice, and a tablet that
gives the same six faces is paired and known from then on by a key in its cookie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from referee.refused import Reason, Refused
from web.schemas.access_schemas import CODE_DICE, SIDES, ListedSetting, PairingStatus
from web.schemas.response_model import RoleName

__all__ = [
    "CODE_DICE",
    "COOKIE",
    "SIDES",
    "AccessBackend",
    "Joined",
    "ListedSetting",
    "PairingStatus",
    "Role",
    "Tablet",
    "TooSoon",
]

COOKIE = "vander"
"""The cookie that holds a tablet's key."""


class Role(IntEnum):
    """Who somebody is at this table; each may do all that those before it may."""

    WATCHER = 0
    PLAYER = 1
    KEEPER = 2

    @property
    def word(self) -> RoleName:
        """The role as the pages and the API call it."""
        words: tuple[RoleName, ...] = ("watcher", "player", "keeper")
        return words[self]


@dataclass(frozen=True)
class Tablet:
    """A tablet that has joined in. `number` is its own for ever; the days are ISO dates by the box's clock."""

    number: int
    name: str
    role: Role
    paired_on: str = ""
    used_on: str = ""


@dataclass(frozen=True)
class Joined:
    """A tablet that has just been paired, and the key for its cookie, which is told once and kept nowhere."""

    tablet: Tablet
    key: str


class TooSoon(Refused):
    """Too many wrong codes were given: a new one may be asked for after `wait_s` seconds (HTTP 429)."""

    def __init__(self, sentence: str, wait_s: float) -> None:
        super().__init__(sentence, Reason.TOO_SOON)
        self.wait_s = wait_s


class AccessBackend(Protocol):
    """Who may do what at this table. Every method may be called from any thread. All refusals are `Refused`."""

    @property
    def trust_local(self) -> bool:
        """Whether a browser on the box itself is the keeper without a code."""

    @property
    def names(self) -> frozenset[str]:
        """Names in small letters, beside those that every box has, by which a browser may call this one."""

    @property
    def trouble(self) -> str:
        """What is wrong with the list of tablets, in one sentence, or ''."""

    def tablet(self, key: str) -> Tablet | None:
        """The tablet that has this key, or None."""

    def tablets(self) -> Sequence[Tablet]:
        """Who has joined in, in the order of joining."""

    def asking(self) -> PairingStatus:
        """How it stands with the code."""

    def code(self) -> tuple[int, ...] | None:
        """The six faces that the box shows now, or None. For the box's own screen and for keepers only."""

    def ask(self, keeper: bool = False) -> None:
        """Have the box show a code; one that is shown already stays. Raises TooSoon, which a keeper never meets."""

    def pair(self, code: Sequence[int], name: str = "", address: str = "") -> Joined:
        """Let a tablet in that gives the code from that address: the first as the keeper, the next as players.

        Raises TooSoon when that address was wrong too often, and Refused: 403 for a wrong code, 409 when none is shown
        or too many have joined, 503 when it cannot be kept.
        """

    def rename(self, number: int, name: str) -> None:
        """Call a tablet by another name. Raises Refused: 404 unknown, 503 when it cannot be kept."""

    def entrust(self, number: int, role: Role) -> None:
        """Make a tablet a keeper, or a player again. Raises Refused: 404 unknown, 503 when it cannot be kept."""

    def forget(self, number: int) -> None:
        """Forget a tablet, which watches until it joins in again.

        Raises Refused: 404 unknown, 503 when it cannot be kept.
        """
