"""Which dice of a guided capture lie newly laid: where dice were pictured, turned down, and for how long they rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.dice import Zone
from vision.observations import DieSighting, Observation, TrackedDie

SURE_OF_A_DIE = 0.5
"""The finder's confidence from which something is pictured as a die."""
STILL_EDGES, STILL_DEGREES = 0.35, 10.0
"""A die that moved and turned less than this would give the same picture again."""
REST_FRAMES = 6
"""Frames in a row that dice must lie still before they are pictured; a die that fingers turn rests for moments too."""


@dataclass(frozen=True)
class SightedPosition:
    """How a die lay when it was pictured, in pixels of the camera."""

    x: float
    y: float
    edge: float
    turned_degrees: float

    @classmethod
    def of(cls, sighting: DieSighting) -> SightedPosition:
        """Return the position of a sighted die."""
        return cls(sighting.x, sighting.y, sighting.edge, sighting.turned_degrees)

    def is_still(self, other: SightedPosition) -> bool:
        """True if a die that lay as the other one was neither moved nor turned since."""
        apart = float(np.hypot(self.x - other.x, self.y - other.y))
        turned = abs((self.turned_degrees - other.turned_degrees + 45) % 90 - 45)
        return apart < STILL_EDGES * self.edge and turned < STILL_DEGREES


class RestingDice:
    """Remembers how dice lay when they were pictured, or turned down because they look like another face."""

    def __init__(self) -> None:
        self._pictured: Sequence[SightedPosition] | None = None  # None until dice rest for the first time
        self._turned_down: Sequence[SightedPosition] = ()
        self._frames = 0

    def disturb(self) -> None:
        """Note that dice or hands move."""
        self._frames, self._turned_down = 0, ()

    def rest(self, dice: Sequence[TrackedDie]) -> bool:
        """Count a frame at rest, and return True if the dice rest for long enough.

        What rests the first time was not laid for any face, and is never pictured.
        """
        self._frames += 1
        if self._frames < REST_FRAMES:
            return False
        if self._pictured is None:
            self.mark_pictured(dice)
        return True

    def mark_pictured(self, dice: Sequence[TrackedDie] | None) -> None:
        """Picture these dice only after they were moved; None: whatever rests next."""
        self._pictured = None if dice is None else _positions(dice)

    def newly_laid(self, dice: Sequence[TrackedDie]) -> list[TrackedDie]:
        """Return the dice that were moved since they were pictured."""
        pictured = self._pictured or ()
        return [die for die in dice if not any(_position(die).is_still(one) for one in pictured)]

    def turn_down(self, dice: Sequence[TrackedDie]) -> None:
        """Do not look at these dice again before they were moved."""
        self._turned_down = _positions(dice)

    def accept_any(self) -> None:
        """Forget which dice were turned down."""
        self._turned_down = ()

    def are_turned_down(self, dice: Sequence[TrackedDie]) -> bool:
        """True if all of these dice were turned down, and none was moved since."""
        positions = _positions(dice)
        return bool(self._turned_down) and all(
            any(one.is_still(other) for other in self._turned_down) for one in positions
        )


def surely_dice(observation: Observation) -> list[TrackedDie]:
    """Return what is surely a die, in the tray or next to it on the mat."""
    dice = (die for die in observation.dice if die.zone is not Zone.OUT)
    return [die for die in dice if die.reading.sighting.confidence >= SURE_OF_A_DIE]


def _position(die: TrackedDie) -> SightedPosition:
    return SightedPosition.of(die.reading.sighting)


def _positions(dice: Sequence[TrackedDie]) -> list[SightedPosition]:
    return [_position(die) for die in dice]
