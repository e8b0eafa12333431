"""The caller in a real Chromium: silent until it is asked for, kept on the tablet, and made of the clips that ship."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import scenes
from playwright.sync_api import Page, expect
from stub_game import StubGame

pytestmark = pytest.mark.browser

MODULE = """const at = document.querySelector('link[rel=modulepreload][href$="/dom.js"]').href;
  const load = (name) => import(new URL(`voice/${name}`, at).href);"""
SAID = (
    """async (language) => { """
    + MODULE
    + """
  const [{ loadPack }, { startParts }] = await Promise.all([load('voice_pack.js'), load('voice_player.js')]);
  const pack = await loadPack(language);
  const context = new OfflineAudioContext(1, 16000 * 6, 16000);
  const parts = [{ phrase: 'your-score' }, { number: 2424 }];
  const end = startParts(context, context.destination, pack, parts, 0);
  const said = (await context.startRendering()).getChannelData(0);
  const sound = pack.buffer.getChannelData(0);
  const samples = (seconds) => Math.round(16000 * seconds);
  const clip = (key) => [samples(pack.clips[key][0] + pack.mark), samples(pack.clips[key][1])];
  const energy = (from, length, of) => of.slice(from, from + length).reduce((sum, sample) => sum + sample ** 2, 0);
  let at16 = 0;
  const likeness = ['your-score', '2000+', '400+', '24'].map((key, place) => {
    const [first, length] = clip(key);
    if (place === 1) at16 += 960;
    let best = 0;
    for (let shift = -4; shift <= 4; shift += 1) {
      let product = 0;
      for (let i = 0; i < length; i += 1) product += (said[at16 + i + shift] ?? 0) * sound[first + i];
      best = Math.max(best, product / Math.sqrt(energy(at16, length, said) * energy(first, length, sound)));
    }
    at16 += length;
    return best;
  });
  const places = Object.keys(pack.clips).map(clip);
  const gaps = places.map(([first, length]) => energy(first + length + 320, 480, sound) / 480);
  const loud = places.map(([first, length]) => energy(first, length, sound) / length);
  return { end, likeness, gap: Math.sqrt(Math.max(...gaps)), loud: Math.sqrt(Math.min(...loud)), mark: pack.mark };
}"""
)
SOUNDS = (
    """async (names) => { """
    + MODULE
    + """
  const { startSound } = await load('voice_sounds.js');
  return Promise.all(names.map(async (name) => {
    const context = new OfflineAudioContext(1, 48000, 48000);
    startSound(context, context.destination, name, 0);
    const heard = (await context.startRendering()).getChannelData(0);
    return { first: heard.findIndex((sample) => Math.abs(sample) > 0.01) / 48, peak: Math.max(...heard.map(Math.abs)) };
  }));
}"""
)


@pytest.fixture
def table(page: Page, game_stub: StubGame) -> Page:
    game_stub.show(scenes.PLAYING)
    page.goto("/")
    expect(page.locator("#ruling .card")).to_be_visible()
    return page


def open_caller(table: Page) -> None:
    if table.locator("#menu").is_visible():
        table.locator("#menu").click()
    table.locator("#caller").click()
    expect(table.locator("#dialog-title")).to_have_text("The caller")


def test_nothing_of_the_caller_is_loaded_before_somebody_asks_for_it(page: Page, game_stub: StubGame) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    game_stub.show(scenes.PLAYING)
    page.goto("/")
    expect(page.locator("#ruling .card")).to_be_visible()
    expect(page.locator("#mute")).to_be_hidden()
    assert [url for url in asked if "/voice/" in url] == []


def test_the_caller_is_off_until_a_level_is_chosen_and_that_is_kept(table: Page, game_stub: StubGame) -> None:
    open_caller(table)
    expect(table.locator("input[value=off]")).to_be_checked()
    expect(table.locator("#try-caller")).to_be_disabled()
    table.locator("input[value=all]").check()
    expect(table.locator("#try-caller")).to_be_enabled()
    expect(table.locator("#mute")).to_be_visible()
    table.reload()
    expect(table.locator("#mute")).to_be_visible()
    open_caller(table)
    expect(table.locator("input[value=all]")).to_be_checked()
    table.locator("input[value=off]").check()
    expect(table.locator("#mute")).to_be_hidden()


def test_a_page_that_may_not_sound_yet_asks_for_one_tap(table: Page, game_stub: StubGame) -> None:
    open_caller(table)
    table.locator("input[value=low]").check()
    expect(table.locator("#hear-again")).to_be_hidden()
    table.reload()
    expect(table.locator("#hear-again")).to_be_visible()
    game_stub.show(replace(scenes.PLAYING, called=9))
    table.locator("#hear-again").click()
    expect(table.locator("#hear-again")).to_be_hidden()


def test_the_caller_is_silenced_and_let_speak_by_one_tap(table: Page) -> None:
    open_caller(table)
    table.locator("input[value=all]").check()
    table.keyboard.press("Escape")
    mute = table.locator("#mute")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(mute).to_have_accessible_name("Let the caller speak")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_said_are_the_clips_of_its_words_one_after_another(table: Page, language: str) -> None:
    said: Any = table.evaluate(SAID, language)
    assert min(said["likeness"]) > 0.97, said
    assert 2 < said["end"] < 6


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_clip_holds_sound_and_every_gap_between_clips_none(table: Page, language: str) -> None:
    said: Any = table.evaluate(SAID, language)
    assert said["loud"] > 0.04, said
    assert said["gap"] < 0.01, said


def test_every_sound_begins_at_once_and_none_is_too_loud(table: Page) -> None:
    names = ["accepted", "score", "stop", "bust", "vander", "come-in", "last-round", "win", "ask"]
    for name, sound in zip(names, table.evaluate(SOUNDS, names), strict=True):
        assert 0 <= sound["first"] < 10, name
        assert 0.05 < sound["peak"] < 0.8, name


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768), (768, 1024), (390, 844)])
def test_the_header_holds_the_loudspeaker_and_the_games_title(
    table: Page, game_stub: StubGame, width: int, height: int
) -> None:
    table.set_viewport_size({"width": width, "height": height})
    open_caller(table)
    table.locator("input[value=all]").check()
    table.keyboard.press("Escape")
    expect(table.locator("#mute")).to_be_in_viewport(ratio=1)
    assert table.locator("#game-title").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert table.evaluate("document.querySelector('.top').scrollWidth <= innerWidth")
    assert table.locator(".top").bounding_box()["height"] <= (52 if width < 500 else 64)  # type: ignore[index]
