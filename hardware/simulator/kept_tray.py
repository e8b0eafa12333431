"""How the dice of the virtual tray lay, as text: so that they lie the same way after a restart."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import numpy as np

from hardware.simulator.die_trajectory import DiePose

LyingDice = Mapping[int, DiePose]
"""The dice of a set by their numbers, with those out of view."""
FURTHEST_MM: Final = 2000.0
"""How far from the tray's corner a die may be said to lie; farther is a damaged file."""
_DECIMALS = 5


def write_lying_dice(sets: Mapping[str, LyingDice]) -> str:
    """Return as JSON how the dice of each set lie, by the set's name."""
    return json.dumps(
        {name: {str(number): _numbers(pose) for number, pose in dice.items()} for name, dice in sets.items()}
    )


def read_lying_dice(text: str) -> dict[str, LyingDice]:
    """Return what `write_lying_dice` wrote. Raises ValueError for anything else."""
    try:
        return {
            str(name): {int(number): _pose(numbers) for number, numbers in dice.items()}
            for name, dice in json.loads(text).items()
        }
    except (AttributeError, TypeError) as error:
        raise ValueError(f"it does not hold how dice lie: {error}") from error


def _numbers(pose: DiePose) -> list[float]:
    return [round(float(value), _DECIMALS) for value in (*pose.centre, *pose.rotation.ravel())]


def _pose(numbers: object) -> DiePose:
    found = np.asarray(numbers, np.float64)
    if found.shape != (12,) or not np.isfinite(found).all() or np.abs(found[:3]).max() > FURTHEST_MM:
        raise ValueError("a die lies nowhere")
    rotation = found[3:].reshape(3, 3)
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > 1e-3:
        raise ValueError("a die is turned in no way that there is")
    return DiePose(found[:3], rotation)
