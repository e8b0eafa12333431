"""What hands do with dice on the virtual tray: pick up, carry, turn, knock off. All lengths in mm, times in seconds."""

from __future__ import annotations

import numpy as np

from hardware.simulator.die_trajectory import (
    STEPS_A_SECOND,
    DiePose,
    Trajectory,
    carry,
    carry_turning,
    flat_rotation,
    hold,
    lift_to_ground,
    rolling_spins,
    rotation_about,
    spin_backwards,
    turn_in_hand,
)
from hardware.simulator.geometry import FIELD_MIDDLE, HEIGHT, WIDTH, Vectors, unit
from hardware.simulator.hand_paths import REACHING_SECONDS
from hardware.simulator.throw_physics import GRAVITY

PICKING_UP_SECONDS, SHAKING_SECONDS = 0.35, 0.2
CARRYING_SPEED = 700.0
"""Millimetres a second at which a hand carries a die."""
CARRYING_HEIGHT = 28.0
TURNING_SECONDS, TURNING_HEIGHT = 0.6, 14.0
IN_THE_HAND = (WIDTH / 2, HEIGHT + 110.0)
"""Where dice are that are away: beyond the lower edge of the picture."""
BRINGING_SECONDS = 0.16
"""How long a hand takes from out of view to where it lets go."""
LETTING_GO_SECONDS = REACHING_SECONDS + PICKING_UP_SECONDS + SHAKING_SECONDS + BRINGING_SECONDS
"""Seconds from the moment at which a hand reaches in to the one at which its dice fly."""
IN_HAND_MM = 290.0
"""How far from the middle of the field a hand shakes its dice: beyond the picture."""
KNOCKING_SECONDS = 0.1
"""How long a hand pushes a die that it knocks off."""
FALLING_SECONDS, FALLING_WAY = 0.8, 420.0
DROPPING_HEIGHT = 35.0, 55.0
"""Millimetres between the table and a die that fingers let go, from and to."""
SLIDING_SPEED = 160.0
"""Millimetres a second at which a finger pushes a die over the felt."""
_DROP_WAY = 14.0
"""About how far a die that is dropped rolls on, in mm."""
_BOUNCES = (0.42, 0.4)
"""The share of its speed that a dropped die keeps at its first bounce and at its second."""


def pose_in_hand(rng: np.random.Generator) -> DiePose:
    """Return the pose of a die in the hand, with a random face."""
    return DiePose(np.array([*IN_THE_HAND, 20.0]), flat_rotation(int(rng.integers(6)), 0.0))


def bring_and_throw(start: DiePose, seat: Vectors, flight: Trajectory) -> Trajectory:
    """Take a die out of view in the hand, shake it there, bring it to where the hand lets go, and let it fly."""
    first = flight.at(0)
    hidden = DiePose(np.array([*(FIELD_MIDDLE + unit(seat - FIELD_MIDDLE) * IN_HAND_MM), 20.0]), first.rotation)
    lifted = carry(start, DiePose(hidden.centre, start.rotation), PICKING_UP_SECONDS, CARRYING_HEIGHT)
    held = lifted.then(hold(round(SHAKING_SECONDS * STEPS_A_SECOND), hidden))
    return held.then(carry(hidden, first, BRINGING_SECONDS, 0.0)).then(flight)


def wait_for_throw(now: DiePose, is_moving: bool, push: Trajectory) -> Trajectory:
    """Keep a die that a throw will push where it is until the throw begins; one still moving gets there meanwhile."""
    waiting = round(LETTING_GO_SECONDS * STEPS_A_SECOND)
    before = carry(now, push.at(0), waiting / STEPS_A_SECOND, 0.0) if is_moving else hold(waiting, now)
    return before.then(push)


def carry_over(start: DiePose, end: DiePose) -> Trajectory:
    """Carry a die at a hand's speed."""
    far = float(np.linalg.norm(end.centre - start.centre))
    return carry(start, end, 0.25 + far / CARRYING_SPEED, CARRYING_HEIGHT)


def set_down(start: DiePose, end: DiePose) -> Trajectory:
    """Carry a die at a hand's speed, and turn it in the fingers on the way so that it lies as asked."""
    far = float(np.linalg.norm(end.centre - start.centre))
    return carry_turning(start, end, 0.45 + far / CARRYING_SPEED, CARRYING_HEIGHT)


def drop(start: DiePose, end: DiePose, edge: float, rng: np.random.Generator) -> Trajectory:
    """Hold a die in the fingers above the table and let it fall: it bounces twice, low, and rolls a little."""
    falling = _fall(end, edge, rng)
    held = falling.at(0)
    far = float(np.linalg.norm(held.centre - start.centre))
    carried = carry_turning(start, held, 0.3 + far / CARRYING_SPEED, CARRYING_HEIGHT / 2)
    return carried.then(hold(round(0.1 * STEPS_A_SECOND), held)).then(falling)


