"""Pictures are kept from play where the table has chosen so: of dice that people said something of, and of doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from laid_dice import cut_picture
from true_pipeline import ARRIVALS, TrueFinder, TrueReader

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from models.dataset import NewSample, Sample, SampleStore, is_near_duplicate
from models.dataset.samples import LabelSource
from referee.dice import Die, DieSet, FaceName
from referee.games import games
from referee.snapshot import QuestionTopic
from tests.waiting import wait_until
from vander.learning.accuracy import AccuracyLog, SpotChecker
from vander.learning.play_learner import FEW, MEGABYTE, MOST_JOBS, PlayRecorder
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.table.session import open_session
from vision.frame_reader import TrayPicture
from vision.frames import Pixels
from vision.observations import DieReading, DieSighting, Observation, Posture
from vision.pipeline import Pipeline
from vision.rectification import RotatedSquare, TrayView
from vision.tray_calibration import TrayLayout

OPENING = ("go", "happy", "happy", "star", "two", "three")
HAPPY, STAR = Die.parse("traffic:happy"), Die.parse("traffic:star")


def blotches(seed: int, height: int = 120, width: int = 120) -> Pixels:
    """A picture like no other."""
    small = np.random.default_rng(seed).integers(0, 256, (height // 10, width // 10, 3), np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


@dataclass
class Painted:
    """A sight whose dice look otherwise after each `look`."""

    looks: int = 0
    tray: tuple[int, int] | None = (240, 640)

    def die_image(self, number: int) -> Pixels:
        return blotches(1000 * self.looks + number)

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        return blotches(1000 * self.looks + number), RotatedSquare(60, 58, 40, 12)

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        return (blotches(self.looks, *self.tray), 20.0, 30.0) if self.tray else None

    def current_picture(self) -> None:
        return None

    def settled_picture(self) -> TrayPicture:
        return cut_picture(blotches(self.looks, 48, 64))


class Play:
    """A table whose play is kept, with dice laid out by hand."""

    def __init__(self, folder: Path, journal: Journal, dice: Any) -> None:
        self.dice, self.sight = dice, Painted()
        self.choices = PreferenceStore(folder)
        self.choices.save(replace(self.choices.current, keep_play=True, check_one_in=0))
        self.store = SampleStore(folder / "captured")
        self.keeper = PlayRecorder(self.store, self.choices, lambda: "reader 7", lambda: date(2026, 11, 21))
        self.table = open_session(
            journal,
            EvidenceStore(folder / "evidence"),
            games=games(),
            dice=die_sets.load("intersection"),
            recorder=self.keeper,
            checker=SpotChecker(AccuracyLog(folder), self.choices),
        )

    def start_session(self) -> None:
        self.look(self.dice.look())
        self.table.start("intersection", ["Ann"], {})

    def look(self, observation: Observation) -> None:
        """Let the table see this, in a picture of its own."""
        self.sight.looks += 1
        self.table.observe(observation, self.sight)

    def doubt(self, face: str = "three", other: str = "sad") -> None:
        """Throw all dice; the fifth shows a face in doubt."""
        self.dice.roll(*OPENING[:-1], face)
        self.dice.unsure[5] = ((other, 0.3),)
        self.look(self.dice.look())

    def answer(self, face: str) -> None:
        (question,) = self.table.snapshot().questions
        self.table.answer(question.number, face)

    def wait_for_shots(self, count: int) -> None:
        """Wait until so many pictures are written."""
        wait_until(lambda: len(self.store.samples("intersection")) == count)

    def kept(self) -> tuple[Sample, ...]:
        """What is kept once everything is written."""
        self.keeper.start()
        self.keeper.stop()
        assert self.keeper.trouble == ""
        return self.store.samples()


@pytest.fixture
def play(tmp_path: Path, dice: Any) -> Iterator[Play]:
    with closing(Journal.in_folder(tmp_path)) as journal:
        kept = Play(tmp_path, journal, dice)
        kept.start_session()
        yield kept


def labels(samples: Sequence[Sample]) -> list[tuple[str, str, str]]:
    """What was read, what was said and how, a shot each; '' where it waits."""
    return [
        (sample.read.face, sample.label.face if sample.label else "", sample.label.by if sample.label else "")
        for sample in samples
        if sample.read
    ]


def test_nothing_is_kept_unless_somebody_chose_so(play: Play) -> None:
    play.choices.save(replace(play.choices.current, keep_play=False))
    play.doubt()
    play.answer("sad")
    play.table.correct(1, "star")
    assert play.kept() == ()


def test_what_nobody_spoke_of_is_not_kept(play: Play) -> None:
    play.look(play.dice.roll(*OPENING))
    play.look(play.dice.look())
    assert play.kept() == ()


def test_a_doubtful_die_waits_with_all_that_is_known_of_it(play: Play) -> None:
    play.doubt()
    (sample,) = play.kept()
    assert sample.label is None
    assert (sample.die_set, sample.origin, sample.session) == ("intersection", "play", "play-20261121-intersection")
    assert sample.read
    assert (sample.read.kind, sample.read.face, sample.read.accepted) == ("traffic", "three", False)
    assert sample.read.confidence == pytest.approx(0.69)
    assert (sample.read.runners_up, sample.read.model) == ((("sad", 0.3),), "reader 7")
    assert sample.place == RotatedSquare(60, 58, 40, 12)
    assert sample.in_frame == RotatedSquare(500 - 20, 200 - 30, 50, 12)
    pixels = blotches(1000 * play.sight.looks + 5)
    assert np.array_equal(play.store.pixels(sample.name), pixels)
    assert sample.light == pytest.approx(pixels.mean() / 255, abs=1e-3)
    frame = play.store.frame(sample.name)
    assert frame is not None
    assert frame.shape == (240, 640, 3)


def test_the_waiting_place_of_a_die_that_is_answered_gets_the_label(play: Play) -> None:
    play.doubt()
    play.answer("sad")
    assert labels(play.kept()) == [("three", "sad", "answered at the table")]


def test_a_waiting_picture_that_was_written_long_before_gets_the_label_too(play: Play) -> None:
    play.keeper.start()
    play.doubt()
    play.wait_for_shots(1)
    play.answer("sad")
    play.keeper.stop()
    assert labels(play.store.samples()) == [("three", "sad", "answered at the table")]


def test_a_doubtful_die_that_somebody_threw_out_of_the_queue_is_kept_when_it_is_answered(play: Play) -> None:
    play.keeper.start()
    play.doubt()
    play.wait_for_shots(1)
    play.store.delete([play.store.samples()[0].name])
    play.answer("sad")
    play.keeper.stop()
    assert labels(play.store.samples()) == [("three", "sad", "answered at the table")]


def test_a_corrected_die_is_kept_with_what_was_read_and_what_was_said(play: Play) -> None:
    play.look(play.dice.roll(*OPENING))
    play.table.correct(4, "four")
    assert labels(play.kept()) == [("two", "four", "corrected at the table")]


def test_a_die_said_twice_is_kept_once_with_the_last_word(play: Play) -> None:
    play.look(play.dice.roll(*OPENING))
    play.table.correct(4, "four")
    play.table.correct(4, "sad")
    play.table.correct(4, "two")
    assert labels(play.kept()) == [("two", "two", "confirmed at the table")]


def test_the_dice_of_a_checked_throw_are_kept_together(play: Play) -> None:
    play.choices.save(replace(play.choices.current, check_one_in=1))
    play.look(play.dice.roll(*OPENING))
    check = play.table.check()
    assert check
    play.table.checked(check.number, {4: "four"})
    samples = play.kept()
    assert {by for _, _, by in labels(samples)} == {"checked at the table"}
    assert sorted((read, said) for read, said, _ in labels(samples)) == [
        ("go", "go"),
        ("happy", "happy"),
        ("happy", "happy"),
        ("star", "star"),
        ("three", "three"),
        ("two", "four"),
    ]
    assert len({sample.frame for sample in samples}) == 1


def test_a_die_that_leans_is_no_picture_to_learn_from(play: Play) -> None:
    observation = play.dice.roll(*OPENING)
    *others, die = observation.dice
    sighting = replace(die.reading.sighting, posture=Posture.COCKED)
    leaning = replace(die, reading=replace(die.reading, sighting=sighting, accepted=False))
    play.look(replace(observation, dice=(*others, leaning)))
    assert play.kept() == ()


def test_without_a_tray_in_sight_no_frame_is_kept(play: Play) -> None:
    play.sight.tray = None
    play.doubt()
    (sample,) = play.kept()
    assert (sample.frame, sample.in_frame) == ("", None)


def said(play: Play, throw: int, face: str, how: LabelSource, sure: float = 0.99) -> None:
    """Let people say a face of the first die, which was read happy, of a throw of its own."""
    play.sight.looks += 1
    die = play.dice.throw(d1="happy").dice[0]
    reading = replace(die.reading, confidence=sure)
    play.keeper.dice_settled("intersection", [replace(die, thrown=throw, reading=reading)], play.sight)
    play.keeper.faces_stated({1: (throw, Die(HAPPY.kind, FaceName(face)))}, how)


def test_the_same_picture_again_teaches_nothing_but_another_face(play: Play) -> None:
    for throw, face in enumerate(("happy", "happy", "star", "star"), 1):
        said(play, throw, face, LabelSource.CORRECTED)
        play.sight.looks -= 1
    assert [face for _, face, _ in labels(play.kept())] == ["happy", "star"]


def test_the_same_doubt_again_waits_once(play: Play) -> None:
    play.doubt()
    play.sight.looks -= 1
    play.doubt()
    assert labels(play.kept()) == [("three", "", "")]


def test_easy_ones_are_kept_only_while_a_face_has_few_and_hard_ones_always(play: Play) -> None:
    play.keeper.start()
    for throw in range(1, FEW + 4):
        said(play, throw, "happy", LabelSource.CHECKED)
        play.wait_for_shots(min(throw, FEW))
    said(play, 100, "happy", LabelSource.CHECKED, sure=0.8)
    said(play, 101, "star", LabelSource.CORRECTED)
    play.keeper.stop()
    samples = play.store.samples()
    assert [sample.label.face for sample in samples if sample.label] == ["happy"] * (FEW + 1) + ["star"]


def test_a_word_on_an_earlier_throw_is_not_taken_for_the_dice_that_lie_there_now(play: Play) -> None:
    said(play, 5, "happy", LabelSource.CHECKED)
    play.keeper.faces_stated({1: (4, STAR), 2: (5, STAR)}, LabelSource.CORRECTED)
    assert labels(play.kept()) == [("happy", "happy", "checked at the table")]


def test_other_dice_with_the_same_number_and_throw_are_not_taken_for_the_first(play: Play) -> None:
    said(play, 1, "happy", LabelSource.ANSWERED)
    play.sight = Painted(play.sight.looks)
    said(play, 1, "star", LabelSource.ANSWERED)
    assert [face for _, face, _ in labels(play.kept())] == ["happy", "star"]


def test_what_comes_while_the_disk_is_too_slow_is_let_go_and_the_table_never_waits(
    play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    for throw in range(1, MOST_JOBS + 4):
        said(play, throw, "happy", LabelSource.CORRECTED)
    assert "too slow" in caplog.text
    assert len(play.kept()) == MOST_JOBS


def test_what_is_still_to_be_written_when_it_is_switched_off_is_let_go(play: Play) -> None:
    play.doubt()
    play.choices.save(replace(play.choices.current, keep_play=False))
    assert play.kept() == ()


def test_the_quota_is_kept_by_thinning(play: Play) -> None:
    play.choices.save(replace(play.choices.current, quota_mb=20))
    play.keeper.start()
    play.sight.tray = None
    rng = np.random.default_rng(1)
    noise = [rng.integers(0, 256, (1500, 2000, 3), np.uint8) for _ in range(2)]
    for throw in range(1, 13):
        said(play, throw, "happy", LabelSource.CORRECTED)
        play.wait_for_shots(throw)
        taken = NewSample(blotches(throw), RotatedSquare(60, 60, 40, 0))
        play.store.save(play.store.start_session("d6", "play", "big"), "d6", noise[throw % 2], [taken])
    assert play.store.bytes_used_by("play") > 20 * MEGABYTE
    play.keeper.stop()
    assert play.store.bytes_used_by("play") <= 20 * MEGABYTE
    assert sum(sample.label is not None for sample in play.store.samples("intersection")) == 12


def fill(play: Play, how: str) -> int:
    """Keep more than the smallest quota of such pictures; gives how many bytes."""
    noise = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), np.uint8)
    session = play.store.start_session("d6", how, f"big-{how}")
    for seed in range(8):
        play.store.save(session, "d6", noise, [NewSample(blotches(seed), RotatedSquare(60, 60, 40, 0))])
    assert play.store.bytes_used_by(how) > 20 * MEGABYTE
    return play.store.bytes_used_by(how)


@pytest.mark.slow
def test_nothing_is_thrown_away_where_nobody_chose_to_keep_play(play: Play) -> None:
    kept = {how: fill(play, how) for how in ("play", "guided", "import")}
    play.choices.save(replace(play.choices.current, keep_play=False, quota_mb=20))
    play.keeper.start()
    play.keeper.prune_soon()
    play.keeper.stop()
    assert {how: play.store.bytes_used_by(how) for how in kept} == kept


@pytest.mark.slow
def test_a_lowered_quota_is_kept_at_once_and_touches_pictures_from_play_alone(play: Play) -> None:
    kept = {how: fill(play, how) for how in ("play", "guided", "import")}
    play.choices.save(replace(play.choices.current, quota_mb=20))
    play.keeper.start()
    play.keeper.prune_soon()
    wait_until(lambda: play.store.bytes_used_by("play") <= 20 * MEGABYTE)
    play.keeper.stop()
    assert play.store.bytes_used_by("play") > 10 * MEGABYTE
    for how in ("guided", "import"):
        assert play.store.bytes_used_by(how) == kept[how]


def test_a_lowered_quota_is_kept_although_there_is_much_to_write(play: Play) -> None:
    fill(play, "play")
    play.choices.save(replace(play.choices.current, quota_mb=20))
    for throw in range(1, MOST_JOBS + 1):
        said(play, throw, "happy", LabelSource.CORRECTED)
    play.keeper.prune_soon()
    play.keeper.start()
    wait_until(lambda: play.store.bytes_used_by("play") <= 20 * MEGABYTE)
    play.keeper.stop()


def test_a_damaged_picture_keeps_no_other_from_being_kept(play: Play) -> None:
    play.keeper.start()
    said(play, 1, "happy", LabelSource.CORRECTED)
    play.wait_for_shots(1)
    damaged = play.store.samples()[0]
    play.store.crop_path(damaged.name).write_bytes(b"\x89PNG")
    said(play, 2, "happy", LabelSource.CORRECTED)
    play.keeper.stop()
    assert play.keeper.trouble == ""
    (other,) = play.store.samples()
    assert other.name != damaged.name


def test_what_the_disk_refuses_is_said_and_play_goes_on(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    in_the_way = play.store.folder / "sessions" / "play-20261121-intersection"
    in_the_way.write_text("a file stands where the folder should be")
    play.keeper.start()
    play.doubt()
    wait_until(lambda: play.keeper.trouble != "")
    assert play.keeper.trouble.startswith("Pictures of play are not kept: ")
    assert "\n" not in play.keeper.trouble
    play.answer("sad")
    assert play.table.snapshot().mood == "calm"
    play.doubt()
    assert len([record for record in caplog.records if "not kept" in record.getMessage()]) == 1
    in_the_way.unlink()
    play.doubt()
    wait_until(lambda: play.keeper.trouble == "")
    play.keeper.stop()
    # The second throw waited for the answer about the first: it may be kept as well.
    assert {label for label in labels(play.store.samples()) if label[1] == ""} == {("three", "", "")}


class Stumbling(SampleStore):
    """A collection that does what nobody expects, once."""

    stumbled = False

    def save(self, session: str, die_set: str, frame: Pixels | None, dice: Sequence[NewSample]) -> tuple[Sample, ...]:
        if not self.stumbled:
            self.stumbled = True
            raise ZeroDivisionError("nobody expected this")
        return super().save(session, die_set, frame, dice)


def test_what_nobody_expected_is_said_and_the_next_picture_is_kept(
    play: Play, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    play.store = Stumbling(tmp_path / "stumbling")
    play.keeper = PlayRecorder(play.store, play.choices, lambda: "reader 7")
    said(play, 1, "happy", LabelSource.ANSWERED)
    said(play, 2, "star", LabelSource.ANSWERED)
    assert [face for _, face, _ in labels(play.kept())] == ["star"]
    assert "nobody expected this" in caplog.text


def test_a_keeper_that_never_started_stops(play: Play) -> None:
    play.keeper.stop()
    assert play.store.samples() == ()


# A game on the virtual tray


class DoubtingReader(TrueReader):
    """Reads what the dice show, but takes twos for threes, and doubts all stars."""

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        return tuple(map(_mistaken, super().read(view, sightings, dice)))


def _mistaken(reading: DieReading) -> DieReading:
    if reading.face == "two":
        return replace(reading, face=FaceName("three"))
    if reading.face == "star":
        return replace(reading, confidence=0.6, accepted=False, runners_up=((FaceName("happy"), 0.4),))
    return reading


class Throws:
    """Somebody who throws all dice on the virtual tray, looks at what the page says, and says what is wrong with it."""

    def __init__(self, play: Play, tray: VirtualTray) -> None:
        self.play, self.tray = play, tray
        self.camera = VirtualCamera(tray, paced=False, seed=4)
        self.camera.open()
        self.pipeline = Pipeline(TrueFinder(tray), DoubtingReader(tray), ARRIVALS, tray.die_set, TrayLayout())
        self.settle(0)

    def settle(self, throw: int) -> Observation:
        """Watch until the dice of that throw lie still."""
        for _ in range(2000):
            seen = self.pipeline.process(self.camera.frame())
            self.play.table.observe(seen, self.pipeline)
            if seen.at_rest and seen.throw == throw and len(seen.dice) == 6 and not seen.hands_in:
                return seen
        raise AssertionError(f"throw {throw} never came to rest")

    def throw(self, throw: int) -> dict[int, Die]:
        """Throw, answer what is asked, correct twos, and give what the dice really show, by the pipeline's numbers."""
        self.play.table.start("intersection", ["Ann"], {})
        self.tray.throw(range(1, 7))
        seen = self.settle(throw)
        width, height = self.tray.size
        lies = {int(d["number"]): (float(d["x"]) * width, float(d["y"]) * height) for d in self.tray.dice()}
        shows = {}
        for die in seen.dice:
            at = die.reading.sighting
            nearest = min(lies, key=lambda n: (lies[n][0] - at.x) ** 2 + (lies[n][1] - at.y) ** 2)
            true = truth(self.tray)[nearest]
            shows[die.number] = Die(true.kind, true.face)
        self._speak(shows)
        return shows

    def _speak(self, shows: dict[int, Die]) -> None:
        table = self.play.table
        while faces := [one for one in table.snapshot().questions if one.topic is QuestionTopic.FACE]:
            first = faces[0].dice[0]
            table.answer(faces[0].number, str(shows[first].face), die=first)
        for number, die in shows.items():
            if die.face == "two":
                table.correct(number, "two")


