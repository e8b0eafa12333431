"""Routes of learning: die sets made, captured, labelled and learned; and questions about throws."""

from __future__ import annotations

import re

from flask import Blueprint, Response

from referee.sentences import Reason, Refused, say
from vander.app.backends import learning, throw_checks
from web.authorization import actor
from web.endpoints import CHANGE_REFUSALS, JPEG, cached_jpeg, change_endpoint, done, json_endpoint, media_endpoint
from web.schemas import learning_schemas as shapes
from web.schemas.access_schemas import Role
from web.schemas.response_model import SwitchRequest

blueprint = Blueprint("learning", __name__)


def die_set_name(name: str) -> str:
    """Return a die set's name from an address. Raises Refused (NOT_FOUND) for a name that no die set can have."""
    if not re.fullmatch(shapes.NAME_PATTERN, name):
        raise Refused(say("There are no dice of that name here."), Reason.NOT_FOUND)
    return name


@blueprint.get("/api/teaching")
@json_endpoint(shapes.LearningOverview, *CHANGE_REFUSALS)
def overview() -> shapes.LearningOverview:
    """Return the die sets, the capture that is going on, and what was chosen."""
    return learning().overview()


@blueprint.get("/api/teaching/dice/<name>")
@json_endpoint(shapes.DieSetResponse, *CHANGE_REFUSALS)
def die_set(name: str) -> shapes.DieSetResponse:
    """Return one die set with its meters."""
    return shapes.DieSetResponse(learning().die_set(die_set_name(name)))


@blueprint.post("/api/teaching/dice")
@json_endpoint(shapes.DieSetResponse, *CHANGE_REFUSALS)
def make_die_set(body: shapes.MakeDiceRequest) -> shapes.DieSetResponse:
    """Make a die set."""
    return shapes.DieSetResponse(learning().make_die_set(body.title, [kind.kind() for kind in body.kinds]))


@blueprint.post("/api/teaching/dice/<name>/drop")
@change_endpoint(overview, *CHANGE_REFUSALS)
def delete_die_set(name: str) -> None:
    """Delete a die set that was made here, with its pictures and lessons."""
    learning().delete_die_set(die_set_name(name))


@blueprint.post("/api/teaching/dice/<name>/teach")
@json_endpoint(shapes.LessonResponse, *CHANGE_REFUSALS)
def teach(name: str) -> shapes.LessonResponse:
    """Learn from the pictures of a die set."""
    return shapes.LessonResponse(learning().teach(die_set_name(name)))


@blueprint.get("/api/teaching/dice/<name>/learned")
@json_endpoint(shapes.LessonResponse, *CHANGE_REFUSALS)
def lesson(name: str) -> shapes.LessonResponse:
    """Return the lesson in use."""
    return shapes.LessonResponse(learning().lesson(die_set_name(name)))


@blueprint.post("/api/teaching/dice/<name>/go-back")
@json_endpoint(shapes.LessonResponse, *CHANGE_REFUSALS)
def use_lesson(name: str, body: shapes.GoBackRequest) -> shapes.LessonResponse:
    """Use an earlier lesson again."""
    return shapes.LessonResponse(learning().use_lesson(die_set_name(name), body.version))


@blueprint.post("/api/teaching/dice/<name>/merge")
@json_endpoint(shapes.DieSetResponse, *CHANGE_REFUSALS)
def merge_faces(name: str, body: shapes.MergeFacesRequest) -> shapes.DieSetResponse:
    """Make one face of two."""
    return shapes.DieSetResponse(learning().merge_faces(die_set_name(name), body.kind, body.face, body.other))


@blueprint.get("/api/teaching/dice/<name>/played")
@json_endpoint(shapes.PlayBoardResponse, *CHANGE_REFUSALS)
def play_board(name: str) -> shapes.PlayBoardResponse:
    """Return what was learned of a die set in play."""
    return shapes.PlayBoardResponse(learning().play_board(die_set_name(name)))


@blueprint.post("/api/teaching/dice/<name>/played/switch")
@json_endpoint(shapes.PlayBoardResponse, *CHANGE_REFUSALS)
def set_learning(name: str, body: SwitchRequest) -> shapes.PlayBoardResponse:
    """Choose whether a die set is learned from in play."""
    return shapes.PlayBoardResponse(learning().set_learning(die_set_name(name), body.on))


@blueprint.post("/api/teaching/dice/<name>/played/forget")
@json_endpoint(shapes.PlayBoardResponse, *CHANGE_REFUSALS)
def forget_played(name: str) -> shapes.PlayBoardResponse:
    """Forget all that was learned of a die set in play."""
    return shapes.PlayBoardResponse(learning().forget_played(die_set_name(name)))


@blueprint.post("/api/teaching/dice/<name>/played/label")
@json_endpoint(shapes.PlayBoardResponse, *CHANGE_REFUSALS)
def label_played(name: str, body: shapes.PlayedLabelRequest) -> shapes.PlayBoardResponse:
    """Mend what a die of play is believed to show, or keep it."""
    return shapes.PlayBoardResponse(learning().label_played(die_set_name(name), body.die, body.kind, body.face))


