"""Restore a backup: check all of it, unpack it next to the old files, try the journal, and only then swap."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
import zipfile
import zlib
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from vander.access.device_store import TABLETS
from vander.backup import swap_data_folder
from vander.backup.backup_contents import JOURNAL, MANIFEST, PREVIOUS_DIR, BackupManifest, BadBackup, is_backed_up
from vander.backup.backup_creation import STDIO
from vander.storage import file_ownership, instance_lock
from vander.storage.journal_store import Journal
from vander.storage.storage_errors import BrokenJournal, Unwritten

DEEPEST, LONGEST_NAME, MOST_FILES = 16, 500, 2_000_000
LARGEST_MANIFEST = 10_000
SPARE_BYTES = 50_000_000
"""Bytes of the disk that must stay free after unpacking."""
LONGEST_RATIO = 1100
"""The largest ratio of a file's size to its packed size: deflate cannot exceed 1032."""
PACKINGS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_CHUNK = 1 << 20


@dataclass(frozen=True)
class ArchiveContents:
    """The manifest and the files of a backup that was checked."""

    manifest: BackupManifest
    files: dict[PurePosixPath, zipfile.ZipInfo]

    @property
    def size(self) -> int:
        """The bytes of all files, unpacked."""
        return sum(entry.file_size for entry in self.files.values())


def restore_backup(data_dir: Path, archive: Path, database: str = "") -> str:
    """Replace the contents of the data folder by a backup; no other program may use the folder meanwhile.

    The old files are kept in `before-restore` until the next restore. Return a summary for the user. Raises BadBackup,
    AlreadyRunning and Unwritten; the old files are unchanged then.
    """
    with ExitStack() as on_exit:
        on_exit.enter_context(instance_lock.hold(data_dir))
        swap_data_folder.finish_restore(data_dir)
        try:
            stream = on_exit.enter_context(_open_archive(archive, data_dir))
            manifest, files = _unpack_all(stream, archive, data_dir)
            swap_data_folder.commit_restore(data_dir)
        except OSError as error:
            if isinstance(error, BadBackup | Unwritten):
                raise
            raise Unwritten(f"{archive} cannot be restored to {data_dir}: {error.strerror or error}") from error
        finally:
            swap_data_folder.finish_restore(data_dir)
    return _summary(data_dir, manifest, files, database)


def _open_archive(archive: Path, data_dir: Path) -> IO[bytes]:
    if archive != STDIO:
        try:
            return archive.open("rb")
        except OSError as error:
            raise BadBackup(f"the backup {archive} cannot be read: {error.strerror}") from error
    kept = tempfile.TemporaryFile(dir=data_dir)  # noqa: SIM115  closed by who asked for it, as the other is
    shutil.copyfileobj(sys.stdin.buffer, kept)  # a zip needs a stream that can seek
    return kept


def _unpack_all(stream: IO[bytes], archive: Path, data_dir: Path) -> tuple[BackupManifest, int]:
    """Unpack everything next to the old files, and try the journal; return the manifest and how many files."""
    try:
        with zipfile.ZipFile(stream) as packed:
            wanted = _check_contents(packed, archive)
            _check_room(wanted, archive, data_dir)
            swap_data_folder.check_movable(data_dir)
            new = swap_data_folder.prepare_restore(data_dir)
            for name, entry in wanted.files.items():
                _unpack(packed, entry, new / name)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeDecodeError) as error:
        if isinstance(error, BadBackup | Unwritten):
            raise
        raise BadBackup(f"{archive} is no zip, or is damaged: take another backup") from error
    _try_journal(new / JOURNAL, archive)
    file_ownership.match_owner(data_dir, new.parent)
    return wanted.manifest, len(wanted.files)


