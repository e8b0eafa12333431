"""Dice that came to lie somewhere, as `vision.arrival` sees them, with how they truly came there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from vision.arrival import NUMBERS, PLANES, SIDE, PlaceFilm

Facts: TypeAlias = Mapping[str, str | float | bool]
"""What else is known of a film: its source, its frames a second, what happened in it, whether a hand was in sight."""


@dataclass(frozen=True, eq=False)
class ArrivalExample:
    """One die after a burst: what is to be seen of its place, how it came there, and what else is known."""

    seen: PlaceFilm
    way: str
    facts: Facts


def save_examples(file: Path, examples: Iterable[ArrivalExample]) -> None:
    """Write examples into a file, which holds all of them or is not there."""
    kept = list(examples)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    with partial.open("wb") as to:
        np.savez_compressed(
            to,
            planes=np.array([one.seen.planes for one in kept], np.uint8).reshape(-1, PLANES, SIDE, SIDE),
            numbers=np.array([one.seen.numbers for one in kept], np.float32).reshape(-1, NUMBERS),
            steps=np.array([one.seen.longest_step for one in kept], np.float32),
            facts=np.array([json.dumps({"way": one.way, **one.facts}) for one in kept], np.str_),
        )
    partial.replace(file)


def load_examples(folders: Sequence[Path]) -> list[ArrivalExample]:
    """Return the examples of all files in some folders; each knows its file, the table at which it was filmed."""
    found = []
    for file in sorted(file for folder in folders for file in folder.glob("*.npz")):
        with np.load(file) as kept:
            rows = [kept[name] for name in ("planes", "numbers", "steps", "facts")]
        for planes, numbers, step, text in zip(*rows, strict=True):
            facts = {"table": file.stem, **json.loads(str(text))}
            found.append(ArrivalExample(PlaceFilm(planes, numbers, float(step)), facts.pop("way"), facts))
    return found
