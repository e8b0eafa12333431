"""What people decide at the table: start, tap, enter by hand, answer, take back. Pure; what cannot be is Refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from models.dataset.table_labels import LabelSource, StatedFaces
from models.die_sets import DieSetSource
from referee.agreements import BEGIN, is_agreement
from referee.dice import Die, DieSet, Seen
from referee.game import Action, BadStart, Game, begin
from referee.game_options import BadOption
from referee.games import NoSuchGame
from referee.journal import NOBODY, Actor, Source
from referee.judge import judge
from referee.phrases import as_sentence, in_a_row
from referee.player_names import check_names
from referee.refused import Reason, Refused
from referee.seat_rules import SeatRules
from referee.sentences import say
from referee.snapshot import Question, QuestionTopic, WaitingAction
from referee.umpire import as_believed, explain
from referee.umpire.wording import answer_first
from vander.session import question_prompts
from vander.session.backlog import skip_to_last, without_backlog
from vander.session.camera_events import watch_again
from vander.session.correction import find_seen
from vander.session.denied_throws import is_still_due, throw_again
from vander.session.hand_questions import with_answer
from vander.session.held_throws import open_question
from vander.session.kind_doubts import find_kind_doubt, kinds_left
from vander.session.leaned_dice import LEANED, after_leaning
from vander.session.match import IllegalAction, Match, Way
from vander.session.put_back import before_moves
from vander.session.request_parsing import check_step, check_step_of_game, face_of, find_dice, find_game
from vander.session.ruling_decisions import (
    evidence_of,
    find_mismatch,
    find_rethrow,
    go_on_as_put_back,
    go_on_from_here,
    hands_before,
    lay_as_it_lies,
    record,
    recount,
    rule_again,
    take,
    without_sight,
)
from vander.session.seen_dice import with_stated
from vander.session.session_state import (
    AnsweredQuestion,
    AnswerWithdrawn,
    Backlog,
    DiceRecounted,
    FaceQuestion,
    FacesStated,
    InterventionQuestion,
    KeptLeaningQuestion,
    KindQuestion,
    LeanedQuestion,
    MeaningQuestion,
    Mode,
    Prompt,
    SessionState,
    SetFlatQuestion,
    Step,
    ThrowEnded,
    ThrownQuestion,
    Unresolved,
    UnseenThrowQuestion,
    WhoThrewQuestion,
)
from vander.session.snapshot_builder import LENT
from vander.session.sure_questions import GO_BACK, ask_if_sure, find_prompt, go_back, needs_asking_twice
from vander.session.throw_questions import next_question, ways_thrown_by
from vander.session.unseen_throws import find_unseen_throws

MOST_ANSWERED = 8
"""Answered questions that are remembered for tablets that answer at the same time."""
_DENIALS = (question_prompts.AS_IT_LIES, question_prompts.PUT_BACK, question_prompts.THROWN_AGAIN)
PUT_BACK_FIRST = say("The dice do not lie as before: put them back first, or say what was thrown.")
CAMERA_SEES = say("The camera sees the tray: throw the dice there, and correct what was read wrong.")


def playing(state: SessionState) -> Match:
    """Return the match that is on, or was last. Raises Refused."""
    if state.match is None:
        raise Refused(say("No game is being played; set one up first."), Reason.CONFLICT)
    return state.match


# Setting up


@dataclass(frozen=True)
class GameSetup:
    """A game that can begin: checked, not yet in the journal."""

    game: Game
    players: tuple[str, ...]
    options: Mapping[str, str]
    dice: DieSet
    starter: int = 0


@dataclass(frozen=True)
class SetupRequest:
    """What was chosen on the set-up sheet.

    `die_set` counts for a game that takes any dice; `step` is the page's. `starter` is the seat that begins by
    agreement, 0 where the game's own rules decide. `leave_open` keeps the game open that is on the table.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str = ""
    step: str = ""
    starter: int = 0
    leave_open: bool = False


def check_setup(state: SessionState, request: SetupRequest, games: Sequence[Game], known: DieSetSource) -> GameSetup:
    """Return the game that is wanted. Raises Refused for a bad choice, and where another game would be ended."""
    if state.match is not None and state.is_on:
        check_step_of_game(state.match, request.step)
    try:
        game = find_game(games, request.game)
        dice = find_dice(known, game.die_set or request.die_set or state.config.dice.name)
        check_names(request.players)
        start = begin(game, request.players, dice, request.options)
    except NoSuchGame as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None
    except (BadStart, BadOption) as error:
        raise Refused(as_sentence(error)) from None
    refusal = judge(game, start, _beginning(request.starter)).refusal if request.starter else None
    if refusal:
        raise Refused(refusal.sentence, Reason.INVALID, refusal.rule)
    return GameSetup(game, request.players, start.options, dice, request.starter)


