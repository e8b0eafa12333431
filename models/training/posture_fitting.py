"""Fit and score the model that tells by geometry how a die lies (`vision.posture`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import compress
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.training.lying_dice import Array
from models.training.posture_truth import PosturePicture, TrueLie
from models.training.reading_scores import share_line
from vision.classification import Reader
from vision.detection import Finder
from vision.die_size import edge_now
from vision.frame_reader import FrameReader
from vision.frames import Frame
from vision.observations import LEANING, DieSighting
from vision.posture import (
    MIRRORINGS,
    TARGETS,
    DieOutline,
    NetworkPosture,
    PostureModel,
    evidence,
    mirrored,
    outline_of,
    without_plane,
)
from vision.rectification import PlaneCamera, camera_over

Floats = npt.NDArray[np.float32]

COMPONENTS, WAVES = 150, 2400
"""Principal components of an outline's numbers, and random features."""
WAVINESS, SIGHT_WEIGHT, RIDGE = 0.4, 6.0, 1.0
"""Spread of the random features' frequencies, weight of the line of sight among the components, and ridge: chosen on
choosing pictures."""
LEANS_FROM, SURELY_FROM = 3.0, 7.0
"""A die that leans by fewer degrees is flat; the regression learns from what leans by more than SURELY_FROM."""
FALSE_ALARMS = 0.002
"""Share of flat choosing dice that may be called leaning: below the 0.5 % to reach, since it is an estimate."""
BANDS = ((5.0, 9.0), (9.0, 15.0), (15.0, 25.0), (25.0, 45.01))
COVERED = 0.3
"""A die of whose top face a larger share is hidden is left out."""
INSIDE_EDGES = 0.75
"""A die whose centre is nearer to the picture's border, in edges, is cut off: it is left out."""


@dataclass(frozen=True, eq=False)
class SeenLie:
    """A die that was found: how it truly lies, what the camera sees of it, and how far its axis departs from a flat's.

    departure: float32, (2,), in the die's axes, in edges.
    """

    truth: TrueLie
    outline: DieOutline
    network: NetworkPosture
    camera: PlaneCamera
    departure: Floats

    @property
    def posture(self) -> int:
        return 2 if self.truth.stacked else int(self.truth.lean_degrees >= LEANS_FROM)


def find_lies(pictures: Iterable[PosturePicture], finder: Finder, reader: Reader) -> tuple[list[SeenLie], int]:
    """Return the dice found in pictures, and how many were not found; cut off and hidden ones are left out."""
    found: list[SeenLie] = []
    missed = 0
    for picture in tqdm(list(pictures), desc="looking", mininterval=5):
        frame, layout = Frame(picture.pixels, 1, 0.0), picture.calibration.layout
        view, sightings = FrameReader(finder, reader, None, layout).look(frame, picture.calibration, None)
        told = [
            NetworkPosture(one.sighting, float(one.posture_probabilities[0]))
            for one in reader.dice_among(view, sightings, None)
        ]
        edge_mm = edge_now([one.sighting for one in told], picture.calibration, None)
        for truth in picture.dice:
            if truth.hidden or truth.covered > COVERED or _is_cut(truth, picture):
                continue
            nearest = min(told, key=lambda one: _pixels_apart(truth, one.sighting), default=None)
            if nearest is None or edge_mm is None or _pixels_apart(truth, nearest.sighting) > truth.edge / 2:
                missed += 1
            else:
                found.append(_seen(picture, truth, nearest, edge_mm))
    return found, missed


def _is_cut(truth: TrueLie, picture: PosturePicture) -> bool:
    height, width = picture.pixels.shape[:2]
    near = INSIDE_EDGES * truth.edge
    return not (near < truth.x < width - near and near < truth.y < height - near)


def _pixels_apart(truth: TrueLie, sighting: DieSighting) -> float:
    return float(np.hypot(truth.x - sighting.x, truth.y - sighting.y))


