"""What was read of a table at rest, before the pipeline takes it over."""

from __future__ import annotations

from dataclasses import dataclass

from referee.dice import DieSet
from vision.camera_picture import CameraPicture
from vision.departure_watch import DepartureWatch
from vision.early_rest import is_beyond_doubt
from vision.motion_burst import MotionBurst
from vision.observations import DieReading, Observation
from vision.rectification import TrayView
from vision.tracking import Tracker


@dataclass(frozen=True, eq=False)
class ReadFrame:
    """What was read in a frame of a table, with its picture for people; tray_doubt: '' or a sentence.

    is_lost: the tray is known by tapped corners, and is not where they are: nothing was read.
    """

    view: TrayView
    picture: CameraPicture
    readings: tuple[DieReading, ...]
    tray_doubt: str
    is_lost: bool = False


@dataclass(frozen=True, eq=False)
class TableReading:
    """What a frame of a table shows, and what the tracker and the departures are with it.

    burst: the motion before it, None if the table was read before. since: since when the pictures have shown the same,
    in seconds of the frame clock; None if it has settled.
    """

    seen: ReadFrame
    observation: Observation
    tracker: Tracker
    departures: DepartureWatch
    burst: MotionBurst | None
    since: float | None = None

    def is_beyond_doubt(self, dice: DieSet | None) -> bool:
        """True if it is a throw that will lie as it was read, though the table has not settled yet."""
        if self.burst is None or self.since is None:
            return False
        known = self.tracker.threw and not self.tracker.is_unsure and not self.tracker.lifted
        return known and is_beyond_doubt(self.observation, self.burst, self.since, dice)
