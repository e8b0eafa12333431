"""What an import is asked to do, and what it did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.frames import Pixels
from vision.rectification import RotatedSquare

MOST_NAMED = 5
"""Pictures without a die that the sentence names."""


@dataclass(frozen=True)
class ImportOptions:
    """How to import what other programs made: as dice of this set, and of this kind where a label names none.

    `find` returns where dice lie in a picture. Without it a box is all that is known of a die's place, and a picture
    without boxes shows one die or none.
    """

    die_set: str = ""
    kind: str = "die"
    find: Callable[[Pixels], Sequence[RotatedSquare]] | None = None


NO_OPTIONS = ImportOptions()
"""No die set: only what Vander exported, which names its own, can be imported."""


@dataclass(frozen=True)
class ImportResult:
    """What was imported: `taken` samples from `pictures` pictures.

    `known` samples were in the store already; of these `relabelled` have a new label. `without_die` names the pictures
    in which no die was found. `faces` are (kind, face, title as it was written) of every class; `met` are (die set,
    kind, face) of the samples that are new or have a new label; `sessions` and `die_sets` are those of new samples.
    """

    taken: int
    pictures: int
    known: int = 0
    relabelled: int = 0
    without_die: tuple[str, ...] = ()
    faces: tuple[tuple[str, str, str], ...] = ()
    met: tuple[tuple[str, str, str], ...] = ()
    sessions: tuple[str, ...] = ()
    die_sets: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it in words."""
        words = [f"{self.taken} dice were taken in from {self.pictures} pictures."]
        if self.known:
            changed = f"; {self.relabelled} of them have a new label" if self.relabelled else " and stay as they are"
            words.append(f"{self.known} were here already{changed}.")
        if self.without_die:
            some = ", ".join(self.without_die[:MOST_NAMED]) + (", ..." if len(self.without_die) > MOST_NAMED else "")
            words.append(f"In {len(self.without_die)} pictures no die was found: {some}.")
        return " ".join(words)
