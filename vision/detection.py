"""Finding dice: a small convolutional network marks the middle of every die's top face.

The network sees a BGR picture and gives, for each cell of `STRIDE` pixels, how surely a die's middle lies there, where
in the cell, how large and how turned the top face is, and how the die lies. The training feeds it the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration
from vision.frames import Pixels
from vision.model_file import load_model
from vision.observations import DieSighting, Posture
from vision.rectification import TrayView

STRIDE = 4
"""Pixels of the network's input for one cell of its output."""

UNIT_EDGE = 20.0
"""The edge in pixels for which the network's size output is zero: in the midst of the sizes that it was taught."""

MULTIPLE = 16
"""Width and height of the network's input are multiples of this."""

PLAIN_LONG_SIDES = (192, 320, 480, 800)
"""A photograph of unknown scale is searched at these sizes of its long side."""

NEAREST = 0.7
"""Edges between the middles of two dice, at least: flat ones keep a whole one, a leaning one seems nearer."""

SAME = 1.3
"""Dice of one set seem to differ by less in size, and so do the top and the side of a leaning one."""

ALIKE = 1.8
"""Two dice of one table differ by less in size; what differs by more is a part of a die, or a crowd of them."""

POSTURES = (Posture.FLAT, Posture.COCKED, Posture.STACKED)

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Spot:
    """A die in the pixels of one picture."""

    x: float
    y: float
    edge: float
    turned_degrees: float
    posture: Posture
    confidence: float

    def scaled(self, factor: float) -> Spot:
        """The same die in a picture `factor` times as large."""
        return Spot(
            self.x * factor, self.y * factor, self.edge * factor, self.turned_degrees, self.posture, self.confidence
        )


def network_input(pixels: Pixels) -> Floats:
    """A BGR picture as the network takes it: 1 x 3 x height x width, 0..1, padded to multiples of MULTIPLE."""
    height, width = pixels.shape[:2]
    below, right = -height % MULTIPLE, -width % MULTIPLE
    padded = cv2.copyMakeBorder(pixels, 0, below, 0, right, cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255), np.float32)


def spots(output: Floats, least: float) -> tuple[Spot, ...]:
    """The dice in the network's output (9 x height x width: heat, dx, dy, size, cos, sin, three postures)."""
    heat = output[0]
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= least)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-heat[rows, columns])
    return without_doubles([_spot(output, int(rows[k]), int(columns[k])) for k in order])


def _spot(output: Floats, row: int, column: int) -> Spot:
    heat, dx, dy, size, cos, sin = (float(value) for value in output[:6, row, column])
    edge = UNIT_EDGE * float(np.exp(np.clip(size, -3, 3)))
    turned = float(np.degrees(np.arctan2(sin, cos)) / 4 % 90)
    posture = POSTURES[int(np.argmax(output[6:9, row, column]))]
    return Spot((column + 0.5 + dx) * STRIDE, (row + 0.5 + dy) * STRIDE, edge, turned, posture, min(heat, 1.0))


def without_doubles(found: Sequence[Spot]) -> tuple[Spot, ...]:
    """The spots, surest first, less those nearer to a surer one of about their size than two dice can lie.

    A pip on a die and the die stay both, as do a crowd of dice that looks like one and the dice: which of them is a
    die can be told when they are read.
    """
    kept: list[Spot] = []
    for spot in sorted(found, key=lambda s: -s.confidence):
        if not any(_alike(spot, other) and _apart(spot, other) <= _reach(spot, other) for other in kept):
            kept.append(spot)
    return tuple(kept)


def _alike(spot: Spot, other: Spot) -> bool:
    return max(spot.edge, other.edge) <= ALIKE * min(spot.edge, other.edge)


def _reach(spot: Spot, other: Spot) -> float:
    """How near they may not lie: a mistake that is much larger than the die beside it must not swallow that."""
    small, large = sorted((spot.edge, other.edge))
    return NEAREST * (large if large < SAME * small else small)


def _apart(spot: Spot, other: Spot) -> float:
    return float(np.hypot(spot.x - other.x, spot.y - other.y))


class Finder:
    """Finds dice in views. One session; not for several threads at once."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        self._least = float(card["least_confidence"])
        low, high = card["edge_pixels"]
        self._edges = (float(low), float(high))

    def find(self, view: TrayView) -> tuple[DieSighting, ...]:
        """The dice in a view, surest first. A rectified view is searched once, a plain one at several sizes."""
        sizes = (max(view.pixels.shape[:2]),) if view.calibration else PLAIN_LONG_SIDES
        found = [spot for size in sizes for spot in self._at(view.pixels, size)]
        sightings = (sighting(spot, view) for spot in without_doubles(found))
        return tuple(seen for seen in sightings if not on_a_marker(seen, view.calibration))

    def _at(self, pixels: Pixels, long_side: int) -> list[Spot]:
        """The spots at one size of the picture, back in the picture's own pixels."""
        factor = long_side / max(pixels.shape[:2])
        if factor > 1.5:
            return []
        small = pixels if factor == 1 else cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        output = self._session.run(None, {"picture": network_input(np.asarray(small, np.uint8))})[0][0]
        low, high = self._edges
        return [spot.scaled(1 / factor) for spot in spots(output, self._least) if low <= spot.edge <= high]


def on_a_marker(seen: DieSighting, calibration: Calibration | None) -> bool:
    """Whether a sighting is one of the tray's own markers: a marker in full view has no die lying on it."""
    if calibration is None:
        return False
    layout = calibration.layout
    return any(
        number not in calibration.hidden and np.hypot(seen.x_mm - x, seen.y_mm - y) < layout.marker_mm / 2
        for number, (x, y) in enumerate(layout.corners_mm)
    )


def sighting(spot: Spot, view: TrayView) -> DieSighting:
    """A spot of a view in millimetres and in the frame's pixels."""
    lean = np.radians(spot.turned_degrees)
    tip = np.array([np.cos(lean), np.sin(lean)]) * spot.edge
    points = np.array([[spot.x, spot.y], [spot.x + tip[0], spot.y + tip[1]], [spot.x - tip[1], spot.y + tip[0]]])
    in_mm, in_frame = _through(view.to_mm, points), _through(view.to_frame, points)
    return DieSighting(
        x_mm=float(in_mm[0, 0]),
        y_mm=float(in_mm[0, 1]),
        edge_mm=_edge(in_mm),
        turned_degrees=spot.turned_degrees,
        posture=spot.posture,
        confidence=spot.confidence,
        x=float(in_frame[0, 0]),
        y=float(in_frame[0, 1]),
        edge=_edge(in_frame),
    )


def _through(homography: npt.NDArray[np.float64], points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0])


def _edge(points: npt.NDArray[np.float64]) -> float:
    """The mean length of the two edges from the first point."""
    return float(np.linalg.norm(points[1:] - points[0], axis=1).mean())
