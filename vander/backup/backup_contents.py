"""The manifest that identifies a backup, and which files of a data folder are in one."""

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
"""The version of the zip's layout; a later one is refused."""
JOURNAL, COUNT = "journal.sqlite", "journal.count"
"""The journal, and its count file, which a restore makes again: it may be newer than the journal that was packed."""
RESTORE_DIR, PREVIOUS_DIR = ".restore", "before-restore"
"""The folder in which a restore is prepared, and the one that keeps what the last restore replaced."""
NOT_BACKED_UP = frozenset({LOCK, RESTORE_DIR, PREVIOUS_DIR, COUNT, "box.key", "lost+found", MANIFEST})
"""Names at the top of the folder that are in no backup: made at each start or restore, or of one box alone."""
JOURNAL_COMPANIONS = f"{JOURNAL}-", f"{JOURNAL}."
"""Beginnings of the names of files that SQLite and migrations leave next to the journal."""


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


def is_backed_up(name: PurePosixPath) -> bool:
    """True if this file, named relative to the data folder, goes into a backup; the journal is packed separately."""
    top = name.parts[0]
    if top in NOT_BACKED_UP or (len(name.parts) == 1 and (top == JOURNAL or top.startswith(JOURNAL_COMPANIONS))):
        return False
    return not name.name.endswith(PART) and name.name != ".latch"
