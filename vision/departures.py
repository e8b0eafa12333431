"""Find the dice that left the tray while they flew, and how they came back, from what moved in a burst.

A departure begins with a blob of a die's size that goes out over the tray's edge after the first die flew in. How it
ends tell the dice at rest: one that lies outside, one that is missing, or one that lies where the blob came back to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.dice import Departure, Handling, Homecoming, Zone
from vision.motion_burst import MotionBurst
from vision.observations import TrackedDie
from vision.outside_visits import Outside, OutsideVisit, first_flight, is_die, visits
from vision.sight_gaps import GAP_SECONDS
from vision.small_tracks import BlobSighting, BlobTrack

FLY_IN_SECONDS = 0.25
"""Seconds after the first die flew in during which further dice fly in; crossing the edge is no departure yet."""
ALL_IN_SECONDS = 0.4
"""Seconds after the first die after which a die can fly in only over the picture's border."""
AT_REST_SECONDS = 0.15
"""A blob unseen for longer was a die at rest; a blob that leaves from that place was picked up by a hand."""
HAND_SECONDS, HAND_EDGES = 0.3, 4.0
"""A blob so soon before or after a hand, and so near to it, is part of the hand; no hand comes so fast to a die."""
STEP_EDGES = 4.0
"""The farthest that a die moves from one picture to the next, in edges."""
HAND_SPEED, SLOW_SECONDS = 12.0, 0.1
"""Edges a second: what is slower beyond the tray for so many seconds did not bounce back but was taken by a hand."""
BOUNCE_SECONDS = 0.5
"""What is outside for longer did not bounce back."""
SAME_DIE_EDGES = 2.0
"""A die at rest within so many edges of where a blob was last seen is that die."""


@dataclass(frozen=True)
class RestingDie:
    """A die at rest after the burst: its number, its place in pixels of the frame, and how it came there.

    thrown: True if it was thrown in this burst. is_out: True if it lies beyond the tray.
    """

    number: int
    x: float
    y: float
    thrown: bool
    is_out: bool
    handled: Handling | None = None


@dataclass(frozen=True)
class Landing:
    """The table after a burst: the dice, how many are missing, the number of the throw.

    taken: True if a die that lay there before has gone from its place, so that a hand may have taken it out. edge: of a
    die, and width: of the picture, in pixels of the frame.
    """

    dice: tuple[RestingDie, ...]
    missing: int
    taken: bool
    throw: int
    edge: float
    width: float


def find_departures(burst: MotionBurst, landing: Landing, outside: Outside) -> tuple[Departure, ...]:
    """Return the departures of a burst, in the order of time, with moments in the clock of the burst's pictures."""
    found = visits((blob for blobs in burst.blobs for blob in blobs), outside, landing.edge, landing.width)
    since = _flying_since(burst, landing, outside, found)
    leaving = [
        visit
        for visit in found
        if _leaves(visit, since)
        and (visit.is_seen_whole or _came_from_inside(visit, burst, landing.edge, outside))
        and not _is_by_hand(visit, burst, landing.edge)
    ]
    return tuple(_departures(leaving, _Ends(burst, landing, outside, found)))


def is_unsure(departure: Departure, burst: MotionBurst) -> bool:
    """True if a die that came back may never have left: a gap in the sight of the camera falls within it.

    Two dice that flew before and after such a gap look like one that left and came back.
    """
    if departure.home is Homecoming.NONE or burst.unseen is None:
        return False
    began, _, ended = departure.moments
    times = [blobs[0].at for blobs in burst.blobs if blobs]
    gaps = [(one, other) for one, other in pairwise(times) if other - one >= GAP_SECONDS]
    return any(one < ended and other > began for one, other in gaps)


def _flying_since(burst: MotionBurst, landing: Landing, outside: Outside, found: Sequence[OutsideVisit]) -> float:
    """Return when the first die flew in, in seconds; infinity if none was seen to."""
    if not landing.taken:
        return min((blob.at for blobs in burst.blobs for blob in blobs), default=float("inf"))
    arrivals = [
        visit.began
        for visit in found
        if visit.came_in and not visit.went_out and not _is_taken_out(visit, burst, landing.edge, outside)
    ]
    return min([first_flight(burst.tracks, outside), *arrivals])


