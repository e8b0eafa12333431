"""The caller on the box's own loudspeaker: it follows the session as a tablet does, and says what snapshots bring."""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Literal

import numpy as np

from hardware.loudspeaker import Loudspeaker, NoLoudspeaker, find_player
from referee.sentences import Reason, Refused, as_whole, message_of, say
from referee.snapshot import Snapshot, SpokenPart
from referee.spoken_parts import Phrase, phrase_part
from vander.extras.voice import voice_pack
from vander.extras.voice.family_voices import FamilyVoices
from vander.storage.data_folder import Unwritten
from vander.storage.preferences import BoxSpeech, PreferenceStore
from vander.storage.settings import Settings
from web.authorization import SnapshotSource
from web.static_files import STATIC

# Players' names for the box's loudspeaker, spoken by espeak-ng where that is installed


log = logging.getLogger(__name__)

ENGINE = voice_pack.ENGINES["espeak-ng"]
LONGEST_S = 1.0
"""A program that has not spoken a name by then is not waited for."""
KEPT = 24
"""Names whose sound is kept: those of two tables full of people."""


class SpokenNames:
    """Says names in a language, at one rate. A name is spoken once and kept; one thread calls it."""

    def __init__(self, language: str, rate: int, engine: voice_pack.Engine = ENGINE) -> None:
        self._language, self._rate, self._engine = language, rate, engine
        self._kept: OrderedDict[str, voice_pack.Samples] = OrderedDict()

    def sound(self, name: str) -> voice_pack.Samples:
        """Return the sound of a name; no samples where it cannot be said."""
        if name not in self._kept:
            self._kept[name] = self._spoken(name)
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[name]

    def _spoken(self, name: str) -> voice_pack.Samples:
        if not name.strip() or not self._engine.is_installed:
            return np.zeros(0, np.float32)
        try:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "name.wav"
                self._engine.say(name, self._engine.voice_of(self._language), path, within_s=LONGEST_S)
                spoken = voice_pack.cut_clip(voice_pack.read_wav(path))
        except (voice_pack.VoiceError, OSError) as error:
            log.warning("caller: a name is left out: %s", error)
            return np.zeros(0, np.float32)
        return voice_pack.resampled(spoken, self._rate).samples


# The short sounds of our own for the box's loudspeaker: the same notes as `web/static/voice/voice_player.js`
#
# A tablet makes them with oscillators, so that they need no file; a test holds both against each other.


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


def sound_samples(name: str, rate: int) -> voice_pack.Samples:
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


def _note(note: Note, rate: int) -> voice_pack.Samples:
    times = np.arange(int(note.lasts * rate)) / rate
    ratio = (note.to or note.hertz) / note.hertz
    pitch = note.hertz * ratio ** (times / note.lasts)
    wave = np.sin(2 * np.pi * (np.cumsum(pitch) - pitch) / rate)
    if note.wave == "triangle":
        wave = np.arcsin(wave) * 2 / np.pi
    fallen = note.gain * (FALLS_TO / note.gain) ** ((times - RISES_S) / (note.lasts - RISES_S))
    return (wave * np.where(times < RISES_S, note.gain * times / RISES_S, fallen)).astype(np.float32)


# The caller on the box's own loudspeaker: it follows the session as a tablet does, and says what snapshots bring


LOOK_S = 0.5
"""How often the player is looked after while nothing is said."""
SETTLED_S = 20.0
"""Seconds after which nobody goes on recording: a sentence takes five."""
BREATH_S = 0.06
FINISH_S = 2.5
"""Words that end within this are finished before newer ones, which begin with a sound."""
MARK = 0.3
"""The first sample above this is the mark of a sound file, from which its clips are counted."""
OFF, ALL = "off", "all"
TRIAL = (phrase_part(Phrase.NEW_GAME),)
"""What is said when somebody lets the box speak, so that they hear that it does."""


