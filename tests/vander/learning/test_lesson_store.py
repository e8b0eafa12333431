"""Lessons on disk: every version stays, any can be gone back to, and no file can do harm."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from showing import WEIGHTS, blotches, files, full_disk, odd_dice

from models.dataset import SaveFailed
from referee.dice import FaceName, KindName
from vander.learning.lesson_store import BATCH, BrokenLesson, LessonReport, LessonStore, TaughtReader, embed, reader_id
from vision.classification import Reader
from vision.fewshot import Example, Floats, Lesson, PldaModel
from vision.frames import Frame
from vision.observations import DieSighting, Posture
from vision.rectification import RotatedSquare, TrayView, crop, unrectified_view

FACES = ("sun", "moon", "boat")
REPORT = LessonReport(
    at="2026-11-21T12:00:00+00:00",
    reader="reader 7",
    pictures=6,
    sessions=2,
    hits=(5, 6, 6),
    by_session=True,
    confused=(("odd", "sun", "odd", "moon", 0.125),),
    suspects=(("20261121-1200-abc-0001-1", "odd", "boat"),),
)
places = st.lists(st.floats(-60, 60, width=32), min_size=3, max_size=3).map(np.array)


def a_plda(size: int = 3) -> PldaModel:
    return PldaModel(np.zeros(size), np.eye(size), np.full(size, 50.0), 1.0, 0.5, "reader 7")


def a_lesson(plda: PldaModel | None = None, seed: int = 0) -> Lesson:
    """Two pictures of each of FACES."""
    plda = plda or a_plda()
    rng = np.random.default_rng(seed)
    return Lesson.from_examples(
        plda, [an_example(rng.normal(size=len(plda.between_variance)) * 7, face) for face in FACES * 2]
    )


def an_example(place: Floats, face: str) -> Example:
    return Example(np.asarray(place, np.float64), (KindName("odd"), FaceName(face)), "one", "now")


@pytest.fixture
def lessons(tmp_path: Path) -> LessonStore:
    return LessonStore(tmp_path, a_plda())


@pytest.mark.slow
@given(st.lists(st.tuples(places, st.sampled_from(FACES)), min_size=1, max_size=12), places, st.floats(0.5, 40))
@settings(max_examples=30, deadline=None)
def test_a_lesson_read_back_reads_the_same(
    tmp_path_factory: pytest.TempPathFactory, shown: list[tuple[Floats, str]], seen: Floats, temperature: float
) -> None:
    folder = tmp_path_factory.mktemp("lessons")
    lesson = replace(Lesson.from_examples(a_plda(), [an_example(*one) for one in shown]), temperature=temperature)
    LessonStore(folder, a_plda()).save("ours", lesson, REPORT)
    kept = LessonStore(folder, a_plda()).in_use("ours")
    assert kept is not None
    assert (kept.version, kept.report, kept.lesson.faces) == (1, REPORT, lesson.faces)
    assert (kept.lesson.temperature, kept.lesson.accept_from) == (temperature, 0.5)
    assert kept.lesson.probabilities(seen[None]) == pytest.approx(lesson.probabilities(seen[None]), abs=1e-4)


def test_every_version_stays_and_the_newest_is_in_use(lessons: LessonStore) -> None:
    kept = [lessons.save("ours", a_lesson(seed=seed), replace(REPORT, pictures=seed)) for seed in range(3)]
    assert [one.version for one in kept] == [1, 2, 3]
    assert lessons.versions("ours") == (3, 2, 1)
    assert lessons.in_use("ours").report.pictures == 2
    assert [lessons.version("ours", n).report.pictures for n in (1, 2, 3)] == [0, 1, 2]
    assert lessons.versions("theirs") == ()
    assert lessons.in_use("theirs") is None


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_earlier_version_can_be_gone_back_to_for_good(tmp_path: Path, lessons: LessonStore, version: int) -> None:
    for seed in range(3):
        lessons.save("ours", a_lesson(seed=seed), REPORT)
    lessons.use("ours", version)
    for one in (lessons, LessonStore(tmp_path, a_plda())):
        assert one.in_use("ours").version == version
        embeddings = one.in_use("ours").lesson.embeddings
        assert embeddings[0] == pytest.approx(a_lesson(seed=version - 1).embeddings[0], abs=1e-5)
        assert one.versions("ours") == (3, 2, 1)
    assert lessons.save("ours", a_lesson(), REPORT).version == 4


def test_none_at_all_can_be_gone_back_to(tmp_path: Path, lessons: LessonStore) -> None:
    lessons.save("ours", a_lesson(), REPORT)
    lessons.use("ours", 0)
    assert lessons.in_use("ours") is None
    assert LessonStore(tmp_path, a_plda()).in_use("ours") is None
    assert LessonStore(tmp_path, a_plda()).problem("ours") == ""
    assert lessons.versions("ours") == (1,)


def test_a_version_that_there_is_not_is_not_taken_into_use(lessons: LessonStore) -> None:
    lessons.save("ours", a_lesson(), REPORT)
    with pytest.raises(BrokenLesson, match=r"0007\.npz"):
        lessons.use("ours", 7)
    assert lessons.in_use("ours").version == 1


def test_what_is_dropped_is_gone(tmp_path: Path, lessons: LessonStore) -> None:
    lessons.save("ours", a_lesson(), REPORT)
    lessons.save("theirs", a_lesson(), REPORT)
    lessons.delete("ours")
    assert lessons.in_use("ours") is None
    assert files(tmp_path) == ["theirs/0001.npz", "theirs/in-use"]
    assert lessons.save("ours", a_lesson(), REPORT).version == 1


@pytest.mark.parametrize("most_bytes", [0, 500])
def test_a_full_disk_is_one_sentence_and_leaves_all_as_it_was(
    tmp_path: Path, lessons: LessonStore, most_bytes: int
) -> None:
    lessons.save("ours", a_lesson(seed=1), REPORT)
    before = files(tmp_path)
    with full_disk(most_bytes), pytest.raises(SaveFailed, match=r"the lesson of ours cannot be kept: File too large"):
        lessons.save("ours", a_lesson(seed=2), REPORT)
    assert files(tmp_path) == before
    assert lessons.in_use("ours").version == 1
    assert lessons.save("ours", a_lesson(seed=2), REPORT).version == 2


def test_a_lesson_that_cannot_be_taken_into_use_is_not_kept(tmp_path: Path, lessons: LessonStore) -> None:
    (tmp_path / "ours" / "in-use").mkdir(parents=True)
    with pytest.raises(SaveFailed, match="which lesson of ours is in use cannot be kept"):
        lessons.save("ours", a_lesson(), REPORT)
    assert lessons.versions("ours") == ()
    assert lessons.in_use("ours") is None


def packed(**changes: Any) -> bytes:
    """A lesson's file, with these parts otherwise."""
    told = {"form": 1, "faces": [["odd", face] for face in FACES], "temperature": 1.0, "accept_from": 0.5}
    told |= {"report": {**vars(REPORT), **changes.pop("report", {})}}
    arrays = {"places": np.ones((3, 3), np.float32), "owners": np.arange(3, dtype=np.int32)}
    arrays |= {name: changes.pop(name) for name in tuple(changes) if name in arrays}
    file = BytesIO()
    np.savez(file, told=np.frombuffer(json.dumps({**told, **changes}).encode(), np.uint8), **arrays)
    return file.getvalue()


