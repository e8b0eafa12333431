"""The pipeline: frames in, observations out. It reads when the table has settled, and rests while nothing stirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from referee.dice import DieSet
from vision.calibration import NO_TRAY, Calibration, TrayLayout, locate
from vision.classification import INPUT_EDGES, RotatedSquare, rotation_in_frame
from vision.frames import Frame, Pixels
from vision.motion import STEP, Burst, FeedFault, FeedWatch, Motion, Stir, small_image
from vision.observations import DieReading, DieSighting, Observation, Posture
from vision.rectification import GREY, TrayView, crop_to_tray, rectify, tray_outline, unrectified_view
from vision.tracking import Tracker

MOST_LOOKS = 3
"""How often the same settled table is looked at, while it may tell more."""
CROP = 96
"""Pixels a side of a die's picture."""
CROP_EDGES = 1.7
"""How much of the table a die's picture shows, in edges of the die."""
SURROUNDINGS = 3.0
"""How much of the table a die's kept picture shows, in edges of the die: enough to cut it out anew, a little off."""
LARGEST = 192
"""Pixels a side of a die's kept picture at most."""
UNSETTLED = "The dice were still moving when the pictures ended."
NOTHING = "The picture shows neither a tray nor a die that can be read for certain."
SCENE_CHANGED = "The light or the camera is changing; the dice are told as they last lay."
AROUND = 6
"""Pixels of the small picture to each side of a marker's centre: the marker itself in a tray that fills the picture."""
MOST_COVERED = 2
"""So many markers dice and fingers may cover at once; where more look different, everything does."""


class DieFinder(Protocol):
    """Finds dice in a view."""

    def find(self, view: TrayView) -> tuple[DieSighting, ...]:
        """The dice in sight."""


class DieReader(Protocol):
    """Reads the dice found in a view."""

    @property
    def accept_from(self) -> float:
        """The probability from which on a face stands."""

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        """What they show; a sighting that is no die after all may be left out."""


class DieNotInView(LookupError):
    """A picture was wanted of a die that is not in view."""

    def __str__(self) -> str:
        return str(self.args[0])


