"""While the journal cannot be written: the table says so, and what was thrown meanwhile is not lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laid_dice import StillPicture, cut_picture
from true_pipeline import true_pipeline

from hardware.cameras.base import CameraReport, CameraStatus
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.dice import Zone
from referee.games import games
from referee.journal import Entry
from referee.sentences import Reason, Refused
from referee.snapshot import NoticeMood, Snapshot, TrayActivity
from vander.app.camera_loop import CameraLoop
from vander.box.health_monitor import SystemdWatchdog
from vander.storage.data_folder import Unwritten
from vander.storage.evidence_store import EvidenceStore, evidence_name
from vander.storage.journal_store import Journal
from vander.table.held_throws import MOST_HELD
from vander.table.journal_writer import FIRST_PAUSE_S, LONGEST_PAUSE_S, WriteRetry
from vander.table.pictures import HeldImages
from vander.table.session import Session, open_session
from vander.table.session_state import HealthAlert
from vision.frame_reader import TrayPicture
from vision.image_io import decode_picture

OPENING = ("go", "happy", "happy", "star", "two", "three")
NO_ROOM = "the journal cannot be written: database or disk is full"
NOTHING = ("slow", "sad", "sad", "two", "three", "four")
"""A throw that ends a turn of Intersection."""
PATIENCE_S = 60.0


class FailingJournal(Journal):
    """A journal on a card that refuses entries while `is_failing`; `writes` counts the attempts."""

    is_failing = False
    no_room = False
    writes = 0

    def write(self, game: int, *entries: Entry, **others: Any) -> None:
        self.writes += 1
        if self.is_failing:
            raise Unwritten(NO_ROOM, self.no_room)
        super().write(game, *entries, **others)


class HandClock:
    """A clock that goes on when somebody says so."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[FailingJournal]:
    with closing(FailingJournal.in_folder(tmp_path)) as opened:
        assert isinstance(opened, FailingJournal)
        yield opened


@pytest.fixture
def evidence(tmp_path: Path) -> EvidenceStore:
    return EvidenceStore(tmp_path / "evidence")


def open_table(journal: Journal, evidence: EvidenceStore, clock: Callable[[], float] = time.monotonic) -> Session:
    return open_session(journal, evidence, games=games(), dice=die_sets.load("intersection"), clock=clock)


@pytest.fixture
def table(journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any) -> Session:
    """Ann and Bob play plain dice: each throw counts for itself."""
    table = open_table(journal, evidence, clock)
    table.start("dice", ["Ann", "Bob"], {}, "intersection")
    table.observe(dice.look())
    return table


def make_room(journal: FailingJournal, clock: HandClock) -> None:
    journal.is_failing = False
    clock.seconds += LONGEST_PAUSE_S


def played(journal: Journal) -> list[str]:
    kept = journal.latest()
    assert kept is not None
    return [str(entry.action) for entry in journal.entries(kept.number) if entry.action]


THROWS = (
    ("go", "happy", "happy", "star", "two", "three"),
    ("slow", "sad", "star", "star", "two", "four"),
    ("stop", "happy", "sad", "two", "two", "three"),
)


def test_throws_that_could_not_be_written_count_in_their_order(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    for faces in THROWS:
        table.observe(dice.roll(*faces))
    assert played(journal) == []
    assert table.snapshot().last == ()
    make_room(journal, clock)
    table.observe(dice.look())
    assert ["signal:" + faces[0] in action for faces, action in zip(THROWS, played(journal), strict=True)] == [True] * 3
    assert (table.snapshot().mood, table.snapshot().unsaved) == (NoticeMood.CALM, False)


def test_the_table_says_that_nobody_should_throw_and_how_many_throws_wait(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]))
    shown = table.snapshot()
    assert shown.notice == "Vander cannot write to its card. Do not throw yet: 1 throw is still waiting."
    assert (shown.mood, shown.unsaved, shown.held_throws) == (NoticeMood.LOST, True, 1)
    assert shown.alerts == (
        "The journal cannot be written: database or disk is full. Make room on the card, or use another one.",
    )
    table.observe(dice.look(at_rest=False))
    assert table.snapshot().unsaved
    table.observe(dice.roll(*THROWS[1]))
    assert "2 throws are still waiting" in table.snapshot().notice
    make_room(journal, clock)
    table.observe(dice.look())
    assert (table.snapshot().unsaved, table.snapshot().held_throws, table.snapshot().alerts) == (False, 0, ())


