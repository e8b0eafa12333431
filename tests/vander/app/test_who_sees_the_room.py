"""What watchers, players and keepers are shown of the room around the tray: at every address, and in files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laid_dice import Dice, StillPicture

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import games
from vander.access.pairing import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vision.frame_reader import CameraPicture
from vision.frames import Frame, Pixels
from vision.image_io import decode_picture, encode_jpeg
from vision.tray_calibration import TrayLayout

ROOM = (255, 0, 255)
"""The colour of everything but the table."""
OPENING = ("go", "happy", "happy", "star", "two", "three")
ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
MARK = {"X-Vander": "tablet"}


class RoomPicture(StillPicture):
    """A sight of the virtual tray in a room of one colour; `in_sight` False: of the room alone."""

    def __init__(self, in_sight: bool = True) -> None:
        with closing(VirtualCamera(VirtualTray("intersection"), paced=False, seed=1)) as camera:
            camera.open()
            tray = camera.frame().pixels
        height, width = tray.shape[:2]
        room = np.full((2 * height, 2 * width, 3), ROOM, np.uint8)
        if in_sight:
            room[height // 2 : height // 2 + height, width // 2 : width // 2 + width] = tray
        self.picture = CameraPicture(Frame(room, 1, 0.0), TrayLayout())

    def current_picture(self) -> CameraPicture:
        return self.picture

    def settled_picture(self) -> CameraPicture:
        return self.picture


@pytest.fixture
def evidence(tmp_path: Path) -> EvidenceStore:
    return EvidenceStore(tmp_path / "evidence")


@pytest.fixture
def session(tmp_path: Path, evidence: EvidenceStore) -> Iterator[Session]:
    with closing(Journal.in_folder(tmp_path)) as journal:
        yield open_session(journal, evidence, games=games(), dice=die_sets.load("intersection"))


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[PairingService]:
    with closing(PairingService(tmp_path)) as pairing:
        yield pairing


@pytest.fixture
def clients(session: Session, pairing: PairingService) -> dict[str, Any]:
    """A browser of each role."""
    app = create_app(Backends(session, access=pairing))
    found = {}
    for role in ("keeper", "player", "watcher"):
        found[role] = app.test_client()
        found[role].environ_base.update(ELSEWHERE)
        if role != "watcher":
            pairing.show_code(keeper=True)
            answer = found[role].post("/api/door/pair", json={"code": list(pairing.code() or ())}, headers=MARK)
            assert answer.get_json()["role"] == role
    return found


def breach_in(session: Session, sight: StillPicture) -> str:
    """Play to a breach, and return the name of its evidence."""
    dice = Dice()
    session.observe(dice.look(), sight)
    session.start("intersection", ["Ann"], {})
    session.observe(dice.roll(*OPENING), sight)
    session.observe(dice.throw(d1="star"), sight)
    assert session.snapshot().mood == "breach"
    return session.snapshot().evidence


def shows_room(jpeg: bytes) -> bool:
    off: Pixels = np.abs(decode_picture(jpeg).astype(int) - ROOM).max(axis=2)
    return bool((off < 60).mean() > 0.3)


def test_of_a_table_in_play_only_the_keeper_is_shown_the_room(
    session: Session, evidence: EvidenceStore, clients: dict[str, Any]
) -> None:
    name = breach_in(session, RoomPicture())
    assert not shows_room(evidence.read(name))
    for role, client in clients.items():
        for address in ("/view.jpg", f"/pictures/{name}.jpg"):
            answer = client.get(address)
            assert answer.status_code == 200, (role, address)
            assert not shows_room(answer.data), (role, address)
        whole = client.get("/camera.jpg")
        assert (whole.status_code == 200 and shows_room(whole.data)) is (role == "keeper")
        assert client.get("/tray.jpg").status_code == 404  # there is no virtual tray
        assert client.get("/pictures/view.jpg").status_code == 404


def test_where_no_tray_is_in_sight_nothing_is_shown_and_nothing_is_kept(
    session: Session, evidence: EvidenceStore, tmp_path: Path, clients: dict[str, Any]
) -> None:
    assert breach_in(session, RoomPicture(in_sight=False)) == ""
    assert list(tmp_path.glob("evidence/*")) == []
    for client in clients.values():
        answer = client.get("/view.jpg")
        assert answer.status_code == 404
        assert "The camera does not see the tray now" in answer.text
    assert shows_room(clients["keeper"].get("/camera.jpg").data)


def test_what_an_older_vander_kept_with_the_room_in_it_is_the_keepers(
    session: Session, evidence: EvidenceStore, clients: dict[str, Any]
) -> None:
    name = breach_in(session, RoomPicture())
    evidence.keep(name, encode_jpeg(RoomPicture().picture.frame.pixels))
    kept = clients["keeper"].get(f"/pictures/{name}.jpg")
    assert shows_room(kept.data)
    for role in ("player", "watcher"):
        for headers in ({}, {"If-None-Match": kept.headers["ETag"]}):
            answer = clients[role].get(f"/pictures/{name}.jpg", headers=headers)
            assert answer.status_code == 403
            assert "only a keeper may see it" in answer.text
