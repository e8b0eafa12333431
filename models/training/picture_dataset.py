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
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.synthetic.face_style import Use
from models.training.ground_truth import Scene, Truth

if TYPE_CHECKING:
    from models.training.texture_atlas import Atlas

RIG_LASTS = 60
"""Scenes taken on one rig before the next is built: a rig fixes the dice's sizes and roundness."""

BOXFUL = 96
"""Dice drawn for a rig, of which every scene takes some."""


@dataclass(frozen=True)
class Order:
    """What pictures are made of. Each rig has a boxful of dice, or with `looks` only so many, met again and again.

    `strange` dice bear symbols that no game has.
    """

    seed: int
    use: Use = Use.TRAINING
    looks: int = 0
    strange: bool = False

    def __str__(self) -> str:
        dice = f", {self.looks} {'strange looks' if self.strange else 'looks'} a rig" if self.looks else ""
        return f"seed {self.seed}, {self.use}{dice}"


@dataclass(frozen=True)
class Kept:
    """A picture on disk, still packed, with its truth; `game` names the die set that lies there, '' a medley."""

    packed: bytes
    dice: tuple[Truth, ...]
    game: str = ""

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture: height x width x 3, BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)


STRANGE_LOOKS = 2
"""Strange dice of a rig unless said: so few that each of their faces comes in some two dozen pictures."""


def make(folder: Path, count: int, order: Order, workers: int = 2) -> None:
    """Fill a folder with `count` pictures (rounded up to whole rigs); what is there of the same order is kept.

    Raises FileExistsError when the folder holds others.

    Fewer than a rig lasts for are the first ones of that rig.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _sign(folder, str(order))
    rigs = -(-count // RIG_LASTS)
    work = partial(_shoot, folder, order, min(count, RIG_LASTS))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for _ in tqdm(pool.map(work, range(rigs)), total=rigs, desc=f"{folder.name} (rigs of {RIG_LASTS})"):
            pass


def _sign(folder: Path, made: str) -> None:
    """Note what a folder's pictures are made of. Raises FileExistsError when it holds others."""
    note = folder / "made.txt"
    if note.exists() and (there := note.read_text("utf-8").strip()) != made:
        raise FileExistsError(f"{folder} holds the pictures of {there}; make those of {made} in another folder")
    note.write_text(made + "\n", "utf-8")


def made_of(folder: Path) -> str:
    """What a folder's pictures are made of, in words."""
    return (folder / "made.txt").read_text("utf-8").strip()


def _shoot(folder: Path, order: Order, most: int, number: int) -> None:
    """The pictures of one rig, and their truths, in files of their own; the truths come last, whole."""
    truths = folder / f"truth-{number:04d}.jsonl"
    if truths.exists():
        return
    rows = []
    for index, scene in enumerate(islice(_scenes(order, number), most)):
        name = f"{number:04d}-{index:03d}.jpg"
        cv2.imwrite(str(folder / name), scene.pixels, [cv2.IMWRITE_JPEG_QUALITY, 94])
        rows.append(json.dumps({"file": name, "game": scene.game, "dice": [asdict(die) for die in scene.dice]}))
    half_written = truths.with_suffix(".part")
    half_written.write_text("\n".join(rows) + "\n", "utf-8")
    half_written.rename(truths)


def _scenes(order: Order, number: int) -> Iterator[Scene]:
    from models.training.mujoco_scene import Rig  # noqa: PLC0415  MuJoCo opens its window library on import
    from models.training.scene_generation import scene  # noqa: PLC0415

    rng = np.random.default_rng([order.seed, tuple(Use).index(order.use), number])
    rig = Rig(rng)
    atlases = _dice(rng, order, number)
    try:
        for _ in range(RIG_LASTS):
            yield scene(rig, atlases, rng, order.use, looks=bool(order.looks))
    finally:
        rig.close()


def _dice(rng: np.random.Generator, order: Order, number: int) -> list[Atlas]:
    """The dice of a rig; a look is named after the rig and its place there."""
    from models.training.texture_atlas import bank, known_looks, strange_looks  # noqa: PLC0415  a worker draws its own dice

    if not order.looks:
        return bank(rng, BOXFUL, order.use)
    return (strange_looks if order.strange else known_looks)(rng, order.looks, order.use, f"r{number:04d}")


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
