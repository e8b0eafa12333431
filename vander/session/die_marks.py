"""Why a die's face is not simply what a throw showed and the camera read: a mark that stays while the face counts."""

from __future__ import annotations

from models.dataset.table_labels import LabelSource
from referee.dice import SeenDie
from referee.journal import Source
from vander.session.correction import entry_of
from vander.session.match import Match
from vander.session.session_state import TableView

CORRECTED, ANSWERED, BY_HAND = "corrected", "answered", "by-hand"
SAID = {LabelSource.CORRECTED: CORRECTED, LabelSource.CHECKED: CORRECTED, LabelSource.ANSWERED: ANSWERED}


def mark_of(die: SeenDie, table: TableView, match: Match | None) -> str:
    """Return the mark of a die: what people said of it counts before how it came to lie; '' for a die without one.

    What became of a die before the game began is of no interest in it.
    """
    is_of_game = die.throw > table.before_game
    throw, source = table.sources.get(die.number, (-1, None))
    if source in SAID and throw == die.throw and is_of_game:
        return SAID[source]
    if die.handled is not None and is_of_game:
        return die.handled.value
    return BY_HAND if match is not None and _was_given(die, table, match) else ""


def _was_given(die: SeenDie, table: TableView, match: Match) -> bool:
    """True if the throw that gave the die its face was entered by hand, and its dice lie as that says."""
    if not match.has_throw_by_hand or table.ruled is None:
        return False
    number = entry_of(match, table.thrown_by, die)
    return any(entry.number == number and entry.source is Source.HAND for entry, _ in match.standing)
