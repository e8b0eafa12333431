"""Every phase of every game at every size, the tray open and closed: whole, and what is done next is the largest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, product
from pathlib import Path
from typing import TypeAlias

import pytest
import scenes
from crowded_phases import crowded, long_named
from game_phases import GAMES, decisions, phases
from playwright.sync_api import Page, expect
from stub_game import StubGame

from hardware.cameras.phone import GONE
from referee.phrases import as_sentence
from referee.snapshot import NoticeMood, Snapshot, TrayActivity
from web import languages

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Size: TypeAlias = tuple[int, int]
Limits: TypeAlias = Mapping[str, float | bool]

TABLETS, LARGE = [(1024, 768), (768, 1024)], (1920, 1080)
PHONE, ON_ITS_SIDE = (390, 844), (844, 390)
SHORT, LOW, LONG = (667, 375), (740, 360), (932, 430)
"""Other phones on their sides: a small one, the lowest that a test holds, and a long one."""
SMALL = (360, 640)
"""The smallest phone, whose boards are drawn a little smaller."""
SIZES = [*TABLETS, LARGE, ON_ITS_SIDE, SHORT, PHONE, SMALL]
SIZES_OF_GERMAN = [(768, 1024), PHONE, ON_ITS_SIDE, SHORT, LOW, LONG]
"""Where longer words have least room."""
FAR_SIZES = [(1024, 768), LARGE, (3840, 2160)]
FAR = "/?view=far"
RULINGS = [
    "PLAYING",
    "DOUBT",
    "LEANING",
    "WAYS",
    "MANY_WAYS",
    "BREACH",
    "TURNED",
    "PUT_BACK",
    "VANDER",
    "TROUBLE",
    "BY_HAND",
    "WOKEN",
    "UNSAVED",
    "INTERVENED",
    "UNCONFIRMED",
]
"""What is said, asked and put back while somebody decides."""
DECIDED = ("start", "throw", "choice", "six", "over")
"""The phases that are shown at all sizes with the tray open and closed, as all decisions are."""
AUDITS = {name: Path(__file__).with_name(f"{name}.js").read_text("utf-8") for name in ("whole_screen", "legible")}
FAULTS = """async (asked) => [
  ...await whole_screen(asked),
  ...(document.body.matches('.far') ? [] : legible()).filter((one) => !asked.isLong || !one.startsWith('broken word')),
]"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PUT_OFF = "() => document.querySelector('#question').close()"


def resize(page: Page, size: Size) -> None:
    """Give the screen a size, and wait until the page is drawn so."""
    if page.viewport_size != {"width": size[0], "height": size[1]}:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(DRAWN)


def scenes_of(game: str) -> Mapping[str, Snapshot]:
    """Return a game's phases by their names: all that players decide, moments, crowded boards, and no camera."""
    if game == "rulings":
        chosen = decisions("intersection")["end: double end give-up on vander"]
        said = {name: on_boards(chosen, getattr(scenes, name)) for name in RULINGS}
        return said | {"MOVING": replace(said["PLAYING"], tray=TrayActivity.MOVING), "WON": scenes.WON}
    chosen = phases(game)["choice"]
    found = {"no camera": without_phone(chosen), **phases(game), **crowded(game), **long_named(game)}
    found.pop("win")  # is over
    shown = [_choice(scene) for scene in found.values()]
    for name, scene in decisions(game).items():
        next_thing, verbs = _choice(scene)
        if not any(next_thing == other and verbs <= more for other, more in shown):
            found[name] = scene
    return found


def _choice(scene: Snapshot) -> tuple[str, frozenset[str]]:
    """Return the verb of the next thing, '' for none, and all verbs that are offered."""
    next_thing = next((offer.action.verb for offer in scene.offers if offer.usual == 1), "")
    return next_thing, frozenset(offer.action.verb for offer in scene.offers)


def on_boards(game: Snapshot, ruling: Snapshot) -> Snapshot:
    """Return what is said, asked and put back in one scene, in a game with its boards."""
    return replace(ruling, game=game.game, state=game.state, boards=game.boards, offers=game.offers)


def without_phone(scene: Snapshot) -> Snapshot:
    """Return a scene of a game whose phone is gone."""
    gone = as_sentence(GONE)
    return replace(scene, camera="phone", camera_trouble=gone, notice=gone, mood=NoticeMood.LOST, manual_entry=True)


class Walk:
    """Somebody who looks at each scene on a page that is turned to one size after another, and notes what is wrong."""

    def __init__(self, page: Page, game_stub: StubGame) -> None:
        self._page, self._game_stub = page, game_stub
        self.faults: list[str] = []
        self._turned = False

    def load(self, path: str = "/", language: str = "en") -> None:
        """Load the page in a language; German is looked at by day."""
        page = self._page
        page.emulate_media(color_scheme="light" if language == "de" else "dark")
        page.unroute_all()
        resize(page, LARGE)
        page.evaluate("() => location.href.startsWith('http') && sessionStorage.clear()")
        page.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
        expect(page.locator("#table:not(.waiting)")).to_be_attached()
        page.evaluate(f"() => {{ {'; '.join(f'window.{name} = {audit}' for name, audit in AUDITS.items())} }}")

    def open_tray(self) -> None:
        """Open the tray's drawer, whose picture stands still from then on."""
        page = self._page
        resize(page, LARGE)
        page.locator("#to-tray").tap()
        expect(page.locator("#tray-drawer .handle").first).to_be_visible()
        page.route(re.compile("/tray.jpg|/api/tray/dice"), lambda _: None)

    def look(self, scene: Snapshot, where: str, sizes: Sequence[Size], limits: Callable[[Size], Limits]) -> None:
        """Show a scene at each size, there and back."""
        self._game_stub.show(replace(scene, run=self._game_stub.snapshot().run))
        number = str(self._game_stub.snapshot().number)
        if scene.questions:
            expect(self._page.locator("#question")).to_be_visible()
            self._page.evaluate(PUT_OFF)
        self._turned = not self._turned
        for size in sizes[::-1] if self._turned else sizes:
            self._page.set_viewport_size({"width": size[0], "height": size[1]})
            asked = {"number": number, "width": size[0], **limits(size)}
            self.faults += [f"{where}, {size}: {fault}" for fault in self._page.evaluate(FAULTS, asked)]


