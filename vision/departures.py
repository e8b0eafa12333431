"""What befell flying dice: which left the tray and how they came back, and which hands took up unread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final, TypeAlias

import cv2
import numpy as np

from referee.dice import Departure, DieSet, Handling, Homecoming, Zone
from vision.die_size import edges_of
from vision.frame_clock import GAP_SECONDS
from vision.motion_burst import BlobLinker, BlobSighting, BlobTrack, FilmPicture, MotionBurst
from vision.observations import TrackedDie
from vision.tracking import NUDGED_EDGES, Tracker
from vision.tray_calibration import Calibration

# Blobs beyond the tray: they cross its edge, and come back or do not
#
# Dice that are thrown fly in from outside, and a hand takes dice out before a throw: both cross the edge once, and in
# the other direction. A die that leaves the tray does so after the first one flew in.

MIN_DIE, MAX_DIE = 0.5, 2.2
"""The side of a square of a blob's area, in edges of the die, to be one die with its shadow or two that touch. Of a die
that the picture's border cuts, half of the least is enough."""
MOVED_EDGES = 0.15
"""What moves by less (edges) stays in its place, and does not come in or go out."""
BRIEF_SECONDS = 0.12
"""So long a die that flies in is outside the tray at most, one that bounces back is slow at most, and no hand is in
sight at least before one that takes dice up comes in: before that they may be leaving it."""
SLOW_SPEED = 12.0
"""Edges a second: dice that are about to lie still, and a hand with a die, are slower; what bounces or reaches in is
faster."""

Outside: TypeAlias = Callable[[BlobSighting], float]
"""Return how far beyond the tray a blob is, in edges of a die: negative inside."""


@dataclass(frozen=True)
class OutsideVisit:
    """A blob beyond the tray, from the first picture to the last; `depths` say how far beyond, in edges of a die."""

    sightings: tuple[BlobSighting, ...]
    depths: tuple[float, ...]

    @property
    def began(self) -> float:
        """When it was first seen outside, in seconds."""
        return self.sightings[0].at

    @property
    def ended(self) -> float:
        """When it was last seen outside."""
        return self.sightings[-1].at

    @property
    def lasted(self) -> float:
        """For how many seconds it was outside."""
        return self.ended - self.began

    @property
    def is_seen_whole(self) -> bool:
        """True if the picture's border did not cut it all the time."""
        return not all(seen.at_border for seen in self.sightings)

    @property
    def went_out(self) -> bool:
        """True if it moved outwards, or stayed longer than a die that flies in without moving inwards."""
        has_risen = max(self.depths) - self.depths[0] > MOVED_EDGES
        return self._has_moved and (has_risen or (self.lasted >= BRIEF_SECONDS and not self.came_in))

    @property
    def _has_moved(self) -> bool:
        """True if it was not all the time in one place, as where a die was taken away is."""
        first = self.sightings[0]
        ways = (float(np.hypot(seen.x - first.x, seen.y - first.y)) for seen in self.sightings)
        return max(ways) > MOVED_EDGES * max(seen.edge for seen in self.sightings)

    @property
    def came_in(self) -> bool:
        """True if it moved inwards from the first."""
        return self.depths[0] - self.depths[-1] > MOVED_EDGES


def visits(blobs: Iterable[BlobSighting], outside: Outside, edge: float, width: float) -> tuple[OutsideVisit, ...]:
    """Return the visits of die-sized blobs beyond the tray that no hand held, by their first moments.

    blobs: of all pictures, in the order of time. edge: of a die, and width: of the picture, in pixels of the frame.
    """
    linker = BlobLinker(STEP_EDGES * edge)
    for at, seen in groupby(blobs, key=lambda blob: blob.at):
        linker.add([one for one in seen if not one.held and is_die(one, edge) and outside(one) > 0], at, width)
    found = (OutsideVisit(track.sightings, tuple(map(outside, track.sightings))) for track in linker.tracks)
    return tuple(sorted(found, key=lambda visit: visit.began))


