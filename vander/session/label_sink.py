"""Pass label events to learning: dice at rest, faces that people state, and throws that were ruled on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from models.dataset.table_labels import AnsweredCheck, CheckedDie, LabelSource, SpotCheck, StatedFaces
from vander.session.label_events import (
    DiceRecounted,
    DiceSettled,
    FacesStated,
    LabelEvent,
    ReadingCorrected,
    ThrowEnded,
    ThrowRuled,
)
from vision.image_source import ImageSource
from vision.observations import TrackedDie


class LabelRecorder(Protocol):
    """Keeps pictures of dice with what people said of them. Both calls are quick: what takes time comes later."""

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        """The dice of that set have come to rest; those in doubt wait for a label from now on."""

    def faces_stated(self, words: StatedFaces, how: LabelSource) -> None:
        """People said what some of the dice that came to rest last show."""


class ThrowChecker(Protocol):
    """Decides which throws people are asked about, and counts their answers. It has no lock: one thread at a time."""

    @property
    def open(self) -> SpotCheck | None:
        """Return the throw that people are asked about, or None."""

    def throw_ruled(self, throw: int, dice: Sequence[CheckedDie]) -> None:
        """Count the dice that a throw gave, now that it is ruled on; maybe ask about it."""

    def face_corrected(self, number: int, throw: int) -> None:
        """Count a die that people corrected of themselves."""

    def record_answer(self, number: int, wrong: Collection[int], thrown: AnsweredCheck | None = None) -> None:
        """Take an answer: these dice of the check were read wrong, in that throw. Raises Refused and Unwritten."""

    def skip_open(self) -> None:
        """Ask no more about the open throw."""

    def reset(self) -> None:
        """Other dice lie there, and their throws are counted from one again."""


class LabelListener(Protocol):
    """Hears of every label event in its order. The call is quick, and raises nothing: what takes time comes later."""

    def hear(self, event: LabelEvent, images: ImageSource | None) -> None:
        """Take in an event; `images` are the pictures of the observation that it comes from, if it comes from one."""


class LabelSink:
    """Hands the events of a step on to a recorder, a checker and a listener, where there are any."""

    def __init__(
        self,
        recorder: LabelRecorder | None = None,
        checker: ThrowChecker | None = None,
        listener: LabelListener | None = None,
    ) -> None:
        self._recorder = recorder
        self._checker = checker
        self._listener = listener

    @property
    def open_check(self) -> SpotCheck | None:
        """Return the throw that people are asked about, or None."""
        return self._checker.open if self._checker is not None else None

    def answer_check(self, number: int, misread: Collection[int], thrown: AnsweredCheck | None) -> None:
        """Count the answer to the open check of a throw. Raises Refused and Unwritten: it does not count then."""
        if self._checker is not None:
            self._checker.record_answer(number, misread, thrown)

    def handle(self, event: LabelEvent, images: ImageSource | None = None) -> None:
        """Hand an event on; `images` are the pictures of the observation that it comes from."""
        if self._recorder is not None:
            _record(self._recorder, event, images)
        if self._listener is not None:
            self._listener.hear(event, images)
        if self._checker is not None:
            _count(self._checker, event)


def _record(recorder: LabelRecorder, event: LabelEvent, images: ImageSource | None) -> None:
    match event:
        case DiceSettled(die_set, dice) if images is not None:
            recorder.dice_settled(die_set, dice, images)
        case FacesStated(faces, source):
            recorder.faces_stated(faces, source)
        case _:
            pass


def _count(checker: ThrowChecker, event: LabelEvent) -> None:
    match event:
        case ThrowEnded():
            checker.skip_open()
        case DiceRecounted():
            checker.reset()
        case ThrowRuled(throw, dice):
            checker.throw_ruled(throw, dice)
        case ReadingCorrected(number, throw):
            checker.face_corrected(number, throw)
        case _:
            pass
