"""Version 2: a game says whether the box knew the right time when it began."""

from __future__ import annotations

from sqlalchemy.engine import Connection


def mark_doubted_clocks(connection: Connection) -> None:
    """Games of before were begun by a clock that nobody doubted."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN clock_doubted BOOLEAN DEFAULT FALSE NOT NULL")
