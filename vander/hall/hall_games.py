"""The games of the hall: how its database keeps them, which is on each table, and what the pages show of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Select, and_, bindparam, case, delete, func, insert, nulls_first, or_, select, true, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.engine import Connection, Row

from referee.actions import GameState
from referee.dice import Die
from referee.game import Game
from referee.journal import Entry
from referee.known_players import as_read, replace_name
from referee.past_result import PastStep
from referee.phrases import is_seat_name, seat_name
from referee.sentences import Remembered, say
from referee.snapshot import Snapshot
from vander.extras.tournaments.tournament import Entrant, Tournament
from vander.hall.game_replays import EntryBody, GameBody, GameKey, GameReplay, GameReplays, GameSetUp, ToldLine
from vander.hall.hall_schema import (
    ENTRIES,
    FIXTURE_TABLES,
    GAMES,
    PLAYERS,
    QUARANTINED_LINES,
    SEATS,
    TABLES,
    TOURNAMENT_DECISIONS,
    TOURNAMENTS,
    WAITING_PLAYERS,
)
from vander.storage.journal_schema import read_entry
from vander.storage.player_tables import NOTATION
from web.schemas.hall_schemas import ShownGame, ShownSeat

# Players whom no table knows by their name any more: what the hall keeps of it
#
# A player with another name stays the same player in tournaments, so that later games count there. Of a player who
# was forgotten, tournaments keep the seed as a name: `Player 7`.


_TOURNAMENT = TypeAdapter(Tournament)


def follow_new_names(connection: Connection, names: Mapping[str, str]) -> None:
    """Let tournaments follow players of these old names who sit in no game any more and wait nowhere.

    `names` has for each old name the new one, which is that of a seat (`Player 2`) for a player who was forgotten.
    """
    for old, new in names.items():
        player = _number(connection, old)
        if player is None or _is_at_tables(connection, player):
            continue
        mentions = _tournaments_of(connection, player)
        stays = bool(mentions) and not is_seat_name(new) and _hand_over(connection, player, new)
        for number in mentions:
            _rename_entrant(connection, number, player, new)
        if not stays:
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == player))


def forget_strangers(connection: Connection, players: Sequence[int]) -> None:
    """Forget those of the players who sit in no game, wait nowhere and are in no tournament.

    Whom another program adds to one right now stays: `hall_games.find_or_add` holds a lock on that row.
    """
    unheld = select(PLAYERS.c.id).where(PLAYERS.c.id.in_(players)).with_for_update(skip_locked=True)
    for player in connection.execute(unheld).scalars().all():
        if not (_is_at_tables(connection, player) or _tournaments_of(connection, player)):
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == player))


def _hand_over(connection: Connection, player: int, new: str) -> bool:
    """Give a player the new name, and the seats of whoever was added by it; False where that is somebody else.

    Who waits at a table by the new name, or is in a tournament, is somebody else.
    """
    added = _number(connection, new)
    if added == player:
        return True
    if added is not None:
        waits = select(WAITING_PLAYERS.c.player_id).where(WAITING_PLAYERS.c.player_id == added)
        if _tournaments_of(connection, added) or connection.execute(waits.limit(1)).first() is not None:
            return False
        connection.execute(update(SEATS).where(SEATS.c.player_id == added).values(player_id=player))
        connection.execute(delete(PLAYERS).where(PLAYERS.c.id == added))
    values = {"name": new, "name_key": as_read(new)}
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == player).values(values))
    return True


def _rename_entrant(connection: Connection, number: int, player: int, new: str) -> None:
    """Give an entrant another name in a tournament, in what was decided there and in the calls to its tables."""
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == number).with_for_update()).one()
    tournament = _TOURNAMENT.validate_json(row.state)
    before = tournament.entrant(player)
    after = replace(before, name=str(seat_name(before.seed)) if is_seat_name(new) else new)
    entrants = tuple(after if one.player == player else one for one in tournament.entrants)
    state = _TOURNAMENT.dump_json(replace(tournament, entrants=entrants)).decode()
    values = {"state": state, "version": row.version + 1}
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == number).values(values))
    _rename_in_decisions(connection, number, before, after, [one.name for one in entrants if one is not after])
    _rename_in_calls(connection, number, before.name, after.name)


def _rename_in_decisions(
    connection: Connection, number: int, before: Entrant, after: Entrant, others: list[str]
) -> None:
    log = TOURNAMENT_DECISIONS
    held = (log.c.tournament_id == number, log.c.about.contains(before.name, autoescape=True))
    for row in connection.execute(select(log.c.id, log.c.about).where(*held)).all():
        about = replace_name(row.about, before.name, after.name, others=others)
        connection.execute(update(log).where(log.c.id == row.id).values(about=about))


def _rename_in_calls(connection: Connection, number: int, before: str, after: str) -> None:
    called = FIXTURE_TABLES
    wanted = select(called.c.id, called.c.invitation).where(called.c.tournament_id == number)
    for row in connection.execute(wanted).all():
        players = [after if name == before else name for name in row.invitation["players"]]
        if players != row.invitation["players"]:
            values = {"invitation": row.invitation | {"players": players}}
            connection.execute(update(called).where(called.c.id == row.id).values(values))


def _number(connection: Connection, name: str) -> int | None:
    found = connection.execute(select(PLAYERS.c.id).where(PLAYERS.c.name_key == as_read(name))).scalar()
    return None if found is None else int(found)


def _is_at_tables(connection: Connection, player: int) -> bool:
    sits = select(SEATS.c.player_id).where(SEATS.c.player_id == player)
    waits = select(WAITING_PLAYERS.c.player_id).where(WAITING_PLAYERS.c.player_id == player)
    return any(connection.execute(wanted.limit(1)).first() is not None for wanted in (sits, waits))


def _tournaments_of(connection: Connection, player: int) -> list[int]:
    wanted = (
        select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.state.contains(f'"player":{player},')).order_by(TOURNAMENTS.c.id)
    )
    return [int(number) for number in connection.execute(wanted).scalars()]


# The games of the hall in its database, and how they are written and read within a connection


CLOCK_OFF_S = 60.0
"""A table's clock that is further off than this is shown as wrong."""


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
    connection.execute(update(GAMES).where(_is(key)).values(**values))


