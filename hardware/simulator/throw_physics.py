"""The simulation of a throw on the plan: squares that slide, hop and collide, forwards in time.

Afterwards each die is spun backwards in time from the face that chance has chosen, as a die rolling along that way
would spin: the end is fair by construction, and the tumbling leads to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hardware.simulator import overlap
from hardware.simulator.die_trajectory import (
    STEPS_A_SECOND,
    DiePose,
    Trajectory,
    flat_rotation,
    lift_to_ground,
    rolling_spins,
    spin_backwards,
)
from hardware.simulator.geometry import BAY, FIELD_MIDDLE, Vectors, field_walls, on_felt, unit

GRAVITY = 9810.0
"""Millimetres a second squared."""
RELEASE_MM = 118.0
"""How far before the middle of the field a hand lets go: above the near wall."""
FELT_BOUNCE, WOOD_BOUNCE, DIE_BOUNCE = 0.42, 0.62, 0.4
"""The share of its speed that a die keeps when it bounces off each."""
ROLLING_FRICTION, SLIDING_FRICTION = 480.0, 3200.0
"""Millimetres a second squared."""
TOPPLES_BELOW = 120.0
"""Millimetres a second: a slower die no longer rolls over its edge but lies flat and slides."""
LYING_WEIGHT = 12.0
"""How many times its weight a lying die has in a collision: it grips the felt, and a flying one does not."""
LONGEST_SECONDS = 2.2
"""Dice that are still moving then are stopped."""
SETTLING_ROUNDS = 400
"""The most rounds in which dice that overlap at the end are moved apart."""

_STEP = 1.0 / STEPS_A_SECOND


@dataclass
class _DieStates:
    """The state of all dice at one step, one row each: lengths in mm, times in seconds, angles in radians.

    heights: of the lowest corner above the felt. climbs: upward speeds. friction: of each while it rolls. rolls: True
    for those that still roll. weights: infinite for those that cannot be moved.
    """

    places: Vectors
    speeds: Vectors
    yaws: Vectors
    spins: Vectors
    heights: Vectors
    climbs: Vectors
    friction: Vectors
    rolls: npt.NDArray[np.bool_]
    weights: Vectors

    @property
    def any_moves(self) -> bool:
        """True while a die rolls or slides."""
        return bool(self.rolls.any() or np.abs(self.speeds).max(initial=0.0) > 0)


@dataclass
class _Tracks:
    """The places, heights, rolling speeds and spins of all dice at each step so far."""

    places: list[Vectors] = field(default_factory=list)
    heights: list[Vectors] = field(default_factory=list)
    speeds: list[Vectors] = field(default_factory=list)
    spins: list[Vectors] = field(default_factory=list)

    def add(self, bodies: _DieStates) -> None:
        """Record a step."""
        self.places.append(bodies.places.copy())
        self.heights.append(bodies.heights.copy())
        self.speeds.append(np.where(bodies.rolls[:, None], bodies.speeds, 0.0))
        self.spins.append(bodies.spins.copy())

    def spread(self, move: Vectors, steps: int) -> None:
        """Add a small move (N x 2) to the places, growing over the last steps."""
        last = min(len(self.places), steps)
        for step in range(last):
            self.places[len(self.places) - last + step] += move * (step + 1) / last


@dataclass(frozen=True, eq=False)
class Launch:
    """Where a throw goes (a unit vector on the plan), and how long the edge of its dice is (mm)."""

    direction: Vectors
    edge: float

    def place(self, index: int, count: int, rng: np.random.Generator) -> Vectors:
        """Return a place in the loose heap in the hand from which a throw is launched."""
        across = np.array([-self.direction[1], self.direction[0]])
        row, column = divmod(index, 4)
        columns = min(4, count - 4 * row)
        offset = (column - (columns - 1) / 2) * 1.7 * self.edge
        back = self.direction * (RELEASE_MM + 1.7 * self.edge * row)
        return np.asarray(FIELD_MIDDLE - back + across * offset + rng.normal(0, 0.08 * self.edge, 2))


class ThrowSimulation:
    """A throw from the launch until all dice lie still and apart."""

    def __init__(
        self,
        thrown: Sequence[int],
        lying: dict[int, DiePose],
        launch: Launch,
        rng: np.random.Generator,
    ) -> None:
        self._numbers = [*thrown, *lying]
        self._edge = launch.edge
        self._rng = rng
        self._thrown = np.arange(len(self._numbers)) < len(thrown)
        self._lying = list(lying.values())
        self._pairs = overlap.all_pairs(len(self._numbers))
        self._walls = field_walls()
        self._bodies = self._launch(len(thrown), launch)
        self._start_places = self._bodies.places.copy()

    def run(self) -> dict[int, Trajectory]:
        """Return the trajectories of the thrown dice and of those that were pushed."""
        tracks = _Tracks()
        while self._bodies.any_moves and len(tracks.places) < LONGEST_SECONDS * STEPS_A_SECOND:
            self._advance()
            tracks.add(self._bodies)
        self._settle(tracks)
        rows = [np.array(each) for each in (tracks.places, tracks.heights, tracks.speeds, tracks.spins)]
        return {
            number: self._trajectory(index, *(row[:, index] for row in rows))
            for index, number in enumerate(self._numbers)
            if self._was_moved(index)
        }

    def _launch(self, count: int, launch: Launch) -> _DieStates:
        total, rng, thrown = len(self._numbers), self._rng, self._thrown
        bodies = _DieStates(
            places=np.zeros((total, 2)),
            speeds=np.zeros((total, 2)),
            yaws=rng.uniform(0, np.pi / 2, total),
            spins=np.where(thrown, rng.normal(0, 7.0, total), 0.0),
            heights=np.where(thrown, rng.uniform(45, 70, total), 0.0),
            climbs=np.where(thrown, rng.uniform(-100, 200, total), 0.0),
            friction=ROLLING_FRICTION * rng.uniform(0.8, 1.25, total),
            rolls=thrown.copy(),
            weights=np.array([1.0] * count + [self._weight(pose) for pose in self._lying]),
        )
        power = rng.uniform(480, 780)
        for index in range(count):
            bodies.places[index] = launch.place(index, count, rng)
            aim = FIELD_MIDDLE + rng.normal(0, 25, 2) - bodies.places[index]
            bodies.speeds[index] = unit(aim) * power * rng.uniform(0.85, 1.2)
        for index, pose in enumerate(self._lying, count):
            bodies.places[index], bodies.yaws[index] = pose.centre[:2], pose.yaw
        return bodies

    def _weight(self, pose: DiePose) -> float:
        """Return the weight of a lying die. One in the bay, off the tray or askew is held by the lath or its prop."""
        can_move = pose.flat and on_felt(pose.centre[:2], self._edge / 2) and pose.centre[0] < BAY
        return LYING_WEIGHT if can_move else np.inf

    def _advance(self) -> None:
        bodies = self._bodies
        self._fly()
        self._slow_down()
        bodies.places += bodies.speeds * _STEP
        bodies.yaws += bodies.spins * _STEP
        self._hit_walls(self._edge)
        self._hit_each_other(self._edge)

    def _fly(self) -> None:
        bodies = self._bodies
        bodies.climbs -= GRAVITY * _STEP
        bodies.heights += bodies.climbs * _STEP
        landed = bodies.heights <= 0
        bodies.heights[landed] = 0.0
        struck = landed & (bodies.climbs < -150)
        bodies.climbs[landed] = np.where(struck[landed], -FELT_BOUNCE * bodies.climbs[landed], 0.0)
        bodies.speeds[struck] *= 0.88
        bodies.speeds[struck] += self._rng.normal(0, 40, (int(struck.sum()), 2))

    def _slow_down(self) -> None:
        bodies = self._bodies
        pace = np.linalg.norm(bodies.speeds, axis=1)
        bodies.rolls &= (pace > TOPPLES_BELOW) | (bodies.heights > 0)
        on_felt_loss = np.where(bodies.rolls, bodies.friction, SLIDING_FRICTION)
        loss = np.where(bodies.heights > 0, 0.0, on_felt_loss) * _STEP
        bodies.speeds *= np.where(pace > loss, 1 - loss / np.maximum(pace, 1e-9), 0.0)[:, None]
        bodies.spins *= np.where(bodies.rolls, 0.995, 0.75)

    def _hit_walls(self, edge: float) -> None:
        bodies = self._bodies
        normals, offsets = self._walls
        room = bodies.places @ normals.T - offsets - overlap.extents(normals, bodies.yaws, edge)
        inward = bodies.speeds @ normals.T
        for index, wall in np.argwhere((room < 0) & (inward <= 0) & np.isfinite(bodies.weights)[:, None]):
            bodies.places[index] -= normals[wall] * room[index, wall]
            bodies.speeds[index] -= normals[wall] * inward[index, wall] * (1 + WOOD_BOUNCE)
            bodies.spins[index] += self._rng.normal(0, 3.0) * bool(inward[index, wall] < -50)

    def _hit_each_other(self, edge: float) -> None:
        bodies = self._bodies
        directions, depth = overlap.depths(bodies.places, bodies.yaws, edge, self._pairs)
        for pair in np.flatnonzero(depth > 0):
            one, other = self._pairs[pair]
            if abs(bodies.heights[one] - bodies.heights[other]) < edge:
                self._push_apart(one, other, directions[pair], float(depth[pair]))

    def _push_apart(self, one: int, other: int, direction: Vectors, depth: float) -> None:
        bodies = self._bodies
        shares = 1 / bodies.weights[one], 1 / bodies.weights[other]
        total = sum(shares)
        if total == 0:
            return
        bodies.places[one] -= direction * depth * shares[0] / total
        bodies.places[other] += direction * depth * shares[1] / total
        closing = float((bodies.speeds[one] - bodies.speeds[other]) @ direction)
        if closing > 0:
            push = direction * closing * (1 + DIE_BOUNCE) / total
            bodies.speeds[one] -= push * shares[0]
            bodies.speeds[other] += push * shares[1]

    def _settle(self, tracks: _Tracks) -> None:
        """Move dice that still overlap apart, and spread that small move over the last steps of the tracks."""
        before = self._bodies.places.copy()
        self._bodies.heights[:] = 0.0
        self._bodies.speeds[:] = 0.0
        for _ in range(SETTLING_ROUNDS):
            if not self._parted_some():
                break
        tracks.spread(self._bodies.places - before, 12)

    def _parted_some(self) -> bool:
        before = self._bodies.places.copy()
        slightly_apart = self._edge + 0.02  # so that the last rounding leaves no overlap
        self._hit_walls(slightly_apart)
        self._hit_each_other(slightly_apart)
        return bool(np.abs(self._bodies.places - before).max(initial=0.0) > 1e-9)

    def _was_moved(self, index: int) -> bool:
        moved = np.abs(self._bodies.places[index] - self._start_places[index]).max()
        return bool(self._thrown[index] or moved > 1e-6)

    def _trajectory(self, index: int, places: Vectors, heights: Vectors, speeds: Vectors, spins: Vectors) -> Trajectory:
        turning = rolling_spins(speeds, self._edge)
        turning[:, 2] = spins
        was_thrown = self._thrown[index]
        face = int(self._rng.integers(6)) if was_thrown else self._lying[index - int(self._thrown.sum())].top
        end = flat_rotation(face, float(self._bodies.yaws[index]))
        return lift_to_ground(spin_backwards(np.column_stack([places, heights]), end, turning), self._edge)