def test_nothing_else_on_the_page_says_that_play_goes_on(
    journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any, tmp_path: Path
) -> None:
    open_table(journal, evidence, clock).start("dice", ["Ann"], {}, "intersection")
    (tmp_path / "evidence").write_text("no folder")  # so that no picture can be kept either
    table = open_table(journal, evidence, clock)
    table.observe(dice.look(), StillPicture())
    table.report_health([HealthAlert("disk", "The card is full. Play goes on."), HealthAlert("heat", "It is hot.")])
    assert table.snapshot().resumed
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]), StillPicture())
    shown = table.snapshot()
    assert (len(shown.alerts), shown.alerts[1], shown.resumed) == (2, "It is hot.", "")
    make_room(journal, clock)
    table.observe(dice.look(), StillPicture())
    assert "The card is full. Play goes on." in table.snapshot().alerts
    assert "could not be kept" in table.snapshot().alerts[-1]


def test_nothing_of_what_is_held_is_shown(table: Session, journal: FailingJournal, dice: Any) -> None:
    before = table.snapshot()
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]))
    shown = table.snapshot()
    assert (shown.dice, shown.calls, shown.state, shown.step) == (before.dice, before.calls, before.state, before.step)


def test_dice_that_only_lie_there_are_held_once(table: Session, journal: FailingJournal, dice: Any) -> None:
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]))
    for _ in range(5):
        table.observe(dice.look())
        table.observe(dice.look(hands_in=True))
    assert len(table.state.backlog.observations) == 1


def test_hands_that_moved_dice_between_throws_are_ruled_on_too(
    journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any
) -> None:
    table = open_table(journal, evidence, clock)
    table.start("intersection", ["Ann"], {})
    table.observe(dice.look())
    journal.is_failing = True
    table.observe(dice.roll(*OPENING))
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    table.observe(dice.throw(d4="happy", d5="three"))
    make_room(journal, clock)
    table.observe(dice.look())
    assert [action.split()[1] for action in played(journal)] == ["roll", "park", "on"]
    assert len(table.snapshot().last) == 3


def test_each_held_entry_keeps_the_picture_of_its_own_throw(
    table: Session, journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    for faces, light in zip(THROWS, (40, 120, 200), strict=True):
        table.observe(dice.roll(*faces), LitPicture(light))
    make_room(journal, clock)
    table.observe(dice.look(), LitPicture(250))
    names = [entry.evidence for entry in journal.entries(1)]
    assert [round(brightness(evidence.read(name)), -1) for name in names] == [40, 120, 200]
    assert table.picture(table.snapshot().dice[0].crop)


class LitPicture(StillPicture):
    """A sight whose frames are so bright."""

    def __init__(self, light: int) -> None:
        self._light = light

    def settled_picture(self) -> TrayPicture:
        return cut_picture(np.full((48, 64, 3), self._light, np.uint8))


def brightness(jpeg: bytes) -> float:
    return float(decode_picture(jpeg).mean())


def test_pictures_are_held_as_they_were(dice: Any, sight: StillPicture) -> None:
    held = HeldImages.of(dice.look(), sight)
    assert np.allclose(held.die_image(3), sight.die_image(3), atol=3)
    around, place = held.die_with_surroundings(2)
    assert np.array_equal(around, sight.die_with_surroundings(2)[0])
    assert place == sight.die_with_surroundings(2)[1]
    tray = held.settled_tray()
    assert tray is not None
    assert (tray[0].shape, tray[1:]) == ((40, 60, 3), (2.0, 3.0))
    settled = held.settled_picture()
    assert settled is not None
    assert settled.tray_jpeg() == sight.settled_picture().tray_jpeg()


def test_a_held_throw_is_asked_about_before_the_next_one_counts(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any, sight: StillPicture
) -> None:
    journal.is_failing = True
    thrown = dice.roll(*THROWS[0])
    table.observe(thrown, sight)
    dice.roll(*THROWS[1])
    dice.unsure[2] = (("happy", 0.4),)
    table.observe(dice.look(), sight)
    table.observe(dice.roll(*THROWS[2]), sight)
    make_room(journal, clock)
    table.observe(dice.look(), sight)
    (question,) = table.snapshot().questions
    assert (question.die, table.snapshot().unsaved, len(played(journal))) == (2, False, 1)
    assert table.picture(question.picture)
    table.observe(dice.look(), sight)
    assert table.snapshot().questions == (question,)
    table.answer(question.number, "star")
    table.observe(dice.look(), sight)
    assert ["signal:" + faces[0] in action for faces, action in zip(THROWS, played(journal), strict=True)] == [True] * 3


def test_a_question_from_before_is_answered_before_a_held_throw_counts(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    dice.roll(*THROWS[0])
    dice.unsure[2] = (("star", 0.4),)
    table.observe(dice.look())
    assert table.snapshot().questions
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[1]))
    make_room(journal, clock)
    table.observe(dice.look())
    (question,) = table.snapshot().questions
    assert (len(played(journal)), table.snapshot().held_throws) == (0, 1)
    table.answer(question.number, "happy")
    assert (len(played(journal)), table.snapshot().questions, table.snapshot().held_throws) == (2, (), 0)


