"""What becomes of the table and its match when people say that a die is of another kind than it was taken for. Pure.

A set has only so many dice of a kind: where all of them are known already, the die changes places with one of those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from models.dataset.table_labels import LabelSource, StatedFaces
from referee.dice import Die, DieSet, KindName, Seen, SeenDie, Zone
from referee.journal import NOBODY, Actor
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.session.correction import NO_LONGER, entry_of, find_lying, without_answers
from vander.session.label_events import FacesStated, ReadingCorrected
from vander.session.match import IllegalAction, Match, with_face
from vander.session.request_parsing import check_step_of_dice, face_of
from vander.session.ruling_decisions import rule_again
from vander.session.seen_dice import named_kinds, with_kinds_left, with_stated
from vander.session.session_state import SessionState, Step, TableView

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
    done = begun.to(replace(begun.state, table=_with_said(begun.state.table, said)), *corrections)
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
    try:
        die, new = concerned[0]
        return step.with_match(match.correct(entry, action, (die.die, new)))
    except IllegalAction as refused:
        raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None


def _with_said(table: TableView, said: StatedFaces) -> TableView:
    """The table with what dice are beyond doubt."""
    left = {**table.kinds_left, **{(number, throw): (die.kind,) for number, (throw, die) in said.items()}}
    stated = {**table.stated, **said}
    sources = {**table.sources, **{number: (throw, LabelSource.CORRECTED) for number, (throw, _) in said.items()}}
    ruled = with_stated(with_kinds_left(table.ruled, left), stated) if table.ruled else None
    return replace(table, kinds_left=left, stated=stated, sources=sources, ruled=ruled)