def as_npy() -> bytes:
    file = BytesIO()
    np.save(file, np.ones(3))
    return file.getvalue()


def with_objects() -> bytes:
    file = BytesIO()
    np.savez(file, told=np.array([{"form": 1}], object), places=np.ones((1, 3)), owners=np.zeros(1))
    return file.getvalue()


def as_large_as_it_says() -> bytes:
    """An array whose head says that it has billions of rows."""
    return packed().replace(b"'shape': (3, 3), }         ", b"'shape': (3999999999, 3), }")


FOREIGN: dict[str, bytes] = {
    "nothing": b"",
    "text": b"a lesson",
    "an array": as_npy(),
    "objects": with_objects(),
    "too large": as_large_as_it_says(),
    "another form": packed(form=2),
    "no form": packed(form=None),
    "no faces": packed(faces=None),
    "faces that are none": packed(faces=[["odd"]]),
    "a face never shown": packed(faces=[["odd", face] for face in (*FACES, "comet")]),
    "another space": packed(places=np.ones((3, 4))),
    "flat places": packed(places=np.ones(3)),
    "no numbers": packed(places=np.full((3, 3), np.nan)),
    "words for places": packed(places=np.full((3, 3), "sun")),
    "owners in a square": packed(owners=np.zeros((3, 3), np.int32)),
    "too few owners": packed(owners=np.arange(2)),
    "a single owner": packed(owners=np.array(1)),
    "no temperature": packed(temperature="warm"),
    "a frozen temperature": packed(temperature=0),
    "a temperature that is none": packed(temperature=float("nan")),
    "a report of less": packed(report={"hits": [1, 2]}),
    "a report of more": packed(report={"mood": "good"}),
    "no time": packed(report={"at": "yesterday"}),
    "a time of no zone": packed(report={"at": "2026-11-21T12:00:00"}),
    "pairs that are none": packed(report={"confused": [["odd", "sun"]]}),
    "suspects that are none": packed(report={"suspects": [3]}),
}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_file_that_is_no_lesson_is_named_in_one_sentence(tmp_path: Path, lessons: LessonStore, foreign: str) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours/0001.npz").write_bytes(FOREIGN[foreign])
    (tmp_path / "ours/in-use").write_text("1\n")
    with pytest.raises(BrokenLesson, match=r"the lesson .*ours/0001\.npz cannot be read") as broken:
        lessons.version("ours", 1)
    assert "\n" not in str(broken.value)
    assert lessons.in_use("ours") is None
    assert lessons.problem("ours") == str(broken.value)


