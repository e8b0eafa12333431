"""The page for everybody else while somebody holds connections without using them: real sockets, a clock of our own."""

from __future__ import annotations

import os
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from threading import Event, Semaphore

import pytest
from flask import Flask
from served_pages import PATIENCE_S, running

from tests.waiting import wait_until
from vander.box.web_server import MOST_AHEAD, TURNED_AWAY, ConnectionLimits, PageServer, bind
from vander.storage.settings import Settings

BOX, GUEST, OTHER = "127.0.0.1", "127.0.0.21", "127.0.0.22"
SMALL = ConnectionLimits(each=2, guests=4, box=3)
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
ENDLESS = b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n"
STREAM = b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
EVENT = 1 << 16
LARGE = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
PAGE = b"the page"
THREADS = 4


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Scene:
    """A server in a thread of its own, and those who connect to it."""

    def __init__(self, server: PageServer, clock: Clock, on_exit: ExitStack) -> None:
        self.server, self.clock, self._on_exit = server, clock, on_exit

    def connect(self, address: str, first: bytes = b"") -> socket.socket:
        """Open a connection from an address of this machine, and send the first bytes."""
        line = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE_S, source_address=(address, 0))
        self._on_exit.enter_context(closing(line))
        line.sendall(first)
        return line

    def answers(self, address: str) -> bool:
        """Whether a new connection from an address is answered."""
        return is_answered(self.connect(address, WHOLE))

    def wait_for(self, connections: int) -> None:
        """Wait until so many connections are open."""
        wait_until(lambda: len(self.server.connections) == connections)

    def pass_time(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Let a quarter of a client's patience pass after the other, until no connection is left."""

        def passed() -> bool:
            self.clock.now += SMALL.patience_s / 4
            meanwhile()
            return not self.server.connections

        wait_until(passed)


def is_answered(line: socket.socket) -> bool:
    """Read a whole answer."""
    with HTTPResponse(line) as answer:
        answer.begin()
        answer.read()
        return answer.status == 200


def is_closed(line: socket.socket) -> bool:
    """Wait until the server closes a connection without a word."""
    try:
        return line.recv(4096) == b""
    except ConnectionResetError:
        return True


@pytest.fixture
def go_on() -> Iterator[Event]:
    event = Event()
    yield event
    event.set()


@pytest.fixture
def gone() -> Event:
    return Event()


@pytest.fixture
def ticks() -> Iterator[Semaphore]:
    semaphore = Semaphore(0)
    yield semaphore
    semaphore.release(1000)


@pytest.fixture
def app(go_on: Event, gone: Event, ticks: Semaphore) -> Flask:
    """A page, one whose answer takes its time, one whose answer has no end, and a stream that ticks."""
    app = Flask(__name__)

    def endless() -> Iterator[bytes]:
        try:
            while not go_on.is_set():
                yield bytes(1 << 16)
        finally:
            gone.set()

    def stream() -> Iterator[bytes]:
        for _ in range(100):
            ticks.acquire(timeout=PATIENCE_S)
            yield bytes(EVENT)

    app.add_url_rule("/stream", "stream", lambda: app.response_class(stream()))
    app.add_url_rule("/", "page", lambda: PAGE)
    app.add_url_rule("/large", "large", lambda: bytes(1 << 20))
    app.add_url_rule("/slow", "slow", lambda: str(go_on.wait(PATIENCE_S)))
    app.add_url_rule("/endless", "endless", lambda: app.response_class(endless()))
    return app


@contextmanager
def scene_of(app: Flask, limits: ConnectionLimits) -> Iterator[Scene]:
    clock = Clock()
    server = PageServer(
        app, host="127.0.0.1", port=0, threads=THREADS, limits=limits, clock=clock, outbuf_high_watermark=8 << 20
    )
    with running(server), ExitStack() as on_exit:
        yield Scene(server, clock, on_exit)


@pytest.fixture
def scene(app: Flask) -> Iterator[Scene]:
    with scene_of(app, SMALL) as found:
        yield found


def test_a_guests_third_connection_is_answered_and_the_one_that_waited_longest_closed(scene: Scene) -> None:
    first, second = scene.connect(GUEST, HALF), scene.connect(GUEST, HALF)
    scene.wait_for(2)
    assert scene.answers(GUEST)
    assert is_closed(first)
    second.sendall(b"Y: z\r\n\r\n")
    assert is_answered(second)


def test_a_newcomer_reads_why_there_is_no_place_while_all_of_its_address_are_answered(scene: Scene) -> None:
    for _ in range(SMALL.each):
        scene.connect(GUEST, SLOW)
    scene.wait_for(SMALL.each)
    wait_until(lambda: all(connection.busy for connection in scene.server.connections))
    turned_away = scene.connect(GUEST)
    with turned_away.makefile("rb") as answer:
        told = answer.read()
    assert told.startswith(b"HTTP/1.1 503 ")
    assert told.endswith(TURNED_AWAY)
    assert scene.answers(OTHER)
    assert scene.answers(BOX)


def test_at_the_limit_of_all_a_new_guest_and_the_box_are_answered(scene: Scene) -> None:
    held = [scene.connect(f"127.0.0.{number}", HALF) for number in (11, 11, 12, 12)]
    scene.wait_for(SMALL.guests)
    own = scene.connect(BOX, WHOLE)
    assert is_answered(own)
    assert scene.answers(GUEST)
    assert is_closed(held[0])
    own.sendall(WHOLE)
    assert is_answered(own), "the box's own connection is still open"


def test_what_comes_through_a_proxy_on_the_box_gives_way_to_the_boxs_screen(scene: Scene) -> None:
    proxied = [scene.connect(BOX, HALF) for _ in range(SMALL.box)]
    scene.wait_for(SMALL.box)
    assert scene.answers(BOX)
    assert is_closed(proxied[0])


def test_a_request_that_drips_in_must_be_whole_in_time(scene: Scene) -> None:
    dripping = scene.connect(GUEST, HALF)
    scene.wait_for(1)

    def drip() -> None:
        with suppress(OSError):
            dripping.sendall(b"x")

    scene.pass_time(meanwhile=drip)
    assert is_closed(dripping)


def test_a_body_that_drips_in_must_be_whole_in_time(scene: Scene) -> None:
    dripping = scene.connect(GUEST, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nx")
    scene.wait_for(1)
    scene.pass_time()
    assert is_closed(dripping)


def test_a_request_that_begins_on_an_old_connection_has_the_whole_time(scene: Scene) -> None:
    line = scene.connect(GUEST, WHOLE)
    assert is_answered(line)
    scene.clock.now += SMALL.patience_s - 1
    line.sendall(HALF)
    wait_until(lambda: scene.server.connections[0].waiting_since == scene.clock.now)
    scene.clock.now += SMALL.patience_s - 1
    line.sendall(b"Y: z\r\n\r\n")
    assert is_answered(line)


def test_empty_lines_are_no_sign_of_life(scene: Scene) -> None:
    line = scene.connect(GUEST)
    scene.wait_for(1)
    scene.clock.now += SMALL.patience_s / 2
    line.sendall(b"\r\n")
    wait_until(lambda: not any(connection.silent for connection in scene.server.connections))
    scene.clock.now += SMALL.patience_s / 2 + SMALL.cleanup_s
    assert is_closed(line)


def test_an_idle_connection_is_closed_although_the_wall_clock_was_set_back(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = scene.connect(GUEST, WHOLE)
    assert is_answered(line)
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() - 86400)
    scene.pass_time()
    assert is_closed(line)
    assert scene.answers(GUEST)


def test_a_wall_clock_set_forward_closes_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    line = scene.connect(GUEST, WHOLE)
    assert is_answered(line)
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 86400)
    scene.clock.now += SMALL.cleanup_s + 1
    assert scene.answers(OTHER)
    line.sendall(WHOLE)
    assert is_answered(line)


def test_a_client_that_never_reads_its_answer_gives_its_thread_back(scene: Scene, gone: Event) -> None:
    scene.connect(GUEST, ENDLESS)
    scene.wait_for(1)
    wait_until(lambda: any(connection.unread for connection in scene.server.connections))
    scene.pass_time()
    assert gone.wait(PATIENCE_S)


def test_a_server_that_closes_leaves_no_file_open_in_which_an_unread_answer_waits(app: Flask) -> None:
    with socket.socket() as line, scene_of(app, SMALL) as scene:
        line.connect(("127.0.0.1", scene.server.port))
        line.sendall(LARGE * MOST_AHEAD)
        scene.wait_for(1)
        (connection,) = scene.server.connections
        wait_until(lambda: any(buffer.overflowed for buffer in connection.outbufs))
        files = [buffer.getfile() for buffer in connection.outbufs if buffer.overflowed]
    assert all(file.closed for file in files)


def test_a_stream_keeps_nothing_of_what_its_client_has_read(scene: Scene, ticks: Semaphore) -> None:
    with HTTPResponse(scene.connect(GUEST, STREAM)) as answer:
        ticks.release()
        answer.begin()
        for _ in range(40):
            assert len(answer.read(EVENT)) == EVENT
            ticks.release()
        (connection,) = scene.server.connections
        assert connection.current_outbuf_count < 2 * EVENT, "the buffer that is written to is a new one"


def test_clients_that_ask_ahead_and_never_read_leave_threads_to_others(scene: Scene) -> None:
    for number in range(THREADS):
        asks_ahead = scene.connect(f"127.0.0.{11 + number // SMALL.each}", LARGE)
        with suppress(OSError):  # it may be closed already
            asks_ahead.sendall(LARGE * 200)
    assert scene.answers(BOX)


def test_a_client_may_ask_a_little_ahead(scene: Scene) -> None:
    line = scene.connect(GUEST, WHOLE * (MOST_AHEAD + 1))
    with line.makefile("rb") as answers:
        for _ in range(MOST_AHEAD + 1):
            assert answers.readline().startswith(b"HTTP/1.1 200")
            while answers.readline() != b"\r\n":
                pass
            assert answers.read(len(PAGE)) == PAGE


def test_an_urgent_byte_ends_a_connection_and_fills_no_log(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    line = scene.connect(GUEST, HALF)
    scene.wait_for(1)
    line.send(b"!", socket.MSG_OOB)
    assert is_closed(line)
    assert caplog.records == []


def test_an_answer_that_takes_long_is_waited_for(scene: Scene, go_on: Event) -> None:
    line = scene.connect(GUEST, SLOW)
    wait_until(lambda: any(connection.busy for connection in scene.server.connections))
    scene.clock.now += 3 * SMALL.patience_s
    assert scene.answers(OTHER)
    go_on.set()
    assert is_answered(line)


def test_sockets_with_numbers_above_1024_are_served(app: Flask) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(before[0], 2048), before[1]), before[1]))
    with ExitStack() as on_exit:
        on_exit.callback(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        for _ in range(1100):
            on_exit.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        with scene_of(app, SMALL) as scene:
            assert scene.answers(GUEST)


def test_with_300_dripping_sockets_every_newcomer_is_answered_as_the_box_serves(app: Flask, tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = int(free.getsockname()[1])
    server = bind(Settings(data_dir=tmp_path, host="127.0.0.1", port=port), app, streams=2)
    with running(server), ExitStack() as on_exit:
        scene = Scene(server, Clock(), on_exit)
        crowd = [scene.connect(f"127.0.1.{number % 13}", HALF) for number in range(1, 301)]
        scene.wait_for(len(crowd))
        assert scene.answers(BOX)
        assert scene.answers(GUEST)
        for _ in range(100):
            scene.connect("127.0.1.1", HALF)
        assert scene.answers(OTHER)
        assert scene.answers("127.0.1.1")
