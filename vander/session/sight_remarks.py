"""What the camera could not see, and dice that left the tray: remarks in the journal, once each. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.dice import Blindness
from referee.fair_play import blind_note, departure_note
from referee.journal import Deed
from vander.session.session_state import Step
from vision.observations import Observation

SHORTEST_S = 1.0
"""A blind time below this is not remarked on: it hid no more than a blink."""


def with_sight_remarks(step: Step, observation: Observation) -> Step:
    """Keep what the camera missed since the last observation at rest, and the dice that it saw leave the tray.

    A hand in the tray is none of it: hands pick up dice in every throw, and what changed under one is asked about.
    """
    before = step.state.camera.remarked_until
    blind = [one for one in observation.blind if one.reason is not Blindness.HAND and one.ended > before]
    left = [one for one in observation.departures if one.moments[1] > before]
    seconds = sum(one.ended - one.began for one in blind)
    is_long = seconds >= SHORTEST_S
    notes = [(Deed.BLIND, blind_note(seconds, (one.reason for one in blind)))] if is_long else []
    until = max([before, *(one.ended for one in blind), *(one.moments[1] for one in left)])
    step = _remarked(step, [*notes, *((Deed.DEPARTED, departure_note(one)) for one in left)])
    if until == before:
        return step
    return step.to(replace(step.state, camera=replace(step.state.camera, remarked_until=until)))


def _remarked(step: Step, notes: list[tuple[Deed, str]]) -> Step:
    """Add remarks to a game that goes on; what is said after a restart stays said."""
    match, resumed = step.state.match, step.state.resumed
    if match is None or match.over or not notes:
        return step
    for deed, note in notes:
        match = match.remark(note, deed=deed)
    step = step.with_match(match)
    return step.to(replace(step.state, resumed=resumed))
