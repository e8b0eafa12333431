"""The first run: from an empty data folder to the first game, and never again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import scenes
from browsers import served
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from stub_diagnostics import CLEAR, COVERED, DARK, MIRRORED, NO_PICTURE, TILTED, StubDiagnostics
from stub_game import StubGame, StubSimulator
from test_accessible_pages import SMALL, violations
from test_camera_routes import StubCameras
from test_phone_camera_routes import StubPhoneCamera
from test_whole_screens import resize

from hardware.mat import mat_bytes
from tests.conftest import Tablets
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import Finding, Place, TraySight, Verdict


@pytest.fixture
def doctor() -> StubDiagnostics:
    return StubDiagnostics()


@pytest.fixture
def new_app(game_stub: StubGame, doctor: StubDiagnostics) -> Flask:
    """A table that has seen no game."""
    game_stub.show(replace(scenes.IDLE, step="0.0"))
    found = Backends(game_stub, diagnostics=doctor, is_new=lambda: True, mat=mat_bytes)
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
    assert client.get("/start").status_code == 200


def test_what_the_camera_sees_is_told_with_its_place(new_app: Flask, client: Any, doctor: StubDiagnostics) -> None:
    doctor.seen = COVERED
    told = new_app.test_client().get("/api/sight").get_json()
    assert (told["findings"][0]["told"], told["findings"][0]["advice"]) == ("Marker 2 is covered.", "Clear it.")
    assert told["findings"][0]["place"] == [list(corner) for corner in COVERED.findings[0].place]
    assert client.get("/api/sight").status_code == 404
    assert client.get("/welcome").status_code == 404


@pytest.mark.parametrize("paper", ["a3", "a4", "letter"])
def test_the_mat_is_printed_from_the_page(new_app: Flask, paper: str) -> None:
    answer = new_app.test_client().get(f"/mat/{paper}.pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF")


def test_a_paper_that_is_not_known_is_refused(new_app: Flask, client: Any) -> None:
    assert new_app.test_client().get("/mat/b5.pdf").status_code == 404
    assert client.get("/mat/a4.pdf").status_code == 404


@pytest.fixture
def new_page(lent_tablets: Tablets, new_app: Flask) -> Iterator[Callable[..., Page]]:
    with served(new_app) as address:
        yield partial(lent_tablets.page, address)


@pytest.mark.browser
def test_where_a_phone_is_the_camera_its_code_is_there_to_scan_until_it_shows_the_tray(
    chromium: Browser, game_stub: StubGame, doctor: StubDiagnostics
) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="phone"))
    doctor.seen = NO_PICTURE
    with served(create_app(Backends(game_stub, diagnostics=doctor, phone_camera=StubPhoneCamera()))) as address:
        page = chromium.new_page(viewport={"width": 390, "height": 844}, base_url=address)
        page.goto("/welcome")
        expect(page.locator('#scan img[src="/camera.svg"]')).to_be_visible()
        expect(page.get_by_text("Scan this with the phone")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        doctor.seen = CLEAR
        expect(page.locator("#picture")).to_be_visible()
        expect(page.locator("#scan")).to_be_hidden()


@pytest.mark.browser
def test_the_page_of_the_camera_has_its_words_before_the_camera_is_looked_at(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.route("/api/sight", lambda _: None)
    page.goto("/welcome")
    expect(page.get_by_role("heading", name="One moment …")).to_be_visible()
    expect(page.locator("#to-game")).to_be_visible()


def middle(place: Place) -> tuple[float, float]:
    """The middle of a place in the picture."""
    return sum(x for x, _ in place) / len(place), sum(y for _, y in place) / len(place)


SIZES = ((390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1920, 1080))
SCROLLS = "[document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth]"
CUT = """[...document.querySelectorAll('.tile *')].filter((one) => {
  const tile = one.closest('.tile').getBoundingClientRect(), {right, bottom} = one.getBoundingClientRect();
  return right > tile.right || bottom > tile.bottom;
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("camera", ["virtual", "phone", "http://192.168.1.20:8080"])
def test_both_ways_to_play_are_seen_at_once_with_their_three_steps(
    new_page: Callable[..., Page], new_app: Flask, game_stub: StubGame, language: str, camera: str
) -> None:
    new_app.extensions["backends"] = replace(new_app.extensions["backends"], cameras=StubCameras())
    game_stub.show(replace(scenes.IDLE, step="0.0", camera=camera))
    page = new_page(language=language)
    page.goto("/start")
    expect(page.locator(".tile")).to_have_count(2)
    assert page.evaluate("[...document.querySelectorAll('.tile ol')].map((one) => one.children.length)") == [3] * 2
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(CUT) == []
        assert page.evaluate(SCROLLS) == [False, False]


@pytest.mark.browser
def test_the_ways_to_play_are_for_everybody(new_page: Callable[..., Page]) -> None:
    page = new_page((1024, 768))
    page.goto("/start")
    assert violations(page) == []
    assert page.evaluate(SMALL) == []


@pytest.mark.browser
def test_no_way_to_play_needs_a_command_and_what_is_chosen_leads_on(
    new_page: Callable[..., Page], new_app: Flask, game_stub: StubGame
) -> None:
    known = new_app.extensions["backends"]
    new_app.extensions["backends"] = replace(known, cameras=StubCameras())
    page = new_page()
    page.goto("/start")
    expect(page.locator("code")).to_have_count(0)
    assert page.locator(".tile .button").all_inner_texts() == ["Try it now", "Choose a camera"]
    expect(page.get_by_role("link", name="Choose a camera")).to_have_attribute("href", "/cameras")
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="http://192.168.1.20:8080"))
    page.reload()
    assert page.locator(".tile .button").all_inner_texts() == ["Choose the virtual tray", "Choose a camera"]
    expect(page.locator(".now")).to_contain_text("This table sees through http://192.168.1.20:8080.")
    page.get_by_role("link", name="Go on with it").click()
    expect(page.locator("h1")).to_have_text("All is well.")
    page.locator("#another-camera").click()
    expect(page.locator("#go-on")).to_have_attribute("href", "/welcome")


