"""The watching thread: frames from the camera, through the pipeline, to the table. It never dies silently."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Protocol

from hardware.cameras.base import WORKING, Camera, CameraError, CameraReport, CameraStatus
from models.dataset import Unkept
from referee.dice import DieSet
from vander.appliance.log_throttle import Stumbles
from vander.session.commands import sentence
from vander.session.images import ImageSource
from vander.storage.journal_store import Unwritten
from vision.frames import Frame, Pixels
from vision.motion import FeedFault
from vision.observations import Observation

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
"""A camera that is gone is looked for after pauses that double, from the first to the longest."""
FRAME_TIMEOUT_S = 2.0
"""So long a camera may give no frame before it counts as lost."""


class FramePipeline(ImageSource, Protocol):
    """The pipeline, as far as the watch needs it."""

    @property
    def fault(self) -> FeedFault | None:
        """What has been wrong with the frames for a while; None when nothing has."""

    @property
    def is_fresh(self) -> bool:
        """Whether the last frame was another picture than the one before it."""

    @property
    def is_blind(self) -> bool:
        """Whether the last frame showed nothing at all: the lens is covered, or it is dark."""

    def process(self, frame: Frame) -> Observation:
        """What lies on the table."""

    def mark_lost(self) -> None:
        """Take in that there are no frames."""

    def finish(self) -> Observation:
        """What lay there when the frames ended."""


class Watched(Protocol):
    """What the tray is watched for: the table, or whoever it is lent to."""

    @property
    def dice(self) -> DieSet:
        """The dice that should lie there."""

    @property
    def occasion(self) -> object:
        """What the tray is used for now; with another occasion dice and throws are counted from one again."""

    def observe(self, observation: Observation, sight: ImageSource | None = None, occasion: object = None) -> None:
        """Take in what a pipeline makes of a frame. For another occasion than it was opened for that is worth nothing.

        None: for whatever occasion. Raises Unwritten and Unkept.
        """

    def report_camera(self, report: CameraReport) -> None:
        """Take in what is known of the camera; called after each frame, and whenever there is none."""

    def unkept(self, sentence: str) -> None:
        """Say why what was seen cannot be put on disk, or, with '', that it can."""


class Pulse(Protocol):
    """Who is told that the watching goes on: the system's watchdog, where there is one."""

    def beat(self) -> None:
        """A fresh frame was handled, whatever came of it is on disk and on the page."""

    def lost(self) -> None:
        """There is no camera, or it gives the same black again and again; that was said, and it is looked for."""

    def stuck(self) -> None:
        """There is no camera, and only a program that is started anew can have it again; that was said."""


class Unwatched:
    """Nobody listens to the pulse."""

    def stuck(self) -> None:
        """Nobody hears it."""

    def beat(self) -> None:
        """Nobody hears it."""

    def lost(self) -> None:
        """Nobody hears it."""


STATUS_OF = {
    FeedFault.DARK: CameraStatus.DARK,
    FeedFault.COVERED: CameraStatus.COVERED,
    FeedFault.FROZEN: CameraStatus.FROZEN,
}


def feed_report(fault: FeedFault | None) -> CameraReport:
    """Return what a fault of the frames means for the camera."""
    return CameraReport(STATUS_OF[fault]) if fault else WORKING


class Watch:
    """Watches until it is stopped. `open_pipeline` gives the pipeline for a die set; each occasion needs its own.

    A camera that does not answer at the start is one that is lost: it is said on the page, and looked for. What cannot
    be put on disk is tried again with later frames.
    """

    def __init__(
        self,
        camera: Camera,
        table: Watched,
        open_pipeline: Callable[[DieSet], FramePipeline],
        pulse: Pulse | None = None,
    ) -> None:
        self._pulse = pulse or Unwatched()
        self._camera = camera
        self._table = table
        self._open_pipeline = open_pipeline
        self._occasion: object = None
        self._pipeline: FramePipeline | None = None
        self._frame: Frame | None = None
        self._over = Event()
        self._pause_s = FIRST_PAUSE_S
        self._stumbles = Stumbles(log, "the watching stumbled")
        self._thread = Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin: the camera is opened by the watching itself."""
        self._thread.start()

    def stop(self) -> None:
        """End the watching and close the camera."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=FRAME_TIMEOUT_S + 5)
        self._camera.close()

    @property
    def over(self) -> bool:
        """Whether the watching has ended: it was stopped, or a replay came to its end."""
        return self._over.is_set()

    @property
    def pixels(self) -> Pixels | None:
        """The last picture that came, None before the first and while the camera is lost."""
        frame = self._frame
        return frame.pixels if frame else None

    def _run(self) -> None:
        is_open = False
        while not self._over.is_set():
            try:
                is_open = self._one_step(is_open)
            except Exception as error:  # even what went wrong could not be said
                self._stumbles.tell(error)
                is_open = False
                self._rest()

    def _one_step(self, is_open: bool) -> bool:
        """Look at one frame, opening the camera first where it is closed. Say whether it is open afterwards."""
        try:
            if not is_open:
                self._camera.open()
            self._look_once()
        except CameraError as error:
            tell = self._pulse.stuck if error.status is CameraStatus.STUCK else self._pulse.lost
            self._lose(CameraReport(error.status, sentence(error)), tell)
            return False
        except (Unwritten, Unkept) as error:
            self._table.unkept(sentence(error))
            self._rest()
        except Exception as error:
            self._stumbles.tell(error)
            self._lose(CameraReport(CameraStatus.FAILED, f"Reading the camera failed; it is tried again: {error}"))
            return False
        return True

    def _look_once(self) -> None:
        self._frame = frame = self._camera.frame(FRAME_TIMEOUT_S)
        pipeline = self._current_pipeline()
        if frame is None:
            self._table.observe(pipeline.finish(), pipeline, self._occasion)
            self._table.report_camera(CameraReport(CameraStatus.ENDED))
            self._over.set()
            return
        self._table.observe(pipeline.process(frame), pipeline, self._occasion)
        self._table.report_camera(feed_report(pipeline.fault))
        self._table.unkept("")
        self._pause_s = FIRST_PAUSE_S
        if pipeline.is_fresh:
            self._pulse.beat()
        elif pipeline.is_blind and pipeline.fault:  # a covered sensor may well give the same black again and again
            self._pulse.lost()

    def _current_pipeline(self) -> FramePipeline:
        occasion = self._table.occasion
        if self._pipeline is None or occasion != self._occasion:
            self._pipeline, self._occasion = self._open_pipeline(self._table.dice), occasion
        return self._pipeline

    def _lose(self, report: CameraReport, tell: Callable[[], None] = lambda: None) -> None:
        """Say it, close the camera, and wait a little longer each time; `tell` is called when it was said."""
        try:
            if self._pipeline is not None:
                self._pipeline.mark_lost()
            self._frame = None
            self._table.report_camera(report)
            tell()
        finally:
            self._camera.close()
        self._rest()

    def _rest(self) -> None:
        """Wait, and longer the next time."""
        self._over.wait(self._pause_s)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
