"""Apply the answer to an open question. Pure."""

from __future__ import annotations

from dataclasses import replace

from models.dataset.table_labels import LabelSource, StatedFaces
from referee.dice import Die, Seen
from referee.journal import NOBODY, Actor, Source
from referee.phrases import in_a_row
from referee.refused import Reason, Refused
from referee.sentences import say
from referee.snapshot import Question, QuestionTopic
from vander.session import question_prompts
from vander.session.breach_recording import record
from vander.session.correction import find_seen
from vander.session.denied_throws import throw_again
from vander.session.hand_questions import WAS_THROWN, one_by_one, with_said
from vander.session.kind_doubts import kinds_left
from vander.session.label_events import FacesStated
from vander.session.leaned_dice import LEANED, after_leaning
from vander.session.match import IllegalAction, Match
from vander.session.prompts import (
    FaceQuestion,
    InterventionQuestion,
    KindQuestion,
    LeanedQuestion,
    LeaningQuestion,
    MeaningQuestion,
    Prompt,
    SetFlatQuestion,
    ThrownQuestion,
    UnseenThrowQuestion,
    WhoThrewQuestion,
)
from vander.session.put_back import before_moves
from vander.session.request_parsing import face_of, playing
from vander.session.ruling_decisions import accept_put_back, rule_again
from vander.session.seen_dice import with_stated
from vander.session.session_state import AnsweredQuestion, SessionState, Step
from vander.session.sure_questions import GO_BACK, ask_if_sure, find_prompt, go_back, needs_asking_twice
from vander.session.table_acceptance import accept_dice_as_they_lie, accept_table, find_mismatch
from vander.session.taps import try_way
from vander.session.throw_questions import next_question, ways_thrown_by

MOST_ANSWERED = 8
"""Answered questions that are remembered for tablets that answer at the same time."""
_DENIALS = (question_prompts.AS_IT_LIES, question_prompts.PUT_BACK, question_prompts.THROWN_AGAIN)


def on_answer(  # noqa: PLR0913, PLR0917  # what was asked, and who answers what
    state: SessionState,
    question: int,
    choice: str,
    source: Source = Source.TABLET,
    die: int = 0,
    by: Actor = NOBODY,
    *,
    confirmed: bool = False,
) -> Step:
    """Take the answer to an open question; of a question about several dice for one `die` alone, where it is named.

    The answer is an entry. What somebody else answered a moment ago counts: the same answer changes nothing, another
    one is refused. To go on as the dice lie is asked a second time, unless the answer is `confirmed`.
    """
    state = state.signed(by)
    prompt = find_prompt(state, question)
    if prompt is None:
        return _answered_before(state, question, choice)
    if choice not in (answer for answer, _ in prompt.question.choices):
        raise Refused(say("{choice!r} is no answer to that question.", choice=choice))
    if die and die not in prompt.question.dice:
        raise Refused(say("That question is not about that die."))
    if needs_asking_twice(prompt, choice, confirmed=confirmed):
        return ask_if_sure(Step(state), prompt)
    if choice == GO_BACK:
        return go_back(Step(state), prompt)
    asked = prompt.sure_of or prompt.question
    dice = (die,) if die else asked.dice
    noted = _noted(Step(state), playing(state), asked, choice, source, dice)
    step = _answered(noted, playing(noted.state), prompt, choice, source, dice)
    is_closed = all(each.question.number != question for each in step.state.unresolved.prompts)
    return _with_answered(step, asked, choice) if is_closed and dice == asked.dice else step


def _noted(  # noqa: PLR0913, PLR0917  # what was asked, and the answer
    step: Step, match: Match, asked: Question, choice: str, source: Source, dice: tuple[int, ...]
) -> Step:
    """Keep the question and its answer: what is asked about one die, with its face before and after."""
    title, change = _with_denied(step.state, dict(asked.choices)[choice], asked, choice), tuple[Die, ...]()
    if asked.topic is QuestionTopic.FACE and choice != question_prompts.NOT_ALL:
        seen = find_seen(step.state, dice[0])
        change = (seen.die, Die(seen.kind, face_of(step.state.dice, seen.kind, choice)))
    return step.with_match(match.answered(asked.sentence, title, match.by, source, change))


def _with_denied(state: SessionState, title: str, asked: Question, choice: str) -> str:
    """Return an answer that no throw was made, with what the first way that is denied by it would have come to."""
    prompt = next((each for each in state.unresolved.prompts if asked in (each.question, each.sure_of)), None)
    ways = prompt.ways if isinstance(prompt, MeaningQuestion | UnseenThrowQuestion) else ()
    if not ways or choice not in _DENIALS:
        return title
    try:
        calls = playing(state).play(ways[0]).replay.calls
    except IllegalAction:
        return title
    said = in_a_row(*(call.sentence for call in calls))
    return say("{answer}. It would have been: {said}", answer=title, said=said)


