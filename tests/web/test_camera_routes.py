"""The choice of the camera by the API: who may choose, what is refused, and what never gets to a page."""

from __future__ import annotations

from typing import Any

import pytest
from browsers import tablet
from flask import Flask
from stub_game import StubGame, StubSimulator
from test_game_routes import refused

from referee.sentences import Reason, Refused
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import Role
from web.schemas.camera_schemas import CameraKind, CamerasResponse, ListedCamera

ROLES = {
    "GET /cameras": Role.KEEPER,
    "GET /cameras/{key}.jpg": Role.KEEPER,
    "GET /api/cameras": Role.KEEPER,
    "POST /api/cameras": Role.KEEPER,
    "POST /api/cameras/address": Role.KEEPER,
    "POST /api/cameras/adjust": Role.KEEPER,
}
JPEG = b"\xff\xd8\xff\xd9"
TITLES = {
    CameraKind.PI: "Pi camera (imx708_wide)",
    CameraKind.WEBCAM: "HD Pro Webcam C920",
    CameraKind.NETWORK: "http://192.168.1.20:8080",
    CameraKind.PHONE: "A phone, or another device",
    CameraKind.BROWSER: "This device's own camera",
    CameraKind.FILM: "evening.mp4",
    CameraKind.VIRTUAL: "The virtual tray",
}


class StubCameras:
    """A camera of each kind, and what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.refusal: Refused | None = None
        self.on, self.waits, self.told = CameraKind.VIRTUAL, "", ""
        self.troubles: dict[CameraKind, str] = {}
        self.adjustment = (False, 0)
        self.jpeg: bytes | None = JPEG

    def cameras(self) -> CamerasResponse:
        phones = (CameraKind.PHONE, CameraKind.BROWSER)
        listed = tuple(
            ListedCamera(
                f"key-{kind}",
                kind,
                title,
                kind is self.on,
                kind == self.waits,
                kind is self.on or kind not in phones,
                self.troubles.get(kind, ""),
            )
            for kind, title in TITLES.items()
        )
        return CamerasResponse(listed, self.told, *self.adjustment, "/home/ann/.local/share/vander/recordings")

    def choose(self, key: str) -> CamerasResponse:
        self._ask("choose", key)
        kind = CameraKind(key.removeprefix("key-"))
        if kind in (CameraKind.PHONE, CameraKind.BROWSER):
            self.waits = kind
        else:
            self.on, self.waits = kind, ""
        return self.cameras()

    def choose_address(self, address: str) -> CamerasResponse:
        self._ask("address", address)
        self.on = CameraKind.NETWORK
        return self.cameras()

    def adjust(self, mirrored: bool | None, turned: int | None) -> CamerasResponse:
        self._ask("adjust", mirrored, turned)
        before = self.adjustment
        self.adjustment = (before[0] if mirrored is None else mirrored, before[1] if turned is None else turned)
        return self.cameras()

    def picture(self, key: str) -> bytes | None:
        if self.refusal:
            raise self.refusal
        return self.jpeg

    def _ask(self, *asked: object) -> None:
        self.asked.append(asked)
        if self.refusal:
            raise self.refusal


@pytest.fixture
def cameras_stub() -> StubCameras:
    return StubCameras()


@pytest.fixture
def app(cameras_stub: StubCameras, pairing: PairingService) -> Flask:
    return create_app(Backends(StubGame(), StubSimulator(), access=pairing, cameras=cameras_stub))


def test_a_keeper_chooses_a_camera(keeper: Any, cameras_stub: StubCameras) -> None:
    listed = keeper.get("/api/cameras").get_json()["cameras"]
    assert [each["kind"] for each in listed if each["is_on"]] == ["virtual"]
    answer = keeper.post("/api/cameras", json={"key": "key-usb"}).get_json()
    assert [each["kind"] for each in answer["cameras"] if each["is_on"]] == ["usb"]
    keeper.post("/api/cameras/address", json={"address": " http://192.168.1.20:8080/video "})
    answer = keeper.post("/api/cameras/adjust", json={"mirrored": True}).get_json()
    assert (answer["mirrored"], answer["turned"]) == (True, 0)
    keeper.post("/api/cameras/adjust", json={"turned": 180})
    assert cameras_stub.asked == [
        ("choose", "key-usb"),
        ("address", "http://192.168.1.20:8080/video"),
        ("adjust", True, None),
        ("adjust", None, 180),
    ]


def test_nobody_else_chooses_one_or_sees_what_they_show(player: Any, watcher: Any, cameras_stub: StubCameras) -> None:
    for client in (player, watcher):
        for address, body in (
            ("/api/cameras", {"key": "key-usb"}),
            ("/api/cameras/address", {"address": "http://10.0.0.7"}),
            ("/api/cameras/adjust", {"mirrored": True}),
        ):
            assert "keeper alone" in refused(client.post(address, json=body), 403)
        for address in ("/cameras", "/api/cameras", "/cameras/key-usb.jpg"):
            assert client.get(address).status_code == 403
    assert cameras_stub.asked == []


@pytest.mark.parametrize(
    ("reason", "status"), [(Reason.CONFLICT, 409), (Reason.NOT_FOUND, 404), (Reason.UNAVAILABLE, 503)]
)
def test_what_is_refused_is_one_sentence(keeper: Any, cameras_stub: StubCameras, reason: Reason, status: int) -> None:
    cameras_stub.refusal = Refused("Nobody answers at http://10.0.0.7.", reason)
    for address, body in (
        ("/api/cameras", {"key": "key-usb"}),
        ("/api/cameras/address", {"address": "http://10.0.0.7"}),
        ("/api/cameras/adjust", {"turned": 90}),
    ):
        assert refused(keeper.post(address, json=body), status) == "Nobody answers at http://10.0.0.7."


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/cameras", {}),
        ("/api/cameras", {"key": 3}),
        ("/api/cameras", {"key": "x" * 33}),
        ("/api/cameras/address", {"address": ""}),
        ("/api/cameras/address", {"address": "http://10.0.0.7/\n"}),
        ("/api/cameras/address", {"address": "http://" + "a" * 300}),
        ("/api/cameras/adjust", {"turned": 45}),
        ("/api/cameras/adjust", {"turned": "90"}),
        ("/api/cameras/adjust", {"mirrored": 1}),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(
    keeper: Any, cameras_stub: StubCameras, address: str, body: dict[str, Any]
) -> None:
    answer = keeper.post(address, json=body)
    if body != {"address": "http://10.0.0.7/\n"}:  # what stands around an address is left out
        refused(answer, 400)
        assert cameras_stub.asked == []


def test_a_picture_is_a_jpeg_that_nobody_keeps(keeper: Any, cameras_stub: StubCameras) -> None:
    answer = keeper.get("/cameras/key-usb.jpg")
    assert (answer.data, answer.mimetype) == (JPEG, "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"
    cameras_stub.jpeg = None
    assert keeper.get("/cameras/key-usb.jpg").status_code == 204


def test_a_table_without_a_choice_says_so(pairing: PairingService) -> None:
    client = tablet(create_app(Backends(StubGame(), access=pairing)))
    assert "no camera can be chosen" in refused(client.get("/api/cameras"), 404)
    assert client.get("/cameras").status_code == 404
