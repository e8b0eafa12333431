"""A tray without markers: a still of the camera, the corners that people tap in it, and whether they still fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import randbelow
from threading import Lock

import cv2
import numpy as np

from hardware.cameras import PHONES
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.app.phone_camera_service import PhoneCameraService
from vander.doctor.picture_checks import tapped_outline
from vander.resources import models_and_stores
from vander.storage.camera_file import KeptCorners, forget_corners, read_corners, write_corners
from vander.storage.data_folder import Unwritten
from vander.storage.settings import Settings
from vision.frames import Frame, Pixels
from vision.image_io import encode_jpeg
from vision.rectification import Points
from vision.tray_calibration import TappedTray, TrayLayout, locate
from vision.tray_edge import TrayEdge, guess_corners
from vision.tray_markers import find_markers
from web.authorization import KEEPERS
from web.schemas.camera_schemas import CornersRequest, CornersResponse, CornersStill, Phone

USUAL_MM = (300.0, 200.0)
LEAST_SHARE = 0.04
"""Share of the picture that the tray must cover: in a smaller one no die can be read."""
LEAST_ANGLE_DEGREES = 30.0
"""No corner of a tray that a camera sees from above is more pointed."""
FIRST_STILLS = 500_000_000
"""The first still's number is drawn below it: a page that outlives a restart does not go on by chance."""

NO_PICTURE = say("The camera gives no picture now; wait for it, or take a photograph.")
HAS_MARKERS = say("All four markers are in sight: Vander finds the tray by them, better than by taps.")
CROSSED = say("The corners do not go round the tray: top left, top right, bottom right, bottom left.")
TOO_SMALL = say("The corners lie too near to each other; the tray has to fill more of the picture.")
TOO_POINTED = say("No tray looks like this: drag each corner to where two walls meet.")
NOTHING_SHOWS = say("The tray's edge cannot be seen there: give it light, or put it on something of another colour.")
FITS = say("The corners fit. If the camera or the tray is pushed, Vander says so.")
WEAK = say("The corners fit. But the edge hardly shows, so a push of the tray may go unnoticed; look after it.")


@dataclass(frozen=True, eq=False)
class _Still:
    """A still, and the phone whose picture it is; None where no phone is the camera."""

    number: int
    pixels: Pixels
    owner: Phone | None


