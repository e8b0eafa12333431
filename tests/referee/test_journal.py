"""Replaying a journal: play, undo, correction, breach, and journals that no referee wrote."""

from dataclasses import replace

import pytest
from at_the_table import GAME, entry, new_game, spelled

from referee.actions import Action, DiePosition, GameState
from referee.calls import Call, Outcome
from referee.dice import BadAction, Die, Zone
from referee.journal import (
    Contradiction,
    Deed,
    Entry,
    JournalReader,
    Replay,
    Source,
    laid_text,
    read_laid,
    replay,
    would_refuse,
)

START = new_game("Ann")
TEXTS = (
    "1 roll go happy sad star two two",
    "1 fix happy two =field",
    "1 park happy star",
    "1 on two two happy",
)


def played(*texts: str) -> list[Entry]:
    return [entry(number, Action.parse(spelled(text))) for number, text in enumerate(texts, start=1)]


def undo(number: int, target: int) -> Entry:
    return entry(number, deed=Deed.UNDO, target=target)


def correct(number: int, target: int, text: str) -> Entry:
    return entry(number, Action.parse(spelled(text)), Deed.CORRECT, target)


def test_a_journal_gives_the_state_it_led_to() -> None:
    result = replay(GAME, START, played(*TEXTS))
    assert result.state.phase == "resolve"
    assert [each.number for each, _ in result.standing] == [1, 2, 3, 4]
    assert result.calls == result.standing[-1][1].calls


def test_an_empty_journal_is_the_start() -> None:
    assert replay(GAME, START, []).state == START


def test_undo_takes_back_everything_from_its_target_on() -> None:
    journal = [*played(*TEXTS), undo(5, 3)]
    assert replay(GAME, START, journal).state == replay(GAME, START, played(*TEXTS[:2])).state
    again = [*journal, replace(played(*TEXTS)[2], number=6)]
    assert replay(GAME, START, again).state == replay(GAME, START, played(*TEXTS[:3])).state


def test_a_correction_stands_in_the_place_of_what_it_corrects() -> None:
    journal = [*played(*TEXTS[:2]), correct(3, 2, "1 fix happy star =field")]
    wanted = played(TEXTS[0], "1 fix happy star =field")
    assert replay(GAME, START, journal).state == replay(GAME, START, wanted).state


def test_the_last_correction_of_an_entry_counts() -> None:
    journal = [*played(TEXTS[0]), correct(2, 1, "1 roll go sad sad sad sad sad"), correct(3, 1, TEXTS[0])]
    assert replay(GAME, START, journal).state == replay(GAME, START, played(TEXTS[0])).state


def test_an_undone_correction_leaves_what_was_read_first() -> None:
    journal = [*played(*TEXTS[:2]), correct(3, 2, "1 fix happy star =field"), undo(4, 3)]
    assert replay(GAME, START, journal).state == replay(GAME, START, played(*TEXTS[:2])).state


def test_a_breach_changes_nothing() -> None:
    breach = Entry(
        3, played(TEXTS[0])[0].at, Source.CAMERA, Deed.BREACH, note="A parked die was rolled.", rule="I.2-12"
    )
    journal = [*played(*TEXTS[:2]), breach]
    assert replay(GAME, START, journal).state == replay(GAME, START, played(*TEXTS[:2])).state
    assert replay(GAME, START, [*journal, undo(4, 3)]).state == replay(GAME, START, journal).state


@pytest.mark.parametrize(
    ("journal", "words"),
    [
        (played("1 end"), "entry 1, 1 end, "),
        (played(*TEXTS)[1:], "entry 1 of the journal has the number 2"),
        ([*played(TEXTS[0]), undo(2, 7)], "undo of entry 7, which does not stand"),
        ([*played(TEXTS[0]), undo(2, 1), correct(3, 1, TEXTS[0])], "correct of entry 1, which does not stand"),
        ([entry(1)], "holds no action"),
        ([*played(*TEXTS), correct(5, 2, "1 fix sad sad =field")], "entry 3, "),
    ],
)
def test_a_journal_against_the_rules_is_a_contradiction(journal: list[Entry], words: str) -> None:
    with pytest.raises(Contradiction, match=words):
        replay(GAME, START, journal)


def test_a_correction_that_is_undone_together_with_what_it_corrects_leaves_no_trace() -> None:
    journal = [*played(*TEXTS[:2]), correct(3, 2, "1 fix happy star =field"), undo(4, 2)]
    again = [*journal, replace(played(*TEXTS)[1], number=5)]
    assert replay(GAME, START, again).state == replay(GAME, START, played(*TEXTS[:2])).state


def test_of_two_corrections_the_one_that_is_not_undone_counts() -> None:
    first, second = correct(3, 2, "1 fix happy star =field"), correct(4, 2, "1 fix sad two =field")
    journal = [*played(*TEXTS[:2]), first, second, undo(5, 4)]
    assert replay(GAME, START, journal).state == replay(GAME, START, [*played(*TEXTS[:2]), first]).state
    assert replay(GAME, START, [*journal, undo(6, 3)]).state == replay(GAME, START, played(*TEXTS[:2])).state


def test_a_course_counts_its_rulings_and_a_refused_entry_changes_nothing() -> None:
    course = JournalReader(GAME, START)
    assert course.calls == ()
    assert [course.add(each) for each in played(*TEXTS)] == [None] * 4
    assert course.ruled == 4
    before = course.replay()
    refusal = course.add(correct(5, 2, "1 fix sad two =field"))
    assert refusal
    assert refusal.rule == "I.2-6"
    assert course.replay() == before
    assert course.ruled == 6
    assert course.add(undo(5, 4)) is None
    assert course.replay() == replay(GAME, START, played(*TEXTS[:3]))
    assert course.calls == course.replay().standing[-1][1].calls


