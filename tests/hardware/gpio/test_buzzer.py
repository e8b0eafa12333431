"""The buzzer at gpiozero's own mock pins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.wiring import Buzzer, PinUnavailable, Sound

PIN = 23

Until = Callable[[Callable[[], bool]], None]


@pytest.mark.parametrize("sound", Sound)
def test_a_sound_is_heard_as_often_as_it_says_and_ends(sound: Sound, pins: MockFactory, until: Until) -> None:
    buzzer = Buzzer(PIN)
    assert not pins.pin(PIN).state
    buzzer.sound(sound)
    until(lambda: len(pins.pin(PIN).states) == 1 + 2 * sound.times)
    assert [state.state for state in pins.pin(PIN).states] == [False, *[True, False] * sound.times]
    buzzer.close()


def test_the_sounds_are_told_apart_and_short() -> None:
    assert len({(sound.times, sound.on_s) for sound in Sound}) == len(Sound)
    assert max(sound.times * (sound.on_s + sound.off_s) for sound in Sound) <= 2


def test_a_sound_takes_the_place_of_the_one_before_and_leaves_silence(pins: MockFactory, until: Until) -> None:
    buzzer = Buzzer(PIN)
    buzzer.sound(Sound.BREACH)
    until(lambda: bool(pins.pin(PIN).state))
    buzzer.sound(Sound.TICK)
    until(lambda: not pins.pin(PIN).state)
    buzzer.close()


def test_a_closed_buzzer_gives_its_pin_back(pins: MockFactory) -> None:
    buzzer = Buzzer(PIN)
    buzzer.sound(Sound.LOST)
    buzzer.close()
    buzzer.close()
    assert pins.pin(PIN).function == "input"
    Buzzer(PIN).close()


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_one_sentence() -> None:
    buzzer = Buzzer(PIN)
    with pytest.raises(PinUnavailable, match=r"^the buzzer at pin 23 cannot be used: .*in use"):
        Buzzer(PIN)
    buzzer.close()


@pytest.mark.usefixtures("no_pins")
def test_a_machine_without_pins_is_one_sentence() -> None:
    with pytest.raises(PinUnavailable, match=r"^the buzzer at pin 23 cannot be used: [^\n]+$"):
        Buzzer(PIN)