def _with_answered(step: Step, asked: Question, choice: str) -> Step:
    """Remember an answer for whoever gives one a moment later."""
    answered = AnsweredQuestion(asked.number, choice, dict(asked.choices)[choice])
    return step.to(replace(step.state, answered=(*step.state.answered, answered)[-MOST_ANSWERED:]))


def _answered_before(state: SessionState, question: int, choice: str) -> Step:
    """Take an answer to a question that is not open: the same as was given changes nothing."""
    answered = next((each for each in state.answered if each.number == question), None)
    if answered is None:
        raise Refused(say("That question is no longer open."), Reason.NOT_FOUND)
    if answered.choice != choice:
        sentence = say("Somebody has just answered: {answer}; correct that if it is wrong.", answer=answered.title)
        raise Refused(sentence, Reason.CONFLICT)
    return Step(state)


def _answered(  # noqa: PLR0913, PLR0917  # what was asked, and the answer
    step: Step, match: Match, prompt: Prompt, choice: str, source: Source, dice: tuple[int, ...]
) -> Step:
    if isinstance(prompt, FaceQuestion):
        return _one_by_one(step, dice) if choice == question_prompts.NOT_ALL else _face_answered(step, dice, choice)
    if isinstance(prompt, KindQuestion):
        return _kind_answered(step, prompt, choice)
    if isinstance(prompt, SetFlatQuestion | LeaningQuestion | LeanedQuestion):
        return _leaning_answered(step, match, prompt, choice, dice)
    if isinstance(prompt, ThrownQuestion | InterventionQuestion) and choice != question_prompts.AS_IT_LIES:
        return _said_if_thrown(step, prompt, choice, dice)
    return _happened(step, match, prompt, choice, source)


def _said_if_thrown(
    step: Step, prompt: ThrownQuestion | InterventionQuestion, choice: str, dice: tuple[int, ...]
) -> Step:
    """Take whether dice were thrown; it is ruled once that was said of all that were asked about."""
    state = step.state
    named = tuple(each for each in prompt.asked if each[0] in dice)
    said = named if named and dice != prompt.question.dice else prompt.asked
    if choice == question_prompts.NOT_ALL:
        said, unresolved = (), replace(state.unresolved, apart=state.unresolved.apart.union(prompt.asked))
    else:
        unresolved = with_said(state.unresolved, said, thrown=choice == WAS_THROWN)
    step = step.to(replace(state, unresolved=unresolved))
    others = [each for each in state.unresolved.prompts if isinstance(each, ThrownQuestion) and each != prompt]
    left = (*others, *one_by_one(state, [each for each in prompt.asked if each not in said]))
    return question_prompts.ask(step, *left) if left else rule_again(step)


def _happened(step: Step, match: Match, prompt: Prompt, choice: str, source: Source) -> Step:
    """Go on by what people say has happened."""
    if choice in (question_prompts.THROWN_AGAIN, question_prompts.AS_IT_LIES):
        is_again = choice == question_prompts.THROWN_AGAIN
        return throw_again(step) if is_again else accept_table(accept_dice_as_they_lie(step, source))
    if isinstance(prompt, UnseenThrowQuestion) and choice != question_prompts.PUT_BACK:
        return try_way(step, match, tuple((action, source) for action, _ in prompt.ways[int(choice)]), was_seen=True)
    if isinstance(prompt, WhoThrewQuestion):
        return _thrown_by(step, match, prompt, int(choice), source)
    if choice == question_prompts.PUT_BACK and not isinstance(prompt, UnseenThrowQuestion):
        _check_put_back(step.state, match)
    if choice == question_prompts.PUT_BACK or not isinstance(prompt, MeaningQuestion):
        return accept_put_back(step, match)
    if choice == question_prompts.LEFT_LYING and prompt.breach is not None:
        return record(step, match, prompt.breach)
    way = tuple((action, source) for action, _ in prompt.ways[int(choice)])
    return try_way(step, match, way, was_seen=True)


def _check_put_back(state: SessionState, match: Match) -> None:
    """Refuse to go on from dice that were put back while they do not lie as before the throw."""
    if find_mismatch(state) is not None and before_moves(state, match) is None:
        raise Refused(
            say("The dice do not lie as before: put them back first, or say what was thrown."), Reason.CONFLICT
        )


def _thrown_by(step: Step, match: Match, prompt: WhoThrewQuestion, seat: int, source: Source) -> Step:
    """Go on by who threw, or ask what that player did before."""
    asked = next_question(match, prompt, seat, step.state.table)
    if asked is not None:
        return question_prompts.ask(step, asked)
    (way,) = ways_thrown_by(prompt, seat)
    return try_way(step, match, tuple((action, source) for action, _ in way), was_seen=True)


