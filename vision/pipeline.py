"""The vision pipeline: frames in, observations out.

A frame is read (calibrate, rectify, find, read, track) when the table has settled; while nothing moves, and while
things move, only the small picture is examined.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from threading import Thread

import cv2
import numpy as np

from referee.dice import Blindness, DieSet
from referee.sentences import say
from vision import rectification
from vision.background_subtraction import MOTION_LEVELS
from vision.die_size import DieSize, edges_of
from vision.feed_health import FeedFault, FeedHealth
from vision.frame_clock import FrameClock, SightGaps
from vision.frame_reader import CameraPicture, DieFinder, DieReader, FrameReader
from vision.frames import Frame, Pixels, small_image
from vision.motion import FRAME_JITTER_SECONDS, MotionDetector, MotionState, StillRun
from vision.motion_burst import BurstEnd, MotionBurst
from vision.observations import HAND_STAYS, BlindInterval, DieReading, DieSighting, Observation, Posture, TrackedDie
from vision.tracking import MAX_READS, TellsArrivals, Tracker
from vision.tray_calibration import NO_TRAY, Calibration, TrayLayout

# When a table may count as settled before `vision.motion.QUIET_SECONDS` are over
#
# Three pictures that show the same to a fraction of a pixel are enough where nothing is left that could move a die: all
# dice of the set lie flat in sight and can be read for certain, and no hand was near. A die that stands on its edge for
# a moment leans, and one that rolls out of view is missing.

STILL_SECONDS = 0.1
"""How long nothing may have moved by a fraction of a pixel: a die that tips over moves thirteen times as far in this
time, as sqrt(0.94 edge / gravity) is 39 ms for an edge of 16 mm."""
STILL_PICTURES = 3
"""In how many pictures at least: so many that one which a camera sends twice does not make a table still."""
DRAFT_PICTURES = 2
"""After so many pictures that show the same the table is read, while the time goes on."""
HAND_SECONDS = 0.3
"""A hand that was in sight so shortly before the first still picture may not have let go of all dice."""
STEADY_SECONDS = 1.5
"""A hand, such as one that shows its dice, trembles by a fraction of a pixel in less time."""


def may_be_read(still: StillRun | None) -> bool:
    """True if it is worth the time to read the table, which may soon have settled."""
    return still is not None and still.pictures >= DRAFT_PICTURES


def is_still(still: StillRun) -> bool:
    """True if the pictures have shown the same for long enough."""
    return still.pictures >= STILL_PICTURES and still.seconds >= STILL_SECONDS - FRAME_JITTER_SECONDS


def is_beyond_doubt(observation: Observation, burst: MotionBurst, since: float, dice: DieSet | None) -> bool:
    """True if a throw that was read while the table has been still `since` then (seconds) will lie as it was read.

    `dice` are those that should lie there; without them it is not known whether all are in sight.
    """
    was_seen = burst.unseen is None and not burst.afresh and not burst.hand_since(since - HAND_SECONDS)
    is_complete = dice is not None and len(observation.dice) == sum(count for _, count in dice.counts)
    return was_seen and is_complete and not observation.doubts and all(map(_lies_for_certain, observation.dice))


def _lies_for_certain(die: TrackedDie) -> bool:
    reading = die.reading
    return reading.accepted and reading.sighting.posture is Posture.FLAT and die.handled is None


# What was read of a table at rest


@dataclass(frozen=True, eq=False)
class ReadFrame:
    """What was read in a frame of a table, with its picture for people; tray_doubt: '' or a sentence.

    is_lost: the tray is known by tapped corners, and is not where they are: nothing was read.
    """

    view: rectification.TrayView
    picture: CameraPicture
    readings: tuple[DieReading, ...]
    tray_doubt: str
    is_lost: bool = False


@dataclass(frozen=True, eq=False)
class TableReading:
    """What a frame of a table shows, and what the tracker is with it.

    burst: the motion before it, None if the table was read before. since: since when the pictures have shown the same,
    in seconds of the frame clock; None if it has settled.
    """

    seen: ReadFrame
    observation: Observation
    tracker: Tracker
    burst: MotionBurst | None
    since: float | None = None

    def is_beyond_doubt(self, dice: DieSet | None) -> bool:
        """True if it is a throw that will lie as it was read, though the table has not settled yet."""
        if self.burst is None or self.since is None:
            return False
        known = self.tracker.threw and not self.tracker.is_unsure and not self.tracker.has_lifted
        return known and is_beyond_doubt(self.observation, self.burst, self.since, dice)


# The pipeline

TOO_LONG = 2
"""Slow readings in a row after which the thorough second search is left out. Each slow reading is itself a gap in the
sight of the camera, after which everything is read again; without this limit that would never end."""
UNSETTLED = say("The dice were still moving when the pictures ended.")
NOTHING_READABLE = say("The picture shows neither a tray nor a die that can be read for certain.")
HAND_STAYS_SECONDS = 5.0
"""So long a hand is in the tray until people are told that nothing is read meanwhile: it throws and tidies in less."""
SCENE_CHANGED = say("The light or the camera is changing; the dice are shown as they last lay.")
TOO_SLOW = say("The camera gives too few pictures a second to follow dice: give it more light, or restart it.")
MARKER_REACH = 6
"""Pixels of the small picture to each side of a marker's centre: the marker itself in a tray that fills the picture."""
MAX_COVERED_MARKERS = 2
"""Dice and fingers cover at most this many markers at once; if more look different, the light or camera changed."""


