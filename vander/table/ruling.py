"""From what lies in the tray to a ruling: pure functions from step to step.

The umpire explains the change since the last ruling. One explanation is taken, several are asked, none is a breach.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from referee.actions import Action
from referee.dice import Handling, Seen
from referee.journal import Source
from referee.umpire import LOST_DIE_QUESTION, Explanation, RethrowDue, counted_unseen, differs, explain
from referee.umpire.tables import numbers_of
from vander.table import breaches, questions
from vander.table.doubts import find_kind_doubt, find_unseen_throws
from vander.table.held_throws import is_asked_again, is_still_due, tumbled, was_asked, without_backlog
from vander.table.match import IllegalAction, Match, Way
from vander.table.put_back import before_moves
from vander.table.questions import ask_about_hands, find_tapped, is_about_hands, throw_question, with_hands
from vander.table.remarks import silent_changes, with_told_hands
from vander.table.seen_dice import has_old_dice, positions, with_kinds_left, with_stated
from vander.table.session_state import (
    Breach,
    DiceRecounted,
    MeaningQuestion,
    Mismatch,
    MismatchQuestion,
    Mode,
    Prompt,
    SessionState,
    Step,
    TableView,
    Unresolved,
)

# Taking the dice as they lie


def recount(step: Step) -> Step:
    """Number dice and throws from one again and forget everything that was seen or said about the dice."""
    state = without_backlog(step.state)
    mode = Mode.PLAYING if state.mode is Mode.MANUAL else state.mode
    state = replace(without_sight(state), recounts=state.recounts + 1, mode=mode)
    return step.to(state, DiceRecounted())


def without_sight(state: SessionState) -> SessionState:
    """Return the state with nothing known of the dice."""
    return replace(state, table=TableView(), camera=replace(state.camera, calibrated=True, doubts=()))


def accept_table(step: Step, missed: int = 0) -> Step:
    """Accept the table as ruled on, and record where the dice differ from the journal.

    `missed` throws that led there were not kept, and are asked for again.
    """
    state = step.state
    table = state.table.ruled_on()
    return step.to(replace(state, table=table, unresolved=Unresolved(mismatch=find_mismatch(state), missed=missed)))


def accept_dice_as_they_lie(step: Step, source: Source) -> Step:
    """Write an entry that accepts misplaced dice as they lie, if the rules can continue from there."""
    state = step.state
    match, seen = state.match, state.table.seen
    if match is None or seen is None or find_mismatch(state) is None:
        return step
    evidence = breaches.evidence_name(state, match)
    laid = match.laid(positions(seen), evidence, source)
    if laid is None:
        return step
    step = step.with_match(laid, evidence)
    return step.to(replace(step.state, table=replace(step.state.table, thrown_by={})))


def find_mismatch(state: SessionState) -> Mismatch | None:
    """Return where the dice do not lie as the journal has them; None where they do, or no game is on."""
    match, seen = state.match, state.table.seen
    if match is None or seen is None or match.over:
        return None
    sentence = differs(match.game, match.state, seen)
    return Mismatch(sentence) if sentence else None


# Ruling


def rule_again(step: Step) -> Step:
    """Rule on the same table once more, after somebody said what a die shows, or which kind it is of."""
    table = step.state.table
    if table.seen is None:
        return step
    seen = with_stated(with_kinds_left(table.seen, table.kinds_left), table.stated)
    return rule(step.to(replace(step.state, table=replace(table, seen=seen))))


def rule(step: Step) -> Step:
    """Rule on what lies there."""
    match, seen = step.state.match, step.state.table.seen
    if match is None or seen is None:
        return step
    state = breaches.without_refused_throw(step.state, match)
    step, ruled = step.to(state), state.table.ruled
    if ruled is None or match.over:
        return _ask_after_pause(accept_table(step, state.unresolved.missed))
    if is_still_due(state) or is_asked_again(state):
        return step
    due, moved, by_tap = find_rethrow(state), state.unresolved.moved, find_tapped(match)
    said, told = state.unresolved.said, bool(state.unresolved.breach or state.unresolved.intervention)
    explains = partial(
        explain, match.game, match.state, ruled, moved=moved, rethrow=due, said=said, by_tap=by_tap, told=told
    )
    doubt = find_kind_doubt(match, ruled, seen, explains)
    if doubt is not None:
        return questions.ask(step, questions.kind_question(state.dice, doubt, state.table.crops))
    explained = explains(seen)
    mismatch = find_mismatch(state) if state.unresolved.mismatch is not None else None
    moved = explained.pending if seen.throw == ruled.throw else moved
    unresolved = replace(state.unresolved, mismatch=mismatch, moved=moved, rethrow=explained.rethrow or due)
    return _follow_from(state, step.to(replace(state, unresolved=unresolved)), match, explained)


def _follow_from(before: SessionState, step: Step, match: Match, explained: Explanation) -> Step:
    """Do what the umpire says, with care where something was wrong `before`."""
    is_clear = not (explained.unsure_dice or explained.rethrow)
    if before.unresolved.breach is not None and is_clear and _lies_right(step.state, match):
        return _put_right(step, match, explained)
    is_wrong = bool(explained.breach) or is_about_hands(explained) or breaches.is_any_out(step.state)
    if before.unresolved.breach is not None and is_wrong and breaches.is_being_put_right(step.state):
        return breaches.record(step, match, before.unresolved.breach)
    late = breaches.find_legal_throw(before, match) if explained.breach else None
    if late is not None:
        return _take_late_throw(step, match, *late)
    if before.unresolved.mismatch is not None:
        return _follow_wrong(step, match, explained, was_asked=_was_asked(before))
    if explained.unchanged:
        return accept_table(_with_told(step, match, explained), step.state.unresolved.missed)
    return _follow(step, match, _doubted(match, explained) if _is_open(before) else explained)


def _take_late_throw(step: Step, match: Match, put_back: Seen, explained: Explanation) -> Step:
    """Take a legal throw while dice of a breach still lie wrong, and go on asking to put those right."""
    really = step.state.table
    step = step.to(replace(step.state, table=replace(really, seen=put_back)))
    step = _take_or_record(step, match, questions.ways_of(explained)[0])
    table = replace(step.state.table, seen=really.seen)
    step = accept_table(step.to(replace(step.state, table=table)))
    after, mismatch = step.state.match, step.state.unresolved.mismatch
    seen = step.state.table.seen
    if after is None or seen is None or mismatch is None or after.laid(positions(seen)) is None:
        return step
    return questions.ask(step, questions.mismatch_question(mismatch))


def record_breach(step: Step, match: Match, breach: Breach) -> Step:
    """Record a breach, and go on where the thrown dice fell so that all lie as before: nothing can be put back then."""
    step = breaches.record(step, match, breach)
    after = step.state.match or match
    if not _lies_right(step.state, after):
        return step
    step = accept_put_back(step, after)
    return step.to(replace(step.state, unresolved=replace(step.state.unresolved, unfinished=breach.sentence)))


def _lies_right(state: SessionState, match: Match) -> bool:
    """True if the dice lie as the journal has them, which says where."""
    is_laid_out = bool(match.game.lay(match.state))
    return is_laid_out and (find_mismatch(state) is None or before_moves(state, match) is not None)


def _is_open(state: SessionState) -> bool:
    """True if something about an earlier throw is still to be put right: what is thrown after it does not settle it."""
    unresolved = state.unresolved
    is_wrong = unresolved.breach or unresolved.mismatch or unresolved.intervention or unresolved.thrown_again
    return bool(is_wrong)


def _doubted(match: Match, explained: Explanation) -> Explanation:
    """Return the explanation with the question what happened before, where its throw would end the turn by itself."""
    is_implied = any(action.verb in match.game.implied for way in explained.ways for action in way)
    return replace(explained, question=explained.question or questions.LAY_WRONG_BEFORE) if is_implied else explained


def find_rethrow(state: SessionState) -> RethrowDue | None:
    """Return what dice leaned since the last ruling, but for those of which people said what they show."""
    due, seen = state.unresolved.rethrow, state.table.seen
    if due is None or seen is None:
        return None
    stated = {number for number, (throw, _) in state.table.stated.items() if (number, throw) in _throws(seen)}
    return due.accepting(stated)


def _throws(seen: Seen) -> set[tuple[int, int]]:
    return {(die.number, die.throw) for die in seen.dice}


def _ask_after_pause(step: Step) -> Step:
    """After a pause, ask whether dice that lie otherwise than the journal has them were thrown meanwhile.

    It is also asked, however the dice lie, where a question about a throw was open before the pause. Where the
    rules can take them so, people may go on with the dice as they lie.
    """
    match, seen, mismatch = step.state.match, step.state.table.seen, step.state.unresolved.mismatch
    is_sure = was_asked(step.state) and not step.state.returned
    if match is None or match.over or seen is None or (mismatch is None and not is_sure):
        return step
    may_be_laid = mismatch is not None and match.laid(positions(seen)) is not None
    is_other_table = step.state.returned  # another game was played with the dice meanwhile
    unseen = () if is_other_table else find_unseen_throws(match.game, match.state, seen, is_sure=is_sure)
    if unseen or mismatch is None:
        question = questions.unseen_throw_question(match, unseen, may_be_laid=may_be_laid)
        return questions.ask(step, question)
    return questions.ask(step, questions.mismatch_question(mismatch)) if may_be_laid else step


def _follow_wrong(step: Step, match: Match, explained: Explanation, *, was_asked: bool) -> Step:
    """Go on from a table that lay wrong: it lies right now, it is still asked about, or dice were thrown."""
    seen, ruled, mismatch = step.state.table.seen, step.state.table.ruled, step.state.unresolved.mismatch
    if seen is None or ruled is None:
        return step
    if mismatch is not None and was_asked and not step.state.table.thrown:
        return _ask_after_pause(step)
    if mismatch is None and not (explained.unsure_dice or explained.rethrow):
        return _put_right(step, match, explained)
    if not has_old_dice(seen, ruled.throw):
        return _follow(step, match, _doubted(match, explained))
    right = _explained_by_lying(match, ruled, seen)
    if right is None or explained.unsure_dice or explained.rethrow:
        return _follow_with_care(step, match, explained)
    return _follow(step, match, Explanation((right,)))


def _explained_by_lying(match: Match, ruled: Seen, seen: Seen) -> tuple[Action, ...] | None:
    """Return the only way from the thrown dice to the present table; it counts without a question.

    No die that lay wrong before still does then. Which die lay where before says nothing, since it lay wrong.
    """
    thrown = {die.number for die in seen.dice if die.throw > ruled.throw}
    ways = find_unseen_throws(match.game, match.state, seen, thrown) if thrown else ()
    within = [way for way in ways if not any(action.verb in match.game.implied for action in way)]
    return within[0] if len(within) == 1 else None


def _was_asked(state: SessionState) -> bool:
    """True if it is asked about dice that lie wrong."""
    return any(isinstance(prompt, MismatchQuestion) for prompt in state.unresolved.prompts)


def _put_right(step: Step, match: Match, explained: Explanation) -> Step:
    """The dice lie as the journal has them again: they were put back, maybe from outside, or thrown and fell so."""
    if any(way[-1].verb != match.game.lost for way in explained.ways):
        table = step.state.table
        dice = tuple(sorted(numbers_of(table.thrown)))
        return questions.ask(step, questions.put_back_question(match, explained, table.crops, dice))
    return accept_put_back(step, match)


def accept_put_back(step: Step, match: Match) -> Step:
    """Go on from dice that were put back; what hands had done before a refused throw is pending again."""
    before = before_moves(step.state, match) if find_mismatch(step.state) else None
    if before is None:
        return accept_table(step, step.state.unresolved.missed)
    really = step.state.table.seen
    step = accept_table(step.to(replace(step.state, table=replace(step.state.table, seen=before))))
    return rule(step.to(replace(step.state, table=replace(step.state.table, seen=really))))


def _follow_with_care(step: Step, match: Match, explained: Explanation) -> Step:
    """After a throw next to dice that lay wrong: take nothing for granted, and accuse nobody."""
    if is_about_hands(explained):
        return _follow(step, match, explained)
    if explained.breach:
        return questions.ask(step, questions.unknown_meaning_question())
    question = explained.question or questions.LAY_WRONG_BEFORE
    return _follow(step, match, replace(explained, question=question))


def _follow(step: Step, match: Match, explained: Explanation) -> Step:
    """Apply the explanation; remark on further hand changes that have no effect on the score."""
    step = _with_told(step, match, explained)
    match = step.state.match or match
    step = with_hands(step, explained)
    if is_about_hands(explained) or explained.set_flat or explained.turned or explained.unsure_dice:
        return _ask_of_dice(step, match, explained)
    breach = Breach(explained.breach, explained.rule) if explained.breach else None
    if explained.ways or breach:
        leaned = _ask_whether_leaned(step, match, breach)
        return leaned or (record_breach(step, match, breach) if breach else _follow_ways(step, match, explained))
    if match.with_hands(explained.pending).over:
        return _take_or_record(step, match, tuple((action, Source.CAMERA) for action in explained.pending))
    unresolved = replace(step.state.unresolved, prompts=(), breach=None, unfinished=explained.unfinished)
    waiting = step.to(replace(step.state, unresolved=unresolved))
    return _ask_if_flat(waiting, step.state.unresolved.prompts, explained) if explained.rethrow else waiting


def _follow_ways(step: Step, match: Match, explained: Explanation) -> Step:
    """Take the only way, or ask which it was."""
    if len(explained.ways) == 1 and not explained.question and not _costs_the_turn(step.state, match, explained):
        return _take_or_record(step, match, questions.ways_of(explained)[0])
    asked = replace(explained, question=explained.question or LOST_DIE_QUESTION)
    return questions.ask(step, _deniable(step.state, throw_question(match, asked, step.state.table)))


def _with_told(step: Step, match: Match, explained: Explanation) -> Step:
    """Remark on what hands did that has no effect on the score, and on a throw that counts though nobody saw it."""
    changes = silent_changes(step.state, match, explained)
    evidence = "" if explained.ways else breaches.evidence_name(step.state, match)  # the throw has a picture of its own
    step = with_told_hands(step, match, changes, evidence) if changes else step
    is_told = bool(explained.unseen and explained.ways) and not explained.question
    if not is_told or step.state.table.seen is None:
        return step
    told = counted_unseen(len(explained.unseen), step.state.table.seen.blind)
    return step.with_match((step.state.match or match).remark(told))


def _ask_if_flat(step: Step, before: tuple[Prompt, ...], explained: Explanation) -> Step:
    """Let people say that dice which seem to lean lie flat: the referee may be wrong, and nobody need throw again."""
    seen = step.state.table.seen
    dice = [die for die in seen.dice if die.number in explained.dice] if seen else []
    if not dice:
        return step
    question = questions.leaning_question(explained.unfinished, dice, step.state.table.crops)
    known = replace(step.state.unresolved, prompts=before)  # so that the same question keeps its number
    return questions.ask(step.to(replace(step.state, unresolved=known)), question)


def _deniable(state: SessionState, prompt: MeaningQuestion) -> MeaningQuestion:
    """Return the question about a throw: dice that tumbled and show what they did are thrown again, if it was none."""
    is_there = any(answer == questions.AS_IT_LIES for answer, _ in prompt.question.choices)
    if not is_there or find_mismatch(state) is not None or not tumbled(state.table):
        return prompt
    own = tuple(choice for choice in prompt.question.choices if choice[0] != questions.AS_IT_LIES)
    return replace(prompt, question=replace(prompt.question, choices=(*own, *questions.NONE_OF_THIS)))


def _ask_of_dice(step: Step, match: Match, explained: Explanation) -> Step:
    """Ask what dice show or whether they were thrown, or about leaning ones set flat, or others that these turned."""
    if is_about_hands(explained):
        step = _with_remark(step, match, explained)
        if explained.intervention and _may_be_unseen_throw(step.state, match, explained):
            return _ask_after_pause(accept_table(step, step.state.unresolved.missed))
        return ask_about_hands(step, match, explained)
    if explained.unsure_dice:
        return questions.ask_faces(step, explained.unsure_dice)
    if explained.turned:
        return questions.ask(step, questions.turned_question(explained.unfinished))
    seen = step.state.table.seen
    dice = [die for die in seen.dice if die.number in explained.set_flat] if seen else []
    step = questions.ask(
        step, questions.set_flat_question(dice, step.state.table.crops, is_blind=bool(seen and seen.blind))
    )
    unresolved = replace(step.state.unresolved, unfinished=explained.unfinished)
    return step.to(replace(step.state, unresolved=unresolved))


def _may_be_unseen_throw(state: SessionState, match: Match, explained: Explanation) -> bool:
    """True if nobody saw what became of these dice, and a legal throw explains them, some of which fell as they lay."""
    seen = state.table.seen
    dice = [die for die in seen.dice if die.number in explained.dice] if seen else []
    is_unseen = any(
        die.handled is Handling.UNSEEN and (die.number, die.throw) not in state.unresolved.said for die in dice
    )
    return is_unseen and seen is not None and bool(find_unseen_throws(match.game, match.state, seen))


def _with_remark(step: Step, match: Match, explained: Explanation) -> Step:
    """Record once what hands did that has to be put right: it changes no state, and accuses nobody."""
    if not explained.intervention or step.state.unresolved.intervention == explained.intervention:
        return step
    evidence = breaches.evidence_name(step.state, match)
    step = step.with_match(match.remark(explained.intervention, explained.rule, evidence), evidence)
    told = step.state.unresolved.told.union(explained.hands)
    unresolved = replace(step.state.unresolved, intervention=explained.intervention, told=told)
    return step.to(replace(step.state, unresolved=unresolved))


def _costs_the_turn(state: SessionState, match: Match, explained: Explanation) -> bool:
    """True if a die seems to have left the table while a breach stands: it may have been carried out since."""
    return state.unresolved.breach is not None and any(action.verb == match.game.lost for action in explained.ways[0])


def _ask_whether_leaned(step: Step, match: Match, breach: Breach | None) -> Step | None:
    """Ask whether a single die leaned in the last throw that was thrown again; None for any other throw."""
    die = breaches.find_thrown_again(step.state, is_legal=breach is None)
    question = breaches.leaned_question(step.state, match, die, breach) if die else None
    if die is None or question is None:
        return None
    if len(die.faces) > 1:
        return questions.ask_faces(step, (die.number,))
    return questions.ask(step, question)


def _take_or_record(step: Step, match: Match, way: Way) -> Step:
    try:
        return breaches.take(step, match, way)
    except IllegalAction as refused:
        return record_breach(step, match, Breach(refused.sentence, refused.rule))
