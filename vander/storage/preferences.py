"""What a table has chosen on its page, kept in `choices.toml` in the data folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from threading import Lock

from models.atomic_files import write_whole
from referee.refused import Refused
from vander.storage.storage_errors import StorageError, Unwritten
from web.schemas.learning_schemas import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK, Choices

LIMITS: Mapping[str, tuple[int, int]] = {
    "quota_mb": (LEAST_QUOTA_MB, MOST_QUOTA_MB),
    "check_one_in": (0, RAREST_CHECK),
}
"""The least and the most that may be chosen."""
MEANT = {
    "keep_play": "whether play is kept, true or false",
    "quota_mb": f"how many megabytes of play are kept, {LEAST_QUOTA_MB} to {MOST_QUOTA_MB}",
    "check_one_in": f"one throw in how many is asked about, 1 to {RAREST_CHECK}, or 0 for never",
}


class BadPreferences(StorageError):
    """The file of choices is damaged or says what cannot be; it is left as it is."""


class PreferenceStore:
    """What is chosen now, and the file that keeps it. Any thread may ask and choose.

    Raises BadPreferences when the file cannot be made sense of; without a file everything is as it comes.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "choices.toml"
        self._lock = Lock()
        self._now = _read(self._path)

    @property
    def now(self) -> Choices:
        """What is chosen now."""
        return self._now

    def choose(self, choices: Choices) -> Choices:
        """Choose anew. Raises Refused for what cannot be, Unwritten where it cannot be kept; nothing changes then."""
        wrong = _wrong(asdict(choices))
        if wrong:
            raise Refused(f"{wrong[:1].upper()}{wrong[1:]}.")
        with self._lock:
            _write(self._path, _text(choices))
            self._now = choices
        return choices


def _read(path: Path) -> Choices:
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Choices()
    except OSError as error:
        raise BadPreferences(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPreferences(
            f"{path} is damaged ({error}); mend it, or move it away and choose on the page anew"
        ) from error
    wrong = _wrong(written)
    if wrong:
        raise BadPreferences(f"{path}: {wrong}")
    return Choices(**written)


def _wrong(chosen: Mapping[str, object]) -> str:
    """What cannot be among the choices, in words; '' when all can."""
    for name, value in chosen.items():
        if name not in MEANT:
            return f"there is no choice {name!r}; there are {', '.join(MEANT)}"
        if not _can_be(name, value):
            return f"{MEANT[name]} ({name}), cannot be {value!r}"
    return ""


def _can_be(name: str, value: object) -> bool:
    if name not in LIMITS:
        return isinstance(value, bool)
    least, most = LIMITS[name]
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _text(choices: Choices) -> str:
    lines = (f"{one.name} = {str(getattr(choices, one.name)).lower()}" for one in fields(choices))
    return "".join(f"{line}\n" for line in ("# What was chosen on the page.", *lines))


def _write(path: Path, text: str) -> None:
    """Write the file so that a pulled plug leaves the old one or the new one. Raises Unwritten."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise Unwritten(f"what was chosen cannot be kept in {path}: {error.strerror}") from error
