"""Version 10: what people said of dice that the camera reads otherwise is kept with the game, and where they lie."""

from __future__ import annotations

from sqlalchemy.engine import Connection


def keep_misreadings(connection: Connection) -> None:
    """Add the column; of a game that goes on it is filled when its dice are seen next."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN misreadings TEXT DEFAULT '' NOT NULL")
