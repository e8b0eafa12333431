"""Kill one operation after another at a chosen write: play, migration, imports, teaching, learning, backup, restore.

    python -m bench.box.crash.killed_operations FOLDER KILLS SEED OPERATION ...

Run as a program of its own, with the disk that fails preloaded (failing_disk.c) below FOLDER. Each kill is a forked
process that works on a fresh copy of a data folder and says after each step what a person was told; another process
then opens what is left, as the next start does, and holds it against that. One in four of those is killed as well.
Prints a JSON object a line.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.box.crash.disk_switch import DiskSwitch
from models.dataset import SampleStore
from models.dataset.samples import NewSample
from referee.games import games
from tests.vander.laid_dice import Dice, StillPicture
from vander.backup import RestoreChoices, create_backup, restore_backup
from vander.cli.journal_commands import import_game
from vander.cli.learning_commands import import_pictures
from vander.extras.players.exports import export_game
from vander.learning.accuracy import AccuracyCounts, AccuracyLog
from vander.resources import game_catalog, models_and_stores
from vander.resources.models_and_stores import LoadedModels
from vander.storage.data_folder import finish_restore
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import SCHEMA
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import load
from vander.table.session import Session, open_session
from vision.frames import Pixels
from vision.observations import Observation
from vision.rectification import RotatedSquare
from web.schemas.learning_schemas import Choices

HOUSE = Path(__file__).parents[3]
KEPT = HOUSE / "tests/vander/kept"
TAUGHT = "our-stones"
STEPS = 6
"""How many throws, records, pictures, answers and so on an operation has."""
MOST_CALLS_OF_A_START = 12
"""About so many calls of a start change the disk."""
MOST_TRIES = 5
"""How often a kill is tried anew that came after the operation's end."""
BACKUP = "vander-backup-20270101-120000.zip"
WITH_ALL = RestoreChoices(lambda _: True)
"""A restore takes the tablets that come along, too."""
Say = Callable[[object], None]
"""Tells what a person was told: it counts from then on."""
Json = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    """What is killed. `prepare` makes the folder that it works on; `check` names what must not be.

    `check` gets the folder before and after, and what `run` said. It runs in what a next start would open.
    """

    prepare: Callable[[Path], None]
    run: Callable[[Path, Say], None]
    check: Callable[[Path, Path, list[Any]], Iterator[str]]


@dataclass
class Tally:
    """What came of the kills: how many calls changed the disk, how many kills, what was said, and faults."""

    operation: str
    calls: int = 0
    kills: int = 0
    killed_again: int = 0
    said: int = 0
    sound: int = 0
    faults: list[str] = field(default_factory=list)

    def row(self) -> str:
        """Return the row of the table in docs/box.md."""
        again = f"{self.kills}, and {self.killed_again} at the next start"
        return f"| {self.operation} | {self.calls} | {again} | {self.said} | {len(self.faults) or 'none'} |"


# What all operations begin with


def _old_folder(folder: Path) -> None:
    """A data folder of version 0.1.0, opened once by this version: games, pictures, lessons, tablets."""
    with zipfile.ZipFile(KEPT / "data-0.1.0.zip") as archive:
        archive.extractall(folder)
    (folder / "facts.json").unlink()
    Journal.in_folder(folder).close()
    (folder / f"journal.sqlite.before-{SCHEMA}").unlink()  # no backup holds the copy of an older journal
    SampleStore(folder / "captured")


def _start(folder: Path) -> None:
    """Open a data folder as the next start does."""
    finish_restore(folder)
    EvidenceStore(folder / "evidence").free_for_journal()
    Journal.in_folder(folder).close()
    if (folder / "captured").is_dir():
        SampleStore(folder / "captured")
    PreferenceStore(folder)
    AccuracyLog(folder)


