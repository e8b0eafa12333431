"""Read one frame: find the tray and the dice, read them, say what is in doubt; and the pictures of it for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final, Protocol, Self

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import DieSet
from referee.sentences import say, say_count
from vision import rectification
from vision.die_size import edges_of
from vision.frames import Frame, Pixels, small_image
from vision.image_io import add_comment, encode_jpeg, has_comment
from vision.observations import LEANING, DieReading, DieSighting, Observation, Posture
from vision.tracking import Tracker
from vision.tray_calibration import Calibration, TrayLayout, locate
from vision.tray_markers import MARKERS, Point

REACH = 6
"""Pixels of the small picture to each side of a marker's centre: the marker itself in a tray that fills the picture."""
ALIKE = 0.6
"""The correlation (-1 to 1) of a marker with itself in a later picture: 0.9 in other light, below 0.4 when covered."""


CORNERS_AT_LEAST = 2
"""Corners of a tray without markers that must match: one corner alone resembles many things in a room."""


@dataclass(frozen=True)
class CutPlace:
    """Where a cut lies in its frame: left, top, width and height in the pixels of the whole frame."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class FilmCut:
    """Where the tray lies in the small pictures since it was last read.

    small: the small picture in which it was found. centres: the markers in small pictures, or the tapped corners.
    least: how many of them are in their places while the tray is. corner: the cut's corner (x, y) in small pictures.
    inside: uint8, 255 where a pixel of the cut shows the tray. place: the cut in pixels of the whole frame.
    """

    small: Pixels
    centres: Mapping[int, Point]
    least: int
    corner: tuple[int, int]
    inside: npt.NDArray[np.uint8]
    place: CutPlace

    @classmethod
    def of(cls, frame: Frame, calibration: Calibration) -> Self:
        """Return the cut for the small pictures of a camera whose frame was read with that calibration."""
        small = small_image(frame)
        scale = small.shape[1] / frame.pixels.shape[1]
        there = scaled(calibration, scale)
        white, left, top = rectification.crop_to_tray(np.full_like(small, 255), there, rectification.MARGIN_MM)
        inside = np.ascontiguousarray(np.where(white[..., 0] == rectification.GREY, 0, 255), np.uint8)
        height, width = inside.shape
        place = CutPlace(left / scale, top / scale, width / scale, height / scale)
        least = 1 if calibration.layout.tapped is None else CORNERS_AT_LEAST
        return cls(small, there.centres, least, (round(left), round(top)), inside, place)

    def cut(self, small: Pixels) -> Pixels:
        """Return a small picture cut to the tray, with GREY for the room: all of it where the tray is not in its place.

        A camera that was pushed moves all markers; hands and dice leave one at least as it was.
        """
        (left, top), (height, width) = self.corner, self.inside.shape
        cut = np.full((height, width, 3), rectification.GREY, np.uint8)
        if self._is_in_place(small):
            cv2.copyTo(small[top : top + height, left : left + width], self.inside, cut)
        return cut

    def _is_in_place(self, small: Pixels) -> bool:
        if small.shape != self.small.shape:
            return False
        return sum(_alike(self.small, small, self.centres[each]) for each in MARKERS) >= self.least


def scaled(calibration: Calibration, scale: float) -> Calibration:
    """Return a calibration for the same picture at another size, its pixels multiplied by `scale`."""
    shift = (scale - 1) / 2  # the centre of a pixel is a whole number
    to_full = np.array([[1 / scale, 0, -shift / scale], [0, 1 / scale, -shift / scale], [0, 0, 1]])
    centres = {number: (x * scale + shift, y * scale + shift) for number, (x, y) in calibration.centres.items()}
    size = round(calibration.size[0] * scale), round(calibration.size[1] * scale)
    return replace(calibration, to_mm=calibration.to_mm @ to_full, centres=centres, size=size)


def _alike(before: Pixels, now: Pixels, centre: Point) -> bool:
    """True if two small pictures show the same pattern around a point, in whatever light."""
    left, top = (max(0, round(position) - REACH) for position in centre)
    there = slice(top, top + 2 * REACH + 1), slice(left, left + 2 * REACH + 1)
    if before[there].size == 0:
        return False
    old, new = (np.asarray(cv2.cvtColor(picture[there], cv2.COLOR_BGR2GRAY)) for picture in (before, now))
    if min(float(old.std()), float(new.std())) < 1:
        return False
    return float(cv2.matchTemplate(old, new, cv2.TM_CCOEFF_NORMED)[0, 0]) > ALIKE


# Doubts in sentences


SIDES = (
    (say("at the top left"), say("at the top"), say("at the top right")),
    (say("at the left"), say("in the middle"), say("at the right")),
    (say("at the bottom left"), say("at the bottom"), say("at the bottom right")),
)
"""Where a die lies in the tray, by thirds from the top and from the left."""


def reading_doubts(
    readings: Sequence[DieReading], dice: DieSet | None = None, tray_mm: tuple[float, float] | None = None
) -> list[str]:
    """Return a sentence each for dice that lean, lie on others, or cannot be read.

    A single die that cannot be read is named by its kind, if `dice` has it, and by its place in the tray, whose width
    and height is `tray_mm`, None without a calibration.
    """
    postures = Counter(reading.sighting.posture for reading in readings)
    unread = [each for each in readings if not each.accepted and each.sighting.posture not in LEANING]
    leaning, lying = postures[Posture.COCKED], postures[Posture.STACKED]
    sentences = (
        (leaning, say("A die leans.") if leaning == 1 else say("{count} dice lean.", count=leaning)),
        (
            lying,
            say("A die leans or lies on another.")
            if lying == 1
            else say("{count} dice lean or lie on others.", count=lying),
        ),
        (len(unread), _unread_sentence(unread, dice, tray_mm)),
    )
    return [sentence for count, sentence in sentences if count]


def _unread_sentence(unread: Sequence[DieReading], dice: DieSet | None, tray_mm: tuple[float, float] | None) -> str:
    titles = {kind.name: kind.title for kind in dice.kinds} if dice else {}
    if len(unread) != 1 or unread[0].kind not in titles:
        return say_count("A die cannot be read for certain.", "{count} dice cannot be read for certain.", len(unread))
    title, sighting = titles[unread[0].kind], unread[0].sighting
    if tray_mm is None:
        return say("{kind}: it cannot be read for certain.", kind=title)
    column, row = (
        min(max(int(3 * at / length), 0), 2) for at, length in zip((sighting.x_mm, sighting.y_mm), tray_mm, strict=True)
    )
    return say("{kind} {place}: it cannot be read for certain.", kind=title, place=SIDES[row][column])


def count_doubts(readings: Sequence[DieReading], dice: DieSet | None) -> list[str]:
    """Return a sentence for each kind of which more dice are seen than the set has."""
    if dice is None:
        return []
    seen = Counter(reading.kind for reading in readings)
    return [
        say(
            "{seen} dice of the kind '{kind}' are in sight, but the set has {most}.",
            seen=seen[kind.name],
            kind=kind.title,
            most=count,
        )
        for kind, count in dice.counts
        if seen[kind.name] > count
    ]


# Reading a frame

FIRST_SCALES = (rectification.PIXELS_PER_MM, 2.4 * rectification.PIXELS_PER_MM)
"""Pixels per millimetre at which dice of an unknown size are searched: their edge may be 5 to 50 of the tray's
millimetres, since its markers may be of half or of twice the size that they are taken for."""

MOST_SLANTED = 55.0
"""Degrees from straight above up to which a camera sees the tops of dice well enough."""
TOO_SLANTED = say("The camera looks too much from the side: raise it, or move it over the tray.")


class DieFinder(Protocol):
    """Find dice in a view."""

    def find(self, view: rectification.TrayView, *, thoroughly: bool = False) -> tuple[DieSighting, ...]:
        """Return the dice in the view; searched `thoroughly` those too that are hard to find."""


class DieReader(Protocol):
    """Read the dice found in a view."""

    @property
    def accept_from(self) -> float:
        """Probability (0 to 1) from which on a reading is accepted."""

    def read(
        self, view: rectification.TrayView, sightings: Sequence[DieSighting], dice: DieSet | None
    ) -> tuple[DieReading, ...]:
        """Return readings; a sighting that is no die after all may be left out."""


@dataclass(frozen=True, eq=False)
class FrameReader:
    """What reads a single frame: the two networks, the die set and the tray's layout."""

    finder: DieFinder
    reader: DieReader
    dice: DieSet | None
    layout: TrayLayout

    def locate(self, frame: Frame, last: Calibration | None = None) -> tuple[Calibration | None, str]:
        """Find the tray: the calibration and the doubt that goes with it."""
        calibration, doubt = locate(frame, self.layout, last)
        return calibration, doubt or (doubt_of_slant(calibration) if calibration else "")

    def look(
        self, frame: Frame, calibration: Calibration | None, edge_mm: float | None
    ) -> tuple[rectification.TrayView, tuple[DieSighting, ...]]:
        """Return the frame prepared for the reader, and the dice found in it.

        edge_mm: the dice's edge by earlier tables. Where none told it, dice that are not well seen tell at which scale
        they are.
        """
        if calibration is None:
            view = rectification.unrectified_view(frame)
            return view, self.finder.find(view)
        if edge_mm is not None:
            view = replace(rectification.rectify(frame, calibration, rectification.scale_for(edge_mm)), edge_mm=edge_mm)
            return view, self.finder.find(view)
        return self._first_look(frame, calibration)

    def _first_look(
        self, frame: Frame, calibration: Calibration
    ) -> tuple[rectification.TrayView, tuple[DieSighting, ...]]:
        looks = []
        for scale in FIRST_SCALES:
            view = rectification.rectify(frame, calibration, scale)
            found = self.finder.find(view)
            edges = edges_of(found, calibration)
            if edges and rectification.scale_for(float(np.median(edges))) == scale:
                return view, found
            looks.append((edges, view, found))
        edges, view, found = max(looks, key=lambda look: len(look[0]))
        if edges:
            view = rectification.rectify(frame, calibration, rectification.scale_for(float(np.median(edges))))
            found = self.finder.find(view)
        return view, found

    def read(
        self, view: rectification.TrayView, found: Sequence[DieSighting], *, has_time: bool = True
    ) -> tuple[DieReading, ...]:
        """Read the dice found in a view; where some of the set are missing, it is searched once more for them.

        Not without `has_time`: it takes up to three times as long.
        """
        count = sum(count for _, count in self.dice.counts) if self.dice else 0
        readings = self.reader.read(view, found, self.dice)
        if len(readings) >= count or view.calibration is None or not has_time:
            return readings
        again = self.reader.read(view, self.finder.find(view, thoroughly=True), self.dice)
        return again if len(readings) < len(again) <= count else readings

    def observe(self, frame: Frame, tracker: Tracker, tray_doubt: str, calibration: Calibration | None) -> Observation:
        """Return what the tracker knows now, as an observation of a frame."""
        readings = [die.reading for die in tracker.dice]
        layout = calibration.layout if calibration else self.layout
        known_mm = layout.size_mm if calibration else None
        doubts = [tray_doubt, *reading_doubts(readings, self.dice, known_mm), *count_doubts(readings, self.dice)]
        return Observation(
            frame=frame.number,
            throw=tracker.throw,
            dice=tracker.dice,
            calibrated=calibration is not None,
            doubts=tuple(doubt for doubt in doubts if doubt),
            tray_mm=layout.size_mm,
        )