class BoxVoice:
    """The clips of a voice at one rate, decoded; `names` says names at the same rate, and None leaves them out."""

    def __init__(self, clips: Mapping[str, voice_pack.Samples], rate: int, names: SpokenNames | None = None) -> None:
        self._clips, self._rate, self._names = clips, rate, names

    @property
    def rate(self) -> int:
        """Samples a second."""
        return self._rate

    def sound(self, parts: Iterable[SpokenPart]) -> bytes:
        """Return the samples of parts, 16 bits each; b"" where nothing is heard. Words begin before a sound is over."""
        at, pieces = 0, list[tuple[int, voice_pack.Samples]]()
        for part in parts:
            for samples, length in self._pieces(part):
                pieces.append((at, samples))
                at += length
        whole = np.zeros(max((begin + len(samples) for begin, samples in pieces), default=0), np.float32)
        for begin, samples in pieces:
            whole[begin : begin + len(samples)] += samples
        return voice_pack.pcm_bytes(voice_pack.Waveform(whole, self._rate))

    def _pieces(self, part: SpokenPart) -> Iterator[tuple[voice_pack.Samples, int]]:
        """Yield the sound of a part piece by piece, each with the samples after which the next one begins."""
        if part.sound:
            yield sound_samples(part.sound, self._rate), int(before_speech_s(part.sound) * self._rate)
            return
        name = self._names.sound(part.name) if part.name and self._names else np.zeros(0, np.float32)
        said = [name] if len(name) else []
        rows = part.clips if said or not part.unnamed else part.unnamed
        said += [self._clips[key] for key in next((row for row in rows if all(key in self._clips for key in row)), ())]
        yield from ((samples, len(samples)) for samples in said)
        if said:
            breath = int(BREATH_S * self._rate)
            yield np.zeros(breath, np.float32), breath


def load_box_voice(language: str, name: str, family: FamilyVoices) -> BoxVoice:
    """Return the voice of a language; `name` is a family's, '' for none. Raises VoiceError."""
    path = STATIC / "voice" / f"{language}.mp3"
    sound = voice_pack.read_mp3(path)
    clips = _cut(sound, path.with_suffix(".json").read_bytes())
    names = SpokenNames(language, sound.rate)
    return BoxVoice(clips | _own(language, name, family, sound.rate), sound.rate, names)


def _own(language: str, name: str, family: FamilyVoices, rate: int) -> dict[str, voice_pack.Samples]:
    """Return the clips of a family's voice; none of one that is not there, or has nothing in this language."""
    voice = family.named(name)
    if not voice:
        return {}
    try:
        found = family.clips(voice, language)
    except Refused as refused:
        log.warning("caller: voice %s left out: %s", voice, refused.sentence)
        return {}
    sound = voice_pack.decode_mp3(found.sound)
    if sound.rate != rate:
        raise voice_pack.VoiceError(f"the voices have {rate} and {sound.rate} samples a second")
    return _cut(sound, found.index)


def _cut(sound: voice_pack.Waveform, index: bytes) -> dict[str, voice_pack.Samples]:
    mark = int(np.argmax(np.abs(sound.samples) > MARK))
    places = json.loads(index)["clips"].items()
    firsts = {key: (mark + int(start * sound.rate), int(length * sound.rate)) for key, (start, length) in places}
    return {key: sound.samples[first : first + length] for key, (first, length) in firsts.items()}


