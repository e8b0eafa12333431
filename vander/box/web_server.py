"""The web server: waitress with limits for its connections, and https in front of it."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from ssl import SSLContext
from threading import Thread
from time import monotonic
from types import FrameType
from typing import Final, Protocol, TypeVar

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]  # waitress ships no types
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.access.https import CertificateError, HttpsService, open_https
from vander.access.page_addresses import is_loopback_host
from vander.box.health_monitor import LogThrottle
from vander.storage.settings import Settings
from web.authorization import client_network
from web.events import OWN_STREAMS, end_streams
from web.schemas.access_schemas import BoxAuthority

# How many connections the web server holds open, and which of them give way to a newcomer
#
# A newcomer is let in, and whoever has kept the server waiting longest is let go: a browser opens an idle connection
# again without a word, while connections that only hold a place are gone. So a crowd of one address harms itself
# alone.


THE_BOX = frozenset({"127.0.0.1", "::1"})
"""Where the box's own screen comes from, and a reverse proxy on the box."""


@dataclass(frozen=True)
class ConnectionLimits:
    """The most connections of one guest (`each`), of all guests, and of the box itself, whose places are its own.

    Connections that keep the server waiting for `patience_s` are closed; that is checked every `cleanup_s`. The box's
    own limit is larger than a guest's because behind a reverse proxy everybody comes from there.
    """

    each: int = 24
    guests: int = 400
    box: int = 96
    patience_s: float = 40.0
    cleanup_s: float = 5.0

    def of(self, network: str) -> int:
        """Return how many connections a network may hold."""
        return self.box if network in THE_BOX else self.each


class Connection(Protocol):
    """What the limits ask of a connection: `waiting_since` is when the server last heard from it, in seconds."""

    network: str
    waiting_since: float

    @property
    def busy(self) -> bool:
        """True while a request of the connection is answered."""

    @property
    def unread(self) -> bool:
        """True while a part of an answer waits for the client to read it."""


AnyConnection = TypeVar("AnyConnection", bound=Connection)


def surplus(connections: Sequence[AnyConnection], limits: ConnectionLimits) -> list[AnyConnection]:
    """Return which connections to close so that the limits hold, none that is busy.

    Of a guest those that waited longest go first; beyond the limit of all guests, those of whoever holds most.
    """
    held = Counter(connection.network for connection in connections)
    idle = sorted((each for each in connections if not each.busy), key=lambda each: each.waiting_since)
    closed = _beyond_each(idle, held, limits)
    return closed + _beyond_all([each for each in idle if each not in closed], held, limits)


def is_overdue(connection: Connection, now: float, limits: ConnectionLimits) -> bool:
    """True if the client has kept the server waiting too long: for a request, for the rest of one, or to read."""
    return (not connection.busy or connection.unread) and now - connection.waiting_since > limits.patience_s


def _beyond_each(idle: Sequence[AnyConnection], held: Counter[str], limits: ConnectionLimits) -> list[AnyConnection]:
    """Return what goes beyond a guest's own limit, and take it out of `held`."""
    closed = []
    for connection in idle:
        if held[connection.network] > limits.of(connection.network):
            held[connection.network] -= 1
            closed.append(connection)
    return closed


def _beyond_all(idle: Sequence[AnyConnection], held: Counter[str], limits: ConnectionLimits) -> list[AnyConnection]:
    """Return what goes beyond the limit of all guests, and take it out of `held`."""
    left, closed = [each for each in idle if each.network not in THE_BOX], list[AnyConnection]()
    too_many = sum(count for network, count in held.items() if network not in THE_BOX) - limits.guests
    for _ in range(min(too_many, len(left))):
        goes = max(left, key=lambda each: held[each.network])  # of those that hold as many, who waited longest
        held[goes.network] -= 1
        left.remove(goes)
        closed.append(goes)
    return closed


