"""A pipeline that reads the virtual tray's truth, so that the assistant is tested apart from the models."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from bench.simulator_truth import truth
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import DieSet
from vander.resources.models_and_stores import weights_path
from vision.arrival import ArrivalModel
from vision.observations import DieReading, DieSighting, Posture
from vision.pipeline import Pipeline
from vision.rectification import TrayView
from vision.tray_calibration import TrayLayout

ARRIVALS = ArrivalModel(weights_path("arrival")).tell


class TrueFinder:
    """Finds the dice where they are."""

    def __init__(self, tray: VirtualTray) -> None:
        self._tray = tray

    def find(self, view: TrayView, *, thoroughly: bool = False) -> tuple[DieSighting, ...]:
        if view.calibration is None:
            return ()
        back = np.linalg.inv(view.calibration.to_mm)
        height, width = view.frame.pixels.shape[:2]
        found = []
        for die in truth(self._tray).values():
            corners = np.array([[[die.x_mm, die.y_mm]], [[die.x_mm + 16, die.y_mm]]], np.float64)
            (x, y), (ahead, _) = cv2.perspectiveTransform(corners, back).reshape(2, 2)
            posture = Posture.FLAT if die.flat else Posture.COCKED
            edge = float(ahead - x)
            if 0 < x < width and 0 < y < height:
                sighting = DieSighting(
                    die.x_mm, die.y_mm, 16, die.turned_degrees, posture, 0.99, float(x), float(y), edge
                )
                found.append(sighting)
        return tuple(found)


class TrueReader:
    """Reads what they show."""

    def __init__(self, tray: VirtualTray) -> None:
        self._tray = tray
        self.accept_from = 0.0

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        there = {(die.x_mm, die.y_mm): die for die in truth(self._tray).values()}
        known = [(sighting, there[sighting.x_mm, sighting.y_mm]) for sighting in sightings]
        return tuple(DieReading(sighting, die.kind, die.face, 0.99, die.flat) for sighting, die in known)


def true_pipeline(tray: VirtualTray) -> Pipeline:
    """A pipeline for a virtual tray."""
    return Pipeline(TrueFinder(tray), TrueReader(tray), ARRIVALS, tray.die_set, TrayLayout())
