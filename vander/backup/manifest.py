"""What tells a backup from any other zip, and which files of a data folder are never in one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import PurePosixPath

from models.atomic_files import PART
from vander.storage.instance_lock import LOCK
from vander.storage.storage_errors import StorageError

MANIFEST = "vander-backup.json"
"""The first file in every backup."""
VERSION = 1
"""How the zip is laid out; a later one is refused."""
JOURNAL = "journal.sqlite"
RESTORE_DIR, PREVIOUS_DIR = ".restore", "before-restore"
"""The folder in which a restoring is prepared, and the one that holds what was there before the last."""
NOT_BACKED_UP = frozenset({LOCK, RESTORE_DIR, PREVIOUS_DIR, "box.key", "lost+found", MANIFEST})
"""What a start makes for itself, or what belongs to one box alone: never in a backup, at the top of the folder."""
JOURNAL_COMPANIONS = f"{JOURNAL}-", f"{JOURNAL}."
"""How the names of the files begin that SQLite and migrations leave beside the journal."""


class BadBackup(StorageError):
    """A file is no backup of Vander, or is damaged, or holds what no backup may; nothing was changed."""


@dataclass(frozen=True)
class BackupManifest:
    """Which Vander made the backup, and when."""

    vander: str
    made_at: datetime

    @classmethod
    def of_now(cls) -> BackupManifest:
        """The mark of a backup that is made now, by this program."""
        return cls(version("vander"), datetime.now().astimezone())

    def __str__(self) -> str:
        mark = {"what": "vander backup", "version": VERSION, "vander": self.vander, "made_at": self.made_at.isoformat()}
        return json.dumps(mark, indent=1)

    @classmethod
    def parse(cls, text: str | bytes) -> BackupManifest:
        """What `str` wrote. Raises ValueError, whose message ends the sentence "it is no backup that ..."."""
        mark = json.loads(text)
        if not isinstance(mark, dict) or mark.get("what") != "vander backup":
            raise ValueError("its mark is not Vander's")
        if mark.get("version") != VERSION:
            raise ValueError(f"it is laid out in the way {mark.get('version')!r}, and this Vander knows {VERSION}")
        return cls(str(mark.get("vander")), datetime.fromisoformat(str(mark.get("made_at"))))


def is_backed_up(name: PurePosixPath) -> bool:
    """Whether a file of a data folder, named from the folder on, goes into a backup; the journal goes by itself."""
    top = name.parts[0]
    if top in NOT_BACKED_UP or (len(name.parts) == 1 and (top == JOURNAL or top.startswith(JOURNAL_COMPANIONS))):
        return False
    return not name.name.endswith(PART) and name.name != ".latch"
