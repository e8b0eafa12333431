"""What the pages need of the running program for the caller: a family's voices, and the box's own loudspeaker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee.family_voice import FamilyVoice, SpokenLanguage, SpokenSentence, VoiceClips


class CallerBackend(Protocol):
    """The caller. Any thread may call any method; refusals are `Refused`, NOT_FOUND for what is not there."""

    def languages(self) -> Sequence[SpokenLanguage]:
        """Return the languages in which a voice can be recorded."""

    def sentences(self, language: str) -> Sequence[SpokenSentence]:
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


class BoxCallerBackend(Protocol):
    """The caller on the box's own loudspeaker. Any thread may call any method."""

    @property
    def level(self) -> str:
        """How much the caller says there: off, low or all."""

    def choose(self, level: str, language: str) -> None:
        """Choose and keep how much is said there, and in which language. Raises Refused."""
