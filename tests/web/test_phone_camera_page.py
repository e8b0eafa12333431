"""The page of a phone that is the camera, in a Chromium whose camera is a film of the virtual tray."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from browsers import served
from PIL import Image
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect
from stub_game import StubGame
from test_accessible_pages import SMALL, violations

from hardware.cameras.phone import PhoneCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from referee.snapshot import Snapshot
from tests.plain_tray import CORNERS, paint_tray
from tests.tray_film import make_film
from tests.vander.phone_film import jpeg
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.phone_camera_service import OTHER_WINDOW, PhoneCameraService
from vander.app.tray_corners_service import TrayCornersService
from vander.app.web_app import create_app
from vander.resources.models_and_stores import tray_layout
from vander.storage.settings import Settings

pytestmark = pytest.mark.browser

FAKE_CAMERA = "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"
WATCH_LOCK = """() => {
  window.locks = [];
  const lock = {addEventListener() {}, release: async () => window.locks.push('released')};
  const request = async (kind) => (window.locks.push(kind), lock);
  Object.defineProperty(navigator, 'wakeLock', {value: {request}});
}"""
NO_LIVE_CAMERA = "() => Object.defineProperty(navigator, 'mediaDevices', {value: undefined})"
"""As at an address that is not secure."""
PATIENCE_MS = 60_000


class StillLoop:
    """A camera loop that reads nothing."""

    needs_detail = False


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[PairingService]:
    keeper = PairingService(tmp_path, trust_local=False)
    yield keeper
    keeper.close()


@pytest.fixture
def camera() -> PhoneCamera:
    return PhoneCamera()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", camera="phone")


@pytest.fixture
def service(camera: PhoneCamera, settings: Settings) -> PhoneCameraService:
    return PhoneCameraService(camera, StillLoop(), lambda: tray_layout(settings))  # type: ignore[arg-type]


@pytest.fixture
def corners(service: PhoneCameraService, settings: Settings) -> TrayCornersService:
    return TrayCornersService(lambda: settings, lambda _: None, lambda: None, service)


@pytest.fixture
def address(pairing: PairingService, service: PhoneCameraService, corners: TrayCornersService) -> Iterator[str]:
    found = Backends(StubGame(Snapshot(1, camera="phone")), access=pairing, phone_camera=service, tray_corners=corners)
    with served(create_app(found, heartbeat_s=0.1)) as place:
        yield place


@pytest.fixture
def phone(address: str, launch: Callable[..., Browser], tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a phone held upright whose camera shows a film, else a bare table in good light.

    What Chromium draws without a film is at times too dark for a minute on a busy machine.
    """
    bare = tmp_path / "bare.mjpeg"
    bare.write_bytes(30 * jpeg(np.full((720, 960, 3), 150, np.uint8)))
    with ExitStack() as on_exit:

        def opened(film: Path = bare, init: str = WATCH_LOCK) -> Page:
            shown = f"--use-file-for-fake-video-capture={film}"
            browser = on_exit.enter_context(launch(*FAKE_CAMERA, shown))
            wishes = {"base_url": address, "permissions": ["camera"], "locale": "en"}
            context = browser.new_context(viewport={"width": 390, "height": 844}, **wishes)  # type: ignore[arg-type]
            context.add_init_script(f"({init})()")
            return context.new_page()

        yield opened


def test_a_phone_that_scanned_the_code_sends_its_picture_and_comes_back_after_a_lost_connection(
    phone: Callable[..., Page], pairing: PairingService, service: PhoneCameraService, tmp_path: Path
) -> None:
    film = make_film(tmp_path / "rest.mjpeg", [], 1.0)
    pairing.show_code()
    page = phone(film.path)
    page.goto(f"/camera#{''.join(map(str, pairing.code() or ()))}")
    state = page.locator("#state")
    expect(state).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)
    expect(page.locator("#outlines .marker")).to_have_count(4, timeout=PATIENCE_MS)
    expect(page.locator("#to-do h1")).to_have_text("All is well.")
    assert page.url.endswith("/camera")
    assert page.evaluate("window.locks") == ["screen"]
    assert service.sender is not None
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    page.context.set_offline(True)
    expect(state).to_have_text("Looking for the box …", timeout=PATIENCE_MS)
    page.context.set_offline(False)
    expect(state).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)


