"""JSON of the caller: the voices that a family records, and what is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from referee.family_voice import LONGEST_RECORDING_S, FamilyVoice, SpokenLanguage, SpokenSentence
from web.schemas.request_model import Line, Name, RequestModel
from web.schemas.response_model import Count, ResponseModel

LONGEST_LANGUAGE, LONGEST_KEY = 8, 32


@dataclass(frozen=True)
class SpokenLanguageSchema(ResponseModel):
    """A language in which a voice can be recorded."""

    language: str
    title: str
    sentences: Count
    """How many are recorded."""


@dataclass(frozen=True)
class RecordedSchema(ResponseModel):
    """What a voice has in a language."""

    language: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class FamilyVoiceSchema(ResponseModel):
    """A voice of the family."""

    voice: str
    """Its number, as addresses have it: `/api/caller/voices/{voice}/clips/{language}.mp3`."""
    name: str
    recorded: tuple[RecordedSchema, ...]

    @classmethod
    def of(cls, voice: FamilyVoice) -> FamilyVoiceSchema:
        """Return the JSON of a voice."""
        recorded = (RecordedSchema(language, tuple(keys)) for language, keys in voice.recorded.items())
        return cls(voice.voice, voice.name, tuple(recorded))


@dataclass(frozen=True)
class CallerResponse(ResponseModel):
    """The voices of the family, and the languages of the caller."""

    voices: tuple[FamilyVoiceSchema, ...]
    languages: tuple[SpokenLanguageSchema, ...]
    longest_s: Count
    """Seconds that a recording may last."""
    secure_url: str
    """An address over https, where a browser lends a page its microphone; '' for none."""
    box: str
    """How much the caller says on the box's own loudspeaker: off, low or all; '' where that cannot be chosen."""

    @classmethod
    def of(
        cls, voices: Sequence[FamilyVoice], languages: Sequence[SpokenLanguage], secure_url: str, box: str
    ) -> CallerResponse:
        """Return the JSON of these voices."""
        listed = tuple(SpokenLanguageSchema(each.language, each.title, each.sentences) for each in languages)
        return cls(tuple(map(FamilyVoiceSchema.of, voices)), listed, LONGEST_RECORDING_S, secure_url, box)


@dataclass(frozen=True)
class SentenceSchema(ResponseModel):
    """What somebody reads aloud."""

    key: str
    text: str


@dataclass(frozen=True)
class SentencesResponse(ResponseModel):
    """All that is recorded in a language, what is said most first."""

    sentences: tuple[SentenceSchema, ...]

    @classmethod
    def of(cls, sentences: Sequence[SpokenSentence]) -> SentencesResponse:
        """Return the JSON of these sentences."""
        return cls(tuple(SentenceSchema(each.key, each.text) for each in sentences))


class LanguageQuery(RequestModel):
    """Which language is meant."""

    language: Annotated[str, Line(LONGEST_LANGUAGE)]
    example: ClassVar = {"language": "en"}


class SentenceQuery(RequestModel):
    """Which sentence is meant."""

    language: Annotated[str, Line(LONGEST_LANGUAGE)]
    key: Annotated[str, Line(LONGEST_KEY)]
    example: ClassVar = {"language": "en", "key": "your-turn"}


class AddVoiceRequest(RequestModel):
    """Begin a voice."""

    name: Name
    example: ClassVar = {"name": "Ann"}


class BoxCallerRequest(RequestModel):
    """Choose what the caller says on the box's own loudspeaker."""

    level: Literal["off", "low", "all"]
    language: Annotated[str, Line(LONGEST_LANGUAGE)]
    example: ClassVar = {"level": "all", "language": "en"}
