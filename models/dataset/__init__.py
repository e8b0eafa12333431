"""The data set of captured dice: one folder on disk, and its exchange with other programs. See docs/captured.md."""

from models.dataset.dataset_errors import (
    BadCollection,
    BadExchange,
    BadShot,
    CapturedError,
    NoSuchSession,
    NoSuchShot,
    Unkept,
)
from models.dataset.import_export import FORMS, Exported, export, imported
from models.dataset.importer import Foreign, Imported
from models.dataset.near_duplicates import nearly_same
from models.dataset.sample_store import Collection
from models.dataset.samples import Label, Read, Session, Shot, Taken

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
