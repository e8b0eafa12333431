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
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame
from test_accessible_pages import SMALL, violations

from hardware.cameras.phone import PhoneCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from tests.tray_film import make_film
from vander.access import PairingService
from vander.app.phone_camera_service import PhoneCameraService
from vision.tray_calibration import TrayLayout
from web import Backends, create_app

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
PATIENCE_MS = 30_000


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
def service(camera: PhoneCamera) -> PhoneCameraService:
    return PhoneCameraService(camera, StillLoop(), TrayLayout())  # type: ignore[arg-type]


@pytest.fixture
def address(pairing: PairingService, service: PhoneCameraService) -> Iterator[str]:
    with served(create_app(Backends(StubGame(), access=pairing, phone_camera=service), heartbeat_s=0.1)) as place:
        yield place


@pytest.fixture
def phone(address: str, launch: Callable[..., Browser]) -> Iterator[Callable[..., Page]]:
    """Open a phone held upright whose camera shows a film, else a green pattern."""
    with ExitStack() as on_exit:

        def opened(*film: str, init: str = WATCH_LOCK) -> Page:
            browser = on_exit.enter_context(launch(*FAKE_CAMERA, *film))
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
    page = phone(f"--use-file-for-fake-video-capture={film.path}")
    page.goto(f"/camera#{''.join(map(str, pairing.code() or ()))}")
    state = page.locator("#state")
    expect(state).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)
    expect(page.locator("#markers")).to_have_text("4 of 4 markers", timeout=PATIENCE_MS)
    expect(page.locator("#to-do")).to_have_text("All is well. Leave the phone as it stands.")
    assert page.url.endswith("/camera")
    assert page.evaluate("window.locks") == ["screen"]
    assert service.sender is not None
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    page.context.set_offline(True)
    expect(state).to_have_text("Looking for the box …", timeout=PATIENCE_MS)
    page.context.set_offline(False)
    expect(state).to_have_text("The box sees the tray.", timeout=PATIENCE_MS)


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
    expect(page.locator("#markers")).to_have_text("0 of 4 markers", timeout=PATIENCE_MS)
    expect(page.locator("#to-do")).to_contain_text("must be in the picture")
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
