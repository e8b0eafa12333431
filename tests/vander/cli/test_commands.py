from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typed_commands import vander

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import named
from vander.storage.journal_store import Journal
from vander.table.match import Match

VANDER = Path(sys.executable).with_name("vander")
HEADERS = {"Content-Type": "application/json", "X-Vander": "test"}


def vander_process(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the installed program."""
    env = {**os.environ, "VANDER_DATA_DIR": str(folder)} if folder else dict(os.environ)
    return subprocess.run(  # noqa: S603  # our own program
        [VANDER, *words], capture_output=True, text=True, env=env, check=False, timeout=120
    )


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence on standard error of a command that failed for bad input."""
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--camera", "fish:0"), "fish:0"),
        (("--camera", "virtual:nonsense"), "nonsense"),
        (("--game", "chess"), "chess"),
        (("--port", "99999"), "99999"),
    ],
)
def test_a_start_that_cannot_be_is_one_sentence(words: tuple[str, ...], named: str, tmp_path: Path) -> None:
    assert named in sentence(vander("play", *words, folder=tmp_path))


@pytest.mark.slow
def test_a_setting_from_the_environment_that_cannot_be_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VANDER_PORT", "many")
    assert "port cannot be 'many'" in sentence(vander("play", folder=tmp_path))


@pytest.mark.slow
def test_a_damaged_journal_is_one_sentence_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"no journal at all " * 300)
    assert str(path) in sentence(vander("play", folder=tmp_path))
    assert path.read_bytes() == b"no journal at all " * 300


@pytest.mark.slow
def test_a_printed_sheet_that_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets/ours.toml").write_text("title = = 1\n")
    assert "ours" in sentence(vander("play", folder=tmp_path))


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port} is taken" in sentence(vander("play", "--port", port, folder=tmp_path))


@pytest.mark.slow
def test_an_unknown_die_set_is_one_sentence() -> None:
    assert "nonsense" in sentence(vander("read", "photo.jpg", "--set", "nonsense"))


@pytest.mark.slow
def test_a_folder_without_labels_is_one_sentence(tmp_path: Path) -> None:
    assert "labels.jsonl" in sentence(vander("bench", "photos", str(tmp_path)))


def test_a_mat_is_made_and_wants_no_setting(tmp_path: Path) -> None:
    done = vander("mat", str(tmp_path / "mat.pdf"), "--paper", "a4")
    assert done.returncode == 0
    assert "240 x 165 mm" in done.stdout
    assert "VANDER_" not in done.stdout
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")
    assert "a9" in sentence(vander("mat", str(tmp_path / "mat.pdf"), "--paper", "a9"))


@pytest.mark.slow
def test_calibrate_says_what_it_sees(tmp_path: Path) -> None:
    seen = vander("calibrate", folder=tmp_path)
    assert seen.returncode == 0
    assert "All four markers are seen" in seen.stdout
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((480, 640, 3), 90, np.uint8))
    unseen = vander("calibrate", "--camera", f"replay:{tmp_path / 'grey.png'}", folder=tmp_path)
    assert unseen.returncode == 1
    assert "The tray's markers are not in sight" in unseen.stdout


GOLDEN = Path(__file__).parents[2] / "referee/golden"


