"""Match readings to the dice known before, by what the last burst of motion tells of each place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from referee.dice import FaceName, Handling, KindName, Zone
from vision.arrival import Arrival, Arrivals
from vision.motion_burst import MotionBurst
from vision.observations import DieReading, DieSighting
from vision.reading_fusion import fuse, keep_kind
from vision.tray_calibration import TrayLayout

SAME_PLACE_EDGES = 0.6
"""A die whose centre is within so many of its edges of where one lay still lies there."""
TURNING_SECONDS = 0.25
"""Fingers turn a die no faster; dice that fly over another stir its place for a shorter time."""
LAY_THERE_EDGES = 1.0
"""A die that was turned by fingers lies within so many of its edges of where it lay."""
EXACT_EDGES, EXACT_DEGREES = 0.25, 12.0
"""A die within these of where one lay, with its face, did not move, even if something passed over it."""
OVERLAP_EDGES = 0.5
"""Two dice cannot lie nearer to each other, in edges of the larger: one of the readings is a duplicate."""
NUDGED_EDGES = 1.5
"""A die that moved less and shows the same face was nudged."""
PUSHED_EDGES = 2.5
"""How far a die may be pushed that no hand can have picked up."""
CARRIED_DEGREES = 25.0
"""A die that is carried does not rotate by more."""
LIKELY_FACE = 0.1
"""A runner-up of at least this probability may be the true face, when the reading is not accepted."""
MAX_FUSED = 5
"""A fused reading weighs as this many readings at most, so that a better view still counts."""


@dataclass(frozen=True)
class KnownDie:
    """A die with its history.

    thrown: number of the throw in which it last moved. by_throw: True if it reached its place by a throw, and so
    belongs to the field. reads: how many readings are fused in `reading`. missed: how many readings in a row did not
    find it. handled: why it is not certain that it was thrown.
    """

    number: int
    reading: DieReading
    thrown: int = 0
    by_throw: bool = False
    reads: int = 1
    missed: int = 0
    handled: Handling | None = None

    def read_again(self, reading: DieReading, accept_from: float) -> KnownDie:
        """Return the die with another reading fused in."""
        fused = fuse(self.reading, reading, self.reads, accept_from)
        return replace(self, reading=fused, reads=min(self.reads + 1, MAX_FUSED), missed=0)

    def read_afresh(self, reading: DieReading) -> KnownDie:
        """Return the die with another reading in place of those before."""
        return replace(self, reading=keep_kind(self.reading, reading), reads=1, missed=0)


Rule: TypeAlias = Callable[[DieReading, KnownDie], bool]
"""True if a reading may be of a known die."""


@dataclass(frozen=True, eq=False)
class MatchingRules:
    """Decide whether a reading may be of a known die, and what happened to it.

    lying: the dice in view before. burst: the motion since then; None if nothing is known of it. calibrated: True if
    positions are in millimetres of the tray. same_unit: True if the positions of `lying` are in the same unit.
    """

    layout: TrayLayout
    lying: Sequence[KnownDie] = ()
    burst: MotionBurst | None = None
    calibrated: bool = False
    same_unit: bool = False
    _rolled: dict[tuple[float, float, float], bool] = field(default_factory=dict, repr=False)
    _arrived: dict[tuple[float, float, float], Arrival | None] = field(default_factory=dict, repr=False)

    def distance(self, reading: DieReading, known: KnownDie) -> float:
        """Return how far apart the two lie, in edges of the reading's die."""
        a, b = reading.sighting, known.reading.sighting
        if self.same_unit:
            return float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)) / max(a.edge_mm, 1e-6)
        return float(np.hypot(a.x - b.x, a.y - b.y)) / max(a.edge, 1e-6)

    def zone_of(self, sighting: DieSighting, by_throw: bool = False) -> Zone:
        """Return the zone of a place; a die that was thrown there belongs to the field."""
        return self.layout.zone_of(sighting.x_mm, sighting.y_mm, by_throw) if self.calibrated else Zone.FIELD

    def is_in_bay(self, reading: DieReading) -> bool:
        """True if the place of a reading is in the bay, however the die came there."""
        return self.zone_of(reading.sighting) in (Zone.ASIDE, Zone.SIGNAL)

    def is_in_place(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a die in view still lies where it lay."""
        return known in self.lying and self.distance(reading, known) < SAME_PLACE_EDGES

    def has_stayed(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a die lies where it lay, and the burst does not say that it was taken away and replaced."""
        if self.distance(reading, known) >= SAME_PLACE_EDGES:
            return False
        if self._was_turned(reading, known):
            return False
        return self.is_untouched(known) or self._lies_exactly(reading, known) or self.was_nudged(reading, known)

    def _was_turned(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die surely shows another face, and its place moved for as long as fingers take to turn a die.

        Two faces may look so alike in the small pictures that its place does not seem changed.
        """
        is_sure = reading.face_accepted and known.reading.face_accepted and reading.face != known.reading.face
        if not is_sure or self.burst is None or known not in self.lying:
            return False
        at = reading.sighting
        return self.burst.stirred_at(at.x, at.y, at.edge) > TURNING_SECONDS and self.is_in_place(reading, known)

    def _was_turned_here(self, reading: DieReading) -> bool:
        return any(self._was_turned(reading, known) for known in self.lying)

    def was_nudged(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die was pushed a little: it shows the same face and nothing says that it was picked up."""
        distance = self.distance(reading, known)
        if distance >= PUSHED_EDGES or not _may_be_same_face(reading, known.reading) or self._flew(reading, known):
            return False
        if known not in self.lying and self._may_be_thrown(reading):
            return False
        is_seen = known in self.lying and self.burst is not None
        return distance < NUDGED_EDGES or (is_seen and not self._may_be_picked_up(known))

    def was_carried(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a hand, seen or not, may have put the die there: it shows the same face and did not roll there."""
        was_laid = not self.has_rolled(reading) or self._was_slid(reading, known)
        return was_laid and _may_be_same_face(reading, known.reading)

    def was_carried_to_bay(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die may have been carried to where it lies in the bay."""
        return self.is_in_bay(reading) and self.was_carried(reading, known)

    def has_changed(self, reading: DieReading) -> bool:
        """True if the last burst changed anything at the place of a reading."""
        at = reading.sighting
        if self.burst is None or self.burst.changed_at(at.x, at.y, at.edge) or self.has_rolled(reading):
            return True
        return self._was_turned_here(reading)

    def is_untouched(self, known: KnownDie) -> bool:
        """True if the burst changed nothing at the place of a known die."""
        at = known.reading.sighting
        return self.burst is not None and not self.burst.changed_at(at.x, at.y, at.edge)

    @property
    def is_afresh(self) -> bool:
        """True if a gap in the sight of the camera before this reading was so long that anything may have happened."""
        return self.burst is not None and self.burst.afresh

    def was_unseen(self, reading: DieReading) -> bool:
        """True if the place changed in a gap of the sight of the camera, so that nobody saw how the die got there."""
        at = reading.sighting
        return self.burst is not None and self.burst.unseen_at(at.x, at.y, at.edge)

    def handling(self, reading: DieReading) -> Handling | None:
        """Return why it is not certain that a die, new in its place, was thrown there in the last burst."""
        if self.was_unseen(reading):
            return Handling.UNSEEN
        arrival = self._arrival(reading)
        if arrival is None or (arrival.stayed and self._was_turned_here(reading)):
            return None if arrival is None else Handling.TURNED
        return arrival.handling(self._lay_there(reading))

    def was_seen_carried(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a hand brought the die there with its face up, whatever else was thrown in the burst.

        Of a die that was in a hand before, what came to rest under a hand tells nothing: it may have been thrown.
        """
        if not _may_be_same_face(reading, known.reading):
            return False
        arrival = self._arrival(reading)
        return arrival is not None and (arrival.was_carried if known in self.lying else arrival.was_seen_carried)

    def _may_be_thrown(self, reading: DieReading) -> bool:
        """True if a die that was out of view may have been thrown: it tumbled, or a hand hid how it came."""
        arrival = self._arrival(reading)
        return arrival is not None and (arrival.covered or arrival.has_tumbled)

    def _lay_there(self, reading: DieReading) -> bool:
        return any(self.distance(reading, known) < LAY_THERE_EDGES for known in self.lying)

    def _arrival(self, reading: DieReading) -> Arrival | None:
        """Return how the die arrived, None without a film. Cached: it takes milliseconds."""
        at = reading.sighting
        place = at.x, at.y, at.edge
        if place not in self._arrived:
            lay_there = self._lay_there(reading)
            self._arrived[place] = None if self._arrivals is None else self._arrivals.at(*place, lay_there)
        return self._arrived[place]

    @cached_property
    def _arrivals(self) -> Arrivals | None:
        burst = self.burst
        return None if burst is None or burst.film is None else Arrivals(burst.film, burst.scale)

    def has_rolled(self, reading: DieReading) -> bool:
        """True if the die came rolling. Cached: it is asked of each reading once for every die that it might be."""
        at = reading.sighting
        place = at.x, at.y, at.edge
        if place not in self._rolled:
            self._rolled[place] = self.burst is not None and self.burst.rolled_to(*place)
        return self._rolled[place]

    def _lies_exactly(self, reading: DieReading, known: KnownDie) -> bool:
        """True if position, rotation and face match within EXACT_EDGES and EXACT_DEGREES: it cannot be rethrown."""
        is_near = known in self.lying and self.distance(reading, known) < EXACT_EDGES
        return is_near and _rotation(reading, known) < EXACT_DEGREES and _may_be_same_face(reading, known.reading)

    def _flew(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die was picked up, and it or one like it came rolling to the same spot."""
        return (self._may_be_picked_up(known) or known not in self.lying) and self.has_rolled(reading)

    def _was_slid(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die moved in sight and hardly rotated, as no thrown die does: a hand brings that in.

        Where several show that face, it may have been any of them: which is which makes no difference.
        """
        in_sight = self.burst is not None and self.burst.in_sight and not self.burst.hand_seen
        if not in_sight or known not in self.lying:
            return False
        alike = (other for other in self.lying if _may_be_same_face(reading, other.reading))
        return any(_rotation(reading, other) < CARRIED_DEGREES for other in alike)

    def _may_be_picked_up(self, known: KnownDie) -> bool:
        at = known.reading.sighting
        return self.burst is not None and self.burst.picked_up_at(at.x, at.y, at.edge)


class Matching:
    """Readings and known dice that are still to be matched; each `take` removes what it matched."""

    def __init__(
        self,
        readings: Sequence[DieReading],
        known: Sequence[KnownDie],
        distance: Callable[[DieReading, KnownDie], float],
    ) -> None:
        self.readings = list(readings)
        self.known = list(known)
        self._distance = distance

    def copy(self) -> Matching:
        """Return an independent copy."""
        return Matching(self.readings, self.known, self._distance)

    def take_over(self, other: Matching) -> None:
        """Go on from where another matching stands."""
        self.readings, self.known = other.readings, other.known

    def take(self, rule: Rule) -> list[tuple[DieReading, KnownDie]]:
        """Remove and return the pairs that a rule allows, nearest first."""
        rated = [
            (self._distance(a, b), i, j)
            for i, a in enumerate(self.readings)
            for j, b in enumerate(self.known)
            if rule(a, b)
        ]
        taken: dict[int, int] = {}
        for _, i, j in sorted(rated):
            if i not in taken and j not in taken.values():
                taken[i] = j
        pairs = [(self.readings[i], self.known[j]) for i, j in taken.items()]
        self.readings = [reading for i, reading in enumerate(self.readings) if i not in taken]
        self.known = [known for j, known in enumerate(self.known) if j not in taken.values()]
        return pairs

    def drop_duplicates(self, lying: Sequence[KnownDie]) -> None:
        """Remove readings that overlap a die already matched."""
        self.readings = [one for one in self.readings if not any(_overlap(one, die.reading) for die in lying)]

    def take_known(self, chosen: Callable[[KnownDie], bool]) -> list[KnownDie]:
        """Remove and return the known dice that are chosen."""
        dropped = [known for known in self.known if chosen(known)]
        self.known = [known for known in self.known if known not in dropped]
        return dropped

    def take_nearest(self, reading: DieReading) -> KnownDie | None:
        """Remove and return the nearest known die of the reading's kind; None without one."""
        alike = [known for known in self.known if known.reading.kind == reading.kind]
        if not alike:
            return None
        nearest = min(alike, key=lambda known: self._distance(reading, known))
        self.known.remove(nearest)
        return nearest


def _rotation(reading: DieReading, known: KnownDie) -> float:
    """Return how far a die was rotated on the spot, 0 to 45 degrees: a square looks the same after a quarter turn."""
    turned = abs(reading.sighting.turned_degrees - known.reading.sighting.turned_degrees) % 90
    return min(turned, 90 - turned)


def _overlap(a: DieReading, b: DieReading) -> bool:
    one, other = a.sighting, b.sighting
    return float(np.hypot(one.x - other.x, one.y - other.y)) < OVERLAP_EDGES * max(one.edge, other.edge)


def _may_be_same_face(a: DieReading, b: DieReading) -> bool:
    """True if two readings may be of one die that was not turned over."""
    return bool(_likely_kinds(a) & _likely_kinds(b)) and bool(_likely_faces(a) & _likely_faces(b))


def _likely_kinds(reading: DieReading) -> set[KindName]:
    others = () if reading.kind_accepted else reading.kinds
    return {reading.kind, *(kind for kind, _ in others)}


def _likely_faces(reading: DieReading) -> set[FaceName]:
    others = () if reading.face_accepted else reading.runners_up
    return {reading.face, *(face for face, probability in others if probability >= LIKELY_FACE)}
