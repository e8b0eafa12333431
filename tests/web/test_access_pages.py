"""Joining in, watching and looking after the box, in a real Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import scenes
from access_scene import PowerSwitch
from browsers import lent_app, served
from playwright.sync_api import Browser, Page, ViewportSize, expect
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning
from test_accessible_pages import SMALL, violations
from test_whole_screens import resize

from vander.access import PairingService
from vander.app.backends import Backends
from web.schemas.access_schemas import ListedSetting, joining_url

pytestmark = pytest.mark.browser

Tablets = Callable[[], Page]
POLL_MS = 2600
"""After so many milliseconds a keeper's page has looked for a code."""


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[PairingService]:
    keeper = PairingService(tmp_path, trust_local=False)
    yield keeper
    keeper.close()


@pytest.fixture
def address(
    game_stub: StubGame,
    tray: StubSimulator,
    learning_stub: StubLearning,
    checks_stub: StubChecks,
    pairing: PairingService,
    switch: PowerSwitch,
) -> Iterator[str]:
    """Where a real server serves a table with a door."""
    chosen = (ListedSetting("port", "8080", "the port to serve on"),)
    app = lent_app(Backends(game_stub, tray, learning_stub, checks_stub, None, pairing, switch, chosen))
    with served(app) as place:
        yield place


@pytest.fixture
def tablets(chromium: Browser, address: str) -> Tablets:
    """Takes another tablet into the hand."""
    size: ViewportSize = {"width": 390, "height": 844}
    return lambda: chromium.new_context(
        viewport=size, has_touch=True, base_url=address, reduced_motion="reduce"
    ).new_page()


def fill_in(page: Page, code: tuple[int, ...]) -> None:
    for face in code:
        page.locator(f".key[data-face='{face}']").tap()


def pair(page: Page, pairing: PairingService, name: str = "") -> None:
    """Give a browser a tablet's key, without the page for it."""
    headers = {"X-Vander": "tablet"}
    assert page.request.post("/api/door/ask", data={}, headers=headers).ok
    assert page.request.post("/api/door/pair", data={"code": pairing.code(), "name": name}, headers=headers).ok


def join(page: Page, pairing: PairingService, name: str = "") -> None:
    """Join in as a person does, and be at the table."""
    page.goto("/")
    page.locator("#join-in").tap()
    expect(page.locator(".slot")).to_have_count(6)
    fill_in(page, pairing.code() or ())
    page.locator("#name").fill(name)
    page.locator("#join").tap()
    page.wait_for_url("**/")
    expect(page.locator("#turn h1")).to_be_visible()


def test_a_tablet_that_joins_in_may_decide(page: Page, pairing: PairingService, game_stub: StubGame) -> None:
    page.goto("/")
    expect(page.locator("#watching")).to_contain_text("Join in to decide")
    join(page, pairing, "Kitchen")
    assert [tablet.name for tablet in pairing.tablets()] == ["Kitchen"]
    expect(page.locator("#watching")).to_have_count(0)
    page.get_by_role("button", name="End the turn and take 250").tap()
    assert game_stub.wait_for_asked("act", "1 end")


def test_a_wrong_code_says_so_and_a_die_can_be_taken_back(page: Page, pairing: PairingService) -> None:
    page.goto("/pair")
    expect(page.locator(".slot")).to_have_count(6)
    code = pairing.code() or ()
    other = code[0] % 6 + 1
    fill_in(page, (other,))
    page.locator("#back").tap()
    expect(page.locator("#join")).to_be_disabled()
    fill_in(page, (other, *code[1:]))
    page.locator("#join").tap()
    expect(page.locator("#instructions")).to_contain_text("4 tries are left")
    expect(page.locator(".slot svg")).to_have_count(0)
    for face in code:
        page.keyboard.press(str(face))
    page.locator("#join").tap()
    page.wait_for_url("**/")


def test_five_wrong_codes_are_followed_by_a_wait_that_is_told(page: Page, pairing: PairingService) -> None:
    page.goto("/pair")
    expect(page.locator(".slot")).to_have_count(6)
    code = pairing.code() or ()
    for left in ("4 tries", "3 tries", "2 tries", "one try", "too many"):
        fill_in(page, (code[0] % 6 + 1, *code[1:]))
        page.locator("#join").tap()
        expect(page.locator("#instructions")).to_contain_text(left)
    expect(page.locator("#ask")).to_be_disabled()
    expect(page.locator("#instructions")).to_contain_text("You can ask for a new code in")