def is_die(blob: BlobSighting, edge: float) -> bool:
    """True if a blob has the size of a die of that edge, as far as the picture shows it."""
    return (MIN_DIE / 2 if blob.at_border else MIN_DIE) <= blob.edge / edge <= MAX_DIE


def first_flight(tracks: Sequence[BlobTrack], outside: Outside) -> float:
    """Return when the first thing flew in over the tray's edge, in seconds; infinity if nothing did."""
    entering = (_entered(track, outside) for track in tracks)
    return min((at for at in entering if at is not None), default=float("inf"))


def _entered(track: BlobTrack, outside: Outside) -> float | None:
    """Return when a track crossed the edge inwards; None if it did not."""
    for before, after in zip(track.sightings, track.sightings[1:], strict=False):
        if outside(after) <= 0 < outside(before) or (before.at_border and outside(before) - outside(after) > 1):
            return before.at
    return None


# Departures: a blob of a die's size that goes out over the edge after the first die flew in
#
# A departure begins with a blob of a die's size that goes out over the tray's edge after the first die flew in. How it
# ends tell the dice at rest: one that lies outside, one that is missing, or one that lies where the blob came back to.

FLY_IN_SECONDS = 0.25
"""Seconds after the first die flew in during which further dice fly in; crossing the edge is no departure yet."""
ALL_IN_SECONDS = 0.4
"""Seconds after the first die after which a die can fly in only over the picture's border."""
AT_REST_SECONDS = 0.15
"""A blob unseen for longer was a die at rest; a blob that leaves from that place was picked up by a hand."""
STEP_EDGES = 4.0
"""The farthest that a die moves from one picture to the next, in edges; so near to a hand a blob is a part of it."""
BOUNCE_SECONDS = 2 * FLY_IN_SECONDS
"""What is outside for longer did not bounce back: it would be out as fast as dice come in, and in again."""
OVER_RIM_EDGES = 0.6
"""What comes back by itself and was never farther beyond the tray than this flew over its rim: by its height it seems
to be farther out than it is. The eight that bounced back off the table were 0.87 edges out or more, all staged on the
virtual tray: a camera that looks on at a slant may need more."""
SAME_DIE_EDGES = STEP_EDGES / 2
"""A die at rest within so many edges of where a blob was last seen is that die: it was slower than dice are before."""


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
    hands = (seen for blobs in burst.blobs for seen in blobs if seen.held and abs(seen.at - first.at) < GAP_SECONDS)
    return any(np.hypot(seen.x - first.x, seen.y - first.y) < seen.edge + STEP_EDGES * edge for seen in hands)


def _departures(leaving: Sequence[OutsideVisit], ends: _Ends) -> Iterator[Departure]:
    """Yield a departure for each visit, but for those that go on with one before."""
    known: set[int] = set()
    until = float("-inf")
    for visit in leaving:
        if visit.began <= until:
            continue
        departure = ends.departure(visit, known)
        if departure.home is Homecoming.BY_ITSELF and ends.depth(visit) <= OVER_RIM_EDGES:
            continue
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

    def depth(self, visit: OutsideVisit) -> float:
        """Return how far beyond the tray a blob was that left with a visit, in edges of a die."""
        return max(depth for stay in self._chain(visit) for depth in stay.depths)

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
        is_bounce = re_entry - gone.moments[0] < BOUNCE_SECONDS and self._slow_seconds(stays) < BRIEF_SECONDS
        home = Homecoming.BY_ITSELF if is_bounce else Homecoming.BY_HAND
        laid = self._laid_since(gone.moments[1], known) if home is Homecoming.BY_HAND else 0
        die = laid or self._die_at(track.last, known) or self._only_arrival(re_entry, known)
        return replace(gone, home=home, die=die, moments=(*gone.moments[:2], re_entry))

    def _slow_seconds(self, stays: list[OutsideVisit]) -> float:
        """Return for how long a blob was slower outside than what bounces."""
        pairs = [pair for stay in stays for pair in zip(stay.sightings, stay.sightings[1:], strict=False)]
        slow = SLOW_SPEED * self.landing.edge
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


