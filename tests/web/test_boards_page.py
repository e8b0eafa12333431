"""Choices on the boards, in a real browser: places that glow, dice that are selected, dragged, or put by keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from playwright.sync_api import Locator, Page, expect
from stub_game import StubGame

from referee.board import Board, DicePlace, Light, Lights, Section, Tally, Token, Track
from referee.snapshot import Snapshot

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PARKED = DicePlace("parked", "Parked", room=5, points=0, verbs=("park",))
ROAD = Track("road", "The road", 5000, (Token(1, 1250, 250), Token(2, 800)), (300,), verbs=("end",))
BOARD = Board(0, "The road", parts=(PARKED, ROAD))
PARKS = tuple(
    scenes.tap(f"1 park {' '.join(f'traffic:{face}' for face in faces)}", f"Park {' and '.join(faces)}")
    for faces in (("happy",), ("star",), ("happy", "star"))
)
END = scenes.tap("1 end", "End the turn and keep 250")
GIVE_UP = scenes.tap("1 give-up", "Give up the turn")
FIELD = (scenes.die(1, "happy"), scenes.die(2, "star"), scenes.die(3, "two"))


def scene(*offers: object, **fields: object) -> Snapshot:
    """Ann's turn, with these offers."""
    return replace(scenes.PLAYING, boards=(BOARD,), dice=FIELD, offers=(*offers, GIVE_UP), **fields)  # type: ignore[arg-type]


def place(page: Page, key: str) -> Locator:
    return page.locator(f'#boards [data-part="{key}"]')


def die(page: Page, number: int) -> Locator:
    return page.locator(f'#dice [data-die="{number}"]')


@pytest.fixture
def parking(page: Page, game_stub: StubGame) -> Page:
    """Ann may park in several ways, or end her turn."""
    page.set_viewport_size({"width": 1024, "height": 1600})
    game_stub.show(scene(*PARKS, END))
    page.goto("/")
    return page


def test_a_place_with_one_offer_says_it_and_a_tap_does_it(parking: Page, game_stub: StubGame) -> None:
    expect(place(parking, "road")).to_contain_class("legal")
    expect(place(parking, "road").locator(".put-hint")).to_have_text("End the turn and keep 250")
    place(parking, "road").tap()
    assert game_stub.wait_for_asked("act", "1 end")


def test_a_place_with_a_few_offers_lists_them_with_their_dice(parking: Page, game_stub: StubGame) -> None:
    place(parking, "parked").tap()
    rows = parking.locator(".place-popover .offer-row")
    expect(rows).to_have_text(["Park happy", "Park star", "Park happy and star"])
    expect(rows.nth(2).locator(".board-die")).to_have_count(2)
    rows.nth(1).tap()
    assert game_stub.wait_for_asked("act", "1 park traffic:star")
    expect(parking.locator(".place-popover")).to_have_count(0)


def test_the_list_of_a_place_is_closed_by_escape_and_gives_the_focus_back(parking: Page) -> None:
    place(parking, "parked").locator(".put").focus()
    parking.keyboard.press("Enter")
    expect(parking.locator(".offer-row").first).to_be_focused()
    parking.keyboard.press("Escape")
    expect(parking.locator(".place-popover")).to_have_count(0)
    expect(place(parking, "parked").locator(".put")).to_be_focused()


def test_selected_dice_light_the_place_where_they_go_and_a_tap_puts_them(parking: Page, game_stub: StubGame) -> None:
    die(parking, 1).tap()
    expect(die(parking, 1)).to_have_attribute("aria-pressed", "true")
    expect(place(parking, "parked")).to_contain_class("fits")
    die(parking, 2).tap()
    place(parking, "parked").locator(".put").tap()
    assert game_stub.wait_for_asked("act", "1 park traffic:happy traffic:star")
    expect(parking.locator("#dice .selected")).to_have_count(0)


def test_a_die_that_goes_nowhere_is_corrected_by_a_tap_as_ever(parking: Page) -> None:
    die(parking, 3).tap()
    expect(parking.locator("#dialog h2")).to_have_text("What does this die show?")


def test_holding_a_die_that_can_be_put_somewhere_corrects_it(parking: Page) -> None:
    box = die(parking, 1).bounding_box()
    assert box
    parking.mouse.move(box["x"] + 20, box["y"] + 20)
    parking.mouse.down()
    expect(parking.locator("#dialog h2")).to_have_text("What does this die show?")
    parking.mouse.up()
    expect(parking.locator("#dialog[open]")).to_have_count(1)


