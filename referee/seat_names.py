"""What a seat is called that nobody has named, or whose player was forgotten: its number, in any language."""

from __future__ import annotations

import re
from typing import Final

from referee.sentences import Sentence, say

SEAT_NAME: Final = r"^Player [0-9]+\**$"
"""The regular expression, for a database too, of what only numbers a seat."""
_NUMBERED: Final = re.compile(r"Player (?P<place>\d+\**)")


def seat_name(place: int | str) -> Sentence:
    """Return what a seat is called by its number: `Player 2`, which is what journals and exports hold."""
    return say("Player {place}", place=place)


def is_seat_name(name: str) -> bool:
    """True for what only numbers a seat."""
    return _NUMBERED.fullmatch(name) is not None


def shown_name(name: str) -> str:
    """Return a name as it is shown: one that only numbers its seat can be said in another language."""
    found = _NUMBERED.fullmatch(name)
    return seat_name(found["place"]) if found else name


def kept_name(name: str, template: str) -> str:
    """Return a name as it is kept: one that only numbers its seat, by the template of some language, in English."""
    before, _, after = template.partition("{place}")
    found = re.fullmatch(rf"{re.escape(before)}(\d+){re.escape(after)}", name.strip())
    return str(seat_name(found[1])) if found else name