def is_long(phase: str) -> bool:
    """True if its players have the longest names, which may be shortened."""
    return " of " in phase


def limits_of(game: str, phase: str, size: Size, *, is_open: bool = False) -> Limits:
    """Return how large the boards and the dice have to be; on a sheet dice lie once more."""
    is_tablet = size in TABLETS
    dice = 0.0
    if is_open:
        dice = 43.5
    elif is_tablet:
        dice = 43.5 if game == "dice-county-fair" else 63.5
    if phase == "throw" and size == (1024, 768) and game in ("intersection", "rollers", "switch-16"):
        dice = 48 if is_open else 84
    zoom = 0.45 if is_open else 0.6 if is_long(phase) else 0.8 if size == SMALL else 0.9
    return {"zoom": zoom, "dice": dice, "isLong": is_long(phase)}


@pytest.mark.parametrize("game", [*GAMES, "rulings"])
def test_every_phase_is_whole_at_every_size_and_what_is_done_next_is_the_largest(
    page: Page, game_stub: StubGame, game: str
) -> None:
    """What players decide is shown at all sizes both ways, other scenes, German and the far view at some in turn."""
    walk, shown = Walk(page, game_stub), scenes_of(game)
    chosen = decisions(game) if game in GAMES else {}
    for language, is_open in product(("en", "de"), (False, True)):
        if is_open:
            walk.open_tray()
        else:
            walk.load(language=language)
        for place, (phase, scene) in enumerate(shown.items(), start=int(is_open)):
            if language == "de":
                sizes = SIZES_OF_GERMAN[place % 6 :: 6]
            else:
                sizes = SIZES if phase in chosen or phase in DECIDED else SIZES[2 * place % 5 :: 4]
            where = f"{phase}, {language}, tray {'open' if is_open else 'closed'}"
            walk.look(scene, where, sizes, partial(limits_of, game, phase, is_open=is_open))
    walk.load(FAR)
    for (phase, scene), size in zip(phases(game).items() if game in GAMES else (), cycle(FAR_SIZES), strict=False):
        walk.look(scene, f"{phase}, from afar", [size], far_limits)
    assert not walk.faults, "\n".join(walk.faults)


def far_limits(size: Size) -> Limits:
    """Return how large the boards and the dice have to be to be read from the sofa."""
    return {"zoom": 0.9, "dice": 110 * min(size[0] / 1024, size[1] / 768) * 0.99, "isLong": False}


@pytest.mark.parametrize("game", GAMES)
def test_dice_that_are_to_be_thrown_are_outlined_where_they_will_lie(
    page: Page, game_stub: StubGame, game: str
) -> None:
    scene = next(each for each in phases(game).values() if each.state and each.state.dice_awaited and not each.dice)
    assert scene.state
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


def test_the_turns_and_awards_of_a_sheet_have_a_tab_on_a_phone(page: Page, game_stub: StubGame) -> None:
    walk = Walk(page, game_stub)
    walk.load()
    resize(page, PHONE)
    game_stub.show(phases("dice-county-fair")["late"])
    page.locator('.sheet-tab[data-section="turns"]').click()
    expect(page.locator(".sheet-all .hour")).to_have_count(12)
    expect(page.locator(".sheet-all .award")).to_have_count(6)
    walk.look(phases("dice-county-fair")["late"], "turns", [PHONE], partial(limits_of, "dice-county-fair", "late"))
    assert walk.faults == []
    page.locator(".sheet-tab").first.click()
    expect(page.locator(".sheet-section.in-view .activity")).to_have_count(6)


SPOILED = {
    "#dice { height: 60px }": "cut by dice",
    "#turn { margin-top: -40px }": "over each other",
    "#table > .rulings { z-index: 9; margin-bottom: -90px }": "covered",
    "#offers .next button { width: 80px }": "larger than the next thing",
    ".player .name { max-width: 10px }": "in dots",
    "#boards .part-title { font-size: 9px !important }": "small print",
    ".top button { max-width: 30px }": "cut",
}
"""Rules that spoil the page, and what is found then."""
SPOIL = """(rule) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  document.adoptedStyleSheets = [sheet];
}"""


def test_what_is_called_whole_is_so(page: Page, game_stub: StubGame) -> None:
    walk, scene = Walk(page, game_stub), phases("intersection")["choice"]
    walk.load()
    for rule, kind in SPOILED.items():
        page.evaluate(SPOIL, rule)
        walk.look(scene, rule, [(1024, 768)], partial(limits_of, "intersection", rule))
        assert [fault for fault in walk.faults if f"{rule}, (1024, 768): {kind}" in fault], (rule, walk.faults)
    assert walk.faults


def test_what_most_people_park_is_worth_most() -> None:
    for scene in (*phases("intersection").values(), *decisions("intersection").values()):
        assert scene.game
        assert scene.state
        parks = [offer for offer in scene.offers if offer.action.verb == "park"]
        worth = [scene.game.turn_points(scene.game.play(scene.state, offer.action)[0]) for offer in parks]
        assert [points for offer, points in zip(parks, worth, strict=True) if offer.usual] == [
            *{max(worth, default=0)} & {*worth}
        ]