def test_of_two_windows_of_a_phone_the_later_one_is_the_camera_and_the_other_says_so(
    phone: Callable[..., Page], pairing: PairingService
) -> None:
    pairing.show_code()
    first = phone()
    first.goto(f"/camera#{''.join(map(str, pairing.code() or ()))}")
    expect(first.locator("#state")).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)
    second = first.context.new_page()
    second.goto("/camera")
    expect(first.locator("#state")).to_have_text(str(OTHER_WINDOW), timeout=PATIENCE_MS)
    expect(second.locator("#state")).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)
    first.reload()
    expect(second.locator("#state")).to_have_text(str(OTHER_WINDOW), timeout=PATIENCE_MS)
    expect(first.locator("#state")).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)


def test_a_phone_joins_in_by_the_dice_that_the_box_shows_and_reads_what_to_move(
    phone: Callable[..., Page], pairing: PairingService
) -> None:
    page = phone()
    page.goto("/camera")
    page.click("#ask-code")
    page.wait_for_function("() => document.querySelector('.keys')")
    while not pairing.code():
        page.wait_for_timeout(20)
    for face in pairing.code() or ():
        page.click(f'[data-face="{face}"]')
    expect(page.locator("#to-do h1")).to_have_text("No marker of the mat is in sight.", timeout=PATIENCE_MS)
    page.set_viewport_size({"width": 844, "height": 390})
    assert page.evaluate("document.documentElement.scrollWidth") == 844
    assert violations(page) == []


def test_without_a_live_camera_a_large_photograph_is_sent_upright_and_a_bad_one_is_said(
    phone: Callable[..., Page], pairing: PairingService, camera: PhoneCamera, tmp_path: Path
) -> None:
    pairing.show_code()
    page = phone(init=NO_LIVE_CAMERA)
    page.goto(f"/camera#{''.join(map(str, pairing.code() or ()))}")
    expect(page.get_by_role("heading", name="One photograph a throw")).to_be_visible(timeout=PATIENCE_MS)
    state = page.locator("#state")
    page.set_input_files("#take", photograph(tmp_path / "tray.jpg", (4000, 3000)))
    expect(state).to_contain_text("4 of 4 markers", timeout=PATIENCE_MS)
    camera.open()
    assert camera.frame().pixels.shape[:2] == (1200, 1600)
    (tmp_path / "tray.heic").write_bytes(bytes(4) + b"ftypheic" + bytes(999))
    page.set_input_files("#take", tmp_path / "tray.heic")
    expect(state).to_contain_text("Set the phone’s camera to JPEG")
    page.set_input_files("#take", photograph(tmp_path / "no_tray.jpg", (1600, 1200), level=90))
    expect(state).to_contain_text("does not show all four markers")
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def photograph(path: Path, size: tuple[int, int], level: int = 0) -> Path:
    """The virtual tray, or a grey level, as a phone held upright saves it: sideways, with a note of that."""
    shown = VirtualCamera(VirtualTray("intersection", seed=1, size=(1280, 960)), paced=False, seed=1)
    shown.open()
    pixels = shown.frame().pixels if not level else np.full((960, 1280, 3), level, np.uint8)
    large = Image.fromarray(cv2.cvtColor(cv2.resize(pixels, size), cv2.COLOR_BGR2RGB))
    exif = Image.Exif()
    exif[0x0112] = 6
    large.transpose(Image.Transpose.ROTATE_90).save(path, quality=85, exif=exif)
    return path


