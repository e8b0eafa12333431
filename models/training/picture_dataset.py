"""Render, store and load training pictures: a folder of JPEGs and `truth-*.jsonl`, reproducible by its seed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.synthetic.canvas import Use
from models.training.lying_dice import RenderedPicture, TrueDie

if TYPE_CHECKING:
    from models.training.texture_atlas import DieAtlas

Given = TypeVar("Given")
Made = TypeVar("Made")

WORKERS = os.cpu_count() or 2
PICTURES_PER_SCENE = 60
"""Pictures taken of one MuJoCo scene before the next is compiled: a scene fixes the dice's sizes and roundness."""

DICE_PER_SCENE = 96
"""Dice drawn for a scene, of which every picture shows some."""


@dataclass(frozen=True)
class PictureSpec:
    """What pictures are made of.

    styles: how many dice a scene has, so that each is seen in many pictures; 0 for DICE_PER_SCENE. novel: True for dice
    with symbols that no game has.
    """

    seed: int
    use: Use = Use.TRAINING
    styles: int = 0
    novel: bool = False

    def __str__(self) -> str:
        dice = f", {self.styles} {'novel styles' if self.novel else 'styles'} a scene" if self.styles else ""
        return f"seed {self.seed}, {self.use}{dice}"


@dataclass(frozen=True)
class StoredPicture:
    """An encoded picture with its ground truth; `game` names the die set shown, '' for a mixture of dice."""

    encoded: bytes
    dice: tuple[TrueDie, ...]
    game: str = ""

    def pixels(self) -> npt.NDArray[np.uint8]:
        """Return the decoded picture: uint8, (height, width, 3), BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.encoded, np.uint8), cv2.IMREAD_COLOR), np.uint8)


NOVEL_STYLES = 2
"""Default number of novel dice a scene: so few that each of their faces is seen in some two dozen pictures."""


def make_pictures(folder: Path, count: int, spec: PictureSpec, workers: int = 2) -> None:
    """Fill a folder with `count` pictures, rounded up to whole scenes; those already there are kept.

    A count below PICTURES_PER_SCENE gives the first pictures of the first scene. Raises FileExistsError if the folder
    holds pictures of another spec.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write_spec(folder, str(spec))
    scenes = -(-count // PICTURES_PER_SCENE)
    work = partial(_render_pictures, folder, spec, min(count, PICTURES_PER_SCENE))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for _ in tqdm(
            pool.map(work, range(scenes)), total=scenes, desc=f"{folder.name} (scenes of {PICTURES_PER_SCENE})"
        ):
            pass


def _write_spec(folder: Path, made: str) -> None:
    """Write a folder's spec to `made.txt`. Raises FileExistsError if the folder has another one."""
    note = folder / "made.txt"
    if note.exists() and (there := note.read_text("utf-8").strip()) != made:
        raise FileExistsError(f"{folder} holds the pictures of {there}; make those of {made} in another folder")
    note.write_text(made + "\n", "utf-8")


def spec_of(folder: Path) -> str:
    return (folder / "made.txt").read_text("utf-8").strip()


def _render_pictures(folder: Path, spec: PictureSpec, most: int, number: int) -> None:
    """Write the pictures of one scene and last, atomically, their ground truth, which marks the scene complete."""
    truths = folder / f"truth-{number:04d}.jsonl"
    if truths.exists():
        return
    rows = []
    for index, picture in enumerate(islice(_pictures_of_scene(spec, number), most)):
        name = f"{number:04d}-{index:03d}.jpg"
        cv2.imwrite(str(folder / name), picture.pixels, [cv2.IMWRITE_JPEG_QUALITY, 94])
        rows.append(json.dumps({"file": name, "game": picture.game, "dice": [asdict(die) for die in picture.dice]}))
    half_written = truths.with_suffix(".part")
    half_written.write_text("\n".join(rows) + "\n", "utf-8")
    half_written.rename(truths)


def _pictures_of_scene(spec: PictureSpec, number: int) -> Iterator[RenderedPicture]:
    from models.training.mujoco_scene import MujocoScene  # noqa: PLC0415  MuJoCo opens its window library on import
    from models.training.scene_generation import render_picture  # noqa: PLC0415

    rng = np.random.default_rng([spec.seed, tuple(Use).index(spec.use), number])
    scene = MujocoScene(rng)
    atlases = _dice_of_scene(rng, spec, number)
    try:
        for _ in range(PICTURES_PER_SCENE):
            yield render_picture(scene, atlases, rng, spec.use, few_styles=bool(spec.styles))
    finally:
        scene.close()


def _dice_of_scene(rng: np.random.Generator, spec: PictureSpec, number: int) -> list[DieAtlas]:
    """Return the dice of a scene; a style is named by the number of the scene and of the die."""
    from models.training.texture_atlas import dice_in_few_styles, novel_dice, random_dice  # noqa: PLC0415  a worker draws its own dice

    if not spec.styles:
        return random_dice(rng, DICE_PER_SCENE, spec.use)
    return (novel_dice if spec.novel else dice_in_few_styles)(rng, spec.styles, spec.use, f"r{number:04d}")


def load_pictures(folder: Path) -> list[StoredPicture]:
    """Return all pictures of a folder in order, still encoded. Raises FileNotFoundError if there are none."""
    files = sorted(folder.glob("truth-*.jsonl"))
    if not files:
        raise FileNotFoundError(
            f"no training pictures in {folder}; make them with `python -m models.training pictures`"
        )
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [
        StoredPicture((folder / row["file"]).read_bytes(), _truths(row["dice"]), row.get("game", "")) for row in rows
    ]


def _truths(rows: Sequence[dict[str, object]]) -> tuple[TrueDie, ...]:
    return tuple(TrueDie(**row) for row in rows)  # type: ignore[arg-type]  # written by _render_pictures


def single_threaded(_worker: int = 0) -> None:
    """Limit OpenCV to one thread: there are as many workers as cores."""
    cv2.setNumThreads(0)


def in_workers(work: Callable[[Given], Made], given: Sequence[Given], what: str) -> Iterator[Made]:
    """Yield the results of the work on each, in order, done by WORKERS processes."""
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn"), initializer=single_threaded) as pool:
        yield from tqdm(pool.map(work, given), total=len(given), desc=what, mininterval=5)
