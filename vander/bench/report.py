"""Output of the benchmarks: a table for people, or JSON, one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

WIDTH = 160
"""Columns of text; a narrower terminal wraps lines."""

errors = Console(stderr=True)
"""The console for progress, on standard error."""


def print_lines(rows: Iterable[dict[str, Any]]) -> None:
    """Print one JSON object a line."""
    for row in rows:
        print(json.dumps(row), flush=True)


def print_grid(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print a table."""
    grid = Grid(*headings)
    for row in rows:
        grid.add_row(*row)
    Console(width=max(WIDTH, Console().width)).print(grid)


def share(figures: dict[str, Any], name: str, unit: str = "percent") -> str:
    """Return a share with its 95 % interval from a score's JSON; '' if nothing was counted."""
    value = figures[f"{name}_{unit}"]
    low, high = figures[f"{name}_interval"]
    return "" if value is None else f"{value:.2f} ({low:.1f}-{high:.1f})"
