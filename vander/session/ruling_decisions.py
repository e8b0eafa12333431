"""From what lies in the tray to a ruling: pure functions from step to step.

The umpire explains the change since the last ruling. One explanation is taken, several are asked, none is a breach.
"""

from __future__ import annotations

from dataclasses import replace

from models.dataset.table_labels import CheckedDie, StatedFaces
from referee.dice import Seen, SeenDie
from referee.game import Action
from referee.journal import Source
from referee.umpire import LOST_DIE_QUESTION, Explanation, RethrowDue, differs, explain, join_rethrow
from vander.session import question_prompts
from vander.session.backlog import without_backlog
from vander.session.kind_doubts import find_kind_doubt
from vander.session.match import IllegalAction, Match, Way
from vander.session.seen_dice import (
    has_old_dice,
    positions,
    title_of,
    with_kinds_left,
    with_one_more_thrown,
    with_stated,
)
from vander.session.session_state import (
    Breach,
    DiceRecounted,
    DoubtSettled,
    Mismatch,
    Mode,
    SessionState,
    Step,
    TableView,
    ThrowRuled,
    Unresolved,
    shown_face,
)

# Beginning from what lies there


def recount(step: Step) -> Step:
    """Have dice and throws counted from one again: nothing that was seen or said of the dice holds any more."""
    state = without_backlog(step.state)
    mode = Mode.PLAYING if state.mode is Mode.MANUAL else state.mode
    state = replace(without_sight(state), recounts=state.recounts + 1, mode=mode)
    return step.to(state, DiceRecounted())


def without_sight(state: SessionState) -> SessionState:
    """Return the state with nothing known of the dice."""
    return replace(state, table=TableView(), camera=replace(state.camera, calibrated=True, doubts=()))


def go_on_from_here(step: Step, missed: int = 0) -> Step:
    """Take the table as it lies for ruled on, and note where it is not as the journal has it.

    `missed` throws that led there were not kept, and are asked for again.
    """
    state = step.state
    table = replace(state.table, ruled=state.table.seen)
    return step.to(replace(state, table=table, unresolved=Unresolved(mismatch=find_mismatch(state), missed=missed)))


def lay_as_it_lies(step: Step, source: Source) -> Step:
    """Go on with the dice as they lie where they lie wrong and the rules can take them so: that is an entry."""
    state = step.state
    match, seen = state.match, state.table.seen
    if match is None or seen is None or find_mismatch(state) is None:
        return step
    evidence = evidence_name(state, match)
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


# Ruling on what lies there


def rule_again(step: Step) -> Step:
    """Rule on the same table once more, after somebody said what a die shows, or which kind it is of."""
    table = step.state.table
    if table.seen is None:
        return step
    seen = with_stated(with_kinds_left(table.seen, table.kinds_left), table.stated)
    return rule(step.to(replace(step.state, table=replace(table, seen=seen))))


def rule(step: Step) -> Step:
    """Rule on what lies there."""
    state = step.state
    match, seen, ruled = state.match, state.table.seen, state.table.ruled
    if match is None or seen is None:
        return step
    if ruled is None or match.over:
        return _offer_to_go_on(go_on_from_here(step, state.unresolved.missed))
    due = find_rethrow(state)
    doubt = find_kind_doubt(match, ruled, seen, moved=state.unresolved.moved, rethrow=due)
    if doubt is not None:
        return question_prompts.ask(step, question_prompts.kind_question(state.dice, doubt, state.table.crops))
    explained = explain(match.game, match.state, ruled, seen, moved=state.unresolved.moved, rethrow=due)
    was_wrong = state.unresolved.mismatch is not None
    mismatch = find_mismatch(state) if was_wrong else None
    moved = explained.pending if seen.throw == ruled.throw else state.unresolved.moved
    unresolved = replace(state.unresolved, mismatch=mismatch, moved=moved, rethrow=explained.rethrow or due)
    step = step.to(replace(state, unresolved=unresolved))
    if was_wrong and mismatch is None and not (explained.unsure_dice or explained.rethrow):
        return _put_right(step, match, explained)
    if was_wrong and has_old_dice(seen, ruled.throw):
        return _follow_with_care(step, match, explained)
    return _follow(step, match, explained)


def find_rethrow(state: SessionState) -> RethrowDue | None:
    """Return what dice leaned since the last ruling, but for those of which people said what they show."""
    due, seen = state.unresolved.rethrow, state.table.seen
    if due is None or seen is None:
        return None
    stated = {number for number, (throw, _) in state.table.stated.items() if (number, throw) in _throws(seen)}
    return due.accepting(stated)


def _throws(seen: Seen) -> set[tuple[int, int]]:
    return {(die.number, die.throw) for die in seen.dice}


