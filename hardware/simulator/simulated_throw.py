"""The throw: dice fly in from one side, bounce, push each other about and come to rest.

Most dice are simulated together. Dice that are meant to end in a way of their own (cocked, on another die, off the
tray, at their old place) fly over the others in an arc.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from hardware.simulator.die_trajectory import (
    STEPS_A_SECOND,
    DiePose,
    Trajectory,
    centre_height,
    lift_to_ground,
    rolling_spins,
    spin_backwards,
)
from hardware.simulator.geometry import Vectors, unit
from hardware.simulator.resting_places import Prop, flat_pose, leaning_pose, old_pose, outside_pose, stacked_pose
from hardware.simulator.throw_physics import Launch, ThrowSimulation

_DIRECTIONS = ((0.0, -1.0), (0.5, -1.0), (-0.3, -1.0), (1.0, -0.3), (1.0, 0.2), (0.2, 1.0))
"""The directions of a throw: mostly away from the player at the lower edge, never from the side of the bay."""
_LEANING_SECONDS, _LEAVING_SECONDS = 0.95, 1.05
"""How long a die flies that ends cocked, and one that ends off the tray."""
_HOPS = ((0.0, 0.34, 4.2), (0.34, 0.68, 3.4), (0.68, 0.86, 0.8), (0.86, 0.96, 0.2))
"""The hops of an arc: from and to as shares of its time, and the top in edges of the die."""
_BOUNCING_SECONDS = 1.25
_TURNS_BACK_AT = 0.5
"""The share of its time at which a die that comes back hits something beyond the fence."""
_HOPS_BACK = ((0.0, 0.28, 4.2), (0.28, 0.5, 3.2), (0.5, 0.78, 3.0), (0.78, 0.91, 0.7), (0.91, 0.98, 0.2))
_CLIMB = (0.4, 0.6)
"""Between these shares of its time an arc rises to the height at which the die comes to rest."""


class Fate(StrEnum):
    """How a thrown die ends."""

    LIES_FLAT = "lies-flat"
    LEANS = "leans"
    LEANS_ON_DIE = "leans-on-die"
    LEANS_ON_WALL = "leans-on-wall"
    STACKS = "stacks"
    KEEPS_ITS_FACE = "keeps-its-face"
    BOUNCES_BACK = "bounces-back"
    LEAVES = "leaves"


_PROPS = {Fate.LEANS: Prop.ANY, Fate.LEANS_ON_DIE: Prop.DIE, Fate.LEANS_ON_WALL: Prop.WALL}
_ORDER = tuple(Fate)
"""Dice end in this order, so that those that need others to lean or lie on find them at rest."""


@dataclass(frozen=True)
class Mishaps:
    """The probability that a thrown die leans on something, and that it leaves the tray."""

    leans: float = 0.01
    leaves: float = 0.01

    def fate(self, die: int, drawn: float) -> Fate:
        """Return how a thrown die ends, by a number drawn from 0 to 1."""
        if drawn < self.leaves:
            return Fate.LEAVES
        return Fate.LEANS if 0 <= drawn - self.leaves < self.leans else Fate.LIES_FLAT

    def before(self, die: int) -> DiePose | None:
        """Return how a die lay before, which does not matter here."""
        return None


@dataclass(frozen=True, eq=False)
class StagedEnds:
    """Fates of dice by number, instead of chance; the others lie flat. `poses` is how they lay before the throw."""

    fates: Mapping[int, Fate]
    poses: Mapping[int, DiePose]

    def fate(self, die: int, drawn: float) -> Fate:
        """Return how a thrown die ends."""
        return self.fates.get(die, Fate.LIES_FLAT)

    def before(self, die: int) -> DiePose | None:
        """Return how a die lay before; None if it was away."""
        return self.poses.get(die)


def throw(
    thrown: Sequence[int],
    lying: dict[int, DiePose],
    edge: float,
    mishaps: Mishaps | StagedEnds,
    rng: np.random.Generator,
) -> dict[int, Trajectory]:
    """Throw dice among lying ones: return a trajectory for each thrown die, and for each lying die that is pushed.

    At the end no two dice overlap, every face of every thrown die is equally likely, and all but the mishaps lie flat
    in the field. `edge` is in millimetres; dice are named by their numbers.
    """
    drawn = zip(thrown, rng.random(len(thrown)), strict=True)
    fates = {die: mishaps.fate(die, float(chance)) for die, chance in drawn}
    plain = [die for die in thrown if fates[die] is Fate.LIES_FLAT]
    direction = unit(np.array(_DIRECTIONS[rng.integers(len(_DIRECTIONS))]) + rng.normal(0, 0.08, 2))
    launch = Launch(direction, edge)
    flights = ThrowSimulation(plain, lying, launch, rng).run()
    ends = {**lying, **{die: flight.end for die, flight in flights.items()}}
    for die in sorted(set(thrown) - set(plain), key=lambda die: (_ORDER.index(fates[die]), thrown.index(die))):
        flight = _special_flight(fates[die], ends, mishaps.before(die), launch, rng)
        flights[die], ends[die] = flight, flight.end
    return flights


def _special_flight(
    fate: Fate, ends: dict[int, DiePose], before: DiePose | None, launch: Launch, rng: np.random.Generator
) -> Trajectory:
    """Return the flight of a die that does not end flat by chance; `ends` is how the others come to lie."""
    edge = launch.edge
    if fate is Fate.LEAVES:
        return _arc(launch, outside_pose(ends, edge, launch.direction, rng), _LEAVING_SECONDS, rng)
    if fate is Fate.BOUNCES_BACK:
        return _arc_back(launch, flat_pose(ends, edge, rng), rng)
    if fate is Fate.STACKS:
        return _arc(launch, stacked_pose(ends, edge, rng), _LEANING_SECONDS, rng)
    if fate is Fate.KEEPS_ITS_FACE and before is not None:
        return _arc(launch, old_pose(before, ends, edge, rng), _LEANING_SECONDS, rng)
    return _arc(launch, leaning_pose(ends, edge, rng, _PROPS.get(fate, Prop.ANY)), _LEANING_SECONDS, rng)


def _arc(launch: Launch, end: DiePose, seconds: float, rng: np.random.Generator) -> Trajectory:
    """Return a flight from the launch to a chosen end: two high hops and two low ones, rolling and slowing down."""
    share = np.linspace(0.0, 1.0, round(seconds * STEPS_A_SECOND))
    start = launch.place(int(rng.integers(4)), 4, rng)
    places = start + (1 - (1 - share) ** 1.8)[:, None] * (end.centre[:2] - start)
    raised = max(float(end.centre[2]) - centre_height(end.rotation, launch.edge), 0.0)
    heights = _hop_heights(share, _HOPS) * launch.edge + raised * np.interp(share, _CLIMB, (0.0, 1.0))
    return _rolling(launch.edge, places, heights, end, rng)


def _arc_back(launch: Launch, end: DiePose, rng: np.random.Generator) -> Trajectory:
    """Return a flight over the fence to something that throws the die back, and from there to its end in the field."""
    share = np.linspace(0.0, 1.0, round(_BOUNCING_SECONDS * STEPS_A_SECOND))
    start = launch.place(int(rng.integers(4)), 4, rng)
    turn = outside_pose({}, launch.edge, launch.direction, rng).centre[:2]
    out = np.clip(share / _TURNS_BACK_AT, 0, 1)[:, None]
    back = np.clip((share - _TURNS_BACK_AT) / (1 - _TURNS_BACK_AT), 0, 1)[:, None]
    places = start + out * (turn - start) + (1 - (1 - back) ** 1.8) * (end.centre[:2] - turn)
    return _rolling(launch.edge, places, _hop_heights(share, _HOPS_BACK) * launch.edge, end, rng)


def _rolling(edge: float, places: Vectors, heights: Vectors, end: DiePose, rng: np.random.Generator) -> Trajectory:
    """Return how a die rolls along places (T x 2) and ends as asked; `heights` are those of its lowest corner."""
    spins = rolling_spins(np.gradient(places, 1.0 / STEPS_A_SECOND, axis=0), edge)
    spins[:, 2] = rng.normal(0, 3.0) * (1 - np.linspace(0.0, 1.0, len(places)))
    return lift_to_ground(spin_backwards(np.column_stack([places, heights]), end.rotation, spins), edge)


def _hop_heights(share: Vectors, hops: Sequence[tuple[float, float, float]]) -> Vectors:
    """Return the heights, in edges of the die, at shares of the arc's time."""
    heights = np.zeros_like(share)
    for begin, end, top in hops:
        within = (share >= begin) & (share < end)
        phase = (share[within] - begin) / (end - begin)
        heights[within] = 4 * top * phase * (1 - phase)
    return heights