def test_the_corners_of_a_tray_without_markers_are_dragged_and_moved_by_keys(
    phone: Callable[..., Page], pairing: PairingService, corners: TrayCornersService, tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "plain.jpg"), cv2.resize(paint_tray(), (1280, 960)))
    pairing.show_code()
    page = phone(init=NO_LIVE_CAMERA)
    page.goto(f"/camera#{''.join(map(str, pairing.code() or ()))}")
    page.set_input_files("#take", tmp_path / "plain.jpg")
    page.click("#tap-corners", timeout=PATIENCE_MS)
    handles = page.locator("#corners .handle")
    expect(handles).to_have_count(4, timeout=PATIENCE_MS)
    first, magnifier = handles.nth(0), page.locator("#corners .magnifier")
    expect(magnifier).to_be_hidden()
    still = page.locator("#corners .still")
    wrong = spot_of(still, (0.5, 0.5))
    drag(page, middle_of(first), wrong)
    assert middle_of(first) == pytest.approx(wrong, abs=2)
    expect(magnifier).to_be_visible()
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    page.click("#use-corners")
    expect(page.locator("#corners-problem")).to_contain_text("do not go round the tray")
    for which, corner in enumerate(CORNERS):
        drag(page, middle_of(handles.nth(which)), spot_of(still, corner))
    first.focus()
    before = middle_of(first)
    for key in ("Shift+ArrowRight", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowLeft", "ArrowLeft", "Shift+ArrowUp"):
        page.keyboard.press(key)
        if key == "Shift+ArrowRight":
            step = spot_of(still, (20 / 1280, 0))[0] - spot_of(still, (0, 0))[0]
            assert middle_of(first)[0] - before[0] == pytest.approx(step, abs=0.5)
    page.select_option("#tray-size", "own")
    page.fill("#long-mm", "0")
    page.click("#use-corners")
    expect(page.locator("#corners-problem")).to_contain_text("millimetres from 60 to 3000")
    page.fill("#long-mm", "320")
    page.fill("#short-mm", "240")
    page.click("#use-corners")
    expect(page.locator("#corners-told")).to_contain_text("The corners fit")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.click("#corners-done")
    expect(page.locator("#state")).to_contain_text("by the tapped corners")
    kept = corners.now()
    assert (kept.fits, kept.width_mm, kept.height_mm) == (True, 320, 240)
    assert np.abs(np.array(kept.outline) - CORNERS).max() < 0.01


def test_a_second_finger_draws_no_corner_away_and_a_still_that_does_not_come_is_said(
    phone: Callable[..., Page],
    pairing: PairingService,
    corners: TrayCornersService,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cv2.imwrite(str(tmp_path / "plain.jpg"), cv2.resize(paint_tray(), (1280, 960)))
    pairing.show_code()
    page = phone(init=NO_LIVE_CAMERA)
    page.goto(f"/camera#{''.join(map(str, pairing.code() or ()))}")
    page.set_input_files("#take", tmp_path / "plain.jpg")
    with monkeypatch.context() as cut_off:
        cut_off.setattr(corners, "still_jpeg", lambda *_: b"")
        page.click("#tap-corners", timeout=PATIENCE_MS)
        expect(page.locator("#corners .problem")).to_contain_text("The box did not answer", timeout=PATIENCE_MS)
    page.click("#corners .main")
    handles = page.locator("#corners .handle")
    expect(handles).to_have_count(4, timeout=PATIENCE_MS)
    first, third = middle_of(handles.nth(0)), middle_of(handles.nth(2))
    screen = page.context.new_cdp_session(page)
    touch(screen, "touchStart", first)
    touch(screen, "touchStart", first, third)
    touch(screen, "touchMove", (first[0] + 30, first[1] + 20), (third[0] - 50, third[1] - 50))
    touch(screen, "touchEnd")
    assert middle_of(handles.nth(0)) == pytest.approx((first[0] + 30, first[1] + 20), abs=2)
    assert middle_of(handles.nth(2)) == pytest.approx(third, abs=2)
    touch(screen, "touchStart", third)
    touch(screen, "touchMove", (third[0] - 20, third[1] - 20))
    touch(screen, "touchEnd")
    assert middle_of(handles.nth(2)) == pytest.approx((third[0] - 20, third[1] - 20), abs=2)


def touch(screen: CDPSession, what: str, *fingers: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
    screen.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})


def middle_of(handle: Locator) -> tuple[float, float]:
    box = handle.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def spot_of(still: Locator, corner: tuple[float, float]) -> tuple[float, float]:
    box = still.bounding_box()
    assert box is not None
    return box["x"] + corner[0] * box["width"], box["y"] + corner[1] * box["height"]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()