def _offer_to_go_on(step: Step) -> Step:
    """After a pause, let people take the dice as they lie where that is otherwise than the journal has them."""
    match, seen, mismatch = step.state.match, step.state.table.seen, step.state.unresolved.mismatch
    if match is None or seen is None or mismatch is None or match.laid(positions(seen)) is None:
        return step
    return question_prompts.ask(step, question_prompts.mismatch_question(mismatch))


def _put_right(step: Step, match: Match, explained: Explanation) -> Step:
    """The dice lie as the journal has them again: they were put back, or they were thrown and fell so."""
    if explained.ways:
        return question_prompts.ask(step, question_prompts.put_back_question(match, explained, step.state.table.crops))
    return go_on_from_here(step, step.state.unresolved.missed)


def _follow_with_care(step: Step, match: Match, explained: Explanation) -> Step:
    """After a throw next to dice that lay wrong: take nothing for granted, and accuse nobody."""
    if explained.breach:
        return question_prompts.ask(step, question_prompts.unknown_meaning_question())
    question = explained.question or question_prompts.LAY_WRONG_BEFORE
    return _follow(step, match, replace(explained, question=question))


def _follow(step: Step, match: Match, explained: Explanation) -> Step:
    """Do what the umpire says of the table."""
    unresolved = replace(step.state.unresolved, unfinished="", pending=explained.pending)
    step = step.to(replace(step.state, unresolved=unresolved))
    if explained.set_flat or explained.turned or explained.unsure_dice:
        return _ask_of_dice(step, explained)
    if len(explained.ways) == 1 and not explained.question and not _costs_the_turn(step.state, match, explained):
        return _take_or_record(step, match, question_prompts.ways_of(explained)[0])
    if explained.ways:
        sentence = explained.question or LOST_DIE_QUESTION
        question = question_prompts.meaning_question(match, explained, step.state.table.crops, sentence)
        return question_prompts.ask(step, question)
    if explained.breach:
        return _accuse(step, match, Breach(explained.breach, explained.rule))
    if match.with_hands(explained.pending).over:
        return _take_or_record(step, match, tuple((action, Source.CAMERA) for action in explained.pending))
    unresolved = replace(unresolved, prompts=(), breach=None, unfinished=explained.unfinished)
    return step.to(replace(step.state, unresolved=unresolved))


def _ask_of_dice(step: Step, explained: Explanation) -> Step:
    """Ask what dice show, or about leaning ones that were set flat, or others turned as those were thrown again."""
    if explained.unsure_dice:
        return question_prompts.ask_faces(step, explained.unsure_dice)
    if explained.turned:
        return question_prompts.ask(step, question_prompts.turned_question(explained.unfinished))
    seen = step.state.table.seen
    dice = [die for die in seen.dice if die.number in explained.set_flat] if seen else []
    step = question_prompts.ask(step, question_prompts.set_flat_question(dice, step.state.table.crops))
    unresolved = replace(step.state.unresolved, unfinished=explained.unfinished)
    return step.to(replace(step.state, unresolved=unresolved))


def _costs_the_turn(state: SessionState, match: Match, explained: Explanation) -> bool:
    """True if a die seems to have left the table while a breach stands: it may have been carried out since."""
    return state.unresolved.breach is not None and any(action.verb == match.game.lost for action in explained.ways[0])


def _accuse(step: Step, match: Match, breach: Breach) -> Step:
    """Ask before a breach is recorded that one unnoticed die would explain; else record it."""
    found = _explained_by_one_more(step.state, match)
    if found is None:
        return record(step, match, breach)
    die, wider = found
    if wider.unsure_dice:
        return question_prompts.ask_faces(step, wider.unsure_dice)
    title = title_of(step.state.dice, die.kind, die.faces[0][0])
    return question_prompts.ask(
        step, question_prompts.left_lying_question(match, wider, step.state.table.crops, title, breach)
    )


def _explained_by_one_more(state: SessionState, match: Match) -> tuple[SeenDie, Explanation] | None:
    """A die whose having been thrown as well makes the throw legal, and what the table means then."""
    before, now = state.table.ruled, state.table.seen
    if before is None or now is None or now.throw == before.throw:
        return None
    tables = with_one_more_thrown(join_rethrow(state.unresolved.rethrow, now), before.throw)
    tried = ((die, explain(match.game, match.state, before, seen)) for die, seen in tables)
    legal = ((die, wider) for die, wider in tried if (wider.ways or wider.unsure_dice) and not wider.question)
    return next(legal, None)


# What becomes of the game


