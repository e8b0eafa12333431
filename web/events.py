"""Live events: every listening tablet gets each new snapshot at once, as server-sent events."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from threading import Event, Lock
from time import monotonic
from typing import Protocol, TypeVar

from flask import Blueprint, Flask, Response, current_app, request

from referee.sentences import Reason, Refused, say
from referee.snapshot import Snapshot
from web.authorization import Caller, SnapshotSource, caller, client_network, services, snapshot_source
from web.endpoints import CHANGE_REFUSALS, EVENT_STREAM, JSON, change_endpoint, json_endpoint, media_endpoint
from web.languages import ENGLISH, language, translations
from web.schemas.access_schemas import Role
from web.schemas.response_model import AddressLanguage, encode
from web.schemas.snapshot_response import snapshot_response
from web.schemas.snapshot_schemas import SnapshotResponse

blueprint = Blueprint("events", __name__)

_NOTHING_SEEN = -1
"""A number that no snapshot has, so that a new listener gets the present one at once."""
MOST_OF_ONE = 6
"""Streams of one tablet, and of all the watchers of one network together: a browser opens no more."""
OWN_STREAMS = 2
"""Streams of the box's own screen when tablets have taken all the others."""
ENDS_WITHIN_S = 0.25
"""How long a stream goes on after `end_streams`: so often it looks whether the program ends."""
RECENT = 6
"""Snapshots whose bytes are kept: a slow listener may still ask for the one before the newest, in its language."""


@dataclass(frozen=True)
class Listener:
    """Who listens: a paired tablet's number or a guest's network; if it only watches, or is the box's own screen."""

    who: Hashable
    watches: bool = False
    at_the_box: bool = False


@dataclass(frozen=True)
class EncodedSnapshot:
    """A snapshot with its bytes for the wire, in a language: `body` is its JSON, `event` the event that holds it."""

    snapshot: Snapshot
    language: str
    body: bytes
    event: bytes


class NumberedChange(Protocol):
    """What a stream tells of, by a number that grows with each change."""

    @property
    def number(self) -> int:
        """The number of the last change in it."""


Change = TypeVar("Change", bound=NumberedChange)


class SnapshotEncoder:
    """Turns each snapshot into JSON once for all who ask for it in one language. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._recent = deque[EncodedSnapshot](maxlen=RECENT)

    def encode(self, snapshot: Snapshot, language: str = ENGLISH) -> EncodedSnapshot:
        """Return a snapshot's bytes; whoever asks while they are made waits for them."""
        with self._lock:
            kept = (each for each in self._recent if each.snapshot is snapshot and each.language == language)
            found = next(kept, None)
            if found is None:
                body = encode(snapshot_response(snapshot), translations(language))
                found = EncodedSnapshot(snapshot, language, body, b"id: %d\ndata: %b\n\n" % (snapshot.number, body))
                self._recent.append(found)
            return found