def _leaning_answered(step: Step, match: Match, prompt: Prompt, choice: str, dice: tuple[int, ...]) -> Step:
    """Take what people say of dice that lean, leaned, or seem to."""
    if isinstance(prompt, LeanedQuestion):
        return _leaned_answered(step, match, prompt, leaned=choice == LEANED)
    if isinstance(prompt, LeaningQuestion):
        return _said_to_lie_flat(step, dice)
    return _set_flat_answered(step, counts=choice == question_prompts.COUNTS)


def _set_flat_answered(step: Step, *, counts: bool) -> Step:
    """Rule on leaning dice that were set flat, or wait until they are thrown again."""
    unresolved, seen = step.state.unresolved, step.state.table.seen
    if not counts or unresolved.rethrow is None or seen is None:
        return step.to(replace(step.state, unresolved=replace(unresolved, prompts=())))
    flat = {die.number for die in seen.dice if not die.cocked}
    accepted = replace(unresolved, prompts=(), rethrow=unresolved.rethrow.accepting(flat))
    return rule_again(step.to(replace(step.state, unresolved=accepted)))


def _said_to_lie_flat(step: Step, dice: tuple[int, ...]) -> Step:
    """Take dice for flat, each until it is moved, that show what they were read as; where that is in doubt, ask it."""
    table = step.state.table
    lying = [find_seen(step.state, number) for number in dice]
    unsure = tuple(die.number for die in lying if len(die.faces) > 1 or die.kinds)
    if unsure:
        return question_prompts.ask_faces(step, unsure)
    said = {die.number: (die.throw, die.die) for die in lying}
    ruled = with_stated(table.ruled, said) if table.ruled else None
    return rule_again(step.to(replace(step.state, table=replace(table, stated={**table.stated, **said}, ruled=ruled))))


def _leaned_answered(step: Step, match: Match, prompt: LeanedQuestion, *, leaned: bool) -> Step:
    """Let a die that leaned count as it lies since it was thrown again; one that did not is the breach."""
    if not leaned:
        return record(step, match, prompt.breach)
    return accept_table(step.with_match(after_leaning(match, prompt)))


def _one_by_one(step: Step, dice: tuple[int, ...]) -> Step:
    """Ask about dice that look alike, and do not all show the same, one by one."""
    unresolved = step.state.unresolved
    seen = [find_seen(step.state, number) for number in dice]
    apart = unresolved.apart | {(die.number, die.throw) for die in seen}
    asked = [prompt.question.dice for prompt in unresolved.prompts if isinstance(prompt, FaceQuestion)]
    step = step.to(replace(step.state, unresolved=replace(unresolved, apart=apart)))
    return question_prompts.ask_faces(step, {number for numbers in asked for number in numbers})


def _face_answered(step: Step, dice: tuple[int, ...], choice: str) -> Step:
    state, table = step.state, step.state.table
    seen = [find_seen(state, number) for number in dice]
    said = {die.number: (die.throw, Die(die.kind, face_of(state.dice, die.kind, choice))) for die in seen}
    sources = {die.number: (die.throw, LabelSource.ANSWERED) for die in seen}
    table = replace(table, stated={**table.stated, **said}, sources={**table.sources, **sources})
    known = {die.number: said[die.number] for die in seen if not die.kinds}
    return rule_again(_told(step.to(replace(state, table=table)), known))


def _told(step: Step, known: StatedFaces) -> Step:
    """Add a FacesStated event for dice whose kind and face are both known from answers."""
    return step.to(step.state, FacesStated(known, LabelSource.ANSWERED)) if known else step


def _kind_answered(step: Step, prompt: KindQuestion, choice: str) -> Step:
    """Take the die of a kind, or that it is none of them; what follows for the others is settled with it."""
    state, table, asked = step.state, step.state.table, prompt.question.dice
    answer = None if choice == question_prompts.NO_DIE else find_seen(state, int(choice)).number
    left = kinds_left(state.dice, table.seen or Seen(), asked, answer, prompt.kind)
    seen = {number: find_seen(state, number) for number in left}
    said = {number: (die.throw, left[number]) for number, die in seen.items()}
    possible = {**table.kinds_left, **{(number, throw): kinds for number, (throw, kinds) in said.items()}}
    known = {
        number: (throw, Die(kinds[0], seen[number].faces[0][0]))
        for number, (throw, kinds) in said.items()
        if len(kinds) == 1 and len(seen[number].faces) == 1
    }
    sources = {number: (throw, LabelSource.ANSWERED) for number, (throw, _) in known.items()}
    stated = {**table.stated, **known}
    table = replace(table, kinds_left=possible, stated=stated, sources={**table.sources, **sources})
    return rule_again(_told(step.to(replace(state, table=table)), known))
