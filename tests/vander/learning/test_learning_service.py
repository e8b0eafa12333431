"""Dice that nobody has seen are shown on the virtual tray, taught, thrown and read: nothing is silently wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from showing import files, full_disk

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator import tray_dice
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models.die_sets import DieSetCatalog
from referee.dice import Zone
from referee.sentences import Reason, Refused
from vander.learning.guided_capture import NO_PICTURE_S, PAGE_LEFT_S, REST_FRAMES, WANTED
from vander.learning.learning_service import LearningHooks, LearningService
from vander.learning.lesson_store import LessonReport, LessonStore, StoredLesson, reader_id
from vander.resources import models_and_stores
from vander.storage.settings import load
from vision.fewshot import Lesson, PldaModel
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout
from web.schemas.learning_schemas import LessonVersion, NewKind

pytestmark = pytest.mark.slow  # all of it: one worker shows the dice to all tests, which takes seconds

STRANGE = tray_dice.STRANGE
(KIND,) = STRANGE.kinds
LOOK = "unseen-2"
LONGEST = 40
"""Frames in which a tray comes to rest, at fifteen a second."""


@dataclass
class Table:
    """The virtual tray with strange dice, a pipeline over it, and a learning in a data folder."""

    folder: Path
    models: models_and_stores.LoadedModels
    tray: VirtualTray
    camera: VirtualCamera

    def __post_init__(self) -> None:
        self.learning = self.opened()
        self.pipeline = self.a_pipeline()

    def opened(self) -> LearningService:
        """The learning, as after the program was started again."""
        self.rooms = models_and_stores.open_learning_stores(load(data_dir=self.folder), self.models)
        return LearningService(self.rooms, self.models.reader, self.models.plda)

    def a_pipeline(self) -> Pipeline:
        return self.models.pipeline(self.learning.showing or STRANGE, TrayLayout(), reader=self.learning.reader())

    def watch(self, frames: int = LONGEST) -> Observation:
        """Watch until the dice lie still, and the learning has seen them so."""
        seen = 0
        for _ in range(frames):
            observation = self.pipeline.process(self.camera.frame())
            if self.learning.showing:
                self.learning.observe(observation, self.pipeline)
            seen = seen + 1 if observation.at_rest else 0
            if seen == REST_FRAMES:
                break
        return observation

    def sit(self) -> None:
        """Begin to show the dice: with a pipeline that leaves nothing out."""
        self.learning.start_capture(STRANGE.name)
        self.pipeline = self.a_pipeline()
        self.watch()

    def rise(self) -> None:
        self.learning.stop_capture()
        self.pipeline = self.a_pipeline()

    def lay_up(self, face: str) -> None:
        """Turn every die until it shows that face, as a person would."""
        for number in range(1, 4):
            for _ in range(5):
                if truth(self.tray)[number].face == face:
                    break
                self.tray.tip(number)
                self.settle()

    def settle(self) -> None:
        """Let the tray come to rest without a pipeline on it."""
        for _ in range(12):
            self.tray.advance(0.1)

    def show(self, face: str, step: int) -> None:
        """Lay the dice with a face upward, elsewhere and otherwise than before, and let them be pictured."""
        self.tray.hand(True)
        self.lay_up(face)
        for number in range(1, 4):
            self.tray.move(number, 0.2 + 0.17 * number, 0.3 + 0.13 * ((step + number) % 4))
            self.settle()
            self.tray.twist(number, 20 + 13 * step)
            self.settle()
        self.pipeline.process(self.camera.frame())
        self.tray.hand(False)
        self.settle()
        self.watch()

    def throws(self, count: int) -> tuple[int, int, int]:
        """Throw so many times: dice that stand and are right, that stand and are wrong, and all that lie flat."""
        right = wrong = lie = 0
        for _ in range(count):
            self.tray.throw([1, 2, 3])
            for _ in range(50):
                self.tray.advance(0.1)
            observation = self.watch()
            shown = {die.number: die for die in truth(self.tray).values()}
            lie += len([die for die in shown.values() if die.flat])
            for die in observation.dice:
                if die.reading.accepted and die.zone is not Zone.OUT:
                    at = die.reading.sighting
                    true = min(shown.values(), key=lambda one: np.hypot(one.x_mm - at.x_mm, one.y_mm - at.y_mm))
                    right += true.face == die.reading.face
                    wrong += true.face != die.reading.face
        return right, wrong, lie


def a_table(folder: Path, models: models_and_stores.LoadedModels, seed: int = 4) -> Table:
    tray = VirtualTray("strange", seed=seed, mishaps=Mishaps(leans=0.0, leaves=0.0), size=(1280, 960))
    tray.set_out("strange", look=LOOK)
    camera = VirtualCamera(tray, paced=False, seed=seed)
    camera.open()
    DieSetCatalog(folder / "dice").save(STRANGE)
    return Table(folder, models, tray, camera)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, models: models_and_stores.LoadedModels) -> Table:
    """Every face was shown in six pictures, three dice at a time."""
    table = a_table(tmp_path_factory.mktemp("data"), models)
    table.sit()
    for face in KIND.faces:
        assert table.learning.capture_status().face == face
        for step in range(WANTED // 3):
            table.show(face, step)
    return table


@pytest.fixture
def table(shown: Table, tmp_path: Path) -> Table:
    """A table of one's own with the pictures that were shown, as after the program was started again."""
    shutil.copytree(shown.folder, tmp_path / "data")
    return a_table(tmp_path / "data", shown.models, seed=9)


