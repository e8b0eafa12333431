"""What is recorded of a table: the way that explains it, or a breach; dice after a breach, and leaning ones. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from models.dataset.samples import CheckedDie, DieOfThrow, StatedFaces
from referee.actions import Action
from referee.dice import Die, Seen, SeenDie, Zone
from referee.fair_play import LEANED
from referee.journal import Source
from referee.sentences import say
from referee.snapshot import Question
from referee.umpire import Explanation, explain, join_rethrow
from referee.umpire.tables import dice_inside
from referee.umpire.weighing import BY_HAND, SELDOM, TAKEN_FROM
from vander.table import questions
from vander.table.match import IllegalAction, Match, Way, with_face
from vander.table.session_state import (
    Breach,
    DoubtSettled,
    LeanedQuestion,
    SessionState,
    Step,
    TableView,
    ThrowRuled,
    Unresolved,
    shown_face,
)

# Dice after a breach: people put them right by hand, or make a legal throw while some still lie wrong
#
# Before a turn's first throw nothing depends on how the dice lie: nothing is put right then, and the throw is made
# again.


def accused_dice(state: SessionState) -> frozenset[DieOfThrow]:
    """Return the dice of a breach, and of every refused throw after it; those that hands laid since are put right."""
    thrown = state.table.thrown_since_ruling
    if state.unresolved.breach is None:
        return thrown
    seen = state.table.seen.dice if state.table.seen else ()
    by_hand = {(die.number, die.throw) for die in seen if die.handled in BY_HAND}
    return state.unresolved.accused | (thrown - by_hand)


def without_refused_throw(state: SessionState, match: Match) -> SessionState:
    """Return the state in which the refused first throw of a turn is no part of a later one.

    That is so once one of its dice is thrown again; others of the same throw may have fallen a moment late.
    """
    ruled, seen, accused = state.table.ruled, state.table.seen, state.unresolved.accused
    if state.unresolved.breach is None or ruled is None or seen is None or match.game.lay(match.state):
        return state
    last, refused = max((throw for _, throw in accused), default=ruled.throw), {number for number, _ in accused}
    if not any(die.number in refused and die.throw > last for die in seen.dice):
        return state
    return replace(state, table=replace(state.table, ruled=replace(ruled, throw=last)))


def find_legal_throw(state: SessionState, match: Match) -> tuple[Seen, Explanation] | None:
    """Return the table as if the dice of the breach were put back, and the only throw since then, which is legal.

    None where nothing was thrown since, where it is not legal either, or where anything has to be asked about it.
    """
    ruled, seen, accused = state.table.ruled, state.table.seen, state.unresolved.accused
    if state.unresolved.breach is None or ruled is None or seen is None:
        return None
    put_back = _put_back(ruled, seen, accused)
    if put_back is None:
        return None
    found = explain(match.game, match.state, ruled, put_back, said=state.unresolved.said)
    is_sure = len(found.ways) == 1 and not (found.question or found.unsure_dice or found.rethrow)
    is_within = is_sure and not any(action.verb in (*match.game.implied, match.game.lost) for action in found.ways[0])
    return (put_back, found) if is_within else None


def is_being_put_right(state: SessionState) -> bool:
    """True if hands alone were at the dice since the breach: they lay them, or have some of them outside."""
    ruled, seen, accused = state.table.ruled, state.table.seen, state.unresolved.accused
    if state.unresolved.breach is None or ruled is None or seen is None:
        return False
    later = [die for die in seen.dice if die.throw > ruled.throw and (die.number, die.throw) not in accused]
    return (bool(later) or is_any_out(state)) and all(die.handled in BY_HAND for die in later)


def is_any_out(state: SessionState) -> bool:
    """True if fewer dice lie in the tray than at the last ruling: hands have them, or they lie outside."""
    ruled, seen = state.table.ruled, state.table.seen
    return ruled is not None and seen is not None and len(dice_inside(seen)) < len(dice_inside(ruled))


def _put_back(ruled: Seen, seen: Seen, accused: Collection[DieOfThrow]) -> Seen | None:
    """Return the table with the dice of a breach as they lay before; None where all were thrown again, or none was."""
    wrong = [die for die in seen.dice if (die.number, die.throw) in accused]
    lay = {die.number: die for die in ruled.dice}
    if not wrong or seen.throw <= max(die.throw for die in wrong) or any(die.number not in lay for die in wrong):
        return None
    return replace(seen, dice=tuple(lay[die.number] if die in wrong else die for die in seen.dice))


# Recording a breach with its picture


def record(step: Step, match: Match, breach: Breach) -> Step:
    """Record a breach once, with its picture, and let people put the table right or go on as it lies.

    Before a turn's first throw it does not matter how the dice lie: the throw is made again.
    """
    standing = step.state.unresolved.breach
    if standing != breach:
        evidence = evidence_name(step.state, match)
        step = step.with_match(match.breach(breach.sentence, breach.rule, evidence), evidence)
        standing = replace(breach, evidence=evidence)
    unresolved = replace(step.state.unresolved, breach=standing, accused=accused_dice(step.state))
    step = step.to(replace(step.state, unresolved=unresolved))
    is_laid_out = bool(match.game.lay(match.state))
    return questions.ask(step, *([questions.breach_question(standing)] if is_laid_out else []))


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
    return replace(table.ruled_on(), stated=stated)


# A die that leaned, was ruled on, and is thrown again all the same: that is asked, and no breach
#
# A throw with a leaning die is ruled on where people say what the die shows, or that it counts as a hand has set it
# flat, and where it is not sure enough that it leans. By the dice alone a further throw of it is a breach, or where one
# die may be thrown a throw of its own. Who throws one die of the last throw again mostly does so because it leaned, and
# most slight leans are not seen: a breach without asking is that only of a die that surely lay flat.

IT_LEANED, DID_NOT_LEAN = "leaned", "did-not-lean"


def find_thrown_again(state: SessionState, *, is_legal: bool) -> SeenDie | None:
    """Return the one die that was thrown since the ruling, if it is of the throw ruled on and may have leaned.

    Where that is a legal throw, or hands have parked dice since, people have gone on: then only if it leaned likelier
    than not. Else a throw against the rules has to have enough of the weight, before anybody is accused.
    """
    table = state.table
    thrown = table.thrown if table.ruled and state.unresolved.breach is None else ()
    is_alone = len(thrown) == 1 and thrown[0].zone is not Zone.OUT
    if not is_alone or table.thrown_by.get(thrown[0].number) != max(table.thrown_by.values(), default=0):
        return None
    leaned, has_gone_on = _leaned(state, thrown[0]), is_legal or bool(state.unresolved.moved)
    share = leaned / (leaned + SELDOM * (1 - leaned))
    return thrown[0] if (leaned > 0.5 if has_gone_on else share > 1 - TAKEN_FROM) else None


def _leaned(state: SessionState, die: SeenDie) -> float:
    """Return how likely it is, 0 to 1, that a die leaned as it was ruled on; 0 where people said why it was thrown."""
    ruled, is_said = state.table.ruled_observed, (die.number, die.throw) in state.unresolved.said
    lay = [each.reading.sighting for each in ruled.dice if each.number == die.number] if ruled and not is_said else []
    return max((each.leaning for each in lay), default=0.0)


def leaned_question(state: SessionState, match: Match, die: SeenDie, breach: Breach | None) -> LeanedQuestion | None:
    """Return the question whether a die leaned that was thrown again; None where the throw cannot stand as it lies."""
    old = state.table.lay.get(die.number)
    entry = state.table.thrown_by[die.number]
    if old is None or _mended(match, entry, old, die.die) is None:
        return None
    denied = say("No") if breach else say("No, it was a further throw")
    choices = ((IT_LEANED, say("Yes, it leaned: it counts as it lies now")), (DID_NOT_LEAN, denied))
    crop = state.table.crops.get(die.number, "")
    sentence = say("This die was thrown again. Did it lean?")
    question = Question(0, sentence, choices, die=die.number, dice=(die.number,), crops=(crop,))
    return LeanedQuestion(question, breach, entry, old, die.die)


def _mended(match: Match, entry: int, old: Die, new: Die) -> Match | None:
    """Return the match in which the entry's throw gave the die its new face; None where the rules refuse that."""
    action = match.action_of(entry)
    if action is None or old not in action.dice:
        return None
    if old == new:
        return match
    try:
        return match.correct(entry, with_face(action, old, new))
    except IllegalAction:
        return None


def after_leaning(match: Match, prompt: LeanedQuestion) -> Match:
    """Return the match in which a leaning die counts with the face of its re-throw."""
    return _mended(match, prompt.entry, prompt.old, prompt.new) or match


# Taking the way that explains the table: its actions, with the throws and the dice that were checked


def take(step: Step, match: Match, way: Way, *, was_seen: bool = False) -> Step:
    """Play a way, and pin what it was ruled on. Raises IllegalAction.

    `was_seen`: the camera saw what people say it was, so that its picture is kept.
    """
    evidence = evidence_name(step.state, match) if was_seen else evidence_of(step.state, match, way)
    after = match.play(way, evidence, LEANED if step.state.unresolved.rethrow else "")
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


def hands_before(state: SessionState, match: Match, action: Action) -> Way:
    """Return what hands were seen to do before the camera was lost, where the action is legal after it."""
    pending = state.unresolved.pending
    return tuple((each, Source.CAMERA) for each in pending) if match.with_hands(pending).allows(action) else ()
