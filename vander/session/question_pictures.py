"""What can be shown of an open question: the tray before and after, with the dice in question ringed. Pure."""

from __future__ import annotations

from collections.abc import Collection

from referee.snapshot import DieRing, PicturedTray, QuestionPictures
from vander.session.put_back import find_put_backs
from vander.session.session_state import SessionState
from vander.session.sure_questions import find_prompt
from vision.camera_picture import upright_place, upright_size
from vision.observations import Observation, TrackedDie


def asks_anew(before: SessionState, after: SessionState) -> bool:
    """True if a question is open that was not open before."""
    known = {prompt.question.number for prompt in before.unresolved.prompts}
    return any(prompt.question.number not in known for prompt in after.unresolved.prompts)


def find_question_pictures(state: SessionState, number: int, *, has_film: bool) -> QuestionPictures | None:
    """Return the pictures of an open question, by its number; None where it is not open."""
    prompt, table = find_prompt(state, number), state.table
    if prompt is None:
        return None
    dice = prompt.question.dice or tuple(wrong.die for wrong in find_put_backs(state))
    before = _pictured(table.ruled_picture, table.ruled_observed, dice)
    after = _pictured(table.picture, table.observed, dice)
    return QuestionPictures(before if before != after else None, after, has_film)


def _pictured(name: str, observed: Observation | None, numbers: Collection[int]) -> PicturedTray | None:
    if not name or observed is None:
        return None
    rings = (ring_of(observed, die) for die in observed.dice if die.number in numbers)
    return PicturedTray(name, tuple(ring for ring in rings if ring))


def ring_of(observed: Observation, die: TrackedDie) -> DieRing | None:
    """Return where an observed die lies in the picture of the tray from straight above; None beyond it."""
    at = die.reading.sighting
    place = upright_place(observed.tray_mm, at.x_mm, at.y_mm)
    return DieRing(*place, at.edge_mm / upright_size(observed.tray_mm)[0]) if place else None
