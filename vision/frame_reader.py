"""Read one frame: find the tray in it, the dice on it, and their faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from referee.dice import DieSet
from referee.sentences import say
from vision.die_size import edges_of
from vision.frames import Frame
from vision.observations import DieReading, DieSighting, Observation
from vision.plane_camera import camera_over
from vision.reading_doubts import count_doubts, reading_doubts
from vision.rectification import PIXELS_PER_MM, TrayView, rectify, scale_for, unrectified_view
from vision.tracking import Tracker
from vision.tray_calibration import Calibration, TrayLayout, locate

FIRST_SCALES = (PIXELS_PER_MM, 2.4 * PIXELS_PER_MM)
"""Pixels per millimetre at which dice of an unknown size are searched: their edge may be 5 to 50 of the tray's
millimetres, since its markers may be of half or of twice the size that they are taken for."""

MOST_SLANTED = 55.0
"""Degrees from straight above up to which a camera sees the tops of dice well enough."""
TOO_SLANTED = say("The camera looks too much from the side: raise it, or move it over the tray.")


class DieFinder(Protocol):
    """Find dice in a view."""

    def find(self, view: TrayView, *, thoroughly: bool = False) -> tuple[DieSighting, ...]:
        """Return the dice in the view; searched `thoroughly` those too that are hard to find."""


class DieReader(Protocol):
    """Read the dice found in a view."""

    @property
    def accept_from(self) -> float:
        """Probability (0 to 1) from which on a reading is accepted."""

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        """Return readings; a sighting that is no die after all may be left out."""


@dataclass(frozen=True, eq=False)
class FrameReader:
    """What reads a single frame: the two networks, the die set and the tray's layout."""

    finder: DieFinder
    reader: DieReader
    dice: DieSet | None
    layout: TrayLayout

    def locate(self, frame: Frame, last: Calibration | None = None) -> tuple[Calibration | None, str]:
        """Find the tray: the calibration and the doubt that goes with it."""
        calibration, doubt = locate(frame, self.layout, last)
        return calibration, doubt or (doubt_of_slant(calibration) if calibration else "")

    def look(
        self, frame: Frame, calibration: Calibration | None, edge_mm: float | None
    ) -> tuple[TrayView, tuple[DieSighting, ...]]:
        """Return the frame prepared for the reader, and the dice found in it.

        edge_mm: the dice's edge by earlier tables. Where none told it, dice that are not well seen tell at which scale
        they are.
        """
        if calibration is None:
            view = unrectified_view(frame)
            return view, self.finder.find(view)
        if edge_mm is not None:
            view = replace(rectify(frame, calibration, scale_for(edge_mm)), edge_mm=edge_mm)
            return view, self.finder.find(view)
        return self._first_look(frame, calibration)

    def _first_look(self, frame: Frame, calibration: Calibration) -> tuple[TrayView, tuple[DieSighting, ...]]:
        looks = []
        for scale in FIRST_SCALES:
            view = rectify(frame, calibration, scale)
            found = self.finder.find(view)
            edges = edges_of(found, calibration)
            if edges and scale_for(float(np.median(edges))) == scale:
                return view, found
            looks.append((edges, view, found))
        edges, view, found = max(looks, key=lambda look: len(look[0]))
        if edges:
            view = rectify(frame, calibration, scale_for(float(np.median(edges))))
            found = self.finder.find(view)
        return view, found

    def read(self, view: TrayView, found: Sequence[DieSighting], *, has_time: bool = True) -> tuple[DieReading, ...]:
        """Read the dice found in a view; where some of the set are missing, it is searched once more for them.

        Not without `has_time`: it takes up to three times as long.
        """
        count = sum(count for _, count in self.dice.counts) if self.dice else 0
        readings = self.reader.read(view, found, self.dice)
        if len(readings) >= count or view.calibration is None or not has_time:
            return readings
        again = self.reader.read(view, self.finder.find(view, thoroughly=True), self.dice)
        return again if len(readings) < len(again) <= count else readings

    def observe(self, frame: Frame, tracker: Tracker, tray_doubt: str, calibration: Calibration | None) -> Observation:
        """Return what the tracker knows now, as an observation of a frame."""
        readings = [die.reading for die in tracker.dice]
        doubts = [tray_doubt, *reading_doubts(readings), *count_doubts(readings, self.dice)]
        return Observation(
            frame=frame.number,
            throw=tracker.throw,
            dice=tracker.dice,
            calibrated=calibration is not None,
            doubts=tuple(doubt for doubt in doubts if doubt),
            tray_mm=(calibration.layout if calibration else self.layout).size_mm,
        )


def doubt_of_slant(calibration: Calibration) -> str:
    """Return what to do if the camera sees the middle of the tray too much from the side; '' if it does not."""
    width, height = calibration.layout.size_mm
    return TOO_SLANTED if camera_over(calibration).slant_at(width / 2, height / 2) > MOST_SLANTED else ""
