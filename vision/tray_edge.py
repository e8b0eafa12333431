"""A tray without markers: its corners guessed for whoever taps them, and its edge followed from picture to picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

# The edge, followed
#
# Small patches along the four inner edges are searched for near their places. On a straight edge a patch tells its
# movement across the edge alone, as in the tracking of models by their edges (Harris, "RAPID", 1990); all patches
# together tell how the tray moved in the picture. Where the edge hardly shows, patches of the table next to it help:
# then a nudge of the camera is noticed, and one of the tray may not be.

Floats = npt.NDArray[np.float64]
Grey = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

LONG_SIDE = 640
"""Pictures are compared at this long side, in pixels."""
SOFT_PX = 1.0
"""Standard deviation of the blur before patches are compared, against noise and JPEG."""
HALF, REACH = 8, 12
"""Half of a patch, and how far it is searched for, in pixels of LONG_SIDE: 24 of a picture 1280 pixels wide."""
PER_SIDE = 14
"""Patches along each edge."""
TABLE_PATCHES = 24
LEAST_CONTRAST = 4.0
"""Standard deviation in grey levels of a patch in which something shows."""
ALIKE = 0.75
"""Normalised correlation from which on a patch is the same."""
CORNER_LIKE = 0.15
"""Ratio of the structure tensor's eigenvalues from which on a patch tells its movement both ways."""
NEAR_PX = 1.0
"""A patch agrees with a movement within it."""
STAYS, AGREES, HOLDS = 0.5, 0.6, 0.25
"""Shares of the patches: in place from the first on, moved alike from the second, and covered at most but the third."""
BOTH_WAYS = 0.15
"""Least mean square of what patches tell of a movement in the direction that they tell least of; 0.5 is the most."""
BETTER = 1.25
"""A movement explains so many times the patches that standing still does, or the tray stands still."""
ENOUGH_PATCHES, ENOUGH_SIDES, PER_SIDE_AT_LEAST = 12, 3, 2
MARGIN_SHARE = 0.2
"""How far around the tray the table is kept, as a share of the tray's longer edge."""
TRIES = 400
UNIT_PX = 100.0
_SAMPLE = 4


class EdgeFinding(Enum):
    """What became of a tray's edge since its corners were tapped."""

    IN_PLACE = auto()
    NUDGED = auto()
    """It moved a little, and how is certain."""
    COVERED = auto()
    """Much of it cannot be seen, and the rest is in its place."""
    MOVED = auto()


@dataclass(frozen=True, eq=False)
class EdgeLook:
    """What a picture shows of a tray's edge. movement: maps the kept picture's pixels to this one's, at LONG_SIDE."""

    finding: EdgeFinding
    movement: Floats


@dataclass(frozen=True, eq=False)
class _Patch:
    """A patch of the kept picture: its centre, its edge's number (-1 for the table), and the ways it tells, (n, 2)."""

    x: int
    y: int
    side: int
    ways: Floats