def test_a_tap_is_refused_and_the_headline_stays_until_the_journal_can_be_written(
    journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any
) -> None:
    table = open_table(journal, evidence, clock)
    table.start("intersection", ["Ann"], {})
    table.observe(dice.look())
    table.observe(dice.roll(*OPENING))
    journal.is_failing = True
    with pytest.raises(Refused, match="disk is full") as refused:
        table.undo()
    assert refused.value.reason is Reason.UNAVAILABLE
    assert table.snapshot().notice == "Vander cannot write to its card. Do not throw until this line is gone."
    table.observe(dice.look())
    assert table.snapshot().unsaved
    make_room(journal, clock)
    table.observe(dice.look())
    assert (table.snapshot().unsaved, table.snapshot().mood) == (False, NoticeMood.CALM)
    assert len(played(journal)) == 1


def test_a_tap_comes_after_what_was_held(table: Session, journal: FailingJournal, clock: HandClock, dice: Any) -> None:
    journal.is_failing = True
    old = table.snapshot().step
    table.observe(dice.roll(*THROWS[0]))
    with pytest.raises(Refused, match="disk is full"):
        table.undo(old)
    journal.is_failing = False
    with pytest.raises(Refused) as refused:
        table.undo(old)
    assert refused.value.reason is Reason.CONFLICT
    assert (len(played(journal)), table.snapshot().unsaved) == (1, False)


def test_more_throws_than_can_be_held_are_asked_for_by_name(
    journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any
) -> None:
    table = open_table(journal, evidence, clock)
    table.start("intersection", ["Ann"], {})
    table.observe(dice.look())
    journal.is_failing = True
    for _ in range(MOST_HELD + 3):
        table.observe(dice.roll(*NOTHING))
    assert (len(table.state.backlog.observations), table.snapshot().held_throws) == (MOST_HELD, MOST_HELD + 3)
    make_room(journal, clock)
    table.observe(dice.look())
    shown = table.snapshot()
    assert len(played(journal)) == MOST_HELD - 1
    assert shown.notice == ("Ann's throw was lost, and 3 after it. Throw again from there, or give the dice by hand.")
    assert (shown.mood, shown.manual_entry, shown.held_throws) == (NoticeMood.ASK, True, 0)
    table.observe(dice.look())
    assert table.snapshot().notice == shown.notice
    table.observe(dice.roll(*NOTHING))
    assert (table.snapshot().mood, len(played(journal))) == (NoticeMood.CALM, MOST_HELD)


def test_the_throw_after_a_full_backlog_is_not_missed(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    for number in range(MOST_HELD):
        table.observe(dice.roll(*THROWS[number % 3]))
    for face in ("sad", "happy", "star"):  # the last die is read now so, now so
        dice.faces[5] = face
        table.observe(dice.look())
    make_room(journal, clock)
    table.observe(dice.look())
    assert (len(played(journal)), table.state.unresolved.missed) == (MOST_HELD, 0)


def test_throws_held_when_the_tray_is_lent_are_asked_for_by_name(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]))
    table.lend_tray(True)
    make_room(journal, clock)
    table.lend_tray(False)
    dice.throw_number = 0
    dice.thrown.clear()
    table.observe(dice.look())
    assert table.snapshot().notice == "A throw was lost. Throw again from there, or give the dice by hand."
    assert played(journal) == []


def test_after_a_restart_with_held_throws_the_table_says_how_the_game_stands(
    table: Session, journal: FailingJournal, evidence: EvidenceStore, dice: Any
) -> None:
    table.observe(dice.roll(*THROWS[0]))
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[1]))
    journal.is_failing = False
    again = open_table(journal, evidence)
    again.observe(dice.look())
    assert again.snapshot().resumed == "Vander was started again. The game goes on. Throw any of the dice."
    assert len(played(journal)) == 1
    assert again.snapshot().last == table.snapshot().last


