"""`vander bench teach`: how long a lesson takes, and how much memory, in a process of its own on one thread."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from models.dataset import FaceLabel, NewSample, SampleStore
from models.die_sets.catalog import DieSetCatalog, build_die_set
from models.synthetic.face_style import Use
from models.synthetic.novel_symbols import SYMBOLS, draw_novel, random_novel_style
from vander.bench.photo_scores import median_interval
from vander.bench.report import print_grid
from vander.resources import vision_models
from vander.resources.data_stores import open_learning_service
from vander.storage.settings import load
from vision.die_crops import RotatedSquare
from vision.frames import Pixels

PATCH, EDGE = 120, 44
"""Pixels a side of a drawn die's picture, and of the die in it."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
NAME = "bench"


def teach(faces: int, pictures: int, times: int, as_json: bool) -> None:
    """Print how long it took to learn so many faces from so many pictures each, and the most memory it ever had."""
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), faces, pictures)
        taken = [_once(Path(folder)) for _ in range(times)]
    seconds, megabytes = [one["seconds"] for one in taken], max(one["megabytes"] for one in taken)
    middle, low, high = median_interval(seconds)
    figures = {
        "faces": faces,
        "pictures of each": pictures,
        "runs": times,
        "seconds": round(middle, 2),
        "interval": [round(low, 2), round(high, 2)],
        "megabytes at most": round(megabytes),
    }
    if as_json:
        print(json.dumps(figures))
    else:
        print_grid(("figure", "value"), [(name, str(value)) for name, value in figures.items()])


def fill(folder: Path, faces: int, pictures: int, seed: int = 1) -> None:
    """Put a die set of strange symbols into a data folder, with pictures of each face, drawn and turned by chance."""
    symbols = SYMBOLS[Use.SCORING][:faces]
    kinds = [("Die", 1, [str(symbol).removeprefix("strange-") for symbol in symbols])]
    dice = build_die_set(NAME, NAME, kinds, 16.0)
    DieSetCatalog(folder / "dice").save(dice)
    store, (kind,) = SampleStore(folder / "captured"), dice.kinds
    session, rng = store.start_session(NAME, "guided"), np.random.default_rng(seed)
    hand, style = random_novel_style(rng, Use.SCORING)
    for symbol, face in zip(symbols, kind.faces, strict=True):
        art = draw_novel(symbol, hand, style, 2 * EDGE, rng).pixels
        for _ in range(pictures):
            taken = NewSample(*_pictured(art, rng), label=FaceLabel(kind.name, face, "drawn", datetime.now(UTC)))
            store.save(session, NAME, None, [taken])


def _pictured(art: Pixels, rng: np.random.Generator) -> tuple[Pixels, RotatedSquare]:
    """A drawn face on a plain table, turned, lit and seen by chance, and its place."""
    turned = float(rng.uniform(0, 90))
    turn = cv2.getRotationMatrix2D((art.shape[1] / 2, art.shape[0] / 2), -turned, EDGE / art.shape[0])
    turn += np.array([[0, 0, PATCH / 2 - art.shape[1] / 2], [0, 0, PATCH / 2 - art.shape[0] / 2]])
    table = np.full((PATCH, PATCH, 3), rng.uniform(40, 90, 3), np.uint8)
    cv2.warpAffine(art, turn, (PATCH, PATCH), dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    seen = table * rng.uniform(0.7, 1.2) + rng.normal(0, 4, table.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), RotatedSquare(PATCH / 2, PATCH / 2, EDGE, turned)


def _once(folder: Path) -> dict[str, float]:
    """One lesson in a process of its own."""
    words = [sys.executable, "-m", "vander.bench.lesson_benchmark", str(folder)]
    done = subprocess.run(words, env=os.environ | ONE_THREAD, check=True, capture_output=True, text=True)  # noqa: S603
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _learn(folder: Path) -> Iterator[tuple[str, float]]:
    desk = open_learning_service(load(data_dir=folder), vision_models.LoadedModels.load())
    began = time.perf_counter()
    desk.teach(NAME)
    yield "seconds", time.perf_counter() - began
    yield "megabytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(dict(_learn(Path(sys.argv[1])))))
