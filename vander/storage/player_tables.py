"""The players and their seats in the journal's tables, within a connection that the journal gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import and_, delete, func, insert, or_, select, update
from sqlalchemy.engine import Connection

from referee.journal import Deed
from referee.known_players import KnownPlayer, first_look, replace_name, stand_in
from referee.player_names import as_read
from vander.storage.career_tables import drop_progress, drop_progress_of_player
from vander.storage.journal_schema import ENTRIES, GAMES, PLAYERS, SEATS
from vander.storage.outbox_tables import tell_names

NOTATION = (str(Deed.LAID), str(Deed.BLIND))
"""Deeds whose notes are in a notation of their own, which holds no names."""
NOBODY_KNOWN = 0
"""Stands for a player's number where nobody is remembered."""


def find_or_add_players(connection: Connection, names: Sequence[str], now: datetime) -> list[tuple[int, str]]:
    """Return the number and the remembered name of each player, who is added where the name is new.

    Of two names in one game that read alike, which older journals may hold, only the first is a player's.
    """
    found: list[tuple[int, str]] = []
    for name in names:
        if not as_read(name):
            found.append((NOBODY_KNOWN, name))
            continue
        known = _find(connection, name) or _add(connection, name.strip(), now)
        is_doubled = known[0] in (number for number, _ in found)
        found.append((NOBODY_KNOWN, name) if is_doubled else known)
    return found


def seat_players(connection: Connection, game: int, players: Sequence[int]) -> None:
    """Write who sits where in a game; the players are in the order of the seats."""
    rows = [
        {"game_id": game, "seat": seat, "player_id": player}
        for seat, player in enumerate(players, start=1)
        if player != NOBODY_KNOWN
    ]
    if rows:
        connection.execute(insert(SEATS), rows)


def list_players(connection: Connection) -> tuple[KnownPlayer, ...]:
    """Return the players who are not forgotten, in the order in which they came, with how many of their games ended."""
    games = func.count(GAMES.c.id)
    wanted = (
        select(PLAYERS, games.label("games"))
        .outerjoin(SEATS, SEATS.c.player_id == PLAYERS.c.id)
        .outerjoin(GAMES, and_(GAMES.c.id == SEATS.c.game_id, GAMES.c.ended_at.is_not(None)))
        .where(PLAYERS.c.forgotten_at.is_(None))
        .group_by(PLAYERS.c.id)
        .order_by(PLAYERS.c.id)
    )
    return tuple(
        KnownPlayer(row.id, row.name, row.colour, row.picture, row.made_at, row.games)
        for row in connection.execute(wanted)
    )


def remembered(connection: Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Return which of these numbers are those of players who are not forgotten."""
    wanted = select(PLAYERS.c.id).where(PLAYERS.c.id.in_(tuple(numbers)), PLAYERS.c.forgotten_at.is_(None))
    return frozenset(int(number) for number in connection.execute(wanted).scalars())


def find_known(connection: Connection, name: str) -> int:
    """Return the number of the player of that name, NOBODY_KNOWN where there is none."""
    found = _find(connection, name)
    return found[0] if found else NOBODY_KNOWN


def set_player(connection: Connection, number: int, **values: str) -> None:
    """Change a player's `name`, `colour` or `picture`; seats and notes keep the name that they have."""
    key = {"name_key": as_read(values["name"])} if "name" in values else {}
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(**values, **key))


def games_with_both(connection: Connection, one: int, other: int) -> list[int]:
    """Return the numbers of the games in which both players sat."""
    theirs = select(SEATS.c.game_id).where(SEATS.c.player_id == other)
    wanted = select(SEATS.c.game_id).where(SEATS.c.player_id == one, SEATS.c.game_id.in_(theirs))
    return [int(game) for game in connection.execute(wanted).scalars()]


def move_seats(connection: Connection, one: int, to: int) -> None:
    """Give all seats of one player to another, and delete the first."""
    drop_progress(connection)
    connection.execute(update(SEATS).where(SEATS.c.player_id == one).values(player_id=to))
    connection.execute(delete(PLAYERS).where(PLAYERS.c.id == one))


def blank_player(connection: Connection, number: int, now: datetime) -> None:
    """Keep of a player no more than a number, so that seats still point to it."""
    drop_progress_of_player(connection, number)
    nothing = {"name": "", "name_key": None, "colour": "", "picture": "", "forgotten_at": now}
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(**nothing))


