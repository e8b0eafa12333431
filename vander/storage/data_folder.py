"""The data folder: the names of its files, who may read them, who uses it, and its own name among a broker's topics.

What can go wrong with what is kept on disk:

StorageError (RuntimeError, OSError)
+-- BrokenJournal                the journal's database cannot be read
+-- Unwritten                    something could not be put on disk
+-- PictureDeleted (LookupError) a picture was deleted to make room
+-- DamagedFilm (ValueError)     the file of a film cannot be read
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from models import atomic_files
from models.atomic_files import PRIVATE_FOLDER, append_private, write_atomically
from referee.sentences import say


class StorageError(RuntimeError, OSError):
    """The root of all errors of storage. The message is one sentence that says what would help."""

    def __str__(self) -> str:
        return str(self.args[0])


class BrokenJournal(StorageError):
    """The journal's database cannot be read; it is left as it is."""


class Unwritten(StorageError):
    """Something could not be put on disk, so it did not happen. `no_room` is True if the disk is full."""

    def __init__(self, sentence: str, no_room: bool = False) -> None:
        super().__init__(sentence)
        self.no_room = no_room


class PictureDeleted(StorageError, LookupError):
    """A picture is not there any more: it was deleted to make room for newer ones."""


class DamagedFilm(StorageError, ValueError):
    """The file of a film is cut short or damaged; the throw itself stands in the journal."""


# The names of all files that Vander writes into its data folder: the one list that backups and file modes go by
#
# Whoever writes a new file there adds its name here; tests/vander/cli/test_data_folder.py plays, teaches and
# compares.


JOURNAL = "journal.sqlite"
WEBHOOK_QUEUE = "webhooks.sqlite"
"""Messages that wait for other programs: of this box and this moment, so that no backup holds them. Nor does one hold
`webhooks.toml`: it has secrets, and a backup that somebody made up could send the players' names anywhere by it."""
HALL_FILE = "hall.json"
"""The table's hall, with the key that it gave."""
CAMERA_FILE = "camera.json"
"""The camera that was chosen on the page; its address in the network may hold a password."""
RECORDINGS_DIR = "recordings"
"""Where an owner puts films that are to be played as a camera. They are no files of Vander's, and in no backup."""
RESTORE_DIR, PREVIOUS_DIR = ".restore", "before-restore"
"""The folder in which a restore is prepared, and the one that keeps what the last restore replaced."""

_PLAIN = r"[a-z0-9][a-z0-9-]{0,59}"
"""A die set's name: models/atomic_files.py."""
_SAMPLE = r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}"
"""The name of a capture session, a sample or a frame: models/dataset/samples.py."""
_SESSIONS = rf"sessions/{_SAMPLE}/(session\.toml|dice\.jsonl|crops/{_SAMPLE}\.png|frames/{_SAMPLE}\.jpg)"
_ARRIVED = rf"captured/arrived-[0-9a-f]{{8}}/({_SESSIONS}|labels/{_SAMPLE}/dice\.jsonl)"
"""A complete import that is moved in at the next start: models/dataset/sample_store.py."""

KEPT = (
    re.escape(JOURNAL),
    r"settings\.toml",
    r"choices\.toml",
    r"certificate\.jsonl",
    r"tablets\.json",
    r"tablets\.damaged-[0-9]{1,9}\.json",
    r"sheets/[a-z0-9]+(-[a-z0-9]+)*\.toml",
    rf"dice/{_PLAIN}\.toml",
    rf"lessons/{_PLAIN}/([0-9]{{4,9}}\.npz|in-use)",
    rf"features/{_PLAIN}(\.damaged)?\.jsonl",
    r"evidence/game-[0-9]+-entry-[0-9]+\.jpg",
    r"captured/about\.toml",
    rf"captured/{_SESSIONS}",
    _ARRIVED,
    r"voices/[0-9a-f]{8}/(voice\.toml|[a-z]{2,3}/[A-Za-z0-9][A-Za-z0-9.-]{0,39}\.wav)",
)
"""Patterns of the files that a backup holds; each matches whole names relative to the data folder."""
UNFINISHED = (rf"captured/(coming-[0-9a-f]{{8}}|gone-{_SAMPLE})(/(?!\.\.?(/|$))[^/]+)+",)
"""What a power cut left of an import or a deletion. Earlier versions packed it; nobody wants it back."""
LOCAL = (
    r"running\.lock",
    r"box\.key",
    rf"{re.escape(JOURNAL)}-(wal|shm|journal)",
    rf"{re.escape(JOURNAL)}\.(before-[0-9]+|unread-log)",
    r"journal\.count",
    r"webhooks\.toml",
    rf"{re.escape(WEBHOOK_QUEUE)}(-(wal|shm|journal))?",
    r"tray\.json",
    r"corners\.json",
    r"die-sizes\.json",
    re.escape(CAMERA_FILE),
    re.escape(HALL_FILE),
    r"mqtt-node",
    rf"({re.escape(RESTORE_DIR)}|{PREVIOUS_DIR})/.+",
    r"captured/\.latch",
    r"https/(authority\.(key|crt)|server\.pem)",
    r"films/game-[0-9]+-entry-[0-9]+\.film",
    r"vander-backup-[0-9]{8}-[0-9]{6}\.zip",
)
"""Files of Vander that are in no backup: made again at a start or a restore, of one box alone, or copies."""

