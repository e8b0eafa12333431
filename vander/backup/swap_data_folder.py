"""Swap a restored data folder for the old one; an interrupted swap is undone, or completed by `finish_restore`.

All of it happens inside the data folder, so that its parent need not be writable. The new files lie in `.restore/new`
until they are complete and on disk. Renaming that to `.restore/ready` commits; every later step may be interrupted and
repeated: old files move to `.restore/old`, then `ready` is renamed to `placing` and the new files move up.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from models import atomic_files
from vander.storage.data_folder_names import PREVIOUS_DIR, RESTORE_DIR
from vander.storage.instance_lock import LOCK
from vander.storage.storage_errors import Unwritten

STAYS = frozenset({RESTORE_DIR, LOCK, "lost+found"})
"""Names that are never moved: the folder of the steps, the lock, and what belongs to the file system."""


def check_movable(data_dir: Path) -> None:
    """Check that no disk is mounted inside the folder, since it could not be moved. Raises Unwritten."""
    for path in _top_level(data_dir):
        if path.is_mount():
            raise Unwritten(f"a disk is mounted at {path}, which cannot be put aside: unmount it, restore, and copy it")


def prepare_restore(data_dir: Path) -> Path:
    """Return an empty folder to unpack into; leftovers of an earlier attempt are deleted. Raises OSError."""
    atomic_files.remove(data_dir / RESTORE_DIR)
    new = prepared(data_dir)
    new.parent.mkdir(atomic_files.PRIVATE_FOLDER)
    new.mkdir(atomic_files.PRIVATE_FOLDER)
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

    Call it first after locking the folder. Raises Unwritten.
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
    old.mkdir(atomic_files.PRIVATE_FOLDER, exist_ok=True)
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
