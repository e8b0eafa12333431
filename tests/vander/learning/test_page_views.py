"""What is known of captured dice and lessons, in the words of the page."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from showing import NOON, a_kind, a_sample, odd_dice, varied

from models.dataset import Sample, SampleReading
from referee.dice import DieSet, FaceName, KindName
from vander.learning import page_views
from vander.learning.lesson_store import LessonReport, StoredLesson
from vision.fewshot import Lesson, PldaModel
from web.schemas.learning_schemas import Share
from web.schemas.snapshot_schemas import TitledDie

DICE = odd_dice()
REPORT = LessonReport(
    at=NOON.isoformat(), reader="reader 7", pictures=18, sessions=1, hits=(16, 17, 18), by_session=False
)


def a_lesson(*faces: str, **report: object) -> StoredLesson:
    """Version 3 of a lesson with these faces; sun, moon and boat unless told otherwise."""
    named = tuple((KindName("odd"), FaceName(face)) for face in faces or ("sun", "moon", "boat"))
    plda = PldaModel(np.zeros(2), np.eye(2), np.ones(2), 1.0, 0.5, "reader 7")
    lesson = Lesson(plda, named, tuple(np.zeros((1, 2)) for _ in named), 1.0, 0.5)
    return StoredLesson(3, lesson, replace(REPORT, **report))  # type: ignore[arg-type]


def all_varied(each: int = 6) -> list[Sample]:
    return [sample for n, face in enumerate(("sun", "moon", "boat")) for sample in varied(face, each, 1 + 10 * n)]


def test_what_was_trusted_least_is_most_doubtful() -> None:
    sure, unsure = (a_sample(read=SampleReading("odd", "sun", sure, accepted=True)) for sure in (0.9, 0.2))
    assert page_views.doubt(sure) == pytest.approx(0.1)
    assert page_views.doubt(unsure) == pytest.approx(0.8)
    assert page_views.doubt(a_sample()) == 1.0


def test_dice_of_one_frame_were_taken_at_one_moment() -> None:
    names = ["20261121-1200-abc-0001-1", "20261121-1200-abc-0001-2", "20261121-1200-abc-0002-1", "alone"]
    moments = [page_views.moment(replace(a_sample(), name=name)) for name in names]
    assert moments[0] == moments[1]
    assert len(set(moments)) == 3
    assert moments[3] == "alone"


def test_a_captured_die_is_told_with_what_was_said_and_read() -> None:
    read = SampleReading("odd", "moon", 0.6, False, (("comet", 0.1), ("sun", 0.3)), "reader 7")
    shown = page_views.sample_view(DICE, a_sample("sun", read=read))
    assert (shown.picture, shown.dice) == ("20261121-1200-abc-0001-1", "ours")
    assert (shown.said, shown.read) == (TitledDie("odd", "sun", "Sun"), TitledDie("odd", "moon", "Moon"))
    assert [(one.title, one.share) for one in shown.likely] == [("Moon", 0.6), ("Sun", 0.3), ("Comet", 0.1)]
    assert (shown.by, shown.at, shown.doubt) == ("guided capture", "2026-11-21 12:00", pytest.approx(0.4))


@pytest.mark.parametrize("dice", [None, DICE])
def test_a_captured_die_without_label_or_reading_is_told_too(dice: DieSet | None) -> None:
    shown = page_views.sample_view(dice, a_sample(labelled=False))
    assert (shown.said, shown.read, shown.likely, shown.by) == (None, None, (), "")
    assert (shown.at, shown.doubt) == ("2026-11-21 12:00", 1.0)


@pytest.mark.parametrize(
    ("kind", "face", "title"),
    [("odd", "sun", "Sun"), ("odd", "pip-3", "3"), ("gone", "green-switch", "Green switch")],
)
def test_a_face_that_the_set_no_longer_has_is_still_called_something(kind: str, face: str, title: str) -> None:
    assert page_views.face_title(DICE, kind, face) == title


@pytest.mark.parametrize(
    ("pictures", "why"),
    [
        ([], "No picture of the Our dice has been taken yet; show them first."),
        ([a_sample(labelled=False)], "No picture of the Our dice has been taken yet; show them first."),
        (varied("sun", 9), "Only one face of the Our dice was shown; it takes at least 2 to tell faces apart."),
        (
            [*varied("sun", 3), *varied("moon", 1)],
            "Moon has one picture; at least 3 of each face are needed. Show it once more.",
        ),
        (
            [*varied("sun", 2), *varied("moon", 3)],
            "Sun has 2 pictures; at least 3 of each face are needed. Show it once more.",
        ),
        ([*varied("sun", 3), *varied("moon", 3)], ""),
    ],
)
def test_too_few_pictures_are_named(pictures: list[Sample], why: str) -> None:
    assert page_views.too_little(DICE, pictures) == why


@pytest.mark.parametrize(
    ("few", "named"), [(0, "Boat has no picture"), (1, "Boat has one picture"), (2, "Boat has 2 pictures")]
)
def test_a_face_with_too_few_pictures_is_left_out_and_named(few: int, named: str) -> None:
    enough, others = [*varied("sun", 3), *varied("moon", 4)], varied("boat", few)
    assert page_views.too_little(DICE, [*enough, *others]) == ""
    assert page_views.learnable([*enough, *others]) == enough
    assert page_views.left_out(DICE, [*enough, *others]).startswith(f"{named}: too few to be learned")
    assert page_views.left_out(DICE, [*enough, *varied("boat", 3)]) == ""
    assert named in page_views.lesson_view(DICE, a_lesson("sun", "moon"), [*enough, *others]).sentence


def test_of_many_faces_that_were_left_out_only_the_first_are_named() -> None:
    dice = odd_dice(a_kind("sun", *(f"face-{n}" for n in range(1, 8))))
    left_out = page_views.left_out(dice, varied("sun", 3))
    assert "Face-4 has no picture and 3 more likewise: too few" in left_out
    assert "Face-5" not in left_out


def test_a_lesson_is_told_with_what_to_expect_of_it() -> None:
    shown = page_views.lesson_view(DICE, a_lesson(), all_varied())
    assert (shown.dice, shown.title, shown.version, shown.at) == ("ours", "Our dice", 3, "2026-11-21 12:00")
    assert (shown.pictures, shown.faces, shown.sessions) == (18, 3, 1)
    assert shown.sentence == (
        "Of 18 pictures it would read 17 alone, 16 of them right, and ask about 6 %. "
        "Expect at least 73 % right of what it reads alone."
    )
    assert shown.right == Share(16, 17, 16 / 17, pytest.approx(0.730, abs=0.001), pytest.approx(0.990, abs=0.001))
    assert shown.asked == Share(1, 18, 1 / 18, pytest.approx(0.0099, abs=0.001), pytest.approx(0.2576, abs=0.001))
    assert "another day" in shown.checked_by


def test_a_lesson_proved_by_whole_sittings_says_so() -> None:
    shown = page_views.lesson_view(DICE, a_lesson(by_session=True, sessions=3), all_varied())
    assert shown.checked_by == "each of 3 sittings was read with what the others taught"


def test_a_lesson_that_would_read_nothing_by_itself_says_so() -> None:
    shown = page_views.lesson_view(DICE, a_lesson(hits=(0, 0, 18)), all_varied())
    assert shown.right is None
    assert shown.asked is not None
    assert shown.asked.share == 1.0
    assert "would read 0 alone" in shown.sentence
    assert "ask about 100 %" in shown.sentence


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_every_share_lies_in_its_interval(right: int, wrong: int, asked: int) -> None:
    hits = right, right + wrong, right + wrong + asked
    shown = page_views.lesson_view(DICE, a_lesson(hits=hits, pictures=sum(hits)), [])
    for share in (shown.right, shown.asked):
        assert share is None or 0 <= share.low <= share.share <= share.high <= 1
    assert (shown.right is None) == (right + wrong == 0)
    assert (shown.asked is None) == (right + wrong + asked == 0)


def test_confused_pairs_are_told_with_their_last_pictures() -> None:
    pairs = (("odd", "sun", "odd", "moon", 0.3), ("odd", "sun", "odd", "boat", 0.05))
    shown = page_views.lesson_view(DICE, a_lesson(confused=pairs), all_varied())
    alike, confused = shown.pairs
    assert (alike.kind, alike.face, alike.other, alike.alike) == ("odd", "sun", "moon", True)
    assert alike.sentence.startswith("Sun and Moon look alike: make them one face, or show both again")
    assert alike.pictures == tuple(f"20261121-1200-abc-000{n}-1" for n in (4, 5, 6))
    assert alike.other_pictures == tuple(f"20261121-1200-abc-00{n}-1" for n in (14, 15, 16))
    assert (confused.alike, confused.sentence) == (
        False,
        "Sun and Boat are taken for each other in 5 % of their pictures.",
    )


def test_faces_of_two_kinds_are_never_offered_to_be_one() -> None:
    dice = odd_dice(a_kind("sun"), a_kind("star", name="even"))
    shown = page_views.lesson_view(dice, a_lesson(confused=(("odd", "sun", "even", "star", 0.5),)), [])
    assert [(pair.face, pair.other, pair.alike) for pair in shown.pairs] == [("sun", "star", False)]


def test_a_pair_of_which_a_face_is_gone_is_not_told() -> None:
    merged = odd_dice(a_kind("sun", "boat"))
    shown = page_views.lesson_view(merged, a_lesson(confused=(("odd", "sun", "odd", "moon", 0.5),)), [])
    assert shown.pairs == ()


def test_suspects_are_told_with_what_they_look_like_first() -> None:
    read = SampleReading("odd", "boat", 0.6, False, (("moon", 0.3),))
    samples = [a_sample("sun", read=read), *all_varied()[1:]]
    shown = page_views.lesson_view(DICE, a_lesson(suspects=((samples[0].name, "odd", "moon"),)), samples)
    (suspect,) = shown.suspects
    assert suspect.said == TitledDie("odd", "sun", "Sun")
    assert [(one.title, one.share) for one in suspect.likely] == [("Moon", 1.0), ("Boat", 0.6)]


def test_a_suspect_that_was_thrown_away_or_called_rightly_is_none_any_more() -> None:
    kept = a_lesson(suspects=(("gone", "odd", "moon"), (a_sample().name, "odd", "moon")))
    assert len(page_views.lesson_view(DICE, kept, [a_sample("sun")]).suspects) == 1
    assert page_views.lesson_view(DICE, kept, [a_sample("moon")]).suspects == ()
    assert page_views.lesson_view(DICE, kept, []).suspects == ()


def later(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def test_a_lesson_is_stale_when_its_pictures_changed() -> None:
    samples, kept = all_varied(), a_lesson()
    assert not page_views.is_stale(kept, samples)
    assert page_views.is_stale(kept, samples[1:])
    assert page_views.is_stale(kept, [*samples, a_sample(number=99)])
    assert page_views.is_stale(kept, [*samples[1:], a_sample(number=99, said=later(1))])
    merged = [a_sample("sun") if sample.label and sample.label.face == "moon" else sample for sample in samples]
    assert page_views.is_stale(kept, merged)
    assert page_views.is_stale(a_lesson("sun", "moon", "comet"), samples)


def test_nothing_learned_says_why() -> None:
    shown = page_views.missing_lesson_view(DICE, "")
    assert (shown.version, shown.right, shown.pairs) == (0, None, ())
    assert "read as Vander came" in shown.sentence
    assert page_views.missing_lesson_view(DICE, "Too few.").sentence == "Too few."


def test_a_version_is_told_in_a_few_words() -> None:
    assert page_views.version(REPORT) == ("2026-11-21 12:00", "18 pictures, 16 of 17 accepted ones right")


def test_merged_faces_are_one_and_the_other_kinds_stay() -> None:
    dice = odd_dice(a_kind("sun", "moon", "boat"), a_kind("sun", "moon", name="even"))
    merged = page_views.with_faces_merged(dice, KindName("odd"), FaceName("sun"), FaceName("moon"))
    odd, even = merged.kinds
    assert [side.title for side in odd.sides] == ["Sun", "Sun", "Boat"]
    assert odd.faces == ("sun", "boat")
    assert even == dice.kinds[1]
    assert (merged.name, merged.edge_mm, [count for _, count in merged.counts]) == (
        "ours",
        16.0,
        [3, 3],
    )
    again = page_views.with_faces_merged(merged, KindName("odd"), FaceName("boat"), FaceName("sun"))
    assert again.kinds[0].faces == ("boat",)
