"""The tray is lent for showing dice, and given back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from laid_dice import Dice, StillPicture

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.dice import DieSet
from vander.app.camera_loop import FrameRouter
from vander.table.session import Session
from vander.table.snapshot_builder import LENT
from vision.observations import Observation


class Showing:
    """A stub LearningService that records the observations routed to it during a capture."""

    def __init__(self) -> None:
        self.showing: DieSet | None = None
        self.seen: list[object] = []
        self.is_unused = False

    def end_unused_capture(self) -> None:
        if self.is_unused:
            self.showing = None

    def observe(self, observation: Observation, _sight: StillPicture) -> None:
        self.seen.append(observation)

    def report_trouble(self, sentence: str) -> None:
        self.seen.append(sentence)


@pytest.fixture
def table(open_table: Callable[..., Session]) -> Session:
    return open_table()


def test_the_table_looks_at_the_tray_unless_dice_are_shown(table: Session, dice: Dice, sight: StillPicture) -> None:
    learning = Showing()
    router = FrameRouter(table, learning)  # type: ignore[arg-type]
    router.observe(dice.look(), sight)
    assert (len(table.snapshot().dice), learning.seen) == (6, [])
    learning.showing = die_sets.load("rollers")
    assert router.dice == die_sets.load("rollers")
    number = table.snapshot().number
    router.observe(seen := dice.look(), sight)
    router.report_camera(covered := CameraReport(CameraStatus.COVERED))
    assert learning.seen == [seen, covered.sentence]
    assert table.snapshot().number == number
    assert table.camera_picture()


def test_a_capture_that_nobody_uses_ends_with_the_next_frame(table: Session, dice: Dice, sight: StillPicture) -> None:
    learning = Showing()
    router = FrameRouter(table, learning)  # type: ignore[arg-type]
    learning.showing, learning.is_unused = table.dice, True
    router.observe(dice.look(), sight)
    assert (len(table.snapshot().dice), learning.seen) == (6, [])


def test_a_capture_that_nobody_uses_ends_without_frames_too(table: Session) -> None:
    learning = Showing()
    router = FrameRouter(table, learning)  # type: ignore[arg-type]
    learning.showing, learning.is_unused = table.dice, True
    router.report_camera(covered := CameraReport(CameraStatus.COVERED))
    assert (table.snapshot().camera_trouble, learning.seen) == (covered.sentence, [])


def test_what_is_shown_and_cannot_be_put_on_disk_is_said_where_it_is_shown(table: Session) -> None:
    learning = Showing()
    router = FrameRouter(table, learning)  # type: ignore[arg-type]
    learning.showing = die_sets.load("rollers")
    router.report_unsaved("The card is full.")
    learning.showing = None
    router.report_unsaved("The card is full.")
    assert learning.seen == ["The card is full."]
    assert table.snapshot().alerts == ()


def test_another_occasion_is_another_eye(table: Session) -> None:
    learning = Showing()
    router = FrameRouter(table, learning)  # type: ignore[arg-type]
    playing = router.occasion
    learning.showing = table.dice
    showing = router.occasion
    assert showing != playing
    learning.showing = None
    assert router.occasion == playing


def test_what_lies_there_when_the_tray_is_given_back_breaks_no_rule(
    table: Session, dice: Dice, sight: StillPicture
) -> None:
    table.start("intersection", ["Ann"], {})
    table.observe(dice.look(), sight)
    table.lend_tray(True)
    assert table.snapshot().camera_trouble == LENT
    dice.throw_number = 7
    table.lend_tray(False)
    assert table.snapshot().camera_trouble == ""
    table.observe(dice.look(), sight)
    assert table.snapshot().mood != "breach"
    assert table.snapshot().calls == ()


def test_what_an_eye_of_another_occasion_saw_is_not_heard(table: Session, dice: Dice, sight: StillPicture) -> None:
    playing = table.occasion
    table.lend_tray(True)
    table.lend_tray(False)
    assert table.occasion != playing
    table.observe(dice.look(), sight, playing)
    assert table.snapshot().dice == ()
    table.observe(dice.look(), sight, table.occasion)
    assert len(table.snapshot().dice) == 6


def test_after_the_tray_was_lent_a_correction_finds_no_throw_of_before(
    table: Session, dice: Dice, sight: StillPicture
) -> None:
    table.start("dice", ["Ann"], {}, "intersection")
    table.observe(dice.look(), sight)
    table.observe(dice.roll("go", "happy", "happy", "sad", "two", "three"), sight)
    before = table.snapshot().last
    table.lend_tray(True)
    table.lend_tray(False)
    dice.throw_number = 0
    dice.thrown.clear()
    dice.faces[1], dice.faces[3] = "sad", "happy"  # the pipeline counts the dice otherwise now
    table.observe(dice.look(), sight)
    assert table.state.table.thrown_by == {}
    assert table.snapshot().last == before
