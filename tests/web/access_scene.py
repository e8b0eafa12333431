"""Callers of each role, for the tests of who may do what."""

from __future__ import annotations

from typing import Any

from browsers import tablet
from flask import Flask

from vander.access import PairingService

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}


class PowerSwitch:
    """The box's power, as far as it can be switched off."""

    def __init__(self) -> None:
        self.off, self.broken = 0, ""

    def __call__(self) -> None:
        if self.broken:
            raise OSError(self.broken)
        self.off += 1


def from_elsewhere(app: Flask) -> Any:
    """A browser on another machine in the network."""
    client = tablet(app)
    client.environ_base.update(ELSEWHERE)
    return client


def join(client: Any, pairing: PairingService, name: str = "") -> Any:
    """Join in with the code that the box shows."""
    client.post("/api/door/ask", json={})
    answer = client.post("/api/door/pair", json={"code": list(pairing.code() or ()), "name": name})
    assert answer.status_code == 200, answer.text
    return answer


def routes(app: Flask) -> list[tuple[str, str, str]]:
    """Every address with its method and its endpoint, with something in the place of what varies."""
    found = []
    for rule in app.url_map.iter_rules():
        values = {name: 1 if name == "number" else "d6" for name in rule.arguments}
        _, address = rule.build(values) or ("", "")
        found += [
            (method, address, rule.endpoint) for method in sorted(rule.methods or ()) if method in ("GET", "POST")
        ]
    return sorted(found)