@dataclass(frozen=True, eq=False)
class TrayEdge:
    """The kept picture (grey, LONG_SIDE pixels long) and the tapped corners in it, (4, 2), clockwise."""

    grey: Grey
    corners: Floats

    @classmethod
    def of(cls, pixels: Pixels, corners: Sequence[tuple[float, float]]) -> TrayEdge:
        """Keep a picture (BGR); the corners are fractions of it. The room beyond the tray is not kept."""
        grey = _prepared(pixels)
        outline = _widened(_places(grey, corners), MARGIN_SHARE)
        kept = np.zeros_like(grey)
        cv2.fillConvexPoly(kept, np.round(outline).astype(np.int32), 255)
        return cls.kept(np.where(kept > 0, np.maximum(grey, 1), 0).astype(np.uint8), corners)

    @classmethod
    def kept(cls, grey: Grey, corners: Sequence[tuple[float, float]]) -> TrayEdge:
        """Return what was kept, by its picture and the corners as fractions of it."""
        return cls(grey, _places(grey, corners))

    @cached_property
    def _patches(self) -> tuple[_Patch, ...]:
        along = self._on_edges()
        return along if _is_enough(along) else (*along, *self._on_table())

    @property
    def shows_tray(self) -> bool:
        """True if the edge shows well enough for a nudge of the tray itself to be noticed."""
        return _is_enough(self._on_edges())

    @property
    def shows_enough(self) -> bool:
        """True if there is enough to notice a nudge of the camera at least."""
        return len(self._patches) >= ENOUGH_PATCHES

    def look(self, pixels: Pixels) -> EdgeLook:
        """Return what a picture (BGR) of the same shape shows. Takes some milliseconds."""
        patches = self._patches
        if not patches:
            return EdgeLook(EdgeFinding.MOVED, np.eye(3))
        moves, alike = _moves(self.grey, _prepared(pixels), patches)
        rows = _Rows.of(patches, moves, alike, self.corners.mean(axis=0))
        still, best = np.zeros(_SAMPLE), rows.best_movement()
        stays, agrees = rows.agreeing(still), rows.agreeing(best)
        if agrees.sum() > BETTER * stays.sum() and self._shift(best) > NEAR_PX:
            return self._moved(best, rows, agrees)
        share = float(stays.mean()) if rows.tell_both_ways(stays) else 0.0
        if share >= STAYS:
            return EdgeLook(EdgeFinding.IN_PLACE, np.eye(3))
        return EdgeLook(EdgeFinding.COVERED if share >= HOLDS else EdgeFinding.MOVED, np.eye(3))

    def _moved(self, best: Floats, rows: _Rows, agrees: Flags) -> EdgeLook:
        """Return the tray as nudged where that is certain: most patches of all its edges agree."""
        counts = [int(agrees[rows.sides == side].sum()) for side in range(len(self.corners))]
        is_certain = float(agrees.mean()) >= AGREES and min(counts) >= PER_SIDE_AT_LEAST and self._shift(best) <= REACH
        movement = _as_matrix(best, self.corners.mean(axis=0))
        return EdgeLook(EdgeFinding.NUDGED if is_certain else EdgeFinding.MOVED, movement)

    def _shift(self, movement: Floats) -> float:
        """Return how far a movement shifts the corner that it shifts most, in pixels."""
        middle = self.corners.mean(axis=0)
        moved = cv2.perspectiveTransform(self.corners[None], _as_matrix(movement, middle))[0]
        return float(np.linalg.norm(moved - self.corners, axis=1).max())

    def _on_edges(self) -> tuple[_Patch, ...]:
        shares = (np.arange(PER_SIDE) + 0.5) / PER_SIDE
        ends = np.roll(self.corners, -1, axis=0)
        places = (
            (side, start + share * (end - start))
            for side, (start, end) in enumerate(zip(self.corners, ends, strict=True))
            for share in shares
        )
        found = (_patch(self.grey, place, side) for side, place in places)
        return tuple(patch for patch in found if patch is not None)

    def _on_table(self) -> tuple[_Patch, ...]:
        mask = np.where(cv2.erode(self.grey, np.ones((2 * HALF + 1,) * 2, np.uint8)) > 0, 255, 0).astype(np.uint8)
        cv2.fillConvexPoly(mask, np.round(self.corners).astype(np.int32), 0)
        spots = cv2.goodFeaturesToTrack(self.grey, TABLE_PATCHES, 0.02, 2 * HALF, mask=mask)
        found = (_patch(self.grey, spot[0], -1) for spot in (spots if spots is not None else ()))
        return tuple(patch for patch in found if patch is not None)


@dataclass(frozen=True, eq=False)
class _Rows:
    """How far patches moved along the ways that they tell: `terms` times a movement (4,) are `told` pixels.

    owner: the patch of each row. alike: for each patch, whether it was found at all. sides: each patch's edge.
    """

    terms: Floats
    told: Floats
    owner: npt.NDArray[np.intp]
    alike: Flags
    sides: npt.NDArray[np.intp]

    @classmethod
    def of(cls, patches: Sequence[_Patch], moves: Floats, alike: Flags, middle: Floats) -> _Rows:
        ways = np.concatenate([patch.ways for patch in patches])
        owner = np.repeat(np.arange(len(patches)), [len(patch.ways) for patch in patches])
        spots = (np.array([(patch.x, patch.y) for patch in patches]) - middle)[owner] / UNIT_PX
        x, y, across, down = *spots.T, *ways.T
        terms = np.stack([across, down, across * x + down * y, down * x - across * y], axis=1)
        told = np.asarray((ways * moves[owner]).sum(axis=1))
        return cls(terms, told, owner, alike, np.array([patch.side for patch in patches]))

    def agreeing(self, movement: Floats) -> Flags:
        """Return for each patch whether it was found where a movement takes it."""
        off = np.abs(self.terms @ movement - self.told) > NEAR_PX
        strays = np.bincount(self.owner, weights=off, minlength=len(self.alike)) > 0
        return np.asarray(self.alike & ~strays)

    def tell_both_ways(self, which: Flags) -> bool:
        """True if patches would show a movement in every direction: those of two opposite edges would not."""
        ways = self.terms[which[self.owner], :2]
        return len(ways) > 0 and float(np.linalg.eigvalsh(ways.T @ ways / len(ways))[0]) >= BOTH_WAYS

    def best_movement(self) -> Floats:
        """Return the movement with which most patches agree: shift, scale and turn, by random samples (RANSAC)."""
        usable = np.nonzero(self.alike[self.owner])[0]
        if len(usable) < _SAMPLE:
            return np.zeros(_SAMPLE)
        drawn = np.random.default_rng(0).random((TRIES, len(usable))).argpartition(_SAMPLE - 1, axis=1)[:, :_SAMPLE]
        picked = usable[drawn]
        terms, told = self.terms[picked], self.told[picked]
        solvable = np.abs(np.linalg.det(terms)) > 1e-3
        if not solvable.any():
            return np.zeros(_SAMPLE)
        tried = np.linalg.solve(terms[solvable], told[solvable][..., None])[..., 0]
        close = np.abs(tried @ self.terms[usable].T - self.told[usable]) <= NEAR_PX
        rows = usable[close[close.sum(axis=1).argmax()]]
        return np.asarray(np.linalg.lstsq(self.terms[rows], self.told[rows], rcond=None)[0])


