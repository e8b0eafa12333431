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
from collections.abc import Callable, Collection
from contextlib import suppress
from threading import Thread
from typing import Final

from vander.access.https_certificates import CertificateError
from vander.appliance.log_throttle import LogThrottle

HANDSHAKE_S: Final = 10.0
"""Seconds in which a browser must agree on a key."""
GOODBYE_S: Final = 2.0
"""Seconds for a connection to end in good form before it is cut."""
PIECE: Final = 1 << 16
"""Bytes that are moved at once; asyncio holds twice as many for a connection before it stops reading."""


class TlsRelay:
    """A thread that decrypts connections, with the certificate that `context` returns at that time."""

    def __init__(self, context: Callable[[], ssl.SSLContext]) -> None:
        self._context = context
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.Task[None]] = set()
        self._log = LogThrottle(logging.getLogger(__name__), "https")
        self._thread = Thread(target=self._run, name="https", daemon=True)
        self._thread.start()

    def plain(self, connection: socket.socket) -> socket.socket:
        """Take a browser's connection over, and return its decrypted end. Any thread may call this."""
        ours, theirs = socket.socketpair()
        for one in (connection, ours):
            one.setblocking(False)
        self._loop.call_soon_threadsafe(self._start, connection, ours)
        return theirs

    def close(self) -> None:
        """Cut all connections and end the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            for task in self._open:
                task.cancel()
            self._loop.run_until_complete(_all(list(self._open)))
        finally:
            self._loop.close()

    def _start(self, connection: socket.socket, ours: socket.socket) -> None:
        task = self._loop.create_task(self._relay(connection, ours))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _relay(self, connection: socket.socket, ours: socket.socket) -> None:
        """Move bytes both ways until one side ends."""
        plain: asyncio.StreamWriter | None = None
        secure: asyncio.StreamWriter | None = None
        try:
            plain_reader, plain = await asyncio.open_connection(sock=ours, limit=PIECE)
            secure_reader, secure = await self._handshake(connection)
            ways = [
                asyncio.ensure_future(_move(secure_reader, plain)),
                asyncio.ensure_future(_move(plain_reader, secure)),
            ]
            _, left = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in left:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)  # a side that was cut off is no news
        except CertificateError as error:
            self._log.error(error)
        except (OSError, ssl.SSLError, asyncio.TimeoutError):  # noqa: UP041 - another class on Python 3.10 alone
            pass  # a browser that does not trust the certificate ends the connection so, and most scanners too
        finally:
            for writer, raw in ((secure, connection), (plain, ours)):
                await _end(writer, raw)

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


async def _move(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(PIECE):
        writer.write(piece)
        await writer.drain()


async def _end(writer: asyncio.StreamWriter | None, raw: socket.socket) -> None:
    """Close a connection with what is still to be sent, or cut it after GOODBYE_S."""
    if writer is None:
        raw.close()
        return
    with suppress(OSError, ssl.SSLError, asyncio.TimeoutError):  # as above
        writer.close()
        await asyncio.wait_for(writer.wait_closed(), GOODBYE_S)
    writer.transport.abort()
