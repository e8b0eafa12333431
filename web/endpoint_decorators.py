"""What a route takes and answers: `@json_endpoint` and `@media_endpoint` stand next to it.

The declaration parses the request, encodes the answer, and describes both in the OpenAPI document.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, TypeVar, get_type_hints

from flask import Flask, Response, request
from flask.typing import ResponseReturnValue

from referee.sentences import Reason
from web.languages import language, translations
from web.schemas.response_model import EmptyRequest, RequestModel, encode, parse, parse_body

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
    response: type[Answer], *refusals: Reason, takes: str = JSON
) -> Callable[[Callable[..., Answer | Response]], Callable[..., ResponseReturnValue]]:
    """Decorate a view that answers JSON: a value of `response`, or a Response that holds one already encoded.

    A parameter `body` gets the request's JSON object, a parameter `query` what stands behind the `?`.
    """

    def declare(view: Callable[..., Answer | Response]) -> Callable[..., ResponseReturnValue]:
        @wraps(view)
        def answer(**arguments: object) -> Response:
            found = view(**arguments)
            return found if isinstance(found, Response) else json_response(found)

        return _declare(answer, Endpoint(response, JSON, refusals, takes=takes))

    return declare


def media_endpoint(
    media_type: str, *refusals: Reason, cached: bool = False, may_be_empty: bool = False
) -> Callable[[Callable[..., ResponseReturnValue]], Callable[..., ResponseReturnValue]]:
    """Decorate a view that answers a page, a picture or another file."""
    return lambda view: _declare(view, Endpoint(None, media_type, refusals, cached=cached, may_be_empty=may_be_empty))


def _declare(view: Callable[..., ResponseReturnValue], endpoint: Endpoint) -> Callable[..., ResponseReturnValue]:
    """Return the view with its parameters `body` and `query` parsed, and with its endpoint attached."""
    hints = get_type_hints(view)
    body, query = hints.get("body", EmptyRequest), hints.get("query", EmptyRequest)

    @wraps(view)
    def parsed(**path: object) -> ResponseReturnValue:
        found: dict[str, object] = {}
        if request.method == "POST" and endpoint.takes == JSON:
            found["body"] = parse_body(body, request.get_data())
        if "query" in hints:
            found["query"] = parse(query, request.args.to_dict())
        return view(**path, **{name: value for name, value in found.items() if name in hints})

    vars(parsed)["endpoint"] = replace(endpoint, body=body, query=query)
    return parsed


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


def attached(content: str | Iterable[bytes], media_type: str, name: str) -> Response:
    """Return a file to be saved."""
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
