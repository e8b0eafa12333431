"""Assign dice to the kinds of a set, given that the set has only so many of each kind.

Six dice of Intersection that look like two Signal dice and four Traffic dice are one and five. The probabilities are
exact marginals over all assignments within the counts, by forward and backward sums over the dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.dice import DieSet, FaceName, KindName

KindFace = tuple[KindName, FaceName]
FaceProbabilities = Mapping[KindFace, float]
"""Probabilities of the kinds and faces of a set for one die alone. What is missing to 1 is a foreign die or no die."""

FOREIGN_WEIGHT = 0.05
"""Prior weight of a foreign die on the table against one of the set."""

_Counts = tuple[int, ...]
_Weights = dict[_Counts, float]
"""The weight of all assignments that use up so many dice of each kind."""


def assign_kinds(
    dice: Sequence[FaceProbabilities], none_probabilities: Sequence[float], die_set: DieSet
) -> list[dict[KindFace, float]]:
    """Return for each die the marginal probabilities of kind and face, given all others and the counts of the set.

    An assignment says which die is of which kind; it is weighed by the product of the dice's probabilities, and none
    may use more of a kind than the set has. `none_probabilities` are those of being no die at all: of those, and of
    foreign dice, there may be any number. Where more dice lie there than the set has, every count is raised by the
    excess, so that one die too many does not make all of them improbable.
    """
    kinds = [kind.name for kind, _ in die_set.counts]
    rows = [_kind_weights(faces, none, kinds) for faces, none in zip(dice, none_probabilities, strict=True)]
    excess = max(0, sum(sum(row[:-1]) > 0.5 for row in rows) - sum(count for _, count in die_set.counts))
    limits = tuple(min(count, len(dice)) + excess for _, count in die_set.counts)
    before, after = _forward(rows, limits), _forward(rows[::-1], limits)[::-1]
    return [
        _face_marginals(faces, kinds, _kind_marginals(row, before[n], after[n + 1], limits))
        for n, (faces, row) in enumerate(zip(dice, rows, strict=True))
    ]


def _kind_weights(faces: FaceProbabilities, none: float, kinds: Sequence[KindName]) -> list[float]:
    """Return a die's weight for each kind and, last, for none of them."""
    known = [sum(probability for (kind, _), probability in faces.items() if kind == wanted) for wanted in kinds]
    return [*known, max(none + FOREIGN_WEIGHT * (1.0 - none - sum(known)), 1e-9)]


def _forward(rows: Sequence[Sequence[float]], limits: _Counts) -> list[_Weights]:
    """Return the weights by counts before each die and after the last, normalised against underflow."""
    steps: list[_Weights] = [{tuple(0 for _ in limits): 1.0}]
    for row in rows:
        grown: _Weights = {}
        for used, weight in steps[-1].items():
            for k, share in enumerate(row):
                then = _one_more(used, k)
                if k == len(limits) or then[k] <= limits[k]:
                    grown[then] = grown.get(then, 0.0) + weight * share
        total = sum(grown.values())
        steps.append({used: weight / total for used, weight in grown.items()})
    return steps


def _one_more(used: _Counts, k: int) -> _Counts:
    """Count one more die of the k-th kind; the index after the last kind stands for none and counts nothing."""
    return tuple(count + (n == k) for n, count in enumerate(used))


def _kind_marginals(row: Sequence[float], before: _Weights, after: _Weights, limits: _Counts) -> list[float]:
    """Return the probabilities that a die is of each kind and, last, of none."""
    weights = [share * _joint_weight(before, after, k, limits) for k, share in enumerate(row)]
    total = sum(weights)
    return [weight / total for weight in weights]


def _joint_weight(before: _Weights, after: _Weights, k: int, limits: _Counts) -> float:
    """Return the weight of all assignments of the dice before and after that leave one die of the k-th kind."""
    return sum(
        one * other
        for used, one in before.items()
        for more, other in after.items()
        if all(a + b + (n == k) <= most for n, (a, b, most) in enumerate(zip(used, more, limits, strict=True)))
    )


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
