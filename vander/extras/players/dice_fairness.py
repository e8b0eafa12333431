"""Whether dice are fair, by what the camera read: Pearson's chi-square test with this table's misreads folded in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from models.dataset.samples import AnsweredCheck
from models.die_sets import DieSetSource
from referee.dice import Die, DieKind, FaceName
from referee.sentences import Reason, Refused, say
from vander.extras.players.result_counting import ReadDice
from vander.storage.journal_store import Journal, ThrowPlace, find_throws
from vander.storage.player_tables import die_sets_read, sum_faces, uncounted_games
from web.schemas import history_schemas as shapes
from web.schemas.response_model import NameTitle

# Whether dice are fair, by what the camera read: Pearson's chi-square test with this table's misreads folded in
#
# A die that is read wrong now and then does not show each face equally often in the journal, however fair it is (what
# errors of classification do to such a test is shown for two classes by Bross, "Misclassification in 2 x 2 tables",
# Biometrics 10(4), 478-486, 1954; here it is worked out for as many faces as a die has). The faces that are expected
# of a fair die are therefore those after misreading. How often dice are misread is known from the throws that people
# are asked about at random, and into which faces from what people corrected; since both are estimates, the
# distribution of the statistic is simulated with misreads drawn from what they leave open (a parametric bootstrap).
# How many dice such a test needs, misreads being known, is by Guenther, "Power and sample size for approximate chi-
# square tests", The American Statistician 31(2), 83-85, 1977. Misreads that are estimated ask for more: what is not
# known of them moves all counts together, by a share of the dice, so that it weighs more the more dice are read. The
# statistic is then a sum of squared normal deviates with the variances of both, which is simulated for a fair die,
# and with the variances of its own for a loaded one.


Floats = NDArray[np.float64]
LEVEL = 0.05
"""The share of fair dice that the test takes for loaded."""
POWER = 0.8
"""The share of loaded dice that are found with so many throws as theory asks for."""
SIMULATED = 2000
DEVIATES = 8_000
"""How many normal deviates stand for the counts of a die where it is asked how many dice are needed."""
MOST_TIMES = 32.0
"""If so many times the dice that known misreads ask for do not suffice, no number of dice does."""
_SPREAD = 1.0
"""How many imagined corrections stand for misreads into faces that nobody has corrected yet."""


@dataclass(frozen=True)
class MisreadCounts:
    """What is known of a kind's misreads: of `checked` dice `wrong` were misread at random spot checks.

    corrected: how often a face (row) was read as another (column) and corrected, in the order of the faces.
    """

    checked: int
    wrong: int
    corrected: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class FairnessFinding:
    """The result of a test: how many dice were read, the statistic, and the share of fair dice that exceed it.

    needed: the dice that theory asks for to find a die loaded by 20 % in POWER of all cases, 0 where too little is
    known of the misreads for any number of dice to do so. expected: how often each
    face of a fair die is read on average, misreads included; low, high: between which all counts of a fair die lie in
    1 - LEVEL of all cases (by Bonferroni, face by face).
    """

    dice: int
    statistic: float
    p_value: float
    needed: int
    expected: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    @property
    def is_suspicious(self) -> bool:
        """True if a fair die is read so unevenly in less than LEVEL of all cases."""
        return self.p_value < LEVEL


def find_fairness(
    counts: Sequence[int], fair: Sequence[float], misreads: MisreadCounts, rng: np.random.Generator
) -> FairnessFinding:
    """Test how often each face was read, in the order of the faces, against a fair die with these chances."""
    read, chances = np.asarray(counts, dtype=np.float64), np.asarray(fair, dtype=np.float64)
    total = int(read.sum())
    expected = chances @ mean_misreads(misreads, chances)
    statistic = _pearson(read[None, :], expected, total)[0]
    drawn = _drawn_expectations(chances, misreads, rng)
    simulated = rng.multinomial(total, drawn).astype(np.float64)
    above = int((_pearson(simulated, expected, total) >= statistic).sum())
    tail = LEVEL / 2 / len(chances)
    low, high = np.quantile(simulated, [tail, 1 - tail], axis=0)
    return FairnessFinding(
        total,
        float(statistic),
        (1 + above) / (SIMULATED + 1),
        _dice_needed(chances, misreads, drawn),
        tuple(map(float, total * expected)),
        tuple(map(float, low)),
        tuple(map(float, high)),
    )


def mean_misreads(misreads: MisreadCounts, fair: Floats) -> Floats:
    """Return the chance that a face (row) is read as each face (column), by the middle of what is known."""
    rate = (misreads.wrong + 0.5) / (misreads.checked + 1)
    pairs = _pairs(misreads)
    mixed = rate * pairs / pairs.sum() / fair[:, None]
    found: Floats = mixed + np.diag(1 - mixed.sum(axis=1))
    return found


def _drawn_expectations(fair: Floats, misreads: MisreadCounts, rng: np.random.Generator) -> Floats:
    """Return SIMULATED times the chances of each face as it is read, by misreads that what is known leaves open."""
    rates = rng.beta(misreads.wrong + 0.5, misreads.checked - misreads.wrong + 0.5, size=(SIMULATED, 1))
    pairs = rng.gamma(_pairs(misreads), size=(SIMULATED, len(fair), len(fair)))
    pairs /= pairs.sum(axis=(1, 2), keepdims=True)
    seen = np.clip(fair + rates * (pairs.sum(axis=1) - pairs.sum(axis=2)), 1e-9, None)
    drawn: Floats = seen / seen.sum(axis=1, keepdims=True)
    return drawn


def _pairs(misreads: MisreadCounts) -> Floats:
    """Return how often each face (row) was misread as each other (column), with _SPREAD over all pairs."""
    weights = np.asarray(misreads.corrected, dtype=np.float64)
    weights = weights + _SPREAD / (len(weights) * (len(weights) - 1))
    np.fill_diagonal(weights, 0.0)
    return weights


def _pearson(read: Floats, expected: Floats, total: int) -> Floats:
    wanted = total * expected
    found: Floats = ((read - wanted) ** 2 / wanted).sum(axis=1)
    return found


# How many dice theory asks for


def loaded(fair: Floats, share: float = 0.2) -> Floats:
    """Return the chances of a die whose first face comes up by this share more often, at the others' cost."""
    more = fair[0] * share
    chances: Floats = fair - more * fair / (1 - fair[0])
    chances[0] = fair[0] + more
    return chances


