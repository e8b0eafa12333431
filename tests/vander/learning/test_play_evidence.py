"""What was learned in play is used from the next reading on, and what is wrong with it is said in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from learned import PLDA, SIZES, learned, shows
from showing import files, full_disk, odd_dice

from models.dataset import SaveFailed
from models.die_sets import DieSetCatalog
from referee.dice import NoSuchFace
from referee.sentences import Refused
from vander.learning.learned_dice import MOST_LINES, AskedThrow, FeatureStore, LearnedDie
from vander.learning.lesson_store import LessonStore
from vander.learning.play_evidence import LOOKED_AT, PlayEvidence
from vision.table_evidence import ReferenceSet

NAME = "intersection"


def opened(folder: Path, reader: str = "reader-7") -> PlayEvidence:
    """What was learned, as after the program was started again."""
    store, lessons = FeatureStore(folder / "features", reader, SIZES), LessonStore(folder / "lessons", PLDA)
    return PlayEvidence(store, DieSetCatalog(folder / "dice"), lessons, PLDA, ReferenceSet((), 0.9))


def file(folder: Path) -> Path:
    return folder / f"features/{NAME}.jsonl"


def numbers(play: PlayEvidence) -> list[int]:
    return [int(die.origin.split("-")[2]) for die in play.lesson(NAME).learned.dice]


def faces(play: PlayEvidence) -> list[str]:
    return [die.label[1] for die in play.lesson(NAME).learned.dice]


def taught(folder: Path, *dice: LearnedDie) -> PlayEvidence:
    play = opened(folder)
    for die in dice:
        play.add(NAME, [die], [AskedThrow(6, 1)])
    return play


def test_what_was_learned_is_in_use_at_once_and_after_a_restart(tmp_path: Path) -> None:
    for play in (taught(tmp_path, learned(1), learned(2, "two")), opened(tmp_path)):
        lesson = play.lesson(NAME)
        assert lesson.in_use is not None
        assert lesson.in_use.faces == (shows("sad"), shows("two"))
        assert (lesson.found, lesson.unsaved, lesson.learned.asked.now) == ("", "", AskedThrow(12, 2))
        assert lesson.in_use.borne_out == lesson.learned.borne_out


def test_of_dice_that_nobody_played_with_nothing_is_in_use(tmp_path: Path) -> None:
    play = opened(tmp_path)
    assert (play.lesson(NAME).in_use, play.suspects(NAME)) == (None, ())
    assert files(tmp_path) == []


def test_an_answer_that_is_taken_back_is_neither_used_nor_on_disk(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1), learned(2), learned(3, stood=True))
    play.withdraw(NAME, [learned(2).origin, "run-9-9-9"])
    assert numbers(play) == numbers(opened(tmp_path)) == [1]
    assert learned(2).origin not in file(tmp_path).read_text()
    assert play.lesson(NAME).in_use.examples == play.lesson(NAME).learned.examples


def test_the_last_of_two_answers_that_contradict_each_other_counts_and_the_other_is_said(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1, "sad"), learned(1, "happy"))
    for now in (play, opened(tmp_path)):
        (die,) = now.lesson(NAME).learned.dice
        assert (die.label, die.before) == (shows("happy"), shows("sad"))


def test_an_answer_after_one_that_was_taken_back_says_so_too(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1, "sad"))
    play.withdraw(NAME, [learned(1).origin])
    play.add(NAME, [learned(1, "happy")])
    for now in (play, opened(tmp_path)):
        assert now.lesson(NAME).learned.dice[0].before == shows("sad")


def test_a_label_that_is_mended_on_the_page_counts_from_then_on(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1, "sad"), learned(2, "two"))
    play.label(NAME, learned(1).origin, shows("two"))
    for now in (play, opened(tmp_path)):
        die = now.lesson(NAME).learned.by_origin[learned(1).origin]
        assert (die.label, die.by, die.looked_at) == (shows("two"), LOOKED_AT, True)


@pytest.mark.parametrize(("origin", "label"), [("run-9-9-9", shows("two")), (learned(1).origin, shows("whale"))])
def test_a_label_that_cannot_be_is_refused_and_changes_nothing(tmp_path: Path, origin: str, label: tuple) -> None:
    play = taught(tmp_path, learned(1))
    before = file(tmp_path).read_bytes()
    with pytest.raises((Refused, NoSuchFace)):
        play.label(NAME, origin, label)
    assert file(tmp_path).read_bytes() == before


def test_all_that_was_learned_of_one_set_is_forgotten_for_good_and_of_no_other(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1))
    play.add("d6", [learned(2, "pip-1", kind="d6")])
    play.reset(NAME)
    assert (play.lesson(NAME).learned.dice, play.lesson(NAME).in_use) == ((), None)
    assert files(tmp_path) == ["features/d6.jsonl"]
    assert len(opened(tmp_path).lesson("d6").learned.dice) == 1


def test_what_was_under_way_when_all_was_forgotten_is_not_learned(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1))
    play.reset(NAME)
    play.add(NAME, [learned(2)], resets=0)
    assert numbers(play) == []
    play.add(NAME, [learned(3)], resets=play.lesson(NAME).resets)
    assert numbers(play) == [3]


# Die sets that change


def test_dice_of_a_face_that_was_merged_into_another_show_that_one(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1, "sad"), learned(2, "two"))
    play.rename(NAME, shows("happy"), shows("sad"))
    assert faces(play) == faces(opened(tmp_path)) == ["happy", "two"]


def test_a_face_that_the_set_lost_meanwhile_is_forgotten_with_a_sentence(tmp_path: Path) -> None:
    catalog = DieSetCatalog(tmp_path / "dice")
    catalog.save(odd_dice())
    play = opened(tmp_path)
    play.add("ours", [learned(1, "sun", kind="odd"), learned(2, "whale", kind="odd")])
    assert [die.label[1] for die in play.lesson("ours").learned.dice] == ["sun"]
    assert play.lesson("ours").found == "One die was forgotten that showed a face which these dice no longer have."


def test_after_the_file_of_a_set_was_changed_its_old_faces_are_forgotten_with_a_sentence(tmp_path: Path) -> None:
    store = FeatureStore(tmp_path / "features", "reader-7", SIZES)
    store.append(NAME, [learned(1, "sad"), learned(2, "whale"), learned(3, "boat")])
    play = opened(tmp_path)
    assert faces(play) == ["sad"]
    assert play.lesson(NAME).found == "2 dice were forgotten that showed a face which these dice no longer have."
    assert opened(tmp_path).lesson(NAME).found == ""


def test_dice_of_a_set_that_was_deleted_are_not_learned(tmp_path: Path) -> None:
    play = opened(tmp_path)
    play.add("gone", [learned(1)])
    assert files(tmp_path) == []


# Files that are damaged or old, and disks that are full


def test_of_a_damaged_file_what_is_sound_is_used_and_the_rest_is_set_aside_with_a_sentence(tmp_path: Path) -> None:
    taught(tmp_path, learned(1), learned(2))
    lines = file(tmp_path).read_text().splitlines(keepends=True)
    damaged = "".join((lines[0], lines[1], lines[2].replace("run-1-2-1", "run-1-8-1"), lines[3]))
    file(tmp_path).write_text(damaged)
    play = opened(tmp_path)
    assert numbers(play) == [1]
    assert play.lesson(NAME).found == "What was learned in play is damaged; 1 die of it could be read."
    assert (tmp_path / f"features/{NAME}.damaged.jsonl").read_text() == damaged
    assert opened(tmp_path).lesson(NAME).found == ""


def test_a_file_that_is_damaged_through_and_through_is_set_aside(tmp_path: Path) -> None:
    file(tmp_path).parent.mkdir()
    file(tmp_path).write_bytes(b"\x00\xff\n" * 40)
    play = opened(tmp_path)
    assert play.lesson(NAME).found == "What was learned in play is damaged; it starts again."
    play.add(NAME, [learned(1)])
    assert numbers(opened(tmp_path)) == [1]


def test_on_a_full_disk_play_goes_on_with_what_is_in_memory_and_it_is_kept_later(tmp_path: Path) -> None:
    play = taught(tmp_path, learned(1))
    before = file(tmp_path).read_bytes()
    with full_disk(len(before)):
        play.add(NAME, [learned(2)])
        play.withdraw(NAME, [learned(1).origin])
        assert file(tmp_path).read_bytes() == before
    assert play.lesson(NAME).unsaved == (
        "What was learned of intersection cannot be kept: File too large. It is used until Vander stops."
    )
    assert numbers(play) == [2]
    assert len(play.lesson(NAME).in_use.examples) == 1
    play.add(NAME, [learned(3)])
    assert play.lesson(NAME).unsaved == ""
    assert numbers(opened(tmp_path)) == [2, 3]


def test_what_could_not_be_kept_is_kept_at_the_end_if_there_is_room_again(tmp_path: Path) -> None:
    play = opened(tmp_path)
    with full_disk():
        play.add(NAME, [learned(1)])
        assert file(tmp_path).read_bytes() == b""
    play.save()
    assert numbers(opened(tmp_path)) == [1]


def test_where_nothing_can_be_deleted_nothing_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = taught(tmp_path, learned(1))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(SaveFailed, match="what was learned of intersection cannot be kept: Permission denied"):
        play.reset(NAME)
    assert numbers(play) == [1]


def test_what_another_reader_described_is_learned_again_where_pictures_were_kept(tmp_path: Path) -> None:
    taught(tmp_path, learned(1), learned(2), learned(3))
    play = opened(tmp_path, "reader-8")
    assert play.outdated() == (NAME,)
    assert play.lesson(NAME).in_use is None
    play.relearn(NAME, [learned(1), learned(2)])
    for now in (play, opened(tmp_path, "reader-8")):
        assert numbers(now) == [1, 2]
        assert now.lesson(NAME).learned.asked.now == AskedThrow(18, 3)
    assert play.lesson(NAME).found == (
        "Vander reads dice in a new way since its update: 2 dice were learned again from their pictures."
    )
    assert play.outdated() == opened(tmp_path, "reader-8").outdated() == ()


def test_what_another_reader_described_and_nobody_pictured_starts_anew_with_a_sentence(tmp_path: Path) -> None:
    taught(tmp_path, learned(1))
    play = opened(tmp_path, "reader-8")
    play.relearn(NAME, [])
    assert play.lesson(NAME).found == (
        "Vander reads dice in a new way since its update: what was learned in play starts again."
    )
    assert numbers(opened(tmp_path, "reader-8")) == []


def test_a_file_that_grew_long_is_written_again_with_what_is_remembered(tmp_path: Path) -> None:
    FeatureStore(tmp_path / "features", "reader-7", SIZES).append(NAME, [learned(1)], [AskedThrow(1, 0)] * MOST_LINES)
    opened(tmp_path).add(NAME, [learned(2)])
    assert len(file(tmp_path).read_text().splitlines()) == 3
    assert numbers(opened(tmp_path)) == [1, 2]


# Answers that look wrong


def test_an_answer_that_looks_wrong_is_named_until_it_is_kept_or_mended(tmp_path: Path) -> None:
    sads, twos = [learned(number, "sad") for number in range(1, 7)], [learned(number, "two") for number in range(7, 12)]
    play = taught(tmp_path, *sads, *twos, learned(12, "two", look="sad"))
    (suspect,) = play.suspects(NAME)
    assert (suspect.example.origin, suspect.looks_like) == (learned(12).origin, shows("sad"))
    play.label(NAME, learned(12).origin, shows("two"))
    assert play.suspects(NAME) == opened(tmp_path).suspects(NAME) == ()
    play.label(NAME, learned(12).origin, shows("sad"))
    assert play.suspects(NAME) == ()
    assert play.lesson(NAME).learned.counts[shows("sad")] == 7
