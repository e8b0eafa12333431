"""The table page's fixed places: legible near and far, no word broken, and nothing covers a button."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import scenes
from game_phases import GAMES, phases, whole_game
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame, StubSimulator

from bench.layout_shift import MOVED, OBSERVE, TOTAL
from referee.games import named
from referee.sentences import Reason, Refused
from referee.snapshot import Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = [(1024, 768), (768, 1024), (390, 844), (1920, 1080)]


def show(page: Page, game_stub: StubGame, scene: Snapshot) -> None:
    """Show a scene on the open page."""
    game_stub.show(replace(scene, run=game_stub.snapshot().run))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()


def test_the_acting_players_score_is_read_from_across_the_table(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/")
    # At the fair all act at once, and count their points at its end.
    for game in sorted(set(GAMES) - {"dice-county-fair"}):
        show(page, game_stub, phases(game)["choice"])
        assert _font(page, ".player.active .score") >= 64, game


def test_a_die_without_a_picture_has_the_colour_of_its_kind(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    show(page, game_stub, phases("rollers")["throw"])
    bodies = page.locator("#dice .face rect:first-child").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('fill'))"
    )
    assert len(set(bodies)) == 2


def test_a_badge_has_the_colour_of_its_die(page: Page, game_stub: StubGame) -> None:
    scene = phases("rollers")["throw"]
    assert scene.state
    page.goto("/")
    show(page, game_stub, replace(scene, dice=tuple(replace(die, crop="crop-four") for die in scene.dice)))
    bodies = {kind.name: kind.bodies[0] for kind in scene.state.dice.kinds}
    badges = "(all) => all.map((one) => [one.closest('[data-kind]').dataset.kind, one.firstChild.getAttribute('fill')])"
    shown = page.locator("#dice .badge").evaluate_all(badges)
    assert len(shown) == len(scene.dice)
    assert all(fill == bodies[kind] for kind, fill in shown), shown


def test_a_sentence_for_a_few_seconds_covers_no_button_of_the_header(page: Page, game_stub: StubGame) -> None:
    game_stub.refusal = Refused("The game has moved on meanwhile. Look at the table.", Reason.CONFLICT)
    page.goto("/")
    page.get_by_role("button", name="End the turn and take 250").tap()
    sentence = page.locator("#toast.up p")
    expect(page.locator("#toast")).to_have_css("opacity", "1")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(sentence).to_contain_text("moved on")
        box = sentence.bounding_box()
        assert box
        for button in page.locator(".top nav > :is(button, .button):visible").all():
            other = button.bounding_box()
            assert other
            assert other["y"] + other["height"] <= box["y"] + 1, (width, button.inner_text())


def test_a_questions_sentence_stands_once(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    asked = replace(scenes.WAYS, notice=scenes.WAYS.questions[0].sentence, notice_is_prompt=False)
    show(page, game_stub, asked)
    page.locator("#later").tap()
    expect(page.locator("#ask-again")).to_contain_text("Two dice were thrown again.")
    expect(page.locator("#ruling")).not_to_contain_text("Two dice were thrown again.")


def test_the_games_title_is_whole_and_what_is_wanted_rarely_is_in_a_menu(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    show(page, game_stub, phases("dice-county-fair")["throw"])
    for width, height in [(1280, 800), *SIZES]:
        page.set_viewport_size({"width": width, "height": height})
        title = page.locator("#game-title")
        assert title.evaluate("(one) => one.scrollWidth <= one.clientWidth"), width
        assert page.evaluate("document.querySelector('.top').scrollWidth <= innerWidth"), width
        assert page.locator(".top").bounding_box()["height"] <= (52 if width < 500 else 64)  # type: ignore[index]
        expect(page.locator("#menu")).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 768})
    page.locator("#menu").focus()
    page.keyboard.press("Enter")
    expect(
        page.locator("#how-to-play, #to-box, #to-tray, #caller, #far, #colours").locator("visible=true")
    ).to_have_count(6)
    page.keyboard.press("Escape")
    expect(page.locator("#far")).to_be_hidden()
    expect(page.locator("#menu")).to_be_focused()


def test_the_far_view_is_kept_until_it_is_left(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/")
    page.locator("#menu").tap()
    page.locator("#far").tap()
    expect(page.locator("#offers")).to_be_hidden()
    page.goto("/")
    expect(page.locator("#offers")).to_be_hidden()
    page.get_by_role("button", name="Leave the far view").tap()
    expect(page.locator("#offers")).to_be_visible()
    page.goto("/")
    expect(page.locator("#offers")).to_be_visible()


def _font(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)"))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [("late", "over", ".winner h1"), ("", "start", "#boards .part")],
    ids=["over", "begun"],
)
def test_nothing_jumps_when_a_game_begins_or_is_over(
    page: Page, game_stub: StubGame, before: str, after: str, shown: str
) -> None:
    of = phases("intersection")
    page.set_viewport_size({"width": 1024, "height": 768})
    game_stub.show(of[before] if before else scenes.IDLE)
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    page.evaluate(OBSERVE)
    page.evaluate("() => allShifts().splice(0)")
    show(page, game_stub, of[after])
    expect(page.locator(shown).first).to_be_visible()
    assert page.evaluate(TOTAL) < 0.05, page.evaluate(MOVED, 0)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_picture_of_a_question_has_its_room_before_it_is_there(
    page: Page, game_stub: StubGame, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    waiting = list[Route]()

    def keep(route: Route) -> None:
        waiting.append(route)

    page.route("**/pictures/evidence-1.jpg", keep)
    game_stub.show(replace(scenes.PUT_BACK, dice=scenes.PICTURED.dice, tray_picture="evidence-1"))
    page.goto("/")
    expect(page.locator("#question h2")).to_be_visible()
    page.wait_for_timeout(100)
    page.evaluate(OBSERVE)
    page.evaluate("() => allShifts().splice(0)")
    picture = cv2.imencode(".jpg", np.zeros((480, 640, 3), np.uint8))[1].tobytes()
    for route in waiting:
        route.fulfill(body=picture, content_type="image/jpeg")
    expect(page.locator("#question .ring")).to_have_count(2)
    assert page.evaluate(TOTAL) < 0.001
    shown = page.locator("#question .tray-shot img").bounding_box()
    assert shown
    assert shown["width"] == pytest.approx(shown["height"] * 4 / 3, rel=0.01)


def test_the_handles_follow_the_dice_without_moving_the_page(page: Page, tray: StubSimulator) -> None:
    page.goto("/tray")
    handle = page.get_by_role("button", name="Die 1")
    was = handle.bounding_box()
    page.evaluate(OBSERVE)
    page.evaluate("() => allShifts().splice(0)")
    tray.places[1] = (0.7, 0.7, "field")
    page.wait_for_function(
        "(left) => document.querySelector('[data-die=\"1\"]').getBoundingClientRect().left > left + 40",
        arg=was and was["x"],
    )
    page.wait_for_timeout(100)
    assert page.evaluate(TOTAL) == 0


def test_each_throw_for_the_first_turn_has_its_place_from_the_start(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    start, thrown = whole_game(named("intersection"), 2, most=1)
    game_stub.show(start)
    page.goto("/")
    expect(page.locator("#boards .road")).to_be_visible()
    page.evaluate(OBSERVE)
    page.evaluate("() => allShifts().splice(0)")
    show(page, game_stub, thrown)
    page.wait_for_timeout(100)
    assert page.evaluate(TOTAL) < 0.002
