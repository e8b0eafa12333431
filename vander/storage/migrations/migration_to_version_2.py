"""Version 2: a game records whether the box doubted its clock when the game began."""

from __future__ import annotations

from sqlalchemy.engine import Connection


def mark_doubted_clocks(connection: Connection) -> None:
    """Add the column; games from before count as begun with a right clock."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN clock_doubted BOOLEAN DEFAULT FALSE NOT NULL")
