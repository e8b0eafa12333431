"""What hands do with dice on the virtual tray: pick up, carry, turn, knock off. All lengths in mm, times in seconds."""

from __future__ import annotations

import numpy as np

from hardware.simulator.die_trajectory import (
    STEPS_A_SECOND,
    DiePose,
    Trajectory,
    carry,
    flat_rotation,
    hold,
    lift_to_ground,
    rolling_spins,
    rotation_about,
    turn_in_hand,
)
from hardware.simulator.geometry import HEIGHT, WIDTH, Vectors

PICKING_UP_SECONDS, SHAKING_SECONDS = 0.35, 0.2
CARRYING_SPEED = 700.0
"""Millimetres a second at which a hand carries a die."""
CARRYING_HEIGHT = 28.0
TURNING_SECONDS, TURNING_HEIGHT = 0.6, 14.0
IN_THE_HAND = (WIDTH / 2, HEIGHT + 110.0)
"""Where dice are shaken: beyond the lower edge of the picture."""
FALLING_SECONDS, FALLING_WAY = 0.8, 420.0


def pose_in_hand(rng: np.random.Generator) -> DiePose:
    """Return the pose of a die in the hand, with a random face."""
    return DiePose(np.array([*IN_THE_HAND, 20.0]), flat_rotation(int(rng.integers(6)), 0.0))


def pick_up_and_throw(start: DiePose, in_hand: DiePose, flight: Trajectory) -> Trajectory:
    """Lift a die into the hand and shake it before it flies. Its rotation may jump there, where nobody sees it."""
    hand = DiePose(in_hand.centre, start.rotation)
    lifted = carry(start, hand, PICKING_UP_SECONDS, CARRYING_HEIGHT)
    return lifted.then(hold(round(SHAKING_SECONDS * STEPS_A_SECOND), hand)).then(flight)


def wait_for_throw(now: DiePose, is_moving: bool, push: Trajectory) -> Trajectory:
    """Keep a die that a throw will push where it is until the throw begins; one still moving gets there meanwhile."""
    waiting = round((PICKING_UP_SECONDS + SHAKING_SECONDS) * STEPS_A_SECOND)
    before = carry(now, push.at(0), waiting / STEPS_A_SECOND, 0.0) if is_moving else hold(waiting, now)
    return before.then(push)


def carry_over(start: DiePose, end: DiePose) -> Trajectory:
    """Carry a die at a hand's speed."""
    far = float(np.linalg.norm(end.centre - start.centre))
    return carry(start, end, 0.25 + far / CARRYING_SPEED, CARRYING_HEIGHT)


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
