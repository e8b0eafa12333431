"""What the learning pages need of the running program.

Pictures of single dice are called by a name of letters, digits, `-` and `_`; `shown` gives each as a JPEG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from web.schemas.learning_schemas import (
    LEAST_QUOTA_MB,
    MOST_QUOTA_MB,
    RAREST_CHECK,
    Captured,
    Certificate,
    CheckShown,
    Choices,
    DiceShown,
    FaceMeter,
    Learned,
    NewKind,
    Overview,
    Pair,
    Share,
    Sitting,
)

__all__ = [
    "LEAST_QUOTA_MB",
    "MOST_QUOTA_MB",
    "RAREST_CHECK",
    "Captured",
    "Certificate",
    "CheckShown",
    "Choices",
    "DiceShown",
    "FaceMeter",
    "Learned",
    "LearningBackend",
    "NewKind",
    "Overview",
    "Pair",
    "Share",
    "Sitting",
    "ThrowCheckBackend",
]


class LearningBackend(Protocol):
    """The teacher's desk. Every method may be called from any thread. All refusals are `web.services.Refused`."""

    def overview(self) -> Overview:
        """The die sets, what is going on, and what was chosen."""

    def dice(self, name: str) -> DiceShown:
        """One die set with its meters."""

    def make(self, title: str, kinds: Sequence[NewKind], edge_mm: float) -> DiceShown:
        """Make a die set for dice that nobody has seen."""

    def drop(self, name: str) -> None:
        """Drop a die set that was made here, with its pictures and lessons."""

    def sit(self, name: str, kind: str = "", face: str = "") -> Sitting:
        """Begin a guided capture, or go on to another face; '' for the first that is not enough yet."""

    def sitting(self) -> Sitting | None:
        """How the capture stands, or None when none is going on."""

    def shutter(self) -> Sitting:
        """Take a picture now."""

    def by_itself(self, on: bool) -> Sitting:
        """Whether pictures are taken by themselves when the tray is at rest."""

    def rise(self) -> None:
        """End the guided capture; the table is played on again."""

    def captured(self, name: str, kind: str = "", face: str = "") -> Sequence[Captured]:
        """The labelled pictures of a die set, of one kind or face where given, newest first."""

    def queue(self, most: int = 60) -> Sequence[Captured]:
        """The pictures that wait for a label, most doubtful first."""

    def label(self, pictures: Sequence[str], kind: str, face: str) -> None:
        """Say what these pictures show: labels waiting ones, moves labelled ones."""

    def discard(self, pictures: Sequence[str]) -> None:
        """Throw these pictures away."""

    def teach(self, name: str) -> Learned:
        """Learn from the pictures of a die set; the new lesson is in use at once."""

    def learned(self, name: str) -> Learned:
        """The lesson in use."""

    def go_back(self, name: str, version: int) -> Learned:
        """Use an earlier lesson again; 0: none, the reader as it came."""

    def merge(self, name: str, kind: str, face: str, other: str) -> DiceShown:
        """Make one face of two: the pictures of `other` become those of `face`."""

    def certificate(self) -> Certificate:
        """The table's certificate."""

    def choose(self, choices: Choices) -> Choices:
        """Keep what the table has chosen."""

    def shown(self, picture: str) -> bytes:
        """A picture of a die, as a JPEG."""


class ThrowCheckBackend(Protocol):
    """The table's own questions about a throw, for the table page. Refusals are `web.services.Refused`."""

    def check(self) -> CheckShown | None:
        """The throw that is asked about now, or None."""

    def checked(self, number: int, wrong: Mapping[int, str]) -> None:
        """All is right but these dice, each of which shows that face."""
