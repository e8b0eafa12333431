"""Routes of the virtual tray: hands that throw, move, turn and knock off dice. No route says what a die shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

from flask import Blueprint, Response
from pydantic import Field, TypeAdapter

from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.app.backends import simulator
from vander.app.backends import stage as stage_backend
from web.endpoints import change_endpoint, json_endpoint
from web.schemas.access_schemas import Role
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
    """Where the dice of the virtual tray lie.

    straight: the homography, row by row, from fractions of the picture to those of the tray as from straight above.
    rests_in: after how many seconds of the tray's clock all dice lie still; less than 0 where they do, since when.
    """

    dice: tuple[SimulatedDie, ...]
    straight: tuple[float, ...]
    rests_in: float


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


blueprint = Blueprint("simulator", __name__, url_prefix="/api/tray")


@blueprint.get("/dice")
@json_endpoint(TrayDiceResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def dice() -> TrayDiceResponse:
    """Return where the dice lie."""
    tray = simulator()
    return TrayDiceResponse(tuple(map(tray_die, tray.dice())), tray.straight(), tray.rests_in())


@contextmanager
def _unknown_is_refused() -> Iterator[None]:
    """Turn the tray's LookupError into Refused (NOT_FOUND)."""
    try:
        yield
    except LookupError as unknown:
        raise Refused(as_sentence(unknown), Reason.NOT_FOUND) from unknown


def _changes_tray(view: Callable[..., None]) -> Callable[..., Response]:
    """Decorate a player's view that moves dice: where they lie then is answered."""
    changing = change_endpoint(dice, Reason.NOT_FOUND, Reason.CONFLICT, role=Role.PLAYER)
    return changing(_unknown_is_refused()(view))


@blueprint.get("/cupboard")
@json_endpoint(DiceCatalogResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def catalog() -> DiceCatalogResponse:
    """Return which die sets and styles can be put into the tray, and which are in it."""
    tray = simulator()
    return DiceCatalogResponse(_choices(tray.sets()), _choices(tray.looks()), DiceInTray(*tray.out()))


@blueprint.post("/throw")
@_changes_tray
def throw(body: TrayDiceRequest) -> None:
    """Throw dice together."""
    simulator().throw(list(dict.fromkeys(body.dice)))


@blueprint.post("/move")
@_changes_tray
def move(body: MoveDieRequest) -> None:
    """Move a die, keeping its face up."""
    simulator().move(body.die, body.x, body.y)


@blueprint.post("/tip")
@_changes_tray
def tip(body: DieRequest) -> None:
    """Turn a die over onto its next side."""
    simulator().tip(body.die)


@blueprint.post("/twist")
@_changes_tray
def twist(body: TwistDieRequest) -> None:
    """Turn a die where it lies."""
    simulator().twist(body.die, body.degrees)


@blueprint.post("/knock-off")
@_changes_tray
def knock_off(body: DieRequest) -> None:
    """Knock a die off the table."""
    simulator().knock_off(body.die)


@blueprint.post("/put-back")
@_changes_tray
def put_back(body: PutBackRequest) -> None:
    """Let the simulated hand put the dice back, one by one. The camera decides whether they lie right."""
    simulator().put_back([(die.kind, die.face, die.zone) for die in body.wanted])


@blueprint.post("/set-aside")
@_changes_tray
def set_aside(body: TrayDiceRequest) -> None:
    """Let the simulated hand carry dice into the bay, one by one."""
    simulator().set_aside(body.dice)


@blueprint.post("/hand")
@_changes_tray
def hand(body: HandRequest) -> None:
    """Reach into the tray, or take the hand out."""
    simulator().hand(body.inside)


@blueprint.post("/set-out")
@_changes_tray
def set_out(body: PutDiceRequest) -> None:
    """Put the dice of another die set into the tray."""
    simulator().set_out(body.set, body.look)


@blueprint.post("/trouble")
@_changes_tray
def trouble(body: CameraTroubleRequest) -> None:
    """Let the virtual camera fail, or work once more."""
    simulator().trouble(body.kind)


@blueprint.get("/situations")
@json_endpoint(SituationsResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def situations() -> SituationsResponse:
    """Return which cheats and mishaps can be staged."""
    return SituationsResponse(tuple(map(situation_response, stage_backend().situations())))


@blueprint.post("/stage")
@_changes_tray
def stage(body: StageRequest) -> None:
    """Let a cheat or a mishap be played."""
    stage_backend().stage(body.name, list(dict.fromkeys(body.dice)))


def _choices(titles: Mapping[str, str]) -> tuple[NameTitle, ...]:
    return tuple(NameTitle(name, title) for name, title in titles.items())