# Https in front of the web server: each connection is decrypted here and handed on as a plain one
#
# waitress knows no TLS, and OpenSSL does not let two threads use one connection, as waitress's threads do. So one
# thread with asyncio's TLS stands between: a browser's connection and one end of a socket pair, of which waitress has
# the other. waitress keeps the browser's address, and with it all limits; what it closes is closed here too.


HANDSHAKE_S: Final = 10.0
"""Seconds in which a browser must agree on a key."""
GOODBYE_S: Final = 2.0
"""Seconds for a connection to end in good form before it is cut."""
STALLED_S: Final = 60.0
"""Seconds in which a side that does not read must take something."""
PIECE: Final = 1 << 16
"""Bytes that are moved at once; asyncio holds twice as many for a connection before it stops reading."""


class TlsRelay:
    """A thread that decrypts connections, with the certificate that `context` returns at that time."""

    def __init__(self, context: Callable[[], ssl.SSLContext]) -> None:
        self._context = context
        self._loop = asyncio.new_event_loop()
        self._open: dict[socket.socket, asyncio.Task[None]] = {}
        self._log = LogThrottle(logging.getLogger(__name__), "https")
        self._thread = Thread(target=self._run, name="https", daemon=True)
        self._thread.start()

    def plain(self, connection: socket.socket) -> socket.socket:
        """Take a browser's connection over, and return its decrypted end. Any thread may call this."""
        ours, theirs = socket.socketpair()
        for one in (connection, ours):
            one.setblocking(False)
        self._loop.call_soon_threadsafe(self._start, connection, ours, theirs)
        return theirs

    def cut(self, plain: socket.socket) -> None:
        """End at once what belongs to a decrypted end, sent or not. Any thread may call this."""
        self._loop.call_soon_threadsafe(self._cut, plain)

    def close(self) -> None:
        """Cut all connections and end the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            for task in self._open.values():
                task.cancel()
            self._loop.run_until_complete(_all(list(self._open.values())))
        finally:
            self._loop.close()

    def _start(self, connection: socket.socket, ours: socket.socket, theirs: socket.socket) -> None:
        task = self._loop.create_task(self._relay(connection, ours))
        self._open[theirs] = task

        def end(_: asyncio.Task[None]) -> None:
            del self._open[theirs]
            for one in (connection, ours):  # also where it was cut before it began
                one.close()

        task.add_done_callback(end)

    def _cut(self, plain: socket.socket) -> None:
        if plain in self._open:
            self._open[plain].cancel()

    async def _relay(self, connection: socket.socket, ours: socket.socket) -> None:
        """Move bytes both ways until one side ends; what was read is still sent, unless somebody cuts it."""
        ends: list[asyncio.StreamWriter] = []
        try:
            plain_reader, plain = await asyncio.open_connection(sock=ours, limit=PIECE)
            ends.append(plain)
            secure_reader, secure = await self._handshake(connection)
            ends.append(secure)
            await _move_both(_move(secure_reader, plain), _move(plain_reader, secure))
            for end in reversed(ends):
                await _end(end)
        except CertificateError as error:
            self._log.error(error)
        except (OSError, ssl.SSLError, asyncio.TimeoutError):  # noqa: UP041 - another class on Python 3.10 alone
            pass  # a browser that does not trust the certificate ends the connection so, and most scanners too
        finally:
            for end in ends:
                with suppress(AttributeError):  # Debian 12's Python, 3.11.2, where the browser is gone
                    end.transport.abort()

    async def _handshake(self, connection: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader = asyncio.StreamReader(limit=PIECE, loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=self._loop)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol,
            connection,
            ssl=self._context(),
            ssl_handshake_timeout=HANDSHAKE_S,
            ssl_shutdown_timeout=GOODBYE_S,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)


async def _all(tasks: Collection[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


async def _move_both(*ways: Coroutine[None, None, None]) -> None:
    """Run both ways until one of them ends. Whatever ends them, none is left running."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # a side that was cut off is no news


