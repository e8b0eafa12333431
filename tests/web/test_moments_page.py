"""Moments, the ruling's card, the rules and how to play in a real Chromium."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame
from test_whole_screens import resize

from referee.calls import Call, DiceSum, Moment, SumTerm
from referee.dice import Die, FaceName, KindName
from referee.snapshot import Snapshot

pytestmark = pytest.mark.browser

TRAFFIC = KindName("traffic")
HAPPY, STAR = (Die(TRAFFIC, FaceName(face)) for face in ("happy", "star"))
ADDED = DiceSum((SumTerm((HAPPY,), 100), SumTerm((HAPPY,), 100), SumTerm((STAR,), 50)))
SIZES = [(1280, 800), (1024, 768), (390, 844)]
SEEN = """() => { window.moments = [];
  new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes]).forEach((node) =>
    node.id === 'moment' && window.moments.push(node.className))).observe(document.body, { childList: true }); }"""


def called(number: int, moment: Moment | None = None) -> Snapshot:
    """The table after its calls of that entry."""
    call = Call("Ann writes down 250 and has 1500.", "I.2-17", moment, ADDED)
    return replace(scenes.PLAYING, calls=(call,), called=number, step=f"1.{number}")


@pytest.fixture
def watched(page: Page, game_stub: StubGame) -> Page:
    """The table's page, which writes down the moments that it shows."""
    page.emulate_media(reduced_motion="no-preference")
    game_stub.show(called(5, Moment.BUST))
    page.goto("/")
    expect(page.locator("#ruling .card")).to_be_visible()
    page.evaluate(SEEN)
    return page


def shown(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.moments")
    return found


@pytest.mark.parametrize("moment", Moment)
def test_each_moment_is_shown_once_for_half_a_second_and_colours_the_card(
    watched: Page, game_stub: StubGame, moment: Moment
) -> None:
    game_stub.show(called(6, moment))
    expect(watched.locator(f"#ruling .card.{moment}")).to_be_visible()
    expect(watched.locator("#moment")).to_have_count(0)
    game_stub.show(replace(called(6, moment), doubts=()))
    game_stub.show(replace(called(6, moment), camera_trouble="Something covers the lens."))
    expect(watched.locator("#camera-trouble")).to_be_visible()
    assert shown(watched) == [moment]


def test_no_moment_is_shown_of_what_is_taken_back_or_was_there_before(watched: Page, game_stub: StubGame) -> None:
    game_stub.show(called(4, Moment.SCORE))
    expect(watched.locator("#ruling .card.score")).to_be_visible()
    assert shown(watched) == []
    watched.reload()
    watched.evaluate(SEEN)
    expect(watched.locator("#ruling .card.score")).to_be_visible()
    assert shown(watched) == []


def test_a_tap_goes_through_a_moment_and_ends_it(watched: Page, game_stub: StubGame) -> None:
    watched.evaluate(
        "() => { const later = setTimeout; window.setTimeout = (act, ms) => (ms === 500 ? 0 : later(act, ms)); }"
    )
    game_stub.show(called(6, Moment.WIN))
    expect(watched.locator("#moment")).to_have_count(1)
    watched.locator("#new-game").click()
    expect(watched.locator("#setup")).to_be_visible()
    expect(watched.locator("#moment")).to_have_count(0)
    game_stub.show(called(7, Moment.STOP))
    expect(watched.locator("#moment.stop")).to_have_count(1)
    watched.keyboard.press("Tab")
    expect(watched.locator("#moment")).to_have_count(0)


def test_who_wants_no_motion_sees_the_colour_alone(chromium: Browser, address: str, game_stub: StubGame) -> None:
    still = chromium.new_page(reduced_motion="reduce")
    game_stub.show(called(5))
    still.goto(address)
    expect(still.locator("#ruling .card")).to_be_visible()
    still.evaluate(SEEN)
    game_stub.show(called(6, Moment.VANDER))
    expect(still.locator("#ruling .card.vander")).to_be_visible()
    assert shown(still) == []
    still.close()


def test_the_card_shows_the_dice_that_counted_with_their_worth_and_sum(watched: Page) -> None:
    added = watched.locator("#ruling .sum")
    expect(added).to_have_attribute("aria-label", "Happy: 100 plus Happy: 100 plus Star: 50 is 250")
    expect(added.locator("img")).to_have_count(3)
    expect(added.locator(".total")).to_have_text("= 250")


def test_who_asks_why_sees_the_rule_in_the_list_of_all(watched: Page) -> None:
    why = watched.get_by_role("button", name="Why? Rule I.2-17")
    box = why.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    why.click()
    cited = watched.locator("#dialog .cited")
    expect(cited).to_be_focused()
    expect(cited).to_contain_text("Ending the turn adds what the parked dice are worth")
    expect(cited).to_be_in_viewport()
    assert watched.locator("#dialog [data-rule]").count() > 40


def test_how_to_play_goes_step_by_step_without_scrolling(watched: Page) -> None:
    watched.locator("#menu").click()
    watched.locator("#how-to-play").click()
    expect(watched.locator(".step-count")).to_have_text("1 of 6")
    expect(watched.locator("#step-next")).to_be_focused()
    for step in range(2, 7):
        watched.keyboard.press("ArrowRight" if step % 2 else "Enter")
        expect(watched.locator(".step-count")).to_have_text(f"{step} of 6")
        for size in SIZES:
            resize(watched, size)
            assert watched.evaluate(_OVERFLOW) <= 0, (step, size)
    expect(watched.locator("#step-next")).to_have_text("All rules")
    watched.keyboard.press("ArrowLeft")
    expect(watched.locator(".step-sentence")).to_have_text(scenes.PAPER_GAME.how_to_play[4].sentence)


_OVERFLOW = """() => Math.max(...['#dialog', '.step-picture'].map((each) => document.querySelector(each))
  .flatMap((each) => [each.scrollHeight - each.clientHeight, each.scrollWidth - each.clientWidth]))"""


def test_the_picker_tells_how_each_game_is_played_before_one_is_chosen(watched: Page) -> None:
    watched.locator("#new-game").click()
    watched.get_by_role("button", name="How to play Intersection").click()
    expect(watched.locator("#dialog-title")).to_have_text("How to play Intersection")
    watched.get_by_role("button", name="Close").click()
    expect(watched.locator("#setup")).to_be_visible()
    expect(watched.get_by_role("button", name="How to play Plain dice")).to_have_count(0)
