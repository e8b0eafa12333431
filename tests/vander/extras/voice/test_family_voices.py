"""Voices that a family records: what is kept, what is refused, and the clips that they are put together to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import wave
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from models.atomic_files import PART
from referee.sentences import Reason, Refused
from referee.spoken_parts import RecordedSentences
from vander.extras.voice.family_voices import MOST_VOICES, FamilyVoices
from vander.extras.voice.voice_pack import LOUDNESS, Waveform, decode_mp3, languages, load_phrases, read_wav, wav_bytes
from vander.storage.data_folder import is_backed_up, is_ours

RATE = 16000
GERMAN = (RecordedSentences("de", ("your-turn", "bust")),)


def spoken(seconds: float = 0.5, hertz: float = 440, gain: float = 0.1) -> bytes:
    """A recording: somebody hums, with half a second of hiss before and after."""
    hiss = np.random.default_rng(1).normal(0, 0.003, int((seconds + 1) * RATE)).astype(np.float32)
    times = np.arange(int(seconds * RATE)) / RATE
    hiss[RATE // 2 : RATE // 2 + len(times)] += (gain * np.sin(2 * np.pi * hertz * times)).astype(np.float32)
    return wav_bytes(Waveform(hiss, RATE))


@pytest.fixture
def voices(tmp_path: Path) -> FamilyVoices:
    return FamilyVoices(tmp_path)


@pytest.fixture
def ann(voices: FamilyVoices) -> str:
    return voices.add("Ann").voice


def test_a_recording_is_kept_without_silence_and_as_loud_as_the_others(voices: FamilyVoices, ann: str) -> None:
    for gain in (0.02, 0.5):
        voices.keep(ann, "en", "your-turn", spoken(0.5, gain=gain))
        with wave.open(BytesIO(voices.recording(ann, "en", "your-turn"))) as file:
            assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
            assert 0.5 <= file.getnframes() / RATE <= 0.56
            samples = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
        assert np.sqrt((samples**2).mean()) == pytest.approx(LOUDNESS, rel=0.05)


def test_a_voice_counts_what_is_recorded_by_language_in_the_order_of_the_page(voices: FamilyVoices, ann: str) -> None:
    voices.keep(ann, "de", "bust", spoken())
    voices.keep(ann, "de", "your-turn", spoken())
    assert voices.keep(ann, "de", "your-turn", spoken()).recorded == GERMAN
    assert [(voice.name, voice.recorded) for voice in voices.voices()] == [("Ann", GERMAN)]


@pytest.mark.parametrize("language", languages())
def test_what_a_family_records_says_all_that_the_caller_says(
    voices: FamilyVoices, ann: str, language: str, tmp_path: Path
) -> None:
    phrases = load_phrases(language)
    path = tmp_path / "voices" / ann / language
    voices.keep(ann, language, "your-turn", spoken(0.1))
    for place, sentence in enumerate(voices.sentences(language)):
        name = sentence.key.replace(":", "-").replace("+", "-on") + ".wav"
        (path / name).write_bytes(wav_bytes(Waveform(_tone(300 + 20 * place), RATE)))
    index = json.loads(voices.clips(ann, language).index)
    assert set(index["clips"]) == set(phrases.clips)
    assert len(phrases.recorded) < 80
    assert len(voices.clips(ann, language).sound) < 3_000_000


def _tone(hertz: float, seconds: float = 0.15) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype(np.float32)


def _pitch(sound: Waveform, mark: int, start: float, length: float) -> float:
    first = mark + int(start * sound.rate)
    piece = sound.samples[first : first + int(length * sound.rate)]
    return float(np.fft.rfftfreq(8 * len(piece), 1 / sound.rate)[np.abs(np.fft.rfft(piece, 8 * len(piece))).argmax()])


def test_a_number_is_put_together_of_its_parts_in_the_order_of_its_language(voices: FamilyVoices, ann: str) -> None:
    pitches = {"20": 400.0, "4": 600.0, "and-4": 800.0}
    for language, keys in (("en", ("20", "4")), ("de", ("and-4", "20"))):
        for key in keys:
            voices.keep(ann, language, key, spoken(0.3, pitches[key]))
        found = voices.clips(ann, language)
        clips, sound = json.loads(found.index)["clips"], decode_mp3(found.sound)
        assert "24" in clips
        mark = int(np.argmax(np.abs(sound.samples) > 0.3))
        start, length = clips["24"]
        halves = [_pitch(sound, mark, start + part * length / 2, length / 2) for part in (0, 1)]
        assert halves == pytest.approx([pitches[key] for key in keys], abs=5)


def test_a_number_whose_parts_are_not_all_recorded_is_no_clip(voices: FamilyVoices, ann: str) -> None:
    voices.keep(ann, "en", "20", spoken())
    assert set(json.loads(voices.clips(ann, "en").index)["clips"]) == {"20"}


def test_a_sentence_that_is_recorded_again_replaces_the_earlier_one_in_the_clips(
    voices: FamilyVoices, ann: str
) -> None:
    voices.keep(ann, "en", "bust", spoken(0.3))
    before = voices.clips(ann, "en")
    voices.keep(ann, "en", "bust", spoken(0.9))
    assert json.loads(voices.clips(ann, "en").index)["clips"]["bust"][1] > json.loads(before.index)["clips"]["bust"][1]


STEREO = BytesIO()
with wave.open(STEREO, "wb") as _file:
    _file.setnchannels(2)
    _file.setsampwidth(2)
    _file.setframerate(RATE)
    _file.writeframes(bytes(4 * RATE))
SLOW = wav_bytes(Waveform(np.zeros(8000, np.float32), 8000))
GOOD = spoken()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", "That is no recording. Record it again."),
        (b"no sound at all", "That is no recording. Record it again."),
        (GOOD[:30], "That is no recording. Record it again."),
        (b"RIFF" + b"\xff" * 400, "That is no recording. Record it again."),
        (STEREO.getvalue(), "A recording has one channel of 16 bits at 16000 Hz."),
        (SLOW, "A recording has one channel of 16 bits at 16000 Hz."),
        (wav_bytes(Waveform(np.zeros(11 * RATE, np.float32), RATE)), "A recording may last 10 seconds."),
        (wav_bytes(Waveform(np.ones(100, np.float32), RATE)), "That was too short. Record it again."),
        (
            wav_bytes(Waveform(np.zeros(RATE, np.float32), RATE)),
            "Nothing was heard. Speak closer to the tablet, and record it again.",
        ),
    ],
)
def test_what_is_no_recording_is_refused_with_a_sentence_and_changes_nothing(
    voices: FamilyVoices, ann: str, sent: bytes, told: str, tmp_path: Path
) -> None:
    voices.keep(ann, "en", "bust", GOOD)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(Refused) as refused:
        voices.keep(ann, "en", "bust", sent)
    assert (str(refused.value.sentence), refused.value.reason) == (told, Reason.INVALID)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("voice", "language", "key"),
    [
        ("00000000", "en", "bust"),
        ("../../etc", "en", "bust"),
        ("ANN", "xx", "bust"),
        ("ANN", "../..", "bust"),
        ("ANN", "en", "../bust"),
        ("ANN", "en", "21"),
    ],
)
def test_what_is_not_there_is_not_found(voices: FamilyVoices, ann: str, voice: str, language: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        voices.keep(ann if voice == "ANN" else voice, language, key, GOOD)
    assert refused.value.reason is Reason.NOT_FOUND


def test_a_voice_has_a_name_of_its_own_and_there_are_not_too_many(voices: FamilyVoices, ann: str) -> None:
    for name in ("Ann", "ANN"):
        with pytest.raises(Refused, match="already"):
            voices.add(name)
    for number in range(MOST_VOICES - 1):
        voices.add(f"Voice {number}")
    with pytest.raises(Refused, match="12 voices already"):
        voices.add("One more")


def test_a_voice_that_is_deleted_leaves_nothing(voices: FamilyVoices, ann: str, tmp_path: Path) -> None:
    voices.keep(ann, "en", "bust", GOOD)
    voices.delete(ann)
    assert voices.voices() == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    with pytest.raises(Refused):
        voices.clips(ann, "en")


def test_a_voice_whose_deletion_was_cut_off_is_gone_after_a_start(
    voices: FamilyVoices, ann: str, tmp_path: Path
) -> None:
    voices.keep(ann, "en", "bust", GOOD)
    (tmp_path / "voices" / ann / "voice.toml").unlink()
    assert FamilyVoices(tmp_path).voices() == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_backup_holds_every_file_of_a_voice(voices: FamilyVoices, ann: str, tmp_path: Path) -> None:
    for language in languages():
        for sentence in voices.sentences(language):
            key = sentence.key
            assert is_backed_up(voices._path(ann, language, key).relative_to(tmp_path).as_posix()), key
    assert is_backed_up(f"voices/{ann}/voice.toml")
    assert is_ours(f"voices/{ann}/en/bust.wav{PART}")
    assert not is_backed_up(f"voices/{ann}/en/../bust.wav")


def test_a_full_disk_keeps_the_earlier_recording(
    voices: FamilyVoices, ann: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voices.keep(ann, "en", "bust", GOOD)
    before = voices.recording(ann, "en", "bust")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused) as refused:
        voices.keep(ann, "en", "bust", spoken(0.9))
    assert (refused.value.reason, str(refused.value.sentence)) == (
        Reason.UNAVAILABLE,
        "The box could not keep this: No space left on device.",
    )
    assert voices.recording(ann, "en", "bust") == before


def test_a_recording_cut_off_by_a_pulled_plug_is_there_whole_or_not_at_all(
    voices: FamilyVoices, ann: str, tmp_path: Path
) -> None:
    script = tmp_path / "keep.py"
    script.write_text(
        textwrap.dedent(f"""
        import sys
        from pathlib import Path
        from vander.extras.voice.family_voices import FamilyVoices
        voices, sounds = FamilyVoices(Path({str(tmp_path)!r})), [Path(each).read_bytes() for each in sys.argv[1:]]
        print("ready", flush=True)
        while True:
            for sound in sounds:
                voices.keep({ann!r}, "en", "bust", sound)
        """)
    )
    sounds = [tmp_path / f"{number}.raw" for number in (1, 2)]
    for path, seconds in zip(sounds, (0.3, 0.9), strict=True):
        path.write_bytes(spoken(seconds))
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    whole = (0.34, 0.54, 0.94)
    for wait_s in (0.0, 0.03, 0.11):
        running = subprocess.Popen([sys.executable, script, *sounds], stdout=subprocess.PIPE, env=env)  # noqa: S603
        assert running.stdout
        assert running.stdout.readline() == b"ready\n"
        time.sleep(0.05 + wait_s)
        running.send_signal(signal.SIGKILL)
        running.wait()
        running.stdout.close()
        kept = tmp_path / "voices" / ann / "en" / "bust.wav"
        if kept.exists():
            assert min(abs(len(read_wav(kept).samples) / RATE - seconds) for seconds in whole) < 0.05
        FamilyVoices(tmp_path).keep(ann, "en", "bust", GOOD)


def test_a_recording_that_a_disk_cut_short_is_said_to_be_unreadable(
    voices: FamilyVoices, ann: str, tmp_path: Path
) -> None:
    voices.keep(ann, "en", "your-turn", spoken())
    path = tmp_path / "voices" / ann / "en" / "your-turn.wav"
    path.write_bytes(path.read_bytes()[:1001])
    with pytest.raises(Refused, match="A recording cannot be read"):
        voices.clips(ann, "en")


def wav_of(rate: int, seconds: float = 0.5) -> bytes:
    sound = bytearray(wav_bytes(Waveform(np.zeros(int(seconds * RATE), np.float32), RATE)))
    sound[24:28] = rate.to_bytes(4, "little")
    return bytes(sound)


@pytest.mark.parametrize("recording", [wav_of(0), wav_of(2**31), wav_of(8000), wav_of(RATE, 60), b"RIFF", b"\xff" * 99])
def test_a_recording_of_another_form_that_came_with_a_backup_is_unreadable_and_hinders_nothing(
    voices: FamilyVoices, ann: str, tmp_path: Path, recording: bytes
) -> None:
    voices.keep(ann, "en", "your-turn", spoken())
    (tmp_path / "voices" / ann / "en/your-turn.wav").write_bytes(recording)
    with pytest.raises(Refused, match="cannot be read") as refused:
        voices.clips(ann, "en")
    assert refused.value.reason is Reason.UNAVAILABLE


@pytest.mark.parametrize(
    "text", [b"name = " + b"[" * 6000, b"name = [1]", b"[name]", b"\xff", b'name = "\\u001b[2J"', b""]
)
def test_a_voice_whose_name_is_none_goes_by_its_number(
    voices: FamilyVoices, ann: str, tmp_path: Path, text: bytes
) -> None:
    (tmp_path / "voices" / ann / "voice.toml").write_bytes(text)
    assert [voice.name for voice in voices.voices()] == [ann]
    voices.delete(ann)
    assert voices.voices() == []
