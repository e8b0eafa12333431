"""The pack of a language: all clips in one MP3 file, an index of them, and a card that says where they come from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import tomli_w

from vander.voice.spoken_phrases import PHRASES, SpokenPhrases
from vander.voice.voice_engines import Engine, VoiceError, run_program
from vander.voice.voice_sound import Waveform, cut_clip, in_a_row, read_wav, write_wav

BITRATE = "24k"
"""Of MP3, which Chromium, Firefox and Safari all decode for Web Audio; an older Safari does not decode Opus in Ogg."""
LARGEST_PACK = 3_000_000
"""Bytes of a language's clips, for all games."""


class Speaker(Protocol):
    """What gives the sound of a clip: a program that speaks, or a folder of recordings."""

    def card(self) -> dict[str, str]:
        """Return what the card says of it: engine, voice, version and licence."""
        ...

    def sound(self, key: str, text: str) -> Waveform:
        """Return the sound of a clip, not cut yet. Raises VoiceError."""
        ...


@dataclass(frozen=True)
class SpokenBy:
    """Clips spoken by a program. `after` is spoken after a number that continues, so that its pitch stays up."""

    engine: Engine
    voice: str
    after: str

    def card(self) -> dict[str, str]:
        """Return what the card says of the program and its voice. Raises VoiceError."""
        engine = self.engine
        version = f"{engine.package} {engine.version()}"
        return {"engine": engine.name, "voice": self.voice, "version": version, "licence": engine.licence}

    def sound(self, key: str, text: str) -> Waveform:
        """Return what the program says. Raises VoiceError."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "clip.wav"
            self.engine.say(f"{text} {self.after}" if goes_on(key) else text, self.voice, path)
            return read_wav(path)


@dataclass(frozen=True)
class Recorded:
    """Clips that somebody has spoken, or another program: WAV files in a folder, each named by `file_name`."""

    folder: Path
    voice: str
    licence: str

    def card(self) -> dict[str, str]:
        """Return what the card says of the recordings."""
        return {"engine": "recordings", "voice": self.voice, "version": "", "licence": self.licence}

    def sound(self, key: str, text: str) -> Waveform:
        """Return a recording; a number that continues (`key+`) may use the file of `key`. Raises VoiceError."""
        path = self.folder / file_name(key)
        if goes_on(key) and not path.exists():
            path = self.folder / file_name(key.removesuffix("+"))
        if not path.exists():
            raise VoiceError(f"{path} is missing: record {text!r}")
        return read_wav(path)


def goes_on(key: str) -> bool:
    """True if a clip is a number after which another number follows."""
    return key.endswith("+")


def file_name(key: str) -> str:
    """Return the name of a clip's recording: `rule:T.2-5` is `rule-T.2-5.wav`, `2000+` is `2000-on.wav`."""
    return f"{key.replace(':', '-').replace('+', '-on')}.wav"


def render_pack(phrases: SpokenPhrases, speaker: Speaker, folder: Path, command: str) -> Path:
    """Write a language's sound, index and card into a folder, and return the sound's path. Raises VoiceError."""
    card = speaker.card()
    clips = {key: _clip(speaker, key, text) for key, text in phrases.clips.items()}
    row = in_a_row(clips)
    path = folder / f"{phrases.language}.mp3"
    _encode(row.sound, path)
    if path.stat().st_size > LARGEST_PACK:
        raise VoiceError(f"{path} has {path.stat().st_size} bytes, more than {LARGEST_PACK}; speak faster")
    _write_index(phrases, row.clips, path)
    _write_languages(folder)
    made = {"seconds": round(len(row.sound.samples) / row.sound.rate, 1), "clips": len(clips)}
    _write_card(phrases, {**card, **made, "remade_by": command}, path)
    return path


def _clip(speaker: Speaker, key: str, text: str) -> Waveform:
    try:
        is_cut = goes_on(key) and isinstance(speaker, SpokenBy)
        return cut_clip(speaker.sound(key, text), goes_on=is_cut)
    except VoiceError as error:
        raise VoiceError(f"{key}: {error}") from error


def _encode(sound: Waveform, path: Path) -> None:
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "all.wav"
        write_wav(whole, sound)
        plain = ("-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact")
        words = ("-y", "-loglevel", "error", "-i", str(whole), "-c:a", "libmp3lame", "-b:a", BITRATE, *plain, str(path))
        run_program("ffmpeg", *words, package="ffmpeg")


def _write_index(phrases: SpokenPhrases, clips: Mapping[str, tuple[float, float]], path: Path) -> None:
    index = {"language": phrases.language, "title": phrases.title, "clips": clips}
    path.with_suffix(".json").write_text(json.dumps(index, separators=(",", ":")) + "\n", "utf-8")


def _write_languages(folder: Path) -> None:
    """Write which languages the folder has, with their own names: the page offers these."""
    indexes = [json.loads(path.with_suffix(".json").read_text("utf-8")) for path in sorted(folder.glob("*.mp3"))]
    listed = [{name: each[name] for name in ("language", "title")} for each in indexes]
    (folder / "languages.json").write_text(json.dumps(listed) + "\n", "utf-8")


def _write_card(phrases: SpokenPhrases, facts: Mapping[str, object], path: Path) -> None:
    card = {
        "language": phrases.language,
        **facts,
        "encoder": f"MP3 at {BITRATE}bit/s, LAME by ffmpeg",
        "phrases_sha256": sha256((PHRASES / f"{phrases.language}.toml").read_bytes()).hexdigest(),
        "sha256": sha256(path.read_bytes()).hexdigest(),
    }
    path.with_suffix(".toml").write_text(tomli_w.dumps(card), "utf-8")
