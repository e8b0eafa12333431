"""The guided capture's page in a real Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect
from stub_learning import StubLearning

from referee.sentences import Reason, Refused

pytestmark = pytest.mark.browser


def test_a_capture_shows_the_tray_the_face_and_what_to_do(page: Page, learning_stub: StubLearning) -> None:
    with page.expect_response("**/view.jpg*"):  # the tray, without the room
        page.goto("/dice/moon/capture")
    says = page.locator("#guidance")
    expect(says).to_have_text("Lay the dice with Crescent upward.")
    expect(page.locator("#face")).to_contain_text("7 of 10 pictures")
    expect(page.locator("#face")).to_contain_text("3 dice in sight")
    expect(page.locator('.chip[aria-pressed="true"]')).to_have_attribute("data-face", "crescent")
    expect(page.locator(".chip.enough")).to_have_count(3)
    expect(page.locator("#picture")).to_have_css("aspect-ratio", "640 / 480")
    for mood in ("look", "taken", "again", "trouble"):
        learning_stub.say(f"It is {mood}.", mood)
        expect(says).to_have_text(f"It is {mood}.")
        expect(says).to_have_attribute("data-mood", mood)


def test_the_shutter_takes_a_picture_by_tap_and_by_the_space_key(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture")
    page.locator("#shutter").tap()
    expect(page.locator("#latest li")).to_have_count(1)
    expect(page.locator("#guidance")).to_have_attribute("data-mood", "taken")
    page.locator('.chip[data-face="owl"]').tap()
    expect(page.locator("#face h1")).to_have_text("Owl")
    page.keyboard.press("Space")
    expect(page.locator("#face")).to_contain_text("4 of 10 pictures")
    expect(page.locator('.chip[data-face="owl"]')).to_contain_text("4/10")
    assert learning_stub.asked == [("sit", "moon", "", ""), ("shutter",), ("sit", "moon", "die", "owl"), ("shutter",)]


def test_an_answer_that_a_later_one_has_overtaken_is_not_shown(page: Page, learning_stub: StubLearning) -> None:
    held: list[tuple[Route, APIResponse]] = []

    def hold_first(route: Route) -> None:
        """Hold the first answer about the faces, and let the later ones through."""
        answer = route.fetch()
        if held:
            route.fulfill(response=answer)
        else:
            held.append((route, answer))

    page.goto("/dice/moon/capture")
    owl = page.locator('.chip[data-face="owl"]')
    owl.tap()
    expect(page.locator("#face h1")).to_have_text("Owl")
    expect(owl).to_contain_text("3/10")
    page.route("**/api/teaching/dice/moon", hold_first)
    for pictures in (4, 5):
        page.locator("#shutter").tap()
        expect(page.locator("#face")).to_contain_text(f"{pictures} of 10 pictures")
    expect(owl).to_contain_text("5/10")
    route, answer = held[0]
    with page.expect_request_finished(lambda request: request == route.request):
        route.fulfill(response=answer)
    page.locator("#auto-capture").tap()
    expect(page.locator("#auto-capture")).to_have_attribute("aria-checked", "false")
    expect(owl).to_contain_text("5/10")


def test_faces_that_did_not_come_are_asked_for_again(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture")
    owl = page.locator('.chip[data-face="owl"]')
    owl.tap()
    expect(page.locator("#face h1")).to_have_text("Owl")
    expect(owl).to_contain_text("3/10")
    page.route("**/api/teaching/dice/moon", lambda route: route.abort(), times=1)
    page.locator("#shutter").tap()
    expect(owl).to_contain_text("4/10")


def test_a_spoilt_picture_is_thrown_away_where_it_was_taken(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture")
    page.locator("#shutter").tap()
    page.locator("#latest .discard").tap()
    expect(page.locator("#latest li")).to_have_count(0)
    assert learning_stub.wait_for_asked("discard", ("c-crescent-101",))
    expect(page.locator('.chip[data-face="crescent"]')).to_contain_text("7/10")


def test_pictures_are_taken_by_themselves_unless_switched_off(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture")
    itself = page.locator("#auto-capture")
    expect(itself).to_have_attribute("aria-checked", "true")
    itself.tap()
    expect(itself).to_have_attribute("aria-checked", "false")
    assert learning_stub.wait_for_asked("by_itself", False)


def test_done_ends_the_capture_and_leads_to_the_lesson(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture?kind=die&face=moon&also=sun")
    expect(page.locator("#face h1")).to_have_text("Moon")
    expect(page.locator(".chip.also")).to_have_attribute("data-face", "sun")
    page.locator("#done").tap()
    expect(page).to_have_url(re.compile(r"/dice/moon$"))
    expect(page.locator("#teach")).to_be_enabled()
    assert learning_stub.asked == [("sit", "moon", "die", "moon"), ("rise",)]


def test_a_capture_that_another_tablet_ended_says_so(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture")
    expect(page.locator("#shutter")).to_be_visible()
    learning_stub.stop_capture()
    expect(page.locator("#guidance")).to_have_text("The capture has ended.")
    expect(page.locator("#shutter")).to_be_hidden()
    page.get_by_role("button", name="Begin again").tap()
    expect(page.locator("#shutter")).to_be_visible()


def test_a_capture_that_is_going_on_is_not_begun_anew(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.start_capture("moon", "die", "owl")
    page.goto("/dice/moon/capture")
    expect(page.locator("#face h1")).to_have_text("Owl")
    assert learning_stub.asked == [("sit", "moon", "die", "owl")]


def test_a_refusal_during_the_capture_is_shown_as_a_sentence(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/capture")
    expect(page.locator("#shutter")).to_be_visible()
    learning_stub.refusal = Refused("The disk is full; throw pictures away.", Reason.UNAVAILABLE)
    page.locator("#shutter").tap()
    expect(page.locator("#toast")).to_contain_text("The disk is full; throw pictures away.")


def test_a_running_game_is_halted_only_after_the_table_was_asked(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.halts_game = True
    page.goto("/dice/moon/capture")
    expect(page.locator("#guidance")).to_have_text("A game is running. Lend the tray?")
    expect(page.locator("#shutter")).to_be_hidden()
    expect(page.get_by_role("link", name="Not now")).to_have_attribute("href", "/dice/moon")
    assert learning_stub.asked == []
    page.get_by_role("button", name="Lend the tray").tap()
    expect(page.locator("#guidance")).to_have_text("Lay the dice with Crescent upward.")
    expect(page.locator("#shutter")).to_be_visible()
    expect(page.get_by_role("link", name="Not now")).to_be_hidden()
    assert learning_stub.asked == [("sit", "moon", "", "")]