def _seen(picture: PosturePicture, truth: TrueLie, told: NetworkPosture, told_edge_mm: float) -> SeenLie:
    """Return a die as it is seen at a table, by the edge that the dice of the picture told."""
    camera, sighting, edge_mm = camera_over(picture.calibration), told.sighting, picture.edge_mm
    outline = outline_of(picture.pixels, picture.calibration, camera, sighting, told_edge_mm)
    eye, axis, centre = (np.array(vector) for vector in (picture.eye_mm, truth.axis, truth.centre_mm))
    ends = [_on_plane(centre + side * axis * edge_mm / 2, eye, edge_mm) for side in (1, -1)]
    lean = np.radians(sighting.turned_degrees)
    turn = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    departure = turn.T @ (ends[1] - ends[0]) / edge_mm - outline.sight
    return SeenLie(truth, outline, told, camera, departure.astype(np.float32))


def _on_plane(point: Array, eye: Array, edge_mm: float) -> Array:
    """Return where the camera sees a point on the plane of flat top faces."""
    reach = (eye[2] - edge_mm) / (eye[2] - point[2])
    return np.asarray(eye[:2] + (point[:2] - eye[:2]) * reach)


def fit_posture_model(training: Sequence[SeenLie], sources: Sequence[Sequence[SeenLie]]) -> PostureModel:
    """Return the model: the regression fitted on training dice, the decision on choosing ones of several renderers.

    The source on which flat dice look most askew decides from which probability on a die is called leaning.
    """
    choosing = [one for source in sources for one in source]
    outlines, targets = _all_mirrorings(training)
    rng = np.random.default_rng(0)
    blank = _untrained(outlines, rng)
    seen = np.concatenate([blank.features(outlines[k : k + 2000]) for k in range(0, len(outlines), 2000)])
    ridge = RIDGE * np.eye(seen.shape[1], dtype=np.float32)
    weights = np.linalg.solve(seen.T @ seen + ridge, seen.T @ targets)
    fitted = _with(blank, weights=_short(weights))
    told = told_of(fitted, choosing)
    decision = _fit_decision(told, np.array([one.posture for one in choosing]))
    decided = _with(fitted, decision=decision)
    return _with(decided, askew_from=max(_alarming(decided, source) for source in sources))


def _alarming(model: PostureModel, source: Sequence[SeenLie]) -> float:
    """Return the probability above which no more than FALSE_ALARMS of a source's flat dice lie."""
    flat = [one for one in source if one.posture == 0]
    askew = 1 - model.probabilities(told_of(model, flat))[:, 0]
    return float(np.quantile(askew, 1 - FALSE_ALARMS, method="higher")) + 1e-4


def told_of(model: PostureModel, dice: Sequence[SeenLie]) -> Floats:
    """Return the evidence of each die, float32, (n, evidence)."""
    rows = [evidence(model.measure([one.outline]), [one.outline], [one.network], one.camera) for one in dice]
    return np.concatenate(rows)


def _all_mirrorings(dice: Sequence[SeenLie]) -> tuple[list[DieOutline], Floats]:
    outlines: list[DieOutline] = []
    targets: list[Floats] = []
    for swapped, across, down in MIRRORINGS:
        for one in dice:
            outlines.append(mirrored(one.outline, swapped=swapped, across=across, down=down))
            departure = one.departure[::-1] if swapped else one.departure
            leans = not one.truth.stacked and one.truth.lean_degrees > SURELY_FROM
            signs = (-1 if across else 1, -1 if down else 1)
            targets.append(np.array([*(departure * signs), one.truth.stacked, leans], np.float32))
    return outlines, np.stack(targets)


def _untrained(outlines: Sequence[DieOutline], rng: np.random.Generator) -> PostureModel:
    """Return a model whose features are defined, and whose weights are not."""
    numbers = np.stack([one.cells.ravel() for one in outlines])
    mean, scale = numbers.mean(axis=0), numbers.std(axis=0) + 0.05
    scaled = (numbers - mean) / scale
    _, vectors = np.linalg.eigh((scaled.T @ scaled / len(scaled)).astype(np.float64))
    basis = _short(vectors[:, -COMPONENTS:])
    length = float(np.sqrt(((scaled[::4] @ basis) ** 2).sum(axis=1).mean()))
    waves = rng.normal(0, WAVINESS * np.sqrt(2), (COMPONENTS + 2, WAVES))
    return PostureModel(
        mean=mean,
        scale=scale,
        basis=basis,
        waves=_short(waves),
        phases=_short(rng.uniform(0, 2 * np.pi, WAVES)),
        weights=np.zeros((WAVES + COMPONENTS + 3, TARGETS), np.float32),
        spread=np.array([length, SIGHT_WEIGHT], np.float32),
        decision=np.zeros((1, 1), np.float32),
        askew_from=np.float32(1),  # type: ignore[arg-type]  # an array of no dimension
    )


