"""Which listeners of the LabelSink get which label events."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from laid_dice import Dice, StillPicture

from models.dataset.table_labels import AnsweredCheck, CheckedDie, LabelSource, SpotCheck, StatedFaces
from referee.dice import Die
from vander.table.pictures import LabelSink
from vander.table.session_state import (
    AnswerWithdrawn,
    DiceRecounted,
    DiceSettled,
    DoubtSettled,
    FacesStated,
    LabelEvent,
    ReadingCorrected,
    ThrowEnded,
    ThrowRuled,
)
from vision.frame_reader import ImageSource
from vision.observations import TrackedDie

HAPPY = Die.parse("traffic:happy")
EVENTS = (
    ThrowEnded(),
    DiceSettled("intersection", Dice().look().dice),
    ThrowRuled(1, (CheckedDie(1, 1, HAPPY),)),
    FacesStated({1: (1, HAPPY)}, LabelSource.ANSWERED),
    ReadingCorrected(1, 1),
    AnswerWithdrawn(((1, 1),)),
    DoubtSettled({2: (1, HAPPY)}),
    DiceRecounted(),
)


@dataclass
class Listener:
    """A recorder and a checker that write down what they are told."""

    told: list[str] = field(default_factory=list)
    open: SpotCheck | None = None
    heard: list[LabelEvent] = field(default_factory=list)

    def hear(self, event: LabelEvent, images: ImageSource | None) -> None:
        self.heard.append(event)

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        self.told.append(f"{len(dice)} dice of {die_set} settled")

    def faces_stated(self, words: StatedFaces, how: LabelSource) -> None:
        self.told.append(str(how))

    def throw_ruled(self, throw: int, dice: Sequence[CheckedDie]) -> None:
        self.told.append(f"throw {throw} ruled")
        self.open = SpotCheck(1, tuple(dice))

    def face_corrected(self, number: int, throw: int) -> None:
        self.told.append(f"die {number} corrected")

    def record_answer(self, number: int, wrong: Collection[int], thrown: AnsweredCheck | None = None) -> None:
        self.told.append(f"check {number} answered in {thrown}, wrong: {sorted(wrong)}")

    def skip_open(self) -> None:
        self.told.append("check skipped")

    def reset(self) -> None:
        self.told.append("reset")


def test_each_event_reaches_those_whom_it_concerns() -> None:
    recorder, checker = Listener(), Listener()
    sink = LabelSink(recorder, checker)
    for event in EVENTS:
        sink.handle(event, StillPicture())
    assert recorder.told == ["6 dice of intersection settled", "answered at the table"]
    assert checker.told == ["check skipped", "throw 1 ruled", "die 1 corrected", "reset"]


def test_a_listener_hears_every_event_in_its_order() -> None:
    listener = Listener()
    sink = LabelSink(listener=listener)
    for event in EVENTS:
        sink.handle(event, StillPicture())
    assert tuple(listener.heard) == EVENTS


def test_dice_of_which_there_is_no_picture_are_not_recorded() -> None:
    recorder = Listener()
    LabelSink(recorder).handle(EVENTS[1])
    assert recorder.told == []


def test_the_open_check_is_the_checkers() -> None:
    checker = Listener()
    sink = LabelSink(checker=checker)
    sink.handle(EVENTS[2])
    assert sink.open_check is checker.open is not None
    thrown = AnsweredCheck(2, 3, ((HAPPY, HAPPY),))
    sink.answer_check(1, [1], thrown)
    assert checker.told[-1] == f"check 1 answered in {thrown}, wrong: [1]"


def test_without_recorder_and_checker_nobody_is_told() -> None:
    sink = LabelSink()
    for event in EVENTS:
        sink.handle(event, StillPicture())
    assert sink.open_check is None