_PART = r"(\.part)?"
_KEPT = re.compile("|".join(KEPT), re.ASCII)
_UNFINISHED = re.compile("|".join(UNFINISHED), re.ASCII)
_OURS = re.compile(f"({'|'.join((*KEPT, *UNFINISHED, *LOCAL))}){_PART}", re.ASCII | re.DOTALL)
FOLDERS = frozenset(
    {
        "captured",
        "dice",
        "evidence",
        "features",
        "films",
        "https",
        "lessons",
        "sheets",
        "voices",
        RESTORE_DIR,
        PREVIOUS_DIR,
    }
)
"""The folders of Vander in its data folder."""


def is_backed_up(name: str) -> bool:
    """True if a backup holds a file of this name, relative to the data folder."""
    return bool(_KEPT.fullmatch(name))


def is_unfinished(name: str) -> bool:
    """True if the file is what a power cut left of an import or a deletion."""
    return bool(_UNFINISHED.fullmatch(name))


def is_ours(name: str) -> bool:
    """True if Vander writes a file of this name, whether a backup holds it or not."""
    return bool(_OURS.fullmatch(name))


# Who may read the data folder: its owner alone, also where root writes into it, or where it was made too open


OTHERS = 0o077
"""The mode bits of everybody but the owner."""


@contextmanager
def private_files() -> Iterator[None]:
    """Let this process create files (0600) and folders (0700) that only its own user may read, SQLite's too."""
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def make_private(folder: Path) -> None:
    """Take from everybody else what a data folder of an earlier Vander let them read: its own files and folders.

    The folder itself comes last, so that a power cut leaves the rest to the next start. Other people's files, a folder
    that many use (the home folder, /tmp) and what cannot be changed stay as they are.
    """
    if not hasattr(os, "geteuid") or not _is_open(folder):
        return
    for path, name in _below(folder):
        if path.is_dir() or is_ours(name):
            _close(path)
    if not _is_shared(folder):
        _close(folder)


