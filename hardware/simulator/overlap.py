"""Overlap of squares: how deep two dice, or a die and the walls, run into each other.

A die on the table is a square of side `edge` about a centre, turned by a yaw in radians; all lengths in millimetres.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from hardware.simulator.geometry import Vectors

Pairs = npt.NDArray[np.intp]
"""Pairs of indices (P x 2)."""
Squares = tuple[Vectors, Vectors]
"""Centres (N x 2) and yaws (N) of squares."""


def extents(directions: Vectors, yaws: Vectors, edge: float) -> Vectors:
    """Return how far squares of these yaws (N) extend from their centres along unit directions (K x 2): N x K."""
    angle = np.arctan2(directions[:, 1], directions[:, 0])[None, :] - yaws[:, None]
    return np.asarray(edge / 2 * (np.abs(np.cos(angle)) + np.abs(np.sin(angle))))


def depths(centres: Vectors, yaws: Vectors, edge: float, pairs: Pairs) -> tuple[Vectors, Vectors]:
    """Return, for each pair, the smallest move that parts it (separating axis theorem).

    That is its unit direction (P x 2), from the first square to the second, and its length: how deep they overlap
    (P; negative when they are apart).
    """
    first, second = pairs[:, 0], pairs[:, 1]
    apart = centres[second] - centres[first]
    angles = np.stack([yaws[first], yaws[first] + np.pi / 2, yaws[second], yaws[second] + np.pi / 2], axis=1)
    axes = np.stack([np.cos(angles), np.sin(angles)], axis=2)
    distances = np.einsum("pkc,pc->pk", axes, apart)
    between = np.abs(np.cos(yaws[first] - yaws[second])) + np.abs(np.sin(yaws[first] - yaws[second]))
    overlaps = edge / 2 * (1 + between)[:, None] - np.abs(distances)
    best = overlaps.argmin(axis=1)
    rows = np.arange(len(pairs))
    sign = np.where(distances[rows, best] < 0, -1.0, 1.0)
    return axes[rows, best] * sign[:, None], overlaps[rows, best]


@cache
def all_pairs(count: int) -> Pairs:
    """Return every pair of that many squares."""
    return np.array([(one, other) for one in range(count) for other in range(one + 1, count)], np.intp).reshape(-1, 2)


def is_free(centre: Vectors, yaw: float, others: Squares, edge: float) -> bool:
    """Return True if a square there would clear all the others."""
    if not len(others[0]):
        return True
    centres, yaws = np.vstack([centre[None], others[0]]), np.append(yaw, others[1])
    pairs = np.stack([np.zeros(len(others[0]), np.intp), np.arange(1, len(centres))], axis=1)
    return bool((depths(centres, yaws, edge, pairs)[1] <= 0).all())
