"""Voices that a family records on a tablet: their sentences on disk, and the clips that they are put together to.

    voices/3f2a91c0/voice.toml          the name of a voice
    voices/3f2a91c0/de/your-turn.wav    a sentence, cut and levelled, mono at 16 kHz

A voice without `voice.toml` is none: that file is written last, and deleted first.
"""

from __future__ import annotations

import json
import re
import secrets
import tomllib
import wave
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock

import numpy as np
import tomli_w

from models.atomic_files import PRIVATE_FOLDER, remove, write_atomically
from referee.known_players import is_writable
from referee.sentences import Reason, Refused, say
from referee.spoken_parts import (
    LONGEST_RECORDING_S,
    RECORDING_RATE,
    SHORTEST_RECORDING_S,
    FamilyVoice,
    RecordedSentences,
    SpokenLanguage,
    SpokenSentence,
    VoiceClips,
)
from vander.extras.voice import voice_pack

FOLDER, NAME_FILE = "voices", "voice.toml"
MOST_VOICES = 12
_VOICE = re.compile(r"[0-9a-f]{8}", re.ASCII)
LONGEST_NAME = 200
"""Characters of a voice's name; the tablet sends shorter ones."""
KEPT_PACKS = 4
"""Packs that stay in memory: some hundred kilobytes each, and seconds of work on a Raspberry Pi."""


@dataclass(frozen=True)
class _Stamp:
    """A recording file and its modification time when its pack was built: the key of the cache."""

    path: Path
    changed_ns: int


class FamilyVoices:
    """The voices in a data folder. Any thread may call any method; refusals are `Refused`."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._lock = Lock()
        for path in self._folder.glob("*"):
            if _VOICE.fullmatch(path.name) and not (path / NAME_FILE).exists():
                remove(path)

    def languages(self) -> tuple[SpokenLanguage, ...]:
        return tuple(
            SpokenLanguage(code, _phrases(code).title, len(_phrases(code).recorded)) for code in voice_pack.languages()
        )

    def sentences(self, language: str) -> tuple[SpokenSentence, ...]:
        """Return what is recorded in a language, what is said most first."""
        return tuple(SpokenSentence(key, text) for key, text in _phrases(language).recorded.items())

    def voices(self) -> Sequence[FamilyVoice]:
        found = [
            self._voice(path) for path in self._folder.glob(f"*/{NAME_FILE}") if _VOICE.fullmatch(path.parent.name)
        ]
        return sorted(found, key=lambda voice: (voice.name.casefold(), voice.voice))

    def named(self, name: str) -> str:
        """Return the voice of a name, however it is typed; '' where there is none."""
        files = (path for path in self._folder.glob(f"*/{NAME_FILE}") if _VOICE.fullmatch(path.parent.name))
        return next((path.parent.name for path in files if _name(path).casefold() == name.casefold()), "")

    def changed_at(self, voice: str, language: str) -> int:
        """Return when a recording of a voice was last kept, in nanoseconds of the file system; 0 without any."""
        try:
            return (self._folder / voice / language).stat().st_mtime_ns
        except OSError:
            return 0

    def add(self, name: str) -> FamilyVoice:
        """Begin a voice."""
        with self._lock:
            known = self.voices()
            if name.casefold() in {voice.name.casefold() for voice in known}:
                raise Refused(say("There is a voice called {name} already.", name=name), Reason.CONFLICT)
            if len(known) >= MOST_VOICES:
                raise Refused(
                    say("There are {most} voices already. Delete one first.", most=MOST_VOICES), Reason.CONFLICT
                )
            voice = secrets.token_hex(4)
            self._write(self._folder / voice / NAME_FILE, tomli_w.dumps({"name": name}).encode())
            return FamilyVoice(voice, name)

    def delete(self, voice: str) -> None:
        with self._lock:
            folder = self._existing(voice)
            try:
                (folder / NAME_FILE).unlink()
            except OSError as error:
                raise _unwritten(error) from error
            remove(folder)

    def keep(self, voice: str, language: str, key: str, recording: bytes) -> FamilyVoice:
        """Keep a recording of a sentence, in place of an earlier one."""
        folder, path = self._existing(voice), self._path(voice, language, key)
        clip = _clip(recording)
        with self._lock:
            self._existing(voice)
            self._write(path, voice_pack.wav_bytes(clip))
        return self._voice(folder / NAME_FILE)

    def recording(self, voice: str, language: str, key: str) -> bytes:
        """Return a recording as it is kept, a WAV file."""
        self._existing(voice)
        try:
            return self._path(voice, language, key).read_bytes()
        except OSError:
            raise Refused(say("That sentence is not recorded yet."), Reason.NOT_FOUND) from None

    def clips(self, voice: str, language: str) -> VoiceClips:
        """Return the clips that a voice has in a language, in one sound."""
        folder = self._existing(voice)
        recorded = _phrases(language).recorded
        paths = {key: folder / language / voice_pack.file_name(key) for key in recorded}
        stamps = tuple((key, _Stamp(path, path.stat().st_mtime_ns)) for key, path in paths.items() if path.exists())
        try:
            packed = _packed(language, stamps)
        except (voice_pack.VoiceError, OSError) as error:
            raise Refused(say("A recording cannot be read. Record it again."), Reason.UNAVAILABLE) from error
        if packed is None:
            raise Refused(say("Nothing is recorded in that language yet."), Reason.NOT_FOUND)
        return packed

    def _voice(self, name_file: Path) -> FamilyVoice:
        folder = name_file.parent
        recorded = (RecordedSentences(code, self._recorded(folder / code, code)) for code in voice_pack.languages())
        return FamilyVoice(folder.name, _name(name_file), tuple(each for each in recorded if each.keys))

    @staticmethod
    def _recorded(folder: Path, language: str) -> tuple[str, ...]:
        there = {path.name for path in folder.glob("*.wav")}
        return tuple(key for key in _phrases(language).recorded if voice_pack.file_name(key) in there)

    def _existing(self, voice: str) -> Path:
        folder = self._folder / voice
        if not _VOICE.fullmatch(voice) or not (folder / NAME_FILE).exists():
            raise Refused(say("There is no such voice any more."), Reason.NOT_FOUND)
        return folder

    def _path(self, voice: str, language: str, key: str) -> Path:
        if key not in _phrases(language).recorded:
            raise Refused(say("The caller has no such sentence."), Reason.NOT_FOUND)
        return self._folder / voice / language / voice_pack.file_name(key)

    @staticmethod
    def _write(path: Path, contents: bytes) -> None:
        try:
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            write_atomically(path, contents)
        except OSError as error:
            raise _unwritten(error) from error


def _unwritten(error: OSError) -> Refused:
    return Refused(say("The box could not keep this: {why}.", why=error.strerror or str(error)), Reason.UNAVAILABLE)


def _name(path: Path) -> str:
    """Return a voice's name; a voice with a damaged file is listed by its folder number, so that it can be deleted."""
    try:
        name = tomllib.loads(path.read_text("utf-8"))["name"]
    except (OSError, ValueError, KeyError, RecursionError):
        return path.parent.name
    return name if isinstance(name, str) and is_writable(name) and len(name) <= LONGEST_NAME else path.parent.name


