"""What each answer to an open question makes of the table, and whose throw it is about: for small pictures. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.dice import Die, DieSet, Handling, Seen, SeenDie, in_order
from referee.game_state import GameState
from referee.judge import judge
from referee.phrases import in_a_row, spell_list
from referee.sentences import as_part, say
from referee.snapshot import AnswerEffect, AnswerStep, Question
from referee.umpire import LOST_DIE_QUESTION
from vander.session.backlog import table_now
from vander.session.hand_questions import WAS_SET_DOWN, WAS_THROWN
from vander.session.leaned_dice import DID_NOT_LEAN, LEANED
from vander.session.match import Match, Way
from vander.session.prompts import (
    LeanedQuestion,
    MeaningQuestion,
    Prompt,
    SetFlatQuestion,
    ThrownQuestion,
    UnseenThrowQuestion,
    WhoThrewQuestion,
)
from vander.session.question_prompts import COUNTS, THROWN_AGAIN
from vander.session.session_state import SessionState, TableView


def shown_questions(state: SessionState) -> tuple[Question, ...]:
    """Return the open questions with whose throw each is about, and what its answers make of the table."""
    match = state.match
    if match is None:
        return tuple(prompt.question for prompt in state.unresolved.prompts)
    return tuple(_shown(state, match, prompt) for prompt in state.unresolved.prompts)


def _shown(state: SessionState, match: Match, prompt: Prompt) -> Question:
    answers = {answer for answer, _ in prompt.question.choices}
    effects = tuple(effect for effect in _effects(state, match, prompt) if effect.answer in answers)
    sentence = prompt.question.sentence
    if sentence == LOST_DIE_QUESTION:
        sentence = in_a_row(sentence, _out_of_sight(state.dice, table_now(state)))
    return replace(prompt.question, sentence=sentence, seat=_seat(match, prompt), effects=effects)


def _out_of_sight(dice: DieSet, table: TableView) -> str:
    """Say which dice were there at the last ruling and are not in sight now; '' for none."""
    there = Counter(die.kind for die in (table.ruled.dice if table.ruled else ()))
    gone = there - Counter(die.kind for die in (table.seen.dice if table.seen else ()))
    words = spell_list([dice.spell(kind, count) for kind, count in gone.items()], "and")
    return say("Not in sight: {dice}.", dice=words) if gone else ""


def _seat(match: Match, prompt: Prompt) -> int:
    """Return whose throw it is about: who made it by every way, else who is on turn; 0 where that is asked."""
    if isinstance(prompt, WhoThrewQuestion):
        return 0
    throwers = {way[-1][0].player for way in _ways(prompt)}
    if throwers:
        return throwers.pop() if len(throwers) == 1 else 0
    return match.state.on_turn


def _ways(prompt: Prompt) -> tuple[Way, ...]:
    return prompt.ways if isinstance(prompt, MeaningQuestion | UnseenThrowQuestion) else ()


def _effects(state: SessionState, match: Match, prompt: Prompt) -> Iterator[AnswerEffect]:
    """Yield what the answers make of the table; those that only say how it went on have none."""
    if isinstance(prompt, WhoThrewQuestion):
        yield from (AnswerEffect(answer, seat=int(answer)) for answer, _ in prompt.question.choices if answer.isdigit())
        return
    for place, way in enumerate(_ways(prompt)):
        yield _of_way(state, match, str(place), way)
    if isinstance(prompt, ThrownQuestion):
        yield from _of_thrown(state.table.seen, state.table.ruled, prompt.asked)
    if isinstance(prompt, SetFlatQuestion):
        yield from _of_set_flat(state.table.seen, prompt.question.dice)
    if isinstance(prompt, LeanedQuestion):
        yield AnswerEffect(LEANED, (prompt.old,), (prompt.new,))
        yield AnswerEffect(DID_NOT_LEAN, (prompt.new,), (prompt.old,))
    if _ways(prompt):
        thrown = tuple(die.die for die in _thrown(state.table.seen, state.table.ruled))
        yield AnswerEffect(THROWN_AGAIN, thrown, _without_faces(thrown))


def _of_way(state: SessionState, match: Match, answer: str, way: Way) -> AnswerEffect:
    """Return the effect of a way for its picture: the dice of its last throw, before and as they count."""
    steps, end = _played(match, way)
    last = way[-1][0]
    is_throw = bool(last.dice) and last.is_throw
    before = _lay_before(state.table.seen, state.table.ruled) if is_throw else ()
    return AnswerEffect(
        answer,
        before=before,
        after=in_order(last.dice),
        seat=last.player,
        turn=end.on_turn,
        points=match.game.turn_points(end),
        steps=steps,
    )


def _played(match: Match, way: Way) -> tuple[tuple[AnswerStep, ...], GameState]:
    """Return each action of a way in words, and where the game stands after the way."""
    state, steps = match.state, list[AnswerStep]()
    for action, _ in way:
        steps.append(AnswerStep(as_part(match.game.offer_title(state, action)), in_order(action.dice)))
        state = judge(match.game, state, action).state
    return tuple(steps), state


def _thrown(seen: Seen | None, ruled: Seen | None) -> Sequence[SeenDie]:
    """Return the dice that were thrown since the last ruling."""
    since = ruled.throw if ruled else 0
    return [die for die in seen.dice if die.throw > since] if seen else []


def _lay_before(seen: Seen | None, ruled: Seen | None) -> tuple[Die, ...]:
    """Return what the dice showed, before they were thrown, that were thrown since the last ruling."""
    lay = {die.number: die.die for die in ruled.dice} if ruled else {}
    return in_order(lay[die.number] for die in _thrown(seen, ruled) if die.number in lay)


def _of_thrown(seen: Seen | None, ruled: Seen | None, asked: Iterable[DieOfThrow]) -> Iterator[AnswerEffect]:
    """Yield: they count as they lie, or go back to what they showed. Of a die that came back this says nothing."""
    numbers = {number for number, _ in asked}
    now = [die for die in seen.dice if die.number in numbers] if seen else []
    lay = {die.number: die.die for die in ruled.dice} if ruled else {}
    if not now or any(die.handled is Handling.RETURNED for die in now):
        return
    shown, before = (tuple(die.die for die in now), tuple(lay.get(die.number, Die(die.kind)) for die in now))
    yield AnswerEffect(WAS_THROWN, before, shown)
    yield AnswerEffect(WAS_SET_DOWN, shown, before)


def _of_set_flat(seen: Seen | None, numbers: Sequence[int]) -> Iterator[AnswerEffect]:
    dice = tuple(die.die for die in seen.dice if die.number in numbers) if seen else ()
    yield AnswerEffect(COUNTS, (), dice)
    yield AnswerEffect(THROWN_AGAIN, dice, _without_faces(dice))


def _without_faces(dice: Iterable[Die]) -> tuple[Die, ...]:
    return tuple(Die(die.kind) for die in dice)
