"""Pack the data folder into one zip with a manifest (`creation`), and restore it (`restore`)."""

from vander.backup.creation import BadBackup, create_backup
from vander.backup.restore import NotAgreed, RestoreChoices, restore_backup
from vander.storage.data_folder import PREVIOUS_DIR

__all__ = [
    "PREVIOUS_DIR",
    "BadBackup",
    "NotAgreed",
    "RestoreChoices",
    "create_backup",
    "restore_backup",
]
