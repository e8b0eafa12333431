"""The caller speaks about every change at the table, and about nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from models import die_sets
from referee.actions import GameState, Player
from referee.calls import Call, DiceSum, Moment, SumTerm
from referee.journal import Deed, Source
from referee.snapshot import Intervention, NoticeMood, Question, Snapshot, SpokenPart
from referee.spoken_parts import KEPT, CallerMemory, Phrase, number_part, phrase_part, sound_part

NAMES = ("Ann", "Bob")
BUSTED = {"called": 2, "calls": (Call("", "", Moment.BUST),)}
CORRECTED = {"interventions": (Intervention(7, "", Deed.CORRECT, Source.TABLET),)}
ACCEPTED = sound_part("accepted")


def snapshot(
    turn: int = 1, scores: tuple[int, ...] = (1800, 0), winner: tuple[int, ...] = (), **facts: Any
) -> Snapshot:
    players = tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, len(scores) + 1))
    to_act = (turn,) if turn else ()
    state = GameState(players, die_sets.load("d6"), to_act=to_act, scores=scores, winner=winner)
    return Snapshot(**{"number": 1, "state": state, "called": 1, "step": "1.1", **facts})


def said(level: str, *shown: dict[str, Any]) -> list[SpokenPart]:
    """Show snapshots one after another; return what is said at the last one."""
    memory = CallerMemory.begin(snapshot(**shown[0]))
    for number, facts in enumerate(shown[1:], start=2):
        memory = memory.hear(snapshot(**facts, number=number))
    newest = [each for each in memory.utterances if each.number == len(shown) and (level in (each.level, "all"))]
    return [part for each in newest for part in each.parts]


def test_a_score_says_what_was_gained_the_score_and_whose_turn_it_is() -> None:
    kept = {"called": 2, "calls": (Call("", "", Moment.SCORE),), "scores": (2400, 0), "turn": 2}
    score = [sound_part("score"), number_part(600), phrase_part(Phrase.YOUR_SCORE), number_part(2400)]
    assert said("all", {}, kept) == [*score, phrase_part(Phrase.YOUR_TURN, name="Bob")]
    assert said("low", {}, kept) == score


@pytest.mark.parametrize(
    ("moment", "rule"), [(Moment.BUST, "I.2-16"), (Moment.STOP, "T.2-5"), (Moment.VANDER, "I.2-19")]
)
def test_what_ends_a_turn_is_said_with_the_rule_that_may_have_words_of_its_own(moment: Moment, rule: str) -> None:
    ended = {"called": 2, "calls": (Call("", rule, moment),), "turn": 2}
    assert said("low", {}, ended) == [sound_part(moment), phrase_part(moment, rule=rule)]


def test_a_throw_says_the_points_of_the_turn_once_it_is_ruled_on_and_not_while_hands_park_dice() -> None:
    parked = {"turn_points": 300}
    assert said("all", {}, parked) == []
    assert said("all", {}, parked, {"called": 2, **parked}) == [ACCEPTED, number_part(300)]
    assert said("low", {}, {"called": 2, **parked}) == [ACCEPTED]


def test_a_throw_of_plain_dice_says_their_sum() -> None:
    assert said("all", {}, {"called": 2, "calls": (Call("", "", sum=DiceSum((SumTerm((), 11),))),)}) == [
        ACCEPTED,
        number_part(11),
    ]


def test_the_winner_is_named_and_a_shared_win_is_one() -> None:
    won = {"called": 2, "calls": (Call("", "T.2-12", Moment.WIN),), "turn": 0, "winner": (1,)}
    named = phrase_part(Phrase.WINS, rule="T.2-12", name="Ann", unnamed="win")
    assert said("low", {}, won) == [sound_part("win"), named]
    assert said("low", {}, won | {"winner": (1, 2)})[-1] == phrase_part(Phrase.SHARED_WIN)


def test_after_a_correction_only_what_it_changed_is_said_and_nothing_where_it_changed_nothing() -> None:
    fewer = CORRECTED | {"scores": (1700, 0)}
    corrected = phrase_part(Phrase.CORRECTED)
    assert said("low", {}, CORRECTED) == []
    assert said("low", {}, fewer) == [corrected, phrase_part(Phrase.YOUR_SCORE, name="Ann"), number_part(1700)]
    assert said("low", {}, CORRECTED | {"turn_points": 250}) == [
        corrected,
        phrase_part(Phrase.TURN_POINTS),
        number_part(250),
    ]
    assert said("low", {}, fewer, fewer) == []


def test_a_step_taken_back_says_so_and_whose_turn_it_is_again() -> None:
    undone = {"called": 0, "turn": 1, "interventions": (Intervention(9, "", Deed.UNDO, Source.TABLET),)}
    assert said("low", {"turn": 2}, undone) == [
        phrase_part(Phrase.TAKEN_BACK),
        phrase_part(Phrase.YOUR_TURN, name="Ann"),
    ]


def test_nothing_is_said_of_what_is_shown_at_the_start_nor_twice() -> None:
    assert said("all", BUSTED) == []
    assert said("all", {}, BUSTED, BUSTED) == []


def test_a_new_game_begins_with_whose_turn_it_is_and_one_that_goes_on_says_nothing() -> None:
    begun = {"step": "2.0", "called": 0, "scores": (0, 0)}
    assert said("all", {}, begun) == [ACCEPTED, phrase_part("new-game"), phrase_part("your-turn", name="Ann")]
    assert said("all", {}, {"step": "2.9", "called": 9}) == []


def test_a_question_is_said_once_and_a_breach_and_a_full_disk_where_a_little_is_said_too() -> None:
    asked = {"mood": NoticeMood.ASK, "questions": (Question(3, "", ()),)}
    assert said("all", {}, asked) == [sound_part("ask"), phrase_part("question")]
    assert said("all", {}, asked, asked) == []
    assert said("low", {}, asked) == []
    assert said("low", {}, {"mood": NoticeMood.BREACH}) == [sound_part("ask"), phrase_part("breach")]
    assert said("low", {}, {"unsaved": True}) == [sound_part("ask"), phrase_part("wait")]


def test_numbers_are_put_together_of_clips_and_the_last_one_ends_the_sentence() -> None:
    assert number_part(0).clips == (("0",),)
    assert number_part(24).clips == (("24",),)
    assert number_part(2400).clips == (("2000+", "400"), ("2000", "400"))
    assert number_part(12345).clips[0] == ("12000+", "300+", "45")
    assert number_part(-7).clips == (("minus", "7"),)


def test_the_words_of_a_rule_come_before_those_of_its_moment() -> None:
    assert phrase_part("bust", rule="I.2-16").clips == (("rule:I.2-16",), ("bust",))
    assert phrase_part("wins", rule="T.2-12", name="Ann", unnamed="win").unnamed == (("rule:T.2-12",), ("win",))


def test_a_snapshot_holds_the_newest_utterances_alone() -> None:
    memory = CallerMemory.begin(snapshot())
    for number in range(2, 12):
        memory = memory.hear(snapshot(number=number, called=number, turn_points=10 * number))
    assert len(memory.utterances) == KEPT
    assert memory.utterances[-1].number == 11
