"""Restore a backup: check all of it, unpack it next to the old files, load and replay it, ask, and only then swap."""

from __future__ import annotations

import math
import os
import shutil
import stat
import sys
import tempfile
import time
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from models import atomic_files
from referee.phrases import counted
from vander.access.devices import TABLETS, DeviceList, PairedDevice
from vander.backup.creation import (
    MANIFEST,
    STDIO,
    BackupManifest,
    BadBackup,
    load_all,
    name_some,
    open_journal,
    replay_games,
)
from vander.storage import data_folder

# What a backup brings along that somebody must want: tablets that may decide, settings that open doors, odd games


SETTINGS = "settings.toml"
DOORS = ("data_dir", "database", "host", "https", "https_certificate", "https_key", "names", "trust_local")
"""The settings that say who reaches Vander, and where it writes."""


class NotAgreed(data_folder.StorageError):
    """Nobody has said yes to what a backup brings along; nothing was changed."""


@dataclass(frozen=True)
class BroughtAlong:
    """What needs a yes: devices that are not paired here with that role, changed settings, games against the rules."""

    devices: tuple[PairedDevice, ...] = ()
    settings: tuple[str, ...] = ()
    games: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return a sentence for each kind of thing; none where a restore needs no yes."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        if self.devices:
            named = name_some([f"{device.name} (a {device.role})" for device in self.devices])
            yield f"It lets in what is not paired here: {named}."
        if self.settings:
            yield f"It changes who reaches Vander, and where it writes: {name_some(self.settings)} in {SETTINGS}."
        if self.games:
            yield f"The rules refuse some games, which stay as they are but do not go on: {name_some(self.games)}."


def devices_in(folder: Path) -> DeviceList:
    """Return the devices that are paired in a data folder. Raises BadBackup where their list cannot be read."""
    try:
        return DeviceList.model_validate_json((folder / TABLETS).read_bytes())
    except FileNotFoundError:
        return DeviceList()
    except (OSError, ValueError) as error:
        raise BadBackup(f"the list of tablets in the backup ({TABLETS}) cannot be read; leave it out") from error


def new_devices(here: Path, new: Path) -> tuple[PairedDevice, ...]:
    """Return the devices of a prepared folder that are unknown `here`, or a keeper only there. Raises BadBackup."""
    known: set[tuple[str, str]] = set()
    with suppress(BadBackup):  # with an unreadable list nobody is known
        known = {(device.digest, device.role) for device in devices_in(here).guests}
    return tuple(
        device
        for device in devices_in(new).guests
        if not {(device.digest, device.role), (device.digest, "keeper")} & known
    )


def changed_settings(here: Path, new: Path) -> tuple[str, ...]:
    """Return the names of those of DOORS that differ between two data folders' settings."""
    before, after = (_table(folder / SETTINGS) for folder in (here, new))
    return tuple(name for name in DOORS if before.get(name) != after.get(name))


def _table(path: Path) -> dict[str, object]:
    with suppress(OSError, ValueError):
        return tomllib.loads(path.read_text("utf-8"))
    return {}


# Restore a backup: check all of it, unpack it next to the old files, load and replay it, ask, and only then swap


MOST_FILES = 2_000_000
LARGEST_MANIFEST = 10_000
SPARE_BYTES = 50_000_000
"""Bytes of the disk that must stay free after unpacking."""
LONGEST_RATIO = 1100
"""The largest ratio of a file's size to its packed size: deflate cannot exceed 1032."""
LARGEST_TEXTS = {".toml": 2_000_000, ".json": 2_000_000}
"""Bytes of the largest file with such an ending: these are read as a whole when Vander starts."""
LARGEST_CERTIFICATE = 50_000_000
PACKINGS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_CHUNK = 1 << 20


def nobody_agrees(_sentences: Sequence[str]) -> bool:
    """Refuse whatever needs a yes."""
    return False


@dataclass(frozen=True)
class RestoreChoices:
    """What the owner chose: `agree` is shown what comes along and returns the owner's answer.

    `without_devices` keeps the list of tablets as it is here; `without_foreign` leaves out files that Vander does not
    write, with which a backup is refused otherwise.
    """

    agree: Callable[[Sequence[str]], bool] = nobody_agrees
    without_devices: bool = False
    without_foreign: bool = False


