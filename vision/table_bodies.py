"""Learn the bodies of a table's dice from those whose kind people said, throw by throw.

The means of the kinds are updated as by a Kalman filter, so that what was learned is again a `BodyPrior`. An answer
that contradicts the others counts little: each is weighed by how well it fits (expectation maximisation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from referee.dice import DieKind, KindName
from vision.body_colour import BodyColour
from vision.body_reading import SCALES, BodyPrior, Floats, shift_of, told_bodies, variance_of
from vision.table_evidence import TableEvidence

FALSE_ANSWERS = 0.1
"""Prior probability that a person named a wrong kind."""
ROUNDS = 2
"""How often the answers are weighed by one another."""
MOST_THROWS = 40
"""Throws that are learned from at most, the newest: so that learning stays within a few milliseconds."""


@dataclass(frozen=True, eq=False)
class KnownBody:
    """Body colour of a die of known kind. weight, in (0, 1]: 1 if a person named the kind, less for a mere reading."""

    colour: BodyColour
    kind: KindName
    weight: float = 1.0


@lru_cache(maxsize=4)
def table_bodies(evidence: TableEvidence, kinds: tuple[DieKind, ...]) -> BodyPrior:
    """Return what is known of the bodies of kinds by their die set and by the examples of a table."""
    names = {kind.name for kind in kinds}
    throws: dict[str, list[KnownBody]] = {}
    for n, one in enumerate(evidence.examples):
        colour = BodyColour.from_numbers(one.features.body.tolist())
        if colour is not None and one.label[0] in names:
            throws.setdefault(one.moment or str(n), []).append(KnownBody(colour, one.label[0], one.weight))
    return learned_bodies(told_bodies(kinds), list(throws.values()))


def learned_bodies(prior: BodyPrior, throws: Sequence[Sequence[KnownBody]]) -> BodyPrior:
    """Return the prior sharpened by dice of known kinds, throw by throw."""
    newest = throws[-MOST_THROWS:]
    learned = _learned(prior, newest)
    for _ in range(ROUNDS if newest else 0):
        learned = _learned(prior, [_weighed(learned, throw) for throw in newest])
    return learned


def _learned(prior: BodyPrior, throws: Sequence[Sequence[KnownBody]]) -> BodyPrior:
    for throw in throws:
        prior = _after_throw(prior, throw)
    return prior


def _after_throw(prior: BodyPrior, throw: Sequence[KnownBody]) -> BodyPrior:
    """Return the prior after the dice of one throw (the update of a Kalman filter, each dimension alone)."""
    of = np.array([prior.kinds.index(one.kind) for one in throw])
    values = np.array([one.colour.values for one in throw]).T
    own = np.array([_variance(one) for one in throw]).T[..., None] * np.eye(len(throw))
    among = prior.in_a_throw(shift_of([one.colour for one in throw]))[:, :, of][..., of] + own
    residuals = values - prior.means[..., of]
    gains = np.linalg.solve(among, prior.covariances[:, :, of]).swapaxes(-1, -2)
    squares = (residuals * np.linalg.solve(among, residuals[..., None])[..., 0]).sum(axis=-1)
    logs = -0.5 * (squares + np.linalg.slogdet(among)[1]).sum(axis=-1)
    weights = prior.log_weights + logs
    return replace(
        prior,
        log_weights=weights - weights.max() - np.log(np.exp(weights - weights.max()).sum()),
        means=prior.means + (gains @ residuals[..., None])[..., 0],
        covariances=prior.covariances - gains @ prior.covariances[:, :, of],
    )


def _variance(one: KnownBody) -> Floats:
    return np.asarray(variance_of(one.colour) * SCALES[1] ** 2 / one.weight)


def _weighed(learned: BodyPrior, throw: Sequence[KnownBody]) -> list[KnownBody]:
    """Return the dice with weights by how likely their kinds are, given what was learned and the light of the throw."""
    means = learned.means[learned.log_weights.argmax()]
    of = np.array([learned.kinds.index(one.kind) for one in throw])
    values = np.array([one.colour.values for one in throw])
    variances = np.array([variance_of(one.colour) * SCALES[1] ** 2 for one in throw])
    shift = np.median(values - means[:, of].T, axis=0) if len(throw) > 2 else np.zeros(values.shape[1])
    squares = ((values[..., None] - shift[:, None] - means) ** 2 / variances[..., None]).sum(axis=1)
    likely = np.exp(-0.5 * (squares - squares.min(axis=1, keepdims=True)))
    prior = np.full(likely.shape, FALSE_ANSWERS / max(likely.shape[1] - 1, 1))
    prior[np.arange(len(throw)), of] = 1.0 - FALSE_ANSWERS
    trust = (likely * prior)[np.arange(len(throw)), of] / (likely * prior).sum(axis=1)
    return [replace(one, weight=max(one.weight * float(share), 1e-6)) for one, share in zip(throw, trust, strict=True)]