@pytest.mark.browser
def test_a_mirrored_picture_is_turned_round_by_one_tap(
    new_page: Callable[..., Page], new_app: Flask, game_stub: StubGame, doctor: StubDiagnostics
) -> None:
    chooser = StubCameras()
    new_app.extensions["backends"] = replace(new_app.extensions["backends"], cameras=chooser)
    doctor.seen = MIRRORED
    page = new_page()
    page.goto("/welcome")
    expect(page.locator("#next-thing h1")).to_have_text("The picture is mirrored.")
    with page.expect_response("**/api/cameras/adjust"):
        page.get_by_role("button", name="Turn the picture round").click()
    assert chooser.asked == [("adjust", True, None)]


@pytest.mark.browser
def test_from_the_first_page_to_the_first_throw_on_the_virtual_tray_are_four_taps(
    lent_tablets: Tablets, game_stub: StubGame, tray: StubSimulator
) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0"))
    app = create_app(Backends(game_stub, tray, stage=tray, is_new=lambda: True), heartbeat_s=0.1)
    with served(app) as address:
        page = lent_tablets.page(address)
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
        five = scenes.by_hand("1 lot traffic:? traffic:? traffic:? traffic:? traffic:?", "Throw the five Traffic dice")
        game_stub.show(replace(scenes.PLAYING, offers=(five,)))
        taps.append(page.locator("#throw-asked"))
        with page.expect_response("**/api/tray/throw"):
            taps[-1].tap()
        print(f"from the first page to the first throw: {len(taps)} taps")
        assert len(taps) == 4
        assert page.url == f"{address}/"


@pytest.fixture
def camera_page(new_page: Callable[..., Page], game_stub: StubGame) -> Callable[..., Page]:
    """The page of a camera, at a size in pixels."""
    game_stub.show(replace(scenes.IDLE, step="0.0", camera="usb:0"))

    def opened(size: tuple[int, int] = (1024, 768), language: str = "en") -> Page:
        page = new_page(size, language)
        page.goto("/welcome")
        expect(page.locator("#next-thing h1")).to_be_visible()
        return page

    return opened


MIDDLES = """[...document.querySelectorAll('#labels > .sign')].map((one) => {
  const box = document.querySelector('#picture').getBoundingClientRect();
  const {left, width, bottom} = one.getBoundingClientRect();
  return [(left + width / 2 - box.left) / box.width, (bottom - box.top) / box.height];
})"""
COLLIDING = """(() => {
  const labels = [...document.querySelectorAll('#labels > .label:not(.no-room)')];
  const boxes = labels.map((one) => one.getBoundingClientRect());
  const picture = document.querySelector('#picture').getBoundingClientRect();
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const leaves = ({left, right, top, bottom}) =>
    left < picture.left || right > picture.right || top < picture.top || bottom > picture.bottom;
  return boxes.some((one, at) => leaves(one) || boxes.slice(at + 1).some((other) => meets(one, other)));
})()"""


@pytest.mark.browser
def test_each_thing_that_is_wrong_is_named_on_the_picture_at_its_place(
    camera_page: Callable[..., Page], doctor: StubDiagnostics
) -> None:
    doctor.seen = COVERED
    page = camera_page()
    expect(page.locator("#labels > .label")).to_have_text(
        [
            "Marker 2 is covered. Clear it.",
            "A lamp is mirrored here. Move the lamp.",
            "The picture is a little soft. Wipe the lens.",
        ]
    )
    wanted = [middle(finding.place) for finding in COVERED.findings]
    for seen, (x, y) in zip(page.evaluate(MIDDLES), wanted, strict=True):
        assert seen == pytest.approx([x, y], abs=0.02)
    assert not page.evaluate(COLLIDING)
    expect(page.locator("#outlines .wrong")).to_have_count(3)
    expect(page.locator("#outlines .marker")).to_have_count(2)


