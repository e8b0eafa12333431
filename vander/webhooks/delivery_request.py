"""One attempt to deliver a message: a POST that is over after TIMEOUT_S, whatever the receiver does."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from threading import Timer
from urllib.parse import urlsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from vander.webhooks.signature import signed_headers
from vander.webhooks.webhook_receivers import WebhookReceiver

TIMEOUT_S = 10.0
"""The longest that an attempt takes, from the connection to the head of the answer. The answer's body is not read."""
LONGEST_WAIT_S = 3600.0
"""The longest `Retry-After` that is heeded."""


@dataclass(frozen=True)
class DeliveryAnswer:
    """What came of an attempt: the status, 0 without an answer; why there was none; for how long to wait at least."""

    status: int
    cause: str = ""
    retry_after_s: float = 0.0

    @property
    def is_taken(self) -> bool:
        """True if the receiver has taken the message: a redirect, which nobody follows, is a failure."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_gone(self) -> bool:
        """True if the receiver wants no further messages."""
        return self.status == HTTPStatus.GONE

    def __str__(self) -> str:
        return f"HTTP {self.status}" if self.status else self.cause


def deliver(receiver: WebhookReceiver, message_id: str, body: bytes, timeout_s: float = TIMEOUT_S) -> DeliveryAnswer:
    """Send a message once. Raises nothing that a receiver or a network can cause."""
    headers = signed_headers(receiver.key, message_id, int(time.time()), body)
    line = _connection(receiver, timeout_s)
    deadline = Timer(timeout_s, _cut, (line,))  # a socket's own timeout begins anew with each byte that drips in
    deadline.daemon = True
    deadline.start()
    try:
        line.request("POST", _target(receiver.url), body=body, headers={**headers, **_PLAIN}, preload_content=False)
        answer = line.getresponse()
        return DeliveryAnswer(answer.status, retry_after_s=_retry_after(answer.headers.get("Retry-After", "")))
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        return DeliveryAnswer(0, _cause(error))
    finally:
        deadline.cancel()
        line.close()


_PLAIN = {"Content-Type": "application/json", "User-Agent": "Vander", "Connection": "close"}


def _connection(receiver: WebhookReceiver, timeout_s: float) -> HTTPConnection:
    parts = urlsplit(receiver.url)
    host = parts.hostname or ""
    if parts.scheme == "https":
        return HTTPSConnection(host, port=parts.port or 443, timeout=timeout_s, cert_reqs="CERT_REQUIRED")
    return HTTPConnection(host, port=parts.port or 80, timeout=timeout_s)


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


def _cut(line: HTTPConnection) -> None:
    with suppress(OSError, AttributeError):  # it may have no socket yet, or none any more
        line.sock.shutdown(socket.SHUT_RDWR)


def _cause(error: Exception) -> str:
    """Return what kind of failure it was: an error's own message may hold the address."""
    return type(error).__name__


def _retry_after(text: str) -> float:
    """Return the seconds that an answer asks to wait; 0 for a date, which few send."""
    return min(float(text), LONGEST_WAIT_S) if text.isascii() and text.isdigit() else 0.0
