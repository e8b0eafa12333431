"""Putting dice back, in a real Chromium: a board of pictures, and going on as the dice lie is asked twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from game_phases import phases
from playwright.sync_api import Locator, Page, expect
from stub_game import StubGame, StubSimulator
from test_whole_screens import on_boards, resize

pytestmark = pytest.mark.browser

SCROLLS = "all => all.scrollHeight > all.clientHeight || all.scrollWidth > all.clientWidth"
TEXT_PX = "(one) => parseFloat(getComputedStyle(one).fontSize) * (one.currentCSSZoom ?? 1)"


def test_the_board_shows_each_die_as_it_lies_and_as_it_lay(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(scenes.PUT_BACK)
    board = page.locator("#question .put-back li.wrong")
    expect(board).to_have_count(3)
    expect(page.locator("#question .put-back li.right")).to_have_count(4)
    expect(page.locator("#question h2")).to_have_text("Make the lower row like the upper one: 3 dice are marked.")
    expect(board.first).to_contain_text("This die back to Star")
    expect(board.first.locator("img")).to_have_count(2)
    expect(board.nth(1)).to_contain_text("This die into the bay")
    expect(board.nth(2)).to_contain_text("Lay a die onto the field: Two")
    expect(board.nth(2).locator(".missing")).to_be_visible()
    expect(page.locator("#question .throws-wait")).to_contain_text("1 throw waits")
    for size in ((1024, 768), (390, 844), (1920, 1080)):
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), size
    expect(page.locator("#question .main")).to_have_text("Put them back for me")
    expect(page.locator("#put-back")).to_have_text("The dice are put back")
    page.locator("#put-back").click()
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("#ruling .put-back li")).to_have_count(3)


def test_the_ruling_keeps_its_place_until_a_tap_lays_the_question_aside(page: Page, game_stub: StubGame) -> None:
    chosen, rulings = phases("intersection")["choice"], page.locator("#table > .rulings")
    game_stub.show(chosen)
    page.goto("/")
    expect(rulings).to_be_visible()
    before = rulings.bounding_box()
    game_stub.show(on_boards(chosen, scenes.PUT_BACK))
    expect(page.locator("#question")).to_be_visible()
    assert rulings.bounding_box() == before
    page.locator("#put-back").click()
    expect(page.locator("#ruling .two-rows")).to_be_visible()
    after = rulings.bounding_box()
    assert before
    assert after
    assert after["height"] > before["height"]


def test_while_the_trays_hand_puts_dice_back_it_is_not_asked_again(
    new_page: Page, game_stub: StubGame, tray: StubSimulator
) -> None:
    new_page.clock.install()  # else a busy machine looks when the hand is done
    new_page.goto("/")
    game_stub.show(scenes.PUT_BACK)
    tray.resting_in = 600.0
    new_page.locator("#lay-them-back").click()
    expect(new_page.locator("#lay-them-back")).to_be_disabled()
    expect(new_page.locator("#question")).to_be_visible()
    new_page.clock.fast_forward("11:00")
    expect(new_page.locator("#lay-them-back")).to_be_enabled()
    assert [name for name, *_ in tray.asked] == ["put-back"]


def test_what_lies_wrong_is_ringed_in_the_picture_of_the_tray(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PUT_BACK, dice=scenes.PICTURED.dice, tray_picture="evidence-1"))
    page.goto("/")
    expect(page.locator("#question .tray-shot img")).to_have_attribute("alt", "The tray, with rings around 2 dice")
    expect(page.locator("#question .tray-shot .ring")).to_have_count(2)
    for size in ((1024, 768), (768, 1024), (390, 844), (1920, 1080)):
        resize(page, size)
        assert not page.locator("#question").evaluate(SCROLLS), size
    page.locator("#show-me").click()
    expect(page.locator("#question .tray-shot .ring")).to_have_count(2)
    page.locator("#back-to-question").click()
    expect(page.locator("#question .put-back")).to_be_visible()


def test_dice_that_lie_wrong_are_large_enough_to_be_told_apart_on_a_phone(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    game_stub.show(scenes.PUT_BACK)
    looks = page.locator("#question .put-back li.wrong .look")
    expect(looks).to_have_count(6)
    assert min(box["width"] for box in map(Locator.bounding_box, looks.all()) if box) >= 44


def test_a_breach_is_read_on_a_phone(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    game_stub.show(scenes.BREACH)
    notice = page.locator("#ruling .breach .notice")
    expect(notice).to_be_visible()
    assert notice.evaluate(TEXT_PX) >= 16
    ruling, card = page.locator("#ruling").bounding_box(), page.locator("#ruling .card").bounding_box()
    assert ruling
    assert card
    assert card["height"] <= ruling["height"] + 1  # nothing of it is cut


def test_going_on_as_the_dice_lie_is_asked_a_second_time_with_what_changes(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(scenes.PUT_BACK)
    page.locator("#as-they-lie").click()
    assert game_stub.asked == []
    expect(page.locator("#question .sure")).to_have_text("Sure? Ann\u2019s turn goes on with Sad instead of Star.")
    page.get_by_role("button", name="No, go back").click()
    page.locator("#as-they-lie").click()
    with page.expect_response("**/api/answer"):
        page.locator('[data-answer="as-it-lies"]').click()
    assert [call for call in game_stub.asked if call[0] == "answer"] == [("answer", 46, "as-it-lies", "confirmed")]


def test_that_a_turned_die_was_thrown_is_no_first_answer(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(scenes.TURNED)
    expect(page.locator("#question .main")).to_have_text("Put them back for me")
    expect(page.locator("#put-back")).to_have_text("The dice are put back")
    with page.expect_response("**/api/answer"):
        page.get_by_role("button", name="It was thrown").click()
    assert [call for call in game_stub.asked if call[0] == "answer"]


def test_the_board_goes_as_soon_as_the_dice_lie_right(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(scenes.PUT_BACK)
    expect(page.locator("#question .put-back")).to_be_visible()
    game_stub.show(scenes.PLAYING)
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("#ruling .put-back")).to_have_count(0)


def test_on_the_virtual_tray_a_hand_puts_the_dice_back(page: Page, game_stub: StubGame, tray: StubSimulator) -> None:
    page.goto("/")
    game_stub.show(scenes.PUT_BACK)
    with page.expect_response("**/api/tray/put-back"):
        page.get_by_role("button", name="Put them back for me").click()
    ((what, wanted),) = tray.asked
    assert what == "put-back"
    assert ("traffic", "four", "aside") in wanted