def _short(numbers: npt.NDArray[np.floating]) -> Floats:
    """Return numbers as they are after being stored with half precision."""
    return np.asarray(numbers, np.float16).astype(np.float32)


def _with(model: PostureModel, **changed: npt.ArrayLike) -> PostureModel:
    values = {one.name: getattr(model, one.name) for one in fields(model)} | changed
    return PostureModel(**{name: np.asarray(value, np.float32) for name, value in values.items()})


def _fit_decision(told: Floats, postures: npt.NDArray[np.int_]) -> Floats:
    """Return the weights of multinomial logistic regression, by gradient descent on standardised evidence."""
    mean, scale = told.mean(axis=0), told.std(axis=0) + 1e-6
    rows = np.column_stack([(told - mean) / scale, np.ones(len(told))])
    wanted = np.eye(3)[postures]
    weights = np.zeros((rows.shape[1], 3))
    for _ in range(4000):
        logits = rows @ weights
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        weights -= 0.5 * (rows.T @ (chances - wanted) / len(rows) + 1e-3 * weights)
    weights[:-1] /= scale[:, None]
    weights[-1] -= mean @ weights[:-1]
    return weights.astype(np.float32)


def save_model(model: PostureModel, file: Path) -> None:
    """Write the model, its large arrays in half precision, which they hold exactly."""
    large = {"basis", "waves", "phases", "weights"}
    arrays = {one.name: getattr(model, one.name) for one in fields(model)}
    np.savez_compressed(
        file, **{name: array.astype(np.float16) if name in large else array for name, array in arrays.items()}
    )


def posture_table(model: PostureModel | None, dice: Sequence[SeenLie], missed: int) -> str:
    """Return what of dice is seen to lean or to stand on others, by bands, with counts and 95 % intervals.

    Without a model the networks alone decide, as they do without a plane.
    """
    sighted = _judged(model, dice)
    askew, may_lean = [one.posture in LEANING for one in sighted], [one.leaning > 0.5 for one in sighted]
    leans = [(f"leans of {low:.0f} to {high:.0f} degrees seen", _leans_within(low, high)) for low, high in BANDS]
    rows: list[tuple[str, Callable[[SeenLie], bool]]] = [
        *leans,
        ("leans of 9 degrees and more seen", _leans_within(9.0, 90.0)),
        ("stacked dice seen", lambda one: one.truth.stacked),
        ("flat dice called leaning or stacked", lambda one: one.posture == 0),
        ("of them touching another or a wall", lambda one: one.posture == 0 and one.truth.touches),
    ]
    lines = [_share(text, compress(askew, map(is_meant, dice))) for text, is_meant in rows]
    if model is not None:
        seen, flat = map(_leans_within(9.0, 90.0), dice), (one.posture == 0 for one in dice)
        lines.append(_share("leans of 9 degrees and more, likelier than not", compress(may_lean, seen)))
        lines.append(_share("flat dice that lean likelier than not", compress(may_lean, flat)))
    return "\n".join([*lines, f"dice not found at all: {missed} of {missed + len(dice)}"])


def _leans_within(low: float, high: float) -> Callable[[SeenLie], bool]:
    return lambda one: not one.truth.stacked and low <= one.truth.lean_degrees < high


def _judged(model: PostureModel | None, dice: Sequence[SeenLie]) -> list[DieSighting]:
    if model is None:
        return [without_plane(one.network) for one in dice]
    told = model.decide(told_of(model, dice))
    return [replace(one.network.sighting, posture=how, flat=flat) for one, (how, flat) in zip(dice, told, strict=True)]


def _share(text: str, seen: Iterable[bool]) -> str:
    told = [*seen]
    return share_line(text, sum(told), len(told))
