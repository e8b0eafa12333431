"""A family records its own voice in a real Chromium whose microphone plays a file, and hears it at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scenes
from browsers import served
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame

from referee.spoken_parts import RecordedSentences
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.extras.voice.box_caller import BoxCallerSwitch
from vander.extras.voice.family_voices import FamilyVoices
from vander.extras.voice.voice_pack import Waveform, write_wav
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import load

pytestmark = pytest.mark.browser

PITCH = 520
"""Hertz of what the microphone hears: no clip of the voice that ships has that alone."""
FAKE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
SAID = """async ([voice, clips]) => {
  const at = document.querySelector('script[type=module][src$="/joined/table.js"]').src;
  const load = (name) => import(new URL(`voice/${name}`, at).href);
  const { loadPack, startParts } = await load('voice_player.js');
  const pack = await loadPack('en', voice);
  const context = new OfflineAudioContext(1, 16000 * 4, 16000);
  startParts(context, context.destination, pack, [{ clips }], 0);
  return [...(await context.startRendering()).getChannelData(0)];
}"""


@pytest.fixture
def voices(tmp_path: Path) -> FamilyVoices:
    return FamilyVoices(tmp_path)


@pytest.fixture
def players() -> list[str]:
    """The programs that the box finds to play its voice."""
    return ["aplay"]


@pytest.fixture
def switch(tmp_path: Path, players: list[str]) -> BoxCallerSwitch:
    return BoxCallerSwitch(PreferenceStore(tmp_path), load(data_dir=tmp_path), lambda: players)


@pytest.fixture
def tablet(
    tmp_path: Path,
    game_stub: StubGame,
    voices: FamilyVoices,
    switch: BoxCallerSwitch,
    launch: Callable[..., Browser],
) -> Iterator[Page]:
    """A tablet whose microphone hears a hum of 0.8 s, and then a quiet room, again and again."""
    times = np.arange(int(0.8 * 48000)) / 48000
    room = np.random.default_rng(1).normal(0, 0.001, 3 * 48000).astype(np.float32)
    room[48000 : 48000 + len(times)] += (0.3 * np.sin(2 * np.pi * PITCH * times)).astype(np.float32)
    write_wav(tmp_path / "heard.wav", Waveform(room, 48000))
    heard = f"--use-file-for-fake-audio-capture={tmp_path / 'heard.wav'}"
    game_stub.show(scenes.PLAYING)
    with (
        served(create_app(Backends(game_stub, caller=voices, box_caller=switch), heartbeat_s=0.1)) as address,
        launch(*FAKE, heard) as browser,
    ):
        page = browser.new_page(base_url=address, viewport={"width": 1024, "height": 768})
        stumbles: list[str] = []
        page.on("pageerror", lambda error: stumbles.append(str(error)))
        yield page
        assert stumbles == []


def begin(page: Page, name: str = "Ann") -> None:
    page.goto("/caller")
    page.locator("#voice-name").fill(name)
    page.get_by_role("button", name="New voice").click()
    page.locator("#record").click()


def record_first(page: Page, name: str = "Ann") -> None:
    begin(page, name)
    expect(page.locator("#phase")).to_have_attribute("data-phase", "kept")


def pitch(sound: Any) -> float:
    samples = np.asarray(sound, np.float32)
    loud = samples[np.flatnonzero(np.abs(samples) > 0.02)[0] :][:8000]
    return float(np.fft.rfftfreq(8 * len(loud), 1 / 16000)[np.abs(np.fft.rfft(loud, 8 * len(loud))).argmax()])


def test_a_family_records_and_the_table_speaks_with_its_voice(tablet: Page, voices: FamilyVoices) -> None:
    record_first(tablet)
    expect(tablet.locator("#left")).to_contain_text("63 sentences left")
    tablet.locator("#next").click()
    expect(tablet.locator("#left")).to_contain_text("62 sentences left")
    (ann,) = voices.voices()
    assert ann.recorded == (RecordedSentences("en", ("your-turn", "your-score")),)
    tablet.goto("/")
    expect(tablet.locator("#ruling .card")).to_be_visible()
    assert pitch(tablet.evaluate(SAID, [ann.voice, [["your-turn"]]])) == pytest.approx(PITCH, abs=5)
    assert pitch(tablet.evaluate(SAID, [ann.voice, [["bust"]]])) != pytest.approx(PITCH, abs=5)
    assert pitch(tablet.evaluate(SAID, ["", [["your-turn"]]])) != pytest.approx(PITCH, abs=5)


def test_the_voice_is_chosen_in_the_callers_dialog_and_one_that_is_gone_is_no_harm(
    tablet: Page, voices: FamilyVoices
) -> None:
    record_first(tablet)
    tablet.goto("/")
    tablet.locator("#menu").locator("visible=true").or_(tablet.locator("#caller")).first.click()
    if not tablet.locator("#dialog-title").is_visible():
        tablet.locator("#caller").click()
    tablet.locator("input[value=low]").check()
    with tablet.expect_response("**/clips/en.mp3"):
        tablet.locator("#caller-voice").select_option("Ann")
    voices.delete(voices.voices()[0].voice)
    tablet.reload()
    expect(tablet.locator("#mute, #hear-again").locator("visible=true")).to_have_count(1)
    expect(tablet.locator("#toast.up")).to_have_count(0)


def test_a_keeper_lets_the_box_speak_in_the_callers_dialog_and_hears_why_it_cannot(
    tablet: Page, switch: BoxCallerSwitch, players: list[str]
) -> None:
    tablet.goto("/")
    tablet.locator("#menu").click()
    tablet.locator("#caller").click()
    on_box = tablet.locator("#caller-box")
    expect(on_box).to_have_value("off")
    with tablet.expect_response("**/api/caller/box"):
        on_box.select_option("low")
    assert switch.level == "low"
    players.clear()
    on_box.select_option("all")
    expect(tablet.locator("#toast")).to_contain_text("no program that plays the voice")
    expect(on_box).to_have_value("low")
    assert switch.level == "low"


def test_recording_is_gone_on_with_later_at_the_sentence_that_is_next(tablet: Page) -> None:
    record_first(tablet)
    tablet.locator("#leave").click()
    expect(tablet.locator(".voice")).to_contain_text("English: 1 of 64")
    tablet.reload()
    tablet.get_by_role("button", name="Go on").click()
    expect(tablet.locator("#sentence")).to_have_text("Your score:")


def test_a_voice_is_deleted_after_a_question(tablet: Page, voices: FamilyVoices) -> None:
    record_first(tablet)
    tablet.locator("#leave").click()
    tablet.get_by_role("button", name="Delete").click()
    tablet.locator("#sure").click()
    expect(tablet.locator(".voice")).to_have_count(0)
    assert voices.voices() == []


def test_a_page_without_https_says_so_kindly(tablet: Page) -> None:
    tablet.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    tablet.goto("/caller")
    expect(tablet.locator("#not-secure h2")).to_have_text("This address cannot hear you")


def test_a_microphone_that_is_refused_is_said_in_one_sentence(tablet: Page) -> None:
    tablet.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    tablet.goto("/caller")
    tablet.locator("#voice-name").fill("Ann")
    tablet.get_by_role("button", name="New voice").click()
    tablet.locator("#record").click()
    expect(tablet.locator("#phase")).to_have_text(
        "The browser does not let this page hear you. Allow the microphone, and try again."
    )


def test_a_sentence_that_is_being_read_is_not_kept_as_one_of_another_language(tablet: Page) -> None:
    begin(tablet)
    expect(tablet.locator("#phase")).to_have_attribute("data-phase", "listening")
    expect(tablet.locator("#voice-language")).to_be_disabled()
    expect(tablet.locator("#phase")).to_have_attribute("data-phase", "kept")
    expect(tablet.locator("#voice-language")).to_be_enabled()


def test_a_microphone_that_is_lent_after_somebody_left_is_let_go_of(tablet: Page) -> None:
    tablet.add_init_script(
        """const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.mediaDevices.getUserMedia = async (wanted) => {
          await new Promise((resolve) => { window.allow = resolve; });
          window.lent = await ask(wanted);
          return window.lent;
        };"""
    )
    begin(tablet)
    expect(tablet.locator("#next")).to_be_disabled()
    tablet.locator("#leave").click()
    tablet.evaluate("window.allow()")
    tablet.wait_for_function("() => window.lent?.getTracks().every(({ readyState }) => readyState === 'ended')")
    expect(tablet.locator(".voice")).to_be_visible()
