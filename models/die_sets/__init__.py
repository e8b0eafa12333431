"""The die sets that ship: a TOML file each in this folder. `load("intersection")` returns the referee's DieSet."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import tomli_w

from models import atomic_files
from models.atomic_files import is_plain
from referee.dice import DieKind, DieSet, Face, FaceName, KindName, counted_templates, without_die
from referee.sentences import message_of, say


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


# The catalog: die sets that ship, and those that were made at a table


LONGEST_OF_ALL = 40
"""Letters of a die set's name, which is as much as the journal holds."""
LONGEST = 36
"""Letters of a name that is made from a title, so that a number can follow it."""
RESERVED = ("queue",)
"""Names that the web pages use in their addresses."""
MOST_FACES = 20
MOST_KINDS = 8
MOST_DICE = 20
"""Dice of one kind."""
EDGES_MM, USUAL_EDGE_MM = (5.0, 60.0), 16.0
"""The smallest and the largest edge of a die, and that of dice made here until they tell their own in the tray."""


class BadDieSet(ValueError):
    """An impossible die set, or a file of one that cannot be read; the message is one sentence."""


class DieSetCatalog:
    """The die sets by name. Those that people made are files in a folder, in the format of those that ship.

    Raises BadDieSet where a file there cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = {path.stem: _read(path) for path in sorted(folder.glob("*.toml"))}

    @property
    def own(self) -> tuple[str, ...]:
        """The names of the sets that people made."""
        return tuple(self._own)

    def names(self) -> tuple[str, ...]:
        """Return the names of all sets: those that ship, then those that people made."""
        return (*names(), *self._own)

    def load(self, name: str) -> DieSet:
        """Return the set of that name. Raises NoSuchDieSet."""
        if name in self._own:
            return self._own[name]
        if name in names():
            return load(name)
        raise NoSuchDieSet(
            say("there is no die set {name}; there are {known}", name=repr(name), known=", ".join(self.names()))
        )

    def free_name(self, title: str) -> str:
        """Return a name for a new set of that title, which no other set has."""
        name, taken = slug(title) or "dice", (*self.names(), *RESERVED)
        others = (f"{name}-{n}" for n in range(2, 1000))
        return name if name not in taken else next(other for other in others if other not in taken)

    def save(self, dice: DieSet) -> None:
        """Save a set that people made, in place of the one of its name. Raises BadDieSet and SaveFailed."""
        if dice.name in names():
            raise BadDieSet(say("the die set {name} comes with Vander and stays as it is", name=repr(dice.name)))
        check_die_set(dice)
        with atomic_files.saving(say("the die set {dice}", dice=dice.title)):
            self._folder.mkdir(parents=True, exist_ok=True)
            atomic_files.write_atomically(self._folder / f"{dice.name}.toml", tomli_w.dumps(_table(dice)).encode())
        self._own[dice.name] = dice

    def delete(self, name: str) -> None:
        """Delete a set that people made. Raises NoSuchDieSet."""
        if name not in self._own:
            raise NoSuchDieSet(say("there is no die set {name} that was made here", name=repr(name)))
        atomic_files.remove(self._folder / f"{name}.toml")
        del self._own[name]


def build_die_set(name: str, title: str, kinds: Iterable[tuple[str, int, Iterable[str]]]) -> DieSet:
    """Return a die set from titles: for each kind (title, count, titles of the faces). Raises BadDieSet."""
    title = _clean_title(title)
    rows = [(_clean_title(kind), count, [_clean_title(face) for face in faces]) for kind, count, faces in kinds]
    if not title or not 1 <= len(rows) <= MOST_KINDS:
        raise BadDieSet(say("a die set needs a name and 1 to {most} kinds of dice", most=MOST_KINDS))
    impossible = next((count for _, count, _ in rows if not 1 <= count <= MOST_DICE), None)
    if impossible is not None:
        raise BadDieSet(
            say("there cannot be {count} dice of a kind; there can be 1 to {most}", count=impossible, most=MOST_DICE)
        )
    names = _named([kind for kind, _, _ in rows], say("a kind of dice"))
    counts = tuple((_new_kind(KindName(n), *row[::2]), row[1]) for n, row in zip(names, rows, strict=True))
    return DieSet(name, title, counts, USUAL_EDGE_MM)


def _clean_title(title: str) -> str:
    """Return a title with single blanks. Raises BadDieSet where it holds control characters."""
    words = " ".join(title.split())
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in words):
        raise BadDieSet(say("{words} cannot be a name, since it has signs that cannot be written", words=ascii(words)))
    return words


def _new_kind(name: KindName, title: str, titles: list[str]) -> DieKind:
    if not 1 <= len(titles) <= MOST_FACES:
        raise BadDieSet(
            say(
                "the kind {title} has {count} faces; 1 to {most} can be taught",
                title=repr(title),
                count=len(titles),
                most=MOST_FACES,
            )
        )
    called = [face or f"Face {n}" for n, face in enumerate(titles, 1)]
    names = _named(called, say("a face of {kind}", kind=title))
    return DieKind(name, title, tuple(Face(FaceName(n), t) for n, t in zip(names, called, strict=True)))


def _named(titles: list[str], what: str) -> list[str]:
    """Return a name for each title, with a number where two titles would have the same name. Raises BadDieSet."""
    twice = next((title for n, title in enumerate(titles) if title.casefold() in map(str.casefold, titles[:n])), None)
    if twice is not None:
        raise BadDieSet(
            say("{name} is the name of {what} twice; give each a name of its own", name=repr(twice), what=what)
        )
    names: list[str] = []
    for n, title in enumerate(titles, 1):
        name = f"digit-{title}"[:LONGEST] if title.isascii() and title.isdigit() else slug(title) or f"face-{n}"
        others = (f"{name[: LONGEST - 4]}-{m}" for m in range(n, 1000))
        names.append(name if name not in names else next(other for other in others if other not in names))
    return names


def check_die_set(dice: DieSet) -> None:
    """Raise BadDieSet where a set cannot be saved and played with."""
    check_name(dice.name)
    try:
        _check(dice)
    except ValueError as error:
        raise BadDieSet(
            say("the dice {name} cannot be kept: {cause}", name=dice.name, cause=message_of(error))
        ) from None


def check_name(name: str) -> None:
    """Raise BadDieSet where a set that people make cannot have that name."""
    if not is_plain(name) or len(name) > LONGEST_OF_ALL or name in RESERVED:
        raise BadDieSet(
            say(
                "{name} cannot be the name of dice: it is 1 to {most} small letters, digits and hyphens, "
                "and not {known}",
                name=ascii(name),
                most=LONGEST_OF_ALL,
                known=" or ".join(RESERVED),
            )
        )


def slug(title: str) -> str:
    """Return a title as a name of small letters, digits and hyphens, or '' where none remains."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-")
    return name if is_plain(name) else ""


