"""Read one frame: find the tray in it, the dice on it, and their faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.dice import DieSet
from vision.frames import Frame
from vision.observations import DieReading, DieSighting, Observation
from vision.reading_doubts import count_doubts, reading_doubts
from vision.rectification import TrayView
from vision.tracking import Tracker
from vision.tray_calibration import Calibration, TrayLayout, locate


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
        return locate(frame, self.layout, last)

    def read(self, view: TrayView, *, has_time: bool = True) -> tuple[DieReading, ...]:
        """Read the dice in a view; where some of the set are missing, the view is searched once more for them.

        Not without `has_time`: it takes up to three times as long.
        """
        count = sum(count for _, count in self.dice.counts) if self.dice else 0
        readings = self.reader.read(view, self.finder.find(view), self.dice)
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
