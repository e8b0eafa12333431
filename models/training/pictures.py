"""Making, keeping and loading the training pictures: a folder of JPEGs and a `truth.jsonl`, remade by its seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.drawings.style import Use
from models.training.truth import Scene, Truth

RIG_LASTS = 60
"""Scenes taken on one rig before the next is built: a rig fixes the dice's sizes and roundness."""

BOXFUL = 96
"""Dice drawn for a rig, of which every scene takes some."""


@dataclass(frozen=True)
class Kept:
    """A picture on disk, still packed, with its truth; `game` names the die set that lies there, '' a medley."""

    packed: bytes
    dice: tuple[Truth, ...]
    game: str = ""

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture: height x width x 3, BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def make(folder: Path, count: int, seed: int, use: Use = Use.TRAINING, workers: int = 2) -> None:
    """Fill a folder with `count` pictures (rounded up to whole rigs); what is there of the same seed and use is kept.

    Raises FileExistsError when the folder holds others.

    Fewer than a rig lasts for are the first ones of that rig.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _sign(folder, f"seed {seed}, {use}")
    rigs = -(-count // RIG_LASTS)
    work = partial(_shoot, folder, seed, use, min(count, RIG_LASTS))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for _ in tqdm(pool.map(work, range(rigs)), total=rigs, desc=f"{folder.name} (rigs of {RIG_LASTS})"):
            pass


def _sign(folder: Path, made: str) -> None:
    """Note what a folder's pictures are made of. Raises FileExistsError when it holds others."""
    note = folder / "made.txt"
    if note.exists() and (there := note.read_text("utf-8").strip()) != made:
        raise FileExistsError(f"{folder} holds the pictures of {there}; make those of {made} in another folder")
    note.write_text(made + "\n", "utf-8")


def _shoot(folder: Path, seed: int, use: Use, most: int, number: int) -> None:
    """The pictures of one rig, and their truths, in files of their own; the truths come last, whole."""
    truths = folder / f"truth-{number:04d}.jsonl"
    if truths.exists():
        return
    rows = []
    for index, scene in enumerate(islice(_scenes(seed, use, number), most)):
        name = f"{number:04d}-{index:03d}.jpg"
        cv2.imwrite(str(folder / name), scene.pixels, [cv2.IMWRITE_JPEG_QUALITY, 94])
        rows.append(json.dumps({"file": name, "game": scene.game, "dice": [asdict(die) for die in scene.dice]}))
    half_written = truths.with_suffix(".part")
    half_written.write_text("\n".join(rows) + "\n", "utf-8")
    half_written.rename(truths)


def _scenes(seed: int, use: Use, number: int) -> Iterator[Scene]:
    from models.training.atlases import bank  # noqa: PLC0415  a worker draws its own dice
    from models.training.rig import Rig  # noqa: PLC0415  MuJoCo opens its window library on import
    from models.training.scenes import scene  # noqa: PLC0415

    rng = np.random.default_rng([seed, tuple(Use).index(use), number])
    rig, atlases = Rig(rng), bank(rng, BOXFUL, use)
    try:
        for _ in range(RIG_LASTS):
            yield scene(rig, atlases, rng, use)
    finally:
        rig.close()


def load(folder: Path) -> list[Kept]:
    """All the pictures of a folder, packed, in order. Raises FileNotFoundError when there are none."""
    files = sorted(folder.glob("truth-*.jsonl"))
    if not files:
        raise FileNotFoundError(
            f"no training pictures in {folder}; make them with `python -m models.training pictures`"
        )
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [Kept((folder / row["file"]).read_bytes(), _truths(row["dice"]), row.get("game", "")) for row in rows]


def _truths(rows: Sequence[dict[str, object]]) -> tuple[Truth, ...]:
    return tuple(Truth(**row) for row in rows)  # type: ignore[arg-type]  # the file is our own
