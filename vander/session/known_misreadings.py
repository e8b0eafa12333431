"""Dice that the camera reads otherwise than people said: known again after a restart, while they lie unmoved. Pure.

After a restart, or once the tray was lent, dice are numbered from one, and nothing that was said of them holds by
their numbers. A die that still lies in its place, and is still read as it was, still shows what people said. One that
was moved, or is read as something else, is compared with the game like every other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.dataset.table_labels import DieOfThrow, LabelSource
from referee.dice import Die, SeenDie
from vander.session.session_state import SessionState, Step, TableView, shown_face
from vander.storage.stored_game import Misreading
from vision.observations import DieReading, DieSighting, Observation, TrackedDie

SAME_PLACE_EDGES, SAME_DEGREES = 0.35, 12.0
"""A die nearer than this to a stored place did not move (edges). The tray is located again after a restart."""
NUDGED_EDGES = 0.1
"""The place of a die that was moved by so many of its edges is taken in."""


def with_misreadings(step: Step) -> Step:
    """Keep with the game which dice are read otherwise than people said, and where they lie.

    While no dice were seen, or they lie otherwise than the game has them, what was kept stays.
    """
    state = step.state
    match, observed = state.match, state.table.observed
    if match is None or observed is None or not observed.calibrated or state.unresolved.mismatch is not None:
        return step
    found = tuple(_misreadings(state.table, observed))
    if found == match.kept.misreadings:
        return step
    return step.to(replace(state, match=replace(match, kept=replace(match.kept, misreadings=found))))


def with_moved(state: SessionState, observation: Observation) -> SessionState:
    """Return the state with the last observation of the same table, where a die was nudged or is read otherwise."""
    before = {die.number: die for die in state.table.observed.dice} if state.table.observed else {}
    if observation.calibrated and any(_differs(before.get(die.number), die) for die in observation.dice):
        return replace(state, table=replace(state.table, observed=observation))
    return state


def _differs(before: TrackedDie | None, die: TrackedDie) -> bool:
    if before is None:
        return False
    way = _way(before.reading.sighting, (die.reading.sighting.x_mm, die.reading.sighting.y_mm))
    return way > NUDGED_EDGES or shown_face(before) != shown_face(die)


def _misreadings(table: TableView, observed: Observation) -> Iterator[Misreading]:
    said = {(number, throw) for number, (throw, _) in table.sources.items()}
    for die in observed.dice:
        throw, shows = table.stated.get(die.number, (-1, None))
        is_said = throw == die.thrown and (die.number, throw) in said
        if shows is not None and is_said and shows != shown_face(die):
            at = die.reading.sighting
            place = (round(each, 1) for each in (at.x_mm, at.y_mm, at.turned_degrees))
            yield Misreading(shown_face(die), shows, *place)


def with_known_misreadings(state: SessionState, observation: Observation) -> SessionState:
    """Return the state with stored corrections applied to dice in the same place and with the same misread face."""
    match, table = state.match, state.table
    if match is None or not match.kept.misreadings or not observation.calibrated:
        return state
    known: dict[int, tuple[TrackedDie, Die]] = {}
    for misread in match.kept.misreadings:
        die = next(
            (each for each in observation.dice if _is_of(misread, each) and each.number not in table.stated), None
        )
        if die is not None:
            known[die.number] = die, misread.shows
    if not known:
        return state
    stated = {number: (die.thrown, shows) for number, (die, shows) in known.items()}
    sources = {number: (die.thrown, _source(die.reading)) for number, (die, _) in known.items()}
    table = replace(table, stated={**table.stated, **stated}, sources={**table.sources, **sources})
    return replace(state, table=table)


def _is_of(misread: Misreading, die: TrackedDie) -> bool:
    """True if a die was not thrown since the dice were numbered, lies where that one lay, and is read as that one."""
    at = die.reading.sighting
    turned = abs(at.turned_degrees - misread.turned_degrees) % 90
    is_near = _way(at, (misread.x_mm, misread.y_mm)) < SAME_PLACE_EDGES
    lies_there = is_near and min(turned, 90 - turned) < SAME_DEGREES
    return die.thrown == 0 and lies_there and shown_face(die) == misread.read


def _way(at: DieSighting, place: tuple[float, float]) -> float:
    """Return how far a die lies from a place in millimetres, in its edges."""
    return float(np.hypot(at.x_mm - place[0], at.y_mm - place[1])) / max(at.edge_mm, 1e-6)


def _source(reading: DieReading) -> LabelSource:
    """Return why people said what a die shows: of one that was read in doubt they were asked."""
    return LabelSource.CORRECTED if reading.accepted else LabelSource.ANSWERED


def dice_said_otherwise(state: SessionState) -> tuple[tuple[SeenDie, Die], ...]:
    """Return dice of before a restart that are read otherwise than people said, each with what it is read as."""
    seen, observed = state.table.seen, state.table.observed
    read = {die.number: shown_face(die) for die in observed.dice} if observed else {}
    said: set[DieOfThrow] = {(number, throw) for number, (throw, _) in state.table.sources.items()}
    dice = seen.dice if seen else ()
    return tuple(
        (die, read[die.number]) for die in dice if (die.number, die.throw) in said and die.die != read.get(die.number)
    )