async def _move(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(PIECE):
        writer.write(piece)
        await asyncio.wait_for(writer.drain(), STALLED_S)


async def _end(writer: asyncio.StreamWriter) -> None:
    """Close one end with what is still to be sent, for GOODBYE_S at most."""
    with suppress(OSError, ssl.SSLError, asyncio.TimeoutError):  # as above
        writer.close()
        await asyncio.wait_for(writer.wait_closed(), GOODBYE_S)


# The web server: waitress, with limits that keep a guest's many connections from silencing the page for others
#
# By itself waitress stops accepting anybody at its limit of connections, takes each byte of a request that never ends
# for a sign of life, waits for ever for a client that never reads, and measures by a clock that may be set back.
# Servers that hold a thread for each connection (cheroot, gunicorn's gthread) are silenced by fewer; none counts by
# address.


SocketMap = dict[int, object]
"""What waitress waits for, by the number of its socket."""
SocketAddress = tuple[str | int, ...]
ACCEPTED_AT_ONCE = 32
"""Connections that are accepted in one pass of the server's loop, so that a flood of them does not queue up."""
CHANGE_S = 10.0
"""Seconds to wait for a change that the server's own thread makes."""
MOST_AHEAD = 4
"""Requests that a client may send before it has its answer. Browsers send none, and a thread waits with whoever does
not read many answers."""
TURNED_AWAY = b"Too many connections come from your address. Close a page that nobody looks at, then try again.\n"
_NO_PLACE = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n"
    b"Retry-After: 5\r\nConnection: close\r\n\r\n%b" % (len(TURNED_AWAY), TURNED_AWAY)
)


class TooManyConnections(RuntimeError):
    """Connections were closed because their number went beyond a limit; the message says whose. It is only logged."""


class PageConnection(HTTPChannel):  # type: ignore[misc]  # waitress ships no types
    """A connection that knows since when it keeps the server waiting.

    It waits from when it opens, from the first byte of a request, from the first byte of an answer, and from whenever a
    part of that is taken: further bytes of a request do not count, so that a request must be whole in time.
    """

    def __init__(
        self, server: PageListener, sock: socket.socket, addr: SocketAddress, adj: Adjustments, map: SocketMap
    ) -> None:
        self._clock = server.clock
        self.network, self.waiting_since, self.silent = client_network(str(addr[0])), server.clock(), True
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def busy(self) -> bool:
        """True while a request is answered or queued."""
        return bool(self.requests)

    @property
    def unread(self) -> bool:
        """True while a part of an answer waits to be read."""
        return bool(self.total_outbufs_len)

    def received(self, data: bytes) -> bool:
        """Take bytes in; the first of a request begin the wait for the rest, empty lines do not.

        A client that asks further ahead than MOST_AHEAD is let go.
        """
        self.silent = False
        if self.request is None and data.strip():
            self.waiting_since = self._clock()
        taken = bool(super().received(data))
        if len(self.requests) > 1 + MOST_AHEAD:
            self.handle_close()
        return taken

    def write_soon(self, data: object) -> int:
        """Queue bytes of an answer; the first begin the wait for the client, and a new buffer.

        A buffer keeps what was read of it: that of a live stream would grow to outbuf_high_watermark.
        """
        if not self.total_outbufs_len:
            self.waiting_since = self._clock()
            self.current_outbuf_count = self.adj.outbuf_high_watermark  # so that waitress takes a new one
        return int(super().write_soon(data))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what the client takes, which is a sign of life."""
        sent = int(super().send(data, do_close))
        if sent:
            self.waiting_since = self._clock()
        return sent

    def handle_expt(self) -> None:
        """Close where a client sends urgent bytes: nothing reads them, and they would wake the server for ever."""
        self.handle_close()

    def turn_away(self) -> None:
        """Close at once. Send the reason to a client that has sent nothing yet, if that does not block."""
        if self.silent:
            with suppress(OSError):
                self.socket.send(_NO_PLACE)
        self.drop()

    def drop(self) -> None:
        """Close at once, whatever the client has not read yet."""
        line = self.socket
        self.handle_close()
        self.server.cut(line)


class PageListener(TcpWSGIServer):  # type: ignore[misc]  # waitress ships no types
    """A port that accepts every connection: what is too many is closed afterwards."""

    channel_class = PageConnection

    def __init__(self, app: Flask, clock: Callable[[], float], **waitress: object) -> None:
        self.clock, self.accepted = clock, 0
        super().__init__(app, **waitress)

    def cut(self, line: socket.socket) -> None:
        """End what else belongs to a closed connection: nothing, by http."""

    def readable(self) -> bool:
        """Return true while connections are accepted, however many there are."""
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Accept those who wait, up to ACCEPTED_AT_ONCE."""
        for _ in range(ACCEPTED_AT_ONCE):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                return
            self.accepted += 1