class Streams:
    """The live streams: at most `most` at once, each with a heartbeat every `heartbeat_s` and an end after `stream_s`.

    Watchers take two thirds of the places at most, so that a crowd of them shuts out nobody who plays. The box's own
    screen has OWN_STREAMS more.
    """

    def __init__(self, most: int, heartbeat_s: float, stream_s: float) -> None:
        self.heartbeat_s = heartbeat_s
        self.stream_s = stream_s
        self.encoder = SnapshotEncoder()
        self._most, self._taken = most, Counter[Listener]()
        self._lock = Lock()
        self._over = Event()

    def end(self) -> None:
        """End all streams within ENDS_WITHIN_S, and every later one after its first lines. Any thread may call it."""
        self._over.set()

    def take(self, listener: Listener) -> bool:
        """Take a place; False when there is none left for this listener. Each is left once."""
        with self._lock:
            if self._is_full(listener) or self._taken[listener] >= MOST_OF_ONE:
                return False
            self._taken[listener] += 1
            return True

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._taken[listener] -= 1
            self._taken += Counter()  # drops those whose count is zero

    def _is_full(self, listener: Listener) -> bool:
        watching = sum(count for each, count in self._taken.items() if each.watches)
        if listener.watches and watching >= max(1, self._most * 2 // 3):
            return True
        return self._taken.total() >= self._most + OWN_STREAMS * listener.at_the_box

    def events(self, game: SnapshotSource, seen: int, language: str) -> Iterator[bytes]:
        """Yield every snapshot after the one numbered `seen`, and heartbeats, until the stream's time is over."""
        return self.follow(game.wait, lambda snapshot: self.encoder.encode(snapshot, language).event, seen)

    def follow(
        self, wait: Callable[[int, float], Change], event: Callable[[Change], bytes], seen: int
    ) -> Iterator[bytes]:
        """Yield the event of every change after the one numbered `seen`, and heartbeats, until the stream is over.

        `wait` returns the first change after a number, or the present state after so many seconds.
        """
        left, ends = self.stream_s, monotonic() + self.stream_s
        yield b"retry: 1000\n\n"
        while left > 0 and not self._over.is_set():  # the first time in any case: a slow machine hears the state too
            found = self._next(wait, seen, min(self.heartbeat_s, left))
            yield event(found) if found.number != seen else b": all is quiet\n\n"
            seen, left = found.number, ends - monotonic()

    def _next(self, wait: Callable[[int, float], Change], seen: int, timeout: float) -> Change:
        """Return the first change after `seen`, or the present state after `timeout` seconds or as streams end."""
        ends = monotonic() + timeout
        while True:
            left = ends - monotonic()
            found = wait(seen, max(0.0, min(ENDS_WITHIN_S, left)))
            if found.number != seen or left <= ENDS_WITHIN_S or self._over.is_set():
                return found


def end_streams(app: Flask) -> None:
    """End the live streams of an application, whose threads would else keep the program from ending."""
    streams: Streams = app.extensions["streams"]
    streams.end()


@json_endpoint(SnapshotResponse)
def snapshot_now() -> Response:
    """Return the present snapshot as an HTTP answer, with the same bytes that the live events hold."""
    return Response(_streams().encoder.encode(snapshot_source().snapshot(), language()).body, mimetype=JSON)


changes_game = change_endpoint(snapshot_now, *CHANGE_REFUSALS, role=Role.PLAYER)
"""Decorates a player's view that changes the game: the present snapshot is answered."""


@blueprint.get("/api/live")
@media_endpoint(EVENT_STREAM, Reason.INVALID, Reason.UNAVAILABLE, role=Role.WATCHER)
def live(query: AddressLanguage) -> Response:  # `language` reads it
    """Send each snapshot as it comes, with its number as the event's id, so that a reconnect goes on from there."""
    return open_stream(lambda streams: streams.events(snapshot_source(), last_seen(), language()))


def open_stream(events: Callable[[Streams], Iterator[bytes]]) -> Response:
    """Answer with a live stream, which takes one of the places. Raises Refused (UNAVAILABLE) where none is left."""
    response = Response(mimetype=EVENT_STREAM, headers={"X-Accel-Buffering": "no"})
    if request.method == "HEAD":
        return response
    streams, listener = _streams(), _listener(caller())
    if not streams.take(listener):
        raise Refused(say("Too many tablets are listening; close one that nobody looks at."), Reason.UNAVAILABLE)
    response.call_on_close(lambda: streams.leave(listener))
    response.response = events(streams)
    return response


def _streams() -> Streams:
    found: Streams = current_app.extensions["streams"]
    return found


def _listener(caller: Caller) -> Listener:
    """Return for whom a place is taken. Without an access service each stream is a stranger's own."""
    if services().access is None:
        return Listener(object())
    who = caller.tablet.number if caller.tablet else client_network(request.remote_addr or "")
    return Listener(who, caller.role is Role.WATCHER, caller.at_the_box)


def last_seen() -> int:
    """Return the number of the last event that a browser has seen, as it says on a reconnect; -1 for none."""
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() and len(last) < 16 else _NOTHING_SEEN
