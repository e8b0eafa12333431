"""The overlays for a stream: who sees them, what their addresses may choose, and what they show in a real Chromium."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import scenes
from playwright.sync_api import Page, expect
from stub_game import StubGame
from test_game_routes import refused

from referee.calls import Call, Moment
from web.schemas.access_schemas import Role

ROLES = {
    "GET /overlay": Role.WATCHER,
    "GET /overlay/score": Role.WATCHER,
    "GET /overlay/dice": Role.WATCHER,
    "GET /overlay/ruling": Role.WATCHER,
}
PLAYING = replace(scenes.PLAYING, called=5, step="1.5", run="first")
BUST = (Call("Ann rolled a red and no green: the turn is lost.", "T.2-4", Moment.BUST),)


@pytest.mark.parametrize(
    "query",
    [
        "accent=red",
        "accent=ff8800;background:url(http://x)",
        "text=%22onload",
        "panel=ff88",
        "scale=1000",
        "scale=1e2",
        "seconds=0",
        "lang=xx",
    ],
)
def test_an_address_chooses_nothing_but_listed_values(watcher: Any, query: str) -> None:
    answer = watcher.get(f"/overlay/score?{query}")
    assert answer.status_code == 400
    assert "<svg" not in answer.text
    assert "data-accent" not in answer.text


def test_what_is_chosen_stands_in_the_page_and_what_is_unknown_does_not(watcher: Any) -> None:
    page = watcher.get("/overlay/ruling?accent=%23FF8800&panel=00000080&seconds=4&style=x&lang=de").text
    assert '<html lang="de" data-accent="#FF8800" data-panel="#00000080" data-scale="1.0" data-seconds="4">' in page
    assert "style" not in page.replace('rel="stylesheet"', "")


def test_other_programs_choose_their_language_too(watcher: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.PLAYING)
    assert watcher.get("/api/snapshot?lang=de").status_code == 200
    assert "de or en" in refused(watcher.get("/api/live?lang=xx"), 400).replace("en or de", "de or en")


@pytest.mark.browser
def test_the_scores_follow_the_game_and_vanish_with_it(page: Page, game_stub: StubGame) -> None:
    game_stub.show(PLAYING)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto("/overlay/score?accent=ff0000&scale=150&lang=de")
    acting = page.locator(".seat.acting")
    expect(acting).to_have_text("Ann1250+250")
    expect(acting).to_have_css("border-color", "rgb(255, 0, 0)")
    expect(page.locator(".line")).to_have_text("Ann ist dran")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator("button, a, input").count() == 0
    game_stub.show(replace(PLAYING, turn_points=0, state=replace(PLAYING.state, scores=(1500, 800, 0))))
    expect(acting).to_have_text("Ann1500")
    game_stub.start_again(replace(scenes.IDLE, run="second"))
    expect(page.locator(".seat")).to_have_count(0)


@pytest.mark.browser
def test_the_name_of_whoever_acts_is_whole_among_six(page: Page, game_stub: StubGame) -> None:
    names = "Maximilian-Alexander Wilhelmine-Oberkirch-xy Konstantin-Hohenlohe Ann Bo Cy"
    six = scenes.state_of(PLAYING.state.dice, names, (12500, 800, 99999, 0, 350, 7), to_act=(1,))
    game_stub.show(replace(PLAYING, state=six))
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto("/overlay/score")
    acting = page.locator(".seat.acting .name")
    expect(acting).to_have_text("Maximilian-Alexander")
    assert acting.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1920


@pytest.mark.browser
def test_the_dice_are_drawn_where_they_lie_and_a_doubt_is_marked(page: Page, game_stub: StubGame) -> None:
    game_stub.show(PLAYING)
    page.goto("/overlay/dice")
    expect(page.locator("[data-zone=aside] .die")).to_have_count(3)
    expect(page.locator("[data-zone=field] [data-face=two] svg")).to_be_visible()
    expect(page.locator(".die.doubtful")).to_have_attribute("data-face", "four")


@pytest.mark.browser
def test_a_ruling_comes_once_and_goes_away(page: Page, game_stub: StubGame) -> None:
    page.emulate_media(reduced_motion="no-preference")
    game_stub.show(PLAYING)
    page.goto("/overlay/ruling?seconds=2")
    expect(page.locator("#overlay")).to_have_attribute("data-number", str(game_stub.snapshot().number))
    bust = replace(PLAYING, called=6, calls=BUST)
    game_stub.show(replace(PLAYING, turn_points=240))
    game_stub.show(bust)
    card = page.locator(".card")
    expect(card).to_have_class("card bust")
    expect(card).to_contain_text("the turn is lost")
    expect(card).to_have_css("visibility", "hidden")
    game_stub.show(replace(bust, turn_points=0))
    game_stub.start_again(replace(bust, run="second", number=1))
    expect(page.locator("#overlay")).to_have_attribute("data-number", "1")
    expect(card).to_have_css("visibility", "hidden")
    game_stub.show(replace(scenes.BREACH, run="second", step="1.6", called=6))
    expect(card).to_have_class("card breach")
    expect(card).to_contain_text(scenes.BREACH.notice)
    game_stub.show(replace(PLAYING, run="second", called=4))
    expect(card).to_have_count(0)


@pytest.mark.browser
def test_what_may_be_old_is_dimmed_until_the_table_answers_again(new_page: Page, game_stub: StubGame) -> None:
    game_stub.show(PLAYING)
    new_page.goto("/overlay/score")
    expect(new_page.locator(".seat.acting")).to_be_visible()
    new_page.context.set_offline(True)
    expect(new_page.locator("#overlay")).to_have_class("overlay score lost")
    new_page.context.set_offline(False)
    expect(new_page.locator("#overlay")).to_have_class("overlay score")
    game_stub.show(replace(PLAYING, state=replace(PLAYING.state, scores=(1, 2, 3))))
    expect(new_page.locator(".seat.acting .points")).to_have_text("1")


@pytest.mark.browser
def test_nothing_moves_for_who_wants_no_motion(page: Page, game_stub: StubGame) -> None:
    game_stub.show(PLAYING)
    page.emulate_media(reduced_motion="reduce")
    page.goto("/overlay/dice")
    expect(page.locator(".die").first).to_have_css("animation-name", "none")


@pytest.mark.browser
@pytest.mark.parametrize("part", ["score", "dice", "ruling"])
def test_no_overlay_ever_scrolls(page: Page, game_stub: StubGame, part: str) -> None:
    game_stub.show(PLAYING)
    page.set_viewport_size({"width": 480, "height": 160})
    page.goto(f"/overlay/{part}")
    expect(page.locator("#overlay")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_the_list_previews_each_overlay_and_gives_its_address(page: Page, game_stub: StubGame) -> None:
    game_stub.show(PLAYING)
    page.goto("/overlay")
    expect(page.locator("#preview-score .seat")).to_have_count(3)
    expect(page.locator("#preview-dice .die")).to_have_count(6)
    expect(page.locator("#preview-ruling .card")).to_be_visible()
    assert page.locator("#address-dice").input_value().endswith("/overlay/dice?lang=en")
    page.locator("[data-copy=dice]").click()
    expect(page.locator("#toast")).not_to_be_empty()
    game_stub.show(replace(scenes.IDLE, number=50))
    expect(page.locator("#overlays-state")).to_contain_text("No game is on")
