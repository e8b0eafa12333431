"""The virtual tray's page in a real Chromium: dice that are chosen, thrown, dragged, turned and knocked off."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from game_phases import phases
from playwright.sync_api import Page, Response, Route, expect
from scenes import by_hand
from stub_game import StubGame, StubSimulator
from test_whole_screens import resize

from referee.actions import Action
from referee.snapshot import DieRing, Offer, TrayActivity
from web import languages

pytestmark = pytest.mark.browser


def test_dice_are_chosen_by_tap_and_thrown_together(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    expect(page.locator("#throw-chosen")).to_be_disabled()
    page.get_by_role("button", name="Die 2").tap()
    page.get_by_role("button", name="Die 4").tap()
    with page.expect_response("**/api/tray/throw"):
        page.get_by_role("button", name="Throw chosen (2)").tap()
    expect(page.locator("#throw-chosen")).to_be_disabled()
    with page.expect_response("**/api/tray/throw"):
        page.get_by_role("button", name="Throw all").tap()
    with page.expect_response("**/api/tray/hand"):
        page.locator("#hand").tap()
    expect(page.locator("#hand")).to_have_text("Hand out")
    assert tray.asked == [("throw", (2, 4)), ("throw", (1, 2, 3, 4, 5, 6)), ("hand", True)]


def test_of_dice_that_lie_close_together_a_tap_chooses_the_nearest(page: Page, tray: StubSimulator) -> None:
    tray.move(1, 0.50, 0.5)
    tray.move(2, 0.52, 0.5)
    tray.move(3, 0.54, 0.5)
    page.goto("/tray")
    picture = page.locator("#picture").bounding_box()
    assert picture
    for x in (0.50, 0.525):  # where the straightened picture shows them
        page.touchscreen.tap(picture["x"] + picture["width"] * x, picture["y"] + picture["height"] * 0.5)
    with page.expect_response("**/api/tray/throw"):
        page.get_by_role("button", name="Throw chosen (2)").tap()
    expect(page.locator("#throw-chosen")).to_be_disabled()
    assert tray.asked[-1] == ("throw", (1, 2))


def test_a_die_is_dragged_to_its_place(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    die = page.get_by_role("button", name="Die 1").bounding_box()
    picture = page.locator("#picture").bounding_box()
    assert die
    assert picture
    page.mouse.move(die["x"] + die["width"] / 2, die["y"] + die["height"] / 2)
    page.mouse.down()
    page.mouse.move(picture["x"] + picture["width"] * 0.6, picture["y"] + picture["height"] * 0.6)
    page.mouse.move(picture["x"] + picture["width"] * 0.86, picture["y"] + picture["height"] * 0.7)
    with page.expect_response("**/api/tray/move"):
        page.mouse.up()
    assert tray.asked == [("move", 1, 0.79, 0.66)]
    expect(page.get_by_role("button", name="Die 1")).to_have_attribute("aria-pressed", "false")


HIT = """() => [...document.querySelectorAll('.handle')].map((handle) => {
  const { left, top, width, height } = handle.getBoundingClientRect();
  const box = document.getElementById('picture').getBoundingClientRect();
  const view = document.getElementById('view');
  const at = new DOMMatrix(getComputedStyle(view).transform);
  const { die } = handle.dataset;
  return { die, x: left + width / 2 - box.left, y: top + height / 2 - box.top, at: [...at.toFloat64Array()] };
})"""


def test_the_tray_is_straightened_and_each_handle_lies_on_its_die(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    page.wait_for_function("() => document.getElementById('view').style.transform.startsWith('matrix3d')")
    view = page.locator("#view").evaluate("(one) => [one.offsetWidth, one.offsetHeight]")
    found = page.evaluate(HIT)
    assert len(found) == 6
    for handle in found:
        x, y, _ = tray.places[int(handle["die"])]
        at, seen = handle["at"], (x * view[0], y * view[1])
        depth = at[3] * seen[0] + at[7] * seen[1] + at[15]
        across, down = ((at[row] * seen[0] + at[4 + row] * seen[1] + at[12 + row]) / depth for row in (0, 1))
        assert (handle["x"], handle["y"]) == pytest.approx((across, down), abs=3)


def test_the_picture_shows_more_of_the_table_while_a_die_lies_beyond_the_tray(
    page: Page, tray: StubSimulator, game_stub: StubGame
) -> None:
    game_stub.show(replace(scenes.PLAYING, tray=TrayActivity.AT_REST))
    page.goto("/tray")
    expect(page.locator(".handle").first).to_be_visible()
    expect(page.locator("#picture")).not_to_have_class("wide")
    tray.places[1] = (0.02, 0.5, "out")
    expect(page.locator("#picture")).to_have_class("wide")


def test_an_unsure_die_is_ringed_in_the_picture_of_the_tray(
    page: Page, tray: StubSimulator, game_stub: StubGame
) -> None:
    x, y, _ = tray.places[2]
    unsure = replace(scenes.PLAYING.dice[0], kind="traffic", sure=False, mark="", ring=DieRing(x, y, 0.05))
    game_stub.show(replace(scenes.PLAYING, dice=(unsure,)))
    page.goto("/tray")
    expect(page.locator(".handle.doubtful")).to_have_attribute("data-die", "2")


def test_a_die_knocked_off_lies_on_the_shelf(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    page.get_by_role("button", name="Die 5").tap()
    page.locator("#knock-off").tap()
    expect(page.locator("#shelf")).to_contain_text("Die 5")
    expect(page.locator(".handle")).to_have_count(5)
    assert tray.asked == [("knock-off", 5)]


def test_other_dice_and_trouble_are_a_tap_away(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    page.get_by_text("For testing").tap()
    expect(page.get_by_label("Die set")).to_have_value("intersection")
    page.get_by_label("Die set").select_option("Strange dice")
    page.get_by_label("drawn by").select_option("a stranger (look 1)")
    page.get_by_role("button", name="Put out").tap()
    expect(page.locator("#toast")).to_contain_text("Put out: Strange dice, drawn by a stranger (look 1).")
    page.get_by_role("button", name="Cover").tap()
    expect(page.get_by_role("button", name="Cover")).to_have_attribute("aria-pressed", "true")
    assert tray.asked == [("set-out", "strange", "unseen-1"), ("trouble", "covered")]
    page.get_by_text("For testing").tap()
    page.get_by_text("For testing").tap()
    expect(page.get_by_label("drawn by")).to_have_value("unseen-1")


def _told(answer: Response, what: str, die: int) -> bool:
    return answer.url.endswith(f"/api/tray/{what}") and bool(answer.request.post_data_json["die"] == die)


def test_chosen_dice_are_turned_over_and_turned_where_they_lie(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    expect(page.locator("#tip")).to_be_disabled()
    page.get_by_role("button", name="Die 2").tap()
    page.get_by_role("button", name="Die 4").tap()
    with page.expect_response(lambda answer: _told(answer, "tip", 4)):
        page.get_by_role("button", name="Turn over").tap()
    with page.expect_response(lambda answer: _told(answer, "twist", 4)):
        page.get_by_role("button", name="Turn round").tap()
    expect(page.get_by_role("button", name="Die 4")).to_have_attribute("aria-pressed", "true")
    assert tray.asked == [("tip", 2), ("tip", 4), ("twist", 2, 30.0), ("twist", 4, 30.0)]


def test_keys_turn_a_die_over_and_where_it_lies(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    die = page.get_by_role("button", name="Die 3")
    for key, what in (("o", "tip"), ("t", "twist"), ("Shift+T", "twist"), ("ArrowRight", "move")):
        with page.expect_response(f"**/api/tray/{what}"):
            die.press(key)
    assert tray.asked == [("tip", 3), ("twist", 3, 30.0), ("twist", 3, -30.0), ("move", 3, 0.32, 0.72)]


def test_the_tray_shows_what_the_camera_sees(page: Page) -> None:
    with page.expect_response("**/tray.jpg*"):
        page.goto("/tray")
    page.wait_for_function("() => document.getElementById('view').width === 640")
    page.locator("#to-table").tap()
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    page.locator("#menu").tap()
    expect(page.locator("#to-tray-rare")).to_be_visible()


def test_the_live_picture_is_no_image_whose_pixels_the_browser_keeps(page: Page) -> None:
    page.goto("/tray")
    fetched = "() => performance.getEntriesByType('resource').filter((each) => each.name.includes('tray.jpg'))"
    page.wait_for_function(f"{fetched}.length > 2")
    assert set(page.evaluate(f"{fetched}.map((each) => each.initiatorType)")) == {"fetch"}


def test_a_cheat_or_a_mishap_is_staged_with_the_chosen_dice_or_with_all(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    page.get_by_role("button", name="Die 4").tap()
    page.get_by_role("button", name="Die 2").tap()
    expect(page.locator("#stage")).to_be_hidden()
    page.locator("#catalog summary").tap()
    page.locator("#stage").tap()
    sheet = page.locator("#dialog")
    expect(sheet).to_contain_text("Played with the chosen dice: 2, 4.")
    expect(sheet.get_by_role("region", name="Mishaps").get_by_role("button")).to_have_count(2)
    sheet.get_by_role("region", name="Cheats").get_by_role("button").tap()
    expect(page.locator("#toast")).to_contain_text("Now: A die is turned with two fingers.")
    expect(sheet).to_be_hidden()
    page.locator("#stage").tap()
    expect(sheet).to_contain_text("all dice in the field")
    sheet.get_by_role("button", name="Somebody bumps the table").tap()
    expect(sheet).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("Somebody bumps the table")
    assert tray.asked == [("stage", "turn", (4, 2)), ("stage", "bump", ())]


def test_a_ring_goes_round_its_die_and_leaves_the_next_one_free(page: Page) -> None:
    page.goto("/tray")
    expect(page.locator(".handle").first).to_be_visible()
    ring, handle, picture = page.evaluate("""() => {
      const handle = document.querySelector('.handle');
      const width = (one) => one.getBoundingClientRect().width;
      const ring = parseFloat(getComputedStyle(handle, '::before').width);
      return [ring, width(handle), width(document.getElementById('picture'))];
    }""")
    told = "fetch('/api/tray/dice').then((found) => found.json())"
    edge = page.evaluate(f"{told}.then(({{ dice, straight }}) => dice[0].edge * straight[0])") * picture
    assert handle >= 48
    assert 1.41 * edge <= ring <= max(18, 1.6 * edge) + 6


def test_the_tray_opens_beside_the_table_and_throws_there(page: Page, tray: StubSimulator) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    assert not any("/tray" in url for url in asked if "/static/" not in url)
    page.locator("#to-tray").click()
    expect(page.locator("#tray-drawer .handle").first).to_be_visible()
    expect(page.locator("#to-tray")).to_have_attribute("aria-expanded", "true")
    with page.expect_response("**/api/tray/throw"):
        page.locator("#throw-all").click()
    edges = "'#table, #tray-drawer'"
    corners = f"[...document.querySelectorAll({edges})].map((one) => one.getBoundingClientRect())"
    table, drawer = page.evaluate(f"{corners}.map(({{left, right}}) => [left, right])")
    assert table[1] <= drawer[0]
    page.locator("#close-tray").click()
    expect(page.locator("#tray-drawer")).to_be_hidden()
    expect(page.locator("#to-tray")).to_be_focused()


@pytest.mark.usefixtures("tray")
def test_a_tray_that_is_closed_while_its_dice_are_on_the_way_stays_as_it_was(page: Page) -> None:
    held: list[Route] = []
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto("/")
    page.locator("#to-tray").click()
    expect(page.locator("#tray-drawer .handle").first).to_be_visible()
    page.route("**/api/tray/dice", lambda route: held.append(route))  # noqa: PLW0108 - it takes no built-in
    while not held:
        page.wait_for_timeout(20)
    page.locator("#close-tray").click()
    expect(page.locator("#tray-drawer")).to_be_hidden()
    laid = page.locator("#view").evaluate("(view) => view.style.transform")
    with page.expect_response("**/api/tray/dice"):
        held[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator("#view").evaluate("(view) => view.style.transform") == laid  # and the page had no error


def test_the_drawer_is_as_it_was_left_when_the_page_is_loaded_again(page: Page) -> None:
    page.goto("/")
    page.locator("#menu").tap()
    page.locator("#to-tray-rare").click()
    expect(page.locator("#tray-drawer .handle").first).to_be_visible()
    page.reload()
    expect(page.locator("#tray-drawer .handle").first).to_be_visible()
    page.locator("#close-tray").click()
    page.reload()
    expect(page.locator("#turn h1")).to_be_visible()
    expect(page.locator("#tray-drawer")).to_be_hidden()


ALL_SIX = by_hand("1 roll signal:? traffic:? traffic:? traffic:? traffic:? traffic:?", "Roll all six dice")
FIVE = by_hand("1 lot traffic:? traffic:? traffic:? traffic:? traffic:?", "Throw the five Traffic dice")


def test_the_main_button_throws_what_the_game_asks_for(page: Page, tray: StubSimulator, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, offers=(FIVE,)))
    page.goto("/tray")
    main = page.locator("#throw-asked")
    expect(main).to_have_text("Throw the five Traffic dice")
    expect(page.locator(".handle.asked")).to_have_count(5)
    expect(page.locator("#tray .main")).to_have_count(1)
    tray.resting_in = 1.0
    with page.expect_response("**/api/tray/throw"):
        main.tap()
    expect(main).to_be_disabled()
    game_stub.show(replace(scenes.PLAYING, offers=(FIVE,), tray=TrayActivity.MOVING))
    expect(main).to_be_disabled()
    game_stub.show(replace(scenes.PLAYING, offers=(ALL_SIX,), step="1.99"))
    expect(main).to_have_text("Roll all six dice")
    expect(main).to_be_enabled()
    expect(page.locator(".handle.asked")).to_have_count(0)
    game_stub.show(replace(scenes.PLAYING, offers=()))
    expect(main).to_be_disabled()
    assert tray.asked == [("throw", (1, 2, 3, 4, 5))]


def test_however_slow_the_machine_a_throw_is_not_made_twice(
    page: Page, tray: StubSimulator, game_stub: StubGame
) -> None:
    tray.resting_in = 2.0
    game_stub.show(replace(scenes.PLAYING, offers=(FIVE,)))
    page.goto("/tray")
    main = page.locator("#throw-asked")
    main.tap()
    page.wait_for_timeout(5000)
    expect(main).to_be_disabled()
    tray.resting_in = -3.0  # the dice lie, and nothing was seen of them
    expect(main).to_be_enabled()
    assert tray.asked == [("throw", (1, 2, 3, 4, 5))]


def test_next_to_the_table_one_button_is_the_main_one(page: Page, tray: StubSimulator, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    end = Offer(Action.parse("1 end"), "End the turn, keep 400", by_tap=True, usual=1)
    game_stub.show(replace(scenes.PLAYING, offers=(end, ALL_SIX)))
    page.goto("/")
    page.locator("#to-tray").tap()
    throw, main = page.locator("#throw-asked"), page.locator("button.main:visible")
    expect(main).to_have_text("End the turn, keep 400")
    expect(page.get_by_text("End the turn, keep 400")).to_have_count(1)
    expect(throw).to_have_text("Roll all six dice")
    with page.expect_response("**/api/tray/throw"):
        throw.tap()
    game_stub.show(replace(scenes.PLAYING, offers=(end,)))
    expect(throw).to_have_text("No throw is asked for now")
    game_stub.show(replace(scenes.PLAYING, offers=(ALL_SIX,)))
    expect(main).to_have_text("Roll all six dice")


def test_dice_are_put_back_by_a_button_that_stands_out_after_a_breach(
    page: Page, tray: StubSimulator, game_stub: StubGame
) -> None:
    page.goto("/tray")
    button = page.locator("#lay-back")
    expect(button).to_have_class("")
    game_stub.show(scenes.PUT_BACK)
    expect(button).to_have_class("strong")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        button.tap()
    expect(page.locator("#toast")).to_be_hidden()
    ((what, wanted),) = tray.asked
    assert what == "put-back"
    assert ("traffic", "two", "field") in wanted
    assert ("traffic", "four", "aside") in wanted


def open_drawer(page: Page, size: tuple[int, int]) -> None:
    """Open the table page with the tray next to it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/")
    if size[0] < 800:
        page.locator("#menu").tap()
    page.locator("#to-tray, #to-tray-rare").locator("visible=true").tap()
    expect(page.locator("#tray-drawer .handle").first).to_be_visible()


