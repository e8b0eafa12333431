"""The caller on the box's own loudspeaker: a small program stands in for it, and writes down what it was given."""

from __future__ import annotations

import logging
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Condition

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.loudspeaker import Loudspeaker
from referee.sentences import Refused
from referee.snapshot import Snapshot, SpokenPart, Utterance
from referee.spoken_parts import number_part, phrase_part, sound_part
from vander.extras.voice.box_caller import (
    SETTLED_S,
    TRIAL,
    BoxCaller,
    BoxCallerSwitch,
    BoxVoice,
    BoxVoices,
    load_box_voice,
)
from vander.extras.voice.family_voices import FamilyVoices
from vander.extras.voice.voice_pack import Samples, Waveform, wav_bytes
from vander.storage.preferences import BoxSpeech, PreferenceStore
from vander.storage.settings import load

RATE = 16000
VOICE = BoxVoice(
    {key: np.full(160, level, np.float32) for key, level in (("bust", 0.5), ("2", 0.25), ("2+", 0.1))}, RATE
)
BUST = VOICE.sound([phrase_part("bust")])
WRITES = """import os, sys
part = sys.argv[1] + str(os.getpid())
open(part, "wb").write(sys.stdin.buffer.read())
os.rename(part, part + ".raw")"""
HOLDS = """import os, sys, time
open(sys.argv[1] + str(os.getpid()) + ".begun", "w").close()
while os.path.exists(sys.argv[2]): time.sleep(0.02)
"""
"""Plays on for as long as a file is there."""


class StubTable:
    """Shows the snapshots that a test gives it."""

    def __init__(self) -> None:
        self._changed, self._now = Condition(), Snapshot(1)

    def snapshot(self) -> Snapshot:
        return self._now

    def wait(self, number: int, timeout: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._now.number != number, timeout)
            return self._now

    def say(self, number: int, *utterances: Utterance) -> None:
        with self._changed:
            self._now = replace(self._now, number=number, utterances=utterances)
            self._changed.notify_all()


def low(number: int, *parts: SpokenPart) -> Utterance:
    return Utterance(number, level="low", parts=parts)


def wait_for_files(folder: Path, pattern: str, count: int) -> None:
    until = time.monotonic() + 60
    while len(list(folder.glob(pattern))) < count:
        assert time.monotonic() < until
        time.sleep(0.02)


def wait_for_sounds(folder: Path, count: int) -> list[bytes]:
    wait_for_files(folder, "*.raw", count)
    return [path.read_bytes() for path in sorted(folder.glob("*.raw"), key=lambda path: path.stat().st_mtime_ns)]


@pytest.mark.parametrize("level", ["low", "all"])
def test_the_box_says_what_a_snapshot_brings_at_its_level_and_once(tmp_path: Path, level: str) -> None:
    table = StubTable()
    table.say(2, low(2, phrase_part("bust")))
    caller = BoxCaller(
        table,
        Loudspeaker((sys.executable, "-c", WRITES, f"{tmp_path}/")),
        lambda _: VOICE,
        lambda: BoxSpeech(level, "en"),
    )
    caller.start()
    time.sleep(0.1)
    said = (low(3, sound_part("bust"), phrase_part("bust")), Utterance(3, level="all", parts=(number_part(2),)))
    table.say(3, *said)
    expected = VOICE.sound([*said[0].parts, *(said[1].parts if level == "all" else ())])
    assert wait_for_sounds(tmp_path, 1) == [expected]
    table.say(4, *said)
    time.sleep(0.3)
    assert wait_for_sounds(tmp_path, 1) == [expected]
    caller.close()


