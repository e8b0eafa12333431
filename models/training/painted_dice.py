"""Paint single dice with the virtual tray's renderer: many drawings in little time, in addition to MuJoCo's pictures.

A MuJoCo picture costs as much as ten painted dice and has better light; each painted die is a new drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.synthetic.die_renderer import FACE_FRAMES, DirectionalLight, PinholeCamera, Pose, SolidDie, paint_dice
from models.synthetic.face_style import Use
from models.synthetic.faces import FaceArt
from models.training.crops import TrainingCrop, crop_of_die
from models.training.ground_truth import TrueDie
from models.training.surfaces import surface
from models.training.texture_atlas import TILE, DieAtlas, Rng, random_dice
from models.training.worker_pool import single_threaded

EDGE_MM = 16.0
EDGES = (22.0, 100.0)
"""Range of the painted dice's edges in pixels."""

BATCH = 64
"""Dice drawn at a time; each is painted six times, with another side up, next to others of the batch."""

LEANING_SHARE = 0.15
"""Share of dice that lean on something out of view."""
LEAN_DEGREES = (10.0, 42.0)
"""Range of their angles."""
CLEAR_BELOW_DEGREES = 30.0
"""From this angle on a leaning_pose die shows no face."""

Pixels = npt.NDArray[np.uint8]
Faces = tuple[FaceArt, FaceArt, FaceArt, FaceArt, FaceArt, FaceArt]


DiceSource = Callable[[Rng, int, Use], list[DieAtlas]]
"""Return so many random dice for a use, as `random_dice` does."""
DiePainter = Callable[[Sequence[DieAtlas], int, int, Rng, Use], list[TrainingCrop]]
"""Return the crops of one of the dice with a side up, as `paint_die` does."""


def paint_die(dice: Sequence[DieAtlas], k: int, side: int, rng: Rng, use: Use) -> list[TrainingCrop]:
    """Return die k with a side up, among others close by, under a random light and camera."""
    edge = float(np.exp(rng.uniform(*np.log(EDGES))))
    lens = lens_above(edge, int(3.2 * edge), min(22.0, abs(float(rng.normal(0, 9)))), rng)
    lean = float(rng.uniform(*LEAN_DEGREES)) if rng.random() < LEANING_SHARE else 0.0
    pose = leaning_pose(lean, rng)
    picture = painted(dice, k, side, pose, lens, rng, use)
    return [crop_of_die(picture, _true_die(dice[k], side, pose, lens, lean))]