def _phrases(language: str) -> voice_pack.SpokenPhrases:
    """Return what is said in a language. Raises Refused."""
    if language not in voice_pack.languages():
        raise Refused(say("The caller does not speak that language."), Reason.NOT_FOUND)
    return _loaded(language)


_loaded = lru_cache(maxsize=None)(voice_pack.load_phrases)


def _clip(recording: bytes) -> voice_pack.Waveform:
    """Return what a tablet recorded, cut and levelled. Raises Refused."""
    try:
        with wave.open(BytesIO(recording)) as file:
            form = (file.getnchannels(), file.getsampwidth(), file.getframerate())
            frames = file.readframes(file.getnframes())
    except (wave.Error, EOFError, ValueError, RuntimeError):
        raise Refused(say("That is no recording. Record it again.")) from None
    if form != (1, 2, RECORDING_RATE):
        raise Refused(say("A recording has one channel of 16 bits at {rate} Hz.", rate=RECORDING_RATE))
    seconds = len(frames) / 2 / RECORDING_RATE
    if seconds > LONGEST_RECORDING_S:
        raise Refused(say("A recording may last {most} seconds.", most=LONGEST_RECORDING_S))
    if seconds < SHORTEST_RECORDING_S:
        raise Refused(say("That was too short. Record it again."))
    return _cut(frames)


def _cut(frames: bytes) -> voice_pack.Waveform:
    samples = np.frombuffer(frames[: len(frames) // 2 * 2], "<i2").astype(np.float32) / np.float32(32768)
    try:
        return voice_pack.cut_clip(voice_pack.Waveform(samples, RECORDING_RATE))
    except voice_pack.VoiceError:
        raise Refused(say("Nothing was heard. Speak closer to the tablet, and record it again.")) from None


@lru_cache(maxsize=KEPT_PACKS)
def _packed(language: str, stamps: tuple[tuple[str, _Stamp], ...]) -> VoiceClips | None:
    """Return the clips of recordings, None where they do not suffice for one. Raises VoiceError."""
    recorded = {key: _recording(stamp.path) for key, stamp in stamps}
    clips = _put_together(_loaded(language), recorded)
    if not clips:
        return None
    row = voice_pack.in_a_row(clips)
    index = {"language": language, "clips": row.clips}
    return VoiceClips(json.dumps(index, separators=(",", ":")).encode(), voice_pack.mp3_bytes(row.sound))


def _recording(path: Path) -> voice_pack.Waveform:
    """Return a recording as this program writes one; a file of another form came with a backup. Raises VoiceError."""
    sound = voice_pack.read_wav(path)
    if sound.rate != RECORDING_RATE or len(sound.samples) > LONGEST_RECORDING_S * RECORDING_RATE:
        raise voice_pack.VoiceError(
            f"{path.name} is no recording of the tablet's: it has {sound.rate} samples a second"
        )
    return sound


def _put_together(
    phrases: voice_pack.SpokenPhrases, recorded: Mapping[str, voice_pack.Waveform]
) -> dict[str, voice_pack.Waveform]:
    """Return the clips that can be said with these recordings: numbers are put together of their parts."""
    spelled = {key: phrases.spelled.get(key, (key,)) for key in phrases.clips}
    whole = {key: parts for key, parts in spelled.items() if all(part in recorded for part in parts)}
    return {key: voice_pack.joined(recorded[part] for part in parts) for key, parts in whole.items()}
