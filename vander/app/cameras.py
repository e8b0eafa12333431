"""The cameras that the page offers: found, shown in small live pictures, and changed while the game goes on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes
from threading import Event, Lock, Thread

from hardware.cameras import PHONES, kind_of, open_camera
from hardware.cameras.base import KIND as NETWORK
from hardware.cameras.base import (
    AdjustedCamera,
    Adjustment,
    Camera,
    CameraAddress,
    CameraError,
    CameraReport,
    NoSuchCamera,
    shown_name,
)
from hardware.cameras.phone import PhoneCamera
from hardware.cameras.usb import FoundCamera, found_cameras, identity_of
from hardware.simulator.virtual_tray import VirtualTray
from models.die_sets import NoSuchDieSet
from referee.phrases import as_sentence, in_a_row
from referee.sentences import Reason, Refused, message_of, say
from vander.app.camera_loop import CameraLoop
from vander.resources import models_and_stores
from vander.storage.camera_file import CameraStore, with_camera
from vander.storage.data_folder import RECORDINGS_DIR, Unwritten
from vander.storage.settings import Settings
from vision.frames import Frame, Pixels, downscale
from vision.image_io import encode_jpeg
from vision.observations import TrackedDie
from vision.tray_calibration import TrayLayout
from web.schemas.camera_schemas import CameraKind, CamerasResponse, ListedCamera

# Small live pictures of cameras that are not on. Each is open while somebody looks at it, and for no second longer


log = logging.getLogger(__name__)

EVERY_S = 0.5
"""Seconds between pictures."""
UNSEEN_S = 5.0
"""Seconds without a look after which a camera is closed."""
AGAIN_S = 4.0
"""Seconds until a camera that failed is tried again."""
FRAME_S = 2.0
TAKING_S = 20.0
"""The most seconds to wait for a camera that is just being opened."""
FAILS = say("This camera fails while Vander looks through it. Unplug it and plug it in, or choose another one.")


class _Preview:
    """One camera, read by a thread of its own until nobody looks at it, or until it is taken over."""

    def __init__(self, camera: Camera) -> None:
        self.picture: Pixels | None = None
        self.trouble = ""
        self.failed_at = float("-inf")
        self.is_film = not camera.is_live
        self._camera = camera
        self._seen_at = time.monotonic()
        self._ended = Event()
        self._is_taken = self._is_open = False
        self._thread = Thread(target=self._run, name="camera preview", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """True if the camera is closed; its last picture is kept where it is one of a film."""
        return not self._thread.is_alive()

    def look(self) -> None:
        """Take note that somebody looks."""
        self._seen_at = time.monotonic()

    def end(self, *, is_taken: bool = False) -> Camera | None:
        """End the reading; the camera is closed, or returned if it is open and taken."""
        self._is_taken = is_taken
        self._ended.set()
        self._thread.join(TAKING_S)
        return self._camera if is_taken and self._is_open and self.is_over else None

    def _run(self) -> None:
        try:
            self._camera.open()
            self._is_open = True
            self._read()
        except CameraError as error:
            self._fail(as_sentence(error))
        except Exception as error:  # a camera's driver may raise anything
            log.warning("camera preview: failed: %s", type(error).__name__)
            self._fail(FAILS)
        finally:
            if not (self._is_taken and self._is_open):
                self._is_open = False
                self._camera.close()

    def _read(self) -> None:
        while not self._ended.is_set() and time.monotonic() - self._seen_at < UNSEEN_S:
            frame = self._camera.frame(FRAME_S)
            if frame is not None:
                self.picture = downscale(frame.pixels)
            if self.is_film:  # its first picture is enough
                self._is_open = False
                return
            self._ended.wait(EVERY_S)

    def _fail(self, sentence: str) -> None:
        self._is_open = False
        self.picture, self.trouble, self.failed_at = None, sentence, time.monotonic()


class CameraPreviews:
    """The previews by the names of their cameras; `camera` makes one. Any thread may call any method."""

    def __init__(self, camera: Callable[[str], Camera]) -> None:
        self._camera = camera
        self._lock = Lock()
        self._open: dict[str, _Preview] = {}

    def look(self, name: str) -> tuple[Pixels | None, str]:
        """Return the newest small picture (BGR) of a camera, None before its first, and why there is none."""
        with self._lock:
            preview = self._open.get(name)
            if preview is None or (preview.is_over and self._is_due(preview)):
                preview = self._open[name] = _Preview(self._camera(name))
            preview.look()
            return preview.picture, preview.trouble

    def trouble(self, name: str) -> str:
        """Return why a camera that was looked at gives no picture, '' for no reason."""
        preview = self._open.get(name)
        return preview.trouble if preview is not None else ""

    def take(self, name: str) -> Camera | None:
        """Return the camera if it is open, which is then the caller's; else None, and it is closed."""
        with self._lock:
            preview = self._open.pop(name, None)
        return preview.end(is_taken=True) if preview is not None else None

    def close(self) -> None:
        with self._lock:
            previews, self._open = list(self._open.values()), {}
        for preview in previews:
            preview.end()

    @staticmethod
    def _is_due(preview: _Preview) -> bool:
        """True if a preview that is over is to begin again."""
        if preview.trouble:
            return time.monotonic() - preview.failed_at >= AGAIN_S
        return not preview.is_film


