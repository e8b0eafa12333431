"""Dice that fall, tumble and push each other between walls, by MuJoCo's physics. Lengths are metres, z is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from models.training.lying_dice import Array, Rng, Solid

DIE_KG = 0.004
NO_MOTION = np.zeros(3)


LIVELY, CALM = (0.35, 0.7), (0.65, 0.9)
"""Ranges of the damping of contacts. Dice of a lively one jump more, and creep by up to 2 mm a second when at rest."""


def random_bounce(rng: Rng, damping: tuple[float, float] = LIVELY) -> dict[str, list[float]]:
    """Return how springy and how rough dice, floor and walls are."""
    return {
        "solref": [0.004, float(rng.uniform(*damping))],
        "friction": [float(rng.uniform(0.25, 0.7)), 0.005, 1e-4],
    }


def rotation_of(quaternion: Array) -> Array:
    """Return the rotation (3, 3) of a quaternion (w, x, y, z) of any length."""
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, quaternion / np.linalg.norm(quaternion))
    return turn.reshape(3, 3)


def quaternion_of(turn: Array) -> Array:
    """Return the unit quaternion (w, x, y, z) of a rotation (3, 3)."""
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    return quaternion


class DiceWorld:
    """So many dice of one edge, all at the origin until they are placed."""

    def __init__(
        self, edge: float, count: int, walls: Sequence[Solid], bounce: Mapping[str, list[float]], step_seconds: float
    ) -> None:
        box = mujoco.mjtGeom.mjGEOM_BOX
        spec = mujoco.MjSpec()
        spec.option.timestep = step_seconds
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[3, 3, 0.1], **bounce)
        for wall in walls:
            spec.worldbody.add_geom(type=box, size=wall.half, pos=wall.centre, quat=quaternion_of(wall.turn), **bounce)
        for _ in range(count):
            body = spec.worldbody.add_body()
            body.add_freejoint()
            body.add_geom(type=box, size=[edge / 2] * 3, mass=DIE_KG, **bounce)
        self._model = spec.compile()
        self._state = mujoco.MjData(self._model)

    def place(self, k: int, centre: Array, turn: Array, speed: Array = NO_MOTION, spin: Array = NO_MOTION) -> None:
        """Put die k somewhere with a rotation (3, 3), a speed (m/s) and a spin (radians a second, in its own axes)."""
        self._state.qpos[7 * k : 7 * k + 7] = *centre, *quaternion_of(turn)
        self._state.qvel[6 * k : 6 * k + 6] = *speed, *spin

    def step(self, steps: int = 1) -> None:
        """Let so many steps of time pass."""
        mujoco.mj_step(self._model, self._state, steps)

    @property
    def centres(self) -> Array:
        """Return where the dice are, (dice, 3)."""
        return self._state.qpos.reshape(-1, 7)[:, :3].copy()

    @property
    def turns(self) -> Array:
        """Return how the dice are rotated, (dice, 3, 3)."""
        return np.array([rotation_of(quaternion) for quaternion in self._state.qpos.reshape(-1, 7)[:, 3:]])

    @property
    def is_at_rest(self) -> bool:
        """True if no die moves by 3 mm or turns by a fifth of a radian in a second."""
        moved = np.abs(self._state.qvel.reshape(-1, 6))
        return bool(moved[:, :3].max(initial=0.0) < 0.003 and moved[:, 3:].max(initial=0.0) < 0.2)
