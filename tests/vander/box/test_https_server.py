"""The page by https: real sockets and real TLS, with the certificates of a box's own authority."""

from __future__ import annotations

import gc
import socket
import ssl
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path

import pytest
from flask import Flask, request
from served_pages import PATIENCE_S, running

from tests.waiting import wait_until
from vander.access.https import FOLDER, BoxCertificates, CertificateError
from vander.box import web_server
from vander.box.web_server import ConnectionLimits, PageServer, SecurePort

GUEST = "127.0.0.31"
LARGE = 3 << 20
NAMES = ("localhost", "127.0.0.1")


@pytest.fixture
def certificates(tmp_path: Path) -> BoxCertificates:
    return BoxCertificates(tmp_path, "vander", lambda: NAMES)


@pytest.fixture
def client_context(certificates: BoxCertificates, tmp_path: Path) -> ssl.SSLContext:
    """A browser that trusts the box's authority."""
    certificates.context()
    return ssl.create_default_context(cafile=tmp_path / FOLDER / "authority.crt")


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)

    def stream() -> Iterator[bytes]:
        for number in range(3):
            yield f"event {number}\n".encode()

    app.add_url_rule("/", "page", lambda: f"{request.scheme} {request.remote_addr}")
    app.add_url_rule("/large", "large", lambda: bytes(LARGE))
    app.add_url_rule("/stream", "stream", lambda: app.response_class(stream()))
    app.add_url_rule("/echo", "echo", lambda: str(len(request.get_data())), methods=["POST"])
    return app


@contextmanager
def serving(app: Flask, context: Callable[[], ssl.SSLContext], limits: ConnectionLimits) -> Iterator[PageServer]:
    in_memory = 64 << 20  # a file of waitress for a long answer would be left to the garbage collector
    server = PageServer(app, host="127.0.0.1", port=0, threads=4, limits=limits, outbuf_overflow=in_memory)
    server.open_secure(SecurePort(0, context))
    with running(server):
        yield server


@pytest.fixture
def server(app: Flask, certificates: BoxCertificates) -> Iterator[PageServer]:
    with serving(app, certificates.context, ConnectionLimits()) as found:
        yield found


def connect(server: PageServer, address: str = GUEST) -> socket.socket:
    """Open a connection to the secure port."""
    return socket.create_connection(("127.0.0.1", server.secure_port), PATIENCE_S, source_address=(address, 0))


def opened(server: PageServer, client_context: ssl.SSLContext, address: str = GUEST) -> ssl.SSLSocket:
    """Open a connection and agree on a key."""
    return client_context.wrap_socket(connect(server, address), server_hostname="localhost")


def ask(line: socket.socket, path: str, method: str = "GET", body: bytes = b"") -> bytes:
    """Send a request over an open connection, and return the whole answer."""
    line.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    with HTTPResponse(line) as answer:
        answer.begin()
        return answer.read()


def test_the_page_knows_that_it_is_secure_and_who_asks(server: PageServer, client_context: ssl.SSLContext) -> None:
    with closing(opened(server, client_context)) as line:
        assert ask(line, "/") == f"https {GUEST}".encode()
        assert ask(line, "/") == f"https {GUEST}".encode(), "the connection is kept open"
    with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)) as plain:
        assert ask(plain, "/") == b"http 127.0.0.1"


def test_large_answers_and_bodies_and_streams_come_through_whole(
    server: PageServer, client_context: ssl.SSLContext
) -> None:
    with closing(opened(server, client_context)) as line:
        assert ask(line, "/large") == bytes(LARGE)
        assert ask(line, "/echo", "POST", bytes(LARGE)) == str(LARGE).encode()
    with closing(opened(server, client_context)) as line:
        assert ask(line, "/stream") == b"event 0\nevent 1\nevent 2\n"


def test_a_browser_that_reads_nothing_for_a_while_gets_everything_later(
    server: PageServer, client_context: ssl.SSLContext
) -> None:
    with closing(opened(server, client_context)) as line:
        line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with closing(opened(server, client_context)) as other:
            assert ask(other, "/") == f"https {GUEST}".encode()
        with HTTPResponse(line) as answer:
            answer.begin()
            assert answer.read() == bytes(LARGE)


def test_whoever_does_not_know_the_authority_gets_nothing(server: PageServer) -> None:
    stranger = ssl.create_default_context()
    with pytest.raises(ssl.SSLCertVerificationError), closing(connect(server)) as line:
        stranger.wrap_socket(line, server_hostname="localhost")
    wait_until(lambda: not server.connections)