def paint_crops(  # noqa: PLR0913, PLR0917 - each says what is painted
    count: int,
    seed: int,
    use: Use = Use.TRAINING,
    workers: int = 2,
    source: DiceSource = random_dice,
    painter: DiePainter = paint_die,
) -> list[TrainingCrop]:
    """Return so many painted dice with their surroundings; the same for the same seed."""
    boxes = range(-(-count // (6 * BATCH)))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=single_threaded) as pool:
        found = tqdm(
            pool.map(partial(paint_batch, seed, use, source=source, painter=painter), boxes),
            total=len(boxes),
            desc="painting",
            mininterval=5,
        )
        return [paint_crop for box in found for paint_crop in box][:count]


def paint_batch(
    seed: int, use: Use, number: int, source: DiceSource = random_dice, painter: DiePainter = paint_die
) -> list[TrainingCrop]:
    """Return the `number`-th batch: BATCH dice, each with every side up."""
    rng = np.random.default_rng([seed, tuple(Use).index(use), number])
    dice = source(rng, BATCH, use)
    return [crop for k in range(BATCH) for side in range(6) for crop in painter(dice, k, side, rng, use)]


def painted(  # noqa: PLR0913, PLR0917 - what a picture depends on
    dice: Sequence[DieAtlas], k: int, side: int, pose: Pose, lens: PinholeCamera, rng: Rng, use: Use
) -> Pixels:
    """Return a picture of die k with a side up in a pose, among others close by, under a random light."""
    size = lens.size[0]
    picture = surface(max(64, size), rng, use)[:size, :size].copy()
    lying = [SolidDie(pose, _faces(dice[k], side, rng), float(rng.uniform(0, 0.8)))]
    for _ in range(int(rng.choice((0, 1, 2), p=(0.5, 0.3, 0.2)))):
        other = dice[int(rng.integers(len(dice)))]
        lying.append(SolidDie(_pose_nearby(rng), _faces(other, int(rng.integers(6)), rng), float(rng.uniform(0, 0.8))))
    light = _light(rng)
    paint_dice(picture, lens, lying, light)
    bright = float(rng.uniform(0.7, 1.1))
    return np.clip(picture * bright, 0, 255).astype(np.uint8)


def lens_above(edge: float, size: int, tilt: float, rng: Rng) -> PinholeCamera:
    """Return a camera that leans by `tilt` degrees and sees a die of that edge in pixels in the middle."""
    height = float(rng.uniform(200, 800))
    focal = edge * height / EDGE_MM / float(np.cos(np.radians(tilt)))
    middle = rng.normal(0, 1.0, 2)
    return PinholeCamera.above(
        (float(middle[0]), float(middle[1])),
        height,
        focal,
        (size, size),
        tilt_degrees=tilt,
        pan_degrees=float(rng.uniform(0, 360)),
    )


def _light(rng: Rng) -> DirectionalLight:
    around, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.4)
    colour = np.clip(1 + rng.normal(0, 0.1, 3), 0.6, 1.4)
    return DirectionalLight(
        (float(low * np.cos(around)), float(low * np.sin(around)), 1.0),
        (float(colour[0]), float(colour[1]), float(colour[2])),
        float(rng.uniform(0.3, 0.75)),
        float(rng.uniform(0.05, 0.6)),
    )


def lying_die(rng: Rng) -> Pose:
    """Return the pose of a flat die in the middle of the table."""
    return leaning_pose(0.0, rng)


def leaning_pose(degrees: float, rng: Rng) -> Pose:
    """Return the pose of a die that leans in a random direction, its lowest corner on the table."""
    around = rng.uniform(0, 2 * np.pi)
    axis = np.radians(degrees) * np.array([np.cos(around), np.sin(around), 0.0])
    turn = cv2.Rodrigues(axis)[0] @ _random_spin(rng)
    height = float(np.abs(turn[2]).sum()) * EDGE_MM / 2
    return Pose(np.array([0.0, 0.0, height]), turn, EDGE_MM)


def _random_spin(rng: Rng) -> npt.NDArray[np.float64]:
    turn = rng.uniform(0, 2 * np.pi)
    return np.array([(np.cos(turn), -np.sin(turn), 0.0), (np.sin(turn), np.cos(turn), 0.0), (0.0, 0.0, 1.0)])


def _pose_nearby(rng: Rng) -> Pose:
    """Return the pose of a die close to the middle, far enough that the two never intersect."""
    around, away = rng.uniform(0, 2 * np.pi), EDGE_MM * rng.uniform(1.42, 1.8)
    return Pose(np.array([away * np.cos(around), away * np.sin(around), EDGE_MM / 2]), _random_spin(rng), EDGE_MM)


def _faces(die: DieAtlas, up: int, rng: Rng) -> Faces:
    """Return the six faces for the renderer, whose fifth faces the camera."""
    tiles = [
        die.pixels[row : row + TILE, column : column + TILE] for row in (TILE, 0) for column in (0, TILE, 2 * TILE)
    ]
    others = [int(side) for side in rng.permutation(6) if side != up]
    flat = np.zeros((TILE, TILE), np.float32)
    arts = [FaceArt(np.ascontiguousarray(tiles[side]), flat) for side in (*others[:4], up, others[4])]
    return arts[0], arts[1], arts[2], arts[3], arts[4], arts[5]


def _true_die(die: DieAtlas, side: int, pose: Pose, lens: PinholeCamera, lean: float) -> TrueDie:
    """Return the ground truth of the die; one that leans much has no face on top."""
    spots = lens.project(face_corners(pose, 4))
    (x, y), edges = spots.mean(axis=0), np.roll(spots, -1, 0) - spots
    turned = float(np.degrees(np.arctan2(edges[0, 1], edges[0, 0])) % 90)
    edge = float(np.linalg.norm(edges, axis=1).mean())
    return TrueDie(
        die.faces[side],
        die.drawings[side],
        float(x),
        float(y),
        edge,
        turned,
        "cocked" if lean else "flat",
        lean < CLEAR_BELOW_DEGREES,
    )


def face_corners(pose: Pose, number: int) -> npt.NDArray[np.float64]:
    """Return the corners, (4, 3) in millimetres, of a die's side, numbered as the renderer does (4: the upper one)."""
    right, down, normal = (pose.turn @ axis for axis in FACE_FRAMES[number])
    half = EDGE_MM / 2
    return np.array([pose.centre + half * (normal + a * right + b * down) for a, b in _ROUND])


_ROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