class Pipeline:
    """Watches one camera. Give `process` its frames in order, from one thread; the rest may be called from any.

    `fault` is what is wrong with the feed: a covered lens, a dark room, a frozen picture. While it is blind the
    dice stay those last seen. `live` is False for a replay, where frames may repeat.
    """

    def __init__(
        self, finder: DieFinder, reader: DieReader, dice: DieSet | None, layout: TrayLayout, *, live: bool = True
    ) -> None:
        self._finder, self._reader = finder, reader
        self._dice, self._layout = dice, layout
        self._feed = FeedWatch(live)
        self._motion, self._tracker = Motion(live), Tracker(layout, reader.accept_from)
        self._calibration: Calibration | None = None
        self._frame: Frame | None = None
        self._settled: tuple[Frame, Observation] | None = None
        self._view: TrayView | None = None
        self._small: Pixels | None = None
        self._observation = Observation(frame=0, throw=0, at_rest=False, calibrated=False)
        self._looks = 0

    @property
    def fault(self) -> FeedFault | None:
        """Return what has been wrong with the frames for a while; None when nothing has."""
        return self._feed.fault

    @property
    def is_fresh(self) -> bool:
        """Whether the last frame was another picture than the one before it."""
        return self._feed.fresh

    @property
    def is_blind(self) -> bool:
        """Whether the last frame showed nothing at all: the lens is covered, or it is dark."""
        return self._feed.blind

    @property
    def calibration(self) -> Calibration | None:
        """Where the tray was when the table last settled."""
        return self._calibration

    def process(self, frame: Frame) -> Observation:
        """Take in a frame. Reads it when the table has settled, else tells the dice last seen."""
        small = small_image(frame)
        self._frame = frame
        self._feed.look(frame.pixels, small, frame.taken_at)
        if self._feed.blind:
            return self._tell(frame, at_rest=False, hands_in=False)
        stir = self._motion.look(small, frame.taken_at, small.shape[1] / frame.pixels.shape[1])
        self._act(frame, stir)
        if stir.settled is not None:
            self._small = small
        return self._doubt(not stir.quiet and not stir.hands_in and self._is_upset(small))

    def mark_lost(self) -> None:
        """Take in that the camera gives no frames; the dice stay those last seen."""
        self._feed.lose()

    def finish(self) -> Observation:
        """The pictures have ended: read the last one, if it has not been, though it may not have settled."""
        if self._frame is None:
            return self._observation
        stir = self._motion.finish()
        if stir.settled is not None:
            self._read(self._frame, stir.settled)
        doubts = (*self._observation.doubts, UNSETTLED) if stir.moving else self._observation.doubts
        self._observation = replace(self._observation, at_rest=True, hands_in=stir.hands_in, doubts=doubts)
        return self._observation

    def die_image(self, number: int, side: int = CROP) -> Pixels:
        """A die's picture, `side` pixels square, from when the table last settled. Raises NoSuchDie."""
        if self._settled is not None:
            frame, observation = self._settled
            for die in observation.dice:
                if die.number == number:
                    return _cut(frame.pixels, die.reading.sighting, side)
        raise DieNotInView(f"die {number} is not in view")

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        """A die's own pixels and those around it, from when the table last settled, and its place in there.

        SURROUNDINGS edges wide, less where the picture ends or the die is very large. Beyond the tray all is grey but
        for the die itself. Raises NoSuchDie.
        """
        if self._settled is not None:
            frame, observation = self._settled
            for die in observation.dice:
                if die.number == number and self._view is not None:
                    at = die.reading.sighting
                    pixels, place = cut_with_surroundings(frame.pixels, at, rotation_in_frame(at, self._view))
                    return self._without_the_room(pixels, at, place), place
        raise DieNotInView(f"die {number} is not in view")

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """The frame that was last read, cut to the tray, and where in the frame its first pixel lies (x, y).

        What lies in it beyond the tray is grey, since people and rooms are nobody's business. None without a tray.
        """
        if self._settled is None or self._calibration is None:
            return None
        return crop_to_tray(self._settled[0].pixels, self._calibration)

    def current_frame(self) -> Pixels | None:
        """The last frame's pixels; None before the first."""
        return None if self._frame is None else self._frame.pixels

    def settled_frame(self) -> Pixels | None:
        """The pixels of the frame that was last read: the evidence for what was read. None before the first."""
        return None if self._settled is None else self._settled[0].pixels

    def _without_the_room(self, pixels: Pixels, at: DieSighting, place: RotatedSquare) -> Pixels:
        """A die's surroundings with GREY where there is neither the tray nor what the reader needs of the die."""
        if self._calibration is None:
            return pixels
        scale = place.edge / at.edge
        outline = (tray_outline(self._calibration) - (at.x, at.y)) * scale + (place.x, place.y)
        seen = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillPoly(seen, [np.round(outline).astype(np.int32)], 255)
        cv2.circle(seen, (round(place.x), round(place.y)), round(place.edge * INPUT_EDGES / 2**0.5), 255, -1)
        pixels[seen == 0] = GREY
        return pixels

    def _act(self, frame: Frame, stir: Stir) -> Observation:
        """Read when the table has just settled, or settled lately and may tell more."""
        if stir.settled is not None:
            self._read(frame, stir.settled)
        elif stir.quiet and not stir.moving and self._tracker.unsure and 0 < self._looks < MOST_LOOKS:
            self._read(frame, None)
        waits = self._tracker.short and self._looks < MOST_LOOKS
        return self._tell(frame, at_rest=stir.quiet and not waits, hands_in=stir.hands_in)

    def _tell(self, frame: Frame, *, at_rest: bool, hands_in: bool) -> Observation:
        self._observation = replace(self._observation, frame=frame.number, at_rest=at_rest, hands_in=hands_in)
        return self._observation

    def _doubt(self, upset: bool) -> Observation:
        """Say, or no longer say, that the light or the camera is changing."""
        doubts = self._observation.doubts
        if upset != (SCENE_CHANGED in doubts):
            rest = tuple(doubt for doubt in doubts if doubt != SCENE_CHANGED)
            self._observation = replace(self._observation, doubts=(SCENE_CHANGED, *rest) if upset else rest)
        return self._observation

    def _is_upset(self, small: Pixels) -> bool:
        """Whether nearly all markers look otherwise than when the table was last read."""
        if self._small is None or self._calibration is None or self._small.shape != small.shape:
            return False
        scale = small.shape[1] / self._calibration.size[0]
        places = [(x * scale, y * scale) for x, y in self._calibration.centres.values()]
        changed = sum(_differ(self._small, small, x, y) for x, y in places)
        return changed > MOST_COVERED

    def _read(self, frame: Frame, burst: Burst | None) -> None:
        """Read a settled table: after a burst, or (None) once more."""
        self._calibration, awry = locate(frame, self._layout, self._calibration)
        self._view = _view(frame, self._calibration)
        readings = _readings(self._view, self._finder, self._reader, self._dice)
        calibrated = self._calibration is not None
        if burst is None:
            self._tracker.again(readings, calibrated)
            self._looks += 1
        else:
            self._tracker.settle(readings, burst, calibrated)
            self._looks = 1
        self._observation = _observe(frame, self._tracker, awry, self._dice, calibrated)
        self._settled = frame, self._observation


