"""Version 11: the journal keeps an outbox of what a hall is still to be told."""

from __future__ import annotations

from sqlalchemy.engine import Connection


def keep_outbox(connection: Connection) -> None:
    """Add the column; no game that was played before is told. The new tables are made with all that are missing."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN told BOOLEAN DEFAULT FALSE NOT NULL")
