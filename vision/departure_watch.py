"""Keep the departures of the last throw while bursts of motion come and go, and mark the dice that came back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from referee.dice import Departure, DieSet, Handling, Zone
from vision.departures import Landing, OpenDeparture, RestingDie, find_departures, is_unsure
from vision.die_size import edges_of
from vision.motion_burst import MotionBurst
from vision.observations import TrackedDie
from vision.outside_visits import Outside
from vision.small_tracks import BlobSighting
from vision.tracking import Tracker
from vision.tray_calibration import Calibration

USUAL_EDGE_MM = 16.0
"""The edge of a die where none is in view to tell it."""


class DepartureWatch:
    """Find departures whenever the table has settled. `to_frame_time` maps a time of the bursts to the frames' own."""

    def __init__(self, dice: DieSet | None, to_frame_time: Callable[[float], float]) -> None:
        self._dice = dice
        self._to_frame_time = to_frame_time
        self._burst: MotionBurst | None = None
        self._before: tuple[OpenDeparture, ...] = ()
        self._open: tuple[OpenDeparture, ...] = ()
        self._unseen: frozenset[int] = frozenset()

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The departures of the last throw."""
        return tuple(known.departure for known in self._open)

    def settle(self, burst: MotionBurst, tracker: Tracker, calibration: Calibration | None) -> None:
        """Take in a table that has settled after a burst, and mark the dice that came back."""
        self._burst, self._before = burst, self._open
        self.look_again(tracker, calibration)

    def look_again(self, tracker: Tracker, calibration: Calibration | None) -> None:
        """Take in that the same table was read once more."""
        found = self._find(tracker, calibration)
        kept = (known.seen_again(tracker.dice) for known in self._before)
        is_new_throw = tracker.threw and any(die.handled is None for die in _thrown(tracker))
        self._open = found if is_new_throw else (*kept, *found)
        for known in self._open:
            tracker.mark(known.departure.die, Handling.RETURNED)
        for number in self._unseen:
            tracker.mark(number, Handling.UNSEEN)

    def _find(self, tracker: Tracker, calibration: Calibration | None) -> tuple[OpenDeparture, ...]:
        self._unseen = frozenset()
        if self._burst is None or calibration is None:
            return ()
        edges = edges_of((die.reading.sighting for die in tracker.dice), calibration)
        edge_mm = float(np.median(edges)) if edges else USUAL_EDGE_MM
        landing = _landing(tracker, calibration, self._missing(tracker), edge_mm)
        found = find_departures(self._burst, landing, outside_of(calibration, edge_mm))
        may_be = _may_have_left(tracker)
        unsure = [departure for departure in found if is_unsure(departure, self._burst)]
        self._unseen = frozenset(departure.die for departure in unsure)
        return tuple(
            OpenDeparture(self._in_frame_time(departure), may_be) for departure in found if departure not in unsure
        )

    def _missing(self, tracker: Tracker) -> int:
        """Return how many dice are out of view that were seen before."""
        if self._dice is None:
            return len(tracker.lifted)
        return min(len(tracker.lifted), sum(count for _, count in self._dice.counts) - len(tracker.dice))

    def _in_frame_time(self, departure: Departure) -> Departure:
        before, across, after = map(self._to_frame_time, departure.moments)
        return replace(departure, moments=(before, across, after))


def outside_of(calibration: Calibration, edge_mm: float) -> Outside:
    """Return a function that tells how far beyond the tray a blob is, in edges of a die; negative inside."""
    layout = calibration.layout

    def outside(blob: BlobSighting) -> float:
        place = np.array([[(blob.x, blob.y)]], np.float64)
        x, y = cv2.perspectiveTransform(place, calibration.to_mm)[0, 0]
        beyond = max(-x, x - layout.width_mm, -y, y - layout.height_mm)
        return float(beyond - layout.brim_mm) / edge_mm

    return outside


def _landing(tracker: Tracker, calibration: Calibration, missing: int, edge_mm: float) -> Landing:
    left, right = (np.array(calibration.centres[number]) for number in (0, 1))
    edge = float(np.linalg.norm(right - left)) / calibration.layout.width_mm * edge_mm
    thrown = {die.number for die in _thrown(tracker)}
    dice = tuple(_resting(die, die.number in thrown) for die in tracker.dice)
    return Landing(dice, missing, tracker.took, tracker.throw, edge, float(calibration.size[0]))


def _thrown(tracker: Tracker) -> tuple[TrackedDie, ...]:
    """Return the dice that were thrown in the last burst."""
    return tuple(die for die in tracker.dice if tracker.threw and die.thrown == tracker.throw)


def _resting(die: TrackedDie, thrown: bool) -> RestingDie:
    at = die.reading.sighting
    return RestingDie(die.number, at.x, at.y, thrown, die.zone is Zone.OUT, die.handled)


def _may_have_left(tracker: Tracker) -> frozenset[int]:
    """Return the numbers of the dice that are out of view, or lie beyond the tray."""
    return tracker.lifted | {die.number for die in tracker.dice if die.zone is Zone.OUT}
