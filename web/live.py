"""Live events: every tablet hears each new snapshot within the moment, over server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import BoundedSemaphore
from time import monotonic

from flask import Blueprint, Response, current_app, request

from referee.journal import Snapshot
from web.desk import Desk, Turned
from web.snapshots import snapshot_json
from web.threshold import desk

room = Blueprint("live", __name__)

_NOTHING_SEEN = -1
"""A number that no snapshot has, so that a new tablet hears the present one at once."""


class Streams:
    """How many tablets may listen at once, how often they hear a heartbeat, and for how long: both in seconds."""

    def __init__(self, most: int, heartbeat_s: float, stream_s: float) -> None:
        self.places = BoundedSemaphore(most)
        self.heartbeat_s = heartbeat_s
        self.stream_s = stream_s

    def events(self, desk: Desk, seen: int) -> Iterator[str]:
        """Every snapshot after the one numbered `seen`, as text for the wire, until the stream's time is over."""
        ends = monotonic() + self.stream_s
        yield "retry: 1000\n\n"
        while (left := ends - monotonic()) > 0:
            snapshot = desk.wait(seen, min(self.heartbeat_s, left))
            yield _event(snapshot) if snapshot.number != seen else ": all is quiet\n\n"
            seen = snapshot.number


@room.get("/api/live")
def live() -> Response:
    """Snapshots as they come; each event is a whole one with its number as id, so a reconnect goes on from there."""
    response = Response(mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    if request.method == "HEAD":
        return response
    streams: Streams = current_app.extensions["streams"]
    if not streams.places.acquire(blocking=False):
        raise Turned("Too many tablets are listening; close one that nobody looks at.", 503)
    response.call_on_close(streams.places.release)
    response.response = streams.events(desk(), _last_seen())
    return response


def _last_seen() -> int:
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() and len(last) < 16 else _NOTHING_SEEN


def _event(snapshot: Snapshot) -> str:
    return f"id: {snapshot.number}\ndata: {json.dumps(snapshot_json(snapshot))}\n\n"
