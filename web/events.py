"""Live events: every tablet hears each new snapshot within the moment, over server-sent events."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator
from threading import Lock
from time import monotonic

from flask import Blueprint, Response, current_app, request

from referee.refused import Reason, Refused
from referee.snapshot import Snapshot
from web.authorization import Caller, caller, requires
from web.schemas.snapshot_json import snapshot_json
from web.services.access_protocol import Role
from web.services.backends import backends
from web.services.game_protocol import GameBackend

blueprint = Blueprint("live", __name__)

_NOTHING_SEEN = -1
"""A number that no snapshot has, so that a new tablet hears the present one at once."""


MOST_OF_ONE = 6
"""So many streams one tablet may have, and all the watchers at one address together: a browser opens no more."""


class Streams:
    """How many tablets may listen at once, how often they hear a heartbeat, and for how long: both in seconds.

    Watchers take two thirds of the places at most, so that a crowd of them shuts out nobody who plays.
    """

    def __init__(self, most: int, heartbeat_s: float, stream_s: float) -> None:
        self.heartbeat_s = heartbeat_s
        self.stream_s = stream_s
        self._most, self._taken = most, Counter[tuple[bool, Hashable]]()
        self._lock = Lock()

    def take(self, who: Hashable, watches: bool) -> bool:
        """Take a place for a tablet or an address; False when there is none left. Each is left once."""
        with self._lock:
            watching = sum(count for (only_watches, _), count in self._taken.items() if only_watches)
            full = self._taken.total() >= self._most or (watches and watching >= max(1, self._most * 2 // 3))
            if full or self._taken[watches, who] >= MOST_OF_ONE:
                return False
            self._taken[watches, who] += 1
            return True

    def leave(self, who: Hashable, watches: bool) -> None:
        """Give a place back."""
        with self._lock:
            self._taken[watches, who] -= 1
            self._taken += Counter()  # forgets who has no place any more

    def events(self, desk: GameBackend, seen: int) -> Iterator[str]:
        """Every snapshot after the one numbered `seen`, as text for the wire, until the stream's time is over."""
        ends = monotonic() + self.stream_s
        yield "retry: 1000\n\n"
        while (left := ends - monotonic()) > 0:
            snapshot = desk.wait(seen, min(self.heartbeat_s, left))
            yield _event(snapshot) if snapshot.number != seen else ": all is quiet\n\n"
            seen = snapshot.number


@blueprint.get("/api/live")
@requires(Role.WATCHER)
def live() -> Response:
    """Snapshots as they come; each event is a whole one with its number as id, so a reconnect goes on from there."""
    response = Response(mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    if request.method == "HEAD":
        return response
    streams: Streams = current_app.extensions["streams"]
    place = _place(caller())
    if not streams.take(*place):
        raise Refused("Too many tablets are listening; close one that nobody looks at.", Reason.UNAVAILABLE)
    response.call_on_close(lambda: streams.leave(*place))
    response.response = streams.events(backends().game, _last_seen())
    return response


def _place(caller: Caller) -> tuple[Hashable, bool]:
    """For whom a place is taken, and whether a watcher takes it. Without a door every stream is somebody else's."""
    if backends().access is None:
        return object(), False
    return caller.tablet.number if caller.tablet else request.remote_addr, caller.role is Role.WATCHER


def _last_seen() -> int:
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() and len(last) < 16 else _NOTHING_SEEN


def _event(snapshot: Snapshot) -> str:
    return f"id: {snapshot.number}\ndata: {json.dumps(snapshot_json(snapshot))}\n\n"
