"""Recipes: how a network is fitted, in a TOML file each beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

RECIPES = Path(__file__).parent


@dataclass(frozen=True)
class Recipe:
    """How a network is fitted: batches, their size, the highest rate, the seed, and what is added to the pictures.

    painted: dice painted one by one; lures: whether places that the finder takes for dice are learned as none. Each
    for the reader alone.
    """

    steps: int
    batch: int
    rate: float
    decay: float
    seed: int
    painted: int = 0
    lures: bool = False


def recipe(file: Path) -> Recipe:
    """The recipe in a TOML file. Raises ValueError, naming the file and what is wrong with it."""
    table = tomllib.loads(file.read_text("utf-8"))
    known = {field.name for field in fields(Recipe)}
    if strange := set(table) - known:
        raise ValueError(f"{file} has unknown entries: {', '.join(sorted(strange))}; a recipe has {', '.join(known)}")
    try:
        return Recipe(**table)
    except TypeError as error:
        raise ValueError(f"{file} is no whole recipe: {error}") from error
