"""The sheet of Dice County Fair on the table page, in a real Chromium."""

from __future__ import annotations

import pytest
from fair_scenes import FAIR_DICE, FAIR_PRICES, FAIR_SCENES, PRICING, SPENT, played, seen
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame
from test_whole_screens import resize

from referee.snapshot import Snapshot

pytestmark = pytest.mark.browser

SIZES = {"tablet": (1024, 768), "portrait": (768, 1024), "phone": (390, 844), "tv": (1920, 1080)}
OUTSIDE = """boards => boards.flatMap((board) => {
  const card = board.getBoundingClientRect();
  return [...board.querySelectorAll('*')].filter((part) => {
    const { left, right, width } = part.getBoundingClientRect();
    return width && (right > card.right + 1 || left < card.left - 1);
  }).map((part) => `${part.className} ${part.textContent}`);
})"""
"""What runs out of the card of a board, at its left or right."""
IS_WHOLE = "all => all.scrollHeight <= all.clientHeight + 1 && all.scrollWidth <= all.clientWidth + 1"


def look(page: Page, game_stub: StubGame, scene: Snapshot, size: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    game_stub.show(scene)
    page.goto("/")
    expect(page.locator("#table.playing, #table.over")).to_be_visible()


def show_next(page: Page, game_stub: StubGame, scene: Snapshot) -> None:
    """Show a snapshot, and wait until it is on the page."""
    before = str(page.locator("#table").get_attribute("data-number"))
    game_stub.show(scene)
    expect(page.locator("#table")).not_to_have_attribute("data-number", before)


@pytest.mark.parametrize("scene", FAIR_SCENES)
def test_a_whole_sheet_is_on_the_screen_and_nothing_runs_out_of_its_card(
    scene: str, page: Page, game_stub: StubGame
) -> None:
    look(page, game_stub, FAIR_SCENES[scene], "tablet")
    boards = page.locator("#boards")
    expect(boards.locator("[data-board].fair-sheet")).to_be_visible()
    for name, size in SIZES.items():
        resize(page, size)
        assert boards.locator("[data-board]").evaluate_all(OUTSIDE) == [], name
        assert boards.evaluate(IS_WHOLE), name


def test_the_three_sections_lie_side_by_side_but_on_a_phone(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_DICE, "tablet")
    for size in ("tablet", "portrait", "tv"):
        resize(page, SIZES[size])
        boxes = [section.bounding_box() for section in page.locator(".sheet-section").all()]
        assert len({box and box["y"] for box in boxes}) == 1, size
        assert len(boxes) == 3


def test_a_sheet_shows_prices_spaces_dice_and_awards(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_DICE, "tablet")
    apple = page.get_by_label("Caramel Apple, 7 points, done with 4, 4, 5, price 3")
    expect(apple.locator(".board-die")).to_have_count(3)
    coaster = page.locator('.fair-sheet [aria-label^="Bumper Cars"]')
    expect(coaster.locator(".empty-place")).to_have_count(2)
    expect(page.locator('[data-section="food-hall"].sheet-section .award').first).to_contain_text("Ann 3, Bob 2")
    expect(page.locator(".hour.here")).to_contain_text("8")
    expect(page.locator(".sheet-hand .board-die")).to_have_count(6)


def test_what_can_be_done_on_a_sheet_is_a_button_large_enough_for_a_finger(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_PRICES, "tablet")
    faces = page.locator(".fair-sheet button.activity-face")
    expect(faces).to_have_count(18)
    boxes = [face.bounding_box() for face in faces.all()]
    assert all(box and box["height"] >= 44 and box["width"] >= 44 for box in boxes)


def test_a_price_is_written_at_its_activity_and_the_next_one_is_asked_for(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_PRICES, "tablet")
    page.locator('[data-place="1:duck-pond"] button').tap()
    numbers = page.locator(".place-popover .choose-word button")
    expect(numbers).to_have_text(list("123456"))
    boxes = [number.bounding_box() for number in numbers.all()]
    assert all(box and box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    page.get_by_role("button", name="Duck Pond: price 6").tap()
    assert game_stub.wait_for_asked("act", "1 price =duck-pond/6")
    game_stub.show(seen(played(PRICING, "1 price =duck-pond/6"), 111))
    expect(page.locator(".place-popover")).to_contain_text("Ring Toss")
    expect(numbers).to_have_text(list("12345"))


def test_a_written_price_is_erased_by_a_tap(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_PRICES, "phone")
    page.locator('[data-place="1:corn-dog"] button').tap()
    assert game_stub.wait_for_asked("act", "1 erase =corn-dog")


def test_dice_are_selected_and_put_where_they_go(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_DICE, "tablet")
    hand = page.locator(".sheet-hand button.board-die")
    hand.nth(3).tap()
    expect(page.locator('[data-place="1:midway"]')).to_have_class("sheet-section unfit")  # 3 is odd
    expect(page.locator('[data-place="1:carnival"]')).to_contain_class("fits")
    hand.nth(5).tap()
    expect(page.locator('[data-place="1:carnival"]')).to_contain_class("unfit")  # a move takes one die
    cake = page.locator('[data-place="1:funnel-cake"]')
    expect(cake).to_contain_class("fits")
    cake.locator("button").tap()
    assert game_stub.wait_for_asked("act", "1 complete d6:pip-3 d6:pip-6 =funnel-cake")


def test_a_die_is_dragged_to_the_section_that_its_player_goes_to(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_DICE, "tablet")
    die, head = (
        page.locator(".sheet-hand button.board-die").nth(1),
        page.locator('[data-place="1:midway"] .section-head'),
    )
    die.drag_to(head)
    assert game_stub.wait_for_asked("act", "1 move d6:pip-2 =midway")


def test_a_section_that_glows_takes_the_tap_below_its_head_too(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_DICE, "tablet")
    page.locator(".sheet-hand button.board-die").nth(1).tap()
    page.locator('[data-place="1:midway"] .awards').tap()
    assert game_stub.wait_for_asked("act", "1 move d6:pip-2 =midway")


def test_what_others_do_ends_no_choice_on_a_sheet(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_PRICES, "tablet")
    page.locator('[data-place="1:duck-pond"] button').tap()
    expect(page.locator(".place-popover")).to_be_visible()
    show_next(page, game_stub, seen(played(PRICING, "3 price =swings/2"), 112))
    expect(page.locator(".place-popover")).to_be_visible()
    look(page, game_stub, FAIR_DICE, "tablet")
    page.locator(".sheet-hand button.board-die").first.tap()
    show_next(page, game_stub, seen(played(SPENT, "3 move 1 =carnival"), 113))
    expect(page.locator(".sheet-hand .selected")).to_have_count(1)


def test_while_everybody_plans_the_buttons_of_the_others_are_one_tap_away(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_PRICES, "tablet")
    expect(page.locator('.player[data-seat="2"] .light.lit')).to_have_count(1)
    expect(page.locator('.player[data-seat="3"] .light.lit')).to_have_count(0)
    expect(page.locator("#offers .main")).to_contain_text("Ann")
    page.locator('.player[data-seat="3"]').tap()
    expect(page.locator('.fair-sheet[data-board="3"]')).to_be_visible()
    expect(page.locator("#offers .main")).to_contain_text("Cy")
    page.locator("#offers .main").tap()
    assert game_stub.wait_for_asked("act", "3 copy")


def test_a_place_that_was_tapped_is_not_replaced_by_the_next_price(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_PRICES, "tablet")
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/offers?*row=ring-toss*", hold)
    page.locator('[data-place="1:duck-pond"] button').tap()
    page.get_by_role("button", name="Duck Pond: price 6").tap()
    assert game_stub.wait_for_asked("act", "1 price =duck-pond/6")
    with page.expect_request("**/api/offers?*row=ring-toss*"):
        show_next(page, game_stub, seen(played(PRICING, "1 price =duck-pond/6"), 111))
    page.locator('[data-place="1:swings"] button').tap()
    expect(page.locator('.place-popover[data-of="1:swings"]')).to_be_visible()
    with page.expect_response("**/api/offers?*row=ring-toss*"):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(page.locator(".place-popover")).to_have_attribute("data-of", "1:swings")


@pytest.mark.parametrize("scene", ["start", "dice"])
def test_a_phone_has_the_dice_in_a_row_under_the_sheet_and_a_misread_one_is_corrected(
    scene: str, page: Page, game_stub: StubGame
) -> None:
    look(page, game_stub, FAIR_SCENES[scene], "phone")
    dice = page.locator("#dice .die")
    expect(dice).to_have_count(6)
    boxes = [box for die in dice.all() if (box := die.bounding_box())]
    assert len({box["y"] for box in boxes}) == 1
    assert all(box["width"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    ruling = page.locator("#ruling").bounding_box()
    assert ruling
    assert boxes[0]["y"] + boxes[0]["height"] <= ruling["y"] + 1
    dice.nth(3).click(delay=700)  # held: a tap selects a die that may be spent
    expect(page.locator("#dialog")).to_be_visible()
    expect(page.locator("#dialog")).to_contain_text("3")


NAMED = """() => [...document.querySelectorAll('.activity-title')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 2)
  .map((one) => one.closest('.sheet-section').matches('.here'))"""


def test_activities_are_named_where_the_player_is(page: Page, game_stub: StubGame) -> None:
    look(page, game_stub, FAIR_SCENES["dice"], "tablet")
    for name, size in SIZES.items():
        resize(page, size)
        named = page.evaluate(NAMED)
        assert named == [True] * len(named), name
        assert len(named) >= 6, name
