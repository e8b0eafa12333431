"""Endpoints: what a route takes and answers, what becomes of a refusal, and the checks of every request.

The declaration parses the request, encodes the answer, and describes both in the OpenAPI document.

API addresses answer `{"error": sentence, "rule": number}`; page addresses answer an HTML page with the same sentence.

Requests that another site makes a browser send (CSRF) are refused three times: by Origin and Sec-Fetch-Site; by the
cookie, which is SameSite=Strict; and, if they would change something, because they lack JSON (JPEG or WAV, where a
route takes that) and the header `X-Vander`: a page of another site can send neither without a CORS preflight, which is
never granted. A token in each form (Flask-WTF's CSRFProtect) would prove no more: there are no forms, and a watcher has
no session to bind a token to.
"""

from __future__ import annotations

import logging
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from http import HTTPStatus
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, TypeVar, get_type_hints

from flask import Flask, Response, current_app, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, Sentence, say
from web import authorization
from web.authorization import host_name, is_trusted_host, services
from web.languages import language, said, translations
from web.schemas.access_schemas import Role
from web.schemas.response_model import (
    DoneResponse,
    EmptyRequest,
    RefusalResponse,
    RequestModel,
    encode,
    parse,
    parse_body,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


JSON, HTML, JPEG, ZIP = "application/json", "text/html", "image/jpeg", "application/zip"
SVG, CSV, TEXT = "image/svg+xml", "text/csv", "text/plain"
WAV, MP3 = "audio/wav", "audio/mpeg"
MANIFEST, SCRIPT, PDF = "application/manifest+json", "text/javascript", "application/pdf"
FILM, CERTIFICATE = "application/octet-stream", "application/x-x509-ca-cert"
EVENT_STREAM, ANY_MEDIA = "text/event-stream", "*/*"

CHANGE_REFUSALS = (Reason.NOT_FOUND, Reason.CONFLICT, Reason.UNAVAILABLE)
"""How a service may refuse a change: nothing of that name, not now, and it could not be kept."""

Answer = TypeVar("Answer", bound="DataclassInstance")
Returned = TypeVar("Returned", bound=ResponseReturnValue)


@dataclass(frozen=True)
class Endpoint:
    """What a route takes and answers.

    `body` and `query` are read from the annotations of the view's parameters of those names. `refusals` are the
    reasons of this route, besides those that any route may give. `cached` routes may answer that the browser's copy is
    still right, and `may_be_empty` ones that there is nothing yet (204). `takes` is the media type of what is posted;
    a view that takes another one than JSON reads it itself.
    """

    response: type[DataclassInstance] | None
    media_type: str
    refusals: tuple[Reason, ...] = ()
    body: type[RequestModel] = EmptyRequest
    query: type[RequestModel] = EmptyRequest
    cached: bool = False
    may_be_empty: bool = False
    takes: str = JSON


def json_endpoint(
    response: type[Answer], *refusals: Reason, takes: str = JSON, role: Role = Role.KEEPER
) -> Callable[[Callable[..., Answer | Response]], Callable[..., Response]]:
    """Decorate a view that answers JSON: a value of `response`, or a Response that holds one already encoded.

    Callers below `role` are refused.
    A parameter `body` gets the request's JSON object, a parameter `query` what stands behind the `?`.
    """

    def declare(view: Callable[..., Answer | Response]) -> Callable[..., Response]:
        @wraps(view)
        def answer(**arguments: object) -> Response:
            found = view(**arguments)
            return found if isinstance(found, Response) else json_response(found)

        return _declare(answer, Endpoint(response, JSON, refusals, takes=takes), role)

    return declare


def change_endpoint(
    then: Callable[[], Response], *refusals: Reason, role: Role = Role.KEEPER
) -> Callable[[Callable[..., None]], Callable[..., Response]]:
    """Decorate a view that changes something and returns nothing: the answer is that of the JSON endpoint `then`."""
    response = vars(then)["endpoint"].response

    def declare(view: Callable[..., None]) -> Callable[..., Response]:
        @wraps(view)
        def change(**arguments: object) -> Response:
            view(**arguments)
            return then()

        return _declare(change, Endpoint(response, JSON, refusals), role)

    return declare


def media_endpoint(
    media_type: str, *refusals: Reason, cached: bool = False, may_be_empty: bool = False, role: Role = Role.KEEPER
) -> Callable[[Callable[..., ResponseReturnValue]], Callable[..., ResponseReturnValue]]:
    """Decorate a view that answers a page, a picture or another file."""
    endpoint = Endpoint(None, media_type, refusals, cached=cached, may_be_empty=may_be_empty)
    return lambda view: _declare(view, endpoint, role)


def _declare(view: Callable[..., Returned], endpoint: Endpoint, role: Role) -> Callable[..., Returned]:
    """Return the view with its parameters `body` and `query` parsed, and with its endpoint and its role attached."""
    hints = get_type_hints(view)
    body, query = hints.get("body", EmptyRequest), hints.get("query", EmptyRequest)

    @wraps(view)
    def parsed(**path: object) -> Returned:
        found: dict[str, object] = {}
        if request.method == "POST" and endpoint.takes == JSON:
            found["body"] = parse_body(body, request.get_data())
        if "query" in hints:
            found["query"] = parse(query, request.args.to_dict())
        return view(**path, **{name: value for name, value in found.items() if name in hints})

    vars(parsed).update(endpoint=replace(endpoint, body=body, query=query), required_role=role)
    return parsed


@json_endpoint(DoneResponse)
def done() -> DoneResponse:
    return DoneResponse()


def endpoint_of(app: Flask, name: str) -> Endpoint:
    """Return what the route of this endpoint takes and answers."""
    found: Endpoint = vars(app.view_functions[name])["endpoint"]
    return found


def json_response(response: DataclassInstance) -> Response:
    """Return a value as an HTTP answer."""
    return Response(encode(response, translations(language())), mimetype=JSON)


def cached_jpeg(contents: bytes) -> Response:
    """Return a picture that the browser keeps, and asks for only whether it is still the right one."""
    return cached_file(contents, JPEG)


def cached_file(contents: bytes, media_type: str) -> Response:
    """Return a file that the browser keeps, and asks for only whether it is still the right one."""
    response = Response(contents, mimetype=media_type)
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def posted_file(largest: int, too_large: Callable[[int], Sentence]) -> bytes:
    """Return a posted file of at most `largest` bytes. Raises FileTooLarge with the sentence about its size in KB."""
    if (request.content_length or 0) > largest:
        raise FileTooLarge(too_large((request.content_length or 0) // 1024))
    request.max_content_length = largest
    return request.get_data(cache=False)


def attached(content: str | Iterable[bytes], media_type: str, name: str) -> Response:
    response = Response(content, mimetype=media_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def attached_pieces(pieces: Iterator[bytes], media_type: str, name: str) -> Response:
    """Return a file to be saved, piece by piece: what prevents it is refused before anything is sent."""
    first = next(pieces, b"")
    return attached(chain((first,), pieces), media_type, name)


def attached_table(pieces: Iterator[bytes], name: str) -> Response:
    """Return a CSV file to be saved, with the mark by which a spreadsheet knows its letters."""
    first = next(pieces, b"")
    return attached(chain((BOM_UTF8, first), pieces), CSV, name)


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


_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_FILE_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""For a file of the pages: by itself it may load nothing."""
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
MARK_HEADER = "X-Vander"
"""The header that a request which changes something must have; its value does not matter."""
NOT_JSON = say("Requests to the table are JSON; send Content-Type: {type}.", type=JSON)
NOT_A_PICTURE = say("Pictures of the tray are JPEG; send Content-Type: {type}.", type=JPEG)
NOT_A_RECORDING = say("Recordings are WAV; send Content-Type: {type}.", type=WAV)
NOT_TAKEN = {JSON: NOT_JSON, JPEG: NOT_A_PICTURE, WAV: NOT_A_RECORDING}
"""What is said to a request whose body is of another type than its route takes."""


def secure(app: Flask) -> None:
    """Add the checks, the headers and the error handlers to an application."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(_check)
    app.after_request(_add_headers)
    app.context_processor(lambda: {"caller": authorization.caller(), "door": services().access})
    register_error_handlers(app)


def _check() -> None:
    _check_host()
    _check_origin()
    if request.routing_exception is not None:
        return
    authorization.check_role()  # first: whoever may not ask is told that, and nothing of what the route takes
    if request.method == "POST":
        _check_post()


def _check_host() -> None:
    host, access = request.headers.get("Host", ""), services().access
    if not is_trusted_host(host, access.names if access else ()):
        raise UnknownHost(
            say(
                "The box is not called {name}. Use its address or its name in this network, "
                "or add the name to VANDER_NAMES.",
                name=repr(host_name(host)[:60]),
            )
        )


def _check_origin() -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
    foreign = origin is not None and origin.partition("://")[2].lower() != request.host.lower()
    followed = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"  # a link to the table
    if foreign or (site not in ("same-origin", "none") and not followed):
        raise Refused(say("This request comes from a page that is not the tablet's own."), Reason.NOT_ALLOWED)


def _check_post() -> None:
    takes = endpoint_of(current_app, request.endpoint or "").takes
    if request.mimetype != takes:
        raise OtherMediaType(NOT_TAKEN[takes])
    if MARK_HEADER not in request.headers:
        raise Refused(
            say("A request that changes something needs the header {header}: tablet.", header=MARK_HEADER),
            Reason.NOT_ALLOWED,
        )


def _add_headers(response: Response) -> Response:
    is_file = request.endpoint == "static" and response.status_code < HTTPStatus.BAD_REQUEST
    if is_file:
        response.headers.setdefault("Content-Security-Policy", _FILE_POLICY)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if not is_file:
        response.headers.setdefault("Cache-Control", "no-store")
    return response