# Cameras by name. The virtual tray and the phone's camera are there once, since dice lie in one and a phone sends


VIRTUAL = "virtual"
USUAL_DICE = "intersection"


class CameraShelf:
    """The cameras of a table, each adjusted as `store` says at that time.

    name: the camera of the start; `virtual:rollers` puts out those dice. dice: the name of those that lie ready.
    Raises NoSuchCamera for dice that the virtual tray does not have.
    """

    def __init__(self, store: CameraStore, name: str, dice: str) -> None:
        self._store = store
        self.phone = PhoneCamera()
        kind, _, place = name.partition(":")
        asked = place if kind == VIRTUAL else ""
        self.tray = _tray_with(asked or (dice if VirtualTray.has(dice) else USUAL_DICE))

    def camera(self, name: str) -> Camera:
        """Return the camera of that name, not yet opened. Raises NoSuchCamera for a name that none can have."""
        return AdjustedCamera(self._plain(name), lambda: self._store.kept.adjustment(name))

    def _plain(self, name: str) -> Camera:
        kind = kind_of(name)
        if kind in PHONES and kind == name:
            return self.phone
        if kind != VIRTUAL:
            return open_camera(name)
        from hardware.cameras.virtual_camera import VirtualCamera  # noqa: PLC0415  it takes the drawing of dice

        return VirtualCamera(self.tray)


def _tray_with(dice: str) -> VirtualTray:
    try:
        return VirtualTray(dice)
    except NoSuchDieSet as error:
        raise NoSuchCamera(
            say("the virtual tray cannot put out {place}: {cause}", place=repr(dice), cause=message_of(error))
        ) from error


# The camera that is on: another one takes its place between two frames, while the game goes on


OPEN_TWICE = frozenset({"virtual", "replay"})
"""The kinds that may be open twice: nobody waits for a loop that still reads what one of them showed."""


LoopMaker = Callable[[Camera, Frame | None, Callable[[CameraReport], None]], CameraLoop]
"""Makes the loop that reads a camera, from a first frame on, and is not started; the last is called as it fails."""