def named(face: str) -> str:
    return f"strange-{face}"


def of_face(table: Table, face: str) -> list[str]:
    """The names of a face's pictures, newest first."""
    return [one.picture for one in table.learning.labelled_samples("strange", "strange", named(face))]


# ── shown, taught, thrown ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_whole_die_is_shown_in_two_pictures_a_face(shown: Table) -> None:
    assert shown.learning.capture_status().says == "Every face is enough. Teach them now, or show more."
    dice = shown.learning.die_set("strange")
    assert [(one.face, one.pictures, one.enough) for one in dice.faces] == [(face, 6, True) for face in KIND.faces]
    assert (dice.version, dice.fresh, dice.pictures, dice.sessions) == (0, True, 36, 1)
    assert shown.rooms.samples.problems == ()


def test_untaught_dice_are_all_asked_about(table: Table) -> None:
    right, wrong, lie = table.throws(4)
    assert (right, wrong) == (0, 0)
    assert lie == 12


def test_taught_dice_are_read_and_nothing_is_silently_wrong(table: Table) -> None:
    learned = table.learning.teach("strange")
    assert (learned.version, learned.pictures, learned.faces) == (1, 36, 6)
    assert learned.right.share == 1.0
    assert learned.pairs == learned.suspects == ()
    right, wrong, lie = table.throws(14)
    assert wrong == 0
    assert right > 0.9 * lie


def test_faces_that_were_not_taught_are_asked_about(table: Table) -> None:
    """Half of the faces are taught, so half of what is thrown was never shown; few of those look like another."""
    for face in ("paw", "boat", "cactus"):
        table.learning.delete_samples(of_face(table, face))
    assert "Paw has no picture, Boat has no picture" in table.learning.teach("strange").sentence
    right, wrong, lie = table.throws(14)
    assert wrong <= 1
    assert right > 0.25 * lie


def test_what_was_taught_is_still_read_after_the_program_was_started_again(table: Table) -> None:
    table.learning.teach("strange")
    before = table.learning.lesson("strange")
    table.learning = table.opened()
    assert table.learning.lesson("strange") == before
    table.pipeline = table.a_pipeline()
    assert table.throws(3)[0] > 5


def test_the_lesson_can_be_done_without_and_gone_back_to(table: Table) -> None:
    table.learning.teach("strange")
    table.learning.teach("strange")
    assert [one.version for one in table.learning.lesson("strange").versions] == [2, 1]
    gone_back = table.learning.use_lesson("strange", 0)
    assert (gone_back.version, len(gone_back.versions)) == (0, 2)
    assert table.throws(3)[:2] == (0, 0)
    assert table.learning.use_lesson("strange", 1).version == 1
    assert table.throws(3)[0] > 5
    with pytest.raises(Refused, match="There is no lesson 7"):
        table.learning.use_lesson("strange", 7)