def _below(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folders of Vander, all below them, and the files next to them, with names relative to `folder`."""
    for place, inner, files in os.walk(folder):
        here = Path(place)
        if here == folder:
            inner[:] = [name for name in inner if name in FOLDERS]
        paths = [here / name for name in (*inner, *files)]
        yield from ((path, path.relative_to(folder).as_posix()) for path in paths)


def _is_open(path: Path) -> bool:
    with suppress(OSError):
        return bool(path.stat().st_mode & OTHERS)
    return False


def _is_shared(folder: Path) -> bool:
    with suppress(RuntimeError):  # a user without a home
        if folder.resolve() in (Path("/"), Path.home().resolve()):
            return True
    return bool(folder.stat().st_mode & stat.S_ISVTX)


def _close(path: Path) -> None:
    """Take all rights of others from a file or folder of this user; a link is never followed."""
    with suppress(OSError):
        found = path.lstat()
        if found.st_uid == os.geteuid() and found.st_mode & OTHERS and not stat.S_ISLNK(found.st_mode):
            path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)


def match_owner(folder: Path, *paths: Path) -> None:
    """Give these paths, with all that is in them, the owner of `folder`; does nothing unless root. Raises OSError.

    Without it `sudo vander restore` would leave the service a folder that it may not write.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    owner = folder.stat()
    for path in _all(paths):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _all(paths: Iterable[Path]) -> Iterable[Path]:
    return chain.from_iterable(chain((path,), path.rglob("*")) for path in paths)


# Swap a restored data folder for the old one; an interrupted swap is undone, or completed by `finish_restore`
#
# All of it happens inside the data folder, so that its parent need not be writable. The new files lie in
# `.restore/new` until they are complete and on disk. Renaming that to `.restore/ready` commits; every later step may
# be interrupted and repeated: old files move to `.restore/old`, then `ready` is renamed to `placing` and the new
# files move up.


LOCK = "running.lock"
"""The file in a data folder that a running program holds locked; the lock counts, not the file's existence."""
STAYS = frozenset({RESTORE_DIR, LOCK, "lost+found"})
"""Names that are never moved: the folder of the steps, the lock, and what belongs to the file system."""


def check_movable(data_dir: Path) -> None:
    """Check that no disk is mounted inside the folder, since it could not be moved. Raises Unwritten."""
    for path in _top_level(data_dir):
        if path.is_mount():
            raise Unwritten(
                say(
                    "a disk is mounted at {path}, which cannot be put aside: unmount it, restore, and copy it",
                    path=path,
                )
            )


def prepare_restore(data_dir: Path) -> Path:
    """Return an empty folder to unpack into; leftovers of an earlier attempt are deleted. Raises OSError."""
    atomic_files.remove(data_dir / RESTORE_DIR)
    new = prepared(data_dir)
    new.parent.mkdir(PRIVATE_FOLDER)
    new.mkdir(PRIVATE_FOLDER)
    return new


def prepared(data_dir: Path) -> Path:
    """Return the folder that `prepare_restore` makes."""
    return data_dir / RESTORE_DIR / "new"


def commit_restore(data_dir: Path) -> None:
    """Commit the prepared files: an interruption before this keeps the old ones, after this the new. Raises OSError."""
    under_way = data_dir / RESTORE_DIR
    atomic_files.sync_tree(under_way / "new")
    (under_way / "new").rename(under_way / "ready")
    atomic_files.sync_folder(under_way)


def finish_restore(data_dir: Path) -> None:
    """Complete a restore that was committed, and clear away one that was not; else do nothing.

    Whoever holds the folder's lock calls it first. Raises Unwritten.
    """
    if not (data_dir / RESTORE_DIR).is_dir():
        return
    try:
        _finish(data_dir, data_dir / RESTORE_DIR)
    except OSError as error:
        raise Unwritten(
            say(
                "a restore of {data_dir} cannot be finished: {cause}; nothing is lost,"
                " make room and start Vander again",
                data_dir=data_dir,
                cause=error.strerror or str(error),
            )
        ) from error


def _finish(data_dir: Path, under_way: Path) -> None:
    if (under_way / "ready").is_dir():
        _move_old_away(data_dir, under_way / "old")
        (under_way / "ready").rename(under_way / "placing")
        atomic_files.sync_folder(under_way)
    if (under_way / "placing").is_dir():
        _move_new_up(under_way / "placing", data_dir)
        _keep_previous(under_way / "old", data_dir / PREVIOUS_DIR)
        (under_way / "placing").rmdir()
    atomic_files.remove(under_way)
    atomic_files.sync_folder(data_dir)


def _move_old_away(data_dir: Path, old: Path) -> None:
    """Move the old files away. If one is there already, the file of its name was created by an interrupted swap."""
    old.mkdir(PRIVATE_FOLDER, exist_ok=True)
    for path in _top_level(data_dir):
        if (old / path.name).exists():
            atomic_files.remove(path)
        else:
            path.rename(old / path.name)
    atomic_files.sync_folder(old)
    atomic_files.sync_folder(data_dir)


def _move_new_up(placing: Path, data_dir: Path) -> None:
    """Move the new files to their place, over files that an interrupted swap left."""
    for path in _top_level(placing):
        atomic_files.remove(data_dir / path.name)
        path.rename(data_dir / path.name)
    atomic_files.sync_folder(data_dir)


def _keep_previous(old: Path, before: Path) -> None:
    """Keep the files that this restore replaced, and delete those of the restore before."""
    if old.is_dir():
        atomic_files.remove(old / PREVIOUS_DIR)
        old.rename(before)


def _top_level(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.iterdir()) if path.name not in STAYS)


# Two locks on the data folder. `vander play` and whatever changes files that it keeps open hold the first, one at a
# time. Everything else shares the second, also next to a running Vander; `vander restore`, which replaces all files,
# holds both alone.


try:
    import fcntl
except ImportError:  # Windows has none: a second program is not detected there
    fcntl = None  # type: ignore[assignment]

TIMEOUT_S = 2.0
"""How long to wait for a program that is just ending, or for one that only reads the lock."""
PAUSE_S = 0.1


class AlreadyRunning(StorageError):
    """Another program uses the data folder."""


@dataclass(frozen=True)
class RunningInstance:
    """A program that uses a data folder: its process, and the address that it serves on, '' for none."""

    process: int
    address: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (f"process {self.process}" if self.process else "", self.address)))

    @classmethod
    def parse(cls, text: str) -> RunningInstance:
        """Parse what `line` wrote; process 0 for anything else."""
        process, _, address = text.strip().partition(" ")
        return cls(int(process), address) if process.isdecimal() else cls(0)

    def line(self) -> str:
        """Return the line for the lock's file."""
        return f"{self.process} {self.address}".rstrip() + "\n"


