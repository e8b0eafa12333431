"""Pack the data folder into a zip with a manifest, also while people play."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO

from models import atomic_files
from referee.phrases import spell_list
from referee.record_parser import visible
from vander.storage.data_folder import JOURNAL, PREVIOUS_DIR, RESTORE_DIR, is_backed_up, is_ours
from vander.storage.sqlite_copy import copy_database
from vander.storage.storage_errors import StorageError, Unwritten

# The manifest that identifies a backup. What a backup holds is in `vander.storage.data_folder`


MANIFEST = "vander-backup.json"
"""The first file in every backup."""
VERSION = 1
"""The version of the zip's layout; a later one is refused."""
MOST_NAMED, LONGEST_SHOWN = 5, 120
"""How many names a sentence lists, and how many letters of each."""


class BadBackup(StorageError):
    """A file is no backup, is damaged, or holds what no backup may; nothing was changed."""


@dataclass(frozen=True)
class BackupManifest:
    """The version of Vander that made the backup, and when."""

    vander: str
    made_at: datetime

    @classmethod
    def of_now(cls) -> BackupManifest:
        """Return the manifest of a backup that this program makes now."""
        return cls(version("vander"), datetime.now().astimezone())

    def __str__(self) -> str:
        manifest = {
            "what": "vander backup",
            "version": VERSION,
            "vander": self.vander,
            "made_at": self.made_at.isoformat(),
        }
        return json.dumps(manifest, indent=1)

    @classmethod
    def parse(cls, text: str | bytes) -> BackupManifest:
        """Parse what `str` wrote. Raises ValueError, whose message continues "it is no backup that ...:"."""
        manifest = json.loads(text)
        if not isinstance(manifest, dict) or manifest.get("what") != "vander backup":
            raise ValueError("its manifest is not Vander's")
        if manifest.get("version") != VERSION:
            raise ValueError(f"it is laid out in the way {manifest.get('version')!r}, and this Vander knows {VERSION}")
        return cls(str(manifest.get("vander")), datetime.fromisoformat(str(manifest.get("made_at"))))


def name_some(names: Sequence[str]) -> str:
    """Return the first few names in words, safe to print in a terminal, and how many more there are."""
    shown = [visible(name[:LONGEST_SHOWN]) for name in names[:MOST_NAMED]]
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return spell_list([*shown, *more], "and")


# Pack the data folder into a zip, also while people play


PACKED_ALREADY = frozenset({".jpg", ".jpeg", ".png", ".webp", ".npz", ".zip"})
STDIO = Path("-")
"""Standard output for a backup, standard input for restoring."""


@dataclass(frozen=True)
class DataFolderFiles:
    """The files of a data folder: those to pack by their names, how many links, and the names that are not Vander's."""

    wanted: tuple[tuple[str, Path], ...]
    links: int
    foreign: tuple[str, ...]


@dataclass(frozen=True)
class PackedFiles:
    """What is in a backup, in numbers, and what was found and left out."""

    files: int
    links: int
    foreign: tuple[str, ...]


def create_backup(data_dir: Path, to: Path, database: str = "") -> str:
    """Pack a data folder into a new file, or into a folder under a name with the date; `-` is standard output.

    Vander may run meanwhile: the journal is copied as of one moment, with every picture that it names. A journal in
    a `database` of its own is not packed, nor is a file that Vander does not write. Return a summary for the user.
    Raises Unwritten.
    """
    if not data_dir.is_dir():
        raise Unwritten(f"there is no data folder {data_dir} to back up; name it with --data-dir")
    place = _target(to)
    try:
        with _open_stream(place) as stream:
            packed = _pack(data_dir, stream, place, with_journal=not database)
    except (OSError, sqlite3.Error, zipfile.LargeZipFile) as error:
        raise Unwritten(f"{data_dir} cannot be backed up to {to}: {getattr(error, 'strerror', 0) or error}") from error
    return " ".join(_summary(place, packed, database))


def _target(to: Path) -> Path:
    if to == STDIO:
        return to
    try:
        return _new_target(to)
    except OSError as error:
        raise Unwritten(
            f"{to} cannot be written: {error.strerror or error}; name another place, or - for standard output"
        ) from error


