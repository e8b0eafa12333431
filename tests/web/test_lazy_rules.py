from __future__ import annotations

import pytest
from flask import Flask
from stub_game import StubGame
from werkzeug.routing import Map, Rule

from vander.app.backends import Backends
from vander.app.web_app import LazyRule, create_app
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_server import create_hall_app


def built(rules: list[Rule], *, further: bool) -> dict[str, str]:
    """Build one address of each rule, if wanted with a value that the rule does not name."""
    addresses = Map(rules).bind("dice.example")
    return {
        f"{rule.endpoint} {rule.rule}": addresses.build(
            rule.endpoint,
            {name: 7 if "int" in type(rule._converters[name]).__name__.lower() else "a b" for name in rule.arguments}
            | ({"further": "ä&b"} if further else {}),
        )
        for rule in rules
    }


@pytest.mark.parametrize("further", [False, True])
@pytest.mark.parametrize("kind", ["table", "hall"])
def test_each_address_is_built_as_werkzeug_builds_it(kind: str, further: bool) -> None:
    app = create_app(Backends(StubGame())) if kind == "table" else create_hall_app(HallBackends())
    ours = list(app.url_map.iter_rules())
    theirs = [Rule(rule.rule, endpoint=rule.endpoint, methods=rule.methods) for rule in ours]
    assert len(ours) > 50
    assert all(isinstance(rule, LazyRule) for rule in ours)
    assert built([rule.empty() for rule in ours], further=further) == built(theirs, further=further)


def test_nothing_is_compiled_before_an_address_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_builder = Rule._compile_builder

    def note(rule: Rule, append_unknown: bool = True) -> object:
        compiled.append(rule.rule)
        return compile_builder(rule, append_unknown)

    monkeypatch.setattr(Rule, "_compile_builder", note)
    app: Flask = create_app(Backends(StubGame()))
    assert compiled == []
    with app.test_request_context():
        first, second = app.url_for("pages.table"), app.url_for("pages.table")
    assert (first, second, compiled) == ("/", "/", ["/"])
