"""A tray without markers: who may tap its corners, what is refused, and that the corners outlast a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import pytest
from access_scene import from_elsewhere
from flask import Flask
from stub_game import StubGame
from test_game_routes import refused

from hardware.cameras.phone import PhoneCamera
from referee.sentences import Reason, Refused
from referee.snapshot import Snapshot
from tests.plain_tray import CORNERS as SPOTS
from tests.plain_tray import paint_tray
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.phone_camera_service import PhoneCameraService
from vander.app.tray_corners_service import TrayCornersService
from vander.app.web_app import create_app
from vander.resources.models_and_stores import tray_layout
from vander.storage.camera_file import CORNERS_FILE
from vander.storage.data_folder import Unwritten
from vander.storage.settings import Settings
from vision.frames import Pixels
from vision.image_io import decode_picture, encode_jpeg
from vision.tray_calibration import TRAY_MOVED, TrayLayout
from web.schemas.access_schemas import Role
from web.schemas.camera_schemas import CornersRequest

CORNERS = [list(spot) for spot in SPOTS]
ROLES = {
    "GET /api/corners": Role.CAMERA,
    "POST /api/corners": Role.CAMERA,
    "POST /api/corners/forget": Role.CAMERA,
    "POST /api/corners/still": Role.CAMERA,
    "GET /corners.jpg": Role.CAMERA,
}


class Loop:
    """A camera loop that shows one picture and reads nothing."""

    needs_detail = False
    pixels: Pixels | None = None


class Table:
    """What a layout goes to; `waits` is an open question."""

    def __init__(self) -> None:
        self.layout: TrayLayout | None = None
        self.waits = ""

    def use(self, layout: TrayLayout) -> None:
        if self.waits:
            raise Refused(self.waits, Reason.CONFLICT)
        self.layout = layout


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", camera="phone")


@pytest.fixture
def loop() -> Loop:
    found = Loop()
    found.pixels = paint_tray()
    return found


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def phone_camera() -> PhoneCamera:
    return PhoneCamera()


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[PairingService]:
    keeper = PairingService(tmp_path)
    yield keeper
    keeper.close()


@pytest.fixture
def app(settings: Settings, loop: Loop, table: Table, phone_camera: PhoneCamera, pairing: PairingService) -> Flask:
    phone = PhoneCameraService(phone_camera, loop, lambda: tray_layout(settings))  # type: ignore[arg-type]
    corners = TrayCornersService(lambda: settings, table.use, lambda: loop.pixels, phone)
    return create_app(
        Backends(StubGame(Snapshot(1, camera="phone")), access=pairing, phone_camera=phone, tray_corners=corners)
    )


def joined(app: Flask, pairing: PairingService) -> Any:
    """A phone that has joined in as the camera."""
    client = from_elsewhere(app)
    client.post("/api/door/ask", json={})
    pairing.show_code(keeper=True)
    client.post("/api/door/pair", json={"code": list(pairing.code() or ()), "name": "Old phone", "camera": True})
    return client


@pytest.fixture
def camera(app: Flask, keeper: Any, pairing: PairingService) -> Any:
    return joined(app, pairing)


def photograph(client: Any, pixels: Pixels) -> Any:
    return client.post("/api/camera/photograph", data=encode_jpeg(pixels), content_type="image/jpeg")


def tap(client: Any, **other: object) -> Any:
    """Take a still and use the tray's corners in it."""
    still = client.post("/api/corners/still", json={}).get_json()
    asked = {"still": still["number"], "corners": CORNERS, "width_mm": 300, "height_mm": 200} | other
    return client.post("/api/corners", json=asked)


