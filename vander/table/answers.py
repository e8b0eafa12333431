"""What people answer to open questions, what an answer would change, and the pictures shown with a question. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from models.dataset.samples import DieOfThrow, LabelSource, StatedFaces
from referee.actions import GameState
from referee.dice import Die, DieSet, Seen, in_order
from referee.journal import NOBODY, Actor, Source
from referee.judge import judge
from referee.phrases import in_a_row, spell_list
from referee.sentences import Reason, Refused, as_part, say
from referee.snapshot import AnswerEffect, AnswerStep, DieRing, PicturedTray, Question, QuestionPictures, QuestionTopic
from referee.umpire import LOST_DIE_QUESTION
from vander.table import questions
from vander.table.breaches import DID_NOT_LEAN, IT_LEANED, after_leaning, take
from vander.table.correction import find_seen
from vander.table.doubts import kinds_left
from vander.table.held_throws import table_now, throw_again
from vander.table.match import IllegalAction, Match, Way
from vander.table.put_back import before_moves, find_put_backs
from vander.table.ruling import (
    accept_dice_as_they_lie,
    accept_put_back,
    accept_table,
    find_mismatch,
    record_breach,
    rule_again,
)
from vander.table.seen_dice import with_stated
from vander.table.session_state import (
    AnsweredQuestion,
    FaceQuestion,
    FacesStated,
    InterventionQuestion,
    KindQuestion,
    LeanedQuestion,
    LeaningQuestion,
    MeaningQuestion,
    Prompt,
    SessionState,
    SetFlatQuestion,
    Step,
    TableView,
    ThrownQuestion,
    UnseenThrowQuestion,
    WhoThrewQuestion,
)
from vander.table.taps import face_of, playing
from vision.frame_reader import upright_place, upright_size
from vision.observations import Observation, TrackedDie

# What an answer would change, in a word


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
        yield from _of_thrown(state.table, prompt.asked)
    if isinstance(prompt, SetFlatQuestion):
        yield from _of_set_flat(state.table.seen, prompt.question.dice)
    if isinstance(prompt, LeanedQuestion):
        yield AnswerEffect(IT_LEANED, (prompt.old,), (prompt.new,))
        if prompt.breach:
            yield AnswerEffect(DID_NOT_LEAN, (prompt.new,), (prompt.old,))
    if _ways(prompt):
        thrown = tuple(die.die for die in state.table.thrown)
        yield AnswerEffect(questions.THROWN_AGAIN, thrown, _without_faces(thrown))


def _of_way(state: SessionState, match: Match, answer: str, way: Way) -> AnswerEffect:
    """Return the effect of a way for its picture: the dice of its last throw, before and as they count."""
    steps, end = _played(match, way)
    last = way[-1][0]
    is_throw = bool(last.dice) and last.is_throw
    lay = state.table.lay
    before = in_order(lay[die.number] for die in state.table.thrown if die.number in lay) if is_throw else ()
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


def _of_thrown(table: TableView, asked: Iterable[DieOfThrow]) -> Iterator[AnswerEffect]:
    """Yield: they count as they lie, or go back to what they showed.

    Where they showed the same before, they were in a hand, or never left their place.
    """
    numbers = {number for number, _ in asked}
    now = [die for die in table.seen.dice if die.number in numbers] if table.seen else []
    if not now:
        return
    shown, before = tuple(die.die for die in now), tuple(table.lay.get(die.number, Die(die.kind)) for die in now)
    are_same = before == shown
    yield AnswerEffect(questions.WAS_THROWN, _without_faces(shown) if are_same else before, shown)
    yield AnswerEffect(questions.WAS_SET_DOWN, () if are_same else shown, before)


def _of_set_flat(seen: Seen | None, numbers: Sequence[int]) -> Iterator[AnswerEffect]:
    dice = tuple(die.die for die in seen.dice if die.number in numbers) if seen else ()
    yield AnswerEffect(questions.COUNTS, (), dice)
    yield AnswerEffect(questions.THROWN_AGAIN, dice, _without_faces(dice))


def _without_faces(dice: Iterable[Die]) -> tuple[Die, ...]:
    return tuple(Die(die.kind) for die in dice)


# Answers

MOST_ANSWERED = 8
"""Answered questions that are remembered for tablets that answer at the same time."""
_DENIALS = (questions.AS_IT_LIES, questions.PUT_BACK, questions.THROWN_AGAIN)


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
    prompt = questions.find_prompt(state, question)
    if prompt is None:
        return _answered_before(state, question, choice)
    if choice not in (answer for answer, _ in prompt.question.choices):
        raise Refused(say("{choice!r} is no answer to that question.", choice=choice))
    if die and die not in prompt.question.dice:
        raise Refused(say("That question is not about that die."))
    if questions.needs_asking_twice(prompt, choice, confirmed=confirmed):
        return questions.ask_if_sure(Step(state), prompt)
    if choice == questions.GO_BACK:
        return questions.go_back(Step(state), prompt)
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
    if asked.topic is QuestionTopic.FACE and choice != questions.NOT_ALL:
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
        sentence = say("Somebody has just answered: {answer}. Correct it if it is wrong.", answer=answered.title)
        raise Refused(sentence, Reason.CONFLICT)
    return Step(state)


def _answered(  # noqa: PLR0913, PLR0917  # what was asked, and the answer
    step: Step, match: Match, prompt: Prompt, choice: str, source: Source, dice: tuple[int, ...]
) -> Step:
    if isinstance(prompt, FaceQuestion):
        return _one_by_one(step, dice) if choice == questions.NOT_ALL else _face_answered(step, dice, choice)
    if isinstance(prompt, KindQuestion):
        return _kind_answered(step, prompt, choice)
    if isinstance(prompt, SetFlatQuestion | LeaningQuestion | LeanedQuestion):
        return _leaning_answered(step, match, prompt, choice, dice)
    if isinstance(prompt, ThrownQuestion | InterventionQuestion) and choice != questions.AS_IT_LIES:
        return _said_if_thrown(step, prompt, choice, dice)
    return _happened(step, match, prompt, choice, source)


def _said_if_thrown(
    step: Step, prompt: ThrownQuestion | InterventionQuestion, choice: str, dice: tuple[int, ...]
) -> Step:
    """Take whether dice were thrown; it is ruled once that was said of all that were asked about."""
    state = step.state
    named = tuple(each for each in prompt.asked if each[0] in dice)
    said = named if named and dice != prompt.question.dice else prompt.asked
    if choice == questions.NOT_ALL:
        said, unresolved = (), replace(state.unresolved, apart=state.unresolved.apart.union(prompt.asked))
    else:
        unresolved = questions.with_said(state.unresolved, said, thrown=choice == questions.WAS_THROWN)
    step = step.to(replace(state, unresolved=unresolved))
    others = [each for each in state.unresolved.prompts if isinstance(each, ThrownQuestion) and each != prompt]
    left = (*others, *questions.one_by_one(state, [each for each in prompt.asked if each not in said]))
    return questions.ask(step, *left) if left else rule_again(step)


def _happened(step: Step, match: Match, prompt: Prompt, choice: str, source: Source) -> Step:
    """Go on by what people say has happened."""
    if choice in (questions.THROWN_AGAIN, questions.AS_IT_LIES):
        is_again = choice == questions.THROWN_AGAIN
        return throw_again(step) if is_again else accept_table(accept_dice_as_they_lie(step, source))
    if isinstance(prompt, UnseenThrowQuestion) and choice != questions.PUT_BACK:
        return take(step, match, tuple((action, source) for action, _ in prompt.ways[int(choice)]), was_seen=True)
    if isinstance(prompt, WhoThrewQuestion):
        return _thrown_by(step, match, prompt, int(choice), source)
    if choice == questions.PUT_BACK and not isinstance(prompt, UnseenThrowQuestion):
        _check_put_back(step.state, match)
    if choice == questions.PUT_BACK or not isinstance(prompt, MeaningQuestion):
        return accept_put_back(step, match)
    way = tuple((action, source) for action, _ in prompt.ways[int(choice)])
    return take(step, match, way, was_seen=True)


def _check_put_back(state: SessionState, match: Match) -> None:
    """Refuse to go on from dice that were put back while they do not lie as before the throw."""
    if find_mismatch(state) is not None and before_moves(state, match) is None:
        raise Refused(
            say("The dice do not lie as before: put them back first, or say what was thrown."), Reason.CONFLICT
        )


def _thrown_by(step: Step, match: Match, prompt: WhoThrewQuestion, seat: int, source: Source) -> Step:
    """Go on by who threw, or ask what that player did before."""
    asked = questions.next_question(match, prompt, seat, step.state.table)
    if asked is not None:
        return questions.ask(step, asked)
    (way,) = questions.ways_thrown_by(prompt, seat)
    return take(step, match, tuple((action, source) for action, _ in way), was_seen=True)


def _leaning_answered(step: Step, match: Match, prompt: Prompt, choice: str, dice: tuple[int, ...]) -> Step:
    """Take what people say of dice that lean, leaned, or seem to."""
    if isinstance(prompt, LeanedQuestion):
        return _leaned_answered(step, match, prompt, leaned=choice == IT_LEANED)
    if isinstance(prompt, LeaningQuestion):
        return _said_to_lie_flat(step, dice)
    return _set_flat_answered(step, counts=choice == questions.COUNTS)


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
        return questions.ask_faces(step, unsure)
    said = {die.number: (die.throw, die.die) for die in lying}
    ruled = with_stated(table.ruled, said) if table.ruled else None
    return rule_again(step.to(replace(step.state, table=replace(table, stated={**table.stated, **said}, ruled=ruled))))


def _leaned_answered(step: Step, match: Match, prompt: LeanedQuestion, *, leaned: bool) -> Step:
    """Let a die that leaned count as it lies since it was thrown again; else it is a breach, or a throw of its own."""
    if leaned:
        return accept_table(step.with_match(after_leaning(match, prompt)))
    if prompt.breach:
        return record_breach(step, match, prompt.breach)
    thrown = [each for each in step.state.table.thrown_since_ruling if each[0] == prompt.question.die]
    return rule_again(
        step.to(replace(step.state, unresolved=questions.with_said(step.state.unresolved, thrown, thrown=True)))
    )


def _one_by_one(step: Step, dice: tuple[int, ...]) -> Step:
    """Ask about dice that look alike, and do not all show the same, one by one."""
    unresolved = step.state.unresolved
    seen = [find_seen(step.state, number) for number in dice]
    apart = unresolved.apart | {(die.number, die.throw) for die in seen}
    asked = [prompt.question.dice for prompt in unresolved.prompts if isinstance(prompt, FaceQuestion)]
    step = step.to(replace(step.state, unresolved=replace(unresolved, apart=apart)))
    return questions.ask_faces(step, {number for numbers in asked for number in numbers})


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
    answer = None if choice == questions.NO_DIE else find_seen(state, int(choice)).number
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


# The pictures of a question


def asks_anew(before: SessionState, after: SessionState) -> bool:
    """True if a question is open that was not open before."""
    known = {prompt.question.number for prompt in before.unresolved.prompts}
    return any(prompt.question.number not in known for prompt in after.unresolved.prompts)


def find_question_pictures(state: SessionState, number: int, *, has_film: bool) -> QuestionPictures | None:
    """Return the pictures of an open question, by its number; None where it is not open."""
    prompt, table = questions.find_prompt(state, number), state.table
    if prompt is None:
        return None
    dice = prompt.question.dice or tuple(wrong.die for wrong in find_put_backs(state))
    before = _pictured(table.ruled_picture, table.ruled_observed, dice)
    after = _pictured(table.picture, table.observed, dice)
    return QuestionPictures(before if before != after else None, after, has_film)


def _pictured(name: str, observed: Observation | None, numbers: Collection[int]) -> PicturedTray | None:
    if not name or observed is None:
        return None
    rings = (ring_of(observed, die) for die in observed.dice if die.number in numbers)
    return PicturedTray(name, tuple(ring for ring in rings if ring))


def ring_of(observed: Observation, die: TrackedDie) -> DieRing | None:
    """Return where an observed die lies in the picture of the tray from straight above; None beyond it."""
    at = die.reading.sighting
    place = upright_place(observed.tray_mm, at.x_mm, at.y_mm)
    return DieRing.at(*place, at.edge_mm / upright_size(observed.tray_mm)[0]) if place else None
