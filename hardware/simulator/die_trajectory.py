"""Poses of a die and its trajectories: how it lies, and how it moves as a clock plays.

Millimetres in the table's frame (x to the right, y down, z up). A rotation is a 3 x 3 matrix from the die's own axes to
the table's.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.simulator.geometry import Vectors

STEPS_A_SECOND = 120
"""Poses a second in a trajectory."""

_UP: Vectors = np.array([0.0, 0.0, 1.0])
FACE_AXES: Vectors = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], np.float64)
"""The outward normals of the six faces in the die's own axes, in the order in which its faces are kept."""
_NEXT = {0: 2, 2: 4, 4: 1, 1: 3, 3: 5, 5: 0}
"""A round of the faces in which each is a neighbour of the one before."""


@dataclass(frozen=True, eq=False)
class DiePose:
    """How a die lies: the centre of its body (mm) and its rotation."""

    centre: Vectors
    rotation: Vectors

    @property
    def top(self) -> int:
        """Return the face, 0 to 5, that points up most."""
        return int(np.argmax(FACE_AXES @ self.rotation[2]))

    @property
    def yaw(self) -> float:
        """Return how the die's square on the table is turned, in radians; a quarter turn changes nothing."""
        side = self.rotation @ FACE_AXES[(self.top + 2) % 6]
        return float(np.arctan2(side[1], side[0]))

    @property
    def flat(self) -> bool:
        """True if a face points straight up."""
        return bool(abs(self.rotation[2]).max() > 0.999)

    @property
    def tip_vector(self) -> Vectors:
        """Return the quarter turn about an edge that brings the next face of a round up, as axis times radians.

        Six of them, one after the other, show all six faces and come back to the first.
        """
        return np.asarray(np.pi / 2 * np.cross(self.upright.rotation @ FACE_AXES[_NEXT[self.top]], _UP))

    @property
    def upright(self) -> DiePose:
        """Return the same die set flat in its place, with the face up that points up most."""
        reach = centre_height(self.rotation, 1.0)
        centre = np.array([*self.centre[:2], self.centre[2] / reach * 0.5])
        return DiePose(centre, flat_rotation(self.top, self.yaw))


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A movement: centres (T x 3) and rotations (T x 3 x 3), `STEPS_A_SECOND` of them a second."""

    centres: Vectors
    rotations: Vectors

    @property
    def seconds(self) -> float:
        """Return how long the movement takes."""
        return (len(self.centres) - 1) / STEPS_A_SECOND

    @property
    def end(self) -> DiePose:
        """Return the last pose."""
        return DiePose(self.centres[-1], self.rotations[-1])

    def at(self, seconds: float) -> DiePose:
        """Return the pose that many seconds after the start; the last one from the end on."""
        step = min(max(round(seconds * STEPS_A_SECOND), 0), len(self.centres) - 1)
        return DiePose(self.centres[step], self.rotations[step])

    def part(self, start: float, end: float) -> Trajectory:
        """Return the movement from one moment (seconds after its start) to another; after its end it stays there."""
        first, last = round(start * STEPS_A_SECOND), round(end * STEPS_A_SECOND)
        steps = np.clip(np.arange(first, max(last, first + 1)), 0, len(self.centres) - 1)
        return Trajectory(self.centres[steps], self.rotations[steps])

    def then(self, other: Trajectory) -> Trajectory:
        """Return this trajectory followed by another."""
        centres = np.concatenate([self.centres, other.centres])
        return Trajectory(centres, np.concatenate([self.rotations, other.rotations]))


def rotation_about(axis: Vectors, angle: float) -> Vectors:
    """Return the rotation about a unit axis by an angle in radians (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross))


def flat_rotation(face: int, yaw: float) -> Vectors:
    """Return the rotation with that face up and the square on the table turned by `yaw` radians."""
    up = FACE_AXES[face]
    side = FACE_AXES[(face + 2) % 6]
    own = np.stack([side, np.cross(up, side), up])
    return np.asarray(rotation_about(_UP, yaw) @ own)


