"""Paths of hands that reach to dice, hold them and let go: the pose of each hand over time. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulator.die_trajectory import STEPS_A_SECOND, Trajectory, eased
from hardware.simulator.geometry import FIELD_MIDDLE, HEIGHT, WIDTH, Vectors, unit

REACHING_SECONDS = 0.3
"""How long a hand takes to reach in, or to leave."""
_SEAT_MM = 420.0
"""How far from the middle of the field a hand comes from and goes to: beyond the picture."""
_FOLLOWING_MM = 35.0
"""How far a hand goes on in the direction of a throw after it let go."""
_SKINS = ((128.0, 160.0, 214.0), (150.0, 180.0, 228.0), (92.0, 124.0, 178.0), (58.0, 82.0, 128.0), (40.0, 56.0, 88.0))
_CLOTHS = ((112.0, 74.0, 46.0), (52.0, 58.0, 132.0), (64.0, 64.0, 66.0), (176.0, 178.0, 172.0), (70.0, 104.0, 62.0))


@dataclass(frozen=True)
class HandLook:
    """What a hand looks like: colours (blue, green, red) of its skin and its sleeve, and whether it is a left one."""

    skin: tuple[float, float, float]
    cloth: tuple[float, float, float]
    is_left: bool


@dataclass(frozen=True)
class HandPose:
    """Where a hand is: its fingertips (mm), where its arm comes from (mm), whether it is open, and its look."""

    tip: tuple[float, float]
    seat: tuple[float, float]
    is_open: bool
    look: HandLook


@dataclass(frozen=True, eq=False)
class HandPath:
    """The way of a hand since a moment of the tray's time: fingertips (T x 2), and from which step on it is open."""

    since: float
    tips: Vectors
    opens_at: int
    seat: Vectors
    look: HandLook

    def is_over(self, now: float) -> bool:
        """True once the hand has left."""
        return now - self.since >= len(self.tips) / STEPS_A_SECOND

    def is_leaving(self, now: float) -> bool:
        """True once the hand has let go."""
        return self._step(now) >= self.opens_at

    def tip(self, now: float) -> Vectors:
        """Return where its fingertips are."""
        return np.asarray(self.tips[self._step(now)])

    def pose(self, now: float) -> HandPose:
        """Return where the hand is."""
        tip, seat = self.tips[self._step(now)], self.seat
        place = (float(tip[0]), float(tip[1]))
        return HandPose(place, (float(seat[0]), float(seat[1])), self.is_leaving(now), self.look)

    def _step(self, now: float) -> int:
        return min(max(round((now - self.since) * STEPS_A_SECOND), 0), len(self.tips) - 1)


def random_look(rng: np.random.Generator) -> HandLook:
    """Return a look of a hand."""
    skin, cloth = _SKINS[rng.integers(len(_SKINS))], _CLOTHS[rng.integers(len(_CLOTHS))]
    return HandLook(skin, cloth, bool(rng.random() < 0.3))


def random_seat(rng: np.random.Generator) -> Vectors:
    """Return where the arm of a player at the lower edge comes from."""
    return np.array([WIDTH / 2 + rng.uniform(-130, 130), HEIGHT / 2 + _SEAT_MM])


def seat_behind(direction: Vectors) -> Vectors:
    """Return where the arm comes from that throws in that direction (unit vector)."""
    return np.asarray(FIELD_MIDDLE - direction * _SEAT_MM)


def follow(since: float, held: Trajectory, at: tuple[Vectors, Vectors], look: HandLook) -> HandPath:
    """Return the path of a hand that reaches to a die, goes with it for as long as it is held, and leaves.

    at: where its fingertips are, and where its arm comes from.
    """
    (tip, seat), way = at, held.centres[:, :2]
    reach, leave = _between(tip, way[0]), _between(way[-1], seat)
    return HandPath(since, np.concatenate([reach, way, leave]), len(reach) + len(way) - 1, seat, look)


def pick_up_and_throw(since: float, held: Sequence[Trajectory], seat: Vectors, look: HandLook) -> HandPath:
    """Return the path of a hand that takes up dice which are held together, throws them, and leaves."""
    way = np.mean([each.centres[:, :2] for each in held], axis=0)
    ahead = way[-1] + unit(FIELD_MIDDLE - seat) * _FOLLOWING_MM
    swing = np.linspace(way[-1], ahead, round(0.08 * STEPS_A_SECOND))
    parts = [_between(seat, way[0]), way, swing, _between(ahead, seat)]
    return HandPath(since, np.concatenate(parts), len(parts[0]) + len(way), seat, look)


def poses(paths: Iterable[HandPath], now: float) -> tuple[HandPose, ...]:
    """Return where the hands are that are under way."""
    return tuple(path.pose(now) for path in paths if not path.is_over(now))


def _between(start: Vectors, end: Vectors) -> Vectors:
    share = eased(np.linspace(0.0, 1.0, round(REACHING_SECONDS * STEPS_A_SECOND)))
    return np.asarray(start + share[:, None] * (end - start))
