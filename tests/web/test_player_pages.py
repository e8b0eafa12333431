"""The pages of the players, of a result and of the dice test, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from past_scene import served_memory
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame
from test_whole_screens import resize

from vander.extras.voice.family_voices import FamilyVoices

pytestmark = pytest.mark.browser

PAGES = {"/players": ".player-row", "/players/1": ".achievement", "/history/1/result": ".moment", "/fairness": ".plot"}
SIZES = [(1024, 768), (768, 1024), (390, 844), (1920, 1080)]


@pytest.fixture
def address(game_stub: StubGame, tmp_path: Path) -> Iterator[str]:
    """Where a table is served that remembers one game."""
    with served_memory(tmp_path, game_stub) as place:
        yield place


def test_nothing_is_wider_than_the_screen(page: Page) -> None:
    for place, shown in PAGES.items():
        page.goto(place)
        expect(page.locator(shown).first).to_be_visible()
        for size in SIZES:
            resize(page, size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], place


def test_every_figure_leads_to_the_throws_in_two_taps(page: Page) -> None:
    page.goto("/history")
    page.locator("#to-players").click()
    page.locator(".player-row", has_text="Ann").locator("h2 a").click()
    figures = page.locator(".figure a")
    expect(figures.first).to_be_visible()
    places = [figure.get_attribute("href") for figure in figures.all()]
    assert len(places) >= 4
    for place in filter(None, places):
        page.goto(place)
        if "/history?" in place:
            page.locator(".past a").first.click()
        expect(page.locator(".steering label")).to_contain_text("of 5")


def test_a_best_turn_opens_at_its_entry(page: Page) -> None:
    page.goto("/players/2")
    page.locator(".figure", has_text="Best turn").locator("a").click()
    expect(page).to_have_url(re.compile(r"/history/1\?entry=5$"))


def test_two_players_are_compared(page: Page) -> None:
    page.goto("/players/2")
    page.locator("#against").select_option(label="Ann")
    expect(page.locator(".duel strong")).to_have_text("1 : 0")
    expect(page).to_have_url(re.compile(r"against=1$"))
    page.locator(".duel a").click()
    expect(page.locator("#by-other")).to_have_value("1")


def test_an_achievement_leads_to_where_it_was_reached(page: Page) -> None:
    page.goto("/players/1")
    reached = page.locator(".achievement.reached")
    expect(reached).to_have_count(1)
    expect(reached).to_contain_text("Perfect turn")
    expect(reached.locator(".for-readers")).to_have_text("Level 1 of 3")
    reached.locator("a").click()
    expect(page).to_have_url(re.compile(r"/history/1\?entry=1$"))


def test_name_colour_and_picture_are_changed(page: Page) -> None:
    page.goto("/players/1")
    page.locator("#change").click()
    page.locator("#new-name").fill("Anna")
    page.locator(".looks.picture input[value=whale]").check()
    page.locator("#keep-change").click()
    expect(page.locator("h1")).to_have_text("Anna")
    expect(page.locator(".player-title img")).to_have_attribute("src", "/static/players/whale.svg")


def test_a_name_that_is_taken_is_refused_with_the_form_still_open(page: Page) -> None:
    page.goto("/players/1")
    page.locator("#change").click()
    page.locator("#new-name").fill("bob")
    page.locator("#keep-change").click()
    expect(page.locator("#toast")).to_contain_text("Merge the two")
    expect(page.locator("#new-name")).to_have_value("bob")


def test_forgetting_says_what_goes_and_what_stays_and_asks(page: Page, tmp_path: Path) -> None:
    voices = FamilyVoices(tmp_path)
    voices.add("Ann’s voice")
    for name in ("plays.csv", "games.csv"):
        (tmp_path / name).write_text("1,Ann", "utf-8")
    page.goto("/players/1")
    page.route("**/traces", lambda _: None)  # a search that takes long
    page.locator("#forget").click()
    dialog = page.locator("#dialog")
    expect(dialog).to_contain_text("What goes")
    expect(page.locator("#sure")).to_be_disabled()
    page.unroute("**/traces")
    expect(dialog).to_contain_text("What stays")
    dialog.get_by_role("button", name="No, go back").click()
    expect(page.locator("h1")).to_have_text("Ann")
    page.locator("#forget").click()
    expect(dialog).to_contain_text("The recorded voice “Ann’s voice”")
    dialog.get_by_label("Delete it").check()
    dialog.get_by_label("plays.csv").check()
    page.locator("#sure").click()
    expect(dialog).to_contain_text("Ann is forgotten")
    expect(dialog).to_contain_text("games.csv")
    assert (voices.voices(), sorted(path.name for path in tmp_path.glob("*.csv"))) == ([], ["games.csv"])
    page.locator("#to-all").click()
    expect(page.locator(".player-row")).to_have_count(1)
    page.goto("/history/1/result")
    expect(page.locator(".final")).to_contain_text("Player 1")
    expect(page.locator("body")).not_to_contain_text("Ann")


def test_names_of_voices_have_the_quotation_marks_of_the_language(own_page: Page, tmp_path: Path) -> None:
    FamilyVoices(tmp_path).add("Anns Stimme")
    own_page.set_extra_http_headers({"Accept-Language": "de"})
    own_page.goto("/players/1")
    own_page.locator("#forget").click()
    expect(own_page.locator("legend")).to_have_text("Die aufgenommene Stimme „Anns Stimme“")


def test_the_results_are_taken_along(page: Page) -> None:
    page.goto("/players/1")
    with page.expect_download() as csv:
        page.locator("#results-csv").click()
    lines = Path(csv.value.path()).read_text("utf-8").splitlines()
    assert lines[0].startswith("\ufeffgame,started_at,ended_at,clock_doubted,")
    assert lines[1].startswith("toss-up,")
    assert "Bob" not in "".join(lines)


def test_a_result_shows_what_decided_it_and_what_was_won(page: Page) -> None:
    page.goto("/history/1/result")
    expect(page.locator(".final li").first).to_contain_text("Bob")
    expect(page.locator(".moment[data-name=decided]")).to_contain_text(
        "Here Bob took the lead for good, with 4 points."
    )
    expect(page.locator(".moment[data-name=luckiest]")).to_contain_text("5 of 100")
    expect(page.locator(".fresh .achievement")).to_contain_text(["Perfect turn for Ann", "All-rounder for Bob"])
    page.locator(".fresh [data-name=all-green] a").click()
    expect(page).to_have_url(re.compile(r"/history/1\?entry=1$"))
    page.go_back()
    page.locator(".final .score").first.click()
    expect(page.locator(".steering label")).to_contain_text("Step 1 of 5")
    page.go_back()
    page.locator(".moment[data-name=luckiest] a").click()
    expect(page).to_have_url(re.compile(r"/history/1\?entry=4$"))


def test_the_same_again_begins_with_the_next_player(page: Page) -> None:
    begun: list[dict[str, object]] = []

    def begin(route: Route) -> None:
        begun.append(route.request.post_data_json)
        route.fulfill(json={})

    page.route("**/api/game", begin)
    page.goto("/history/1/result")
    page.locator("#rematch").click()
    expect(page.locator("#dialog")).to_contain_text("It is left open")
    page.locator("#sure").click()
    expect(page.locator("#turn")).to_be_visible()
    (sent,) = begun
    assert (sent["game"], sent["players"], sent["leave_open"]) == ("toss-up", ["Bob", "Ann"], True)


@pytest.mark.parametrize("place", ["/players", "/history", "/fairness"])
def test_the_heading_of_a_page_is_whole_on_a_phone(page: Page, place: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(place)
    heading = page.locator(".top > :is(h1, p)")
    expect(heading).to_be_visible()
    assert heading.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_a_picture_and_the_record_are_saved(page: Page) -> None:
    page.goto("/history/1/result")
    with page.expect_download() as picture:
        page.locator("#share").click()
    assert picture.value.suggested_filename == "vander-toss-up-2026-11-21.png"
    png = Path(picture.value.path()).read_bytes()
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (1200, 630)
    with page.expect_download() as record:
        page.locator("#record").click()
    assert "Ann" in Path(record.value.path()).read_text("utf-8")


def test_the_dice_test_shows_counts_and_how_many_are_needed(page: Page) -> None:
    page.goto("/players")
    page.locator("#to-fairness").click()
    expect(page.locator(".plot .bar")).to_have_count(3)
    expect(page.locator(".verdict")).to_contain_text("uneven")
    expect(page.locator(".fair-kind.suspicious")).to_have_count(1)
    expect(page.locator(".enough")).to_contain_text("1,000 dice were read")
    page.locator(".numbers summary").click()
    expect(page.locator(".numbers tbody tr").first).to_contain_text("520")


def test_a_count_of_the_dice_test_leads_to_the_first_throw_of_that_face(page: Page) -> None:
    page.goto("/fairness")
    page.locator(".plot a", has_text="Red").click()
    expect(page.locator("#by-dice")).to_have_value("toss-up")
    expect(page.locator("#by-face")).to_have_value("tossup:red")
    page.locator(".past a").click()
    expect(page.locator(".steering label")).to_contain_text("Step 4 of 5")


def test_a_watcher_may_look_and_change_nothing(page: Page) -> None:
    page.route(
        "**/players/1",
        lambda route: route.fulfill(
            response=(answer := route.fetch()), body=answer.text().replace('data-role="keeper"', 'data-role="watcher"')
        ),
    )
    page.goto("/players/1")
    expect(page.locator(".achievement").first).to_be_visible()
    expect(page.locator(".deeds")).to_have_count(0)


def test_the_sums_of_the_checked_dice_lead_to_their_throws(page: Page) -> None:
    page.goto("/fairness")
    page.locator(".sums-checked a", has_text="400").click()
    expect(page.locator(".checked")).to_have_count(3)
    expect(page.locator(".checked").nth(1)).to_contain_text("Read as Red, and it shows Yellow")
    expect(page.locator(".checked").nth(2)).to_contain_text("Read right: 3 × Green and 7 × Yellow")
    expect(page.locator(".checked img").first).to_have_attribute("src", "/pictures/evidence-4.jpg")
    for place, words in enumerate(("12:00 (the clock may have been wrong)", "12:01 (the clock may have been wrong)")):
        expect(page.locator(".checked .when").nth(place)).to_contain_text(words)
    expect(page.locator(".checked").nth(2)).not_to_contain_text("clock")
    expect(page.locator("main")).to_contain_text("387 dice only that they were checked")
    page.go_back()
    page.locator(".sums-checked a", has_text="3").last.click()
    expect(page.locator(".checked")).to_have_count(1)
    page.locator(".checked a").click()
    expect(page).to_have_url(re.compile(r"/history/1\?entry=4$"))


MISSING = {
    "/players/1": ("/api/players", "/statistics", "/achievements", "/api/games"),
    "/history": ("/api/history", "/api/players", "/api/games"),
    "/history/1": ("/api/history/1", "/api/players", "/api/games"),
    "/history/1/result": ("/result", "/api/players", "/api/games", "/bg-stats"),
    "/fairness": ("/api/fairness", "/api/fairness/toss-up"),
    "/fairness/checked": ("/api/checked-throws",),
}
"""Each page with the ends of the addresses from which it has its contents."""
SHOWN = {**PAGES, "/fairness/checked": ".checked", "/history": ".past .name", "/history/1": ".scores li"}


def test_what_a_page_could_not_get_it_says_for_as_long_as_that_is_so_and_gets_it_when_asked(page: Page) -> None:
    for place, addresses in MISSING.items():
        for missing in addresses:
            with requests_lost(page, missing):
                page.goto(place)
                expect(page.locator(".failed-request")).to_contain_text("did not answer")
            page.locator("#try-again").click()
            expect(page.locator(SHOWN[place]).first).to_be_visible()
            expect(page.locator(".failed-request")).to_have_count(0)
    with requests_lost(page, "/api/history/1", status=409):
        page.goto("/history/1")
        expect(page.locator(".failed-request")).to_contain_text("The rules of today")
        expect(page.locator("#try-again")).to_have_count(0)


@contextmanager
def requests_lost(page: Page, address: str, status: int = 0) -> Iterator[None]:
    """Lose what scripts ask of addresses with this end, or answer it with a status; pages come."""
    lost = re.compile(re.escape(address) + r"(\?.*)?$")
    answer = {"status": status, "json": {"error": "The rules of today cannot play it.", "rule": ""}}

    def lose(route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
        elif status:
            route.fulfill(**answer)
        else:
            route.abort()

    page.route(lost, lose)
    yield
    page.unroute(lost)
