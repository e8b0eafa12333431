"""What a pack for a helper must not hold: passwords, keys, codes, the names of people and of their networks.

What is known to be secret is looked for by its very letters, and what looks like a secret by its form.
"""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from assistant.doctor import keeping
from assistant.door.doorkeeper import BOX_KEY
from assistant.settings import Settings

HUSHED = r"(?:pass(?:word|phrase|wd)?|psk|pwd|secret|token|key|code|cookie|ssid|credential)s?"
"""How a thing is called that nobody else should see."""
TABLETS = "tablets*.json"
"""The door's list of the tablets that have joined in, and those that were set aside."""
PUBLIC = re.compile(r"watcher|player|keeper|Tablet \d+|[\d:.+TZ -]*")
"""Words of that list that are nobody's secret: roles, the names that tablets get by themselves, days."""
SHORTEST_SECRET = 4
SHORTEST_OF_THE_ENVIRONMENT = 8
"""Letters: what is shorter there, such as `true`, is more likely a word than a secret."""
SHORTEST_NAME = 2
PLAIN_USERS = frozenset({"root", "vander", "nobody"})
PLAIN_HOSTS = frozenset({"localhost", "vander", "raspberrypi"})
HIDDEN = "(hidden)"

_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5,7}\b"), "(hardware address)"),
    (re.compile(r"(\w+://)[^\s/@]+@"), rf"\1{HIDDEN}@"),
    (re.compile(r"(/home/|/Users/|[A-Za-z]:\\Users\\)[^\s/\\:'\",;]+"), r"\1(user)"),
    (
        re.compile(
            rf"(\b(?!\w*(?:Error|Exception)\b)[\w-]*{HUSHED}[\w-]*[\"']?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|[^\s,;&]+)",
            re.I,
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(rf"(--[\w-]*{HUSHED}[\w-]*[ =])\S+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"\b((?:Bearer|Basic) )[\w.~+/=-]+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"\b[0-9A-Fa-f]{32,}\b"), HIDDEN),
    (re.compile(r"(?<![\w.])(?:[1-6][ ,-]+){5}[1-6](?![\w.])"), "(six dice)"),
    (re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b"), "(mail address)"),
)
_ADDRESS = re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![\w.:])")


class Discreet:
    """Takes what is nobody's business out of words. `secrets` are taken out by the letter, each for what it stands."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        longest_first = sorted(secrets, key=len, reverse=True)
        self._secrets = [(_whole(secret), f"({secrets[secret]})") for secret in longest_first]

    @classmethod
    def of(cls, settings: Settings) -> Discreet:
        """With what this box knows to be secret."""
        return cls(dict(_known(settings)))

    def text(self, words: str) -> str:
        """The words without it."""
        for secret, instead in self._secrets:
            words = secret.sub(instead, words)
        for form, instead in _FORMS:
            words = form.sub(instead, words)
        return _ADDRESS.sub(_address, words)


def shown(settings: Settings) -> dict[str, object]:
    """The settings as a helper may see them; the words of them still want `Discreet.text`."""
    return {name: _shown(name, getattr(settings, name)) for name in type(settings).model_fields}


def _shown(name: str, value: object) -> object:
    if name == "database":
        return _database(str(value))
    if re.search(HUSHED, name, re.I):
        return HIDDEN
    if name == "names":
        return f"({len([part for part in str(value).split(',') if part.strip()])} names)"
    return value if isinstance(value, bool | int | float) else str(value)


def _database(address: str) -> str:
    """The kind of database, and no more of it."""
    try:
        return f"{make_url(address).drivername}://{HIDDEN}" if address else ""
    except ArgumentError:
        return HIDDEN


def _whole(secret: str) -> re.Pattern[str]:
    """A secret that stands by itself, whatever the case; not where it is a part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(secret)}(?!\w)", re.I)


def _address(found: re.Match[str]) -> str:
    """An address of the home network may stay; one that is known to the world tells whose box it is."""
    try:
        return "(address)" if ip_address(found[0]).is_global else found[0]
    except ValueError:
        return found[0]


def _known(settings: Settings) -> Iterator[tuple[str, str]]:
    """What is secret here, and what to say instead."""
    yield from ((secret, "hidden") for secret in _passwords(settings) if len(secret) >= SHORTEST_SECRET)
    yield from ((secret, "hidden") for secret in _of_the_door(settings.data_dir) if len(secret) >= SHORTEST_SECRET)
    yield from ((name, "player") for name in keeping.players(settings) if len(name) >= SHORTEST_NAME)
    yield from ((name, "user") for name in _users() if name not in PLAIN_USERS and len(name) >= SHORTEST_NAME)
    host = socket.gethostname().split(".")[0]
    if host.lower() not in PLAIN_HOSTS and len(host) >= SHORTEST_NAME:
        yield host, "host"
    yield from ((name.strip(), "host") for name in settings.names.split(",") if len(name.strip()) >= SHORTEST_NAME)


def _passwords(settings: Settings) -> Iterator[str]:
    with suppress(ArgumentError):
        address = make_url(settings.database or "sqlite://")
        yield from (part for part in (address.password, address.username) if part)
        yield from (str(value) for value in address.query.values())
    named = (value for name, value in os.environ.items() if re.search(HUSHED, name, re.I))
    yield from (value for value in named if len(value) >= SHORTEST_OF_THE_ENVIRONMENT)


def _of_the_door(folder: Path) -> Iterator[str]:
    """The box's own key, and all that is kept of the tablets."""
    with suppress(OSError, ValueError):
        yield (folder / BOX_KEY).read_text("ascii").strip()
    for path in folder.glob(TABLETS):
        with suppress(OSError, ValueError):
            words = _words(json.loads(path.read_text("utf-8")))
            yield from (word for word in words if not PUBLIC.fullmatch(word))


def _words(value: Any) -> Iterator[str]:  # noqa: ANN401  # JSON is anything
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (word for inner in value.values() for word in _words(inner))
    elif isinstance(value, list):
        yield from (word for inner in value for word in _words(inner))


def _users() -> set[str]:
    """Who is logged in here, and whose home this is."""
    with suppress(OSError, KeyError, ImportError):
        return {getpass.getuser(), Path.home().name} - {""}
    return set()
