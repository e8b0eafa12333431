"""Poses of dice, a pinhole camera, and a light.

Table coordinates are millimetres: x to the right, y down the picture, z up; the table is z = 0. A camera that looks
straight down therefore sees x increase to the right and y downwards, as pixels do, and a rotation from x to y is
clockwise in the picture. Pixel coordinates (0, 0) are the centre of the first pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pose:
    """The pose of a die: centre (3,) in millimetres, rotation (3, 3) from its own axes to the table's, and edge."""

    centre: Numbers
    turn: Numbers
    edge_mm: float = 16.0


@dataclass(frozen=True, eq=False)
class PinholeCamera:
    """A camera without distortion.

    matrix: projection (3, 4) from table millimetres to pixels; eye: its position; size: width and height in pixels.
    """

    matrix: Numbers
    eye: Numbers
    size: tuple[int, int]

    @classmethod
    def above(  # noqa: PLR0913 - a camera's place has these numbers
        cls,
        centre: tuple[float, float],
        height_mm: float,
        focal_px: float,
        size: tuple[int, int],
        *,
        tilt_degrees: float = 0.0,
        pan_degrees: float = 0.0,
    ) -> Self:
        """Return a camera `height_mm` over the table whose picture of `size` (width, height) is centred on `centre`.

        Tilt moves it towards the picture's lower edge, and pan clockwise around the centre, while it keeps looking at
        the centre.
        """
        tilt, pan = np.radians((tilt_degrees, pan_degrees))
        right = np.array([np.cos(pan), np.sin(pan), 0.0])
        near = np.array([-np.sin(pan), np.cos(pan), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        axes = np.stack([right, np.cos(tilt) * near - np.sin(tilt) * up, -np.sin(tilt) * near - np.cos(tilt) * up])
        eye = np.array([*centre, 0.0]) + height_mm * (np.tan(tilt) * near + up)
        inside = np.array([(focal_px, 0, (size[0] - 1) / 2), (0, focal_px, (size[1] - 1) / 2), (0, 0, 1)])
        return cls(inside @ np.column_stack([axes, -axes @ eye]), eye, size)

    def project(self, points: npt.ArrayLike) -> Numbers:
        """Return the pixels, (n, 2), of points in millimetres, (n, 3)."""
        seen = np.asarray(points, np.float64) @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def homography(self) -> Numbers:
        """Return the homography, (3, 3), from millimetres on the table plane to pixels."""
        return self.matrix[:, [0, 1, 3]]

    def scale_at(self, point: Numbers) -> float:
        """Return the pixels per millimetre at a point."""
        row = self.matrix[2]
        depth = float(row[:3] @ point + row[3])
        return float(np.linalg.norm(self.matrix[0, :3] - row[:3] * (self.size[0] - 1) / 2)) / depth


@dataclass(frozen=True)
class DirectionalLight:
    """A directional light with ambient light.

    direction: from the table to the light. colour: factors of blue, green and red. ambient: share of ambient light,
    0 to 1. softness: width of a shadow's edge as a share of the height of what casts it.
    """

    direction: tuple[float, float, float] = (-0.45, -0.55, 1.0)
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    ambient: float = 0.5
    softness: float = 0.35

    @property
    def towards(self) -> Numbers:
        """The direction as a unit vector, (3,)."""
        way = np.array(self.direction, np.float64)
        return np.asarray(way / np.linalg.norm(way))
