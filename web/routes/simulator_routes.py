"""Routes of the virtual tray: hands that throw, move, turn and knock off dice. No route says what a die shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from flask import Blueprint

from referee.phrases import as_sentence
from referee.sentences import Reason, Refused
from web.authorization import requires
from web.endpoint_decorators import json_endpoint
from web.schemas.response_model import NameTitle
from web.schemas.simulator_schemas import (
    CameraTroubleRequest,
    DiceCatalogResponse,
    DiceInTray,
    DieRequest,
    HandRequest,
    MoveDieRequest,
    PutBackRequest,
    PutDiceRequest,
    SituationsResponse,
    StageRequest,
    TrayDiceRequest,
    TrayDiceResponse,
    TwistDieRequest,
    situation_response,
    tray_die,
)
from web.services.access_backend import Role
from web.services.backends import simulator
from web.services.backends import stage as stage_backend

blueprint = Blueprint("simulator", __name__, url_prefix="/api/tray")

_REFUSALS = (Reason.NOT_FOUND, Reason.CONFLICT)


@blueprint.get("/dice")
@requires(Role.WATCHER)
@json_endpoint(TrayDiceResponse, Reason.NOT_FOUND)
def dice() -> TrayDiceResponse:
    """Return where the dice lie."""
    return _dice()


@blueprint.get("/cupboard")
@requires(Role.WATCHER)
@json_endpoint(DiceCatalogResponse, Reason.NOT_FOUND)
def catalog() -> DiceCatalogResponse:
    """Return which die sets and styles can be put into the tray, and which are in it."""
    tray = simulator()
    return DiceCatalogResponse(_choices(tray.sets()), _choices(tray.looks()), DiceInTray(*tray.out()))


@blueprint.post("/throw")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def throw(body: TrayDiceRequest) -> TrayDiceResponse:
    """Throw dice together."""
    with _unknown_is_refused():
        simulator().throw(list(dict.fromkeys(body.dice)))
    return _dice()


@blueprint.post("/move")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def move(body: MoveDieRequest) -> TrayDiceResponse:
    """Move a die, keeping its face up."""
    with _unknown_is_refused():
        simulator().move(body.die, body.x, body.y)
    return _dice()


@blueprint.post("/tip")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def tip(body: DieRequest) -> TrayDiceResponse:
    """Turn a die over onto its next side."""
    with _unknown_is_refused():
        simulator().tip(body.die)
    return _dice()


@blueprint.post("/twist")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def twist(body: TwistDieRequest) -> TrayDiceResponse:
    """Turn a die where it lies."""
    with _unknown_is_refused():
        simulator().twist(body.die, body.degrees)
    return _dice()


@blueprint.post("/knock-off")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def knock_off(body: DieRequest) -> TrayDiceResponse:
    """Knock a die off the table."""
    with _unknown_is_refused():
        simulator().knock_off(body.die)
    return _dice()


@blueprint.post("/put-back")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def put_back(body: PutBackRequest) -> TrayDiceResponse:
    """Let the simulated hand put the dice back, one by one. The camera decides whether they lie right."""
    with _unknown_is_refused():
        simulator().put_back([(die.kind, die.face, die.zone) for die in body.wanted])
    return _dice()


@blueprint.post("/set-aside")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def set_aside(body: TrayDiceRequest) -> TrayDiceResponse:
    """Let the simulated hand carry dice into the bay, one by one."""
    with _unknown_is_refused():
        simulator().set_aside(body.dice)
    return _dice()


@blueprint.post("/hand")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def hand(body: HandRequest) -> TrayDiceResponse:
    """Reach into the tray, or take the hand out."""
    simulator().hand(body.inside)
    return _dice()


@blueprint.post("/set-out")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def set_out(body: PutDiceRequest) -> TrayDiceResponse:
    """Put the dice of another die set into the tray."""
    with _unknown_is_refused():
        simulator().set_out(body.set, body.look)
    return _dice()


@blueprint.post("/trouble")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def trouble(body: CameraTroubleRequest) -> TrayDiceResponse:
    """Let the virtual camera fail, or work once more."""
    simulator().trouble(body.kind)
    return _dice()


@blueprint.get("/situations")
@requires(Role.WATCHER)
@json_endpoint(SituationsResponse, Reason.NOT_FOUND)
def situations() -> SituationsResponse:
    """Return which cheats and mishaps can be staged."""
    return SituationsResponse(tuple(map(situation_response, stage_backend().situations())))


@blueprint.post("/stage")
@requires(Role.PLAYER)
@json_endpoint(TrayDiceResponse, *_REFUSALS)
def stage(body: StageRequest) -> TrayDiceResponse:
    """Let a cheat or a mishap be played."""
    with _unknown_is_refused():
        stage_backend().stage(body.name, list(dict.fromkeys(body.dice)))
    return _dice()


def _dice() -> TrayDiceResponse:
    return TrayDiceResponse(tuple(map(tray_die, simulator().dice())))


def _choices(titles: Mapping[str, str]) -> tuple[NameTitle, ...]:
    return tuple(NameTitle(name, title) for name, title in titles.items())


@contextmanager
def _unknown_is_refused() -> Iterator[None]:
    """Turn the tray's LookupError into Refused (NOT_FOUND)."""
    try:
        yield
    except LookupError as unknown:
        raise Refused(as_sentence(unknown), Reason.NOT_FOUND) from unknown
