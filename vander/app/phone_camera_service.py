"""The phone that is the camera: its pictures go to the camera loop, and what the box finds in them goes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from secrets import randbelow
from threading import Condition, Lock, Thread

from hardware.cameras.phone import PhoneCamera, PhonePicture, is_same_shape
from referee.sentences import Reason, Refused, message_of, say
from vander.app.cameras import CameraSwitch
from vander.doctor.picture_checks import PictureMeasurements, look_at_tray
from vision.frames import Frame, Pixels
from vision.image_io import BadPicture, decode_picture
from vision.tray_calibration import NO_TRAY, TrayLayout, locate
from web.schemas.access_schemas import TraySight
from web.schemas.camera_schemas import Phone, PictureAnswer, SentPicture

MOST_PIXELS = 2_600_000
"""Pixels of a picture: 1280 x 960 is what phones are asked for, and 1920 x 1080 what some send all the same."""
SHORTEST_SIDE = 160
HEIC = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypheim", b"ftypmsf1")
"""How the photographs of many phones begin, behind four bytes, where they are no JPEG."""
NO_MARKERS = say("The photograph does not show all four markers of the tray. Take it again, with the whole tray.")
OTHER_WINDOW = say("Another window of this device is the camera now. To use this one, open it again.")
SENDING_S = 5.0
"""Seconds after its last picture in which no other phone may become the camera."""
LATE_S = 0.15
"""Seconds for which a picture waits for the one before it: two are under way at a time, and one overtakes the other."""
GUIDE_S, SETTLED_GUIDE_S = 1.0, 10.0
"""Seconds until a picture is looked at again for what to move, and where there was nothing to move.

They double while nothing changes: each look needs a full picture, whatever stays wrong with the light."""
FIRST_STREAMS = 500_000_000
"""The first stream's number is drawn below it: a page that outlives a restart does not go on by chance."""


@dataclass(frozen=True)
class _Stream:
    """The stream that is open. last: its last picture's number, 0 for none. heard_at: seconds of `time.monotonic`."""

    number: int
    phone: Phone
    heard_at: float
    last: int = 0

    def is_sending(self, now: float) -> bool:
        return now - self.heard_at < SENDING_S


