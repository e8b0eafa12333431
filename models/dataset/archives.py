"""Zips and folders of unknown origin, checked before anything in them is opened."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from models.dataset.dataset_errors import ExchangeError
from models.dataset.samples import quoted

MOST_RATIO = 200
"""The largest compression ratio of a file: pictures and text stay far below it, zip bombs go far beyond."""
SMALL = 1_000_000
"""Bytes up to which a file may have any ratio."""
DEEPEST = 16

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
TEXTS = (".json", ".jsonl", ".txt", ".yaml", ".yml", ".names", ".labels")

_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class ImportLimits:
    """The most that is imported at once: files, bytes of all of them, and bytes of one text."""

    files: int = 100_000
    total: int = 4_000_000_000
    text: int = 100_000_000


LIMITS = ImportLimits()


@dataclass(frozen=True)
class FileTree:
    """The pictures and texts of a folder or zip by name, such as `data/x.jpg`; nothing else is ever opened.

    Names are `composed`.
    """

    name: str
    files: Mapping[str, Path]
    limits: ImportLimits = LIMITS

    def named(self, *endings: str) -> dict[str, Path]:
        """Return the files with these suffixes."""
        return {name: path for name, path in self.files.items() if name.lower().endswith(endings)}

    def text(self, name: str) -> str:
        """Return the contents of a text file. Raises ExchangeError."""
        path = self.files[name]
        if path.stat().st_size > self.limits.text:
            raise ExchangeError(f"{quoted(name)} has more than {self.limits.text / 1e6:g} megabytes")
        try:
            return path.read_text("utf-8-sig")
        except (UnicodeDecodeError, OSError):
            raise ExchangeError(f"{quoted(name)} cannot be read as text") from None


def composed(name: str) -> str:
    """Return a name with each letter and its marks as one sign: systems write the "ü" of the same file in two ways."""
    return unicodedata.normalize("NFC", name)


def open_tree(path: Path, unpack_to: Path, limits: ImportLimits = LIMITS) -> FileTree:
    """Open a folder, or a zip, which is unpacked into `unpack_to`. Raises ExchangeError and OSError.

    Refused are names that lead out of it, links, encrypted and special files, and whatever exceeds the limits.
    """
    if path.is_dir():
        return FileTree(path.name, _listed(path, limits), limits)
    if not path.is_file():
        raise ExchangeError(f"{path} does not exist; give a folder or a zip")
    with _zip(path) as archive:
        entries = _checked(archive, path, limits)
        unpack_to.mkdir(parents=True, exist_ok=True)
        places = {name: unpack_to / f"{n:06d}{PurePosixPath(name).suffix.lower()}" for n, name in enumerate(entries)}
        for name, place in places.items():
            _unpack(archive, entries[name], place)
    return FileTree(path.name, places, limits)


def _listed(folder: Path, limits: ImportLimits) -> dict[str, Path]:
    found: dict[str, Path] = {}
    total = 0
    for inner, folders, names in os.walk(folder, onerror=_unreadable):
        here = Path(inner)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        for name in [*folders, *sorted(names)]:
            if (here / name).is_symlink():
                raise ExchangeError(
                    f"{quoted(str((here / name).relative_to(folder)))} is a link; give the files themselves"
                )
        for path in (here / name for name in sorted(names) if is_wanted(name)):
            name = composed(path.relative_to(folder).as_posix())
            if name in found:
                raise ExchangeError(f"{folder} holds {quoted(name)} twice")
            found[name] = path
            total += path.stat().st_size
        _check_amount(len(found), total, folder, limits)
    return found


def _unreadable(error: OSError) -> None:
    raise ExchangeError(f"{error.filename} cannot be read: {error.strerror}")


@contextmanager
def _zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, ExchangeError):
            raise
        raise ExchangeError(f"{path} is no zip, or damaged; give a folder or a zip") from None


def _checked(archive: zipfile.ZipFile, path: Path, limits: ImportLimits) -> dict[str, zipfile.ZipInfo]:
    """Return the wanted entries by name, after all entries have been checked."""
    entries: dict[str, zipfile.ZipInfo] = {}
    whole = [entry for entry in archive.infolist() if not _is_folder(entry)]
    for entry in archive.infolist():
        name = _checked_name(entry.filename, path)
        _check_entry(entry, path)
        if name in entries:
            raise ExchangeError(f"{path} holds {quoted(name)} twice")
        if is_wanted(PurePosixPath(name).name) and not _is_folder(entry) and not name.startswith("__MACOSX/"):
            entries[name] = entry
    _check_amount(len(whole), sum(entry.file_size for entry in whole), path, limits)
    return entries


def _is_folder(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.endswith("/")  # Python 3.11's own is_dir fails for an entry without a name


def is_wanted(name: str) -> bool:
    """True if a file of that name is opened at all."""
    return name.lower().endswith((*PICTURES, *TEXTS)) and not name.startswith(".")


def _checked_name(name: str, path: Path) -> str:
    parts = composed(name).replace("\\", "/").removesuffix("/").split("/")
    if any(not part.isprintable() for part in parts) or len(name) > 500 or len(parts) > DEEPEST:
        raise ExchangeError(f"{path} holds a file with an impossible name, {quoted(name)}")
    if any(part in ("", ".", "..") or ":" in part or _DEVICE.fullmatch(part) for part in parts):
        raise ExchangeError(f"{path} holds a file whose name leads elsewhere, {quoted(name)}")
    return "/".join(parts)


def _check_entry(entry: zipfile.ZipInfo, path: Path) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ExchangeError(f"{path} holds a link or a device, {quoted(entry.filename)}; give the files themselves")
    if entry.flag_bits & 0x1:
        raise ExchangeError(f"{path} is encrypted; give it without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ExchangeError(f"{path} is packed in a way that is not read; pack it as a plain zip")
    if entry.file_size > SMALL and entry.file_size > MOST_RATIO * max(1, entry.compress_size):
        raise ExchangeError(f"{path} holds {quoted(entry.filename)}, which unpacks to far more than a picture could")


def _check_amount(files: int, total: int, path: Path, limits: ImportLimits) -> None:
    if files > limits.files:
        raise ExchangeError(f"{path} holds {files} files; more than {limits.files} are not taken at once")
    if total > limits.total:
        raise ExchangeError(f"{path} holds {total / 1e9:.1f} gigabytes; more than {limits.total / 1e9:g} are not taken")


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, to: Path) -> None:
    """Unpack one file under a name of our own, up to the size that its entry states."""
    left = entry.file_size
    with archive.open(entry) as packed, to.open("wb") as file:
        while chunk := packed.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise ExchangeError(f"{quoted(entry.filename)} unpacks to more than it says")
            file.write(chunk)
