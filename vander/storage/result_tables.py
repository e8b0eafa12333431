"""What ended games came to, in the journal's tables, within a connection that the journal gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, text
from sqlalchemy.engine import Connection, Row

from referee.dice import Die
from referee.feats import SeatFeat
from referee.game_results import METHOD, SeatResult
from referee.play_statistics import ALL_GAMES, GameSum, PastGame, PastGameFilter, PastSeat
from vander.storage.career_tables import drop_progress, drop_progress_of
from vander.storage.face_tables import ReadFace, write_faces
from vander.storage.feat_tables import write_feats
from vander.storage.journal_schema import COUNTED, ENTRIES, GAMES, READ_FACES, RESULTS, SEATS

_THEIRS = """
    FROM seats s
    JOIN results r ON r.game_id = s.game_id AND r.seat = s.seat
    JOIN games g ON g.id = r.game_id
    LEFT JOIN results o ON o.game_id = r.game_id AND o.seat = 2
    WHERE s.player_id = :player AND r.finished AND (:against = 0 OR EXISTS (
        SELECT 1 FROM seats t WHERE t.game_id = r.game_id AND t.player_id = :against))
"""
"""The finished games of a player: `o` is there in a game with other players."""
_ABOVE = 10_000_000_000
"""More than any game's number: points times this, less the number of their game, are highest for the most points in the
first game that brought them. So one pass finds both; sorting the games took twice as long as all other sums."""
SUMS = text(
    "\n".join(
        (
            "SELECT g.game, COUNT(*), COUNT(o.seat), SUM(CASE WHEN r.won AND o.seat IS NOT NULL THEN 1 ELSE 0 END),",
            f"AVG(r.score), MAX(r.score * {_ABOVE} - r.game_id), MAX(r.best_turn * {_ABOVE} - r.game_id),",
            "SUM(r.turns), SUM(r.throws), SUM(r.stops), SUM(r.stop_chance), SUM(r.stop_variance),",
            "SUM(r.points_luck), SUM(r.points_variance), SUM(r.risks), SUM(r.risk)",
            _THEIRS,
            "GROUP BY g.game ORDER BY g.game",
        )
    )
)


def uncounted_games(connection: Connection) -> list[int]:
    """Return the numbers of the ended games whose results are missing, or were counted by another method."""
    counted = select(RESULTS.c.game_id).where(RESULTS.c.method == METHOD)
    wanted = select(GAMES.c.id).where(GAMES.c.ended_at.is_not(None), GAMES.c.id.not_in(counted)).order_by(GAMES.c.id)
    return [int(number) for number in connection.execute(wanted).scalars()]


def write_results(  # noqa: PLR0913  # all that is counted of a game
    connection: Connection,
    game: int,
    results: Sequence[SeatResult],
    entries: int,
    *,
    feats: Sequence[SeatFeat] = (),
    faces: Mapping[ReadFace, int] | None = None,
) -> None:
    """Write what an ended game came to by so many `entries`, in place of what was counted before.

    With it the `feats` of the seats, and how often each face was read. Nothing is written of a game that has gone on
    since.
    """
    held = select(func.count()).where(ENTRIES.c.game_id == game).scalar_subquery()
    if not connection.execute(select(GAMES.c.id).where(GAMES.c.id == game, held == entries)).first():
        return
    drop_count(connection, game)
    drop_progress_of(connection, game)
    connection.execute(insert(RESULTS), [{"game_id": game, "method": METHOD, **asdict(result)} for result in results])
    write_feats(connection, game, feats)
    write_faces(connection, game, faces or {})


def drop_count(connection: Connection, game: int) -> None:
    """Delete what was counted of a game, and with it the progress of its players."""
    held = [connection.execute(delete(counted).where(counted.c.game_id == game)).rowcount for counted in COUNTED]
    if any(held):
        drop_progress_of(connection, game)


def delete_results(connection: Connection) -> None:
    """Delete all that was counted, so that every game is counted again."""
    for counted in COUNTED:
        connection.execute(delete(counted))
    drop_progress(connection)


def sum_games(connection: Connection, player: int, against: int = 0) -> tuple[GameSum, ...]:
    """Return a player's finished games, summed game by game; `against` another player only those of both."""
    who = {"player": player, "against": against}
    return tuple(
        GameSum(
            game, games, shared, wins, float(average), *_decoded(score), *_best_turn(connection, player, turn), *sums
        )
        for game, games, shared, wins, average, score, turn, *sums in connection.execute(SUMS, who).all()
    )


