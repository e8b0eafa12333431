"""Find dice in a view, with how they lie by finder and reader together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.model_file import load_model
from vision.observations import DieSighting, Posture
from vision.rectification import TrayView
from vision.tray_calibration import Calibration

# How a die lies: only one that finder and reader call flat is flat

POSTURES = (Posture.FLAT, Posture.COCKED, Posture.STACKED)
"""The order of the networks' posture outputs."""

FLAT_FROM = 0.5
"""The reader calls a die flat if its probability for that exceeds this."""


def most_likely_posture(scores: npt.NDArray[np.float32]) -> Posture:
    """Return the posture with the highest of three scores, in the order of POSTURES."""
    return POSTURES[int(np.argmax(scores))]


def agreed_posture(found: Posture, flat_probability: float) -> Posture:
    """Combine the finder's posture with the reader's probability (0 to 1) that the die lies flat.

    The finder sees the die's surroundings and so decides between COCKED and STACKED; where it says FLAT and the reader
    does not, the die is COCKED.
    """
    return Posture.COCKED if found is Posture.FLAT and not flat_probability > FLAT_FROM else found


# Finding dice
#
# The network takes a BGR picture and returns, for each cell of STRIDE x STRIDE pixels, nine numbers: the heatmap (0 to
# 1, that a die's centre is in the cell), the centre's offset in the cell, the size and rotation of the top face, and
# three posture scores. Detection by centre heatmaps is that of Zhou et al., "Objects as Points" (2019). The training
# feeds the network through the same functions.

STRIDE = 4
"""Pixels of the network's input for one cell of its output."""

UNIT_EDGE = 20.0
"""The edge in pixels for which the network's size output is zero: the middle of the sizes it was trained on."""

MULTIPLE = 16
"""Width and height of the network's input are multiples of this."""

SEARCHED_LONG_SIDES = (192, 320, 480, 800)
"""A photograph of unknown scale is searched at these sizes of its long side, in pixels."""
MAX_UPSCALE = 1.5
"""A photograph is not searched at sizes that would enlarge it by more."""

MIN_DISTANCE_EDGES = 0.7
"""Edges between the centres of two dice at least: flat ones keep a whole one, a leaning one seems nearer."""

SAME_SIZE_FACTOR = 1.3
"""Dice of one set seem to differ by less in size, and so do the top and the side of a leaning one."""

SIMILAR_SIZE_FACTOR = 1.8
"""Two dice of one table differ by less in size; what differs by more is a part of a die, or a crowd of them."""

