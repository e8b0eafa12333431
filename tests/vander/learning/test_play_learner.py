"""What people say at the table is learned on a thread of its own, without pictures, and what is taken back is not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from laid_dice import StillPicture
from learned import PLDA, shows
from showing import blotches, files, full_disk

from models import die_sets
from models.dataset import FaceLabel, NewSample, SampleReading, SampleStore
from models.die_sets import DieSetCatalog
from referee.games import games
from vander.app.composition import PlayListener
from vander.learning.learned_dice import STOOD, AskedThrow, FeatureStore, LearnedDie
from vander.learning.lesson_store import LessonStore
from vander.learning.play_evidence import PlayEvidence, PlayLesson
from vander.learning.play_learner import DieDescriber, PlayLearner
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.table.session import open_session
from vision.classification import Reader
from vision.frames import Pixels
from vision.observations import Observation
from vision.rectification import RotatedSquare
from vision.table_evidence import ReferenceSet

NAME = "intersection"
OPENING = ("go", "happy", "happy", "star", "two", "three")
NOON = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@dataclass
class Blotches(StillPicture):
    """A sight of dice that look like nothing else."""

    looks: int = 0
    asked: list[int] = field(default_factory=list)

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        self.asked.append(number)
        return blotches(100 * self.looks + number), RotatedSquare(60, 60, 40, 0)


class Learning:
    """A table that learns while Ann plays, with dice laid out by hand."""

    def __init__(self, folder: Path, journal: Journal, dice: Any, reader: Reader) -> None:
        self.folder, self.dice, self.sight, self.reader = folder, dice, Blotches(), reader
        self.preferences = PreferenceStore(folder)
        self.samples = SampleStore(folder / "captured")
        self.learner = self.opened()
        self.table = open_session(
            journal,
            EvidenceStore(folder / "evidence"),
            games=games(),
            dice=die_sets.load(NAME),
            listener=PlayListener(self.learner),
        )
        self.look(dice.look())
        self.table.start(NAME, ["Ann"], {})

    def opened(self, version: str = "") -> PlayLearner:
        """The learner, as after the program was started again."""
        store = FeatureStore.for_reader(self.folder / "features", self.reader, PLDA)
        store.reader += version
        taught = LessonStore(self.folder / "lessons", PLDA)
        reference = ReferenceSet((), self.reader.accept_from)
        self.play = PlayEvidence(store, DieSetCatalog(self.folder / "dice"), taught, PLDA, reference)
        return PlayLearner(
            self.play, self.samples, DieDescriber(self.reader, PLDA), self.preferences.learns, lambda: NOON
        )

    def look(self, observation: Observation) -> None:
        self.sight.looks += 1
        self.table.observe(observation, self.sight)

    def doubt(self) -> None:
        """Throw all dice; the fifth shows a three or a sad face."""
        self.dice.roll(*OPENING)
        self.dice.unsure[5] = (("sad", 0.3),)
        self.look(self.dice.look())

    def answer(self, face: str) -> None:
        (question,) = self.table.snapshot().questions
        self.table.answer(question.number, face)

    def lesson(self) -> PlayLesson:
        """What was learned once all is done."""
        self.learner.start()
        self.learner.stop()
        return self.play.lesson(NAME)

    def said(self) -> list[LearnedDie]:
        return [die for die in self.lesson().learned.dice if die.is_answer]


@pytest.fixture
def learning(tmp_path: Path, dice: Any, reader: Reader) -> Iterator[Learning]:
    with closing(Journal.in_folder(tmp_path)) as journal:
        yield Learning(tmp_path, journal, dice, reader)


def test_an_answer_is_learned_and_no_picture_is_kept(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    (die,) = learning.said()
    assert (die.label, die.by, die.hardness, die.at) == (
        shows("sad"),
        "answered at the table",
        1.0,
        "2026-11-22T12:00:00+00:00",
    )
    assert die.origin == "20261122T120000-1-5-1"
    assert set(files(learning.folder / "captured")) <= {".latch", "about.toml"}
    assert learning.learner.picture(die.origin) is not None
    assert learning.opened().picture(die.origin) is None


def test_it_is_used_from_the_next_reading_on(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    evidence = learning.lesson().in_use
    assert evidence is not None
    assert shows("sad") in {one.label for one in evidence.examples if one.is_answer}


def test_what_stood_is_weak_evidence_and_what_was_asked_is_counted(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    learned = learning.lesson().learned
    stood = [die for die in learned.dice if not die.is_answer]
    assert sorted(die.label[1] for die in stood) == ["go", "happy", "happy", "star", "two"]
    assert {die.by for die in stood} == {STOOD}
    assert learned.asked.now == AskedThrow(6, 1)


def test_a_correction_replaces_what_was_learned_of_the_die(learning: Learning) -> None:
    learning.look(learning.dice.roll(*OPENING))
    learning.table.correct(4, "four")
    (die,) = learning.said()
    assert (die.label, die.by) == (shows("four"), "corrected at the table")


def test_of_two_tablets_that_contradict_each_other_the_last_counts_and_the_other_is_said(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    learning.table.correct(5, "three")
    (die,) = learning.said()
    assert (die.label, die.before) == (shows("three"), shows("sad"))


def test_a_throw_that_is_taken_back_takes_what_was_learned_of_it_along(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    learning.table.undo()
    assert learning.lesson().learned.dice == ()


def test_nothing_is_learned_or_copied_where_that_is_switched_off(learning: Learning) -> None:
    learning.preferences.set_learning(NAME, on=False)
    learning.sight.asked.clear()
    learning.doubt()
    learning.answer("sad")
    assert learning.lesson().learned.dice == ()
    assert learning.sight.asked == []
    assert not (learning.folder / "features").exists()


def test_nothing_is_learned_of_a_die_that_leans(learning: Learning, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vander.learning.play_learner.LIES_BADLY", ("flat",))
    learning.doubt()
    learning.answer("sad")
    assert learning.lesson().learned.dice == ()


def test_what_was_forgotten_meanwhile_is_not_learned(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    learning.play.reset(NAME)
    assert learning.lesson().learned.dice == ()


def test_a_full_disk_stops_neither_play_nor_learning(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    with full_disk():
        learning.learner.start()
        learning.learner.stop()
    lesson = learning.play.lesson(NAME)
    assert lesson.in_use is not None
    assert lesson.unsaved.endswith("It is used until Vander stops.")


def test_a_learner_that_fails_does_not_disturb_play(
    learning: Learning, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no features today")

    monkeypatch.setattr(learning.learner, "faces_stated", fail)
    monkeypatch.setattr(DieDescriber, "describe", fail)
    learning.doubt()
    learning.answer("sad")
    assert learning.table.snapshot().questions == ()
    assert learning.lesson().learned.dice == ()
    assert "no features today" in caplog.text


def test_after_an_update_dice_are_learned_again_from_the_pictures_that_were_kept(learning: Learning) -> None:
    learning.doubt()
    learning.answer("sad")
    learning.lesson()
    session = learning.samples.start_session(NAME, "play", "play-1")
    read = SampleReading("traffic", "three", 0.6, False, (), "reader")
    for seed, by in ((1, "answered at the table"), (2, "moved on the page")):
        label = FaceLabel("traffic", "sad", by, NOON)
        sample = NewSample(blotches(seed), RotatedSquare(60, 60, 40, 0), None, read, label, 0.5)
        learning.samples.save(session, NAME, None, [sample])
    learning.learner = learning.opened(version="-next")
    lesson = learning.lesson()
    assert lesson.found.endswith("1 die was learned again from its picture.")
    assert [(die.label, die.hardness) for die in lesson.learned.dice] == [(shows("sad"), 1.0)]
    assert lesson.learned.asked.now == AskedThrow(6, 1)


def test_the_body_is_kept_as_it_was_read_in_the_light_of_the_tray(learning: Learning) -> None:
    learning.dice.roll(*OPENING)
    learning.dice.unsure[5] = (("sad", 0.3),)
    seen = learning.dice.look()
    lit = (-1.5, 0.25, -0.125, 0.75, 1.0)
    dice = tuple(replace(die, reading=replace(die.reading, body=lit)) for die in seen.dice)
    learning.look(replace(seen, dice=dice))
    learning.answer("sad")
    (die,) = learning.said()
    assert die.example.features.body.tolist() == list(lit)
