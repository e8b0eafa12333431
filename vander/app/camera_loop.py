"""The camera loop: a thread that takes frames from the camera, through the pipeline, to the table.

The loop never ends by an error: what goes wrong is reported to the table, and the camera is opened again after a pause.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import Enum
from threading import Event, Thread
from typing import Protocol

from hardware.cameras.base import WORKING, Camera, CameraError, CameraReport, CameraStatus
from models.dataset import SaveFailed
from referee.dice import DieSet
from referee.phrases import as_sentence
from vander.appliance.log_throttle import LogThrottle
from vision.feed_health import FeedFault
from vision.frames import Frame, Pixels
from vision.image_source import ImageSource
from vision.observations import Observation

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
"""Seconds between attempts to open a camera that is gone: they double, from the first pause to the longest."""
FRAME_TIMEOUT_S = 2.0
"""Seconds without a frame after which the camera counts as lost."""
STOP_TIMEOUT_S = FRAME_TIMEOUT_S + 5
"""Seconds that `CameraLoop.stop` waits for the thread: for a frame, and for what is done with it."""


class FramePipeline(ImageSource, Protocol):
    """What the loop needs of the vision pipeline."""

    @property
    def fault(self) -> FeedFault | None:
        """Return what has been wrong with the frames for a while; None when nothing has."""

    @property
    def is_fresh(self) -> bool:
        """True if the last frame differs from the one before it."""

    @property
    def is_blind(self) -> bool:
        """True if the last frame showed nothing at all: the lens is covered, or it is dark."""

    def process(self, frame: Frame) -> Observation:
        """Take in a frame and return what lies on the table."""

    def mark_lost(self) -> None:
        """Take in that there are no frames."""

    def finish(self) -> Observation:
        """Return what lay on the table when the frames ended."""


class FrameReceiver(Protocol):
    """Who receives what the camera sees: the session, or whoever the tray is lent to."""

    @property
    def dice(self) -> DieSet:
        """Return the dice that should lie in the tray."""

    @property
    def occasion(self) -> object:
        """Return what the tray is used for now; a new occasion gets a new pipeline, which counts dice from one."""

    def observe(self, observation: Observation, images: ImageSource | None = None, occasion: object = None) -> None:
        """Take in an observation of a pipeline that was opened for that occasion; one of another occasion is ignored.

        An occasion of None stands for any. Raises SaveFailed.
        """

    def report_camera(self, report: CameraReport) -> None:
        """Take in what is known of the camera; called after each frame, and whenever there is none."""

    def report_unsaved(self, sentence: str) -> None:
        """Take in why `observe` raised SaveFailed; '' after an observation for which it did not."""


class LoopWatchdog(Protocol):
    """What supervises the loop: systemd's watchdog, where there is one."""

    def beat(self) -> None:
        """Take in that a fresh frame was handled, and that what follows from it is on the page, or held."""

    def lost(self) -> None:
        """Take in that there is no camera, or one that sees nothing; that was reported, and the loop goes on trying."""

    def stuck(self) -> None:
        """Take in that only a new process can open the camera again; that was reported."""


class NoWatchdog:
    """Supervise nothing."""

    def beat(self) -> None:
        """Do nothing."""

    def lost(self) -> None:
        """Do nothing."""

    def stuck(self) -> None:
        """Do nothing."""


# What frames and errors mean: pure functions


class LifeSign(Enum):
    """What the watchdog learns from a frame or an error."""

    NONE = 0
    ALIVE = 1
    LOST = 2
    STUCK = 3


STATUS_OF = {
    FeedFault.DARK: CameraStatus.DARK,
    FeedFault.COVERED: CameraStatus.COVERED,
    FeedFault.FROZEN: CameraStatus.FROZEN,
}


def feed_report(fault: FeedFault | None) -> CameraReport:
    """Return what a fault of the frames means for the camera."""
    return CameraReport(STATUS_OF[fault]) if fault else WORKING


def error_report(error: CameraError) -> CameraReport:
    """Return what an error of the camera means; its message is the advice."""
    return CameraReport(error.status, as_sentence(error))


def failure_report(error: Exception) -> CameraReport:
    """Return the report of an error that nobody expected."""
    return CameraReport(CameraStatus.FAILED, f"Reading the camera failed; Vander tries again: {error}")


def sign_of_frame(is_fresh: bool, is_blind: bool, fault: FeedFault | None) -> LifeSign:
    """Return what a frame tells the watchdog.

    A frame like the one before it is no sign of life, since a driver that hangs may repeat its buffer. A covered sensor
    may repeat the same black as well: it counts as a lost camera, which is no reason to restart the program.
    """
    if is_fresh:
        return LifeSign.ALIVE
    return LifeSign.LOST if is_blind and fault else LifeSign.NONE


