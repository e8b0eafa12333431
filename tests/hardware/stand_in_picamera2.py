"""A stand-in for picamera2, with as much of its surface as our camera uses and its ways of going wrong."""

from __future__ import annotations

import atexit
import os
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import cv2
import numpy as np

from hardware.cameras.pi_camera import PiCamera
from vision.frames import Pixels

OFFERED = frozenset(
    {
        "FrameDurationLimits",
        "AeEnable",
        "AwbEnable",
        "ExposureTime",
        "AnalogueGain",
        "ColourGains",
        "AfMode",
        "AeFlickerMode",
    }
)
CODES = {
    "BGR888": cv2.COLOR_BGR2RGB,
    "XRGB8888": cv2.COLOR_BGR2BGRA,
    "XBGR8888": cv2.COLOR_BGR2RGBA,
    "YUV420": cv2.COLOR_BGR2YUV_I420,
    "NV12": cv2.COLOR_BGR2YUV_I420,
    "YVU420": cv2.COLOR_BGR2YUV_YV12,
}


def packed(picture: Pixels, layout: str, padding: int = 0) -> tuple[Pixels, int]:
    """The picture as a camera's flat buffer, and its stride: `padding` bytes more than its rows are long."""
    rows = cv2.cvtColor(picture, CODES[layout]) if layout in CODES else picture
    if layout == "MJPEG":
        return np.asarray(cv2.imencode(".jpg", picture)[1], np.uint8).reshape(-1), 0
    if layout in ("YUV420", "YVU420", "NV12"):
        return _planes(np.asarray(rows, np.uint8), picture.shape[1], layout == "NV12", padding)
    flat = np.asarray(rows, np.uint8).reshape(len(picture), -1)
    return _padded(flat, padding), flat.shape[1] + padding


