"""The assistant as a process of its own, and what reaches it from outside: a tablet's requests and a live stream."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

HOUSE = Path(__file__).parents[3]
START_S = 180.0
"""So long the assistant may take until it answers: a busy machine needs many seconds to load the models."""
ANSWER_S = 30.0
"""So long a request may take."""
HEADERS = {"Content-Type": "application/json", "X-Vander": "tablet"}
PROGRAM = "from vander.cli.main import main; main()"

Json = dict[str, Any]
Answer = tuple[int, Json]
"""The HTTP status and the JSON that came with it."""


class NotServed(RuntimeError):
    """The assistant did not come up."""


class Unanswered(ConnectionError):
    """Nobody answered: the assistant is gone, or it answers no more."""


class Assistant:
    """`vander play` with the virtual tray, of this checkout, in a session of its own."""

    def __init__(self, folder: Path, port: int, game: str = "intersection", **more: str) -> None:
        self.folder, self.port = folder, port
        self.log = folder.with_name(f"{folder.name}.log")
        self._words = ["play", "--camera", "virtual", "--port", str(port), "--game", game]
        self._environment = {**os.environ, "VANDER_DATA_DIR": str(folder), "PYTHONPATH": str(HOUSE), **more}
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    @property
    def pid(self) -> int:
        """The process's id, 0 before it was started."""
        return self._process.pid if self._process else 0

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> float:
        """Start it and wait until it answers; the seconds that took. Raises NotServed."""
        began = time.monotonic()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own words
                [sys.executable, "-c", PROGRAM, *self._words],
                cwd=HOUSE,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.starts += 1
        tablet = Tablet(self.port)
        while not tablet.reaches():
            if not self.alive or time.monotonic() - began > START_S:
                self.kill()
                raise NotServed(f"the assistant did not come up within {START_S:.0f} s; {self.log} says why")
            time.sleep(0.05)
        return time.monotonic() - began

    def kill(self) -> None:
        """End it as a pulled plug does: nothing is finished or written any more."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> int:
        """Ask it to leave as a service is asked to, and give its exit status."""
        if self._process is None:
            return 0
        self._process.terminate()
        try:
            return self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            return -9

    def said(self) -> list[str]:
        """The lines of its log."""
        return self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []


class Tablet:
    """Requests to the assistant, counted by their status. All raise Unanswered.

    `before` is told of each request that is about to be sent, and `after` of each answer that is JSON.
    """

    def __init__(
        self,
        port: int,
        before: Callable[[str], None] = lambda _: None,
        after: Callable[[str, int, Json], None] = lambda _path, _status, _json: None,
    ) -> None:
        self._port, self._before, self._after = port, before, after
        self.statuses: Counter[int] = Counter()
        self.refusals: Counter[str] = Counter()

    def reaches(self) -> bool:
        """Whether the table is served."""
        try:
            return self.look("/api/snapshot")[0] == 200
        except Unanswered:
            return False

    def look(self, path: str) -> Answer:
        """GET something that is JSON."""
        return self._asked("GET", path, None)

    def tell(self, path: str, **body: object) -> Answer:
        """POST a JSON object."""
        return self._asked("POST", path, json.dumps(body).encode())

    def fetch(self, path: str) -> tuple[int, bytes]:
        """GET something that is not JSON."""
        status, contents = self._send("GET", path, None)
        if status >= 400:
            self.refusals[f"{status} {path.split('/')[1]}"] += 1
        return status, contents

    def _asked(self, method: str, path: str, body: bytes | None) -> Answer:
        self._before(path)
        status, contents = self._send(method, path, body)
        found = _read(contents)
        if status >= 400:
            self.refusals[f"{status} {found.get('error', '(no sentence)')}"] += 1
        self._after(path, status, found)
        return status, found

    def _send(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_S)
        try:
            connection.request(method, path, body, HEADERS if body is not None else {})
            answer = connection.getresponse()
            contents = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unanswered(f"{method} {path} was not answered: {error!r}") from error
        finally:
            connection.close()
        self.statuses[answer.status] += 1
        return answer.status, contents


def _read(contents: bytes) -> Json:
    try:
        found = json.loads(contents)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class Listener:
    """A tablet that listens to the live events, connecting again whenever they end, and tells `hear` each snapshot."""

    def __init__(self, port: int, hear: Callable[[Mapping[str, Any]], None] = lambda _: None) -> None:
        self._port, self._hear = port, hear
        self._last = ""
        self._over = Event()
        self.connected = self.heard = 0
        self._thread = Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._over.set()
        self._thread.join(timeout=ANSWER_S)

    def _run(self) -> None:
        while not self._over.is_set():
            with suppress(OSError, http.client.HTTPException, ValueError):
                self._listen()
            self._over.wait(0.2)

    def _listen(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_S)
        try:
            connection.request("GET", "/api/live", headers={"Last-Event-ID": self._last} if self._last else {})
            answer = connection.getresponse()
            if answer.status == 200:
                self.connected += 1
                self._take_in(answer)
        finally:
            connection.close()

    def _take_in(self, answer: http.client.HTTPResponse) -> None:
        number = ""
        while not self._over.is_set() and (line := answer.readline()):
            name, _, value = line.decode("utf-8").rstrip("\n").partition(": ")
            if name == "id":
                number = value
            elif name == "data":
                self._hear(json.loads(value))
                self._last, self.heard = number, self.heard + 1
