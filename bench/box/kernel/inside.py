"""Button, lamp and buzzer through the real gpiozero and lgpio, on the lines of a gpiochip that the kernel simulates.

Run by `inside.sh` in a kernel of its own; `test_gpiochip.py` is what starts that. A finger, a switch that chatters and
a look at the lamp are reads and writes in the kernel's sysfs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from hardware.wiring import (
    RECOMMENDED,
    Button,
    Buzzer,
    Colour,
    LampSignal,
    PinUnavailable,
    PressLength,
    RgbLamp,
    Rhythm,
    Sound,
)

CHIP = Path("/sys/kernel/config/gpio-sim/pins")
BUTTON, BUZZER = RECOMMENDED.button_pin, RECOMMENDED.buzzer_pin
RED, GREEN, BLUE = LAMP = tuple(int(pin) for pin in RECOMMENDED.lamp_pins.split(","))
LONG_S, VERY_LONG_S = 0.4, 1.0
PATIENCE_S = 5.0
STEADY_S = 0.2
"""After so long without a chatter a press or a release is told."""
BEAT_S = 0.05
GLANCE_S = 0.004


class Line:
    """A line of the simulated chip, as whoever holds its wire sees it."""

    def __init__(self, number: int) -> None:
        device = (CHIP / "dev_name").read_text().strip()
        chip = (max(CHIP.glob("bank*")) / "chip_name").read_text().strip()
        self._folder = Path("/sys/devices/platform") / device / chip / f"sim_gpio{number}"

    def ground(self) -> None:
        """Connect it with ground."""
        (self._folder / "pull").write_text("pull-down")

    def release(self) -> None:
        """Leave it to its pull-up."""
        (self._folder / "pull").write_text("pull-up")

    @property
    def level(self) -> int:
        return int((self._folder / "value").read_text())

    def pulses(self, seconds: float) -> int:
        """How often it goes up in that time; it is low before."""
        before, count, ends = 0, 0, time.monotonic() + seconds
        while time.monotonic() < ends:
            now = self.level
            count, before = count + (now > before), now
            time.sleep(GLANCE_S)
        return count


class Finger:
    """A finger on the button, and what came of it; `feels` what is told while it is still there."""

    def __init__(self) -> None:
        self._line = Line(BUTTON)
        self.told: SimpleQueue[PressLength] = SimpleQueue()
        self.feels: SimpleQueue[str] = SimpleQueue()

    def button(self) -> Button:
        return Button(BUTTON, self.told.put, LONG_S, VERY_LONG_S, lambda: self.feels.put("long"))

    def press(self, seconds: float) -> None:
        self._line.ground()
        time.sleep(seconds)
        self._line.release()

    def chatter(self, edges: int) -> None:
        """So many edges at once, beginning with a press."""
        for edge in range(edges):
            (self._line.release if edge % 2 else self._line.ground)()

    def comes_to(self) -> PressLength:
        return self.told.get(timeout=PATIENCE_S)

    def says_no_more(self) -> bool:
        try:
            self.told.get(timeout=STEADY_S)
        except Empty:
            return True
        return False


@pytest.fixture
def finger() -> Iterator[Finger]:
    made = Finger()
    with closing(made.button()):
        yield made


def _lights() -> tuple[int, ...]:
    return tuple(Line(pin).level for pin in LAMP)


@contextmanager
def _another_program_holds(pin: int) -> Iterator[None]:
    """Another program that has claimed the pin, until the end. This one must not have had it: gpiozero keeps pins."""
    claim = (
        "import lgpio, sys; chip = lgpio.gpiochip_open(int(sys.argv[1])); "
        "lgpio.gpio_claim_output(chip, int(sys.argv[2]), 0); print(flush=True); sys.stdin.read()"
    )
    chip = (max(CHIP.glob("bank*")) / "chip_name").read_text().strip().removeprefix("gpiochip")
    words = [sys.executable, "-c", claim, chip, str(pin)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/run") as other:  # noqa: S603
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline()
        try:
            yield
        finally:
            other.stdin.close()


def test_a_short_press_is_told_once_when_the_button_is_let_go(finger: Finger) -> None:
    for _ in range(3):
        finger.press(0.15)
        assert finger.comes_to() is PressLength.SHORT
        assert finger.says_no_more()
    assert finger.feels.empty()


def test_a_long_press_is_felt_while_it_is_held_and_told_when_it_is_let_go(finger: Finger) -> None:
    finger.press(LONG_S + 0.3)
    assert finger.feels.get(timeout=PATIENCE_S) == "long"
    assert finger.comes_to() is PressLength.LONG
    assert finger.says_no_more()


def test_a_very_long_press_is_told_while_it_is_held_and_never_again(finger: Finger) -> None:
    Line(BUTTON).ground()
    assert finger.comes_to() is PressLength.VERY_LONG
    Line(BUTTON).release()
    assert finger.says_no_more()


def test_a_switch_that_chatters_makes_one_press(finger: Finger) -> None:
    finger.chatter(edges=13)
    time.sleep(STEADY_S)
    finger.chatter(edges=14)
    Line(BUTTON).release()
    assert finger.comes_to() is PressLength.SHORT
    assert finger.says_no_more()


def test_a_spike_on_the_wire_is_no_press(finger: Finger) -> None:
    finger.chatter(edges=2)
    assert finger.says_no_more()


def test_a_button_that_was_given_back_says_nothing_and_can_be_had_again() -> None:
    finger = Finger()
    finger.button().close()
    finger.press(0.15)
    assert finger.says_no_more()
    with closing(finger.button()):
        finger.press(0.15)
        assert finger.comes_to() is PressLength.SHORT


def test_each_colour_lights_its_own_lines() -> None:
    with closing(RgbLamp(RED, GREEN, BLUE, BEAT_S)) as lamp:
        assert _lights() == (0, 0, 0)
        for colour in Colour:
            lamp.show(LampSignal(colour, Rhythm.STEADY))
            time.sleep(4 * BEAT_S)
            assert _lights() == colour.value, colour
    assert _lights() == (0, 0, 0)


def test_each_rhythm_is_seen_on_its_line_alone() -> None:
    with closing(RgbLamp(RED, GREEN, BLUE, BEAT_S)) as lamp:
        for rhythm in set(Rhythm) - {Rhythm.STEADY}:
            lamp.show(LampSignal(Colour.GREEN, rhythm))
            time.sleep(2 * BEAT_S)
            line, beats = Line(GREEN), len(rhythm.beats)
            seen = [(line.level, Line(RED).level, Line(BLUE).level) for _ in _beats(2 * beats)]
            assert {(0, 0, 0), (1, 0, 0)} == set(seen), rhythm
            lit = sum(level for level, _, _ in seen) / len(seen)
            assert lit == pytest.approx(rhythm.beats.count("#") / beats, abs=0.2), rhythm


def _beats(count: int) -> Iterator[None]:
    """Glance twice in a beat, so many beats long."""
    for _ in range(2 * count):
        yield
        time.sleep(BEAT_S / 2)


def test_a_code_is_flashed_number_by_number() -> None:
    with closing(RgbLamp(RED, GREEN, BLUE, BEAT_S)) as lamp:
        lamp.flash((2, 1, 4))
        whole_s = BEAT_S * (5 * (2 + 1 + 4) + 10 + 10 + 10)
        assert Line(RED).pulses(whole_s) == 7


def test_the_buzzer_sounds_so_often_and_is_silent_afterwards() -> None:
    with closing(Buzzer(BUZZER)) as buzzer:
        assert Line(BUZZER).level == 0
        for sound in Sound:
            buzzer.sound(sound)
            took_s = sound.times * (sound.on_s + sound.off_s)
            assert Line(BUZZER).pulses(took_s + STEADY_S) == sound.times, sound
            assert Line(BUZZER).level == 0


def test_a_pin_that_another_program_holds_is_one_sentence() -> None:
    with _another_program_holds(5), pytest.raises(PinUnavailable, match=r"^the button at pin 5 .*busy[^.]*$"):
        Button(5, lambda _held: None)
    with _another_program_holds(6), pytest.raises(PinUnavailable, match=r"^the buzzer at pin 6 .*busy[^.]*$"):
        Buzzer(6)
    with (
        _another_program_holds(16),
        pytest.raises(PinUnavailable, match=r"^the lamp at the pins 12, 13, 16 .*busy[^.]*$"),
    ):
        RgbLamp(12, 13, 16)


def test_when_the_other_program_is_gone_the_pins_can_be_had() -> None:
    with _another_program_holds(26), pytest.raises(PinUnavailable):
        RgbLamp(19, 20, 26)
    with closing(RgbLamp(19, 20, 26, BEAT_S)) as lamp:
        lamp.show(LampSignal(Colour.WHITE, Rhythm.STEADY))
        time.sleep(4 * BEAT_S)
        assert [Line(pin).level for pin in (19, 20, 26)] == [1, 1, 1]


def test_button_lamp_and_buzzer_go_together(finger: Finger) -> None:
    with closing(RgbLamp(RED, GREEN, BLUE, BEAT_S)) as lamp, closing(Buzzer(BUZZER)) as buzzer:
        lamp.show(LampSignal(Colour.BLUE, Rhythm.STEADY))
        finger.press(0.15)
        assert finger.comes_to() is PressLength.SHORT
        buzzer.sound(Sound.CONFIRM)
        assert Line(BUZZER).pulses(STEADY_S) == 1
        assert _lights() == Colour.BLUE.value
