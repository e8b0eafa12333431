"""Challenges of a throw, what it would have meant otherwise, and changes that another seat confirms. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from models.dataset.samples import LabelSource, StatedFaces
from referee.actions import Action, GameState
from referee.calls import Refusal
from referee.dice import Die, DieSet, FaceName, SeenDie
from referee.game import Game
from referee.journal import NOBODY, Actor, Entry, SeatRules, read_laid
from referee.judge import Ruling, go_on, judge
from referee.phrases import in_a_row, join_each
from referee.sentences import Reason, Refused, say
from vander.table.correction import without_answers
from vander.table.match import AS_THEY_LIE, Match, sentence_of, with_face
from vander.table.questions import AS_IT_LIES, find_prompt, needs_asking_twice
from vander.table.ruling import rule, rule_again
from vander.table.seen_dice import title_of, with_stated
from vander.table.session_state import (
    FacesStated,
    ReadingCorrected,
    SessionState,
    Step,
    TableView,
    Unresolved,
    WaitingChange,
)
from vander.table.taps import check_settled, check_step, playing
from web.schemas.game_schemas import Consequence

# What a throw would have meant


@dataclass(frozen=True)
class OtherFace:
    """A die of a throw that shows another face than it was ruled on with; both are of one kind."""

    old: Die
    new: Die


@dataclass(frozen=True)
class WhatIf:
    """Where the game would stand if dice of the entry had shown other faces.

    consequences: of the entry itself and of each later one that would be otherwise, up to the first that the rules
    would refuse. entries: all of them from the entry on, as they would be. state: where that leads.
    """

    entry: int
    action: Action
    now: GameState
    state: GameState
    consequences: tuple[Consequence, ...]
    entries: tuple[Entry, ...]

    @property
    def illegal(self) -> Consequence | None:
        """Return the first entry that could not have been, and after which nothing is known; None without one."""
        return next((each for each in self.consequences if each.refusal), None)

    @property
    def refusal(self) -> Refusal | None:
        """Return why not all of it can be: which entry could not have been, and the rule; None where all can."""
        illegal = self.illegal
        if illegal is None:
            return None
        why = illegal.refusal
        if illegal.entry != self.entry:
            why = say("Then this could not have happened: {entry} {why}", entry=illegal.now, why=why)
        return Refusal(why, illegal.rule)

    @property
    def is_plain(self) -> bool:
        """True if a correction of the one entry says it all."""
        return not any(each.refusal or each.carried for each in self.consequences)


@dataclass(frozen=True)
class _Standing:
    """A standing entry and the state after it. `ruling` is None if people accepted the dice as they lay."""

    entry: Entry
    state: GameState
    ruling: Ruling | None

    @property
    def sentence(self) -> str:
        return sentence_of(self.entry, self.ruling) if self.ruling else AS_THEY_LIE


def with_faces(action: Action, faces: Sequence[OtherFace]) -> Action:
    """Return an action whose dice show these faces instead. Raises ValueError for a die that it does not have."""
    for face in faces:
        action = with_face(action, face.old, face.new)
    return action


def what_if(match: Match, entry: int, faces: Sequence[OtherFace]) -> WhatIf:
    """Return what follows if dice of an entry had shown these faces. Raises LookupError where it does not stand.

    A later entry by which hands moved such a die moved it with its other face up, where only that is legal.
    """
    rows = [row for row in _rows(match) if row.entry.number >= entry]
    if not rows or rows[0].entry.number != entry or rows[0].ruling is None:
        raise LookupError(say("entry {entry} is no action that stands", entry=entry))
    before = _before(match, entry)
    action = with_faces(rows[0].ruling.action, faces)
    consequences, entries, state = list[Consequence](), list[Entry](), before
    for row in rows:
        after, played = _ruled_again(match.game, state, row, faces, action if row is rows[0] else None)
        carried = row is not rows[0] and played != (row.ruling.action if row.ruling else row.entry.action)
        consequences.append(_consequence(row, state, after, carried=carried))
        if isinstance(after, Refusal):
            break
        entries.append(replace(row.entry, action=played))
        state = after if isinstance(after, GameState) else after.state
    differing = tuple(each for each in consequences if each.differs)
    return WhatIf(entry, action, match.state, state, differing, tuple(entries))


def _rows(match: Match) -> Iterator[_Standing]:
    """The standing entries in order."""
    played = [_Standing(entry, ruling.state, ruling) for entry, ruling in match.standing]
    laid = [_Standing(entry, state, None) for entry, state in match.replay.laid]
    yield from sorted((*played, *laid), key=lambda row: row.entry.number)


def _before(match: Match, entry: int) -> GameState:
    earlier = [row.state for row in _rows(match) if row.entry.number < entry]
    return earlier[-1] if earlier else match.start


def _ruled_again(
    game: Game, state: GameState, row: _Standing, faces: Sequence[OtherFace], instead: Action | None
) -> tuple[Ruling | GameState | Refusal, Action | None]:
    """Rule on an entry from another state; return what comes of it, and what it plays then."""
    if row.ruling is None:
        outcome = go_on(game, state, read_laid(row.entry.note))
        return (outcome if isinstance(outcome, Refusal) else outcome[0]), row.entry.action
    action = instead or row.ruling.action
    ruling = judge(game, state, action)
    if ruling.refusal and instead is None and action.verb in game.by_hand:
        ruling = _carried(game, state, action, faces) or ruling
    return ruling.refusal or ruling, ruling.action


def _carried(game: Game, state: GameState, action: Action, faces: Sequence[OtherFace]) -> Ruling | None:
    """Rule on what hands moved with the first of these faces up, or the first two, and so on; None if none is legal."""
    for face in faces:
        if face.old in action.dice:
            action = with_face(action, face.old, face.new)
            if not (ruling := judge(game, state, action)).refusal:
                return ruling
    return None


def _consequence(
    row: _Standing, before: GameState, after: Ruling | GameState | Refusal, *, carried: bool
) -> Consequence:
    if isinstance(after, Refusal):
        return Consequence(
            row.entry.number, row.sentence, "", row.state.scores, before.scores, after.sentence, after.rule
        )
    if isinstance(after, GameState):
        return Consequence(row.entry.number, row.sentence, AS_THEY_LIE, row.state.scores, after.scores)
    then = sentence_of(row.entry, after)
    return Consequence(row.entry.number, row.sentence, then, row.state.scores, after.state.scores, carried=carried)


# Challenges

GONE = say("That throw was taken back meanwhile: nothing was changed.")
NO_THROW = say("That was no throw: take it back instead.")
CHANGED = say("Somebody corrected that throw meanwhile: look at it again.")
NO_SUCH_DIE = say("That throw has no such die.")
SAME = say("All dice already show that. Say that the throw stands.")
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
    said = [say("{new}, not {old}", new=_title(dice, face.new), old=_title(dice, face.old)) for face in faces]
    return say("Challenged: {throw} It is {faces}.", throw=sentence, faces=join_each(said, _and))


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
    if not found.is_plain:
        return match.retold(found.entry, found.entries)
    read_wrong = (faces[0].old, faces[0].new) if len(faces) == 1 else ()
    return match.correct(found.entry, found.action, read_wrong)


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


# Changes that another seat confirms

WAITS = say("Another player first has to confirm the earlier change.")
ANOTHER_SEAT = say("Another player has to confirm this, or somebody at the box.")
CHANGE_GONE = say("Nothing waits to be confirmed any more.")


def on_change(
    state: SessionState, rules: SeatRules, by: Actor, sentence: str, decide: Callable[[SessionState], Step]
) -> Step:
    """Do what changes the score at once; or, where another seat has to confirm it, let it wait.

    Raises Refused, also while dice move: a throw that is on its way was made by what was ruled before.
    """
    match = state.match
    if sentence:
        check_settled(state)
    if not sentence or match is None or not rules.needs_another(by, match.state.players):
        return decide(state)
    if state.unconfirmed is not None:
        raise Refused(WAITS, Reason.CONFLICT)
    decide(state)  # what is refused now need not wait
    number = state.questions + 1
    waiting = WaitingChange(number, sentence, by, decide)
    return Step(replace(state, unconfirmed=waiting, questions=number))


def on_confirmation(state: SessionState, number: int, *, agrees: bool, by: Actor, may_override: bool = False) -> Step:
    """Do or drop the change that waits; either is an entry. Who asked for it may drop it, and not confirm it."""
    waiting, match = state.unconfirmed, state.match
    if waiting is None or match is None or waiting.number != number:
        raise Refused(CHANGE_GONE, Reason.NOT_FOUND)
    is_another = bool(by.seat) and by.seat != waiting.by.seat
    if not is_another and not (may_override and by != waiting.by) and (agrees or by != waiting.by):
        raise Refused(ANOTHER_SEAT, Reason.CONFLICT)
    if agrees:
        check_settled(state)
    answer = say("Confirmed") if agrees else say("Declined")
    asked = say("{device} asks: {change}", device=waiting.by.device or say("A tablet"), change=waiting.sentence)
    noted = Step(replace(state, unconfirmed=None)).with_match(match.answered(asked, answer, by))
    return _done(noted, waiting.decide) if agrees else noted


def _done(noted: Step, decide: Callable[[SessionState], Step]) -> Step:
    """Do a confirmed change; one that is refused by now is dropped, and the refusal said."""
    try:
        done = decide(noted.state)
    except Refused as refused:
        return replace(noted, refused=refused)
    return replace(done, entries=(*noted.entries, *done.entries))


# What a person is asked to confirm; '' for what changes no score


def correction_sentence(state: SessionState, number: int, face: str) -> str:
    """Return what a correction would change; '' for a die that shows this already, or is not there."""
    dice = state.table.seen.dice if state.table.seen else ()
    seen = next((die for die in dice if die.number == number), None)
    if seen is None:
        return ""
    old, new = (state.dice.face_title(seen.kind, FaceName(each)) for each in (seen.die.face or "", face))
    return say("Correct a die: {new}, not {old}.", new=new, old=old)


def check_sentence(state: SessionState, corrected: StatedFaces) -> str:
    """Return what an answer to "Is this right?" would change; '' where all was read right."""
    faces = ((number, die.face or "") for number, (_, die) in corrected.items())
    return in_a_row(*(correction_sentence(state, number, face) for number, face in faces))


def undo_sentence(state: SessionState) -> str:
    """Return what would be taken back; '' for an action that only waits."""
    match = state.match
    newest = match.newest if match else None
    if match is None or newest is None or state.waiting is not None:
        return ""
    return say("Take back: {said}", said=match.sentence_at(newest.number))


def void_sentence(match: Match | None) -> str:
    """Return which throw would not count."""
    return say("This throw does not count: {throw}", throw=match.last_throw()) if match else ""


def challenge_sentence(state: SessionState, challenge: Challenge) -> str:
    """Return what a challenge would change; '' for one after which the throw stands. Raises Refused."""
    match = state.match
    return "" if match is None or challenge.verdict is ChallengeResult.STANDS else challenge_note(match, challenge)


def answer_sentence(state: SessionState, question: int, choice: str, *, confirmed: bool) -> str:
    """Return what an answer would change; '' for one that only says what the dice show, or is asked once more."""
    is_first = needs_asking_twice(find_prompt(state, question), choice, confirmed=confirmed)
    return say("Go on as the dice lie.") if choice == AS_IT_LIES and not is_first else ""
