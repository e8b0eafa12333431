"""How a refusal becomes an HTTP answer: the only place where a reason meets a status code.

API addresses answer `{"error": sentence, "rule": number}`; page addresses answer an HTML page with the same sentence.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from math import ceil

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from web import authorization
from web.endpoint_decorators import json_response
from web.languages import said
from web.schemas.response_model import RefusalResponse
from web.services.access_backend import Role

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
"""Bytes. The longest honest request, a game with twelve players and every option, is a thirtieth of it."""

STATUSES = {
    Reason.INVALID: HTTPStatus.BAD_REQUEST,
    Reason.NOT_ALLOWED: HTTPStatus.FORBIDDEN,
    Reason.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Reason.CONFLICT: HTTPStatus.CONFLICT,
    Reason.GONE: HTTPStatus.GONE,
    Reason.TOO_SOON: HTTPStatus.TOO_MANY_REQUESTS,
    Reason.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}

UNCHANGED = HTTPStatus.NOT_MODIFIED
NO_PICTURE = HTTPStatus.NO_CONTENT
"""The answer to a browser whose copy is still right."""
MEANINGS = {
    NO_PICTURE: "There is no such picture yet; the header Cache-Control says when to ask again.",
    UNCHANGED: "The browser's own copy is still the right one.",
    HTTPStatus.BAD_REQUEST: "The request is malformed.",
    HTTPStatus.FORBIDDEN: "Who asks may not do this, gave a wrong code, or asks from another site's page.",
    HTTPStatus.NOT_FOUND: "There is nothing of that name here.",
    HTTPStatus.CONFLICT: "Not now: a rule or the moment forbids it.",
    HTTPStatus.GONE: "It is no longer kept.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is larger than it need be.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The request is not JSON, or not JPEG or WAV where a route takes that.",
    HTTPStatus.MISDIRECTED_REQUEST: "The box is not called that.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many wrong codes were given; the header Retry-After says when to ask again.",
    HTTPStatus.SERVICE_UNAVAILABLE: "It cannot be done or kept now, and nothing was changed; or, with the header "
    "Retry-After, it is being worked out.",
}
"""What the OpenAPI document says about each status."""
OF_ANY_REQUEST = (HTTPStatus.FORBIDDEN, HTTPStatus.MISDIRECTED_REQUEST)
"""How any request may be refused."""
OF_ANY_POST = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
"""How any request that changes something may be refused."""

_SENTENCES = {
    404: say("There is nothing at this address; the table is at /."),
    405: say("This address does not take that kind of request."),
    413: say("The request is larger than {most} KiB; nothing at the table needs so much.", most=LARGEST_BODY // 1024),
    500: say("The referee failed at this; nothing was changed, and the log says why."),
}


class HttpRefused(HTTPException):
    """A request that is refused for its form as an HTTP request. The message is a sentence."""


class OtherMediaType(HttpRefused):
    """The body of a request is not what its route takes: JSON, a picture or a recording."""

    code = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class FileTooLarge(HttpRefused):
    """A picture or a recording has more bytes than any that Vander asks for."""

    code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class UnknownHost(HttpRefused):
    """The request calls the box by a name that is not its own."""

    code = HTTPStatus.MISDIRECTED_REQUEST


def register_error_handlers(app: Flask) -> None:
    """Answer refusals and HTTP errors in one form."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(HTTPException, _http_error)


def refuse_for(app: Flask, error: type[Exception], reason: Reason, sentence: str = "") -> None:
    """Answer an exception of the running program as a refusal, with this sentence, or the exception's own message."""

    def refused(raised: Exception) -> Response:
        log.warning("page: %s cannot be answered: %s", request.path, raised)
        return _refused(Refused(sentence or as_sentence(raised), reason))

    app.register_error_handler(error, refused)


def _refused(refused: Refused) -> Response:
    answer = _answer(refused.sentence, STATUSES[refused.reason], refused.rule)
    if refused.wait_s is not None:
        answer.headers["Retry-After"] = str(ceil(refused.wait_s))
    return answer


def _http_error(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    if isinstance(error, HttpRefused):
        return _answer(error.description or "", code)
    answer = _answer(_SENTENCES.get(code) or say("The request could not be served (HTTP {code}).", code=code), code)
    if code == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["Allow"] = dict(error.get_headers()).get("Allow", "")
    return answer


def _answer(sentence: str, status: int, rule: str = "") -> Response:
    if request.path.startswith("/api/"):
        answer = json_response(RefusalResponse(sentence, rule))
    else:
        watching = status == HTTPStatus.FORBIDDEN and authorization.caller().role is Role.WATCHER
        answer = Response(render_template("error.html", sentence=said(sentence), watching=watching))
    answer.status_code = status
    return answer
