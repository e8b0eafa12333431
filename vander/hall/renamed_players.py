"""Players whom no table knows by their name any more: what the hall keeps of it.

A player with another name stays the same player in tournaments, so that later games count there. Of a player who was
forgotten, tournaments keep the seed as a name: `Player 7`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import TypeAdapter
from sqlalchemy import delete, select, update
from sqlalchemy.engine import Connection

from referee.known_players import replace_name
from referee.player_names import as_read
from referee.seat_names import is_seat_name, seat_name
from vander.hall.hall_schema import (
    FIXTURE_TABLES,
    PLAYERS,
    SEATS,
    TOURNAMENT_DECISIONS,
    TOURNAMENTS,
    WAITING_PLAYERS,
)
from vander.tournaments.tournament import Entrant, Tournament

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