class TlsListener(PageListener):
    """A port for https: what it accepts is decrypted by a relay, under the browser's own address."""

    def __init__(self, app: Flask, clock: Callable[[], float], relay: TlsRelay, **waitress: object) -> None:
        self._relay = relay
        super().__init__(app, clock, **waitress)

    def accept(self) -> tuple[socket.socket, SocketAddress] | None:
        """Return a decrypted connection with the browser's address, None where nobody waits any more."""
        accepted = super().accept()
        if accepted is None:
            return None
        connection, address = accepted
        super().set_socket_options(connection)
        return self._relay.plain(connection), address

    def cut(self, line: socket.socket) -> None:
        """End the encrypted side of a closed connection at once."""
        self._relay.cut(line)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Leave the decrypted end alone: it is no TCP connection."""


@dataclass(frozen=True)
class SecurePort:
    """A port for https, and what returns the certificate for each new connection.

    host: the address to listen on, '' for that of the page by http.
    """

    port: int
    context: Callable[[], SSLContext]
    host: str = ""


class PageServer:
    """A web server that is bound to its port and waits for `run`. Raises OSError where the port is not available.

    Limits are kept by `clock`, in seconds, which nobody sets. `adjustments` are waitress's. `open_secure` opens a port
    for https beside it. When a signal ends the program, `on_stop` is called before the threads are waited for.
    """

    def __init__(
        self,
        app: Flask,
        *,
        threads: int,
        limits: ConnectionLimits | None = None,
        clock: Callable[[], float] = monotonic,
        on_stop: Callable[[], None] = lambda: None,
        **adjustments: str | int,
    ) -> None:
        self._limits, self._clock = limits or ConnectionLimits(), clock
        self._on_stop = on_stop
        given = Adjustments(threads=threads, **adjustments)
        self._sockets: SocketMap = {}
        self._workers = ThreadedTaskDispatcher()
        self._log = LogThrottle(logging.getLogger(__name__), "page server")
        self._accepted, self._cleaned_at = 0, clock()
        self._app, self._given = app, {"threads": threads, **adjustments}
        self._relay: TlsRelay | None = None
        self._due: SimpleQueue[tuple[Callable[[], None], Future[None]]] = SimpleQueue()
        self._listeners = self._open(PageListener, given)
        self._workers.set_thread_count(threads)

    def open_secure(self, secure: SecurePort) -> None:
        """Listen for https too. Raises OSError where the port is not available.

        While the server runs, this is done by `between_passes`.
        """
        relay = TlsRelay(secure.context)
        own = {"port": secure.port, "url_scheme": "https"} | ({"host": secure.host} if secure.host else {})
        given = Adjustments(**{**self._given, **own})
        try:
            self._listeners += self._open(partial(TlsListener, relay=relay), given)
        except OSError:
            relay.close()
            raise
        self._relay = relay

    def between_passes(self, change: Callable[[], None], timeout_s: float = CHANGE_S) -> None:
        """Make a change in the server's own thread, from another one. Raises what it raises, and TimeoutError."""
        done: Future[None] = Future()
        self._due.put((change, done))
        self._listeners[0].pull_trigger()
        done.result(timeout_s)

    @property
    def port(self) -> int:
        return int(self._listeners[0].effective_port)

    @property
    def secure_port(self) -> int:
        """The port for https; 0 if there is none."""
        return next((int(one.effective_port) for one in self._listeners if isinstance(one, TlsListener)), 0)

    @property
    def connections(self) -> list[PageConnection]:
        """The open connections, in the order in which they came."""
        return [each for each in list(self._sockets.values()) if isinstance(each, PageConnection)]

    def run(self) -> None:
        """Serve until a signal ends the program, or until the server is closed."""
        try:
            while self._sockets:
                self.serve_once()
        except (SystemExit, KeyboardInterrupt):
            self._on_stop()
            self._workers.shutdown()

    def serve_once(self, timeout: float = 1.0) -> None:
        """Wait up to `timeout` seconds for something to happen, handle it, and keep the limits.

        Connections are closed between two passes alone: within one a new connection could get the number of a closed
        one, and the events that were meant for it. With `poll` a socket may have any number; `select` ends at 1024.
        """
        wasyncore.loop(timeout=timeout, use_poll=True, map=self._sockets, count=1)
        self._make_changes()
        accepted = sum(listener.accepted for listener in self._listeners)
        if accepted != self._accepted:
            self._accepted = accepted
            self._close_surplus()
        if self._clock() - self._cleaned_at >= self._limits.cleanup_s:
            self._cleaned_at = now = self._clock()
            for connection in self.connections:
                if is_overdue(connection, now, self._limits):
                    connection.drop()

    def close(self) -> None:
        """Release the port and let the threads end."""
        self._workers.set_thread_count(0)
        for connection in self.connections:
            connection.handle_close()  # close_all leaves the files open in which large answers wait
        wasyncore.close_all(self._sockets)
        if self._relay is not None:
            self._relay.close()

    def _open(self, listener: Callable[..., PageListener], given: Adjustments) -> list[PageListener]:
        """Return listeners on all addresses of a host, or raise OSError with none of them left open."""
        before = set(self._sockets)
        common = {"map": self._sockets, "dispatcher": self._workers, "adj": given}
        try:
            return [listener(self._app, self._clock, sockinfo=place, **common) for place in given.listen]
        except OSError:
            wasyncore.close_all({key: self._sockets.pop(key) for key in set(self._sockets) - before})
            raise

    def _make_changes(self) -> None:
        while not self._due.empty():
            change, done = self._due.get()
            try:
                change()
                done.set_result(None)
            except Exception as error:  # who asked for it is told
                done.set_exception(error)

    def _close_surplus(self) -> None:
        closed = surplus(self.connections, self._limits)
        for connection in closed:
            connection.turn_away()
        if closed:
            whose = ", ".join(sorted({connection.network for connection in closed}))
            self._log.error(TooManyConnections(f"too many connections, some were closed: {whose}"))