def test_a_keeper_taps_the_corners_in_a_still_and_takes_them_away(
    keeper: Any, table: Table, settings: Settings, loop: Loop
) -> None:
    assert keeper.get("/api/corners").get_json() == {
        "kept": False, "fits": False, "told": "", "outline": [], "width_mm": 300.0, "height_mm": 200.0,
    }  # fmt: skip
    still = keeper.post("/api/corners/still", json={}).get_json()
    assert (still["width"], still["height"], still["is_seen"]) == (640, 480, True)
    picture = keeper.get(f"/corners.jpg?number={still['number']}")
    assert decode_picture(picture.data).shape == (480, 640, 3)
    kept = tap(keeper).get_json()
    assert kept["kept"]
    assert kept["fits"]
    assert kept["outline"] == [pytest.approx(corner, abs=0.002) for corner in CORNERS]
    assert table.layout == tray_layout(settings)
    assert (table.layout.width_mm, table.layout.bay) == (300.0, False)
    loop.pixels = paint_tray((60.0, 0.0))
    moved = keeper.get("/api/corners").get_json()
    assert (moved["kept"], moved["fits"], moved["told"]) == (True, False, TRAY_MOVED)
    assert not keeper.post("/api/corners/forget", json={}).get_json()["kept"]
    assert table.layout.tapped is None
    assert not (settings.data_dir / CORNERS_FILE).exists()


def test_the_corners_open_again_after_a_restart(keeper: Any, settings: Settings, table: Table, loop: Loop) -> None:
    tap(keeper)
    again = TrayCornersService(lambda: settings, table.use, lambda: loop.pixels)
    assert (again.now().kept, again.now().fits) == (True, True)
    loop.pixels = None
    assert "no picture" in again.now().told


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"corners": [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]}, "go round the tray"),
        ({"corners": CORNERS[::-1]}, "go round the tray"),
        ({"corners": [[0.4, 0.4], [0.5, 0.4], [0.5, 0.5], [0.4, 0.5]]}, "too near to each other"),
        ({"corners": [[0.0, 0.0], [1.0, 0.45], [1.0, 0.55], [0.5, 0.55]]}, "No tray looks like this"),
        ({"corners": [[-0.1, 0.2], *CORNERS[1:]]}, "two numbers from 0 to 1"),
        ({"corners": [[0.2], *CORNERS[1:]]}, "two numbers from 0 to 1"),
        ({"corners": [["a", 0.2], *CORNERS[1:]]}, "two numbers from 0 to 1"),
        ({"corners": CORNERS[:3]}, "four corners"),
        ({"corners": "x"}, "four corners"),
        ({"width_mm": 0}, "millimetres from 60 to 3000"),
        ({"height_mm": 9000}, "millimetres from 60 to 3000"),
        ({"height_mm": None}, "millimetres from 60 to 3000"),
        ({"still": "x"}, "whole number"),
    ],
)
def test_corners_of_no_tray_are_refused_in_a_sentence_and_nothing_is_kept(
    keeper: Any, settings: Settings, table: Table, wrong: dict[str, object], sentence: str
) -> None:
    assert sentence in refused(tap(keeper, **wrong), 400)
    assert table.layout is None
    assert not (settings.data_dir / CORNERS_FILE).exists()


def test_a_tray_whose_edge_does_not_show_is_refused(keeper: Any, loop: Loop) -> None:
    loop.pixels = paint_tray() // 255 + 90
    assert "edge cannot be seen" in refused(tap(keeper), 400)


def test_where_all_markers_are_in_sight_no_corners_are_tapped(keeper: Any, loop: Loop) -> None:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    loop.pixels = paint_tray()
    for number, (x, y) in enumerate(((150, 120), (430, 130), (430, 330), (140, 320))):
        loop.pixels[y - 25 : y + 25, x - 25 : x + 25] = 255
        cells = cv2.aruco.generateImageMarker(words, number, 36)
        loop.pixels[y - 18 : y + 18, x - 18 : x + 18] = cells[..., None]
    assert "All four markers are in sight" in refused(tap(keeper), 409)


def test_another_still_than_the_last_is_gone(keeper: Any) -> None:
    assert "That still is gone" in refused(tap(keeper, still=7), 410)
    assert keeper.get("/corners.jpg?number=7").status_code == 410
    assert keeper.get("/corners.jpg?number=x").status_code == 400


def test_without_a_picture_there_is_no_still(keeper: Any, loop: Loop) -> None:
    loop.pixels = None
    assert "no picture" in refused(keeper.post("/api/corners/still", json={}), 503)


