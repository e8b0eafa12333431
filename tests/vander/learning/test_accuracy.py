"""Now and then people are asked whether a throw was read right; from that comes the table's own accuracy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from models import die_sets
from models.dataset.samples import AnsweredCheck, CheckedDie, LabelSource
from referee.dice import Die, Zone
from referee.fair_play import is_asked_note
from referee.games import games
from referee.sentences import Reason, Refused
from vander.learning.accuracy import AccuracyCounts, AccuracyLog, BrokenAccuracyLog, SpotChecker
from vander.storage.data_folder import StorageError, Unwritten
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.table.questions import AS_IT_LIES
from vander.table.session import Session, open_session
from web.schemas.learning_schemas import Choices, ThrowCheck

HAPPY, SAD = Die.parse("traffic:happy"), Die.parse("traffic:sad")
ROLL = "camera 1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"


# The counts and their file


def lines(folder: Path) -> list[dict[str, Any]]:
    path = folder / "certificate.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_before_the_first_answer_nothing_is_claimed(tmp_path: Path) -> None:
    certificate = AccuracyLog(tmp_path).summarize()
    assert (certificate.right, certificate.throws, certificate.asked, certificate.corrected) == (None,) * 4
    assert certificate.sentence == "Nobody has said yet whether a throw was read right."


def test_shares_come_with_their_intervals(tmp_path: Path) -> None:
    certificates = AccuracyLog(tmp_path)
    certificates.add(AccuracyCounts(throws=4, read=20, asked=1, corrected=2, waiting=3))
    certificates.add_answer(AccuracyCounts(checks=2, clean=1, checked=10, right=9))
    certificate = certificates.summarize()
    assert certificate.right is not None
    assert (certificate.right.hits, certificate.right.count, certificate.right.share) == (9, 10, 0.9)
    assert (certificate.right.low, certificate.right.high) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    shares = [certificate.throws, certificate.asked, certificate.corrected]
    assert [(share.hits, share.count) for share in shares if share] == [(1, 2), (1, 20), (2, 20)]
    assert certificate.waiting == 3
    assert "59.6 to 98.2 %" in certificate.sentence


def test_what_was_counted_is_there_after_a_restart(tmp_path: Path) -> None:
    with closing(AccuracyLog(tmp_path)) as certificates:
        for _ in range(7):
            certificates.add(AccuracyCounts(throws=1, read=6))
        certificates.add_answer(AccuracyCounts(checks=1, checked=5, right=4))
        certificates.add(AccuracyCounts(throws=1, read=2))
        before, since = certificates.tally, certificates.summarize().since
    again = AccuracyLog(tmp_path)
    assert again.tally == before == AccuracyCounts(throws=8, read=44, checks=1, checked=5, right=4)
    assert again.summarize().since == since != ""


def test_a_pulled_plug_loses_few_counts_and_no_answer(tmp_path: Path) -> None:
    certificates = AccuracyLog(tmp_path)
    for _ in range(9):
        certificates.add(AccuracyCounts(throws=1))
    assert AccuracyLog(tmp_path).tally == AccuracyCounts(throws=5)
    certificates.add_answer(AccuracyCounts(checks=1))
    assert AccuracyLog(tmp_path).tally == AccuracyCounts(throws=9, checks=1)


def test_a_file_is_not_written_for_nothing(tmp_path: Path) -> None:
    AccuracyLog(tmp_path).close()
    assert lines(tmp_path) == []


@pytest.mark.parametrize("torn", [b'{"at": "2026-01-', b'{"at": "2026-01-01", "checks": 1}', b"\0" * 200 + b"\n"])
def test_a_torn_last_line_is_dropped_and_written_over(tmp_path: Path, torn: bytes) -> None:
    AccuracyLog(tmp_path).add_answer(AccuracyCounts(checks=1))
    path = tmp_path / "certificate.jsonl"
    path.write_bytes(path.read_bytes() + torn)
    certificates = AccuracyLog(tmp_path)
    assert certificates.tally == AccuracyCounts(checks=1)
    certificates.add_answer(AccuracyCounts(checks=2))
    assert [line["checks"] for line in lines(tmp_path)] == [1, 2]
    assert AccuracyLog(tmp_path).tally == AccuracyCounts(checks=3)


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"checks": 1}',
        '{"at": "x", "checks": -1}',
        '{"at": "x", "colour": 3}',
        '{"at": 5}',
        '{"at": "x", "throw": 1}',
        '{"at": "x", "throw": {"game": 1, "entry": -1, "dice": []}}',
        '{"at": "x", "throw": {"game": 1, "entry": 1, "dice": [["happy", "sad"]]}}',
        '{"at": "x", "throw": {"game": 1, "entry": 1, "dice": [[1, 2]]}}',
        '{"at": "x", "throw": {"game": 1, "entry": 1, "dice": [["traffic:sad"]]}}',
        "[" * 5000,
    ],
)
def test_any_other_damage_is_one_sentence_and_left_as_it_is(tmp_path: Path, line: str) -> None:
    path = tmp_path / "certificate.jsonl"
    text = f'{{"at": "x", "checks": 1}}\n{line}\n{{"at": "x", "checks": 1}}\n'
    path.write_text(text)
    with pytest.raises(BrokenAccuracyLog, match=r"^the certificate .* is damaged in line 2; [^\n]+$") as damaged:
        AccuracyLog(tmp_path)
    assert isinstance(damaged.value, StorageError)
    assert path.read_text() == text


def test_a_file_of_a_version_that_named_no_throws_goes_on(tmp_path: Path) -> None:
    (tmp_path / "certificate.jsonl").write_text('{"at": "x", "checks": 1, "clean": 1, "checked": 6, "right": 6}\n')
    certificates = AccuracyLog(tmp_path)
    assert certificates.throws == ()
    certificates.add_answer(AccuracyCounts(checks=1, checked=1), AnsweredCheck(3, 7, ((HAPPY, SAD),)))
    assert AccuracyLog(tmp_path).tally == AccuracyCounts(checks=2, clean=1, checked=7, right=6)
    assert [(throw.game, throw.entry, throw.dice) for throw in AccuracyLog(tmp_path).throws] == [
        (3, 7, ((HAPPY, SAD),))
    ]


def test_an_answer_that_cannot_be_written_does_not_count(tmp_path: Path) -> None:
    certificates = AccuracyLog(tmp_path / "data")
    certificates.add(AccuracyCounts(throws=1))
    (tmp_path / "data").write_text("a file stands where the folder should be")
    with pytest.raises(Unwritten, match="cannot be written"):
        certificates.add_answer(AccuracyCounts(checks=1))
    assert certificates.tally == AccuracyCounts(throws=1)
    (tmp_path / "data").unlink()
    certificates.close()
    assert AccuracyLog(tmp_path / "data").tally == AccuracyCounts(throws=1)


def test_counts_that_cannot_be_written_wait(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    certificates = AccuracyLog(tmp_path / "data")
    (tmp_path / "data").write_text("a file stands where the folder should be")
    certificates.add(AccuracyCounts(throws=20))
    assert "cannot be written" in caplog.text
    (tmp_path / "data").unlink()
    certificates.add(AccuracyCounts(throws=1))
    assert AccuracyLog(tmp_path / "data").tally == AccuracyCounts(throws=21)


# Which throws are asked about


@pytest.fixture
def choices(tmp_path: Path) -> PreferenceStore:
    return PreferenceStore(tmp_path)


def checks_of(folder: Path, choices: PreferenceStore, throws: int, seed: int) -> list[int]:
    """The throws that are asked about, of so many."""
    checker = SpotChecker(AccuracyLog(folder), choices, seed)
    asked = []
    for throw in range(1, throws + 1):
        checker.throw_ruled(throw, [CheckedDie(1, throw, HAPPY)])
        asked += [throw] if checker.open else []
    return asked


def test_about_one_throw_in_twenty_is_asked_about(tmp_path: Path, choices: PreferenceStore) -> None:
    asked = checks_of(tmp_path, choices, 2000, seed=3)
    assert 70 < len(asked) < 130  # three standard deviations of a binomial count
    assert len({later - earlier for earlier, later in pairwise(asked)}) > 10
    (tmp_path / "certificate.jsonl").unlink()
    assert checks_of(tmp_path, choices, 2000, seed=3) == asked
    (tmp_path / "certificate.jsonl").unlink()
    assert checks_of(tmp_path, choices, 2000, seed=4) != asked


@pytest.mark.parametrize(("one_in", "asked"), [(0, 0), (1, 50)])
def test_a_table_may_choose_never_and_always(tmp_path: Path, choices: PreferenceStore, one_in: int, asked: int) -> None:
    choices.save(Choices(check_one_in=one_in))
    assert len(checks_of(tmp_path, choices, 50, seed=1)) == asked


def test_a_throw_is_counted_and_asked_about_once(tmp_path: Path, choices: PreferenceStore) -> None:
    choices.save(Choices(check_one_in=1))
    certificates = AccuracyLog(tmp_path)
    checker = SpotChecker(certificates, choices)
    checker.throw_ruled(4, [CheckedDie(1, 4, HAPPY)])
    assert checker.open
    checker.record_answer(checker.open.number, ())
    checker.throw_ruled(4, [CheckedDie(1, 4, HAPPY)])
    assert checker.open is None
    assert certificates.tally == AccuracyCounts(throws=1, read=1, checks=1, clean=1, checked=1, right=1)


def test_only_dice_that_the_reader_accepted_by_itself_are_asked_about(tmp_path: Path, choices: PreferenceStore) -> None:
    choices.save(Choices(check_one_in=1))
    checker = SpotChecker(AccuracyLog(tmp_path), choices)
    sure, answered = CheckedDie(1, 1, HAPPY), CheckedDie(2, 1, HAPPY, said=LabelSource.ANSWERED)
    doubted, corrected = CheckedDie(3, 1, HAPPY, accepted=False), CheckedDie(4, 1, SAD, said=LabelSource.CORRECTED)
    checker.throw_ruled(1, [answered, doubted, corrected])
    assert checker.open is None
    checker.throw_ruled(2, [sure, answered, doubted, corrected])
    assert checker.open
    assert checker.open.dice == (sure,)


# At the table


@pytest.fixture
def certificates(tmp_path: Path) -> AccuracyLog:
    return AccuracyLog(tmp_path)


@pytest.fixture
def asking(
    tmp_path: Path, choices: PreferenceStore, certificates: AccuracyLog, dice: Any
) -> Iterator[Callable[..., Session]]:
    """Open a table that asks about every throw, where Ann plays alone."""
    choices.save(Choices(check_one_in=1))
    with closing(Journal.in_folder(tmp_path)) as journal:

        def opened() -> Session:
            table = open_session(
                journal,
                EvidenceStore(tmp_path / "evidence"),
                games=games(),
                dice=die_sets.load("intersection"),
                checker=SpotChecker(certificates, choices),
            )
            table.observe(dice.look())
            table.start("intersection", ["Ann"], {})
            return table

        yield opened


@pytest.fixture
def table(asking: Callable[..., Session]) -> Session:
    return asking()


def done(folder: Path) -> list[str]:
    with closing(Journal.in_folder(folder)) as journal:
        kept = journal.latest()
        assert kept
        kept_entries = journal.entries(kept.number)
    return [f"{entry.source} {entry.action}" for entry in kept_entries if not is_asked_note(entry)]


def roll(table: Session, dice: Any, sight: Any = None) -> ThrowCheck:
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    check = table.check()
    assert check
    return check


def test_a_throw_that_was_ruled_on_is_asked_about_with_its_pictures(table: Session, dice: Any, sight: Any) -> None:
    assert table.snapshot().check is None
    check = roll(table, dice, sight)
    assert [(die.number, die.title) for die in check.dice] == [
        (1, "Happy"),
        (2, "Happy"),
        (3, "Star"),
        (4, "Two"),
        (5, "Three"),
        (6, "Go"),
    ]
    assert all(table.picture(die.picture)[:2] == b"\xff\xd8" for die in check.dice)
    assert table.snapshot().check == check.number


def test_all_is_right(table: Session, dice: Any, certificates: AccuracyLog, tmp_path: Path) -> None:
    number = roll(table, dice).number
    table.checked(number, {})
    assert table.check() is None
    assert table.snapshot().check is None
    assert certificates.tally == AccuracyCounts(throws=1, read=6, checks=1, clean=1, checked=6, right=6)
    assert done(tmp_path) == [ROLL]
    with pytest.raises(Refused) as refused:
        table.checked(number, {})
    assert refused.value.reason == Reason.NOT_FOUND


def test_a_wrong_die_counts_and_the_game_is_corrected(
    table: Session, dice: Any, certificates: AccuracyLog, tmp_path: Path
) -> None:
    table.checked(roll(table, dice).number, {4: "four", 5: "happy"})
    assert certificates.tally == AccuracyCounts(throws=1, read=6, checks=1, checked=6, right=4)
    (thrown,) = certificates.throws
    with closing(Journal.in_folder(tmp_path)) as journal:
        entry = next(entry for entry in journal.entries(thrown.game) if entry.number == thrown.entry)
    assert str(entry.action) == ROLL.removeprefix("camera ")
    assert [(str(read), str(true)) for read, true in thrown.dice if read != true] == [
        ("traffic:two", "traffic:four"),
        ("traffic:three", "traffic:happy"),
    ]
    assert (len(thrown.dice), thrown.wrong) == (6, 2)
    assert AccuracyLog(tmp_path).throws == certificates.throws
    roll_as_it_was = "signal:go traffic:four traffic:happy traffic:happy traffic:happy traffic:star"
    assert done(tmp_path)[-1].endswith(roll_as_it_was)
    shown = {die.number: die.face for die in table.snapshot().dice}
    assert (shown[4], shown[5]) == ("four", "happy")


def test_what_people_correct_of_themselves_is_no_measure(table: Session, dice: Any, certificates: AccuracyLog) -> None:
    roll(table, dice)
    table.correct(4, "four")
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    table.observe(dice.throw(d4="happy", d5="three"))
    assert certificates.tally == AccuracyCounts(throws=2, read=8, corrected=1, waiting=1)
    assert certificates.summarize().right is None


def test_a_die_corrected_while_its_throw_is_asked_about_was_read_wrong(
    table: Session, dice: Any, certificates: AccuracyLog
) -> None:
    number = roll(table, dice).number
    table.correct(4, "four")
    check = table.check()
    assert check
    assert check.dice[3].title == "Four"
    table.checked(number, {})
    assert certificates.tally == AccuracyCounts(throws=1, read=6, corrected=1, checks=1, checked=6, right=5)


def test_a_check_that_nobody_answers_waits_and_is_over_with_the_next_throw(
    table: Session, dice: Any, certificates: AccuracyLog
) -> None:
    first = roll(table, dice)
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    assert table.check() == first
    dice.throw(d4="happy", d5="three")
    dice.unsure[5] = (("sad", 0.3),)
    table.observe(dice.look())
    assert table.snapshot().questions
    assert table.check() is None
    assert certificates.tally.waiting == 1
    with pytest.raises(Refused):
        table.checked(first.number, {1: "sad"})
    table.answer(table.snapshot().questions[0].number, "three")
    second = table.check()
    assert second
    assert [die.number for die in second.dice] == [4]  # a person said what the other one shows
    assert certificates.tally == AccuracyCounts(throws=2, read=8, asked=1, waiting=1)


def test_nothing_is_asked_beside_another_question(table: Session, dice: Any) -> None:
    check = roll(table, dice)
    table.observe(dice.carry(Zone.OUT, 5))
    assert table.snapshot().notice == "Has a die left the table?"
    assert table.check() is None
    assert table.snapshot().check is None
    table.observe(dice.carry(Zone.FIELD, 5))
    (asked,) = table.snapshot().questions
    assert table.check() is None
    table.answer(asked.number, AS_IT_LIES, confirmed=True)
    assert table.check() == check


def test_a_new_game_asks_about_no_throw_of_the_last(table: Session, dice: Any, certificates: AccuracyLog) -> None:
    roll(table, dice)
    table.start("intersection", ["Bob"], {})
    assert table.check() is None
    assert certificates.tally.waiting == 1


def test_other_dice_are_asked_about_though_their_throws_count_from_one_again(
    table: Session, dice: Any, certificates: AccuracyLog
) -> None:
    roll(table, dice)
    table.start("toss-up", ["Ann", "Bob"], {})
    table.start("intersection", ["Ann"], {})
    dice.throw_number, dice.thrown = 0, {}
    table.observe(dice.look())
    roll(table, dice)
    assert certificates.tally == AccuracyCounts(throws=2, read=12, waiting=1)


@pytest.mark.parametrize(("wrong", "reason"), [({9: "sad"}, Reason.NOT_FOUND), ({1: "seventeen"}, Reason.INVALID)])
def test_a_die_or_face_that_is_not_there_is_turned_down_and_nothing_counts(
    table: Session, dice: Any, certificates: AccuracyLog, wrong: dict[int, str], reason: Reason
) -> None:
    check = roll(table, dice)
    with pytest.raises(Refused) as refused:
        table.checked(check.number, wrong)
    assert refused.value.reason == reason
    assert table.check() == check
    assert certificates.tally == AccuracyCounts(throws=1, read=6)


def test_an_answer_counts_even_where_the_game_can_no_longer_be_corrected(
    table: Session, dice: Any, certificates: AccuracyLog, tmp_path: Path
) -> None:
    check = roll(table, dice)
    del dice.faces[1]  # somebody took it up
    table.observe(dice.look())
    with pytest.raises(Refused, match="no die 1 on the table"):
        table.checked(check.number, {1: "sad", 4: "four"})
    assert table.check() is None
    assert certificates.tally == AccuracyCounts(throws=1, read=6, checks=1, checked=6, right=4)
    assert "traffic:four" in done(tmp_path)[-1]


def test_an_answer_that_a_full_disk_refuses_can_be_given_again(
    table: Session, dice: Any, certificates: AccuracyLog, tmp_path: Path
) -> None:
    check = roll(table, dice)
    (tmp_path / "certificate.jsonl").mkdir()
    with pytest.raises(Refused) as refused:
        table.checked(check.number, {4: "four"})
    assert refused.value.reason == Reason.UNAVAILABLE
    assert table.check() == check
    assert done(tmp_path) == [ROLL]
    (tmp_path / "certificate.jsonl").rmdir()
    table.checked(check.number, {4: "four"})
    assert certificates.tally.right == 5


def test_a_page_of_before_a_restart_answers_no_later_check(
    asking: Callable[..., Session], dice: Any, certificates: AccuracyLog, tmp_path: Path, choices: PreferenceStore
) -> None:
    table = asking()
    old = roll(table, dice).number
    table.checked(old, {})
    assert SpotChecker(certificates, choices).open is None
    again = SpotChecker(certificates, choices)
    again.throw_ruled(1, [CheckedDie(1, 1, HAPPY)])
    assert again.open
    assert again.open.number != old


def test_a_table_without_a_checker_asks_nothing(open_table: Callable[..., Session], dice: Any) -> None:
    table = open_table()
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert table.check() is None
    assert table.snapshot().check is None
    with pytest.raises(Refused) as refused:
        table.checked(1, {})
    assert refused.value.reason == Reason.NOT_FOUND
