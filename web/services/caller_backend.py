"""What the pages need of the running program for the caller: the voices that a family records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

RECORDING_RATE = 16_000
"""Samples a second of a recording: mono, 16 bits each."""
SHORTEST_RECORDING_S, LONGEST_RECORDING_S = 0.2, 10
LARGEST_RECORDING = 2 * RECORDING_RATE * LONGEST_RECORDING_S + 4096
"""Bytes of a recording with its header."""


@dataclass(frozen=True)
class SpokenLanguage:
    """A language of the caller: its code, its own name, and how many sentences a family records in it."""

    language: str
    title: str
    sentences: int


@dataclass(frozen=True)
class SentenceToRecord:
    """What somebody reads aloud."""

    key: str
    text: str


@dataclass(frozen=True)
class FamilyVoice:
    """A voice of the family. `voice` is its number; `recorded` are the keys of its sentences by language."""

    voice: str
    name: str
    recorded: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class VoiceClips:
    """The clips of a voice in a language: `index` is JSON as that of the voices that ship, `sound` is MP3."""

    index: bytes
    sound: bytes


class CallerBackend(Protocol):
    """The caller. Any thread may call any method; refusals are `Refused`, NOT_FOUND for what is not there."""

    def languages(self) -> Sequence[SpokenLanguage]:
        """Return the languages in which a voice can be recorded."""

    def sentences(self, language: str) -> Sequence[SentenceToRecord]:
        """Return what is recorded in a language, what is said most first."""

    def voices(self) -> Sequence[FamilyVoice]:
        """Return the voices by their names."""

    def add(self, name: str) -> FamilyVoice:
        """Begin a voice. Raises Refused (CONFLICT) for a name that is taken, and where there are too many."""

    def delete(self, voice: str) -> None:
        """Delete a voice with all of its recordings."""

    def keep(self, voice: str, language: str, key: str, recording: bytes) -> FamilyVoice:
        """Keep a recording of a sentence, in place of an earlier one. Raises Refused (INVALID) for what is none."""

    def recording(self, voice: str, language: str, key: str) -> bytes:
        """Return a recording as it is kept, a WAV file."""

    def clips(self, voice: str, language: str) -> VoiceClips:
        """Return the clips that a voice has in a language."""
