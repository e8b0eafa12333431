"""What really lies on the virtual tray. For tests alone: nothing that plays may import this."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardware.simulator.virtual_tray import SetOutDie, VirtualTray
from referee.dice import FaceName, KindName


@dataclass(frozen=True)
class TrueDie:
    """A die as it is: the face that looks up most, where its centre is (mm), its turn (degrees, 0..90), its posture."""

    number: int
    kind: KindName
    face: FaceName
    x_mm: float
    y_mm: float
    turned_degrees: float
    flat: bool


def truth(tray: VirtualTray) -> dict[int, TrueDie]:
    """Every die that is in view now, by its number."""
    return {die.number: _true(die) for die in tray.scene().dice}


def _true(die: SetOutDie) -> TrueDie:
    lie = die.lie
    turned = float(np.degrees(lie.yaw)) % 90.0
    return TrueDie(
        die.number, die.kind.name, die.faces[lie.top], float(lie.centre[0]), float(lie.centre[1]), turned, lie.flat
    )
