"""Track dice from one settled table to the next: which die is which, and which of them were thrown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.dice import Handling
from vision.arrival import Arrival
from vision.identity_matching import NUDGED_EDGES, KnownDie, Matching, MatchingRules, Rule, TellsArrivals
from vision.motion_burst import MotionBurst
from vision.observations import DieReading, DieSighting, TrackedDie
from vision.tray_calibration import TrayLayout

MAX_MISSES = 3
"""A die in a place that nothing touched is dropped after so many readings in a row that did not find it."""
MAX_LIFTED = 24
"""How many dice out of view are remembered."""


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
        self._throw_counted = self._took = False
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
    def lifted(self) -> frozenset[int]:
        """The numbers of the dice that are known and out of view."""
        return frozenset(die.number for die in self._lifted)

    @property
    def threw(self) -> bool:
        """True if the last burst was a throw."""
        return self._throw_counted

    @property
    def took(self) -> bool:
        """True if a die that lay there before the last burst has gone from its place."""
        return self._took

    @property
    def arrivals(self) -> list[tuple[DieSighting, Arrival]]:
        """The dice that were read after the last burst, each with how it came; none without a film."""
        rules = self._rules
        told = ((one.sighting, rules.arrival(one)) for one in rules.readings)
        return [(sighting, arrival) for sighting, arrival in told if arrival is not None]

    def mark(self, number: int, handled: Handling) -> None:
        """Note of a die in view why it is not certain that it was thrown; nothing for a number that none has."""
        self._lying = [
            replace(die, handled=handled, chance=None) if die.number == number else die for die in self._lying
        ]

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
        self._took = any(not any(rules.is_in_place(die.reading, known) for die in self._lying) for known in rules.lying)
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
        self._lying, self._lifted = lying, match.known[-MAX_LIFTED:]

    def _stayed(self, known: KnownDie, reading: DieReading) -> KnownDie:
        """Fuse another reading of a die that lies where it lay; after a long gap in sight it counts alone."""
        is_first = self._rules.is_afresh and self._reads == 0
        known = self._with_chance(known, reading)
        return known.read_afresh(reading) if is_first else known.read_again(reading, self._accept_from)

    def _with_chance(self, known: KnownDie, reading: DieReading) -> KnownDie:
        """Return a die that was kept with how likely it is that it was thrown; None for one that nothing touched."""
        arrival = self._rules.arrival(reading)
        if known.handled is not None or arrival is None:
            return known
        return replace(known, chance=None if arrival.is_untouched else arrival.thrown)

    def _is_overlooked(self, known: KnownDie, may_be_overlooked: Callable[[KnownDie], bool]) -> bool:
        """True if a die that was not found still lies there, rather than being in a hand or on the floor."""
        return known in self._lying and known.missed + 1 < MAX_MISSES and may_be_overlooked(known)

    def _landed(self, reading: DieReading, match: Matching) -> KnownDie:
        """Number a die in a new place: as the nearest vanished one of its kind, or as a new one."""
        known = match.take_nearest(reading)
        number = self._new_number() if known is None else known.number
        by_throw = self._was_thrown(reading)
        if by_throw or (known is not None and self._rules.was_turned(reading, known)):
            throw, handled = self._count_throw(), self._rules.handling(reading)
            arrival = self._rules.arrival(reading)
            chance = arrival.thrown if arrival and handled not in {None, Handling.UNSEEN} else None
            return KnownDie(number, reading, throw, by_throw=by_throw, handled=handled, chance=chance)
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
        same_zone = self._rules.zone_of(known.reading.sighting) == self._rules.zone_of(reading.sighting)
        was_carried = not self._throw_counted and self._rules.distance(reading, known) >= NUDGED_EDGES
        moved = self._with_chance(known, reading).read_afresh(reading)
        by_throw = known.by_throw and same_zone and not was_carried
        return replace(moved, by_throw=by_throw, handled=self._handled(known, reading))

    def _handled(self, known: KnownDie, reading: DieReading) -> Handling | None:
        """Return why it is not certain that a known die was thrown, which moved without a throw."""
        return Handling.UNSEEN if self._rules.is_afresh and self._rules.was_unseen(reading) else known.handled


def _always(_: KnownDie) -> bool:
    return True