# Https of a running table: from the start as the settings have it, or from when a phone is chosen as the camera


EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones are let in when a keeper chooses one
NOT_SERVED = say(
    "This table is not served by https. That begins when a phone is chosen under “Camera”, or with VANDER_HTTPS=true."
)
SHUT_IN = say("Vander serves this machine alone, by https too. Start it with VANDER_HOST=0.0.0.0 to let a phone in.")

_log = logging.getLogger(__name__)


class SecurePage:
    """The https of a table. Raises CertificateError where the settings want it, and it cannot be."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened = open_https(settings)
        self._served: HttpsService | None = None
        self._server: PageServer | None = None

    def serve(self, server: PageServer) -> None:
        """Begin as the settings have it. Where that fails, play goes on; the log and the doctor say why."""
        self._server = server
        if self._opened is not None and open_secure_port(server, self._settings, self._opened):
            self._served = self._opened

    def let_phones_in(self) -> None:
        """Serve the network by https, if it is not done already. Raises Refused (UNAVAILABLE)."""
        is_shut_in = is_loopback_host(self._settings.host)
        if self._served is not None:
            if is_shut_in and self._served is self._opened:
                raise Refused(SHUT_IN, Reason.UNAVAILABLE)
            return
        host = EVERYWHERE if is_shut_in else self._settings.host
        settings = self._settings.model_copy(update={"https": True, "host": host})
        try:
            found = open_https(settings)
            if found is not None:
                found.certificates.context()
                self._open(SecurePort(settings.https_port, found.certificates.context, host))
        except CertificateError as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
        except OSError as error:
            told = say(
                "A phone cannot come in: port {port} is not free. Choose another one with VANDER_HTTPS_PORT.",
                port=settings.https_port,
            )
            raise Refused(told, Reason.UNAVAILABLE) from error
        self._served = found

    def urls(self) -> Sequence[str]:
        """Return the addresses by which phones reach the page by https; () while it is not served."""
        return self._served.urls() if self._served is not None else ()

    def authority(self) -> BoxAuthority | None:
        """Return the box's own authority, None where the owner gave a certificate. Raises Refused."""
        return self._now().authority()

    def trouble(self) -> str:
        """Return what is wrong with the owner's certificate, in one sentence."""
        return self._now().trouble()

    def _now(self) -> HttpsService:
        if self._served is None:
            raise Refused(NOT_SERVED, Reason.NOT_FOUND)
        return self._served

    def _open(self, port: SecurePort) -> None:
        server = self._server
        if server is None:
            raise OSError("no page is served yet")
        server.between_passes(lambda: server.open_secure(port))