def dice_needed(fair: Floats, misreads: MisreadCounts, share: float = 0.2) -> int:
    """Return how many dice find one loaded by a share in POWER of all cases, misreads being known (Guenther 1977)."""
    read = mean_misreads(misreads, fair)
    expected, found = fair @ read, loaded(fair, share) @ read
    effect = float(((found - expected) ** 2 / expected).sum())
    return math.ceil(noncentrality(len(fair) - 1) / effect)


def dice_needed_by_estimates(fair: Floats, misreads: MisreadCounts, share: float = 0.2) -> int:
    """Return the same where misreads are only known by these counts; 0 where no number of dice finds it so often."""
    return _dice_needed(fair, misreads, _drawn_expectations(fair, misreads, np.random.default_rng(0)), share)


def _dice_needed(fair: Floats, misreads: MisreadCounts, drawn: Floats, share: float = 0.2) -> int:
    """Return how many dice are needed by misreads of which `drawn` expectations say how well they are known."""
    read = mean_misreads(misreads, fair)
    expected, uneven = fair @ read, loaded(fair, share) @ read
    shift = (uneven - expected) / np.sqrt(expected)
    scale = np.sqrt(np.outer(expected, expected))
    unknown = np.cov(drawn, rowvar=False) / scale
    deviates = np.random.default_rng(0).standard_normal((DEVIATES, len(fair)))
    fewest = dice_needed(fair, misreads, share)

    def statistics(seen: Floats, dice: float, moved: Floats) -> Floats:
        variances, axes = np.linalg.eigh((np.diag(seen) - np.outer(seen, seen)) / scale + dice * unknown)
        variances, along = np.clip(variances, 0.0, None), moved @ axes
        found: Floats = deviates**2 @ variances + 2 * deviates @ (np.sqrt(variances) * along) + along @ along
        return found

    def power(times: float) -> float:
        dice = fewest * times
        critical = np.quantile(statistics(expected, dice, np.zeros_like(shift)), 1 - LEVEL)
        return float((statistics(uneven, dice, math.sqrt(dice) * shift) > critical).mean())

    enough = _root(lambda times: power(times) - POWER, 1.0, MOST_TIMES, steps=12)
    return math.ceil(fewest * enough) if power(enough) >= POWER - 0.02 else 0


@cache
def noncentrality(freedom: int) -> float:
    """Return the noncentrality at which a chi-square test at LEVEL has its POWER."""
    critical = _root(lambda x: chi_square(x, freedom) - (1 - LEVEL), 0.0, 1000.0)
    return _root(lambda shift: (1 - POWER) - _noncentral(critical, freedom, shift), 0.0, 1000.0)


def chi_square(x: float, freedom: int) -> float:
    """Return the chance that a chi-square variable is at most x: the series of the incomplete gamma function."""
    if x <= 0:
        return 0.0
    half, shape = x / 2, freedom / 2
    term = math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
    total = place = 0.0
    while term > 1e-16 * total or place < half:
        total, place = total + term, place + 1
        term *= half / (shape + place)
    return min(1.0, total)


def _noncentral(x: float, freedom: int, shift: float) -> float:
    """Return the same with a noncentrality: central ones, weighed by Poisson's chances."""
    half = shift / 2
    most = int(half + 10 * math.sqrt(half + 1) + 20)
    if not half:
        return chi_square(x, freedom)
    weights = (math.exp(-half + count * math.log(half) - math.lgamma(count + 1)) for count in range(most))
    return sum(weight * chi_square(x, freedom + 2 * count) for count, weight in enumerate(weights))


def _root(rises: Callable[[float], float], low: float, high: float, steps: int = 60) -> float:
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    return high


# The test of the dice, as its page asks for it


