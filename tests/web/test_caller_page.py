"""The caller in a real Chromium: silent until it is asked for, kept on the tablet, and made of the clips that ship."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scenes
from playwright.sync_api import FloatRect, Page, Route, expect
from stub_game import StubGame
from test_whole_screens import resize

from referee.calls import Moment
from referee.snapshot import Utterance
from referee.spoken_parts import phrase_part, sound_part
from vander.extras.voice.box_caller import SOUNDS as SOUNDS_OF_THE_BOX
from vander.extras.voice.box_caller import before_speech_s, sound_samples

pytestmark = pytest.mark.browser

MODULE = """const at = document.querySelector('script[type=module][src$="/joined/table.js"]').src;
  const load = (name) => import(new URL(`voice/${name}`, at).href);"""
SAID = (
    """async (language) => { """
    + MODULE
    + """
  const { loadPack, startParts } = await load('voice_player.js');
  const pack = await loadPack(language);
  const context = new OfflineAudioContext(1, 16000 * 6, 16000);
  const parts = [{ clips: [['your-score']] }, { clips: [['2000+', '400+', '24']] }];
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
  const { startSound } = await load('voice_player.js');
  return Promise.all(names.map(async (name) => {
    const context = new OfflineAudioContext(1, 48000, 48000);
    startSound(context, context.destination, name, 0);
    const heard = (await context.startRendering()).getChannelData(0);
    return { first: heard.findIndex((sample) => Math.abs(sample) > 0.01) / 48, peak: Math.max(...heard.map(Math.abs)) };
  }));
}"""
)

RATE = 16000
TONES = (
    """async ([names, rate]) => { """
    + MODULE
    + """
  const { startSound } = await load('voice_player.js');
  return Promise.all(names.map(async (name) => {
    const context = new OfflineAudioContext(1, 1.2 * rate, rate);
    const until = startSound(context, context.destination, name, 0);
    return [until, [...(await context.startRendering()).getChannelData(0)]];
  }));
}"""
)


PLAYED = """() => {
  window.played = [];
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) {
    window.played.push(this.buffer.duration);
    return start.apply(this, when);
  };
}"""
"""Notes how long the sound file is that each clip is played from."""
SILENT = "Object.defineProperty(BaseAudioContext.prototype, 'state', { get: () => 'suspended' })"
"""A browser that waits for a tap, as after a lock."""
UNTOUCHED = "Object.defineProperty(UserActivation.prototype, 'hasBeenActive', { get: () => false })"
"""A page that nobody has tapped: to Chromium, what playwright asks a page counts as a tap."""
SLOW_SPEAKER = """(() => {
  const state = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state').get;
  const resume = AudioContext.prototype.resume;
  let isOpen = false;
  const shown = function () { return isOpen ? state.call(this) : 'suspended'; };
  Object.defineProperty(BaseAudioContext.prototype, 'state', { get: shown });
  AudioContext.prototype.resume = function () {
    return new Promise((done) => setTimeout(() => { isOpen = true; done(resume.call(this)); }, 4000));
  };
})()"""


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
    expect(table.locator("#mute, #hear-again").locator("visible=true")).to_have_count(1)
    open_caller(table)
    expect(table.locator("input[value=all]")).to_be_checked()
    table.locator("input[value=off]").check()
    expect(table.locator("#mute")).to_be_hidden()


def test_a_page_that_may_not_sound_yet_asks_for_one_tap(own_page: Page, game_stub: StubGame) -> None:
    own_page.add_init_script("localStorage.setItem('vander.caller', 'low')")
    own_page.add_init_script(SLOW_SPEAKER.replace("4000", "0"))
    own_page.add_init_script(UNTOUCHED)
    game_stub.show(scenes.PLAYING)
    own_page.goto("/")
    expect(own_page.locator("#hear-again")).to_be_visible()
    game_stub.show(replace(scenes.PLAYING, called=9))
    own_page.locator("#hear-again").click()
    expect(own_page.locator("#hear-again")).to_be_hidden()
    expect(own_page.locator("#mute")).to_be_visible()


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


def wait_for_clip(page: Page) -> None:
    """Wait at most 20 s until a clip is played."""
    for _ in range(200):
        if page.evaluate("window.played.length"):
            return
        page.wait_for_timeout(100)
    pytest.fail("no clip was played")


def test_a_language_that_comes_late_does_not_take_the_place_of_the_one_chosen_after_it(table: Page) -> None:
    held: list[Route] = []
    table.route("**/en.mp3", lambda route: held.append(route))  # noqa: PLW0108  # playwright marks what it is given
    table.evaluate(PLAYED)
    open_caller(table)
    with table.expect_request("**/en.mp3"):
        table.locator("input[value=all]").check()
    table.locator("#caller-language").select_option("de")
    table.locator("#try-caller").click()
    wait_for_clip(table)
    held[0].continue_()
    table.wait_for_timeout(2000)
    table.evaluate("window.played = []")
    table.locator("#try-caller").click()
    wait_for_clip(table)
    german = table.evaluate(
        """async () => { """
        + MODULE
        + """
      return (await (await load('voice_player.js')).loadPack('de')).buffer.duration; }"""
    )
    assert set(table.evaluate("window.played")) == {german}


def test_a_caller_that_is_switched_off_while_it_loads_says_nothing(table: Page) -> None:
    held: list[Route] = []
    table.route("**/en.mp3", lambda route: held.append(route))  # noqa: PLW0108  # playwright marks what it is given
    table.evaluate(PLAYED)
    open_caller(table)
    with table.expect_request("**/en.mp3"):
        table.locator("input[value=all]").check()
    table.locator("input[value=off]").check()
    held[0].continue_()
    table.wait_for_timeout(2500)
    assert table.evaluate("window.played") == []


def test_a_trial_waits_for_a_loudspeaker_that_opens_slowly(own_page: Page, game_stub: StubGame) -> None:
    own_page.add_init_script(SLOW_SPEAKER)
    game_stub.show(scenes.PLAYING)
    own_page.goto("/")
    own_page.evaluate(PLAYED)
    open_caller(own_page)
    own_page.locator("input[value=all]").check()
    wait_for_clip(own_page)


@pytest.mark.parametrize("failing", ["voice/caller.js", "voice/voice_player.js", "voice.css"])
def test_a_caller_that_does_not_load_says_so_and_is_loaded_by_the_next_tap(table: Page, failing: str) -> None:
    table.route(f"**/{failing}", lambda route: route.abort())
    if table.locator("#menu").is_visible():
        table.locator("#menu").click()
    table.locator("#caller").click()
    expect(table.locator("#toast")).to_have_text("This did not load. Is the Wi-Fi on? Tap again.")
    table.unroute(f"**/{failing}")
    table.keyboard.press("Escape")
    open_caller(table)


def test_the_offer_to_go_on_has_a_place_of_its_own(own_page: Page, game_stub: StubGame) -> None:
    own_page.add_init_script(f"localStorage.setItem('vander.caller', 'low'); {SILENT}")
    game_stub.show(scenes.PLAYING)
    own_page.goto("/")
    offer = own_page.locator("#hear-again")
    for size in HEADER_SIZES:
        resize(own_page, size)
        expect(offer).to_be_in_viewport(ratio=1)
        expect(own_page.locator("#mute")).to_be_hidden()
        shown = offer.bounding_box()
        others = [each.bounding_box() for each in own_page.locator(".player, .top nav > button:not(#hear-again)").all()]
        assert shown
        assert len(others) > 4
        assert not [box for box in others if box and overlap(shown, box)]
        assert own_page.evaluate("document.querySelector('.top').scrollWidth <= innerWidth")
        assert own_page.locator(".top nav > button").locator("visible=true").evaluate_all(CUT_BUTTONS) == []


HEADER_SIZES = [(1280, 800), (1024, 768), (768, 1024), (390, 844)]
CUT_BUTTONS = """(all) => all
  .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
  .map(({ id }) => id)"""


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """True if two boxes have more than an edge in common."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return across > 0.5 and down > 0.5


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


