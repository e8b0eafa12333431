"""`usb:0`: a webcam through OpenCV, read by a thread of its own so that a hung driver cannot hang the table."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np

from hardware.cameras.base import Camera, CameraLost, NoSuchCamera
from vision.frames import Frame, Pixels

SIZE = (1280, 960)
RATE = 15.0
OPENING_SECONDS = 10.0
FALSE_READS = 10
"""Failed reads in a row after which a webcam counts as lost; a single one is an everyday hiccup of the bus."""


def camera(place: str) -> UsbCamera:
    """The webcam of that number or device path, the first one when `place` is empty."""
    return UsbCamera(place or "0")


class UsbCamera(Camera):
    """A webcam by its number (`0`) or by anything else that OpenCV opens: a device path, a stream's address."""

    def __init__(self, place: str, size: tuple[int, int] = SIZE, rate: float = RATE) -> None:
        self.name = f"usb:{place}"
        self._place = place
        self._size = size
        self._rate = rate
        self._reader: _Reader | None = None
        self._number = 0

    def open(self) -> None:
        """Start reading. Raises NoSuchCamera when the first frame does not come within ten seconds."""
        self.close()
        reader = _Reader(self._place, self._size, self._rate)
        reader.start()
        if not reader.wait(0, OPENING_SECONDS):
            reader.stop()
            raise NoSuchCamera(
                f"no webcam answers at {self.name}; plug it in, close other programs that use it, or try another number"
            )
        self._reader = reader

    def frame(self, timeout: float = 1.0) -> Frame:
        """The newest frame not given before. Raises CameraLost after `timeout` seconds without one."""
        if self._reader is None:
            raise CameraLost(f"{self.name} is not open; open it first")
        newest = self._reader.wait(self._number, timeout)
        if newest is None:
            raise CameraLost(f"{self.name} gave no frame for {timeout:g} s; look to its cable")
        self._number = newest.number
        return newest

    def close(self) -> None:
        """Stop; harmless when not open. A hung driver is left behind with its thread."""
        if self._reader is not None:
            self._reader.stop()
            self._reader.join(1.0)
        self._reader, self._number = None, 0


class _Reader(threading.Thread):
    """Opens the device and keeps its newest frame; ends when stopped or when the device gives no more."""

    def __init__(self, place: str, size: tuple[int, int], rate: float) -> None:
        super().__init__(name=f"webcam {place}", daemon=True)
        self._place = place
        self._size = size
        self._rate = rate
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._ended = False

    def run(self) -> None:
        device = cv2.VideoCapture(int(self._place) if self._place.isdigit() else self._place)
        try:
            self._set_up(device)
            self._read_all(device)
        finally:
            device.release()
            self.stop()

    def wait(self, number: int, timeout: float) -> Frame | None:
        """The newest frame once it is newer than `number`; None when it does not come in time or never will."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self._is_newer(number), timeout)
            return self._newest if self._is_newer(number) else None

    def stop(self) -> None:
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _is_newer(self, number: int) -> bool:
        return self._newest is not None and self._newest.number > number

    def _set_up(self, device: cv2.VideoCapture) -> None:
        # Motion JPEG, because raw frames of this size exceed USB 2 at a useful rate; a device may refuse any of these.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        device.set(cv2.CAP_PROP_FPS, self._rate)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def _read_all(self, device: cv2.VideoCapture) -> None:
        false_reads = 0
        while device.isOpened() and not self._ended and false_reads < FALSE_READS:
            good, pixels = device.read()
            false_reads = 0 if good else false_reads + 1
            if good:
                self._keep(np.asarray(pixels, np.uint8))

    def _keep(self, pixels: Pixels) -> None:
        with self._news:
            number = self._newest.number + 1 if self._newest else 1
            self._newest = Frame(pixels, number, time.monotonic())
            self._news.notify_all()