@pytest.mark.slow
def test_a_record_is_checked_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    game = GOLDEN / "intersection-two-players.txt"
    done = vander("check", str(game), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[-1])["standing"]["winner"] == [1]
    cut = "game: intersection\nplayers: Ann\n1 end\n"
    words = [VANDER, "check", "-"]
    broken = subprocess.run(words, input=cut, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    assert broken.returncode == 1
    assert broken.stdout.startswith("standard input, line 3, entry 1, 1 end: Start your turn with ")
    assert "line 2" in sentence(vander("check", record(tmp_path, "game: intersection\nplayers:")))


@pytest.mark.slow
def test_a_game_goes_from_one_journal_to_another(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    done = vander("import", str(GOLDEN / "intersection-solo.txt"), folder=first)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("intersection-solo.txt is game 1 of the journal.\n")
    assert vander("export", str(tmp_path / "record.txt"), folder=first).returncode == 0
    assert "is there already" in sentence(vander("export", str(tmp_path / "record.txt"), folder=first))
    assert vander("import", str(tmp_path / "record.txt"), folder=second).returncode == 0
    again = vander_process("export", "--game-number", "1", "--data-dir", str(second))
    assert again.stdout == (tmp_path / "record.txt").read_text("utf-8")
    assert "no game 9" in sentence(vander("export", "--game-number", "9", folder=second))


@pytest.mark.slow
def test_a_record_against_the_rules_is_not_imported(tmp_path: Path) -> None:
    path = record(tmp_path, "game: intersection\nplayers: Ann\n1 end\n1 end\n")
    done = vander("import", path, folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("vander: line 3, entry 1, 1 end: ")
    assert done.stderr.count("\n") == 1
    assert "line 1: this is no text" in sentence(vander("import", record(tmp_path, "\0"), folder=tmp_path))


def record(folder: Path, text: str) -> str:
    path = folder / "record.txt"
    path.write_text(text)
    return str(path)


# With the models


@pytest.mark.slow
def test_a_bad_photograph_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "good.png"), np.full((480, 640, 3), 90, np.uint8))
    (tmp_path / "text.jpg").write_text("this is no picture")
    done = vander("read", str(tmp_path / "text.jpg"), str(tmp_path / "good.png"), "--json")
    assert "text.jpg" in sentence(done)
    (line,) = done.stdout.splitlines()
    read = json.loads(line)
    assert (read["photo"], read["size"], read["calibrated"]) == (str(tmp_path / "good.png"), [640, 480], False)
    assert list(read) == ["photo", "size", "calibrated", "doubts", "dice"]


@pytest.mark.slow
def test_a_mirrored_photograph_is_told_of_next_to_its_dice(tmp_path: Path) -> None:
    with closing(VirtualCamera(VirtualTray("intersection", seed=1), paced=False, seed=1)) as camera:
        camera.open()
        cv2.imwrite(str(tmp_path / "mirrored.png"), np.ascontiguousarray(camera.frame().pixels[:, ::-1]))
    done = vander("read", str(tmp_path / "mirrored.png"))
    assert done.stdout.startswith(f"{tmp_path}/mirrored.png: ")
    assert f"vander: {tmp_path}/mirrored.png: The picture is mirrored: turn the mirror off." in done.stderr


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def playing(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """A running `vander play`, ready to be asked."""
    env = {**os.environ, "VANDER_DATA_DIR": str(folder)}
    words = [VANDER, "play", "--port", str(port)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=env, stdout=pipe, stderr=pipe, text=True) as program:  # noqa: S603
        try:
            assert program.stdout is not None
            assert "ready" in program.stdout.readline()
            yield program
        finally:
            program.kill()


def ask(port: int, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, HEADERS)
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        found: dict[str, Any] = json.load(answer)
    return found


@contextmanager
def listening(port: int) -> Iterator[None]:
    """An open tablet, which has its first event."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/live", timeout=120) as stream:
        assert any(line.startswith(b"data: ") for line in stream)
        yield


@pytest.mark.slow
def test_a_killed_program_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    port = free_port()
    with playing(tmp_path, port) as program:
        ask(port, "/api/game", {"game": "intersection", "players": ["Ann"], "options": {}})
        rolled = "signal:go traffic:four traffic:four traffic:four traffic:two traffic:two"
        ask(port, "/api/act", {"action": f"1 roll {rolled}"})
        before = ask(port, "/api/snapshot")
        program.kill()
    with playing(tmp_path, port):
        after = ask(port, "/api/snapshot")
    assert after["state"] == before["state"]
    assert after["last"] == before["last"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_program_that_is_asked_to_stop_stops_cleanly(how: signal.Signals, tmp_path: Path) -> None:
    port = free_port()
    with playing(tmp_path, port) as program, listening(port):
        program.send_signal(how)
        assert program.wait(timeout=120) == 0
        assert program.stderr is not None
        told = program.stderr.read()
    assert "Traceback" not in told
    assert "still running" not in told  # waitress says so of a thread that it waited 5 s for


@pytest.mark.slow
def test_a_request_that_was_sent_on_is_no_keepers_and_a_huge_one_is_not_taken_in(tmp_path: Path) -> None:
    port = free_port()
    with playing(tmp_path, port):
        assert ask(port, "/api/door")["role"] == "keeper"
        check_staging(port, tmp_path)
        for header in ("X-Forwarded-For: 192.168.1.7", "Forwarded: for=192.168.1.7", "Via: 1.1 proxy"):
            assert b'"role":"watcher"' in answered(port, f"GET /api/door HTTP/1.0\r\nHost: localhost\r\n{header}")
        huge = "POST /api/door/ask HTTP/1.0\r\nHost: localhost\r\nContent-Length: 900000000"
        assert b" 413 " in answered(port, huge).partition(b"\r\n")[0]


def check_staging(port: int, folder: Path) -> None:
    """`vander stage` plays a situation, lists all, and refuses what there is not, in one sentence."""
    listed = vander("stage", "--port", str(port), folder=folder)
    assert any(line.split()[:2] == ["turn-under-hand", "cheat"] for line in listed.stdout.splitlines())
    assert vander("stage", "knocked-off", "--dice", "2", "--port", str(port), folder=folder).returncode == 0
    assert [die["number"] for die in ask(port, "/api/tray/dice")["dice"] if die["place"] == "off"] == [2]
    for words, sentence in ((("vanish",), "no situation 'vanish'"), (("turn", "--dice", "two"), "no list of numbers")):
        refused = vander("stage", *words, "--port", str(port), folder=folder)
        assert refused.returncode == 2
        assert sentence in refused.stderr


def answered(port: int, head: str) -> bytes:
    """All that the server answers to a request of which only the head is sent."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=120)) as line:
        line.sendall(f"{head}\r\n\r\n".encode())
        with line.makefile("rb") as answer:
            return answer.read()


KILLED_IN_MID_GAME = """
import sys, time
from pathlib import Path
from vander.table.session import open_session
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import games

folder = Path(sys.argv[1])
journal, evidence = Journal.in_folder(folder), EvidenceStore(folder / "evidence")
table = open_session(journal, evidence, games=games(), dice=die_sets.load("intersection"))
table.start("intersection", ["Ann", "Bob"], {})
for lot in ("1 lot traffic:happy", "2 lot traffic:star"):
    table.act(lot + " traffic:star traffic:star traffic:two traffic:two")
table.act("1 roll signal:go traffic:four traffic:four traffic:four traffic:two traffic:two")
table.act("1 park traffic:four traffic:four traffic:four")
print(table.snapshot().state, flush=True)
time.sleep(600)
"""


def test_what_was_shown_survives_kill_9(tmp_path: Path) -> None:
    words = [sys.executable, "-c", KILLED_IN_MID_GAME, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:  # noqa: S603
        assert program.stdout is not None
        shown = program.stdout.readline().strip()
        program.kill()
    assert program.returncode == -signal.SIGKILL
    with closing(Journal.in_folder(tmp_path)) as journal:
        kept = journal.latest()
        assert kept is not None
        match = Match.of(kept, named(kept.game), die_sets.load(kept.die_set), journal.entries(kept.number))
    assert str(match.state) == shown
    assert "four" in shown
