"""Recipes: the hyperparameters of each network, in the TOML files of this folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

RECIPES = Path(__file__).parent


@dataclass(frozen=True)
class Recipe:
    """The hyperparameters of a training run.

    steps: batches; minutes: after which the run ends sooner, 0 for no end; batch: examples a batch; rate: highest
    learning rate; decay: weight decay. For the reader,
    painted: dice painted one by one; hard_negatives: True to learn what the finder takes for dice and is none. For the
    second look, varied: painted dice that are hard to read; oblique: crops of painted dice seen aslant; distant: share
    of crops with a distant die's resolution. bfloat16: False where the processor is slower with it.
    loaders: processes that prepare batches.
    """

    steps: int
    batch: int
    rate: float
    decay: float
    seed: int
    minutes: float = 0.0
    painted: int = 0
    hard_negatives: bool = False
    varied: int = 0
    oblique: int = 0
    distant: float = 0.0
    bfloat16: bool = True
    loaders: int = 2


def load_recipe(file: Path) -> Recipe:
    """Return the recipe of a TOML file. Raises ValueError, naming the file and the fault."""
    table = tomllib.loads(file.read_text("utf-8"))
    known = {field.name for field in fields(Recipe)}
    if unknown := set(table) - known:
        raise ValueError(f"{file} has unknown entries: {', '.join(sorted(unknown))}; a recipe has {', '.join(known)}")
    try:
        return Recipe(**table)
    except TypeError as error:
        raise ValueError(f"{file} is no whole recipe: {error}") from error