def _journal(folder: Path) -> dict[int, list[Json]]:
    """The journal's games with their entries, after a check of the database."""
    with closing(sqlite3.connect(folder / "journal.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    with closing(Journal.in_folder(folder)) as journal:
        assert not journal.missing, journal.missing.alert
        found = {game.number: [asdict(entry) for entry in journal.entries(game.number)] for game in journal.games()}
    for number, entries in found.items():
        assert [entry["number"] for entry in entries] == [*range(1, len(entries) + 1)], f"game {number} has gaps"
    return json.loads(json.dumps(found, default=str), object_hook=_with_numbers)


def _with_numbers(found: Json) -> Any:
    return {int(key) if key.isdigit() else key: value for key, value in found.items()}


def _files(folder: Path, *without: str) -> dict[str, bytes]:
    """Every file but locks and SQLite's own; the journal by its contents."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in paths}
    skipped = ("running.lock", "journal.sqlite-", "before-restore/", *without)
    return {
        name: json.dumps(_journal(folder), sort_keys=True).encode() if name == "journal.sqlite" else path.read_bytes()
        for name, path in named.items()
        if not name.startswith(skipped) and path.name != ".latch"
    }


def _samples(folder: Path) -> dict[str, Json]:
    """The captured samples by name, after a check that each has its picture."""
    store = SampleStore(folder / "captured")
    assert store.problems == (), store.problems
    samples = store.samples()
    assert len([*store.with_pixels(samples)]) == len(samples), "a sample has no picture"
    listed = {store.crop_path(sample.name) for sample in samples}
    strays = set((folder / "captured/sessions").rglob("crops/*.png")) - listed
    assert len(strays) <= 1, f"pictures that no list names: {sorted(path.name for path in strays)}"
    return {sample.name: asdict(sample) for sample in samples}


def _at_most_one_more(what: str, found: int, said: int) -> Iterator[str]:
    """What was said is there, and of what was not yet said one thing at most."""
    if not said <= found <= said + 1:
        yield f"{found} {what} are there, and {said} were said"


# Play


def _prepare_play(folder: Path) -> None:
    Journal.in_folder(folder).close()


def _play(folder: Path, say: Say) -> None:
    """Begin games and throw, each throw with its picture, one corrected, one taken back."""
    evidence, sight, dice = EvidenceStore(folder / "evidence"), StillPicture(), Dice()
    with closing(Journal.in_folder(folder)) as journal:
        known = game_catalog.open_die_sets(load(data_dir=folder))
        session = open_session(journal, evidence, games=games(), dice=known.load("intersection"), camera="virtual")

        def show(observation: Observation) -> None:
            session.observe(observation, sight)
            match = session.state.match
            if match:
                say([match.kept.number, len(match.entries), session.snapshot().evidence])

        show(dice.look())
        for turn in range(STEPS):
            session.start("intersection", ["Ann"], {})
            show(dice.roll("go", "happy", "happy", "happy", "star", "two"))
            if turn % 2:
                session.undo()
                show(dice.look())
            show(dice.roll("stop", "sad", "sad", "happy", "star", "two"))


def _check_play(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    found = _journal(after)
    for number, count, _ in said:
        if len(found.get(number, ())) < count:
            yield f"entry {count} of game {number} was shown and is lost"
    shown = {game for game, _, _ in said}
    if len(found) > len(shown) + 1 or sorted(found) != [*range(1, len(found) + 1)]:
        yield f"games {sorted(found)} are there, and {sorted(shown)} were shown"
    pictures = {path.stem: path.read_bytes() for path in (after / "evidence").glob("*.jpg")}
    named = {entry["evidence"] for entries in found.values() for entry in entries if entry["evidence"]}
    if torn := [name for name, jpeg in pictures.items() if (jpeg[:2], jpeg[-2:]) != (b"\xff\xd8", b"\xff\xd9")]:
        yield f"pictures are torn: {torn}"
    if lost := (named | {name for *_, name in said if name}) - pictures.keys():
        yield f"pictures are lost: {lost}"
    with closing(Journal.in_folder(after)) as journal:
        known = game_catalog.open_die_sets(load(data_dir=after))
        again = open_session(journal, EvidenceStore(after / "evidence"), games=games(), dice=known.load("intersection"))
        match = again.state.match
        if match and match.evidence_name() in pictures:
            yield f"the next picture would replace {match.evidence_name()}"
        if journal.begin("intersection", ["Ann"], {}, "intersection").number in {*found, *shown}:
            yield "a game's number was given twice"


# Going back to a game that stands open

OPEN_GAMES = 3


def _prepare_open_games(folder: Path) -> None:
    """Leave some games open, each with a throw."""
    with closing(Journal.in_folder(folder)) as journal:
        session, dice = _session(journal, folder), Dice()
        for _ in range(OPEN_GAMES):
            session.start("intersection", ["Ann"], {}, leave_open=True)
            session.observe(dice.look())
            session.observe(dice.roll("go", "happy", "happy", "happy", "star", "two"))


def _session(journal: Journal, folder: Path) -> Session:
    known = game_catalog.open_die_sets(load(data_dir=folder))
    return open_session(journal, EvidenceStore(folder / "evidence"), games=games(), dice=known.load("intersection"))


def _play_on(folder: Path, say: Say) -> None:
    """Go from one open game to the next and round again, and take the throw of each back the first time."""
    with closing(Journal.in_folder(folder)) as journal:
        session, dice = _session(journal, folder), Dice()
        session.observe(dice.look())
        for turn in range(STEPS):
            number = 1 + turn % OPEN_GAMES
            session.play_on(number)
            say([number, len(session.state.match.entries)])
            if turn < OPEN_GAMES:
                session.undo()
                say([number, len(session.state.match.entries)])


def _check_open_games(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    old, found = _journal(before), _journal(after)
    if sorted(found) != sorted(old):
        yield f"games {sorted(found)} are there, and {sorted(old)} were"
    for number, count in said:
        if len(found.get(number, ())) < count:
            yield f"entry {count} of game {number} was shown and is lost"
    with closing(Journal.in_folder(after)) as journal:
        again = _session(journal, after)
        on_table = again.state.match.kept.number if again.state.match else 0
        shown = said[-1][0] if said else OPEN_GAMES
        if on_table not in (shown, shown % OPEN_GAMES + 1):
            yield f"game {on_table} is on the table, and {shown} was shown there last"
        if len(again.open_games()) != OPEN_GAMES or not all(game.scores for game in again.open_games()):
            yield f"the open games are {again.open_games()}"


# Migration


def _prepare_migration(folder: Path) -> None:
    shutil.copy(KEPT / "journal-1.sqlite", folder / "journal.sqlite")


def _migrate(folder: Path, say: Say) -> None:
    Journal.in_folder(folder).close()
    say("migrated")


ENTRY = "game_id, number, at, source, deed, action, target, note, rule, evidence"
"""What every version of the journal has of an entry."""


def _rows(database: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as opened:
        games = opened.execute("SELECT id, game, players, started_at, ended_at FROM games ORDER BY id").fetchall()
        return [*games, *opened.execute(f"SELECT {ENTRY} FROM entries ORDER BY game_id, number").fetchall()]  # noqa: S608


def _check_migration(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    wanted = _rows(before / "journal.sqlite")
    copy = after / f"journal.sqlite.before-{SCHEMA}"
    if copy.exists() and _rows(copy) != wanted:
        yield "the copy of the older journal is not what it was"
    _journal(after)
    if _rows(after / "journal.sqlite") != wanted:
        yield "the games are not what they were"
    if not copy.exists() or _rows(copy) != wanted:
        yield "there is no copy of the older journal"


# Import of games


def _import_games(folder: Path, say: Say) -> None:
    settings = load(data_dir=folder)
    with closing(models_and_stores.open_journal(settings)) as journal:
        for _ in range(STEPS):
            kept, _ = import_game(journal, str(folder / "record.txt"), game_catalog.load_games(settings))
            say(kept.number)


def _prepare_records(folder: Path) -> None:
    _old_folder(folder)
    settings = load(data_dir=folder)
    with closing(models_and_stores.open_journal(settings)) as journal:
        (folder / "record.txt").write_text(export_game(journal, game_catalog.load_games(settings)), "utf-8")


def _check_imported_games(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    old, found = _journal(before), _journal(after)
    yield from _at_most_one_more("imported games", len(found) - len(old), len(said))
    if any(found.get(number) != entries for number, entries in old.items()):
        yield "games from before are not what they were"
    (entries,) = old.values()
    for number in found.keys() - old.keys():
        if [entry["action"] for entry in found[number]] != [entry["action"] for entry in entries]:
            yield f"game {number} was imported in part"
    if not {*said} <= found.keys():
        yield f"games {said} were said to be imported, and {sorted(found)} are there"


# Import of pictures


def _prepare_pictures(folder: Path) -> None:
    """No dice captured yet, and pictures of two faces next to the data folder's own files."""
    _old_folder(folder)
    store = SampleStore(folder / "captured")
    for sample in store.samples(TAUGHT):
        assert sample.label
        face = folder / "pictures" / sample.label.face
        face.mkdir(parents=True, exist_ok=True)
        crop = cv2.copyMakeBorder(store.pixels(sample.name), 60, 60, 60, 60, cv2.BORDER_REPLICATE)
        cv2.imwrite(str(face / f"{sample.name}.png"), crop)
    shutil.rmtree(folder / "captured")


def _import_pictures(folder: Path, say: Say) -> None:
    result = import_pictures(load(data_dir=folder), _models(), folder / "pictures", "faces", TAUGHT)
    say(result.sentence)


def _check_imported_pictures(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    samples = _samples(after)
    wanted = len([*(before / "pictures").rglob("*.png")])
    if len(samples) not in ({wanted} if said else {0, wanted}):
        yield f"{len(samples)} of {wanted} pictures are there"
    faces = Counter(sample["label"]["face"] for sample in samples.values())
    if samples and len(faces) != 2:
        yield f"the faces are {faces}"


# Teaching


def _prepare_teaching(folder: Path) -> None:
    """Lessons of this reader: those of an older one are learned again at the first start."""
    _old_folder(folder)
    models_and_stores.open_learning_service(load(data_dir=folder), _models())


def _teach(folder: Path, say: Say) -> None:
    learning = models_and_stores.open_learning_service(load(data_dir=folder), _models())
    say(learning.use_lesson(TAUGHT, 2).version)
    say(learning.teach(TAUGHT).version)
    say(learning.use_lesson(TAUGHT, 1).version)


def _lessons(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in (folder / "lessons" / TAUGHT).glob("*.npz"))


def _check_lessons(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    old, numbers = _lessons(before), _lessons(after)
    if numbers not in (old, [*old, old[-1] + 1]) or not {*said} <= {*numbers}:
        yield f"the lessons are {numbers}, of {old} before; {said} were said to be in use"
    learning = models_and_stores.open_learning_service(load(data_dir=after), _models())
    in_use, course = learning.lesson(TAUGHT).version, [1, 2, old[-1] + 1, 1]
    if in_use not in course[len(said) : len(said) + 2]:
        yield f"lesson {in_use} is in use, and {said} were said to be"
    for number in numbers:
        if learning.use_lesson(TAUGHT, number).version != number:
            yield f"lesson {number} cannot be used"
    if _samples(after).keys() != _samples(before).keys():
        yield "teaching changed the pictures"


# Learning while people play


def _blotch(seed: int) -> Pixels:
    small = np.random.default_rng(seed).integers(0, 255, (6, 6, 3), np.uint8)
    return np.asarray(cv2.resize(small, (120, 120), interpolation=cv2.INTER_NEAREST), np.uint8)


def _learn(folder: Path, say: Say) -> None:
    """Record dice of throws, answer for some, correct and delete some, choose, and answer spot checks."""
    store, preferences, accuracy = SampleStore(folder / "captured"), PreferenceStore(folder), AccuracyLog(folder)
    session = store.start_session("intersection", "play", "play-20270101-intersection")
    for turn in range(STEPS):
        places = [NewSample(_blotch(10 * turn + die), RotatedSquare(60, 60, 40, 0)) for die in range(3)]
        saved = store.save(session, "intersection", _blotch(turn), places)
        say(["saved", [sample.name for sample in saved]])
        store.label([saved[0].name], "traffic", "happy", "asked at the table")
        say(["label", saved[0].name, "happy"])
        store.label([saved[0].name, saved[1].name], "traffic", "sad", "corrected at the table")
        say(["label", saved[0].name, "sad"])
        say(["label", saved[1].name, "sad"])
        if turn % 2:
            store.delete([saved[2].name])
            say(["deleted", saved[2].name])
        preferences.save(Choices(True, 100 + turn, 3))
        say(["chosen", 100 + turn])
        accuracy.add_answer(AccuracyCounts(checks=1, clean=1, checked=6, right=6))
        say(["answered"])


def _check_learning(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    old, found = _samples(before), _samples(after)
    saved = [name for what, *rest in said if what == "saved" for name in rest[0]]
    deleted = {rest[0] for what, *rest in said if what == "deleted"}
    labels = {rest[0]: rest[1] for what, *rest in said if what == "label"}
    if lost := {*old, *saved} - deleted - found.keys() - {saved[-1] if saved else ""}:
        yield f"pictures are lost: {sorted(lost)}"
    if back := deleted & found.keys():
        yield f"deleted pictures are back: {sorted(back)}"
    if len(found) > len({*old, *saved} - deleted) + 3:
        yield "pictures are there that nobody took"
    for name, face in labels.items():
        label = found[name]["label"] if name in found else None
        following = {"happy": "sad"}.get(face)
        if name not in deleted and (label is None or label["face"] not in (face, following)):
            yield f"{name} was said to show {face}, and is labelled {label}"
    chosen = [rest[0] for what, *rest in said if what == "chosen"]
    quota = PreferenceStore(after).current.quota_mb
    if quota not in ({chosen[-1], chosen[-1] + 1} if chosen else {20, 100}):
        yield f"{quota} MB are chosen, and {chosen[-1:]} was said"
    old_checks, checks = AccuracyLog(before).tally.checks, AccuracyLog(after).tally.checks
    yield from _at_most_one_more("answers", checks - old_checks, sum(what == "answered" for what, *_ in said))


# Backup and restore


def _backup(folder: Path, say: Say) -> None:
    create_backup(folder, folder.with_name("kept.zip"))
    say("packed")


def _check_backup(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    kept, wanted = after.with_name("kept.zip"), _files(before)
    if _files(after) != wanted:
        yield "the backup changed the data folder"
    if said and not kept.exists():
        yield "there is no backup"
    if kept.exists():
        other = _restored(kept)
        if _files(other) != {name: found for name, found in wanted.items() if name != "box.key"}:
            yield f"the backup holds something else: {sorted(_files(other).keys() ^ wanted.keys())}"
        shutil.rmtree(other)


def _restored(backup: Path) -> Path:
    """What a backup holds, in a folder of its own."""
    other = Path(tempfile.mkdtemp())
    restore_backup(other, backup, choices=WITH_ALL)
    return other


def _prepare_restore(folder: Path) -> None:
    """Other games and no dice, and a backup to be restored."""
    other = folder.with_name("other")
    other.mkdir()
    _old_folder(other)
    create_backup(other, folder / BACKUP)
    shutil.rmtree(other)
    with closing(Journal.in_folder(folder)) as journal:
        for name in ("Cy", "Di"):
            journal.begin("intersection", (name,), {}, "intersection")
    EvidenceStore(folder / "evidence").keep("game-2-entry-1", b"picture")


def _restore(folder: Path, say: Say) -> None:
    shutil.copy(folder / BACKUP, folder.with_name("kept.zip"))
    restore_backup(folder, folder.with_name("kept.zip"), choices=WITH_ALL)
    say("restored")


def _check_restore(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    found, old = _files(after), _files(before)
    other = _restored(before / BACKUP)
    new = _files(other)
    shutil.rmtree(other)
    if found != new and (said or found != old):
        yield f"half swapped: not new in {found.keys() ^ new.keys()}, not old in {found.keys() ^ old.keys()}"
    if (after / ".restore").exists():
        yield "something of the swap is left"


OPERATIONS: dict[str, Operation] = {
    "play": Operation(_prepare_play, _play, _check_play),
    "play on": Operation(_prepare_open_games, _play_on, _check_open_games),
    "migration": Operation(_prepare_migration, _migrate, _check_migration),
    "import games": Operation(_prepare_records, _import_games, _check_imported_games),
    "import pictures": Operation(_prepare_pictures, _import_pictures, _check_imported_pictures),
    "teach": Operation(_prepare_teaching, _teach, _check_lessons),
    "learning": Operation(_old_folder, _learn, _check_learning),
    "backup": Operation(_old_folder, _backup, _check_backup),
    "restore": Operation(_prepare_restore, _restore, _check_restore),
}


# What shows that kills are found out


def _write_in_place(folder: Path, say: Say) -> None:
    """Write what no atomic file is: a long line over a short one, said too early."""
    say("written")
    for name in ("one", "two"):
        (folder / name).write_text("new")


def _check_in_place(before: Path, after: Path, said: list[Any]) -> Iterator[str]:
    found = [(after / name).read_text() if (after / name).exists() else "" for name in ("one", "two")]
    if found != ["new", "new"]:
        yield f"half swapped: {found}"


CONTROL = {"write in place": Operation(lambda _: None, _write_in_place, _check_in_place)}
"""An operation with a fault: every kill has to find it."""


def _models() -> LoadedModels:
    return LoadedModels.load(threads=1)


# Killing


class Killing:
    """One operation, killed again and again."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self._folder, self._operation = folder, (OPERATIONS | CONTROL)[name]
        self._rng = random.Random(f"{name} {seed}")  # noqa: S311  # chance, not secrets
        self._disk = DiskSwitch.preloaded()
        self.tally = Tally(name)

    def kill(self, times: int) -> Tally:
        """Count the operation's calls that change the disk, then kill it so often at one of them."""
        self._in_process(lambda _: self._fresh("before", self._operation.prepare), lambda: None)
        self._copy()
        said, status = self._in_process(self._run, self._disk.count_calls)
        self.tally.calls = self._disk.calls
        assert status == 0, f"{self.tally.operation} fails by itself: {said[-1:]}"
        self._look(said, "unharmed")
        for _ in range(times):
            self._kill_once()
        return self.tally

    def _kill_once(self) -> None:
        for _ in range(MOST_TRIES):
            self._copy()
            calls, half = self._rng.randrange(self.tally.calls), self._rng.random() < 0.5
            said, status = self._in_process(self._run, partial(self._disk.kill_after, calls, half))
            if status == -signal.SIGKILL:
                self.tally.kills += 1
                self.tally.said += len(said)
                self._look(said, f"killed at call {calls}")
                return
        self.tally.faults.append(f"{MOST_TRIES} kills came after the end")

    def _look(self, said: list[Any], when: str) -> None:
        """Open what is left as the next start does, in one of four cases killed once more, and name what is wrong."""
        if self._rng.random() < 0.25:
            again = self._rng.randrange(MOST_CALLS_OF_A_START)
            _, status = self._in_process(lambda _: _start(self._folder / "data"), partial(self._disk.kill_after, again))
            self.tally.killed_again += status == -signal.SIGKILL
        found, status = self._in_process(lambda say: self._check(said, say), lambda: None)
        self.tally.sound += not found and status == 0
        self.tally.faults += [f"{when}: {fault}"[:600] for fault in found]
        if status:
            self.tally.faults.append(f"{when}: the check ended with {status}")

    def _run(self, say: Say) -> None:
        self._operation.run(self._folder / "data", say)

    def _check(self, said: list[Any], say: Say) -> None:
        _start(self._folder / "data")
        for fault in self._operation.check(self._folder / "before", self._folder / "data", said):
            say(fault)

    def _copy(self) -> None:
        for name in ("kept.zip", "kept.zip.part"):
            (self._folder / name).unlink(missing_ok=True)
        self._fresh("data", lambda data: shutil.copytree(self._folder / "before", data, dirs_exist_ok=True))

    def _fresh(self, name: str, fill: Callable[[Path], object]) -> None:
        shutil.rmtree(self._folder / name, ignore_errors=True)
        (self._folder / name).mkdir()
        fill(self._folder / name)

    def _in_process(self, work: Callable[[Say], object], arm: Callable[[], None]) -> tuple[list[Any], int]:
        """Work in a process of its own; return what it said and its exit status, negative for a signal."""
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            os.close(reads)
            _work(work, arm, writes)
        os.close(writes)
        with os.fdopen(reads, "rb") as pipe:
            said = [json.loads(line) for line in pipe]
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        calls = self._disk.calls
        self._disk.heal()
        assert self._disk.calls == calls
        return said, status


def _work(work: Callable[[Say], object], arm: Callable[[], None], pipe: int) -> None:
    """Do the work, say each step through the pipe, and end the process."""

    def say(what: object) -> None:
        os.write(pipe, f"{json.dumps(what)}\n".encode())

    status = 1
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            arm()
            work(say)
        status = 0
    except BaseException:
        say(f"raised: {traceback.format_exc()[-500:]}")
    finally:
        os._exit(status)


def kill(built: Path, folder: Path, names: Iterable[str], times: int, seed: int = 1) -> list[Tally]:
    """Kill each operation so often below a folder, in a program with the disk that fails (built by build.sh)."""
    folder.mkdir(parents=True, exist_ok=True)
    disk = DiskSwitch(built, folder, folder.with_name(f"{folder.name}.switch"))
    words = [sys.executable, "-m", __name__, str(folder), str(times), str(seed), *names]
    environment = {**os.environ, **disk.environment, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(HOUSE)}
    done = subprocess.run(words, cwd=HOUSE, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    assert done.returncode == 0, done.stderr[-2000:]
    return [Tally(**json.loads(line)) for line in done.stdout.splitlines()]


def main(folder: Path, kills: int, seed: int, names: Sequence[str]) -> None:
    """Kill each operation so often, and print what came of it."""
    for name in names:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        print(json.dumps(asdict(Killing(folder, name, seed).kill(kills))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
