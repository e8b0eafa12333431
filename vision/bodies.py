"""The bodies of dice: their colours, and which kind a colour tells, where kinds have equal faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import DieKind, KindName
from vision.frames import Pixels
from vision.observations import DieSighting
from vision.rectification import INPUT_EDGES, TrayView
from vision.tray_calibration import Calibration, TrayLayout

# Colours
#
# Colours are logarithms of linear light, since a lamp multiplies them: brightness, and the ratios of red and of blue to
# green. With the tray's markers in sight, the light is that of their white paper.

Floats = npt.NDArray[np.float64]

DIMENSIONS = 3
"""Brightness, red against green, blue against green."""
GAMMA = 2.2
"""Exponent from a camera's levels to linear light, about that of sRGB."""
FLOOR = 0.03
"""Added to linear light (0 to 1) before its logarithm: stray light and noise make the darkest levels meaningless."""
SIDE = 32
"""A crop is averaged to so many pixels a side first, against noise and texture."""
FACE_EDGES, RIM_EDGES = 0.48, 0.34
"""Half widths of the top face, and of its inner part that mostly holds ink, in edges of the die."""
INNER_WEIGHT = 0.3
"""Weight of the inner pixels against those of the rim when the commonest colour is sought."""
MODE_RADIUS = 0.45
"""Distance in log units within which pixels are of one colour; differences of chroma count CHROMA_WEIGHT times."""
CHROMA_WEIGHT = 2.0
MODE_STEPS, SEEDS = 2, 12
GLARE_LEVEL = 250
"""A pixel whose three colours all reach this level is glare, or overexposed."""

RIM_CELLS = 0.5
"""Where the paper around a marker is sampled, in cells from its black border."""
MARKER_CELLS = 6
PAPER_LEVEL = 40.0
"""Paper that is darker (mean level, 0 to 255) is none: something lies over the marker."""

_TO_VALUES: Floats = np.array([[0.25, 0.0, 1.0], [0.5, -1.0, -1.0], [0.25, 1.0, 0.0]])
"""From logarithms of blue, green and red to a body colour's values."""
_WEIGHTS: Floats = np.array([1.0, CHROMA_WEIGHT, CHROMA_WEIGHT])


@dataclass(frozen=True, eq=False)
class BodyColour:
    """The colour of a die's body.

    values: float64, (DIMENSIONS,). purity: share (0 to 1) of the rim of the top face that has this colour: low where
    ink, glare or shadow cover it. is_lit: True if the light was known.
    """

    values: Floats
    purity: float
    is_lit: bool

    def as_numbers(self) -> tuple[float, ...]:
        """Return the colour as plain numbers that `from_numbers` takes."""
        numbers = (*self.values, self.purity, float(self.is_lit))
        return tuple(round(float(number), 4) for number in numbers)

    @classmethod
    def from_numbers(cls, numbers: Sequence[float]) -> BodyColour | None:
        """Return the colour; None from nothing, or from numbers of another form."""
        if len(numbers) != DIMENSIONS + 2 or not np.isfinite(numbers).all():
            return None
        return cls(np.asarray(numbers[:DIMENSIONS], np.float64), float(numbers[-2]), bool(numbers[-1]))


def body_colour(crop: Pixels, paper: Floats | None) -> BodyColour:
    """Return the body colour of an upright crop (uint8, BGR, INPUT_SIDE pixels square): the commonest of its rim.

    paper: levels of white paper at the die's place (3,), BGR, 0 to 255; None if the light is not known.
    """
    face, rim = _samples()
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA).reshape(-1, 3)[face]
    seen = small.min(axis=1) < GLARE_LEVEL
    if seen[rim].mean() < 1 / 3:
        seen[:] = True
    pixels = (np.log(_linear(small, paper) + FLOOR) @ _TO_VALUES) * _WEIGHTS
    near = seen & _is_near(pixels, _commonest(pixels, seen, rim))
    return BodyColour(pixels[near].mean(axis=0) / _WEIGHTS, float(near[rim].mean()), paper is not None)


