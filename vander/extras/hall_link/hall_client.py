"""Requests of a table to its hall, over http or https."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

from urllib3 import PoolManager, Timeout
from urllib3.exceptions import HTTPError, NameResolutionError, NewConnectionError, SSLError
from urllib3.exceptions import TimeoutError as HTTPTimeout
from urllib3.response import BaseHTTPResponse

from referee.sentences import Remembered, message_of, say

CONNECT_S = 5.0
PATIENCE_S = 15.0
"""How long a hall may be silent, and how long its answer may take from the first byte to the last."""
LARGEST_ANSWER = 1 << 20
"""Bytes of an answer that are read."""
PIECE = 1 << 14
REDIRECTS, NO_SUCH_PAGE = range(300, 400), (404, 405)
CALLS = {"X-Vander": "table", "Content-Type": "application/json"}
"""Headers of each request: the first marks those that change something."""


class HallUnreachable(OSError):
    """The hall did not answer, or with what is no answer of a hall. The message is one sentence."""

    def __str__(self) -> str:
        return str(message_of(self))


class HallRefusal(RuntimeError):
    """The hall refuses. The message is the hall's sentence; `status` is that of HTTP."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class HallClient:
    """Sends requests to one hall. `authority` (PEM) is the certificate that vouches for it, '' for the system's."""

    def __init__(self, address: str, authority: str = "", patience_s: float = PATIENCE_S) -> None:
        self._address, self._patience_s = check_address(address), patience_s
        context = ssl.create_default_context(cadata=authority) if authority else None
        timeout = Timeout(connect=CONNECT_S, read=patience_s)
        self._pool = PoolManager(timeout=timeout, retries=False, ssl_context=context, maxsize=2)

    def post(self, path: str, body: Mapping[str, object], key: str = "") -> dict[str, Any]:
        """Send a request and return its answer. Raises HallUnreachable and HallRefusal."""
        headers = CALLS | ({"Authorization": f"Bearer {key}"} if key else {})
        try:
            answer = self._pool.request(
                "POST",
                self._address + path,
                body=encode_request(body),
                headers=headers,
                redirect=False,
                preload_content=False,
            )
        except (HTTPError, OSError) as error:
            raise self._unreachable(error) from error
        return self._read(answer)

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()

    def _unreachable(self, error: Exception) -> HallUnreachable:
        if _is_of_certificate(error):
            return HallUnreachable(
                say(
                    "The certificate of {address} is not the one that this table trusts. If that is right, leave the "
                    "hall and join again.",
                    address=self._address,
                )
            )
        return HallUnreachable(_no_answer(error, self._address))

    def _read(self, answer: BaseHTTPResponse) -> dict[str, Any]:
        if answer.status in REDIRECTS:
            answer.close()
            raise HallUnreachable(
                say("{address} sends this table elsewhere. Give the hall's own address.", address=self._address)
            )
        try:
            found = json.loads(_read_text(answer, self._patience_s))
        except (HTTPError, OSError, ValueError, RecursionError) as error:
            raise HallUnreachable(no_hall(self._address)) from error
        if not isinstance(found, dict) or answer.status in NO_SUCH_PAGE:
            raise HallUnreachable(no_hall(self._address))
        if answer.status == 500:  # what it says then is of its own program, and would be taken for the table's
            raise HallUnreachable(say("The hall fails at what this table sends. The hall's log says why."))
        if answer.status > 500:
            raise HallUnreachable(_sentence(found, say("The hall cannot take anything now.")))
        if answer.status != 200:
            raise HallRefusal(_sentence(found, say("The hall refuses what this table sends.")), answer.status)
        return found


def encode_request(body: Mapping[str, object]) -> bytes:
    """Return a request's body as it is sent."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _read_text(answer: BaseHTTPResponse, patience_s: float) -> bytes:
    """Return an answer's body. Raises ValueError for one that is too large or too slow; its connection is closed."""
    try:
        text = _read_all(answer.read1, patience_s)
    except BaseException:
        answer.close()
        raise
    answer.release_conn()
    return text