def _decoded(best: int) -> tuple[int, int]:
    """Return the points of `points * _ABOVE - game`, and the game."""
    points = best // _ABOVE + 1
    return points, points * _ABOVE - best


def _best_turn(connection: Connection, player: int, best: int) -> tuple[int, int, int]:
    """Return the points of a best turn, its game, and the entry that ended it."""
    points, game = _decoded(best)
    theirs = (SEATS.c.game_id == RESULTS.c.game_id) & (SEATS.c.seat == RESULTS.c.seat)
    wanted = select(RESULTS.c.best_entry).join(SEATS, theirs)
    entry = connection.execute(wanted.where(RESULTS.c.game_id == game, SEATS.c.player_id == player)).scalar_one()
    return points, game, int(entry)


def list_played(
    connection: Connection, wanted: PastGameFilter = ALL_GAMES, *, most: int = 0, number: int = 0
) -> tuple[PastGame, ...]:
    """Return the ended games that are wanted, the newest first, each with its seats.

    `most` of them, or that of a `number`, where these are given.
    """
    query = select(GAMES).where(GAMES.c.ended_at.is_not(None), *_narrowing(wanted)).order_by(GAMES.c.id.desc())
    query = query.where(GAMES.c.id == number) if number else query
    query = query.limit(most) if most else query
    games = connection.execute(query).all()
    lowest, highest = min((row.id for row in games), default=0), max((row.id for row in games), default=0)
    between = RESULTS.c.game_id.between(lowest, highest)
    results = {(row.game_id, row.seat): row for row in connection.execute(select(RESULTS).where(between))}
    seats = select(SEATS).where(SEATS.c.game_id.between(lowest, highest))
    known = {(row.game_id, row.seat): row.player_id for row in connection.execute(seats)}
    return tuple(_played(row, known, results) for row in games)


def _narrowing(wanted: PastGameFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a filter."""
    if wanted.before:
        yield GAMES.c.id < wanted.before
    if wanted.game:
        yield GAMES.c.game == wanted.game
    if wanted.die_set:
        yield GAMES.c.die_set == wanted.die_set
    if wanted.face:
        yield _has_read(wanted.face)
    for one in filter(None, (wanted.player, wanted.against)):
        yield GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player_id == one))


def _has_read(die: Die) -> ColumnElement[bool]:
    """Return whether a game has a throw in which the face of such a die was read."""
    faces = READ_FACES.c
    read = select(faces.game_id).where(faces.game_id == GAMES.c.id, faces.kind == die.kind, faces.read_as == die.face)
    return read.where(faces.truth == "").exists()


def _played(
    row: Row[Any], known: Mapping[tuple[int, int], int], results: Mapping[tuple[int, int], Row[Any]]
) -> PastGame:
    seats = tuple(
        PastSeat(seat, name, known.get((row.id, seat), 0), _result(results.get((row.id, seat))))
        for seat, name in enumerate(row.players, start=1)
    )
    return PastGame(row.id, row.game, row.started_at, row.ended_at, row.clock_doubted, seats)


def _result(row: Row[Any] | None) -> SeatResult | None:
    return SeatResult(*(getattr(row, name) for name in _FIELDS)) if row else None


_FIELDS = tuple(field.name for field in fields(SeatResult))
