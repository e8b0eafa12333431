"""Files of the data folder besides the journal that may hold a name which is to be forgotten."""

from __future__ import annotations

import json
import lzma
import re
import shutil
import tomllib
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

import tomli_w

from models.atomic_files import remove
from referee.error_messages import cause_of
from referee.known_players import NamedVoice, VoiceWish, has_name, name_pattern, replace_name
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.storage.data_folder_names import JOURNAL, PREVIOUS_DIR, RESTORE_DIR, is_ours

OLD_JOURNALS = (f"{JOURNAL}.before-*", f"{JOURNAL}.unread-log")
"""What an update and a damaged log left. Each holds the names of all players of its time."""
DAMAGED_LISTS = "tablets.damaged-*.json"
BACKUPS = "vander-backup-*.zip"
VOICES = "voices/*/voice.toml"
"""The names of the voices that a family recorded for the caller."""
SETTINGS = "settings.toml"
"""May name the voice of the box's own loudspeaker."""
SOMEBODY = "Somebody"
"""Stands for a forgotten name in the name of a voice, as it does in that of a phone."""
_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".npz", ".film", ".wav", ".lock", ".key", ".crt", ".pem"})
_CHUNK, _LAP = 1 << 20, 1 << 10
"""Chunk size of the search in bytes, and the overlap of chunks, so that no name is cut in two."""
_LARGEST = 1 << 30
"""Bytes that are looked through in one file, or in one file of an archive."""
_UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)
"""What a file raises that cannot be read, or an archive that is damaged."""
_NUMBERS = re.compile(r"[A-Za-z0-9+/]{200,}={0,2}")
"""Numbers or a picture as base64, in which short names stand by chance."""
_OTHER_VOICE = re.compile(r"^\s*caller_voice\s*=.*$", re.MULTILINE)