def test_a_face_that_is_laid_instead_of_another_is_asked_about(table: Table) -> None:
    table.sit()
    table.learning.delete_samples(of_face(table, "paw"))
    table.learning.start_capture("strange", "strange", named("paw"))
    table.show(named("sun"), 0)
    capture = table.learning.capture_status()
    assert capture.says.startswith("That looks like Sun. Lay Paw upward")
    assert capture.taken == 0
    table.show(named("paw"), 1)
    assert table.learning.capture_status().taken == 3


def test_what_lies_there_when_the_sitting_begins_is_not_pictured(table: Table) -> None:
    before = len(table.rooms.samples.samples())
    table.sit()
    table.watch(10)
    assert table.learning.capture_status().in_view == 3
    assert len(table.rooms.samples.samples()) == before


# ── what may be wrong with the pictures ──────────────────────────────────────────────────────────────────────────────


def test_a_picture_under_a_wrong_name_is_found(table: Table) -> None:
    wrong = of_face(table, "boat")[2]
    table.learning.label_samples([wrong], "strange", named("eye"))
    learned = table.learning.teach("strange")
    (suspect,) = learned.suspects
    assert suspect.said is not None
    assert (suspect.picture, suspect.said.face, suspect.likely[0].face) == (wrong, named("eye"), named("boat"))
    table.learning.label_samples([wrong], "strange", named("boat"))
    assert table.learning.lesson("strange").suspects == ()
    assert table.learning.die_set("strange").fresh
    assert table.learning.teach("strange").suspects == ()


def test_a_symbol_under_two_names_is_told_and_can_be_made_one(table: Table) -> None:
    table.learning.delete_samples(of_face(table, "paw"))
    table.learning.label_samples(of_face(table, "sun")[:3], "strange", named("paw"))
    (pair,) = table.learning.teach("strange").pairs
    assert {pair.face, pair.other} == {named("sun"), named("paw")}
    assert pair.alike
    assert len(pair.pictures) == len(pair.other_pictures) == 3
    merged = table.learning.merge_faces("strange", "strange", named("sun"), named("paw"))
    assert (merged.faces[0].face, merged.faces[0].pictures) == (named("sun"), 6)
    assert len(merged.faces) == 5
    assert merged.fresh
    assert table.learning.lesson("strange").pairs == ()
    again = table.opened()
    assert again.die_set("strange") == table.learning.die_set("strange")
    assert again.teach("strange").pairs == ()


def test_a_face_that_was_merged_away_is_not_read_before_the_dice_are_taught_anew(table: Table) -> None:
    table.learning.teach("strange")
    table.learning.merge_faces("strange", "strange", named("sun"), named("paw"))
    ours = table.rooms.die_sets.load("strange")
    table.pipeline = table.models.pipeline(ours, TrayLayout(), reader=table.learning.reader())
    for _ in range(6):
        table.tray.throw([1, 2, 3])
        for _ in range(50):
            table.tray.advance(0.1)
        assert all(die.reading.face in ours.kinds[0].faces for die in table.watch().dice)


def test_faces_that_are_merged_while_they_are_shown_are_one_from_then_on(table: Table) -> None:
    table.sit()
    table.learning.start_capture("strange", "strange", named("paw"))
    table.learning.merge_faces("strange", "strange", named("sun"), named("paw"))
    assert table.learning.showing == table.rooms.die_sets.load("strange")
    assert table.learning.capture_status().face == named("sun")
    with pytest.raises(Refused, match="no face 'strange-paw'"):
        table.learning.start_capture("strange", "strange", named("paw"))


@pytest.mark.parametrize(
    ("keep", "why"),
    [(0, "No picture"), (1, "Only one face"), (2, "at least 3 of each face")],
)
def test_too_few_pictures_are_turned_down_and_nothing_is_learned(table: Table, keep: int, why: str) -> None:
    faces = KIND.faces
    gone = [name for face in faces[keep:] for name in of_face(table, face.removeprefix("strange-"))]
    table.learning.delete_samples(gone)
    if keep == 2:
        table.learning.delete_samples(of_face(table, faces[0].removeprefix("strange-"))[1:])
    with pytest.raises(Refused, match=why) as refused:
        table.learning.teach("strange")
    assert refused.value.reason == Reason.CONFLICT
    assert why in table.learning.lesson("strange").sentence
    assert not (table.folder / "lessons/strange").exists()


