"""Lenses that bend straight lines, as cheap wide ones do: what they make of a picture and of its truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.ground_truth import Truth

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Bend:
    """A lens that moves what is seen towards the middle (barrel, `by` below 0) or away from it.

    A point at r half-diagonals from the middle is looked up at r (1 - by r^2): the first term of the usual radial
    model (Brown 1966).
    """

    by: float
    size: tuple[int, int]
    """Width and height of its pictures."""

    def picture(self, straight: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """What the lens makes of a picture."""
        if not self.by:
            return straight
        y, x = np.indices(straight.shape[:2], np.float32)
        sources = self._source(np.stack([x, y], axis=-1)).astype(np.float32)
        seen = cv2.remap(
            straight, sources[..., 0], sources[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        return np.asarray(seen, np.uint8)

    def truth(self, die: Truth) -> Truth:
        """Where the lens shows a die, and how large."""
        if not self.by:
            return die
        at = np.array([die.x, die.y])
        beside = at + np.array([1.0, 0.0])
        x, y = seen = self._seen(at)
        return replace(die, x=float(x), y=float(y), edge=die.edge * float(np.linalg.norm(self._seen(beside) - seen)))

    def _source(self, points: npt.NDArray[np.floating[Any]]) -> Array:
        middle = np.array(self.size) / 2
        away = (points - middle) / np.hypot(*middle)
        return np.asarray(middle + (points - middle) * (1 - self.by * (away**2).sum(axis=-1, keepdims=True)))

    def _seen(self, point: Array) -> Array:
        """Where a point of the straight picture comes to lie: the fixed point of a few steps."""
        seen = point
        for _ in range(8):
            seen = seen + point - self._source(seen)
        return seen
