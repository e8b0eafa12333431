"""Guess the four inner corners of a tray without markers, for people to draw to their places."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Fractions of the picture, clockwise from the top left."""

LONG_SIDE = 480
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
    scale = LONG_SIDE / max(height, width)
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
