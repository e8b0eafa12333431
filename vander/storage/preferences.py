"""What a table has chosen on its page, kept in `choices.toml` in the data folder."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import get_args

import tomli_w

from models.atomic_files import write_atomically
from referee.sentences import Refused, as_whole, cause_of, message_of, say
from vander.storage.data_folder import StorageError, Unwritten
from vander.storage.settings import CallerLevel, Settings
from web.schemas.learning_schemas import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK, Choices

LIMITS: Mapping[str, tuple[int, int]] = {
    "quota_mb": (LEAST_QUOTA_MB, MOST_QUOTA_MB),
    "check_one_in": (0, RAREST_CHECK),
}
"""The least and the most that may be chosen."""
MEANINGS = {
    "keep_play": say("whether play is kept, true or false"),
    "quota_mb": say("how many megabytes of play are kept, {least} to {most}", least=LEAST_QUOTA_MB, most=MOST_QUOTA_MB),
    "check_one_in": say("one throw in how many is asked about, 1 to {most}, or 0 for never", most=RAREST_CHECK),
    "not_learned": say("of which dice nothing is learned while they are played with, a list of die sets"),
    "box_caller": say("what the caller says on the box's own loudspeaker: off, low (a little) or all"),
    "box_caller_language": say("the language of the caller on the box's own loudspeaker"),
}
FURTHER: Mapping[str, object] = {"not_learned": [], "box_caller": "", "box_caller_language": ""}
"""Further keys of the file with their defaults. A default is not written, so that earlier versions read the file."""
LANGUAGE_CODE = re.compile("[a-z]{2,3}", re.ASCII)
HEADER = "# What was chosen on the page.\n"


class BadPreferences(StorageError):
    """`choices.toml` is damaged or holds an impossible value; it is left as it is."""


@dataclass(frozen=True)
class BoxSpeech:
    """What the caller says on the box's own loudspeaker: `level` is off, low or all."""

    level: str
    language: str


@dataclass(frozen=True)
class _Kept:
    """Contents of the preferences file; `speech` is None if it was never chosen on the page."""

    choices: Choices = field(default_factory=Choices)
    not_learned: frozenset[str] = frozenset()
    speech: BoxSpeech | None = None


class PreferenceStore:
    """The preferences and their file. Any thread may read and save them.

    Without a file the defaults hold. Raises BadPreferences for a file that cannot be understood.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "choices.toml"
        self._lock = Lock()
        self._kept = _read(self._path)

    @property
    def current(self) -> Choices:
        return self._kept.choices

    def save(self, choices: Choices) -> Choices:
        """Save and return new preferences. Raises Refused for impossible values, and Unwritten."""
        problem = _problem(asdict(choices))
        if problem:
            raise Refused(as_whole(problem))
        with self._lock:
            self._keep(replace(self._kept, choices=choices))
        return choices

    def learns(self, die_set: str) -> bool:
        """True if Vander learns from these dice in play, which it does until somebody chooses otherwise."""
        return die_set not in self._kept.not_learned

    def set_learning(self, die_set: str, on: bool) -> None:
        """Choose whether Vander learns from these dice in play. Raises Unwritten."""
        with self._lock:
            before = self._kept.not_learned
            chosen = before - {die_set} if on else before | {die_set}
            self._keep(replace(self._kept, not_learned=chosen))

    def speech(self, settings: Settings) -> BoxSpeech:
        """Return what the caller says on the box: what was chosen on the page, else the settings."""
        return self._kept.speech or BoxSpeech(settings.caller, settings.caller_language)

    def choose_speech(self, speech: BoxSpeech) -> None:
        """Choose what the caller says on the box. Raises Unwritten."""
        with self._lock:
            self._keep(replace(self._kept, speech=speech))

    def _keep(self, kept: _Kept) -> None:
        _write(self._path, kept)
        self._kept = kept


def _read(path: Path) -> _Kept:
    """Return what the file holds. Raises BadPreferences."""
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return _Kept()
    except OSError as error:
        raise BadPreferences(say("{path} cannot be read: {cause}", path=path, cause=cause_of(error))) from error
    except (ValueError, RecursionError) as error:
        raise BadPreferences(
            say(
                "{path} is damaged ({cause}); mend it, or move it away and choose on the page again",
                path=path,
                cause=message_of(error),
            )
        ) from error
    problem = _problem(written)
    if problem:
        raise BadPreferences(say("{path} holds what cannot be chosen: {problem}", path=path, problem=problem))
    not_learned, level, language = (written.pop(name, unset) for name, unset in FURTHER.items())
    return _Kept(Choices(**written), frozenset(not_learned), BoxSpeech(level, language) if level and language else None)


def _problem(values: Mapping[str, object]) -> str:
    """Return what is wrong with these values, in words; '' for nothing."""
    for name, value in values.items():
        if name not in MEANINGS:
            return say("there is no choice {name}; there are {known}", name=repr(name), known=", ".join(MEANINGS))
        if not _is_possible(name, value):
            return say("{meaning} ({name}), cannot be {value}", meaning=MEANINGS[name], name=name, value=repr(value))
    return ""


def _is_possible(name: str, value: object) -> bool:
    if name == "not_learned":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if name == "box_caller":
        return value in get_args(CallerLevel)
    if name == "box_caller_language":
        return isinstance(value, str) and LANGUAGE_CODE.fullmatch(value) is not None
    if name not in LIMITS:
        return isinstance(value, bool)
    least, most = LIMITS[name]
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _write(path: Path, kept: _Kept) -> None:
    """Replace the file; a power failure leaves the old one or the new one. Raises Unwritten."""
    speech = kept.speech or BoxSpeech("", "")
    further = dict(zip(FURTHER, (sorted(kept.not_learned), speech.level, speech.language), strict=True))
    written = asdict(kept.choices) | {name: value for name, value in further.items() if value}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (HEADER + tomli_w.dumps(written)).encode())
    except OSError as error:
        raise Unwritten(
            say("what was chosen cannot be kept in {path}: {cause}", path=path, cause=cause_of(error))
        ) from error