def test_who_only_watches_is_told_the_way_in_and_not_asked(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    for button in (page.get_by_role("button", name="End the turn and take 250"), page.locator("#new-game")):
        button.tap()
        expect(page.locator("#toast")).to_contain_text("You are watching. Join in to decide.")
    expect(page.locator("#setup")).to_be_hidden()
    page.locator(".die").first.tap()
    expect(page.locator("#dialog")).to_be_hidden()
    game_stub.show(scenes.DOUBT)
    expect(page.locator("#ask-again")).to_be_visible()
    expect(page.locator("#question")).to_be_hidden()
    assert game_stub.asked == []


def test_the_box_page_is_the_keepers_alone(page: Page, tablets: Tablets, pairing: PairingService) -> None:
    pair(tablets(), pairing)
    pair(page, pairing)
    page.goto("/")
    expect(page.locator("#to-box")).to_have_count(0)
    page.goto("/box")
    expect(page.locator("h1")).to_contain_text("keeper alone")


def test_the_keepers_page_shows_the_code_of_who_asks_until_it_is_used(
    new_page: Page, tablets: Tablets, pairing: PairingService
) -> None:
    pair(new_page, pairing)
    new_page.clock.install()
    new_page.goto("/")
    expect(new_page.locator("#to-box")).to_be_attached()
    other = tablets()
    other.goto("/pair")
    expect(other.locator(".slot")).to_have_count(6)
    new_page.clock.fast_forward(POLL_MS)
    expect(new_page.locator("#code-panel .code svg")).to_have_count(6)
    expect(new_page.locator("#code-panel .digits span")).to_have_text(" ".join(map(str, pairing.code() or ())))
    expect(other.locator("#code-panel")).to_be_hidden()
    fill_in(other, pairing.code() or ())
    other.locator("#join").tap()
    other.wait_for_url("**/")
    new_page.clock.fast_forward(POLL_MS)
    expect(new_page.locator("#code-panel")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768)])
