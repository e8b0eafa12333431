"""Which die is of which kind: weighed for all dice together, since a set has only so many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.dice import DieKind, DieSet, FaceName, KindName
from vision.bodies import Assignments, BodyColour, BodyPrior, log_likelihoods, told_bodies

# Weighing kinds and faces together
#
# Six dice of Intersection that look like two Signal dice and four Traffic dice are one and five. The probabilities are
# exact marginals over all assignments within the counts, by forward and backward sums over the dice. Where several
# kinds have a face, the bodies of the dice are weighed in (`vision.body_reading`), which takes the assignments one by
# one.

KindFace = tuple[KindName, FaceName]
FaceProbabilities = Mapping[KindFace, float]
"""Probabilities of the kinds and faces of a set for one die alone. What is missing to 1 is a foreign die or no die."""

FOREIGN_WEIGHT = 0.05
"""Prior weight of a foreign die on the table against one of the set."""

POSSIBLE_FROM = 1e-3
"""A die may be of a kind whose weight is at least this share of its likeliest kind's."""
MAX_ASSIGNMENTS = 260
"""Upper limit of assignments weighed with the bodies: beyond, the least likely are dropped die by die (beam search)."""

KIND_ACCEPT_FROM = 0.995
"""A kind is accepted from this probability on, given the face."""

Floats = npt.NDArray[np.float64]
_Counts = tuple[int, ...]
_Weights = Floats
"""The weight of all assignments that use up so many dice of each kind, an axis a kind."""


class KindReading(NamedTuple):
    """Of which kind a die with a certain face is: its probability (0 to 1), and other kinds that have the face."""

    kind: KindName
    confidence: float
    others: tuple[tuple[KindName, float], ...]

    @property
    def accepted(self) -> bool:
        """True if no person need be asked."""
        return self.confidence >= KIND_ACCEPT_FROM


def read_kind(probabilities: FaceProbabilities, face: FaceName) -> KindReading:
    """Return the kind of a die by its probabilities of kind and face, given the face."""
    own = {kind: probability for (kind, named), probability in probabilities.items() if named == face}
    total = max(sum(own.values()), 1e-12)
    (kind, best), *others = sorted(own.items(), key=lambda item: -item[1])
    shares = tuple((other, round(probability / total, 4)) for other, probability in others)
    return KindReading(kind, round(best / total, 4) if others else 1.0, shares)


def assign_kinds(
    dice: Sequence[FaceProbabilities],
    none_probabilities: Sequence[float],
    die_set: DieSet,
    bodies: Sequence[BodyColour] = (),
    prior: BodyPrior | None = None,
) -> list[dict[KindFace, float]]:
    """Return for each die the marginal probabilities of kind and face, given all others and the counts of the set.

    An assignment says which die is of which kind; it is weighed by the product of the dice's probabilities, and none
    may use more of a kind than the set has. `none_probabilities` are those of being no die at all: of those, and of
    foreign dice, there may be any number. Where more dice lie there than the set has, every count is raised by the
    excess, so that one die too many does not make all of them improbable; with bodies, kinds are in doubt then.
    `bodies`, one a die, tell kinds with equal faces apart; `prior` is what was learned of them, else what is told.
    """
    dice = [_shared_by_sides(faces, die_set) for faces in dice] if kinds_alike(die_set) else dice
    kinds = [kind.name for kind, _ in die_set.counts]
    rows = [_kind_weights(faces, none, kinds) for faces, none in zip(dice, none_probabilities, strict=True)]
    excess = max(0, sum(sum(row[:-1]) > 0.5 for row in rows) - sum(count for _, count in die_set.counts))
    limits = tuple(min(count, len(dice)) + excess for _, count in die_set.counts)
    if bodies and kinds_alike(die_set):
        learned = prior or told_bodies(kinds_alike(die_set))
        own = tuple(count for _, count in die_set.counts)
        marginals = _marginals_by_bodies(_with_strangers(rows, excess), own, bodies, learned, kinds)
        marginals = _strangers_in_doubt(marginals, rows) if excess else marginals
    else:
        marginals = _marginals_by_counts(rows, limits)
    return [_face_marginals(faces, kinds, row) for faces, row in zip(dice, marginals, strict=True)]


@lru_cache(maxsize=16)
def kinds_alike(die_set: DieSet) -> tuple[DieKind, ...]:
    """Return the kinds that have a face which another kind of the set has too."""
    kinds_of = Counter(face for kind in die_set.kinds for face in kind.faces)
    return tuple(kind for kind in die_set.kinds if any(kinds_of[face] > 1 for face in kind.faces))


