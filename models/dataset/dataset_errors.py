"""What can go wrong with captured dice."""

from __future__ import annotations


class CapturedError(ValueError):
    """The root of what this package raises; each message is one sentence.

    CapturedError
    ├── BadCollection                 a folder that is no collection, or of a later form
    ├── BadShot                       a die, label or session that cannot be kept as it is
    ├── BadExchange                   a set of pictures that cannot be taken in, or a place it cannot be put out to
    ├── NoSuchShot (LookupError)      no picture of that name
    ├── NoSuchSession (LookupError)   no session of that name
    └── Unkept (OSError)              something could not be put on disk, so it did not happen
    """

    def __str__(self) -> str:
        return str(self.args[0])


class BadCollection(CapturedError):
    """A folder that is no collection of captured dice, or of a later form."""


class BadShot(CapturedError):
    """A die, a label or a session that cannot be kept as it is."""


class BadExchange(CapturedError):
    """A set of pictures that cannot be taken in, or a place that it cannot be put out to."""


class NoSuchShot(CapturedError, LookupError):
    """No captured die has that name."""


class NoSuchSession(CapturedError, LookupError):
    """No session has that name."""


class Unkept(CapturedError, OSError):
    """Something could not be put on disk, so it did not happen; all that was there still is."""