def sign_of_report(report: CameraReport) -> LifeSign:
    """Return what the end of the frames tells the watchdog; nothing where the program itself failed."""
    if report.status is CameraStatus.STUCK:
        return LifeSign.STUCK
    return LifeSign.NONE if report.status is CameraStatus.FAILED else LifeSign.LOST


def next_pause_s(pause_s: float) -> float:
    """Return the pause after a pause, in seconds."""
    return min(2 * pause_s, LONGEST_PAUSE_S)


# The thread


class CameraLoop:
    """Read the camera until stopped. `open_pipeline` makes a pipeline for a die set; each occasion gets its own.

    A camera that cannot be opened at the start is a lost one: it is reported, and tried again. What cannot be put on
    disk is tried again with later frames.
    """

    def __init__(
        self,
        camera: Camera,
        receiver: FrameReceiver,
        open_pipeline: Callable[[DieSet], FramePipeline],
        watchdog: LoopWatchdog | None = None,
    ) -> None:
        self._camera = camera
        self._receiver = receiver
        self._open_pipeline = open_pipeline
        self._watchdog = watchdog or NoWatchdog()
        self._occasion: object = None
        self._pipeline: FramePipeline | None = None
        self._frame: Frame | None = None
        self._stopped = Event()
        self._pause_s = FIRST_PAUSE_S
        self._failures = LogThrottle(log, "camera loop: failed, restarting")
        self._thread = Thread(target=self._run, name="camera loop", daemon=True)

    def start(self) -> None:
        """Start the thread, which opens the camera itself."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the camera."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=STOP_TIMEOUT_S)
        self._camera.close()

    @property
    def over(self) -> bool:
        """True if the loop has ended: it was stopped, or a recording is over."""
        return self._stopped.is_set()

    @property
    def pixels(self) -> Pixels | None:
        """Return the pixels of the last frame; None before the first and while the camera is lost."""
        frame = self._frame
        return frame.pixels if frame else None

    def _run(self) -> None:
        is_open = False
        while not self._stopped.is_set():
            try:
                is_open = self._step(is_open)
            except Exception as error:  # even the report of an error failed
                self._failures.error(error)
                is_open = False
                self._wait()

    def _step(self, is_open: bool) -> bool:
        """Handle one frame, opening the camera first where it is closed. Return True if it is open afterwards."""
        try:
            if not is_open:
                self._camera.open()
            self._handle(self._camera.frame(FRAME_TIMEOUT_S))
        except CameraError as error:
            self._close(error_report(error))
            return False
        except SaveFailed as error:
            self._receiver.report_unsaved(as_sentence(error))
            self._wait()
        except Exception as error:
            self._failures.error(error)
            self._close(failure_report(error))
            return False
        return True

    def _handle(self, frame: Frame | None) -> None:
        """Pass on what a frame shows; None is the end of a recording."""
        self._frame = frame
        pipeline = self._current_pipeline()
        if frame is None:
            self._receiver.observe(pipeline.finish(), pipeline, self._occasion)
            self._receiver.report_camera(CameraReport(CameraStatus.ENDED))
            self._stopped.set()
            return
        self._receiver.observe(pipeline.process(frame), pipeline, self._occasion)
        self._receiver.report_camera(feed_report(pipeline.fault))
        self._receiver.report_unsaved("")
        self._pause_s = FIRST_PAUSE_S
        self._signal(sign_of_frame(pipeline.is_fresh, pipeline.is_blind, pipeline.fault))

    def _current_pipeline(self) -> FramePipeline:
        occasion = self._receiver.occasion
        if self._pipeline is None or occasion != self._occasion:
            self._pipeline, self._occasion = self._open_pipeline(self._receiver.dice), occasion
        return self._pipeline

    def _close(self, report: CameraReport) -> None:
        """Report why there are no frames, then close the camera and wait, longer each time."""
        try:
            if self._pipeline is not None:
                self._pipeline.mark_lost()
            self._frame = None
            self._receiver.report_camera(report)
            self._signal(sign_of_report(report))
        finally:
            self._camera.close()
        self._wait()

    def _signal(self, sign: LifeSign) -> None:
        """Tell the watchdog."""
        if sign is LifeSign.ALIVE:
            self._watchdog.beat()
        elif sign is LifeSign.LOST:
            self._watchdog.lost()
        elif sign is LifeSign.STUCK:
            self._watchdog.stuck()

    def _wait(self) -> None:
        """Wait until stopped, but no longer than the pause, which grows."""
        self._stopped.wait(self._pause_s)
        self._pause_s = next_pause_s(self._pause_s)