def test_the_box_is_switched_on_and_off_while_it_runs_and_says_how_it_sounds(tmp_path: Path) -> None:
    table, preferences, settings = StubTable(), PreferenceStore(tmp_path), load(data_dir=tmp_path)
    switch = BoxCallerSwitch(preferences, settings, lambda: (sys.executable,))
    words = {"en": BoxVoice({"new-game": np.full(160, 0.3, np.float32)}, RATE), "de": VOICE}
    speaker = Loudspeaker((sys.executable, "-c", WRITES, f"{tmp_path}/"))
    caller = BoxCaller(table, speaker, words.__getitem__, lambda: switch.speech)
    caller.start()
    time.sleep(0.1)
    table.say(2, low(2, phrase_part("bust")))
    time.sleep(0.2)
    switch.choose("low", "en")
    assert wait_for_sounds(tmp_path, 1) == [words["en"].sound(TRIAL)]
    switch.choose("low", "de")
    table.say(3, low(3, phrase_part("bust")))
    assert wait_for_sounds(tmp_path, 2)[1] == BUST
    switch.choose("off", "de")
    table.say(4, low(4, phrase_part("bust")))
    time.sleep(0.3)
    caller.close()
    assert len(wait_for_sounds(tmp_path, 2)) == 2


def test_what_is_chosen_for_the_box_is_kept_over_the_settings_and_checked(tmp_path: Path) -> None:
    settings = load(data_dir=tmp_path, caller="low", caller_language="de")
    switch = BoxCallerSwitch(PreferenceStore(tmp_path), settings, lambda: (sys.executable,))
    assert switch.speech == BoxSpeech("low", "de")
    switch.choose("all", "en")
    assert PreferenceStore(tmp_path).speech(settings) == BoxSpeech("all", "en")
    with pytest.raises(Refused, match="no voice for that language"):
        switch.choose("all", "../x")
    silent = BoxCallerSwitch(PreferenceStore(tmp_path), settings, tuple)
    with pytest.raises(Refused, match="apt install alsa-utils"):
        silent.choose("low", "en")
    silent.choose("off", "en")
    assert PreferenceStore(tmp_path).speech(settings).level == "off"


def test_a_trouble_with_the_loudspeaker_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    table = StubTable()
    caller = BoxCaller(table, Loudspeaker(()), lambda _: VOICE, lambda: BoxSpeech("all", "en"))
    with caplog.at_level(logging.WARNING):
        caller.start()
        for number in (2, 3, 4):
            table.say(number, low(number, phrase_part("bust")))
            time.sleep(0.1)
        caller.close()
    assert [record.message for record in caplog.records] == [
        "caller: no player is installed; on Debian aplay is in the package alsa-utils"
    ]


def test_what_has_no_clip_is_left_out() -> None:
    assert VOICE.sound([number_part(21_000), sound_part("nothing")]) == b""


def heard(parts: list[SpokenPart], voice: BoxVoice = VOICE) -> NDArray[np.float32]:
    return np.frombuffer(voice.sound(parts), "<i2").astype(np.float32) / np.float32(32767)