@pytest.mark.parametrize(
    "said", [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", bytes(64), b"\x16\x03\x01\xff\xff" * 20]
)
def test_bytes_that_are_no_tls_end_the_connection_and_nothing_else(
    server: PageServer, client_context: ssl.SSLContext, said: bytes
) -> None:
    with closing(connect(server)) as line:
        line.sendall(said)
        line.shutdown(socket.SHUT_WR)
        while line.recv(4096):
            pass
    wait_until(lambda: not server.connections)
    with closing(opened(server, client_context)) as good:
        assert ask(good, "/").startswith(b"https")


def test_a_browser_that_goes_is_forgotten(server: PageServer, client_context: ssl.SSLContext) -> None:
    line = opened(server, client_context)
    assert ask(line, "/").startswith(b"https")
    line.close()
    wait_until(lambda: not server.connections)


def test_a_browser_that_is_cut_off_leaves_nothing_in_the_log(
    server: PageServer, client_context: ssl.SSLContext, caplog: pytest.LogCaptureFixture
) -> None:
    for said in (b"", b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        line = opened(server, client_context)
        line.sendall(said)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset in place of an end
        line.close()
        wait_until(lambda: not server.connections)
    with closing(opened(server, client_context)) as good:
        assert ask(good, "/").startswith(b"https")
    gc.collect()  # a task tells of an error that nobody took when it is thrown away
    assert caplog.messages == []


def test_connections_that_say_nothing_give_way_as_by_http(
    app: Flask, certificates: BoxCertificates, client_context: ssl.SSLContext
) -> None:
    with serving(app, certificates.context, ConnectionLimits(each=2, guests=4, box=3)) as server:
        silent = [connect(server) for _ in range(2)]
        wait_until(lambda: len(server.connections) == 2)
        with closing(opened(server, client_context)) as line:
            assert ask(line, "/") == f"https {GUEST}".encode()
        with suppress(ConnectionResetError):
            assert silent[0].recv(4096) == b"", "who waited longest was let go"
        for one in silent:
            one.close()


def test_who_gives_way_before_a_key_is_agreed_on_gives_its_sockets_back_at_once(
    app: Flask, certificates: BoxCertificates, client_context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "HANDSHAKE_S", 10 * PATIENCE_S)
    with serving(app, certificates.context, ConnectionLimits(each=2, guests=4, box=3)) as server, ExitStack() as lines:
        before = open_files()
        for _ in range(40):
            lines.enter_context(closing(connect(server)))
        wait_until(lambda: open_files() <= before + 40 + 3 * 4)  # ours, and three for each that may stay
        with closing(opened(server, client_context)) as line:
            assert ask(line, "/").startswith(b"https")


def test_who_never_reads_gives_way_with_all_that_waits_for_it(
    app: Flask, certificates: BoxCertificates, client_context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "STALLED_S", 10 * PATIENCE_S)
    monkeypatch.setattr(web_server, "GOODBYE_S", 10 * PATIENCE_S)
    with serving(app, certificates.context, ConnectionLimits(each=2, guests=4, box=3)) as server, ExitStack() as lines:
        before = open_files()
        for _ in range(12):
            with suppress(OSError):  # while the others still take bytes, the newcomer is who gives way
                line = lines.enter_context(closing(opened(server, client_context)))
                line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wait_until(lambda: not any(each.silent or each.busy for each in server.connections))
        wait_until(lambda: open_files() <= before + 12 + 3 * 4)


def open_files() -> int:
    """Count the files and sockets that this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_handshake_that_never_ends_is_cut(
    server: PageServer, client_context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "HANDSHAKE_S", 0.2)
    with closing(connect(server)) as line:
        line.sendall(b"\x16\x03\x01\x02\x00")  # the head of a first message that never comes
        with suppress(ConnectionResetError):
            assert line.recv(4096) == b""
    wait_until(lambda: not server.connections)
    with closing(opened(server, client_context)) as good:
        assert ask(good, "/").startswith(b"https")


def test_while_there_is_no_certificate_connections_end_and_http_goes_on(app: Flask) -> None:
    def nothing() -> ssl.SSLContext:
        raise CertificateError("the certificate cannot be kept: the disk is full")

    with serving(app, nothing, ConnectionLimits()) as server:
        with closing(connect(server)) as line:
            assert line.recv(4096) == b""
        with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)) as plain:
            assert ask(plain, "/") == b"http 127.0.0.1"


def test_a_new_certificate_is_for_new_connections(
    app: Flask, certificates: BoxCertificates, client_context: ssl.SSLContext, tmp_path: Path
) -> None:
    other = BoxCertificates(tmp_path / "other", "vander", lambda: NAMES)
    (tmp_path / "other").mkdir()
    present = [certificates]

    def context() -> ssl.SSLContext:
        return present[0].context()

    with serving(app, context, ConnectionLimits()) as server:
        with closing(opened(server, client_context)) as line:
            assert ask(line, "/").startswith(b"https")
            present[0] = other
            assert ask(line, "/").startswith(b"https"), "an open connection goes on"
        with pytest.raises(ssl.SSLCertVerificationError):
            opened(server, client_context)


def test_a_port_that_is_taken_leaves_http_alone(app: Flask, certificates: BoxCertificates) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        server = PageServer(app, host="127.0.0.1", port=0, threads=2)
        with pytest.raises(OSError, match="in use"):
            server.open_secure(SecurePort(taken.getsockname()[1], certificates.context))
        with running(server), closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)) as plain:
            assert ask(plain, "/") == b"http 127.0.0.1"
    assert server.secure_port == 0
