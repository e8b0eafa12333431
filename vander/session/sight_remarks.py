"""What the camera could not see, dice that left the tray, and dice taken up too soon: remarks in the journal. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.dice import Blindness
from referee.fair_play import blind_note, departure_note
from referee.journal import Deed
from referee.sentences import say
from referee.umpire import Explanation
from vander.session.session_state import Step
from vision.observations import Observation

TAKEN_UP = say("Dice were taken up before they could be read.")
SHORTEST_S = 1.0
"""A blind time below this is not remarked on: it hid no more than a blink."""


def with_blind_remark(step: Step, observation: Observation) -> Step:
    """Keep what the camera missed since the last observation at rest.

    A hand in the tray is none of it: hands pick up dice in every throw, and what changed under one is asked about.
    A start of the program in mid-game is, however short it was: before it anything may have happened.
    """
    before = step.state.camera.blind_until
    blind = [one for one in observation.blind if one.reason is not Blindness.HAND and one.ended > before]
    if not blind:
        return step
    seconds, reasons = sum(one.ended - one.began for one in blind), [one.reason for one in blind]
    is_told = seconds >= SHORTEST_S or (step.state.resumed and Blindness.RESTART in reasons)
    notes = [(Deed.BLIND, blind_note(seconds, reasons))] if is_told else []
    step = _remarked(step, notes)
    return step.to(replace(step.state, camera=replace(step.state.camera, blind_until=max(one.ended for one in blind))))


def with_taken_up_remark(step: Step, observation: Observation) -> Step:
    """Tell everybody once that dice were taken up before their throw could be read; whatever was said stays said."""
    at, match = observation.taken_up_at, step.state.match
    if at is None or at <= step.state.camera.taken_up_until:
        return step
    is_awaited = match is not None and any(offer.is_throw for offer in match.game.legal(match.state))
    step = _remarked(step, [(Deed.REMARK, TAKEN_UP)] if is_awaited else [])
    return step.to(replace(step.state, camera=replace(step.state.camera, taken_up_until=at)))


def with_departure_remarks(step: Step, explained: Explanation) -> Step:
    """Keep which dice left the tray in the throw that the umpire found, unless that is asked.

    What the camera saw go out between throws, hands took or swept out: of that nobody need be told.
    """
    before = step.state.camera.departed_until
    left = [] if explained.question else [one for one in explained.departed if one.moments[1] > before]
    if not left:
        return step
    step = _remarked(step, [(Deed.DEPARTED, departure_note(one)) for one in left])
    until = max(one.moments[1] for one in left)
    return step.to(replace(step.state, camera=replace(step.state.camera, departed_until=until)))


def _remarked(step: Step, notes: list[tuple[Deed, str]]) -> Step:
    """Add remarks to a game that goes on; what is said after a restart stays said."""
    match, resumed = step.state.match, step.state.resumed
    if match is None or match.over or not notes:
        return step
    for deed, note in notes:
        match = match.remark(note, deed=deed)
    step = step.with_match(match)
    return step.to(replace(step.state, resumed=resumed))
