"""Where dice can come to rest on purpose: leaning on something, off the tray, and the free place next to a wish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

import numpy as np

from hardware.simulator import overlap
from hardware.simulator.die_trajectory import DiePose, flat_rotation, leaning_rotation
from hardware.simulator.geometry import BAY, BOARD, FIELD_MIDDLE, Vectors, field_walls, off_tray, on_felt, unit
from hardware.simulator.overlap import Squares

GAP = 0.2
"""Millimetres that are left between dice laid down on purpose."""
REACH_EDGES = 0.72
"""The most that a turned die reaches from its centre, in edges: half its diagonal and a little more."""


class Prop(StrEnum):
    """What a cocked die leans on."""

    ANY = "any"
    DIE = "die"
    WALL = "wall"


def leaning_pose(lying: dict[int, DiePose], edge: float, rng: np.random.Generator, prop: Prop = Prop.ANY) -> DiePose:
    """Return a free pose in which a die leans on the fence or on a lying die; flat in the field where there is none."""
    others = squares_of(lying.values())
    for _ in range(60):
        angle = float(rng.uniform(np.radians(22), np.radians(36)))
        stretched = edge * float(np.cos(angle) + np.sin(angle))
        foot, toward = _prop(lying, rng, prop)
        centre = foot - toward * (stretched / 2 + 0.05)
        yaw = float(np.arctan2(toward[1], toward[0]))
        # The prop itself is touched: the others must leave a tenth less room than a leaning die takes.
        clear = overlap.is_free(centre, yaw, others, edge + 0.4 * (stretched - edge))
        if clear and _is_in_field(centre, yaw, edge):
            rotation = leaning_rotation(int(rng.integers(6)), toward, angle)
            return DiePose(np.array([*centre, edge / 2 * np.abs(rotation[2]).sum()]), rotation)
    return flat_pose(lying, edge, rng)


def flat_pose(lying: dict[int, DiePose], edge: float, rng: np.random.Generator) -> DiePose:
    """Return a free pose flat in the field, with a random face."""
    others = squares_of(lying.values())
    while True:
        centre, yaw = FIELD_MIDDLE + rng.uniform(-1, 1, 2) * (95, 90), float(rng.uniform(0, np.pi / 2))
        if _is_in_field(centre, yaw, edge) and overlap.is_free(centre, yaw, others, edge + GAP):
            return DiePose(np.array([*centre, edge / 2]), flat_rotation(int(rng.integers(6)), yaw))


def stacked_pose(lying: dict[int, DiePose], edge: float, rng: np.random.Generator) -> DiePose:
    """Return a pose flat on top of a die that lies flat in the field; flat on the felt where there is none."""
    below = [pose for pose in _flat_in_field(lying) if pose.centre[2] < edge]
    if not below:
        return flat_pose(lying, edge, rng)
    base = below[rng.integers(len(below))]
    shifted = base.centre + np.array([*rng.uniform(-0.25, 0.25, 2), 1.0]) * edge
    return DiePose(shifted, flat_rotation(int(rng.integers(6)), float(rng.uniform(0, np.pi / 2))))


def old_pose(before: DiePose, lying: dict[int, DiePose], edge: float, rng: np.random.Generator) -> DiePose:
    """Return a pose with the face that a die showed before, and as near its place and turn as a throw may end."""
    yaw = before.yaw + float(rng.normal(0, np.radians(3.0)))
    place = free_place(before.centre[:2] + rng.normal(0, 0.8, 2), yaw, squares_of(lying.values()), edge)
    return DiePose(np.array([*place, edge / 2]), flat_rotation(before.top, yaw))


def outside_pose(lying: dict[int, DiePose], edge: float, direction: Vectors, rng: np.random.Generator) -> DiePose:
    """Return a free pose on the table beyond the board, which may lie beyond the edge of the picture too."""
    others = squares_of(lying.values())
    while True:
        ahead = unit(direction + rng.normal(0, 0.5, 2))
        centre = np.array([(BOARD[0] + BOARD[2]) / 2, (BOARD[1] + BOARD[3]) / 2])
        far = np.array([(BOARD[2] - BOARD[0]) / 2, (BOARD[3] - BOARD[1]) / 2])
        centre = centre + ahead * (far / np.maximum(np.abs(ahead), 1e-6)).min()
        centre += ahead * rng.uniform(0.75 * edge, 2.5 * edge)
        yaw = float(rng.uniform(0, np.pi / 2))
        if overlap.is_free(centre, yaw, others, edge + GAP):
            return DiePose(np.array([*centre, edge / 2]), flat_rotation(int(rng.integers(6)), yaw))


def free_place(wish: Vectors, yaw: float, others: Squares, edge: float) -> Vectors:
    """Return the place nearest to the wish that a die fits into: clear of dice, and not across the fence or the lath.

    The wish itself where no place near it is free.
    """
    for place in _rings_about(wish):
        stands = on_felt(place, REACH_EDGES * edge) or off_tray(place, REACH_EDGES * edge)
        # A tenth more room than the square: fingers need it, and a cocked die takes it.
        if stands and overlap.is_free(place, yaw, others, 1.1 * edge):
            return place
    return wish


def squares_of(poses: Iterable[DiePose]) -> Squares:
    """Return the squares that dice cover on the table."""
    listed = list(poses)
    centres = np.array([pose.centre[:2] for pose in listed]).reshape(-1, 2)
    return centres, np.array([pose.yaw for pose in listed])


def _prop(lying: dict[int, DiePose], rng: np.random.Generator, prop: Prop) -> tuple[Vectors, Vectors]:
    """Return a point on the fence or on the side of a flat die in the field, and the direction into it."""
    flats = _flat_in_field(lying)
    on_die = prop is Prop.DIE or (prop is Prop.ANY and bool(flats) and rng.random() < 0.5)
    if flats and on_die:
        pose = flats[rng.integers(len(flats))]
        angle = pose.yaw + np.pi / 2 * int(rng.integers(4))
        toward = np.array([np.cos(angle), np.sin(angle)])
        return pose.centre[:2] - toward * pose.centre[2], toward
    normals, offsets = field_walls()
    wall = rng.choice([0, 4, 6])
    point = FIELD_MIDDLE + rng.uniform(-1, 1, 2) * (80, 70)
    return point - normals[wall] * (normals[wall] @ point - offsets[wall]), -normals[wall]


def _is_in_field(centre: Vectors, yaw: float, edge: float) -> bool:
    normals, offsets = field_walls()
    return bool((normals @ centre - offsets >= overlap.extents(normals, np.array([yaw]), edge)[0] - 0.01).all())


def _flat_in_field(lying: dict[int, DiePose]) -> list[DiePose]:
    return [pose for pose in lying.values() if pose.flat and on_felt(pose.centre[:2], 0) and pose.centre[0] < BAY]


def _rings_about(wish: Vectors) -> Iterator[Vectors]:
    """Yield the wish, and then points in widening rings about it."""
    yield wish
    for radius in range(2, 80, 2):
        for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False):
            yield wish + radius * np.array([np.cos(angle), np.sin(angle)])
