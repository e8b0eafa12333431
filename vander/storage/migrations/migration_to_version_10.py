"""Version 10: store misreadings (the stated face and the place of a die that the camera reads wrong) per game."""

from __future__ import annotations

from sqlalchemy.engine import Connection


def keep_misreadings(connection: Connection) -> None:
    """Add the column; of a game that goes on it is filled when its dice are seen next."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN misreadings TEXT DEFAULT '' NOT NULL")
