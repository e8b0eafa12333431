"""Feats of ended games in the journal's tables, and a player's games with them, within a connection that is given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime

from sqlalchemy import String, cast, func, insert, select
from sqlalchemy.engine import Connection

from referee.achievements import CareerGame
from referee.feats import Feat, SeatFeat
from vander.storage.journal_schema import FEATS, GAMES, RESULTS, SEATS

BESIDES = (Feat.DECIDED, Feat.LUCKIEST)
"""Feats that a result shows and no achievement counts."""


def write_feats(connection: Connection, game: int, feats: Sequence[SeatFeat]) -> None:
    """Write the feats of a game that has none yet."""
    if feats:
        connection.execute(insert(FEATS), [{"game_id": game, **asdict(feat)} for feat in feats])


def list_feats(connection: Connection, game: int) -> tuple[SeatFeat, ...]:
    """Return the feats of a game, seat by seat."""
    wanted = select(FEATS).where(FEATS.c.game_id == game).order_by(FEATS.c.seat, FEATS.c.feat)
    return tuple(SeatFeat(row.seat, row.feat, row.entry, row.value) for row in connection.execute(wanted))


def read_career(connection: Connection, player: int) -> tuple[CareerGame, ...]:
    """Return a player's finished games, in the order in which they ended: one may have stood open for days."""
    theirs = SEATS.alias("theirs")
    with_feats = (
        select(FEATS.c.game_id, FEATS.c.feat, FEATS.c.entry)
        .join(theirs, (theirs.c.game_id == FEATS.c.game_id) & (theirs.c.seat == FEATS.c.seat))
        .where(theirs.c.player_id == player, FEATS.c.feat.not_in(BESIDES))
    )
    feats: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for game, feat, entry in connection.execute(with_feats):
        feats[game][feat] = entry
    company = func.aggregate_strings(cast(SEATS.c.player_id, String), " ").label("company")
    together = select(company).where(SEATS.c.game_id == GAMES.c.id).correlate(GAMES).scalar_subquery()
    wanted = (
        select(GAMES.c.id, GAMES.c.game, RESULTS.c.won, GAMES.c.ended_at, GAMES.c.clock_doubted, together)
        .join(theirs, theirs.c.game_id == GAMES.c.id)
        .join(RESULTS, (RESULTS.c.game_id == theirs.c.game_id) & (RESULTS.c.seat == theirs.c.seat))
        .where(theirs.c.player_id == player, RESULTS.c.finished)
        .order_by(GAMES.c.ended_at, GAMES.c.id)
    )
    return tuple(
        CareerGame(number, game, won, _day(ended, doubted), frozenset(map(int, seated.split())), feats.get(number, {}))
        for number, game, won, ended, doubted, seated in connection.execute(wanted)
    )


def _day(ended: datetime, is_doubted: bool) -> date | None:
    """Return the day on which a game ended, where the table stands."""
    return None if is_doubted else ended.astimezone().date()