def test_the_code_covers_no_button_of_the_header(page: Page, pairing: PairingService, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    pair(page, pairing)
    pairing.show_code(keeper=True)
    page.goto("/")
    expect(page.locator("#code-panel .code svg")).to_have_count(6)
    page.locator("#scan-code").tap()
    page.locator("#new-game").tap()
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("#hide-code")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("view", ["near", "far"])
def test_the_code_covers_nothing_until_somebody_wants_to_scan_it(
    page: Page, pairing: PairingService, view: str
) -> None:
    pair(page, pairing)
    pairing.show_code(keeper=True)
    page.goto(f"/?view={view}")
    expect(page.locator("#code-panel .code svg")).to_have_count(6)
    for size in [(390, 844), (844, 390), (1024, 768)]:
        resize(page, size)
        table, code = page.locator("#table").bounding_box(), page.locator("#code-panel").bounding_box()
        assert table
        assert code
        assert table["y"] + table["height"] <= code["y"] + 1
        assert code["y"] + code["height"] <= size[1] + 1


def test_a_code_that_was_hidden_stays_hidden(new_page: Page, tablets: Tablets, pairing: PairingService) -> None:
    pair(new_page, pairing)
    new_page.clock.install()
    new_page.goto("/")
    expect(new_page.locator("#to-box")).to_be_attached()
    other = tablets()
    other.goto("/pair")
    expect(other.locator(".slot")).to_have_count(6)
    new_page.clock.fast_forward(POLL_MS)
    new_page.locator("#hide-code").tap()
    expect(new_page.locator("#code-panel")).to_be_hidden()
    with new_page.expect_response("**/api/door"):
        new_page.clock.fast_forward(POLL_MS)
    expect(new_page.locator("#code-panel")).to_be_hidden()
    with new_page.expect_response("**/api/door"):
        new_page.goto("/box")
    expect(new_page.locator("#show-code")).to_be_visible()
    expect(new_page.locator("#code-panel")).to_be_hidden()


def test_the_keeper_looks_after_the_tablets(page: Page, tablets: Tablets, pairing: PairingService) -> None:
    pair(page, pairing, "Kitchen")
    other = tablets()
    pair(other, pairing, "Phone")
    page.goto("/box")
    phone = page.locator(".tablet[data-number='2']")
    phone.get_by_role("button", name="Rename").tap()
    page.locator("#new-name").fill("Oma")
    page.locator("#save-name").tap()
    expect(phone).to_contain_text("Oma")
    phone.get_by_role("button", name="Make keeper").tap()
    page.locator("#sure").tap()
    expect(phone).to_contain_text("Keeper")
    phone.get_by_role("button", name="Forget").tap()
    page.locator("#sure").tap()
    expect(phone).to_have_count(0)
    other.goto("/")
    expect(other.locator("#watching")).to_be_visible()


def test_a_keeper_that_forgets_itself_watches(page: Page, pairing: PairingService) -> None:
    pair(page, pairing)
    page.goto("/box")
    page.get_by_role("button", name="Forget").tap()
    expect(page.locator("#dialog")).to_contain_text("No keeper is left then.")
    page.locator("#sure").tap()
    page.wait_for_url("**/")
    expect(page.locator("#watching")).to_be_visible()


def test_the_last_keeper_is_warned_before_it_becomes_a_player(
    page: Page, tablets: Tablets, pairing: PairingService
) -> None:
    pair(page, pairing, "Kitchen")
    pair(tablets(), pairing, "Phone")
    page.goto("/box")
    kitchen, phone = (page.locator(f".tablet[data-number='{number}']") for number in (1, 2))
    kitchen.get_by_role("button", name="Make player").tap()
    expect(page.locator("#dialog")).to_contain_text("Only the box can make another")
    page.get_by_role("button", name="No, go back").tap()
    phone.get_by_role("button", name="Make keeper").tap()
    page.locator("#sure").tap()
    expect(phone).to_contain_text("Keeper")
    phone.get_by_role("button", name="Make player").tap()
    expect(page.locator("#dialog")).to_contain_text("decides at the table")
    page.locator("#sure").tap()
    expect(phone).to_contain_text("Player")
    kitchen.get_by_role("button", name="Make player").tap()
    page.locator("#sure").tap()
    page.wait_for_url("**/")
    assert [tablet.role.word for tablet in pairing.tablets()] == ["player", "player"]


def test_a_stranger_that_asks_in_vain_is_told_what_to_do_and_the_keeper_allows_more(
    page: Page, tablets: Tablets, pairing: PairingService
) -> None:
    pair(page, pairing, "Kitchen")
    for _ in range(3):
        pairing.show_code()
        pairing.close()  # as when nobody uses the code
    other = tablets()
    other.goto("/pair")
    expect(other.locator("#instructions")).to_contain_text("Ask a keeper to allow more, or press the box’s button.")
    expect(other.locator("#ask")).to_be_disabled()
    page.goto("/box")
    expect(page.locator("#codes-refused")).to_contain_text("not used")
    page.locator("#allow-codes").tap()
    expect(page.locator("#codes-refused")).to_have_count(0)
    expect(other.locator("#ask")).to_be_enabled()
    other.locator("#ask").tap()
    expect(other.locator(".slot")).to_have_count(6)


def test_a_box_that_lost_its_keeper_says_that_its_button_makes_another(
    page: Page, tablets: Tablets, pairing: PairingService
) -> None:
    pair(tablets(), pairing, "Kitchen")
    pairing.forget(1, confirmed=True)
    page.goto("/pair")
    expect(page.locator("#no-keeper")).to_contain_text("Press its button now")
    assert pairing.on_button()
    expect(page.locator("#no-keeper")).to_have_count(0)
    expect(page.locator("#instructions")).to_contain_text("becomes the keeper’s")
    fill_in(page, pairing.code() or ())
    page.locator("#join").tap()
    page.wait_for_url("**/")
    expect(page.locator("#to-box")).to_be_attached()


def test_the_box_is_shut_down_after_two_questions(page: Page, pairing: PairingService, switch: PowerSwitch) -> None:
    pair(page, pairing)
    page.goto("/box")
    page.locator("#power-off").tap()
    page.locator("#sure").tap()
    expect(page.locator("#dialog-title")).to_have_text("Really now?")
    assert switch.off == 0
    page.get_by_role("button", name="No, go back").tap()
    page.locator("#power-off").tap()
    page.locator("#sure").tap()
    expect(page.locator("#dialog-title")).to_have_text("Really now?")
    page.locator("#sure").tap()
    expect(page.locator("#shutting-down")).to_contain_text("pull the plug")
    assert switch.off == 1


def test_a_tablet_that_has_joined_in_can_leave(page: Page, pairing: PairingService) -> None:
    pair(page, pairing, "Kitchen")
    page.goto("/pair")
    expect(page.locator("#instructions")).to_contain_text("Kitchen")
    page.locator("#leave").tap()
    expect(page.locator("#dialog")).to_contain_text("No keeper is left then.")
    page.locator("#sure").tap()
    expect(page.locator("#watching")).to_be_visible()
    assert pairing.tablets() == []


def test_no_page_of_the_door_scrolls_sideways(page: Page, pairing: PairingService) -> None:
    for address in ("/", "/pair", "/tray", "/dice"):
        page.goto(address)
        expect(page.locator(".top, .refused").first).to_be_visible()
        assert_fits(page, address)
    pair(page, pairing, "A very long name, no end")
    for address in ("/", "/pair", "/box"):
        page.goto(address)
        expect(page.locator(".waiting")).to_have_count(0)
        assert_fits(page, address)


def assert_fits(page: Page, address: str) -> None:
    for width, height in ((1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


FOLLOW = """(where) => {
  const link = Object.assign(document.createElement('a'), {href: where});
  document.body.append(link);
  link.click();
}"""


def test_a_link_from_another_site_finds_the_tablet_paired(page: Page, address: str, pairing: PairingService) -> None:
    pair(page, pairing)
    elsewhere = page.context.new_page()
    elsewhere.goto(address.replace("127.0.0.1", "localhost"))  # another site than the one that has the key
    expect(elsewhere.locator("#watching")).to_be_visible()
    elsewhere.evaluate(FOLLOW, f"{address}/")
    elsewhere.wait_for_url(f"{address}/")
    expect(elsewhere.locator("#to-box")).to_be_attached()
    expect(elsewhere.locator("#watching")).to_have_count(0)


def test_a_scanned_code_joins_in_by_one_tap_and_is_kept_in_no_address(
    page: Page, address: str, pairing: PairingService
) -> None:
    pairing.show_code(keeper=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(joining_url(address, pairing.code() or ()))
    expect(page.locator("#instructions h1")).to_have_text("Join in")
    expect(page.locator(".key")).to_have_count(0)
    assert page.url == f"{address}/pair"
    page.locator("#join").tap()
    page.wait_for_url("**/")
    assert len(pairing.tablets()) == 1
    assert not any("#" in url.replace(f"{address}/pair#", "") for url in asked)


def test_a_scanned_code_that_is_used_up_asks_for_the_dice_instead(page: Page, pairing: PairingService) -> None:
    pairing.show_code(keeper=True)
    other = tuple(face % 6 + 1 for face in pairing.code() or ())
    page.goto(joining_url("", other))
    page.locator("#join").tap()
    expect(page.locator("#instructions")).to_contain_text("not the six dice")
    expect(page.locator(".key")).to_have_count(6)


def test_the_keepers_panel_has_the_code_to_be_scanned(page: Page, pairing: PairingService) -> None:
    pair(page, pairing)
    page.goto("/box")
    page.locator("#show-code").tap()
    expect(page.locator("#code-panel .scan")).to_contain_text("Only this machine can open the page")


def test_the_hint_of_the_virtual_tray_is_plain_text(chromium: Browser, address: str) -> None:
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, base_url=address)
    page = context.new_page()
    page.goto("/tray")
    hint = page.locator("#help span")
    expect(hint).to_be_visible()
    look = "hint => ['padding', 'display', 'backgroundColor'].map((name) => getComputedStyle(hint)[name])"
    assert hint.evaluate(look) == ["0px", "inline", "rgba(0, 0, 0, 0)"]


@pytest.mark.slow
def test_joining_in_and_the_code_can_be_used_by_everybody(
    page: Page, tablets: Tablets, pairing: PairingService
) -> None:
    pair(page, pairing, "Kitchen")
    page.goto("/")
    phone = tablets()
    phone.goto("/pair")
    expect(phone.locator(".slot")).to_have_count(6)
    expect(page.locator("#code-panel .code svg")).to_have_count(6)
    for each in (phone, page):
        assert violations(each) == []
        assert each.locator("h1").count() == 1
        assert each.evaluate(SMALL) == []
