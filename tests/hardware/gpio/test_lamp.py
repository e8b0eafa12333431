"""The lamp at gpiozero's own mock pins: what it shows is read back from the pins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.wiring import (
    BEAT_S,
    Button,
    Colour,
    LampSignal,
    PinUnavailable,
    RgbLamp,
    Rhythm,
    code_beats,
)

RED, GREEN, BLUE = PINS = (22, 27, 24)
QUICK_S = 0.002
MOST_FLASHES_A_SECOND = 3
"""Web Content Accessibility Guidelines 2.2, criterion 2.3.1."""
CODES = [(1, 2, 3, 4, 5, 6), (6, 6, 6, 6, 6, 6), (1, 1, 1, 1, 1, 1)]

Until = Callable[[Callable[[], bool]], None]


@pytest.fixture
def lamp(pins: MockFactory) -> Iterator[RgbLamp]:
    lit = RgbLamp(*PINS, beat_s=QUICK_S)
    yield lit
    lit.close()


def lights(pins: MockFactory) -> tuple[int, ...]:
    return tuple(int(pins.pin(pin).state) for pin in PINS)


def changes(pins: MockFactory, pin: int) -> list[bool]:
    return [state.state for state in pins.pin(pin).states]


def flashes(beats: str) -> int:
    """How many times the light goes on while the beats go round once."""
    return f"-{beats}".count("-#") if "-" in beats else 0


@pytest.mark.parametrize("colour", Colour)
def test_a_colour_is_made_of_its_lights(colour: Colour, lamp: RgbLamp, pins: MockFactory, until: Until) -> None:
    lamp.show(LampSignal(colour, Rhythm.STEADY))
    until(lambda: lights(pins) == colour.value)


def test_a_lamp_is_dark_at_first(lamp: RgbLamp, pins: MockFactory) -> None:
    assert lights(pins) == (0, 0, 0)


def test_a_rhythm_goes_on_and_on(lamp: RgbLamp, pins: MockFactory, until: Until) -> None:
    lamp.show(LampSignal(Colour.RED, Rhythm.TWO))
    until(lambda: len(changes(pins, RED)) > 4 * flashes(Rhythm.TWO.beats))
    assert all(was != now for was, now in pairwise(changes(pins, RED)))
    assert changes(pins, GREEN) == [False]


def test_another_signal_takes_the_place_of_the_one_before(lamp: RgbLamp, pins: MockFactory, until: Until) -> None:
    lamp.show(LampSignal(Colour.RED, Rhythm.FAST))
    until(lambda: len(changes(pins, RED)) > 4)
    lamp.show(LampSignal(Colour.GREEN, Rhythm.STEADY))
    until(lambda: lights(pins) == Colour.GREEN.value)
    before = len(changes(pins, RED))
    lamp.flash([1])
    until(lambda: len(changes(pins, BLUE)) > 4)
    assert len(changes(pins, RED)) > before


def test_a_signal_that_is_shown_again_goes_on_in_its_rhythm(lamp: RgbLamp, pins: MockFactory, until: Until) -> None:
    wink = LampSignal(Colour.GREEN, Rhythm.WINK)
    lamp.show(wink)
    until(lambda: lights(pins) == Colour.GREEN.value)

    def goes_dark() -> bool:
        lamp.show(wink)  # far more often than the lit part of its rhythm is long
        return len(changes(pins, GREEN)) > 2

    until(goes_dark)


def test_a_code_is_flashed_until_something_else_is_shown(lamp: RgbLamp, pins: MockFactory, until: Until) -> None:
    lamp.flash([1, 2])
    until(lambda: len(changes(pins, RED)) > 12)
    lamp.show(LampSignal(Colour.BLUE, Rhythm.STEADY))
    until(lambda: lights(pins) == Colour.BLUE.value)


@pytest.mark.parametrize("numbers", CODES)
def test_a_code_can_be_read_from_its_flashes(numbers: tuple[int, ...]) -> None:
    beats = code_beats(numbers)
    assert [flashes(f"{group}-") for group in re.split("-{10,}", beats) if group] == list(numbers)
    pauses = [len(dark) for dark in re.findall("-+", beats)]
    within, between, last = max((pause for pause in pauses if pause < 10), default=0), max(pauses[:-1]), pauses[-1]
    assert 2 * within <= between <= last / 1.5


def test_rhythms_alone_tell_all_signals_apart() -> None:
    for one, other in combinations(Rhythm, 2):
        assert one.words != other.words
        assert told(one) != told(other)


def told(rhythm: Rhythm) -> tuple[int, int]:
    """What a person can tell of a rhythm: its flashes in a round, and how much of the round is dark, in tenths."""
    beats = rhythm.beats
    return flashes(beats), round(10 * beats.count("-") / len(beats)) if len(beats) > 10 else len(beats)


@pytest.mark.parametrize("beats", [*(rhythm.beats for rhythm in Rhythm), *map(code_beats, CODES)])
def test_nothing_flashes_so_fast_that_it_could_harm(beats: str) -> None:
    second = round(1 / BEAT_S)
    again = beats * (2 * second // len(beats) + 2)
    assert max(flashes(again[at : at + second]) for at in range(len(beats))) <= MOST_FLASHES_A_SECOND


@pytest.mark.parametrize("rhythm", Rhythm)
def test_beats_are_lit_or_dark_and_begin_lit(rhythm: Rhythm) -> None:
    assert re.fullmatch("#[#-]*", rhythm.beats)


def test_a_signal_says_in_words_what_is_seen() -> None:
    assert str(LampSignal(Colour.GREEN, Rhythm.STEADY)) == "green, steady"
    assert str(LampSignal(Colour.YELLOW, Rhythm.TWO)) == "yellow, two flashes and a pause"


def test_a_closed_lamp_is_dark_and_gives_its_pins_back(pins: MockFactory, until: Until) -> None:
    lamp = RgbLamp(*PINS, beat_s=QUICK_S)
    lamp.show(LampSignal(Colour.WHITE, Rhythm.STEADY))
    until(lambda: lights(pins) == Colour.WHITE.value)
    lamp.close()
    lamp.close()
    assert [pins.pin(pin).function for pin in PINS] == ["input"] * 3
    RgbLamp(*PINS).close()


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_one_sentence() -> None:
    button = Button(GREEN, lambda _: None)
    with pytest.raises(PinUnavailable, match=r"^the lamp at the pins 22, 27, 24 cannot be used: .*27.*in use"):
        RgbLamp(*PINS)
    button.close()
    RgbLamp(*PINS).close()


@pytest.mark.usefixtures("no_pins")
def test_a_machine_without_pins_is_one_sentence() -> None:
    with pytest.raises(PinUnavailable, match=r"^the lamp at the pins 22, 27, 24 cannot be used: [^\n]+$"):
        RgbLamp(*PINS)
