"""The OpenAPI 3.1 document of the API, made from the routes: their endpoints, roles, docstrings and models.

Every route of the application is in it; one without an endpoint fails the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from inspect import getdoc
from typing import Any

from flask import Flask
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema
from werkzeug.routing import Rule

from web import endpoints
from web.authorization import required_role
from web.schemas.access_schemas import COOKIE
from web.schemas.learning_schemas import NAME_PATTERN
from web.schemas.response_model import RefusalResponse, RequestModel, adapter

METHODS = ("GET", "POST")
_REFERENCE = "#/components/schemas/{model}"
_PATH_SCHEMAS: dict[str, JsonSchemaValue] = {
    "paper": {"type": "string"},
    "voice": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
    "language": {"type": "string", "pattern": "^[a-z]{2,3}$"},
    **{name: {"type": "string", "pattern": NAME_PATTERN} for name in ("name", "die_set", "kind", "face", "die")},
    "filename": {"type": "string"},
    **{name: {"type": "string"} for name in ("link", "key")},
    **{name: {"type": "integer", "minimum": 0, "maximum": 999_999_999} for name in ("number", "game")},
}
_MARK_PARAMETER = {
    "name": endpoints.MARK_HEADER,
    "in": "header",
    "required": True,
    "description": "Its value does not matter; a page of another site cannot send it.",
    "schema": {"type": "string"},
}


def describe(app: Flask) -> dict[str, Any]:
    """Return the document of an application's routes, ready for `json.dumps`."""
    routes = list(_routes(app))
    schemas = Components(route.endpoint for route in routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(path_of(route.rule), {})[route.method.lower()] = _operation(app, route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Vander", "summary": "A referee for real dice on a real table.", "version": _version()},
        "paths": paths,
        "components": {
            "schemas": schemas.definitions,
            "securitySchemes": {"tablet": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def path_of(rule: Rule) -> str:
    """Return an address with its variable parts in braces."""
    return re.sub(r"<(?:[^:>]*:)?(\w+)>", r"{\1}", rule.rule)


@dataclass(frozen=True)
class Route:
    """An address with one of its methods."""

    rule: Rule
    method: str
    endpoint: endpoints.Endpoint


def _routes(app: Flask) -> Iterable[Route]:
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in METHODS:
            if method in (rule.methods or ()):
                yield Route(rule, method, endpoints.endpoint_of(app, rule.endpoint))


class Components:
    """The JSON Schemas of all models that some endpoints use: `definitions` by name, and references to them."""

    def __init__(self, found: Iterable[endpoints.Endpoint]) -> None:
        wanted: dict[tuple[type, JsonSchemaMode], TypeAdapter[Any]] = {}
        for endpoint in found:
            wanted[endpoint.body, "validation"] = TypeAdapter(endpoint.body)
            response = endpoint.response or RefusalResponse
            wanted[response, "serialization"] = adapter(response)
        self._found, defined = TypeAdapter.json_schemas(
            [(model, mode, serializer) for (model, mode), serializer in wanted.items()],
            ref_template=_REFERENCE,
            schema_generator=_PlainJsonSchema,
        )
        self.definitions: dict[str, JsonSchemaValue] = defined["$defs"]

    def response(self, model: type) -> JsonSchemaValue:
        return self._found[model, "serialization"]

    def request(self, model: type[RequestModel]) -> JsonSchemaValue:
        return self._found[model, "validation"]


class _PlainJsonSchema(GenerateJsonSchema):
    """Pydantic's JSON Schema without titles, and without the defaults of answers, which always have every field."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401 - pydantic's own signature
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ANN401 - pydantic's own signature
        return self.mode == "serialization" or super().field_is_required(field, total)

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if self.mode == "serialization":
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def _operation(app: Flask, route: Route, schemas: Components) -> dict[str, Any]:
    name, endpoint, role = route.rule.endpoint, route.endpoint, required_role(app, route.rule.endpoint)
    operation: dict[str, Any] = {
        "operationId": name.replace(".", "_"),
        "tags": [name.partition(".")[0]],
        "summary": (getdoc(app.view_functions[name]) or "").partition("\n")[0],
        "description": f"For a {role.word}.",
        "parameters": [*_path_parameters(route.rule), *_query_parameters(endpoint.query)],
        "responses": _responses(route, schemas),
    }
    if role.value:
        operation["security"] = [{"tablet": []}]
    if route.method == "POST":
        operation["parameters"].append(_MARK_PARAMETER)
        operation["requestBody"] = {"required": True, "content": {endpoint.takes: _content(endpoint, schemas)}}
    return operation


def _content(endpoint: endpoints.Endpoint, schemas: Components) -> dict[str, Any]:
    if endpoint.takes != endpoints.JSON:
        return {}
    return {"schema": schemas.request(endpoint.body), "example": dict(endpoint.body.example)}


def _path_parameters(rule: Rule) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _PATH_SCHEMAS[name]} for name in sorted(rule.arguments)
    ]


def _query_parameters(query: type[BaseModel]) -> list[dict[str, Any]]:
    schema = query.model_json_schema(schema_generator=_PlainJsonSchema)
    return [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": part}
        for name, part in schema.get("properties", {}).items()
    ]


def _responses(route: Route, schemas: Components) -> dict[str, Any]:
    endpoint = route.endpoint
    schema = {"schema": schemas.response(endpoint.response)} if endpoint.response else {}
    statuses = {*endpoints.OF_ANY_REQUEST, *(endpoints.STATUSES[reason] for reason in endpoint.refusals)}
    statuses |= set(endpoints.OF_ANY_POST) if route.method == "POST" else set()
    answers: dict[str, Any] = {"200": {"description": "As asked.", "content": {endpoint.media_type: schema}}}
    if endpoint.cached:
        answers[str(endpoints.UNCHANGED.value)] = {"description": endpoints.MEANINGS[endpoints.UNCHANGED]}
    if endpoint.may_be_empty:
        answers[str(endpoints.NO_PICTURE.value)] = {"description": endpoints.MEANINGS[endpoints.NO_PICTURE]}
    for status in sorted(statuses):
        answers[str(status.value)] = {"description": endpoints.MEANINGS[status], "content": _refusal(endpoint, schemas)}
    return answers


def _refusal(endpoint: endpoints.Endpoint, schemas: Components) -> dict[str, Any]:
    if endpoint.media_type in (
        endpoints.CERTIFICATE,
        endpoints.HTML,
        endpoints.JPEG,
        endpoints.MANIFEST,
        endpoints.PDF,
        endpoints.SCRIPT,
        endpoints.SVG,
        endpoints.ANY_MEDIA,
    ):
        return {endpoints.HTML: {}}
    return {endpoints.JSON: {"schema": schemas.response(RefusalResponse)}}


def _version() -> str:
    try:
        return version("vander")
    except PackageNotFoundError:
        return "unknown"
