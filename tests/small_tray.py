"""A virtual tray in pictures so small that none is scaled down, read by its truth and calibrated by its lens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps, marker_centres
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import DieSet
from tests.box_painter import paint_boxes
from vision.arrival import ArrivalModel
from vision.frame_reader import FrameReader
from vision.frames import Frame, Pixels
from vision.observations import DieReading, DieSighting, Observation, Posture
from vision.pipeline import Pipeline
from vision.rectification import TrayView
from vision.tray_calibration import Calibration, TrayLayout, fit_calibration

SIZE = 320, 240
NO_MISHAPS = Mishaps(0.0, 0.0)

_ARRIVALS = ArrivalModel(Path(__file__).parents[1] / "models/weights/arrival.onnx").tell


@dataclass(eq=False)
class SmallTray:
    """A tray, and the pipeline that watches it at so many pictures a second, of which a share is lost.

    boxes: True for dice that are plain boxes, which are painted sooner.
    """

    die_set: str
    seed: int
    rate: float = 15.0
    lost: float = 0.0
    mishaps: Mishaps = NO_MISHAPS
    boxes: bool = False
    now: float = 100.0
    seen: list[tuple[float, Observation]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tray = VirtualTray(self.die_set, seed=self.seed, mishaps=self.mishaps, size=SIZE)
        self.pipeline = KnownTray(self.tray)
        self._camera = VirtualCamera(self.tray, paced=False, seed=self.seed)
        self._rng = np.random.default_rng(self.seed)
        self._number = 0

    @property
    def numbers(self) -> list[int]:
        """The dice that are out."""
        return [int(die["number"]) for die in self.tray.dice()]

    def watch(self, seconds: float) -> Observation:
        """Let time pass, and return what was seen last."""
        for _ in range(max(1, round(seconds * self.rate))):
            self.tray.advance(1 / self.rate)
            if self._rng.random() >= self.lost:
                self.take(self.picture())
            else:
                self.now += 1 / self.rate
        return self.seen[-1][1]

    def picture(self) -> Pixels:
        """What the camera sees now."""
        scene = self.tray.scene()
        return paint_boxes(self.tray, scene, self._rng) if self.boxes else self._camera._taken(scene)

    def take(self, picture: Pixels) -> Observation:
        """Let the pipeline see a picture as the next frame."""
        self.now += 1 / self.rate
        self._number += 1
        self.seen.append((self.now, self.pipeline.process(Frame(picture, self._number, self.now))))
        return self.seen[-1][1]

    def settle(self) -> Observation:
        """Let time pass until the table has been read at rest once more, six seconds at most."""
        self.watch(0.3)
        for _ in range(60):
            seen = self.watch(0.1)
            if seen.at_rest and self.tray.rests_in() <= 0:
                return self.watch(0.4)
        return seen


class _Truth:
    """Finds dice where they are, and reads what they show."""

    accept_from = 0.0

    def __init__(self, tray: VirtualTray) -> None:
        self._tray = tray

    def find(self, view: TrayView, *, thoroughly: bool = False) -> tuple[DieSighting, ...]:
        assert view.calibration is not None
        back = np.linalg.inv(view.calibration.to_mm)
        width, height = view.calibration.size
        found = []
        for die in truth(self._tray).values():
            places = np.array([[(die.x_mm, die.y_mm)], [(die.x_mm + 16, die.y_mm)]])
            (x, y), (ahead, _) = cv2.perspectiveTransform(places, back).reshape(2, 2)
            if 0 < x < width and 0 < y < height:
                flat = Posture.FLAT if die.flat else Posture.COCKED
                edge = float(ahead - x)
                found.append(
                    DieSighting(die.x_mm, die.y_mm, 16, die.turned_degrees, flat, 0.99, float(x), float(y), edge)
                )
        return tuple(found)

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        there = {(die.x_mm, die.y_mm): die for die in truth(self._tray).values()}
        known = [(sighting, there[sighting.x_mm, sighting.y_mm]) for sighting in sightings]
        return tuple(DieReading(sighting, die.kind, die.face, 0.99, die.flat) for sighting, die in known)


class KnownTray(Pipeline):
    """A pipeline that knows where the tray is, since markers cannot be found in pictures so small."""

    def __init__(self, tray: VirtualTray) -> None:
        eyes = _Truth(tray)
        super().__init__(eyes, eyes, _ARRIVALS, tray.die_set, TrayLayout())
        self._frame_reader = _KnownPlace(eyes, eyes, tray.die_set, TrayLayout(), _calibration(tray))


@dataclass(frozen=True, eq=False)
class _KnownPlace(FrameReader):
    known: Calibration

    def locate(self, frame: Frame, last: Calibration | None = None) -> tuple[Calibration | None, str]:
        return self.known, ""


def _calibration(tray: VirtualTray) -> Calibration:
    corners = np.column_stack([marker_centres(), np.zeros(4)])
    places = np.asarray(tray.lens.project(corners), np.float64)
    found = fit_calibration({k: (float(x), float(y)) for k, (x, y) in enumerate(places)}, TrayLayout(), tray.size)
    assert found is not None
    return found