def _beginning(starter: int) -> Action:
    return Action(starter, BEGIN.name)


def on_start(state: SessionState, match: Match, starter: int = 0) -> Step:
    """Begin a match that the journal holds; one that was going on has ended.

    With a `starter` that seat has the first turn, as the table has agreed: the first entry says so.
    """
    step = Step(state)
    if match.start.dice != state.dice:
        step = recount(step)
    seen = step.state.table.seen
    before_game = seen.throw if seen else -1
    table = replace(step.state.table.ruled_on(), thrown_by={}, given={}, before_game=before_game)
    begun = replace(step.state, match=match, table=table, unresolved=Unresolved(), backlog=Backlog())
    step = step.to(replace(begun, waiting=None, unconfirmed=None, resumed=False, returned=False), ThrowEnded())
    return step.with_match(match.play([(_beginning(starter), Source.TABLET)])) if starter else step


# Taps


def check_tap(state: SessionState, action: Action, step: str) -> None:
    """Refuse a tap on what an old page offered, and where no game is set up."""
    check_step(playing(state), step, action.player)


def check_own_seat(state: SessionState, action: Action, rules: SeatRules, by: Actor) -> None:
    """Refuse a tap for another seat on a phone that is bound to one, where the table wants that."""
    is_own = by.seat in (0, action.player) or not action.player or is_agreement(action)
    if rules.own_seat_only and not is_own:
        owner, other = (playing(state).state.name(seat) for seat in (by.seat, action.player))
        sentence = say("This phone is {owner}'s. Tap for {other} on another one.", owner=owner, other=other)
        raise Refused(sentence, Reason.CONFLICT)


def on_tap(state: SessionState, action: Action, source: Source = Source.TABLET, by: Actor = NOBODY) -> Step:
    """Do a tapped action, counting what hands did just before; one that may be interrupted begins to wait instead."""
    state = state.signed(by)
    match, waiting = playing(state), state.waiting
    _check_nothing_waits(state)
    if not state.is_settled:
        raise Refused(say("Wait until the dice lie still and all hands are out of the tray."), Reason.CONFLICT)
    if is_agreement(action):
        return _agree(state, match, action, source)
    if waiting is None:
        held = _pause(state, match, action)
        return Step(replace(state, waiting=held)) if held else _tap(Step(state), match, action, source)
    if waiting.action == action:
        return Step(state)  # tapped twice
    if waiting.action.player == action.player:
        raise _not_yet(waiting)
    return _tap(Step(state), match, action, source)


def _check_nothing_waits(state: SessionState) -> None:
    """Refuse a tap while a throw waits for an answer, or has to be made again: nobody knows yet what it is about."""
    if is_still_due(state):
        raise Refused(state.unresolved.unfinished, Reason.CONFLICT)
    asked = open_question(state)
    if asked is not None and (state.backlog.observations or state.is_blind):
        raise Refused(answer_first(asked.question.sentence), Reason.CONFLICT)


def _agree(state: SessionState, match: Match, action: Action, source: Source) -> Step:
    """Do what the table has agreed on; what hands did stays open unless it changes where the dice belong."""
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    try:
        after = match.play([(action, source)])
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None
    step = Step(state).with_match(after)
    return step if _awaits_the_same(match, after) else go_on_from_here(step)


def _awaits_the_same(before: Match, after: Match) -> bool:
    layouts = (match.game.lay(match.state) for match in (before, after))
    return len(set(layouts)) == 1 and before.state.seat == after.state.seat


def on_waited(
    state: SessionState, waited: WaitingAction, source: Source, before: Match | None, by: Actor = NOBODY
) -> Step:
    """Do an action whose wait is over. Who interrupted it since the match `before` is said with a refusal."""
    if state.waiting is not waited:
        raise Refused(say("Taken back before it counted: {title}.", title=waited.title), Reason.CONFLICT)
    match = playing(state)
    step = Step(replace(state.signed(by), waiting=None))
    try:
        return _tap(step, playing(step.state), waited.action, source)
    except Refused as refused:
        calls = (
            ()
            if before is not None and match.entries is before.entries
            else tuple(call.sentence for call in match.replay.calls)
        )
        sentence = in_a_row(*calls, refused.sentence)
        return replace(step, refused=Refused(sentence, refused.reason, refused.rule))


def is_wait_over(state: SessionState, waited: WaitingAction) -> bool:
    """True if the action waits no longer, is no longer legal, or nobody may interrupt it any more."""
    if state.waiting is not waited:
        return True
    return not playing(state).with_hands(state.unresolved.pending).pause(waited.action)