@blueprint.get("/played/<name>/<die>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def played_picture(name: str, die: str) -> Response:
    """Return a die of play while its picture is in memory."""
    return Response(learning().played_jpeg(die_set_name(name), die), mimetype=JPEG)


@blueprint.get("/api/teaching/dice/<name>/pictures")
@json_endpoint(shapes.PicturesResponse, Reason.INVALID, *CHANGE_REFUSALS)
def labelled_pictures(name: str, query: shapes.PicturesQuery) -> shapes.PicturesResponse:
    """Return the labelled pictures of a die set, newest first."""
    return shapes.PicturesResponse(tuple(learning().labelled_samples(die_set_name(name), query.kind, query.face)))


@blueprint.get("/api/teaching/queue")
@json_endpoint(shapes.PicturesResponse, Reason.INVALID, *CHANGE_REFUSALS)
def waiting_pictures(query: shapes.QueueQuery) -> shapes.PicturesResponse:
    """Return pictures that wait for a label, most doubtful first."""
    return shapes.PicturesResponse(tuple(learning().waiting_samples(query.most)))


@blueprint.post("/api/teaching/label")
@change_endpoint(done, *CHANGE_REFUSALS)
def label_pictures(body: shapes.LabelRequest) -> None:
    """Say what pictures show."""
    learning().label_samples(_once(body.pictures), body.kind, body.face)


@blueprint.post("/api/teaching/discard")
@change_endpoint(done, *CHANGE_REFUSALS)
def delete_pictures(body: shapes.DiscardRequest) -> None:
    """Delete pictures."""
    learning().delete_samples(_once(body.pictures))


@blueprint.get("/api/teaching/sitting")
@json_endpoint(shapes.CaptureResponse, *CHANGE_REFUSALS)
def capture_status() -> shapes.CaptureResponse:
    """Return the guided capture that is going on."""
    return shapes.CaptureResponse(learning().capture_status(), learning().halts_game)


@blueprint.post("/api/teaching/sit")
@json_endpoint(shapes.CaptureResponse, *CHANGE_REFUSALS)
def start_capture(body: shapes.StartCaptureRequest) -> shapes.CaptureResponse:
    """Begin a guided capture, or go on to another face."""
    return shapes.CaptureResponse(learning().start_capture(body.dice, body.kind, body.face, lend=body.lend))


@blueprint.post("/api/teaching/shutter")
@json_endpoint(shapes.CaptureResponse, *CHANGE_REFUSALS)
def shutter() -> shapes.CaptureResponse:
    """Take a picture now."""
    return shapes.CaptureResponse(learning().shutter())


@blueprint.post("/api/teaching/by-itself")
@json_endpoint(shapes.CaptureResponse, *CHANGE_REFUSALS)
def set_automatic(body: SwitchRequest) -> shapes.CaptureResponse:
    """Choose whether pictures are taken without a tap."""
    return shapes.CaptureResponse(learning().set_automatic(body.on))


@blueprint.post("/api/teaching/rise")
@json_endpoint(shapes.CaptureResponse, *CHANGE_REFUSALS, role=Role.PLAYER)
def stop_capture() -> shapes.CaptureResponse:
    """End the guided capture; players may, who wait for the tray."""
    learning().stop_capture()
    return shapes.CaptureResponse(None)


@blueprint.get("/api/teaching/certificate")
@json_endpoint(shapes.TableAccuracy, *CHANGE_REFUSALS)
def accuracy() -> shapes.TableAccuracy:
    """Return how well this table reads its dice."""
    return learning().accuracy()


@blueprint.post("/api/teaching/choices")
@change_endpoint(overview, *CHANGE_REFUSALS)
def choices(body: shapes.ChoicesRequest) -> None:
    """Choose what is kept of play, and how often throws are asked about."""
    learning().choose(body.choices())


@blueprint.get("/captured/<name>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.UNAVAILABLE, cached=True)
def picture(name: str) -> Response:
    """Return a captured die. A name belongs to one picture for ever, so a browser may keep it."""
    found = learning()
    if not re.fullmatch(shapes.NAME_PATTERN, name):
        raise Refused(say("There is no captured picture of that name."), Reason.NOT_FOUND)
    return cached_jpeg(found.sample_jpeg(name))


@blueprint.get("/api/check")
@json_endpoint(shapes.ThrowCheckResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def check() -> shapes.ThrowCheckResponse:
    """Return the throw that is asked about."""
    return shapes.ThrowCheckResponse(throw_checks().check())


@blueprint.post("/api/check")
@json_endpoint(shapes.ThrowCheckResponse, *CHANGE_REFUSALS, role=Role.PLAYER)
def checked(body: shapes.CheckAnswerRequest) -> shapes.ThrowCheckResponse:
    """Say whether a throw was read right."""
    throw_checks().checked(body.number, body.faces(), by=actor())
    return shapes.ThrowCheckResponse(throw_checks().check())


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