@pytest.mark.browser
def test_one_thing_is_to_be_done_next_and_then_the_game_is_chosen(
    camera_page: Callable[..., Page], doctor: StubDiagnostics
) -> None:
    doctor.seen = COVERED
    page = camera_page()
    expect(page.locator("#next-thing h1")).to_have_text("Marker 2 is covered.")
    expect(page.locator("#next-thing p")).to_have_text("Clear it.")
    expect(page.locator("#to-game")).to_have_text("Go on all the same")
    doctor.seen = CLEAR
    expect(page.locator(".next-thing")).to_have_attribute("data-verdict", "good")
    expect(page.locator("#outlines .zone")).to_have_count(3)
    expect(page.locator("#outlines .die")).to_have_count(2)
    expect(page.locator("#labels > .zone")).to_have_text(["Field", "Signal", "Bay"])
    page.get_by_role("link", name="Choose the game").click()
    expect(page.locator("#setup")).to_be_visible()


@pytest.mark.browser
def test_what_is_unsure_keeps_nobody_from_beginning(camera_page: Callable[..., Page], doctor: StubDiagnostics) -> None:
    doctor.seen = replace(CLEAR, findings=COVERED.findings[1:])
    page = camera_page()
    expect(page.locator("#next-thing h1")).to_have_text("A lamp is mirrored here.")
    expect(page.locator("#to-game")).to_have_text("Choose the game")


@pytest.mark.browser
def test_a_camera_that_is_tilted_too_far_gets_a_drawing_and_a_blurred_one_a_meter(
    camera_page: Callable[..., Page], doctor: StubDiagnostics
) -> None:
    doctor.seen = TILTED
    page = camera_page()
    expect(page.get_by_role("img", name="The camera goes up, over the middle of the tray")).to_be_visible()
    doctor.seen = replace(CLEAR, findings=COVERED.findings[2:], sharpness=0.5)
    gauge = page.get_by_role("meter", name="Sharpness")
    expect(gauge).to_have_attribute("aria-valuenow", "50")
    expect(page.locator(".tilt")).to_have_count(0)
    doctor.seen = replace(doctor.seen, sharpness=0.4)
    expect(gauge).to_have_attribute("aria-valuenow", "40")
    assert page.locator(".best").evaluate("mark => mark.style.left") == "50%"


@pytest.mark.browser
def test_where_the_camera_gives_no_picture_the_list_of_cameras_is_offered_and_no_mat(
    camera_page: Callable[..., Page], new_app: Flask, doctor: StubDiagnostics
) -> None:
    new_app.extensions["backends"] = replace(new_app.extensions["backends"], cameras=StubCameras())
    told = "Nobody answers at http://192.168.1.20:8080: start the camera or its app, in the same network."
    advice = "Open the camera's address in a browser, to see whether it works; dice can be given by hand."
    doctor.seen = TraySight((Finding("camera", "Camera", Verdict.BAD, told, advice),))
    page = camera_page()
    expect(page.locator("#choose-camera")).to_have_attribute("href", "/cameras")
    assert page.locator("#ways > *").count() == 1
    page.set_viewport_size({"width": 844, "height": 390})
    for one in ("#choose-camera", "#to-game"):
        expect(page.locator(one)).to_be_in_viewport(ratio=1)
    doctor.seen = CLEAR
    expect(page.locator("#choose-camera")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.parametrize(("size", "narrowest", "widest"), [((390, 844), 12, 16), ((1920, 1080), 36, 60)])
def test_what_a_die_shows_is_drawn_next_to_it_as_large_as_the_picture_allows(
    camera_page: Callable[..., Page], doctor: StubDiagnostics, size: tuple[int, int], narrowest: int, widest: int
) -> None:
    doctor.seen = CLEAR
    page = camera_page(size)
    box = page.locator("#labels .face").first.bounding_box()
    assert box is not None
    assert narrowest <= box["width"] <= widest


@pytest.mark.browser
def test_a_mat_can_be_printed_where_none_is_seen(camera_page: Callable[..., Page], doctor: StubDiagnostics) -> None:
    page = camera_page()
    expect(page.get_by_role("link", name="A4")).to_have_count(0)
    doctor.seen = DARK
    expect(page.get_by_role("link", name="A4")).to_have_attribute("href", "/mat/a4.pdf")


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_camera_sees_fits_every_screen(
    camera_page: Callable[..., Page], doctor: StubDiagnostics, language: str
) -> None:
    page = camera_page(language=language)
    for sight in (CLEAR, COVERED, TILTED, MIRRORED, DARK, NO_PICTURE):
        doctor.seen = sight
        page.reload()
        expect(page.locator("#next-thing h1")).to_be_visible()
        for width, height in SIZES:
            resize(page, (width, height))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
            bottom = page.locator("#to-game").evaluate("(one) => one.getBoundingClientRect().bottom")
            assert bottom <= height, (width, height)


@pytest.mark.browser
def test_the_camera_can_be_set_up_by_everybody(camera_page: Callable[..., Page], doctor: StubDiagnostics) -> None:
    page = camera_page((390, 844))
    for seen in (CLEAR, COVERED, TILTED):
        doctor.seen = seen
        page.wait_for_timeout(700)
        assert violations(page) == []
        assert page.locator("h1").count() == 1
        assert page.evaluate(SMALL) == []
