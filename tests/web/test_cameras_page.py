"""The page on which the camera is chosen: live pictures, one tap, and what is said where it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scenes
from browsers import lent_app, served
from flask import Flask
from playwright.sync_api import Page, expect
from stub_game import StubGame, StubSimulator
from test_accessible_pages import SMALL, violations
from test_camera_routes import TITLES, StubCameras
from test_https_page import StubHttps
from test_phone_camera_routes import StubPhoneCamera
from test_whole_screens import resize

from referee.sentences import Reason, Refused
from tests.conftest import Tablets
from vander.app.backends import Backends
from vision.image_io import encode_jpeg
from vision.tray_markers import MIRRORED
from web.schemas.camera_schemas import CameraKind

pytestmark = pytest.mark.browser

SIZES = ((390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1920, 1080))
CUT = """[...document.querySelectorAll('button, a, input, .title, .state')].filter((one) => {
  const {left, right, width} = one.getBoundingClientRect();
  return width && (left < 0 || right > innerWidth || one.matches('.title, .state') && one.scrollWidth > width + 1);
}).map((one) => one.outerHTML.slice(0, 90))"""
COVERED = """[...document.querySelectorAll('main button, main a')].filter((one) => {
  one.scrollIntoView({block: 'center'});
  const {left, top, width, height} = one.getClientRects()[0];
  return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((one) => one.outerHTML.slice(0, 90))"""


@pytest.fixture
def cameras_stub() -> StubCameras:
    found = StubCameras()
    found.jpeg = encode_jpeg(np.full((240, 320, 3), 120, np.uint8))
    return found


@pytest.fixture
def app(game_stub: StubGame, cameras_stub: StubCameras) -> Flask:
    services = Backends(
        game_stub, StubSimulator(), cameras=cameras_stub, https=StubHttps(), phone_camera=StubPhoneCamera()
    )
    return lent_app(services)


@pytest.fixture
def new_page(lent_tablets: Tablets, app: Flask) -> Iterator[Callable[..., Page]]:
    with served(app) as address:
        yield partial(lent_tablets.page, address)


def test_each_camera_is_a_tile_with_its_live_picture_and_a_tap_uses_it(
    new_page: Callable[..., Page], cameras_stub: StubCameras
) -> None:
    page = new_page()
    page.goto("/cameras")
    expect(page.locator(".camera .title")).to_have_text(list(TITLES.values()))
    expect(page.locator(".camera canvas.drawn")).to_have_count(len(TITLES) - 2)
    expect(page.locator('[data-mark="on"] .title')).to_have_text(["The virtual tray"])
    page.locator('[data-kind="usb"]').click()
    expect(page.locator('[data-mark="on"] .title')).to_have_text(["HD Pro Webcam C920"])
    assert cameras_stub.asked == [("choose", "key-usb")]


def test_what_is_refused_is_said_and_the_old_camera_stays_marked(
    new_page: Callable[..., Page], cameras_stub: StubCameras
) -> None:
    page = new_page()
    page.goto("/cameras")
    expect(page.locator(".camera")).to_have_count(len(TITLES))
    cameras_stub.refusal = Refused("No webcam answers at usb:0; plug it in.", Reason.UNAVAILABLE)
    cameras_stub.troubles[CameraKind.WEBCAM] = "It is gone; check its cable."
    page.locator('[data-kind="usb"]').click()
    expect(page.locator("#told")).to_have_text("No webcam answers at usb:0; plug it in.")
    expect(page.locator('[data-mark="bad"] .state')).to_have_text(["It is gone; check its cable."])
    expect(page.locator('[aria-pressed="true"].camera .title')).to_have_text(["The virtual tray"])


def test_a_phone_is_waited_for_with_its_code(new_page: Callable[..., Page], cameras_stub: StubCameras) -> None:
    page = new_page()
    page.goto("/cameras")
    page.locator('[data-kind="phone"]').click()
    expect(page.locator("#code img")).to_be_visible()
    expect(page.locator("#code")).to_contain_text("https://192.168.1.20:8443/camera")
    expect(page.locator('[data-mark="coming"] .title')).to_have_text([TITLES[CameraKind.PHONE]])
    cameras_stub.on, cameras_stub.waits = CameraKind.PHONE, ""
    expect(page.locator('[data-mark="on"] .title')).to_have_text([TITLES[CameraKind.PHONE]])
    expect(page.locator("#code")).to_have_count(0)
    gone = cameras_stub.troubles[CameraKind.PHONE] = "The phone's picture is gone; wake the phone."
    expect(page.locator('[data-mark="bad"] .state')).to_have_text([gone])
    expect(page.locator("#code img")).to_be_visible()


def test_where_the_camera_is_gone_the_table_leads_a_keeper_to_the_list(
    new_page: Callable[..., Page], game_stub: StubGame
) -> None:
    gone = "Nobody answers at http://192.168.1.20:8080: start the camera or its app, in the same network."
    game_stub.show(replace(scenes.PLAYING, camera="http://192.168.1.20:8080", camera_trouble=gone))
    page = new_page()
    page.goto("/")
    expect(page.locator("#camera-trouble")).to_have_text(f"Camera: {gone} Choose a camera")
    page.locator("#camera-trouble").click()
    expect(page.locator(".camera")).to_have_count(len(TITLES))


def test_a_long_name_breaks_behind_a_sign(
    new_page: Callable[..., Page], cameras_stub: StubCameras, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TITLES, CameraKind.FILM, "somebody_evening11ess.mp4")
    page = new_page()
    page.goto("/cameras")
    expect(page.locator('[data-kind="replay"] .title')).to_have_text("somebody_evening11ess.mp4")
    parts = page.locator('[data-kind="replay"] .title').evaluate("title => title.innerHTML.split('<wbr>')")
    assert parts == ["somebody_", "evening11ess.", "mp4"]


def test_this_devices_own_camera_is_a_window_that_the_page_leads_to(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/cameras")
    page.locator('[data-kind="browser"]').click()
    expect(page.locator("#be-camera")).to_have_attribute("href", "/camera")


def test_an_address_is_typed_and_the_picture_is_put_right(
    new_page: Callable[..., Page], cameras_stub: StubCameras
) -> None:
    page = new_page()
    page.goto("/cameras")
    page.locator("#address-field").fill("192.168.1.20:8080/video")
    page.locator("#address button").click()
    expect(page.locator('[data-mark="on"] .title')).to_have_text([TITLES[CameraKind.NETWORK]])
    page.locator("#mirror").click()
    expect(page.locator("#mirror")).to_have_attribute("aria-pressed", "true")
    page.locator("#turn").click()
    expect(page.locator("#turn")).to_have_text("Turn the picture (90°)")
    assert cameras_stub.asked == [("address", "192.168.1.20:8080/video"), ("adjust", True, None), ("adjust", None, 90)]


def test_where_the_picture_is_mirrored_one_tap_on_the_table_puts_it_right(
    new_page: Callable[..., Page], game_stub: StubGame, cameras_stub: StubCameras
) -> None:
    game_stub.show(replace(scenes.PLAYING, camera_trouble=str(MIRRORED)))
    page = new_page()
    page.goto("/")
    page.locator("#mirror-back").click()
    page.wait_for_function("() => true")
    for _ in range(200):
        if cameras_stub.asked:
            break
        page.wait_for_timeout(50)
    assert cameras_stub.asked == [("adjust", True, None)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_is_whole_on_every_screen(new_page: Callable[..., Page], cameras_stub: StubCameras, language: str) -> None:
    cameras_stub.waits, cameras_stub.told = CameraKind.PHONE, "The camera is gone. The camera before is on again."
    page = new_page(language=language)
    page.goto("/cameras")
    expect(page.locator("#code img")).to_be_visible()
    expect(page.locator(".camera canvas.drawn")).to_have_count(len(TITLES) - 2)
    for width, height in SIZES:
        resize(page, (width, height))
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CUT) == []
        assert page.evaluate(COVERED) == []


def test_it_can_be_used_by_everybody(new_page: Callable[..., Page], cameras_stub: StubCameras) -> None:
    cameras_stub.waits = CameraKind.PHONE
    page = new_page((390, 844))
    page.goto("/cameras")
    expect(page.locator("#code img")).to_be_visible()
    expect(page.locator(".camera canvas.drawn")).to_have_count(len(TITLES) - 2)
    assert violations(page) == []
    assert page.evaluate(SMALL) == []


def test_the_box_leads_there(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/")
    page.locator("#menu").click()
    page.locator("#to-box").click()
    page.locator("#to-cameras").click()
    expect(page.locator(".camera")).to_have_count(len(TITLES))
