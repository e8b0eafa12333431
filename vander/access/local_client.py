"""Asking the running Vander from within the box, as its keeper: for commands that are typed on the box itself."""

from __future__ import annotations

import json
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from vander.access.pairing import BOX_KEY
from web.services.access_protocol import COOKIE

PATIENCE_S = 10.0
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "*": "127.0.0.1"}  # noqa: S104 - what a server listens on
"""What a server listens on everywhere, and where it is then asked."""


class ServerUnreachable(ConnectionError):
    """The running Vander does not answer, or will not; the message is one sentence."""


class ServerTimeout(ServerUnreachable):
    """Somebody is there, but did not answer as soon as was hoped."""


class RequestRefused(ServerUnreachable):
    """Vander answers, but does not do what it was asked for."""


class LocalClient:
    """The Vander that runs on this box with this data folder, at the host and the port that it was told to serve on.

    The key in the data folder makes who may read it a keeper; without it the box's own trust must do. An answer is
    waited for `patience_s` seconds.
    """

    def __init__(self, data_dir: Path, host: str, port: int, patience_s: float = PATIENCE_S) -> None:
        self._host, self._port, self._patience_s = EVERYWHERE.get(host, host), port, patience_s
        try:
            self._key = (data_dir / BOX_KEY).read_text("ascii").strip()
        except (OSError, ValueError):
            self._key = ""

    def get(self, path: str) -> dict[str, Any]:
        """What an address of the API answers. Raises ServerUnreachable, or its ServerTimeout or RequestRefused."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Tell an address of the API something. Raises ServerUnreachable."""
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-Vander": "box", "Cookie": f"{COOKIE}={self._key}"}
        try:
            with closing(HTTPConnection(self._host, self._port, timeout=self._patience_s)) as connection:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                status, told = answer.status, dict(json.loads(answer.read()))
        except TimeoutError as error:
            raise ServerTimeout(
                f"the Vander at {self._host}:{self._port} did not answer within {self._patience_s:g} seconds; "
                "it is busy or hangs: try again in a moment"
            ) from error
        except (OSError, HTTPException, ValueError, TypeError) as error:
            raise ServerUnreachable(
                f"no Vander answers at {self._host}:{self._port}; start it with `vander play` or the service, "
                "or say with --port where it listens"
            ) from error
        if status != HTTPStatus.OK:
            raise RequestRefused(self._refusal(str(told.get("error", f"status {status}"))))
        return told

    def _refusal(self, sentence: str) -> str:
        hint = "" if self._key else "; run this as the user that Vander runs as"
        return f"Vander answers: {sentence.removesuffix('.')}{hint}"
