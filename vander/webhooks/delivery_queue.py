"""The queue of messages: what was put in is on disk, and stays until a receiver has taken it or it is given up.

A message is given up, and counted, where MOST_WAITING newer ones wait, where its receiver is gone, and where it is
older than OLDEST_S while the first that waits was tried TRIED times or more.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from models import atomic_files
from referee.error_messages import cause_of
from referee.sentences import say
from vander.storage.data_folder_names import WEBHOOK_QUEUE
from vander.storage.journal_schema import open_engine
from vander.storage.storage_errors import StorageError
from vander.webhooks.delivery_request import DeliveryAnswer
from vander.webhooks.delivery_tables import DELIVERIES, FOLLOWED, RECEIVERS, SOURCE, TOLD, WEBHOOK_TABLES
from vander.webhooks.webhook_events import WebhookEvent
from vander.webhooks.webhook_receivers import WebhookReceiver

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
        """Release the database."""
        self._engine.dispose()

    # What is put in

    def register(self, receivers: Sequence[WebhookReceiver]) -> None:
        """Take the receivers that there are now. What waits for one that is not there any more is thrown away."""
        digests = {each.name: each.url_digest for each in receivers}
        with self._writing() as connection:
            known = {row.name: row.url_digest for row in connection.execute(select(RECEIVERS))}
            for name in known.keys() - digests.keys():
                connection.execute(delete(RECEIVERS).where(RECEIVERS.c.name == name))
                connection.execute(delete(DELIVERIES).where(DELIVERIES.c.receiver == name))
            for name in digests.keys() - known.keys():
                connection.execute(insert(RECEIVERS).values(name=name, url_digest=digests[name]))
            for name in digests.keys() & known.keys():
                if digests[name] != known[name]:
                    moved = {"url_digest": digests[name], "is_gone": False, "failures": 0}
                    connection.execute(update(RECEIVERS).where(RECEIVERS.c.name == name).values(moved))

    def put(self, events: Iterable[WebhookEvent], receivers: Sequence[WebhookReceiver], followed: FollowedGame) -> None:
        """Put in what receivers want to hear, and keep up to where the game was told: both or neither."""
        with self._putting(events, receivers) as connection:
            connection.execute(delete(FOLLOWED).where(FOLLOWED.c.game == followed.game))
            row = {"game": followed.game, "entry": followed.entry, "is_over": followed.is_over}
            connection.execute(insert(FOLLOWED).values(row))

    def put_told(
        self, events: Iterable[WebhookEvent], receivers: Sequence[WebhookReceiver], told: Mapping[str, str]
    ) -> None:
        """Put in what receivers want to hear, and keep what was told of each subject: both or neither."""
        with self._putting(events, receivers) as connection:
            for subject, said in told.items():
                connection.execute(delete(TOLD).where(TOLD.c.subject == subject))
                connection.execute(insert(TOLD).values(subject=subject, told=said))

    def told(self, subjects: Iterable[str]) -> Mapping[str, str]:
        """Return the last message of each of these subjects; subjects without a message are left out."""
        with self._reading() as connection:
            rows = connection.execute(select(TOLD).where(TOLD.c.subject.in_(list(subjects)))).all()
        return {row.subject: row.told for row in rows}

    @contextmanager
    def _putting(self, events: Iterable[WebhookEvent], receivers: Sequence[WebhookReceiver]) -> Iterator[Connection]:
        now = int(self._clock())
        with self._writing() as connection:
            gone = set(connection.execute(select(RECEIVERS.c.name).where(RECEIVERS.c.is_gone)).scalars())
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
            rows = connection.execute(select(FOLLOWED)).all()
        return {row.game: FollowedGame(row.game, row.entry, row.is_over) for row in rows}

    @contextmanager
    def rewriting(self, change: Callable[[str], str]) -> Iterator[None]:
        """Change the bodies of the messages that wait, once the block is done; they keep their ids."""
        with self._writing() as connection:
            for row in connection.execute(select(DELIVERIES.c.number, DELIVERIES.c.body)).all():
                changed = change(row.body)
                if changed != row.body:
                    own = update(DELIVERIES).where(DELIVERIES.c.number == row.number)
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
        own = select(DELIVERIES).where(DELIVERIES.c.receiver == receiver).order_by(DELIVERIES.c.number).limit(1)
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
                connection.execute(delete(DELIVERIES).where(DELIVERIES.c.number == delivery.number))
            else:
                tried = update(DELIVERIES).where(DELIVERIES.c.number == delivery.number)
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
            connection.execute(update(RECEIVERS).where(RECEIVERS.c.name == receiver).values(values))

    def states(self) -> tuple[ReceiverState, ...]:
        """Return how each receiver does, in the order of their names."""
        waiting = select(
            DELIVERIES.c.receiver, func.count().label("waiting"), func.min(DELIVERIES.c.made_at).label("oldest")
        ).group_by(DELIVERIES.c.receiver)
        with self._reading() as connection:
            counts = {row.receiver: (row.waiting, row.oldest) for row in connection.execute(waiting)}
            rows = connection.execute(select(RECEIVERS).order_by(RECEIVERS.c.name)).all()
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
        connection.execute(insert(DELIVERIES).values(row))

    def _make_room(self, connection: Connection, receiver: str) -> None:
        own = select(DELIVERIES.c.number).where(DELIVERIES.c.receiver == receiver)
        newest = own.order_by(DELIVERIES.c.number.desc()).offset(MOST_WAITING - 1).limit(1)
        oldest_kept = connection.execute(newest).scalar()
        if oldest_kept is not None:
            self._drop(connection, receiver, DELIVERIES.c.number < oldest_kept)

    def _drop(self, connection: Connection, receiver: str, which: object) -> None:
        dropped = connection.execute(delete(DELIVERIES).where(DELIVERIES.c.receiver == receiver, which))  # type: ignore[arg-type]
        counted = update(RECEIVERS).where(RECEIVERS.c.name == receiver)
        connection.execute(counted.values(dropped=RECEIVERS.c.dropped + dropped.rowcount))

    def _note(self, connection: Connection, receiver: str, answer: DeliveryAnswer) -> None:
        failures = 0 if answer.is_taken else RECEIVERS.c.failures + 1
        values = {"failures": failures, "last_answer": str(answer), "tried_at": int(self._clock())}
        own = update(RECEIVERS).where(RECEIVERS.c.name == receiver)
        connection.execute(own.values({**values, "is_gone": answer.is_gone}))

    def _find_source(self) -> str:
        with self._writing() as connection:
            found = connection.execute(select(SOURCE.c.id)).scalar()
            if found is None:
                self.is_new = True
                found = secrets.token_hex(16)
                connection.execute(insert(SOURCE).values(id=found))
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
