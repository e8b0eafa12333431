"""The first run: from an empty data folder to the first game, and never again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import scenes
from browsers import served
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from stub_diagnostics import StubDiagnostics
from stub_game import StubGame, StubSimulator
from stub_learning import StubLearning
from test_accessible_pages import SMALL, violations
from test_phone_camera_routes import StubPhoneCamera
from typer.testing import CliRunner

from hardware.mat import mat_bytes
from vander.cli.main import command_line
from web import Backends, create_app


@pytest.fixture
def new_app(game_stub: StubGame) -> Flask:
    """A table that has seen no game."""
    game_stub.show(replace(scenes.IDLE, step="0.0"))
    found = Backends(game_stub, diagnostics=StubDiagnostics(), is_new=lambda: True, mat=mat_bytes)
    return create_app(found, heartbeat_s=0.1)


@pytest.mark.parametrize(("camera", "first"), [("virtual", "/start"), ("usb:0", "/welcome"), ("phone", "/welcome")])
def test_a_new_table_leads_to_the_first_run_once(new_app: Flask, game_stub: StubGame, camera: str, first: str) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0", camera=camera))
    browser = new_app.test_client()
    assert browser.get("/").headers["Location"] == first
    assert browser.get(first).status_code == 200
    assert browser.get("/").status_code == 200


def test_a_table_with_games_never_leads_there(client: Any) -> None:
    assert client.get("/").status_code == 200
    assert client.get("/welcome").status_code == 200
    assert client.get("/start").status_code == 200


@pytest.mark.parametrize("paper", ["a3", "a4", "letter"])
def test_the_mat_is_printed_from_the_page(new_app: Flask, paper: str) -> None:
    answer = new_app.test_client().get(f"/mat/{paper}.pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF")


def test_a_paper_that_is_not_known_is_refused(new_app: Flask, client: Any) -> None:
    assert new_app.test_client().get("/mat/b5.pdf").status_code == 404
    assert client.get("/mat/a4.pdf").status_code == 404


@pytest.fixture
def new_page(chromium: Browser, new_app: Flask) -> Iterator[Callable[..., Page]]:
    with served(new_app) as address:
        contexts = []

        def opened(**wishes: Any) -> Page:
            contexts.append(chromium.new_context(base_url=address, reduced_motion="reduce", **wishes))
            return contexts[-1].new_page()

        yield opened
        for context in contexts:
            context.close()


@pytest.mark.browser
def test_where_a_phone_is_the_camera_its_code_is_there_to_scan(chromium: Browser, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="phone"))
    with served(create_app(Backends(game_stub, phone_camera=StubPhoneCamera()))) as address:
        page = chromium.new_page(viewport={"width": 390, "height": 844}, base_url=address)
        page.goto("/welcome")
        expect(page.locator('#step img[src="/camera.svg"]')).to_be_visible()
        expect(page.get_by_text("Scan this with the phone")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.close()


SCROLLS = "[document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth]"
CUT = """[...document.querySelectorAll('.tile *')].filter((one) => {
  const tile = one.closest('.tile').getBoundingClientRect(), {right, bottom} = one.getBoundingClientRect();
  return right > tile.right || bottom > tile.bottom;
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("camera", ["virtual", "phone", "usb:0"])
def test_each_way_to_play_is_a_tile_of_three_steps_that_is_seen_whole(
    new_page: Callable[..., Page], game_stub: StubGame, language: str, camera: str
) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0", camera=camera))
    page = new_page(locale=language)
    for width, height in ((1024, 768), (1920, 1080), (768, 1024), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/start")
        expect(page.locator(".tile > svg")).to_have_count(4)
        assert page.evaluate("[...document.querySelectorAll('.tile ol')].map((one) => one.children.length)") == [3] * 4
        assert page.evaluate(CUT) == []
        assert page.evaluate(SCROLLS) == [width < 1000, False]


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ways_to_play_are_for_everybody(new_page: Callable[..., Page], theme: Any) -> None:
    page = new_page(color_scheme=theme, viewport={"width": 1024, "height": 768})
    page.goto("/start")
    page.locator("summary").click()
    assert violations(page) == []
    assert page.evaluate(SMALL) == []


@pytest.mark.browser
def test_what_is_chosen_already_leads_on_and_the_rest_tells_its_command(
    new_page: Callable[..., Page], game_stub: StubGame
) -> None:
    page = new_page()
    page.goto("/start")
    port = page.evaluate("location.port")
    expect(page.locator("#way-computer code")).to_have_text(".venv/bin/vander play --camera phone")
    expect(page.locator("#way-computer li a").last).to_have_attribute("href", f"http://localhost:{port}/camera")
    assert page.locator(".tile .button").all_inner_texts() == ["Try it now"]
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="phone"))
    page.reload()
    assert page.locator(".tile .button").all_inner_texts() == ["This computer is the camera", "Show the code"]
    page.get_by_role("link", name="Show the code").click()
    expect(page.locator("h1")).to_have_text("Does the camera see the tray?")
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="http://192.168.1.20:8080"))
    page.goto("/start")
    expect(page.locator(".now")).to_contain_text("This table sees through http://192.168.1.20:8080.")