def _is_taken_out(visit: OutsideVisit, burst: MotionBurst, edge: float, outside: Outside) -> bool:
    """True if what moved inside near there in the picture before is outside now.

    Two dice that a hand takes out one after the other look like one that comes in, where pictures are few.
    """
    first, near = visit.sightings[0], STEP_EDGES * edge
    before = max((blobs[0].at for blobs in burst.blobs if blobs and blobs[0].at < first.at), default=first.at)
    now = [seen for blobs in burst.blobs for seen in blobs if seen.at == first.at]
    gone = (
        seen
        for blobs in burst.blobs
        for seen in blobs
        if seen.at == before and not any(_distance(seen, other) < edge / 2 for other in now)
    )
    return any(is_die(seen, edge) and outside(seen) <= 0 and _distance(seen, first) < near for seen in gone)


def _distance(one: BlobSighting, other: BlobSighting) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))


def _leaves(visit: OutsideVisit, since: float) -> bool:
    """True if a visit is of a die that left, and not of one that flies in: the first flew in at `since`."""
    flown_for = visit.began - since
    if visit.went_out:
        return flown_for > FLY_IN_SECONDS
    return flown_for > ALL_IN_SECONDS and not visit.sightings[0].at_border


def _came_from_inside(visit: OutsideVisit, burst: MotionBurst, edge: float, outside: Outside) -> bool:
    """True if a blob of a die's size was inside the tray near there in the picture before."""
    first = visit.sightings[0]
    before = max((blobs[0].at for blobs in burst.blobs if blobs and blobs[0].at < first.at), default=first.at)
    near = (
        seen
        for blobs in burst.blobs
        for seen in blobs
        if seen.at == before and np.hypot(seen.x - first.x, seen.y - first.y) < STEP_EDGES * edge
    )
    return any(is_die(seen, edge) and not seen.held and outside(seen) <= 0 for seen in near)


def _is_by_hand(visit: OutsideVisit, burst: MotionBurst, edge: float) -> bool:
    """True if a hand took the die out, or if it is no die but what is seen of a hand that comes or goes."""
    return _was_picked_up(visit, burst, edge) or _is_of_hand(visit, burst, edge)


def _is_of_hand(visit: OutsideVisit, burst: MotionBurst, edge: float) -> bool:
    """True if a hand was there when a blob came out: a part of it that is too small to be known for a hand."""
    first = visit.sightings[0]
    hands = (seen for blobs in burst.blobs for seen in blobs if seen.held and abs(seen.at - first.at) < HAND_SECONDS)
    return any(np.hypot(seen.x - first.x, seen.y - first.y) < seen.edge + HAND_EDGES * edge for seen in hands)


def _departures(leaving: Sequence[OutsideVisit], ends: _Ends) -> Iterator[Departure]:
    """Yield a departure for each visit, but for those that go on with one before."""
    known: set[int] = set()
    until = float("-inf")
    for visit in leaving:
        if visit.began <= until:
            continue
        departure = ends.departure(visit, known)
        known |= {departure.die} - {0}
        known |= ends.lying_outside(visit, known) if departure.home is Homecoming.NONE else set()
        until = departure.moments[2]
        yield departure


@dataclass(frozen=True)
class OpenDeparture:
    """A departure of the last throw, and the numbers of the dice that may be the one that left."""

    departure: Departure
    may_be: frozenset[int] = frozenset()

    def seen_again(self, dice: Iterable[TrackedDie]) -> OpenDeparture:
        """Return it with the die that lies in the tray again, if one that may have left does."""
        if self.departure.home is not Homecoming.NONE:
            return self
        back = [die.number for die in dice if die.number in self.may_be and die.zone is not Zone.OUT]
        if not back:
            return self
        return OpenDeparture(replace(self.departure, home=Homecoming.BY_HAND, die=back[0]))


