"""The surface of a die: a cube of edge 2 with rounded edges, its corners cut by a sphere, its drawings engraved."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

SIDES: tuple[tuple[int, int], ...] = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
"""Axis and sign of each face's normal, in the order of the texture atlas."""
NO_SPHERE = 2.0
"""Radius of a sphere that cuts no corner, in half edges."""


@dataclass(frozen=True, eq=False)
class DieSurface:
    """Vertices (n, 3) of a cube of edge 2, their places in the texture atlas (n, 2), and quads of vertices (m, 4)."""

    vertices: Array
    places: Array
    quads: npt.NDArray[np.int32]


def face_axes(k: int) -> tuple[Array, Array, Array]:
    """Return the outward normal and the right and up unit vectors of face k, such that its drawing is not mirrored."""
    axis, sign = SIDES[k]
    normal, right = np.zeros(3), np.zeros(3)
    normal[axis], right[(axis + 1) % 3] = sign, 1
    return normal, right, np.cross(normal, right)


def top_side(turn: Array) -> int:
    """Return which face is up of a die with that rotation (3, 3)."""
    return int(np.argmax([turn[2] @ face_axes(k)[0] for k in range(len(SIDES))]))


def die_surface(roundness: float, steps: int = 5, inner: int = 0, sphere: float = NO_SPHERE) -> DieSurface:
    """Return the surface of a die.

    roundness: radius of its edges in half edges, of `steps` points. inner: points between, for cut corners and
    engraving. sphere: radius of the sphere that cuts its corners, in half edges.
    """
    flat = np.linspace(roundness - 1, 1 - roundness, inner + 2)[1:-1]
    grid = np.concatenate([np.linspace(-1, roundness - 1, steps), flat, np.linspace(1 - roundness, 1, steps)])
    u, v = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    sides = [_side(k, u, v, roundness) for k in range(6)]
    vertices = np.concatenate([side[0] for side in sides])
    vertices *= np.minimum(1, sphere / np.linalg.norm(vertices, axis=1, keepdims=True))
    return DieSurface(
        vertices, np.concatenate([side[1] for side in sides]), np.concatenate([_quads(k, len(grid)) for k in range(6)])
    )


def engraved(surface: DieSurface, relief: npt.NDArray[np.float32], depth: float) -> DieSurface:
    """Return a surface with the relief of its atlas (0 to 1) pressed in by up to `depth` half edges."""
    high, wide = relief.shape
    x, y = surface.places[:, 0] * wide - 0.5, (1 - surface.places[:, 1]) * high - 0.5
    pressed = cv2.remap(relief, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)[:, 0]
    normals = np.repeat([face_axes(k)[0] for k in range(6)], len(surface.vertices) // 6, axis=0)
    return DieSurface(surface.vertices - depth * pressed[:, None] * normals, surface.places, surface.quads)


def _side(k: int, u: Array, v: Array, roundness: float) -> tuple[Array, Array]:
    normal, right, up = face_axes(k)
    points = normal + u[:, None] * right + v[:, None] * up
    core = np.clip(points, roundness - 1, 1 - roundness)
    outward = points - core
    rounded = core + roundness * outward / np.linalg.norm(outward, axis=1, keepdims=True)
    place = np.stack([(k % 3 + (u + 1) / 2) / 3, (k // 3 + (v + 1) / 2) / 2], axis=1)
    return rounded, place


def _quads(k: int, count: int) -> npt.NDArray[np.int32]:
    i, j = np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij")
    first = (k * count * count + i * count + j).ravel()
    return np.stack([first, first + count, first + count + 1, first + 1], axis=1).astype(np.int32)
