"""Paint single dice with the virtual tray's renderer: many drawings in little time, in addition to MuJoCo's pictures.

A MuJoCo picture costs as much as ten painted dice and has better light; each painted die is a new drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from models.synthetic.canvas import Use
from models.synthetic.die_renderer import (
    FACE_FRAMES,
    DirectionalLight,
    Numbers,
    PinholeCamera,
    Pose,
    SolidDie,
    face_corners,
    paint_dice,
    spun,
)
from models.synthetic.faces import FaceArt
from models.training.crops import NONE, UNKNOWN, TrainingCrop, crop_around, crop_of_die
from models.training.lying_dice import TrueDie, square_of
from models.training.picture_dataset import in_workers
from models.training.surfaces import surface
from models.training.texture_atlas import TILE, DieAtlas, Rng, random_dice, random_die
from referee.dice import KindName
from vision.frames import Pixels
from vision.kinds import CLASSES
from vision.rectification import upright

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


def paint_crops(
    count: int, seed: int, source: DiceSource = random_dice, painter: DiePainter = paint_die
) -> list[TrainingCrop]:
    """Return so many painted dice to train on with their surroundings; the same for the same seed."""
    work = partial(paint_batch, seed, Use.TRAINING, source=source, painter=painter)
    batches = in_workers(work, range(-(-count // (6 * BATCH))), "painting")
    return [crop for batch in batches for crop in batch][:count]


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
    turn = cv2.Rodrigues(axis)[0] @ spun(rng.uniform(0, 2 * np.pi))
    height = float(np.abs(turn[2]).sum()) * EDGE_MM / 2
    return Pose(np.array([0.0, 0.0, height]), turn, EDGE_MM)


def _pose_nearby(rng: Rng) -> Pose:
    """Return the pose of a die close to the middle, far enough that the two never intersect."""
    around, away = rng.uniform(0, 2 * np.pi), EDGE_MM * rng.uniform(1.42, 1.8)
    return Pose(
        np.array([away * np.cos(around), away * np.sin(around), EDGE_MM / 2]), spun(rng.uniform(0, 2 * np.pi)), EDGE_MM
    )


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
    x, y, edge, turned = square_of(lens.project(face_corners(pose)))
    posture = "cocked" if lean else "flat"
    return TrueDie(die.faces[side], die.drawings[side], x, y, edge, turned, posture, lean < CLEAR_BELOW_DEGREES)


# Dice as oblique cameras see them: what a crop shows is the face on top, and a crop of a side shows none
#
# A camera that leans by 25 to 60 degrees sees one or two sides of a die next to its top. The finder marks either, or
# something between. Half of the dice are seen in the plane of their top faces, as those in a tray with markers are.


TILT_DEGREES = (20.0, 60.0)
"""Range of the camera's tilt."""
PIP_SHARE = 0.6
"""Share of dice with pips: of all drawings those are read together with a side the easiest."""
TOWARDS_MIDDLE = (-0.15, 0.95)
"""How far the finder's centre lies from that of the top face towards that of the whole die, as a share of the way."""
LARGER = (-0.1, 0.3)
"""Logarithm of how much larger than the top face the finder's square is."""
SIDE_SHARE = 0.35
"""Share of the dice of which a side is cut out too."""
FACING = 0.25
"""Cosine between a side and the line of sight from which on the side can be taken for a top face."""
PLANE_SHARE = 0.5
PLANE_EDGE = 54.0
"""Edge in pixels of a die in the plane of its top face."""


def paint_oblique_crops(count: int, seed: int) -> list[TrainingCrop]:
    """Return so many crops of dice, and of their sides; the same for the same seed."""
    return paint_crops(count, seed, source=pips_and_others, painter=paint_oblique)


def oblique_crops_to_choose_on() -> list[TrainingCrop]:
    """Return two batches of crops in art and on surfaces that are not trained on."""
    return [one for number in range(2) for one in paint_batch(91, Use.CHOOSING, number, pips_and_others, paint_oblique)]


def pips_and_others(rng: Rng, count: int, use: Use) -> list[DieAtlas]:
    """Return random dice of a use, PIP_SHARE of them with pips."""
    pips = round(count * PIP_SHARE)
    return [random_die(KindName("d6"), rng, use) for _ in range(pips)] + random_dice(rng, count - pips, use)


