"""What the pages ask of pairing, devices, https, the hall's link and the doctor, and its JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from referee.dice import FaceName, Zone
from referee.sentences import Reason, Refused, say
from web.schemas.hall_schemas import HallInvitation
from web.schemas.response_model import (
    FIELD,
    Count,
    Needs,
    OptionalName,
    RequestModel,
    RoleName,
    YesNo,
    rounded,
    sentence_error,
)

CODE_DICE = 6
"""How many dice make a code."""
SIDES = 6

ShownCode = Annotated[
    tuple[Annotated[int, Field(ge=1, le=SIDES)], ...], Field(min_length=CODE_DICE, max_length=CODE_DICE)
]
"""The faces of a code, as the box shows them."""


def joining_url(page: str, code: Sequence[int] = ()) -> str:
    """Return the address that joins in at a page, which may have the code in its fragment.

    A browser keeps the fragment to itself: the code gets into no request, no log and no Referer header.
    """
    return f"{page.rstrip('/')}/pair{'#' if code else ''}{''.join(map(str, code))}"


@dataclass(frozen=True)
class PairingStatus:
    """Whether the box shows a code, and when a new one may be asked for."""

    shown: bool = False
    left_s: Annotated[float, rounded(1)] = 0.0
    """For how many more seconds the code is shown."""
    tries: Count = 0
    """How many wrong codes may still be given."""
    wait_s: Annotated[float, rounded(1)] = 0.0
    """Seconds until a new code may be asked for after too many wrong tries, 0 for now."""
    refused: bool = False
    """True after several codes that nobody used: a keeper or the box's button has to allow more."""
    makes_keeper: bool = False
    """True if the tablet that gives the code that is shown becomes a keeper's."""


@dataclass(frozen=True)
class TabletName:
    """A tablet that has joined in."""

    number: Count
    name: str


@dataclass(frozen=True)
class AccessResponse:
    """Who this browser is at the table, and the state of pairing."""

    door: bool
    """False where everybody is the keeper."""
    role: RoleName
    tablet: TabletName | None
    at_the_box: bool
    asking: PairingStatus
    code: ShownCode | None
    """The code that the box shows; only keepers get it."""
    trouble: str
    """What is wrong with the list of tablets, in one sentence, or ''."""
    has_keeper: bool
    """False while no tablet is a keeper's: after the first one ever, only the box itself can make one."""
    last_keeper: bool
    """True if this tablet is the only keeper's."""


@dataclass(frozen=True)
class AddressesResponse:
    """The addresses by which tablets and phones reach the page, the one of the QR code first."""

    urls: tuple[str, ...]
    """Empty where only the box itself reaches it."""


@dataclass(frozen=True)
class PairedResponse:
    """The tablet that has just joined in, and its role."""

    role: RoleName
    tablet: TabletName


@dataclass(frozen=True)
class PairedTablet:
    """A tablet that has joined in, as keepers see it; the days are ISO dates by the box's clock."""

    number: Count
    name: str
    role: RoleName
    paired_on: str
    used_on: str
    own: bool
    """True for the tablet that asks."""
    player: str
    """The name of the player whose phone it is, '' for the table's."""


@dataclass(frozen=True)
class ListedSetting:
    """A setting: its name, its value in words, and what it is for."""

    name: str
    value: str
    meaning: str


@dataclass(frozen=True)
class SeatChoices:
    """What the table wants of phones that are bound to a player, and the players of the game that is on."""

    own_seat_only: bool
    """Taps for another seat are refused."""
    confirm: bool
    """What changes the score waits until another seat confirms it."""
    players: tuple[str, ...]


@dataclass(frozen=True)
class BoxResponse:
    """The tablets that have joined in, the settings, and whether the box can be shut down from its page."""

    tablets: tuple[PairedTablet, ...]
    codes_refused: bool
    """True after several codes that nobody used: people who only watch get no more until a keeper allows them."""
    seats: SeatChoices
    chosen: tuple[ListedSetting, ...]
    power_off: bool


