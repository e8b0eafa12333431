"""The test of the dice, as its page asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from models.dataset.table_labels import AnsweredCheck
from models.die_sets import DieSetSource
from referee.dice import Die, DieKind, FaceName
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.memory.dice_fairness import FairnessFinding, MisreadCounts, find_fairness
from vander.memory.read_dice import ReadDice
from vander.storage.face_tables import die_sets_read, sum_faces
from vander.storage.journal_store import Journal
from vander.storage.result_tables import uncounted_games
from vander.storage.throw_places import ThrowPlace, find_throws
from web.schemas.fairness_schemas import (
    CheckedDieSchema,
    CheckedThrowSchema,
    CheckedThrowsResponse,
    FairFaceSchema,
    FairKindSchema,
    FairnessOverview,
    FairnessResponse,
    ReadDieSet,
)

SpotChecks = Callable[[], tuple[int, int]]
"""Returns of how many dice people said whether they were read right, and how many were read wrong."""
CheckedThrows = Callable[[], Sequence[AnsweredCheck]]
"""Returns the throws of these dice in the order of the answers, as far as they are known."""
LISTED = 24
"""Throws in one answer of the list of checked ones."""


def no_throws() -> Sequence[AnsweredCheck]:
    """Return no checked throw."""
    return ()


class FairnessService:
    """The test of the dice of a journal; implements `web.services.FairnessBackend`. Any thread may call any method."""

    def __init__(
        self,
        journal: Journal,
        known: DieSetSource,
        spot_checks: SpotChecks,
        checked_throws: CheckedThrows = no_throws,
    ) -> None:
        self._journal, self._known = journal, known
        self._spot_checks, self._checked_throws = spot_checks, checked_throws

    def overview(self) -> FairnessOverview:
        """Return the die sets of which dice were read, and what the test rests on."""
        with self._journal.reading() as connection:
            names, uncounted = die_sets_read(connection), len(uncounted_games(connection))
        checked, wrong = self._spot_checks()
        return FairnessOverview(tuple(ReadDieSet(name, self._title(name)) for name in names), checked, wrong, uncounted)

    def finding(self, die_set: str) -> FairnessResponse:
        """Return the test of a die set. Raises Refused (NOT_FOUND)."""
        with self._journal.reading() as connection:
            dice = ReadDice.of_faces(sum_faces(connection, die_set))
        try:
            kinds = self._known.load(die_set).kinds
        except (LookupError, ValueError):
            raise Refused(say("There are no such dice."), Reason.NOT_FOUND) from None
        read = {die.kind for die in dice.read}
        tested = tuple(self._tested(kind, dice) for kind in kinds if kind.name in read)
        return FairnessResponse(die_set, self._title(die_set), tested)

    def checked_throws(self, before: int, *, only_wrong: bool) -> CheckedThrowsResponse:
        """Return throws that people checked, the newest first: below a number, 0 for all, or those read wrong."""
        throws = self._checked_throws()
        wanted = [
            (number, throw)
            for number, throw in reversed(tuple(enumerate(throws, start=1)))
            if (not before or number < before) and (throw.wrong or not only_wrong)
        ]
        listed = wanted[:LISTED]
        with self._journal.reading() as connection:
            places = find_throws(connection, {(throw.game, throw.entry) for _, throw in listed})
        shown = (self._checked(number, throw, places.get((throw.game, throw.entry))) for number, throw in listed)
        unnamed = self._spot_checks()[0] - sum(len(throw.dice) for throw in throws)
        return CheckedThrowsResponse(tuple(shown), len(wanted) > LISTED, max(0, unnamed))

    def _checked(self, number: int, throw: AnsweredCheck, place: ThrowPlace | None) -> CheckedThrowSchema:
        dice = tuple(self._checked_die(place.die_set if place else "", *pair) for pair in throw.dice)
        if place is None:
            return CheckedThrowSchema(number, throw.at, "", 0, throw.entry, "", dice)
        past = throw.game if place.is_over else 0
        return CheckedThrowSchema(number, throw.at, place.game, past, throw.entry, place.picture, dice)

    def _checked_die(self, die_set: str, read: Die, shows: Die) -> CheckedDieSchema:
        """Return a die with the titles of its faces; those of a set that is gone are called by their names."""
        names = (read.face or FaceName(""), shows.face or FaceName(""))
        try:
            dice = self._known.load(die_set)
        except (LookupError, ValueError):
            return CheckedDieSchema(shows.kind, *names, read != shows)
        read_as, shown = (dice.face_title(shows.kind, name) for name in names)
        return CheckedDieSchema(shows.kind, read_as, shown, read != shows)

    def _title(self, die_set: str) -> str:
        try:
            return self._known.load(die_set).title
        except (LookupError, ValueError):
            return die_set

    def _tested(self, kind: DieKind, dice: ReadDice) -> FairKindSchema:
        found = find_kind_fairness(kind, dice, *self._spot_checks())
        rows = zip(kind.faces, found.expected, found.low, found.high, strict=True)
        shown = tuple(
            FairFaceSchema(face, kind.title_of(face), dice.read[Die(kind.name, face)], *figures)
            for face, *figures in rows
        )
        return FairKindSchema(
            kind.name, kind.title, found.dice, found.needed, found.p_value, found.is_suspicious, shown
        )


def find_kind_fairness(kind: DieKind, dice: ReadDice, checked: int, wrong: int) -> FairnessFinding:
    """Test the dice of one kind; the same counts give the same result."""
    faces = [Die(kind.name, face) for face in kind.faces]
    fair = [sum(side.name == face for side in kind.sides) / len(kind.sides) for face in kind.faces]
    corrected = tuple(tuple(dice.corrected[true, read] for read in faces) for true in faces)
    counts = [dice.read[face] for face in faces]
    return find_fairness(counts, fair, MisreadCounts(checked, wrong, corrected), np.random.default_rng(sum(counts)))
