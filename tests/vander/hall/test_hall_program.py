"""`make hall` as a person types it: PostgreSQL, Mosquitto and the hall come up, take a table's game, and go again."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import rmtree

import psutil
import psycopg
import pytest
import urllib3
from random_matches import random_match

from referee.games import named
from vander.access.pairing import BOX_KEY
from vander.extras.hall_link.membership import OutboxSender, join_hall
from vander.hall.hall_server import LocalMosquitto, free_port
from vander.storage.journal_store import Journal
from web.schemas.access_schemas import COOKIE

HOUSE = Path(__file__).parents[3]
PATIENCE_S = 150.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can reach, unlike pytest's."""
    made = Path(tempfile.mkdtemp(prefix="vander-hall-"))
    made.chmod(0o755)
    yield made
    rmtree(made, ignore_errors=True)


def test_make_hall_brings_all_up_takes_a_game_and_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    port = free_port()
    words = ["make", "hall", f"HALL_DATA={folder}/data", f"HALL_PORT={port}"]
    started = subprocess.Popen(  # noqa: S603 - make, with words of this test's own
        words, cwd=HOUSE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(address, started)
        assert play_and_send(address, folder / "data", tmp_path) == in_database(folder)
        ours = [process for process in psutil.process_iter(["cmdline"]) if str(folder) in str(process.info["cmdline"])]
        assert {process.name() for process in ours} >= {"postgres", "mosquitto"}
        started.send_signal(signal.SIGTERM)
        started.communicate(timeout=PATIENCE_S)
    finally:
        end(started)
    assert psutil.wait_procs(ours, timeout=PATIENCE_S)[1] == []


def wait_for(address: str, started: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if started.poll() is not None:
            pytest.fail(f"make hall ended: {started.communicate()[0][-2000:]}")
        try:
            assert urllib3.request("GET", address, retries=False).status == 200
        except urllib3.exceptions.HTTPError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("the hall does not answer")


def play_and_send(address: str, data: Path, tmp_path: Path) -> int:
    """Play a game at a table that joins by the code; return how many entries it has."""
    keeper = {"Cookie": f"{COOKIE}={(data / BOX_KEY).read_text().strip()}", "X-Vander": "test"}
    shown = urllib3.request("POST", f"{address}/api/hall/tables/code", headers=keeper, json={}).json()
    with closing(Journal.in_folder(tmp_path)) as journal:
        membership = join_hall(tmp_path, journal, address, shown["code"], "Table 1")
        match = random_match(named("toss-up"), 20, 1)
        game = journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
        journal.write(game, *match.entries)
        sender = OutboxSender(journal, membership, lambda _s: None)
        while sender.send_once():
            pass
        sender.close()
    return len(match.entries)


def in_database(folder: Path) -> int:
    (process,) = [
        each
        for each in psutil.process_iter(["name", "cmdline"])
        if each.info["name"] == "postgres" and str(folder) in str(each.info["cmdline"])
    ]
    port = next(line.laddr.port for line in process.net_connections() if line.status == "LISTEN")
    with psycopg.connect(f"postgresql://vander@127.0.0.1:{port}/vander_hall") as connection:
        row = connection.execute("SELECT count(*) FROM entries").fetchone()
    return row[0] if row else 0


def end(started: subprocess.Popen[str]) -> None:
    """End what is left of the program where the test failed."""
    if started.poll() is None:
        for process in psutil.Process(started.pid).children(recursive=True):
            process.kill()
        started.kill()
        started.communicate(timeout=PATIENCE_S)


def test_a_mosquitto_that_was_left_running_is_ended(folder: Path) -> None:
    first, second = LocalMosquitto(folder), LocalMosquitto(folder)
    first.start()
    left = next(each for each in psutil.Process(os.getpid()).children() if each.name() == "mosquitto")
    second.start()
    assert not left.is_running() or left.status() == psutil.STATUS_ZOMBIE
    second.stop()
    first.stop()
