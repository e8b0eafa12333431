"""Pack the data folder into one zip with a manifest (`create`), and restore it (`restore`, then `swap`)."""

from vander.backup.backup_contents import PREVIOUS_DIR, BadBackup
from vander.backup.backup_creation import create_backup
from vander.backup.backup_restore import restore_backup
from vander.backup.swap_data_folder import finish_restore

__all__ = ["PREVIOUS_DIR", "BadBackup", "create_backup", "finish_restore", "restore_backup"]