def test_a_sound_is_heard_at_once_and_words_begin_while_it_dies_away() -> None:
    bust, both = heard([sound_part("bust")]), heard([sound_part("bust"), phrase_part("bust")])
    assert len(bust) == 0.4 * RATE
    assert np.abs(bust[: RATE // 100]).max() > 0.01
    assert np.array_equal(both[: RATE // 4], bust[: RATE // 4])
    assert both[RATE // 4 + 80] == pytest.approx(bust[RATE // 4 + 80] + 0.5, abs=0.01)
    assert len(both) == len(bust)


class Hums:
    """Says every name but an empty one by one second of a level."""

    def sound(self, name: str) -> Samples:
        return np.full(RATE if name == "Ann" else 0, 0.125, np.float32)


def test_a_name_is_said_before_its_words_and_without_it_words_that_need_none() -> None:
    voice = BoxVoice({"wins": np.full(160, 0.5, np.float32), "win": np.full(80, 0.25, np.float32)}, RATE, Hums())
    named = heard([phrase_part("wins", name="Ann", unnamed="win")], voice)
    assert (named[0], named[RATE]) == (pytest.approx(0.125, abs=0.001), pytest.approx(0.5, abs=0.001))
    for nameless in ([phrase_part("wins", name="Bob", unnamed="win")], [phrase_part("wins", unnamed="win")]):
        assert heard(nameless, voice)[0] == pytest.approx(0.25, abs=0.001)
    assert heard([phrase_part("wins", name="Bob")], voice)[0] == pytest.approx(0.5, abs=0.001)


def test_a_ruling_that_follows_closely_cuts_no_words_off_and_a_lone_sound_ends_none(tmp_path: Path) -> None:
    """A second ruling ended the first one's words at once, so that of two within a second one was never heard."""
    slow = BoxVoice({"bust": np.full(2 * RATE, 0.5, np.float32), "stop": np.full(160, 0.25, np.float32)}, RATE)
    table, hold = StubTable(), tmp_path / "hold"
    player = Loudspeaker((sys.executable, "-c", HOLDS + WRITES, f"{tmp_path}/", str(hold)))
    caller = BoxCaller(table, player, lambda _: slow, lambda: BoxSpeech("low", "en"))
    first, second = ([sound_part(each), phrase_part(each)] for each in ("bust", "stop"))
    corrected = [phrase_part("bust")]
    hold.touch()
    caller.start()
    time.sleep(0.1)
    table.say(2, low(2, *first))
    wait_for_files(tmp_path, "*.begun", 1)
    for number, parts in ((3, [sound_part("accepted")]), (4, second)):
        table.say(number, low(number, *parts))
        time.sleep(0.2)
    hold.unlink()
    assert wait_for_sounds(tmp_path, 2) == [slow.sound(first), slow.sound(second)]
    hold.touch()
    for number, parts in ((5, first), (6, corrected)):
        table.say(number, low(number, *parts))
        wait_for_files(tmp_path, "*.begun", number - 2)
    hold.unlink()
    assert wait_for_sounds(tmp_path, 3)[2] == slow.sound(corrected)
    caller.close()


def test_the_box_has_the_clips_that_ship_and_a_familys_over_them(tmp_path: Path) -> None:
    family = FamilyVoices(tmp_path)
    voice = family.add("Ann").voice
    hum = (0.2 * np.sin(np.arange(12000) / 5)).astype(np.float32)
    family.keep(voice, "en", "bust", wav_bytes(Waveform(hum, RATE)))
    shipped, own = (load_box_voice("en", name, family) for name in ("", "ann"))
    parts = [phrase_part("bust")]
    assert len(own.sound(parts)) == pytest.approx(2 * (12000 + 0.06 * RATE), rel=0.05)
    assert len(own.sound(parts)) != len(shipped.sound(parts))
    assert own.sound([number_part(2424)]) == shipped.sound([number_part(2424)]) != b""
    assert load_box_voice("en", "nobody", family).sound(parts) == shipped.sound(parts)


def test_a_deleted_voice_is_silent_at_once_and_a_recorded_one_is_heard_when_nobody_goes_on_recording(
    tmp_path: Path,
) -> None:
    family, now, parts = FamilyVoices(tmp_path), [0.0], [phrase_part("bust")]
    hums = [wav_bytes(Waveform(np.sin(np.arange(12000) / each).astype(np.float32) / 5, RATE)) for each in (5, 9)]
    shipped = load_box_voice("en", "", family).sound(parts)
    voices = BoxVoices("ann", family, lambda: now[0])
    assert voices.voice("en").sound(parts) == shipped
    voice = family.add("Ann").voice
    family.keep(voice, "en", "bust", hums[0])
    voices.voice("en")
    now[0] = SETTLED_S
    first = voices.voice("en").sound(parts)
    assert first != shipped
    family.keep(voice, "en", "bust", hums[1])
    assert voices.voice("en").sound(parts) == first
    now[0] = 2 * SETTLED_S
    assert voices.voice("en").sound(parts) not in (first, shipped)
    family.delete(voice)
    assert voices.voice("en").sound(parts) == shipped
