"""The camera loop: a thread that takes frames from the camera, through the pipeline, to the table or to who learns."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Protocol

from hardware.cameras.base import WORKING, Camera, CameraError, CameraReport, CameraStatus
from models.dataset import SaveFailed
from referee.dice import DieSet
from referee.phrases import as_sentence
from referee.sentences import message_of, say
from vander.app.film_recorder import FilmRecorder
from vander.box.health_monitor import LogThrottle, SystemdWatchdog
from vander.learning.learning_service import LearningService
from vander.table.session import Session
from vision.feed_health import FeedFault
from vision.frame_reader import ImageSource
from vision.frames import Frame, Pixels
from vision.observations import Observation, TrackedDie
from vision.pipeline import Pipeline

# The camera loop: a thread that takes frames from the camera, through the pipeline, to the table
#
# The loop never ends by an error: what goes wrong is reported to the table, and the camera is opened again after a
# pause.


log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
"""Seconds between attempts to open a camera that is gone: they double, from the first pause to the longest."""
MANY_RESTARTS = 6
"""Restarts of a frozen camera after which another one will hardly help; the first six take some 40 seconds."""
RARE_PAUSE_S = 30.0
"""The longest pause after many restarts: each takes a second of processor time on a Raspberry Pi."""
PROOF_S = 1.0
"""Seconds of good frames after which a camera that failed is believed again."""
UNSAVED_PAUSE_S = 1.0
"""Seconds until what could not be put on disk is tried again."""
BEAT_S = 5.0
"""Seconds between watchdog beats during a pause."""
FRAME_TIMEOUT_S = 2.0
"""Seconds without a frame after which the camera counts as lost."""
STOP_TIMEOUT_S = FRAME_TIMEOUT_S + 8
"""Seconds that `CameraLoop.stop` waits for the thread: for a frame, what is done with it, and the camera's end."""
STAYS_FROZEN = say("The picture stays frozen: unplug a USB camera and plug it in, or restart the box.")

ENDED_IN_THROW = say("The recording ends while dice move: what they show is not ruled on.")


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
        """Take in why `observe` raised SaveFailed."""


# What frames and errors mean: pure functions


STATUS_OF = {
    FeedFault.DARK: CameraStatus.DARK,
    FeedFault.COVERED: CameraStatus.COVERED,
    FeedFault.FROZEN: CameraStatus.FROZEN,
}


def feed_report(fault: FeedFault | None) -> CameraReport:
    """Return what a fault of the frames means for the camera."""
    return CameraReport(STATUS_OF[fault]) if fault else WORKING


def ended_report(last: Observation) -> CameraReport:
    """Return the report of a recording that is over, after its last observation."""
    return CameraReport(CameraStatus.ENDED, "" if last.at_rest or last.hands_in else ENDED_IN_THROW)


def error_report(error: CameraError) -> CameraReport:
    """Return what an error of the camera means; its message is the advice."""
    return CameraReport(error.status, as_sentence(error))


def failure_report(error: Exception) -> CameraReport:
    return CameraReport(
        CameraStatus.FAILED, say("Reading the camera failed; Vander tries again: {error}", error=message_of(error))
    )


@dataclass(frozen=True)
class CameraRecovery:
    """A camera that failed, until it has given good frames for PROOF_S.

    Until then it is shown as it failed: a camera that freezes or hangs after each opening would else be working for a
    moment again and again, and take the game from people who give their dice by hand.

    trouble: what is shown. failures: how often it was closed since it last worked, 0 for a camera that works.
    good_since: when its good frames began, in seconds of `time.monotonic`; None while there are none.
    """

    trouble: CameraReport = WORKING
    failures: int = 0
    good_since: float | None = None

    @property
    def is_over(self) -> bool:
        """True if the camera is believed."""
        return self.failures == 0

    @property
    def pause_s(self) -> float:
        """Return the seconds to wait before the camera is opened again: they double up to the longest."""
        longest = RARE_PAUSE_S if self._is_in_vain else LONGEST_PAUSE_S
        return float(min(FIRST_PAUSE_S * 2 ** max(self.failures - 1, 0), longest))

    @property
    def _is_in_vain(self) -> bool:
        """True if a restart of the camera was tried often enough to know that it does not help."""
        return self.failures > MANY_RESTARTS and self.trouble.status in (CameraStatus.FROZEN, CameraStatus.STUCK)

    def failed(self, report: CameraReport) -> CameraRecovery:
        """Return what it is after another failure."""
        after = CameraRecovery(report, self.failures + 1)
        if after._is_in_vain and report.status is CameraStatus.FROZEN:
            return replace(after, trouble=replace(report, advice=STAYS_FROZEN))
        return after

    def saw(self, is_good: bool, taken_at: float) -> CameraRecovery:
        """Return what it is after a frame of that moment."""
        if self.is_over or not is_good:
            return replace(self, good_since=None)
        # Frames whose clock was set back would else not be believed until the clock has caught up.
        since = taken_at if self.good_since is None else min(self.good_since, taken_at)
        return CameraRecovery() if taken_at - since >= PROOF_S else replace(self, good_since=since)