def _shared_by_sides(faces: FaceProbabilities, die_set: DieSet) -> dict[KindFace, float]:
    """Return the probabilities with each face that several kinds have shared among them by their sides.

    What a die shows, drawn or learned, does not tell of which of them it is: their bodies do.
    """
    totals: dict[FaceName, float] = {}
    for (_, face), probability in faces.items():
        totals[face] = totals.get(face, 0.0) + probability
    shares = _side_shares(die_set)
    return {**faces, **{of: totals[of[1]] * share for of, share in shares.items() if of[1] in totals}}


@lru_cache(maxsize=16)
def _side_shares(die_set: DieSet) -> Mapping[KindFace, float]:
    """Return how likely a face that several kinds have is on each of them, by the shares of their sides."""
    sides = {
        (kind.name, side.name): sum(other == side for other in kind.sides) / len(kind.sides)
        for kind in kinds_alike(die_set)
        for side in kind.sides
    }
    totals: dict[FaceName, float] = {}
    for (_, face), share in sides.items():
        totals[face] = totals.get(face, 0.0) + share
    return {of: share / totals[of[1]] for of, share in sides.items()}


def _marginals_by_counts(rows: Sequence[Sequence[float]], limits: _Counts) -> list[list[float]]:
    """Return each die's probabilities of the kinds and, last, of none, given the counts."""
    before, after = _forward(rows, limits), _forward(rows[::-1], limits)[::-1]
    return [_kind_marginals(row, before[n], after[n + 1]) for n, row in enumerate(rows)]


def _with_strangers(rows: Sequence[Sequence[float]], excess: int) -> Floats:
    """Return the weights. With surplus dice any may be foreign, so that no surplus die displaces a genuine one."""
    weights = np.array(rows)
    if excess:
        weights[:, -1] = np.maximum(weights[:, -1], FOREIGN_WEIGHT * weights[:, :-1].sum(axis=1))
    return weights