# Dice that flew into the tray and were taken up again before the table settled: their throw is never read
#
# What is left of them are blobs in the last pictures before a hand comes in, in places where no die lay before and none
# lies after, and the hand over them. Dice that it only carried elsewhere lie there afterwards, and can be read.

PICTURES: Final = 3
"""In the last so many pictures, with that in which it comes in, dice are looked for that it takes."""
LARGEST_EDGES: Final = 3.0
"""The side of a square of a blob's area, in edges: some dice with their shadows that touch."""

Point: TypeAlias = tuple[float, float]
"""A place in pixels of the frame."""
Moment: TypeAlias = tuple[FilmPicture, tuple[BlobSighting, ...]]
"""A picture of a film, and what differs in it from the table before."""


@dataclass(frozen=True)
class TakenUp:
    """Dice that a hand took up: when it came in, in seconds of the film, and how many dice at least."""

    at: float
    dice: int


def find_taken_up(
    burst: MotionBurst, lay: Sequence[Point], lie: Sequence[Point], outside: Outside, edge: float
) -> Iterator[TakenUp]:
    """Yield what hands took up during a burst.

    lay, lie: where dice lay before it and lie after it. outside: how far beyond the tray a blob is. edge: of a die, in
    pixels of the frame.
    """
    moments: list[Moment] = list(zip(burst.film.pictures if burst.film else (), burst.blobs, strict=False))
    hands = [k for k, (picture, _) in enumerate(moments) if picture.hand is not None]
    for gone, came in pairwise(hands):
        at = moments[came][0].at
        if at - moments[gone][0].at <= BRIEF_SECONDS or came - gone < PICTURES:
            continue
        seen = [blobs for _, blobs in moments[came + 1 - PICTURES : came + 1]]
        landed = [
            one
            for before, now in pairwise(seen)
            for one in _new_dice(now, [*lay, *lie], outside, edge)
            if _was_near(one, before, edge)
        ]
        taken = [one for one in landed if _is_reached(one, moments[came:], burst.scale)]
        if taken:
            yield TakenUp(at, len({one for one in taken if one.at == taken[-1].at}))


def _new_dice(
    blobs: Sequence[BlobSighting], known: Sequence[Point], outside: Outside, edge: float
) -> list[BlobSighting]:
    """Return the blobs of dice that are where none lies or lay."""
    return [
        one
        for one in blobs
        if not (one.held or one.at_border) and MIN_DIE <= one.edge / edge <= LARGEST_EDGES and outside(one) < 0
        if all(np.hypot(one.x - x, one.y - y) > NUDGED_EDGES * edge for x, y in known)
    ]


def _was_near(die: BlobSighting, before: Sequence[BlobSighting], edge: float) -> bool:
    return any(np.hypot(die.x - one.x, die.y - one.y) < SLOW_SPEED * edge * (die.at - one.at) for one in before)


def _is_reached(die: BlobSighting, moments: Sequence[Moment], scale: float) -> bool:
    """True if the hand that comes in with the first of some pictures is soon over a place."""
    x, y = int(die.x * scale), int(die.y * scale)
    hands = (picture.hand for picture, _ in moments if picture.at <= moments[0][0].at + GAP_SECONDS)
    return any(hand is not None and bool(hand[y, x]) for hand in hands)


# What is kept of it while bursts come and go

THROWING_SECONDS = 2 * GAP_SECONDS
"""A hand that comes in needs so long at least to take dice up and throw them: it reaches them within GAP_SECONDS."""
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
        and all(np.hypot(at.x - x, at.y - y) > NUDGED_EDGES * edge for x, y in before)
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
