"""Copies in the data folder that may hold a name which is to be forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from referee.error_messages import cause_of
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.storage.data_folder_names import JOURNAL, PREVIOUS_DIR

OLD_JOURNALS = (f"{JOURNAL}.before-*", f"{JOURNAL}.unread-log")
"""What an update and a damaged log left. Each holds the names of all players of its time."""
DAMAGED_LISTS = "tablets.damaged-*.json"
BACKUPS = "vander-backup-*.zip"
VOICES = "voices/*/voice.toml"
"""The names of the voices that a family recorded for the caller."""


def remove_copies(data_dir: Path, name: str) -> tuple[str, ...]:
    """Delete old copies of the journal, and damaged lists of tablets that hold the name; return the files' names.

    Raises Refused (UNAVAILABLE) where one cannot be deleted.
    """
    lists = (path for path in _found(data_dir, DAMAGED_LISTS) if holds(path, name))
    wanted = [*_found(data_dir, *OLD_JOURNALS), *lists]
    for path in wanted:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise Refused(
                say(
                    "{file} may hold the name and cannot be deleted: {cause}.",
                    file=path.name,
                    cause=cause_of(error),
                ),
                Reason.UNAVAILABLE,
            ) from error
    return tuple(path.name for path in wanted)


def find_owners_copies(data_dir: Path, name: str) -> tuple[str, ...]:
    """Return the backups in the data folder, the folder of what the last restore replaced, and voices of that name."""
    previous = [PREVIOUS_DIR] if (data_dir / PREVIOUS_DIR).is_dir() else []
    voices = (path.parent for path in _found(data_dir, VOICES) if holds(path, name))
    backups = (path.name for path in _found(data_dir, BACKUPS))
    return (*previous, *backups, *(str(voice.relative_to(data_dir)) for voice in voices))


def holds(path: Path, name: str) -> bool:
    """True if a text file holds a name, in whatever capitals; False for a file that cannot be read."""
    with suppress(OSError):
        text = path.read_text("utf-8", "replace")
        return bool(re.search(re.escape(name), text, re.IGNORECASE))
    return False


def _found(data_dir: Path, *patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        yield from sorted(data_dir.glob(pattern))