def name_seats(connection: Connection, number: int, name: str) -> int:
    """Replace a player's name in every game, and in the notes and devices of entries; return in how many games.

    '' stands for a forgotten player: each seat is called by its number then. What was typed in another spelling is
    replaced too.
    """
    seats = dict(_seats_of(connection, number))
    spellings = {_spelling(connection, number)}
    games = 0
    for game, names in _games_with(connection, seats, spellings):
        changed = _renamed(names, seats.get(game, 0), spellings, name)
        swapped = {old: new for old, new in zip(names, changed, strict=True) if old != new}
        if swapped:
            games += 1
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(players=changed))
            _replace_in_notes(connection, game, swapped, [each for each in names if each not in swapped])
            tell_names(connection, game, changed)
        spellings |= swapped.keys()
    others = [player.name for player in list_players(connection) if player.number != number]
    for spelling in spellings - {""}:
        _replace_in_devices(connection, spelling, name or "Somebody", others)
    return games


def _find(connection: Connection, name: str) -> tuple[int, str] | None:
    row = connection.execute(select(PLAYERS.c.id, PLAYERS.c.name).where(PLAYERS.c.name_key == as_read(name))).first()
    return (row.id, row.name) if row else None


def _add(connection: Connection, name: str, now: datetime) -> tuple[int, str]:
    number = connection.execute(select(func.coalesce(func.max(PLAYERS.c.id), 0) + 1)).scalar_one()
    colour, picture = first_look(number)
    row = {"id": number, "name": name, "name_key": as_read(name), "colour": colour, "picture": picture, "made_at": now}
    connection.execute(insert(PLAYERS).values(row))
    return number, name


def _spelling(connection: Connection, number: int) -> str:
    return str(connection.execute(select(PLAYERS.c.name).where(PLAYERS.c.id == number)).scalar() or "")


def _seats_of(connection: Connection, number: int) -> Iterator[tuple[int, int]]:
    wanted = select(SEATS.c.game_id, SEATS.c.seat).where(SEATS.c.player_id == number)
    yield from ((row.game_id, row.seat) for row in connection.execute(wanted))


def _games_with(
    connection: Connection, seats: Mapping[int, int], spellings: Iterable[str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the games, with their names, in which the player sits or a name reads like the player's."""
    keys = {as_read(spelling) for spelling in spellings} - {""}
    for row in connection.execute(select(GAMES.c.id, GAMES.c.players).order_by(GAMES.c.id)).all():
        if row.id in seats or any(as_read(name) in keys for name in row.players):
            yield row.id, list(row.players)


def _renamed(names: Sequence[str], seat: int, spellings: Iterable[str], new: str) -> list[str]:
    """Return a game's names with the player's replaced; without a new name each seat is called by its number."""
    keys = {as_read(spelling) for spelling in spellings} - {""}
    theirs = [place == seat or as_read(name) in keys for place, name in enumerate(names, start=1)]
    others = [name for name, is_theirs in zip(names, theirs, strict=True) if not is_theirs]
    return [
        (new if new and place == seat else stand_in(place, others)) if is_theirs else name
        for place, (name, is_theirs) in enumerate(zip(names, theirs, strict=True), start=1)
    ]


def _replace_in_notes(connection: Connection, game: int, names: Mapping[str, str], others: Sequence[str]) -> None:
    said = or_(*(ENTRIES.c.note.contains(name, autoescape=True) for name in names))
    wanted = select(ENTRIES.c.number, ENTRIES.c.note).where(
        ENTRIES.c.game_id == game, ENTRIES.c.deed.not_in(NOTATION), said
    )
    for row in connection.execute(wanted).all():
        note = row.note
        for old, new in names.items():
            note = replace_name(note, old, new, others=others)
        entry = (ENTRIES.c.game_id == game, ENTRIES.c.number == row.number)
        connection.execute(update(ENTRIES).where(*entry).values(note=note))


def _replace_in_devices(connection: Connection, name: str, new: str, others: Sequence[str]) -> None:
    for device in connection.execute(select(ENTRIES.c.device).distinct()).scalars().all():
        renamed = replace_name(device, name, new, any_case=True, others=others)
        if renamed != device:
            connection.execute(update(ENTRIES).where(ENTRIES.c.device == device).values(device=renamed))
