"""Swap a restored data folder for the old one; an interrupted swap is undone, or completed by `finish_restore`.

All of it happens inside the data folder, so that nothing above it needs to be writable. What was prepared lies in
`.restore/new` until it is whole and on disk. Its renaming to `.restore/ready` is the one step that decides; from then
on every step may be cut short and done again: old files go to `.restore/old`, then, with the name `.restore/placing`,
the new ones come up.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from models import atomic_files
from vander.backup.manifest import PREVIOUS_DIR, RESTORE_DIR
from vander.storage.instance_lock import LOCK
from vander.storage.storage_errors import Unwritten

STAYS = frozenset({RESTORE_DIR, LOCK, "lost+found"})
"""What is never moved: the steps themselves, the lock of who makes them, and what belongs to the file system."""


def check_movable(data_dir: Path) -> None:
    """Make sure that no disk is mounted within the folder, since it could not be moved. Raises Unwritten."""
    for path in _tops(data_dir):
        if path.is_mount():
            raise Unwritten(f"a disk is mounted at {path}, which cannot be put aside: unmount it, restore, and copy it")


def prepare_restore(data_dir: Path) -> Path:
    """An empty folder to unpack a backup into; what an earlier try left is gone. Raises OSError."""
    atomic_files.remove(data_dir / RESTORE_DIR)
    new = data_dir / RESTORE_DIR / "new"
    new.mkdir(parents=True)
    return new


def commit_restore(data_dir: Path) -> None:
    """Make what was prepared the one that counts: before this the old files do, afterwards the new ones. OSError."""
    under_way = data_dir / RESTORE_DIR
    atomic_files.sync_all(under_way / "new")
    (under_way / "new").rename(under_way / "ready")
    atomic_files.sync(under_way)


def finish_restore(data_dir: Path) -> None:
    """Do the rest of a restoring that was decided on, and clear away one that was not; else do nothing.

    Whoever uses the folder alone calls it before anything else. Raises Unwritten.
    """
    if not (data_dir / RESTORE_DIR).is_dir():
        return
    try:
        _finish(data_dir, data_dir / RESTORE_DIR)
    except OSError as error:
        raise Unwritten(
            f"the restoring of {data_dir} was cut short and cannot be finished: {error.strerror or error}; "
            "nothing is lost, make room or mend the disk and start Vander again"
        ) from error


def _finish(data_dir: Path, under_way: Path) -> None:
    if (under_way / "ready").is_dir():
        _put_away(data_dir, under_way / "old")
        (under_way / "ready").rename(under_way / "placing")
        atomic_files.sync(under_way)
    if (under_way / "placing").is_dir():
        _bring_up(under_way / "placing", data_dir)
        _keep_the_last(under_way / "old", data_dir / PREVIOUS_DIR)
        (under_way / "placing").rmdir()
    atomic_files.remove(under_way)
    atomic_files.sync(data_dir)


def _put_away(data_dir: Path, old: Path) -> None:
    """Move the old files out of the way. One that is there already stays: its namesake was made in the middle of it."""
    old.mkdir(exist_ok=True)
    for path in _tops(data_dir):
        if (old / path.name).exists():
            atomic_files.remove(path)
        else:
            path.rename(old / path.name)
    atomic_files.sync(old)
    atomic_files.sync(data_dir)


def _bring_up(placing: Path, data_dir: Path) -> None:
    """Move the new files to their place, over what was made in the middle of it."""
    for path in _tops(placing):
        atomic_files.remove(data_dir / path.name)
        path.rename(data_dir / path.name)
    atomic_files.sync(data_dir)


def _keep_the_last(old: Path, before: Path) -> None:
    """Keep what was there before this restoring, and no more what was there before the one before."""
    if old.is_dir():
        atomic_files.remove(old / PREVIOUS_DIR)
        old.rename(before)


def _tops(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.iterdir()) if path.name not in STAYS)
