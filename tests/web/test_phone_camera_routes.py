"""A phone as the camera: who may send, in what form, and which page may ask for a camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from access_scene import from_elsewhere, join
from browsers import tablet
from flask import Flask
from stub_game import StubGame
from test_game_routes import refused

from referee.sentences import Reason, Refused
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import Role, TraySight
from web.schemas.camera_schemas import LARGEST_PICTURE, Phone, PictureAnswer, SentPicture

ROLES = {
    "GET /camera": Role.WATCHER,
    "GET /camera.svg": Role.WATCHER,
    "GET /api/camera": Role.WATCHER,
    "POST /api/camera/begin": Role.CAMERA,
    "POST /api/camera/picture": Role.CAMERA,
    "POST /api/camera/photograph": Role.CAMERA,
}
PLACE = "/api/camera/picture?stream=1&number=2&taken_ms=66&small_bytes=3"


class StubHttps:
    """Serves https."""

    def urls(self) -> tuple[str, ...]:
        return ("https://192.168.1.9:8443",)

    def authority(self) -> None:
        return None

    def trouble(self) -> str:
        return ""


class StubPhoneCamera:
    """Takes pictures and remembers them."""

    is_wanted = True

    def __init__(self) -> None:
        self.taken: list[tuple[Phone, SentPicture]] = []
        self.photographs: list[tuple[Phone, bytes]] = []
        self.sender: Phone | None = None

    def begin(self, phone: Phone) -> int:
        if self.sender and self.sender != phone:
            raise Refused(f"{self.sender.name} is the camera already.", Reason.CONFLICT)
        self.sender = phone
        return 1

    def take(self, phone: Phone, picture: SentPicture) -> PictureAnswer:
        self.taken.append((phone, picture))
        return PictureAnswer(True, None)

    def photograph(self, phone: Phone, jpeg: bytes) -> TraySight:
        self.photographs.append((phone, jpeg))
        return TraySight(())


@pytest.fixture
def phone_stub() -> StubPhoneCamera:
    return StubPhoneCamera()


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[PairingService]:
    keeper = PairingService(tmp_path)
    yield keeper
    keeper.close()


@pytest.fixture
def app(phone_stub: StubPhoneCamera, pairing: PairingService) -> Flask:
    urls = ("http://192.168.1.9:8080",)
    return create_app(
        Backends(StubGame(), access=pairing, phone_camera=phone_stub, page_urls=lambda: urls, https=StubHttps())
    )


@pytest.fixture
def camera(app: Flask, keeper: Any, pairing: PairingService) -> Any:
    client = from_elsewhere(app)
    client.post("/api/door/ask", json={})
    asked = {"code": list(pairing.code() or ()), "name": "Old phone", "camera": True}
    assert client.post("/api/door/pair", json=asked).get_json()["role"] == "camera"
    return client


def send(client: Any, contents: bytes = b"abcdef", mimetype: str = "image/jpeg", place: str = PLACE) -> Any:
    return client.post(place, data=contents, content_type=mimetype)


def test_a_camera_sends_its_pictures_small_and_full(camera: Any, phone_stub: StubPhoneCamera) -> None:
    assert camera.post("/api/camera/begin", json={}).get_json() == {"stream": 1}
    assert send(camera).get_json() == {"needs_full": True, "guide": None}
    assert phone_stub.taken == [(Phone(2, "Old phone"), SentPicture(1, 2, 66, False, b"abc", b"def"))]
    send(camera, place=f"{PLACE}&pace=resting")
    assert phone_stub.taken[-1][1].is_resting


def test_only_a_camera_and_a_keeper_may_send(
    camera: Any, keeper: Any, player: Any, watcher: Any, at_the_box: Any, phone_stub: StubPhoneCamera
) -> None:
    for client in (player, watcher):
        refused(client.post("/api/camera/begin", json={}), 403)
        refused(send(client), 403)
    assert phone_stub.taken == []
    for client in (camera, keeper, at_the_box):
        assert send(client).status_code == 200


def test_a_camera_and_a_keeper_send_photographs_and_nobody_else(
    camera: Any, keeper: Any, player: Any, watcher: Any, phone_stub: StubPhoneCamera
) -> None:
    for client in (camera, keeper):
        answer = client.post("/api/camera/photograph", data=b"abc", content_type="image/jpeg")
        assert (answer.get_json()["findings"], answer.get_json()["is_tapped"]) == ([], False)
    for client in (player, watcher):
        refused(client.post("/api/camera/photograph", data=b"abc", content_type="image/jpeg"), 403)
    assert [(phone.name, jpeg) for phone, jpeg in phone_stub.photographs] == [
        ("Old phone", b"abc"),
        ("Kitchen", b"abc"),
    ]
    large = bytes(LARGEST_PICTURE + 1)
    assert "KB" in refused(camera.post("/api/camera/photograph", data=large, content_type="image/jpeg"), 413)


def test_a_camera_watches_and_decides_nothing(camera: Any) -> None:
    assert camera.get("/api/snapshot").status_code == 200
    assert "This phone is the camera" in refused(camera.post("/api/undo", json={}), 403)
    refused(camera.get("/api/box"), 403)
    assert camera.get("/api/door").get_json()["code"] is None


def test_a_camera_leaves_and_joins_in_as_a_player(camera: Any, pairing: PairingService) -> None:
    assert camera.post("/api/door/leave", json={}).status_code == 200
    assert join(camera, pairing).get_json()["role"] == "player"


def test_a_camera_that_joins_in_first_leaves_the_first_tablet_its_key(app: Flask, pairing: PairingService) -> None:
    phone, first = from_elsewhere(app), from_elsewhere(app)
    phone.post("/api/door/ask", json={})
    asked = {"code": list(pairing.code() or ()), "camera": True}
    assert phone.post("/api/door/pair", json=asked).get_json()["role"] == "camera"
    assert join(first, pairing).get_json()["role"] == "keeper"


def test_a_second_phone_is_told_who_is_the_camera(camera: Any, keeper: Any, phone_stub: StubPhoneCamera) -> None:
    keeper.post("/api/camera/begin", json={})
    assert "Kitchen is the camera already" in refused(camera.post("/api/camera/begin", json={}), 409)
    assert camera.get("/api/camera").get_json()["name"] == "Kitchen"


@pytest.mark.parametrize("mimetype", ["application/json", "text/plain", "application/x-www-form-urlencoded", ""])
def test_a_picture_comes_as_a_jpeg_which_no_form_of_another_site_can_send(
    mimetype: str, camera: Any, phone_stub: StubPhoneCamera
) -> None:
    assert "image/jpeg" in refused(send(camera, mimetype=mimetype), 415)
    assert phone_stub.taken == []


def test_a_picture_needs_the_mark_of_the_boxs_own_pages(camera: Any, phone_stub: StubPhoneCamera) -> None:
    del camera.environ_base["HTTP_X_VANDER"]
    assert "X-Vander" in refused(send(camera), 403)
    assert phone_stub.taken == []


def test_jpeg_is_taken_nowhere_else(camera: Any, keeper: Any) -> None:
    for address in ("/api/camera/begin", "/api/undo", "/api/door/ask"):
        assert "application/json" in refused(send(keeper, place=address), 415)


def test_a_picture_of_too_many_bytes_is_refused_with_how_many_it_may_have(
    camera: Any, phone_stub: StubPhoneCamera
) -> None:
    assert "may have 400 KB, and this one has 410 KB" in refused(send(camera, bytes(410 * 1024)), 413)
    assert phone_stub.taken == []
    assert send(camera, bytes(LARGEST_PICTURE)).status_code == 200


NOWHERE = (
    "",
    "stream=1&number=-1&taken_ms=0&small_bytes=3",
    "stream=1&number=1&taken_ms=0.5&small_bytes=3",
    "stream=1&number=1&taken_ms=5&small_bytes=3&pace=fast",
    f"stream=1&number={10**12}&taken_ms=5&small_bytes=3",
)


@pytest.mark.parametrize("query", NOWHERE)
def test_a_picture_of_no_place_is_refused(query: str, camera: Any, phone_stub: StubPhoneCamera) -> None:
    refused(send(camera, place=f"/api/camera/picture?{query}"), 400)
    assert phone_stub.taken == []


def test_the_cameras_page_alone_may_ask_for_a_camera(camera: Any) -> None:
    assert "camera=(self)" in camera.get("/camera").headers["Permissions-Policy"]
    for address in ("/", "/pair", "/api/camera"):
        assert "camera=()" in camera.get(address).headers["Permissions-Policy"], address


def test_the_code_leads_to_the_secure_address_and_lets_a_phone_in(keeper: Any, watcher: Any) -> None:
    told = watcher.get("/api/camera").get_json()
    assert told["urls"] == ["https://192.168.1.9:8443/camera", "http://192.168.1.9:8080/camera"]
    assert told["is_secure"]
    keeper.post("/api/door/ask", json={})
    assert keeper.get("/camera.svg").data != watcher.get("/camera.svg").data


def test_a_table_with_another_camera_says_how_to_use_a_phone() -> None:
    client = tablet(create_app(Backends(StubGame())))
    for answer in (client.get("/api/camera"), client.post("/api/camera/begin", json={}), send(client)):
        assert "can choose a phone" in refused(answer, 404)
    assert client.get("/camera").status_code == 404


def test_while_another_camera_is_on_no_phone_gives_pictures(keeper: Any, phone_stub: StubPhoneCamera) -> None:
    phone_stub.is_wanted = False
    for answer in (keeper.post("/api/camera/begin", json={}), send(keeper)):
        assert "can choose a phone" in refused(answer, 404)
    assert phone_stub.taken == []
    phone_stub.is_wanted = True
    assert keeper.post("/api/camera/begin", json={}).status_code == 200
