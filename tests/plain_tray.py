"""A tray without markers in a picture, quickly painted: a rim around a green floor, on a table with a grain."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frames import Pixels

SIZE = (640, 480)
CORNERS = ((0.2, 0.2), (0.8, 0.22), (0.78, 0.8), (0.18, 0.78))
"""The floor's corners as fractions of the picture, clockwise from the top left."""


def paint_tray(
    shift: tuple[float, float] = (0.0, 0.0),
    *,
    tray_shift: tuple[float, float] = (0.0, 0.0),
    dice: Sequence[tuple[float, float]] = ((0.4, 0.5), (0.6, 0.6)),
    light: float = 1.0,
    seed: int = 0,
) -> Pixels:
    """Paint the tray from a camera that was pushed by `shift` pixels, and the tray on its table by `tray_shift`."""
    rng = np.random.default_rng(7)
    grain = cv2.resize(rng.normal(0, 1, (60, 80)).astype(np.float32), (SIZE[0] + 200, SIZE[1] + 200))
    table = np.clip(np.array([60, 90, 130]) * (1 + 0.15 * grain[..., None]), 0, 255).astype(np.uint8)
    for points, colour in ((_grown(1.12), (40, 60, 90)), (_grown(1.0), (70, 120, 60))):
        cv2.fillPoly(table, [_fine(points + 100 + tray_shift)], colour, cv2.LINE_AA, 4)
    for x, y in dice:
        middle = np.array([x, y]) * SIZE + 100 + tray_shift
        corners = middle + np.array([(-11, -11), (11, -11), (11, 11), (-11, 11)])
        cv2.fillPoly(table, [_fine(corners)], (235, 235, 240), cv2.LINE_AA, 4)
    across, down = shift
    way = np.array([[1, 0, across - 100], [0, 1, down - 100]], np.float32)
    seen = cv2.warpAffine(table, way, SIZE).astype(np.float32) * light
    return np.clip(seen + np.random.default_rng(seed).normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


def _grown(share: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    corners = np.array(CORNERS) * SIZE
    return corners.mean(axis=0) + share * (corners - corners.mean(axis=0))


def _fine(points: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round((points - 0.5) * 16).astype(np.int32)