class CameraSwitch:
    """The camera that is on, by its name, and the loop that reads it from `start` to `stop`.

    Any thread may read; changes are made by one thread at a time.
    """

    def __init__(self, name: str, camera: Camera) -> None:
        self.name, self.camera = name, camera
        self._make_loop: LoopMaker | None = None
        self._loop: CameraLoop | None = None
        self._ending: dict[str, CameraLoop] = {}

    @property
    def kind(self) -> str:
        """Return the kind of the camera that is on, such as `usb`."""
        return kind_of(self.name)

    @property
    def pixels(self) -> Pixels | None:
        """Return the last frame's pixels as the loop has them."""
        return self._loop.pixels if self._loop is not None else None

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """Return the dice as the loop has last read them."""
        return self._loop.dice if self._loop is not None else ()

    @property
    def is_over(self) -> bool:
        """True if the camera was a film that is over."""
        return self._loop is not None and self._loop.over

    @property
    def needs_detail(self) -> bool:
        return self._loop is None or self._loop.needs_detail

    def start(self, make_loop: LoopMaker) -> None:
        """Read the camera, which is opened first."""
        self._make_loop = make_loop
        self._loop = make_loop(self.camera, None, lambda _: None)
        self._loop.start()

    def stop(self) -> None:
        """End the loop, which closes the camera."""
        for loop in (self._loop, *self._ending.values()):
            if loop is not None:
                loop.stop()

    def is_closing(self, name: str) -> bool:
        """True while a camera that was on is still being closed, and cannot be opened again."""
        if kind_of(name) in OPEN_TWICE:
            return False
        self._ending = {each: loop for each, loop in self._ending.items() if loop.is_alive}
        return identity_of(name) in self._ending

    def await_closed(self, name: str) -> None:
        """Wait until a camera that was on before is closed, so that it can be opened again."""
        if self.is_closing(name):
            self._ending[identity_of(name)].stop()

    def change(
        self,
        name: str,
        camera: Camera,
        first: Frame | None,
        agree: Callable[[], None],
        on_failure: Callable[[CameraReport], None],
    ) -> None:
        """Go on with another camera, which is open if it gave a `first` frame.

        `agree` is called while nothing of a frame is passed on; if it raises, the camera stays that is on. `on_failure`
        hears each time the new camera had to be closed.
        """
        if self._make_loop is None:
            raise RuntimeError("no camera is read yet")
        before, named_before = self._loop, self.name
        following = self._make_loop(camera, first, on_failure)

        def hand_over() -> None:
            agree()
            self.name, self.camera = name, camera

        if before is None:
            hand_over()
        else:
            before.between_frames(hand_over, is_last=True)
            self._ending[identity_of(named_before)] = before
        self._loop = following
        following.start()

    def between_frames(self, change: Callable[[], None]) -> None:
        """Make a change while nothing of a frame is passed on. Raises what it raises."""
        if self._loop is None:
            change()
        else:
            self._loop.between_frames(change)


# The choice of the camera on the page: those that are found, their live pictures, and the change to one of them


FIRST_FRAME_S = 5.0
"""Seconds for the first frame of a camera that is open."""
TRIAL_S = 10.0
"""Seconds after a change in which a camera that goes gives way to the one before it. Later it is waited for, as a
camera always was: the one before may see another table by then."""
GO_BACK_S = 30.0
PREVIEW_QUALITY = 70
FILMS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v"})
BUSY = say("Somebody else is changing the camera just now. Look at the list again in a moment.")
GONE = say("That camera is not there any more. Choose another one.")
NAMED = say("The command line names the camera. It does so again at the next start, whatever is chosen here.")
BACK = say("The camera before is on again.")


