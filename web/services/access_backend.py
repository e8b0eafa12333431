"""What the pages need of the running program to know who may do what, where https is, and how the box is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Protocol

from referee.journal import SeatRules
from referee.sentences import Reason, Refused
from web.schemas.access_schemas import PairingStatus
from web.schemas.diagnostics_schemas import Finding, TraySight
from web.schemas.hall_wire_schemas import HallInvitation
from web.schemas.response_model import RoleName

# What the pages need of the running program to know who may do what
#
# Every browser in the network may watch. To decide, a tablet is paired: the box shows a code of six dice, and a
# tablet that gives the same six faces is known from then on by a key in its cookie.


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


# What the pages ask of https: where it is served, and the box's own authority that a phone may install


@dataclass(frozen=True)
class BoxAuthority:
    """The box's own certificate authority: its certificate as PEM, and its SHA-256 as phones show it."""

    certificate_pem: bytes
    fingerprint: str


class HttpsBackend(Protocol):
    """Https of the running program. Any thread may call any method."""

    def urls(self) -> Sequence[str]:
        """Return the addresses by which phones reach the page by https, the best for a QR code first."""

    def authority(self) -> BoxAuthority | None:
        """Return the box's own authority, None where the owner gave a certificate. Raises Refused (UNAVAILABLE)."""

    def trouble(self) -> str:
        """Return why phones refuse the certificate that the owner gave, in one sentence; '' where they need not."""


# What a table's pages need of the running program to belong to a hall


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


# What the diagnostics page needs of the running program


class DiagnosticsBackend(Protocol):
    """Checks of the box. Any thread may call any method."""

    def findings(self) -> Sequence[Finding]:
        """Return what is right and wrong with the box now, in the order of the page."""

    def accept_missing_games(self) -> Sequence[Finding]:
        """Let the journal go on without the games that it lacks, and return what is found then. Raises Refused."""

    def sight(self) -> TraySight:
        """Return what the camera's picture shows now and what is wrong; quick enough for two calls a second."""

    def pack(self, pictures: bool) -> bytes:
        """Return a zip for a person who helps: logs, settings and findings, without secrets.

        The last pictures of the tray are in it where `pictures` allows them.
        """
