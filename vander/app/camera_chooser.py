"""The choice of the camera on the page: those that are found, their live pictures, and the change to one of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes
from threading import Lock, Thread

from hardware.cameras import PHONES, kind_of
from hardware.cameras.adjusted_camera import Adjustment
from hardware.cameras.base import Camera, CameraError, CameraReport, NoSuchCamera
from hardware.cameras.camera_address import KIND as NETWORK
from hardware.cameras.camera_address import CameraAddress, shown_name
from hardware.cameras.found_cameras import FoundCamera, found_cameras, identity_of
from referee.phrases import as_sentence, in_a_row
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.app.camera_previews import FAILS, CameraPreviews
from vander.app.camera_shelf import VIRTUAL, CameraShelf
from vander.app.camera_switch import CameraSwitch
from vander.resources import vision_models
from vander.storage.camera_file import CameraStore, with_camera
from vander.storage.data_folder_names import RECORDINGS_DIR
from vander.storage.settings import Settings
from vander.storage.storage_errors import Unwritten
from vision.frames import Frame, downscale
from vision.image_io import encode_jpeg
from vision.tray_calibration import TrayLayout
from web.schemas.camera_schemas import CameraKind, CamerasResponse, ListedCamera

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
    """The `CameraBackend` over the switch. One change is made at a time; any thread may ask for one.

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
        """Return the cameras that can be chosen now."""
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
        """Go on with a camera; a phone is waited for. Raises Refused."""
        with self._alone():
            self._choose(self._named(key))
        return self.cameras()

    def choose_address(self, address: str) -> CamerasResponse:
        """Go on with a camera in the network. Raises Refused."""
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
        return vision_models.tray_layout(with_camera(self._settings, name))

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