def _pause(state: SessionState, match: Match, action: Action) -> WaitingAction | None:
    now = match.with_hands(state.unresolved.pending)
    sentence = now.pause(action) if state.config.pause_s else ""
    return WaitingAction(action, now.game.offer_title(now.state, action), sentence) if sentence else None


def _not_yet(waiting: WaitingAction) -> Refused:
    return Refused(say("Wait a moment: {title} does not count yet.", title=waiting.title), Reason.CONFLICT)


def _tap(step: Step, match: Match, action: Action, source: Source) -> Step:
    state = step.state
    ruled, seen = state.table.ruled, state.table.seen
    if ruled is None or seen is None or not state.config.bay or state.is_blind:
        return _tap_unseen(step, match, action, source)
    rethrow, denied = find_rethrow(state), state.unresolved.denied
    seen = as_believed(seen, state.unresolved.believed)
    doubt = find_kind_doubt(match, ruled, seen, tapped=action, rethrow=rethrow, denied=denied)
    if doubt is not None:
        return question_prompts.ask(step, question_prompts.kind_question(state.dice, doubt, state.table.crops))
    explained = explain(match.game, match.state, ruled, seen, action, rethrow=rethrow, denied=denied)
    ways = question_prompts.ways_of(explained, action, source)
    if explained.unsure_dice:
        return question_prompts.ask_faces(step, explained.unsure_dice)
    if len(ways) > 1:
        asked = question_prompts.meaning_question(match, explained, state.table.crops, explained.question)
        return question_prompts.ask(step, replace(asked, ways=ways))
    if not ways:
        raise Refused(explained.breach or explained.unfinished, Reason.CONFLICT, explained.rule)
    return _still_wrong(_try(step, match, ways[0]), state)


def _still_wrong(step: Step, before: SessionState) -> Step:
    """Keep saying that dice lie wrong which lay wrong before a tap: what is thrown may then be given by hand."""
    if before.unresolved.mismatch is None:
        return step
    return step.to(replace(step.state, unresolved=replace(step.state.unresolved, mismatch=find_mismatch(step.state))))


def _tap_unseen(step: Step, match: Match, action: Action, source: Source) -> Step:
    """Do an action where nothing that lies in the tray can explain it; moves by hand are tapped then."""
    step = _try(step, match, (*hands_before(step.state, match, action), (action, source)))
    is_by_hand = step.state.config.bay and step.state.is_blind and action.verb in match.game.by_hand
    if not is_by_hand or step.state.mode is Mode.CAPTURING:
        return step
    return step.to(replace(step.state, mode=Mode.MANUAL))


def _try(step: Step, match: Match, way: Way, *, was_seen: bool = False) -> Step:
    """Play a way for a person. Raises Refused for what stands against it."""
    try:
        return take(step, match, way, was_seen=was_seen)
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None


# By hand


def on_manual(state: SessionState, action: Action, step: str = "", by: Actor = NOBODY) -> Step:
    """Play a throw that people enter; what the camera sees next is compared with the game, not ruled on."""
    state = state.signed(by)
    match = playing(state)
    check_step(match, step, action.player)
    if not state.takes_manual_entry:
        raise Refused(LENT if state.mode is Mode.CAPTURING else CAMERA_SEES, Reason.CONFLICT)
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    _check_answered(state)
    way = _way_by_hand(state, match, action)
    evidence = evidence_of(state, match, way)
    try:
        after = match.play(way, evidence)
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None
    if not after.throws(after.before_last, action):
        raise Refused(say("That is no throw: tap it, it needs no dice to be given."))
    given = Step(state).with_match(after, evidence)
    given_up = without_backlog(replace(given.state, unresolved=Unresolved()))
    unseen = replace(without_sight(given_up), mode=Mode.MANUAL)
    return watch_again(given.to(unseen, DiceRecounted()))


def _check_answered(state: SessionState) -> None:
    """Refuse dice by hand while it is asked about a throw that was seen: they are no way round the question."""
    asked = open_question(state)
    if asked is not None and not isinstance(asked, UnseenThrowQuestion):
        raise Refused(answer_first(asked.question.sentence), Reason.CONFLICT)


def _way_by_hand(state: SessionState, match: Match, action: Action) -> Way:
    """Return what hands did before a throw that people enter, and the throw: as the dice lie where that tells it."""
    seen = state.table.seen
    if not match.allows(action) and seen is not None and not state.is_blind:
        ways = find_unseen_throws(match.game, match.state, seen)
        found = next((way for way in ways if way[-1] == action), ())
        if found:
            return tuple((each, Source.HAND) for each in found)
    return (*hands_before(state, match, action), (action, Source.HAND))


