"""What was shown is held against the journal: everything that a page ever saw must be a moment of the journal."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models import die_sets
from referee.game import begin
from referee.games import named
from referee.journal import Deed, Entry, JournalReader
from referee.snapshot import Snapshot
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.table.match import Match
from web.schemas.response_model import encode
from web.schemas.snapshot_response import snapshot_response

Moment = str
"""What a snapshot says of the game: who plays what, where it stands, the last actions in words."""
JPEG = (b"\xff\xd8", b"\xff\xd9")


def moment(shown: Mapping[str, Any]) -> Moment:
    """The moment that a snapshot shows. What comes of the dice on the tray is left out: they lie anew later."""
    state = {name: value for name, value in (shown["state"] or {}).items() if name != "lots"}
    return json.dumps([shown["game"], state, shown["last"]], sort_keys=True)


NOTHING = moment({"game": None, "state": None, "last": []})
"""No game is on."""


@dataclass(frozen=True)
class Kept:
    """What lies on disk: the games with their entries, in their order, and the evidence's pictures."""

    games: tuple[tuple[KeptGame, tuple[Entry, ...]], ...]
    pictures: frozenset[str]

    @property
    def entries(self) -> list[tuple[int, int]]:
        """Each entry by its game's number and its own."""
        return [(game.number, entry.number) for game, entries in self.games for entry in entries]

    @property
    def going_on(self) -> KeptGame | None:
        """The game that goes on, None without one."""
        return next((game for game, _ in reversed(self.games) if game.ended_at is None), None)

    def breaches(self) -> set[str]:
        """The sentences of the breaches that were recorded."""
        return {entry.note for _, entries in self.games for entry in entries if entry.deed is Deed.BREACH}

    def named_pictures(self) -> set[str]:
        """The pictures that entries name."""
        return {entry.evidence for _, entries in self.games for entry in entries if entry.evidence}


def kept(folder: Path) -> Kept:
    """What lies on disk in a data folder, looked at in a copy. Raises AssertionError when the database is damaged."""
    with tempfile.TemporaryDirectory() as there:
        for path in folder.glob("journal.sqlite*"):
            shutil.copy(path, there)
        database = Path(there) / "journal.sqlite"
        if not database.exists():  # killed before there was any
            return Kept((), frozenset())
        _check(database)
        return _read(f"sqlite:///{database}", folder)


def lying(folder: Path) -> Kept:
    """What lies on disk in a data folder that is in use."""
    return _read(f"sqlite:///file:{folder / 'journal.sqlite'}?mode=ro&uri=true", folder)


def _read(address: str, folder: Path) -> Kept:
    with closing(Journal(address)) as journal:
        games = tuple((game, journal.entries(game.number)) for game in journal.games())
    return Kept(games, frozenset(path.stem for path in (folder / "evidence").glob("*.jpg")))


def _check(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        stray = connection.execute("PRAGMA foreign_key_check").fetchall()
    assert found == [("ok",)], f"the database is damaged: {found[:3]}"
    assert not stray, f"entries belong to no game: {stray[:3]}"


class Moments:
    """The moments of all games of a journal in their order; those of games that grew no more are remembered."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], list[Moment]] = {}

    def of(self, journal: Kept) -> list[Moment]:
        """First that no game is on, then for each game its start and what each entry made of it."""
        moments = [NOTHING]
        for game, entries in journal.games:
            key = game.number, len(entries)
            if key not in self._known:
                self._known[key] = list(_moments(game, entries))
            moments += self._known[key]
        return moments


def _moments(kept_game: KeptGame, entries: Sequence[Entry]) -> Iterator[Moment]:
    game = named(kept_game.game)
    start = begin(game, kept_game.players, die_sets.load(kept_game.die_set), kept_game.options)
    course = JournalReader(game, start)
    yield _moment(Match(kept_game, game, start, course.replay()))
    for number, entry in enumerate(entries, start=1):
        assert entry.number == number, f"game {kept_game.number} has entry {entry.number} in place of {number}"
        refusal = course.add(entry)
        assert refusal is None, f"game {kept_game.number}, entry {number}: {refusal}"
        yield _moment(Match(kept_game, game, start, course.replay(), tuple(entries[:number])))


def _moment(match: Match) -> Moment:
    return moment(
        json.loads(
            encode(snapshot_response(Snapshot(0, game=match.game, state=match.state, last=match.recent_sentences())))
        )
    )


def followed(shown: Sequence[Moment], moments: Sequence[Moment], since: int) -> int:
    """Go through the moments from `since` on until all that was shown was met, in order; the place where that was.

    Raises AssertionError for a moment that was shown and never was.
    """
    place = since
    for one in shown:
        try:
            place = moments.index(one, place)
        except ValueError:
            raise AssertionError(f"shown and not in the journal from moment {place} on: {one}") from None
    return place


def torn_pictures(folder: Path) -> list[str]:
    """Pictures that are not whole."""
    found = {path.name: path.read_bytes() for path in (folder / "evidence").glob("*.jpg")}
    return [name for name, contents in found.items() if (contents[:2], contents[-2:]) != JPEG]


def unfinished(folder: Path) -> list[Path]:
    """Files that were being written when the plug was pulled."""
    return [path for path in folder.rglob("*") if path.name.endswith((".part", ".tmp", ".new"))]
