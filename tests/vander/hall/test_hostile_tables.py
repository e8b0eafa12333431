"""What liars, floods and broken senders send to a hall: one sentence each, nothing half-written, nobody else harmed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from shutil import rmtree
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
import urllib3
from flask.testing import FlaskClient
from hostile_numbers import faults
from playing_table import AppClient, PlayingTable
from random_matches import random_match
from served_pages import running
from sqlalchemy import event, func, select
from sqlalchemy.engine import Engine, make_url

from referee.games import named
from referee.sentences import Refused
from tests.waiting import wait_until
from vander.access.pairing import BOX_KEY
from vander.box.web_server import ConnectionLimits, PageServer
from vander.extras.hall_link.membership import (
    HallClient,
    HallRefusal,
    HallUnreachable,
    OutboxSender,
    encode_request,
    join_hall,
)
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import ENTRIES, GAMES, QUARANTINED_LINES, open_hall_engine
from vander.hall.hall_server import create_hall_app, free_port
from vander.hall.hall_service import NO_DATABASE, HallService
from vander.hall.table_registry import MOST_STRANGERS, KnownKeys
from vander.storage import outbox_tables
from vander.storage.journal_store import Journal
from web.schemas.access_schemas import COOKIE

OpenTable = Callable[[str], PlayingTable]
HEADERS = {"X-Vander": "table", "Content-Type": "application/json"}
EMPTY = {"wire": 1, "version": "0.1.0", "now": "2026-03-04T19:30:00+00:00", "head": 0, "previous": "", "lines": []}
PATIENCE_S = 120.0


@pytest.fixture
def client(hall: HallService) -> FlaskClient:
    return create_hall_app(HallBackends(hall=hall)).test_client()


def counted(engine: Engine) -> dict[str, int]:
    """How many rows the hall has of entries, games and quarantined lines."""
    with engine.connect() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (ENTRIES, GAMES, QUARANTINED_LINES)
        }


def lines_of(*bodies: tuple[str, str]) -> dict[str, object]:
    """A first request with these kinds and bodies, whose hashes are right."""
    lines, last = [], ""
    for sequence, (kind, body) in enumerate(bodies, start=1):
        last = outbox_tables.line_hash(last, sequence, kind, body)
        lines.append({"sequence": sequence, "kind": kind, "body": body, "hash": last})
    return EMPTY | {"head": len(lines), "lines": lines}


def begun(**other: object) -> tuple[str, str]:
    """The line of a game that was begun."""
    body = {"number": 1, "game": "toss-up", "players": ["Ann", "Bob"], "options": {}, "die_set": "toss-up"}
    return "game", json.dumps(body | {"started_at": "2026-03-04T19:30:00+00:00", "clock_doubted": False} | other)


def test_strangers_are_refused_without_the_database_and_starve_no_table(
    playing_table: PlayingTable, client: FlaskClient, engine: Engine
) -> None:
    playing_table.play(10)
    client.post("/api/hall/entries", json=EMPTY, headers=HEADERS | {"Authorization": "Bearer first"})
    asked: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *found: asked.append(found[2]))
    answers = [
        client.post("/api/hall/entries", json=EMPTY, headers=HEADERS | {"Authorization": f"Bearer guess-{number}"})
        for number in range(MOST_STRANGERS + 5)
    ]
    assert asked == []
    assert [answers[0].status_code, answers[-1].status_code] == [403, 429]
    assert answers[-1].get_json()["error"] == "Requests come too often. They are taken again in a moment."
    playing_table.send_all()  # from the same address
    assert counted(engine)["entries"] == 10


def test_strangers_wait_for_a_database_that_is_away_no_more_often_than_they_may_ask() -> None:
    asked: list[str] = []

    def away() -> dict[str, int]:
        asked.append("keys")
        raise psycopg.OperationalError("away")

    keys, told = KnownKeys(away, lambda: 0.0), list[type[Exception]]()
    for number in range(MOST_STRANGERS + 5):
        with pytest.raises((psycopg.OperationalError, Refused)) as found:
            keys.number_of(f"guess {number}", "192.0.2.1")
        told.append(found.type)
    assert (len(asked), told[-1]) == (MOST_STRANGERS, Refused)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe{}", 400),
        (b"[" * 10_000 + b"]" * 10_000, 400),
        (b'{"lines": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", 400),
        (b" " * 70_000, 413),
        (json.dumps(EMPTY | {"head": 2**31}).encode(), 400),
        (json.dumps(EMPTY | {"head": -1}).encode(), 400),
        (json.dumps(EMPTY | {"head": 1e400}).encode(), 400),
        (json.dumps(EMPTY | {"node": "a\0b"}).encode(), 400),
        (json.dumps(EMPTY | {"version": "<b>\x1b"}).encode(), 400),
        (json.dumps(EMPTY | {"sheets": {"bomb": "x" * 20_001}}).encode(), 400),
    ],
)
def test_what_is_no_request_gets_one_sentence_and_changes_nothing(
    playing_table: PlayingTable, client: FlaskClient, engine: Engine, body: bytes, status: int
) -> None:
    key = {"Authorization": f"Bearer {playing_table.membership.key}"}
    answer = client.post("/api/hall/entries", data=body, headers=HEADERS | key)
    assert (answer.status_code, counted(engine)["entries"]) == (status, 0)
    said = answer.get_json()["error"]
    assert said.endswith(".")
    assert "Traceback" not in said
    playing_table.play(5)
    playing_table.send_all()
    assert counted(engine)["entries"] == 5


@pytest.mark.parametrize(
    "line",
    [
        begun(number=2**31),
        begun(players=[f"Player {number}" for number in range(40)]),
        begun(players=[f"Player {number}" for number in range(41)]),
        begun(game="no-such-game"),
        begun(options={"no-such": "option"}),
        begun(die_set="no-such-dice"),
        begun(players=["A\0nn", "Bob"]),
        begun(players=["A\ud800nn", "Bob"]),
        begun(players=["\N{RIGHT-TO-LEFT OVERRIDE}nnA", "Bob"]),
        begun(players=["Ann\x1b[31m", "Bob"]),
        begun(options={"sheet": "bomb"}, game="dice-county-fair", die_set="dice-county-fair"),
        begun(game="dice", die_set="bomb"),
        ("entry", '{"game": 1, "game": 2, "number": 1}'),
        ("entry", "[" * 9_000),
        ("names", '{"game": 7, "players": []}'),
        ("ended", '{"game": 2147483648, "at": null}'),
    ],
)
def test_a_line_that_no_table_writes_is_kept_apart_and_its_table_goes_on(
    playing_table: PlayingTable, client: FlaskClient, engine: Engine, line: tuple[str, str]
) -> None:
    key = {"Authorization": f"Bearer {playing_table.membership.key}"}
    nested = {"bomb": "a=" + "[" * 9_990 + "]" * 9_990}
    bomb = {"sheets": nested, "die_sets": nested}
    request = lines_of(line, begun(number=5))
    answer = client.post("/api/hall/entries", json=request | bomb, headers=HEADERS | key)
    assert (answer.status_code, answer.get_json()["taken"]) == (200, 2), answer.get_json()
    with engine.connect() as connection:
        standings = {row.game_id: row.standing for row in connection.execute(select(GAMES))}
    assert standings.pop(5) == "going"
    assert set(standings.values()) <= {"quarantined"}
    assert standings or counted(engine)["quarantined_lines"] == 1


def test_a_line_that_jumps_ahead_is_not_taken(playing_table: PlayingTable, client: FlaskClient, engine: Engine) -> None:
    request: Any = lines_of(begun(), begun(number=2))
    request["previous"], request["lines"] = request["lines"][0]["hash"], request["lines"][1:]
    key = {"Authorization": f"Bearer {playing_table.membership.key}"}
    answer = client.post("/api/hall/entries", json=request, headers=HEADERS | key)
    assert (answer.get_json()["taken"], counted(engine)["games"]) == (0, 0)
    playing_table.play(5)
    playing_table.send_all()
    assert counted(engine)["entries"] == 5


def test_a_name_with_markup_stays_text(playing_table: PlayingTable, client: FlaskClient) -> None:
    playing_table.play(5, 1, "toss-up", ("<img src=x onerror=alert(1)>", "Bob"))
    playing_table.send_all()
    for page in ("/", "/api/hall/tables"):
        assert "<img src=x" not in client.get(page).text


@pytest.mark.slow
def test_no_number_fails_a_hall_or_shows_where_it_keeps_things(
    playing_table: PlayingTable, client: FlaskClient, database: str
) -> None:
    playing_table.play(400)
    playing_table.send_all()
    assert faults(client.application, client, make_url(database).database or database) == []


def test_two_senders_of_one_journal_send_each_entry_once(playing_table: PlayingTable, engine: Engine) -> None:
    for seed in range(4):
        playing_table.play(60, seed)
    failed: list[BaseException] = []

    def send() -> None:
        try:
            playing_table.send_all()
        except BaseException as error:
            failed.append(error)

    senders = [Thread(target=send) for _ in range(2)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(PATIENCE_S)
    assert failed == []
    kept = sum(len(playing_table.journal.entries(game.number)) for game in playing_table.journal.games())
    assert counted(engine) == {"entries": kept, "games": 4, "quarantined_lines": 0}


def test_a_hall_without_its_database_says_so_and_the_table_goes_on(
    playing_table: PlayingTable, engine: Engine, app_client: AppClient
) -> None:
    nowhere = HallService(open_hall_engine(engine.url.render_as_string(hide_password=False)))
    nowhere.engine.dispose()
    event.listen(nowhere.engine, "do_connect", lambda *_: (_ for _ in ()).throw(psycopg.OperationalError("away")))
    playing_table.client = AppClient(create_hall_app(HallBackends(hall=nowhere)).test_client())
    playing_table.play(5)
    with pytest.raises(HallUnreachable) as refused:
        playing_table.sender().send_once()
    assert str(refused.value) == str(NO_DATABASE)
    playing_table.play(5, 2)
    playing_table.client = app_client
    playing_table.send_all()
    assert counted(engine)["entries"] == 10


@pytest.fixture
def hall_folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="vander-hall-"))
    yield made
    rmtree(made, ignore_errors=True)


class KilledHall:
    """A hall in a process of its own that is killed and started again."""

    def __init__(self, folder: Path, database: str) -> None:
        self.port, self.folder = free_port(), folder
        self._words = ["--database", database, "--data-dir", str(folder), "--host", "127.0.0.1"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = [sys.executable, "-m", "vander", "hall", *self._words, "--port", str(self.port)]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
                return
            time.sleep(0.05)
        pytest.fail("the hall does not answer")

    def kill(self) -> None:
        if self._process:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE_S)
            self._process = None

    def code(self) -> list[int]:
        keeper = {"Cookie": f"{COOKIE}={(self.folder / BOX_KEY).read_text().strip()}", "X-Vander": "test"}
        address = f"http://127.0.0.1:{self.port}/api/hall/tables/code"
        found: list[int] = urllib3.request("POST", address, headers=keeper, json={}).json()["code"]
        return found


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_hall_that_is_killed_again_and_again_has_every_entry_once(
    database: str, hall_folder: Path, tmp_path: Path
) -> None:
    hall, over, rng = KilledHall(hall_folder, database), Event(), Random(7)  # noqa: S311 - moments
    hall.start()
    journals = {number: Journal.in_folder(tmp_path / str(number)) for number in range(1, 4)}
    senders = [_sender(hall, tmp_path / str(number), journal, over) for number, journal in journals.items()]
    playing = [Thread(target=_play, args=(journal, number, over)) for number, journal in journals.items()]
    try:
        for thread in playing:
            thread.start()
        for _ in range(2):
            time.sleep(rng.uniform(0.1, 0.4))
            hall.kill()
            hall.start()
        over.set()
        for thread in playing:
            thread.join(PATIENCE_S)
        for sender in senders:
            _send_all(sender)
    finally:
        over.set()
        hall.kill()
        for sender in senders:
            sender.close()
    assert _in_database(database) == {
        (number, game.number, entry.number)
        for number, journal in journals.items()
        for game in journal.games()
        for entry in journal.entries(game.number)
    }
    for journal in journals.values():
        journal.close()


def _sender(hall: KilledHall, folder: Path, journal: Journal, over: Event) -> OutboxSender:
    membership = join_hall(folder, journal, f"http://127.0.0.1:{hall.port}", hall.code(), f"Table {folder.name}")
    sender = OutboxSender(journal, membership, over.wait)

    def send() -> None:
        while not over.is_set():
            with suppress(HallUnreachable, HallRefusal):  # refused where it sends too often
                sender.send_once()
            over.wait(0.05)

    Thread(target=send, daemon=True).start()
    return sender


def _play(journal: Journal, seed: int, over: Event) -> None:
    played = random_match(named("toss-up"), 40, seed).entries
    while not over.is_set():
        number = journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
        for entry in played:
            journal.write(number, entry)
            if over.wait(0.1):
                return


def _send_all(sender: OutboxSender) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with suppress(HallUnreachable, HallRefusal):
            if not sender.send_once():
                return
        time.sleep(0.05)
    pytest.fail("the hall does not take what waits")


def _in_database(database: str) -> set[tuple[int, int, int]]:
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT table_id, game_id, number FROM entries").fetchall()
    found = {(int(table), int(game), int(number)) for table, game, number in rows}
    assert len(found) == len(rows)
    return found


class NotedRequest:
    """A client that sends nothing, and keeps what was to be sent."""

    def __init__(self) -> None:
        self.body = b""

    def post(self, _path: str, body: Mapping[str, object], _key: str = "") -> dict[str, Any]:
        self.body = encode_request(body)
        raise HallUnreachable("kept")


@pytest.mark.parametrize("goes", [False, True], ids=["and then is silent", "and then goes"])
def test_of_a_half_sent_request_nothing_is_taken_and_its_connection_is_let_go(
    open_playing_table: OpenTable, hall: HallService, engine: Engine, goes: bool
) -> None:
    half, other = open_playing_table("Half"), open_playing_table("Other")
    half.play(5)
    other.play(5)
    noted, now_s = NotedRequest(), [0.0]
    with suppress(HallUnreachable):
        OutboxSender(half.journal, half.membership, lambda _s: None, client=noted).send_once()  # type: ignore[arg-type]
    app = create_hall_app(HallBackends(hall=hall))
    server = PageServer(app, host="127.0.0.1", port=0, threads=4, clock=lambda: now_s[0])
    with running(server), closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)) as line:
        head = [f"{name}: {value}" for name, value in HEADERS.items()]
        head += [f"Authorization: Bearer {half.membership.key}", f"Content-Length: {len(noted.body)}"]
        request = "\r\n".join(("POST /api/hall/entries HTTP/1.1", "Host: 127.0.0.1", *head, "", "")).encode()
        line.sendall(request + noted.body[: len(noted.body) // 2])
        wait_until(lambda: len(server.connections) == 1 and not server.connections[0].silent)
        other.client = HallClient(f"http://127.0.0.1:{server.port}")  # type: ignore[assignment]
        other.send_all()
        other.client.close()
        assert counted(engine)["entries"] == 5
        if goes:
            line.close()
        wait_until(lambda: now_s.append(now_s.pop() + ConnectionLimits().patience_s / 4) or not server.connections)
        if not goes:
            assert line.recv(1) == b""
    assert counted(engine) == {"entries": 5, "games": 1, "quarantined_lines": 0}
    half.send_all()
    assert counted(engine) == {"entries": 10, "games": 2, "quarantined_lines": 0}
