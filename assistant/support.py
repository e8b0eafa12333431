"""`vander support`: one file for whoever helps."""

from __future__ import annotations

from pathlib import Path

from assistant.doctor import console, pack
from assistant.settings import Settings
from assistant.storage import StorageError
from models.captured import disk


class NotPacked(StorageError):
    """The file cannot be written; the message says why."""


def support(settings: Settings, path: Path, pictures: bool = False) -> None:
    """Write the pack, and say what to do with it. Raises NotPacked."""
    if path.exists():
        raise NotPacked(f"{path} is there already; name a new file, or move that one away")
    seen, findings = console.examination(settings)
    contents = pack.packed(settings, findings, pictures=pictures, view=seen.pixels if pictures else None)
    try:
        disk.write_whole(path, contents)
    except OSError as error:
        raise NotPacked(f"{path} cannot be written: {error.strerror or error}") from error
    print(f"{path} is packed ({len(contents) / 1000:.0f} kB). Look through it before you send it: it is plain text.")
