"""The die sets: a TOML file each beside this one. `load("intersection")` gives the referee's own value."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from referee.dice import DieKind, DieSet, Face, FaceName, KindName


class NoSuchDieSet(LookupError):
    """No die set of that name is known; the message lists those that are."""

    def __str__(self) -> str:
        return str(self.args[0])


class DieSetSource(Protocol):
    """The die sets that can be had by their names; this module has those that ship, and is one."""

    def names(self) -> tuple[str, ...]:
        """The names of all die sets."""

    def load(self, name: str) -> DieSet:
        """The die set of that name. Raises NoSuchDieSet."""


def names() -> tuple[str, ...]:
    """The names of all die sets, sorted."""
    found = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def load(name: str) -> DieSet:
    """The die set of that name. Raises NoSuchDieSet."""
    if name not in names():
        raise NoSuchDieSet(f"there is no die set {name!r}; there are {', '.join(names())}")
    text = files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    return parse(tomllib.loads(text))


def parse(table: dict[str, Any]) -> DieSet:
    """A die set from the table of its file."""
    counts = tuple((_kind(row), int(row["count"])) for row in table["kinds"])
    return DieSet(table["name"], table["title"], counts, float(table["edge_mm"]))


def _kind(row: dict[str, Any]) -> DieKind:
    titles: dict[str, str] = row.get("titles", {})
    sides = tuple(Face(FaceName(side), titles.get(side, title(side))) for side in row["sides"])
    return DieKind(KindName(row["name"]), row["title"], sides, tuple(row.get("bodies", ())))


def title(face: str) -> str:
    """What a person calls a face whose file gives it no title: `pip-3` is "3", `green-switch` "Green switch"."""
    prefix, _, rest = face.partition("-")
    return rest if prefix in ("pip", "digit") else face.replace("-", " ").capitalize()
