"""Which die of the set lies where: the readings of one frame weighed together, since a set has only so many of a kind.

Six dice of Intersection that look like two Signal dice and four Traffic dice are one and five.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.dice import DieSet, FaceName, KindName

KindFace = tuple[KindName, FaceName]
Weights = Mapping[KindFace, float]
"""How likely a die alone looks to be each kind and face of the set. What lacks to 1 is no die at all, or none of it."""

STRANGER = 0.05
"""How likely somebody's own die lies on the table, against one of the set: what looks like one is weighed by this."""

_Counts = tuple[int, ...]
_Paths = dict[_Counts, float]


def allot(dice: Sequence[Weights], nones: Sequence[float], owned: DieSet) -> list[dict[KindFace, float]]:
    """For each die the probabilities of kind and face, given all the others and that no kind is met too often.

    Every way of saying which die is of which kind counts by the product of its weights; a die's probability is the
    share of the ways in which it is so. `nones` are the dice's probabilities of being no die at all, which may be any
    number, as may dice of no set. Where more dice lie there than belong to the set, as many more may be of any kind.
    """
    kinds = [kind.name for kind, _ in owned.counts]
    rows = [_row(weights, none, kinds) for weights, none in zip(dice, nones, strict=True)]
    more = max(0, sum(sum(row[:-1]) > 0.5 for row in rows) - sum(count for _, count in owned.counts))
    limits = tuple(min(count, len(dice)) + more for _, count in owned.counts)
    before, after = _sweep(rows, limits), _sweep(rows[::-1], limits)[::-1]
    return [
        _posterior(weights, kinds, _shares(row, before[n], after[n + 1], limits))
        for n, (weights, row) in enumerate(zip(dice, rows, strict=True))
    ]


def _row(weights: Weights, none: float, kinds: Sequence[KindName]) -> list[float]:
    """A die's weight for each kind, and last for none of them."""
    known = [sum(share for (kind, _), share in weights.items() if kind == wanted) for wanted in kinds]
    return [*known, max(none + STRANGER * (1.0 - none - sum(known)), 1e-9)]


def _sweep(rows: Sequence[Sequence[float]], limits: _Counts) -> list[_Paths]:
    """Before each die and after the last: the weight of all ways that use up so many of each kind."""
    paths: list[_Paths] = [{tuple(0 for _ in limits): 1.0}]
    for row in rows:
        grown: _Paths = {}
        for used, weight in paths[-1].items():
            for k, share in enumerate(row):
                then = _one_more(used, k)
                if k == len(limits) or then[k] <= limits[k]:
                    grown[then] = grown.get(then, 0.0) + weight * share
        whole = sum(grown.values())
        paths.append({used: weight / whole for used, weight in grown.items()})
    return paths


def _one_more(used: _Counts, k: int) -> _Counts:
    return tuple(count + (n == k) for n, count in enumerate(used))


def _shares(row: Sequence[float], before: _Paths, after: _Paths, limits: _Counts) -> list[float]:
    """The share of the ways in which a die is of each kind."""
    ways = [share * _meetings(before, after, k, limits) for k, share in enumerate(row)]
    whole = sum(ways)
    return [way / whole for way in ways]


def _meetings(before: _Paths, after: _Paths, k: int, limits: _Counts) -> float:
    """The weight of all ways for the dice before and after that leave one of kind k over."""
    return sum(
        one * other
        for used, one in before.items()
        for more, other in after.items()
        if all(a + b + (n == k) <= most for n, (a, b, most) in enumerate(zip(used, more, limits, strict=True)))
    )


def _posterior(weights: Weights, kinds: Sequence[KindName], shares: Sequence[float]) -> dict[KindFace, float]:
    whole = {kind: sum(share for (of, _), share in weights.items() if of == kind) for kind in kinds}
    given = dict(zip(kinds, shares, strict=False))
    return {
        (kind, face): given[kind] * share / whole[kind]
        for (kind, face), share in weights.items()
        if whole.get(kind, 0.0) > 0
    }
