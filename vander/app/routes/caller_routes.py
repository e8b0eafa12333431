"""Routes of the caller: the page on which a family records its own voice, its clips, and the box's loudspeaker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from flask import Blueprint, Response, after_this_request, render_template

from referee.sentences import Reason, say
from referee.spoken_parts import LARGEST_RECORDING, LONGEST_RECORDING_S, FamilyVoice, SpokenLanguage, SpokenSentence
from vander.app.backends import backends, box_caller, caller_voices
from web.endpoints import (
    CHANGE_REFUSALS,
    HTML,
    JSON,
    MP3,
    WAV,
    cached_file,
    change_endpoint,
    json_endpoint,
    media_endpoint,
    posted_file,
)
from web.schemas.access_schemas import Role
from web.schemas.response_model import Count, Line, NameRequest, RequestModel

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


class BoxCallerRequest(RequestModel):
    """Choose what the caller says on the box's own loudspeaker."""

    level: Literal["off", "low", "all"]
    language: Annotated[str, Line(LONGEST_LANGUAGE)]
    example: ClassVar = {"level": "all", "language": "en"}


blueprint = Blueprint("caller", __name__)

OWN_MICROPHONE = "camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()"
"""The Permissions-Policy of the page that records, which alone may ask for a microphone."""


@blueprint.get("/caller")
@media_endpoint(HTML, Reason.NOT_FOUND)
def recording_page() -> str:
    """Return the page on which a family records its own voice for the caller."""
    caller_voices()
    after_this_request(_allow_microphone)
    return render_template("caller.html")


@blueprint.get("/api/caller")
@json_endpoint(CallerResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def caller_now() -> CallerResponse:
    """Return the voices of the family, and the languages in which one can be recorded."""
    found, https = caller_voices(), backends().https
    urls = https.urls() if https else ()
    box = backends().box_caller
    return CallerResponse(
        voices=tuple(found.voices()),
        languages=tuple(found.languages()),
        longest_s=LONGEST_RECORDING_S,
        secure_url=f"{urls[0]}/caller" if urls else "",
        box=box.level if box else "",
    )


@blueprint.get("/api/caller/sentences")
@json_endpoint(SentencesResponse, Reason.INVALID, Reason.NOT_FOUND)
def sentences(query: LanguageQuery) -> SentencesResponse:
    """Return what is recorded in a language."""
    return SentencesResponse(tuple(caller_voices().sentences(query.language)))


@blueprint.post("/api/caller/voices")
@json_endpoint(FamilyVoice, *CHANGE_REFUSALS)
def add_voice(body: NameRequest) -> FamilyVoice:
    """Begin a voice."""
    return caller_voices().add(body.name)


@blueprint.post("/api/caller/box")
@change_endpoint(caller_now, *CHANGE_REFUSALS)
def choose_on_box(body: BoxCallerRequest) -> None:
    """Choose what the caller says on the box's own loudspeaker."""
    box_caller().choose(body.level, body.language)


@blueprint.post("/api/caller/voices/<voice>/delete")
@change_endpoint(caller_now, *CHANGE_REFUSALS)
def delete_voice(voice: str) -> None:
    """Delete a voice with all of its recordings."""
    caller_voices().delete(voice)


@blueprint.post("/api/caller/voices/<voice>/recording")
@json_endpoint(FamilyVoice, Reason.INVALID, Reason.NOT_FOUND, Reason.UNAVAILABLE, takes=WAV)
def keep_recording(voice: str, query: SentenceQuery) -> FamilyVoice:
    """Keep a recording of a sentence: WAV with one channel of 16 bits at 16 kHz, 10 seconds at most."""
    return caller_voices().keep(voice, query.language, query.key, _read_recording())


@blueprint.get("/api/caller/voices/<voice>/recording")
@media_endpoint(WAV, Reason.INVALID, Reason.NOT_FOUND)
def recording(voice: str, query: SentenceQuery) -> Response:
    """Return a recording as it is kept."""
    return Response(caller_voices().recording(voice, query.language, query.key), mimetype=WAV)


@blueprint.get("/api/caller/voices/<voice>/clips/<language>.json")
@media_endpoint(JSON, Reason.NOT_FOUND, Reason.UNAVAILABLE, cached=True, role=Role.WATCHER)
def voice_index(voice: str, language: str) -> Response:
    """Return where in its sound each clip of a voice is."""
    return cached_file(caller_voices().clips(voice, language).index, JSON)


@blueprint.get("/api/caller/voices/<voice>/clips/<language>.mp3")
@media_endpoint(MP3, Reason.NOT_FOUND, Reason.UNAVAILABLE, cached=True, role=Role.WATCHER)
def voice_sound(voice: str, language: str) -> Response:
    """Return the sound of a voice's clips."""
    return cached_file(caller_voices().clips(voice, language).sound, MP3)


def _read_recording() -> bytes:
    most = LARGEST_RECORDING // 1024
    return posted_file(
        LARGEST_RECORDING,
        lambda size: say("A recording may have {most} KB, and this one has {size} KB.", most=most, size=size),
    )


def _allow_microphone(response: Response) -> Response:
    response.headers["Permissions-Policy"] = OWN_MICROPHONE
    return response
