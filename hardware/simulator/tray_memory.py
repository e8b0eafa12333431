"""How the dice of the virtual tray lay before what hands did, as people at the table remember it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulator.die_trajectory import DiePose
from hardware.simulator.geometry import TrayPlace

MOST_REMEMBERED = 24
"""How many arrangements are remembered; the oldest are forgotten."""
_SAME_MM, _SAME_ROTATION = 0.5, 0.02


@dataclass(frozen=True)
class DieLook:
    """A die as a person sees it: its kind, its face and its place; '' where nothing is said of them."""

    kind: str
    face: str = ""
    place: str = ""

    def is_like(self, wanted: DieLook) -> bool:
        """Return True if a die that looks so is the wanted one."""
        return self.kind == wanted.kind and wanted.face in ("", self.face) and wanted.place in ("", self.place)


@dataclass(frozen=True, eq=False)
class Arrangement:
    """How all dice on the table lie and look, by their numbers."""

    poses: Mapping[int, DiePose]
    looks: Mapping[int, DieLook]

    def fits(self, wanted: Iterable[DieLook]) -> int:
        """Return how many of the wanted dice lie there, each die counted once."""
        left = list(self.looks.values())
        count = 0
        for die in wanted:
            found = next((look for look in left if look.is_like(die)), None)
            if found is not None:
                left.remove(found)
                count += 1
        return count


class TrayMemory:
    """The arrangements of the tray before each thing that hands did, the oldest first."""

    def __init__(self) -> None:
        self._kept: deque[Arrangement] = deque(maxlen=MOST_REMEMBERED)

    def keep(self, arrangement: Arrangement) -> None:
        """Remember an arrangement, unless it is the last one."""
        if not self._kept or not is_same(self._kept[-1].poses, arrangement.poses):
            self._kept.append(arrangement)

    def best(self, wanted: Sequence[DieLook], now: Arrangement) -> Arrangement | None:
        """Return the newest arrangement, other than the present one, that fits best; None where none is remembered."""
        others = [each for each in reversed(self._kept) if not is_same(each.poses, now.poses)]
        return max(others, key=lambda each: each.fits(wanted), default=None)


def is_same(one: Mapping[int, DiePose], other: Mapping[int, DiePose]) -> bool:
    """Return True if the same dice lie in the same places and rotations."""
    return one.keys() == other.keys() and all(is_same_pose(one[number], other[number]) for number in one)


def is_same_pose(one: DiePose, other: DiePose) -> bool:
    """Return True if a die has not been moved from one pose to the other."""
    moved = float(np.abs(one.centre - other.centre).max())
    turned = float(np.abs(one.rotation - other.rotation).max())
    return moved < _SAME_MM and turned < _SAME_ROTATION


def tray_place(zone: str) -> str:
    """Return the place of the tray in which a die of that zone lies: the spot is a part of the bay."""
    return str(TrayPlace.ASIDE) if zone == "signal" else zone