def paint_oblique(dice: Sequence[DieAtlas], k: int, side: int, rng: Rng, use: Use) -> list[TrainingCrop]:
    """Return die k with a side up as an oblique camera sees it, and sometimes one of the sides in sight, of no face."""
    edge, tilt = float(np.exp(rng.uniform(*np.log(EDGES)))), float(rng.uniform(*TILT_DEGREES))
    lens = lens_above(edge, int(3.6 * edge), tilt, rng)
    pose = lying_die(rng)
    picture = painted(dice, k, side, pose, lens, rng, use)
    face = CLASSES.index(dice[k].faces[side])
    if rng.random() < PLANE_SHARE:
        picture, lens = _in_plane(picture, lens, pose)
    found = [_crop_of_top(picture, lens, pose, face, rng)]
    if rng.random() < SIDE_SHARE:
        found += [_crop_of_side(picture, lens, pose, number, rng) for number in _sides_in_sight(lens, pose, rng)[:1]]
    return found


def _in_plane(picture: Pixels, lens: PinholeCamera, pose: Pose) -> tuple[Pixels, PinholeCamera]:
    """Return a picture seen from straight above in the plane of a die's top face, and the camera that sees it so."""
    size, step = round(3 * PLANE_EDGE), EDGE_MM / PLANE_EDGE
    plane = lens.matrix[:, [0, 1, 3]] + np.outer(lens.matrix[:, 2], (0, 0, EDGE_MM))
    corner = pose.centre[:2] - step * (size - 1) / 2
    to_picture = plane @ np.array([[step, 0, corner[0]], [0, step, corner[1]], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(picture, to_picture, (size, size), flags=flags, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(seen, np.uint8), replace(lens, matrix=np.linalg.inv(to_picture) @ lens.matrix, size=(size, size))


def _crop_of_top(picture: Pixels, lens: PinholeCamera, pose: Pose, face: int, rng: Rng) -> TrainingCrop:
    """Return the crop of a die as the finder marks it: something between the top face and the whole die."""
    top = lens.project(face_corners(pose, 4))
    whole = lens.project(np.concatenate([face_corners(pose, number) for number in (4, 5)]))
    way = whole.mean(axis=0) - top.mean(axis=0)
    x, y = top.mean(axis=0) + rng.uniform(*TOWARDS_MIDDLE) * way
    return _crop(picture, lens, pose, (x, y), top, face, rng)


def _crop_of_side(picture: Pixels, lens: PinholeCamera, pose: Pose, number: int, rng: Rng) -> TrainingCrop:
    corners = lens.project(face_corners(pose, number))
    x, y = corners.mean(axis=0)
    return _crop(picture, lens, pose, (x, y), corners, NONE, rng)


def _crop(  # noqa: PLR0913, PLR0917 - what a crop depends on
    picture: Pixels, lens: PinholeCamera, pose: Pose, at: tuple[float, float], corners: Numbers, face: int, rng: Rng
) -> TrainingCrop:
    """Return a crop around a place, along any edge of a quadrilateral (4, 2), with the die's sides below its top."""
    edges = np.roll(corners, -1, 0) - corners
    edge = float(np.linalg.norm(edges, axis=1).mean() * np.exp(rng.uniform(*LARGER)))
    along = edges[int(rng.integers(4))]
    top, foot = lens.project(face_corners(pose, 4)).mean(axis=0), lens.project(face_corners(pose, 5)).mean(axis=0)
    turned = upright(float(np.degrees(np.arctan2(along[1], along[0]))), foot - top)
    return replace(crop_around(picture, (*at, edge, turned), face, UNKNOWN), is_upright=True)


def _sides_in_sight(lens: PinholeCamera, pose: Pose, rng: Rng) -> list[int]:
    """Return the sides of a die that the camera sees well, in random order."""
    sight = lens.eye - pose.centre
    facing = (pose.turn @ FACE_FRAMES[:, 2].T).T @ (sight / np.linalg.norm(sight))
    return [int(number) for number in rng.permutation(4) if facing[number] > FACING]
