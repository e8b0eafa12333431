"""At the virtual tray: thrown dice were seen to tumble, and no other."""

from __future__ import annotations

import pytest
from true_pipeline import true_pipeline

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import Handling
from vision.observations import Observation
from vision.pipeline import Pipeline


class Watched:
    """A virtual tray under a pipeline that reads the truth."""

    def __init__(self) -> None:
        self.tray = VirtualTray("intersection", seed=7, mishaps=Mishaps(0, 0), size=(640, 480))
        self._camera = VirtualCamera(self.tray, paced=False, seed=7)
        self._pipeline: Pipeline = true_pipeline(self.tray)
        self._camera.open()
        self.rest()

    def rest(self) -> Observation:
        """Watch until nothing has moved for a while."""
        quiet, moment = 0, -1
        while quiet < 6:
            seen = self._pipeline.process(self._camera.frame())
            now = self.tray.scene().moment
            quiet, moment = quiet + 1 if seen.at_rest and now == moment else 0, now
        return seen


def marks(seen: Observation, throw: int) -> list[Handling | None]:
    return [die.handled for die in seen.dice if die.thrown == throw]


@pytest.mark.slow
def test_thrown_dice_were_seen_to_tumble_and_handled_ones_were_not() -> None:
    watched = Watched()
    watched.tray.throw([1, 2, 3, 4, 5, 6])
    assert marks(watched.rest(), 1) == [None] * 6
    watched.tray.tip(1)
    assert marks(watched.rest(), 2) == [Handling.TURNED]
    watched.tray.throw([1, 2, 4])
    assert marks(watched.rest(), 3) == [None] * 3
