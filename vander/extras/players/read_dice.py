"""The faces that the camera read in past games, and what people corrected, as the journal has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from models.die_sets import DieSetSource
from referee.dice import Die, FaceName, KindName
from referee.journal import Deed, Entry, Source
from vander.storage.journal_store import Journal
from vander.storage.player_tables import ReadFace

WHOLE_THROW = "roll"
"""The verb that throws all of its dice, in every game."""


@dataclass
class ReadDice:
    """How often each die face of a die set was read in a throw, and which was corrected: (as it is, as it was read)."""

    read: Counter[Die] = field(default_factory=Counter)
    corrected: Counter[tuple[Die, Die]] = field(default_factory=Counter)

    @classmethod
    def of_faces(cls, faces: Mapping[ReadFace, int]) -> ReadDice:
        """Return what was counted face by face."""
        found = cls()
        for (kind, read_as, truth), dice in faces.items():
            die = Die(KindName(kind), FaceName(read_as))
            if truth:
                found.corrected[Die(KindName(kind), FaceName(truth)), die] += dice
            else:
                found.read[die] += dice
        return found


def read_faces(entries: Iterable[Entry], kinds: Container[str]) -> Counter[ReadFace]:
    """Return how often each face was read in a game, where a throw showed all dice of its action, as first taken.

    Only verbs that throw all their dice are counted: others hold dice that lay there before.
    """
    found: Counter[ReadFace] = Counter()
    for entry in entries:
        found.update((die.kind, die.face, "") for die in read_in(entry) if die.kind in kinds and die.face)
        if entry.deed is Deed.CORRECT and len(entry.dice) == 2:
            read, true = entry.dice
            if read.kind == true.kind and read.face and true.face:
                found[read.kind, read.face, true.face] += 1
    return found


def read_in(entry: Entry) -> tuple[Die, ...]:
    """Return the dice of a throw that the camera read, where it threw all dice of its action; () for another entry."""
    thrown = entry.action if entry.deed is Deed.PLAY and entry.source is Source.CAMERA else None
    return thrown.dice if thrown and thrown.verb == WHOLE_THROW else ()


def collect_read_dice(journal: Journal, die_set: str, known: DieSetSource) -> ReadDice:
    """Return what was read of a die set's dice in all ended games."""
    faces: Counter[ReadFace] = Counter()
    kinds = {kind.name for kind in known.load(die_set).kinds}
    for game in journal.games():
        if game.die_set == die_set and game.ended_at is not None:
            faces.update(read_faces(journal.entries(game.number), kinds))
    return ReadDice.of_faces(faces)