class PhoneCameraService:
    """What takes a phone's pictures, and the switch by which it is on. There is one stream at a time.

    late_s: seconds for which a picture waits for the one before it. is_wanted: returns whether a phone is the camera,
    or waited for. on_picture: called after each picture that is taken in.
    """

    def __init__(  # noqa: PLR0913, PLR0917  # what a phone's pictures touch
        self,
        camera: PhoneCamera,
        loop: CameraSwitch,
        layout: Callable[[], TrayLayout],
        clock: Callable[[], float] = time.monotonic,
        late_s: float = LATE_S,
        is_wanted: Callable[[], bool] = lambda: True,
        on_picture: Callable[[], None] = lambda: None,
    ) -> None:
        self._is_wanted, self._on_picture = is_wanted, on_picture
        self._camera, self._loop, self._layout, self._clock = camera, loop, layout, clock
        self._late_s = late_s
        self._lock = Lock()
        self._changed = Condition(self._lock)  # notified of each picture and each new stream
        self._stream: _Stream | None = None
        self._count = randbelow(FIRST_STREAMS)
        self._guide: TraySight | None = None
        self._guided_at, self._guide_pause_s = float("-inf"), GUIDE_S
        self._held: tuple[Phone, Pixels] | None = None  # the last photograph, whether the tray was found in it or not

    @property
    def is_wanted(self) -> bool:
        """True if a phone is the camera, or waited for."""
        return self._is_wanted()

    @property
    def sender(self) -> Phone | None:
        """Return the phone that has sent a picture in the last seconds, or None."""
        stream = self._stream
        return stream.phone if stream and stream.is_sending(self._clock()) else None

    def begin(self, phone: Phone) -> int:
        """Return the number of a new stream; the phone's earlier one ends. Raises Refused (CONFLICT) for another's."""
        with self._lock:
            self._check_free(phone)
            self._count += 1
            self._stream, self._held = _Stream(self._count, phone, self._clock()), None
            self._guide, self._guided_at, self._guide_pause_s = None, float("-inf"), GUIDE_S
            self._camera.begin()
            self._changed.notify_all()
            return self._count

    def take(self, phone: Phone, picture: SentPicture) -> PictureAnswer:
        """Take in the next picture of a stream.

        Raises Refused: GONE for a stream that is no longer open, NOT_ALLOWED where the phone sends another one, from
        another window; CONFLICT for a picture that comes late or again, INVALID for one that cannot be read.
        """
        self._check_place(phone, picture)
        sent = _decoded(picture)
        with self._changed:
            self._changed.wait_for(lambda: self._is_due(picture), self._late_s)
            stream = self._check_place(phone, picture)
            self._stream = replace(stream, last=picture.number, heard_at=self._clock())
            is_taken, sent_to = self._camera.put(sent), stream.number
            self._changed.notify_all()
        if is_taken:
            self._on_picture()
        if sent.full is not None and self._is_guide_due and not (self._guide and self._loop.needs_detail):
            self._guided_at = self._clock()
            # Not before the answer: on a Raspberry Pi it takes as long as two pictures.
            Thread(target=self._look, args=(sent.full, sent_to), name="phone guide", daemon=True).start()
        return PictureAnswer(not is_taken or self._loop.needs_detail or self._is_guide_due, self._guide)

    def photograph(self, phone: Phone, jpeg: bytes) -> TraySight:
        """Take in a photograph of dice at rest, and return what is found in it.

        Raises Refused: CONFLICT while another phone sends, INVALID for one that cannot be read or lacks the tray.
        """
        self._check_free(phone)
        pixels = _decode(jpeg)
        layout = self._layout()
        with self._lock:
            self._check_free(phone)
            self._stream, self._held = None, (phone, pixels)
        found, doubt = locate(Frame(pixels, 1, 0.0), layout)
        if found is None:
            raise Refused(NO_MARKERS if doubt == NO_TRAY else doubt, Reason.INVALID)
        self._show_photograph(phone, pixels)
        return look_at_tray(PictureMeasurements(pixels, layout))

    @property
    def shown_by(self) -> Phone | None:
        """Return the phone whose pictures the box has: the one that sends, or that took the last photograph."""
        with self._lock:
            if self._stream is not None:
                return self._stream.phone
            return self._held[0] if self._held else None

    @property
    def held_photograph(self) -> Pixels | None:
        """Return the last photograph (BGR); None before one, and since a phone sends a live picture."""
        with self._lock:
            return self._held[1] if self._held and self._stream is None else None

    def look_again(self) -> None:
        """Have the last photograph read, or the next picture looked at: the tray is known in another way now."""
        with self._lock:
            self._guided_at, self._guide_pause_s = float("-inf"), GUIDE_S
            held = self._held if self._stream is None else None
        if held is not None:
            self._show_photograph(*held)

    def _show_photograph(self, phone: Phone, pixels: Pixels) -> None:
        with self._lock:
            self._check_free(phone)
            self._camera.put_photograph(pixels)
        self._on_picture()

    def _check_free(self, phone: Phone) -> None:
        """Raise Refused (CONFLICT) while another phone sends."""
        open_now = self._stream
        if open_now and open_now.phone.number != phone.number and open_now.is_sending(self._clock()):
            raise Refused(
                say("{name} is the camera already. Close the camera's page there first.", name=open_now.phone.name),
                Reason.CONFLICT,
            )

    def _check_place(self, phone: Phone, picture: SentPicture) -> _Stream:
        """Return the stream that a picture continues. Raises Refused (GONE, CONFLICT, NOT_ALLOWED)."""
        stream = self._stream
        if stream is None or stream.number != picture.stream or stream.phone.number != phone.number:
            if stream and stream.phone.number == phone.number and stream.is_sending(self._clock()):
                raise Refused(OTHER_WINDOW, Reason.NOT_ALLOWED)
            raise Refused(say("The camera was restarted since; this picture is left out."), Reason.GONE)
        if picture.number <= stream.last:
            raise Refused(say("A newer picture is here already; this one is left out."), Reason.CONFLICT)
        return stream

    def _is_due(self, picture: SentPicture) -> bool:
        """True unless the picture before this one has not come yet."""
        stream = self._stream
        return stream is None or stream.number != picture.stream or picture.number <= stream.last + 1

    @property
    def _is_guide_due(self) -> bool:
        return self._clock() - self._guided_at >= self._guide_pause_s

    def _look(self, pixels: Pixels, stream: int) -> None:
        """Look for what to move at a full picture; what is found is for the phone that sent it."""
        found = look_at_tray(PictureMeasurements(pixels, self._layout()))
        with self._lock:
            if stream == self._count:
                self._guide_pause_s = _pause_after(found, self._guide, self._guide_pause_s)
                self._guide = found


def _pause_after(found: TraySight, before: TraySight | None, pause_s: float) -> float:
    """Return the seconds until a picture is looked at again."""
    wrong = [(each.name, each.verdict) for each in found.findings]
    if not wrong:
        return SETTLED_GUIDE_S
    is_same = before is not None and wrong == [(each.name, each.verdict) for each in before.findings]
    return min(2 * pause_s, SETTLED_GUIDE_S) if is_same else GUIDE_S


def _decoded(picture: SentPicture) -> PhonePicture:
    """Return the pixels of a picture. Raises Refused (INVALID)."""
    small = _decode(picture.small)
    full = _decode(picture.full) if picture.full else None
    if full is not None and not is_same_shape(small.shape[:2], full.shape[:2]):
        raise Refused(say("The small picture and the full one do not show the same."), Reason.INVALID)
    return PhonePicture(small, full, picture.taken_ms / 1000, picture.is_resting)


def _decode(jpeg: bytes) -> Pixels:
    if jpeg[4:12] in HEIC:
        raise Refused(
            say("This is a HEIC photograph. Set the phone's camera to JPEG, also called most compatible."),
            Reason.INVALID,
        )
    if not jpeg.startswith(b"\xff\xd8\xff"):
        raise Refused(say("This is no JPEG, so that nothing can be seen in it."), Reason.INVALID)
    try:
        return decode_picture(jpeg, SHORTEST_SIDE, MOST_PIXELS)
    except BadPicture as error:
        raise Refused(say("This picture cannot be used: {fault}.", fault=message_of(error)), Reason.INVALID) from None
