"""Where things are and how a camera sees them.

Table coordinates are millimetres: x to the right, y down the picture, z up; the table is z = 0. A camera that looks
straight down therefore sees x grow to the right and y grow downwards, as pixels do, and a rotation that turns x into y
turns clockwise in the picture. Pixel (0, 0) is the centre of the picture's first pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die is: its centre (3), its turn (3 x 3, its own axes to the table's) and its edge in millimetres."""

    centre: Numbers
    turn: Numbers
    edge_mm: float = 16.0


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera without distortion: `matrix` (3 x 4) takes table millimetres to pixels, `eye` is where it stands."""

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
        """A camera `height_mm` over the table whose picture (width, height in pixels) is centred on `centre` (x, y).

        Tilt moves it towards the picture's lower edge while it keeps looking at the centre; pan walks it clockwise
        round the centre.
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
        """The pixels (N x 2) of points in millimetres (N x 3)."""
        seen = np.asarray(points, np.float64) @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def homography(self) -> Numbers:
        """The 3 x 3 matrix that takes the table plane's millimetres to pixels."""
        return self.matrix[:, [0, 1, 3]]

    def scale_at(self, point: Numbers) -> float:
        """Pixels to a millimetre about a point."""
        row = self.matrix[2]
        depth = float(row[:3] @ point + row[3])
        return float(np.linalg.norm(self.matrix[0, :3] - row[:3] * (self.size[0] - 1) / 2)) / depth


@dataclass(frozen=True)
class Light:
    """A lamp and what fills its shadows.

    `direction` points from the table to the lamp; `colour` (blue, green, red, 1 for white) tints it; `ambient` (0..1)
    is the light that comes from everywhere; `softness` is the width of a shadow's edge as a share of the height that
    casts it.
    """

    direction: tuple[float, float, float] = (-0.45, -0.55, 1.0)
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    ambient: float = 0.5
    softness: float = 0.35

    @property
    def towards(self) -> Numbers:
        """The direction as a unit vector."""
        way = np.array(self.direction, np.float64)
        return np.asarray(way / np.linalg.norm(way))
