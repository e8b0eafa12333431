"""The API's own description: every address is in it and nothing else, and what is answered is what it says.

Every browser of these tests holds what it is answered against the description, too.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from access_scene import routes
from browsers import tablet
from checked_client import fits
from flask import Flask
from jsonschema import Draft202012Validator
from stub_game import StubGame
from test_game_routes import GOOD
from test_learning_routes import GOOD as TAUGHT

from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.openapi import METHODS, describe


def refs(value: object) -> set[str]:
    """All shapes that a part of the description names."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(refs, value.values()))
    return set().union(*map(refs, value)) if isinstance(value, list) else set()


def test_every_address_is_described_and_nothing_else(app: Flask) -> None:
    there = {(rule.endpoint, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    paths = describe(app)["paths"].values()
    told = {(each["operationId"], method.upper()) for path in paths for method, each in path.items()}
    assert told == {(name.replace(".", "_"), method) for name, method in there if method in METHODS}
    assert {method for _, method in there} == {*METHODS, "HEAD", "OPTIONS"}


def test_the_description_is_sound(app: Flask) -> None:
    found = describe(app)
    for shape in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)
    names = {f"#/components/schemas/{name}" for name in found["components"]["schemas"]}
    assert refs(found["paths"]) <= names
    assert refs(found["paths"]) | refs(found["components"]) == names
    for path, operations in found["paths"].items():
        for operation in operations.values():
            assert operation["summary"].endswith((".", ":")), path
            assert {"200", "403", "421"} <= operation["responses"].keys()
            parts = {part["name"] for part in operation["parameters"] if part["in"] == "path"}
            assert parts == {word.partition("}")[0] for word in path.split("{")[1:]}


@pytest.mark.slow
def test_the_description_is_served_to_anybody(watcher: Any, app: Flask) -> None:
    assert watcher.get("/api/description.json").get_json() == json.loads(json.dumps(describe(app)))


def test_all_that_can_be_read_is_answered_as_described(app: Flask, keeper: Any) -> None:
    good = 0
    for method, address, _ in routes(app):
        if method == "GET" and address != "/api/live":
            with keeper.get(address) as answer:
                good += answer.status_code == 200
    assert good > 15


def test_all_that_can_be_asked_is_answered_as_described(client: Any) -> None:
    for address, body in {**GOOD, **TAUGHT}.items():
        assert client.post("/api/teaching/sit", json={"dice": "moon"}).status_code == 200
        if address.endswith("/drop"):
            continue  # it drops what all others are about
        assert client.post(address, json=body).status_code == 200, address
    client.post("/api/teaching/rise", json={})
    assert client.post("/api/teaching/dice/moon/drop", json={}).status_code == 200


def test_every_example_is_as_described(app: Flask) -> None:
    found = describe(app)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            if method == "post":
                content = operation["requestBody"]["content"].get("application/json")
                if content is None:  # a picture or a recording
                    assert next(iter(operation["requestBody"]["content"])) in {"image/jpeg", "audio/wav"}, path
                    continue
                fits(content["schema"], content["example"], path)
                needs_nothing = not found["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]].get(
                    "required"
                )
                assert content["example"] or needs_nothing, path


def test_an_answer_that_is_not_as_described_is_found(game_stub: StubGame) -> None:
    odd = create_app(Backends(game_stub))
    odd.view_functions["game.snapshot"] = lambda: {"number": "three"}
    with pytest.raises(AssertionError, match="required"):
        tablet(odd).get("/api/snapshot")
