"""Keep what befell flying dice while bursts of motion come and go: which left the tray, and whether hands took them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.dice import Departure, DieSet, Handling, Zone
from vision.departures import Landing, OpenDeparture, RestingDie, find_departures, is_unsure
from vision.die_size import edges_of
from vision.motion_burst import MotionBurst
from vision.observations import TrackedDie
from vision.outside_visits import Outside
from vision.retaken_dice import SAME_PLACE_EDGES, find_taken_up
from vision.small_tracks import BlobSighting
from vision.tracking import Tracker
from vision.tray_calibration import Calibration

THROWING_SECONDS = 0.6
"""A hand that comes in needs so long at least to take dice up and throw them."""
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
        self.taken_up_at: float | None = None
        """When a hand last took dice up that had flown in and were not read yet, in the frames' seconds."""

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The departures of the last throw."""
        return tuple(known.departure for known in self._open)

    def settle(
        self, burst: MotionBurst, tracker: Tracker, calibration: Calibration | None, lay: Sequence[TrackedDie]
    ) -> None:
        """Take in a table that has settled after a burst, and mark the dice that came back; `lay` lay there before."""
        self._burst, self._before = burst, self._open
        self.look_again(tracker, calibration)
        taken_at = None if calibration is None else _taken_up_at(burst, tracker, calibration, lay)
        self.taken_up_at = self.taken_up_at if taken_at is None else self._to_frame_time(taken_at)

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
        edge_mm = _edge_mm(tracker, calibration)
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


def _edge_mm(tracker: Tracker, calibration: Calibration) -> float:
    edges = edges_of((die.reading.sighting for die in tracker.dice), calibration)
    return float(np.median(edges)) if edges else USUAL_EDGE_MM


def _taken_up_at(
    burst: MotionBurst, tracker: Tracker, calibration: Calibration, lay: Sequence[TrackedDie]
) -> float | None:
    """Return when dice were last taken up whose throw nobody can read, in seconds of the film; None for never.

    What a hand only carried elsewhere lies there, and no die is missing; else it may also have thrown them since.
    """
    edge_mm = _edge_mm(tracker, calibration)
    edge = _edge_in_frame(calibration, edge_mm)
    before, after = ([(die.reading.sighting.x, die.reading.sighting.y) for die in dice] for dice in (lay, tracker.dice))
    carried = sum(
        not (arrival.is_likely_thrown or arrival.is_untouched)
        and all(np.hypot(at.x - x, at.y - y) > SAME_PLACE_EDGES * edge for x, y in before)
        for at, arrival in tracker.arrivals
    )
    last_throw = max((arrival.arrived_at for _, arrival in tracker.arrivals if arrival.is_likely_thrown), default=0.0)
    found = list(find_taken_up(burst, before, after, outside_of(calibration, edge_mm), edge))
    missing = [one.at for one in found if tracker.lifted and one.dice > carried]
    thrown = [one.at for one in found if one.at + THROWING_SECONDS < last_throw]
    return max([*missing, *thrown], default=None)


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
    thrown = {die.number for die in _thrown(tracker)}
    dice, width = tuple(_resting(die, die.number in thrown) for die in tracker.dice), float(calibration.size[0])
    return Landing(dice, missing, tracker.took, tracker.throw, _edge_in_frame(calibration, edge_mm), width)


def _edge_in_frame(calibration: Calibration, edge_mm: float) -> float:
    """Return an edge in pixels of the frame, by the upper markers."""
    left, right = (np.array(calibration.centres[number]) for number in (0, 1))
    return float(np.linalg.norm(right - left)) / calibration.layout.width_mm * edge_mm


def _thrown(tracker: Tracker) -> tuple[TrackedDie, ...]:
    """Return the dice that were thrown in the last burst."""
    return tuple(die for die in tracker.dice if tracker.threw and die.thrown == tracker.throw)


def _resting(die: TrackedDie, thrown: bool) -> RestingDie:
    at = die.reading.sighting
    return RestingDie(die.number, at.x, at.y, thrown, die.zone is Zone.OUT, die.handled)


def _may_have_left(tracker: Tracker) -> frozenset[int]:
    """Return the numbers of the dice that are out of view, or lie beyond the tray."""
    return tracker.lifted | {die.number for die in tracker.dice if die.zone is Zone.OUT}
