"""The pages of a hall's tables: who may see them, what they are answered, and that an entry is shown at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from flask import Flask
from jsonschema import Draft202012Validator
from playing_table import PlayingTable
from playwright.sync_api import Browser, Page, expect
from random_matches import finished_match, random_match
from sqlalchemy import update
from sqlalchemy.engine import Engine
from werkzeug.serving import make_server

from referee.dice import Die, FaceName, KindName
from referee.games import named
from referee.sentences import Refused
from vander.hall.hall_games import natural_order
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import TABLES
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.hall.live_tables import NEVER, HallTableService
from vander.hall.season import SeasonService
from web.authorization import required_role
from web.events import end_streams
from web.openapi import METHODS, describe
from web.schemas.access_schemas import Role
from web.schemas.hall_schemas import LiveHint, TableStage, TableTrouble

OpenTable = Callable[[str], PlayingTable]
ROLES = {
    "hall_tables.all_tables_page": Role.WATCHER,
    "hall_tables.table_page": Role.WATCHER,
    "hall_tables.past_game_page": Role.WATCHER,
    "hall_tables.live": Role.WATCHER,
    "hall_tables.shown": Role.WATCHER,
    "hall_tables.table": Role.WATCHER,
    "hall_tables.table_games": Role.WATCHER,
    "hall_tables.past_game": Role.WATCHER,
    "hall_players.players_page": Role.WATCHER,
    "hall_players.player_page": Role.WATCHER,
    "hall.manage_page": Role.KEEPER,
    "hall.keys_page": Role.KEEPER,
    "hall.tables": Role.KEEPER,
    "hall.show_code": Role.KEEPER,
    "hall.remove_table": Role.KEEPER,
}
CUT = """() => [...document.querySelectorAll('.table-card')].filter((card) => {
  const [seats, foot] = ['.seats', '.foot'].map((part) => card.querySelector(part));
  const [end, edge] = [foot, card].map((one) => one.getBoundingClientRect().bottom);
  return seats.scrollHeight > seats.clientHeight + 2 || end > edge;
}).length + (document.body.scrollHeight > innerHeight) + (document.body.scrollWidth > innerWidth)"""
"""How many cards are cut, and whether the page scrolls."""


@pytest.fixture
def tables(hall: HallService) -> HallTableService:
    return HallTableService(hall)


@pytest.fixture
def app(hall: HallService, tables: HallTableService, engine: Engine) -> Flask:
    return create_hall_app(HallBackends(hall=hall, season=SeasonService(engine), hall_tables=tables))


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    end_streams(app)
    server.shutdown()
    thread.join()


def begin(table: PlayingTable, entries: int, players: tuple[str, ...] = ("Ann", "Bob")) -> Callable[[], None]:
    """Begin a game of Toss Up with so many entries sent; what is returned sends one more."""
    players = players[: named("toss-up").seats[1]]
    waiting = list(random_match(named("toss-up"), 40, 1, players).entries)
    number = table.journal.begin("toss-up", players, {}, "toss-up").number

    def play_one() -> None:
        table.journal.write(number, replace(waiting.pop(0), evidence=""))
        table.send_all()

    for _ in range(entries):
        play_one()
    return play_one


def test_each_page_is_for_those_who_may_see_it(app: Flask) -> None:
    assert {name: required_role(app, name) for name in ROLES} == ROLES


def test_every_address_of_the_hall_is_described_soundly(app: Flask) -> None:
    found = describe(app)
    there = {(rule.endpoint, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    told = {(each["operationId"], method.upper()) for path in found["paths"].values() for method, each in path.items()}
    assert told == {(name.replace(".", "_"), method) for name, method in there if method in METHODS}
    for shape in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)


def test_what_is_answered_is_as_described(playing_table: PlayingTable, app: Flask) -> None:
    match = finished_match(named("toss-up"), 1, ("Ann", "Bob"), {})
    number = playing_table.tell(match.entries, "toss-up", ("Ann", "Bob"))
    playing_table.send_all()
    found, client = describe(app), app.test_client()
    validator = {"components": found["components"]}
    for path in ("shown", "tables/{number}", "tables/{number}/games", "tables/{number}/games/{game}"):
        answer = client.get("/api/hall/" + path.format(number=1, game=number))
        operation = found["paths"][f"/api/hall/{path}"]["get"]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        Draft202012Validator(validator | schema).validate(answer.get_json())
    steps = client.get(f"/api/hall/tables/1/games/{number}").get_json()
    assert [step["entry"] for step in steps["steps"]] == [entry.number for entry in match.entries]
    assert tuple(steps["steps"][-1]["scores"]) == match.state.scores
    for wrong in ("tables/99", "tables/99/games", "tables/1/games/99"):
        assert client.get(f"/api/hall/{wrong}").status_code == 404


def test_tables_stand_in_the_order_in_which_people_count(open_playing_table: OpenTable, app: Flask) -> None:
    for name in ("Table 10", "Table 2", "Bar"):
        open_playing_table(name)
    found = app.test_client().get("/api/hall/shown").get_json()
    assert [table["name"] for table in found["tables"]] == ["Bar", "Table 2", "Table 10"]
    assert sorted(["b²", "b" + "9" * 5000, "b1"], key=natural_order)[0] == "b1"


def test_a_change_tells_of_the_table_that_changed_alone(
    open_playing_table: OpenTable, tables: HallTableService
) -> None:
    one, other = open_playing_table("Table 1"), open_playing_table("Table 2")
    play_one = begin(one, 2)
    begin(other, 1)
    before = tables.shown()
    assert len(before.tables) == len(before.there) == 2
    play_one()
    change = tables.wait(before.number, 10.0)
    (changed,) = change.tables
    assert changed.name == "Table 1"
    assert change.number > before.number
    assert changed.game is not None
    assert changed.game.ruling
    assert tables.wait(change.number, 0.0).tables == ()
    assert len(tables.wait(change.number + 1_000, 0.0).tables) == 2  # a number of another run: all is new


def test_a_hall_that_starts_again_shows_the_same(open_playing_table: OpenTable, hall: HallService) -> None:
    tables = HallTableService(hall)
    table = open_playing_table("Table 1")
    table.play(20, 1)
    begin(table, 5)
    again = HallTableService(HallService(hall.engine))
    (before,), (after,) = tables.shown().tables, again.shown().tables
    assert replace(after, changed=before.changed) == before
    assert before.stage is TableStage.GOING


def test_a_table_in_trouble_bears_its_sign(
    playing_table: PlayingTable, tables: HallTableService, engine: Engine
) -> None:
    begin(playing_table, 3)
    assert tables.shown().tables[0].troubles == ()
    long_ago = datetime.now(UTC) - timedelta(minutes=2)
    with engine.begin() as connection:
        connection.execute(
            update(TABLES).values(standing="quarantined", reason="Why.", seen_at=long_ago, clock_off_s=90)
        )
    tables.live.look(at_once=True)
    (found,) = tables.live.since(NEVER).tables
    assert set(found.troubles) == {TableTrouble.QUARANTINED, TableTrouble.SILENT, TableTrouble.CLOCK}
    assert found.reason == "Why."


def test_a_hint_is_shown_between_two_entries(playing_table: PlayingTable, tables: HallTableService) -> None:
    begin(playing_table, 3)
    before = tables.shown()
    lying = Die(KindName("tossup"), FaceName("green"))
    tables.live.hint(1, LiveHint((lying,), waits_for="Take the die out.", camera="No picture comes."))
    assert tables.wait(before.number, 10.0).tables[0].number == 1
    found = tables.table(1)
    assert [(die.kind, die.face) for die in found.dice] == [("tossup", "green")]
    assert found.snapshot.notice == "Take the die out."
    assert found.hint.camera == "No picture comes."


def test_a_removed_table_is_gone_and_its_games_stay(
    playing_table: PlayingTable, hall: HallService, tables: HallTableService
) -> None:
    number = playing_table.play(10, 1)
    playing_table.send_all()
    before = tables.shown()
    hall.remove_table(1)
    assert tables.wait(before.number, 10.0).there == ()
    assert tables.past_game(1, number).table_name == "Table 1"
    with tables._replaying, tables._replaying, pytest.raises(Refused, match="too often"):
        tables.past_game(1, number)


def is_whole(page: Page) -> bool:
    """True as soon as no card is cut and nothing scrolls: after a change of size the cards are laid out again."""
    for _ in range(100):
        if page.evaluate(CUT) == 0:
            return True
        page.wait_for_timeout(100)
    return False


def look_at_players(page: Page) -> None:
    """Look from the standings through a player's games into a game, and find a player by a part of the name."""
    page.goto("/players")
    page.locator(".season a", has_text="Ann").click()
    expect(page.locator("#hall-player h1")).to_have_text("Ann")
    page.locator(".hall-games a").first.click()
    expect(page.locator(".steps li").first).to_be_visible()
    page.goto("/players")
    page.locator("#find-player").fill("aximil")
    expect(page.locator(".season tbody a")).to_have_text(["Maximilian"])


