"""Where the virtual camera is: 65 cm above the tray and towards the players, so that the view has perspective.

Table coordinates are millimetres as in `geometry`; places in the picture are fractions of its width and height.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from hardware.simulator.die_trajectory import DiePose
from hardware.simulator.geometry import HEIGHT, WIDTH, Vectors
from models.synthetic.die_renderer import DirectionalLight, PinholeCamera

SIZE = (1280, 960)
"""Width and height of the picture, in pixels."""
ABOVE_MM, TILT_DEGREES = 650.0, 8.0
ACROSS_MM = 416.0
"""About how much of the table a picture's width shows."""

LIGHT = DirectionalLight(direction=(-0.5, -0.4, 1.0), colour=(0.96, 1.0, 1.03), ambient=0.52, softness=0.22)
"""A warm lamp to the upper left, in a bright room; the colour is blue, green, red."""


@cache
def lens_for(size: tuple[int, int]) -> PinholeCamera:
    """Return the lens for pictures of that width and height, which are as 4 to 3."""
    focal_px = ABOVE_MM * size[0] / ACROSS_MM
    return PinholeCamera.above((WIDTH / 2, HEIGHT / 2), ABOVE_MM, focal_px, size, tilt_degrees=TILT_DEGREES)


def place_in_view(lens: PinholeCamera, pose: DiePose) -> tuple[float, float]:
    """Return where the middle of a die is seen."""
    x, y = np.asarray(lens.project(pose.centre[None]), np.float64)[0] / lens.size
    return float(x), float(y)


def is_in_view(lens: PinholeCamera, pose: DiePose, margin_mm: float = 0.0) -> bool:
    """Return True if the middle of a die is in the picture, or at most that far beyond its edges."""
    x, y = place_in_view(lens, pose)
    margin = margin_mm / ACROSS_MM
    return -margin < x < 1 + margin and -margin < y < 1 + margin


def width_in_view(lens: PinholeCamera, pose: DiePose, edge: float) -> float:
    """Return how wide a die of that edge (mm) is seen, as a fraction of the picture's width."""
    ends = np.asarray(lens.project(pose.centre + np.array([(-edge / 2, 0, 0), (edge / 2, 0, 0)])), np.float64)
    return float(np.linalg.norm(ends[1] - ends[0])) / lens.size[0]


def point_on_table(lens: PinholeCamera, x: float, y: float, edge: float) -> Vectors:
    """Return the point of the table, x and y in mm, on which a die of that edge is seen at a place of the picture."""
    corners = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float64)
    raised = np.column_stack([corners, np.full(4, edge / 2)])
    seen = np.asarray(lens.project(raised), np.float32)
    back = cv2.getPerspectiveTransform(seen, corners.astype(np.float32))
    # A little inside, so that what is put down at the very edge can be seen and taken again.
    inside = np.clip((x, y), 0.025, 0.975) * lens.size
    return np.asarray(cv2.perspectiveTransform(inside.reshape(1, 1, 2), back), np.float64).reshape(2)
