"""The boards of Rollers and Switch 16 in a real Chromium: how they are drawn, and what a tap on them sends."""

from __future__ import annotations

import card_scenes
import pytest
from playwright.sync_api import Page, expect
from stub_game import StubGame

pytestmark = pytest.mark.browser


def test_sections_fill_with_dice_and_show_pale_which_they_take_next(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.rollers_scenes(2)["rolled"])
    page.goto("/")
    board = page.locator('.board[data-board="1"]')
    closed = board.locator('[data-part="2"]')
    expect(closed.locator(".place-dice > .board-die")).to_have_count(3)
    expect(closed.locator(".wanted")).to_have_count(1)
    expect(closed.locator(".points")).to_have_text("2")
    opened = board.locator('[data-part="3"]')
    expect(opened.locator('.place-dice > [data-face="star"]')).to_have_count(1)
    expect(opened.locator(".needs")).to_have_text("one more 3")
    expect(board.locator('[data-part="chips"] .chip-stack i')).to_have_count(11)
    expect(board.locator('[data-part="rolls"] .light.lit')).to_have_count(2)


def test_dice_that_lie_in_a_section_are_not_picked_again(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.rollers_scenes(2)["rolled"])
    page.goto("/")
    expect(page.locator('[data-part="saved"].legal')).to_be_visible()
    expect(page.locator('[data-part="sections"] .pickable')).to_have_count(0)


def test_a_deck_shows_its_top_card_what_makes_it_and_its_discards(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.switch_16_scenes(3)["discarded"])
    page.goto("/")
    deck = page.locator('.board[data-board="1"] [data-part="deck"]')
    expect(deck.locator(".playing-card .card-face")).to_have_text("12")
    expect(deck.locator(".pictured-die")).to_have_count(6)
    expect(deck.locator(".sum .board-die")).to_have_count(3)
    expect(deck.locator(".discard")).to_have_count(11)
    expect(page.locator('[data-board="0"] [data-part="2"] .card-face')).to_have_text("3")
    deck.locator(".put").click()
    assert game_stub.wait_for_asked("act", "1 discard =card-12")


def test_a_switch_is_chosen_among_cards(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.switch_16_scenes(3)["green"])
    page.goto("/")
    question = page.locator('.board[data-board="1"] [data-part="question"]')
    expect(question.locator(".playing-card")).to_have_count(3)
    expect(question.locator(".part.legal")).to_have_count(3)
    question.locator('[data-part="switch-3"] .put').click()
    assert game_stub.wait_for_asked("act", "1 switch =3")


def test_the_disk_is_put_on_a_deck_in_the_middle(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.switch_16_scenes(2)["discard"])
    page.goto("/")
    page.locator('[data-board="0"] [data-part="2"] .put').click()
    assert game_stub.wait_for_asked("act", "1 disk =2")


def test_a_die_that_is_picked_is_saved_together_with_those_saved_before(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.rollers_scenes(2)["saved"])
    page.goto("/")
    page.locator("#dice [data-die='4']").click()
    page.locator('[data-part="saved"] .put').click()
    dice = " ".join(f"rollers-purple:{face}" for face in ("pip-3", "pip-4", "star", "star"))
    assert game_stub.wait_for_asked("act", f"1 save {dice}")


def test_saved_dice_are_chosen_again_without_a_wall_of_buttons(page: Page, game_stub: StubGame) -> None:
    game_stub.show(card_scenes.rollers_scenes(2)["saved"])
    page.goto("/")
    page.locator('[data-part="saved"] .put').click()
    popover = page.locator(".place-popover")
    expect(popover.locator(".choose-dice .selected")).to_have_count(3)
    expect(popover.locator(".offer-row")).to_have_count(1)
    popover.locator('.choose-dice button:has([data-face="pip-3"])').click()
    popover.locator(".offer-row").click()
    assert game_stub.wait_for_asked("act", "1 save rollers-purple:star rollers-purple:star")
