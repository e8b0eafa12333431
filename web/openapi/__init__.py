"""The API's own description: an OpenAPI 3.1 document of every address that the tablet has.

What an address is for is said by its function's first line; what it takes and answers stands in `addresses` and
`shapes`. So the document is made of what runs, and an address that nobody described is found by the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from importlib.metadata import PackageNotFoundError, version
from inspect import getdoc
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from web.authorization import required_role
from web.openapi.components import ASKED, EXAMPLES, TOLD
from web.openapi.endpoints import ADDRESSES, Told
from web.openapi.json_schema import Shape, asked, named
from web.services.access_protocol import COOKIE

METHODS = ("GET", "POST")
MEANINGS = {
    304: "The browser's own copy is still the right one.",
    400: "The request is malformed.",
    403: "Who asks may not do this, gave a wrong code, or asks from another site's page.",
    404: "There is nothing of that name here.",
    405: "This address does not take that kind of request.",
    409: "Not now: a rule or the moment forbids it.",
    410: "It is no longer kept.",
    413: "The request is larger than it need be.",
    415: "The request is not JSON.",
    421: "The box is not called that.",
    429: "Too many wrong codes were given; the header Retry-After says when to ask again.",
    503: "It cannot be done or kept now; nothing was changed.",
}
_ALWAYS = (403, 421)
_OF_POSTS = (400, 413, 415)
_NAME = {"type": "string", "pattern": r"^[A-Za-z0-9_-]{1,100}$"}
_PARTS: dict[str, Shape] = {
    "name": _NAME,
    "filename": {"type": "string"},
    "number": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
}


def describe(app: Flask) -> dict[str, Any]:
    """The description of an application's addresses, ready for `json.dumps`."""
    paths: dict[str, dict[str, Any]] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in _described(rule):
            paths.setdefault(path_of(rule), {})[method.lower()] = _operation(app, rule, method)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Vander", "summary": "A referee for real dice on a real table.", "version": _version()},
        "paths": paths,
        "components": {
            "schemas": TOLD | {"Choices": ASKED["Choices"], "Description": {"type": "object"}},
            "securitySchemes": {"tablet": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _version() -> str:
    try:
        return version("vander")
    except PackageNotFoundError:
        return "unknown"


def _described(rule: Rule) -> Iterator[str]:
    if rule.endpoint in ADDRESSES:
        yield from (method for method in METHODS if method in (rule.methods or ()))


def path_of(rule: Rule) -> str:
    """The address with what varies in braces."""
    return re.sub(r"<(?:[^:>]*:)?(\w+)>", r"{\1}", rule.rule)


def _operation(app: Flask, rule: Rule, method: str) -> dict[str, Any]:
    found, role = ADDRESSES[rule.endpoint], required_role(app, rule.endpoint)
    operation: dict[str, Any] = {
        "operationId": rule.endpoint.replace(".", "_"),
        "tags": [rule.endpoint.partition(".")[0]],
        "summary": "A file of the pages." if rule.endpoint == "static" else _summary(app, rule),
        "description": f"For a {role.word}.",
        "parameters": [*_path_parts(rule), *_query(found)],
        "responses": _responses(found, method),
    }
    if role.value:
        operation["security"] = [{"tablet": []}]
    if method == "POST":
        operation["parameters"].append(_MARK)
        content = {"schema": ASKED.get(rule.endpoint, asked()), "example": EXAMPLES.get(rule.endpoint, {})}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def _summary(app: Flask, rule: Rule) -> str:
    return (getdoc(app.view_functions[rule.endpoint]) or "").partition("\n")[0]


_MARK = {
    "name": "X-Vander",
    "in": "header",
    "required": True,
    "description": "What it says does not matter; a page of another site cannot send it.",
    "schema": {"type": "string"},
}


def _path_parts(rule: Rule) -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "schema": _PARTS[name]} for name in sorted(rule.arguments)]


def _query(found: Told) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "required": name in found.needs, "schema": shape}
        for name, shape in found.query.items()
    ]


def _responses(found: Told, method: str) -> dict[str, Any]:
    content = {found.media: {"schema": named(found.shape)} if found.shape else {}}
    refusals = sorted({*_ALWAYS, *found.statuses, *(_OF_POSTS if method == "POST" else ())})
    return {"200": {"description": "As asked.", "content": content}} | {
        str(status): _refusal(status, found.media) for status in refusals
    }


def _refusal(status: int, media: str) -> dict[str, Any]:
    if status == HTTPStatus.NOT_MODIFIED:
        return {"description": MEANINGS[status]}
    page = media in ("text/html", "image/jpeg", "*/*")
    content = {"text/html": {}} if page else {"application/json": {"schema": named("Refusal")}}
    return {"description": MEANINGS[status], "content": content}
