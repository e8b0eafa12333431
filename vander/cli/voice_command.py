"""`vander voice`: list what the caller says, and render it into the clips of a language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import BadParameter, Option

from vander.cli import command_app
from vander.extras.voice import voice_pack
from web.static_files import STATIC

EXPECTED_ERRORS = (voice_pack.BadPhrases, voice_pack.VoiceError)

RECORDINGS = "recordings"

Language = Annotated[str, Option(help="a language that has phrases, such as en or de")]

app = command_app("voice", "List what the caller says, and render it into the clips of a language.")


@app.command("list")
def list_phrases(
    language: Language, *, family: Annotated[bool, Option(help="only what a family records on the tablet")] = False
) -> None:
    """List what the caller says: the name of a recording, and its text."""
    phrases = voice_pack.load_phrases(language)
    for key, text in (phrases.recorded if family else phrases.clips).items():
        typer.echo(f"{voice_pack.file_name(key):<24} {text}")


@app.command()
def render(  # noqa: PLR0913  each is an option of the command
    language: Language,
    *,
    engine: Annotated[str, Option(help=f"{', '.join(voice_pack.ENGINES)}, or {RECORDINGS}")] = "pico",
    recordings: Annotated[Path | None, Option(help="the folder of recordings, named as `list` says")] = None,
    voice: Annotated[str, Option(help="another voice of the engine; whose voice was recorded")] = "",
    licence: Annotated[str, Option(help="what may be done with the recordings")] = "",
    to: Annotated[Path, Option(help="the folder for the clips", file_okay=False, exists=True)] = STATIC / "voice",
) -> None:
    """Render all that the caller says in a language into one sound file, with an index and a card."""
    phrases = voice_pack.load_phrases(language)
    speaker = _recorded(recordings, voice, licence) if engine == RECORDINGS else _spoken(engine, voice, phrases)
    words = f"vander voice render --language {language} --engine {engine}{f' --voice {voice}' if voice else ''}"
    path = voice_pack.render_pack(phrases, speaker, to, words)
    typer.echo(f"{path}: {len(phrases.clips)} clips, {path.stat().st_size} bytes")


def _recorded(folder: Path | None, voice: str, licence: str) -> voice_pack.Speaker:
    if not (folder and voice and licence):
        raise BadParameter(f"{RECORDINGS} need --recordings, --voice and --licence", param_hint="--engine")
    return voice_pack.Recorded(folder, voice, licence)


def _spoken(engine: str, voice: str, phrases: voice_pack.SpokenPhrases) -> voice_pack.Speaker:
    if engine not in voice_pack.ENGINES:
        raise BadParameter(
            f"'{engine}' is none of {', '.join(voice_pack.ENGINES)}, {RECORDINGS}", param_hint="--engine"
        )
    chosen = voice_pack.ENGINES[engine]
    return voice_pack.SpokenBy(chosen, voice or chosen.voice_of(phrases.language), phrases.clips["0"])