class CameraChooser:
    """The cameras that are found, and the one that is on. One change is made at a time; any thread may ask for one.

    A choice that is refused leaves the camera on that was on. CONFLICT: somebody else chooses just now, or a throw
    waits for an answer. UNAVAILABLE: the camera gives no picture.

    settings: as they are without a choice on the page. named: the camera that the command line names, if any. use:
    takes the name and the layout of another camera into the game. trouble: what the page says of the camera that is on.
    let_phones_in: begins https for phones, or raises Refused. find: looks for what is plugged in.
    """

    def __init__(  # noqa: PLR0913  # what a change of the camera touches
        self,
        settings: Settings,
        switch: CameraSwitch,
        shelf: CameraShelf,
        store: CameraStore,
        *,
        named: str | None = None,
        use: Callable[[str, TrayLayout], None],
        trouble: Callable[[], str] = str,
        let_phones_in: Callable[[], None] = lambda: None,
        find: Callable[[], Sequence[FoundCamera]] = found_cameras,
    ) -> None:
        self._settings, self._switch, self._shelf, self._store = settings, switch, shelf, store
        self._use, self._trouble, self._let_phones_in, self._find = use, trouble, let_phones_in, find
        self._previews = CameraPreviews(shelf.camera)
        self._changing = Lock()
        self._waits_for = ""
        self._told = NAMED if named is not None and store.kept.chosen not in ("", named) else ""
        self._salt = token_bytes(16)

    def close(self) -> None:
        """Close what is open for its picture alone."""
        self._previews.close()

    # What the page shows

    def cameras(self) -> CamerasResponse:
        listed = tuple(self._listed(name, title) for name, title in self._found().items())
        now = self._store.kept.adjustment(self._switch.name)
        return CamerasResponse(listed, self._told, now.mirrored, now.turned, str(self._recordings))

    def picture(self, key: str) -> bytes | None:
        """Return a small JPEG of what a camera sees now, None before its first picture. Raises Refused."""
        name = self._named(key)
        pixels, trouble = None, ""
        if self._is_on(name):
            pixels, trouble = self._switch.pixels, self._trouble()
        elif kind_of(name) not in PHONES and not self._switch.is_closing(name):
            pixels, trouble = self._previews.look(name)
        if pixels is not None:
            return encode_jpeg(downscale(pixels), PREVIEW_QUALITY)
        if trouble:
            raise Refused(trouble, Reason.UNAVAILABLE)
        return None

    @property
    def wants_phone(self) -> bool:
        """True if a phone is the camera, or waited for."""
        return self._switch.kind in PHONES or bool(self._waits_for)

    # What changes the camera

    def choose(self, key: str) -> CamerasResponse:
        """Go on with a camera; a phone is waited for. Raises Refused, also NOT_FOUND for one that is gone."""
        with self._alone():
            self._choose(self._named(key))
        return self.cameras()

    def choose_address(self, address: str) -> CamerasResponse:
        """Go on with a camera in the network. Raises Refused, also INVALID for what is no address."""
        name = _name_of(address)
        with self._alone():
            self._choose(name)
        return self.cameras()

    def adjust(self, mirrored: bool | None, turned: int | None) -> CamerasResponse:
        """Put the pictures of the camera that is on right at their source. Raises Refused."""
        with self._alone():
            name = self._switch.name
            now = self._store.kept.adjustment(name)
            wanted = Adjustment(
                now.mirrored if mirrored is None else mirrored, now.turned if turned is None else turned
            )
            if wanted != now:
                self._switch.between_frames(lambda: self._use(shown_name(name), self._layout(name)))
                self._keep(lambda: self._store.adjust(name, wanted))
        return self.cameras()

    def phone_came(self) -> None:
        """Go on with the phone if it is waited for: it has sent a picture."""
        if not self._waits_for or not self._changing.acquire(blocking=False):
            return
        try:
            if self._waits_for:
                self._go_to(self._waits_for)
                self._waits_for = ""
        except Refused as refused:  # a question is open: the next picture tries again
            self._told = refused.sentence
        finally:
            self._changing.release()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._changing.acquire(blocking=False):
            raise Refused(BUSY, Reason.CONFLICT)
        try:
            self._told = ""
            yield
        finally:
            self._changing.release()

    def _choose(self, name: str) -> None:
        is_phone, is_on = kind_of(name) in PHONES, self._is_on(name)
        if name == "phone":
            self._let_phones_in()
        self._waits_for = name if is_phone and self._switch.kind not in PHONES else ""
        if is_phone and not self._waits_for and not is_on:
            self._switch.between_frames(lambda: self._use(name, self._layout(name)))
            self._switch.name = name
            self._keep(lambda: self._store.choose(name, self._settings.camera))
        elif not is_phone and (not is_on or self._switch.is_over):
            self._go_to(name)

    def _go_to(self, name: str) -> None:
        """Go on with a camera once its first frame is there. Raises Refused, and keeps the camera that is on."""
        before = self._switch.name
        self._switch.await_closed(name)
        camera, first = self._opened(name)
        changed_at = time.monotonic()

        def failed(report: CameraReport) -> None:
            if time.monotonic() - changed_at < TRIAL_S and kind_of(name) not in PHONES and before != name:
                Thread(target=self._go_back, args=(name, before, report), name="camera before", daemon=True).start()

        try:
            self._switch.change(name, camera, first, lambda: self._use(shown_name(name), self._layout(name)), failed)
        except Refused:
            camera.close()
            raise
        self._keep(lambda: self._store.choose(name, self._settings.camera))

    def _go_back(self, name: str, before: str, report: CameraReport) -> None:
        """Go on with the camera before one that went as soon as it was on, and say so."""
        if not self._changing.acquire(timeout=GO_BACK_S):
            return
        try:
            if self._switch.name == name:
                self._go_to(before)
                self._told = in_a_row(report.sentence, BACK)
        except Refused:
            self._told = report.sentence
        finally:
            self._changing.release()

    def _opened(self, name: str) -> tuple[Camera, Frame | None]:
        """Return a camera that is open, with its first frame; a phone is not opened. Raises Refused."""
        try:
            camera = self._previews.take(name)
            is_open = camera is not None
            camera = camera or self._shelf.camera(name)
        except NoSuchCamera as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
        if kind_of(name) in PHONES:
            return camera, None
        try:
            if not is_open:
                camera.open()
            first = camera.frame(FIRST_FRAME_S)
        except Exception as error:  # a camera's driver may raise anything
            camera.close()
            told = as_sentence(error) if isinstance(error, CameraError) else FAILS
            raise Refused(told, Reason.UNAVAILABLE) from error
        if first is None:
            camera.close()
            raise Refused(say("This film has no pictures. Choose another one."), Reason.UNAVAILABLE)
        return camera, first

    def _keep(self, write: Callable[[], None]) -> None:
        """Write down what was chosen; a disk that refuses is said, and changes nothing until the next start."""
        try:
            write()
        except Unwritten as error:
            self._told = as_sentence(error)

    def _layout(self, name: str) -> TrayLayout:
        return models_and_stores.tray_layout(with_camera(self._settings, name))

    # The list

    def _listed(self, name: str, title: str) -> ListedCamera:
        is_on = self._is_on(name)
        return ListedCamera(
            key=self._key(name),
            kind=CameraKind(kind_of(name)),
            title=title,
            is_on=is_on,
            waits=name == self._waits_for,
            has_picture=is_on or kind_of(name) not in PHONES,
            trouble=self._trouble_of(name, is_on=is_on),
        )

    def _trouble_of(self, name: str, *, is_on: bool) -> str:
        """Return why a camera gives no picture; what is wrong in the picture is said where it is set up."""
        if not is_on:
            return self._previews.trouble(name)
        return self._trouble() if self._switch.pixels is None else ""

    def _found(self) -> dict[str, str]:
        """Return the cameras that can be chosen, with their titles; each device once."""
        found = {each.name: each.title for each in self._find()}
        found = {name: _pi_title(title) if kind_of(name) == "picamera" else title for name, title in found.items()}
        on, named = self._switch.name, self._settings.camera
        others = (*self._store.kept.addresses, "phone", "browser", *self._films(), VIRTUAL)
        devices = {identity_of(name): name for name in found}
        for name in (on, named, *others):
            if identity_of(name) not in devices:
                devices[identity_of(name)] = name
                found[name] = _title(name)
        return {name: found[name] for name in sorted(found, key=lambda name: ORDER.index(kind_of(name)))}

    def _films(self) -> list[str]:
        try:
            files = sorted(self._recordings.iterdir())
        except OSError:
            return []
        return [f"replay:{file}" for file in files if file.suffix.lower() in FILMS and file.is_file()]

    @property
    def _recordings(self) -> Path:
        return self._settings.data_dir / RECORDINGS_DIR

    def _is_on(self, name: str) -> bool:
        return identity_of(name) == identity_of(self._switch.name)

    def _key(self, name: str) -> str:
        """Return what names a camera to the page: its name may hold a password."""
        return blake2b(name.encode(), key=self._salt, digest_size=8).hexdigest()

    def _named(self, key: str) -> str:
        name = next((name for name in self._found() if self._key(name) == key), None)
        if name is None:
            raise Refused(GONE, Reason.NOT_FOUND)
        return name


ORDER = ("picamera", "usb", NETWORK, "phone", "browser", "replay", VIRTUAL)
"""The kinds in the order of the page."""


def _title(name: str) -> str:
    """Return what people call a camera that is not plugged in."""
    kind, place = kind_of(name), name.partition(":")[2]
    titles = {
        "phone": say("A phone, or another device"),
        "browser": say("This device's own camera"),
        VIRTUAL: say("The virtual tray"),
        "picamera": say("Pi camera"),
        "usb": say("Webcam {place}", place=place or "0"),
        "replay": Path(place).name,
    }
    return titles.get(kind) or shown_name(name)


def _pi_title(sensor: str) -> str:
    return say("Pi camera ({sensor})", sensor=sensor)


def _name_of(address: str) -> str:
    """Return the name of a camera in the network by what people type. Raises Refused (INVALID)."""
    text = address if "://" in address else f"http://{address}"
    try:
        CameraAddress.parse(text)
    except NoSuchCamera as error:
        raise Refused(as_sentence(error)) from error
    return f"{NETWORK}:{text}"
