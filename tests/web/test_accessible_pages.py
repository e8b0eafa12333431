"""Every page and dialog in both themes: axe-core's rules of WCAG 2.2 AA, one h1, and targets of 44 px."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import scenes
from all_pages import serve_all_pages
from playwright.sync_api import Page, expect
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning
from test_challenge_page import grey_picture

from vander.app.film_recorder import film_of
from vander.table.pictures import FilmedRuling

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = (Path(__file__).parent / "vendor/axe-core/axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
BY_COLOUR = ["color-contrast", "link-in-text-block"]
"""The rules that another theme can break."""
VIOLATIONS = """(asked) => axe.run(document, {runOnly: asked, resultTypes: ['violations']}).then((found) =>
  found.violations.flatMap(({id, nodes}) => nodes.map((node) =>
    `${id}: ${node.target.join(' ')}: ${node.any.map((one) => one.message).join('; ')}`)))"""
SMALL = """[...document.querySelectorAll('button, a.button, select, input, summary, [role="switch"]')]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('[inert]'))
  .map((one) => one.type === 'radio' || one.type === 'checkbox' ? one.closest('label') ?? one : one)
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, {width, height}]) => width > 0 && (width < 43.5 || height < 43.5))
  .map(([one, {width, height}]) => `${one.id || one.className}: ${Math.round(width)}x${Math.round(height)}`)"""

PAGES = {
    "/": "#turn h1",
    "/tray": "#throw-all",
    "/box": "#box-page:not(.waiting)",
    "/caller": "#voice-name",
    "/doctor": ".finding",
    "/dice": "#die-sets-page:not(.waiting)",
    "/dice/moon": "#die-set-page:not(.waiting)",
    "/dice/moon/capture": "#capture-page",
    "/dice/moon/pictures": "#pictures-page:not(.waiting)",
    "/dice/queue": "#pictures-page:not(.waiting)",
    "/fair-play": "#fair-play:not(.waiting)",
    "/history": ".past",
    "/history/1": "#next",
    "/history/1/result": ".moment",
    "/players": ".player-row",
    "/players/1": ".achievement",
    "/fairness": ".plot",
    "/away": "#look-again",
    "/overlay": "#preview-score .seat",
    "/overlay/score": ".seat",
    "/overlay/dice": ".die",
    "/overlay/ruling": ".overlay",
    "/welcome": "#next-thing h1",
    "/nowhere": "h1",
}


def open_setup(page: Page, _: StubGame) -> None:
    page.locator("#new-game").click()
    expect(page.locator("#start")).to_be_visible()


def ask(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.DOUBT)
    expect(page.locator("#question")).to_be_visible()


def breach(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.BREACH)
    expect(page.locator(".card.breach")).to_be_visible()


def idle(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    expect(page.locator("#first-game")).to_be_visible()


def trouble(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, camera_trouble="The camera is covered."))
    expect(page.locator("#camera-trouble")).to_be_visible()


def correct(page: Page, _: StubGame) -> None:
    page.locator(".die").first.click()
    expect(page.locator("#dialog")).to_be_visible()


def open_tray(page: Page, _: StubGame) -> None:
    if not page.locator("#to-tray").is_visible():
        page.locator("#menu").click()
    page.locator("#to-tray, #to-tray-rare").locator("visible=true").click()
    expect(page.locator("#tray-drawer .handle").first).to_be_visible()


def look_back(page: Page, _: StubGame) -> None:
    page.locator("#open-done").click()
    expect(page.locator("#done")).to_be_visible()


def open_menu(page: Page, _: StubGame) -> None:
    page.locator("#menu").click()
    expect(page.locator("#far")).to_be_visible()


def open_chances(page: Page, _: StubGame) -> None:
    page.locator("#chances").click()
    expect(page.locator("#dialog .chances li").first).to_be_visible()


def stage(page: Page, game_stub: StubGame) -> None:
    open_tray(page, game_stub)
    page.locator("#catalog summary").click()
    page.locator("#stage").click()
    expect(page.locator("#dialog .situation").first).to_be_visible()


def explain(page: Page, _: StubGame) -> None:
    page.locator("#menu").click()
    page.locator("#how-to-play").click()
    expect(page.locator("#dialog h2").first).to_be_visible()


def enter_by_hand(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.BY_HAND)
    page.locator("#manual-entry").click()
    expect(page.locator("#dialog .palette").first).to_be_visible()


def challenge(page: Page, game_stub: StubGame) -> None:
    page.route("**/api/challenge?*", lambda route: route.fulfill(json=SHEET))
    game_stub.show(replace(scenes.PLAYING, last=("Ann rolls.",), last_throws=(2,)))
    page.locator("#open-done").click()
    page.locator("#last button").first.click()
    expect(page.locator("#dialog .no-film")).to_be_visible()


def set_up_on_a_phone(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_setup(page, game_stub)


def choose_the_wrong_die(page: Page, _: StubGame) -> None:
    page.locator("#wrong-die").click()
    expect(page.locator("#dice.to-correct")).to_be_visible()


FACES = [{"face": face, "title": face.capitalize()} for face in ("green", "yellow", "red")]
SHEET = {
    "entry": 2,
    "action": "1 roll tossup:green",
    "step": "1.3",
    "calls": [{"sentence": "Ann rolls.", "rule": "T.2-1"}],
    "film": "",
    "film_note": "The dice were given by hand: there is no film.",
    "evidence": "",
    "dice": [
        {"place": 0, "kind": "tossup", "face": "green", "title": "Green", "faces": FACES, "crop": "", "ring": None}
        | {"confidence": 0.98, "read": "Green", "handled": "placed", "runners_up": [{"title": "Red", "share": 0.02}]}
    ],
}


def read_the_rules(page: Page, _: StubGame) -> None:
    page.locator("#ruling .why-rule").first.click()
    expect(page.locator("#dialog .cited")).to_be_visible()


def agree(page: Page, _: StubGame) -> None:
    page.locator("#open-done").click()
    page.locator("#agree").click()
    expect(page.locator("#dialog .option-button").first).to_be_visible()


def take_back(page: Page, _: StubGame) -> None:
    page.locator("#undo").click()
    expect(page.locator("#dialog .pair")).to_be_visible()


def lie_wrong(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.PUT_BACK)
    expect(page.locator("#question .put-back").first).to_be_visible()


def ask_from_the_menu(page: Page, game_stub: StubGame) -> None:
    ask(page, game_stub)
    page.locator("#question-menu").click()
    expect(page.locator("#question .inside button").first).to_be_visible()


def open_caller(page: Page, _: StubGame) -> None:
    page.locator("#menu").click()
    page.locator("#caller").click()
    page.locator("#dialog input[value=all]").check()
    expect(page.locator("#try-caller")).to_be_enabled()


STATES: dict[str, Callable[[Page, StubGame], None]] = {
    "setup": open_setup,
    "question": ask,
    "breach": breach,
    "idle": idle,
    "trouble": trouble,
    "correction": correct,
    "tray": open_tray,
    "done": look_back,
    "menu": open_menu,
    "chances": open_chances,
    "staging": stage,
    "how to play": explain,
    "by hand": enter_by_hand,
    "challenge": challenge,
    "setup on a phone": set_up_on_a_phone,
    "wrong die": choose_the_wrong_die,
    "caller": open_caller,
    "rules": read_the_rules,
    "agreements": agree,
    "take back": take_back,
    "lies wrong": lie_wrong,
    "a question's menu": ask_from_the_menu,
}

FILM = film_of(FilmedRuling("game-1-entry-1", ""), [grey_picture(number) for number in range(3)], 0)
DIALOGS = {
    "/players/1": ("#change", "#merge", "#forget"),
    "/history/1/result": ("#rematch",),
    "/history/1": ("#film",),
    "/dice": ("#new-dice",),
    "/dice/moon": ("#delete",),
    "/tray": ("#catalog summary >> #stage",),
}
"""What opens a dialog on each page."""


def violations(page: Page) -> list[str]:
    """Return what breaks a rule in the light theme, and what its colours break in the dark one."""
    page.evaluate(AXE)  # evaluated, not loaded: the page's policy admits scripts of its own address alone
    found: list[str] = page.evaluate(VIOLATIONS, RULES)
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(VIOLATIONS, BY_COLOUR)
    page.emulate_media(color_scheme="light")
    return found


@pytest.fixture
def address(
    game_stub: StubGame, tray: StubSimulator, learning_stub: StubLearning, checks_stub: StubChecks, tmp_path: Path
) -> Iterator[str]:
    """Where a real server serves the application, the doctor's page and a past game too."""
    with serve_all_pages(game_stub, tray, learning_stub, checks_stub, tmp_path) as place:
        yield place