def _read_all(read: Callable[[int], bytes], patience_s: float = PATIENCE_S) -> bytes:
    """Return all that `read` brings, a piece at a time. Raises ValueError where that is too much or takes too long."""
    until, found = time.monotonic() + patience_s, bytearray()
    while piece := read(PIECE):
        found += piece
        if len(found) > LARGEST_ANSWER or time.monotonic() > until:
            raise ValueError("the answer is too large or too slow")
    return bytes(found)


def check_address(address: str) -> str:
    """Return a hall's address without what follows the port. Raises HallUnreachable for what is no address."""
    parts = _split(address)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise HallUnreachable(say("That is no address of a hall, such as https://hall.local:8443."))
    if parts.username is not None:
        raise HallUnreachable(say("The address of a hall holds no name and no password."))
    return f"{parts.scheme}://{parts.netloc}"


def _split(address: str) -> SplitResult | None:
    """Return the parts of an address, None for what is none."""
    try:
        parts = urlsplit(address.strip())
        return None if parts.port == 0 or not parts.netloc.isascii() or " " in parts.netloc else parts
    except ValueError:
        return None


def find_authority(address: str) -> str:
    """Return the certificate (PEM) of the authority that a hall made for itself; '' where the system vouches for it.

    It is taken on trust this once, when a person types the hall's code, and holds from then on.
    Raises HallUnreachable.
    """
    hall = check_address(address)
    if hall.startswith("http:"):
        return ""
    try:
        _get_certificate(PoolManager(timeout=Timeout(connect=CONNECT_S, read=PATIENCE_S), retries=False), hall).close()
    except (HTTPError, OSError) as error:
        if _is_of_certificate(error):
            return _fetch_authority(hall)
        raise HallUnreachable(_no_answer(error, hall)) from error
    return ""


def _get_certificate(pool: PoolManager, hall: str) -> BaseHTTPResponse:
    return pool.request("GET", hall + "/vander.crt", redirect=False, preload_content=False)


def _fetch_authority(hall: str) -> str:
    """Return what a hall says is its authority's certificate, over a connection that checks none."""
    place = urlsplit(hall)
    connection = HTTPSConnection(
        place.hostname or "",
        place.port,
        timeout=CONNECT_S,
        context=ssl._create_unverified_context(),  # noqa: S323 - it carries no secret, and what it brings is checked below
    )
    try:
        with closing(connection):
            connection.request("GET", "/vander.crt")
            found = _read_all(connection.getresponse().read1).decode("ascii")
        ssl.create_default_context(cadata=found)
    except (HTTPException, OSError, ValueError) as error:
        raise HallUnreachable(say("Nobody vouches for the certificate of {address}.", address=hall)) from error
    return found


def _is_of_certificate(error: Exception) -> bool:
    """True if a connection failed by the certificate of who answers."""
    return isinstance(error, SSLError) and isinstance(error.args[0], ssl.SSLCertVerificationError)


def _no_answer(error: Exception, address: str) -> str:
    """Return the sentence about a hall that does not answer."""
    if isinstance(error, NameResolutionError):
        return say("Nobody in this network is called {host}.", host=urlsplit(address).hostname or address)
    if isinstance(error, TimeoutError | HTTPTimeout) and not isinstance(error, NewConnectionError):
        return say("The hall at {address} takes too long to answer.", address=address)
    if isinstance(error, SSLError):
        return say("{address} does not speak https. Try http.", address=address)
    return say("The hall at {address} does not answer.", address=address)


def no_hall(address: str) -> str:
    """Return the sentence about an address where something else answers."""
    return say("What answers at {address} is no hall.", address=address)


def _sentence(found: object, otherwise: str) -> str:
    said = found.get("error") if isinstance(found, dict) else None
    return Remembered(said) if isinstance(said, str) and said and len(said) < 500 else otherwise