def _check_contents(packed: zipfile.ZipFile, archive: Path) -> ArchiveContents:
    """Return the contents, after a check of every name and size."""
    # Python 3.11's is_dir raises for an entry without a name.
    entries = [entry for entry in packed.infolist() if not entry.filename.endswith("/")]
    if len(entries) > MOST_FILES:
        raise BadBackup(f"{archive} holds {len(entries)} files, which no backup does")
    files = {_check_name(entry, archive): entry for entry in entries}
    if len(files) < len(entries):
        raise BadBackup(f"{archive} holds a file twice, which no backup does")
    for entry in entries:
        _check_entry(entry, archive)
    if PurePosixPath(MANIFEST) not in files:
        raise BadBackup(f"{archive} is no backup of Vander: there is no {MANIFEST} in it")
    return ArchiveContents(_read_manifest(packed, files.pop(PurePosixPath(MANIFEST)), archive), files)


def _read_manifest(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, archive: Path) -> BackupManifest:
    try:
        with packed.open(entry) as file:
            return BackupManifest.parse(file.read(LARGEST_MANIFEST))
    except (ValueError, RecursionError) as error:
        raise BadBackup(f"{archive} is no backup that this Vander can take: {error}") from None


def _check_name(entry: zipfile.ZipInfo, archive: Path) -> PurePosixPath:
    """Return the file's name relative to the data folder. Raises BadBackup for one that no backup may hold."""
    name = entry.filename
    parts = name.split("/")
    if len(name) > LONGEST_NAME or len(parts) > DEEPEST or not name.isprintable() or "\\" in name:
        raise BadBackup(f"{archive} holds a file with an impossible name, {name[:80]!r}")
    whole = PurePosixPath(name)
    if any(part in ("", ".", "..") for part in parts) or not (is_backed_up(whole) or name in (JOURNAL, MANIFEST)):
        raise BadBackup(f"{archive} holds a file that does not belong in a backup, {name[:80]!r}")
    return whole


def _check_entry(entry: zipfile.ZipInfo, archive: Path) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG) or entry.flag_bits & 0x1 or entry.compress_type not in PACKINGS:
        raise BadBackup(f"{archive} holds a link, or is packed in a way that backups are not: {entry.filename!r}")
    if entry.file_size > LONGEST_RATIO * max(1, entry.compress_size):
        raise BadBackup(f"{archive} holds a file that unpacks to more than it can be, {entry.filename!r}")


def _check_room(wanted: ArchiveContents, archive: Path, data_dir: Path) -> None:
    free = shutil.disk_usage(data_dir).free
    if wanted.size + SPARE_BYTES > free:
        raise Unwritten(
            f"{archive} takes {wanted.size / 1e6:.0f} megabytes, and {data_dir} has {free / 1e6:.0f} left: make room"
        )


def _unpack(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, to: Path) -> None:
    """Unpack one file with its time; raise BadBackup if it is longer than its entry says."""
    left = entry.file_size
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise BadBackup(f"the backup holds {entry.filename!r} below a file") from None
    with packed.open(entry) as source, to.open("xb") as file:
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


def _try_journal(journal: Path, archive: Path) -> None:
    """Open the journal, which migrates an older one, and count it as it is: it lacks nothing. Raises BadBackup."""
    if not journal.is_file():
        return
    try:
        with closing(Journal.in_folder(journal.parent)) as restored:
            restored.accept_missing()
    except BrokenJournal as error:
        raise BadBackup(f"the journal in {archive} cannot be used: {error}") from error


def _summary(data_dir: Path, manifest: BackupManifest, files: int, database: str) -> str:
    told = f"{data_dir} holds the {files} files of the backup of {manifest.made_at:%Y-%m-%d %H:%M}."
    if (data_dir / TABLETS).exists():
        told += " Tablets that were forgotten since then may decide again: look at the list of tablets."
    kept = data_dir / PREVIOUS_DIR
    if kept.is_dir():
        told += f" What was there before lies in {kept} until the next time; it may be deleted."
    if database:
        told += " The journal of the settings lies in a database of its own and is as it was."
    return told