def test_pictures_of_a_face_that_the_set_lost_are_no_longer_learned(table: Table) -> None:
    table.learning.teach("strange")
    less = replace(KIND, sides=KIND.sides[:4])
    DieSetCatalog(table.folder / "dice").save(replace(STRANGE, counts=((less, 3),)))
    table.learning = table.opened()
    dice = table.learning.die_set("strange")
    assert (dice.pictures, dice.fresh, len(dice.faces)) == (24, True, 4)
    learned = table.learning.teach("strange")
    assert (learned.faces, learned.pictures) == (4, 24)
    assert not table.learning.die_set("strange").fresh


# ── what may be wrong with the box ───────────────────────────────────────────────────────────────────────────────────


def test_a_full_disk_is_one_sentence_and_the_lesson_in_use_stays(table: Table) -> None:
    table.learning.teach("strange")
    before = files(table.folder)
    with (
        full_disk(100),
        pytest.raises(Refused, match=r"The lesson of strange cannot be kept: File too large\.") as refused,
    ):
        table.learning.teach("strange")
    assert refused.value.reason == Reason.UNAVAILABLE
    assert files(table.folder) == before
    assert table.learning.lesson("strange").version == 1


def test_a_full_disk_in_the_middle_of_a_sitting_is_said_and_the_sitting_goes_on(table: Table) -> None:
    table.sit()
    table.show(named("sun"), 3)
    before = files(table.folder)
    with full_disk(2000):
        table.show(named("sun"), 4)
        assert "cannot be kept" in table.learning.capture_status().says
        assert table.learning.capture_status().mood == "trouble"
    assert files(table.folder) == before
    assert table.learning.capture_status().taken == 3
    table.show(named("sun"), 5)
    assert table.learning.capture_status().taken == 6


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "0001.npz").write_bytes(b"torn"),
        lambda folder: (folder / "0001.npz").unlink(),
        lambda folder: (folder / "in-use").write_text("soon"),
    ],
)
def test_a_lesson_that_cannot_be_read_is_learned_anew_from_its_pictures(
    table: Table, spoil: Callable[[Path], object]
) -> None:
    table.learning.teach("strange")
    spoil(table.folder / "lessons/strange")
    table.learning = table.opened()
    assert table.learning.lesson("strange").version in (1, 2)
    table.pipeline = table.a_pipeline()
    assert table.throws(3)[0] > 5


def test_a_lesson_without_pictures_that_cannot_be_read_is_said_and_hinders_nothing(table: Table) -> None:
    table.learning.teach("strange")
    (table.folder / "lessons/strange/0001.npz").write_bytes(b"torn")
    shutil.rmtree(table.folder / "captured")
    table.learning = table.opened()
    learned = table.learning.lesson("strange")
    assert learned.version == 0
    assert learned.sentence.startswith("The lesson ")
    assert "0001.npz cannot be read" in learned.sentence
    assert learned.versions == (LessonVersion(1, "", "cannot be read"),)
    assert "strange" in {dice.name for dice in table.learning.overview().dice}
    table.pipeline = table.a_pipeline()
    assert table.throws(2)[:2] == (0, 0)
    with pytest.raises(Refused, match=r"0001\.npz cannot be read") as refused:
        table.learning.use_lesson("strange", 1)
    assert refused.value.reason == Reason.UNAVAILABLE


def test_what_another_reader_learned_is_learned_anew_when_the_program_starts(table: Table) -> None:
    table.learning.teach("strange")
    kept = table.rooms.lessons.in_use("strange")
    table.rooms.lessons.save("strange", kept.lesson, replace(kept.report, reader="another one"))
    again = table.opened()
    assert again.lesson("strange").version == 3
    assert table.rooms.lessons.in_use("strange").report.reader == reader_id(table.models.reader, table.models.plda)