def _places(grey: Grey, corners: Sequence[tuple[float, float]]) -> Floats:
    return np.asarray(np.array(corners, np.float64) * (grey.shape[1], grey.shape[0]) - 0.5)


def _prepared(pixels: Pixels) -> Grey:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    scale = LONG_SIDE / max(grey.shape)
    size = round(grey.shape[1] * scale), round(grey.shape[0] * scale)
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT_PX), np.uint8)


def _widened(corners: Floats, share: float) -> Floats:
    """Return the corners moved outwards from their middle by a share of the longest edge."""
    middle = corners.mean(axis=0)
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max()
    away = corners - middle
    return np.asarray(corners + away / np.linalg.norm(away, axis=1, keepdims=True) * 2**0.5 * share * longest)


def _patch(grey: Grey, place: npt.NDArray[np.floating], side: int) -> _Patch | None:
    """Return the patch around a place, None where too little shows or the picture ends."""
    x, y = (round(float(each)) for each in place)
    if min(x, y) < HALF or x + HALF >= grey.shape[1] or y + HALF >= grey.shape[0]:
        return None
    cut = grey[y - HALF : y + HALF + 1, x - HALF : x + HALF + 1]
    if float(cut.std()) < LEAST_CONTRAST or not cut.all():
        return None
    return _Patch(x, y, side, _ways(cut))


def _ways(cut: Grey) -> Floats:
    """Return the directions in which a patch tells its movement: across its edge, or both ways for a corner."""
    across, down = (cv2.Sobel(cut, cv2.CV_64F, *order, ksize=3).ravel() for order in ((1, 0), (0, 1)))
    tensor = np.array([[across @ across, across @ down], [across @ down, down @ down]])
    values, vectors = np.linalg.eigh(tensor)
    return np.asarray(vectors.T if values[0] > CORNER_LIKE * values[1] else vectors.T[1:])


def _moves(kept: Grey, now: Grey, patches: Sequence[_Patch]) -> tuple[Floats, Flags]:
    """Return how far each patch moved (x, y), and whether it was found."""
    around = np.asarray(cv2.copyMakeBorder(now, REACH, REACH, REACH, REACH, cv2.BORDER_REPLICATE), np.uint8)
    found = [_search(kept, around, patch) for patch in patches]
    return np.array([move for move, _ in found]), np.array([score >= ALIKE for _, score in found])


def _search(kept: Grey, around: Grey, patch: _Patch) -> tuple[tuple[float, float], float]:
    x, y = patch.x, patch.y
    cut = kept[y - HALF : y + HALF + 1, x - HALF : x + HALF + 1]
    reach = HALF + 2 * REACH + 1
    window = around[y - HALF : y + reach, x - HALF : x + reach]
    scores = np.asarray(cv2.matchTemplate(window, cut, cv2.TM_CCOEFF_NORMED), np.float64)
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    across = column + _between(scores[row, max(column - 1, 0) : column + 2])
    down = row + _between(scores[max(row - 1, 0) : row + 2, column])
    return (across - REACH, down - REACH), float(best)


def _between(three: Floats) -> float:
    """Return where the peak lies from the middle one of three scores, by a parabola; 0 at the border."""
    if len(three) < 3:
        return 0.0
    before, here, after = (float(score) for score in three)
    bend = before - 2 * here + after
    return float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < 0 else 0.0