CUT = """() => {
  const cross = document.getElementById('close-tray').getBoundingClientRect();
  const picture = document.getElementById('picture').getBoundingClientRect();
  const buttons = document.querySelectorAll('#tray-drawer :is(.throws, .pair) button');
  return [
    cross.left < picture.right && cross.top < picture.bottom && 'the picture is covered',
    ...[...buttons].filter((one) => one.checkVisibility()).map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const isWhole = bottom <= innerHeight && right <= innerWidth && one.scrollWidth <= one.clientWidth;
      return !(isWhole && one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))) && one.id;
    }),
  ].filter(Boolean);
}"""


DRAWER_SCROLLS = """() => [...document.querySelectorAll('#tray-drawer')]
  .filter((one) => one.scrollHeight > one.clientHeight).map(() => 'the drawer scrolls')"""
ON_ITS_SIDE = [(844, 390), (740, 360), (667, 375)]


def test_on_a_phone_nothing_of_the_trays_picture_and_its_buttons_is_cut_while_a_die_is_chosen(
    page: Page, address: str, game_stub: StubGame
) -> None:
    page.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    sizes = [(390, 844), (360, 640), *ON_ITS_SIDE]
    open_drawer(page, sizes[0])
    game_stub.show(phases("intersection")["choice"])
    expect(page.locator("#knock-off")).to_be_hidden()
    page.locator(".handle").first.press("Enter")
    for button in ("#throw-chosen", "#tip", "#twist", "#knock-off"):
        expect(page.locator(button)).to_be_visible()
    expect(page.locator("#throw-all")).to_be_hidden()
    for size in sizes:
        resize(page, size)
        assert page.evaluate(CUT) == [], size
    page.locator("#knock-off").tap()
    expect(page.locator("#shelf")).not_to_be_empty()
    for size in ON_ITS_SIDE:
        resize(page, size)
        assert page.evaluate(CUT) + page.evaluate(DRAWER_SCROLLS) == [], size
