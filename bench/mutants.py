"""How many small faults put into the referee the tests notice: a table of what `mutmut run` left in mutants/."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from vision.model_file import wilson_interval

SURVIVED, UNTRIED = 0, None
"""mutmut's own words for it: the tests' exit status, and null for a fault that was not tried yet."""


def main(folder: Path) -> None:
    """Print for each file the faults tried and those noticed, with Wilson's 95 % interval."""
    grid = Grid("file", "faults", "tried", "noticed", "noticed %", "95 % interval")
    total: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.meta")):
        counts = _counts(path)
        total += counts
        grid.add_row(str(path.relative_to(folder).with_suffix("")), *_cells(counts))
    grid.add_row("all", *_cells(total))
    Console(width=110).print(grid)


def _counts(path: Path) -> Counter[str]:
    outcomes = list(json.loads(path.read_text("utf-8"))["exit_code_by_key"].values())
    tried = [outcome for outcome in outcomes if outcome is not UNTRIED]
    return Counter(faults=len(outcomes), tried=len(tried), noticed=sum(outcome != SURVIVED for outcome in tried))


def _cells(counts: Counter[str]) -> tuple[str, ...]:
    low, high = wilson_interval(counts["noticed"], counts["tried"])
    share = f"{100 * counts['noticed'] / counts['tried']:.1f}" if counts["tried"] else ""
    return (
        *(str(counts[name]) for name in ("faults", "tried", "noticed")),
        share,
        f"{100 * low:.1f} to {100 * high:.1f}",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "mutants"))