class PairRequest(RequestModel):
    """The code that the box shows, and what the tablet is to be called."""

    example: ClassVar = {"code": [3, 1, 4, 1, 5, 2], "name": "Kitchen"}

    code: Annotated[
        list[Annotated[int, Field(ge=1, le=SIDES)]],
        Field(min_length=CODE_DICE, max_length=CODE_DICE),
        Needs(
            say(
                "The request needs {field}, a list of {count} whole numbers from 1 to {most}.",
                field=FIELD,
                count=CODE_DICE,
                most=SIDES,
            )
        ),
    ]
    name: OptionalName = ""
    camera: YesNo = False
    """True for a phone that is to be the tray's camera."""


class BindRequest(RequestModel):
    """Whose phone a tablet is: a player's name, '' for the table's."""

    example: ClassVar = {"player": "Ann"}

    player: OptionalName = ""


class SeatRulesRequest(RequestModel):
    """What the table wants of phones that are bound to a player."""

    example: ClassVar = {"own_seat_only": False, "confirm": True}

    own_seat_only: YesNo
    confirm: YesNo


class EntrustRequest(RequestModel):
    """Whether a tablet is to be a keeper's or a player's."""

    example: ClassVar = {"keeper": True, "confirm": False}

    keeper: YesNo
    confirm: YesNo = False
    """True to make the last keeper's tablet a player's."""


class ForgetRequest(RequestModel):
    """Whether a tablet is to be forgotten although no keeper is left then."""

    example: ClassVar = {"confirm": False}

    confirm: YesNo = False


def _only_true(value: object) -> object:
    """Refuse 1 and 1.0, which pydantic takes for the literal True."""
    if value is not True:
        raise sentence_error(say("The box is shut down only when 'sure' is true."))
    return value


class PowerOffRequest(RequestModel):
    """The keeper is sure."""

    example: ClassVar = {"sure": True}

    sure: Annotated[Literal[True], BeforeValidator(_only_true)]


Place: TypeAlias = tuple[tuple[float, float], ...]
"""The corners of a place in a picture, (x, y) in fractions of its width and height; none for no place."""


class Verdict(StrEnum):
    """How good a part of the box is."""

    GOOD = "good"
    UNSURE = "unsure"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """The result of checking one part of the box."""

    name: str
    """A word for programs, such as `power`."""
    title: str
    verdict: Verdict
    told: str
    """A sentence about what was found."""
    advice: str = ""
    """A sentence about what helps; '' where nothing is wrong."""
    acceptable: bool = False
    """True if a keeper may accept it with `POST /api/doctor/accept`, so that it is said no more."""
    measured: str = ""
    """A sentence with the figures behind it; '' where there are none."""
    place: Place = ()
    """Where it is in the camera's picture."""


@dataclass(frozen=True)
class SeenMarker:
    """A marker in the picture."""

    number: Count
    """The marker's id."""
    corners: Place
    verdict: Verdict
    """How sharp its edges are."""


@dataclass(frozen=True)
class SeenZone:
    """A zone of the tray in the picture."""

    name: Zone
    corners: Place


@dataclass(frozen=True)
class DieInSight:
    """A die in the picture."""

    corners: Place
    """Those of its top face."""
    face: FaceName
    accepted: bool
    """False if a person would be asked."""


@dataclass(frozen=True)
class TraySight:
    """What the picture shows now, for whoever sets up the camera."""

    findings: tuple[Finding, ...]
    """What is wrong, worst first; none of them BAD where a game can begin."""
    markers: tuple[SeenMarker, ...] = ()
    """The markers in sight."""
    zones: tuple[SeenZone, ...] = ()
    """The zones; none where the tray is not found."""
    dice: tuple[DieInSight, ...] = ()
    """The dice as last read."""
    sharpness: Annotated[float, rounded(3)] = 0.0
    """0..1: the more the sharper, for a person who turns the lens."""
    shown: Place = ()
    """The corners of what others than keepers are shown; none where the tray is not found."""
    is_tapped: bool = False
    """True if the tray is known by tapped corners, and not by markers."""


@dataclass(frozen=True)
class FindingsResponse:
    """All findings, in the order of the page."""

    findings: tuple[Finding, ...]


class SupportBundleRequest(RequestModel):
    """Whether the support bundle may hold the last pictures of the tray."""

    example: ClassVar = {"pictures": False}

    pictures: YesNo


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


# What the pages ask of https: where it is served, and the box's own authority that a phone may install


@dataclass(frozen=True)
class BoxAuthority:
    """The box's own certificate authority: its certificate as PEM, and its SHA-256 as phones show it."""

    certificate_pem: bytes
    fingerprint: str


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
