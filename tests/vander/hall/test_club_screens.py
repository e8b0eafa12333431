"""Pages of tournaments as they stand in the club: calls across the room, a bracket on a phone, keys for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from loopback import served_hall
from playwright.sync_api import Browser, Page, expect
from pypdfium2 import PdfDocument

from vander.extras.tournaments.organising import call_players, enter_late, start
from vander.extras.tournaments.tournament import Entrant, Tournament, TournamentKind, TournamentSettings
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_server import create_hall_app
from vander.hall.season import SeasonService
from vander.hall.tournament_service import KeptTournament, TournamentService, tournament_response
from web.schemas.tournament_schemas import ApiKey, TournamentResponse

pytestmark = pytest.mark.browser

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
LONG = ("Maximilian-Alexander", "Anna-Katharina", "Konstantin von Hohen", "Wilhelmine Oberkirch", "Ann", "Bob")
AXE = (Path(__file__).parents[2] / "web/vendor/axe-core/axe.min.js").read_text("utf-8")
VIOLATIONS = """axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations']}).then((found) => found.violations.map(({id, nodes}) => `${id}: ${nodes[0].target}`))"""
CUT = """[...document.querySelectorAll('.now li:not([hidden])')].filter((one) => one.scrollHeight > one.clientHeight + 1
  || [...one.children].some((line) => line.scrollWidth > line.clientWidth + 1)).length"""
SIZES = ((1920, 1080), (1024, 768), (3840, 2160))


class OneTournament:
    """A tournament that nobody changes."""

    def __init__(self, tournament: Tournament) -> None:
        kept = KeptTournament(1, "Saturday", 1, 1, NOON, tournament)
        names = {number: f"Table {number}" for number in range(1, 60)}
        self.found = tournament_response(kept, ((), names), 0, (), NOON)

    def find(self, _number: int) -> TournamentResponse:
        return self.found

    def version(self, _number: int) -> int:
        return 1


class Keys:
    """The keys of programs, in memory."""

    def __init__(self) -> None:
        self.kept: list[ApiKey] = [ApiKey(1, "Club site", NOON, None)]

    def api_keys(self) -> Sequence[ApiKey]:
        return tuple(self.kept)

    def make_api_key(self, name: str) -> str:
        self.kept.append(ApiKey(2, name, NOON, None))
        return "the-secret"

    def drop_api_key(self, number: int) -> None:
        self.kept = [one for one in self.kept if one.number != number]


def entrants(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, f"{LONG[number % len(LONG)]} {number}", number) for number in range(1, count + 1))


def called(count: int) -> Tournament:
    """A Swiss round in which all of so many matches are called."""
    drawn = start(TournamentSettings(TournamentKind.SWISS, "toss-up", rounds=1), entrants(2 * count), NOON)
    for number in range(1, count + 1):
        drawn = call_players(drawn, number, number, NOON)
    return drawn


@contextmanager
def page_of(chromium: Browser, backends: HallBackends, width: int, height: int) -> Iterator[Page]:
    with served_hall(create_hall_app(backends)) as address:
        context = chromium.new_context(viewport={"width": width, "height": height}, base_url=address, bypass_csp=True)
        yield context.new_page()
        context.close()


def of(tournament: Tournament) -> HallBackends:
    return HallBackends(tournaments=cast("TournamentService", OneTournament(tournament)))


def violations(page: Page) -> list[str]:
    page.add_script_tag(content=AXE)
    found: list[str] = page.evaluate(VIOLATIONS)
    return found


def test_who_came_late_is_marked_with_the_first_round_of_theirs() -> None:
    drawn = start(TournamentSettings(TournamentKind.SWISS, "toss-up", best_of=3), entrants(8), NOON)
    client = create_hall_app(of(enter_late(drawn, 9, "Zoe", NOON))).test_client()
    assert "<small>ab Runde 2</small>" in client.get("/tournaments/1?lang=de").text
    assert "{" not in client.get("/tournaments/1/sheet?lang=de").text.split("<main>")[1]


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (6, 1), (12, 1), (25, 3)])
def test_calls_are_whole_on_pages_that_do_not_scroll(chromium: Browser, count: int, pages: int) -> None:
    with page_of(chromium, of(called(count)), *SIZES[0]) as page:
        page.goto("/tournaments/1/calls")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            if width > 1024:
                expect(page.locator("#pager .dot")).to_have_count(pages if pages > 1 else 0)
            shown = set[str]()
            for turned in range(max(1, page.locator("#pager .dot").count())):
                if turned:
                    page.keyboard.press("PageDown")
                    expect(page.locator("#pager .dot").nth(turned)).to_have_attribute("aria-current", "page")
                assert page.evaluate(CUT) == 0, (width, turned)
                assert page.evaluate("document.documentElement.scrollHeight") <= height
                shown |= set(page.locator(".now li:not([hidden]) h2").all_inner_texts())
            assert len(shown) == count
            page.keyboard.press("Home")
        assert violations(page) == []


