"""Mine hard negatives: what the finder takes for dice and is none, so that the reader learns to reject it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.training.crops import NONE, UNKNOWN, TrainingCrop, crop_around
from models.training.ground_truth import TrueDie
from models.training.picture_dataset import StoredPicture
from models.training.worker_pool import single_threaded
from vision.detection import Finder
from vision.frames import Frame
from vision.observations import DieSighting
from vision.rectification import unrectified_view

CHUNK = 40
"""Pictures per task of a worker process."""

PICTURE_STEP, MAX_PER_PICTURE = 2, 6
"""Every second picture is searched, and at most so many hard negatives are taken from one, the surest."""

MIN_DISTANCE_EDGES = 0.75
"""A detection farther than this from the centre of every die, in edges, is no badly placed die."""


def hard_negatives_of(pictures: Sequence[StoredPicture], finder: Path, workers: int = 2) -> list[TrainingCrop]:
    """Return the hard negatives of some of the pictures for a finder (an ONNX file)."""
    some = pictures[::PICTURE_STEP]
    chunks = [some[k : k + CHUNK] for k in range(0, len(some), CHUNK)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=single_threaded) as pool:
        found = pool.map(partial(_hard_negatives, finder), chunks)
        return [
            crop for chunk in tqdm(found, total=len(chunks), desc="hard negatives", mininterval=5) for crop in chunk
        ]


def _hard_negatives(weights: Path, pictures: Sequence[StoredPicture]) -> list[TrainingCrop]:
    finder = Finder(weights)
    return [crop for picture in pictures for crop in hard_negatives_in(picture, finder)]


def hard_negatives_in(picture: StoredPicture, finder: Finder) -> list[TrainingCrop]:
    """Return the hard negatives of one picture, the surest first."""
    pixels = picture.pixels()
    sighted = finder.find(unrectified_view(Frame(pixels, 0, 0.0)))
    return [
        crop_around(pixels, (one.x, one.y, one.edge, one.turned_degrees), NONE, UNKNOWN)
        for one in sighted
        if all(_distance(one, die) > MIN_DISTANCE_EDGES * max(die.edge, one.edge) for die in picture.dice)
    ][:MAX_PER_PICTURE]


def _distance(one: DieSighting, die: TrueDie) -> float:
    return float(np.hypot(one.x - die.x, one.y - die.y))
