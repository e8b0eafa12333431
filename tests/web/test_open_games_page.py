"""Games that stand open, in a real Chromium: gone back to from the dialog of a new game and from past games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import scenes
from browsers import served
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.games import games
from referee.journal import OpenGame
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session

EVENING = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
STANDING = (
    OpenGame(7, "intersection", "Intersection", ("Ann", "Bob"), (300, 50), EVENING, EVENING, on_table=True),
    OpenGame(3, "rollers", "Rollers", ("Cleo", "Maximilian-Alexander", "Dan"), (12, 40, 8), EVENING, EVENING),
)
SCROLLS = "(one) => one.scrollHeight > one.clientHeight + 1"
SIZES = [(1024, 768), (768, 1024), (390, 844), (1920, 1080)]


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_open_game_is_gone_back_to_from_the_dialog(page: Page, game_stub: StubGame, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_stub.standing = STANDING
    page.goto("/")
    expect(page.locator("#table.playing")).to_be_visible()
    page.locator("#new-game").click()
    expect(page.locator(".open-games li")).to_have_count(1)
    expect(page.locator(".open-games")).to_contain_text("Maximilian-Alexander 40")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if not page.locator(".open-games li").is_visible():
        page.locator(".standing-open summary").click()
    page.locator(".play-on").click()
    assert game_stub.wait_for_asked("play-on", 3)
    expect(page.locator("#setup")).to_be_hidden()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_many_open_games_fold_so_that_a_new_one_needs_no_scrolling(
    own_page: Page, game_stub: StubGame, size: tuple[int, int]
) -> None:
    own_page.set_viewport_size({"width": size[0], "height": size[1]})
    game_stub.standing = (STANDING[0], *(replace(STANDING[1], number=10 + place) for place in range(7)))
    own_page.add_init_script("localStorage.setItem('vander.players', JSON.stringify(['Ann', 'Bob', 'Cy', 'Dee']))")
    own_page.goto("/")
    own_page.locator("#new-game").click()
    expect(own_page.locator(".standing-open summary")).to_have_text("7 games stand open")
    assert not own_page.locator(".setup-parts").evaluate(SCROLLS)
    own_page.locator(".standing-open summary").click()
    expect(own_page.locator(".play-on").first).to_be_in_viewport()
    expect(own_page.locator("#start")).to_be_in_viewport(ratio=1)
    own_page.locator("#add-player").click()
    expect(own_page.locator(".play-on").first).to_be_visible()  # what was unfolded stays so


@pytest.mark.browser
def test_an_open_game_is_ended_after_the_pages_own_dialog_has_asked(own_page: Page, game_stub: StubGame) -> None:
    own_page.on("dialog", lambda dialog: pytest.fail(f"the browser asks: {dialog.message}"))
    game_stub.standing = STANDING
    own_page.goto("/")
    own_page.locator("#new-game").click()
    own_page.locator(".end-open").click()
    expect(own_page.locator("#dialog-title")).to_have_text("End this game of Rollers?")
    expect(own_page.locator("#dialog")).to_contain_text("Maximilian-Alexander 40")
    own_page.get_by_role("button", name="No, go back").click()
    own_page.locator(".end-open").click()
    own_page.locator("#sure").click()
    expect(own_page.locator(".standing-open")).to_have_count(0)
    expect(own_page.locator("#start")).to_be_visible()


@pytest.mark.browser
def test_whoever_begins_a_game_is_not_told_of_it_as_of_another_ones(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="7.1"))
    page.goto("/")
    page.locator("#new-game").click()
    begun = page.request.get("/api/snapshot").json()
    begun["extras"]["step"] = "8.1"
    begun["number"] += 1
    page.route("**/api/game", lambda route: route.fulfill(json=begun))  # before the stream tells of it
    page.locator("#start").click()
    expect(page.locator(f'#table[data-number="{begun["number"]}"]')).to_be_attached()
    expect(page.locator("#setup")).to_be_hidden()
    expect(page.locator("#toast.up")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.parametrize(("way", "left_open"), [("leave", True), ("end", False)])
def test_the_running_game_is_left_open_or_ended(page: Page, game_stub: StubGame, way: str, left_open: bool) -> None:
    page.goto("/")
    expect(page.locator("#table.playing")).to_be_visible()
    page.locator("#new-game").click()
    expect(page.locator('#setup [name="running"][value="leave"]')).to_be_checked()
    page.locator(f'#setup [name="running"][value="{way}"]').check()
    page.locator("#start").click()
    expect(page.locator("#setup")).to_be_hidden()
    assert game_stub.left_open is left_open


@pytest.mark.browser
def test_a_tablet_is_told_that_the_table_turned_to_another_game(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="7.1"))
    page.goto("/")
    expect(page.locator("#players")).to_be_visible()
    game_stub.show(replace(scenes.PLAYING, step="3.9"))
    expect(page.locator("#toast")).to_contain_text("The table now shows another game: Intersection (")


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_many_open_games_push_no_past_game_out_of_sight(
    chromium: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Twenty of them were three screens of a phone, above what the link of a figure asked for."""
    with remembered_table(tmp_path) as (session, address):
        for _ in range(7):
            session.start("toss-up", ["Ann", "Bob"], {}, starter=1, leave_open=True)
        page = chromium.new_page(base_url=address, viewport={"width": size[0], "height": size[1]})
        page.goto("/history")
        expect(page.locator("#open-games summary")).to_have_text("6 games stand open")
        expect(page.locator(".filters")).to_be_in_viewport(ratio=1)
        page.locator("#open-games summary").click()
        expect(page.locator(".play-on").first).to_be_in_viewport(ratio=1)
        page.locator(".end-open").first.click()
        page.locator("#sure").click()
        expect(page.locator("#open-games summary")).to_have_text("5 games stand open")
        expect(page.locator(".play-on").first).to_be_visible()  # what was unfolded stays so
        page.locator(".end-open").first.click()
        page.locator("#sure").click()
        expect(page.locator("#open-games summary")).to_have_count(0)
        expect(page.locator(".play-on")).to_have_count(4)
        page.goto("/history?game=toss-up")
        expect(page.locator("#open-games summary")).to_have_text("4 games stand open")
        expect(page.locator(".play-on").first).to_be_hidden()
        page.close()