class TrayCornersService:
    """The tapped corners of a tray without markers. `use` applies a layout; only the last still is kept.

    `phone` is the camera phone that asks, None for a keeper; a camera phone is answered about its own picture alone.

    settings: returns the settings with the camera that is on. phone: takes a phone's pictures.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        use: Callable[[TrayLayout], None],
        pixels: Callable[[], Pixels | None],
        phone: PhoneCameraService | None = None,
    ) -> None:
        self._settings, self._use, self._pixels, self._phone_service = settings, use, pixels, phone
        self._lock, self._changing = Lock(), Lock()
        self._still: _Still | None = None
        self._count = randbelow(FIRST_STILLS)

    def now(self) -> CornersResponse:
        """Return what is kept, and whether it fits the present picture."""
        kept, pixels = self._kept(), self._present()
        if kept is None:
            return CornersResponse(False, False, "", (), *USUAL_MM)
        if pixels is None:
            return CornersResponse(True, False, NO_PICTURE, (), kept.width_mm, kept.height_mm)
        return _answer(kept, pixels)

    def take_still(self, phone: Phone | None) -> CornersStill:
        """Take a still of what the camera shows now. Raises Refused: UNAVAILABLE without a picture, NOT_ALLOWED."""
        owner = self._owner(phone)
        pixels = self._present()
        if pixels is None:
            raise Refused(NO_PICTURE, Reason.UNAVAILABLE)
        with self._lock:
            self._count += 1
            self._still = still = _Still(self._count, pixels.copy(), owner)
        corners, is_seen = self._begin_at(pixels)
        kept = self._kept()
        size = (kept.width_mm, kept.height_mm) if kept else USUAL_MM
        return CornersStill(still.number, pixels.shape[1], pixels.shape[0], tuple(corners), is_seen, *size)

    def still_jpeg(self, phone: Phone | None, number: int) -> bytes:
        """Return a still as a JPEG. Raises Refused: GONE for another one than the last, NOT_ALLOWED."""
        return encode_jpeg(self._find(phone, number).pixels)

    def keep(self, phone: Phone | None, asked: CornersRequest) -> CornersResponse:
        """Keep the corners that were tapped in a still, and go on with them.

        Raises Refused: INVALID for corners of no tray, GONE for another still than the last, CONFLICT while a throw
        waits for an answer, UNAVAILABLE where nothing can be kept, NOT_ALLOWED.
        """
        pixels = self._find(phone, asked.still).pixels
        tapped = _tapped(pixels, [(x, y) for x, y in asked.corners])
        kept = KeptCorners(self._settings().shown_camera, asked.width_mm, asked.height_mm, tapped)
        with self._changing:
            self._go_on_with(kept)
        with self._lock:
            self._still = None
        return _answer(kept, pixels)

    def forget(self, phone: Phone | None) -> CornersResponse:
        """Take the corners away: the markers count again. Raises Refused as `keep` does."""
        self._owner(phone)
        with self._changing:
            if self._kept() is not None:
                self._go_on_with(None)
        return self.now()

    @property
    def _phone(self) -> PhoneCameraService | None:
        """Return what takes a phone's pictures, None while another camera is on."""
        return self._phone_service if self._settings().camera in PHONES else None

    def _go_on_with(self, kept: KeptCorners | None) -> None:
        """Keep corners, or none; the camera loop opens them when the table says so. What is refused is as it was."""
        before = self._kept()
        self._write(kept)
        try:
            self._use(models_and_stores.tray_layout(self._settings()))
        except (Refused, Unwritten):
            self._write(before)
            raise
        if self._phone is not None:
            self._phone.look_again()

    def _write(self, kept: KeptCorners | None) -> None:
        """Write the file, or delete it. Raises Refused (UNAVAILABLE) with the sentence of the disk."""
        folder = self._settings().data_dir
        try:
            forget_corners(folder) if kept is None else write_corners(folder, kept)
        except Unwritten as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error

    def _kept(self) -> KeptCorners | None:
        now = self._settings()
        return read_corners(now.data_dir, now.shown_camera)

    def _present(self) -> Pixels | None:
        """Return what the camera shows: the last photograph, where a phone takes one a throw."""
        held = self._phone.held_photograph if self._phone is not None else None
        return self._pixels() if held is None else held

    def _owner(self, phone: Phone | None) -> Phone | None:
        """Return whose picture it is. Raises Refused (NOT_ALLOWED) for another phone's."""
        owner = self._phone.shown_by if self._phone is not None else None
        if phone is not None and (owner is None or owner.number != phone.number):
            raise Refused(KEEPERS, Reason.NOT_ALLOWED)
        return owner

    def _find(self, phone: Phone | None, number: int) -> _Still:
        still = self._still
        if still is None or still.number != number:
            raise Refused(say("That still is gone; take another one."), Reason.GONE)
        if phone is not None and (still.owner is None or still.owner.number != phone.number):
            raise Refused(KEEPERS, Reason.NOT_ALLOWED)
        return still

    def _begin_at(self, pixels: Pixels) -> tuple[Sequence[tuple[float, float]], bool]:
        """Return where the corners stand at first: where they are known to be, else where an edge is seen."""
        kept = self._kept()
        if kept is not None and (known := tapped_outline(pixels, kept.layout)):
            return known, True
        guess, is_seen = guess_corners(pixels)
        if kept is not None and not is_seen and kept.tapped.has_shape_of((pixels.shape[1], pixels.shape[0])):
            return kept.tapped.corners, True
        return guess, is_seen


def _tapped(pixels: Pixels, corners: Sequence[tuple[float, float]]) -> TappedTray:
    """Return the tray by corners as fractions of a picture. Raises Refused (INVALID, CONFLICT)."""
    size = pixels.shape[1], pixels.shape[0]
    _check_shape(np.array(corners, np.float64) * size, float(size[0] * size[1]))
    if find_markers(pixels).is_whole:
        raise Refused(HAS_MARKERS, Reason.CONFLICT)
    edge = TrayEdge.of(pixels, corners)
    if not edge.shows_enough:
        raise Refused(NOTHING_SHOWS)
    first, second, third, fourth = corners
    return TappedTray((first, second, third, fourth), size, edge)


def _check_shape(spots: Points, area: float) -> None:
    """Raise Refused (INVALID) unless four corners, in pixels, may be those of a tray that is seen from above."""
    outline = spots.astype(np.float32)
    if not cv2.isContourConvex(outline) or cv2.contourArea(outline, oriented=True) <= 0:
        raise Refused(CROSSED)
    if cv2.contourArea(outline) < LEAST_SHARE * area:
        raise Refused(TOO_SMALL)
    ahead, back = np.roll(spots, -1, axis=0) - spots, np.roll(spots, 1, axis=0) - spots
    lengths = np.linalg.norm(ahead, axis=1) * np.linalg.norm(back, axis=1)
    angles = np.degrees(np.arccos(np.clip((ahead * back).sum(axis=1) / lengths, -1, 1)))
    if float(angles.min()) < LEAST_ANGLE_DEGREES:
        raise Refused(TOO_POINTED)


def _answer(kept: KeptCorners, pixels: Pixels) -> CornersResponse:
    """Return how kept corners fit a picture."""
    found, doubt = locate(Frame(pixels, 1, 0.0), kept.layout)
    outline = tapped_outline(pixels, kept.layout) if found is not None else ()
    told = doubt or (FITS if kept.tapped.edge.shows_tray else WEAK)
    return CornersResponse(True, found is not None, told, outline, kept.width_mm, kept.height_mm)
