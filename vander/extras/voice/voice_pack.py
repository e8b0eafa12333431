"""The pack of a language: what the caller says there, spoken by a program, and kept as MP3 with an index and a card."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
import wave
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
import soundfile
import tomli_w
from numpy.typing import NDArray

# What the caller says in a language: one file of phrases, words for rules, and numbers


PHRASES = Path(__file__).parent / "phrases"
TO_99, HUNDREDS, THOUSANDS = 100, 9, 20
"""How many words a language has for 0 to 99, for 100 to 900 and for 1000 to 20000."""

MOST_SAID = ("your-turn", "your-score", *map(str, (*range(1, 20), *range(20, 100, 10))), "hundred", "thousand")
"""What a family records first: `bench/clip_use.py` counts how often each recording is said in whole games."""


class BadPhrases(ValueError):
    """A language's file that is not there, or does not hold what the caller needs; the message names the place."""


@dataclass(frozen=True)
class SpokenPhrases:
    """All that is said in a language. `language` is its code, such as `de`; `title` its own name, such as `Deutsch`.

    `clips` maps a clip's key to its text: a phrase (`bust`), a rule (`rule:T.2-5`), a number at the end of what is said
    (`24`), or one that goes on (`2000+`), whose text ends with a comma so that the voice does not fall.
    `recorded` is what a family records in place of all clips, what is said most first: a clip or a part of numbers
    (`hundred`), with its text. `spelled` are the recordings of which a number's clip is put together, in order.
    """

    language: str
    title: str
    clips: Mapping[str, str]
    recorded: Mapping[str, str]
    spelled: Mapping[str, tuple[str, ...]]


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have phrases, in order."""
    return tuple(sorted(path.stem for path in PHRASES.glob("*.toml")))


def load_phrases(language: str) -> SpokenPhrases:
    """Return what is said in a language. Raises BadPhrases."""
    path = PHRASES / f"{language}.toml"
    if language not in languages():
        raise BadPhrases(f"there are no phrases for {language!r}; write {path.name}, or use {', '.join(languages())}")
    try:
        return read_phrases(path.read_text("utf-8"))
    except (BadPhrases, tomllib.TOMLDecodeError) as error:
        raise BadPhrases(f"{path.name}: {error}") from error


def read_phrases(text: str) -> SpokenPhrases:
    """Read the text of a language's file. Raises BadPhrases, or TOMLDecodeError for what is no TOML."""
    table = tomllib.loads(text)
    numbers = _part(table, "numbers", dict)
    clips = {
        **_texts(_part(table, "phrases", dict), "phrases"),
        **{f"rule:{rule}": said for rule, said in _texts(_part(table, "rules", dict), "rules").items()},
        **{str(value): said for value, said in enumerate(_row(numbers, "to_99", TO_99))},
        **_steps(_row(numbers, "hundreds", HUNDREDS), 100),
        **_steps(_row(numbers, "thousands", THOUSANDS), 1000),
    }
    recording = _part(table, "recorded", dict)
    recorded = _recorded(recording, clips)
    return SpokenPhrases(
        _part(table, "language", str), _part(table, "title", str), clips, recorded, _spelled(recording, recorded, clips)
    )


