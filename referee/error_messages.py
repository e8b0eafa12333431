"""What errors say, in words that can be said in another language."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Final

from referee.sentences import say


def message_of(error: Exception) -> str:
    """Return an error's message as it was given, which `str` of an exception would make a plain text in English."""
    is_message = len(error.args) == 1 and isinstance(error.args[0], str)
    return error.args[0] if is_message else str(error)


CAUSES: Final[Mapping[int, str]] = {
    errno.EACCES: say("Permission denied"),
    errno.EIO: say("Input/output error"),
    errno.EISDIR: say("Is a directory"),
    errno.ENODEV: say("No such device"),
    errno.ENOENT: say("No such file or directory"),
    errno.ENOSPC: say("No space left on device"),
    errno.ENOTDIR: say("Not a directory"),
    errno.EPERM: say("Operation not permitted"),
    errno.EROFS: say("Read-only file system"),
}
"""What the system says where it refuses something, of the errors that a disk or a cable brings about."""


def cause_of(error: Exception) -> str:
    """Return what the system says of an OSError; of another error, and where it says nothing, the error's message."""
    system = error if isinstance(error, OSError) else OSError()
    return CAUSES.get(system.errno or 0) or system.strerror or message_of(error)