@pytest.mark.browser
def test_an_entry_is_on_all_screens_at_once(
    open_playing_table: OpenTable, address: str, tables: HallTableService, chromium: Browser
) -> None:
    one = open_playing_table("Table 1")
    ended = finished_match(named("toss-up"), 1, ("Ann", "Bob"), {})
    one.tell(ended.entries, "toss-up", ("Ann", "Bob"))
    play_one = begin(one, 2)
    for number in range(2, 15):
        begin(
            open_playing_table(f"Table {number}"),
            1,
            ("Ann", "Bob", "Cid", "Dot", "Maximilian", "Eve", "Gus", "Hanna-K"),
        )
    page = chromium.new_page(base_url=address, viewport={"width": 1920, "height": 1080})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/")
    card = page.locator('.table-card[data-number="1"]')
    expect(card.locator(".foot")).not_to_be_empty()
    watching = chromium.new_page(base_url=address, viewport={"width": 1024, "height": 768})
    watching.on("pageerror", lambda error: faults.append(str(error)))
    watching.goto("/tables/1")
    expect(watching.locator(".said-list li")).to_have_count(2)
    play_one()
    shown = tables.table(1).table.game
    assert shown is not None
    said = shown.ruling
    expect(card.locator(".foot")).to_have_text(said)
    expect(watching.locator(".said-list li").first).to_contain_text(said)
    for width, height in ((1920, 1080), (3840, 2160), (1024, 768), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#pager .dot").first).to_be_visible()
        assert is_whole(page), (width, height)
    page.keyboard.press("End")
    expect(page.locator("#cards .table-card").last).to_contain_text("Table 14")
    expect(page.locator("#turning")).to_have_attribute("aria-pressed", "true")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".table-card")).to_have_count(14)
    page.goto("/manage")
    page.locator("#show-code").click()
    expect(page.locator(".code-shown svg")).to_have_count(6)
    page.locator('.managed [class="grave"], .managed .grave').first.click()
    page.locator("#dialog").get_by_text("Remove", exact=True).click()
    expect(page.locator(".managed > li")).to_have_count(13)
    look_at_players(page)
    page.close()
    watching.close()
    assert faults == []