# The thread


class CameraLoop:
    """Read the camera until stopped. `open_pipeline` makes a pipeline for a die set; each occasion gets its own.

    A camera that cannot be opened at the start is a lost one: it is reported, and tried again. What cannot be put on
    disk is tried again with later frames. `first` is the first frame of a camera that is open already; `on_failure`
    hears why the camera was closed.
    """

    def __init__(  # noqa: PLR0913, PLR0917  # the camera, and whom it serves
        self,
        camera: Camera,
        receiver: FrameReceiver,
        open_pipeline: Callable[[DieSet], Pipeline],
        watchdog: SystemdWatchdog | None = None,
        first: Frame | None = None,
        on_failure: Callable[[CameraReport], None] = lambda _: None,
    ) -> None:
        self._camera, self._first, self._on_failure = camera, first, on_failure
        self._receiver = receiver
        self._open_pipeline = open_pipeline
        self._watchdog = watchdog or SystemdWatchdog()
        self._occasion: object = None
        self._pipeline: Pipeline | None = None
        self._frame: Frame | None = None
        self._dice: tuple[TrackedDie, ...] = ()
        self._stopped = Event()
        self._between_frames = Lock()
        self._recovery = CameraRecovery()
        self._failures = LogThrottle(log, "camera loop: failed, restarting")
        self._thread = Thread(target=self._run, name="camera loop", daemon=True)

    def start(self) -> None:
        """Start the thread, which opens the camera itself."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, which closes the camera."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=STOP_TIMEOUT_S)

    def between_frames(self, change: Callable[[], None], *, is_last: bool = False) -> None:
        """Make a change while nothing of a frame is passed on. Raises what the change raises.

        is_last: nothing of this camera is handled or reported after it. The thread closes the camera and ends as soon
        as the camera lets it.
        """
        with self._between_frames:
            change()
            if is_last:
                self._stopped.set()

    @property
    def is_alive(self) -> bool:
        """True while the thread runs: it has not closed the camera yet."""
        return self._thread.is_alive()

    @property
    def over(self) -> bool:
        """True if the loop has ended: it was stopped, or a recording is over."""
        return self._stopped.is_set()

    @property
    def pixels(self) -> Pixels | None:
        """Return the pixels of the last frame with all its detail; None before one and while the camera is lost."""
        frame = self._frame
        return frame.pixels if frame else None

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """Return the dice as last read in the camera's picture."""
        return self._dice

    @property
    def needs_detail(self) -> bool:
        """True until the table was read as it lies now, and while nothing is read at all."""
        pipeline = self._pipeline
        return pipeline is None or pipeline.needs_detail

    def _run(self) -> None:
        is_open = self._first is not None
        while not self._stopped.is_set():
            try:
                is_open = self._step(is_open)
            except Exception as error:  # even the report of an error failed
                self._failures.error(error)
                is_open = False
                self._stopped.wait(self._recovery.pause_s)
        self._camera.close()

    def _step(self, is_open: bool) -> bool:
        """Handle one frame, opening the camera first where it is closed. Return True if it is open afterwards."""
        try:
            if not is_open:
                self._camera.open()
            frame, self._first = self._first or self._camera.frame(FRAME_TIMEOUT_S), None
            fault = self._handle(frame)
        except CameraError as error:
            self._close(error_report(error))
            return False
        except SaveFailed as error:
            with self._between_frames:
                if not self.over:
                    self._receiver.report_unsaved(as_sentence(error))
            self._wait(UNSAVED_PAUSE_S)
            return True
        except Exception as error:
            self._failures.error(error)
            self._close(failure_report(error))
            return False
        if fault is FeedFault.FROZEN:
            self._close(feed_report(fault))
        return fault is not FeedFault.FROZEN

    def _handle(self, frame: Frame | None) -> FeedFault | None:
        """Pass on what a frame shows, and return what is wrong with the frames; None is the end of a recording."""
        if frame is None or frame.is_detailed:
            self._frame = frame
        pipeline, occasion = self._current_pipeline()
        observation = pipeline.finish() if frame is None else pipeline.process(frame)
        with self._between_frames:
            return None if self.over else self._pass_on(frame, observation, pipeline, occasion)

    def _pass_on(
        self, frame: Frame | None, observation: Observation, pipeline: Pipeline, occasion: object
    ) -> FeedFault | None:
        """Pass on what a pipeline made of a frame, unless another camera is on by now."""
        if frame is None:
            self._receiver.observe(observation, pipeline, occasion)
            self._receiver.report_camera(ended_report(observation))
            self._stopped.set()
            return None
        self._dice = observation.dice
        # A covered sensor may repeat the same black.
        self._recovery = self._recovery.saw(pipeline.is_fresh or pipeline.is_blind, frame.taken_at)
        if self._recovery.is_over and pipeline.fault is not FeedFault.FROZEN:
            self._receiver.observe(observation, pipeline, occasion)
        self._report(feed_report(pipeline.fault))
        return pipeline.fault

    def _current_pipeline(self) -> tuple[Pipeline, object]:
        """Return the pipeline of the present occasion, and the occasion."""
        occasion = self._receiver.occasion
        if self._pipeline is None or occasion != self._occasion:
            self._pipeline, self._occasion = self._open_pipeline(self._receiver.dice), occasion
        return self._pipeline, occasion

    def _close(self, report: CameraReport) -> None:
        """Report why there are no frames, then close the camera and wait, longer each time."""
        self._recovery = self._recovery.failed(report)
        try:
            with self._between_frames:
                if self.over:
                    return
                if self._pipeline is not None:
                    self._pipeline.mark_lost()
                self._frame = None
                self._report(report)
            self._on_failure(report)
        finally:
            self._camera.close()
        self._wait(min(self._recovery.pause_s, self._camera.longest_pause_s))

    def _report(self, report: CameraReport) -> None:
        """Tell the page and the watchdog what is known of the camera: what it failed by, until it is believed again."""
        known = report if self._recovery.is_over else self._recovery.trouble
        self._receiver.report_camera(known)
        self._beat(known)

    def _beat(self, report: CameraReport) -> None:
        """Tell the watchdog that the loop turns; nothing while the program itself fails, which a restart may mend."""
        if report.status is not CameraStatus.FAILED:
            self._watchdog.beat(report.sentence)

    def _wait(self, pause_s: float) -> None:
        """Wait until stopped, but no longer than the pause; the watchdog is told meanwhile."""
        until = time.monotonic() + pause_s
        while (left_s := until - time.monotonic()) > 0 and not self._stopped.wait(min(left_s, BEAT_S)):
            self._beat(self._recovery.trouble)


