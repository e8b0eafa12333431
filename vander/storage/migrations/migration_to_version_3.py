"""Version 3: an entry records which device and seat it came from, and the die that a correction or answer is about."""

from __future__ import annotations

from sqlalchemy import inspect
from sqlalchemy.engine import Connection

COLUMNS = (
    "device VARCHAR(60) DEFAULT '' NOT NULL",
    "seat INTEGER DEFAULT '0' NOT NULL",
    "dice TEXT DEFAULT '' NOT NULL",
)


def name_actors(connection: Connection) -> None:
    """Add the columns; of entries from before nobody knows who made them.

    Where a power cut left the first version without its entries, that table is made new afterwards.
    """
    if not inspect(connection).has_table("entries"):
        return
    for column in COLUMNS:
        connection.exec_driver_sql(f"ALTER TABLE entries ADD COLUMN {column}")
