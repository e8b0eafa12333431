"""The games of simulated families as folders of labelled pictures."""

import json
from pathlib import Path

from vander.bench.simulated_families import Family, family_game


def write_family_game(family: Family, throws: int, seed: int, folder: Path) -> None:
    """Write a family's game as a labelled folder: `throw_001.jpg` and so on, and `labels.jsonl`."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for throw in family_game(family, throws, seed):
        (folder / throw.label["file"]).write_bytes(throw.jpeg)
        rows.append(throw.label)
    (folder / "labels.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
