"""What the pages need of the running program to know who may do what.

Every browser in the network may watch. To decide, a tablet is paired: the box shows a code of six dice, and a tablet
that gives the same six faces is known from then on by a key in its cookie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from referee.refused import Reason, Refused
from referee.seat_rules import SeatRules
from web.schemas.access_schemas import PairingStatus
from web.schemas.response_model import RoleName

COOKIE = "vander"
SECURE_COOKIE = "vander-secure"
"""The cookie by https. By http browsers neither send a secure cookie nor replace one of its name."""
"""The cookie that holds a tablet's key."""


class Role(IntEnum):
    """What a caller may do; each role may do all that those before it may.

    A camera is a phone that has joined in to show the tray: it watches and decides nothing.
    """

    WATCHER = 0
    CAMERA = 1
    PLAYER = 2
    KEEPER = 3

    @property
    def word(self) -> RoleName:
        """The role as the pages and the API call it."""
        words: tuple[RoleName, ...] = ("watcher", "camera", "player", "keeper")
        return words[self]


@dataclass(frozen=True)
class Tablet:
    """A paired tablet. `number` is never given to another; the days are ISO dates by the box's clock.

    `player` is the name of the one player whose phone it is, '' for the table's.
    """

    number: int
    name: str
    role: Role
    paired_on: str = ""
    used_on: str = ""
    player: str = ""


@dataclass(frozen=True)
class NewPairing:
    """A tablet that has just been paired, and the key for its cookie; the box keeps only the key's hash."""

    tablet: Tablet
    key: str


class TooSoon(Refused):
    """Too many wrong codes were given: a new one may be asked for after `wait_s` seconds."""

    def __init__(self, sentence: str, wait_s: float) -> None:
        super().__init__(sentence, Reason.TOO_SOON, wait_s=wait_s)


class AccessBackend(Protocol):
    """The paired tablets and the code. Any thread may call any method; refusals are `Refused`."""

    @property
    def trust_local(self) -> bool:
        """True if a browser on the box itself is a keeper without a code."""

    @property
    def names(self) -> frozenset[str]:
        """Further host names, in small letters, by which a browser may call this box."""

    @property
    def trouble(self) -> str:
        """What is wrong with the list of tablets, in one sentence, or ''."""

    def tablet(self, key: str) -> Tablet | None:
        """Return the tablet that has this key, or None."""

    def tablets(self) -> Sequence[Tablet]:
        """Return the paired tablets, in the order of pairing."""

    def pairing_status(self) -> PairingStatus:
        """Return whether a code is shown, and when a new one may be asked for."""

    def code(self) -> tuple[int, ...] | None:
        """Return the six faces that the box shows now, or None. For the box's own screen and for keepers only."""

    def show_code(self, keeper: bool = False) -> None:
        """Show a code; one that is shown already stays.

        Raises TooSoon, and Refused (CONFLICT) after several codes that nobody used, but never for a keeper.
        """

    def allow_codes(self) -> None:
        """Let people who only watch ask for codes again."""

    def pair(self, code: Sequence[int], name: str = "", address: str = "", *, as_camera: bool = False) -> NewPairing:
        """Pair a tablet at that address that gives the code: the first ever as a keeper, the next as players.

        A phone that joins in `as_camera` becomes the camera, and nothing else.

        Where no keeper is left, the next becomes one only if a keeper, as the box itself is, requested the code.

        Raises TooSoon when that address was wrong too often, and Refused: NOT_ALLOWED for a wrong code, CONFLICT when
        none is shown or too many are paired, UNAVAILABLE when it cannot be kept.
        """

    def rename(self, number: int, name: str) -> None:
        """Give a tablet another name. Raises Refused (NOT_FOUND, UNAVAILABLE)."""

    def set_role(self, number: int, role: Role, *, confirmed: bool = False) -> None:
        """Make a tablet a keeper's, or a player's again. Raises Refused (NOT_FOUND, UNAVAILABLE).

        Raises Refused (CONFLICT) when no keeper would be left, unless that is `confirmed`.
        """

    def bind(self, number: int, player: str) -> None:
        """Say whose phone a tablet is, '' for the table's. Raises Refused (NOT_FOUND, UNAVAILABLE)."""

    def seat_rules(self) -> SeatRules:
        """Return what the table wants of phones that are bound to a seat."""

    def set_seat_rules(self, *, own_seat_only: bool, confirm: bool) -> None:
        """Change what the table wants of them. Raises Refused (UNAVAILABLE)."""

    def forget(self, number: int, *, confirmed: bool = False) -> None:
        """Forget a tablet, which only watches until it is paired again. Raises Refused as `set_role` does."""
