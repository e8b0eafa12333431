"""The faces that the camera read in past games, and what people corrected, as the journal has them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from models.die_sets import DieSetSource
from referee.dice import Die
from referee.journal import Deed, Source
from vander.storage.journal_store import Journal

WHOLE_THROW = "roll"
"""The verb that throws all of its dice, in every game."""


@dataclass
class ReadDice:
    """How often each die face of a die set was read in a throw, and which was corrected: (as it is, as it was read)."""

    read: Counter[Die] = field(default_factory=Counter)
    corrected: Counter[tuple[Die, Die]] = field(default_factory=Counter)


def collect_read_dice(journal: Journal, die_set: str, known: DieSetSource) -> ReadDice:
    """Return what was read of a die set's dice where a throw showed all dice of its action, as first taken.

    Only verbs that throw all their dice are counted: others hold dice that lay there before.
    """
    found, kinds = ReadDice(), {kind.name for kind in known.load(die_set).kinds}
    for game in journal.games():
        if game.die_set != die_set:
            continue
        for entry in journal.entries(game.number):
            thrown = entry.action if entry.deed is Deed.PLAY and entry.source is Source.CAMERA else None
            if thrown and thrown.verb == WHOLE_THROW:
                found.read.update(die for die in thrown.dice if die.kind in kinds)
            elif entry.deed is Deed.CORRECT and len(entry.dice) == 2 and entry.dice[0].kind == entry.dice[1].kind:
                found.corrected[entry.dice[1], entry.dice[0]] += 1
    return found
