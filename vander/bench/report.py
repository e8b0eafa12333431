"""How the bench puts its figures out: a table for a person, or JSON, one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

WIDTH = 160
"""Columns of text; a narrower terminal breaks the lines."""

errors = Console(stderr=True)
"""Where progress is shown."""


def print_lines(rows: Iterable[dict[str, Any]]) -> None:
    """One JSON object a line."""
    for row in rows:
        print(json.dumps(row), flush=True)


def print_grid(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """A table under its headings."""
    grid = Grid(*headings)
    for row in rows:
        grid.add_row(*row)
    Console(width=max(WIDTH, Console().width)).print(grid)


def share(figures: dict[str, Any], name: str, unit: str = "percent") -> str:
    """A share with its 95 % interval, out of the figures of a score; '' where nothing was counted."""
    value = figures[f"{name}_{unit}"]
    low, high = figures[f"{name}_interval"]
    return "" if value is None else f"{value:.2f} ({low:.1f}-{high:.1f})"
