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

from hardware.loudspeaker import Loudspeaker
from referee.refused import Refused
from referee.snapshot import Snapshot, SpokenPart, Utterance
from referee.spoken_parts import number_part, phrase_part, sound_part
from vander.storage.preferences import BoxSpeech, PreferenceStore
from vander.storage.settings import load
from vander.voice.box_caller import SETTLED_S, TRIAL, BoxCaller, BoxCallerSwitch, BoxVoice, BoxVoices, load_box_voice
from vander.voice.family_voices import FamilyVoices
from vander.voice.voice_sound import Waveform, wav_bytes

RATE = 16000
VOICE = BoxVoice(
    {key: np.full(160, level, np.float32) for key, level in (("bust", 0.5), ("2", 0.25), ("2+", 0.1))}, RATE
)
BUST = VOICE.sound([phrase_part("bust")])
WRITES = """import os, sys
part = sys.argv[1] + str(os.getpid())
open(part, "wb").write(sys.stdin.buffer.read())
os.rename(part, part + ".raw")"""


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
    return Utterance(number, is_low=True, parts=parts)


def wait_for_sounds(folder: Path, count: int) -> list[bytes]:
    until = time.monotonic() + 60
    while len(list(folder.glob("*.raw"))) < count:
        assert time.monotonic() < until
        time.sleep(0.02)
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
    said = (low(3, sound_part("bust"), phrase_part("bust")), Utterance(3, is_low=False, parts=(number_part(2),)))
    table.say(3, *said)
    expected = BUST + (VOICE.sound([number_part(2)]) if level == "all" else b"")
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
    assert VOICE.sound([sound_part("bust"), number_part(21_000)]) == b""


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
