"""A throw of Switch 16 that can mean many things: who threw, how far the cards went, and nothing that was tapped."""

from __future__ import annotations

from dataclasses import replace

from session_states import a_match, asked, no_game, watched, written
from switch_dice import ROLLED, SEEN_EMPTY, THREE_AGAIN, thrown

from models import die_sets
from referee.actions import Action
from referee.games import named
from referee.journal import Source
from vander.table.answers import on_answer
from vander.table.match import Match
from vander.table.questions import find_tapped
from vander.table.session_state import HowFarQuestion, SessionState, WhoThrewQuestion
from vander.table.taps import on_start, on_tap
from vision.observations import Observation


def started(*observations: Observation) -> SessionState:
    """Ann and Bob play Switch 16, Ann begins, and the camera has seen this."""
    match = a_match(named("switch-16"), ("Ann", "Bob"))
    game = replace(no_game(), config=replace(no_game().config, dice=die_sets.load("switch-16")))
    return watched(on_start(game, match, 1).state, SEEN_EMPTY, *observations)


def tapped(state: SessionState, *actions: str) -> SessionState:
    for text in actions:
        state = on_tap(state, Action.parse(text)).state
    return state


AS_IT_LIES = ("as-it-lies", "None of these: go on as the dice lie")


def test_who_threw_is_asked_first_and_then_how_far_the_cards_went() -> None:
    state = started(ROLLED, THREE_AGAIN)
    (prompt,) = state.unresolved.prompts
    assert isinstance(prompt, WhoThrewQuestion)
    assert prompt.question.sentence == "Who threw?"
    assert prompt.question.choices == (("1", "Ann"), ("2", "Bob"), AS_IT_LIES)
    assert prompt.question.dice == (20, 21, 22, 23)
    state = on_answer(state, prompt.question.number, "2").state
    (prompt,) = state.unresolved.prompts
    assert isinstance(prompt, HowFarQuestion)
    assert prompt.question.sentence == "How far did Ann get before that?"
    titles = [title for _, title in prompt.question.choices]
    assert titles == [*(f"Card {card}" for card in range(7, 0, -1)), "Not at all", AS_IT_LIES[1]]
    third = next(answer for answer, title in prompt.question.choices if title == "Card 2")
    step = on_answer(state, prompt.question.number, third)
    assert [line.split(" play ")[1] for line in written(step) if " play " in line] == [
        "1 discard =card-1",
        "1 discard =card-2",
        "1 end",
        "2 roll d6:pip-2 d6:pip-5 d6:pip-6 switch:block",
    ]
    assert step.state.unresolved.prompts == ()


def test_a_small_step_is_not_asked_where_the_other_settles_it() -> None:
    """Only card 1 can go: who threw says it all for Ann, and not for Bob."""
    state = started(thrown(1, "1", "6", "6", "blank"), THREE_AGAIN)
    question = asked(state)
    step = on_answer(state, question.number, "1")
    assert written(step)[-1] == "tablet play 1 roll d6:pip-2 d6:pip-5 d6:pip-6 switch:block"
    assert asked(on_answer(state, question.number, "2").state).sentence == "How far did Ann get before that?"


def test_every_small_question_has_few_words() -> None:
    state = started(ROLLED, THREE_AGAIN)
    for answer in ("1", "2"):
        first = asked(state)
        second = asked(on_answer(state, first.number, answer).state)
        for question in (first, second):
            assert len(question.sentence.split()) <= 8
            assert all(len(title.split()) <= 3 for key, title in question.choices if key != AS_IT_LIES[0])


def test_nothing_is_asked_where_the_discards_were_tapped_and_the_end_was_not() -> None:
    state = tapped(started(ROLLED), "1 discard =card-1", "1 discard =card-2")
    state = watched(state, THREE_AGAIN)
    assert state.unresolved.prompts == ()
    assert state.match is not None
    assert str(state.match.standing[-1][1].action).startswith("1 roll ")


def test_nothing_is_asked_where_the_end_was_tapped() -> None:
    state = watched(tapped(started(ROLLED), "1 discard =card-1", "1 end"), THREE_AGAIN)
    assert state.unresolved.prompts == ()
    assert state.match is not None
    assert str(state.match.standing[-1][1].action).startswith("2 roll ")


def test_dice_that_only_another_player_throws_are_that_players_whatever_was_tapped() -> None:
    """Ann would roll four dice after card 7; three dice are Bob's."""
    cards = [f"1 discard =card-{card}" for card in range(1, 8)]
    state = watched(tapped(started(ROLLED), *cards), THREE_AGAIN)
    assert state.unresolved.prompts == ()
    assert state.match is not None
    assert str(state.match.standing[-1][1].action).startswith("2 roll ")


def ten_greens_after(turns: int, ends: Source, throws: int = 1) -> Match:
    """Turns of Toss Up! of so many throws that were ended so, and one in which all ten dice came up green."""
    match = a_match(named("toss-up"), ("Ann", "Bob"))
    for turn in range(turns):
        seat = 1 + turn % 2
        for throw in range(throws):
            roll = Action.parse(f"{seat} roll tossup:green{' tossup:yellow' * (9 - throw)}")
            match = match.play([(roll, Source.CAMERA)])
        match = match.play([(Action.parse(f"{seat} end"), ends)])
    greens = Action.parse(f"{1 + turns % 2} roll{' tossup:green' * 10}")
    return match.play([(greens, Source.CAMERA)])


def test_where_every_end_was_tapped_a_throw_of_all_dice_after_ten_greens_is_no_other_players() -> None:
    assert find_tapped(ten_greens_after(8, Source.TABLET)) == {"end"}
    assert find_tapped(ten_greens_after(7, Source.TABLET)) == frozenset()
    assert find_tapped(ten_greens_after(8, Source.CAMERA)) == frozenset()


def test_whoever_throws_on_in_a_turn_has_left_no_end_to_that_throw() -> None:
    assert find_tapped(ten_greens_after(4, Source.TABLET, throws=2)) == {"end"}
    assert find_tapped(ten_greens_after(3, Source.TABLET, throws=2)) == frozenset()
    assert find_tapped(ten_greens_after(4, Source.CAMERA, throws=2)) == frozenset()


def test_an_end_that_people_told_in_answer_to_a_question_about_the_throw_is_no_tap() -> None:
    match = ten_greens_after(8, Source.TABLET)
    told = [(Action.parse("1 end"), Source.TABLET), (Action.parse("2 roll" + " tossup:red" * 10), Source.TABLET)]
    answered = match.answered("Who threw?", "Bob", match.by, Source.TABLET, ())
    assert find_tapped(answered.play(told)) == frozenset()
    tapped = answered.play(told[:1]).answered("Was this die thrown?", "Yes", match.by, Source.TABLET, ())
    throw = [(told[1][0], Source.CAMERA)]
    assert find_tapped(tapped.play(throw)) == frozenset()
    assert find_tapped(match.play(told[:1]).play(throw)) == {"end"}