@pytest.mark.browser
def test_games_are_left_played_on_and_ended_from_the_page_of_past_games(chromium: Browser, tmp_path: Path) -> None:
    """A real session and its journal: Intersection is left for Toss Up!, gone back to, and ended in the end."""
    with remembered_table(tmp_path) as (session, address):
        page = chromium.new_page(base_url=address, viewport={"width": 1024, "height": 768})
        session.start("toss-up", ["Ann", "Bob"], {}, starter=1)
        page.goto("/")
        expect(page.locator("#game-title")).to_have_text("Toss Up!")
        page.locator("#new-game").click()
        page.locator('[name="game"][value="intersection"]').check()
        page.locator("#start").click()
        expect(page.locator("#game-title")).to_have_text("Intersection")
        page.goto("/history")
        left = page.locator("#open-games li")
        expect(left).to_have_count(1)
        expect(left).to_contain_text("Toss Up!")
        left.locator(".play-on").click()
        expect(page.locator("#game-title")).to_have_text("Toss Up!")
        page.goto("/history")
        expect(left).to_contain_text("Intersection")
        left.locator(".end-open").click()
        page.locator("#sure").click()
        expect(left).to_have_count(0)
        expect(page.locator(".past h2")).to_have_text("Intersection")
        expect(page.locator(".past .result")).to_have_text("Left before its end")
        page.context.close()


@pytest.mark.browser
def test_open_games_that_cannot_be_had_say_why_in_the_dialog(page: Page) -> None:
    page.route("**/api/open-games", lambda route: route.fulfill(status=503, json={"error": "The journal is damaged."}))
    page.goto("/")
    expect(page.locator("#table.playing")).to_be_visible()
    page.locator("#new-game").click()
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("#toast")).to_contain_text("The journal is damaged.")
    expect(page.locator("#toast")).to_be_in_viewport()


@contextmanager
def remembered_table(folder: Path) -> Iterator[tuple[Session, str]]:
    """Give a session without a camera, and the address of its table, which has a page of past games."""
    with closing(Journal.in_folder(folder)) as journal, closing(PlayStatisticsService(journal)) as history:
        session = open_session(
            journal, EvidenceStore(folder / "evidence"), games=games(), dice=die_sets.load("toss-up")
        )
        session.report_camera(CameraReport(CameraStatus.LOST, "There is no camera."))
        services = Backends(session, players=PlayerService(journal, folder), history=history)
        with served(create_app(services, heartbeat_s=0.1)) as address:
            yield session, address


def test_open_games_are_listed_with_their_scores_and_one_is_ended(client: Any, game_stub: StubGame) -> None:
    game_stub.standing = STANDING
    found = client.get("/api/open-games").get_json()
    assert (found["most"], [game["on_table"] for game in found["games"]]) == (20, [True, False])
    assert found["games"][1]["seats"][1] == {"name": "Maximilian-Alexander", "score": 40}
    left = client.post("/api/open-games/end", json={"number": 3}).get_json()
    assert [game["number"] for game in left["games"]] == [7]
    assert client.post("/api/play-on", json={"number": 3}).status_code == 404
