"""JSON of access: pairing a tablet, the tablets that have joined in, and the box page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from referee.sentences import say
from web.schemas.response_model import (
    FIELD,
    Count,
    Name,
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


class RenameRequest(RequestModel):
    """Another name for a tablet."""

    example: ClassVar = {"name": "Kitchen"}

    name: Name


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
