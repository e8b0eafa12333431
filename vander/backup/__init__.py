"""The data folder in one file, and back again: a backup is a zip with a mark in it."""

from vander.backup.create import backup
from vander.backup.manifest import BEFORE, BadBackup
from vander.backup.restore import restore
from vander.backup.swap import finish

__all__ = ["BEFORE", "BadBackup", "backup", "finish", "restore"]
