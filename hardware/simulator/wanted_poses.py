"""How the dice of the virtual tray lie once a hand has turned and carried them as wanted. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from hardware.simulator.die_trajectory import DiePose, centre_height, flat_rotation
from hardware.simulator.geometry import BAY, FIELD_MIDDLE, HEIGHT, WIDTH, TrayPlace, Vectors
from hardware.simulator.resting_places import free_place, squares_of
from hardware.simulator.tray_memory import Arrangement, DieLook
from referee.dice import DieKind, FaceName

BAY_MIDDLE: Final[Vectors] = np.array([(BAY + WIDTH) / 2, 0.6 * HEIGHT])


def faces_of(kind: DieKind) -> tuple[FaceName, ...]:
    """Return the faces of a die in the painter's order (+x, -x, +y, -y, +z, -z); sides 1 and 6 are opposite."""
    return tuple(kind.sides[side].name for side in (0, 5, 1, 4, 2, 3))


def wanted_poses(
    start: Arrangement, wanted: Sequence[DieLook], kinds: Mapping[int, DieKind], edge: float
) -> Mapping[int, DiePose]:
    """Return how the dice lie, by their numbers, once those that no die of `start` looks like are laid too.

    For each of these a die of its kind is turned in its place, or carried, which lies otherwise or is away; none where
    all dice of the kind are wanted as they lie. `edge` is in mm.
    """
    left, missing = dict(start.looks), list[DieLook]()
    for look in wanted:
        found = next((number for number, each in left.items() if each.is_like(look)), None)
        if found is None:
            missing.append(look)
        else:
            del left[found]
    poses, free = dict(start.poses), set(left) | (kinds.keys() - start.looks.keys())
    for look in missing:
        fitting = [number for number in sorted(free) if kinds[number].name == look.kind]
        if fitting:
            number = max(fitting, key=lambda each: _likeness(left.get(each), look))
            free.remove(number)
            others = {each: pose for each, pose in poses.items() if each != number}
            stays = number in left and look.place in ("", left[number].place)
            old = poses.get(number)
            spot = old.centre[:2] if old and stays else _free_spot(look, others, edge)
            rotation = flat_rotation(_top(look, faces_of(kinds[number]), old), old.yaw if old else 0.0)
            poses[number] = DiePose(np.array([*spot, centre_height(rotation, edge)]), rotation)
    return poses


def _likeness(lies: DieLook | None, wanted: DieLook) -> tuple[bool, bool, bool]:
    """Return how much a die is like the wanted one: by its face, by its place, and by lying on the table at all."""
    if lies is None:
        return False, False, False
    return lies.face == wanted.face, lies.place == wanted.place, True


def _top(wanted: DieLook, faces: Sequence[str], old: DiePose | None) -> int:
    """Return the wanted face, 0 to 5, else the one that shows already."""
    if wanted.face in faces:
        return faces.index(wanted.face)
    return old.top if old else 0


def _free_spot(wanted: DieLook, others: Mapping[int, DiePose], edge: float) -> Vectors:
    wish = BAY_MIDDLE if wanted.place == TrayPlace.ASIDE else FIELD_MIDDLE
    return free_place(wish, 0.0, squares_of(others.values()), edge)
