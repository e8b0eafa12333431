"""Every kind of question of a real session, in Chromium: few answers, the player, the dice ringed, and show me."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from browsers import lent_app, served
from playwright.sync_api import Page, expect
from question_scenes import SCENES, Scene, kinds_of
from scenes import MANY_WAYS
from stub_game import StubGame
from test_challenge_page import grey_picture
from test_whole_screens import resize

from tests.conftest import Tablets, leave
from vander.app.backends import Backends
from vander.app.film_recorder import film_of
from vander.table.pictures import FilmedRuling
from vander.table.session import Session
from web.languages import COOKIE

MOST_FIRST = 4
ANSWERS = "#question .answer-part button:is([data-answer], [data-face], #put-back, #as-they-lie)"
FURTHER = "#question :is(#something-else, #other-faces)"
SCROLLS = "all => all.scrollHeight > all.clientHeight + 1 || all.scrollWidth > all.clientWidth + 1"
COVERS_SCORES = """all => all.getBoundingClientRect().top <
  document.querySelector('#players').getBoundingClientRect().bottom"""
PICTURES = """(all) => all.map((one) => [...one.querySelectorAll('.change, .dice-row, .look')])
  .map((drawn) => drawn.map((each) => each.outerHTML).join()).filter(Boolean)"""
"""What is drawn on the answers."""
SIZES = [(1024, 768), (390, 844)]
ON_ITS_SIDE = [(844, 390), (740, 360)]
HAS_SMALL_PRINT = """all => [...all.querySelectorAll('button, p, h2, h3, figcaption, .answer-words, .place-word')]
  .some((one) => one.checkVisibility() && one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < 12)"""
HAS_LOW_BUTTONS = """all => [...all.querySelectorAll('button')]
  .some((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)"""
WHOLE = {"scrolls": SCROLLS, "low buttons": HAS_LOW_BUTTONS}
AUDITS, AUDITS_ON_ITS_SIDE = WHOLE | {"covers the scores": COVERS_SCORES}, WHOLE | {"small print": HAS_SMALL_PRINT}
ASKS_WHO = "who-threw"


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with ExitStack() as closed:
        yield Scene(tmp_path, closed)


def open_pages(
    lent_tablets: Tablets,
    session: Session,
    closed: ExitStack,
    sizes: Sequence[tuple[int, int]] = SIZES,
    languages: Sequence[str] = ("en",),
) -> Iterator[Page]:
    """Yield a page of the table in each language at each size, which fails the test when its script stumbles."""
    address = closed.enter_context(served(lent_app(Backends(session))))
    for language in languages:
        page, faults = lent_tablets.page(address), list[str]()
        page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": address}])
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.goto("/")
            expect(page.locator("#question h2")).to_be_visible()
            yield page
        leave(page)
        assert faults == []


def test_an_answer_of_several_actions_is_one_sentence_in_german(lent_tablets: Tablets, scene: Scene) -> None:
    session = SCENES["unseen"](scene)
    page = next(open_pages(lent_tablets, session, scene.closed, SIZES[:1], ["de"]))
    words = "2, 2 und 4 sichern, dann 3 Würfel werfen"
    expect(page.locator("#question .answer-words").first).to_have_text(words)


def test_the_scenes_have_every_kind_of_question(tmp_path: Path) -> None:
    found = set()
    for name, make in SCENES.items():
        with ExitStack() as closed:
            folder = tmp_path / name
            folder.mkdir()
            found |= {type(prompt) for prompt in make(Scene(folder, closed)).state.unresolved.prompts}
    assert set(kinds_of()) - found == set()


@pytest.mark.browser
@pytest.mark.parametrize("name", SCENES)
def test_every_question_is_whole_with_four_answers_at_most_the_player_and_the_dice_ringed(
    name: str, scene: Scene, lent_tablets: Tablets
) -> None:
    session = SCENES[name](scene)
    for page in open_pages(lent_tablets, session, scene.closed, SIZES[:1], ["de"]):  # which has the longer words
        answers = page.locator(f"{ANSWERS} >> visible=true")
        expect(answers).not_to_have_count(0)
        expect(page.locator("#question .tray-shot .ring")).not_to_have_count(0)
        pictures = answers.evaluate_all(PICTURES)
        assert len(set(pictures)) == len(pictures), "two answers look alike"
        if name != ASKS_WHO:
            expect(page.locator("#question h2")).to_contain_text("Ann")
        for size in (*SIZES, *ON_ITS_SIDE):
            resize(page, size)
            assert answers.count() <= MOST_FIRST, answers.all_inner_texts()
            is_more = len(session.snapshot().questions[0].choices) > answers.count()
            assert page.locator(f"{FURTHER} >> visible=true").count() == int(is_more)
            for fault, audit in AUDITS.items() if size in SIZES else AUDITS_ON_ITS_SIDE.items():
                assert not page.locator("#question").evaluate(audit), (size, fault)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["face", "how-far", "breach"])
def test_show_me_shows_the_tray_before_and_now_with_rings(name: str, scene: Scene, lent_tablets: Tablets) -> None:
    session = SCENES[name](scene)
    for page in open_pages(lent_tablets, session, scene.closed):
        page.locator("#show-me").click()
        expect(page.locator("#question .tray-pair figcaption")).to_have_text(["Before", "Now"])
        expect(page.locator("#question .tray-pair .tray-shot").last.locator(".ring")).not_to_have_count(0)
        expect(page.locator("#question .film")).to_have_count(0)  # none was kept of dice laid out by hand
        assert not page.locator("#question").evaluate(SCROLLS)
        page.locator("#back-to-question").click()
        expect(page.locator("#show-me")).to_be_focused()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_show_me_plays_the_film_of_what_happened(page: Page, game_stub: StubGame, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="no-preference")
    game_stub.film = film_of(FilmedRuling("", ""), [grey_picture(number) for number in range(10)], 0)
    game_stub.show(MANY_WAYS)
    page.goto("/")
    page.locator("#show-me").click()
    expect(page.locator("#question .film-play")).to_have_text("Play")
    expect(page.locator("#question .film-picture")).to_have_attribute("data-place", "9")
    expect(page.locator("#question .tray-pair .ring")).to_have_count(2)
    assert not page.locator("#question").evaluate(SCROLLS)
    game_stub.show(replace(MANY_WAYS, held_throws=1))
    page.locator("#question .film-back").click()
    game_stub.show(MANY_WAYS)
    expect(page.locator("#question .film-picture")).to_have_attribute("data-place", "8")


@pytest.mark.browser
@pytest.mark.parametrize("name", ["face", "breach"])
def test_the_menu_is_within_reach_while_a_question_is_open(name: str, scene: Scene, lent_tablets: Tablets) -> None:
    session = SCENES[name](scene)
    for page in open_pages(lent_tablets, session, scene.closed):
        page.locator("#question-menu").click()
        assert not page.locator("#question").evaluate(SCROLLS)
        page.locator("#menu-new-game").click()
        expect(page.locator("#setup")).to_be_visible()
        page.locator("#setup").get_by_role("button", name="Cancel").click()
        page.locator("#menu-agree").click()
        expect(page.locator("#dialog-title")).to_have_text("What the table agrees on")
        page.locator("#dialog").get_by_role("button", name="Close").click()
        page.locator("#back-to-question").click()
        expect(page.locator("#question-menu")).to_be_focused()
        expect(page.locator(f"{ANSWERS} >> visible=true")).not_to_have_count(0)


@pytest.mark.browser
def test_a_step_is_taken_back_from_the_menu_of_a_question(page: Page, game_stub: StubGame) -> None:
    game_stub.show(MANY_WAYS)
    page.goto("/")
    page.locator("#question-menu").click()
    page.locator("#menu-undo").click()
    expect(page.locator("#sure")).to_be_visible()
    game_stub.show(replace(MANY_WAYS, held_throws=1))  # what happens meanwhile closes nothing
    expect(page.locator("#table")).to_have_attribute("data-number", str(game_stub.snapshot().number))
    page.locator("#sure").click()
    assert game_stub.wait_for_asked("undo")