CAUTIOUS = RestoreChoices()
"""Refuse all that needs a yes."""


@dataclass(frozen=True)
class ArchiveContents:
    """The manifest and the files of a backup that was checked."""

    manifest: BackupManifest
    files: dict[str, zipfile.ZipInfo]

    @property
    def size(self) -> int:
        """The bytes of all files, unpacked."""
        return sum(entry.file_size for entry in self.files.values())


def restore_backup(data_dir: Path, archive: Path, database: str = "", choices: RestoreChoices = CAUTIOUS) -> str:
    """Replace the contents of the data folder by a backup; no other program may use the folder meanwhile.

    The old files are kept in `before-restore` until the next restore. Return a summary for the user. Raises BadBackup,
    NotAgreed, AlreadyRunning and Unwritten; the old files are unchanged then.
    """
    with ExitStack() as on_exit:
        on_exit.enter_context(data_folder.hold(data_dir))
        on_exit.enter_context(data_folder.share(data_dir, alone=True))
        try:
            stream = on_exit.enter_context(_open_archive(archive, data_dir))
            unpacked = _unpack_all(stream, archive, data_dir, choices)
            new = data_folder.prepared(data_dir)
            _check_and_ask(new, archive, data_dir, choices)
            data_folder.match_owner(data_dir, new.parent)
            data_folder.commit_restore(data_dir)
        except OSError as error:
            if isinstance(error, data_folder.StorageError):
                raise
            raise data_folder.Unwritten(
                f"{archive} cannot be restored to {data_dir}: {error.strerror or error}"
            ) from error
        finally:
            data_folder.finish_restore(data_dir)
    return _summary(data_dir, unpacked, database)


def _open_archive(archive: Path, data_dir: Path) -> IO[bytes]:
    if archive != STDIO:
        try:
            return archive.open("rb")
        except OSError as error:
            raise BadBackup(f"the backup {archive} cannot be read: {error.strerror}") from error
    kept = tempfile.TemporaryFile(dir=data_dir)  # noqa: SIM115  closed by who asked for it, as the other is
    shutil.copyfileobj(sys.stdin.buffer, kept)  # a zip needs a stream that can seek
    return kept


def _unpack_all(stream: IO[bytes], archive: Path, data_dir: Path, choices: RestoreChoices) -> ArchiveContents:
    """Unpack everything next to the old files, and return what it is."""
    try:
        with zipfile.ZipFile(stream) as packed:
            wanted = _check_contents(packed, archive, choices.without_foreign)
            _check_room(wanted, archive, data_dir)
            data_folder.check_movable(data_dir)
            new = data_folder.prepare_restore(data_dir)
            for name, entry in wanted.files.items():
                _unpack(packed, entry, new, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeDecodeError) as error:
        if isinstance(error, data_folder.StorageError):
            raise
        raise BadBackup(f"{archive} is no zip, or is damaged: take another backup") from error
    return wanted


def _check_and_ask(new: Path, archive: Path, data_dir: Path, choices: RestoreChoices) -> None:
    """Load and replay what was unpacked, and ask about what comes along. Raises BadBackup and NotAgreed."""
    if choices.without_devices:
        _keep_own_devices(new, data_dir)
    settings = load_all(new, str(archive))
    open_journal(new, str(archive))
    brought = BroughtAlong(
        new_devices(data_dir, new),
        changed_settings(data_dir, new),
        replay_games(new, settings, str(archive)),
    )
    if brought.sentences and not choices.agree(brought.sentences):
        what = " ".join(brought.sentences)
        without = ", or --without-devices to leave the tablets out" if brought.devices else ""
        raise NotAgreed(f"{archive} needs a yes. {what} Nothing was changed; give --yes to take it{without}.")


def _keep_own_devices(new: Path, data_dir: Path) -> None:
    """Put the list of tablets of this data folder, if there is one, in place of the backup's. Raises OSError."""
    (new / TABLETS).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        atomic_files.write_atomically(new / TABLETS, (data_dir / TABLETS).read_bytes())


