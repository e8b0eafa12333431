"""Names that may be a file's or a folder's on every system: those of die sets, kinds and faces."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names of devices, which Windows gives to no file."""


def is_plain(name: str) -> bool:
    """True if `name` has 1 to 60 small letters, digits and hyphens and is not reserved by an operating system."""
    return bool(_PLAIN.fullmatch(name)) and not is_reserved(name)


def is_reserved(name: str) -> bool:
    """True if Windows reserves `name` for a device."""
    return bool(_RESERVED.fullmatch(name))