@pytest.fixture
def tablet(page: Page) -> Page:
    """A tablet on its side."""
    page.set_viewport_size({"width": 1024, "height": 768})
    page.emulate_media(color_scheme="light")
    return page


@pytest.mark.parametrize("place", PAGES)
def test_a_page_has_no_violation_and_one_h1_and_targets_of_44_pixels(tablet: Page, place: str) -> None:
    if place == "/away":
        tablet.route("**/api/door", lambda route: route.abort())  # else it leads to the table
    tablet.goto(place)
    expect(tablet.locator(PAGES[place]).first).to_be_visible()
    assert violations(tablet) == []
    assert tablet.locator("h1").count() == 1
    assert tablet.evaluate(SMALL) == []


@pytest.mark.parametrize("state", STATES)
def test_the_table_has_no_violation_in_any_state(tablet: Page, game_stub: StubGame, state: str) -> None:
    tablet.goto("/")
    expect(tablet.locator("#turn h1")).to_be_visible()
    STATES[state](tablet, game_stub)
    assert violations(tablet) == []
    assert tablet.locator("h1").count() == 1
    assert tablet.evaluate(SMALL) == []


@pytest.mark.parametrize("place", DIALOGS)
def test_a_pages_dialogs_have_no_violation(tablet: Page, place: str) -> None:
    tablet.route("**/api/films/*", lambda route: route.fulfill(body=FILM, content_type="application/octet-stream"))
    for opener in DIALOGS[place]:
        tablet.goto(place)
        for each in opener.split(" >> "):
            tablet.locator(each).click()
        expect(tablet.locator("#dialog")).to_be_visible()
        assert violations(tablet) == [], opener
        assert tablet.evaluate(SMALL) == [], opener


def test_the_tray_has_no_violation_while_dice_are_chosen_and_lie_off_it(tablet: Page, tray: StubSimulator) -> None:
    tablet.goto("/tray")
    tablet.locator(".handle").first.click()
    expect(tablet.locator("#knock-off")).to_be_enabled()
    tablet.locator("#knock-off").click()
    tablet.locator("#catalog summary").click()
    tablet.locator(".handle").first.click()
    expect(tablet.locator("#throw-chosen")).to_be_enabled()
    assert violations(tablet) == []
    assert tablet.evaluate(SMALL) == []