@contextmanager
def hold(folder: Path, address: str = "", timeout_s: float = TIMEOUT_S) -> Iterator[None]:
    """Hold the lock of this data folder, which is made if it is missing, and closed to others if it was open to them.

    A restore that was cut short is completed first. Raises AlreadyRunning if another program holds the lock after
    `timeout_s`, and StorageError if the folder cannot be written. The system releases the lock of a program that is
    killed.
    """
    with _opened(folder) as file:
        _lock(file, folder, timeout_s)
        _write(file, RunningInstance(os.getpid(), address))
        make_private(folder)
        try:
            finish_restore(folder)
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


@contextmanager
def share(folder: Path, *, alone: bool = False) -> Iterator[None]:
    """Use the files of a data folder, if there is one, with others who share it; `alone` is for who replaces them.

    A restore that was cut short is completed first. Raises AlreadyRunning where the folder is being restored, or for
    `alone` where somebody uses it.
    """
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:  # also on Windows; whoever opens a file in it says what is wrong with the folder
        yield
        return
    try:
        _lock(opened, folder, TIMEOUT_S, alone=alone)
        if (folder / RESTORE_DIR).is_dir() and not alone:
            with hold(folder):  # which completes it
                pass
        yield
    finally:
        os.close(opened)


def running_instance(folder: Path) -> RunningInstance | None:
    """Return the program that uses this data folder, or None. Writes nothing."""
    if fcntl is None:
        return None
    with suppress(OSError), (folder / LOCK).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return RunningInstance.parse(file.read(1000).decode("utf-8", "replace"))
    return None


def _opened(folder: Path) -> IO[bytes]:
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        file = append_private(folder / LOCK)
        match_owner(folder, folder / LOCK)
    except OSError as error:
        raise StorageError(
            f"the data folder {folder} cannot be written: {error.strerror}; name another with --data-dir, or mend it"
        ) from error
    return file


def _lock(file: IO[bytes] | int, folder: Path, timeout_s: float, *, alone: bool = True) -> None:
    if fcntl is None:
        return
    until = time.monotonic() + timeout_s
    while not _locked(file, folder, fcntl.LOCK_EX if alone else fcntl.LOCK_SH):
        if time.monotonic() > until:
            other = running_instance(folder)
            is_known = other and str(other) and other.process != os.getpid()
            raise AlreadyRunning(
                f"another Vander{f' ({other})' if is_known else ''} already uses the folder {folder}; "
                "end that one, or give this one a folder of its own with --data-dir"
            )
        time.sleep(PAUSE_S)


def _locked(file: IO[bytes] | int, folder: Path, how: int) -> bool:
    """Take the lock if it is free; return whether it was."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StorageError(
            f"the data folder {folder} cannot be locked: {error.strerror}; name one on a disk of this machine"
        ) from error
    return True


def _write(file: IO[bytes], who: RunningInstance) -> None:
    """Write who holds the lock; on a full disk the lock holds without it."""
    with suppress(OSError):
        file.truncate(0)
        file.write(who.line().encode())


# The table's own name among the topics of an MQTT broker: made once, by chance, and kept in the data folder
#
# No backup holds it: two boxes of one name would push each other off the broker.


FILE = "mqtt-node"
_NODE = re.compile("vander_[0-9a-f]{12}")


def mqtt_node(folder: Path) -> str:
    """Return the kept name, `vander_0123456789ab`; made where there is none, or it is damaged. Raises OSError."""
    path = folder / FILE
    with suppress(OSError, ValueError):
        kept = path.read_text("ascii").strip()
        if _NODE.fullmatch(kept):
            return kept
    made = f"vander_{secrets.token_hex(6)}"
    write_atomically(path, f"{made}\n".encode())
    return made


def copy_database(database: Path, to: Path) -> None:
    """Copy a database as of one moment; an existing copy is replaced when the new one is complete.

    Raises OSError and sqlite3.Error, and leaves no partial copy then.
    """
    unfinished = to.with_name(to.name + atomic_files.PART)
    try:
        atomic_files.create_private(unfinished).close()
        _copy(database, unfinished)
        unfinished.replace(to)
        atomic_files.sync_folder(to.parent)
    except (OSError, sqlite3.Error):
        atomic_files.remove(unfinished)
        raise


def _copy(database: Path, to: Path) -> None:
    address = f"{database.absolute().as_uri()}?mode=rw"  # creates no database, and reads the write-ahead log
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # a single file without a write-ahead log
    with to.open("rb") as file:
        os.fsync(file.fileno())
