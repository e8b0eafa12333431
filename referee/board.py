"""What the tablet shows before a player besides the dice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BoardRow:
    """A line of a board. `key` ties it to actions: those whose choice is the key, or begins with the key and a slash.

    `mark` says how it stands: '', `open`, `done`, `blocked` or `here`.
    """

    key: str
    cells: tuple[str, ...]
    mark: str = ""


@dataclass(frozen=True)
class Board:
    """What lies before a player besides the dice: a sheet, a deck, chips. Seat 0 is the middle of the table.

    `facts` are names with their values; `columns` head the cells of the rows.
    """

    seat: int
    title: str
    facts: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[BoardRow, ...] = ()