def _planes(yuv: Pixels, width: int, woven: bool, padding: int) -> tuple[Pixels, int]:
    height = len(yuv) * 2 // 3
    first, second = yuv[height:].reshape(2, height // 2, width // 2)
    if woven:
        colours = [_padded(np.dstack([first, second]).reshape(height // 2, width), padding)]
    else:
        colours = [_padded(plane, padding // 2) for plane in (first, second)]
    return np.concatenate([_padded(yuv[:height], padding), *colours]), width + padding


def _padded(rows: Pixels, padding: int) -> Pixels:
    return np.pad(rows, ((0, 0), (0, padding)), constant_values=199).reshape(-1)


@dataclass
class Module:
    """What is on the ribbon cable; a test changes it while it runs.

    stalls: no frame comes. hangs: calls that do not come back until they are let go. faults: what calls raise.
    """

    picture: Pixels
    cameras: int = 1
    busy: bool = False
    sensor: tuple[int, int] = (3280, 2464)
    layouts: tuple[str, str] = ("RGB888", "YUV420")
    padding: int = 0
    two_streams: bool = True
    offered: frozenset[str] = OFFERED
    stalls: bool = False
    late: bool = False
    hangs: frozenset[str] = frozenset()
    let_go: Event = field(default_factory=Event)
    faults: dict[str, Exception] = field(default_factory=dict)
    clock_off_s: float = 0.0
    held: int = 0
    made: list[StandIn] = field(default_factory=list)

    @property
    def picamera2(self) -> type[StandIn]:
        """The class Picamera2, for this cable."""
        return type("Picamera2", (StandIn,), {"module": self})

    def pass_by(self, call: str) -> None:
        """Hang or fail there if it is to be."""
        if call in self.hangs:
            self.let_go.wait()
        if call in self.faults:
            raise self.faults[call]


class StandIn:
    """One opened camera, or one that did not open, which leaves its pipe behind."""

    module: Module

    def __init__(self, number: int) -> None:
        module = self.module
        reads, self.notifyme_w = os.pipe()
        self.notifymeread = os.fdopen(reads, "rb")
        module.pass_by("open")
        if module.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.") from RuntimeError(
                "Failed to acquire camera: Device or resource busy"
            )
        module.made.append(self)
        self.number = number
        self.closed = False
        self.asked: dict[str, Any] = {}
        self.set: dict[str, object] = {}
        self._configuration: dict[str, Any] = {}
        self._jobs: list[Future[Request]] = []
        self.camera_controls = dict.fromkeys(module.offered, (0, 1, 0))
        self.sensor_resolution = module.sensor
        atexit.register(self.close)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, object]]:
        return [{"Num": number} for number in range(cls.module.cameras)]

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, wanted: dict[str, Any]) -> None:
        self.module.pass_by("configure")
        if wanted["lores"] and not self.module.two_streams:
            raise AttributeError("'NoneType' object has no attribute 'at'")
        self.asked = wanted
        self.set_controls(wanted["controls"])
        streams = zip(("main", "lores"), self.module.layouts, strict=True)
        self._configuration = {name: self._adjusted(wanted[name], layout) for name, layout in streams}

    def _adjusted(self, wanted: dict[str, Any] | None, layout: str) -> dict[str, Any] | None:
        if wanted is None:
            return None
        stride = packed(self._picture(wanted["size"]), layout, self.module.padding)[1]
        return {"size": wanted["size"], "format": layout, "stride": stride}

    def camera_configuration(self) -> dict[str, Any]:
        return self._configuration

    def start(self) -> None:
        self.module.pass_by("start")

    def set_controls(self, wanted: dict[str, object]) -> None:
        for name in wanted:
            if name not in self.module.offered:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.set.update(wanted)

    def capture_request(self, wait: bool) -> Future[Request]:
        assert not wait, "a capture that waits may wait for ever"
        self.module.pass_by("capture")
        job: Future[Request] = Future()
        if self.module.stalls:
            self._jobs.append(job)
        else:
            job.set_result(Request(self))
        return job

    def wait(self, job: Future[Request], timeout: float) -> Request:
        return job.result(timeout)

    def cancel_all_and_flush(self) -> None:
        for job in self._jobs:
            if self.module.late:
                job.set_result(Request(self))
            else:
                job.set_exception(RuntimeError("cancelled"))
        self._jobs = []

    def close(self) -> None:
        atexit.unregister(self.close)
        self.module.pass_by("close")
        self.notifymeread.close()
        os.close(self.notifyme_w)
        self.closed = True

    def _picture(self, size: tuple[int, int]) -> Pixels:
        return np.asarray(cv2.resize(self.module.picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    def buffer(self, name: str) -> Pixels:
        stream = self._configuration[name]
        return packed(self._picture(stream["size"]), stream["format"], self.module.padding)[0]

    def told(self) -> dict[str, object]:
        now = time.monotonic() + self.module.clock_off_s
        values: dict[str, object] = {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9)}
        told = {name: self.set.get(name) or value for name, value in values.items() if name in self.module.offered}
        return {"SensorTimestamp": round(now * 1e9), **told}


class Request:
    """A frame in both streams; the camera has one buffer less until it is released."""

    def __init__(self, device: StandIn) -> None:
        self._device = device
        device.module.held += 1

    def get_metadata(self) -> dict[str, object]:
        self._device.module.pass_by("told")
        return self._device.told()

    def make_buffer(self, name: str) -> Pixels:
        return self._device.buffer(name)

    def release(self) -> None:
        self._device.module.held -= 1


def camera_that_hangs(call: str) -> PiCamera:
    """Our camera over a stand-in that hangs in that call from the second frame on; for a process of its own."""
    module = Module(np.zeros((480, 640, 3), np.uint8))
    camera = PiCamera(0, (640, 480), load=lambda: module.picamera2)
    take = camera.frame

    def frame(timeout: float = 1.0) -> Any:
        taken = take(timeout)
        module.hangs = frozenset({call})
        return taken

    camera.frame = frame  # type: ignore[method-assign]
    return camera
