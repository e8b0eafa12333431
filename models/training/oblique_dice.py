"""Paint dice as oblique cameras see them: what a crop shows is the face on top, and a crop of a side shows none.

A camera that leans by 25 to 60 degrees sees one or two sides of a die next to its top. The finder marks either, or
something between. Half of the dice are seen in the plane of their top faces, as those in a tray with markers are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from models.synthetic.die_renderer import FACE_FRAMES, PinholeCamera, Pose
from models.synthetic.face_style import Use
from models.synthetic.projection import Numbers
from models.training.crops import NONE, UNKNOWN, TrainingCrop, crop_around
from models.training.painted_dice import (
    EDGE_MM,
    EDGES,
    face_corners,
    lens_above,
    lying_die,
    paint_batch,
    paint_crops,
    painted,
)
from models.training.texture_atlas import DieAtlas, Rng, random_dice, random_die
from referee.dice import KindName
from vision.frames import Pixels
from vision.kinds import CLASSES
from vision.rectification import upright

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
