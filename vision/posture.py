"""Tell by the geometry of the calibrated plane how a die lies: its outline fits a flat die there, or it does not.

The plane gives the camera, and so the line of sight to each die: of a flat die the camera sees the sides that face it,
by a known amount. A leaning die shows more of one side and less of the opposite one; one that stands on another is
larger, and more of it, or of the lower die, is seen. How far the axis of the die departs from a flat one's follows from
its outline and the line of sight by ridge regression on random Fourier features (Rahimi and Recht 2007); a logistic
model weighs that against what finder and reader say. Both are fitted on rendered pictures.

How large the dice are they tell themselves (`vision.die_size`): a wrong edge would make all of them seem to lean.
Without a calibrated plane nothing is decided: the answer is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.sentences import say
from vision.detection import POSTURES, agreed_posture
from vision.die_size import edge_now
from vision.frames import Pixels
from vision.model_file import BrokenModel, read_checked
from vision.observations import DieSighting, Posture
from vision.rectification import PlaneCamera, TrayView, camera_over
from vision.tray_calibration import Calibration

# The outline of a die, straightened as a camera sees it
#
# The picture around a die is warped onto the plane of a flat die's top face, turned with the die, in edges of the die.
# There a flat die of any place, camera and rotation shows the same square, and its sides appear towards the point below
# the camera, by as much as the line of sight tells. What is seen is described by the directions of its outlines.

Floats = npt.NDArray[np.float32]

SIDE, PER_EDGE = 54, 24
"""Pixels a side of the straightened picture, and pixels for an edge of the die: it reaches 1.1 edges to each side."""
CELL, DIRECTIONS = 6, 8
"""Pixels a side of a cell, and directions of outlines that are told apart, as in histograms of oriented gradients
(Dalal and Triggs 2005)."""
CELLS = SIDE // CELL
PLANES = DIRECTIONS + 2
"""Numbers of a cell: outlines in each direction, and how far its colour is from the table's and from the top face's."""
CONTRAST_LEVELS, COLOUR_LEVELS = 12.0, 20.0
"""Gradient and colour distance, in levels, up to which a cell's number grows evenly; beyond by the logarithm."""


@dataclass(frozen=True, eq=False)
class DieOutline:
    """What a die looks like in the plane of a flat die's top face.

    cells: float32, (CELLS, CELLS, PLANES). sight: the line of sight in that plane, in the die's axes: how far the foot
    of a flat die is seen from its top face, as a share of its edge, float32, (2,).
    """

    cells: Floats
    sight: Floats


def outline_of(
    pixels: Pixels, calibration: Calibration, camera: PlaneCamera, sighting: DieSighting, edge_mm: float
) -> DieOutline:
    """Return the outline of a die in a frame (BGR) whose dice have that edge."""
    straight, sight = straightened(pixels, calibration, camera, sighting, edge_mm)
    return DieOutline(_cells(straight), sight)


def straightened(
    pixels: Pixels, calibration: Calibration, camera: PlaneCamera, sighting: DieSighting, edge_mm: float
) -> tuple[Pixels, Floats]:
    """Return the picture of a die, uint8, (SIDE, SIDE, 3), BGR, and its line of sight (see DieOutline)."""
    foot, height = np.array(camera.eye_mm[:2]), camera.height_mm
    centre = foot + (np.array([sighting.x_mm, sighting.y_mm]) - foot) * (height - edge_mm) / height
    lean = np.radians(sighting.turned_degrees)
    turn = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    step = edge_mm / (2 * PER_EDGE)
    corner = centre - turn @ np.full(2, (SIDE - 0.5) * step)
    to_plane = np.vstack([np.column_stack([step * turn, corner]), [0, 0, 1]])
    to_frame = np.linalg.inv(calibration.to_mm) @ camera.plane_at(edge_mm) @ to_plane
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine = cv2.warpPerspective(pixels, to_frame, (2 * SIDE, 2 * SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    straight = cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(straight, np.uint8), (turn.T @ (foot - centre) / height).astype(np.float32)


def _cells(straight: Pixels) -> Floats:
    picture = straight.astype(np.float32)
    small = picture.reshape(CELLS, CELL, CELLS, CELL, 3).mean(axis=(1, 3))
    rim = np.concatenate([picture[:3].reshape(-1, 3), picture[-3:].reshape(-1, 3)])
    rim = np.concatenate([rim, picture[:, :3].reshape(-1, 3), picture[:, -3:].reshape(-1, 3)])
    table, top = np.median(rim, axis=0), small[3:6, 3:6].mean(axis=(0, 1))
    far = [np.log1p(np.linalg.norm(small - colour, axis=2) / COLOUR_LEVELS) for colour in (table, top)]
    return np.concatenate([_directions(picture), np.stack(far, axis=2)], axis=2).astype(np.float32)


def _directions(picture: Floats) -> Floats:
    """Return the mean strength of the outlines in each cell and direction, each pixel by its strongest colour."""
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *order, ksize=3).reshape(-1, 3) for order in ((1, 0), (0, 1)))
    strongest = np.arange(len(across)), (across**2 + down**2).argmax(axis=1)
    x, y = across[strongest], down[strongest]
    strength = np.log1p(np.hypot(x, y) / CONTRAST_LEVELS)
    angle = (np.arctan2(y, x) % np.pi) / np.pi * DIRECTIONS
    low = angle.astype(np.intp)
    share = angle - low
    found = np.zeros(CELLS * CELLS * DIRECTIONS)
    for direction, weight in ((low, 1 - share), (low + 1, share)):
        found += np.bincount(_CELL_OF_PIXEL + direction % DIRECTIONS, strength * weight, len(found))
    return np.asarray(found.reshape(CELLS, CELLS, DIRECTIONS) / CELL**2, np.float32)


