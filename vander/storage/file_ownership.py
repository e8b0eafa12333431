"""Who may read the data folder: its owner alone, also where root writes into it, or where it was made too open."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

from vander.storage import data_folder_names

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
        if path.is_dir() or data_folder_names.is_ours(name):
            _close(path)
    if not _is_shared(folder):
        _close(folder)


def _below(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folders of Vander, all below them, and the files next to them, with names relative to `folder`."""
    for place, inner, files in os.walk(folder):
        here = Path(place)
        if here == folder:
            inner[:] = [name for name in inner if name in data_folder_names.FOLDERS]
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