SpotChecks = Callable[[], tuple[int, int]]
"""Returns of how many dice people said whether they were read right, and how many were read wrong."""
CheckedThrows = Callable[[], Sequence[AnsweredCheck]]
"""Returns the throws of these dice in the order of the answers, as far as they are known."""
LISTED = 24
"""Throws in one answer of the list of checked ones."""


def no_throws() -> Sequence[AnsweredCheck]:
    return ()


class FairnessService:
    """The test of the dice of a journal, by what was read of them in ended games. Any thread may call any method."""

    def __init__(
        self, journal: Journal, known: DieSetSource, spot_checks: SpotChecks, checked_throws: CheckedThrows = no_throws
    ) -> None:
        self._journal, self._known = journal, known
        self._spot_checks, self._checked_throws = spot_checks, checked_throws

    def overview(self) -> shapes.FairnessOverview:
        """Return the die sets of which dice were read, and what the test rests on."""
        with self._journal.reading() as connection:
            names, uncounted = die_sets_read(connection), len(uncounted_games(connection))
        checked, wrong = self._spot_checks()
        return shapes.FairnessOverview(
            tuple(NameTitle(name, self._title(name)) for name in names), checked, wrong, uncounted
        )

    def finding(self, die_set: str) -> shapes.FairnessResponse:
        """Return the test of a die set. Raises Refused (NOT_FOUND)."""
        with self._journal.reading() as connection:
            dice = ReadDice.of_faces(sum_faces(connection, die_set))
        try:
            kinds = self._known.load(die_set).kinds
        except (LookupError, ValueError):
            raise Refused(say("There are no such dice."), Reason.NOT_FOUND) from None
        read = {die.kind for die in dice.read}
        tested = tuple(self._tested(kind, dice) for kind in kinds if kind.name in read)
        return shapes.FairnessResponse(die_set, self._title(die_set), tested)

    def checked_throws(self, before: int, *, only_wrong: bool) -> shapes.CheckedThrowsResponse:
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
        is_doubted = _out_of_order([throw.at for throw in throws])
        shown = (
            self._checked(number, throw, places.get((throw.game, throw.entry)), is_doubted[number - 1])
            for number, throw in listed
        )
        unnamed = self._spot_checks()[0] - sum(len(throw.dice) for throw in throws)
        return shapes.CheckedThrowsResponse(tuple(shown), len(wanted) > LISTED, max(0, unnamed))

    def _checked(
        self, number: int, throw: AnsweredCheck, place: ThrowPlace | None, is_doubted: bool
    ) -> shapes.CheckedThrowSchema:
        dice = tuple(self._checked_die(place.die_set if place else "", *pair) for pair in throw.dice)
        if place is None:
            return shapes.CheckedThrowSchema(number, throw.at, is_doubted, "", 0, throw.entry, "", dice)
        past, is_doubted = throw.game if place.is_over else 0, is_doubted or place.clock_doubted
        return shapes.CheckedThrowSchema(
            number, throw.at, is_doubted, place.game, past, throw.entry, place.picture, dice
        )

    def _checked_die(self, die_set: str, read: Die, shows: Die) -> shapes.CheckedDieSchema:
        """Return a die with the titles of its faces; those of a set that is gone are called by their names."""
        names = (read.face or FaceName(""), shows.face or FaceName(""))
        try:
            dice = self._known.load(die_set)
        except (LookupError, ValueError):
            return shapes.CheckedDieSchema(shows.kind, *names, read != shows)
        read_as, shown = (dice.face_title(shows.kind, name) for name in names)
        return shapes.CheckedDieSchema(shows.kind, read_as, shown, read != shows)

    def _title(self, die_set: str) -> str:
        try:
            return self._known.load(die_set).title
        except (LookupError, ValueError):
            return die_set

    def _tested(self, kind: DieKind, dice: ReadDice) -> shapes.FairKindSchema:
        found = find_kind_fairness(kind, dice, *self._spot_checks())
        rows = zip(kind.faces, found.expected, found.low, found.high, strict=True)
        shown = tuple(
            shapes.FairFaceSchema(face, kind.title_of(face), dice.read[Die(kind.name, face)], *figures)
            for face, *figures in rows
        )
        return shapes.FairKindSchema(
            kind.name, kind.title, found.dice, found.needed, found.p_value, found.is_suspicious, shown
        )


def find_kind_fairness(kind: DieKind, dice: ReadDice, checked: int, wrong: int) -> FairnessFinding:
    """Test the dice of one kind; the same counts give the same result."""
    faces = [Die(kind.name, face) for face in kind.faces]
    fair = [sum(side.name == face for side in kind.sides) / len(kind.sides) for face in kind.faces]
    corrected = tuple(tuple(dice.corrected[true, read] for read in faces) for true in faces)
    counts = [dice.read[face] for face in faces]
    return find_fairness(counts, fair, MisreadCounts(checked, wrong, corrected), np.random.default_rng(sum(counts)))


def _out_of_order(times: Sequence[str]) -> list[bool]:
    """Return which times are later than a following one or earlier than one before: a clock was set back in between."""
    latest = accumulate(times, max)
    earliest = [*accumulate(reversed(times), min)][::-1]
    return [at < before or at > after for at, before, after in zip(times, latest, earliest, strict=True)]