def _recorded(recording: Mapping[str, Any], clips: Mapping[str, str]) -> dict[str, str]:
    """Return what a family records: all that is no number, whole numbers, and the parts of others."""
    sentences = {key: said for key, said in clips.items() if not key.rstrip("+").isdigit()}
    whole = {str(value): clips[str(value)] for value in _part(recording, "whole", list) if str(value) in clips}
    found = sentences | whole | _texts(_part(recording, "parts", dict), "recorded.parts")
    order = {key: place for place, key in enumerate(MOST_SAID)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


def _spelled(
    recording: Mapping[str, Any], recorded: Mapping[str, str], clips: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the recordings of each number. Raises BadPhrases for one that is not recorded."""
    numbers = [key for key in clips if key.rstrip("+").isdigit()]
    spelled = {key: _spelling(recording, int(key.rstrip("+"))) for key in numbers}
    missing = [part for parts in spelled.values() for part in parts if part not in recorded]
    if missing:
        raise BadPhrases(f"numbers are put together of {missing[0]!r}, which is not in 'recorded'")
    return spelled


def _spelling(recording: Mapping[str, Any], value: int) -> tuple[str, ...]:
    if value in recording["whole"]:
        return (str(value),)
    exceptions: Mapping[str, str] = recording.get("exceptions", {})
    size, name = (1, "to_99") if value < 100 else (100, "hundreds") if value < 1000 else (1000, "thousands")
    pattern = exceptions.get(str(value)) or str(_part(recording, name, str))
    filled = pattern.format(ones=value % 10, tens=value - value % 10, place=value // size)
    return tuple(filled.split())


def _steps(words: list[str], size: int) -> dict[str, str]:
    ending = {str(place * size): said for place, said in enumerate(words, start=1)}
    return ending | {f"{value}+": f"{said}," for value, said in ending.items()}


def _part(table: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401  what TOML holds there
    if not isinstance(table.get(name), kind):
        raise BadPhrases(f"{name!r} is missing, or is no {kind.__name__}")
    return table[name]


def _texts(table: Mapping[str, Any], where: str) -> dict[str, str]:
    empty = [key for key, said in table.items() if not isinstance(said, str) or not said.strip()]
    if empty:
        raise BadPhrases(f"nothing is said for {empty[0]!r} in {where}")
    return dict(table)


def _row(numbers: Mapping[str, Any], name: str, length: int) -> list[str]:
    words: list[str] = _part(numbers, name, list)
    if len(words) != length or not all(isinstance(word, str) and word.strip() for word in words):
        raise BadPhrases(f"{name!r} has to hold {length} words")
    return words


# Programs that speak a text into a sound file: how each is called, and what may be done with what it says


SLOWEST_S = 60
"""The time that a program has for one sentence, or to encode a whole pack."""


class VoiceError(OSError):
    """A program that is not there, fails or hangs, or a recording that is missing; the message says what would help."""


@dataclass(frozen=True)
class Engine:
    """A program that speaks.

    `package` is the Debian package of the voice, `licence` what may be done with what it says. `voices` maps a
    language's code to a voice. `words(voice, path)` are the arguments with which the program reads a text on standard
    input and writes a WAV file to `path`; `argued` is True where the text is its last argument instead.
    """

    name: str
    program: str
    package: str
    licence: str
    voices: Mapping[str, str]
    words: Callable[[str, Path], tuple[str, ...]]
    argued: bool = False

    def voice_of(self, language: str) -> str:
        """Return the voice for a language. Raises VoiceError."""
        if language not in self.voices:
            raise VoiceError(f"{self.name} has no voice for {language!r}, only for {', '.join(self.voices)}")
        return self.voices[language]

    @property
    def is_installed(self) -> bool:
        return shutil.which(self.program) is not None

    def say(self, text: str, voice: str, path: Path, *, within_s: float = SLOWEST_S) -> None:
        """Speak a text into a WAV file. Raises VoiceError."""
        spoken = (text,) if self.argued else ()
        words = (*self.words(voice, path), *spoken)
        run_program(self.program, *words, package=self.package, said=text, within_s=within_s)

    def version(self) -> str:
        """Return the version of the voice's Debian package; raises VoiceError where it did not come from one."""
        return run_program("dpkg-query", "--show", "--showformat=${Version}", self.package, package="dpkg")


def run_program(name: str, *words: str, package: str, said: str = "", within_s: float = SLOWEST_S) -> str:
    """Run a program with a text on standard input, and return what it prints. Raises VoiceError."""
    path = shutil.which(name)
    if path is None:
        raise VoiceError(f"{name} is not installed; on Debian it is in the package {package}")
    try:
        done = subprocess.run(  # noqa: S603  a program of the developer's own machine, without a shell
            [path, *words], input=said.encode(), capture_output=True, timeout=within_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise VoiceError(f"{name} did not answer within {within_s:g} s") from None
    if done.returncode:
        raise VoiceError(f"{name} failed: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout.decode(errors="replace")


ENGINES = {
    each.name: each
    for each in (
        Engine(
            name="pico",
            program="pico2wave",
            package="libttspico-data",
            licence="Apache-2.0, the voice too; in Debian's non-free, since the voice's source is not published",
            voices={"en": "en-US", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "it": "it-IT"},
            words=lambda voice, path: (f"--lang={voice}", f"--wave={path}"),
            argued=True,
        ),
        Engine(
            name="espeak-ng",
            program="espeak-ng",
            package="espeak-ng-data",
            licence="GPL-3.0-or-later, the voice data too",
            voices={code: code for code in ("en", "de", "es", "fr", "it", "nl", "pl", "pt", "sv")},
            words=lambda voice, path: ("-v", voice, "-w", str(path), "--stdin"),
        ),
        Engine(
            name="flite",
            program="flite",
            package="flite",
            licence="BSD-like, of Carnegie Mellon University, the voice too",
            voices={"en": "slt"},
            words=lambda voice, path: ("-voice", voice, "-o", str(path), "-t"),
            argued=True,
        ),
        Engine(
            name="festival",
            program="text2wave",
            package="festvox-kallpc16k",
            licence="BSD-like, of Carnegie Mellon University, the voice too",
            voices={"en": "voice_kal_diphone"},
            words=lambda voice, path: ("-eval", f"({voice})", "-o", str(path)),
        ),
    )
}
"""The programs that `vander voice render` knows, by name."""


# Sound of clips as arrays: WAV files, the cut of a clip, its loudness, and all clips in one row


Samples = NDArray[np.float32]
"""Mono sound, -1..1."""

WINDOW_S = 0.005
LEAST_QUIET, MOST_QUIET, ABOVE_NOISE = 0.0012, 0.008, 4.0
"""A window is silent below so many times the quietest tenth of its clip, within these limits (root mean square).

The last f of a German "fünf" by SVOX Pico is at 0.004, its silence at 0.0004; a room with people is at 0.002.
"""
BELOW_PEAK = 0.1
"""Part of a clip's loudest window that may count as silence, too: a tablet's own microphone hisses at 0.01."""
LEAD_S, TAIL_S = 0.01, 0.03
"""What is kept before and after the sound of a clip, for soft beginnings and ends."""
LOUDNESS = 0.12
"""The root mean square that every clip is brought to, as far as its peaks allow."""
HIGHEST = 0.95
GAP_S = 0.08
"""Silence between two clips: decoders shift sound by some hundredths of a second."""
MARK_AT_S, MARK_S, MARK_HZ = 0.2, 0.04, 1000
"""A tone before all clips, by which the page finds how far its decoder shifts."""


@dataclass(frozen=True)
class Waveform:
    """Mono sound and its samples a second."""

    samples: Samples
    rate: int


@dataclass(frozen=True)
class Row:
    """All clips one after another, and where each begins and how long it is, in seconds from the mark's beginning."""

    sound: Waveform
    clips: Mapping[str, tuple[float, float]]


def read_wav(path: Path) -> Waveform:
    """Read a WAV file of 16 bits, of whose channels the first is taken. Raises VoiceError."""
    try:
        with wave.open(str(path)) as file:
            if file.getsampwidth() != 2:
                raise VoiceError(f"{path.name} has {8 * file.getsampwidth()} bits a sample; make it 16")
            raw = np.frombuffer(file.readframes(file.getnframes()), np.int16)
            return Waveform(raw[:: file.getnchannels()].astype(np.float32) / np.float32(32768), file.getframerate())
    except (OSError, EOFError, ValueError, wave.Error) as error:
        raise VoiceError(f"{path.name} cannot be read as a WAV file: {error}") from error


def write_wav(path: Path, sound: Waveform) -> None:
    """Write a WAV file of 16 bits."""
    path.write_bytes(wav_bytes(sound))


def wav_bytes(sound: Waveform) -> bytes:
    """Return a WAV file of 16 bits."""
    contents = BytesIO()
    with wave.open(contents, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes(pcm_bytes(sound))
    return contents.getvalue()


def pcm_bytes(sound: Waveform) -> bytes:
    """Return the samples alone, 16 bits each with the low byte first."""
    return (np.clip(sound.samples, -1, 1) * 32767).astype("<i2").tobytes()


def cut_clip(sound: Waveform, *, goes_on: bool = False) -> Waveform:
    """Return a clip without silence around it, as loud as all others; with `goes_on` up to its longest pause.

    Raises VoiceError for silence.
    """
    loud = _loud_windows(sound)
    if not loud.any():
        raise VoiceError("there is nothing to hear")
    window = int(WINDOW_S * sound.rate)
    first, last = int(loud.argmax()), len(loud) - int(loud[::-1].argmax())
    end = _longest_pause(loud, first, last) if goes_on else last
    begin = max(0, first * window - int(LEAD_S * sound.rate))
    samples = sound.samples[begin : end * window + int(TAIL_S * sound.rate)].copy()
    return Waveform(_faded(_levelled(samples), int(LEAD_S * sound.rate)), sound.rate)


def resampled(sound: Waveform, rate: int) -> Waveform:
    """Return a clip at another rate, without what that cannot hold."""
    length = round(len(sound.samples) * rate / sound.rate)
    spectrum = np.fft.rfft(sound.samples)[: length // 2 + 1]
    samples = np.fft.irfft(spectrum, length) * (length / len(sound.samples))
    return Waveform(samples.astype(np.float32), rate)


def _loud_windows(sound: Waveform) -> NDArray[np.bool_]:
    window = int(WINDOW_S * sound.rate)
    whole = sound.samples[: len(sound.samples) // window * window].reshape(-1, window)
    levels = np.sqrt((whole**2).mean(axis=1))
    if not len(levels):
        return np.zeros(0, np.bool_)
    most = max(MOST_QUIET, BELOW_PEAK * float(levels.max()))
    quiet = np.clip(ABOVE_NOISE * np.percentile(levels, 10), LEAST_QUIET, most)
    found: NDArray[np.bool_] = levels >= quiet
    return found


def _longest_pause(loud: NDArray[np.bool_], first: int, last: int) -> int:
    """Return the window in which the longest silence between the first and the last sound begins; `last` for none."""
    edges = np.flatnonzero(np.diff(loud[first:last].astype(int)))
    pauses = [(int(end - begin), first + int(begin) + 1) for begin, end in zip(edges[::2], edges[1::2], strict=False)]
    return max(pauses)[1] if pauses else last


def _levelled(samples: Samples) -> Samples:
    level = float(np.sqrt((samples**2).mean()))
    return samples * np.float32(min(LOUDNESS / level, HIGHEST / float(np.abs(samples).max())))


def _faded(samples: Samples, length: int) -> Samples:
    ramp = np.linspace(0, 1, length, dtype=np.float32)
    samples[:length] *= ramp
    samples[-length:] *= ramp[::-1]
    return samples


def joined(sounds: Iterable[Waveform]) -> Waveform:
    """Return sounds of one rate one after another, at least one."""
    pieces = tuple(sounds)
    return Waveform(np.concatenate([each.samples for each in pieces]), pieces[0].rate)


def in_a_row(clips: Mapping[str, Waveform]) -> Row:
    """Return all clips in one row after the mark. Raises VoiceError where their rates differ."""
    rates = {clip.rate for clip in clips.values()}
    if len(rates) != 1:
        raise VoiceError(f"all clips need the same rate, not {', '.join(map(str, sorted(rates)))} samples a second")
    rate = rates.pop()
    gap = np.zeros(int(GAP_S * rate), np.float32)
    pieces = [np.zeros(int(MARK_AT_S * rate), np.float32), _mark(rate), gap]
    places, at = dict[str, tuple[float, float]](), sum(map(len, pieces))
    for key, clip in clips.items():
        length = len(clip.samples)
        places[key] = (round(at / rate - MARK_AT_S, 4), round(length / rate, 4))
        pieces += [clip.samples, gap]
        at += length + len(gap)
    return Row(Waveform(np.concatenate(pieces), rate), places)


def _mark(rate: int) -> Samples:
    times = np.arange(int(MARK_S * rate)) / rate
    return (0.9 * np.sign(np.sin(2 * np.pi * MARK_HZ * times))).astype(np.float32)


# The pack of a language: all clips in one MP3 file, an index of them, and a card that says where they come from


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
    index = {"language": phrases.language, "title": phrases.title, "clips": row.clips}
    path.with_suffix(".json").write_text(json.dumps(index, separators=(",", ":")) + "\n", "utf-8")
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


# MP3, the form of the clips: written for tablets, and read for the box's own loudspeaker


COMPRESSION = 0.7
"""Of 0 to 1: about 32 kbit/s for speech at 16 kHz."""


def mp3_bytes(sound: Waveform) -> bytes:
    contents = BytesIO()
    soundfile.write(
        contents,
        sound.samples,
        sound.rate,
        format="MP3",
        subtype="MPEG_LAYER_III",
        compression_level=COMPRESSION,
        bitrate_mode="CONSTANT",
    )
    return contents.getvalue()


def read_mp3(path: Path) -> Waveform:
    """Return the sound of an MP3 file with one channel. Raises VoiceError."""
    return _read(path, path.name)


def decode_mp3(contents: bytes) -> Waveform:
    """Return the sound of MP3 with one channel. Raises VoiceError."""
    return _read(BytesIO(contents), "the voice")


def _read(source: Path | BytesIO, called: str) -> Waveform:
    try:
        samples, rate = soundfile.read(source, dtype="float32")
    except (soundfile.SoundFileError, OSError) as error:
        raise VoiceError(f"{called} cannot be read as MP3: {error}") from error
    return Waveform(samples if samples.ndim == 1 else samples[:, 0], rate)
