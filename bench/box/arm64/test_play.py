"""The assistant on an emulated Raspberry Pi: a turn through the virtual tray, over the tablet's own addresses."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from emulated import LEAVE_S, Board, Turn, playing

PROCESSORS = ("cortex-a72", "cortex-a76")
"""That of a Raspberry Pi 4, and that of a 5."""
SUITES = os.environ.get("VANDER_BOX_SUITES", "bookworm").split()
PORT = 8350
PLAYERS = ["Ann", "Bob"]


@dataclass(frozen=True)
class Played:
    """What was seen of a turn: the board, what the page said and showed, how the program left, what it printed."""

    board: Board
    turn: Turn
    page: str
    view: bytes
    after: Any
    status: int
    told: str


@pytest.fixture(scope="module", params=product(PROCESSORS, SUITES), ids="-".join)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A turn of Ann's, and a SIGTERM after it."""
    cpu, suite = request.param
    folder = tmp_path_factory.mktemp(cpu)
    board = Board(cpu, suite, folder / "data")
    board.data.mkdir()
    with playing(board, PORT, folder / "told.txt", "--game", "toss-up") as (tablet, program):
        tablet.post("/api/game", {"game": "toss-up", "players": PLAYERS, "options": {}})
        turn = tablet.until(seat=2)
        page, view, after = tablet.get("/").decode("utf-8"), tablet.get("/view.jpg"), tablet.now()
        status = _left(program)
    return Played(board, turn, page, view, after, status, (folder / "told.txt").read_text("utf-8"))


def _left(program: subprocess.Popen[str]) -> int:
    program.send_signal(signal.SIGTERM)
    return program.wait(LEAVE_S)


def test_a_turn_is_ruled_on(played: Played) -> None:
    assert any(sentence.startswith("Ann") for sentence in played.turn.ruled), played.turn
    assert played.after["state"]["to_act"] == [2]


def test_the_page_and_the_picture_answer(played: Played) -> None:
    assert "<title>" in played.page
    assert played.view.startswith(b"\xff\xd8")


def test_the_camera_is_never_in_trouble_for_being_slow(played: Played) -> None:
    assert played.turn.troubles == ()


def test_it_leaves_at_once_when_asked_to(played: Played) -> None:
    assert played.status == 0
    # What else is printed is onnxruntime's complaint that an emulated processor is unknown to it.
    assert "Traceback" not in played.told


def test_the_turn_is_in_the_journal_and_keeps_the_rules(played: Played) -> None:
    played.board.run("export", "/mnt/game.txt")
    record = (played.board.data / "game.txt").read_text("utf-8")
    assert "\n1 roll tossup:" in record
    played.board.run("check", "/mnt/game.txt")
