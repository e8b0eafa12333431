"""The box's own loudspeaker: programs of the system that play, fail, hang, or are not there."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from hardware.loudspeaker import Loudspeaker, NoLoudspeaker, find_player

RATE = 16000
SAMPLES = bytes(range(200)) * 8


def player(script: str) -> tuple[str, ...]:
    return sys.executable, "-c", script


def wait_for(path: Path) -> bytes:
    until = time.monotonic() + 60
    while not (path.exists() and path.read_bytes()):
        assert time.monotonic() < until
        time.sleep(0.02)
    return path.read_bytes()


def look_until_it_fails(speaker: Loudspeaker) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            speaker.look()
        except NoLoudspeaker as error:
            return str(error)
        time.sleep(0.02)
    pytest.fail("nothing failed")


def test_a_player_gets_the_samples_and_their_rate(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    script = f"import sys; open({str(heard)!r}, 'wb').write(sys.argv[1].encode() + sys.stdin.buffer.read())"
    speaker = Loudspeaker((*player(script), "--rate={rate}"))
    speaker.play(SAMPLES, RATE)
    assert wait_for(heard) == b"--rate=16000" + SAMPLES
    speaker.stop()


def test_a_player_that_hangs_keeps_nobody_waiting_and_is_ended() -> None:
    now = [0.0]
    speaker = Loudspeaker(player("import time; time.sleep(600)"), lambda: now[0])
    began = time.monotonic()
    speaker.play(bytes(2 * RATE * 30), RATE)
    assert time.monotonic() - began < 20
    speaker.look()
    now[0] = 60.0
    assert look_until_it_fails(speaker) == f"{sys.executable} did not finish in time and was ended"
    speaker.look()


def test_a_player_that_fails_is_named_with_what_it_said() -> None:
    speaker = Loudspeaker(player("import sys; sys.exit('no such device')"))
    speaker.play(SAMPLES, RATE)
    assert look_until_it_fails(speaker) == f"{sys.executable} failed: no such device"


def test_without_a_player_the_package_that_has_one_is_named() -> None:
    with pytest.raises(NoLoudspeaker, match="aplay is in the package alsa-utils"):
        Loudspeaker(()).play(SAMPLES, RATE)
    with pytest.raises(NoLoudspeaker, match="cannot be started"):
        Loudspeaker(("/not/there",)).play(SAMPLES, RATE)


def test_the_first_player_that_is_installed_is_taken() -> None:
    assert find_player(lambda name: f"/usr/bin/{name}")[0] == "/usr/bin/aplay"
    assert find_player(lambda name: "/usr/bin/paplay" if name == "paplay" else None)[0] == "/usr/bin/paplay"
    assert find_player(lambda _: None) == ()


def test_a_sound_that_follows_waits_for_the_one_before_and_is_forgotten_with_it(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    script = f"import sys; open({str(heard)!r}, 'ab').write(sys.stdin.buffer.read(4))"
    speaker = Loudspeaker(player(script))
    for samples in (b"one.", b"two.", b"last"):
        speaker.follow(samples, RATE)
    assert 0 < speaker.waits_s <= speaker.left_s
    until = time.monotonic() + 60
    while speaker.left_s:
        assert time.monotonic() < until
        speaker.look()
        time.sleep(0.02)
    assert heard.read_bytes() == b"one.two.last"
    speaker.play(b"next", RATE)
    speaker.follow(b"gone", RATE)
    speaker.stop()
    assert (speaker.left_s, speaker.waits_s) == (0, 0)
