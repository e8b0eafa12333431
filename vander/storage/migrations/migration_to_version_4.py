"""Version 4: what an entry keeps is known by its deed, where it was known by how its sentence began."""

from __future__ import annotations

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

TYPED = (
    ("asked", "Asked: ", ""),
    ("unanswered", "No longer asked: ", ""),
    ("blind", "Nobody saw the tray for ", "."),
)
"""A deed, how its sentence began, and how it ended: neither is in the note any more."""
DEPARTED = "A die left the tray in the throw"
RETYPE = text(
    "UPDATE entries SET deed = :deed, note = SUBSTR(note, :start, LENGTH(note) - :cut)"
    " WHERE deed = 'remark' AND note LIKE :begin"
)


def type_remarks(connection: Connection) -> None:
    """Give each remark the deed that it is; a die that left the tray keeps its sentence.

    Where a power cut left the first version without its entries, that table is made new afterwards.
    """
    if not inspect(connection).has_table("entries"):
        return
    for deed, begin, end in TYPED:
        length = {"start": len(begin) + 1, "cut": len(begin) + len(end)}
        connection.execute(RETYPE, {"deed": deed, "begin": f"{begin}%", **length})
    connection.execute(RETYPE, {"deed": "departed", "begin": f"{DEPARTED}%", "start": 1, "cut": 0})
