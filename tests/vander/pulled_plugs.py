"""A backup and a restoring that are cut short before each thing they ask of the disk, and the finishing too.

Run as a program of its own, since it forks. Argument: a folder with `old`, a data folder, and `backup.zip`. Prints how
often there was no backup and how often a whole one, and how often the old and the new files stood at the end.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

from vander.backup import PREVIOUS_DIR, RestoreChoices, create_backup, restore_backup
from vander.storage.data_folder import JOURNAL, LOCK, finish_restore

ASKS = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.utime"}
"""The audit events by which Python tells of what it asks of the disk."""
CUT = 9
YES = RestoreChoices(agree=lambda _: True)
LONGEST_FINISH = 23
"""About so many things a finishing asks."""


def cut_short(work: Callable[[], object], after: int) -> bool:
    """Do the work in a process that is gone before it asks one thing more. Say whether it was."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == CUT
    left = after

    def listen(event: str, _arguments: object) -> None:
        nonlocal left
        left -= event in ASKS
        if left < 0:
            os._exit(CUT)

    sys.addaudithook(listen)
    work()
    os._exit(0)


def tree(folder: Path) -> dict[str, object]:
    """Every file of a data folder but locks, SQLite's own and what was there before; the journal by its contents."""
    return {
        name: _contents(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not (name := path.relative_to(folder).as_posix()).startswith((PREVIOUS_DIR, "journal.sqlite-"))
        and path.name not in (LOCK, ".latch")
    }


def _contents(path: Path) -> object:
    if path.name != JOURNAL:
        return path.read_bytes()
    with closing(sqlite3.connect(path)) as journal:
        return list(journal.iterdump())


def back_up(folder: Path, new: dict[str, object]) -> Counter[str]:
    """Cut a backup of `data` short later and later, until it is not; look each time at what is there."""
    found, cut = Counter[str](), True
    for after in count():
        cut = cut_short(lambda: create_backup(folder / "data", folder / "made.zip"), after)
        assert tree(folder / "data") == new, "a backup changed the data folder"
        whole = (folder / "made.zip").exists()
        assert whole or cut, "a backup that was not cut short is not there"
        if whole:
            shutil.rmtree(folder / "other", ignore_errors=True)
            restore_backup(folder / "other", folder / "made.zip", choices=YES)
            assert tree(folder / "other") == new, "a backup holds something else"
            (folder / "made.zip").unlink()
        found["whole" if whole else "none"] += 1
        if not cut:
            return found
    raise AssertionError("a backup has no end")


def restore(folder: Path, new: dict[str, object]) -> Counter[str]:
    """Cut a restoring short later and later, until it is not; look each time at what a start finds."""
    data, found = folder / "data", Counter[str]()
    old = tree(folder / "old")
    for after in count():
        shutil.rmtree(data)
        shutil.copytree(folder / "old", data)
        cut = cut_short(lambda: restore_backup(data, folder / "backup.zip", choices=YES), after)
        cut_short(lambda: finish_restore(data), 7 * after % LONGEST_FINISH)
        finish_restore(data)
        found[{str(old): "old", str(new): "new"}[str(tree(data))]] += 1
        if not cut:
            return found
    raise AssertionError("a restoring has no end")


def main(folder: Path) -> None:
    """Cut both short at every step."""
    shutil.copytree(folder / "old", folder / "data")
    restore_backup(folder / "data", folder / "backup.zip", choices=YES)
    new = tree(folder / "data")
    made, stands = back_up(folder, new), restore(folder, new)
    print(made["none"], made["whole"], stands["old"], stands["new"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
