"""Track dice from one settled table to the next: which die is which, and which of them were thrown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias, TypeVar

import cv2
import numpy as np

from referee.dice import FaceName, Handling, KindName, Zone, closest_pairs
from vision.arrival import PLACE_EDGES, Arrival
from vision.background_subtraction import MIN_PIXELS, Background
from vision.frame_clock import GAP_SECONDS, SLOW_STEP
from vision.kinds import KIND_ACCEPT_FROM
from vision.motion_burst import BurstFilm, FilmPicture, MotionBurst
from vision.observations import LEANING, DieReading, DieSighting, TrackedDie
from vision.tray_calibration import Calibration, TrayLayout

# Fusing repeated readings of one unmoved die

Name = TypeVar("Name", FaceName, KindName)


def fuse(old: DieReading, new: DieReading, reads: int = 1, accept_from: float = 0.0) -> DieReading:
    """Return one reading from an old one, itself fused from `reads` readings, and a new one of the same unmoved die.

    Probabilities of faces, and of kinds that have the face, are averaged, and the newest sighting is kept. An accepted
    face stays accepted, flat as it lay, until another face is accepted, and so does a kind. An old reading in doubt
    becomes accepted once the new one is and the average reaches `accept_from`, unless the die seemed to lean before:
    otherwise reading often enough would accept anything by chance. If the kinds differ and neither had been thought
    possible before, the reading of higher confidence is the better guess, accepted only if the old one was.
    """
    lay = old.sighting
    sighting = replace(new.sighting, posture=lay.posture, flat=lay.flat) if old.accepted else new.sighting
    kinds_before, kinds_now = _kinds(old), _kinds(new)
    if new.kind not in kinds_before and old.kind not in kinds_now:
        likelier = max(new, old, key=lambda reading: reading.confidence)
        stands = old.accepted and not new.accepted
        return replace(old if stands else likelier, sighting=sighting, accepted=stands, only_kind_doubted=False)
    (face, average), *others = _averages(_faces(old), _faces(new), reads)
    (kind, kind_average), *other_kinds = _averages(kinds_before, kinds_now, reads)
    lay_flat = lay.posture not in LEANING
    may_be = old.face_accepted or (lay_flat and average >= accept_from)
    face_accepted = may_be and {one.face for one in (old, new) if one.face_accepted} == {face}
    may_be_kind = old.kind_accepted or kind_average >= KIND_ACCEPT_FROM
    kind_accepted = may_be_kind and {one.kind for one in (old, new) if one.kind_accepted} == {kind}
    return DieReading(
        sighting,
        kind,
        face,
        average,
        accepted=face_accepted and kind_accepted,
        runners_up=tuple(others),
        kind_confidence=kind_average,
        kinds=tuple(other_kinds),
        kind_accepted=kind_accepted,
        only_kind_doubted=face_accepted and not kind_accepted,
        body=new.body,
    )


def keep_kind(old: DieReading, new: DieReading) -> DieReading:
    """Return a new reading of a die that moved and is known to be the same: its kind stays if it was accepted."""
    if not old.kind_accepted or new.kind_accepted or old.kind not in _kinds(new):
        return new
    return replace(
        new,
        kind=old.kind,
        kind_confidence=old.kind_confidence,
        kinds=old.kinds,
        kind_accepted=True,
        accepted=new.face_accepted,
        only_kind_doubted=False,
    )


def _faces(reading: DieReading) -> dict[FaceName, float]:
    return {reading.face: reading.confidence, **dict(reading.runners_up)}


def _kinds(reading: DieReading) -> dict[KindName, float]:
    return {reading.kind: reading.kind_confidence, **dict(reading.kinds)}


def _averages(before: Mapping[Name, float], now: Mapping[Name, float], reads: int) -> list[tuple[Name, float]]:
    """Return the averages of probabilities fused from `reads` readings and of one more, the likeliest first."""
    names = {**before, **now}
    averages = [(name, (before.get(name, 0.0) * reads + now.get(name, 0.0)) / (reads + 1)) for name in names]
    return sorted(averages, key=lambda item: -item[1])


# Matching readings to the dice known before, by what the last burst of motion tells of each place

NUDGED_EDGES = 1.5
"""A die that moved less while no other was thrown was nudged, or turned by fingers where it lay."""
HARDLY = 0.1
"""The chance up to which a die was not thrown even where others were, and from which on a runner-up may be the true
face, when the reading is not accepted."""
UNNOTICED = 0.1
"""How often a hand that lays a die is not seen near it, where the film shows a hand at all."""


@dataclass(frozen=True)
class KnownDie:
    """A die with its history.

    thrown: number of the throw in which it last moved. by_throw: True if it reached its place by a throw, and so
    belongs to the field. reads: how many readings are fused in `reading`. missed: how many readings in a row did not
    find it. handled: why it is not certain that it was thrown. chance: how likely it is that it was when it last moved,
    0 to 1, also of a die that is taken to have been moved; None where nothing was seen of that.
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
        return replace(self, reading=fused, reads=min(self.reads + 1, MAX_READS), missed=0)

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

    def pixels_apart(self, reading: DieReading, known: KnownDie) -> float:
        """Return how far apart the two lie in pixels of the film, one at least: no place is known better."""
        scale = self.burst.scale if self.burst is not None else 1.0
        return max(1.0, self.distance(reading, known) * reading.sighting.edge * scale)

    def zone_of(self, sighting: DieSighting, by_throw: bool = False) -> Zone:
        """Return the zone of a place; a die that was thrown there belongs to the field."""
        return self.layout.zone_of(sighting.x_mm, sighting.y_mm, by_throw) if self.calibrated else Zone.FIELD

    def is_in_bay(self, reading: DieReading) -> bool:
        """True if the place of a reading is in the bay, however the die came there."""
        return self.zone_of(reading.sighting) in (Zone.ASIDE, Zone.SIGNAL)

    def is_in_place(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a die in view still lies where it lay."""
        return known in self.lying and self.distance(reading, known) < PLACE_EDGES

    def has_stayed(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a die lies where it lay, and nothing says that it was turned, or thrown there again."""
        if not self.is_in_place(reading, known):
            return False
        if _is_other_face(reading, known.reading) and self.seems_touched(reading):
            return False
        return self.is_untouched(known) or self.was_moved(reading, known)

    def chance(self, reading: DieReading, known: KnownDie | None) -> float | None:
        """Return how likely it is that a die was thrown where it lies; None without a film.

        One that shows what it showed, where it lay, would have fallen there by chance: as seldom as a circle round its
        place, through where it lies, is a part of the picture. One that came into view where no hand was was hardly
        laid there.
        """
        at, arrival = reading.sighting, self.arrival(reading)
        if arrival is None or self.burst is None or self.burst.film is None:
            return None
        thrown, otherwise = arrival.thrown, arrival.moved + arrival.turned + arrival.untouched
        if known is not None and self.is_in_place(reading, known) and _may_be_same_face(reading, known.reading):
            height, width = self.burst.film.before.shape[:2]
            thrown *= np.pi * self.pixels_apart(reading, known) ** 2 / (height * width)
        elif known not in self.lying and not self.burst.hand_at(at.x, at.y, NUDGED_EDGES * at.edge):
            otherwise *= UNNOTICED
        return float(thrown / (thrown + otherwise))

    def was_moved(self, reading: DieReading, known: KnownDie) -> bool:
        """True if the die came there with its face up, by hand or pushed: it shows the same face and did not roll.

        Where another die was surely thrown, only one that lay there and was hardly thrown too: dice are thrown
        together, and one that comes out of a hand may have been among them. Where nobody could see it, it is that one
        only if it lies there to the pixel.
        """
        if self.was_unseen(reading) and (known not in self.lying or self.pixels_apart(reading, known) > 1.0):
            return False
        chance = self.chance(reading, known)
        others = (other for read, other in self._arrivals.items() if read != id(reading))
        if any(other.is_surely_thrown for other in others):
            was_kept = known in self.lying and chance is not None and chance <= HARDLY
        else:
            was_kept = chance is None or chance <= 0.5
        return was_kept and _may_be_same_face(reading, known.reading)

    def was_thrown(self, reading: DieReading) -> bool:
        """True if it is likelier than not that the die was thrown there; never where the table was not filmed."""
        arrival = self.arrival(reading)
        return arrival is not None and arrival.is_likely_thrown

    def was_turned(self, reading: DieReading, known: KnownDie) -> bool:
        """True if a film shows how a die came to lie there with another face: turned in its place, or laid down so."""
        return self.seems_touched(reading) and _is_other_face(reading, known.reading)

    def has_changed(self, reading: DieReading) -> bool:
        """True if the last burst changed anything at the place of a reading."""
        at = reading.sighting
        is_same = self.burst is not None and not self.burst.changed_at(at.x, at.y, at.edge)
        return not is_same or self.seems_touched(reading)

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

    def handling(self, reading: DieReading, chance: float | None) -> Handling | None:
        """Return why it is not certain that a die, new in its place, was thrown there in the last burst."""
        arrival = self.arrival(reading)
        if self.was_unseen(reading):
            return Handling.UNSEEN
        if arrival is None or chance is None or chance >= arrival.sure_from:
            return None
        if arrival.longest_step > SLOW_STEP:
            return Handling.UNSEEN
        lay_there = any(self.distance(reading, known) < NUDGED_EDGES for known in self.lying)
        return Handling.TURNED if lay_there and arrival.turned > arrival.moved else Handling.PLACED

    def seems_touched(self, reading: DieReading) -> bool:
        """True if a film shows that something became of the die, whatever it was."""
        arrival = self.arrival(reading)
        return arrival is not None and not arrival.is_untouched

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
        pairs = closest_pairs(self.readings, self.known, lambda a, b: self._distance(a, b) if rule(a, b) else None)
        for reading, known in pairs:
            self.readings.remove(reading)
            self.known.remove(known)
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
    """True if two readings are of one place: two dice cannot lie so near to each other."""
    one, other = a.sighting, b.sighting
    return float(np.hypot(one.x - other.x, one.y - other.y)) < PLACE_EDGES * max(one.edge, other.edge)


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
    return {reading.face, *(face for face, probability in others if probability >= HARDLY)}


# Tracking

MAX_READS = 3
"""So often one settled table is read while another reading may help. A fused reading weighs as so many at most, so that
a better view still counts. A die in a place that nothing touched is dropped once so many in a row did not find it."""


class Tracker:
    """Keep the numbers of the dice. Give it the readings of each settled table and the motion before it.

    A die that lies where it lay is the same die, and its readings are fused. Of the others, one that shows the face of
    a vanished die and was not thrown, as `tell` says, keeps its number and its `thrown`. All the rest were thrown,
    together, and share the number of the new throw; a thrown die takes the number of the nearest vanished die of its
    kind. Vanished dice are remembered until they come back.
    """

    def __init__(self, layout: TrayLayout, accept_from: float = 0.0, tell: TellsArrivals | None = None) -> None:
        self.layout = layout
        """Where the zones are from the next reading on; its size is the one that the markers told last."""
        self.throw = 0
        """Number of the last throw; 0 before the first."""
        self._accept_from = accept_from
        self._rules = MatchingRules(layout, tell=tell)
        self._lying: list[KnownDie] = []
        self._lifted: list[KnownDie] = []
        self._throw_counted = False
        self._has_settled = False
        self._count_before = self._reads = 0
        self._last_number = 0

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """The dice in view, by number."""
        known = sorted(self._lying, key=lambda die: die.number)
        zone_of = self._rules.zone_of
        return tuple(
            TrackedDie(
                die.number,
                die.reading,
                zone_of(die.reading.sighting, die.by_throw),
                die.thrown,
                die.handled,
                die.chance,
            )
            for die in known
        )

    @property
    def has_lifted(self) -> bool:
        """True if a known die is out of view."""
        return bool(self._lifted)

    @property
    def threw(self) -> bool:
        """True if the last burst was a throw."""
        return self._throw_counted

    @property
    def is_unsure(self) -> bool:
        """True if reading the same table again may help."""
        return self.is_short or any(die.missed or not die.reading.accepted for die in self._lying)

    @property
    def is_short(self) -> bool:
        """True if fewer dice lie there than before the last burst."""
        return len(self._lying) < self._count_before

    def settle(
        self, readings: Sequence[DieReading], burst: MotionBurst | None = None, calibrated: bool = True
    ) -> tuple[TrackedDie, ...]:
        """Take in a table that has settled after a burst and return its dice.

        `burst` is None if nothing is known of what moved. `calibrated` is False if positions are in frame pixels.
        """
        self._throw_counted = False
        self._count_before, self._reads = len(self._lying), 0
        rules = self._begin(readings, burst, calibrated)
        self._match(readings, rules, rules.has_stayed, rules.is_untouched)
        self._has_settled = True
        return self.dice

    def read_again(self, readings: Sequence[DieReading], calibrated: bool = True) -> tuple[TrackedDie, ...]:
        """Take in another reading of the same settled table: fuse readings, and add dice that were overlooked.

        A reading at a place where nothing had happened is of a die that is just coming in: it waits for the next burst.
        """
        before = replace(self._rules, lying=tuple(self._lying), readings=readings)
        self._reads += 1
        there = [one for one in readings if before.has_changed(one) or self._is_known(before, one)]
        rules = self._begin(there, before.burst, calibrated)
        self._match(there, rules, rules.is_in_place, _always)
        return self.dice

    def taken_up_at(self, lay: Sequence[TrackedDie], calibration: Calibration) -> float | None:
        """Return when dice were last taken up whose throw nobody can read, in seconds of the film; None for never.

        `lay` are the dice before the burst. What a hand only carried elsewhere lies there, and no die is missing; else
        it may also have thrown them since.
        """
        rules, edges = self._rules, [die.reading.sighting.edge for die in (*self._lying, *self._lifted)]
        if rules.burst is None or rules.burst.film is None or not edges:
            return None
        before, after = ([_place_of(die.reading.sighting) for die in each] for each in (lay, self._lying))
        told = [(one.sighting, rules.arrival(one)) for one in rules.readings]
        arrivals = [(at, arrival) for at, arrival in told if arrival is not None]
        carried = sum(
            not (arrival.is_likely_thrown or arrival.is_untouched) and not _is_near(_place_of(at), before)
            for at, arrival in arrivals
        )
        last_throw = max((arrival.arrived_at for _, arrival in arrivals if arrival.is_likely_thrown), default=0.0)
        edge, film = float(np.median(edges)), rules.burst.film
        found = list(_find_taken_up(film, rules.burst.scale, edge, [*before, *after], calibration))
        missing = [at for at, count in found if self._lifted and count > carried]
        thrown = [at for at, _ in found if at + THROWING_SECONDS < last_throw]
        return max([*missing, *thrown], default=None)

    def _begin(self, readings: Sequence[DieReading], burst: MotionBurst | None, calibrated: bool) -> MatchingRules:
        """Make the rules for the next matching."""
        same_unit = calibrated == self._rules.calibrated and self.layout.size_mm == self._rules.layout.size_mm
        lying, tell = tuple(self._lying), self._rules.tell
        self._rules = MatchingRules(self.layout, lying, burst, tell, readings, calibrated, same_unit)
        return self._rules

    def _is_known(self, rules: MatchingRules, reading: DieReading) -> bool:
        return any(rules.is_in_place(reading, known) for known in self._lying)

    def _match(
        self,
        readings: Sequence[DieReading],
        rules: MatchingRules,
        is_same: Rule,
        may_be_overlooked: Callable[[KnownDie], bool],
    ) -> None:
        """Separate unmoved, moved, overlooked and thrown dice, in this order."""
        match = Matching(readings, [*self._lying, *self._lifted], rules.distance)
        lying = [self._stayed(known, reading) for reading, known in match.take(is_same)]
        match.drop_duplicates(lying)
        moved = match.take(rules.was_moved)
        found = [known for known in match.known if any(rules.is_in_place(one, known) for one in match.readings)]
        overlooked = match.take_known(lambda die: die not in found and self._is_overlooked(die, may_be_overlooked))
        lying += [replace(known, missed=known.missed + 1) for known in overlooked]
        lying += [self._landed(reading, match) for reading in match.readings]
        lying += [self._moved(known, reading) for reading, known in moved]
        self._lying, self._lifted = lying, match.known

    def _stayed(self, known: KnownDie, reading: DieReading) -> KnownDie:
        """Fuse another reading of a die that lies where it lay; after a long gap in sight it counts alone."""
        if self._reads:
            return known.read_again(reading, self._accept_from)
        known = self._with_chance(known, reading)
        is_afresh = self._rules.is_afresh
        return known.read_afresh(reading) if is_afresh else known.read_again(reading, self._accept_from)

    def _with_chance(self, known: KnownDie, reading: DieReading) -> KnownDie:
        """Return a die that was kept with how likely it is that it was thrown, where the last burst moved it."""
        arrival, chance = self._rules.arrival(reading), self._rules.chance(reading, known)
        if known.handled is not None or arrival is None or chance is None or arrival.is_untouched:
            return known
        is_same = chance <= HARDLY and self._rules.is_in_place(reading, known)
        return known if is_same else replace(known, chance=chance)

    def _is_overlooked(self, known: KnownDie, may_be_overlooked: Callable[[KnownDie], bool]) -> bool:
        """True if a die that was not found still lies there, rather than being in a hand or on the floor."""
        return known in self._lying and known.missed + 1 < MAX_READS and may_be_overlooked(known)

    def _landed(self, reading: DieReading, match: Matching) -> KnownDie:
        """Number a die in a new place: as the nearest vanished one of its kind, or as a new one."""
        known = match.take_nearest(reading)
        number = self._new_number() if known is None else known.number
        by_throw = self._was_thrown(reading)
        if by_throw or (known is not None and self._rules.was_turned(reading, known)):
            throw, chance = self._count_throw(), self._rules.chance(reading, known)
            handled = self._rules.handling(reading, chance)
            seen = None if handled is Handling.UNSEEN else chance
            return KnownDie(number, reading, throw, by_throw=by_throw, handled=handled, chance=seen)
        if known is None:
            return KnownDie(number, reading)
        return KnownDie(number, reading, known.thrown, handled=self._handled(known, reading))

    def _was_thrown(self, reading: DieReading) -> bool:
        """True if a die in a new place came by a throw.

        It did not if it lay there before the first reading, was overlooked until now, or was laid into the bay. After
        a long gap in sight it may have: a photograph can have another size than the one before.
        """
        rules = self._rules
        is_first = rules.burst is not None and rules.burst.changed is None and not rules.is_afresh
        if rules.was_thrown(reading):
            return True
        if not self._has_settled or is_first or not rules.has_changed(reading):
            return False
        return not rules.is_in_bay(reading)

    def _count_throw(self) -> int:
        """Return the number of this burst's throw, which all its dice share."""
        if not self._throw_counted:
            self._throw_counted = True
            self.throw += 1
        return self.throw

    def _new_number(self) -> int:
        self._last_number += 1
        return self._last_number

    def _moved(self, known: KnownDie, reading: DieReading) -> KnownDie:
        """Return the die in its new place; one that a hand has laid there is no longer there by a throw.

        A hand carried it into another zone, or farther than dice are nudged while no other was thrown.
        """
        before, now = (self._rules.zone_of(one.sighting) for one in (known.reading, reading))
        was_carried = not self._throw_counted and self._rules.distance(reading, known) >= NUDGED_EDGES
        moved = self._with_chance(known, reading).read_afresh(reading)
        by_throw = known.by_throw and before == now and not was_carried
        came_back = known.by_throw and before is Zone.OUT and now is not Zone.OUT
        handled = Handling.RETURNED if came_back else self._handled(known, reading)
        return replace(moved, by_throw=by_throw, handled=handled)

    def _handled(self, known: KnownDie, reading: DieReading) -> Handling | None:
        """Return why it is not certain that a known die was thrown, which moved without a throw."""
        return Handling.UNSEEN if self._rules.is_afresh and self._rules.was_unseen(reading) else known.handled


def _always(_: KnownDie) -> bool:
    return True


# Dice that flew into the tray and were taken up again before the table settled: their throw is never read
#
# What is left of them is in the last pictures before a hand comes in, in places where no die lay before and none lies
# after, and the hand over them. Dice that it only carried elsewhere lie there afterwards, and can be read.

PICTURES = 3
"""In the last so many pictures, with that in which it comes in, dice are looked for that a hand takes."""
SMALLEST_EDGES, LARGEST_EDGES = 0.5, 3.0
"""The side of a square of a blob's area, in edges: from half of a die to some dice with their shadows that touch."""
THROWING_SECONDS = 2 * GAP_SECONDS
"""A hand that comes in needs so long at least to take dice up and throw them: it reaches them within GAP_SECONDS."""

Place: TypeAlias = tuple[float, float, float]
"""Where a die lies, or seems to: its middle and its edge, in pixels of the frame."""


def _place_of(sighting: DieSighting) -> Place:
    return sighting.x, sighting.y, sighting.edge


def _is_near(place: Place, others: Iterable[Place], edges: float = NUDGED_EDGES) -> bool:
    """True if a place is within so many edges of one of the others."""
    return any(np.hypot(place[0] - x, place[1] - y) <= edges * edge for x, y, edge in others)


def _find_taken_up(
    film: BurstFilm, scale: float, edge: float, known: Sequence[Place], calibration: Calibration
) -> Iterator[tuple[float, int]]:
    """Yield when a hand took dice up, in seconds of the film, and how many at least.

    What rolls by less than its size from one picture to the next is a die that comes to rest; what flies is faster.
    scale: small pixels per frame pixel. edge: of a die, in pixels of the frame. known: where dice lay before the film,
    and lie after it.
    """
    background, pictures = Background(film.before), film.pictures
    hands = [place for place, picture in enumerate(pictures) if picture.hand is not None]
    for gone, came in pairwise(hands):
        if came - gone < PICTURES:
            continue
        shown = [_blobs(background, picture, scale) for picture in pictures[came + 1 - PICTURES : came + 1]]
        landed = [[one for one in now if _is_near(one, before, edges=1)] for before, now in pairwise(shown)]
        soon = (one.hand for one in pictures[came:] if one.at <= pictures[came].at + GAP_SECONDS)
        reaching = [hand for hand in soon if hand is not None]
        taken = [
            [
                (x, y)
                for x, y, size in each
                if SMALLEST_EDGES <= size / edge <= LARGEST_EDGES and calibration.is_inside(x, y)
                if not _is_near((x, y, edge), known)
                if any(hand[int(y * scale), int(x * scale)] for hand in reaching)
            ]
            for each in landed
        ]
        if any(taken):
            yield pictures[came].at, len(next(filter(None, reversed(taken))))


def _blobs(background: Background, picture: FilmPicture, scale: float) -> list[Place]:
    """Return what is in a picture and was not on the table before, but for what a hand or the border touches."""
    mask = background.foreground(picture.pixels)
    height, width = mask.shape
    _, labels, stats, centres = cv2.connectedComponentsWithStats(mask)
    blobs = list[Place]()
    for label, (left, top, across, down, area) in enumerate(stats.tolist()):
        at_border = left <= 1 or top <= 1 or left + across >= width - 1 or top + down >= height - 1
        is_held = picture.hand is not None and bool(picture.hand[labels == label].any())
        if label and area >= MIN_PIXELS and not (at_border or is_held):
            x, y = centres[label].tolist()
            blobs.append(((x + 0.5) / scale, (y + 0.5) / scale, float(area) ** 0.5 / scale))
    return blobs
