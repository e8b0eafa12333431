"""The games of the hall in its database, and how they are written and read within a connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import and_, bindparam, case, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.engine import Connection, Row

from referee.journal import Entry
from referee.known_players import replace_name
from referee.player_names import as_read
from referee.sentences import Remembered
from vander.hall.game_replays import GameKey, GameReplay, GameSetUp
from vander.hall.hall_schema import (
    ENTRIES,
    GAMES,
    PLAYERS,
    QUARANTINED_LINES,
    SEATS,
)
from vander.hall.renamed_players import follow_new_names
from vander.hall.told_lines import EntryBody, GameBody, ToldLine
from vander.storage.journal_columns import read_entry
from vander.storage.player_tables import NOTATION


class GameStanding(StrEnum):
    """Status of a game in the hall: running, over, or quarantined because the rules refuse an entry.

    One that is RETOLD is over, and counts as another pairing has told it.
    """

    GOING = "going"
    OVER = "over"
    QUARANTINED = "quarantined"
    RETOLD = "retold"


@dataclass(frozen=True)
class TellingTable:
    """A table that tells of a game now: its number in the hall, and by how many seconds its clock is ahead."""

    number: int
    clock_off_s: float


def insert_game(
    connection: Connection, table: TellingTable, line: ToldLine, body: GameBody, files: tuple[str, Mapping[str, str]]
) -> GameSetUp | None:
    """Write a game that was begun, with its players in their seats; None, and nothing, where it was begun before.

    `files` are its die set's and its sheets.
    """
    die_set_file, sheets = files
    columns = {"game", "players", "options", "die_set", "started_at", "clock_doubted"}
    added = upsert(GAMES).values(
        table_id=table.number,
        clock_off_s=table.clock_off_s,
        game_id=body.number,
        die_set_file=die_set_file,
        sheets=dict(sheets),
        standing=GameStanding.GOING,
        sequence=line.sequence,
        scores=[],
        winner=[],
        taken_at=line.taken_at,
        **body.model_dump(include=columns),
    )
    if connection.execute(added.on_conflict_do_nothing().returning(GAMES.c.game_id)).scalar() is None:
        return None
    seats = [
        {"table_id": table.number, "game_id": body.number, "seat": seat, "player_id": player, "game": body.game}
        for seat, player in enumerate(find_or_add(connection, body.players, line.taken_at), start=1)
        if player
    ]
    if seats:
        connection.execute(insert(SEATS), seats)
    return GameSetUp(body.game, tuple(body.players), body.options, body.die_set, die_set_file, sheets)


def find_or_add(connection: Connection, names: Sequence[str], now: datetime) -> list[int]:
    """Return the number of each player, who is added where the name is new; 0 for a name that nobody can read.

    Until the transaction ends nobody forgets these players as strangers.
    """
    keys = {key: name.strip() for name in reversed(names) if (key := as_read(name))}
    known = _player_numbers(connection, keys)
    new = [{"name": keys[key], "name_key": key, "made_at": now} for key in sorted(keys.keys() - known.keys())]
    if new:
        connection.execute(upsert(PLAYERS).on_conflict_do_nothing(index_elements=["name_key"]), new)
        known = _player_numbers(connection, keys)
    found: list[int] = []
    for name in names:
        number = known.get(as_read(name), 0)
        found.append(0 if number in found else number)
    return found


def _player_numbers(connection: Connection, keys: Iterable[str]) -> Mapping[str, int]:
    wanted = select(PLAYERS.c.name_key, PLAYERS.c.id).where(PLAYERS.c.name_key.in_(keys))
    wanted = wanted.order_by(PLAYERS.c.id).with_for_update(read=True, key_share=True)
    return {row.name_key: row.id for row in connection.execute(wanted)}


def entry_row(table: int, line: ToldLine, body: EntryBody) -> dict[str, object]:
    """Return the row of an entry."""
    columns = body.model_dump(exclude={"game"})
    return columns | {
        "table_id": table,
        "game_id": body.game,
        "sequence": line.sequence,
        "taken_at": line.taken_at,
    }


def quarantine_line(
    connection: Connection, table: int, line: ToldLine | tuple[int, str, str, datetime], why: str
) -> None:
    """Keep a line as it came, and count it nowhere."""
    if isinstance(line, ToldLine):
        line = (line.sequence, line.kind, line.text, line.taken_at)
    sequence, kind, body, now = line
    row = {"table_id": table, "sequence": sequence, "kind": kind, "body": body, "reason": why, "taken_at": now}
    connection.execute(insert(QUARANTINED_LINES).values(row))


def game_row(connection: Connection, key: GameKey) -> Row[Any] | None:
    """Return the row of a game, None where there is none."""
    return connection.execute(select(GAMES).where(_is(key))).first()


def update_game(connection: Connection, key: GameKey, **values: object) -> None:
    """Change columns of a game."""
    connection.execute(update(GAMES).where(_is(key)).values(**values))


_BEFORE = GAMES.alias("before")
_STANDS = (
    update(GAMES)
    .where(
        GAMES.c.table_id == bindparam("table"),
        GAMES.c.game_id == bindparam("number"),
        GAMES.c.standing != GameStanding.QUARANTINED,
    )
    .values(
        standing=case(
            (GAMES.c.ended_at.is_(None), GameStanding.GOING),
            (GAMES.c.standing == GameStanding.RETOLD, GameStanding.RETOLD),
            else_=GameStanding.OVER,
        )
    )
    .returning(
        GAMES.c.ended_at,
        GAMES.c.standing,
        select(_BEFORE.c.standing)
        .where(_BEFORE.c.table_id == bindparam("table"), _BEFORE.c.game_id == bindparam("number"))
        .scalar_subquery()
        .label("was"),
    )
)
_SEAT_STANDS = update(SEATS).where(
    SEATS.c.table_id == bindparam("table"),
    SEATS.c.game_id == bindparam("number"),
    SEATS.c.seat == bindparam("of_seat"),
)


def write_standing(
    connection: Connection, key: GameKey, replayed: GameReplay, sequence: int
) -> tuple[GameStanding, GameStanding] | None:
    """Write where a game stands after its last line: scores, winners, and for each seat what it came to.

    The seats, which change with few entries, are written only where they differ from what was last written.
    Return its standing before and now; None for one that is quarantined.
    """
    state, of_game = replayed.state, {"table": key[0], "number": key[1]}
    stands = {"scores": list(state.scores), "winner": list(state.winner), "sequence": sequence}
    row = connection.execute(_STANDS.values(stands), of_game).first()
    if row is None:
        return None
    finished = row.standing == GameStanding.OVER and not state.to_act
    seats = [
        {
            "of_seat": player.seat,
            "score": state.scores[player.seat - 1] if state.scores else 0,
            "won": finished and player.seat in state.winner,
            "finished": finished,
            "ended_at": None if row.standing == GameStanding.RETOLD else row.ended_at,
        }
        for player in state.players
    ]
    if seats and seats != replayed.written:
        connection.execute(_SEAT_STANDS, [seat | of_game for seat in seats])
        replayed.written = seats
    return GameStanding(row.was), GameStanding(row.standing)


def set_names(connection: Connection, key: GameKey, names: Sequence[str], now: datetime) -> None:
    """Give the players of a game other names, in what was said of them too."""
    row = game_row(connection, key)
    if row is None:
        return
    swapped = {old: new for old, new in zip(row.players, names, strict=False) if old != new}
    if not swapped:
        return
    others = [name for name in row.players if name not in swapped]
    update_game(connection, key, players=list(names))
    for said in connection.execute(
        select(ENTRIES.c.number, ENTRIES.c.note).where(_of(key), ENTRIES.c.note != "", ENTRIES.c.deed.not_in(NOTATION))
    ).all():
        note = said.note
        for old, new in swapped.items():
            note = replace_name(note, old, new, others=others)
        if note != said.note:
            connection.execute(update(ENTRIES).where(_of(key), ENTRIES.c.number == said.number).values(note=note))
    for seat, number in enumerate(find_or_add(connection, names, now), start=1):
        if number:
            theirs = and_(SEATS.c.table_id == key[0], SEATS.c.game_id == key[1], SEATS.c.seat == seat)
            connection.execute(update(SEATS).where(theirs).values(player_id=number))
    _rename_in_quarantine(connection, key[0], swapped)
    follow_new_names(connection, swapped)


def quarantine_game(connection: Connection, key: GameKey, why: str) -> None:
    """Count a game nowhere any more, since the rules refuse what its table told of it."""
    count_no_more(connection, key, GameStanding.QUARANTINED, why)


def count_no_more(connection: Connection, key: GameKey, standing: GameStanding, why: str) -> None:
    """Count a game nowhere any more, for the reason of its standing and in a sentence."""
    update_game(connection, key, standing=standing, reason=why)
    theirs = and_(SEATS.c.table_id == key[0], SEATS.c.game_id == key[1])
    connection.execute(update(SEATS).where(theirs).values(won=False, finished=False, ended_at=None))


def _rename_in_quarantine(connection: Connection, table: int, names: Mapping[str, str]) -> None:
    """Replace names in the lines of a table that were kept apart."""
    lines = QUARANTINED_LINES
    for old, new in names.items():
        held = and_(lines.c.table_id == table, lines.c.body.contains(old, autoescape=True))
        for row in connection.execute(select(lines.c.sequence, lines.c.body).where(held)).all():
            one = and_(lines.c.table_id == table, lines.c.sequence == row.sequence)
            connection.execute(update(lines).where(one).values(body=replace_name(row.body, old, new)))


def why_not_counted(row: Row[Any]) -> str:
    """Return why a game counts nowhere, in a sentence that every language has; '' for one that may count."""
    is_out = row.standing in {GameStanding.QUARANTINED, GameStanding.RETOLD}
    return Remembered(row.reason, row.players) if is_out else ""


def read_set_up(row: Row[Any]) -> GameSetUp:
    """Return how a game was begun, from its row."""
    return GameSetUp(row.game, tuple(row.players), row.options, row.die_set, row.die_set_file, row.sheets)


def read_entries(connection: Connection, key: GameKey, players: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries of a game in order. Raises ValueError for one that cannot be read."""
    for row in connection.execute(select(ENTRIES).where(_of(key)).order_by(ENTRIES.c.number)):
        yield read_entry(row, players)


def replay_game(connection: Connection, key: GameKey) -> GameReplay | None:
    """Replay a game from its entries; None where there is none. Raises ValueError for one that cannot be replayed."""
    row = game_row(connection, key)
    if row is None:
        return None
    return GameReplay.of(read_set_up(row), read_entries(connection, key, row.players))


def replay_game_or_none(connection: Connection, key: GameKey) -> GameReplay | None:
    """Replay a game; None where there is none, or where the rules of today refuse it."""
    try:
        return replay_game(connection, key)
    except (ValueError, LookupError):
        return None


def _is(key: GameKey) -> Any:  # noqa: ANN401 - SQLAlchemy's own type of a condition is generic
    return and_(GAMES.c.table_id == key[0], GAMES.c.game_id == key[1])


def _of(key: GameKey) -> Any:  # noqa: ANN401 - as above
    return and_(ENTRIES.c.table_id == key[0], ENTRIES.c.game_id == key[1])