@pytest.mark.slow
def test_in_a_game_on_the_virtual_tray_every_picture_kept_shows_what_its_label_says(tmp_path: Path, dice: Any) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        play = Play(tmp_path, journal, dice)
        throws = Throws(play, VirtualTray("intersection", seed=2, size=(960, 720)))
        play.keeper.start()
        thrown = [throws.throw(number) for number in range(1, 5)]
        play.keeper.stop()
    shown = [die.face for throw in thrown for die in throw.values()]
    assert shown.count(FaceName("two")) > 1, "another seed is needed"
    assert shown.count(FaceName("star")) > 1, "another seed is needed"
    told = labels(play.store.samples())
    assert [said for read, said, _ in told if read == "three"] == ["two"] * shown.count(FaceName("two"))
    assert ("three", "two", "corrected at the table") in told
    stars = [(said, by) for read, said, by in told if read == "star"]
    assert len(stars) == len(told) - shown.count(FaceName("two")) >= shown.count(FaceName("star"))
    assert set(stars) == {("star", "answered at the table"), ("", "")}
    for sample in play.store.samples():
        assert _is_the_same_die(play.store, sample)


def _is_the_same_die(store: SampleStore, sample: Sample) -> bool:
    """Whether the die in the frame's picture is the one in its own."""
    frame, within = store.frame(sample.name), sample.in_frame
    assert frame is not None
    assert within is not None
    return is_near_duplicate(_around(store.pixels(sample.name), sample.place), _around(frame, within))


def _around(pixels: Pixels, place: RotatedSquare) -> Pixels:
    side = round(1.4 * place.edge)
    return np.asarray(cv2.getRectSubPix(pixels, (side, side), (place.x, place.y)), np.uint8)