@pytest.mark.parametrize("count", [8, 16])
def test_a_phone_shows_a_bracket_round_by_round_and_nothing_scrolls_sideways(chromium: Browser, count: int) -> None:
    settings = TournamentSettings(TournamentKind.KNOCK_OUT, "toss-up", third_place=True)
    with page_of(chromium, of(start(settings, entrants(count), NOON)), 390, 844) as page:
        page.goto("/tournaments/1")
        expect(page.locator(".bracket .match:visible")).to_have_count(count // 2)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert violations(page) == []
        page.locator(".round-choice .choice").last.click()
        expect(page.locator(".bracket .match:visible")).to_have_count(2)  # the final, and the match for third place
        page.set_viewport_size({"width": 1024, "height": 768})
        expect(page.locator(".bracket .match:visible")).to_have_count(count)
        expect(page.locator(".round-choice")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= 1024


@pytest.mark.parametrize("language", ["en", "de"])
def test_between_a_phone_and_a_tablet_head_title_and_bracket_are_whole(chromium: Browser, language: str) -> None:
    drawn = start(TournamentSettings(TournamentKind.KNOCK_OUT, "toss-up", third_place=True), entrants(16), NOON)
    with page_of(chromium, of(drawn), 568, 375) as page:
        page.goto(f"/tournaments/1?lang={language}")
        for width in (568, 640, 667, 700, 701, 740, 768, 844, 900, 932, 1024):
            page.set_viewport_size({"width": width, "height": 400})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            cut = "(one) => one.scrollWidth - one.clientWidth"
            assert page.locator(".top h1").evaluate(cut) <= 0, width
            assert page.locator(".bracket").evaluate(cut) <= 0, width


def test_a_keeper_makes_a_key_that_is_shown_once_and_withdraws_another(chromium: Browser) -> None:
    backends = HallBackends(season=cast("SeasonService", Keys()))
    with page_of(chromium, backends, 390, 844) as page:
        page.goto("/manage/keys")
        expect(page.locator(".managed h2")).to_have_text(["Club site"])
        page.locator(".new-key input").fill("Score wall")
        page.locator(".new-key input").press("Enter")
        expect(page.locator("#secret")).to_have_value("the-secret")
        expect(page.locator(".managed h2")).to_have_text(["Club site", "Score wall"])
        page.locator("#copy-key").click()
        expect(page.locator("#toast")).to_contain_text("The key is copied.")
        assert violations(page) == []
        page.locator(".managed .grave").first.click()
        page.locator("#sure").click()
        expect(page.locator(".managed h2")).to_have_text(["Score wall"])
        page.reload()
        expect(page.locator(".managed h2")).to_have_text(["Score wall"])
        expect(page.locator("#secret")).to_have_count(0)


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        (TournamentKind.ROUND_ROBIN, 8),
        (TournamentKind.SWISS, 40),
        (TournamentKind.KNOCK_OUT, 16),
        (TournamentKind.SWISS, 150),
    ],
)
def test_a_sheet_has_numbered_pages_and_no_round_without_its_title(
    chromium: Browser, kind: TournamentKind, count: int
) -> None:
    with page_of(chromium, of(start(TournamentSettings(kind, "toss-up"), entrants(count), NOON)), 1024, 768) as page:
        page.goto("/tournaments/1/sheet")
        printed = PdfDocument(page.pdf(prefer_css_page_size=True))
    texts = [" ".join(one.get_textpage().get_text_bounded().split()) for one in printed]
    assert all(f"{number} / {len(texts)}" in text for number, text in enumerate(texts, start=1))
    assert all("Player" in text or "Round" in text or "inal" in text for text in texts)
    whole = " ".join(texts)
    assert all(f"{LONG[number % len(LONG)]} {number}" in whole for number in range(1, count + 1))