def test_the_file_that_all_those_are_made_from_is_a_lesson(tmp_path: Path, lessons: LessonStore) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours/0001.npz").write_bytes(packed())
    assert lessons.version("ours", 1).report == REPORT


@given(st.floats(0, 0.999), st.binary(max_size=3))
@settings(max_examples=60, deadline=None)
def test_a_torn_or_spoilt_lesson_is_a_doubt_or_a_lesson_and_never_a_stumble(
    tmp_path_factory: pytest.TempPathFactory, where: float, instead: bytes
) -> None:
    whole = packed()
    at = int(where * len(whole))
    folder = tmp_path_factory.mktemp("lessons")
    (folder / "ours").mkdir()
    (folder / "ours/in-use").write_text("1\n")
    (folder / "ours/0001.npz").write_bytes(whole[:at] + instead + whole[at + len(instead) :] if instead else whole[:at])
    lessons = LessonStore(folder, a_plda())
    kept = lessons.in_use("ours")
    assert bool(lessons.problem("ours")) == (kept is None)
    assert kept is None or kept.lesson.probabilities(np.ones((1, 3))).sum() == pytest.approx(1.0)
    assert kept is None or instead


@pytest.mark.parametrize("written", [b"", b"soon", b"1.5", b"\xff", b"-1", b"99"])
def test_a_note_of_what_is_in_use_that_says_nothing_is_a_doubt(
    tmp_path: Path, lessons: LessonStore, written: bytes
) -> None:
    lessons.save("ours", a_lesson(), REPORT)
    (tmp_path / "ours/in-use").write_bytes(written)
    again = LessonStore(tmp_path, a_plda())
    assert again.in_use("ours") is None
    assert "cannot be read" in again.problem("ours")
    assert again.versions("ours") == (1,)


@pytest.mark.parametrize("mend", [lambda one: one.save("ours", a_lesson(), REPORT), lambda one: one.use("ours", 1)])
def test_a_lesson_that_cannot_be_read_is_mended_by_another(
    tmp_path: Path, lessons: LessonStore, mend: Callable[[LessonStore], Any]
) -> None:
    lessons.save("ours", a_lesson(), REPORT)
    lessons.save("ours", a_lesson(), REPORT)
    (tmp_path / "ours/0002.npz").write_bytes(b"torn")
    again = LessonStore(tmp_path, a_plda())
    assert again.problem("ours")
    mend(again)
    assert again.problem("ours") == ""
    assert again.in_use("ours") is not None
    assert again.version("ours", 1)


def test_other_files_beside_the_lessons_are_no_versions(tmp_path: Path, lessons: LessonStore) -> None:
    lessons.save("ours", a_lesson(), REPORT)
    for name in ("0002 (copy).npz", "3.npz", "00004.npz", "5a.npz", "0006.npz.part", "٠٠٠٧.npz", "note.txt"):
        (tmp_path / "ours" / name).write_bytes(b"")
    (tmp_path / "ours/0002.npz").mkdir()
    assert lessons.versions("ours") == (2, 1)
    with pytest.raises(BrokenLesson):
        lessons.use("ours", 2)
    assert lessons.save("ours", a_lesson(), REPORT).version == 3


