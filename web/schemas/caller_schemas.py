"""JSON of the caller: the voices that a family records, and what is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from referee.spoken_parts import FamilyVoice, SpokenLanguage, SpokenSentence
from web.schemas.response_model import Count, Line, Name, RequestModel

LONGEST_LANGUAGE, LONGEST_KEY = 8, 32


@dataclass(frozen=True)
class CallerResponse:
    """The voices of the family, and the languages of the caller."""

    voices: tuple[FamilyVoice, ...]
    languages: tuple[SpokenLanguage, ...]
    longest_s: Count
    """Seconds that a recording may last."""
    secure_url: str
    """An address over https, where a browser lends a page its microphone; '' for none."""
    box: str
    """How much the caller says on the box's own loudspeaker: off, low or all; '' where that cannot be chosen."""


@dataclass(frozen=True)
class SentencesResponse:
    """All that is recorded in a language, what is said most first."""

    sentences: tuple[SpokenSentence, ...]


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
