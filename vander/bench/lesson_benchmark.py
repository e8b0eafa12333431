"""`vander bench teach`: measure time and memory of a lesson, in a process of its own on one thread."""

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
from models.synthetic.canvas import Use
from models.synthetic.novel_symbols import SYMBOLS, draw_novel, random_novel_style
from vander.bench.photo_scores import median_interval, print_grid
from vander.resources import vision_models
from vander.resources.data_stores import open_learning_service
from vander.storage.settings import load
from vision.frames import Pixels
from vision.rectification import RotatedSquare

PATCH, EDGE = 120, 44
"""Pixels of a side of a sample, and of the die in it."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
NAME = "bench"


def run_lesson_benchmark(faces: int, pictures: int, times: int, as_json: bool) -> None:
    """Print the time to learn these faces from this many pictures each, and the peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        write_die_set(Path(folder), faces, pictures)
        taken = [_run_once(Path(folder)) for _ in range(times)]
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


def write_die_set(folder: Path, faces: int, pictures: int) -> None:
    """Write a die set of novel symbols into a data folder, with random pictures of each face."""
    symbols = SYMBOLS[Use.SCORING][:faces]
    kinds = [("Die", 1, [str(symbol).removeprefix("strange-") for symbol in symbols])]
    dice = build_die_set(NAME, NAME, kinds)
    DieSetCatalog(folder / "dice").save(dice)
    store, (kind,) = SampleStore(folder / "captured"), dice.kinds
    session, rng = store.start_session(NAME, "guided"), np.random.default_rng(1)
    hand, style = random_novel_style(rng, Use.SCORING)
    for symbol, face in zip(symbols, kind.faces, strict=True):
        art = draw_novel(symbol, hand, style, 2 * EDGE, rng).pixels
        for _ in range(pictures):
            taken = NewSample(*_draw_sample(art, rng), label=FaceLabel(kind.name, face, "drawn", datetime.now(UTC)))
            store.save(session, NAME, None, [taken])


def _draw_sample(art: Pixels, rng: np.random.Generator) -> tuple[Pixels, RotatedSquare]:
    """Return a drawn face on a plain table with random rotation, light and noise, and its position."""
    turned = float(rng.uniform(0, 90))
    turn = cv2.getRotationMatrix2D((art.shape[1] / 2, art.shape[0] / 2), -turned, EDGE / art.shape[0])
    turn += np.array([[0, 0, PATCH / 2 - art.shape[1] / 2], [0, 0, PATCH / 2 - art.shape[0] / 2]])
    table = np.full((PATCH, PATCH, 3), rng.uniform(40, 90, 3), np.uint8)
    cv2.warpAffine(art, turn, (PATCH, PATCH), dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    seen = table * rng.uniform(0.7, 1.2) + rng.normal(0, 4, table.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), RotatedSquare(PATCH / 2, PATCH / 2, EDGE, turned)


def _run_once(folder: Path) -> dict[str, float]:
    """Run one lesson in a process of its own."""
    words = [sys.executable, "-m", "vander.bench.lesson_benchmark", str(folder)]
    done = subprocess.run(words, env=os.environ | ONE_THREAD, check=True, capture_output=True, text=True)  # noqa: S603
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _measure_lesson(folder: Path) -> Iterator[tuple[str, float]]:
    learning = open_learning_service(load(data_dir=folder), vision_models.LoadedModels.load())
    began = time.perf_counter()
    learning.teach(NAME)
    yield "seconds", time.perf_counter() - began
    yield "megabytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(dict(_measure_lesson(Path(sys.argv[1])))))