def test_a_die_is_dragged_to_its_place(parking: Page, game_stub: StubGame) -> None:
    source, target = die(parking, 2).bounding_box(), place(parking, "parked").bounding_box()
    assert source
    assert target
    parking.mouse.move(source["x"] + 15, source["y"] + 15)
    parking.mouse.down()
    parking.mouse.move(source["x"] + 40, source["y"] + 40, steps=3)
    expect(parking.locator(".drag-ghost")).to_have_count(1)
    parking.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=5)
    expect(place(parking, "parked")).to_contain_class("over")
    parking.mouse.up()
    assert game_stub.wait_for_asked("act", "1 park traffic:star")
    expect(parking.locator(".drag-ghost")).to_have_count(0)


def test_dice_are_put_by_keyboard(parking: Page, game_stub: StubGame) -> None:
    die(parking, 1).focus()
    parking.keyboard.press("Enter")
    for _ in range(40):
        if "put" in str(parking.evaluate("document.activeElement.className")):
            break
        parking.keyboard.press("Tab")
    expect(place(parking, "parked").locator(".put")).to_be_focused()
    parking.keyboard.press("Enter")
    assert game_stub.wait_for_asked("act", "1 park traffic:happy")


def test_a_place_of_many_dice_lets_them_be_chosen(page: Page, game_stub: StubGame) -> None:
    more = tuple(scenes.tap(f"1 park traffic:{face}", f"Park {face}") for face in ("two", "three", "four"))
    game_stub.show(scene(*PARKS, *more))
    page.goto("/")
    place(page, "parked").tap()
    expect(page.locator(".popover-hint")).to_have_text("Choose the dice.")
    page.locator('.choose-dice button:has([data-face="star"])').tap()
    page.locator(".offer-row").tap()
    assert game_stub.wait_for_asked("act", "1 park traffic:star")


def test_dice_that_are_carried_by_hand_have_a_place_that_says_so_and_takes_no_tap(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scene(scenes.by_hand("1 park traffic:happy", "Park happy"), END))
    page.goto("/")
    expect(place(page, "parked")).to_contain_class("hand")
    hint = place(page, "parked").locator(".put-hint")
    expect(hint).to_have_text("Park happy")
    expect(hint).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # nothing that looks like a button
    expect(place(page, "parked").locator(".put")).to_have_count(0)


def test_another_step_of_the_game_ends_selection_and_list(parking: Page, game_stub: StubGame) -> None:
    die(parking, 1).tap()
    place(parking, "parked").locator(".put").focus()
    game_stub.show(scene(*PARKS, step="3.9"))
    expect(parking.locator("#dice .selected")).to_have_count(0)


def test_a_tablet_of_one_player_lights_nothing_in_the_turn_of_another(parking: Page) -> None:
    expect(parking.locator("#boards .legal")).to_have_count(2)
    parking.evaluate("localStorage.setItem('vander.tablet', 'Bob')")
    parking.reload()
    expect(parking.locator("#boards .part")).to_have_count(2)
    expect(parking.locator("#boards .legal")).to_have_count(0)


def test_places_with_many_offers_ask_the_table_for_them(page: Page, game_stub: StubGame) -> None:
    stall = Section("stall", "Stall", (DicePlace("stall-1", "Lemonade"), DicePlace("stall-2", "Corn dog")))
    board = Board(1, "Ann's sheet", parts=(stall, Tally("chips", "Chips", 3, of=12, look="chips")))
    ways = tuple(scenes.tap(f"1 price =stall-2/{price}", f"Price {price}") for price in range(1, 15))
    game_stub.show(replace(scene(), boards=(board,), offers=ways))
    page.goto("/")
    place(page, "stall-2").tap()
    page.locator('.place-popover [data-action="1 price =stall-2/4"]').tap()
    assert game_stub.wait_for_asked("act", "1 price =stall-2/4")


def test_a_row_of_any_number_of_lights_keeps_to_one_line_and_those_that_need_words_have_them(
    page: Page, game_stub: StubGame
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    row = Lights("row", "Twelve lamps", tuple(Light("green", is_lit=bool(number % 2)) for number in range(12)))
    told = Lights("told", "Rounds won", (Light("yellow", is_lit=True),) * 2, look="titled")
    boards = (Board(0, "The lights", parts=(row, ROAD)), Board(1, "Ann", parts=(told,)))
    game_stub.show(replace(scene(END), boards=boards))
    page.goto("/")
    lights = place(page, "row").locator(".light")
    expect(lights).to_have_count(12)
    assert len({light.bounding_box()["y"] for light in lights.all()}) == 1  # type: ignore[index]
    assert place(page, "row").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    expect(place(page, "row").locator(".part-title")).to_have_css("position", "absolute")
    expect(place(page, "told").locator(".part-title")).to_have_css("position", "static")