def test_a_disk_that_is_full_when_the_program_starts_does_not_hinder_it(table: Table) -> None:
    table.learning.teach("strange")
    kept = table.rooms.lessons.in_use("strange")
    table.rooms.lessons.save("strange", kept.lesson, replace(kept.report, reader="another one"))
    with full_disk(100):
        table.learning = table.opened()
    table.pipeline = table.a_pipeline()
    assert table.throws(2)[:2] == (0, 0)


def test_a_picture_that_is_damaged_is_left_out_and_named(table: Table) -> None:
    name = of_face(table, "sun")[0]
    table.rooms.samples.crop_path(name).write_bytes(b"torn")
    before = len(table.rooms.samples.samples("strange"))
    table.learning = table.opened()
    learned = table.learning.teach("strange")
    assert (learned.faces, learned.pictures) == (6, before - 1)
    assert name in table.learning.overview().trouble


def test_dice_that_are_dropped_leave_nothing_that_others_of_their_name_would_have(table: Table) -> None:
    table.learning.teach("strange")
    table.learning.delete_die_set("strange")
    assert not [name for name in files(table.folder) if "strange" in name or name.endswith(".png")]
    made = table.learning.make_die_set("Strange", [NewKind("Strange", ("Sun", "Paw"))])
    assert (made.name, made.pictures, made.version) == ("strange", 0, 0)


def test_dice_that_are_being_shown_are_not_dropped(table: Table) -> None:
    table.sit()
    with pytest.raises(Refused, match="being shown just now") as refused:
        table.learning.delete_die_set("strange")
    assert refused.value.reason == Reason.CONFLICT
    table.learning.stop_capture()
    with pytest.raises(Refused, match="no die set 'd6' that was made here"):
        table.learning.delete_die_set("d6")


