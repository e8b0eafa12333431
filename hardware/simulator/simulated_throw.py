"""The throw: dice fly in from one side, bounce, push each other about and come to rest.

Most dice are simulated together. Dice that are meant to end cocked or off the tray fly over the others in an arc of
their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulator.die_trajectory import (
    STEPS_A_SECOND,
    DiePose,
    Trajectory,
    lift_to_ground,
    rolling_spins,
    spin_backwards,
)
from hardware.simulator.geometry import Vectors, unit
from hardware.simulator.resting_places import leaning_pose, outside_pose
from hardware.simulator.throw_physics import ThrowSimulation, launch_place

_DIRECTIONS = ((0.0, -1.0), (0.5, -1.0), (-0.3, -1.0), (1.0, -0.3), (1.0, 0.2), (0.2, 1.0))
"""The directions of a throw: mostly away from the player at the lower edge, never from the side of the bay."""
_LEANING_SECONDS, _LEAVING_SECONDS = 0.95, 1.05
"""How long a die flies that ends cocked, and one that ends off the tray."""
_HOPS = ((0.0, 0.34, 4.2), (0.34, 0.68, 3.4), (0.68, 0.86, 0.8), (0.86, 0.96, 0.2))
"""The hops of an arc: from and to as shares of its time, and the top in edges of the die."""


@dataclass(frozen=True)
class Mishaps:
    """The probability that a thrown die leans on something, and that it leaves the tray."""

    leans: float = 0.01
    leaves: float = 0.01


def throw(
    thrown: Sequence[int], lying: dict[int, DiePose], edge: float, mishaps: Mishaps, rng: np.random.Generator
) -> dict[int, Trajectory]:
    """Throw dice among lying ones: return a trajectory for each thrown die, and for each lying die that is pushed.

    At the end no two dice overlap, every face of every thrown die is equally likely, and all but the mishaps lie flat
    in the field. `edge` is in millimetres; dice are named by their numbers.
    """
    fates = rng.random(len(thrown))
    leaving = [die for die, fate in zip(thrown, fates, strict=True) if fate < mishaps.leaves]
    cocked = [die for die, fate in zip(thrown, fates, strict=True) if 0 <= fate - mishaps.leaves < mishaps.leans]
    plain = [die for die in thrown if die not in leaving and die not in cocked]
    direction = unit(np.array(_DIRECTIONS[rng.integers(len(_DIRECTIONS))]) + rng.normal(0, 0.08, 2))
    flights = ThrowSimulation(plain, lying, edge, direction, rng).run()
    ends = {**lying, **{die: flight.end for die, flight in flights.items()}}
    for die in cocked:
        flight = _arc(direction, leaning_pose(ends, edge, rng), edge, _LEANING_SECONDS, rng)
        flights[die], ends[die] = flight, flight.end
    for die in leaving:
        flight = _arc(direction, outside_pose(ends, edge, direction, rng), edge, _LEAVING_SECONDS, rng)
        flights[die], ends[die] = flight, flight.end
    return flights


def _arc(direction: Vectors, end: DiePose, edge: float, seconds: float, rng: np.random.Generator) -> Trajectory:
    """Return a flight from the launch to a chosen end: two high hops and two low ones, rolling and slowing down."""
    share = np.linspace(0.0, 1.0, round(seconds * STEPS_A_SECOND))
    start = launch_place(direction, int(rng.integers(4)), 4, edge, rng)
    places = start + (1 - (1 - share) ** 1.8)[:, None] * (end.centre[:2] - start)
    heights = _hop_heights(share) * edge
    velocities = np.gradient(places, 1.0 / STEPS_A_SECOND, axis=0)
    spins = rolling_spins(velocities, edge)
    spins[:, 2] = rng.normal(0, 3.0) * (1 - share)
    return lift_to_ground(spin_backwards(np.column_stack([places, heights]), end.rotation, spins), edge)


def _hop_heights(share: Vectors) -> Vectors:
    """Return the heights, in edges of the die, at shares of the arc's time."""
    heights = np.zeros_like(share)
    for begin, end, top in _HOPS:
        within = (share >= begin) & (share < end)
        phase = (share[within] - begin) / (end - begin)
        heights[within] = 4 * top * phase * (1 - phase)
    return heights
