"""The data set of captured dice: one folder on disk, and its exchange with other programs. See docs/captured.md."""

from models.captured.collection import Collection
from models.captured.errors import BadCollection, CapturedError, NoSuchSession, NoSuchShot, Unkept
from models.captured.likeness import nearly_same
from models.captured.shots import Label, Read, Session, Shot, Taken

__all__ = [
    "BadCollection",
    "CapturedError",
    "Collection",
    "Label",
    "NoSuchSession",
    "NoSuchShot",
    "Read",
    "Session",
    "Shot",
    "Taken",
    "Unkept",
    "nearly_same",
]