def take(step: Step, match: Match, way: Way) -> Step:
    """Play a way, and pin what it was ruled on. Raises IllegalAction."""
    evidence = evidence_of(step.state, match, way)
    after = match.play(way, evidence)
    step = _with_throws(step.with_match(after, evidence), match, after)
    settled = _settled_doubts(step.state.table)
    step = step.to(step.state, DoubtSettled(settled)) if settled else step
    return step.to(replace(step.state, table=_pinned(step.state.table), unresolved=Unresolved()))


def _settled_doubts(table: TableView) -> StatedFaces:
    """Return what dice show that were read in doubt, where the game knows it and nobody has said it.

    Such a die was kept, and the game has had its face since it was thrown; or no other face that it may show is its
    kind's.
    """
    doubtful = {die.number for die in table.observed.dice if not die.reading.accepted} if table.observed else set()
    said = {(number, throw) for number, (throw, _) in table.sources.items()}
    return {
        die.number: (die.throw, die.die)
        for die in (table.seen.dice if table.seen else ())
        if die.number in doubtful and len(die.faces) == 1 and not die.kinds and not die.cocked
        if (die.number, die.throw) not in said
    }


def _take_or_record(step: Step, match: Match, way: Way) -> Step:
    try:
        return take(step, match, way)
    except IllegalAction as refused:
        return record(step, match, Breach(refused.refusal.sentence, refused.refusal.rule))


def record(step: Step, match: Match, breach: Breach) -> Step:
    """Record a breach once, with its picture, and let people put the table right or go on as it lies."""
    standing = step.state.unresolved.breach
    if standing != breach:
        evidence = evidence_name(step.state, match)
        step = step.with_match(match.breach(breach.sentence, breach.rule, evidence), evidence)
        standing = replace(breach, evidence=evidence)
        step = step.to(replace(step.state, unresolved=replace(step.state.unresolved, breach=standing)))
    return question_prompts.ask(step, question_prompts.breach_question(standing))


def evidence_name(state: SessionState, match: Match) -> str:
    """Return the name under which a picture is kept with the next entry; '' where there is none to keep."""
    return match.evidence_name() if state.camera.has_image else ""


def evidence_of(state: SessionState, match: Match, way: Way) -> str:
    """Return the name of the picture that is kept with a way; '' for one of which the camera saw nothing."""
    return evidence_name(state, match) if any(source is Source.CAMERA for _, source in way) else ""


def _pinned(table: TableView) -> TableView:
    """What was ruled on stands: a die that is not thrown again keeps the face that it was ruled on with."""
    sure = [die for die in table.seen.dice if len(die.faces) == 1] if table.seen else []
    stated = {**table.stated, **{die.number: (die.throw, die.die) for die in sure}}
    return replace(table, ruled=table.seen, stated=stated)


def _with_throws(step: Step, before: Match, after: Match) -> Step:
    """Note which entry gave each die its face, so that a correction finds it; these dice are counted."""
    table = step.state.table
    if table.seen is None:
        return step
    old = {die.number: die.throw for die in table.ruled.dice} if table.ruled else {}
    counting = {die.number: die.throw for die in join_rethrow(step.state.unresolved.rethrow, table.seen).dice}
    moved = {die.number: die.throw for die in table.seen.dice if counting[die.number] != old.get(die.number)}
    state, thrown_by, given = before.state, dict(table.thrown_by), dict(table.given)
    for entry, ruling in after.standing[len(before.standing) :]:
        if after.throws(state, ruling.action):
            thrown_by.update(dict.fromkeys(moved, entry.number))
            given[entry.number] = tuple(moved.items())
        state = ruling.state
    fresh = {number for number, entry in thrown_by.items() if table.thrown_by.get(number) != entry}
    step = step.to(replace(step.state, table=replace(table, thrown_by=thrown_by, given=given)))
    return step.to(step.state, ThrowRuled(table.seen.throw, _checked_dice(table, fresh))) if fresh else step


def _checked_dice(table: TableView, numbers: set[int]) -> tuple[CheckedDie, ...]:
    """These dice as they were read, those of them that count."""
    counted = {die.number for die in table.seen.dice} & numbers if table.seen else set()
    read = [die for die in table.observed.dice if die.number in counted] if table.observed else []
    stated = {die.number: table.sources.get(die.number, (-1, None)) for die in read}
    return tuple(
        CheckedDie(
            number=die.number,
            throw=die.thrown,
            die=shown_face(die),
            picture=table.crops.get(die.number, ""),
            accepted=die.reading.accepted,
            said=stated[die.number][1] if stated[die.number][0] == die.thrown else None,
        )
        for die in read
    )


# What hands did


def hands_before(state: SessionState, match: Match, action: Action) -> Way:
    """Return what hands were seen to do before the camera was lost, where the action is legal after it."""
    pending = state.unresolved.pending
    return tuple((each, Source.CAMERA) for each in pending) if match.with_hands(pending).allows(action) else ()
