"""JSON of the virtual tray: where its dice lie, and what hands do with them. Positions are fractions of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

from pydantic import Field, TypeAdapter

from referee.sentences import say
from web.schemas.response_model import (
    FIELD,
    LARGEST_NUMBER,
    Count,
    Fraction,
    NameTitle,
    Needs,
    OptionalText,
    RequestModel,
    Text,
    Whole,
    YesNo,
)

MOST_DEGREES = 360
TrayPlace = Literal["field", "aside", "out", "off"]
"""Where a die lies: `out` is on the table beyond the markers, `off` no longer on the table."""
CameraTrouble = Literal["", "covered", "frozen", "unplugged"]


@dataclass(frozen=True)
class SimulatedDie:
    """A die of the virtual tray; it does not say what the die shows."""

    number: Count
    x: float
    y: float
    edge: float
    """In fractions of the picture's width."""
    place: TrayPlace
    kind: str
    upright_x: float
    upright_y: float
    """Both in fractions of the picture of the tray from straight above, less than 0 or more than 1 beyond it."""


_TRAY_DIE = TypeAdapter(SimulatedDie)


def tray_die(die: Mapping[str, object]) -> SimulatedDie:
    """Return the JSON of a die of the virtual tray, without what it shows. Raises ValidationError."""
    return _TRAY_DIE.validate_python({field.name: die[field.name] for field in fields(SimulatedDie)})


@dataclass(frozen=True)
class TrayDiceResponse:
    """Where the dice of the virtual tray lie."""

    dice: tuple[SimulatedDie, ...]


@dataclass(frozen=True)
class DiceInTray:
    """The die set in the virtual tray, and its style, by name."""

    set: str
    look: str


@dataclass(frozen=True)
class DiceCatalogResponse:
    """Which die sets and styles can be put into the virtual tray, and which are in it."""

    sets: tuple[NameTitle, ...]
    looks: tuple[NameTitle, ...]
    out: DiceInTray


@dataclass(frozen=True)
class SituationResponse:
    """A cheat or a mishap that can be staged; `intent` says which."""

    name: str
    title: str
    intent: Literal["cheat", "mishap"]


@dataclass(frozen=True)
class SituationsResponse:
    """What can be staged on the virtual tray."""

    situations: tuple[SituationResponse, ...]


def situation_response(situation: Mapping[str, str]) -> SituationResponse:
    """Return the JSON of a situation."""
    return SituationResponse(
        situation["name"], situation["title"], "cheat" if situation["intent"] == "cheat" else "mishap"
    )


_DieNumber = Annotated[
    int, Field(ge=0, le=LARGEST_NUMBER), Needs(say("The request needs each of 'dice' as a whole number from 0."))
]


class TrayDiceRequest(RequestModel):
    """Dice of the virtual tray that something is done with together."""

    example: ClassVar = {"dice": [1, 2]}

    dice: Annotated[
        list[_DieNumber],
        Field(min_length=1),
        Needs(say("The request needs {field}, a list of at least one number.", field=FIELD)),
    ]


class StageRequest(RequestModel):
    """A situation by name, and the dice that it is played with; none for all in the field."""

    example: ClassVar = {"name": "turn-under-hand", "dice": [2]}

    name: Text
    dice: Annotated[
        list[_DieNumber], Field(max_length=40), Needs(say("The request needs {field}, a list of numbers.", field=FIELD))
    ] = Field([])


class DieRequest(RequestModel):
    """A die of the virtual tray."""

    example: ClassVar = {"die": 2}

    die: Whole


class MoveDieRequest(DieRequest):
    """A die, and where it is put."""

    example: ClassVar = {"die": 1, "x": 0.5, "y": 0.25}

    x: Fraction
    y: Fraction


class TwistDieRequest(DieRequest):
    """A die, and how far it is turned where it lies, clockwise in the picture."""

    example: ClassVar = {"die": 2, "degrees": -30}

    degrees: Annotated[
        float,
        Field(ge=-MOST_DEGREES, le=MOST_DEGREES),
        Needs(
            say(
                "The request needs {field} as a number from {least} to {most}.",
                field=FIELD,
                least=-MOST_DEGREES,
                most=MOST_DEGREES,
            )
        ),
    ]


class HandRequest(RequestModel):
    """Whether a hand reaches into the tray."""

    example: ClassVar = {"inside": True}

    inside: YesNo


class PutDiceRequest(RequestModel):
    """The die set to put into the tray; `look` is its style, '' for the same as before."""

    example: ClassVar = {"set": "d6"}

    set: Text
    look: OptionalText = ""


class WantedDie(RequestModel):
    """A die as the referee wants it to lie: its kind, its face and its zone, '' for any."""

    example: ClassVar = {"kind": "traffic", "face": "star", "zone": "field"}

    kind: Text
    face: OptionalText = ""
    zone: OptionalText = ""


class PutBackRequest(RequestModel):
    """The dice as they should lie, by which the tray knows how far to go back; none for one step."""

    example: ClassVar = {"wanted": [{"kind": "traffic", "face": "star", "zone": "field"}]}

    wanted: Annotated[
        list[WantedDie], Field(max_length=40), Needs(say("The request needs {field}, a list of dice.", field=FIELD))
    ]


class CameraTroubleRequest(RequestModel):
    """What is wrong with the virtual camera, '' for nothing."""

    example: ClassVar = {"kind": "covered"}

    kind: Annotated[
        CameraTrouble, Needs(say("A camera's trouble is 'covered', 'frozen', 'unplugged', or '' for none."))
    ]
