"""Requests to the running Vander from the box itself, as a keeper: for commands that are typed there."""

from __future__ import annotations

import json
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from vander.access.pairing import BOX_KEY
from web.services.access_backend import COOKIE

TIMEOUT_S = 10.0
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "*": "127.0.0.1"}  # noqa: S104 - what a server listens on
"""Addresses of a server that listens on all interfaces, and where it is then reached."""


class ServerUnreachable(ConnectionError):
    """The running Vander does not answer or refuses; the message is one sentence."""


class ServerTimeout(ServerUnreachable):
    """A server is there, but did not answer in time."""


class RequestRefused(ServerUnreachable):
    """Vander answered with an error."""


class LocalClient:
    """A client of the Vander that runs on this box with this data folder and serves on this host and port.

    The key in the data folder makes whoever can read it a keeper; without it `trust_local` decides. A request waits
    `timeout_s` seconds for its answer.
    """

    def __init__(self, data_dir: Path, host: str, port: int, timeout_s: float = TIMEOUT_S) -> None:
        self._host, self._port, self._timeout_s = EVERYWHERE.get(host, host), port, timeout_s
        try:
            self._key = (data_dir / BOX_KEY).read_text("ascii").strip()
        except (OSError, ValueError):
            self._key = ""

    def get(self, path: str) -> dict[str, Any]:
        """Send GET and return the answer. Raises ServerUnreachable, or its ServerTimeout or RequestRefused."""
        return self._request("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send POST and return the answer. Raises ServerUnreachable."""
        return self._request("POST", path, json.dumps(body))

    def _request(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-Vander": "box", "Cookie": f"{COOKIE}={self._key}"}
        try:
            with closing(HTTPConnection(self._host, self._port, timeout=self._timeout_s)) as connection:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                status, body_json = answer.status, dict(json.loads(answer.read()))
        except TimeoutError as error:
            raise ServerTimeout(
                f"the Vander at {self._host}:{self._port} did not answer within {self._timeout_s:g} seconds; "
                "it is busy or hangs: try again in a moment"
            ) from error
        except (OSError, HTTPException, ValueError, TypeError) as error:
            raise ServerUnreachable(
                f"no Vander answers at {self._host}:{self._port}; start it with `vander play` or the service, "
                "or say with --port where it listens"
            ) from error
        if status != HTTPStatus.OK:
            raise RequestRefused(self._refusal(str(body_json.get("error", f"status {status}"))))
        return body_json

    def _refusal(self, sentence: str) -> str:
        hint = "" if self._key else "; run this as the user that Vander runs as"
        return f"Vander answers: {sentence.removesuffix('.')}{hint}"