def find_copies(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of old copies of the journal, and of damaged lists of tablets that hold the name."""
    lists = (path for path in _found(data_dir, DAMAGED_LISTS) if holds(path, name, others))
    return tuple(path.name for path in (*_found(data_dir, *OLD_JOURNALS), *lists))


def find_owners_copies(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Return what the owner may want deleted: what the last restore replaced, backups, and files with the name.

    The names are relative to the data folder. A backup is listed whatever it holds; of other files those that Vander
    does not need, such as exports that were left there.
    """
    previous = [PREVIOUS_DIR] if (data_dir / PREVIOUS_DIR).is_dir() else []
    backups = [path.name for path in _found(data_dir, BACKUPS)]
    theirs = (path for path in _searched(data_dir) if not is_ours(_name_in(data_dir, path)))
    found = (_name_in(data_dir, path) for path in theirs if holds(path, name, others))
    return (*previous, *backups, *found)


def find_held(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Return Vander's own files in which the name is written, such as the title of a die set: these are left."""
    ours = (path for path in _searched(data_dir) if is_ours(_name_in(data_dir, path)))
    return tuple(_name_in(data_dir, path) for path in ours if holds(path, name, others))


def remove_all(data_dir: Path, names: tuple[str, ...]) -> None:
    """Delete files that were found, as many as possible. Raises Refused (UNAVAILABLE) for the first that stays."""
    refusals: list[Refused] = []
    for name in names:
        try:
            _delete(data_dir / name)
        except Refused as refused:
            refusals.append(refused)
    if refusals:
        raise refusals[0]


def find_voices(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[NamedVoice, ...]:
    """Return the voices of the caller that bear a name, and not only as a part of another player's."""
    pattern = name_pattern(name, others=others)
    found = ((path.parent.name, _voice_name(path)) for path in _found(data_dir, VOICES))
    return tuple(NamedVoice(voice, called) for voice, called in found if has_name(called, pattern))


def voices_renamed(data_dir: Path, name: str, wish: VoiceWish, others: Collection[str] = ()) -> Mapping[Path, bytes]:
    """Return the new contents of the files that name a voice after somebody, as `wish` says, but for deleted ones.

    A voice of the loudspeaker that is deleted is taken out of the settings, one that is renamed is named anew there.
    """
    taken = {_voice_name(path).casefold() for path in _found(data_dir, VOICES)}
    new: dict[str, str] = {}
    contents: dict[Path, bytes] = {}
    for voice in find_voices(data_dir, name, others):
        without = replace_name(voice.name, name, SOMEBODY, any_case=True, others=others)
        called = "" if wish == "delete" else _free(without, taken)
        new[voice.name] = called
        taken.add(called.casefold())
        if called:
            contents[data_dir / "voices" / voice.voice / "voice.toml"] = tomli_w.dumps({"name": called}).encode()
    return {**contents, **_settings_with(data_dir / SETTINGS, new)}


def remove_voices(data_dir: Path, voices: tuple[NamedVoice, ...]) -> None:
    """Delete voices with their recordings, as far as possible; a voice is gone with its name."""
    for voice in voices:
        folder = data_dir / "voices" / voice.voice
        remove(folder / "voice.toml")
        remove(folder)


def holds(path: Path, name: str, others: Collection[str] = ()) -> bool:
    """True if a file holds a name as a word of its own, in whatever capitals; False for one that cannot be read.

    The names of `others` do not count. An archive is looked through file by file.
    """
    in_json = [json.dumps(other)[1:-1] for other in others]
    patterns = [name_pattern(name, others=others), name_pattern(json.dumps(name)[1:-1], others=in_json)]
    with suppress(*_UNREADABLE):
        if path.suffix.lower() != ".zip":
            with path.open("rb") as file:
                return _is_in(file, patterns)
        with zipfile.ZipFile(path) as packed:
            for entry in packed.infolist():
                with packed.open(entry) as file:
                    if has_name(entry.filename, patterns[0]) or _is_in(file, patterns):
                        return True
    return False


def _is_in(file: IO[bytes], patterns: Collection[re.Pattern[str]]) -> bool:
    """True if a stream holds a name, as text or as JSON without any other letters than those of ASCII."""
    before, read = b"", 0
    while read < _LARGEST and (chunk := file.read(_CHUNK)):
        text = _NUMBERS.sub(" ", (before + chunk).decode("utf-8", "replace"))
        if any(has_name(text, pattern) for pattern in patterns):
            return True
        before, read = chunk[-_LAP:], read + len(chunk)
    return False


def _searched(data_dir: Path) -> Iterator[Path]:
    """Yield the files in which a name may stand as text, without the journal, backups and what is listed as a whole."""
    for path in sorted(data_dir.rglob("*")):
        name = _name_in(data_dir, path)
        is_whole = name.startswith((JOURNAL, f"{PREVIOUS_DIR}/", f"{RESTORE_DIR}/")) or path.match(BACKUPS)
        if not is_whole and path.suffix.lower() not in _PICTURES and path.is_file() and not path.is_symlink():
            yield path


def _delete(path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(
            say("{file} may hold the name and cannot be deleted: {cause}.", file=path.name, cause=cause_of(error)),
            Reason.UNAVAILABLE,
        ) from error


def _settings_with(path: Path, voices: Mapping[str, str]) -> Mapping[Path, bytes]:
    """Return the settings with another voice of the loudspeaker, where they name one of these; else nothing."""
    with suppress(OSError, ValueError):
        written = path.read_text("utf-8")
        now = str(tomllib.loads(written).get("caller_voice", ""))
        if now in voices:
            line = tomli_w.dumps({"caller_voice": voices[now]}).strip()
            return {path: _OTHER_VOICE.sub(lambda _: line, written, count=1).encode()}
    return {}


def _voice_name(path: Path) -> str:
    with suppress(OSError, ValueError, RecursionError):
        name = tomllib.loads(path.read_text("utf-8")).get("name", "")
        return name if isinstance(name, str) else ""
    return ""


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no voice has yet."""
    number, free = 1, name
    while free.casefold() in taken:
        number += 1
        free = f"{name} {number}"
    return free


def _found(data_dir: Path, *patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        yield from sorted(data_dir.glob(pattern))


def _name_in(data_dir: Path, path: Path) -> str:
    return path.relative_to(data_dir).as_posix()