def _new_target(to: Path) -> Path:
    place = to / f"vander-backup-{datetime.now().astimezone():%Y%m%d-%H%M%S}.zip" if to.is_dir() else to
    if place.exists():
        raise Unwritten(f"{place} exists already and is left as it is; name another file")
    return place


@contextmanager
def _open_stream(place: Path) -> Iterator[IO[bytes]]:
    """Open the stream that the zip is written to; the file appears when it is complete and on disk."""
    if place == STDIO:
        yield sys.stdout.buffer
        return
    unfinished = place.with_name(place.name + atomic_files.PART)
    try:
        with atomic_files.create_private(unfinished) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(place)
        atomic_files.sync_folder(place.parent)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _pack(data_dir: Path, stream: IO[bytes], place: Path, with_journal: bool) -> PackedFiles:
    """Write the zip, the journal first: a picture is on disk before its entry."""
    with ExitStack() as until_packed:
        if (data_dir / "captured").is_dir():
            until_packed.enter_context(
                atomic_files.folder_lock(data_dir / "captured")
            )  # so that nothing is pruned meanwhile
        packed = until_packed.enter_context(zipfile.ZipFile(stream, "w", strict_timestamps=False))
        packed.writestr(MANIFEST, str(BackupManifest.of_now()))
        files = _pack_journal(data_dir / JOURNAL, packed) if with_journal else 0
        found = _list_files(data_dir, place)
        files += sum(_pack_file(packed, path, name) for name, path in found.wanted)
    return PackedFiles(files, found.links, found.foreign)


def _pack_journal(journal: Path, packed: zipfile.ZipFile) -> int:
    if not journal.is_file():
        return 0
    with tempfile.TemporaryDirectory(prefix="vander-") as folder:
        copy = Path(folder) / JOURNAL
        copy_database(journal, copy)
        return _pack_file(packed, copy, JOURNAL)


def _list_files(data_dir: Path, place: Path) -> DataFolderFiles:
    """Return the files of a data folder, lists of captured dice before their pictures.

    A sample is listed after its picture is written, so a listed one that is captured meanwhile has its picture.
    """
    paths = {path.relative_to(data_dir).as_posix(): path for path in data_dir.rglob("*")}
    links = {name for name, path in paths.items() if path.is_symlink()}
    files = {name: path for name, path in paths.items() if name not in links and path.is_file()}
    foreign = [name for name, path in files.items() if not is_ours(name) and not _is_target(path, place)]
    wanted = [(name, path) for name, path in files.items() if is_backed_up(name) and name != JOURNAL]
    wanted.sort(key=lambda item: (item[1].suffix.lower() in PACKED_ALREADY, item[0]))
    lost = [name for name in links if name != JOURNAL and name.split("/")[0] not in (RESTORE_DIR, PREVIOUS_DIR)]
    return DataFolderFiles(tuple(wanted), len(lost), tuple(sorted(foreign)))


def _is_target(path: Path, place: Path) -> bool:
    """True if the file is the backup that is being made, in the data folder itself."""
    return path.absolute() in (place.absolute(), place.absolute().with_name(place.name + atomic_files.PART))


def _pack_file(packed: zipfile.ZipFile, path: Path, name: str) -> int:
    """Pack one file, and return 1; 0 if it is gone, since old pictures may be pruned at any moment."""
    compression = zipfile.ZIP_STORED if path.suffix.lower() in PACKED_ALREADY else zipfile.ZIP_DEFLATED
    try:
        packed.write(path, name, compress_type=compression)
    except FileNotFoundError:
        return 0
    return 1


def _summary(place: Path, packed: PackedFiles, database: str) -> Iterator[str]:
    size = f" in {place.stat().st_size / 1e6:.1f} megabytes" if place != STDIO else ""
    yield f"{place if size else 'Standard output'} holds {packed.files} files{size}; `vander restore` takes it."
    if packed.links:
        yield f"{packed.links} links are not in it: back up what they lead to by itself."
    if packed.foreign:
        yield f"{len(packed.foreign)} files that Vander does not write are not in it: {name_some(packed.foreign)}."
    if database:
        yield "The journal is not in it: it lies in a database of its own, which has backups of its own."
