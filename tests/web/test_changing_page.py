"""What a tap does while the page changes under the finger: what its button said, or one sentence says why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import scenes
from game_phases import phases
from playwright.sync_api import Page, expect
from stub_game import StubGame

from referee.snapshot import Snapshot

pytestmark = pytest.mark.browser

FIRST = replace(phases("toss-up")["throw"], run=scenes.PLAYING.run)
DRAWN_AGAIN = replace(FIRST, notice="Ann: keep 6 points?", notice_is_prompt=False)
"""The same button, drawn again."""
OTHER = replace(FIRST, offers=phases("toss-up")["late"].offers)
"""Another button in its place."""
Press = Callable[[Page, float, float, Callable[[], None]], None]


def with_a_mouse(page: Page, x: float, y: float, meanwhile: Callable[[], None]) -> None:
    page.mouse.move(x, y)
    page.mouse.down()
    meanwhile()
    page.mouse.up()


def with_a_finger(page: Page, x: float, y: float, meanwhile: Callable[[], None]) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    meanwhile()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.fixture(params=[with_a_mouse, with_a_finger])
def press(request: pytest.FixtureRequest) -> Press:
    """How somebody presses a point of the page while something happens."""
    chosen: Press = request.param
    return chosen


def press_next(page: Page, press: Press, meanwhile: Callable[[], None]) -> None:
    """Press the main button while something happens."""
    place = page.locator("#offers .next button").bounding_box()
    assert place
    press(page, place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, meanwhile)


def change_to(page: Page, game: StubGame, scene: Snapshot, shown: str) -> Callable[[], None]:
    """Return what shows a scene and waits until it stands on the page."""

    def change() -> None:
        game.show(scene)
        expect(page.locator("body")).to_contain_text(shown)

    return change


@pytest.fixture
def table(page: Page, game_stub: StubGame) -> Page:
    """The table at a decision."""
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/")
    game_stub.show(FIRST)
    expect(page.locator("#offers .next button")).to_have_text("End the turn with 6 points")
    return page


def test_a_button_that_is_drawn_again_under_the_finger_is_tapped_once(
    table: Page, game_stub: StubGame, press: Press
) -> None:
    press_next(table, press, change_to(table, game_stub, DRAWN_AGAIN, "Ann: keep 6 points?"))
    assert game_stub.wait_for_asked("act", "1 end")
    table.wait_for_timeout(300)
    assert game_stub.asked == [("act", "1 end")]


def test_another_button_under_the_finger_is_not_tapped_and_a_sentence_says_so(
    table: Page, game_stub: StubGame, press: Press
) -> None:
    press_next(table, press, change_to(table, game_stub, OTHER, "End the turn with 80 points"))
    expect(table.locator("#toast")).to_have_text("This has just changed. Look again, then tap.")
    assert game_stub.asked == []


def test_a_question_that_opens_under_the_finger_gets_no_answer_from_it(
    table: Page, game_stub: StubGame, press: Press
) -> None:
    question = replace(scenes.DOUBT, run=FIRST.run)
    press_next(table, press, change_to(table, game_stub, question, "What does this die show?"))
    expect(table.locator("#toast")).to_have_text("This has just changed. Look again, then tap.")
    expect(table.locator("#question")).to_be_visible()
    assert game_stub.asked == []


def test_a_tap_beside_the_answers_of_a_question_says_what_comes_first(table: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.DOUBT, run=FIRST.run))
    expect(table.locator("#question")).to_be_visible()
    table.touchscreen.tap(8, 760)
    expect(table.locator("#toast")).to_have_text("Answer the question first")
