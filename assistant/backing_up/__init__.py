"""The data folder in one file, and back again: a backup is a zip with a mark in it."""

from assistant.backing_up.marks import BEFORE, BadBackup
from assistant.backing_up.packing import backup
from assistant.backing_up.placing import finish
from assistant.backing_up.unpacking import restore

__all__ = ["BEFORE", "BadBackup", "backup", "finish", "restore"]
