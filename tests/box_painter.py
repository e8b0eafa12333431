"""Dice painted as plain boxes with their shadows: enough to be followed, and ten times as fast as drawn dice."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulator.hands import paint_hands
from hardware.simulator.physics import FACE_AXES, DiePose, Vectors
from hardware.simulator.scenery import scenery
from hardware.simulator.virtual_tray import TrayScene, VirtualTray
from vision.frames import Pixels

COVERED_LEVEL, SHADE, SIDES_LIGHT = 5, 0.75, 0.7
COLOURS = ((40, 30, 150), (200, 210, 220), (60, 140, 50), (150, 60, 60), (40, 180, 210), (210, 200, 190))
"""Bodies, blue, green, red."""
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_AWAY = np.array([[1, 0, 0.5], [0, 1, 0.4], [0, 0, 0]])
"""Where the light throws a point's shadow."""


def paint_boxes(tray: VirtualTray, scene: TrayScene, rng: np.random.Generator) -> Pixels:
    """Return what a camera with a little noise sees of the tray, BGR."""
    picture = scenery(tray.size).copy()
    for die in sorted(scene.dice, key=lambda die: float(die.pose.centre[2])):
        _paint_box(picture, tray, die.pose, scene.edge_mm / 2, COLOURS[die.number % len(COLOURS)])
    paint_hands(picture, tray.lens, scene.hands)
    noise = rng.normal(0, 1.0, (8, *picture.shape[1:])).round().astype(np.int16)
    picture = np.full_like(picture, COVERED_LEVEL) if scene.trouble else picture
    return np.asarray(cv2.add(picture.astype(np.int16), np.resize(noise, picture.shape), dtype=cv2.CV_8U), np.uint8)


def _paint_box(picture: Pixels, tray: VirtualTray, pose: DiePose, half: float, colour: tuple[int, int, int]) -> None:
    corners = half * _CORNERS @ pose.rotation.T + pose.centre
    shadow = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(shadow, _hull(tray, corners @ _AWAY.T), 255)
    picture[shadow > 0] = (picture[shadow > 0] * SHADE).astype(np.uint8)
    cv2.fillConvexPoly(picture, _hull(tray, corners), tuple(int(SIDES_LIGHT * level) for level in colour))
    cv2.fillConvexPoly(picture, _hull(tray, _square(pose, half, 1.0)), colour)
    for point in _hull(tray, _square(pose, half, 0.5))[: 1 + pose.top % 4]:
        cv2.circle(picture, (int(point[0, 0]), int(point[0, 1])), 1, (20, 20, 30), -1)


def _square(pose: DiePose, half: float, share: float) -> Vectors:
    """Return the corners of the top face, or of a part of it about its middle."""
    up = FACE_AXES[pose.top]
    side = FACE_AXES[(pose.top + 2) % 6]
    across = np.cross(up, side)
    own = [up + share * (a * side + b * across) for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    return np.asarray(half * np.array(own) @ pose.rotation.T + pose.centre)


def _hull(tray: VirtualTray, points: Vectors) -> np.ndarray:
    return cv2.convexHull(np.rint(np.asarray(tray.lens.project(points), np.float64)).astype(np.int32))