@dataclass(frozen=True, eq=False)
class _Ends:
    """How departures of a burst end."""

    burst: MotionBurst
    landing: Landing
    outside: Outside
    visits: tuple[OutsideVisit, ...]

    def departure(self, visit: OutsideVisit, known: set[int]) -> Departure:
        """Return the departure that begins with a visit; `known` are the dice of other departures."""
        before = max((at for at in self._times if at < visit.began), default=visit.began)
        gone = Departure(self.landing.throw, moments=(before, visit.began, visit.ended))
        stays = self._chain(visit)
        last = stays[-1]
        if self._lies_outside(last):
            return replace(gone, moments=(before, visit.began, self._times[-1]))
        track = self._returning_track(last)
        if track is not None:
            return self._came_back(gone, stays, track, known)
        if self.landing.missing > 0 or self._thrown_outside(known):
            return replace(gone, moments=(before, visit.began, last.ended))
        return self._came_from_beyond(gone, last, known)

    @property
    def _times(self) -> list[float]:
        return [blobs[0].at for blobs in self.burst.blobs if blobs] or [0.0]

    def _chain(self, visit: OutsideVisit) -> list[OutsideVisit]:
        """Return a visit and those that go on from where it ended: a die that lay outside for a while."""
        chain = [visit]
        for later in self.visits:
            if later.began > chain[-1].ended and self._is_near(later.sightings[0], chain[-1].sightings[-1]):
                chain.append(later)
        return chain

    def _is_near(self, one: BlobSighting, other: BlobSighting) -> bool:
        return float(np.hypot(one.x - other.x, one.y - other.y)) < SAME_DIE_EDGES * self.landing.edge

    def _lies_outside(self, visit: OutsideVisit) -> bool:
        return any(die.is_out and self._is_at(die, visit.sightings[-1]) for die in self.landing.dice)

    def lying_outside(self, visit: OutsideVisit, known: set[int]) -> set[int]:
        """Return the number of the die that lies beyond the tray since a visit, the nearest; none where none does."""
        at = self._chain(visit)[-1].sightings[-1]
        outside = self._thrown_outside(known)
        nearest = min(outside, key=lambda die: float(np.hypot(die.x - at.x, die.y - at.y)), default=None)
        return set() if nearest is None else {nearest.number}

    def _thrown_outside(self, known: set[int]) -> list[RestingDie]:
        """Return the thrown dice that lie beyond the tray and are of no other departure."""
        return [die for die in self.landing.dice if die.thrown and die.is_out and die.number not in known]

    def _is_at(self, die: RestingDie, blob: BlobSighting) -> bool:
        return float(np.hypot(die.x - blob.x, die.y - blob.y)) < SAME_DIE_EDGES * self.landing.edge

    def _returning_track(self, visit: OutsideVisit) -> BlobTrack | None:
        """Return the track by which a blob that was last seen outside came in again; None if none was seen."""
        last = visit.sightings[-1]
        coming = [track for track in self.burst.tracks if self._comes_in(track, last)]
        return min(coming, key=lambda track: _gap(track, last), default=None)

    def _comes_in(self, track: BlobTrack, last: BlobSighting) -> bool:
        """True if a track goes through, or begins at, a place outside, and ends inside later."""
        through = [seen for seen in track.sightings if abs(seen.at - last.at) <= AT_REST_SECONDS]
        passes = any(self._is_near(seen, last) for seen in through)
        return passes and track.last.at > last.at and self.outside(track.last) < 0

    def _came_back(self, gone: Departure, stays: list[OutsideVisit], track: BlobTrack, known: set[int]) -> Departure:
        re_entry = next(seen.at for seen in track.sightings if seen.at > stays[-1].ended)
        is_bounce = re_entry - gone.moments[0] < BOUNCE_SECONDS and self._slow_seconds(stays) < SLOW_SECONDS
        home = Homecoming.BY_ITSELF if is_bounce else Homecoming.BY_HAND
        laid = self._laid_since(gone.moments[1], known) if home is Homecoming.BY_HAND else 0
        die = laid or self._die_at(track.last, known) or self._only_arrival(re_entry, known)
        return replace(gone, home=home, die=die, moments=(*gone.moments[:2], re_entry))

    def _slow_seconds(self, stays: list[OutsideVisit]) -> float:
        """Return for how long a blob was slower outside than what bounces."""
        pairs = [pair for stay in stays for pair in zip(stay.sightings, stay.sightings[1:], strict=False)]
        slow = HAND_SPEED * self.landing.edge
        return sum(b.at - a.at for a, b in pairs if np.hypot(b.x - a.x, b.y - a.y) < slow * (b.at - a.at))

    def _die_at(self, blob: BlobSighting, known: set[int]) -> int:
        """Return the number of the thrown die at rest where a blob was last seen; 0 for none."""
        near = [die for die in self._thrown(known) if self._is_at(die, blob)]
        return min(near, key=lambda die: float(np.hypot(die.x - blob.x, die.y - blob.y)), default=_NOBODY).number

    def _laid_since(self, since: float, known: set[int]) -> int:
        """Return the number of the only die that a hand laid down since a moment; 0 for none or several."""
        placed = [die for die in self._thrown(known) if die.handled is Handling.PLACED]
        laid = [die.number for die in placed if self._arrived(die) > since]
        return laid[0] if len(laid) == 1 else 0

    def _only_arrival(self, since: float, known: set[int]) -> int:
        """Return the number of the only thrown die that came to its place since a moment; 0 for none or several."""
        late = [die.number for die in self._thrown(known) if self._arrived(die) > since]
        return late[0] if len(late) == 1 else 0

    def _arrived(self, die: RestingDie) -> float:
        """Return since when something was seen at the place of a die at rest, without a break, in seconds."""
        since = float("inf")
        for blobs in reversed(self.burst.blobs):
            if not any(self._covers(blob, die) for blob in blobs):
                break
            since = blobs[0].at
        return since

    def _covers(self, blob: BlobSighting, die: RestingDie) -> bool:
        reach = max(blob.edge, self.landing.edge) * 0.7
        return float(np.hypot(die.x - blob.x, die.y - blob.y)) < reach

    def _came_from_beyond(self, gone: Departure, last: OutsideVisit, known: set[int]) -> Departure:
        """Return the departure of a die that left the picture, though none is missing: it came back somehow."""
        laid = self._laid_since(gone.moments[1], known)
        late = [track for track in self.burst.tracks if track.sightings[0].at > last.ended and self._ends_inside(track)]
        back = min((track.sightings[0].at for track in late), default=self._times[-1])
        die = laid or self._only_arrival(back, known)
        home = Homecoming.BY_HAND if laid else Homecoming.UNSEEN
        return replace(gone, home=home, die=die, moments=(*gone.moments[:2], back))

    def _ends_inside(self, track: BlobTrack) -> bool:
        return self.outside(track.last) < 0

    def _thrown(self, known: set[int]) -> list[RestingDie]:
        return [die for die in self.landing.dice if die.thrown and not die.is_out and die.number not in known]


_NOBODY = RestingDie(0, 0.0, 0.0, thrown=False, is_out=False)


def _gap(track: BlobTrack, last: BlobSighting) -> float:
    return min(float(np.hypot(seen.x - last.x, seen.y - last.y)) for seen in track.sightings)


def _was_picked_up(visit: OutsideVisit, burst: MotionBurst, edge: float) -> bool:
    """True if a blob left from a place where another had come to rest: a hand took that die."""
    first = visit.sightings[0]
    for track in burst.tracks:
        begin = track.sightings[0]
        goes_out = begin.at < first.at <= track.last.at and any(_same(seen, first, edge) for seen in track.sightings)
        if goes_out and any(_rested_at(other, begin, edge) for other in burst.tracks):
            return True
    return False


def _same(one: BlobSighting, other: BlobSighting, edge: float) -> bool:
    return one.at == other.at and float(np.hypot(one.x - other.x, one.y - other.y)) < edge


def _rested_at(track: BlobTrack, place: BlobSighting, edge: float) -> bool:
    """True if a track ended at a place some time before another began there."""
    last = track.last
    near = float(np.hypot(last.x - place.x, last.y - place.y)) < edge
    return near and len(track.sightings) > 2 and place.at - last.at > AT_REST_SECONDS
