"""Sound of clips as arrays: WAV files, the cut of a clip, its loudness, and all clips in one row."""

from __future__ import annotations

import wave
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vander.voice.voice_engines import VoiceError

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