def test_a_correction_can_be_tried_first() -> None:
    journal = played(*TEXTS)
    assert would_refuse(GAME, START, journal, correct(5, 4, "1 on sad two two")) is None
    wrong = would_refuse(GAME, START, journal, correct(5, 4, "1 on sad two"))
    assert wrong
    assert wrong.rule == "I.2-12"
    later = would_refuse(GAME, START, journal, correct(5, 2, "1 fix sad two =field"))
    assert later
    assert later.sentence.startswith("Then entry 3, 'Park happy and star (150)', could not have been done: ")
    assert later.rule == "I.2-6"


# Going on as the dice lie


def _relaid(state: GameState, lying: tuple[DiePosition, ...]) -> Outcome[GameState] | None:
    """A rule for these tests: a table may go on when a single die lies there, which then stands as the score."""
    return (replace(state, scores=(100,)), (Call("The score is 100.", "I.2-17"),)) if len(lying) == 1 else None


LENIENT = replace(GAME, relaid=_relaid)


def laid(number: int, note: str = "traffic:happy@field") -> Entry:
    return replace(entry(number, deed=Deed.LAID), note=note)


@pytest.mark.parametrize(
    ("note", "lying"),
    [
        ("", ()),
        ("traffic:happy@field", (DiePosition(Die.parse("traffic:happy"), Zone.FIELD),)),
        ("signal:go@signal", (DiePosition(Die.parse("signal:go"), Zone.SIGNAL),)),
        ("traffic:sad@out", (DiePosition(Die.parse("traffic:sad"), Zone.OUT),)),
        (
            "signal:go traffic:? traffic:star@aside",
            tuple(
                DiePosition(Die.parse(text), zone)
                for text, zone in (("signal:go", None), ("traffic:?", None), ("traffic:star", Zone.ASIDE))
            ),
        ),
    ],
)
def test_how_dice_lie_is_written_and_read_back(note: str, lying: tuple[DiePosition, ...]) -> None:
    assert read_laid(note) == lying
    assert laid_text(tuple(reversed(lying))) == note


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("traffic:happy@moon", "'traffic:happy@moon' lies nowhere; write a die and @field, @aside, @signal, @out, or"),
        ("traffic:happy@", "lies nowhere"),
        ("traffic@field", "'traffic' is no die"),
        ("signal:go@signal  traffic:happy@field", "'' is no die"),
        (" ", "'' is no die"),
    ],
)
def test_other_words_for_how_dice_lie_are_turned_down(note: str, words: str) -> None:
    with pytest.raises(BadAction, match=words):
        read_laid(note)


def test_a_game_goes_on_with_the_dice_as_they_lie() -> None:
    journal = [*played(*TEXTS[:2]), laid(3), replace(played(*TEXTS)[2], number=4)]
    result = replay(LENIENT, START, journal)
    assert result.state.scores == (100,)
    assert [each.number for each, _ in result.standing] == [1, 2, 4]
    assert [(each.number, state.scores) for each, state in result.laid] == [(3, (100,))]
    assert replay(LENIENT, START, journal[:3]).calls == (
        Call("The game goes on with the dice as they lie.", "I.2-12"),
        Call("The score is 100.", "I.2-17"),
    )
    assert result.calls == result.standing[-1][1].calls


def test_going_on_is_told_with_its_rule() -> None:
    call, _ = replay(LENIENT, START, [laid(1)]).calls
    assert (call.sentence, call.rule) == ("The game goes on with the dice as they lie.", "I.2-12")


def test_going_on_is_undone_and_is_what_an_undo_takes_back() -> None:
    journal = [*played(TEXTS[0]), laid(2)]
    assert replay(LENIENT, START, journal).last == 2
    undone = replay(LENIENT, START, [*journal, undo(3, 2)])
    assert undone == replay(LENIENT, START, played(TEXTS[0]))
    assert (undone.last, undone.laid) == (1, ())
    assert replay(LENIENT, START, [laid(1), replace(played(TEXTS[0])[0], number=2)]).last == 2
    assert Replay(START).last == 0


@pytest.mark.parametrize(
    ("note", "words"),
    [
        (
            "traffic:happy@field traffic:sad@field",
            "entry 2, the dice as they lay, .*: The game cannot go on like this",
        ),
        ("traffic:pip-1@field", "no face 'pip-1'"),
        ("traffic:?@field", "First say what this die shows: 1 Traffic die"),
        ("signal:go signal:go", "There is only 1 Signal die, not 2"),
        ("happy", "entry 2 says laid, but 'happy' is no die"),
    ],
)
def test_dice_that_cannot_lie_so_are_a_contradiction(note: str, words: str) -> None:
    with pytest.raises(Contradiction, match=words):
        replay(LENIENT, START, [*played(TEXTS[0]), laid(2, note)])


def test_going_on_can_be_tried_first() -> None:
    assert would_refuse(LENIENT, START, played(TEXTS[0]), laid(2)) is None
    wrong = would_refuse(LENIENT, START, played(TEXTS[0]), laid(2, ""))
    assert wrong
    assert (wrong.sentence, wrong.rule) == (
        "The game cannot go on like this: put the dice back as they were.",
        "I.2-12",
    )
