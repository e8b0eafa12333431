"""Routes of learning: die sets made, captured, labelled and learned; and questions about throws."""

from __future__ import annotations

import re

from flask import Blueprint, Response

from referee.refused import Reason, Refused
from web.authorization import requires
from web.endpoints import CHANGE_REFUSALS, JPEG, cached_jpeg, json_endpoint, media_endpoint
from web.schemas.learning_requests import (
    NAME_PATTERN,
    AutomaticCaptureRequest,
    CheckAnswerRequest,
    ChoicesRequest,
    DiscardRequest,
    GoBackRequest,
    LabelRequest,
    MakeDiceRequest,
    MergeFacesRequest,
    PicturesQuery,
    QueueQuery,
    StartCaptureRequest,
)
from web.schemas.learning_schemas import (
    Certificate,
    CheckResponse,
    DiceResponse,
    LearnedResponse,
    Overview,
    PicturesResponse,
    SittingResponse,
)
from web.schemas.response_model import DoneResponse
from web.services.access_protocol import Role
from web.services.backends import learning, throw_checks

blueprint = Blueprint("learning", __name__)


def die_set_name(name: str) -> str:
    """Return a die set's name from an address. Raises Refused (NOT_FOUND) for a name that no die set can have."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise Refused("There are no dice of that name here.", Reason.NOT_FOUND)
    return name


@blueprint.get("/api/teaching")
@json_endpoint(Overview, *CHANGE_REFUSALS)
def overview() -> Overview:
    """Return the die sets, the capture that is going on, and what was chosen."""
    return learning().overview()


@blueprint.get("/api/teaching/dice/<name>")
@json_endpoint(DiceResponse, *CHANGE_REFUSALS)
def dice(name: str) -> DiceResponse:
    """Return one die set with its meters."""
    return DiceResponse(learning().die_set(die_set_name(name)))


@blueprint.post("/api/teaching/dice")
@json_endpoint(DiceResponse, *CHANGE_REFUSALS)
def make(body: MakeDiceRequest) -> DiceResponse:
    """Make a die set."""
    return DiceResponse(learning().make_die_set(body.title, [kind.kind() for kind in body.kinds], body.edge_mm))


@blueprint.post("/api/teaching/dice/<name>/drop")
@json_endpoint(Overview, *CHANGE_REFUSALS)
def drop(name: str) -> Overview:
    """Delete a die set that was made here, with its pictures and lessons."""
    learning().delete_die_set(die_set_name(name))
    return learning().overview()


@blueprint.post("/api/teaching/dice/<name>/teach")
@json_endpoint(LearnedResponse, *CHANGE_REFUSALS)
def teach(name: str) -> LearnedResponse:
    """Learn from the pictures of a die set."""
    return LearnedResponse(learning().teach(die_set_name(name)))


@blueprint.get("/api/teaching/dice/<name>/learned")
@json_endpoint(LearnedResponse, *CHANGE_REFUSALS)
def learned(name: str) -> LearnedResponse:
    """Return the lesson in use."""
    return LearnedResponse(learning().lesson(die_set_name(name)))


@blueprint.post("/api/teaching/dice/<name>/go-back")
@json_endpoint(LearnedResponse, *CHANGE_REFUSALS)
def go_back(name: str, body: GoBackRequest) -> LearnedResponse:
    """Use an earlier lesson again."""
    return LearnedResponse(learning().use_lesson(die_set_name(name), body.version))


@blueprint.post("/api/teaching/dice/<name>/merge")
@json_endpoint(DiceResponse, *CHANGE_REFUSALS)
def merge(name: str, body: MergeFacesRequest) -> DiceResponse:
    """Make one face of two."""
    return DiceResponse(learning().merge_faces(die_set_name(name), body.kind, body.face, body.other))


@blueprint.get("/api/teaching/dice/<name>/pictures")
@json_endpoint(PicturesResponse, Reason.INVALID, *CHANGE_REFUSALS)
def captured(name: str, query: PicturesQuery) -> PicturesResponse:
    """Return the labelled pictures of a die set, newest first."""
    return PicturesResponse(tuple(learning().labelled_samples(die_set_name(name), query.kind, query.face)))


@blueprint.get("/api/teaching/queue")
@json_endpoint(PicturesResponse, Reason.INVALID, *CHANGE_REFUSALS)
def queue(query: QueueQuery) -> PicturesResponse:
    """Return pictures that wait for a label, most doubtful first."""
    return PicturesResponse(tuple(learning().waiting_samples(query.most)))


@blueprint.post("/api/teaching/label")
@json_endpoint(DoneResponse, *CHANGE_REFUSALS)
def label(body: LabelRequest) -> DoneResponse:
    """Say what pictures show."""
    learning().label_samples(_once(body.pictures), body.kind, body.face)
    return DoneResponse()


@blueprint.post("/api/teaching/discard")
@json_endpoint(DoneResponse, *CHANGE_REFUSALS)
def discard(body: DiscardRequest) -> DoneResponse:
    """Delete pictures."""
    learning().delete_samples(_once(body.pictures))
    return DoneResponse()


@blueprint.get("/api/teaching/sitting")
@json_endpoint(SittingResponse, *CHANGE_REFUSALS)
def sitting() -> SittingResponse:
    """Return the guided capture that is going on."""
    return SittingResponse(learning().capture_status())


@blueprint.post("/api/teaching/sit")
@json_endpoint(SittingResponse, *CHANGE_REFUSALS)
def sit(body: StartCaptureRequest) -> SittingResponse:
    """Begin a guided capture, or go on to another face."""
    return SittingResponse(learning().start_capture(body.dice, body.kind, body.face))


@blueprint.post("/api/teaching/shutter")
@json_endpoint(SittingResponse, *CHANGE_REFUSALS)
def shutter() -> SittingResponse:
    """Take a picture now."""
    return SittingResponse(learning().shutter())


@blueprint.post("/api/teaching/by-itself")
@json_endpoint(SittingResponse, *CHANGE_REFUSALS)
def by_itself(body: AutomaticCaptureRequest) -> SittingResponse:
    """Choose whether pictures are taken without a tap."""
    return SittingResponse(learning().set_automatic(body.on))


@blueprint.post("/api/teaching/rise")
@json_endpoint(SittingResponse, *CHANGE_REFUSALS)
def rise() -> SittingResponse:
    """End the guided capture."""
    learning().stop_capture()
    return SittingResponse(None)


@blueprint.get("/api/teaching/certificate")
@json_endpoint(Certificate, *CHANGE_REFUSALS)
def certificate() -> Certificate:
    """Return how well this table reads its dice."""
    return learning().accuracy()


@blueprint.post("/api/teaching/choices")
@json_endpoint(Overview, *CHANGE_REFUSALS)
def choices(body: ChoicesRequest) -> Overview:
    """Choose what is kept of play, and how often throws are asked about."""
    learning().choose(body.choices())
    return learning().overview()


@blueprint.get("/captured/<name>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.UNAVAILABLE, cached=True)
def shown(name: str) -> Response:
    """Return a captured die. A name belongs to one picture for ever, so a browser may keep it."""
    found = learning()
    if not re.fullmatch(NAME_PATTERN, name):
        raise Refused("There is no captured picture of that name.", Reason.NOT_FOUND)
    return cached_jpeg(found.sample_jpeg(name))


@blueprint.get("/api/check")
@requires(Role.WATCHER)
@json_endpoint(CheckResponse, Reason.NOT_FOUND)
def check() -> CheckResponse:
    """Return the throw that is asked about."""
    return CheckResponse(throw_checks().check())


@blueprint.post("/api/check")
@requires(Role.PLAYER)
@json_endpoint(CheckResponse, *CHANGE_REFUSALS)
def checked(body: CheckAnswerRequest) -> CheckResponse:
    """Say whether a throw was read right."""
    throw_checks().checked(body.number, body.faces())
    return CheckResponse(throw_checks().check())


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
