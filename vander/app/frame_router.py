"""Which receives what the camera sees: the session, or the learning service while dice are shown to it."""

from __future__ import annotations

from hardware.cameras.base import CameraReport
from referee.dice import DieSet
from vander.app.film_recorder import FilmRecorder
from vander.learning.learning_service import LearningService
from vander.session.session import Session
from vision.frame_reader import ImageSource
from vision.observations import Observation


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
        """Take in what is known of the camera."""
        self._learning.end_unused_capture()
        if self._learning.showing is None:
            self._session.report_camera(report)
        else:
            self._learning.report_trouble(report.sentence)

    def report_unsaved(self, sentence: str) -> None:
        """Take in why what is shown cannot be put on disk; the next frame's report of the camera ends it."""
        if self._learning.showing is not None:
            self._learning.report_trouble(sentence)
