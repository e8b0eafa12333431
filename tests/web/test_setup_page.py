"""The dialog that sets up a game: all of it in sight on a tablet, and names that are people's own."""

from __future__ import annotations

import pytest
import scenes
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame
from test_whole_screens import resize

from web import languages

pytestmark = pytest.mark.browser

CUT = """[...document.querySelectorAll('#setup, #setup .setup-parts')]
  .some((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)"""


@pytest.fixture
def setup(page: Page, game_stub: StubGame) -> Page:
    """The page of a table without a game."""
    game_stub.show(scenes.IDLE)
    page.goto("/")
    return page


def _open(page: Page) -> None:
    page.locator("#first-game").tap()
    expect(page.locator("#start")).to_be_visible()


def test_on_a_tablet_nothing_of_it_is_hidden(setup: Page) -> None:
    _open(setup)
    setup.locator("#add-player").tap()
    for size in [(1024, 768), (768, 1024)]:
        resize(setup, size)
        assert not setup.evaluate(CUT)


def test_on_a_phone_it_scrolls_above_the_bar_with_start(setup: Page) -> None:
    setup.set_viewport_size({"width": 390, "height": 844})
    _open(setup)
    for _ in range(4):
        setup.locator("#add-player").tap()
    assert setup.evaluate(
        "document.querySelector('#setup').scrollHeight <= document.querySelector('#setup').clientHeight"
    )
    parts, bar = setup.locator(".setup-parts").bounding_box(), setup.locator("#start").bounding_box()
    assert parts
    assert bar
    assert parts["y"] + parts["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= 844
    setup.get_by_text("House rules").scroll_into_view_if_needed()
    setup.get_by_text("House rules").tap()
    expect(setup.locator("#start")).to_be_in_viewport(ratio=1)


WORDS_CUT = """(select) => {
  const copy = document.body.appendChild(select.cloneNode(true));
  copy.style.cssText = 'position: fixed; width: max-content; padding-inline: 0; font: ' + getComputedStyle(select).font;
  const style = getComputedStyle(select);
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const wanted = copy.getBoundingClientRect().width;
  copy.remove();
  return wanted > room + 1 ? `${wanted} > ${room}` : '';
}"""

WORDS_RIGHT = """(one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return words.getBoundingClientRect().right;
}"""


def test_the_dice_that_are_chosen_are_named_whole_on_a_phone_in_german(setup: Page, address: str) -> None:
    setup.context.add_cookies([{"name": languages.COOKIE, "value": "de", "url": address}])
    setup.set_viewport_size({"width": 390, "height": 844})
    setup.reload()
    _open(setup)
    setup.locator('#setup input[value="dice"]').locator("..").tap()
    words = setup.locator("#setup .names legend").evaluate(WORDS_RIGHT)
    assert words + 6 <= setup.locator("#add-player").evaluate("button => button.getBoundingClientRect().left")
    dice = setup.locator("#which-dice")
    for option in dice.locator("option").all():
        dice.select_option(option.get_attribute("value"))
        assert not dice.evaluate(WORDS_CUT), option.inner_text()


def test_one_reading_of_a_house_rule_is_the_usual_one(setup: Page) -> None:
    _open(setup)
    setup.get_by_text("House rules").tap()
    for option in setup.locator("fieldset.option").all():
        expect(option.locator(".reading em")).to_have_count(1)


def test_who_begins_follows_the_names_as_they_are_typed(setup: Page) -> None:
    _open(setup)
    options = setup.locator("#who-begins option")
    expect(options).to_have_text(["As the game says", "Player 1", "Player 2"])
    setup.get_by_label("Player 2", exact=True).fill("Bob")
    expect(options).to_have_text(["As the game says", "Player 1", "Bob"])
    setup.locator("#who-begins").select_option(label="Bob")
    setup.locator("#add-player").tap()
    expect(setup.locator("#who-begins")).to_have_value("2")


def test_the_name_of_an_empty_seat_is_never_kept_as_somebodys_name(setup: Page, game_stub: StubGame) -> None:
    _open(setup)
    setup.get_by_label("Player 2", exact=True).fill("Bob")
    setup.locator("#start").tap()
    expect(setup.locator("#setup")).to_be_hidden()
    game_stub.show(scenes.IDLE)
    setup.goto("/")
    _open(setup)
    expect(setup.get_by_label("Player 1", exact=True)).to_have_value("")
    expect(setup.get_by_label("Player 1", exact=True)).to_have_attribute("placeholder", "Player 1")
    expect(setup.get_by_label("Player 2", exact=True)).to_have_value("Bob")


def test_the_focus_stays_where_it_was_when_another_game_is_chosen_by_key(setup: Page) -> None:
    _open(setup)
    setup.get_by_role("radio", name="Intersection").focus()
    setup.keyboard.press("ArrowDown")
    expect(setup.get_by_role("radio", name="Plain dice")).to_be_focused()


def test_a_tap_before_the_table_has_said_anything_is_kept_for_then(page: Page, game_stub: StubGame) -> None:
    held: list[Route] = []
    page.route("**/api/live", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks its handlers
    page.goto("/")
    page.locator("#new-game").tap()
    expect(page.locator("#setup")).to_be_hidden()
    held[0].continue_()
    expect(page.locator("#start")).to_be_visible()
