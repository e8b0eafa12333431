"""Which die is which from one settled table to the next, and which of them were thrown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from referee.dice import FaceName, Zone
from vision.calibration import TrayLayout
from vision.motion import Burst
from vision.observations import DieReading, DieSighting, Posture, TrackedDie

SAME_EDGES = 0.6
"""A die whose centre is within so many of its edges of where one lay lies there still."""
EXACT_EDGES, EXACT_DEGREES = 0.25, 12.0
"""A die that lies so nearly as one lay, with its face, did not move, even if something passed over it."""
OVERLAP_EDGES = 0.5
"""Two dice cannot lie nearer to each other, in edges of the larger: one of the readings is a double."""
NUDGED_EDGES = 1.5
"""A die that moved less and shows the same face was nudged."""
LIKELY = 0.1
"""A runner-up at least so likely may be the true face, when the reading is not accepted."""
PUSHED_EDGES = 2.5
"""So far a die may be pushed that no hand can have picked up."""
SLID_DEGREES = 25.0
"""A die that is carried turns no more than this."""
MOST_MISSES = 3
"""A die that nothing touched, unseen in so many looks on end, is not there after all."""
MOST_LOOKS = 5
"""Looks that a fused reading remembers."""
MOST_LIFTED = 24


@dataclass(frozen=True)
class _Known:
    """A die with its history. `by_throw`: it came to where it lies by a throw, and so belongs to the field."""

    number: int
    reading: DieReading
    thrown: int = 0
    by_throw: bool = False
    looks: int = 1
    missed: int = 0

    def seen_again(self, reading: DieReading, accept_from: float) -> _Known:
        fused = fuse(self.reading, reading, self.looks, accept_from)
        return replace(self, reading=fused, looks=min(self.looks + 1, MOST_LOOKS), missed=0)


_Fits: TypeAlias = Callable[[DieReading, _Known], bool]


class Tracker:
    """Keeps the dice's numbers. Give it the readings of each settled table, and what happened before it settled.

    A die that lies where it lay is the same die, and repeated looks are fused. Of the others: one that shows the face
    of a vanished die and was carried to the bay, carried about the field, or nudged keeps its number and its `thrown`;
    all the rest were thrown, together, and share the number of the new throw. A thrown die takes the number of the
    nearest vanished die of its kind. Dice that vanished keep their numbers in mind until they come back.
    """

    def __init__(self, layout: TrayLayout, accept_from: float = 0.0) -> None:
        self.throw = 0
        self._layout, self._accept = layout, accept_from
        self._calibrated = self._same_unit = False
        self._lying: list[_Known] = []
        self._lifted: list[_Known] = []
        self._burst: Burst | None = None
        self._tumbles: dict[tuple[float, float, float], bool] = {}
        self._counted = self._began = False
        self._before = 0
        self._last_number = 0

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """The dice in view, by number."""
        known = sorted(self._lying, key=lambda die: die.number)
        return tuple(TrackedDie(die.number, die.reading, self._zone(die), die.thrown) for die in known)

    @property
    def unsure(self) -> bool:
        """Whether another look at the same table may tell more."""
        return self.short or any(die.missed or not die.reading.accepted for die in self._lying)

    @property
    def short(self) -> bool:
        """Whether fewer dice lie there than before the last burst."""
        return len(self._lying) < self._before

    def settle(
        self, readings: Sequence[DieReading], burst: Burst | None = None, calibrated: bool = True
    ) -> tuple[TrackedDie, ...]:
        """The table has settled after a burst (None: nothing is known of what moved). The dice as they lie now."""
        self._burst, self._counted = burst, False
        self._tumbles.clear()
        self._before = len(self._lying)
        self._match(readings, calibrated, self._lies_still, self._untouched)
        self._began = True
        return self.dice

    def again(self, readings: Sequence[DieReading], calibrated: bool = True) -> tuple[TrackedDie, ...]:
        """Look once more at the same settled table: readings are fused, and what was overlooked is filled in.

        A die at a place where nothing had happened is just coming in, and waits for the next burst.
        """
        there = [reading for reading in readings if self._has_come(reading) or self._is_known(reading)]
        self._match(there, calibrated, self._lies_there, _always)
        return self.dice

    def _match(
        self, readings: Sequence[DieReading], calibrated: bool, still: _Fits, untouched: Callable[[_Known], bool]
    ) -> None:
        """Tell unmoved, nudged, carried and thrown dice apart, in this order."""
        self._calibrated, self._same_unit = calibrated, calibrated == self._calibrated
        match = _Matching(readings, [*self._lying, *self._lifted], self._far)
        lying = [known.seen_again(reading, self._accept) for reading, known in match.take(still)]
        match.fresh = [reading for reading in match.fresh if not any(_overlap(reading, die.reading) for die in lying)]
        lying += [self._moved(known, reading) for reading, known in match.take(self._nudged)]
        lying += [self._moved(known, reading) for reading, known in match.take(self._carried_to_bay)]
        lying += self._carry_about(match)
        overlooked = match.drop(lambda known: self._overlooked(known, untouched))
        lying += [replace(known, missed=known.missed + 1) for known in overlooked]
        lying += [self._land(reading, match) for reading in match.fresh]
        self._lying, self._lifted = lying, match.gone[-MOST_LIFTED:]

    def _overlooked(self, known: _Known, untouched: Callable[[_Known], bool]) -> bool:
        """Whether an unseen die is still there, rather than in a hand or on the floor."""
        return known in self._lying and known.missed + 1 < MOST_MISSES and untouched(known)

    def _carry_about(self, match: _Matching) -> list[_Known]:
        """Dice moved about the field by hand: only when no other die was thrown, for they fly together."""
        if self._burst is None:
            return []
        tried = match.copy()
        carried = tried.take(self._carried)
        if any(self._was_thrown(reading) for reading in tried.fresh):
            return []
        match.take_over(tried)
        return [self._moved(known, reading) for reading, known in carried]

    def _land(self, reading: DieReading, match: _Matching) -> _Known:
        """Give a die that lies anew its number: that of the nearest vanished one of its kind, or a new one."""
        known = match.nearest(reading)
        number = self._new_number() if known is None else known.number
        if self._was_thrown(reading):
            return _Known(number, reading, self._count_throw(), by_throw=True)
        return _Known(number, reading, 0 if known is None else known.thrown)

    def _was_thrown(self, reading: DieReading) -> bool:
        """Whether a die that lies anew came by a throw.

        It did not when it lay there before the first look or was overlooked till now, nor when laid into the bay.
        """
        if not self._began or (self._burst is not None and self._burst.changed is None):
            return self._tumbled(reading)
        if not self._has_come(reading):
            return False
        in_bay = self._place(reading.sighting) in (Zone.ASIDE, Zone.SIGNAL)
        laid = self._burst is None or not self._tumbled(reading)
        return not (in_bay and laid)

    def _count_throw(self) -> int:
        """The number of this burst's throw: all its dice share it."""
        if not self._counted:
            self._counted = True
            self.throw += 1
        return self.throw

    def _new_number(self) -> int:
        self._last_number += 1
        return self._last_number

    def _moved(self, known: _Known, reading: DieReading) -> _Known:
        """The die at its new place; carried into another zone, it lies there by hand."""
        stays = self._place(known.reading.sighting) == self._place(reading.sighting)
        return replace(known, reading=reading, by_throw=known.by_throw and stays, looks=1, missed=0)

    def _lies_there(self, reading: DieReading, known: _Known) -> bool:
        return known in self._lying and self._far(reading, known) < SAME_EDGES

    def _lies_still(self, reading: DieReading, known: _Known) -> bool:
        if self._far(reading, known) >= SAME_EDGES:
            return False
        return self._untouched(known) or self._lies_exactly(reading, known) or self._nudged(reading, known)

    def _lies_exactly(self, reading: DieReading, known: _Known) -> bool:
        """Whether it lies as it did to a hair, which no die thrown anew does, whatever moved over it."""
        near = known in self._lying and self._far(reading, known) < EXACT_EDGES
        return near and _turned(reading, known) < EXACT_DEGREES and _same_face(reading, known.reading)

    def _nudged(self, reading: DieReading, known: _Known) -> bool:
        """Whether the die was pushed a little: it shows the same face and nothing says that it was picked up."""
        far = self._far(reading, known)
        if far >= PUSHED_EDGES or not _same_face(reading, known.reading) or self._flew(reading, known):
            return False
        return far < NUDGED_EDGES or (known in self._lying and self._burst is not None and not self._taken(known))

    def _flew(self, reading: DieReading, known: _Known) -> bool:
        """Whether the die was picked up and a look-alike, or itself, came tumbling to the same spot."""
        return (self._taken(known) or known not in self._lying) and self._tumbled(reading)

    def _carried_to_bay(self, reading: DieReading, known: _Known) -> bool:
        return self._place(reading.sighting) in (Zone.ASIDE, Zone.SIGNAL) and self._carried(reading, known)

    def _carried(self, reading: DieReading, known: _Known) -> bool:
        """Whether a hand, seen or not, may have put the die there: it shows the same face and did not tumble."""
        laid = not self._tumbled(reading) or self._slid(reading, known)
        return laid and _same_face(reading, known.reading)

    def _slid(self, reading: DieReading, known: _Known) -> bool:
        """Whether the die moved in one go and in sight, hardly turning, as none does that is thrown."""
        whole = self._burst is not None and self._burst.whole and not self._burst.hand
        return whole and known in self._lying and _turned(reading, known) < SLID_DEGREES

    def _has_come(self, reading: DieReading) -> bool:
        """Whether the last burst changed anything at the place."""
        at = reading.sighting
        return self._burst is None or self._burst.changed_at(at.x, at.y, at.edge) or self._tumbled(reading)

    def _is_known(self, reading: DieReading) -> bool:
        return any(self._lies_there(reading, known) for known in self._lying)

    def _taken(self, known: _Known) -> bool:
        at = known.reading.sighting
        return self._burst is not None and self._burst.taken_at(at.x, at.y, at.edge)

    def _tumbled(self, reading: DieReading) -> bool:
        """Whether it came rolling. It is asked of each reading once for every die that it might be."""
        at = reading.sighting
        place = at.x, at.y, at.edge
        if place not in self._tumbles:
            self._tumbles[place] = self._burst is not None and self._burst.tumbled_at(*place)
        return self._tumbles[place]

    def _untouched(self, known: _Known) -> bool:
        at = known.reading.sighting
        return self._burst is not None and not self._burst.changed_at(at.x, at.y, at.edge)

    def _far(self, reading: DieReading, known: _Known) -> float:
        """How far apart they lie, in edges of the die; in frame pixels where one of them has no millimetres."""
        a, b = reading.sighting, known.reading.sighting
        if self._same_unit:
            return float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)) / max(a.edge_mm, 1e-6)
        return float(np.hypot(a.x - b.x, a.y - b.y)) / max(a.edge, 1e-6)

    def _place(self, at: DieSighting) -> Zone:
        """The zone of the place itself, however the die came there."""
        return self._layout.zone_of(at.x_mm, at.y_mm) if self._calibrated else Zone.FIELD

    def _zone(self, known: _Known) -> Zone:
        at = known.reading.sighting
        return self._layout.zone_of(at.x_mm, at.y_mm, known.by_throw) if self._calibrated else Zone.FIELD


