"""Tell by the geometry of the calibrated plane how a die lies: its outline fits a flat die there, or it does not.

The plane gives the camera (`vision.plane_camera`), and so the line of sight to each die: of a flat die the camera sees
the sides that face it, by a known amount. A leaning die shows more of one side and less of the opposite one; one that
stands on another is larger, and more of it, or of the lower die, is seen. How far the axis of the die departs from a
flat one's follows from its outline and the line of sight by ridge regression on random Fourier features (Rahimi and
Recht 2007); a logistic model weighs that against what finder and reader say. Both are fitted on rendered pictures.

How large the dice are they tell themselves (`vision.die_size`): a wrong edge would make all of them seem to lean.
Without a calibrated plane nothing is decided: the answer is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.sentences import say
from vision.die_outline import DieOutline, mirrored, outline_of
from vision.die_posture import POSTURES, agreed_posture
from vision.die_size import edge_now
from vision.model_file import BrokenModel, read_checked
from vision.observations import DieSighting, Posture
from vision.plane_camera import PlaneCamera, camera_over
from vision.rectification import TrayView

Floats = npt.NDArray[np.float32]

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
