"""The virtual tray's page in a real Chromium: dice that are chosen, thrown, dragged, turned and knocked off."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Response, expect
from stub_game import StubSimulator

pytestmark = pytest.mark.browser


def test_dice_are_chosen_by_tap_and_thrown_together(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    expect(page.locator("#throw-chosen")).to_be_disabled()
    page.get_by_role("button", name="Die 2").tap()
    page.get_by_role("button", name="Die 4").tap()
    page.get_by_role("button", name="Throw chosen (2)").tap()
    expect(page.locator("#throw-chosen")).to_be_disabled()
    page.get_by_role("button", name="Throw all").tap()
    page.locator("#hand").tap()
    expect(page.locator("#hand")).to_have_text("Hand out")
    assert tray.asked == [("throw", (2, 4)), ("throw", (1, 2, 3, 4, 5, 6)), ("hand", True)]


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
    assert tray.asked == [("move", 1, 0.86, 0.7)]
    expect(page.get_by_role("button", name="Die 1")).to_have_attribute("aria-pressed", "false")


def test_a_die_knocked_off_lies_on_the_shelf(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    page.get_by_role("button", name="Die 5").tap()
    page.locator("#knock-off").tap()
    expect(page.locator("#shelf")).to_contain_text("Die 5")
    expect(page.locator(".handle")).to_have_count(5)
    assert tray.asked == [("knock-off", 5)]


def test_other_dice_and_trouble_are_a_tap_away(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    page.get_by_text("Dice and camera").tap()
    expect(page.get_by_label("Die set")).to_have_value("intersection")
    page.get_by_label("Die set").select_option("Strange dice")
    page.get_by_label("drawn by").select_option("a stranger (look 1)")
    page.get_by_role("button", name="Put out").tap()
    expect(page.locator("#toast")).to_contain_text("Put out: Strange dice, drawn by a stranger (look 1).")
    page.get_by_role("button", name="Cover").tap()
    expect(page.get_by_role("button", name="Cover")).to_have_attribute("aria-pressed", "true")
    assert tray.asked == [("set-out", "strange", "unseen-1"), ("trouble", "covered")]
    page.get_by_text("Dice and camera").tap()
    page.get_by_text("Dice and camera").tap()
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
        page.get_by_role("button", name="Turn", exact=True).tap()
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
    page.wait_for_function("document.getElementById('view').naturalWidth === 640")
    page.locator("#to-table").tap()
    expect(page.locator("#turn h1")).to_have_text("Ann\u2019s turn")
    expect(page.locator("#to-tray")).to_be_visible()
