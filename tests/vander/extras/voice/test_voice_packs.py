"""The clips that ship hold all that is said in their language, and their card says where they come from."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from referee.agreements import RULES
from referee.calls import Moment
from referee.games import games
from referee.spoken_parts import Phrase
from vander.cli.voice_command import app
from vander.extras.voice.voice_pack import (
    ENGINES,
    LARGEST_PACK,
    MARK_AT_S,
    PHRASES,
    BadPhrases,
    Recorded,
    VoiceError,
    Waveform,
    cut_clip,
    file_name,
    in_a_row,
    languages,
    load_phrases,
    read_phrases,
    read_wav,
    render_pack,
    write_wav,
)
from web.static_files import STATIC

SHIPPED = STATIC / "voice"
RATE = 16000


def tone(seconds: float, hertz: float = 440, rate: int = RATE) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate)).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(int(seconds * RATE), np.float32)


@pytest.mark.parametrize("language", languages())
def test_a_language_has_a_clip_for_all_that_is_said_in_it_and_no_other(language: str) -> None:
    index = json.loads((SHIPPED / f"{language}.json").read_text("utf-8"))
    assert list(index["clips"]) == list(load_phrases(language).clips)


@pytest.mark.parametrize("language", languages())
def test_the_clips_are_those_that_their_card_describes(language: str) -> None:
    card = tomllib.loads((SHIPPED / f"{language}.toml").read_text("utf-8"))
    sound = (SHIPPED / f"{language}.mp3").read_bytes()
    assert card["sha256"] == sha256(sound).hexdigest()
    assert card["phrases_sha256"] == sha256((PHRASES / f"{language}.toml").read_bytes()).hexdigest()
    assert all(card[fact] for fact in ("engine", "voice", "version", "licence", "remade_by"))
    assert len(sound) <= LARGEST_PACK


@pytest.mark.parametrize("language", languages())
def test_the_clips_follow_each_other_with_silence_between(language: str) -> None:
    clips = list(json.loads((SHIPPED / f"{language}.json").read_text("utf-8"))["clips"].values())
    gaps = [begin - (before + length) for (before, length), (begin, _) in pairwise(clips)]
    assert min(gaps) > 0.07
    assert all(0.1 < length < 5 for _, length in clips)


def test_all_languages_say_the_same() -> None:
    keys = {language: list(load_phrases(language).clips) for language in languages()}
    assert len(keys) >= 2
    assert all(each == keys["en"] for each in keys.values())


def test_the_pages_offer_the_languages_that_have_clips() -> None:
    listed = json.loads((SHIPPED / "languages.json").read_text("utf-8"))
    assert [each["language"] for each in listed] == list(languages())


def test_every_moment_has_a_phrase_and_every_phrase_for_a_rule_names_one() -> None:
    clips = load_phrases("en").clips
    assert {str(moment) for moment in Moment} <= set(clips)
    rules = RULES.union(*(game.rules for game in games()))
    assert {key.removeprefix("rule:") for key in clips if key.startswith("rule:")} <= rules


def test_every_phrase_that_the_caller_says_is_there() -> None:
    assert {str(phrase) for phrase in Phrase} <= set(load_phrases("en").clips)


def test_german_numbers_are_words_of_their_own() -> None:
    clips = load_phrases("de").clips
    assert [clips[key] for key in ("1", "21", "24", "100", "2000+")] == [
        "eins",
        "einundzwanzig",
        "vierundzwanzig",
        "einhundert",
        "zweitausend,",
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("[phrases]", "[sentences]"), "'phrases' is missing"),
        (('bust = "Bust!"', 'bust = " "'), "nothing is said for 'bust'"),
        (('"zero", ', ""), "'to_99' has to hold 100 words"),
        (('title = "English"', ""), "'title' is missing"),
    ],
)
def test_a_language_with_a_gap_is_refused_by_its_place(change: tuple[str, str], told: str) -> None:
    text = (PHRASES / "en.toml").read_text("utf-8")
    assert change[0] in text
    with pytest.raises(BadPhrases, match=re.escape(told)):
        read_phrases(text.replace(*change))


def test_a_clip_is_cut_to_its_sound() -> None:
    clip = cut_clip(Waveform(np.concatenate([silence(0.5), tone(0.4), silence(0.7)]), RATE))
    assert 0.4 <= len(clip.samples) / RATE <= 0.46


def test_a_number_that_goes_on_ends_at_its_longest_pause() -> None:
    said = [silence(0.2), tone(0.3), silence(0.03), tone(0.3), silence(0.25), tone(0.4), silence(0.2)]
    clip = cut_clip(Waveform(np.concatenate(said), RATE), goes_on=True)
    assert 0.63 <= len(clip.samples) / RATE <= 0.69


def test_all_clips_are_equally_loud() -> None:
    loud, soft = (cut_clip(Waveform(gain * tone(0.4), RATE)) for gain in (2.0, 0.2))
    assert np.sqrt((loud.samples**2).mean()) == pytest.approx(np.sqrt((soft.samples**2).mean()), rel=0.01)


def test_silence_is_no_clip() -> None:
    with pytest.raises(VoiceError, match="nothing to hear"):
        cut_clip(Waveform(silence(0.5), RATE))


def test_a_row_says_where_each_clip_is() -> None:
    row = in_a_row({"a": Waveform(tone(0.2), RATE), "b": Waveform(0.5 * tone(0.3), RATE)})
    for key, length in (("a", 0.2), ("b", 0.3)):
        begin, lasts = row.clips[key]
        first = int((MARK_AT_S + begin) * RATE)
        assert lasts == pytest.approx(length)
        assert np.abs(row.sound.samples[first + 5 : first + 100]).max() > 0.1
        assert not row.sound.samples[first - 100 : first - 5].any()


def test_clips_of_two_rates_are_no_row() -> None:
    with pytest.raises(VoiceError, match="8000, 16000"):
        in_a_row({"a": Waveform(tone(0.2), RATE), "b": Waveform(tone(0.2), 8000)})


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """A folder in which somebody has recorded all that is said, numbers that go on excepted."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    for place, key in enumerate(load_phrases("en").clips):
        if not key.endswith("+"):
            write_wav(folder / file_name(key), Waveform(tone(0.15, 300 + 5 * place), RATE))
    return folder


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="clips are encoded by ffmpeg")
def test_recordings_become_a_pack_with_the_same_keys(recordings: Path, tmp_path: Path) -> None:
    path = render_pack(load_phrases("en"), Recorded(recordings, "Ann", "ours"), tmp_path, "by hand")
    index = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert list(index["clips"]) == list(load_phrases("en").clips)
    card = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))
    assert (card["voice"], card["licence"], card["remade_by"]) == ("Ann", "ours", "by hand")
    assert json.loads((tmp_path / "languages.json").read_text("utf-8")) == [{"language": "en", "title": "English"}]


