"""Https in front of the web server: each connection is decrypted here and handed on as a plain one.

waitress knows no TLS, and OpenSSL does not let two threads use one connection, as waitress's threads do. So one thread
with asyncio's TLS stands between: a browser's connection and one end of a socket pair, of which waitress has the other.
waitress keeps the browser's address, and with it all limits; what it closes is closed here too.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from threading import Thread
from typing import Final

from vander.access.https_certificates import CertificateError
from vander.appliance.log_throttle import LogThrottle

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