# Which receives what the camera sees: the session, or the learning service while dice are shown to it


class FrameRouter:
    """Pass what the camera loop reports to the learning service while it captures dice, and else to the session.

    A capture that nobody uses any more is ended. The pictures of play go to the `films` first, so that a film ends with
    the picture that was ruled on.
    """

    def __init__(self, session: Session, learning: LearningService, films: FilmRecorder | None = None) -> None:
        self._session, self._learning, self._films = session, learning, films

    @property
    def dice(self) -> DieSet:
        """Return the dice that should lie in the tray."""
        return self._learning.showing or self._session.dice

    @property
    def occasion(self) -> object:
        """Return what the tray is used for: capturing some dice, or playing with some."""
        shown = self._learning.showing
        return ("showing", shown, self._session.occasion) if shown else self._session.occasion

    def observe(self, observation: Observation, images: ImageSource | None = None, occasion: object = None) -> None:
        """Take in an observation, unless it is for another occasion. Raises SaveFailed."""
        self._learning.end_unused_capture()
        if self._learning.showing is None:
            if self._films is not None and images is not None:
                self._films.take(observation, images)
            self._session.observe(observation, images, occasion)
        elif images is not None and occasion in (None, self.occasion):
            self._learning.observe(observation, images)
            self._session.show_frames(images)

    def report_camera(self, report: CameraReport) -> None:
        self._learning.end_unused_capture()
        if self._learning.showing is None:
            self._session.report_camera(report)
        else:
            self._learning.report_trouble(report.sentence)

    def report_unsaved(self, sentence: str) -> None:
        """Take in why what is shown cannot be put on disk; the next frame's report of the camera ends it."""
        if self._learning.showing is not None:
            self._learning.report_trouble(sentence)
