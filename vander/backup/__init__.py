"""Pack the data folder into one zip with a manifest (`create`), and restore it (`restore`, then `swap`)."""

from vander.backup.backup_contents import BadBackup
from vander.backup.backup_creation import create_backup
from vander.backup.backup_restore import RestoreChoices, restore_backup
from vander.backup.restore_consent import NotAgreed
from vander.backup.swap_data_folder import finish_restore
from vander.storage.data_folder_names import PREVIOUS_DIR

__all__ = [
    "PREVIOUS_DIR",
    "BadBackup",
    "NotAgreed",
    "RestoreChoices",
    "create_backup",
    "finish_restore",
    "restore_backup",
]
