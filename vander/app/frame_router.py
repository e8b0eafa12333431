"""Who looks at the tray: the table, or the school while dice are shown."""

from __future__ import annotations

from hardware.cameras.base import CameraReport
from referee.dice import DieSet
from vander.learning.learning_service import LearningService
from vander.session.session import Session
from vision.image_source import ImageSource
from vision.observations import Observation


class FrameRouter:
    """What the watch tells of the tray goes to the school while dice are shown there, and else to the table."""

    def __init__(self, table: Session, school: LearningService) -> None:
        self._table, self._school = table, school

    @property
    def dice(self) -> DieSet:
        """The dice that should lie there."""
        return self._school.showing or self._table.dice

    @property
    def occasion(self) -> object:
        """Showing some dice, or playing with some."""
        shown = self._school.showing
        return ("showing", shown, self._table.occasion) if shown else self._table.occasion

    def observe(self, observation: Observation, sight: ImageSource | None = None, occasion: object = None) -> None:
        """Handle an observation, unless it is for another occasion. Raises Unwritten and SaveFailed."""
        if self._school.showing is None:
            self._table.observe(observation, sight, occasion)
        elif sight is not None and occasion in (None, self.occasion):
            self._school.look(observation, sight)
            self._table.show_frames(sight)

    def report_camera(self, report: CameraReport) -> None:
        """Take in what is known of the camera."""
        if self._school.showing is None:
            self._table.report_camera(report)
        else:
            self._school.trouble(report.sentence)

    def report_unsaved(self, sentence: str) -> None:
        """Say why what was seen cannot be put on disk, or, with '', that it can."""
        if self._school.showing is None:
            self._table.report_unsaved(sentence)
        elif sentence:  # the school is told with the next frame that all is well
            self._school.trouble(sentence)
