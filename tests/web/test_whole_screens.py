"""Every phase of every game is whole without scrolling, near and on a phone: nothing is cut or covered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, cycle, product
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import pytest
import scenes
from crowded_phases import crowded, long_named
from game_phases import GAMES, phases
from playwright.sync_api import Page, expect
from stub_game import StubGame

from hardware.cameras.phone import GONE
from referee.phrases import as_sentence
from referee.snapshot import NoticeMood, Snapshot
from web import languages

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Size: TypeAlias = tuple[int, int]

TABLETS, LARGE = [(1024, 768), (768, 1024)], (1920, 1080)
FAR_SIZES = [(1024, 768), LARGE, (3840, 2160)]
PHONE = (390, 844)
PATIENCE_MS = 60_000
ON_ITS_SIDE = (844, 390)
SHORT, LONG = (740, 360), (932, 430)
"""Other phones on their sides: the shortest that a test holds, and a long one."""
FINGER = 43.5
LOW_TABS = 35.5
"""The shortest phone has no room for higher names of players; WCAG 2.2 AA asks for 24."""
FAULTS = Path(__file__).with_name("whole_screen.js").read_text("utf-8")
SHOWN = """async ({ number, patience }) => {
  const end = performance.now() + patience;
  const isShown = () => document.querySelector('#table').dataset.number === number;
  while (!isShown() && performance.now() < end) await new Promise(requestAnimationFrame);
}"""
"""Wait from frame to frame: Playwright looks again after 0.1 s, then after a quarter and a half."""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
FAR = "/?view=far"
ZOOM = "document.querySelector('#boards').style.zoom || '1'"
SMALL_TARGETS = """(least) => [...document.querySelectorAll('#table button')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.matches('.calls *, .notice *, .part .put'))
  .filter((one) => one.getBoundingClientRect().height < least || one.getBoundingClientRect().width < least)
  .map((one) => `${one.dataset.key ?? one.id} ${Math.round(one.getBoundingClientRect().height)}`)"""

SMALL_PRINT = """() => [...document.querySelectorAll(
    '#turn h1, #turn > .prompt, .player :is(.name, .score), #dice h2, #offers :is(button, li), #always button,' +
    '#boards :is(.part-title, .points, .put-hint, .activity-title, .needs, .sheet-tab)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom < 12)
  .map((one) => `${one.className || one.tagName} ${one.textContent}`)"""

LEGIBLE = Path(__file__).with_name("legible.js").read_text("utf-8")
FROM_A_METRE = """() => {
  const prompt = document.querySelector('#turn > .prompt');
  const letters = prompt ? parseFloat(getComputedStyle(prompt).fontSize) * prompt.currentCSSZoom : 20;
  const lying = [...document.querySelectorAll('#dice button.die .photo')];
  const dice = lying.map((one) => one.getBoundingClientRect().width);
  const least = document.querySelector('.fair-sheet') ? 43.5 : 63.5;
  return [
    letters < 19.9 && `the instruction is small: ${letters}`,
    dice.some((width) => width < least) && `the dice are small: ${Math.min(...dice)}`,
  ].filter(Boolean);
}"""
"""What is read from a metre on a tablet; next to a sheet, on which dice lie again, they may be as small as a finger."""
FURTHER_AUDITS: Mapping[Size, Sequence[str]] = {
    **dict.fromkeys(TABLETS, (FROM_A_METRE, LEGIBLE)),
    PHONE: (LEGIBLE,),
}
"""What is looked for beside what is cut or covered, in English."""

SHORTENED = ("shortened", "cut by turn: turn prompt long")
"""What long names may cost: an ellipsis, and the end of an instruction that names several."""

SPOILED = """() => {
  document.querySelector('#dice').style.height = '60px';
  document.querySelector('#turn > .prompt').style.marginLeft = '-80px';
}"""


FAR_FAULTS = """() => {
  const fontOf = (one) => parseFloat(getComputedStyle(one).fontSize);
  const acting = [...document.querySelectorAll('.player.active .score')];
  const staged = acting.length > 1 ? document.querySelector('.player.active.front .score') : acting[0];
  const dice = [...document.querySelectorAll('#dice .photo')].map((one) => one.getBoundingClientRect().width);
  const least = 110 * Math.min(innerWidth / 1024, innerHeight / 768) * 0.99;
  const buttons = [...document.querySelectorAll(':is(.top, #offers, #always) button')];
  const root = document.scrollingElement;
  return [
    staged && fontOf(staged) < innerHeight / 9 && `the score is small: ${fontOf(staged)}`,
    acting.some((one) => fontOf(one) < innerHeight / 20) && 'the score of another who acts is small',
    acting.length > 1 && !staged && 'nobody of those who act is in front',
    dice.some((width) => width < least) && `the dice are small: ${Math.min(...dice)}`,
    buttons.some((one) => one.checkVisibility()) && 'there is a button',
    (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) && 'the page scrolls',
  ].filter(Boolean);
}"""
"""Of the far view, which is read from the sofa: where several act at once, the large score is that of the player whose
sheet is shown."""
LEAST_FAR_ZOOM = 0.9


def without_phone(scene: Snapshot) -> Snapshot:
    """Return a scene of a game whose phone is gone."""
    gone = as_sentence(GONE)
    return replace(scene, camera="phone", camera_trouble=gone, notice=gone, mood=NoticeMood.LOST, manual_entry=True)


def faults_of(
    page: Page,
    game_stub: StubGame,
    turns: Sequence[Sequence[Size]],
    path: str = "/",
    *,
    further: Mapping[Size, Sequence[str]] = MappingProxyType({}),
    least_zoom: float = 1,
    change: Callable[[Snapshot], Snapshot] = lambda scene: scene,
    phases_of: Callable[[str], Mapping[str, Snapshot]] = lambda game: {**phases(game), **crowded(game)},
) -> dict[str, list[str]]:
    """Show every phase of every game in the sizes whose turn it is, and return what the audits find there."""
    page.goto(path)
    found, next_sizes = {}, cycle(turns)
    for game in GAMES:
        for phase, scene in phases_of(game).items():
            show(page, game_stub, change(scene))
            for size in next(next_sizes):
                resize(page, size)
                faults = [fault for audit in (FAULTS, *further.get(size, ())) for fault in page.evaluate(audit)]
                if float(page.evaluate(ZOOM)) < least_zoom:
                    faults.append("the boards are drawn smaller to fit")
                found[f"{game}, {phase}, {size}"] = faults
    return {scene: faults for scene, faults in found.items() if faults}


def show(page: Page, game_stub: StubGame, scene: Snapshot) -> None:
    """Show a scene, and wait until the page has it."""
    game_stub.show(replace(scene, run=game_stub.snapshot().run))
    number = str(game_stub.snapshot().number)
    page.evaluate(SHOWN, {"number": number, "patience": PATIENCE_MS})
    expect(page.locator("#table")).to_have_attribute("data-number", number)
    page.evaluate(DRAWN)


def resize(page: Page, size: Size) -> None:
    """Give the screen a size, and wait until the page is drawn so."""
    if page.viewport_size != {"width": size[0], "height": size[1]}:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(DRAWN)


@pytest.mark.parametrize(
    ("turns", "least_zoom"),
    [
        pytest.param(list(combinations([*TABLETS, LARGE], 2)), 1, id="tablets"),
        pytest.param([[PHONE], [ON_ITS_SIDE]], 0.95, id="phones"),
    ],
)
def test_every_phase_of_every_game_is_whole_legible_and_large_without_scrolling(
    page: Page, game_stub: StubGame, turns: Sequence[Sequence[Size]], least_zoom: float
) -> None:
    assert faults_of(page, game_stub, turns, further=FURTHER_AUDITS, least_zoom=least_zoom) == {}


def test_every_phase_is_whole_and_large_from_afar(page: Page, game_stub: StubGame) -> None:
    turns, further = [[size] for size in FAR_SIZES], dict.fromkeys(FAR_SIZES, (FAR_FAULTS,))
    assert faults_of(page, game_stub, turns, FAR, further=further, least_zoom=LEAST_FAR_ZOOM) == {}


def test_the_longer_words_of_german_go_on_the_screen_too(page: Page, address: str, game_stub: StubGame) -> None:
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    turns = [[(768, 1024), PHONE, on_its_side] for on_its_side in (ON_ITS_SIDE, SHORT, LONG)]
    assert faults_of(page, game_stub, turns, least_zoom=0.9) == {}


def test_while_the_camera_is_away_the_dice_can_be_given_by_hand_and_nothing_is_covered(
    page: Page, address: str, game_stub: StubGame
) -> None:
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    turns = [[(1024, 768)], [PHONE]]
    assert faults_of(page, game_stub, turns, change=without_phone, least_zoom=0.9) == {}
    expect(page.locator("#manual-entry")).to_be_visible()


def test_long_names_leave_every_board_whole(page: Page, address: str, game_stub: StubGame) -> None:
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    turns = list(product(TABLETS, [PHONE, ON_ITS_SIDE]))
    found = faults_of(page, game_stub, turns, phases_of=long_named, least_zoom=0.7)
    worse = {scene: [one for one in faults if not one.startswith(SHORTENED)] for scene, faults in found.items()}
    assert {scene: faults for scene, faults in worse.items() if faults} == {}


@pytest.mark.parametrize("game", GAMES)
def test_dice_that_are_to_be_thrown_are_outlined_where_they_will_lie(
    page: Page, game_stub: StubGame, game: str
) -> None:
    scene = next(each for each in phases(game).values() if each.state and each.state.dice_awaited and not each.dice)
    game_stub.show(scene)
    page.goto("/")
    expect(page.locator("#dice .awaited-dice .photo")).to_have_count(len(scene.state.dice_awaited))
    expect(page.locator("#dice button")).to_have_count(0)


def test_how_to_play_is_whole_on_a_phone_in_german(page: Page, address: str, game_stub: StubGame) -> None:
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    game_stub.show(scenes.PLAYING)
    page.goto("/")
    page.locator("#menu").click()
    page.locator("#how-to-play").click()
    expect(page.locator("#dialog .step-sentence")).to_be_visible()
    assert page.locator("#dialog").evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_what_is_tapped_on_a_phone_is_as_large_as_a_finger(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    for phase, scene in phases("dice-county-fair").items():
        show(page, game_stub, scene)
        for size, least in {PHONE: FINGER, ON_ITS_SIDE: FINGER, SHORT: LOW_TABS, LONG: FINGER}.items():
            resize(page, size)
            assert page.evaluate(SMALL_TARGETS, least) == [], (phase, size)


def test_a_phone_on_its_side_has_no_small_print_where_a_choice_is_made(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    for game in GAMES:
        show(page, game_stub, phases(game)["choice"])
        for size in (ON_ITS_SIDE, SHORT, LONG):
            resize(page, size)
            assert page.evaluate(SMALL_PRINT) == [], (game, size)


def test_the_turns_and_awards_of_a_sheet_have_a_tab_on_a_phone(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    game_stub.show(phases("dice-county-fair")["late"])
    page.goto("/")
    page.locator('.sheet-tab[data-section="turns"]').click()
    expect(page.locator(".sheet-all .hour")).to_have_count(12)
    expect(page.locator(".sheet-all .award")).to_have_count(6)
    assert page.evaluate(FAULTS) == []
    page.locator(".sheet-tab").first.click()
    expect(page.locator(".sheet-section.in-view .activity")).to_have_count(6)


def test_what_the_audit_calls_whole_is_so(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    game_stub.show(phases("intersection")["choice"])
    page.goto("/")
    expect(page.locator("#dice .die")).to_have_count(6)
    page.evaluate(SPOILED)
    page.evaluate(DRAWN)
    kinds = {fault.split(":")[0] for fault in page.evaluate(FAULTS)}
    assert {"cut by dice", "over each other"} <= kinds