def slide(start: DiePose, end: DiePose) -> Trajectory:
    """Push a die over the felt with a finger."""
    far = float(np.linalg.norm(end.centre - start.centre))
    return carry(start.upright, end, 0.1 + far / SLIDING_SPEED, 0.0)


def held_part(trajectory: Trajectory, edge: float) -> Trajectory:
    """Return the part of a movement in which the die is in the fingers: all but its fall, where it is dropped."""
    heights = trajectory.centres[:, 2]
    highest = len(heights) - 1 - int(np.argmax(heights[::-1] > 0.97 * heights.max()))
    falls = heights[highest] > edge and bool((np.diff(heights[highest:]) > 0.05).any())
    return trajectory.part(0.0, highest / STEPS_A_SECOND) if falls else trajectory


def turn_to(start: DiePose, end: DiePose) -> Trajectory:
    """Lift a die a little and turn it in the fingers where it lies."""
    return carry_turning(start, end, TURNING_SECONDS, TURNING_HEIGHT)


def about_vertical(angle: float) -> Vectors:
    """Return the rotation about the vertical by an angle in radians."""
    return rotation_about(np.array([0.0, 0.0, 1.0]), angle)


def jolt(start: DiePose, end: DiePose) -> Trajectory:
    """Let a die jump a little, as it does when somebody bumps the table."""
    return carry(start, end, 0.12, 2.0)


def fall_beside(start: DiePose, place: Vectors, edge: float) -> Trajectory:
    """Let a die whose support was taken away fall to a place (x and y) on the table."""
    return carry(start, DiePose(np.array([*place, edge / 2]), start.rotation), 0.15, 0.0)


def _fall(end: DiePose, edge: float, rng: np.random.Generator) -> Trajectory:
    """Return the fall of a die from the fingers (mm, seconds): at first at rest, at last as asked."""
    speed = float(np.sqrt(2 * GRAVITY * rng.uniform(*DROPPING_HEIGHT)))
    ups = (0.0, speed * _BOUNCES[0], speed * _BOUNCES[0] * _BOUNCES[1])
    hops = [_hop(up, speed**2 / (2 * GRAVITY) if up == 0.0 else 0.0) for up in ups]
    heights = np.concatenate([*hops, np.zeros(4)])
    fallen = len(hops[0])
    rolled = np.concatenate([np.zeros(fallen), 1 - (1 - np.linspace(0, 1, len(heights) - fallen)) ** 2])
    angle = float(rng.uniform(0, 2 * np.pi))
    way = _DROP_WAY * float(rng.uniform(0.3, 1.5)) * np.array([np.cos(angle), np.sin(angle)])
    places = end.centre[:2] + (rolled - 1.0)[:, None] * way
    spins = rolling_spins(np.gradient(places, 1.0 / STEPS_A_SECOND, axis=0), edge)
    return lift_to_ground(spin_backwards(np.column_stack([places, heights]), end.rotation, spins), edge)


def _hop(up: float, from_height: float) -> Vectors:
    """Return the heights of a flight that begins at a height with an upward speed and ends on the ground."""
    seconds = (up + np.sqrt(up**2 + 2 * GRAVITY * from_height)) / GRAVITY
    times = np.arange(0.0, seconds, 1.0 / STEPS_A_SECOND)
    return np.asarray(np.maximum(from_height + up * times - GRAVITY / 2 * times**2, 0.0))


def turn_over(start: DiePose, place: Vectors, turn: Vectors, edge: float) -> Trajectory:
    """Lift a die a little, turn it (axis times radians) and put it down at a place (x and y)."""
    return turn_in_hand(start, np.array([*place, edge / 2]), turn, TURNING_SECONDS, TURNING_HEIGHT)


def knock_off(start: DiePose, edge: float) -> Trajectory:
    """Push a die so that it rolls over the nearest edge of the picture."""
    off_centre = (start.centre[:2] - (WIDTH / 2, HEIGHT / 2)) / (WIDTH, HEIGHT)
    is_nearest = np.abs(off_centre) == np.abs(off_centre).max()
    direction = np.where(is_nearest, np.where(off_centre < 0, -1.0, 1.0), 0.0)
    direction /= np.linalg.norm(direction)
    steps = round(FALLING_SECONDS * STEPS_A_SECOND)
    along = np.linspace(0.0, FALLING_WAY, steps)
    centres = np.column_stack([start.centre[:2] + along[:, None] * direction, _hops(along)])
    spin = rolling_spins(np.repeat(direction[None] * FALLING_WAY, steps, axis=0), edge)[0]
    speed = float(np.linalg.norm(spin))
    angles = [speed * step / STEPS_A_SECOND for step in range(steps)]
    rotations = np.stack([rotation_about(spin / speed, angle) @ start.rotation for angle in angles])
    return lift_to_ground(Trajectory(centres, rotations), edge)


def _hops(along: Vectors) -> Vectors:
    """Return how high a die that was knocked away hops on its way, so that it clears the fence."""
    return np.asarray(26.0 * np.abs(np.sin(np.pi * along / 90.0)) ** 0.6)