def test_everybody_may_do_everything_at_once(table: Table) -> None:
    """Dice are shown and pictured while pages look, throw pictures away, label, teach and go back."""
    table.sit()
    faults: list[BaseException] = []
    over = Event()

    def often(deed: Callable[[], object]) -> None:
        try:
            while not over.wait(0.02):
                deed()
        except BaseException as fault:
            faults.append(fault)

    def throw_away() -> None:
        for name in of_face(table, "sun")[5:]:
            table.learning.delete_samples([name])

    deeds: list[Callable[[], object]] = [
        table.learning.overview,
        throw_away,
        lambda: table.learning.teach("strange"),
        lambda: table.learning.use_lesson("strange", 0),
        lambda: table.learning.label_samples(of_face(table, "boat")[:1], "strange", named("boat")),
    ]
    threads = [Thread(target=often, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for step in range(3):
        table.show(named("sun"), step)
    over.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert 5 <= len(of_face(table, "sun")) <= 8
    assert len(table.rooms.samples.samples()) == 30 + len(of_face(table, "sun"))
    assert table.opened().die_set("strange").pictures == len(table.rooms.samples.samples())
    assert table.learning.teach("strange").version >= 1


def test_no_dice_are_shown_while_play_cannot_lend_the_tray(table: Table) -> None:
    def refuse(_on: bool) -> None:
        raise Refused("Answer the open question first.")

    learning = LearningService(table.rooms, table.models.reader, table.models.plda, LearningHooks(refuse))
    with pytest.raises(Refused, match="Answer the open question first"):
        learning.start_capture("strange")
    assert (learning.showing, learning.capture_status()) == (None, None)


@dataclass
class Lending:
    """A game that is on, the clock of the service, and what became of the tray."""

    now: float = 0.0
    in_play: str = "intersection"
    lent: list[bool] = field(default_factory=list)

    def service(self, table: Table) -> LearningService:
        hooks = LearningHooks(self.lent.append, lambda: self.in_play)
        return LearningService(table.rooms, table.models.reader, table.models.plda, hooks, lambda: self.now)


def test_a_running_game_lends_the_tray_only_when_people_agree(table: Table) -> None:
    lending = Lending()
    learning = lending.service(table)
    with pytest.raises(Refused, match="A game is running"):
        learning.start_capture("strange")
    assert (learning.halts_game, learning.showing, lending.lent) == (True, None, [])
    learning.start_capture("strange", lend=True)
    assert (learning.halts_game, learning.showing, lending.lent) == (False, STRANGE, [True])
    learning.start_capture("strange", "strange", named("paw"))  # another face, not another halt


def test_a_capture_whose_page_was_left_gives_the_tray_back(table: Table) -> None:
    lending = Lending()
    learning = lending.service(table)
    learning.start_capture("strange", lend=True)
    for _ in range(10):
        lending.now += PAGE_LEFT_S - 1
        learning.capture_status()
        learning.end_unused_capture()
    assert learning.showing
    learning.overview()  # another page
    lending.now += PAGE_LEFT_S + 1
    learning.end_unused_capture()
    assert (learning.showing, lending.lent) == (None, [True, False])


def test_a_capture_without_a_picture_for_minutes_gives_the_tray_back(table: Table) -> None:
    lending = Lending()
    learning = lending.service(table)
    learning.start_capture("strange", lend=True)
    for _ in range(2):
        lending.now += NO_PICTURE_S - 1
        learning.press_shutter()
    lending.now += NO_PICTURE_S + 1
    learning.capture_status()
    learning.end_unused_capture()
    assert (learning.showing, lending.lent) == (None, [True, False])


def test_dice_of_a_game_that_goes_on_are_neither_dropped_nor_merged(table: Table) -> None:
    table.rooms.die_sets.save(replace(STRANGE, name="ours"))
    games_going = ["ours"]
    learning = LearningService(
        table.rooms, table.models.reader, table.models.plda, LearningHooks(in_play=lambda: games_going[0])
    )
    with pytest.raises(Refused, match="A game with these dice is going on"):
        learning.delete_die_set("ours")
    with pytest.raises(Refused, match="A game with these dice is going on"):
        learning.merge_faces("ours", "strange", named("sun"), named("paw"))
    assert len(learning.die_set("ours").faces) == 6
    games_going[0] = ""
    learning.delete_die_set("ours")
    assert "ours" not in table.rooms.die_sets.names()


def test_a_lesson_of_an_earlier_reader_is_not_gone_back_to(table: Table) -> None:
    table.learning.teach("strange")
    kept = table.rooms.lessons.in_use("strange")
    foreign = table.rooms.lessons.save("strange", kept.lesson, replace(kept.report, reader="another one"))
    table.learning.teach("strange")
    with pytest.raises(Refused, match="earlier reader"):
        table.learning.use_lesson("strange", foreign.version)
    assert table.learning.lesson("strange").version == foreign.version + 1


def test_a_picture_tells_by_which_lesson_it_was_read(table: Table) -> None:
    table.learning.use_lesson("strange", 0)
    assert table.learning.reader_version("strange") == table.models.reader.version
    version = table.learning.teach("strange").version
    assert table.learning.reader_version("strange") == f"{table.models.reader.version}/lesson {version}"


class SlowLessons(LessonStore):
    """A card so slow that a lesson is not saved before it is let go."""

    def __init__(self, folder: Path, plda: PldaModel) -> None:
        super().__init__(folder, plda)
        self.saving, self.let_go = Event(), Event()

    def save(self, name: str, lesson: Lesson, report: LessonReport) -> StoredLesson:
        self.saving.set()
        assert self.let_go.wait(60)
        return super().save(name, lesson, report)


def test_who_looks_at_the_tray_does_not_wait_for_a_lesson(table: Table) -> None:
    lessons = SlowLessons(table.folder / "lessons", table.models.plda)
    learning = LearningService(replace(table.rooms, lessons=lessons), table.models.reader, table.models.plda)
    learning.start_capture("strange")
    teaching = Thread(target=learning.teach, args=["strange"])
    teaching.start()
    assert lessons.saving.wait(60)
    table.pipeline = table.models.pipeline(STRANGE, TrayLayout(), reader=learning.reader())
    learning.observe(table.pipeline.process(table.camera.frame()), table.pipeline)
    learning.press_shutter()
    assert learning.showing == STRANGE
    assert learning.capture_status()
    lessons.in_use("strange")  # as the reader of every frame does
    learning.stop_capture()
    assert teaching.is_alive()
    lessons.let_go.set()
    teaching.join(60)
    assert not teaching.is_alive()