def test_after_a_restart_dice_that_lie_otherwise_than_the_journal_has_them_are_said(
    journal: FailingJournal, evidence: EvidenceStore, dice: Any
) -> None:
    table = open_table(journal, evidence)
    table.start("intersection", ["Ann"], {})
    table.observe(dice.look())
    table.observe(dice.roll(*OPENING))
    journal.is_failing = True
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    table.observe(dice.throw(d4="happy", d5="three"))
    journal.is_failing = False
    again = open_table(journal, evidence)
    again.observe(dice.look())
    assert again.snapshot().mood is NoticeMood.ASK
    assert again.snapshot().notice == "Was this thrown while nobody was watching?"


def test_a_failing_journal_is_tried_again_ever_more_rarely(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]))
    journal.writes = 0
    for _ in range(600):
        table.observe(dice.look())
        clock.seconds += 0.1
    assert 7 <= journal.writes <= 12


def test_the_pause_doubles_and_begins_with_the_first_again(clock: HandClock) -> None:
    retry, pauses = WriteRetry(clock), list[float]()
    for _ in range(6):
        begun = clock.seconds
        retry.failed()
        while not retry.is_due:
            clock.seconds += 0.25
        pauses.append(clock.seconds - begun)
    assert pauses == [0.5, 1, 2, 4, 8, 8]
    retry.succeeded()
    assert retry.is_due
    retry.failed()
    clock.seconds += FIRST_PAUSE_S
    assert retry.is_due


def test_a_card_that_stays_full_costs_few_pictures(
    table: Session, journal: FailingJournal, evidence: EvidenceStore, clock: HandClock, dice: Any, tmp_path: Path
) -> None:
    for number in range(1, 101):
        assert evidence.keep(evidence_name(1, number), bytes(1000))
    journal.is_failing = journal.no_room = True
    table.observe(dice.roll(*THROWS[0]))
    for _ in range(50):
        clock.seconds += LONGEST_PAUSE_S
        table.observe(dice.look())
    assert len(list((tmp_path / "evidence").glob("*.jpg"))) == 70
    make_room(journal, clock)
    table.observe(dice.look())
    assert len(played(journal)) == 1


def test_what_is_held_is_written_while_the_camera_is_gone(
    table: Session, journal: FailingJournal, clock: HandClock, dice: Any
) -> None:
    journal.is_failing = True
    table.observe(dice.roll(*THROWS[0]))
    lost = CameraReport(CameraStatus.LOST, "The camera is gone.")
    table.report_camera(lost)
    assert table.snapshot().unsaved
    make_room(journal, clock)
    table.report_camera(lost)
    assert (len(played(journal)), table.snapshot().unsaved) == (1, False)


def test_three_throws_on_the_tray_while_nothing_can_be_written_all_count(
    journal: FailingJournal, evidence: EvidenceStore
) -> None:
    table = open_table(journal, evidence)
    tray = VirtualTray("intersection", seed=2, size=(640, 480), mishaps=Mishaps(0.0, 0.0))
    table.start("dice", ["Ann", "Bob"], {}, "intersection")
    watchdog = CountingWatchdog()
    loop = CameraLoop(VirtualCamera(tray, paced=False, seed=2), table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6 and now.tray is TrayActivity.AT_REST)
        journal.is_failing = True
        for throw in (1, 2, 3):
            tray.throw([1, 2, 3, 4, 5, 6])
            assert wait_for(table, lambda now, held=throw: now.held_throws == held).unsaved  # type: ignore[misc]
            beats = watchdog.beats
            wait_for(table, lambda _: watchdog.beats > beats)  # noqa: B023 - it is called in this round
        journal.is_failing = False
        wait_for(table, lambda now: not now.unsaved)
    finally:
        loop.stop()
    assert len(played(journal)) == 3


class CountingWatchdog(SystemdWatchdog):
    """Counts the beats: the loop turns."""

    beats = 0

    def beat(self, trouble: str = "") -> None:
        self.beats += 1


def wait_for(table: Session, holds: Callable[[Snapshot], bool]) -> Snapshot:
    until, now = time.monotonic() + PATIENCE_S, table.snapshot()
    while not holds(now):
        assert time.monotonic() < until, now
        now = table.wait(now.number, 0.5)
    return now
