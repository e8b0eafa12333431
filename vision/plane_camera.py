"""Where the camera is, from the calibrated plane alone.

A homography of a plane holds the camera: with square pixels and the principal point in the middle of the picture, the
focal length follows from the orthogonality of the plane's two axes (Zhang 2000). Seen from straight above, both axes
look alike for every focal length; then what cameras over trays usually have must do, and the estimate says how far it
may be off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.tray_calibration import Calibration, Homography

Floats = npt.NDArray[np.float64]

USUAL_FOCAL, FOCAL_SPREAD = 0.9, 0.3
"""Focal length of a usual camera as a share of the picture's long side, and the standard deviation of its logarithm:
0.77 for a Camera Module 3, 0.83 for a Camera Module 2, 0.6 to 1.6 for webcams and telephones."""
FOCALS: Floats = USUAL_FOCAL * np.exp(FOCAL_SPREAD * np.linspace(-3, 3, 121))
"""The focal lengths that are weighed, as shares of the long side."""
AXIS_ERROR = 0.004
"""Standard deviation of the axes' angle (radians) and of their relative lengths, as markers and a lens make it."""


@dataclass(frozen=True)
class PlaneCamera:
    """Where a camera is, in tray millimetres: x to the right, y down, z up from the table.

    focal_spread: relative standard deviation of the focal length, and so of the height above the table.
    """

    eye_mm: tuple[float, float, float]
    focal_px: float
    focal_spread: float

    @property
    def height_mm(self) -> float:
        """Height of the camera above the table."""
        return self.eye_mm[2]

    def slant_at(self, x_mm: float, y_mm: float) -> float:
        """Return the angle between the line of sight to a place of the table and the vertical, in degrees."""
        x, y, height = self.eye_mm
        return float(np.degrees(np.arctan2(np.hypot(x_mm - x, y_mm - y), height)))

    def plane_at(self, height_mm: float) -> Homography:
        """Return the homography from a plane at that height over the table to the table, as seen from the camera."""
        reach = self.height_mm / (self.height_mm - height_mm)
        x, y, _ = self.eye_mm
        return np.array([[reach, 0, x * (1 - reach)], [0, reach, y * (1 - reach)], [0, 0, 1]])


def camera_over(calibration: Calibration) -> PlaneCamera:
    """Return the camera of a calibration."""
    return _camera(calibration.to_mm.tobytes(), calibration.size)


@lru_cache(maxsize=8)
def _camera(to_mm: bytes, size: tuple[int, int]) -> PlaneCamera:
    """Return the camera by a homography from pixels to millimetres, as bytes: a tray at rest is measured once."""
    middle = (size[0] - 1) / 2, (size[1] - 1) / 2
    to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    seen = to_middle @ np.linalg.inv(np.frombuffer(to_mm).reshape(3, 3))
    logarithms = np.log(FOCALS)
    misfit = _misfit(seen, FOCALS * max(size))
    weights = np.exp(-0.5 * (misfit - misfit.min()))
    weights /= weights.sum()
    mean = float(weights @ logarithms)
    spread = float(np.sqrt(weights @ (logarithms - mean) ** 2))
    focal = float(np.exp(mean)) * max(size)
    return PlaneCamera(_eye(seen, focal), focal, spread)


def _misfit(seen: Homography, focals: Floats) -> Floats:
    """Return for each focal length (pixels) minus twice the logarithm of its likelihood times its prior."""
    x, y = (np.stack([seen[0, k] / focals, seen[1, k] / focals, np.full(len(focals), seen[2, k])]) for k in (0, 1))
    lengths = np.linalg.norm(x, axis=0), np.linalg.norm(y, axis=0)
    angle = (x * y).sum(axis=0) / (lengths[0] * lengths[1])
    ratio = np.log(lengths[0] / lengths[1])
    usual = np.linspace(-3, 3, len(focals))
    return np.asarray((angle**2 + ratio**2) / AXIS_ERROR**2 + usual**2)


def _eye(seen: Homography, focal: float) -> tuple[float, float, float]:
    """Return the camera's place by a homography from millimetres to pixels about the principal point."""
    axes = seen / [[focal], [focal], [1.0]]
    axes /= np.linalg.norm(axes[:, :2], axis=0).mean()
    axes = axes if axes[2, 2] > 0 else -axes
    across, down, away = axes.T
    turn = np.column_stack([across, down, np.cross(across, down)])
    left, _, right = np.linalg.svd(turn)
    x, y, z = -(left @ right).T @ away
    return float(x), float(y), float(-z)