def end_game(connection: Connection, key: GameKey, at: datetime | None, clock_off_s: float) -> None:
    """Write when a game ended, None for one that goes on; doubt its times if its table's clock was set meanwhile."""
    is_set = func.abs(func.coalesce(GAMES.c.clock_off_s, clock_off_s) - clock_off_s) > CLOCK_OFF_S
    update_game(connection, key, ended_at=at, clock_doubted=or_(GAMES.c.clock_doubted, is_set))


def is_clock_doubted(game: Row[Any]) -> bool:
    """True if nobody knows when a game was played: its table's clock was wrong, or was set meanwhile."""
    is_wrong = abs(game.clock_off_s or 0.0) > CLOCK_OFF_S
    return bool(game.clock_doubted or is_wrong or (game.ended_at or game.started_at) < game.started_at)


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


# What the pages of a hall show of a game, from where it stands. Pure


UNSCORED = "dice"
"""The game of plain dice, which are only counted."""
MOST_RULINGS = 12


def shown_game(number: int, replayed: GameReplay, *, ended: bool, refused: str = "") -> ShownGame:
    """Return a game in short; `ended` is True if its table says that it is over or was left."""
    game, state = replayed.game, replayed.state
    calls = replayed.reader.calls
    is_over = ended or not state.to_act
    ruling = calls[-1].sentence if calls else ""
    return ShownGame(number, game.name, game.title, _seats(game, state, is_over), ruling, is_over, refused)


def _seats(game: Game, state: GameState, is_over: bool) -> tuple[ShownSeat, ...]:
    scores = dict(enumerate(state.scores, start=1)) if game.name != UNSCORED else {}
    return tuple(
        ShownSeat(
            player.seat,
            player.name,
            scores.get(player.seat),
            acts=player.seat in state.to_act and not is_over,
            won=player.seat in state.winner,
        )
        for player in state.players
    )


def last_rulings(replayed: GameReplay) -> tuple[PastStep, ...]:
    """Return the last rulings that stand, the newest first; the scores are those after each."""
    standing = replayed.reader.replay().standing[-MOST_RULINGS:]
    return tuple(
        PastStep(entry.number, entry.at, ruling.action.player, ruling.calls, True, ruling.state.scores, "")
        for entry, ruling in reversed(standing)
    )


def last_dice(replayed: GameReplay) -> tuple[Die, ...]:
    """Return the dice of the last standing action that names any: those of the last throw, or that were moved."""
    standing = reversed(replayed.reader.replay().standing)
    return next((ruling.action.dice for _, ruling in standing if ruling.action.dice), ())


