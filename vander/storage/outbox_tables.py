"""The outbox of the journal: lines that still have to be sent to the hall. The journal passes the connection.

A line is written in the transaction of what it tells, so that there is one exactly if that happened (the pattern of a
transactional outbox, https://microservices.io/patterns/data/transactional-outbox.html). Its body is fixed then; its
hash holds the hash of the line before it, so that a copy of a journal that went another way is known by its hashes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Connection

from referee.journal import Entry
from vander.storage.journal_schema import GAMES, HALL_LINK, OUTBOX, KeptGame, entry_columns

NO_HASH = ""
"""The hash before the first line."""


@dataclass(frozen=True)
class OutboxLine:
    """A line: its number, counted from 1 without gaps, what it tells, its body as JSON text, and its hash.

    `kind` is `game` (one was begun), `entry`, `ended` (a game is over, or goes on after all), or `names` (players have
    other names now).
    """

    sequence: int
    kind: str
    body: str
    hash: str


@dataclass(frozen=True)
class OutboxHead:
    """How far the outbox of a pairing goes: the last line's number and hash, and how many lines the hall has taken."""

    link: str
    sequence: int = 0
    hash: str = NO_HASH
    taken: int = 0


def line_hash(previous: str, sequence: int, kind: str, body: str) -> str:
    """Return the hash of a line, 64 hexadecimal digits, by the hash of the line before it."""
    return sha256("\n".join((previous, str(sequence), kind, body)).encode()).hexdigest()


def outbox_head(connection: Connection) -> OutboxHead | None:
    """Return how far the outbox goes; None at a table that has joined no hall."""
    row = connection.execute(select(HALL_LINK)).first()
    return OutboxHead(row.link, row.sequence, row.hash, row.taken) if row else None


def waiting_lines(connection: Connection, after: int, most: int) -> tuple[OutboxLine, ...]:
    """Return the lines after a number, in order, at most so many."""
    wanted = select(OUTBOX).where(OUTBOX.c.sequence > after).order_by(OUTBOX.c.sequence).limit(most)
    return tuple(OutboxLine(*row) for row in connection.execute(wanted))


def hash_of_line(connection: Connection, sequence: int) -> str | None:
    """Return the hash of a line that is still kept, NO_HASH for the number 0, None for one that is not kept."""
    if sequence == 0:
        return NO_HASH
    found: str | None = connection.execute(select(OUTBOX.c.hash).where(OUTBOX.c.sequence == sequence)).scalar()
    return found


def drop_taken(connection: Connection, link: str, taken: int) -> None:
    """Delete the lines that the hall has acknowledged, except the last, whose hash the next line needs.

    Nothing is deleted where the table has left that pairing meanwhile.
    """
    noted = connection.execute(update(HALL_LINK).where(HALL_LINK.c.link == link).values(taken=taken))
    if noted.rowcount:
        connection.execute(delete(OUTBOX).where(OUTBOX.c.sequence < taken))


def follow_hall(connection: Connection, link: str) -> None:
    """Begin to tell a hall, under the name of this pairing, of each game that begins from now on."""
    leave_hall(connection)
    connection.execute(insert(HALL_LINK).values(link=link, sequence=0, hash=NO_HASH, taken=0))


def leave_hall(connection: Connection) -> None:
    """Tell no hall anything any more, and forget what one was told."""
    connection.execute(delete(HALL_LINK))
    connection.execute(delete(OUTBOX))
    connection.execute(update(GAMES).where(GAMES.c.told).values(told=False))


def tell_game(connection: Connection, game: KeptGame) -> None:
    if outbox_head(connection) is None:
        return
    connection.execute(update(GAMES).where(GAMES.c.id == game.number).values(told=True))
    body = {
        "number": game.number,
        "game": game.game,
        "players": list(game.players),
        "options": dict(game.options),
        "die_set": game.die_set,
        "started_at": _written(game.started_at),
        "clock_doubted": game.clock_doubted,
    }
    _tell(connection, [("game", body)])


def tell_entries(connection: Connection, game: int, entries: Iterable[Entry]) -> None:
    """Queue entries for the hall, if their game is reported to a hall."""
    if _is_told(connection, game):
        _tell(connection, [("entry", {"game": game, **entry_body(entry)}) for entry in entries])


def tell_ending(connection: Connection, game: int, at: datetime | None) -> None:
    """Queue the end of a game for the hall; `at` None means that the game was reopened."""
    if _is_told(connection, game):
        _tell(connection, [("ended", {"game": game, "at": at and _written(at)})])


def tell_names(connection: Connection, game: int, players: Sequence[str]) -> None:
    """Queue changed player names of a game for the hall."""
    if _is_told(connection, game):
        _tell(connection, [("names", {"game": game, "players": list(players)})])


def entry_body(entry: Entry) -> Mapping[str, object]:
    """Return an entry as JSON values, with the names of the columns of the journal's table."""
    return entry_columns(entry) | {"at": _written(entry.at)}


def _is_told(connection: Connection, game: int) -> bool:
    return bool(connection.execute(select(GAMES.c.told).where(GAMES.c.id == game)).scalar())


def _tell(connection: Connection, told: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    # SQLite lets one transaction write at a time; in PostgreSQL two may be here at once, and take turns at this row.
    connection.execute(select(HALL_LINK.c.link).with_for_update())
    head = outbox_head(connection)
    if head is None or not told:
        return
    lines, last = [], head.hash
    for sequence, (kind, body) in enumerate(told, start=head.sequence + 1):
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        last = line_hash(last, sequence, kind, text)
        lines.append({"sequence": sequence, "kind": kind, "body": text, "hash": last})
    connection.execute(insert(OUTBOX), lines)
    connection.execute(update(HALL_LINK).values(sequence=lines[-1]["sequence"], hash=last))


def _written(moment: datetime) -> str:
    return moment.isoformat()
