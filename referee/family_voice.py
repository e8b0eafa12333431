"""Voices for the caller that a family records: their values, as the pages and the running program pass them on."""

from __future__ import annotations

from dataclasses import dataclass

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
class SpokenSentence:
    """What somebody reads aloud."""

    key: str
    text: str


@dataclass(frozen=True)
class RecordedSentences:
    """The sentences that a voice has in a language, by their keys."""

    language: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class FamilyVoice:
    """A voice of the family."""

    voice: str
    """Its number, as addresses have it: `/api/caller/voices/{voice}/clips/{language}.mp3`."""
    name: str
    recorded: tuple[RecordedSentences, ...] = ()


@dataclass(frozen=True)
class VoiceClips:
    """The clips of a voice in a language: `index` is JSON as that of the voices that ship, `sound` is MP3."""

    index: bytes
    sound: bytes