# Answers and taking back


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
    if isinstance(prompt, SetFlatQuestion | KeptLeaningQuestion | LeanedQuestion):
        return _leaning_answered(step, match, prompt, choice, dice)
    if isinstance(prompt, ThrownQuestion | InterventionQuestion) and choice != question_prompts.AS_IT_LIES:
        named = [each for each in prompt.asked if each[0] in dice]
        asked = prompt.asked if dice == prompt.question.dice else named or prompt.asked
        return rule_again(step.to(replace(step.state, unresolved=with_answer(step.state.unresolved, asked, choice))))
    return _happened(step, match, prompt, choice, source)


def _happened(step: Step, match: Match, prompt: Prompt, choice: str, source: Source) -> Step:
    """Go on by what people say has happened."""
    if choice in (question_prompts.THROWN_AGAIN, question_prompts.AS_IT_LIES):
        is_again = choice == question_prompts.THROWN_AGAIN
        return throw_again(step) if is_again else go_on_from_here(lay_as_it_lies(step, source))
    if isinstance(prompt, UnseenThrowQuestion) and choice != question_prompts.PUT_BACK:
        return _try(step, match, tuple((action, source) for action, _ in prompt.ways[int(choice)]), was_seen=True)
    if isinstance(prompt, WhoThrewQuestion):
        return _thrown_by(step, match, prompt, int(choice), source)
    if choice == question_prompts.PUT_BACK and not isinstance(prompt, UnseenThrowQuestion):
        _check_put_back(step.state, match)
    if choice == question_prompts.PUT_BACK or not isinstance(prompt, MeaningQuestion):
        return go_on_as_put_back(step, match)
    if choice == question_prompts.LEFT_LYING and prompt.breach is not None:
        return record(step, match, prompt.breach)
    way = tuple((action, source) for action, _ in prompt.ways[int(choice)])
    return _try(step, match, way, was_seen=True)


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
    return _try(step, match, tuple((action, source) for action, _ in way), was_seen=True)


def _leaning_answered(step: Step, match: Match, prompt: Prompt, choice: str, dice: tuple[int, ...]) -> Step:
    """Take what people say of dice that lean, leaned, or seem to."""
    if isinstance(prompt, LeanedQuestion):
        return _leaned_answered(step, match, prompt, leaned=choice == LEANED)
    if isinstance(prompt, KeptLeaningQuestion):
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
    """Take kept dice for flat, each until it is moved; they show what they showed."""
    table = step.state.table
    said = {die.number: (die.throw, die.die) for die in (find_seen(step.state, number) for number in dice)}
    ruled = with_stated(table.ruled, said) if table.ruled else None
    return rule_again(step.to(replace(step.state, table=replace(table, stated={**table.stated, **said}, ruled=ruled))))


def _leaned_answered(step: Step, match: Match, prompt: LeanedQuestion, *, leaned: bool) -> Step:
    """Let a die that leaned count as it lies since it was thrown again; one that did not is the breach."""
    if not leaned:
        return record(step, match, prompt.breach)
    return go_on_from_here(step.with_match(after_leaning(match, prompt)))


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


def on_void(state: SessionState, step: str = "", by: Actor = NOBODY) -> Step:
    """Take out the last throw, which does not count, and what was done with it; the table is then taken as it lies."""
    state = state.signed(by)
    match = playing(state)
    check_step(match, step)
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    try:
        after = match.void_throw()
    except LookupError:
        raise Refused(say("No throw stands that could be taken out."), Reason.CONFLICT) from None
    taken_out = go_on_from_here(Step(state).with_match(after))
    return taken_out.to(skip_to_last(taken_out.state))


def on_undo(state: SessionState, step: str = "", by: Actor = NOBODY) -> Step:
    """Take back the last standing entry, or the action that waits; the table is then taken as it lies.

    What was corrected of earlier entries stays corrected.
    """
    state = state.signed(by)
    match = playing(state)
    check_step(match, step)
    if state.waiting is not None:
        return Step(replace(state, waiting=None))
    try:
        after = match.undo()
    except LookupError:
        raise Refused(say("There is nothing to take back."), Reason.CONFLICT) from None
    taken_back = go_on_from_here(_without_answers(Step(state).with_match(after), match.replay.last))
    return taken_back.to(skip_to_last(taken_back.state))


def _without_answers(step: Step, entry: int) -> Step:
    """Withdraw the labels of the dice whose faces this entry gave."""
    table = step.state.table
    withdrawn = table.given.get(entry, ())
    if not withdrawn:
        return step
    sources = {number: said for number, said in table.sources.items() if (number, said[0]) not in withdrawn}
    given = {other: dice for other, dice in table.given.items() if other != entry}
    state = replace(step.state, table=replace(table, sources=sources, given=given))
    return step.to(state, AnswerWithdrawn(withdrawn))
