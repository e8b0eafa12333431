"""Match readings to the dice known before, by what the last burst of motion tells of each place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from referee.dice import FaceName, Handling, KindName, Zone
from vision.arrival import Arrival
from vision.burst_film import BurstFilm
from vision.motion_burst import MotionBurst
from vision.observations import DieReading, DieSighting
from vision.reading_fusion import fuse, keep_kind
from vision.tray_calibration import TrayLayout

SAME_PLACE_EDGES = 0.6
"""A die whose centre is within so many of its edges of where one lay still lies there."""
LAY_THERE_EDGES = 1.0
"""A die that was turned by fingers lies within so many of its edges of where it lay."""
EXACT_EDGES, EXACT_DEGREES = 0.25, 12.0
"""A die within these of where one lay, with its face, did not move, though all pixels may when a camera is pushed."""
OVERLAP_EDGES = 0.5
"""Two dice cannot lie nearer to each other, in edges of the larger: one of the readings is a duplicate."""
NUDGED_EDGES = 1.5
"""A die that moved less while no other was thrown was nudged."""
HARDLY = 0.1
"""The chance up to which a die is not taken to have been thrown even where others were."""
BLIND_STEP_SECONDS = 0.2
"""Pictures farther apart do not show whether a die was thrown."""
LIKELY_FACE = 0.1
"""A runner-up of at least this probability may be the true face, when the reading is not accepted."""
MAX_FUSED = 5
"""A fused reading weighs as this many readings at most, so that a better view still counts."""


@dataclass(frozen=True)
class KnownDie:
    """A die with its history.

    thrown: number of the throw in which it last moved. by_throw: True if it reached its place by a throw, and so
    belongs to the field. reads: how many readings are fused in `reading`. missed: how many readings in a row did not
    find it. handled: why it is not certain that it was thrown. chance: how likely it is that it was, 0 to 1, also of a
    die that is taken to have been moved; None where nothing was seen of it, and for a die that lay still.
    """

    number: int
    reading: DieReading
    thrown: int = 0
    by_throw: bool = False
    reads: int = 1
    missed: int = 0
    handled: Handling | None = None
    chance: float | None = None

    def read_again(self, reading: DieReading, accept_from: float) -> KnownDie:
        """Return the die with another reading fused in."""
        fused = fuse(self.reading, reading, self.reads, accept_from)
        return replace(self, reading=fused, reads=min(self.reads + 1, MAX_FUSED), missed=0)

    def read_afresh(self, reading: DieReading) -> KnownDie:
        """Return the die with another reading in place of those before."""
        return replace(self, reading=keep_kind(self.reading, reading), reads=1, missed=0)


TellsArrivals: TypeAlias = Callable[[BurstFilm, Sequence[tuple[float, float, float]]], Sequence[Arrival]]
"""What tells by a film how the dice at some places (x, y, edge, in small pixels) arrived: a model's `tell`."""

Rule: TypeAlias = Callable[[DieReading, KnownDie], bool]
"""True if a reading may be of a known die."""


