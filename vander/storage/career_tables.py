"""How far players have come with the achievements, in the journal's tables, within a connection that is given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from referee.achievements import Achievement, Occasion, Progress, counting_method
from vander.storage.journal_schema import CAREERS, PLAYERS, SEATS


def read_progress(
    connection: Connection, player: int, achievements: Sequence[Achievement]
) -> tuple[Progress, ...] | None:
    """Return a player's progress as it is kept; None where it is not, or was counted by another method."""
    wanted = select(CAREERS).where(CAREERS.c.player_id == player, CAREERS.c.method == counting_method(achievements))
    occasions: dict[str, int] = {}
    levels: defaultdict[str, list[Occasion]] = defaultdict(list)
    for row in connection.execute(wanted.order_by(CAREERS.c.level)):
        if row.level:
            levels[row.achievement].append(Occasion(row.game, row.entry))
        else:
            occasions[row.achievement] = row.occasions
    if any(each.name not in occasions for each in achievements):
        return None
    return tuple(Progress(each, occasions[each.name], tuple(levels[each.name])) for each in achievements)


def write_progress(connection: Connection, player: int, found: Sequence[Progress]) -> None:
    """Write the progress of a player of whom none is kept."""
    method = counting_method([each.achievement for each in found])
    rows = [{"player_id": player, "method": method, **row} for each in found for row in _rows(each)]
    connection.execute(insert(CAREERS), rows)


def _rows(found: Progress) -> Iterator[dict[str, object]]:
    name = found.achievement.name
    yield {"achievement": name, "level": 0, "occasions": found.occasions, "game": 0, "entry": 0}
    for level, where in enumerate(found.levels, start=1):
        least = found.achievement.levels[level - 1]
        yield {"achievement": name, "level": level, "occasions": least, "game": where.game, "entry": where.entry}


def players_without_progress(connection: Connection, achievements: Sequence[Achievement]) -> list[int]:
    """Return the numbers of the remembered players whose progress is not kept, in order."""
    kept = select(CAREERS.c.player_id).where(CAREERS.c.method == counting_method(achievements))
    wanted = select(PLAYERS.c.id).where(PLAYERS.c.forgotten_at.is_(None), PLAYERS.c.id.not_in(kept))
    return [int(number) for number in connection.execute(wanted.order_by(PLAYERS.c.id)).scalars()]


def drop_progress_of_player(connection: Connection, player: int) -> None:
    """Delete a player's progress."""
    connection.execute(delete(CAREERS).where(CAREERS.c.player_id == player))


def drop_progress_of(connection: Connection, game: int) -> None:
    """Delete the progress of all players of a game, whose results go or come."""
    seated = select(SEATS.c.player_id).where(SEATS.c.game_id == game)
    connection.execute(delete(CAREERS).where(CAREERS.c.player_id.in_(seated)))


def drop_progress(connection: Connection) -> None:
    """Delete the progress of all players, as when two of them become one: their company counts."""
    connection.execute(delete(CAREERS))
