"""Routes of an open question: the pictures and the film of what it is about."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import FILM, json_endpoint, media_endpoint
from web.schemas.snapshot_schemas import QuestionPicturesResponse, QuestionQuery, question_pictures_response
from web.services.access_backend import Role
from web.services.backends import game

blueprint = Blueprint("question", __name__)


@blueprint.get("/api/question")
@requires(Role.WATCHER)
@json_endpoint(QuestionPicturesResponse, Reason.INVALID, Reason.NOT_FOUND)
def pictures(query: QuestionQuery) -> QuestionPicturesResponse:
    """Return what can be shown of what an open question is about."""
    return question_pictures_response(query.number, game().question_pictures(query.number))


@blueprint.get("/api/question/film")
@requires(Role.WATCHER)
@media_endpoint(FILM, Reason.INVALID, Reason.NOT_FOUND)
def film(query: QuestionQuery) -> Response:
    """Return the film of what an open question is about: its pictures with their times, in one file."""
    return Response(game().question_film(query.number), mimetype=FILM)
