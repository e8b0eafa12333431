"""The data set of captured dice: one folder on disk, and its exchange with other programs. See docs/captured.md."""

from models.captured.arrival import Foreign, Imported
from models.captured.collection import Collection
from models.captured.errors import (
    BadCollection,
    BadExchange,
    BadShot,
    CapturedError,
    NoSuchSession,
    NoSuchShot,
    Unkept,
)
from models.captured.exchange import FORMS, Exported, export, imported
from models.captured.likeness import nearly_same
from models.captured.shots import Label, Read, Session, Shot, Taken

__all__ = [
    "FORMS",
    "BadCollection",
    "BadExchange",
    "BadShot",
    "CapturedError",
    "Collection",
    "Exported",
    "Foreign",
    "Imported",
    "Label",
    "NoSuchSession",
    "NoSuchShot",
    "Read",
    "Session",
    "Shot",
    "Taken",
    "Unkept",
    "export",
    "imported",
    "nearly_same",
]
