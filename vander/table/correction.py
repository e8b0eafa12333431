"""Corrections of a die that was read wrong, in the throw that waits or in one that was ruled on: face or kind. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from models.dataset.samples import AnsweredCheck, DieOfThrow, LabelSource, SpotCheck, StatedFaces
from referee.actions import DiePosition
from referee.dice import Die, DieSet, FaceName, KindName, Seen, SeenDie, Zone
from referee.journal import NOBODY, Actor, Deed
from referee.sentences import Reason, Refused, say
from referee.umpire.tables import answer_first
from vander.table.held_throws import table_now
from vander.table.match import IllegalAction, Match, with_face
from vander.table.questions import WHAT_SHOWS
from vander.table.ruling import find_mismatch, rule_again
from vander.table.seen_dice import named_kinds, positions, with_kinds_left, with_stated
from vander.table.session_state import (
    AnswerWithdrawn,
    FacesStated,
    ReadingCorrected,
    SessionState,
    Step,
    TableView,
    shown_face,
)
from vander.table.taps import check_settled, check_step_of_dice, face_of, find_die

# Faces

NO_LONGER = say("That throw has changed. Take back the last step instead.")


def find_seen(state: SessionState, number: int) -> SeenDie:
    """Return the die of that number. Raises Refused."""
    dice = state.table.seen.dice if state.table.seen else ()
    found = next((die for die in dice if die.number == number), None)
    if found is None:
        raise Refused(say("There is no die {number} on the table.", number=number), Reason.NOT_FOUND)
    return found


def find_lying(state: SessionState, number: int) -> SeenDie:
    """Return the die of that number as it lies; Refused where it was thrown again while a question is open."""
    now = table_now(state).seen or Seen()
    is_later = any(die.number == number and die.throw > find_seen(state, number).throw for die in now.dice)
    if is_later and state.unresolved.prompts:
        raise Refused(answer_first(state.unresolved.prompts[0].question.sentence), Reason.CONFLICT)
    return find_seen(state, number)


def on_correction(state: SessionState, number: int, face: str, step: str = "", by: Actor = NOBODY) -> Step:
    """Take in what a die really shows, whether it was ruled on already or not."""
    state = state.signed(by)
    if state.match is not None:
        check_step_of_dice(state.match, step)
    seen = find_lying(state, number)
    new = find_die(state.dice, seen.kind, face)
    begun = Step(state) if seen.die == new else without_answers(Step(state), (seen.number, seen.throw))
    return rule_again(_with_source(_corrected_die(begun, seen, new), seen, new))


def _with_source(step: Step, seen: SeenDie, new: Die) -> Step:
    """Say who learns from it that a person stated a face unasked."""
    table = step.state.table
    source = _source(table, seen.number, new)
    state = replace(step.state, table=replace(table, sources={**table.sources, seen.number: (seen.throw, source)}))
    if source is LabelSource.CORRECTED:
        step = step.to(step.state, ReadingCorrected(seen.number, seen.throw))
    if seen.kinds:
        return step.to(state)  # the face is known now, and the kind is not
    return step.to(state, FacesStated({seen.number: (seen.throw, new)}, source))


def without_answers(step: Step, *corrected: DieOfThrow) -> Step:
    """Withdraw the earlier labels of these dice, because people now state something else."""
    said = {(number, throw) for number, (throw, _) in step.state.table.sources.items()}
    withdrawn = tuple(die for die in corrected if die in said)
    return step.to(step.state, AnswerWithdrawn(withdrawn)) if withdrawn else step


def _source(table: TableView, number: int, new: Die) -> LabelSource:
    """Why a person states a face unasked; a die in doubt is as good as asked about."""
    die = next((die for die in table.observed.dice if die.number == number), None) if table.observed else None
    if die is not None and not die.reading.accepted:
        return LabelSource.ANSWERED
    return LabelSource.CONFIRMED if die is not None and new == shown_face(die) else LabelSource.CORRECTED


# The throw that people are asked about


@dataclass(frozen=True)
class CheckAnswer:
    """What people answered about the throw of a check: what all its dice show, and which were read wrong.

    `corrected` are the dice that show something else than what stood until now.
    """

    check: SpotCheck
    stated: StatedFaces
    misread: tuple[int, ...]
    corrected: StatedFaces


def stated_faces(check: SpotCheck, stated: StatedFaces) -> StatedFaces:
    """Return what the dice of a check show by what people said since, else as they were read."""
    read = {die.number: (die.throw, die.die) for die in check.dice}
    since = {number: said for number, said in stated.items() if number in read and said[0] == read[number][0]}
    return {**read, **since}


def read_check_answer(state: SessionState, number: int, wrong: Mapping[int, str]) -> CheckAnswer:
    """Return what is meant by: all dice of that throw were read right but these, which show those faces.

    Raises Refused where that throw is not asked about, a face is none, or a die is wrong while others move.
    """
    check = state.check
    if check is None or check.number != number:
        raise Refused(say("That throw is no longer asked about."), Reason.NOT_FOUND)
    before = stated_faces(check, state.table.stated)
    if not wrong.keys() <= before.keys():
        raise Refused(say("That die is not asked about."), Reason.NOT_FOUND)
    if wrong:
        check_settled(state)
    new = {die: (before[die][0], find_die(state.dice, before[die][1].kind, face)) for die, face in wrong.items()}
    stated = {**before, **new}
    misread = tuple(die.number for die in check.dice if stated[die.number][1] != die.die)
    return CheckAnswer(check, stated, misread, {die: said for die, said in new.items() if said != before[die]})


def checked_throw(state: SessionState, answer: CheckAnswer) -> AnsweredCheck | None:
    """Return what an answer says of the throw that it is about; None where the match does not know the throw."""
    entries = [state.table.thrown_by.get(die.number, 0) for die in answer.check.dice]
    if state.match is None or not any(entries):
        return None
    dice = tuple((die.die, answer.stated[die.number][1]) for die in answer.check.dice)
    return AnsweredCheck(state.match.kept.number, max(entries), dice)


def on_check_answer(state: SessionState, answer: CheckAnswer, by: Actor = NOBODY) -> Step:
    """Correct those dice of a check that the rules allow; why there are others is refused after that."""
    state = state.signed(by)
    corrected = ((number, throw) for number, (throw, _) in answer.corrected.items())
    step, all_refused = without_answers(Step(state), *corrected), list[Refused]()
    step = step.to(state, FacesStated(answer.stated, LabelSource.CHECKED))
    for number, (_, new) in answer.corrected.items():
        try:
            seen = find_seen(step.state, number)
            step = _with_said(_corrected_die(step, seen, new), seen)
        except Refused as refused:
            all_refused.append(refused)
    if answer.corrected:
        step = rule_again(step)
    return replace(step, refused=all_refused[0]) if all_refused else step


def _with_said(step: Step, seen: SeenDie) -> Step:
    """Keep that people said of a die that it was read wrong."""
    table = step.state.table
    sources = {**table.sources, seen.number: (seen.throw, LabelSource.CHECKED)}
    return step.to(replace(step.state, table=replace(table, sources=sources)))


# What was ruled on already


def _corrected_die(step: Step, seen: SeenDie, new: Die) -> Step:
    """Correct what was ruled on, and believe the face from now on; what the table means then is for `rule_again`."""
    match, before = step.state.match, step.state.table.stated.get(seen.number)
    is_ruled = _is_ruled(step.state.table, seen) and not _is_as_ruled(step.state, seen, new)
    if match is not None and seen.die != new and is_ruled:
        step = _with_ruled_corrected(step, match, seen, new)
    if match is not None and seen.die != new and step.state.match is match:
        step = _noted(step, match, seen, new)
    state, table = step.state, step.state.table
    stated = {**table.stated, seen.number: (seen.throw, new)}
    ruled = with_stated(table.ruled, stated) if table.ruled and before != stated[seen.number] else table.ruled
    state = replace(state, table=replace(table, stated=stated, ruled=ruled))
    if state.unresolved.mismatch is not None:
        state = replace(state, unresolved=replace(state.unresolved, mismatch=find_mismatch(state)))
    return step.to(state)


def _noted(step: Step, match: Match, seen: SeenDie, new: Die) -> Step:
    """Keep who said what a die shows that nothing was ruled on: the ruling that follows shows no trace of it."""
    title = step.state.dice.face_title(new.kind, new.face or FaceName(""))
    return step.with_match(match.answered(WHAT_SHOWS, title, match.by, dice=(seen.die, new)))


def _is_ruled(table: TableView, seen: SeenDie) -> bool:
    """True if the throw that gave a die its face has been ruled on."""
    ruled = table.ruled.dice if table.ruled else ()
    return any(die.number == seen.number and die.throw == seen.throw for die in ruled)


def _is_as_ruled(state: SessionState, seen: SeenDie, new: Die) -> bool:
    """True if the game has a die that shows so, and none lies there: it was only read wrong since the ruling."""
    match, table = state.match, state.table.seen
    if match is None or table is None or not (state.unresolved.mismatch or _is_known_by_game(state.table, seen)):
        return False
    wanted = Counter(position.die for position in match.game.lay(match.state))
    there = Counter(die.die for die in table.dice if die.zone is not Zone.OUT)
    return there[new] < wanted[new] and there[seen.die] > wanted[seen.die]


def _is_known_by_game(table: TableView, seen: SeenDie) -> bool:
    """True if a die was read in doubt since it was first seen, and none was thrown since: the game has its face."""
    if table.ruled is None or table.seen is None or table.seen.throw > table.ruled.throw:
        return False
    return table.stated.get(seen.number, (-1, None))[0] != seen.throw


def _with_ruled_corrected(step: Step, match: Match, seen: SeenDie, new: Die) -> Step:
    table = step.state.table
    now = with_stated(table.seen or Seen(), {**table.stated, seen.number: (seen.throw, new)})
    after = corrected_match(match, table.thrown_by, seen, new, positions(now))
    if after is match:
        return step
    step = step.with_match(after)
    is_laid = after.entries[-1].deed is Deed.LAID
    return step.to(replace(step.state, table=replace(table, thrown_by={}))) if is_laid else step


def corrected_match(
    match: Match, thrown_by: Mapping[int, int], seen: SeenDie, new: Die, lying: Sequence[DiePosition]
) -> Match:
    """Return the match with a die that was ruled on read right; the same match where nothing in it depends on the die.

    `thrown_by` holds the entry that gave each die its face, where known; `lying` is how the dice lie, read right.
    Raises Refused where the rules forbid the correction.
    """
    entry = entry_of(match, thrown_by, seen)
    if entry is not None:
        return _corrected(match, entry, seen, new, lying)
    if match.lies_as_laid:
        return _laid_again(match, lying)
    if match.replay.laid:
        raise Refused(NO_LONGER, Reason.CONFLICT)
    return match


def _laid_again(match: Match, lying: Sequence[DiePosition]) -> Match:
    """Undo the entry that took the dice as they lie, and take them as they really lie."""
    laid = match.taken_back(match.replay.last).laid(lying)
    if laid is None:
        sentence = say("The game cannot go on with these corrections: check what each die shows.")
        raise Refused(sentence, Reason.CONFLICT, match.game.cite("touched"))
    return laid


def _corrected(match: Match, entry: int, seen: SeenDie, new: Die, lying: Sequence[DiePosition]) -> Match:
    action = match.action_of(entry)
    if action is None or seen.die not in action.dice:
        raise Refused(NO_LONGER, Reason.CONFLICT)
    try:
        return match.correct(entry, with_face(action, seen.die, new), (seen.die, new))
    except IllegalAction as refused:
        laid = match.laid(lying)
        # Hands have saved or parked the die since, by its wrong face: the dice are taken as they really lie, where that
        # leads to the same state as if it had been read right.
        if laid is None or laid.state != match.state_if_shown(entry, seen.die, new):
            raise refused from None
        return laid


def entry_of(match: Match, thrown_by: Mapping[int, int], seen: SeenDie) -> int | None:
    """Return the entry whose throw gave a die its face, or None."""
    entry = thrown_by.get(seen.number)
    if entry is not None and match.action_of(entry) is not None:
        return entry
    last = match.last_throw_of(seen.die, excluded=set(thrown_by.values()))
    return last.number if last else None


# Kinds
#
# A set has only so many dice of a kind: where all of them are known already, the die changes places with one of those.

KindSwap = Mapping[int, tuple[SeenDie, Die]]
"""Dice by their numbers: each as it was taken, and what it is."""


def on_kind_correction(  # noqa: PLR0913, PLR0917  # what is wrong, and who says so
    state: SessionState, number: int, kind: str, face: str, step: str = "", by: Actor = NOBODY
) -> Step:
    """Take in that a die is of another kind, and shows that face, whether it was ruled on already or not."""
    state = state.signed(by)
    if state.match is not None:
        check_step_of_dice(state.match, step)
    table = state.table
    swapped = _swapped(state.dice, table.seen or Seen(), find_lying(state, number), kind, face)
    begun = without_answers(Step(state), *((die.number, die.throw) for die, _ in swapped.values()))
    if state.match is not None:
        begun = _with_ruled_swapped(begun, state.match, swapped)
    said = {each: (die.throw, shown) for each, (die, shown) in swapped.items()}
    corrections = (ReadingCorrected(each, throw) for each, (throw, _) in said.items())
    done = begun.to(replace(begun.state, table=_with_kind_said(begun.state.table, said)), *corrections)
    return rule_again(done.to(done.state, FacesStated(said, LabelSource.CORRECTED)))


def _swapped(dice: DieSet, seen: Seen, die: SeenDie, kind: str, face: str) -> KindSwap:
    """The die as it is, and the one that it changes places with. Raises Refused."""
    new = _die_of(dice, kind, face)
    inside = [each for each in seen.dice if each.zone is not Zone.OUT and each.number != die.number]
    same = [each for each in inside if each.kind == new.kind]
    if new.kind == die.kind or len(same) < dice.count(new.kind):
        return {die.number: (die, new)}
    others = [each for each in same if each.throw == die.throw] or same
    other = others[0]
    if len(others) > 1 or other.die.face is None:
        title = next((known.title for known in named_kinds(dice, die.kind)), die.kind)
        raise Refused(say("Tap the die that really is a {title}, and say so there.", title=title), Reason.CONFLICT)
    return {die.number: (die, new), other.number: (other, _die_of(dice, die.kind, other.die.face))}


def _die_of(dice: DieSet, kind: str, face: str) -> Die:
    known = next(iter(named_kinds(dice, KindName(kind))), None)
    if known is None or face not in known.faces:
        raise Refused(say("No die of that kind has a face {face!r}.", face=face))
    return Die(known.name, face_of(dice, known.name, face))


def _with_ruled_swapped(step: Step, match: Match, swapped: KindSwap) -> Step:
    """Correct the one entry that gave the dice their faces. Raises Refused where there are several, or the rules do."""
    ruled = {(die.number, die.throw) for die in step.state.table.ruled.dice} if step.state.table.ruled else set()
    concerned = [each for each in swapped.values() if (each[0].number, each[0].throw) in ruled]
    entries = {entry_of(match, step.state.table.thrown_by, die) for die, _ in concerned}
    if not concerned or entries == {None}:
        return step
    entry = entries.pop()
    action = None if entry is None or entries else match.action_of(entry)
    if entry is None or action is None or any(die.die not in action.dice for die, _ in concerned):
        raise Refused(NO_LONGER, Reason.CONFLICT)
    for die, new in concerned:
        action = with_face(action, die.die, new)
    die, new = concerned[0]
    return step.with_match(match.correct(entry, action, (die.die, new)))


def _with_kind_said(table: TableView, said: StatedFaces) -> TableView:
    """The table with what dice are beyond doubt."""
    left = {**table.kinds_left, **{(number, throw): (die.kind,) for number, (throw, die) in said.items()}}
    stated = {**table.stated, **said}
    sources = {**table.sources, **{number: (throw, LabelSource.CORRECTED) for number, (throw, _) in said.items()}}
    ruled = with_stated(with_kinds_left(table.ruled, left), stated) if table.ruled else None
    return replace(table, kinds_left=left, stated=stated, sources=sources, ruled=ruled)
