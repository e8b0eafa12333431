"""What really lies on the virtual tray, for benches and tests alone: the program itself never knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from hardware.simulator.physics import centre_height
from hardware.simulator.virtual_tray import SceneDie, VirtualTray
from referee.dice import FaceName, KindName


@dataclass(frozen=True)
class TrueTrayDie:
    """A die as it is: the face that points up most, the place of its centre (mm), its turn (0 to 90 degrees).

    `flat` is False for a die that leans. `raised_mm` is the height of its lowest corner: an edge for one that lies on
    another.
    """

    number: int
    kind: KindName
    face: FaceName
    x_mm: float
    y_mm: float
    turned_degrees: float
    flat: bool
    raised_mm: float


def truth(tray: VirtualTray) -> dict[int, TrueTrayDie]:
    """Return every die that is in view now, by its number."""
    scene = tray.scene()
    edge = scene.edge_mm
    return {die.number: _true_die(die, edge) for die in scene.dice}


def truth_at_rest(tray: VirtualTray) -> dict[int, TrueTrayDie]:
    """Return how every die that is in view now will lie once it rests, if nobody touches it before."""
    scene, ends = tray.scene(), tray.lying_dice()[tray.die_set.name]
    return {die.number: _true_die(replace(die, pose=ends[die.number]), scene.edge_mm) for die in scene.dice}


def true_places(tray: VirtualTray) -> dict[int, str]:
    """Return where each die of the tray lies, by its number: field, aside, out or off."""
    return {int(die["number"]): str(die["place"]) for die in tray.dice()}


def nearest_die(tray: VirtualTray, x: float, y: float) -> int:
    """Return the number of the tray's die that lies nearest to a point of the camera's picture, in pixels."""
    width, height = tray.size
    ways = {int(d["number"]): hypot(float(d["x"]) * width - x, float(d["y"]) * height - y) for d in tray.dice()}
    return min(ways, key=ways.__getitem__)


def _true_die(die: SceneDie, edge: float) -> TrueTrayDie:
    pose = die.pose
    x_mm, y_mm = float(pose.centre[0]), float(pose.centre[1])
    turned = float(np.degrees(pose.yaw)) % 90.0
    raised = float(pose.centre[2]) - centre_height(pose.rotation, edge)
    return TrueTrayDie(die.number, die.kind.name, die.faces[pose.top], x_mm, y_mm, turned, pose.flat, raised)