def open_secure_port(server: PageServer, settings: Settings, https: HttpsService) -> bool:
    """Serve https in addition to http; return False if that fails. Play continues, the log and the doctor say why."""
    try:
        https.certificates.context()
        server.open_secure(SecurePort(settings.https_port, https.certificates.context))
    except CertificateError as error:
        _log.warning("https is not served: %s", error)
    except OSError as error:
        _log.warning("https is not served: port %s: %s", settings.https_port, error.strerror or error)
    return bool(server.secure_port)


# A server at the address that the settings name, until a signal ends the program


SPARE_THREADS = 8
"""Threads of the server that answer what is no stream."""
LARGEST_REQUEST = 1 << 19
"""Bytes of a request's body that the server reads at all. The routes refuse less than it, with a sentence."""
LARGEST_IN_MEMORY = 1 << 17
"""Bytes of a request's body that wait in memory; the rest of a large picture waits in a file."""
LARGEST_HEADER = 1 << 14
LONGEST_BACKLOG = 4 << 20
"""Bytes that wait for a client to read them before a thread waits too: more than the answers it may ask for ahead."""


class PortTaken(OSError):
    """The address to serve on is not available; the message says why and what helps."""

    def __str__(self) -> str:
        return str(self.args[0])


def bind(settings: Settings, app: Flask, streams: int) -> PageServer:
    """Return a server that is bound to its port and waits for `run`; each stream has a thread. Raises PortTaken."""
    try:
        return PageServer(
            app,
            host=settings.host,
            port=settings.port,
            threads=streams + OWN_STREAMS + SPARE_THREADS,
            ident="vander",
            max_request_body_size=LARGEST_REQUEST,
            inbuf_overflow=LARGEST_IN_MEMORY,
            max_request_header_size=LARGEST_HEADER,
            outbuf_high_watermark=LONGEST_BACKLOG,
            on_stop=partial(end_streams, app),
            clear_untrusted_proxy_headers=False,  # by them the pages see that a request came through a proxy
        )
    except OSError as error:
        raise PortTaken(_describe_bind_error(settings, error)) from error


def _describe_bind_error(settings: Settings, error: OSError) -> str:
    place = f"{settings.host}:{settings.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is taken by another program; choose another port with --port or VANDER_PORT"
    return f"cannot serve on {place}: {error.strerror or error}"


def exit_on_signals() -> None:
    """End the program in order at Ctrl+C and SIGTERM, with all that it started."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell starts its background jobs with SIGINT ignored
        signal.signal(stop, _exit)


def _exit(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