def doubt_of_slant(calibration: Calibration) -> str:
    """Return what to do if the camera sees the middle of the tray too much from the side; '' if it does not."""
    width, height = calibration.layout.size_mm
    return TOO_SLANTED if rectification.camera_over(calibration).slant_at(width / 2, height / 2) > MOST_SLANTED else ""


# The picture for people

CUT_COMMENT: Final = b"Vander: cut to the tray"
"""Stands in each JPEG file that shows the tray alone: what lacks it may show a room, and people in it."""


UPRIGHT_WIDTH: Final = 800
"""Width in pixels of the picture of the tray from straight above."""


def upright_size(tray_mm: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height in millimetres that the picture from straight above shows of a marked rectangle."""
    return tray_mm[0] + 2 * rectification.TRAY_MARGIN_MM, tray_mm[1] + 2 * rectification.TRAY_MARGIN_MM


def upright_place(tray_mm: tuple[float, float], x_mm: float, y_mm: float) -> tuple[float, float] | None:
    """Return where a point of the tray lies in the picture from straight above, as fractions; None beyond it."""
    width, height = upright_size(tray_mm)
    x, y = (x_mm + rectification.TRAY_MARGIN_MM) / width, (y_mm + rectification.TRAY_MARGIN_MM) / height
    return (x, y) if 0 <= x <= 1 and 0 <= y <= 1 else None


def is_cut(jpeg: bytes) -> bool:
    """True if a JPEG file was cut to the tray."""
    return has_comment(jpeg, CUT_COMMENT)


class TrayPicture(Protocol):
    """A picture of the tray, or of what the camera saw in its place."""

    def tray_jpeg(self) -> bytes | None:
        """Return the tray as a JPEG file, and GREY in place of the room; None where the tray is not seen."""

    def upright_jpeg(self) -> bytes | None:
        """Return the tray alone from straight above as a JPEG file; None where the tray is not seen."""


@dataclass(frozen=True, eq=False)
class CameraPicture:
    """A frame, and where the tray was when the table was last read (`last`). Each file is made once.

    The tray is searched in this very frame, so that a camera that was pushed shows no part of the room.
    """

    frame: Frame
    layout: TrayLayout
    last: Calibration | None = None
    _lock: Lock = field(default_factory=Lock)
    _made: dict[str, bytes | None] = field(default_factory=dict)

    def whole_jpeg(self) -> bytes:
        """Return the frame as a JPEG file."""
        return self._once("whole", lambda: encode_jpeg(self.frame.pixels)) or b""

    def tray_jpeg(self) -> bytes | None:
        """Return the tray, with the margin in which dice are looked for; None unless a marker is in sight."""
        return self._once("tray", self._cut)

    def upright_jpeg(self) -> bytes | None:
        """Return the tray from straight above, with a margin that shows no more of the room than its markers need."""
        return self._once("upright", self._straighten)

    def _located(self) -> Calibration | None:
        found, _ = locate(self.frame, self.layout, self.last)
        return None if found is None or found.hidden == MARKERS else found

    def _straighten(self) -> bytes | None:
        found = self._located()
        if found is None:
            return None
        width, _ = upright_size(found.layout.size_mm)
        view = rectification.rectify(self.frame, found, UPRIGHT_WIDTH / width, rectification.TRAY_MARGIN_MM)
        return add_comment(encode_jpeg(view.pixels), CUT_COMMENT)

    def _cut(self) -> bytes | None:
        found = self._located()
        if found is None:
            return None
        cut, _, _ = rectification.crop_to_tray(self.frame.pixels, found, rectification.MARGIN_MM)
        return add_comment(encode_jpeg(cut), CUT_COMMENT)

    def _once(self, name: str, make: Callable[[], bytes | None]) -> bytes | None:
        """Return what was made under that name, or make it: a crowd that asks costs no more than one."""
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]


# Who gives pictures


class ImageSource(Protocol):
    """The pictures that belong to the last observation. Pixels are BGR, uint8."""

    def die_image(self, number: int) -> Pixels:
        """Return the picture of one die of the last observation."""

    def die_with_surroundings(self, number: int) -> tuple[Pixels, rectification.RotatedSquare]:
        """Return one die of the last observation with what lies around it, and the die's place in that picture."""

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return the frame that was read last, cut to the tray, and the cut's corner (x, y) in the frame, or None."""

    def current_picture(self) -> CameraPicture | None:
        """Return the last frame; None before the first, and where only what was read is at hand."""

    def settled_picture(self) -> TrayPicture | None:
        """Return the frame that was read last: the evidence of what was read. None before the first."""
