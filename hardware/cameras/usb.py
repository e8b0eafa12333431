"""`usb:0`: a webcam through OpenCV, read by a thread of its own; and the cameras that are plugged in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.base import Camera, CameraLost, NoSuchCamera, StreamReader, address_of
from referee.sentences import say
from vision.frames import Frame, Pixels

SIZE = (1280, 960)
"""Width and height of the frames, in pixels."""
RATE = 15.0
"""Frames a second."""
OPENING_SECONDS = 10.0
"""Seconds to wait for the first frame."""
FALSE_READS = 10
"""Failed reads in a row after which a webcam counts as lost; a single one is an everyday hiccup of the bus."""


def camera(place: str) -> UsbCamera:
    """Return the webcam of that number or device path, by default the first. Raises NoSuchCamera for an address."""
    if "://" in place:
        raise NoSuchCamera(say("a camera in the network is named url:ADDRESS, without usb"))
    return UsbCamera(place or "0")


class UsbCamera(Camera):
    """A webcam by its number (`0`) or its device path."""

    def __init__(self, place: str, size: tuple[int, int] = SIZE, rate: float = RATE) -> None:
        self.name = f"usb:{place}"
        self._place = place
        self._size = size
        self._rate = rate
        self._reader: _WebcamReader | None = None
        self._number = 0

    def open(self) -> None:
        """Start reading. Raises NoSuchCamera when the first frame does not come within ten seconds."""
        self.close()
        reader = _WebcamReader(self._place, self._size, self._rate)
        reader.start()
        if not reader.wait(0, OPENING_SECONDS):
            reader.stop()
            raise NoSuchCamera(
                say(
                    "no webcam answers at {name}; plug it in, close other programs that use it, or try another number",
                    name=self.name,
                )
            )
        self._reader = reader

    def frame(self, timeout: float = 1.0) -> Frame:
        """Return the newest frame not returned before. Raises CameraLost after `timeout` seconds without one."""
        if self._reader is None:
            raise CameraLost(say("{name} is not open; open it first", name=self.name))
        newest = self._reader.wait(self._number, timeout)
        if newest is None:
            raise CameraLost(
                say("{name} gave no frame for {seconds} s; check its cable", name=self.name, seconds=f"{timeout:g}")
            )
        self._number = newest.number
        return Frame(newest.contents, newest.number, newest.taken_at)

    def close(self) -> None:
        """Stop; harmless when not open. A driver that hangs is abandoned together with its thread."""
        if self._reader is not None:
            self._reader.stop()
            self._reader.join(1.0)
        self._reader, self._number = None, 0


class _WebcamReader(StreamReader[Pixels]):
    """Open the device and keep its newest frame, until stopped or until the device gives no more."""

    def __init__(self, place: str, size: tuple[int, int], rate: float) -> None:
        super().__init__(f"webcam {place}")
        self._place = place
        self._size = size
        self._rate = rate

    def read_all(self) -> None:
        device = cv2.VideoCapture(int(self._place) if self._place.isdigit() else self._place)
        try:
            self._set_up(device)
            self._read_all(device)
        finally:
            device.release()

    def _set_up(self, device: cv2.VideoCapture) -> None:
        # Motion JPEG, since raw frames of this size exceed USB 2 at a useful rate. A device may refuse any of these.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        device.set(cv2.CAP_PROP_FPS, self._rate)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def _read_all(self, device: cv2.VideoCapture) -> None:
        false_reads = 0
        while device.isOpened() and not self.is_stopped and false_reads < FALSE_READS:
            good, pixels = device.read()
            false_reads = 0 if good else false_reads + 1
            if good:
                self.keep(np.asarray(pixels, np.uint8))


# The cameras that are plugged into this machine, by what Linux says of them: none is opened for that
#
# A webcam is a video device behind USB, or one that a program makes (v4l2loopback); of the several devices of a
# webcam the first gives pictures. A Raspberry Pi camera is known by its sensor: a Pi has the video devices without one.


VIDEO = "sys/class/video4linux"
BY_ID = "dev/v4l/by-id"
PLUGGED = ("/usb", "/virtual/")
"""Parts of the path of a device that is plugged in, or made by a program; those of a Pi itself have neither."""
SENSOR = re.compile(r"(imx|ov|arducam|s5k|gc)[0-9a-z]*", re.IGNORECASE)
"""How the names of camera sensors begin, such as `imx708_wide`; a lens's motor has a device with another name."""

NUMBER = re.compile(r"[0-9]+$")


@dataclass(frozen=True)
class FoundCamera:
    """A camera that is plugged in: its name as `open_camera` takes it, and what its maker calls it."""

    name: str
    title: str


def found_cameras(root: Path = Path("/")) -> tuple[FoundCamera, ...]:
    """Return the cameras that are plugged in now, those of a Pi first; `root` is where the machine's files begin."""
    return (*_pi_cameras(root), *_webcams(root))


def identity_of(name: str) -> str:
    """Return the same text for two names of one camera: `usb:0` and the path of its device are one."""
    kind, _, place = name.partition(":")
    if kind == "usb":
        return f"/dev/video{place or 0}" if not place or place.isdigit() else str(Path(place).resolve())
    return address_of(name) or (kind if kind == "virtual" else name)


def _pi_cameras(root: Path) -> Iterator[FoundCamera]:
    sensors = [name for path in _numbered(root, "v4l-subdev*") if SENSOR.match(name := _text(path / "name"))]
    for number, sensor in enumerate(sensors):
        yield FoundCamera(f"picamera:{number}", sensor.split()[0])


def _webcams(root: Path) -> Iterator[FoundCamera]:
    lasting = {path.resolve().name: path for path in sorted((root / BY_ID).glob("*"))}
    for path in _numbered(root, "video*"):
        is_plugged = any(part in str(path.resolve()) for part in PLUGGED)
        if not is_plugged or _text(path / "index") not in ("0", ""):
            continue
        # A number is given in the order of plugging in: after a restart it may be another webcam's.
        place = f"/{BY_ID}/{lasting[path.name].name}" if path.name in lasting else path.name.removeprefix("video")
        yield FoundCamera(f"usb:{place}", _text(path / "name") or path.name)


def _numbered(root: Path, pattern: str) -> list[Path]:
    numbers = {path: int(found[0]) for path in (root / VIDEO).glob(pattern) if (found := NUMBER.search(path.name))}
    return sorted(numbers, key=lambda path: numbers[path])


def _text(path: Path) -> str:
    """Return what a file of the kernel says; '' where it cannot be read."""
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
