"""Deliver messages: the queue keeps each on disk until its receiver has it, in order and again after a failure."""

from __future__ import annotations

import hashlib
import json
import logging
import random
import secrets
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from models import atomic_files
from referee.known_players import as_read, replace_name, stand_in
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, cause_of, say
from vander.extras.players.player_service import Renaming
from vander.extras.webhooks.receivers import WebhookEvent, WebhookReceiver, signed_headers
from vander.storage.data_folder import WEBHOOK_QUEUE, StorageError
from vander.storage.journal_schema import open_engine

# One attempt to deliver a message: a POST that is over after TIMEOUT_S, whatever the receiver does


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


# The tables of messages that wait to be delivered, at a table and in a hall


WEBHOOK_TABLES = sa.MetaData()
SOURCE = sa.Table("webhook_source", WEBHOOK_TABLES, sa.Column("id", sa.String(40), primary_key=True))
"""Where messages come from: one row with an id that chance gave, which is part of each message's id."""
RECEIVERS = sa.Table(
    "webhook_receivers",
    WEBHOOK_TABLES,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("url_digest", sa.String(64), nullable=False),
    sa.Column("is_gone", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column("last_answer", sa.Text, nullable=False, server_default=""),
    sa.Column("tried_at", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("dropped", sa.Integer, nullable=False, server_default="0"),
)
"""`failures`: attempts that failed since the last that did not. `tried_at`: seconds since 1970, 0 for never.
`dropped`: messages that were given up, until somebody has been told and resumes the receiver."""
DELIVERIES = sa.Table(
    "webhook_deliveries",
    WEBHOOK_TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("receiver", sa.String(40), nullable=False, index=True),
    sa.Column("message_id", sa.String(80), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.UniqueConstraint("receiver", "message_id"),
)
"""In the order of `number`, receiver by receiver. `made_at` is in seconds since 1970."""
FOLLOWED = sa.Table(
    "webhook_followed",
    WEBHOOK_TABLES,
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("entry", sa.Integer, nullable=False),
    sa.Column("is_over", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""Up to which entry each game of the journal has been told."""
TOLD = sa.Table(
    "webhook_told",
    WEBHOOK_TABLES,
    sa.Column("subject", sa.String(80), primary_key=True),
    sa.Column("told", sa.Text, nullable=False),
)
"""What a hall has told of each game and tournament, so that a change is found after a restart. It holds no names."""


# The queue of messages: what was put in is on disk, and stays until a receiver has taken it or it is given up
#
# A message is given up, and counted, where MOST_WAITING newer ones wait, where its receiver is gone, and where it is
# older than OLDEST_S while the first that waits was tried TRIED times or more.


MOST_WAITING = 2000
"""Messages that wait for one receiver, some 3 MB; the oldest give way."""
OLDEST_S = 24 * 3600
TRIED = 10


class BrokenQueue(StorageError):
    """The file of waiting messages cannot be read or written."""


@dataclass(frozen=True)
class Delivery:
    """A message that waits for a receiver."""

    number: int
    receiver: str
    message_id: str
    body: str
    made_at: int
    attempts: int


@dataclass(frozen=True)
class ReceiverState:
    """How a receiver does: what waits for it and since when (seconds since 1970), and what came of the last attempt."""

    name: str
    is_gone: bool
    failures: int
    last_answer: str
    tried_at: int
    dropped: int
    waiting: int = 0
    oldest: int = 0


@dataclass(frozen=True)
class FollowedGame:
    """Up to which entry a game was told, and whether it was told that it is over."""

    game: int
    entry: int
    is_over: bool = False


class DeliveryQueue:
    """The messages that wait, in a database of which this has the engine. Any thread may call. Raises BrokenQueue.

    `clock` gives the seconds since 1970.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine, self._clock = engine, clock
        try:
            WEBHOOK_TABLES.create_all(engine)
        except SQLAlchemyError as error:
            engine.dispose()
            raise _broken(error) from error
        self.is_new = False
        self.source = self._find_source()

    @classmethod
    def in_folder(cls, folder: Path, clock: Callable[[], float] = time.time) -> DeliveryQueue:
        """Return the queue of a data folder, whose file only its owner may read. Raises BrokenQueue."""
        path = folder / WEBHOOK_QUEUE
        try:
            if not path.exists():
                atomic_files.create_private(path).close()
        except OSError as error:
            raise BrokenQueue(say("{name} cannot be made: {cause}", name=path.name, cause=cause_of(error))) from error
        return cls(open_engine(URL.create("sqlite", database=str(path))), clock)

    def close(self) -> None:
        self._engine.dispose()

    # What is put in

    def register(self, receivers: Sequence[WebhookReceiver]) -> None:
        """Take the receivers that there are now. What waits for one that is not there any more is thrown away."""
        digests = {each.name: each.url_digest for each in receivers}
        with self._writing() as connection:
            known = {row.name: row.url_digest for row in connection.execute(sa.select(RECEIVERS))}
            for name in known.keys() - digests.keys():
                connection.execute(sa.delete(RECEIVERS).where(RECEIVERS.c.name == name))
                connection.execute(sa.delete(DELIVERIES).where(DELIVERIES.c.receiver == name))
            for name in digests.keys() - known.keys():
                connection.execute(sa.insert(RECEIVERS).values(name=name, url_digest=digests[name]))
            for name in digests.keys() & known.keys():
                if digests[name] != known[name]:
                    moved = {"url_digest": digests[name], "is_gone": False, "failures": 0}
                    connection.execute(sa.update(RECEIVERS).where(RECEIVERS.c.name == name).values(moved))

    def put(self, events: Iterable[WebhookEvent], receivers: Sequence[WebhookReceiver], followed: FollowedGame) -> None:
        """Put in what receivers want to hear, and keep up to where the game was told: both or neither."""
        with self._putting(events, receivers) as connection:
            connection.execute(sa.delete(FOLLOWED).where(FOLLOWED.c.game == followed.game))
            row = {"game": followed.game, "entry": followed.entry, "is_over": followed.is_over}
            connection.execute(sa.insert(FOLLOWED).values(row))

    def put_told(
        self, events: Iterable[WebhookEvent], receivers: Sequence[WebhookReceiver], told: Mapping[str, str]
    ) -> None:
        """Put in what receivers want to hear, and keep what was told of each subject: both or neither."""
        with self._putting(events, receivers) as connection:
            for subject, said in told.items():
                connection.execute(sa.delete(TOLD).where(TOLD.c.subject == subject))
                connection.execute(sa.insert(TOLD).values(subject=subject, told=said))

    def told(self, subjects: Iterable[str]) -> Mapping[str, str]:
        """Return the last message of each of these subjects; subjects without a message are left out."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(TOLD).where(TOLD.c.subject.in_(list(subjects)))).all()
        return {row.subject: row.told for row in rows}

    @contextmanager
    def _putting(self, events: Iterable[WebhookEvent], receivers: Sequence[WebhookReceiver]) -> Iterator[Connection]:
        now = int(self._clock())
        with self._writing() as connection:
            gone = set(connection.execute(sa.select(RECEIVERS.c.name).where(RECEIVERS.c.is_gone)).scalars())
            for event in events:
                for each in receivers:
                    if event.type in each.events and each.name not in gone:
                        self._insert(connection, each.name, event, now)
            yield connection
            for each in receivers:
                self._make_room(connection, each.name)

    def message_id(self, event: WebhookEvent) -> str:
        """Return the id of an event's message, the same whenever it is made. No full stop may be in it."""
        return f"msg_{hashlib.sha256(f'{self.source}.{event.key}'.encode()).hexdigest()[:32]}"

    def followed(self) -> dict[int, FollowedGame]:
        """Return up to where each game was told, by its number."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(FOLLOWED)).all()
        return {row.game: FollowedGame(row.game, row.entry, row.is_over) for row in rows}

    @contextmanager
    def rewriting(self, change: Callable[[str], str]) -> Iterator[None]:
        """Change the bodies of the messages that wait, once the block is done; they keep their ids."""
        with self._writing() as connection:
            for row in connection.execute(sa.select(DELIVERIES.c.number, DELIVERIES.c.body)).all():
                changed = change(row.body)
                if changed != row.body:
                    own = sa.update(DELIVERIES).where(DELIVERIES.c.number == row.number)
                    connection.execute(own.values(body=changed))
            yield

    def empty_log(self) -> None:
        """Empty the database's log, in which stands what was replaced."""
        with self._reading() as connection:
            alone = connection.execution_options(isolation_level="AUTOCOMMIT")
            busy, *_ = alone.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        if busy:
            raise BrokenQueue(say("the messages that wait for webhooks are in use"))

    # What is taken out

    def first(self, receiver: str) -> Delivery | None:
        """Return what is to be delivered to a receiver next: the oldest that waits, None for nothing."""
        own = sa.select(DELIVERIES).where(DELIVERIES.c.receiver == receiver).order_by(DELIVERIES.c.number).limit(1)
        with self._reading() as connection:
            row = connection.execute(own).one_or_none()
        if row is None:
            return None
        return Delivery(row.number, row.receiver, row.message_id, row.body, row.made_at, row.attempts)

    def settle(self, delivery: Delivery, answer: DeliveryAnswer) -> ReceiverState:
        """Take in what came of an attempt, and return how the receiver does now."""
        name = delivery.receiver
        with self._writing() as connection:
            if answer.is_taken:
                connection.execute(sa.delete(DELIVERIES).where(DELIVERIES.c.number == delivery.number))
            else:
                tried = sa.update(DELIVERIES).where(DELIVERIES.c.number == delivery.number)
                connection.execute(tried.values(attempts=DELIVERIES.c.attempts + 1))
            self._note(connection, name, answer)
            if answer.is_gone:
                self._drop(connection, name, DELIVERIES.c.number > 0)
            elif not answer.is_taken and delivery.attempts + 1 >= TRIED:
                self._drop(connection, name, DELIVERIES.c.made_at < int(self._clock()) - OLDEST_S)
        return next(state for state in self.states() if state.name == name)

    def resume(self, receiver: str) -> None:
        """Tell a receiver again after it was switched off, and forget how many messages were given up."""
        values = {"is_gone": False, "failures": 0, "dropped": 0}
        with self._writing() as connection:
            connection.execute(sa.update(RECEIVERS).where(RECEIVERS.c.name == receiver).values(values))

    def states(self) -> tuple[ReceiverState, ...]:
        """Return how each receiver does, in the order of their names."""
        waiting = sa.select(
            DELIVERIES.c.receiver, sa.func.count().label("waiting"), sa.func.min(DELIVERIES.c.made_at).label("oldest")
        ).group_by(DELIVERIES.c.receiver)
        with self._reading() as connection:
            counts = {row.receiver: (row.waiting, row.oldest) for row in connection.execute(waiting)}
            rows = connection.execute(sa.select(RECEIVERS).order_by(RECEIVERS.c.name)).all()
        return tuple(
            ReceiverState(
                row.name,
                row.is_gone,
                row.failures,
                row.last_answer,
                row.tried_at,
                row.dropped,
                *counts.get(row.name, (0, 0)),
            )
            for row in rows
        )

    # Parts

    def _insert(self, connection: Connection, receiver: str, event: WebhookEvent, now: int) -> None:
        row = {"receiver": receiver, "message_id": self.message_id(event), "body": event.body(), "made_at": now}
        connection.execute(sa.insert(DELIVERIES).values(row))

    def _make_room(self, connection: Connection, receiver: str) -> None:
        own = sa.select(DELIVERIES.c.number).where(DELIVERIES.c.receiver == receiver)
        newest = own.order_by(DELIVERIES.c.number.desc()).offset(MOST_WAITING - 1).limit(1)
        oldest_kept = connection.execute(newest).scalar()
        if oldest_kept is not None:
            self._drop(connection, receiver, DELIVERIES.c.number < oldest_kept)

    def _drop(self, connection: Connection, receiver: str, which: object) -> None:
        dropped = connection.execute(sa.delete(DELIVERIES).where(DELIVERIES.c.receiver == receiver, which))  # type: ignore[arg-type]
        counted = sa.update(RECEIVERS).where(RECEIVERS.c.name == receiver)
        connection.execute(counted.values(dropped=RECEIVERS.c.dropped + dropped.rowcount))

    def _note(self, connection: Connection, receiver: str, answer: DeliveryAnswer) -> None:
        failures = 0 if answer.is_taken else RECEIVERS.c.failures + 1
        values = {"failures": failures, "last_answer": str(answer), "tried_at": int(self._clock())}
        own = sa.update(RECEIVERS).where(RECEIVERS.c.name == receiver)
        connection.execute(own.values({**values, "is_gone": answer.is_gone}))

    def _find_source(self) -> str:
        with self._writing() as connection:
            found = connection.execute(sa.select(SOURCE.c.id)).scalar()
            if found is None:
                self.is_new = True
                found = secrets.token_hex(16)
                connection.execute(sa.insert(SOURCE).values(id=found))
            return str(found)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _broken(error) from error

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _broken(error) from error


def _broken(error: SQLAlchemyError) -> BrokenQueue:
    """Return the error with the database's own reason: SQLAlchemy's message would quote the messages that wait."""
    why = " ".join(str(getattr(error, "orig", None) or type(error).__name__).split())
    return BrokenQueue(say("the messages that wait for webhooks cannot be kept: {cause}", cause=why))


# A receiver's own thread: it delivers what waits in order, and waits longer after each failure


log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 5.0, 3600.0
"""The pause after the first failure; it doubles with each further one, up to the longest: some 33 attempts in a day."""
JITTER = 0.2
"""By so much of itself a pause may be longer, so that receivers that failed together are not asked together."""
LOOK_S = 60.0
"""How often the queue is looked at where nobody says that something was put in."""
QUEUE_PAUSE_S = 30.0


def pause_after(failures: int, answer: DeliveryAnswer, chance: float) -> float:
    """Return the seconds until the next attempt, after so many failures in a row; `chance` is 0 to 1."""
    doubled = min(FIRST_PAUSE_S * 2.0 ** min(failures - 1, 20), LONGEST_PAUSE_S)
    return max(doubled * (1 + JITTER * chance), answer.retry_after_s)


class DeliveryThread:
    """Delivers to one receiver from `start` to `close`. A receiver that hangs or fails holds up nobody else."""

    def __init__(
        self,
        queue: DeliveryQueue,
        receiver: WebhookReceiver,
        post: Callable[[WebhookReceiver, str, bytes], DeliveryAnswer] = deliver,
        pause: Callable[[int, DeliveryAnswer, float], float] = pause_after,
    ) -> None:
        self._queue, self._receiver, self._post, self._pause = queue, receiver, post, pause
        self._over, self._news = Event(), Event()
        self._thread = Thread(target=self._deliver, name=f"webhooks-{receiver.name}", daemon=True)

    def start(self) -> None:
        """Begin to deliver what waits."""
        self._thread.start()

    def wake(self) -> None:
        """Look at the queue now, unless a pause after a failure is on."""
        self._news.set()

    def close(self) -> None:
        """Deliver no more. An attempt that is under way is left alone: what it delivers may be delivered once more."""
        self._over.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(0.5)

    def _deliver(self) -> None:
        while not self._over.is_set():
            try:
                self._over.wait(self._deliver_next())
            except BrokenQueue as error:
                if not self._over.is_set():
                    log.warning("webhooks: %s: queue not read: %s", self._receiver.name, error)
                self._over.wait(QUEUE_PAUSE_S)

    def _deliver_next(self) -> float:
        """Deliver the first message that waits, or wait for one; return for how many seconds to pause then."""
        self._news.clear()
        delivery = self._queue.first(self._receiver.name)
        if delivery is None:
            self._news.wait(LOOK_S)
            return 0.0
        answer = self._post(self._receiver, delivery.message_id, delivery.body.encode())
        before = delivery.attempts
        state = self._queue.settle(delivery, answer)
        if answer.is_taken or answer.is_gone:
            if answer.is_gone:
                log.warning("webhooks: %s: switched off: it answered 410 Gone", state.name)
            return 0.0
        if before == 0 and state.failures == 1:
            log.warning("webhooks: %s: not delivered, trying again: %s", state.name, answer)
        return self._pause(state.failures, answer, random.random())  # noqa: S311  # nobody has to not guess it


# Other names of players in the messages that wait: who is forgotten is named in none of them


_log = logging.getLogger(__name__)

Names = Callable[[Mapping[str, Any]], Mapping[str, str]]
"""Returns the new names of players by the old ones, from the `data` of a message."""


def with_names(body: str, names: Names) -> str:
    """Return a message in which players have other names, in what is said of them too; itself where none has."""
    message = json.loads(body)
    data = message["data"]
    new = names(data)
    if not new:
        return body
    players = named_in(data)
    everybody = [player["name"] for player in players]
    for said in (data, *data.get("calls", ())):
        said["sentence"] = _renamed(said["sentence"], new, everybody)
    for player in players:
        player["name"] = new.get(player["name"], player["name"])
    return json.dumps(message, ensure_ascii=False)


def named_in(data: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """Return the players whom a message names."""
    return [player for player in data.get("players") or () if player]


def renaming_with(phones: Renaming, data_dir: Path) -> Renaming:
    """Return what gives a player another name on the phones and in the messages that wait in a data folder."""

    @contextmanager
    def renaming(old: str, new: str, others: Collection[str]) -> Iterator[None]:
        with _renaming_in_queue(data_dir, old, new), phones(old, new, others):
            yield

    return renaming


@contextmanager
def _renaming_in_queue(data_dir: Path, old: str, new: str) -> Iterator[None]:
    """Give a player another name in the messages that wait, after the block if that succeeds.

    Raises Refused (UNAVAILABLE) before the block. What fails after it is logged: the name is gone elsewhere by then.
    """
    until_done = ExitStack()
    if (data_dir / WEBHOOK_QUEUE).exists():
        try:
            queue = DeliveryQueue.in_folder(data_dir)
            until_done.callback(queue.close)
            until_done.callback(queue.empty_log)
            until_done.enter_context(queue.rewriting(lambda body: with_names(body, partial(_named, old, new))))
        except BrokenQueue as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
    with _logged_failure(), until_done:
        yield


@contextmanager
def _logged_failure() -> Iterator[None]:
    try:
        yield
    except BrokenQueue as error:
        _log.warning("webhooks: a name may still stand in messages that wait: %s", error)


def _named(old: str, new: str, data: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the new name of a player in a message, '' for one who is forgotten."""
    others = [one["name"] for one in named_in(data) if as_read(one["name"]) != as_read(old)]
    theirs = [one for one in named_in(data) if as_read(one["name"]) == as_read(old)]
    return {one["name"]: new or stand_in(one["seat"], others) for one in theirs}


def _renamed(text: str, new: Mapping[str, str], everybody: Collection[str]) -> str:
    for old, name in new.items():
        text = replace_name(text, old, name, others=[other for other in everybody if other != old])
    return text
