"""The pages of tournaments: who may decide, and in a real Chromium a tournament made and its first round called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from threading import Thread

import pytest
from playing_table import PlayingTable
from playwright.sync_api import Browser, expect
from sqlalchemy.engine import Engine
from tournament_evening import PLAYERS
from werkzeug.serving import make_server

from vander.hall import hall_games
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.hall.season import SeasonService
from vander.hall.tournament_service import TournamentService
from web.authorization import required_role
from web.schemas.access_schemas import Role

WATCHED = {
    "tournaments.tournaments_page",
    "tournaments.tournament_page",
    "tournaments.calls_page",
    "tournaments.sheet_page",
    "tournaments.all_tournaments",
    "tournaments.tournament",
    "tournaments.version",
}
DECIDED = {
    "new_tournament_page",
    "make",
    "enter_players",
    "start",
    "draw",
    "call_all",
    "call_players",
    "take_back_call",
    "enter_result",
    "give_walkover",
    "give_up",
    "withdraw",
    "reinstate",
    "enter_late",
    "postpone",
    "settle",
    "remove",
}
ROLES = dict.fromkeys(WATCHED, Role.WATCHER) | {f"tournaments.{name}": Role.KEEPER for name in DECIDED}
PATIENCE_MS = 60_000


@pytest.fixture
def backends(hall: HallService, engine: Engine) -> HallBackends:
    return HallBackends(hall=hall, season=SeasonService(engine), tournaments=TournamentService(engine))


@pytest.fixture
def address(backends: HallBackends) -> Iterator[str]:
    """Where the hall is served; without pairing everybody is a keeper."""
    server = make_server("127.0.0.1", 0, create_hall_app(backends), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_everybody_may_look_and_keepers_decide(backends: HallBackends) -> None:
    app = create_hall_app(backends)
    names = {rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.startswith("tournaments.")}
    assert {name: required_role(app, name) for name in names} == ROLES


@pytest.mark.browser
def test_a_tournament_is_made_by_tapping_and_its_first_round_called(
    address: str, engine: Engine, open_playing_table: Callable[[str], PlayingTable], chromium: Browser
) -> None:
    open_playing_table("Table 1").send_all()
    with engine.begin() as connection:
        hall_games.find_or_add(connection, PLAYERS[:3], datetime.now(UTC))
    page = chromium.new_page(viewport={"width": 390, "height": 844}, base_url=address)
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page.goto("/tournaments")
    page.locator("#new-tournament").click()
    page.locator("#new summary").click()
    expect(page.locator("#new details select").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#new summary").click()
    page.locator(".kinds label", has_text="Knock-out").click()
    page.locator(".games label", has_text="Toss Up!").click()
    for name in PLAYERS[:3]:
        page.locator("#players button", has_text=name).click()
    page.locator("#new-name").fill(PLAYERS[3])
    page.locator("#new-name").press("Enter")
    expect(page.locator("#chosen")).to_have_text("4")
    page.locator("button[value=start]").click()
    expect(page.locator(".bracket .match")).to_have_count(3)
    page.locator("[data-post=call-all]").click()
    expect(page.locator(".at-tables h3")).to_have_text("Table 1")
    page.locator(".at-tables .match").click()
    page.locator("dialog .ways button", has_text="1 : 0").click()
    expect(page.locator(".at-tables")).to_have_count(0)
    expect(page.locator(".bracket .side.won")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for place in ("sheet", "calls"):
        page.goto(f"/tournaments/1/{place}")
        expect(page.locator("h1")).to_contain_text("Tournament")
    page.close()