@pytest.mark.parametrize("words", ["play --camera virtual", "play --camera phone --https --host 0.0.0.0"])
def test_the_commands_on_the_page_are_commands(words: str) -> None:
    command, *options = words.split()
    text = CliRunner().invoke(command_line((command,)), [command, "--help"], env={"COLUMNS": "300"}).output
    assert all(option in text for option in options if option.startswith("--"))


@pytest.mark.browser
def test_from_the_first_page_to_the_first_throw_on_the_virtual_tray_are_four_taps(
    chromium: Browser, game_stub: StubGame, tray: StubSimulator
) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0"))
    app = create_app(Backends(game_stub, tray, stage=tray, is_new=lambda: True), heartbeat_s=0.1)
    with served(app) as address:
        page = chromium.new_context(base_url=address, has_touch=True, reduced_motion="reduce").new_page()
        page.goto("/")
        expect(page.locator("h1")).to_have_text("How do you want to play?")
        taps = [page.get_by_role("link", name="Try it now")]
        taps[0].tap()
        expect(page.locator("#setup")).to_be_visible()
        expect(page.locator("#tray-drawer")).to_be_visible()
        assert page.locator("#setup input.name").evaluate_all("all => all.map((one) => one.placeholder)") == [
            "Player 1",
            "Player 2",
        ]
        taps += [page.locator("#setup .choice", has_text="Intersection"), page.locator("#start")]
        for tap in taps[1:]:
            tap.tap()
        expect(page.locator("#setup")).to_be_hidden()
        assert game_stub.asked[-1][:3] == ("start", "intersection", ("Player 1", "Player 2"))
        game_stub.show(scenes.PLAYING)
        taps.append(page.locator("#throw-asked"))
        with page.expect_response("**/api/tray/throw"):
            taps[-1].tap()
        print(f"from the first page to the first throw: {len(taps)} taps")
        assert len(taps) == 4
        assert page.url == f"{address}/"
        page.context.close()


@pytest.mark.browser
def test_the_first_steps_go_on_a_tablet_without_scrolling(new_page: Callable[..., Page], new_app: Flask) -> None:
    page = new_page()
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/welcome")
    for heading in ("Does the camera see the tray?", "Which dice are on the table?", "Who plays?"):
        expect(page.locator("h1")).to_have_text(heading)
        assert page.evaluate(SCROLLS) == [False, False], heading
        colours = "[...document.querySelectorAll('#step a')].map((one) => getComputedStyle(one).color)"
        assert "rgb(0, 0, 238)" not in page.evaluate(colours), heading
        page.locator("#next").click()


@pytest.mark.browser
def test_with_a_camera_each_step_says_what_is_wrong_and_can_be_left(
    new_page: Callable[..., Page], game_stub: StubGame
) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="usb:0"))
    page = new_page()
    page.goto("/welcome")
    expect(page.locator("#steps li")).to_have_count(5)
    page.locator("#next").click()
    page.locator("#next").click()
    expect(page.locator("h1")).to_have_text("Is there enough light?")
    expect(page.locator(".verdict")).to_have_attribute("data-verdict", "unsure")
    page.locator("#back").click()
    expect(page.get_by_role("link", name="A4 (PDF)")).to_be_visible()
    page.locator("#to-table").click()
    expect(page.locator("#table")).to_be_visible()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_step_can_be_used_by_everybody(new_page: Callable[..., Page], game_stub: StubGame, theme: Any) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="usb:0"))
    page = new_page(color_scheme=theme, viewport={"width": 390, "height": 844})
    page.goto("/welcome")
    for step in range(5):
        expect(page.locator("#steps [aria-current]")).to_contain_text(str(step + 1))
        assert violations(page) == []
        assert page.locator("h1").count() == 1
        assert page.evaluate(SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if step < 4:
            page.locator("#next").click()


@pytest.mark.browser
def test_the_step_of_the_dice_says_which_can_be_read_now_by_their_faces(
    chromium: Browser, game_stub: StubGame, learning_stub: StubLearning
) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0"))
    learning_stub.in_use = {"moon": 2}
    app = create_app(Backends(game_stub, learning=learning_stub, is_new=lambda: True), heartbeat_s=0.1)
    with served(app) as address:
        page = chromium.new_context(base_url=address, viewport={"width": 1024, "height": 768}).new_page()
        page.goto("/welcome")
        page.locator("#next").click()
        shipped = page.locator(".game-choice", has_text="Intersection")
        expect(shipped.locator(".reading")).to_have_text("✓ Read at once")
        expect(shipped.locator(".set-faces > *")).to_have_count(9)
        own = page.locator(".own-dice li", has_text="Moon dice")
        expect(own.locator(".reading")).to_have_text("✓ Taught: read at once")
        expect(own.locator(".set-faces > *")).to_have_count(6)
        unknown = page.locator(".own-dice li", has_text="grandmother")
        expect(unknown.locator(".reading")).to_have_text("✗ Not taught yet")
        teach = unknown.get_by_role("link", name="Teach them")
        expect(teach).to_have_attribute("href", "/dice/twenties/capture")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.context.close()