def test_what_many_threads_learn_and_read_is_in_the_end_what_is_on_disk(tmp_path: Path, lessons: LessonStore) -> None:
    faults: list[BaseException] = []

    def often(deed: Callable[[], object]) -> None:
        try:
            for _ in range(12):
                deed()
        except BaseException as fault:
            faults.append(fault)

    deeds = [
        lambda: lessons.save("ours", a_lesson(), REPORT),
        lambda: lessons.save("ours", a_lesson(seed=1), REPORT),
        lambda: lessons.use("ours", 0),
        lambda: lessons.in_use("ours"),
        lambda: [lessons.version("ours", number) for number in lessons.versions("ours")[-2:]],
    ]
    threads = [Thread(target=often, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert lessons.versions("ours") == tuple(range(24, 0, -1))
    now, there = lessons.in_use("ours"), LessonStore(tmp_path, a_plda()).in_use("ours")
    assert (now and now.version) == (there and there.version)


# ── the reader with a lesson ─────────────────────────────────────────────────────────────────────────────────────────

SEEDS = (0, 2, 7)
"""Blotches that lie flat, for all that the network can tell."""
DIE = DieSighting(60.0, 60.0, 50.0, 0.0, Posture.FLAT, 0.95, 60.0, 60.0, 50.0)


def view(seed: int) -> TrayView:
    return unrectified_view(Frame(blotches(seed), 1, 0.0))


@pytest.fixture
def taught(tmp_path: Path, reader: Reader) -> tuple[LessonStore, TaughtReader]:
    """Blotches are taught as faces: what no drawing can be taken for."""
    plda = PldaModel.load(WEIGHTS / "space.npz")
    lessons = LessonStore(tmp_path, plda)
    cuts = [crop(blotches(seed), RotatedSquare(60, 60, 50, 0)) for seed in SEEDS]
    examples = [an_example(place, face) for place, face in zip(plda.project(reader.features(cuts)), FACES, strict=True)]
    lessons.save("ours", Lesson.from_examples(plda, examples), replace(REPORT, reader=reader_id(reader, plda)))
    return lessons, TaughtReader(reader, lessons)


def shows(reader: TaughtReader, seed: int) -> str:
    """The face that stands, '' for none."""
    readings = reader.read(view(seed), [DIE], odd_dice())
    return next((die.face for die in readings if die.accepted), "")


def test_dice_are_read_with_the_lesson_that_is_in_use_when_they_are_read(
    taught: tuple[LessonStore, TaughtReader],
) -> None:
    lessons, reader = taught
    assert [shows(reader, seed) for seed in SEEDS] == list(FACES)
    lessons.use("ours", 0)
    assert [shows(reader, seed) for seed in SEEDS] == ["", "", ""]
    lessons.use("ours", 1)
    assert shows(reader, 2) == "moon"


def test_what_another_reader_learned_is_of_no_use(taught: tuple[LessonStore, TaughtReader]) -> None:
    lessons, reader = taught
    kept = lessons.in_use("ours")
    lessons.save("ours", kept.lesson, replace(kept.report, reader="0" * 12))
    assert [shows(reader, seed) for seed in SEEDS] == ["", "", ""]


def test_a_lesson_is_for_its_own_dice(taught: tuple[LessonStore, TaughtReader], reader: Reader) -> None:
    _, with_lesson = taught
    theirs = replace(odd_dice(), name="theirs")
    for dice in (theirs, None):
        assert with_lesson.read(view(2), [DIE], dice) == reader.read(view(2), [DIE], dice)
    assert with_lesson.accept_from == reader.accept_from


def test_a_broken_lesson_lets_dice_be_read_as_they_came(
    tmp_path: Path, taught: tuple[LessonStore, TaughtReader], reader: Reader
) -> None:
    (tmp_path / "ours/0001.npz").write_bytes(b"torn")
    again = TaughtReader(reader, LessonStore(tmp_path, PldaModel.load(WEIGHTS / "space.npz")))
    assert again.read(view(2), [DIE], odd_dice()) == reader.read(view(2), [DIE], odd_dice())


def test_many_dice_are_embedded_one_as_the_other(reader: Reader) -> None:
    dice = [(blotches(seed), RotatedSquare(60, 60, 30 + seed % 5, 10.0 * seed)) for seed in range(BATCH + 3)]
    together = embed(reader, dice)
    assert together.shape == (BATCH + 3, len(PldaModel.load(WEIGHTS / "space.npz").mean))
    for number in (0, BATCH - 1, BATCH, BATCH + 2):
        assert together[number] == pytest.approx(embed(reader, [dice[number]])[0], abs=1e-4)
