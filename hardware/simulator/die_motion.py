"""How a die lies and how it moves: poses, turns, and paths that a clock plays.

Millimetres as in the plan; a turn is a 3 x 3 rotation that takes the die's own axes to the table's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardware.simulator.geometry import Vectors

STEPS_A_SECOND = 120
"""Poses a second in a path."""

_UP: Vectors = np.array([0.0, 0.0, 1.0])
FACE_AXES: Vectors = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], np.float64)
"""The outward normals of the six faces in the die's own axes, in the order in which its faces are kept."""
_NEXT = {0: 2, 2: 4, 4: 1, 1: 3, 3: 5, 5: 0}
"""The round of the sides in which each is a neighbour of the one before."""


@dataclass(frozen=True, eq=False)
class Lie:
    """How a die lies: the centre of its body and its turn."""

    centre: Vectors
    turn: Vectors

    @property
    def top(self) -> int:
        """The face, 0 to 5, that looks up most."""
        return int(np.argmax(FACE_AXES @ self.turn[2]))

    @property
    def yaw(self) -> float:
        """How the footprint is turned, in radians; a quarter turn changes nothing."""
        side = self.turn @ FACE_AXES[(self.top + 2) % 6]
        return float(np.arctan2(side[1], side[0]))

    @property
    def flat(self) -> bool:
        """Whether a face looks straight up."""
        return bool(abs(self.turn[2]).max() > 0.999)

    @property
    def tipping(self) -> Vectors:
        """The quarter turn about an edge of the footprint that brings the next side of a round up (axis times radians).

        Six of them, one after the other, show all six sides and come back to the first.
        """
        return np.asarray(np.pi / 2 * np.cross(self.upright.turn @ FACE_AXES[_NEXT[self.top]], _UP))

    @property
    def upright(self) -> Lie:
        """The same die set flat in its place on the side opposite the face that looks up most."""
        reach = height(self.turn, 1.0)
        return Lie(np.array([*self.centre[:2], self.centre[2] / reach * 0.5]), flat(self.top, self.yaw))


@dataclass(frozen=True, eq=False)
class Path:
    """A movement: centres (T x 3) and turns (T x 3 x 3), `STEPS_A_SECOND` of them a second."""

    centres: Vectors
    turns: Vectors

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return (len(self.centres) - 1) / STEPS_A_SECOND

    @property
    def end(self) -> Lie:
        """Where it leads."""
        return Lie(self.centres[-1], self.turns[-1])

    def at(self, seconds: float) -> Lie:
        """The pose so long after the start; the end from then on."""
        step = min(max(round(seconds * STEPS_A_SECOND), 0), len(self.centres) - 1)
        return Lie(self.centres[step], self.turns[step])

    def then(self, other: Path) -> Path:
        """One path after the other."""
        return Path(np.concatenate([self.centres, other.centres]), np.concatenate([self.turns, other.turns]))


def rotation(axis: Vectors, angle: float) -> Vectors:
    """The turn about a unit axis by an angle in radians (Rodrigues)."""
    x, y, z = axis
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross))


def flat(face: int, yaw: float) -> Vectors:
    """The turn that lays a face up, its footprint turned by `yaw` radians."""
    up = FACE_AXES[face]
    side = FACE_AXES[(face + 2) % 6]
    own = np.stack([side, np.cross(up, side), up])
    return np.asarray(rotation(_UP, yaw) @ own)


def leaning(face: int, toward: Vectors, angle: float) -> Vectors:
    """The turn of a die propped up on the side that looks `toward` (a unit vector, x and y), by `angle` radians."""
    yaw = float(np.arctan2(toward[1], toward[0]))
    axis = np.array([toward[1], -toward[0], 0.0])
    return np.asarray(rotation(axis, angle) @ flat(face, yaw))


def height(turn: Vectors, edge: float) -> float:
    """How high the centre of a die of that turn is when its lowest corner touches the ground."""
    return float(edge / 2 * np.abs(turn[2]).sum())


def rest(count: int, lie: Lie) -> Path:
    """To stay for so many steps."""
    return Path(np.repeat(lie.centre[None], count, axis=0), np.repeat(lie.turn[None], count, axis=0))


def carry(start: Lie, end: Lie, seconds: float, lift: float) -> Path:
    """To lift a die, carry it and put it down, turning it only about the upright."""
    share = _eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (end.centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    swing = (end.yaw - start.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4
    # Refused back from the end, so that a cocked die is set flat as it leaves the table and ends exactly as asked.
    turns = np.stack([rotation(_UP, (left - 1) * swing) @ end.turn for left in share])
    return Path(centres, turns)


def turned(start: Lie, where: Vectors, by: Vectors, seconds: float, lift: float) -> Path:
    """To lift a die, turn it in the fingers and put it down there; `by` is the axis, as long as the angle in radians.

    A die that leans is set flat as it is taken.
    """
    share = _eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (where - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    angle, taken = float(np.linalg.norm(by)), start.upright.turn
    axis = by / angle if angle else _UP
    return Path(centres, np.stack([rotation(axis, part * angle) @ taken for part in share]))


def spun_back(centres: Vectors, end: Vectors, spins: Vectors) -> Path:
    """The path of a die that turns at `spins` (T x 3, radians a second, about the table's axes) and ends at a turn.

    `centres` hold x, y and how high the die hops; it is raised so that its lowest corner never dips into the table.
    """
    turns = np.empty((len(centres), 3, 3))
    turns[-1] = end
    for step in range(len(centres) - 2, -1, -1):
        speed = float(np.linalg.norm(spins[step]))
        back = rotation(spins[step] / speed, -speed / STEPS_A_SECOND) if speed else np.eye(3)
        turns[step] = back @ turns[step + 1]
    return Path(centres, turns)


def rolling(velocities: Vectors, edge: float) -> Vectors:
    """The spins (T x 3) of a die that rolls along velocities (T x 2) without slipping much."""
    spins = np.zeros((len(velocities), 3))
    spins[:, 0], spins[:, 1] = -velocities[:, 1], velocities[:, 0]
    speeds = np.linalg.norm(velocities, axis=1, keepdims=True)
    return np.asarray(spins / (0.6 * edge) * np.minimum(1.0, 350.0 / np.maximum(speeds, 1.0)))


def raised(path: Path, edge: float) -> Path:
    """The same path with every centre lifted from its hop to the height at which the die's lowest corner clears it."""
    lift = edge / 2 * np.abs(path.turns[:, 2]).sum(axis=1)
    return Path(path.centres + lift[:, None] * _UP, path.turns)


def _eased(share: Vectors) -> Vectors:
    return np.asarray(share * share * (3 - 2 * share))