class _Matching:
    """Readings and known dice that are still to be matched."""

    def __init__(
        self, fresh: Sequence[DieReading], gone: Sequence[_Known], far: Callable[[DieReading, _Known], float]
    ) -> None:
        self.fresh = list(fresh)
        self.gone = list(gone)
        self._far = far

    def copy(self) -> _Matching:
        return _Matching(self.fresh, self.gone, self._far)

    def take_over(self, other: _Matching) -> None:
        self.fresh, self.gone = other.fresh, other.gone

    def take(self, fits: _Fits) -> list[tuple[DieReading, _Known]]:
        """Take out the pairs that fit, nearest first."""
        rated = [
            (self._far(a, b), i, j) for i, a in enumerate(self.fresh) for j, b in enumerate(self.gone) if fits(a, b)
        ]
        taken: dict[int, int] = {}
        for _, i, j in sorted(rated):
            if i not in taken and j not in taken.values():
                taken[i] = j
        pairs = [(self.fresh[i], self.gone[j]) for i, j in taken.items()]
        self.fresh = [reading for i, reading in enumerate(self.fresh) if i not in taken]
        self.gone = [known for j, known in enumerate(self.gone) if j not in taken.values()]
        return pairs

    def drop(self, told: Callable[[_Known], bool]) -> list[_Known]:
        """Take out the known dice of which something can be told."""
        dropped = [known for known in self.gone if told(known)]
        self.gone = [known for known in self.gone if known not in dropped]
        return dropped

    def nearest(self, reading: DieReading) -> _Known | None:
        """Take out the nearest vanished die of the reading's kind."""
        alike = [known for known in self.gone if known.reading.kind == reading.kind]
        if not alike:
            return None
        nearest = min(alike, key=lambda known: self._far(reading, known))
        self.gone.remove(nearest)
        return nearest


