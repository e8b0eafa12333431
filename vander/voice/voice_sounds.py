"""The short sounds of our own for the box's loudspeaker: the same notes as `web/static/voice/voice_sounds.js`.

A tablet makes them with oscillators, so that they need no file; a test holds both against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vander.voice.voice_sound import Samples

RISES_S = 0.008
"""How long a note takes to be as loud as it gets."""
FALLS_TO = 0.001
"""How loud a note is at its end."""
BEFORE_SPEECH_S = 0.25
"""How much of a sound is heard before words begin, at most."""


@dataclass(frozen=True)
class Note:
    """A note: when it begins and how long it lasts, in seconds; its pitch and where that glides to, in hertz."""

    at: float
    hertz: float
    lasts: float
    to: float = 0.0
    gain: float = 0.2
    wave: Literal["sine", "triangle"] = "sine"


def _chime(*pitches: float) -> tuple[Note, ...]:
    return tuple(Note(0.09 * place, hertz, 0.3) for place, hertz in enumerate(pitches))


SOUNDS: Mapping[str, tuple[Note, ...]] = {
    "accepted": (Note(0, 1320, 0.07, to=990, gain=0.12),),
    "score": _chime(660, 880),
    "come-in": _chime(523, 659, 784),
    "last-round": _chime(784, 784, 988),
    "win": (*_chime(523, 659, 784, 1047), Note(0.36, 1319, 0.6)),
    "stop": (Note(0, 392, 0.25, to=330, wave="triangle"),),
    "bust": (Note(0, 330, 0.4, to=110, gain=0.3, wave="triangle"),),
    "vander": (Note(0, 880, 0.3, to=220, wave="triangle"), Note(0.3, 140, 0.18, to=70, gain=0.4)),
    "ask": _chime(587, 740),
}


def sound_samples(name: str, rate: int) -> Samples:
    """Return a sound, without any sample for one that does not exist."""
    notes = SOUNDS.get(name, ())
    samples = np.zeros(int(_seconds(notes) * rate), np.float32)
    for note in notes:
        first = int(note.at * rate)
        played = _note(note, rate)[: len(samples) - first]
        samples[first : first + len(played)] += played
    return samples


def before_speech_s(name: str) -> float:
    """Return the seconds of a sound after which words may begin."""
    return min(BEFORE_SPEECH_S, _seconds(SOUNDS.get(name, ())))


def _seconds(notes: Iterable[Note]) -> float:
    return max((note.at + note.lasts for note in notes), default=0.0)


def _note(note: Note, rate: int) -> Samples:
    times = np.arange(int(note.lasts * rate)) / rate
    ratio = (note.to or note.hertz) / note.hertz
    pitch = note.hertz * ratio ** (times / note.lasts)
    wave = np.sin(2 * np.pi * (np.cumsum(pitch) - pitch) / rate)
    if note.wave == "triangle":
        wave = np.arcsin(wave) * 2 / np.pi
    fallen = note.gain * (FALLS_TO / note.gain) ** ((times - RISES_S) / (note.lasts - RISES_S))
    return (wave * np.where(times < RISES_S, note.gain * times / RISES_S, fallen)).astype(np.float32)
