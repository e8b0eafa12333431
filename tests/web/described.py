"""A browser that holds every answer against the API's own description."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from web.description import describe, path_of

STUMBLED = 500


class DescribedClient(FlaskClient):
    """Fails a test whose request is answered in a way that the description does not hold."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        answer = super().open(*args, **kwargs)
        operation = self._operation(answer)
        if operation is not None and answer.status_code != STUMBLED:
            try:
                self._compare(answer, operation, kwargs.get("json"))
            except AssertionError:
                answer.close()
                raise
        return answer

    def _operation(self, answer: TestResponse) -> dict[str, Any] | None:
        environ = answer.request.environ
        try:
            rule, _ = self.application.url_map.bind("").match(
                environ["PATH_INFO"], method=environ["REQUEST_METHOD"], return_rule=True
            )
        except HTTPException:
            return None
        found: dict[str, Any] = described(self.application)["paths"][path_of(rule)]
        return found.get(environ["REQUEST_METHOD"].lower())

    def _compare(self, answer: TestResponse, operation: dict[str, Any], asked: object) -> None:
        where = f"{answer.request.method} {answer.request.path} {answer.status_code}"
        response = operation["responses"].get(str(answer.status_code))
        assert response is not None, f"{where} is not described"
        content = response.get("content", {})
        assert not content or answer.mimetype in content or "*/*" in content, f"{where} is {answer.mimetype}"
        shape = content.get(answer.mimetype, {}).get("schema")
        if shape:
            self.fits(shape, answer.get_json(), where)
        if answer.status_code < 300 and asked is not None:
            body = operation["requestBody"]["content"]["application/json"]["schema"]
            self.fits(body, asked, f"the request {where}")

    def fits(self, shape: dict[str, Any], value: object, where: str) -> None:
        """Hold a value against a shape of the description."""
        whole = {**shape, "components": described(self.application)["components"]}
        faults = sorted(Draft202012Validator(whole).iter_errors(value), key=str)
        assert not faults, f"{where}: {faults[0].json_path} {faults[0].message}"


def described(app: Flask) -> dict[str, Any]:
    """The description of an application, as it keeps it itself."""
    if "description" not in app.extensions:
        app.extensions["description"] = describe(app)
    found: dict[str, Any] = app.extensions["description"]
    return found