@dataclass(frozen=True, eq=False)
class MatchingRules:
    """Decide whether a reading may be of a known die, and what happened to it.

    lying: the dice in view before. burst: the motion since then; None if nothing is known of it. tell: says how dice
    came to lie where they lie. readings: all that there are to match. calibrated: True if positions are in millimetres
    of the tray. same_unit: True if the positions of `lying` are in the same unit.
    """

    layout: TrayLayout
    lying: Sequence[KnownDie] = ()
    burst: MotionBurst | None = None
    tell: TellsArrivals | None = None
    readings: Sequence[DieReading] = ()
    calibrated: bool = False
    same_unit: bool = False

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
        """True if a die lies where it lay, and nothing says that it was turned, or thrown there again."""
        if not self.is_in_place(reading, known):
            return False
        arrival = self.arrival(reading)
        if _is_other_face(reading, known.reading) and arrival is not None and not arrival.is_untouched:
            return False
        return self.is_untouched(known) or self._lies_exactly(reading, known) or self.was_moved(reading, known)

    def _lies_exactly(self, reading: DieReading, known: KnownDie) -> bool:
        """True if position, rotation and face match within EXACT_EDGES and EXACT_DEGREES: no throw ends so."""
        turned = abs(reading.sighting.turned_degrees - known.reading.sighting.turned_degrees) % 90
        is_near = self.distance(reading, known) < EXACT_EDGES and min(turned, 90 - turned) < EXACT_DEGREES
        return is_near and _may_be_same_face(reading, known.reading)

    def was_moved(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die came there with its face up, by hand or pushed: it shows the same face and did not roll.

        Where another die was surely thrown, only one that lay there and was hardly thrown too: dice are thrown
        together, and one that comes out of a hand may have been among them. Where nobody could see it, nothing says so.
        """
        if self.was_unseen(reading) and not self.is_in_place(reading, known):
            return False
        arrival = self.arrival(reading)
        others = (other for read, other in self._arrivals.items() if read != id(reading))
        if any(other.is_surely_thrown for other in others):
            was_kept = known in self.lying and arrival is not None and arrival.thrown <= HARDLY
        else:
            was_kept = arrival is None or not arrival.is_likely_thrown
        return was_kept and _may_be_same_face(reading, known.reading)

    def was_thrown(self, reading: DieReading) -> bool:
        """True if it is likelier than not that the die was thrown there; never where the table was not filmed."""
        arrival = self.arrival(reading)
        return arrival is not None and arrival.is_likely_thrown

    def was_turned(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a film shows how a die came to lie about where it lay, with another face: it was turned there."""
        arrival, lay_there = self.arrival(reading), self.distance(reading, known) < LAY_THERE_EDGES
        was_filmed = arrival is not None and not arrival.is_untouched
        return was_filmed and lay_there and _is_other_face(reading, known.reading)

    def has_changed(self, reading: DieReading) -> bool:
        """True if the last burst changed anything at the place of a reading."""
        at, arrival = reading.sighting, self.arrival(reading)
        is_same = self.burst is not None and not self.burst.changed_at(at.x, at.y, at.edge)
        return not is_same or (arrival is not None and not arrival.is_untouched)

    def is_untouched(self, known: KnownDie) -> bool:
        """True if the burst changed nothing at the place of a known die."""
        at = known.reading.sighting
        return self.burst is not None and not self.burst.changed_at(at.x, at.y, at.edge)

    @property
    def is_afresh(self) -> bool:
        """True if a gap in the sight of the camera before this reading was so long that anything may have happened."""
        return self.burst is not None and self.burst.afresh

    def was_unseen(self, reading: DieReading) -> bool:
        """True if the place changed in a gap of the camera's sight, and the die has not come there since."""
        at, arrival = reading.sighting, self.arrival(reading)
        if self.burst is None or not self.burst.unseen_at(at.x, at.y, at.edge):
            return False
        return arrival is None or arrival.arrived_at <= self.burst.seen_since

    def handling(self, reading: DieReading) -> Handling | None:
        """Return why it is not certain that a die, new in its place, was thrown there in the last burst."""
        arrival = self.arrival(reading)
        if self.was_unseen(reading):
            return Handling.UNSEEN
        if arrival is None or arrival.is_surely_thrown:
            return None
        if arrival.longest_step > BLIND_STEP_SECONDS:
            return Handling.UNSEEN
        lay_there = any(self.distance(reading, known) < LAY_THERE_EDGES for known in self.lying)
        return Handling.TURNED if lay_there and arrival.turned > arrival.moved else Handling.PLACED

    def arrival(self, reading: DieReading) -> Arrival | None:
        """Return how the die arrived, None without a film."""
        return self._arrivals.get(id(reading))

    @cached_property
    def _arrivals(self) -> dict[int, Arrival]:
        """How the dice arrived, by the identity of their readings."""
        if self.burst is None or self.burst.film is None or self.tell is None or not self.readings:
            return {}
        scale, sightings = self.burst.scale, [reading.sighting for reading in self.readings]
        told = self.tell(self.burst.film, [(at.x * scale, at.y * scale, at.edge * scale) for at in sightings])
        return {id(reading): arrival for reading, arrival in zip(self.readings, told, strict=True)}


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


def _overlap(a: DieReading, b: DieReading) -> bool:
    one, other = a.sighting, b.sighting
    return float(np.hypot(one.x - other.x, one.y - other.y)) < OVERLAP_EDGES * max(one.edge, other.edge)


def _is_other_face(a: DieReading, b: DieReading) -> bool:
    return a.face_accepted and b.face_accepted and a.face != b.face


def _may_be_same_face(a: DieReading, b: DieReading) -> bool:
    """True if two readings may be of one die that was not turned over."""
    return bool(_likely_kinds(a) & _likely_kinds(b)) and bool(_likely_faces(a) & _likely_faces(b))


def _likely_kinds(reading: DieReading) -> set[KindName]:
    others = () if reading.kind_accepted else reading.kinds
    return {reading.kind, *(kind for kind, _ in others)}


def _likely_faces(reading: DieReading) -> set[FaceName]:
    others = () if reading.face_accepted else reading.runners_up
    return {reading.face, *(face for face, probability in others if probability >= LIKELY_FACE)}