def _commonest(pixels: Floats, seen: npt.NDArray[np.bool_], rim: npt.NDArray[np.bool_]) -> Floats:
    """Return the colour that most of the rim's pixels share, refined by mean shift."""
    candidates = np.nonzero(seen & rim)[0]
    seeds = pixels[candidates[:: max(1, len(candidates) // SEEDS)]]
    squares = (pixels**2).sum(axis=1) - 2 * seeds @ pixels.T + (seeds**2).sum(axis=1, keepdims=True)
    votes = (squares < MODE_RADIUS**2) @ (seen * np.where(rim, 1.0, INNER_WEIGHT))
    mode = seeds[votes.argmax()]
    for _ in range(MODE_STEPS):
        mode = pixels[seen & _is_near(pixels, mode)].mean(axis=0)
    return np.asarray(mode)


def _is_near(pixels: Floats, mode: Floats) -> npt.NDArray[np.bool_]:
    away = pixels - mode
    squares = np.einsum("nd,nd->n", away, away)
    return np.asarray(squares <= max(MODE_RADIUS**2, float(squares.min())))


@cache
def _samples() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Return the indices of a small crop's pixels on the top face, and which of them are of its rim."""
    along = np.abs((np.arange(SIDE) + 0.5) / SIDE - 0.5) * INPUT_EDGES
    reach = np.maximum(*np.meshgrid(along, along)).ravel()
    face = np.nonzero(reach < FACE_EDGES)[0]
    return face, reach[face] > RIM_EDGES


def _linear(levels: npt.NDArray[Any], paper: Floats | None) -> Floats:
    """Return linear light as a share of what white paper gives, from levels (n, 3)."""
    white = np.full(3, 255.0) if paper is None else np.maximum(paper, 1.0)
    return np.asarray((levels / white) ** GAMMA)


@cache
def colour_of_body(body: str) -> tuple[float, ...]:
    """Return the values of a body that a die set tells, #rrggbb, under a known light."""
    levels = np.array([[int(body[k : k + 2], 16) for k in (5, 3, 1)]], np.uint8)
    return tuple(map(float, np.log(_linear(levels, None) + FLOOR)[0] @ _TO_VALUES))


@dataclass(frozen=True, eq=False)
class PaperLight:
    """The levels of the markers' paper, float64, (4, 3), BGR, by id; NaN for a marker that is not in sight."""

    levels: Floats
    calibration: Calibration

    def at(self, sighting: DieSighting) -> Floats | None:
        """Return the levels (3,) at a die's place, interpolated between the markers; None if none is in sight."""
        seen = np.isfinite(self.levels[:, 0])
        if not seen.any():
            return None
        if not seen.all():
            return np.asarray(self.levels[seen].mean(axis=0))
        layout = self.calibration.layout
        x, y = np.clip((sighting.x_mm / layout.width_mm, sighting.y_mm / layout.height_mm), 0.0, 1.0)
        weights = np.array([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])
        return np.asarray(weights @ self.levels)


def paper_light(view: TrayView) -> PaperLight | None:
    """Return the light on the tray by its markers' paper; None without a calibration, or without markers."""
    calibration = view.calibration
    if calibration is None or calibration.layout.tapped is not None:
        return None
    spots = cv2.perspectiveTransform(_paper_spots(calibration.layout), np.linalg.inv(calibration.to_mm)).astype(
        np.float32
    )
    levels = cv2.remap(view.frame.pixels, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
    papers = np.median(levels, axis=1).astype(np.float64)
    papers[papers.mean(axis=1) < PAPER_LEVEL] = np.nan
    papers[list(calibration.hidden)] = np.nan
    return PaperLight(papers, calibration)


@cache
def _paper_spots(layout: TrayLayout) -> Floats:
    """Return where the markers' paper is sampled in tray millimetres: (4, n, 2)."""
    cell = layout.marker_mm / MARKER_CELLS
    return np.array([np.add(corner, _ring() * cell) for corner in layout.corners_mm])


@cache
def _ring() -> Floats:
    """Return offsets along a ring around a marker in cells from its centre, (n, 2)."""
    reach = MARKER_CELLS / 2 + RIM_CELLS
    along = np.linspace(-0.9, 0.9, 8) * reach
    flat, low, high = along, np.full(8, -reach), np.full(8, reach)
    sides = [(flat, low), (flat, high), (low, flat), (high, flat)]
    return np.concatenate([np.stack(side, axis=1) for side in sides])


# Reading them
#
# A two-level Gaussian model, as in probabilistic LDA (Ioffe 2006). The body of a die is the mean of its kind, plus a
# shift that all dice of a throw share (lamp, exposure), plus scatter of its own. The means of the kinds are unknown
# beforehand: a mixture of "as the die set tells" and "any colours", sharpened by dice whose kind is known. The marginal
# likelihood of an assignment of dice to kinds is exact. How much the dice of a throw scatter is summed over, since
# light and print differ; and so are the patterns of up to two outliers: dice under glare, in a shadow, with a panel
# over the body.

Assignments = npt.NDArray[np.int64]
"""For each assignment and die the index of its kind, (assignments, dice); the index after the last is a foreign die."""

SCATTER: Floats = np.array([0.06, 0.02, 0.02]) ** 2
"""Variance of the dice of one kind in one throw, where the body colour is pure."""
IMPURITY = 6.0
"""Factor by which the standard deviation grows as purity falls from 1 to 0."""
SCALES, SCALE_PRIORS = (1.0, 3.0, 9.0), (0.5, 0.35, 0.15)
"""Factors of the standard deviation of a whole throw, and their prior probabilities."""
PURE_OUTLIER, IMPURE_OUTLIER = 0.02, 0.3
"""Prior probability that a body colour is misjudged, where it is pure, and what is added as purity falls to 0."""
OUTLIER_FACTOR, MOST_OUTLIERS = 12.0, 2
"""Factor of the standard deviation of a misjudged body colour, and how many may be misjudged in a throw."""
MANY_DICE = 7
"""With more dice no outliers are reckoned with, so that the time is bounded."""
LIT_SHIFT: Floats = np.array([0.5, 0.15, 0.15]) ** 2
"""Variance of the shift between throws where the light is known by the markers' paper."""
UNLIT_SHIFT: Floats = np.array([0.9, 0.5, 0.5]) ** 2
"""The same where nothing is known of the light."""
TOLD_SPREAD: Floats = np.array([0.3, 0.15, 0.15]) ** 2
"""Variance of real bodies about the colour that their die set tells."""
ANY_MEAN: Floats = np.array([-1.6, 0.0, 0.0])
ANY_SPREAD: Floats = np.array([1.0, 0.9, 0.9]) ** 2
"""Mean and variance of the bodies of any dice."""
KIND_DRIFT: Floats = np.array([0.1, 0.05, 0.05]) ** 2
"""Variance by which a kind shifts against the others from throw to throw: no lamp colours two plastics alike."""
TOLD_PRIOR = 0.4
"""Prior probability that the bodies are as the die set tells."""
TEMPERATURE = 1.5
"""Divides log-likelihoods: real bodies are less regular than a normal distribution."""


@dataclass(frozen=True, eq=False)
class BodyPrior:
    """What is known of the bodies of some kinds before a throw: a mixture of normal distributions of their means.

    log_weights: (components,). means: (components, dimensions, kinds). covariances: (components, dimensions, kinds,
    kinds), of the means of the kinds, each dimension alone.
    """

    kinds: tuple[KindName, ...]
    log_weights: Floats
    means: Floats
    covariances: Floats

    def in_a_throw(self, shift: Floats) -> Floats:
        """Return the covariances of the means in a throw, shifted together by `shift` and each by KIND_DRIFT."""
        own = KIND_DRIFT[:, None, None] * np.eye(len(self.kinds))
        return np.asarray(self.covariances + own + shift[:, None, None])


@lru_cache(maxsize=16)
def told_bodies(kinds: tuple[DieKind, ...]) -> BodyPrior:
    """Return the prior of kinds by the bodies that their die set tells."""
    anything = (ANY_MEAN, ANY_SPREAD)
    told = [[(np.array(colour_of_body(body)), TOLD_SPREAD) for body in kind.bodies] or [anything] for kind in kinds]
    ways = list(product(*told)) if any(kind.bodies for kind in kinds) else []
    components = [(anything,) * len(kinds), *ways]
    weights = [1.0 - TOLD_PRIOR if ways else 1.0, *(TOLD_PRIOR / len(ways) for _ in ways)]
    means = np.array([[mean for mean, _ in way] for way in components]).transpose(0, 2, 1)
    spreads = np.array([[spread for _, spread in way] for way in components]).transpose(0, 2, 1)
    names = tuple(kind.name for kind in kinds)
    return BodyPrior(names, np.log(weights), means, spreads[..., None] * np.eye(len(kinds)))


def log_likelihoods(colours: Sequence[BodyColour], assignments: Assignments, prior: BodyPrior) -> Floats:
    """Return the tempered log-likelihood of the bodies of a throw for each assignment to kinds, (assignments,)."""
    values = np.array([one.values for one in colours])
    shift = shift_of(colours)
    log_priors, precisions = _precisions(colours)
    among = np.asarray(assignments[..., None] == np.arange(len(prior.kinds)), np.float64)
    counts, sums = (_of_kinds(among, one) for one in (precisions, precisions * values))
    own_terms = _of_kinds(among, np.log(precisions) - precisions * values**2).sum(axis=-1)
    joint = 0.5 * own_terms[:, :, None] + _group_terms(
        counts[:, :, None], sums[:, :, None], prior.means, prior.in_a_throw(shift)
    )
    foreign = np.einsum("an,n->a", 1.0 - among.sum(axis=2), _foreign_terms(values, shift))
    total = joint.sum(axis=3) + log_priors[None, :, None] + prior.log_weights
    return np.asarray((_log_sum(total.reshape(len(assignments), -1)) + foreign) / TEMPERATURE)


def _of_kinds(among: Floats, terms: Floats) -> Floats:
    """Return the sums over the dice of each kind: (assignments, cases, dimensions, kinds).

    among: 1 where a die is of a kind in an assignment, (assignments, dice, kinds); terms: (cases, dice, dimensions).
    """
    each = among.swapaxes(1, 2)[:, None] @ terms
    return np.ascontiguousarray(each.swapaxes(2, 3))


def shift_of(colours: Sequence[BodyColour]) -> Floats:
    """Return the variance of the shift between throws, (DIMENSIONS,)."""
    return LIT_SHIFT if all(one.is_lit for one in colours) else UNLIT_SHIFT


def variance_of(colour: BodyColour) -> Floats:
    """Return the variance (DIMENSIONS,) of a die about its kind, in a throw whose dice scatter little."""
    return np.asarray(SCATTER * (1.0 + IMPURITY * (1.0 - colour.purity)) ** 2)


def _precisions(colours: Sequence[BodyColour]) -> tuple[Floats, Floats]:
    """Return the log prior of each case of scale and outliers, and the precisions in it, (cases, dice, dimensions)."""
    scales, outliers = _cases(len(colours))
    impurity = 1.0 - np.array([one.purity for one in colours])
    misjudged = PURE_OUTLIER + IMPURE_OUTLIER * impurity**2
    log_priors = np.log(np.where(outliers, misjudged, 1.0 - misjudged)).sum(axis=1) + np.log(SCALE_PRIORS)[scales]
    factors = np.where(outliers, OUTLIER_FACTOR, np.array(SCALES)[scales][:, None]) ** 2
    variances = np.array([variance_of(one) for one in colours])
    return log_priors, 1.0 / (variances * factors[..., None])


@lru_cache(maxsize=32)
def _cases(count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return for each case the index of its scale, and which dice are outliers in it (cases, dice)."""
    most = MOST_OUTLIERS if count <= MANY_DICE else 0
    chosen = [out for size in range(min(most, count) + 1) for out in combinations(range(count), size)]
    cases = list(product(range(len(SCALES)), chosen))
    outliers = np.array([[die in out for die in range(count)] for _, out in cases], np.bool_)
    return np.array([scale for scale, _ in cases]), outliers


def _group_terms(counts: Floats, sums: Floats, means: Floats, covariances: Floats) -> Floats:
    """Return what the shared means contribute to the log-likelihood, for each dimension.

    counts, sums: total precision and weighted sum of each kind's dice, (..., dimensions, kinds); covariances of the
    means, (..., dimensions, kinds, kinds). These are the terms left after the means are integrated out, by the matrix
    determinant lemma.
    """
    residuals = sums - means * counts
    centred = (means * (sums + residuals)).sum(axis=-1)
    terms = _pair_terms if counts.shape[-1] == 2 else _solved_terms
    determinants, squares = terms(counts, residuals, covariances)
    return np.asarray(0.5 * (centred - np.log(determinants) + squares))


def _solved_terms(counts: Floats, residuals: Floats, covariances: Floats) -> tuple[Floats, Floats]:
    """Return |1 + P N| and r' (1 + P N)^-1 P r, for covariances P, diagonals N of counts, and residuals r."""
    system = np.eye(counts.shape[-1]) + covariances * counts[..., None, :]
    solved = np.linalg.solve(system, covariances @ residuals[..., None])[..., 0]
    return np.linalg.det(system), (residuals * solved).sum(axis=-1)


def _pair_terms(counts: Floats, residuals: Floats, covariances: Floats) -> tuple[Floats, Floats]:
    """Return the same for two kinds, written out: far quicker than solving thousands of systems of two equations."""
    first, second = np.moveaxis(counts, -1, 0)
    one, other = np.moveaxis(residuals, -1, 0)
    a, b, c = covariances[..., 0, 0], covariances[..., 0, 1], covariances[..., 1, 1]
    minor = a * c - b * b
    determinants = 1.0 + a * first + c * second + minor * first * second
    squares = a * one**2 + 2 * b * one * other + c * other**2 + minor * (second * one**2 + first * other**2)
    return determinants, squares / determinants


def _foreign_terms(values: Floats, shift: Floats) -> Floats:
    """Return the log-likelihood (dice,) of each die as one of no kind, up to the constant that all terms lack."""
    variance = ANY_SPREAD + shift
    return np.asarray(-0.5 * ((values - ANY_MEAN) ** 2 / variance + np.log(variance)).sum(axis=1))


def _log_sum(logs: Floats) -> Floats:
    """Return the logarithm of the sum of exponentials along the last axis."""
    most = logs.max(axis=-1, keepdims=True)
    return np.asarray((most + np.log(np.exp(logs - most).sum(axis=-1, keepdims=True)))[..., 0])