def leaning_rotation(face: int, toward: Vectors, angle: float) -> Vectors:
    """Return the rotation of a die propped up by `angle` radians on the side that points `toward` (unit x and y)."""
    yaw = float(np.arctan2(toward[1], toward[0]))
    axis = np.array([toward[1], -toward[0], 0.0])
    return np.asarray(rotation_about(axis, angle) @ flat_rotation(face, yaw))


def centre_height(rotation: Vectors, edge: float) -> float:
    """Return the height of the centre of a die of that rotation when its lowest corner touches the ground."""
    return float(edge / 2 * np.abs(rotation[2]).sum())


def hold(count: int, pose: DiePose) -> Trajectory:
    """Return a trajectory that stays for that many steps."""
    return Trajectory(np.repeat(pose.centre[None], count, axis=0), np.repeat(pose.rotation[None], count, axis=0))


def carry(start: DiePose, end: DiePose, seconds: float, lift: float) -> Trajectory:
    """Return how a die is lifted by `lift` mm, carried and put down, turning only about the vertical."""
    share = eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (end.centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    swing = (end.yaw - start.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4
    # Worked out backwards from the end, so that a cocked die is flat as it leaves the table and ends exactly as asked.
    rotations = np.stack([rotation_about(_UP, (left - 1) * swing) @ end.rotation for left in share])
    return Trajectory(centres, rotations)


def turn_in_hand(start: DiePose, centre: Vectors, turn: Vectors, seconds: float, lift: float) -> Trajectory:
    """Return how a die is lifted by `lift` mm, turned and put down at `centre`; `turn` is an axis times radians.

    A die that leans is set flat as it is taken.
    """
    share = eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    angle, taken = float(np.linalg.norm(turn)), start.upright.rotation
    axis = turn / angle if angle else _UP
    return Trajectory(centres, np.stack([rotation_about(axis, part * angle) @ taken for part in share]))


def carry_turning(start: DiePose, end: DiePose, seconds: float, lift: float) -> Trajectory:
    """Return how a die is lifted by `lift` mm and carried, and turned from one rotation to another on the way."""
    share = eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (end.centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    taken = start.upright.rotation
    turn = np.asarray(cv2.Rodrigues(end.rotation @ taken.T)[0], np.float64).ravel()
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle else _UP
    # Turned only while it is lifted, and put down as it is to lie.
    parts = np.clip((share - 0.15) / 0.7, 0.0, 1.0)
    return Trajectory(centres, np.stack([rotation_about(axis, (part - 1) * angle) @ end.rotation for part in parts]))


def spin_backwards(centres: Vectors, end: Vectors, spins: Vectors) -> Trajectory:
    """Return the trajectory of a die that spins (T x 3, radians a second, table's axes) and ends at a rotation.

    The rotations are integrated backwards in time from the end.
    """
    rotations = np.empty((len(centres), 3, 3))
    rotations[-1] = end
    for step in range(len(centres) - 2, -1, -1):
        speed = float(np.linalg.norm(spins[step]))
        back = rotation_about(spins[step] / speed, -speed / STEPS_A_SECOND) if speed else np.eye(3)
        rotations[step] = back @ rotations[step + 1]
    return Trajectory(centres, rotations)


def rolling_spins(velocities: Vectors, edge: float) -> Vectors:
    """Return the spins (T x 3, radians a second) of a die that rolls along velocities (T x 2) without slipping much."""
    spins = np.zeros((len(velocities), 3))
    spins[:, 0], spins[:, 1] = -velocities[:, 1], velocities[:, 0]
    speeds = np.linalg.norm(velocities, axis=1, keepdims=True)
    return np.asarray(spins / (0.6 * edge) * np.minimum(1.0, 350.0 / np.maximum(speeds, 1.0)))


def lift_to_ground(trajectory: Trajectory, edge: float) -> Trajectory:
    """Return the trajectory with heights counted from the lowest corner changed into heights of the centre."""
    lift = edge / 2 * np.abs(trajectory.rotations[:, 2]).sum(axis=1)
    return Trajectory(trajectory.centres + lift[:, None] * _UP, trajectory.rotations)


def eased(share: Vectors) -> Vectors:
    """Return a share of time as a share of the way that starts and ends slowly (smoothstep)."""
    return np.asarray(share * share * (3 - 2 * share))
