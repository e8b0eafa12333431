"""Version 7: several games may stand open, and one of them is on the table."""

from __future__ import annotations

from sqlalchemy.engine import Connection

NEWEST_OPEN = (
    "UPDATE games SET table_turn = 1"
    " WHERE id = (SELECT MAX(id) FROM (SELECT id FROM games WHERE ended_at IS NULL) AS open_games)"
)


def let_games_stand_open(connection: Connection) -> None:
    """Add the column; the game that goes on is the one on the table."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN table_turn INTEGER DEFAULT '0' NOT NULL")
    connection.exec_driver_sql(NEWEST_OPEN)
