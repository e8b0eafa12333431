"""How often each face was read in ended games, in the journal's tables, within a connection that the journal gives."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import func, insert, select
from sqlalchemy.engine import Connection

from vander.storage.journal_schema import GAMES, READ_FACES

ReadFace = tuple[str, str, str]
"""A kind of dice, the face as which one was read, and the face to which people corrected it, '' where nobody did."""


def write_faces(connection: Connection, game: int, faces: Mapping[ReadFace, int]) -> None:
    """Write how often each face was read in a game of which that is not written yet."""
    rows = [
        {"game_id": game, "kind": kind, "read_as": read_as, "truth": truth, "dice": dice}
        for (kind, read_as, truth), dice in faces.items()
    ]
    if rows:
        connection.execute(insert(READ_FACES), rows)


def sum_faces(connection: Connection, die_set: str) -> Mapping[ReadFace, int]:
    """Return how often each face of a die set was read in all ended games."""
    face = (READ_FACES.c.kind, READ_FACES.c.read_as, READ_FACES.c.truth)
    wanted = (
        select(*face, func.sum(READ_FACES.c.dice))
        .join(GAMES, GAMES.c.id == READ_FACES.c.game_id)
        .where(GAMES.c.die_set == die_set)
        .group_by(*face)
    )
    return {(kind, read_as, truth): int(dice) for kind, read_as, truth, dice in connection.execute(wanted)}


def die_sets_read(connection: Connection) -> tuple[str, ...]:
    """Return the names of the die sets of which a die was read in an ended game, in order."""
    with_faces = select(READ_FACES.c.game_id).where(READ_FACES.c.game_id == GAMES.c.id).exists()
    wanted = select(GAMES.c.die_set).where(with_faces).distinct().order_by(GAMES.c.die_set)
    return tuple(connection.execute(wanted).scalars())