def game_snapshot(number: int, game: int, replayed: GameReplay, waits_for: str = "") -> Snapshot:
    """Return a game as a table's page shows it, without what only the table knows: offers, pictures, questions.

    `waits_for` is what the table says that it waits for, '' for what the game's state says.
    """
    state, found = replayed.state, replayed.reader.replay()
    return Snapshot(
        number,
        game=replayed.game,
        state=state,
        calls=found.calls,
        called=found.last,
        notice=waits_for or replayed.game.tell(state),
        notice_is_prompt=not waits_for,
        boards=replayed.game.boards(state),
        turn_points=replayed.game.turn_points(state),
        step=f"{game}.{found.last}",
    )


# Which game is on each table of the hall, from the database: one query for all tables, or for one


@dataclass(frozen=True)
class GameOnTable:
    """The game that is on a table, and when the hall last took something of it. `played` is None where none was."""

    played: ShownGame | None
    taken_at: datetime | None

    @property
    def number(self) -> int:
        """Return the game's number at its table, 0 for none."""
        return self.played.number if self.played else 0


NO_GAME = GameOnTable(None, None)


def table_rows(connection: Connection) -> Sequence[Row[Any]]:
    """Return the rows of the tables that were not removed, by name: Table 2 before Table 10."""
    found = connection.execute(select(TABLES).where(TABLES.c.removed_at.is_(None)))
    return sorted(found, key=lambda row: natural_order(row.name_key))


def natural_order(name: str) -> list[tuple[int, str]]:
    """Return by what a name is sorted among others: its numbers count as numbers."""
    words = re.findall(r"\d{1,15}|\D+|\d+", name)
    return [(int(word), "") if word.isdecimal() and len(word) <= 15 else (-1, word) for word in words]


def numbers_on_tables(connection: Connection, tables: Sequence[int]) -> dict[int, tuple[int, datetime]]:
    """Return the number of the game that is on each of these tables, and when the hall last took an entry of it."""
    rows = connection.execute(_on_tables().where(TABLES.c.id.in_(tables)))
    return {row.id: (row.game_id, row.last_at or row.taken_at) for row in rows}


def _on_tables() -> Select[Any]:
    """Return the query of the games on tables: one that goes on before one that is over, then what was told last."""
    played = (
        select(GAMES.c.game_id, GAMES.c.taken_at)
        .where(GAMES.c.table_id == TABLES.c.id)
        .order_by(nulls_first(GAMES.c.ended_at.desc()), GAMES.c.sequence.desc())
        .limit(1)
        .lateral()
    )
    last = (
        select(ENTRIES.c.taken_at.label("last_at"))
        .where(and_(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.game_id == played.c.game_id))
        .order_by(ENTRIES.c.number.desc())
        .limit(1)
        .lateral()
    )
    tables = TABLES.join(played, true()).outerjoin(last, true())
    return select(TABLES.c.id, played.c.game_id, played.c.taken_at, last.c.last_at).select_from(tables)


def read_game(connection: Connection, replays: GameReplays, key: GameKey) -> ShownGame | None:
    """Return a game in short; None where there is none. The caller holds the lock of the table."""
    row = game_row(connection, key)
    if row is None:
        return None
    replayed = kept_replay(connection, replays, key)
    if replayed is None:
        return unplayed_game(row)
    return shown_game(key[1], replayed, ended=row.ended_at is not None, refused=why_not_counted(row))


def unplayed_game(row: Row[Any]) -> ShownGame:
    """Return a game that the rules of today refuse: who sits there, and nothing of what they did."""
    seats = tuple(ShownSeat(seat, name, None, False, False) for seat, name in enumerate(row.players, start=1))
    refused = why_not_counted(row) or say("The rules of today refuse this game.")
    return ShownGame(row.game_id, row.game, row.game, seats, "", row.ended_at is not None, refused)


def kept_replay(connection: Connection, replays: GameReplays, key: GameKey) -> GameReplay | None:
    """Return a game's replay, and keep it; None where the rules of today refuse it. The caller holds the table's lock.

    That of a quarantined game is not kept: the intake would go on with it.
    """
    found = replays.get(key)
    if found is not None:
        return found
    row, found = game_row(connection, key), replay_game_or_none(connection, key)
    if row is not None and found is not None and row.standing != GameStanding.QUARANTINED:
        replays.keep(key, found)
    return found
