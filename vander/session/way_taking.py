"""Take the way that explains the table: its actions, with the throws and the dice that were checked. Pure."""

from __future__ import annotations

from dataclasses import replace

from models.dataset.table_labels import CheckedDie, StatedFaces
from referee.actions import Action
from referee.fair_play import LEANED
from referee.journal import Source
from referee.umpire import join_rethrow
from vander.session.breach_recording import _pinned, evidence_name, evidence_of
from vander.session.label_events import DoubtSettled, ThrowRuled
from vander.session.match import Match, Way
from vander.session.session_state import SessionState, Step, TableView, Unresolved, shown_face


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