def _strangers_in_doubt(marginals: Sequence[Sequence[float]], rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the probabilities with those of foreign dice given back to the kinds: which one is too many, is open."""
    found, weights = np.array(marginals), np.array(rows)
    given = found[:, -1:] * weights / weights.sum(axis=1, keepdims=True)
    return [[float(share) for share in row] for row in np.hstack([found[:, :-1] + given[:, :-1], given[:, -1:]])]


def _marginals_by_bodies(
    rows: Floats, counts: _Counts, bodies: Sequence[BodyColour], prior: BodyPrior, kinds: Sequence[KindName]
) -> list[list[float]]:
    """Return the same given the bodies too. `rows` are the dice's weights (dice, kinds + 1)."""
    place_of = {kind: n for n, kind in enumerate(prior.kinds)}
    group_of = np.array([*(place_of.get(kind, len(place_of)) for kind in kinds), len(place_of)])
    assignments, logs = np.zeros((1, 0), np.int64), np.zeros(1)
    for done in range(1, len(rows) + 1):
        assignments = _one_die_more(assignments, rows[done - 1], counts)
        if len(assignments) > MAX_ASSIGNMENTS or done == len(rows):
            logs = _log_weights(assignments, rows, counts) + log_likelihoods(
                bodies[:done], group_of[assignments], prior
            )
            best = np.argsort(-logs)[:MAX_ASSIGNMENTS]
            assignments, logs = assignments[best], logs[best]
    weights = np.exp(logs - logs.max())
    among = assignments[..., None] == np.arange(rows.shape[1])
    shares = np.einsum("a,ank->nk", weights / weights.sum(), among)
    return [[float(share) for share in row] for row in shares]


def _one_die_more(assignments: Assignments, row: Floats, counts: _Counts) -> Assignments:
    """Return the assignments with one die more, which is of each kind that it may be, within the counts."""
    possible = np.nonzero(row >= POSSIBLE_FROM * row.max())[0]
    grown = np.hstack([np.repeat(assignments, len(possible), axis=0), np.tile(possible, len(assignments))[:, None]])
    used = (grown[..., None] == np.arange(len(counts))).sum(axis=1)
    within = (used <= np.array(counts)).all(axis=1)
    return grown[within] if within.any() else grown


def _log_weights(assignments: Assignments, rows: Floats, counts: _Counts) -> Floats:
    """Return the log prior of each assignment, as dice taken from the set at random, times the dice's own weights."""
    used = (assignments[..., None] == np.arange(len(counts))).sum(axis=1)
    ways = np.array(
        [[lgamma(count + 1) - lgamma(max(count - n, 0) + 1) for n in range(len(rows) + 1)] for count in counts]
    )
    drawn = ways[np.arange(len(counts)), used].sum(axis=1)
    own = np.log(np.maximum(rows, 1e-12))[np.arange(assignments.shape[1]), assignments].sum(axis=1)
    return np.asarray(drawn + own)


def _kind_weights(faces: FaceProbabilities, none: float, kinds: Sequence[KindName]) -> list[float]:
    """Return a die's weight for each kind and, last, for none of them."""
    known = [sum(probability for (kind, _), probability in faces.items() if kind == wanted) for wanted in kinds]
    return [*known, max(none + FOREIGN_WEIGHT * (1.0 - none - sum(known)), 1e-9)]


def _forward(rows: Sequence[Sequence[float]], limits: _Counts) -> list[_Weights]:
    """Return the weights by counts before each die and after the last, normalised against underflow."""
    steps: list[_Weights] = [np.zeros([most + 1 for most in limits])]
    steps[0].flat[0] = 1.0
    for row in rows:
        grown = sum(share * _one_more(steps[-1], k) for k, share in enumerate(row))
        steps.append(np.asarray(grown / np.sum(grown)))
    return steps


def _one_more(weights: _Weights, k: int) -> _Weights:
    """Return the weights with one more die of the k-th kind; the index after the last stands for none."""
    if k == weights.ndim:
        return weights
    more = np.zeros_like(weights)
    more.swapaxes(0, k)[1:] = weights.swapaxes(0, k)[:-1]
    return more


def _kind_marginals(row: Sequence[float], before: _Weights, after: _Weights) -> list[float]:
    """Return the probabilities that a die is of each kind and, last, of none.

    What the dice before use of a kind, the dice after may use of what is left and less: a cumulative sum.
    """
    room = after
    for axis in range(after.ndim):
        room = room.cumsum(axis)
    weights = [share * float((before * np.flip(_one_more(room, k))).sum()) for k, share in enumerate(row)]
    return [weight / sum(weights) for weight in weights]


def _face_marginals(
    faces: FaceProbabilities, kinds: Sequence[KindName], marginals: Sequence[float]
) -> dict[KindFace, float]:
    """Share the marginal of each kind among its faces as the die alone had them."""
    totals = {kind: sum(probability for (of, _), probability in faces.items() if of == kind) for kind in kinds}
    marginal_of = dict(zip(kinds, marginals, strict=False))
    return {
        (kind, face): marginal_of[kind] * probability / totals[kind]
        for (kind, face), probability in faces.items()
        if totals.get(kind, 0.0) > 0
    }


# Drawings of faces
#
# A three is drawn as pips, as a digit or as a word; the die set says which face a drawing stands for on its dice.

NUMBERS = ("one", "two", "three", "four", "five", "six")

CLASSES: tuple[FaceName, ...] = tuple(
    FaceName(name)
    for name in (
        *(f"pip-{n}" for n in range(1, 7)),
        *(f"digit-{n}" for n in range(1, 7)),
        *("two", "three", "four", "happy", "star", "sad", "go", "slow", "stop", "green", "yellow", "red", "zap"),
        *("green-switch", "red-switch", "block", "blank", "none"),
    )
)
"""The reader's classes in the order of its outputs; the last, `none`, is no face of any die."""

HOME_KINDS: tuple[tuple[KindName, tuple[str, ...]], ...] = (
    (KindName("d6"), ("pip-1", "pip-2", "pip-3", "pip-4", "pip-5", "pip-6", *(f"digit-{n}" for n in range(1, 7)))),
    (KindName("traffic"), ("two", "three", "four", "happy", "star", "sad")),
    (KindName("signal"), ("go", "slow", "stop")),
    (KindName("tossup"), ("green", "yellow", "red")),
    (KindName("rollers-black"), ("zap",)),
    (KindName("switch"), ("green-switch", "red-switch", "block", "blank")),
)
"""The kind that a drawing belongs to when no die set is given."""

LOOKALIKES: tuple[tuple[str, ...], ...] = (
    ("go", "green", "green-switch"),
    ("slow", "yellow"),
    ("stop", "red", "red-switch"),
    *((f"pip-{n + 1}", f"digit-{n + 1}", number) for n, number in enumerate(NUMBERS)),
)
"""Drawings that stand for one another where a die has only one of them."""


def face_probabilities(class_probabilities: npt.NDArray[np.float32], dice: DieSet | None) -> dict[KindFace, float]:
    """Return the probability of every kind and face, from the probabilities of CLASSES.

    A drawing that several kinds have is shared among them equally: their bodies are weighed later, with those of the
    other dice (`vision.kinds`).
    """
    found: dict[KindFace, float] = {}
    for meant, probability in zip(_faces_of_classes(dice), class_probabilities, strict=False):
        for kind_face in meant:
            found[kind_face] = found.get(kind_face, 0.0) + float(probability) / len(meant)
    return found


@lru_cache(maxsize=16)
def all_faces(dice: DieSet | None) -> tuple[KindFace, ...]:
    """Return every kind and face of a set; nothing without a set."""
    return tuple((kind.name, face) for kind in dice.kinds for face in kind.faces) if dice else ()


@lru_cache(maxsize=16)
def _faces_of_classes(dice: DieSet | None) -> tuple[list[KindFace], ...]:
    """Return what each of CLASSES means, except the last, which is no face."""
    return tuple(faces_of_drawing(drawing, dice) for drawing in CLASSES[:-1])


@lru_cache(maxsize=16)
def drawn_faces(dice: DieSet | None) -> frozenset[KindFace]:
    """Return the kinds and faces of a set that some drawing means."""
    return frozenset(face for meant in _faces_of_classes(dice) for face in meant)


def faces_of_drawing(drawing: FaceName, dice: DieSet | None) -> list[KindFace]:
    """Return what a drawing can mean on the dice of a set: the face itself, else a lookalike, else nothing."""
    if dice is None:
        return [(kind, drawing) for kind, faces in HOME_KINDS if drawing in faces]
    alike = lookalikes(drawing)
    found = [(kind.name, _face_of_kind(drawing, alike, kind)) for kind in dice.kinds]
    exact = [(kind, face) for kind, face in found if face == drawing]
    return exact or [(kind, face) for kind, face in found if face is not None]


def lookalikes(face: str) -> tuple[str, ...]:
    """Return the group of drawings that a face or drawing belongs to, itself included."""
    return next((group for group in LOOKALIKES if face in group), (face,))


def _face_of_kind(drawing: FaceName, alike: Sequence[str], kind: DieKind) -> FaceName | None:
    if drawing in kind.faces:
        return drawing
    return next((face for face in kind.faces if face in alike), None)


# What makes the set complete
#
# A die with a single pip is a plain square to the finder, which is about as sure of it as of a tile. Where the others
# of the set are surely there, a thing of a die's size that shows one of its faces is the last one.

MOST_DOUBTED = 3
"""No more than one die in so many is vouched for, so that marks on a table with few dice never make up a set."""
SIZE_SHARE = 0.25
"""Share by which the edge may differ from that of the other dice; the finder errs by some 10 %."""
MOST_NONE = 0.05
"""Highest probability (0 to 1) of showing no face."""


@dataclass(frozen=True)
class SightedDie:
    """A sighting: its edge in any unit, its probability of showing no face (0 to 1), whether it is surely a die."""

    edge: float
    none_probability: float
    is_sure: bool


def missing_dice(
    seen: Sequence[SightedDie], left_out: Sequence[SightedDie], dice: DieSet | None, *, by_plane: bool
) -> tuple[bool, ...]:
    """Return which sightings that show no known face are dice all the same, so that a person is asked.

    They may show a drawing that nobody has taught. Those that are surely there are dice with which the set is complete.
    `by_plane`: how they lie on the tray's plane tells that they are there; then the set only has to have room for them.
    """
    edge = float(np.median([one.edge for one in seen or left_out])) if left_out else 0.0
    fitting = tuple(one.is_sure and abs(one.edge - edge) <= SIZE_SHARE * edge for one in left_out)
    count = sum(fitting)
    room = sum(of_kind for _, of_kind in dice.counts) - len(seen) if dice is not None else None
    if by_plane:
        are_dice = room is None or count <= room
    else:
        are_dice = bool(seen) and count == room and MOST_DOUBTED * count <= len(seen) + count
    return tuple(one and are_dice for one in fitting)


def vouched_dice(sighted: Sequence[SightedDie], dice: DieSet | None) -> tuple[bool, ...]:
    """Return for each sighting whether it is a doubted one that the count of the set shows to be a die."""
    doubted = [one for one in sighted if not one.is_sure]
    sure = [one.edge for one in sighted if one.is_sure]
    if dice is None or not doubted or not sure or len(sighted) != sum(count for _, count in dice.counts):
        return (False,) * len(sighted)
    edge = float(np.median(sure))
    fitting = all(abs(one.edge / edge - 1) <= SIZE_SHARE and one.none_probability <= MOST_NONE for one in doubted)
    are_few = MOST_DOUBTED * len(doubted) <= len(sighted)
    return tuple(fitting and are_few and not one.is_sure for one in sighted)
