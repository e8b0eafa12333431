"""Players' names on the box's loudspeaker: spoken once, kept, and left out where no program says them."""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from vander.extras.voice.box_caller import KEPT, SpokenNames
from vander.extras.voice.voice_pack import ENGINES, Engine, Waveform, resampled, write_wav

RATE = 16000
SPEAKS = """import sys
with open(sys.argv[1], "a") as said: said.write(sys.stdin.read() + "\\n")
sys.stdout.flush()
import shutil; shutil.copyfile(sys.argv[2], sys.argv[3])"""


def engine(folder: Path, script: str = SPEAKS) -> Engine:
    """Return a program that writes down what it was asked to say, and says it by a hum at another rate."""
    hum = (0.2 * np.sin(np.arange(11025) / 8)).astype(np.float32)
    write_wav(folder / "hum.wav", Waveform(hum, 22050))
    words = ("-c", script, str(folder / "said"), str(folder / "hum.wav"))
    return Engine("test", sys.executable, "python3", "", {"en": "en"}, lambda _voice, path: (*words, str(path)))


def test_a_name_is_spoken_once_at_the_rate_of_the_clips(tmp_path: Path) -> None:
    names = SpokenNames("en", RATE, engine(tmp_path))
    first, again = names.sound("Ann"), names.sound("Ann")
    assert np.array_equal(first, again)
    assert len(first) == pytest.approx(RATE / 2, rel=0.05)
    assert (tmp_path / "said").read_text("utf-8") == "Ann\n"


def test_the_names_that_were_said_long_ago_are_let_go_of(tmp_path: Path) -> None:
    names = SpokenNames("en", RATE, engine(tmp_path))
    for number in range(KEPT + 1):
        names.sound(f"Player {number}")
    names.sound("Player 1")
    names.sound("Player 0")
    assert (tmp_path / "said").read_text("utf-8").splitlines()[KEPT:] == [f"Player {KEPT}", "Player 0"]


def test_a_name_that_nothing_can_say_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    nobody = Engine("none", "vander-has-no-such-program", "none", "", {"en": "en"}, lambda *_: ())
    with caplog.at_level(logging.WARNING):
        assert len(SpokenNames("en", RATE, nobody).sound("Ann")) == 0
        assert len(SpokenNames("en", RATE, engine(tmp_path)).sound("  ")) == 0
    assert caplog.records == []
    with caplog.at_level(logging.WARNING):
        fails = SpokenNames("en", RATE, engine(tmp_path, "import sys; sys.exit('no voice')"))
        assert [len(fails.sound("Ann")) for _ in range(2)] == [0, 0]
        assert len(SpokenNames("de", RATE, engine(tmp_path)).sound("Ann")) == 0
    assert len(caplog.records) == 2


def test_a_sound_at_another_rate_is_the_same_sound() -> None:
    times = np.arange(22050) / 22050
    tone = resampled(Waveform(np.sin(2 * np.pi * 440 * times).astype(np.float32), 22050), RATE)
    assert np.abs(tone.samples - np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)).max() < 0.01


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", ["en", "de"])
def test_espeak_says_a_name(language: str) -> None:
    assert ENGINES["espeak-ng"].is_installed
    said = SpokenNames(language, RATE).sound("Xaver-Élise")
    assert RATE / 4 < len(said) < 3 * RATE