def read_photograph(
    pixels: Pixels, finder: DieFinder, reader: DieReader, dice: DieSet | None, layout: TrayLayout
) -> Observation:
    """Read one photograph: in millimetres and zones where all four markers are seen, else in pixels and all field."""
    frame = Frame(pixels, 1, 0.0)
    calibration, awry = locate(frame, layout)
    tracker = Tracker(layout)
    tracker.settle(_readings(_view(frame, calibration), finder, reader, dice), None, calibration is not None)
    observation = _observe(frame, tracker, awry, dice, calibration is not None)
    doubts = tuple(doubt for doubt in observation.doubts if doubt != NO_TRAY)
    nothing = calibration is None and not any(die.reading.accepted for die in observation.dice)
    return replace(observation, doubts=(NOTHING, *doubts) if nothing else doubts)


def _differ(before: Pixels, now: Pixels, x: float, y: float) -> bool:
    """Whether two small pictures differ around a place, beyond noise."""
    left, top = (max(0, round(place) - AROUND) for place in (x, y))
    there = slice(top, top + 2 * AROUND + 1), slice(left, left + 2 * AROUND + 1)
    return before[there].size > 0 and float(np.mean(cv2.absdiff(before[there], now[there]))) > STEP / 2


def _view(frame: Frame, calibration: Calibration | None) -> TrayView:
    return unrectified_view(frame) if calibration is None else rectify(frame, calibration)


def _readings(view: TrayView, finder: DieFinder, reader: DieReader, dice: DieSet | None) -> tuple[DieReading, ...]:
    return reader.read(view, finder.find(view), dice)


def _observe(frame: Frame, tracker: Tracker, awry: str, dice: DieSet | None, calibrated: bool) -> Observation:
    readings = [die.reading for die in tracker.dice]
    doubts = [awry, *_doubtful(readings), *_too_many(readings, dice)]
    return Observation(
        frame=frame.number,
        throw=tracker.throw,
        dice=tracker.dice,
        calibrated=calibrated,
        doubts=tuple(doubt for doubt in doubts if doubt),
    )


def _doubtful(readings: Sequence[DieReading]) -> list[str]:
    postures = Counter(reading.sighting.posture for reading in readings)
    unread = sum(not reading.accepted for reading in readings)
    told = (
        (postures[Posture.COCKED], "A die leans and does not lie flat.", "{} dice lean and do not lie flat."),
        (postures[Posture.STACKED], "A die lies on another.", "{} dice lie on others."),
        (unread, "A die cannot be read for certain.", "{} dice cannot be read for certain."),
    )
    return [(one if count == 1 else several).format(count) for count, one, several in told if count]


def _too_many(readings: Sequence[DieReading], dice: DieSet | None) -> list[str]:
    if dice is None:
        return []
    seen = Counter(reading.kind for reading in readings)
    return [
        f"{seen[kind.name]} dice of the kind {kind.title!r} are in sight, but the set has {count}."
        for kind, count in dice.counts
        if seen[kind.name] > count
    ]


def cut_with_surroundings(pixels: Pixels, at: DieSighting, turned_degrees: float) -> tuple[Pixels, RotatedSquare]:
    """A sighting's own pixels and those around it, unturned, at most LARGEST a side, and its place in there."""
    reach = SURROUNDINGS / 2 * at.edge
    left, top = max(0, int(at.x - reach)), max(0, int(at.y - reach))
    part = pixels[top : int(at.y + reach) + 1, left : int(at.x + reach) + 1]
    scale = min(1.0, LARGEST / max(part.shape[:2]))
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = ((place + 0.5) * scale - 0.5 for place in (at.x - left, at.y - top))
    return part.copy(), RotatedSquare(x, y, at.edge * scale, turned_degrees)


def _cut(pixels: Pixels, at: DieSighting, side: int) -> Pixels:
    """The square around a sighting, its border repeated where it reaches beyond the picture."""
    width = max(2, round(at.edge * CROP_EDGES))
    cut = cv2.getRectSubPix(pixels, (width, width), (at.x, at.y))
    how = cv2.INTER_AREA if width > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(cut, (side, side), interpolation=how), np.uint8)