class DieNotInView(LookupError):
    """A picture was requested of a die that is not in view."""

    def __str__(self) -> str:
        return str(self.args[0])


class Pipeline:
    """Read the frames of one camera. Call `process` with each frame, from one thread; the rest from any.

    A frame that comes late or twice is left out. What changed while the camera could not see it is read afresh, and
    marked as unseen. While the feed is blind (covered or dark) the dice stay as last seen. `dice` is None if any dice
    may lie there. `live` is False for a replay, where frames may repeat and frames far apart in time are photographs.
    `size` is what is known of the dice's size, and `keep_size` takes in what each table tells of it.
    """

    def __init__(  # noqa: PLR0913  # what reads, what is read, and what is known of it
        self,
        finder: DieFinder,
        reader: DieReader,
        arrivals: TellsArrivals,
        dice: DieSet | None,
        layout: TrayLayout,
        *,
        live: bool = True,
        size: DieSize | None = None,
        keep_size: Callable[[DieSize], None] | None = None,
    ) -> None:
        self._frame_reader = FrameReader(finder, reader, dice, layout)
        self._live = live
        self._clock = FrameClock()
        self._sight = SightGaps()
        self._blind: list[BlindInterval] = []
        self._blind_before: tuple[BlindInterval, ...] = ()
        self._feed = FeedHealth(live)
        self._motion = MotionDetector(live)
        self._tracker = Tracker(layout, reader.accept_from, arrivals)
        self._calibration: Calibration | None = None
        self._frame: Frame | None = None
        self._settled: tuple[ReadFrame, tuple[TrackedDie, ...]] | None = None  # what was read last, and its dice
        self._draft: TableReading | None = None  # of a table that may soon have settled
        self._searched: float | None = None  # since when the pictures showed the same in which a hand might be dice
        self._sharp: tuple[Frame, float] | None = None  # the last frame with all its detail, and when it was taken
        self._settled_small: Pixels | None = None
        self._observation = Observation(frame=0, throw=0, at_rest=False, calibrated=False)
        self._reads = 0
        self._was_read = self._reads_slowly = False  # the last frame; so that the camera saw nothing meanwhile
        self._long_reads = 0  # in a row, each so long that all is read afresh after it; TOO_LONG of them stay
        self._is_tray_lost = False
        self._free_at = 0.0  # when no hand was in the tray for the last time, in seconds of the frame clock
        self._size, self._keep_size = size or DieSize(), keep_size

    @property
    def fault(self) -> FeedFault | None:
        """What has been wrong with the frames for a while; None if nothing has."""
        return self._feed.fault

    @property
    def is_fresh(self) -> bool:
        """True if the last frame differed from the one before it, or may equal it."""
        return self._feed.is_fresh

    @property
    def is_blind(self) -> bool:
        """True if the last frame showed nothing: the lens is covered, or it is dark."""
        return self._feed.is_blind

    @property
    def needs_detail(self) -> bool:
        """True until the table was read as it lies now: of a camera that gives both, only detailed frames help."""
        return self._is_worth_another_look or not self._observation.at_rest

    @property
    def calibration(self) -> Calibration | None:
        """Where the tray was when the table was last read; None without a tray."""
        return self._calibration

    def process(self, frame: Frame) -> Observation:
        """Take in a frame: read it if the table has settled, else return the dice as last read."""
        is_shown_again = frame.is_photograph and self._frame is not None and self._frame.number == frame.number
        if is_shown_again or not self._clock.advance(frame.taken_at, frame.is_spared or frame.is_photograph):
            return self._observation
        if frame.is_photograph:
            self._sight.lose(Blindness.PHOTOGRAPH)
            self._draft, self._was_read = None, False  # of a live picture before it; no reading keeps from seeing
        small = small_image(frame)
        if self._frame is not None and self._frame.small is not None and self._frame.small.shape != small.shape:
            self._sight.lose()  # a phone was turned: no picture of before can be compared with those that follow
        frame = replace(frame, small=small)  # whoever is given the frame need not make it again
        self._frame = frame
        self._feed.update(frame.pixels, small, self._clock.now, may_repeat=frame.may_repeat)
        if self._feed.is_blind:
            self._sight.miss(Blindness.LENS)
            return self._update(frame, at_rest=False, hands_in=False)
        # In mid-throw an equal frame of a stream may be one that the camera repeats: no die lies still for that.
        if not self._feed.has_changed and not (frame.may_repeat and self._observation.at_rest):
            self._sight.miss(Blindness.NO_FRAMES)
            return self._observation
        return self._watch(frame, small)

    def mark_lost(self) -> None:
        """Take note that the camera gives no frames: the next frame begins a new feed, and the table is read afresh."""
        self._feed.reset()
        self._clock.pause()
        self._sight.lose()
        self._was_read = False

    def finish(self) -> Observation:
        """Read the last frame at the end of a feed, if it was not read yet, though it may not have settled.

        Dice that were still moving then are not at rest, and a doubt says so.
        """
        if self._frame is None:
            return self._observation
        state = self._motion.finish()
        if state.settled is not None:
            self._take_over(self._table_reading(self._frame, state.settled))
        doubts = (*self._observation.doubts, UNSETTLED) if state.moving else self._observation.doubts
        at_rest = not state.moving
        self._observation = replace(self._observation, at_rest=at_rest, hands_in=state.hands_in, doubts=doubts)
        return self._observation

    def die_image(self, number: int, side: int = rectification.DISPLAY_SIDE) -> Pixels:
        """Return a die from the frame that was last read: BGR, `side` pixels square. Raises DieNotInView."""
        view, sighting = self._last_sight_of(number)
        return rectification.cut_for_display(view.frame.pixels, sighting, side)

    def die_with_surroundings(self, number: int) -> tuple[Pixels, rectification.RotatedSquare]:
        """Return a die with its surroundings (BGR) from the frame that was last read, and its square in there.

        Beyond the tray all is GREY but for the die itself: people and rooms are not stored. Raises DieNotInView.
        """
        view, sighting = self._last_sight_of(number)
        rotation = rectification.rotation_in_frame(sighting, view)
        pixels, square = rectification.cut_with_surroundings(view.frame.pixels, sighting, rotation)
        if self._calibration is not None:
            _grey_out_room(pixels, sighting, square, self._calibration)
        return pixels, square

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return the frame that was last read, cut to the tray (BGR), and the cut's origin in the frame (x, y).

        Beyond the tray all is GREY. None without a tray.
        """
        if self._settled is None or self._calibration is None:
            return None
        return rectification.crop_to_tray(self._settled[0].view.frame.pixels, self._calibration)

    def current_picture(self) -> CameraPicture | None:
        """Return the last frame; None before the first."""
        return None if self._frame is None else self._picture(self._frame, self._calibration)

    def settled_picture(self) -> CameraPicture | None:
        """Return the frame that was read last, the evidence for the reading; None before that."""
        return None if self._settled is None else self._settled[0].picture

    def _picture(self, frame: Frame, calibration: Calibration | None) -> CameraPicture:
        return CameraPicture(frame, self._frame_reader.layout, calibration)

    def _last_sight_of(self, number: int) -> tuple[rectification.TrayView, DieSighting]:
        """Return the view that was last read, and where a die lies in it. Raises DieNotInView."""
        seen, dice = self._settled or (None, ())
        sighting = next((die.reading.sighting for die in dice if die.number == number), None)
        if seen is None or sighting is None:
            raise DieNotInView(f"die {number} is not in view")
        return seen.view, sighting

    def _watch(self, frame: Frame, small: Pixels) -> Observation:
        """Take in a frame that shows the tray."""
        gap = self._sight.see(frame.taken_at, self._clock.now, is_spared=frame.is_spared) if self._live else None
        if self._was_read:
            self._reads_slowly, self._was_read = gap is not None, False
            if self._long_reads < TOO_LONG:
                self._long_reads = self._long_reads + 1 if gap is not None and gap.is_long else 0
        scale = small.shape[1] / frame.pixels.shape[1]
        state = self._motion.update(small, self._clock.now, scale, gap, ends=_end_of_burst(frame))
        if gap is not None and (gap.matters or state.moving):
            self._blind.append(gap.interval)
        state = self._settled_at_border(frame, state) if state.hands_in else self._settled_early(frame, state)
        if self._read_if_settled(frame, state):
            self._settled_small = small
        self._free_at = self._free_at if state.hands_in else self._clock.now
        self._doubt(HAND_STAYS, self._clock.now - self._free_at > HAND_STAYS_SECONDS)
        self._doubt(TOO_SLOW, self._live and self._clock.is_slow)
        is_changing = not state.quiet and not state.hands_in and self._has_scene_changed(small)
        return self._doubt(SCENE_CHANGED, is_changing)

    @property
    def _is_worth_another_look(self) -> bool:
        """True if another reading of the settled table may help."""
        return self._tracker.is_unsure and 0 < self._reads < MAX_READS

    def _settled_early(self, frame: Frame, state: MotionState) -> MotionState:
        """Read a table that may soon have settled; return that it has if its pictures and its reading leave no doubt.

        The reading is kept until something moves, so that it is there when the table has settled. It is of the last
        frame with all its detail; whether the table has been still since, any frame may tell.
        """
        if frame.is_detailed:
            self._sharp = frame, self._clock.now
        still = state.still if self._live else None
        if self._draft is not None and (still is None or still.since != self._draft.since):
            self._draft = None
        if still is None or not may_be_read(still) or self._sharp is None or self._sharp[1] < still.since:
            return state
        if self._draft is None and not self._reads_slowly and (burst := self._motion.preview()) is not None:
            self._draft = self._drafted(self._sharp[0], burst, still.since)
        draft = self._draft
        if draft is None or not is_still(still) or not draft.is_beyond_doubt(self._frame_reader.dice):
            return state
        return replace(state, quiet=True, settled=draft.burst) if self._motion.settle_early() else state

    def _settled_at_border(self, frame: Frame, state: MotionState) -> MotionState:
        """Return that a table has settled on which dice at the picture's border, with their shadows, seem to be a hand.

        They are looked for once while the pictures show the same.
        """
        still = state.still
        if still is None or still.seconds < STEADY_SECONDS or still.since == self._searched or not frame.is_detailed:
            return state
        self._searched = still.since
        seen, burst = self._read(frame), self._motion.preview()
        likely = (one.sighting for one in seen.readings if one.confidence > 0.5)  # a knuckle shows no face
        if burst is None or not self._motion.settle_early([(at.x, at.y, at.edge) for at in likely]):
            return state
        self._draft = replace(self._judged(seen, burst), since=still.since)
        return replace(state, hands_in=False, quiet=True, settled=burst)

    def _read_if_settled(self, frame: Frame, state: MotionState) -> bool:
        """Read when the table has just settled, or settled lately and another reading may help.

        Return True if it has just settled.
        """
        if state.settled is not None:
            self._take_over(self._settled_reading(frame, state.settled))
            self._draft = None
        elif state.quiet and not state.moving and frame.is_detailed and self._is_worth_another_look:
            self._take_over(self._table_reading(frame, None))
        # A photograph is not read again: it would show the same.
        waits = self._tracker.is_short and self._reads < MAX_READS and not frame.is_photograph
        self._update(frame, at_rest=state.quiet and not waits, hands_in=state.hands_in)
        return state.settled is not None

    def _settled_reading(self, frame: Frame, burst: MotionBurst) -> TableReading:
        """Return the reading of a table that has just settled.

        What was read before needs no second look; but how a die came to lie is told by the whole burst alone.
        """
        draft = self._draft
        if draft is None or draft.burst is None:
            return self._table_reading(frame, burst)
        sightings = [die.reading.sighting for die in self._tracker.dice]
        sightings += [reading.sighting for reading in draft.seen.readings]
        places = [(at.x, at.y, at.edge) for at in sightings]
        if draft.burst is burst or burst.tells_the_same(draft.burst, places):
            return draft
        return self._judged(draft.seen, burst)

    def _update(self, frame: Frame, *, at_rest: bool, hands_in: bool) -> Observation:
        self._observation = replace(self._observation, frame=frame.number, at_rest=at_rest, hands_in=hands_in)
        return self._observation

    def _doubt(self, doubt: str, holds: bool) -> Observation:
        """Add a doubt about the frames to the observation, or remove it."""
        doubts = self._observation.doubts
        if holds != (doubt in doubts):
            rest = tuple(other for other in doubts if other != doubt)
            self._observation = replace(self._observation, doubts=(doubt, *rest) if holds else rest)
        return self._observation

    def _has_scene_changed(self, small: Pixels) -> bool:
        """True if nearly all markers look different from when the table settled."""
        before = self._settled_small
        if before is None or self._calibration is None or before.shape != small.shape:
            return False
        scale = small.shape[1] / self._calibration.size[0]
        places = [(x * scale, y * scale) for x, y in self._calibration.centres.values()]
        return sum(_differ_at(before, small, x, y) for x, y in places) > MAX_COVERED_MARKERS

    def _table_reading(self, frame: Frame, burst: MotionBurst | None) -> TableReading:
        """Read a table after a burst, or (None) once more."""
        return self._judged(self._read(frame), burst)

    def _drafted(self, frame: Frame, burst: MotionBurst, since: float) -> TableReading:
        """Read a table that has not settled; `since`: the pictures have shown the same since then."""
        seen = self._read(frame)
        # Made on another core while the time runs: it is kept with the ruling.
        Thread(target=seen.picture.tray_jpeg, name="picture of a table", daemon=True).start()
        return replace(self._judged(seen, burst), since=since)

    def _read(self, frame: Frame) -> ReadFrame:
        self._was_read = True
        calibration, tray_doubt = self._frame_reader.locate(frame, self._calibration)
        view, found = self._frame_reader.look(frame, calibration, self._size.edge_mm)
        is_lost = calibration is None and self._frame_reader.layout.tapped is not None
        readings = () if is_lost else self._frame_reader.read(view, found, has_time=self._long_reads < TOO_LONG)
        return ReadFrame(view, self._picture(frame, calibration), readings, tray_doubt, is_lost)

    def _judged(self, seen: ReadFrame, burst: MotionBurst | None) -> TableReading:
        """Return what was read with what the burst says of it: which dice were thrown, carried or taken up."""
        calibration, calibrated = seen.view.calibration, seen.view.calibration is not None
        tracker, taken_up_at = copy(self._tracker), None
        if calibration is not None:
            tracker.layout = calibration.layout
        if burst is None:
            tracker.read_again(seen.readings, calibrated)
        else:
            tracker.settle(seen.readings, burst, calibrated)
            taken_up_at = tracker.taken_up_at(self._tracker.dice, calibration) if calibration else None
        at = self._observation.taken_up_at if taken_up_at is None else self._clock.taken_at(taken_up_at)
        observed = self._frame_reader.observe(seen.view.frame, tracker, seen.tray_doubt, calibration)
        return TableReading(seen, replace(observed, taken_up_at=at), tracker, burst)

    def _take_over(self, reading: TableReading) -> None:
        """Let a reading be what lies on the table, unless the tray was lost then or until then.

        Of a photograph there is no next picture: what lies there is read afresh by that one.
        """
        if reading.seen.is_lost or (self._is_tray_lost and not reading.seen.view.frame.is_photograph):
            self._note_lost_tray(reading.seen)
            return
        self._is_tray_lost = False
        self._tracker, self._calibration = reading.tracker, reading.seen.view.calibration
        if reading.burst is None:
            self._reads += 1
        else:
            self._learn_size(reading)
            self._reads = 1
            self._blind_before, self._blind = tuple(self._blind), []
        self._observation = replace(reading.observation, blind=self._blind_before)
        self._settled = reading.seen, self._observation.dice

    def _learn_size(self, reading: TableReading) -> None:
        """Take in how large the dice of a table are that has settled."""
        calibration = reading.seen.view.calibration
        if calibration is None:
            return
        edges = edges_of((one.sighting for one in reading.seen.readings), calibration)
        size = self._size.after(float(np.median(edges)) if edges else None, len(edges))
        if size != self._size and self._keep_size is not None:
            self._keep_size(size)
        self._size = size

    def _note_lost_tray(self, seen: ReadFrame) -> None:
        """Keep the dice as last read while the tray is lost: a camera that was pushed would seem to throw them all.

        Once the tray is back, what lies there is read afresh by the next pictures, as after a long gap in sight.
        """
        self._is_tray_lost, self._reads = seen.is_lost, MAX_READS
        if seen.is_lost:
            self._observation = replace(self._observation, calibrated=False, doubts=(seen.tray_doubt,))
        else:
            self._sight.lose()


def read_photograph(
    pixels: Pixels, finder: DieFinder, reader: DieReader, dice: DieSet | None, layout: TrayLayout
) -> Observation:
    """Read one photograph (BGR).

    With all four markers in sight, positions are in the tray's millimetres and dice have zones; else positions are in
    pixels, and every die lies in the field.
    """
    frame = Frame(pixels, 1, 0.0)
    frame_reader = FrameReader(finder, reader, dice, layout)
    calibration, tray_doubt = frame_reader.locate(frame)
    tracker = Tracker(layout if calibration is None else calibration.layout)
    tracker.settle(frame_reader.read(*frame_reader.look(frame, calibration, None)), None, calibration is not None)
    observation = frame_reader.observe(frame, tracker, tray_doubt, calibration)
    doubts = tuple(doubt for doubt in observation.doubts if doubt != NO_TRAY)
    nothing = calibration is None and not any(die.reading.accepted for die in observation.dice)
    return replace(observation, doubts=(NOTHING_READABLE, *doubts) if nothing else doubts)


def _end_of_burst(frame: Frame) -> BurstEnd:
    if frame.is_photograph:
        return BurstEnd.AT_ONCE
    return BurstEnd.WHEN_QUIET if frame.is_detailed else BurstEnd.NEVER


def _differ_at(before: Pixels, now: Pixels, x: float, y: float) -> bool:
    """True if two small pictures differ around a position by more than noise."""
    left, top = (max(0, round(position) - MARKER_REACH) for position in (x, y))
    there = slice(top, top + 2 * MARKER_REACH + 1), slice(left, left + 2 * MARKER_REACH + 1)
    return before[there].size > 0 and float(np.mean(cv2.absdiff(before[there], now[there]))) > MOTION_LEVELS / 2


def _grey_out_room(
    pixels: Pixels, sighting: DieSighting, square: rectification.RotatedSquare, calibration: Calibration
) -> None:
    """Make a die's surroundings GREY, in place, except the tray and what the reader needs of the die."""
    scale = square.edge / sighting.edge
    outline = (rectification.tray_outline(calibration) - (sighting.x, sighting.y)) * scale + (square.x, square.y)
    kept = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillPoly(kept, [np.round(outline).astype(np.int32)], 255)
    cv2.circle(
        kept, (round(square.x), round(square.y)), round(square.edge * rectification.INPUT_EDGES / 2**0.5), 255, -1
    )
    pixels[kept == 0] = rectification.GREY
