"""A restoring that is cut short before each thing it asks of the disk, and its finishing too.

Run as a program of its own, since it forks. Argument: a folder with `old`, a data folder, and `backup.zip`. Prints how
often the old and the new files stood at the end.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

from vander.backup import PREVIOUS_DIR, finish_restore, restore_backup
from vander.storage.instance_lock import LOCK

ASKS = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.utime"}
"""The audit events by which Python tells of what it asks of the disk."""
CUT = 9
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


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a data folder but the lock and what was there before."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != LOCK and path.relative_to(folder).parts[0] != PREVIOUS_DIR
    }


def main(folder: Path) -> None:
    """Cut a restoring short later and later, until it is not; look each time at what a start finds."""
    data, stands = folder / "data", Counter[str]()
    old, cut = tree(folder / "old"), True
    shutil.copytree(folder / "old", data)
    restore_backup(data, folder / "backup.zip")
    new = tree(data)
    for after in count():
        shutil.rmtree(data)
        shutil.copytree(folder / "old", data)
        cut = cut_short(lambda: restore_backup(data, folder / "backup.zip"), after)
        cut_short(lambda: finish_restore(data), 7 * after % LONGEST_FINISH)
        finish_restore(data)
        stands[{str(old): "old", str(new): "new"}[str(tree(data))]] += 1
        if not cut:
            break
    print(stands["old"], stands["new"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