def _check_contents(packed: zipfile.ZipFile, archive: Path, without_foreign: bool) -> ArchiveContents:
    """Return the contents, after a check of every name and size."""
    # Python 3.11's is_dir raises for an entry without a name.
    entries = [entry for entry in packed.infolist() if not entry.filename.endswith("/")]
    if len(entries) > MOST_FILES:
        raise BadBackup(f"{archive} holds {len(entries)} files, which no backup does")
    wanted = [entry for entry in entries if _is_wanted(entry.filename, archive, without_foreign)]
    files = {entry.filename: entry for entry in wanted}
    if len(files) < len(wanted):
        raise BadBackup(f"{archive} holds a file twice, which no backup does")
    for entry in wanted:
        _check_entry(entry, archive)
    if MANIFEST not in files:
        raise BadBackup(f"{archive} is no backup of Vander: there is no {MANIFEST} in it")
    return ArchiveContents(_read_manifest(packed, files.pop(MANIFEST), archive), files)


def _is_wanted(name: str, archive: Path, without_foreign: bool) -> bool:
    """True if a file is to be unpacked. Raises BadBackup for one that Vander does not write, unless it is left out."""
    if data_folder.is_backed_up(name) or name == MANIFEST:
        return True
    if not (data_folder.is_unfinished(name) or without_foreign):
        raise BadBackup(
            f"{archive} holds a file that Vander does not write, {name[:80]!r}; nothing was changed: "
            "take another backup, or leave such files out with --without-foreign"
        )
    return False


def _read_manifest(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, archive: Path) -> BackupManifest:
    try:
        with packed.open(entry) as file:
            return BackupManifest.parse(file.read(LARGEST_MANIFEST))
    except (ValueError, RecursionError) as error:
        raise BadBackup(f"{archive} is no backup that this Vander can take: {error}") from None


def _check_entry(entry: zipfile.ZipInfo, archive: Path) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG) or entry.flag_bits & 0x1 or entry.compress_type not in PACKINGS:
        raise BadBackup(f"{archive} holds a link, or is packed in a way that backups are not: {entry.filename!r}")
    if entry.file_size > _largest(entry.filename):
        raise BadBackup(f"{archive} holds a file that is larger than Vander writes one, {entry.filename!r}")
    if entry.file_size > LONGEST_RATIO * max(1, entry.compress_size):
        raise BadBackup(f"{archive} holds a file that unpacks to more than it can be, {entry.filename!r}")


def _largest(name: str) -> float:
    """Return how large a file of this name may be."""
    return LARGEST_CERTIFICATE if name == "certificate.jsonl" else LARGEST_TEXTS.get(Path(name).suffix, math.inf)


def _check_room(wanted: ArchiveContents, archive: Path, data_dir: Path) -> None:
    free = shutil.disk_usage(data_dir).free
    if wanted.size + SPARE_BYTES > free:
        raise data_folder.Unwritten(
            f"{archive} takes {wanted.size / 1e6:.0f} megabytes, and {data_dir} has {free / 1e6:.0f} left: make room"
        )


def _unpack(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, new: Path, name: str) -> None:
    """Unpack one file with its time, for its owner alone; raise BadBackup if it is longer than its entry says."""
    left, to = entry.file_size, new / name
    for folder in reversed((to.parent, *to.parent.parents)):
        if folder.is_relative_to(new):
            folder.mkdir(atomic_files.PRIVATE_FOLDER, exist_ok=True)
    with packed.open(entry) as source, atomic_files.create_private(to) as file:
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise BadBackup(f"{entry.filename!r} unpacks to more than it says")
            file.write(chunk)
    _set_time(to, entry)


def _set_time(path: Path, entry: zipfile.ZipInfo) -> None:
    """Set a file's original time: on a full disk the oldest pictures are pruned first."""
    with suppress(ValueError, OverflowError, OSError):
        then = time.mktime((*entry.date_time, 0, 0, -1))
        os.utime(path, (then, then))


def _summary(data_dir: Path, unpacked: ArchiveContents, database: str) -> str:
    made_at, files = unpacked.manifest.made_at, unpacked.files
    told = f"{data_dir} holds {counted(len(files), 'file')} of the backup of {made_at:%Y-%m-%d %H:%M}."
    kept = data_dir / data_folder.PREVIOUS_DIR
    if kept.is_dir():
        told += f" What was there before lies in {kept} until the next time; it may be deleted."
    if database:
        told += " The journal of the settings lies in a database of its own and is as it was."
    return told
