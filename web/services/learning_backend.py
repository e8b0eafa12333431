"""What the learning pages need of the running program. Any thread may call any method; refusals are `Refused`.

A picture of a single die has a name of letters, digits, `-` and `_`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.journal import NOBODY, Actor
from web.schemas.learning_schemas import (
    CapturedDie,
    CaptureStatus,
    Choices,
    DieSetSummary,
    LearningOverview,
    LessonSummary,
    NewKind,
    PlayBoard,
    TableAccuracy,
    ThrowCheck,
)


class LearningBackend(Protocol):
    """Die sets that are made, captured, labelled and learned."""

    def overview(self) -> LearningOverview:
        """Return the die sets, the capture that is going on, and what was chosen."""

    def die_set(self, name: str) -> DieSetSummary:
        """Return one die set with its meters."""

    def make_die_set(self, title: str, kinds: Sequence[NewKind]) -> DieSetSummary:
        """Make a die set for dice that the models do not know."""

    def delete_die_set(self, name: str) -> None:
        """Delete a die set that was made here, with its pictures and lessons."""

    @property
    def halts_game(self) -> bool:
        """True if a game is on that would wait for a guided capture which starts now."""

    def start_capture(self, name: str, kind: str = "", face: str = "", *, lend: bool = False) -> CaptureStatus:
        """Begin a guided capture, or go on to another face; '' for the first that has too few pictures.

        `lend`: people agreed that a game which is on waits for it; where they did not, the capture is Refused.
        """

    def capture_status(self) -> CaptureStatus | None:
        """Return the capture that is going on, or None. Who asks looks at it, which keeps it going."""

    def shutter(self) -> CaptureStatus:
        """Take a picture now."""

    def set_automatic(self, on: bool) -> CaptureStatus:
        """Choose whether pictures are taken without a tap when the tray is at rest."""

    def stop_capture(self) -> None:
        """End the guided capture; the table is played on again."""

    def labelled_samples(self, name: str, kind: str = "", face: str = "") -> Sequence[CapturedDie]:
        """Return the labelled pictures of a die set, of one kind or face where given, newest first."""

    def waiting_samples(self, most: int = 60) -> Sequence[CapturedDie]:
        """Return the pictures that wait for a label, most doubtful first."""

    def label_samples(self, pictures: Sequence[str], kind: str, face: str) -> None:
        """Label waiting pictures, or move labelled ones to this face."""

    def delete_samples(self, pictures: Sequence[str]) -> None:
        """Delete these pictures."""

    def teach(self, name: str) -> LessonSummary:
        """Learn from the pictures of a die set; the new lesson is in use at once."""

    def lesson(self, name: str) -> LessonSummary:
        """Return the lesson in use."""

    def use_lesson(self, name: str, version: int) -> LessonSummary:
        """Use an earlier lesson again; 0 for none, the reader as it was delivered."""

    def merge_faces(self, name: str, kind: str, face: str, other: str) -> DieSetSummary:
        """Make one face of two: the pictures of `other` become those of `face`."""

    def play_board(self, name: str) -> PlayBoard:
        """Return what was learned of a die set in play."""

    def set_learning(self, name: str, on: bool) -> PlayBoard:
        """Choose whether a die set is learned from in play, and read by what was learned so."""

    def forget_played(self, name: str) -> PlayBoard:
        """Forget all that was learned of a die set in play."""

    def label_played(self, name: str, die: str, kind: str, face: str) -> PlayBoard:
        """Mend what a die of play is believed to show, or keep it by the same face."""

    def played_jpeg(self, name: str, die: str) -> bytes:
        """Return a picture of a die of play as a JPEG, while it is in memory."""

    def accuracy(self) -> TableAccuracy:
        """Return how well this table reads its dice."""

    def choose(self, choices: Choices) -> Choices:
        """Keep what the table has chosen."""

    def sample_jpeg(self, picture: str) -> bytes:
        """Return a picture of a die as a JPEG."""


class ThrowCheckBackend(Protocol):
    """Questions about throws, whether they were read right, for the table page."""

    def check(self) -> ThrowCheck | None:
        """Return the throw that is asked about now, or None."""

    def checked(self, number: int, wrong: Mapping[int, str], *, by: Actor = NOBODY) -> None:
        """Say that a throw was read right, except these dice, each of which shows that face."""