def _turned(reading: DieReading, known: _Known) -> float:
    """How far a die was turned on the spot, 0 to 45 degrees: a square looks the same after a quarter."""
    turned = abs(reading.sighting.turned_degrees - known.reading.sighting.turned_degrees) % 90
    return min(turned, 90 - turned)


def _always(_: _Known) -> bool:
    return True


def _overlap(a: DieReading, b: DieReading) -> bool:
    one, other = a.sighting, b.sighting
    return float(np.hypot(one.x - other.x, one.y - other.y)) < OVERLAP_EDGES * max(one.edge, other.edge)


def _same_face(a: DieReading, b: DieReading) -> bool:
    """Whether two readings may be of one die that was not turned over."""
    return a.kind == b.kind and bool(_likely(a) & _likely(b))


def _likely(reading: DieReading) -> set[FaceName]:
    others = () if reading.accepted else reading.runners_up
    return {reading.face, *(face for face, share in others if share >= LIKELY)}


def fuse(old: DieReading, new: DieReading, looks: int = 1, accept_from: float = 0.0) -> DieReading:
    """One reading from `looks` earlier ones, already fused, and a new one of the same unmoved die.

    Probabilities are averaged and the newest sighting is kept. What stood goes on standing, flat as it lay, until
    another face is accepted. What was in doubt stands from a look on that is accepted and brings the average up to
    `accept_from`, unless it seemed to lean before: looking again and again makes nothing sure by luck. Where the kinds
    differ the more confident reading is the better guess, and stands only if it stood before.
    """
    sighting = replace(new.sighting, posture=old.sighting.posture) if old.accepted else new.sighting
    if old.kind != new.kind:
        likelier = max(new, old, key=lambda reading: reading.confidence)
        stands = old.accepted and not new.accepted
        return replace(old if stands else likelier, sighting=sighting, accepted=stands)
    shares = {face: 0.0 for reading in (old, new) for face in _shares(reading)}
    for face in shares:
        shares[face] = (_shares(old).get(face, 0.0) * looks + _shares(new).get(face, 0.0)) / (looks + 1)
    (face, share), *others = sorted(shares.items(), key=lambda item: -item[1])
    lay_flat = old.sighting.posture is Posture.FLAT
    accepted = _accepted(old, new, face) and (old.accepted or (lay_flat and share >= accept_from))
    return DieReading(sighting, new.kind, face, share, accepted, tuple(others))


def _shares(reading: DieReading) -> dict[FaceName, float]:
    return {reading.face: reading.confidence, **dict(reading.runners_up)}


def _accepted(old: DieReading, new: DieReading, face: FaceName) -> bool:
    """Whether some reading of the face was accepted, and no accepted one says otherwise."""
    accepted = {reading.face for reading in (old, new) if reading.accepted}
    return accepted == {face}