class BoxVoices:
    """The voices that the box speaks with, as they are now; `name` is a family's voice, '' for none.

    A voice that was deleted is gone at once. What is recorded counts SETTLED_S after the last sentence, since a
    Raspberry Pi takes seconds to put a voice together.
    """

    def __init__(self, name: str, family: FamilyVoices, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._family, self._clock = name, family, clock
        self._recorded: tuple[str, int] = ("", 0)
        self._recorded_at = 0.0
        self._loaded: tuple[str, tuple[str, int]] | None = None
        self._voice = BoxVoice({}, 1)

    def voice(self, language: str) -> BoxVoice:
        """Return the voice of a language. Raises VoiceError, and then returns the voice before until one changes."""
        named = self._family.named(self._name) if self._name else ""
        recorded = named, self._family.changed_at(named, language) if named else 0
        if recorded != self._recorded:
            self._recorded, self._recorded_at = recorded, self._clock()
        if self._is_due(language):
            self._loaded = language, recorded
            self._voice = load_box_voice(language, self._name, self._family)
        return self._voice

    def _is_due(self, language: str) -> bool:
        """True if the voice is to be loaded: at first, in another language, or as it was recorded since."""
        if self._loaded is None or self._loaded[0] != language:
            return True
        is_another = self._recorded[0] != self._loaded[1][0]
        is_settled = self._clock() - self._recorded_at >= SETTLED_S
        return self._loaded[1] != self._recorded and (is_another or is_settled)


class BoxCallerSwitch:
    """How much the caller says on the box, and in which language: chosen on the page, else by the settings.

    Any thread may call any method.
    """

    def __init__(
        self, preferences: PreferenceStore, settings: Settings, find: Callable[[], Sequence[str]] = find_player
    ) -> None:
        self._preferences, self._settings, self._find = preferences, settings, find

    @property
    def speech(self) -> BoxSpeech:
        return self._preferences.speech(self._settings)

    @property
    def level(self) -> str:
        """How much the caller says: off, low or all."""
        return self.speech.level

    def choose(self, level: str, language: str) -> None:
        """Choose and keep what the caller says. Raises Refused."""
        if language not in voice_pack.languages():
            raise Refused(say("The caller has no voice for that language."), Reason.NOT_FOUND)
        if level != OFF and not self._find():
            raise Refused(
                say("The box has no program that plays the voice. Install one with `sudo apt install alsa-utils`."),
                Reason.UNAVAILABLE,
            )
        try:
            self._preferences.choose_speech(BoxSpeech(level, language))
        except Unwritten as error:
            raise Refused(as_whole(message_of(error)), Reason.UNAVAILABLE) from error


class BoxCaller:
    """Says on the box's loudspeaker what the table says, from `start` to `close`, as far as `speech` says then.

    `voice` returns the clips of a language as they are now and may raise VoiceError; it is asked at every look.
    """

    def __init__(
        self,
        table: SnapshotSource,
        speaker: Loudspeaker,
        voice: Callable[[str], BoxVoice],
        speech: Callable[[], BoxSpeech],
    ) -> None:
        self._table, self._speaker, self._voice_of, self._wanted = table, speaker, voice, speech
        self._speech: BoxSpeech | None = None
        self._voice = BoxVoice({}, 1)
        self._over, self._trouble = Event(), ""
        self._thread = Thread(target=self._follow, name="box-caller", daemon=True)

    def start(self) -> None:
        """Start to follow the session; nothing is said of what was there before."""
        self._thread.start()

    def close(self) -> None:
        """End what is said, and follow no more."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(2 * LOOK_S)

    def _follow(self) -> None:
        heard = self._table.snapshot()
        while not self._over.is_set():
            snapshot = self._table.wait(heard.number, min(LOOK_S, self._speaker.waits_s or LOOK_S))
            try:
                self._speaker.look()
                self._say((*self._take_choice(), *self._new_parts(heard, snapshot)))
            except NoLoudspeaker as error:
                self._report(str(error))
            except Exception as error:
                self._report(f"failed: {error}")
            heard = snapshot
        self._speaker.stop()

    def _take_choice(self) -> Sequence[SpokenPart]:
        """Go by what is chosen now; return what is said of that: a trial where somebody has just chosen it."""
        wanted, before = self._wanted(), self._speech
        self._speech = wanted
        if wanted.level == OFF:
            if wanted != before:
                self._speaker.stop()
            return ()
        self._voice = self._voice_of(wanted.language)
        return TRIAL if before is not None and wanted != before else ()

    def _new_parts(self, heard: Snapshot, snapshot: Snapshot) -> list[SpokenPart]:
        level = self._speech.level if self._speech else OFF
        new = (each for each in snapshot.utterances if each.number > heard.number and level != OFF)
        return [part for each in new if level in (each.level, ALL) for part in each.parts]

    def _say(self, parts: Sequence[SpokenPart]) -> None:
        """Say parts in place of what is being said, or after it where that is nearly over, as a tablet does.

        A correction begins with a word and ends what it corrects. A sound alone ends no words, and is left out then:
        the device plays one sound at a time.
        """
        samples, left_s = self._voice.sound(parts), self._speaker.left_s
        is_sound = all(part.sound for part in parts)
        if not samples or (is_sound and left_s):
            return
        say_it = self._speaker.follow if parts[0].sound and 0 < left_s < FINISH_S else self._speaker.play
        say_it(samples, self._voice.rate)

    def _report(self, trouble: str) -> None:
        """Log a trouble once, until another one comes."""
        if trouble != self._trouble:
            log.warning("caller: %s", trouble)
        self._trouble = trouble