def test_a_question_that_is_open_goes_first_and_the_corners_stay_as_they_were(
    keeper: Any, table: Table, settings: Settings
) -> None:
    table.waits = "Answer the open question first."
    assert "Answer the open question first." in refused(tap(keeper), 409)
    assert not (settings.data_dir / CORNERS_FILE).exists()
    table.waits = ""
    tap(keeper)
    before = (settings.data_dir / CORNERS_FILE).read_bytes()
    table.waits = "Answer the open question first."
    refused(tap(keeper, width_mm=250), 409)
    refused(keeper.post("/api/corners/forget", json={}), 409)
    assert (settings.data_dir / CORNERS_FILE).read_bytes() == before


def test_corners_that_the_table_cannot_go_on_with_are_not_kept(
    settings: Settings, loop: Loop, phone_camera: PhoneCamera
) -> None:
    def full(_: TrayLayout) -> None:
        raise Unwritten("the journal cannot be written")

    corners = TrayCornersService(lambda: settings, full, lambda: loop.pixels)
    still = corners.take_still(None)
    with pytest.raises(Unwritten):
        corners.keep(None, CornersRequest(still=still.number, corners=CORNERS, width_mm=300, height_mm=200))
    assert not (settings.data_dir / CORNERS_FILE).exists()


def test_two_keepers_change_the_corners_one_after_the_other(settings: Settings, loop: Loop) -> None:
    """While the corners of one are refused, the other's wait: else they would be put back with the first one's."""
    others: list[Thread] = []

    def first_is_refused(_: TrayLayout) -> None:
        if not others:
            others.append(Thread(target=keep, args=(250.0,)))
            others[0].start()
            others[0].join(0.3)
            raise Refused("Answer the open question first.", Reason.CONFLICT)

    corners = TrayCornersService(lambda: settings, first_is_refused, lambda: loop.pixels)
    still = corners.take_still(None)

    def keep(width_mm: float) -> None:
        corners.keep(None, CornersRequest(still=still.number, corners=CORNERS, width_mm=width_mm, height_mm=200))

    with pytest.raises(Refused):
        keep(300.0)
    others[0].join()
    assert (corners.now().kept, corners.now().width_mm) == (True, 250.0)


def test_a_full_disk_is_said(keeper: Any, settings: Settings) -> None:
    (settings.data_dir / f"{CORNERS_FILE}.part").mkdir(parents=True)
    assert "cannot be kept" in refused(tap(keeper), 503)


def test_a_camera_phone_taps_the_corners_of_its_own_photograph(
    camera: Any, app: Flask, pairing: PairingService, phone_camera: PhoneCamera, table: Table
) -> None:
    refused(camera.post("/api/corners/still", json={}), 403)
    assert "four markers" in refused(photograph(camera, paint_tray(seed=1)), 400)
    other = joined(app, pairing)
    refused(other.post("/api/corners/still", json={}), 403)
    kept = tap(camera).get_json()
    assert kept["fits"]
    phone_camera.open()
    assert phone_camera.frame().is_photograph
    found = photograph(camera, paint_tray(seed=2)).get_json()
    assert found["is_tapped"]
    assert len(found["shown"]) == 4
    assert [finding["verdict"] for finding in found["findings"] if finding["name"] == "tray"] != ["bad"]
    assert TRAY_MOVED in refused(photograph(camera, paint_tray((90.0, 0.0))), 400)
    number = camera.post("/api/corners/still", json={}).get_json()["number"]
    assert other.get(f"/corners.jpg?number={number}").status_code == 403
    assert camera.get(f"/corners.jpg?number={number}").status_code == 200


def test_players_and_watchers_tap_nothing(camera: Any, player: Any, watcher: Any, table: Table) -> None:
    for client in (player, watcher):
        refused(client.get("/api/corners"), 403)
        refused(client.post("/api/corners/still", json={}), 403)
        assert client.get("/corners.jpg?number=1").status_code == 403
        refused(
            client.post("/api/corners", json={"still": 1, "corners": CORNERS, "width_mm": 300, "height_mm": 200}), 403
        )
        refused(client.post("/api/corners/forget", json={}), 403)
    assert table.layout is None


def test_a_table_with_the_virtual_tray_has_no_corners(client: Any) -> None:
    assert "virtual tray has markers" in refused(client.get("/api/corners"), 404)


def test_the_service_keeps_its_promises(settings: Settings, table: Table) -> None:
    found = TrayCornersService(lambda: settings, table.use, lambda: None)
    assert not found.now().kept