def _read(path: Path) -> DieSet:
    try:
        dice = parse(tomllib.loads(path.read_text("utf-8")))
        _check(dice)
        check_name(dice.name)
    except (OSError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadDieSet(
            say(
                "the die set {path} cannot be read ({cause}); mend it, or move it away",
                path=path,
                cause=message_of(error),
            )
        ) from error
    if dice.name != path.stem:
        raise BadDieSet(
            say("the die set {path} calls itself {name}; the file must have its name", path=path, name=repr(dice.name))
        )
    return dice


def _check(dice: DieSet) -> None:
    """Raise ValueError where a set that somebody wrote by hand cannot be played with."""
    sides = [side for kind in dice.kinds for side in kind.sides]
    used, titles = [[getattr(one, what) for one in (dice, *dice.kinds, *sides)] for what in ("name", "title")]
    wrong = [name for name in (*used, *titles) if not isinstance(name, str)]
    wrong += [name for name in used if name not in wrong and not is_plain(name)]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is no name")
    if not dice.kinds or len({kind.name for kind in dice.kinds}) < len(dice.kinds):
        raise ValueError("it needs kinds of dice, each with a name of its own")
    if len(dice.kinds) > MOST_KINDS:
        raise ValueError(f"it has {len(dice.kinds)} kinds of dice; there can be {MOST_KINDS}")
    rich = next((kind for kind in dice.kinds if len(kind.faces) > MOST_FACES), None)
    if rich is not None:
        raise ValueError(f"the kind {rich.name!r} has {len(rich.faces)} faces; 1 to {MOST_FACES} can be taught")
    if not all(kind.sides and 1 <= count <= MOST_DICE for kind, count in dice.counts):
        raise ValueError(f"each kind needs sides and a count of 1 to {MOST_DICE}")
    if not EDGES_MM[0] <= dice.edge_mm <= EDGES_MM[1]:
        raise ValueError(f"edge_mm is {dice.edge_mm:g}")
    if dice.name in names():
        raise ValueError("a set of that name comes with Vander")


def _table(dice: DieSet) -> dict[str, object]:
    """Return a die set as the table of its file; `parse` reads it."""
    kinds = [_kind_table(kind, count) for kind, count in dice.counts]
    return {"name": dice.name, "title": dice.title, "edge_mm": float(dice.edge_mm), "kinds": kinds}


def _kind_table(kind: DieKind, count: int) -> dict[str, object]:
    table: dict[str, object] = {
        "name": kind.name,
        "title": kind.title,
        "count": count,
        "sides": [side.name for side in kind.sides],
        "titles": {face: kind.title_of(face) for face in kind.faces},
    }
    return table | ({"bodies": list(kind.bodies)} if kind.bodies else {})


# The titles in the files of the die sets that ship, for `make messages`: pyproject.toml names the files


UNKNOWN_LINE = 1
"""TOML as it is read here does not say on which line a value stands."""

Found = tuple[int, str, str | tuple[str, str], list[str]]
"""What Babel wants of a message: its line, the function around it, the message or its two forms, and comments."""


def extract_titles(file: BinaryIO, *_asked: object, **_options: object) -> Iterator[Found]:
    """Yield the titles of a die set, its kinds and its faces, and the words that count a kind's dice."""
    dice = parse(tomllib.load(file))
    yield from ((UNKNOWN_LINE, "say", title, []) for title in _titles(dice) if any(map(str.isalpha, title)))
    kinds = (without_die(kind.title) for kind in dice.kinds)
    yield from ((UNKNOWN_LINE, "say_count", counted_templates(kind), []) for kind in kinds if kind)


def _titles(dice: DieSet) -> Iterator[str]:
    yield dice.title
    for kind in dice.kinds:
        yield kind.title
        yield from (side.title for side in kind.sides)