OTHER_SIZES = (0.8, 1.25)
"""A view in which dice are missing is searched at these sizes too: of two dice that touch, each with a single pip, the
network is not sure at one size, and is at another."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Detection:
    """A die in one picture: centre and edge in pixels, clockwise rotation in degrees (0 to 90), confidence (0 to 1)."""

    x: float
    y: float
    edge: float
    turned_degrees: float
    posture: Posture
    confidence: float

    def scaled(self, factor: float) -> Detection:
        """Return the same die in a picture `factor` times as large."""
        return Detection(
            self.x * factor, self.y * factor, self.edge * factor, self.turned_degrees, self.posture, self.confidence
        )


def network_input(pixels: Pixels) -> Floats:
    """Return a BGR picture as the network takes it: float32, (1, 3, height, width), 0 to 1, mirrored to MULTIPLE."""
    height, width = pixels.shape[:2]
    below, right = -height % MULTIPLE, -width % MULTIPLE
    padded = cv2.copyMakeBorder(pixels, 0, below, 0, right, cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255), np.float32)


def decode(output: Floats, min_confidence: float) -> tuple[Detection, ...]:
    """Return the dice in the network's output.

    The output is float32, (9, rows, columns): heatmap, dx, dy, log size, cos and sin of four times the rotation, three
    posture scores. A die is a local maximum of the heatmap of at least `min_confidence`.
    """
    heatmap = output[0]
    peaks = (heatmap >= cv2.dilate(heatmap, np.ones((3, 3), np.uint8))) & (heatmap >= min_confidence)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-heatmap[rows, columns])
    return suppress_duplicates([_decode_cell(output, int(rows[k]), int(columns[k])) for k in order])


def _decode_cell(output: Floats, row: int, column: int) -> Detection:
    confidence, dx, dy, size, cos, sin = (float(value) for value in output[:6, row, column])
    edge = UNIT_EDGE * float(np.exp(np.clip(size, -3, 3)))
    turned = float(np.degrees(np.arctan2(sin, cos)) / 4 % 90)
    posture = most_likely_posture(output[6:9, row, column])
    x, y = (column + 0.5 + dx) * STRIDE, (row + 0.5 + dy) * STRIDE
    return Detection(x, y, edge, turned, posture, min(confidence, 1.0))


def suppress_duplicates(found: Sequence[Detection]) -> tuple[Detection, ...]:
    """Return the detections by falling confidence, without those too near to a surer one of about their size.

    Non-maximum suppression by distance. A pip on a die and the die both stay, as do a crowd of dice that looks like one
    and the dice themselves: which of them is a die is decided when they are read.
    """
    return tuple(_surest(found, _are_doubles))


def without_doubles(sightings: Sequence[DieSighting]) -> list[DieSighting]:
    """Return the sightings without those too near to a surer one, in millimetres: two squares on one top face."""
    return _surest(sightings, _are_one)


Found = TypeVar("Found", Detection, DieSighting)


def _surest(found: Sequence[Found], are_one: Callable[[Found, Found], bool]) -> list[Found]:
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: -each.confidence):
        if not any(are_one(one, other) for other in kept):
            kept.append(one)
    return kept


def _are_one(one: DieSighting, other: DieSighting) -> bool:
    small, large = sorted((one.edge_mm, other.edge_mm))
    apart = np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    return large < SAME_SIZE_FACTOR * small and bool(apart <= MIN_DISTANCE_EDGES * small)


def _are_doubles(one: Detection, other: Detection) -> bool:
    return _similar_size(one, other) and math.hypot(one.x - other.x, one.y - other.y) <= _min_distance(one, other)


def _similar_size(one: Detection, other: Detection) -> bool:
    return max(one.edge, other.edge) <= SIMILAR_SIZE_FACTOR * min(one.edge, other.edge)


def _min_distance(one: Detection, other: Detection) -> float:
    """Return how near two dice can lie: a false detection much larger than the die next to it must not remove that."""
    small, large = sorted((one.edge, other.edge))
    return MIN_DISTANCE_EDGES * (large if large < SAME_SIZE_FACTOR * small else small)


class Finder:
    """Find dice in views with the finder network. Not for several threads at once."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        self._least = {False: float(card["least_confidence"]), True: float(card["least_over_tray"])}
        low, high = card["edge_pixels"]
        self._edge_range = (float(low), float(high))

    def find(self, view: TrayView, *, thoroughly: bool = False) -> tuple[DieSighting, ...]:
        """Return the dice in a view, surest first.

        A rectified view is searched once, or `thoroughly` at other sizes too; others are searched at several sizes. In
        a rectified one less sure dice are found as well: how they lie in the plane tells whether they are any.
        """
        own = max(view.pixels.shape[:2])
        others = tuple(round(own * size) for size in OTHER_SIZES) if thoroughly else ()
        sizes = (own, *others) if view.calibration else SEARCHED_LONG_SIDES
        least = self._least[view.calibration is not None]
        found = [detection for size in sizes for detection in self._find_at_size(view.pixels, size, least)]
        sightings = (to_sighting(detection, view) for detection in suppress_duplicates(found))
        return tuple(sighting for sighting in sightings if not is_on_marker(sighting, view.calibration))

    def _find_at_size(self, pixels: Pixels, long_side: int, least_confidence: float) -> list[Detection]:
        """Return the dice found in the picture resized to a long side, in pixels of the picture itself."""
        factor = long_side / max(pixels.shape[:2])
        if factor > MAX_UPSCALE:
            return []
        resized = (
            pixels if factor == 1 else cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        )
        output = self._session.run(None, {"picture": network_input(np.asarray(resized, np.uint8))})[0][0]
        low, high = self._edge_range
        height, width = resized.shape[:2]
        found = [one for one in decode(output, least_confidence) if low <= one.edge <= high]
        # A die at the edge is mirrored in what pads the network's input, and was counted twice.
        return [one.scaled(1 / factor) for one in found if one.x < width and one.y < height]


def is_on_marker(sighting: DieSighting, calibration: Calibration | None) -> bool:
    """True if a sighting is one of the tray's own markers: no die lies on a marker in full view."""
    if calibration is None:
        return False
    layout = calibration.layout
    return any(
        number not in calibration.hidden and np.hypot(sighting.x_mm - x, sighting.y_mm - y) < layout.marker_mm / 2
        for number, (x, y) in enumerate(layout.corners_mm)
    )


def to_sighting(detection: Detection, view: TrayView) -> DieSighting:
    """Return a detection in a view as a sighting, in millimetres and in pixels of the frame."""
    lean = np.radians(detection.turned_degrees)
    tip = np.array([np.cos(lean), np.sin(lean)]) * detection.edge
    x, y = detection.x, detection.y
    points = np.array([[x, y], [x + tip[0], y + tip[1]], [x - tip[1], y + tip[0]]])
    in_mm, in_frame = transformed(view.to_mm, points), transformed(view.to_frame, points)
    return DieSighting(
        x_mm=float(in_mm[0, 0]),
        y_mm=float(in_mm[0, 1]),
        edge_mm=_mean_edge(in_mm),
        turned_degrees=detection.turned_degrees,
        posture=detection.posture,
        confidence=detection.confidence,
        x=float(in_frame[0, 0]),
        y=float(in_frame[0, 1]),
        edge=_mean_edge(in_frame),
    )


def transformed(homography: npt.NDArray[np.float64], points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return points (n, 2) after a homography (3, 3)."""
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0])


def _mean_edge(points: npt.NDArray[np.float64]) -> float:
    """Return the mean distance of the second and third point from the first."""
    return float(np.linalg.norm(points[1:] - points[0], axis=1).mean())
