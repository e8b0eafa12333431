"""Radial lens distortion, as of cheap wide-angle lenses, of a picture and its ground truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.ground_truth import TrueDie

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LensDistortion:
    """The first term of the radial distortion model (Brown 1966): barrel if `coefficient` is below 0, else pincushion.

    A point at r half-diagonals from the middle of the distorted picture shows what is at r (1 - coefficient r^2).
    size: width and height of the pictures in pixels.
    """

    coefficient: float
    size: tuple[int, int]

    def distort(self, straight: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return a picture (uint8, BGR) as the lens shows it."""
        if not self.coefficient:
            return straight
        y, x = np.indices(straight.shape[:2], np.float32)
        sources = self._undistorted(np.stack([x, y], axis=-1)).astype(np.float32)
        seen = cv2.remap(
            straight, sources[..., 0], sources[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        return np.asarray(seen, np.uint8)

    def distort_die(self, die: TrueDie) -> TrueDie:
        """Return the ground truth of a die at the position and size that the lens shows."""
        if not self.coefficient:
            return die
        at = np.array([die.x, die.y])
        neighbour = at + np.array([1.0, 0.0])
        x, y = seen = self.distort_point(at)
        return replace(
            die, x=float(x), y=float(y), edge=die.edge * float(np.linalg.norm(self.distort_point(neighbour) - seen))
        )

    def _undistorted(self, points: npt.NDArray[np.floating[Any]]) -> Array:
        middle = np.array(self.size) / 2
        away = (points - middle) / np.hypot(*middle)
        return np.asarray(middle + (points - middle) * (1 - self.coefficient * (away**2).sum(axis=-1, keepdims=True)))

    def distort_point(self, point: Array) -> Array:
        """Return where a point of the straight picture is shown, by fixed-point iteration."""
        seen = point
        for _ in range(8):
            seen = seen + point - self._undistorted(seen)
        return seen
