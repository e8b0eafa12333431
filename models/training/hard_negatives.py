"""Lures: what the finder takes for dice and is none. The reader learns to turn them away."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.training.crops import NONE, UNKNOWN, Cutting, around
from models.training.ground_truth import Truth
from models.training.picture_dataset import Kept
from models.training.worker_pool import alone
from vision.detection import Finder
from vision.frames import Frame
from vision.observations import DieSighting
from vision.rectification import unrectified_view

CHUNK = 40
"""Pictures given to a worker at a time."""

EVERY, MOST = 2, 6
"""Every so many pictures are looked at, and at most so many lures taken from one, the surest."""

AWAY = 0.75
"""Edges from the middle of every die at which nothing found is a die seen a little off."""


def lures(pictures: Sequence[Kept], finder: Path, workers: int = 2) -> list[Cutting]:
    """Places of the pictures that this finder sights and where no die's top face is."""
    some = pictures[::EVERY]
    chunks = [some[k : k + CHUNK] for k in range(0, len(some), CHUNK)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=alone) as pool:
        found = pool.map(partial(_lures, finder), chunks)
        return [lure for chunk in tqdm(found, total=len(chunks), desc="lures", mininterval=5) for lure in chunk]


def _lures(weights: Path, pictures: Sequence[Kept]) -> list[Cutting]:
    finder = Finder(weights)
    return [lure for kept in pictures for lure in lures_in(kept, finder)]


def lures_in(kept: Kept, finder: Finder) -> list[Cutting]:
    """The lures of one picture, the surest first."""
    pixels = kept.pixels()
    sighted = finder.find(unrectified_view(Frame(pixels, 0, 0.0)))
    return [
        around(pixels, (one.x, one.y, one.edge, one.turned_degrees), NONE, UNKNOWN)
        for one in sighted
        if all(_apart(one, die) > AWAY * max(die.edge, one.edge) for die in kept.dice)
    ][:MOST]


def _apart(one: DieSighting, die: Truth) -> float:
    return float(np.hypot(one.x - die.x, one.y - die.y))
