"""JSON of a hall's tables as people watch them: all of them in short, one whole, and its games entry by entry."""

from __future__ import annotations

from dataclasses import dataclass

from web.schemas.board_response import dice_schema
from web.schemas.board_schemas import BoardDie
from web.schemas.hall_table_values import (
    PastTableGame,
    ShownGame,
    ShownSeat,
    ShownTable,
    TablesChange,
    TableStage,
    TableTrouble,
    WatchedTable,
)
from web.schemas.history_schemas import PastStepSchema
from web.schemas.response_model import Count, ResponseModel
from web.schemas.season_schemas import HallGameSchema
from web.schemas.snapshot_response import snapshot_response
from web.schemas.snapshot_schemas import SnapshotResponse


@dataclass(frozen=True)
class ShownSeatSchema(ResponseModel):
    """A seat of the game on a table."""

    seat: Count
    name: str
    score: int | None
    """null where nothing is scored."""
    acts: bool
    won: bool

    @classmethod
    def of(cls, seat: ShownSeat) -> ShownSeatSchema:
        """Return the JSON of a seat."""
        return cls(seat.seat, seat.name, seat.score, seat.acts, seat.won)


@dataclass(frozen=True)
class ShownGameSchema(ResponseModel):
    """The game on a table in short."""

    number: Count
    name: str
    title: str
    seats: tuple[ShownSeatSchema, ...]
    ruling: str
    """The referee's last sentence, '' before the first."""
    is_over: bool
    refused: str
    """Why the hall does not count it, or ''."""

    @classmethod
    def of(cls, game: ShownGame) -> ShownGameSchema:
        """Return the JSON of a game."""
        seats = tuple(map(ShownSeatSchema.of, game.seats))
        return cls(game.number, game.name, game.title, seats, game.ruling, game.is_over, game.refused)


@dataclass(frozen=True)
class ShownTableSchema(ResponseModel):
    """A table as all tables are shown."""

    number: Count
    name: str
    stage: TableStage
    troubles: tuple[TableTrouble, ...]
    reason: str
    """Why it is quarantined, or ''."""
    game: ShownGameSchema | None

    @classmethod
    def of(cls, table: ShownTable) -> ShownTableSchema:
        """Return the JSON of a table."""
        game = ShownGameSchema.of(table.game) if table.game else None
        return cls(table.number, table.name, table.stage, table.troubles, table.reason, game)


@dataclass(frozen=True)
class TablesChangeResponse(ResponseModel):
    """The tables that changed since a change."""

    number: Count
    """The number of the last change."""
    there: tuple[Count, ...]
    """The numbers of all tables, in the order of their names."""
    tables: tuple[ShownTableSchema, ...]

    @classmethod
    def of(cls, change: TablesChange) -> TablesChangeResponse:
        """Return the JSON of a change."""
        return cls(change.number, change.there, tuple(map(ShownTableSchema.of, change.tables)))


@dataclass(frozen=True)
class HallHintSchema(ResponseModel):
    """What a table says of itself between two entries; it is never counted. '' stands for nothing said."""

    waits_for: str
    camera: str
    box: str


@dataclass(frozen=True)
class WatchedTableResponse(ResponseModel):
    """A table as its own page shows it."""

    table: ShownTableSchema
    snapshot: SnapshotResponse
    """The game as its entries have it, in the shape of the table's own snapshots; nothing is offered in it."""
    rulings: tuple[PastStepSchema, ...]
    """The last rulings that stand, the newest first."""
    dice: tuple[BoardDie, ...]
    """The dice of the last throw, or those that lie now where the table says so."""
    hint: HallHintSchema

    @classmethod
    def of(cls, found: WatchedTable) -> WatchedTableResponse:
        """Return the JSON of a table."""
        state, hint = found.snapshot.state, found.hint
        return cls(
            ShownTableSchema.of(found.shown),
            snapshot_response(found.snapshot),
            tuple(map(PastStepSchema.of, found.rulings)),
            dice_schema(found.dice, state.dice if state else None),
            HallHintSchema(hint.waits_for, hint.camera, hint.box),
        )


@dataclass(frozen=True)
class TableGamesResponse(ResponseModel):
    """Ended games of a table, the last first."""

    games: tuple[HallGameSchema, ...]


@dataclass(frozen=True)
class PastTableGameResponse(ResponseModel):
    """A game of a table with all that happened in it, in order."""

    table: Count
    table_name: str
    game: ShownGameSchema
    started_at: str
    ended_at: str
    """'' while it goes on."""
    steps: tuple[PastStepSchema, ...]

    @classmethod
    def of(cls, found: PastTableGame) -> PastTableGameResponse:
        """Return the JSON of a game."""
        ended_at = found.ended_at.isoformat() if found.ended_at else ""
        steps = tuple(map(PastStepSchema.of, found.steps))
        game = ShownGameSchema.of(found.game)
        return cls(found.table, found.table_name, game, found.started_at.isoformat(), ended_at, steps)
