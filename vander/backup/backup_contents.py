"""The manifest that identifies a backup. What a backup holds is in `vander.storage.data_folder_names`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version

from referee.phrases import spell_list
from referee.record_format import visible
from vander.storage.storage_errors import StorageError

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
