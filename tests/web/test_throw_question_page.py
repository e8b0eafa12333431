"""Questions about a throw in a real Chromium: the dice are pictured above answers of few words."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from playwright.sync_api import Page, expect
from stub_game import StubGame
from test_whole_screens import resize

from referee.snapshot import NoticeMood, Question

pytestmark = pytest.mark.browser

SCROLLS = "all => all.scrollHeight > all.clientHeight || all.scrollWidth > all.clientWidth"

THROWN = Question(
    71,
    "The lens was covered. Were these dice thrown?",
    (("thrown", "Yes, all of them"), ("set-down", "No, none of them"), ("not-all", "Not all")),
    dice=(1, 2, 3),
    crops=("crop-four", "crop-four", "crop-four"),
)


def test_the_dice_that_nobody_saw_tumble_are_pictured(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(replace(scenes.PLAYING, questions=(THROWN,), mood=NoticeMood.ASK, notice=THROWN.sentence))
    expect(page.locator("#question h2")).to_have_text(THROWN.sentence)
    expect(page.locator("#question .asked-dice img")).to_have_count(3)
    expect(page.locator("#question .option-buttons button")).to_have_count(3)
    for size in ((1024, 768), (390, 844), (1920, 1080)):
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), size
    page.get_by_role("button", name="Yes, all of them").click()
    assert game_stub.wait_for_asked("answer", 71, "thrown")


def test_of_many_ways_four_are_shown_as_little_pictures_and_the_others_step_by_step(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scenes.MANY_WAYS)
    page.goto("/")
    expect(page.locator("#question h2")).to_have_text("Ann, what was done?")
    expect(page.locator("#question .tray-shot .ring")).to_have_count(2)
    expect(page.locator("#question .answers button")).to_have_count(4)
    expect(page.locator("#question .shared-throw .small-die")).to_have_count(4)
    first = page.locator('#question [data-answer="0"]')
    expect(first).to_have_accessible_name("Park the star, then Mend the sad")
    expect(first).to_contain_text("300 this turn")
    expect(page.locator("#as-they-lie")).to_have_count(0)
    for size in ((1024, 768), (768, 1024), (390, 844), (1920, 1080)):
        resize(page, size)
        assert not page.locator("#question").evaluate(SCROLLS), size
        boxes = [button.bounding_box() for button in page.locator("#question button:visible").all()]
        assert all(box and box["height"] >= 44 for box in boxes), size
    page.locator("#something-else").click()
    expect(page.locator("#question h3")).to_have_text("What was done first?")
    expect(page.locator("#as-they-lie")).to_be_visible()
    page.locator("#question").get_by_role("button", name="End the turn").click()
    assert game_stub.wait_for_asked("answer", 49, "5")


def test_something_else_goes_back_step_by_step_by_keyboard(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.MANY_WAYS)
    page.goto("/")
    page.locator("#something-else").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#back-a-step")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#something-else")).to_be_focused()
    expect(page.locator("#question .answers button")).to_have_count(4)


def test_a_new_picture_of_the_same_question_keeps_the_step(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.MANY_WAYS)
    page.goto("/")
    page.locator("#something-else").click()
    game_stub.show(replace(scenes.MANY_WAYS, held_throws=1))
    expect(page.locator("#question .throws-wait")).to_contain_text("1 throw waits")
    expect(page.locator("#question h3")).to_have_text("What was done first?")