def test_the_boxs_sounds_are_those_of_a_tablet(table: Page) -> None:
    tones: Any = table.evaluate(TONES, [list(SOUNDS_OF_THE_BOX), RATE])
    for name, [until, samples] in zip(SOUNDS_OF_THE_BOX, tones, strict=True):
        assert until == pytest.approx(before_speech_s(name)), name
        own, heard = sound_samples(name, RATE), np.array(samples)
        assert np.abs(heard[len(own) + 50 :]).max() < 0.005, name
        heard = heard[: len(own)]
        likeness = float(own @ heard / np.sqrt((own @ own) * (heard @ heard)))
        assert likeness > 0.98, name
        assert np.sqrt((own @ own) / (heard @ heard)) == pytest.approx(1, rel=0.03), name


def test_the_header_holds_the_loudspeaker_and_the_games_title(table: Page) -> None:
    open_caller(table)
    table.locator("input[value=all]").check()
    table.keyboard.press("Escape")
    for size in HEADER_SIZES:
        resize(table, size)
        expect(table.locator("#mute")).to_be_in_viewport(ratio=1)
        assert table.locator("#game-title").evaluate("(one) => one.scrollWidth <= one.clientWidth")
        assert table.evaluate("document.querySelector('.top').scrollWidth <= innerWidth")
        assert table.locator(".top").bounding_box()["height"] <= (52 if size[0] < 500 else 64)  # type: ignore[index]


NOTED = """() => {
  window.moments = 0;
  new MutationObserver((changes) => {
    window.moments += changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(({ id }) => id === 'moment').length;
  }).observe(document.body, { childList: true });
}"""
"""Counts the moments that are shown."""
SEEN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


def test_the_first_ruling_after_the_page_was_hidden_is_said_and_shown(own_page: Page, game_stub: StubGame) -> None:
    own_page.add_init_script("localStorage.setItem('vander.caller', 'all')")
    own_page.emulate_media(reduced_motion="no-preference")
    game_stub.show(scenes.PLAYING)
    own_page.goto("/")
    own_page.locator("#hear-again, #mute").locator("visible=true").wait_for()
    own_page.evaluate(PLAYED)
    own_page.evaluate(NOTED)
    own_page.locator("#facts").click()
    with own_page.expect_response("**/api/snapshot"):
        own_page.evaluate(SEEN_AGAIN)
    expect(own_page.locator("body.waking")).to_have_count(0)
    number = game_stub.snapshot().number + 1
    bust = (Utterance(number, level="low", parts=(sound_part(Moment.BUST), phrase_part(Moment.BUST))),)
    call = replace(scenes.PLAYING.calls[0], moment=Moment.BUST)
    game_stub.show(replace(scenes.PLAYING, called=9, calls=(call,), utterances=bust))
    wait_for_clip(own_page)
    assert own_page.evaluate("window.moments") == 1
