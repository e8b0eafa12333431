"""The web server: waitress, with limits that keep a guest's many connections from silencing the page for others.

By itself waitress stops accepting anybody at its limit of connections, takes each byte of a request that never ends
for a sign of life, waits for ever for a client that never reads, and measures by a clock that may be set back. Servers
that hold a thread for each connection (cheroot, gunicorn's gthread) are silenced by fewer; none counts by address.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from socket import socket
from ssl import SSLContext
from time import monotonic

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]  # waitress ships no types
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from vander.app.connection_limits import ConnectionLimits, is_overdue, surplus
from vander.app.tls_relay import TlsRelay
from vander.appliance.log_throttle import LogThrottle
from web.client_network import client_network

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
        self, server: PageListener, sock: socket, addr: SocketAddress, adj: Adjustments, map: SocketMap
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

    def cut(self, line: socket) -> None:
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

    def accept(self) -> tuple[socket, SocketAddress] | None:
        """Return a decrypted connection with the browser's address, None where nobody waits any more."""
        accepted = super().accept()
        if accepted is None:
            return None
        connection, address = accepted
        super().set_socket_options(connection)
        return self._relay.plain(connection), address

    def cut(self, line: socket) -> None:
        """End the encrypted side of a closed connection at once."""
        self._relay.cut(line)

    def set_socket_options(self, conn: socket) -> None:
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
        """The port that is listened on."""
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
            self._cleaned_at = self._clock()
            self._close_overdue()

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

    def _close_overdue(self) -> None:
        now = self._clock()
        for connection in self.connections:
            if is_overdue(connection, now, self._limits):
                connection.drop()
