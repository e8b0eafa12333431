"""A challenge of a past throw: it stands, or its dice showed other faces, with all that follows from that. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from models.dataset.table_labels import LabelSource, StatedFaces
from referee.actions import Action
from referee.dice import Die, DieSet, FaceName, SeenDie
from referee.journal import NOBODY, Actor
from referee.phrases import join_each
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.session.correction import without_answers
from vander.session.label_events import FacesStated, ReadingCorrected
from vander.session.match import IllegalAction, Match, sentence_of
from vander.session.request_parsing import check_step, playing
from vander.session.ruling_decisions import rule, rule_again
from vander.session.seen_dice import title_of, with_stated
from vander.session.session_state import SessionState, Step, TableView, Unresolved
from vander.session.what_if import OtherFace, WhatIf, what_if

GONE = say("That throw was taken back meanwhile: nothing was changed.")
NO_THROW = say("That was no throw: take it back instead.")
CHANGED = say("Somebody corrected that throw meanwhile: look at it again.")
NO_SUCH_DIE = say("That throw has no such die.")
SAME = say("Every die shows that already: say that the throw stands.")
ANSWER_FIRST = say("Answer the question on the table first, then challenge.")
TURN_WAITS = say("Wait a moment: a tap does not count yet.")


class ChallengeResult(StrEnum):
    """What comes of a challenge: the throw stands; it is corrected; so, and what could not have been is taken back."""

    STANDS = "stands"
    CORRECT = "correct"
    TAKE_BACK = "take-back"


@dataclass(frozen=True)
class ChallengedDie:
    """A die that is said to show another face.

    place: its place among the dice of the action, from 0. number: the tracker's number of the die, 0 if not known.
    """

    place: int
    face: str
    number: int = 0


@dataclass(frozen=True)
class Challenge:
    """A throw by its entry, as the page shows it (`action`, and the game's `step`), and what is said of its dice."""

    entry: int
    action: str
    dice: tuple[ChallengedDie, ...] = ()
    verdict: ChallengeResult = ChallengeResult.STANDS
    step: str = ""


def find_throw(match: Match, entry: int, action: str = "") -> Action:
    """Return what a throw that stands plays, as corrected. Raises Refused, also where it is not `action` any more."""
    found = match.action_of(entry)
    if found is None:
        raise Refused(GONE, Reason.CONFLICT)
    if entry not in throws_of(match):
        raise Refused(NO_THROW, Reason.NOT_FOUND)
    if action and str(found) != action:
        raise Refused(CHANGED, Reason.CONFLICT)
    return found


def throws_of(match: Match) -> Mapping[int, str]:
    """Return the throws that stand, each with its sentence, in order."""
    states = (match.start, *(ruling.state for _, ruling in match.standing))
    rows = zip(match.standing, states, strict=False)
    thrown = (each for each, before in rows if match.throws(before, each[1].action))
    return {entry.number: sentence_of(entry, ruling) for entry, ruling in thrown}


def other_faces(dice: DieSet, action: Action, challenged: Sequence[ChallengedDie]) -> tuple[OtherFace, ...]:
    """Return which dice of an action would show other faces. Raises Refused for a die or a face that there is not."""
    found = [_other_face(dice, action, each) for each in challenged]
    return tuple(face for face in found if face.old != face.new)


def _other_face(dice: DieSet, action: Action, challenged: ChallengedDie) -> OtherFace:
    if challenged.place >= len(action.dice):
        raise Refused(NO_SUCH_DIE, Reason.NOT_FOUND)
    old = action.dice[challenged.place]
    if challenged.face not in dice.kind(old.kind).faces:
        raise Refused(say("No such die of this game has a face {face!r}.", face=challenged.face))
    return OtherFace(old, Die(old.kind, FaceName(challenged.face)))


def predict(match: Match, challenge: Challenge) -> WhatIf:
    """Return what follows from a challenge. Raises Refused where its throw does not stand so."""
    action = find_throw(match, challenge.entry, challenge.action)
    return what_if(match, challenge.entry, other_faces(match.start.dice, action, challenge.dice))


def on_challenge(state: SessionState, challenge: Challenge, by: Actor = NOBODY) -> Step:
    """Take what people decided on a challenge: an entry says it, and a correction follows."""
    state = state.signed(by)
    match = playing(state)
    action = find_throw(match, challenge.entry, challenge.action)
    check_step(match, challenge.step)
    faces = other_faces(match.start.dice, action, challenge.dice)
    noted = match.challenged(challenge_note(match, challenge), by)
    if challenge.verdict is ChallengeResult.STANDS:
        return Step(state).with_match(noted)
    if not faces:
        raise Refused(SAME)
    _check_nothing_open(state)
    found = what_if(match, challenge.entry, faces)
    lying = dict(_lying(state.table, challenge, action, faces))
    after = _corrected(noted, found, faces, take_back=challenge.verdict is ChallengeResult.TAKE_BACK)
    return _with_table(Step(state).with_match(after), match, found, lying, all_lie=len(lying) == len(faces))


def _check_nothing_open(state: SessionState) -> None:
    """Refuse to change what an open question is about."""
    if state.waiting is not None:
        raise Refused(TURN_WAITS, Reason.CONFLICT)
    if state.unresolved.prompts:
        raise Refused(ANSWER_FIRST, Reason.CONFLICT)


def challenge_note(match: Match, challenge: Challenge) -> str:
    """Return what is kept of a challenge: the throw, and what came of it. Raises Refused."""
    dice, action = match.start.dice, find_throw(match, challenge.entry, challenge.action)
    sentence, faces = throws_of(match)[challenge.entry], other_faces(dice, action, challenge.dice)
    if challenge.verdict is ChallengeResult.STANDS:
        return say("Challenged: {throw} It stands.", throw=sentence)
    said = [_not_the_old(_title(dice, face.new), _title(dice, face.old)) for face in faces]
    return say("Challenged: {throw} It is {faces}.", throw=sentence, faces=join_each(said, _and))


def _not_the_old(new: str, old: str) -> str:
    return say("{new}, not {old}", new=new, old=old)


def _and(first: str, other: str) -> str:
    return say("{first} and {last}", first=first, last=other)


def _title(dice: DieSet, die: Die) -> str:
    return title_of(dice, die.kind, die.face or FaceName(""))


def _corrected(match: Match, found: WhatIf, faces: Sequence[OtherFace], *, take_back: bool) -> Match:
    """Return the match with the throw corrected. Raises Refused where a later entry could not have been."""
    refusal = found.refusal
    is_possible = found.illegal is None or found.illegal.entry != found.entry
    if refusal is not None and not (take_back and is_possible):
        raise Refused(refusal.sentence, Reason.CONFLICT, refusal.rule)
    try:
        if not found.is_plain:
            return match.retold(found.entry, found.entries)
        read_wrong = (faces[0].old, faces[0].new) if len(faces) == 1 else ()
        return match.correct(found.entry, found.action, read_wrong)
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None


# The dice of the throw that still lie in the tray


def _lying(
    table: TableView, challenge: Challenge, action: Action, faces: Sequence[OtherFace]
) -> Iterator[tuple[int, tuple[int, Die]]]:
    """Yield those of the dice that still lie there as that throw left them: number, throw and the face they show."""
    left = {die.number: die for die in _thrown_by(table, challenge.entry)}
    numbers = {action.dice[each.place]: each.number for each in challenge.dice}
    for face in faces:
        wanted = numbers.get(face.old, 0)
        alike = [number for number, die in left.items() if die.die == face.old]
        number = wanted if wanted in alike else next(iter(alike), 0)
        if number:
            yield number, (left.pop(number).throw, face.new)


def _thrown_by(table: TableView, entry: int) -> list[SeenDie]:
    """The dice that lie there since the throw of that entry."""
    dice = table.seen.dice if table.seen else ()
    return [die for die in dice if table.thrown_by.get(die.number) == entry]


def _with_table(step: Step, before: Match, found: WhatIf, lying: StatedFaces, *, all_lie: bool) -> Step:
    """Believe the faces of dice that lie there, and say where the dice do not lie as the game has them now."""
    step = _with_stated(step, lying) if lying else step
    if all_lie and found.is_plain:
        return rule_again(step)
    state = step.state
    if found.is_plain and state.match is not None and _lay(before) == _lay(state.match):
        return step
    table = replace(state.table, ruled=None, thrown_by=state.table.thrown_by if found.is_plain else {})
    return rule(step.to(replace(state, table=table, unresolved=Unresolved(missed=state.unresolved.missed))))


def _lay(match: Match) -> tuple[object, ...]:
    """Where the dice belong, and who is to act."""
    return sorted(map(str, match.game.lay(match.state))), match.state.to_act


def _with_stated(step: Step, lying: StatedFaces) -> Step:
    """Let these dice show what people say, now and as they were ruled on."""
    dice = [(number, throw) for number, (throw, _) in lying.items()]
    step = without_answers(step, *dice)
    table = step.state.table
    stated = {**table.stated, **lying}
    seen, ruled = (with_stated(each, stated) if each else None for each in (table.seen, table.ruled))
    sources = {**table.sources, **{number: (throw, LabelSource.CORRECTED) for number, throw in dice}}
    state = replace(step.state, table=replace(table, stated=stated, seen=seen, ruled=ruled, sources=sources))
    events = (ReadingCorrected(number, throw) for number, throw in dice)
    return step.to(state, *events, FacesStated(lying, LabelSource.CORRECTED))