def _is_enough(patches: Sequence[_Patch]) -> bool:
    return len(patches) >= ENOUGH_PATCHES and len({patch.side for patch in patches}) >= ENOUGH_SIDES


def _as_matrix(movement: Floats, middle: Floats) -> Floats:
    """Return a movement as a homography of pixels."""
    across, down, grown, turned = (float(part) for part in movement)
    turn = np.array([[1 + grown / UNIT_PX, -turned / UNIT_PX], [turned / UNIT_PX, 1 + grown / UNIT_PX]])
    step = middle + np.array([across, down]) - turn @ middle
    return np.vstack([np.column_stack([turn, step]), [0.0, 0.0, 1.0]])


# Guessing the corners

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Fractions of the picture, clockwise from the top left."""

GUESS_SIDE = 480
LEAST_SHARE, MOST_SHARE = 0.12, 0.97
"""Shares of the picture that a tray may cover."""
BORDER = 3
"""Pixels: a corner so near to the picture's border is the border itself."""
FITS = 0.93
"""Share of a contour's hull that its quadrilateral must fill, else it is none."""
BENDS = (0.02, 0.035, 0.05)
"""Tolerances of the quadrilateral as shares of the contour's length."""
INSET = 0.12
USUAL: Corners = ((INSET, INSET), (1 - INSET, INSET), (1 - INSET, 1 - INSET), (INSET, 1 - INSET))
NESTED = 0.6
"""A quadrilateral within another, of at least this share of it, is the inner edge of the same rim."""


def guess_corners(pixels: Pixels) -> tuple[Corners, bool]:
    """Return the likeliest corners in a picture (BGR), and whether an edge was seen; else they are USUAL."""
    height, width = pixels.shape[:2]
    scale = GUESS_SIDE / max(height, width)
    small = cv2.resize(pixels, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    limits = np.array([small.shape[1], small.shape[0]]) - 1 - BORDER
    whole = (each for each in _quadrilaterals(np.asarray(small, np.uint8)) if ((each > BORDER) & (each < limits)).all())
    found = sorted(whole, key=_area, reverse=True)
    if not found:
        return USUAL, False
    outer = found[0]
    inner = [each for each in found if _area(each) >= NESTED * _area(outer) and _is_within(each, outer)]
    corners = (_clockwise((inner or [outer])[-1]) + 0.5) / (small.shape[1], small.shape[0])
    a, b, c, d = ((float(x), float(y)) for x, y in np.clip(corners, 0.0, 1.0))
    return (a, b, c, d), True


def _quadrilaterals(small: Pixels) -> Iterator[npt.NDArray[np.float64]]:
    """Yield the convex quadrilaterals that edges of the picture's colours form."""
    area = small.shape[0] * small.shape[1]
    for edges in _edge_pictures(small):
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = np.asarray(cv2.convexHull(contour), np.int32)
            if LEAST_SHARE * area <= cv2.contourArea(hull) <= MOST_SHARE * area:
                yield from _as_quadrilateral(hull)


def _edge_pictures(small: Pixels) -> Iterator[npt.NDArray[np.uint8]]:
    soft = cv2.bilateralFilter(small, 7, 45, 7)
    closing = np.ones((3, 3), np.uint8)
    for channel in cv2.split(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)):
        for low in (25, 60):
            edges = cv2.Canny(channel, low, 2.5 * low)
            yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, closing), np.uint8)
        _, halves = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield np.asarray(halves, np.uint8)


def _as_quadrilateral(hull: npt.NDArray[np.int32]) -> Iterator[npt.NDArray[np.float64]]:
    length = cv2.arcLength(hull, True)
    for bend in BENDS:
        four = cv2.approxPolyDP(hull, bend * length, True)
        if len(four) == 4 and cv2.isContourConvex(four) and cv2.contourArea(four) >= FITS * cv2.contourArea(hull):
            yield four.reshape(4, 2).astype(np.float64)
            return


def _area(corners: npt.NDArray[np.float64]) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _is_within(inner: npt.NDArray[np.float64], outer: npt.NDArray[np.float64]) -> bool:
    hull = outer.astype(np.float32)
    return all(cv2.pointPolygonTest(hull, (float(x), float(y)), True) > -3 for x, y in inner)


def _clockwise(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return corners clockwise in the picture, the one nearest to its top left first."""
    middle = corners.mean(axis=0)
    order = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    round_ = corners[order]
    return np.roll(round_, -int(round_.sum(axis=1).argmin()), axis=0)
