"""The die sets that ship: a TOML file each in this folder. `load("intersection")` returns the referee's DieSet."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from referee.sentences import say


class NoSuchDieSet(LookupError):
    """No die set of that name is known; the message lists those that are."""

    def __str__(self) -> str:
        return str(self.args[0])


class DieSetSource(Protocol):
    """Die sets by name. This module is one, with the sets that ship."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all die sets."""

    def load(self, name: str) -> DieSet:
        """Return the die set of that name. Raises NoSuchDieSet."""


def names() -> tuple[str, ...]:
    """Return the names of all die sets, sorted."""
    found = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def load(name: str) -> DieSet:
    """Return the die set of that name. Raises NoSuchDieSet."""
    if name not in names():
        raise NoSuchDieSet(
            say("there is no die set {name}; there are {known}", name=repr(name), known=", ".join(names()))
        )
    text = files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    return parse(tomllib.loads(text), titled=say)


def parse(table: dict[str, Any], titled: Callable[[str], str] = lambda title: title) -> DieSet:
    """Return a die set from the table of its file; `titled` makes its titles. Raises KeyError, TypeError, ValueError.

    Titles of the sets that ship can be said in other languages; those that people gave their own dice are as they are.
    """
    counts = tuple((_kind(row, titled), int(row["count"])) for row in table["kinds"])
    return DieSet(table["name"], titled(table["title"]), counts, float(table["edge_mm"]))


def _kind(row: dict[str, Any], titled: Callable[[str], str]) -> DieKind:
    titles: dict[str, str] = row.get("titles", {})
    sides = tuple(Face(FaceName(side), titled(titles.get(side, title(side)))) for side in row["sides"])
    return DieKind(KindName(row["name"]), titled(row["title"]), sides, tuple(row.get("bodies", ())))


def title(face: str) -> str:
    """Return the title of a face whose file gives it none: `pip-3` is "3", `green-switch` "Green switch"."""
    prefix, _, rest = face.partition("-")
    return rest if prefix in ("pip", "digit") else face.replace("-", " ").capitalize()
