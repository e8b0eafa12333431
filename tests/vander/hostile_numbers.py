"""Asks every address of an application, as its own description names them, with numbers that nobody has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient

from web.openapi import describe

HEADERS = {"X-Vander": "tablet", "Host": "localhost"}
LEFT_OUT = ("/api/box/power-off", "/api/live", "/api/cameras/address")
"""An address that shuts the machine down, one that never ends, and one that looks for a camera at each address."""
UNAVAILABLE = ("/api/odds", "/api/hall-link/join")
"""Addresses that may say that something is not to be had now: chances, and a hall at such an address."""
IN_ADDRESS = ("0", "-1", "1e3", "NaN", "1.5", "0x1", "1_0", "\u0663", "\u00b2", str(2**31), str(10**20), "9" * 5000)
IN_BODY = (
    "0", "-1", "1.5", '"1e3"', "1e3", "NaN", "-Infinity", "1e400", str(2**31), str(2**63), str(10**20), "9" * 4000,
    "9" * 5000, '"\u0663"', '"\\ud800"', "[]", "{}", "null", "true", f"[{10**20}]", f'{{"x": {10**20}}}',
)  # fmt: skip
_HERE = '"here"'

Request = tuple[str, str, str]
"""Method, address and body."""


def faults(app: Flask, client: FlaskClient, hidden: str) -> list[str]:
    """Return which requests fail, tell what is `hidden` or how the program failed, or are taken by such an address."""
    return [fault for request in requests(describe(app)) for fault in _faults(client, request, hidden)]


def _faults(client: FlaskClient, request: Request, hidden: str) -> Iterator[str]:
    method, address, body = request
    with client.open(address, method=method, headers=HEADERS, data=body, content_type="application/json") as answer:
        text = "" if answer.is_streamed else answer.get_data().decode(errors="replace")
    where = f"{answer.status_code} {method} {address[:100]} {body[:100]}: {text[:100]}"
    is_away = answer.status_code == 503 and address.partition("?")[0] in UNAVAILABLE
    if (answer.status_code >= 500 and not is_away) or hidden in text or "Traceback" in text:
        yield where
    elif method == "GET" and address.startswith("/api/") and "?" not in address and answer.status_code == 200:
        yield f"taken: {where}"


def requests(description: Mapping[str, Any]) -> Iterator[Request]:
    """Yield each address with each hostile number in each place of it, of its query and of its body."""
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            if path not in LEFT_OUT:
                yield from _of_operation(path, method.upper(), operation, description["components"]["schemas"])


def _of_operation(
    path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Iterator[Request]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    good = content.get("example", {})
    plain, written = re.sub(r"\{\w+\}", "1", path), json.dumps(good) if content else ""
    for part in operation["parameters"]:
        for number in map(quote, IN_ADDRESS):
            if part["in"] == "query":
                yield method, f"{plain}?{part['name']}={number}", written
            elif part["in"] == "path" and part["schema"]["type"] == "integer":
                changed = path.replace(f"{{{part['name']}}}", number)
                yield method, re.sub(r"\{\w+\}", "1", changed), written
    if content:
        names = schemas[content["schema"]["$ref"].rpartition("/")[2]].get("properties", {})
        for body in (_HERE, *_with_a_gap(dict.fromkeys(names, 1) | good)):
            yield from ((method, plain, body.replace(_HERE, number)) for number in IN_BODY)


def _with_a_gap(good: Any) -> Iterator[str]:
    """Yield a JSON value once for each value in it, with "here" in its place."""
    if isinstance(good, list):
        places: Iterator[tuple[int | str, Any]] = iter(enumerate(good[:2]))
    else:
        places = iter(good.items() if isinstance(good, dict) else ())
    for place, inner in places:
        for text in (_HERE, *_with_a_gap(inner)):
            whole = list(good) if isinstance(good, list) else dict(good)
            whole[place] = json.loads(text)
            yield json.dumps(whole)
