"""A browser that holds every answer against the API's own description."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from stub_game import StubGame
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.openapi import describe, path_of

STUMBLED = 500


class CheckedClient(FlaskClient):
    """Fails a test whose request is answered in a way that the description does not hold."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        answer = super().open(*args, **kwargs)
        operation = self._operation(answer)
        if operation is not None and answer.status_code != STUMBLED:
            try:
                compare(answer, operation, kwargs.get("json"))
            except AssertionError:
                answer.close()
                raise
        return answer

    def _operation(self, answer: TestResponse) -> dict[str, Any] | None:
        environ = answer.request.environ
        address, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        try:
            rule, _ = self.application.url_map.bind("").match(address, method=method, return_rule=True)
        except HTTPException:
            return None
        found: dict[str, Any] = description()["paths"][path_of(rule)]
        return found.get(method.lower())


def compare(answer: TestResponse, operation: dict[str, Any], asked: object) -> None:
    """Hold an answer, and the request where it was taken, against what is described."""
    where = f"{answer.request.method} {answer.request.path} {answer.status_code}"
    response = operation["responses"].get(str(answer.status_code))
    assert response is not None, f"{where} is not described"
    content = response.get("content", {})
    assert not content or answer.mimetype in content or "*/*" in content, f"{where} is {answer.mimetype}"
    shape = content.get(answer.mimetype, {}).get("schema")
    if shape:
        fits(shape, answer.get_json(), where)
    if answer.status_code < 300 and asked is not None:
        fits(operation["requestBody"]["content"]["application/json"]["schema"], asked, f"the request {where}")


def fits(shape: dict[str, Any], value: object, where: str) -> None:
    """Hold a value against a shape of the description."""
    faults = sorted(validator(json.dumps(shape)).iter_errors(value), key=str)
    assert not faults, f"{where}: {faults[0].json_path} {faults[0].message}"


@cache
def description() -> dict[str, Any]:
    """The description of a table; all tables have the same addresses."""
    return describe(create_app(Backends(StubGame())))


@cache
def components() -> Registry[Any]:
    """The named shapes, where `validator` looks them up."""
    told = json.dumps({"components": description()["components"]}).replace('"#/', '"urn:vander#/')
    return Registry().with_resource("urn:vander", DRAFT202012.create_resource(json.loads(told)))


@cache
def validator(shape: str) -> Draft202012Validator:
    """Holds values against a shape, given as JSON."""
    return Draft202012Validator(json.loads(shape.replace('"#/', '"urn:vander#/')), registry=components())