def test_a_recording_that_is_missing_is_named_with_its_text(recordings: Path, tmp_path: Path) -> None:
    (recordings / "rule-T.2-5.wav").unlink()
    with pytest.raises(VoiceError, match=r"rule-T\.2-5\.wav is missing: record 'Red light!"):
        render_pack(load_phrases("en"), Recorded(recordings, "Ann", "ours"), tmp_path, "by hand")


def test_a_file_that_is_no_sound_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bust.wav").write_text("no sound")
    with pytest.raises(VoiceError, match=r"bust\.wav cannot be read"):
        read_wav(tmp_path / "bust.wav")


def test_the_command_lists_what_is_to_be_recorded() -> None:
    listed = CliRunner().invoke(app, ["list", "--language", "de"]).output.splitlines()
    assert "rule-T.2-5.wav           Rote Ampel! Der Zug ist vorbei." in listed
    assert len(listed) == len(load_phrases("de").clips)


def test_a_voice_for_another_language_is_refused() -> None:
    with pytest.raises(VoiceError, match="flite has no voice for 'de', only for en"):
        ENGINES["flite"].voice_of("de")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_program_that_is_there_speaks(engine: str, tmp_path: Path) -> None:
    speaker = ENGINES[engine]
    if shutil.which(speaker.program) is None:
        pytest.skip(f"{speaker.program} is not installed")
    path = tmp_path / "said.wav"
    speaker.say("Two thousand.", speaker.voice_of("en"), path)
    assert 0.4 < len(cut_clip(read_wav(path)).samples) / read_wav(path).rate < 2
    assert speaker.version()