_CELL_OF_PIXEL = np.add.outer(np.arange(SIDE) // CELL * CELLS, np.arange(SIDE) // CELL).ravel() * DIRECTIONS


def mirrored(outline: DieOutline, *, swapped: bool, across: bool, down: bool) -> DieOutline:
    """Return the outline with its axes swapped and then mirrored: the same die seen by a mirrored camera."""
    cells, sight = outline.cells, outline.sight
    if swapped:
        cells, sight = cells.transpose(1, 0, 2)[..., _SWAPPED], sight[::-1]
    if across:
        cells, sight = cells[:, ::-1][..., _MIRRORED], sight * (-1, 1)
    if down:
        cells, sight = cells[::-1][..., _MIRRORED], sight * (1, -1)
    return replace(outline, cells=cells, sight=sight.astype(np.float32))


_MIRRORED = [*(-n % DIRECTIONS for n in range(DIRECTIONS)), *range(DIRECTIONS, PLANES)]
_SWAPPED = [*((DIRECTIONS // 2 - n) % DIRECTIONS for n in range(DIRECTIONS)), *range(DIRECTIONS, PLANES)]


# How a die lies
#
# The plane gives the camera (`vision.plane_camera`), and so the line of sight to each die: of a flat die the camera
# sees the sides that face it, by a known amount. A leaning die shows more of one side and less of the opposite one; one
# that stands on another is larger, and more of it, or of the lower die, is seen. How far the axis of the die departs
# from a flat one's follows from its outline and the line of sight by ridge regression on random Fourier features
# (Rahimi and Recht 2007); a logistic model weighs that against what finder and reader say. Both are fitted on rendered
# pictures.
# How large the dice are they tell themselves (`vision.die_size`): a wrong edge would make all of them seem to lean.
# Without a calibrated plane nothing is decided: the answer is UNKNOWN.

MIRRORINGS = tuple(product((False, True), repeat=3))
"""Swapped, across, down: a die has no upper edge, so all eight tell the same."""
TARGETS = 4
"""What the regression gives: departure of the die's axis (across, down), that it stands on another, that it leans."""
LONGEST_LOGIT = 6.0


@dataclass(frozen=True)
class NetworkPosture:
    """What the networks say of a sighting: the finder's posture is the sighting's own; probability (0 to 1) of flat."""

    sighting: DieSighting
    flat_probability: float


@dataclass(frozen=True, eq=False)
class PostureModel:
    """The fitted constants.

    mean, scale: of an outline's numbers. basis: their principal components. waves, phases: of the random features.
    weights: of the features, (features, TARGETS). spread: of the components. decision: of the evidence, (evidence + 1,
    postures). askew_from: a die does not lie flat if the probability of that reaches this.
    """

    mean: Floats
    scale: Floats
    basis: Floats
    waves: Floats
    phases: Floats
    weights: Floats
    spread: Floats
    decision: Floats
    askew_from: Floats

    @classmethod
    def load(cls, file: Path) -> PostureModel:
        """Return the model of a file whose card lies next to it. Raises BrokenModel."""
        read_checked(file)
        with np.load(file, allow_pickle=False) as stored:
            names = [one.name for one in fields(cls)]
            if any(name not in stored for name in names):
                raise BrokenModel(
                    say("the model {file} has no {known}; install it again", file=file, known=", ".join(names))
                )
            return cls(*(np.asarray(stored[name], np.float32) for name in names))

    def measure(self, outlines: Sequence[DieOutline]) -> Floats:
        """Return TARGETS of each outline, float32, (n, TARGETS): the mean over all mirrorings."""
        total = np.zeros((len(outlines), TARGETS), np.float32)
        for swapped, across, down in MIRRORINGS:
            seen = [mirrored(one, swapped=swapped, across=across, down=down) for one in outlines]
            found = self.features(seen) @ self.weights
            found[:, :2] *= (-1 if across else 1, -1 if down else 1)
            if swapped:
                found[:, :2] = found[:, 1::-1]
            total += found
        return np.asarray(total / len(MIRRORINGS), np.float32)

    def features(self, outlines: Sequence[DieOutline]) -> Floats:
        """Return the features that `weights` weigh, float32, (n, features)."""
        numbers = np.stack([one.cells.ravel() for one in outlines])
        parts = ((numbers - self.mean) / self.scale) @ self.basis / self.spread[0]
        sights = np.stack([one.sight for one in outlines]) * self.spread[1]
        both = np.concatenate([parts, sights], axis=1)
        waves = np.cos(both @ self.waves + self.phases) * np.sqrt(200 / len(self.phases))
        return np.concatenate([waves, 3 * both, np.ones((len(both), 1), np.float32)], axis=1, dtype=np.float32)

    def probabilities(self, told: Floats) -> Floats:
        """Return the probabilities of POSTURES by the evidence, float32, (n, 3)."""
        logits = np.column_stack([told, np.ones(len(told))]) @ self.decision
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)

    def decide(self, told: Floats) -> list[tuple[Posture, float]]:
        """Return the posture by the evidence, FLAT unless another is likely enough, and the probability of FLAT."""
        rows = self.probabilities(told)
        askew = 1 - rows[:, 0] >= self.askew_from
        return [
            (POSTURES[1 + int(row[1:].argmax())] if is_askew else Posture.FLAT, float(row[0]))
            for row, is_askew in zip(rows, askew, strict=True)
        ]


def with_postures(model: PostureModel | None, view: TrayView, dice: Sequence[NetworkPosture]) -> list[DieSighting]:
    """Return the sightings with how the dice lie; without a model, a plane or an edge by the networks alone."""
    if model is None or view.calibration is None:
        return [without_plane(one) for one in dice]
    edge_mm = edge_now([one.sighting for one in dice], view.calibration, view.edge_mm)
    if edge_mm is None or not dice:
        return [without_plane(one) for one in dice]
    camera = camera_over(view.calibration)
    pixels, plane = view.frame.pixels, view.calibration
    outlines = [outline_of(pixels, plane, camera, one.sighting, edge_mm) for one in dice]
    told = model.decide(evidence(model.measure(outlines), outlines, dice, camera))
    return [replace(one.sighting, posture=how, flat=flat) for one, (how, flat) in zip(dice, told, strict=True)]


def evidence(
    measured: Floats, outlines: Sequence[DieOutline], dice: Sequence[NetworkPosture], camera: PlaneCamera
) -> Floats:
    """Return what is known of each die, float32, (n, evidence).

    The departure of its axis, what the regression says of standing on another and of leaning, what the networks say,
    and how far the line of sight may be off, since the focal length is.
    """
    departure = np.linalg.norm(measured[:, :2], axis=1)
    slack = camera.focal_spread * np.array([np.linalg.norm(one.sight) for one in outlines])
    flat = np.clip([one.flat_probability for one in dice], 1e-6, 1 - 1e-6)
    doubt = np.clip(np.log((1 - flat) / flat), -LONGEST_LOGIT, LONGEST_LOGIT)
    found = [[one.sighting.posture is posture for posture in POSTURES[1:]] for one in dice]
    columns = [departure, departure**2, measured[:, 2], measured[:, 3], doubt, slack, slack * departure]
    return np.column_stack([*columns, np.array(found, np.float32)]).astype(np.float32)


def without_plane(one: NetworkPosture) -> DieSighting:
    """Return the sighting with the networks' posture, UNKNOWN in place of FLAT: without a plane nobody can tell."""
    posture = agreed_posture(one.sighting.posture, one.flat_probability)
    return replace(one.sighting, posture=Posture.UNKNOWN if posture is Posture.FLAT else posture)
