"""Requests of a table to its hall, over http or https."""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from urllib3 import HTTPResponse, PoolManager, Timeout
from urllib3.exceptions import HTTPError, SSLError
from urllib3.response import BaseHTTPResponse

from referee.sentences import say

TIMEOUT = Timeout(connect=5.0, read=15.0)
LARGEST_ANSWER = 1 << 20
"""Bytes of an answer that are read."""
CALLS = {"X-Vander": "table", "Content-Type": "application/json"}
"""Headers of each request: the first marks those that change something."""


class HallUnreachable(OSError):
    """The hall did not answer, or with what is no answer of a hall. The message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


class HallRefusal(RuntimeError):
    """The hall refuses. The message is the hall's sentence; `status` is that of HTTP."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class HallClient:
    """Sends requests to one hall. `authority` (PEM) is the certificate that vouches for it, '' for the system's."""

    def __init__(self, address: str, authority: str = "", timeout: Timeout = TIMEOUT) -> None:
        self._address = check_address(address)
        context = ssl.create_default_context(cadata=authority) if authority else None
        self._pool = PoolManager(timeout=timeout, retries=False, ssl_context=context, maxsize=2)

    def post(self, path: str, body: Mapping[str, object], key: str = "") -> dict[str, Any]:
        """Send a request and return its answer. Raises HallUnreachable and HallRefusal."""
        headers = CALLS | ({"Authorization": f"Bearer {key}"} if key else {})
        try:
            answer = self._pool.request(
                "POST",
                self._address + path,
                body=json.dumps(body).encode(),
                headers=headers,
                redirect=False,
                preload_content=False,
            )
        except (HTTPError, OSError) as error:
            raise HallUnreachable(say("The hall does not answer: {cause}", cause=_cause(error))) from error
        return self._read(answer)

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()

    def _read(self, answer: BaseHTTPResponse | HTTPResponse) -> dict[str, Any]:
        try:
            text = answer.read(LARGEST_ANSWER)
            found = json.loads(text)
        except (HTTPError, OSError, ValueError, RecursionError) as error:
            raise HallUnreachable(say("What answers at {address} is no hall.", address=self._address)) from error
        finally:
            answer.release_conn()
        if not isinstance(found, dict) or answer.status >= 500:
            raise HallUnreachable(_sentence(found, say("The hall cannot take anything now.")))
        if answer.status != 200:
            raise HallRefusal(_sentence(found, say("The hall refuses what this table sends.")), answer.status)
        return found


def check_address(address: str) -> str:
    """Return a hall's address without what follows the port. Raises HallUnreachable for what is no address."""
    parts = urlsplit(address.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
        raise HallUnreachable(
            say("{address} is no address of a hall, such as https://hall.local:8453.", address=repr(address))
        )
    return f"{parts.scheme}://{parts.netloc}"


def find_authority(address: str) -> str:
    """Return the certificate (PEM) of the authority that a hall made for itself; '' where the system vouches for it.

    It is taken on trust this once, when a person types the hall's code, and holds from then on.
    Raises HallUnreachable.
    """
    hall = check_address(address)
    if hall.startswith("http:"):
        return ""
    try:
        PoolManager(timeout=TIMEOUT, retries=False).request("GET", hall + "/vander.crt", redirect=False)
    except SSLError:
        return _fetch_authority(hall)
    except (HTTPError, OSError) as error:
        raise HallUnreachable(say("The hall does not answer: {cause}", cause=_cause(error))) from error
    return ""


def _fetch_authority(hall: str) -> str:
    trusting = PoolManager(timeout=TIMEOUT, retries=False, cert_reqs="CERT_NONE", assert_hostname=False)
    try:
        answer = trusting.request("GET", hall + "/vander.crt", redirect=False)
        found = answer.data.decode("ascii")
        ssl.create_default_context(cadata=found)
    except (HTTPError, OSError, ValueError) as error:
        raise HallUnreachable(
            say("The certificate of {address} is not vouched for by anybody.", address=hall)
        ) from error
    return found


def _sentence(found: object, otherwise: str) -> str:
    said = found.get("error") if isinstance(found, dict) else None
    return said if isinstance(said, str) and said and len(said) < 500 else otherwise


def _cause(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return " ".join(str(reason).split())[:200]
