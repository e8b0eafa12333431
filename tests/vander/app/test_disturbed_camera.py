"""Frames that are lost, late, twice or under a clock that jumps: the game goes on, and no throw is judged wrongly."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from faulty_cameras import Disturbed
from true_pipeline import ARRIVALS, TrueFinder, TrueReader, true_pipeline

from bench.simulator_truth import truth
from hardware.cameras.base import CameraReport, CameraStatus
from hardware.cameras.replay import ReplayCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import DieSet, Handling
from vander.app.camera_loop import ENDED_IN_THROW, CameraLoop, CameraRecovery
from vision.frame_reader import ImageSource
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout


@pytest.fixture
def tray() -> VirtualTray:
    return VirtualTray("intersection", seed=11, size=(640, 480), mishaps=Mishaps(0.0, 0.0))


def watch(pipeline: Pipeline, camera: Disturbed, frames: int) -> Observation:
    for _ in range(frames):
        frame = camera.frame()
        assert frame is not None
        seen = pipeline.process(frame)
    return seen


class Leaps:
    """A clock that is set forward an hour, and back again, every second; first after so many seconds."""

    def __init__(self, first: float) -> None:
        self._first, self._begun = first, 0.0

    def __call__(self, moment: float) -> float:
        self._begun = self._begun or moment
        return moment + 3600.0 * (int(moment - self._begun + 1.0 - self._first) % 2)


@pytest.mark.parametrize(
    ("shares", "clock"),
    [
        ({"drops": 0.05}, None),
        ({"repeats": 0.3}, None),
        ({"delays": 0.15}, None),
        # At the first and last of these moments a leap falls into the flight of a die, else onto its coming to rest.
        ({"drops": 0.05, "repeats": 0.1, "delays": 0.1}, Leaps(0.8)),
        ({"drops": 0.05, "repeats": 0.1, "delays": 0.1}, Leaps(0.1)),
        ({"drops": 0.05, "repeats": 0.1, "delays": 0.1}, Leaps(0.35)),
        ({"drops": 0.05, "repeats": 0.1, "delays": 0.1}, Leaps(0.5)),
    ],
)
def test_a_throw_under_bad_frames_is_read_as_it_lies(
    tray: VirtualTray, shares: dict[str, float], clock: Callable[[float], float] | None
) -> None:
    pipeline, steady = true_pipeline(tray), (lambda moment: moment)
    camera = Disturbed(VirtualCamera(tray, paced=False, seed=4), 4, clock=clock or steady, **shares)
    camera.open()
    before = watch(pipeline, camera, 30)
    tray.throw([1, 2, 3])
    seen = watch(pipeline, camera, 77)
    assert (before.throw, seen.throw, seen.at_rest) == (0, 1, True)
    assert sorted(die.reading.face for die in seen.dice) == sorted(die.face for die in truth(tray).values())
    assert {die.handled for die in seen.dice} <= {None, *([Handling.UNSEEN] if clock else [])}


def test_a_clock_that_is_set_back_does_not_keep_a_camera_from_being_believed() -> None:
    recovery = CameraRecovery().failed(CameraReport(CameraStatus.LOST)).saw(True, 5000.0)
    for moment in (10.0, 10.6, 11.1):
        recovery = recovery.saw(True, moment)
    assert recovery.is_over


class Receiver:
    """Keeps what the camera loop tells."""

    def __init__(self, dice: DieSet) -> None:
        self.dice = dice
        self.occasion = None
        self.observations: list[Observation] = []
        self.reports: list[CameraReport] = []

    def observe(self, observation: Observation, images: ImageSource | None = None, occasion: object = None) -> None:
        self.observations.append(observation)

    def report_camera(self, report: CameraReport) -> None:
        self.reports.append(report)

    def report_unsaved(self, sentence: str) -> None:
        raise AssertionError(sentence)


@pytest.fixture
def film_that_ends_in_mid_throw(tray: VirtualTray, tmp_path: Path) -> Path:
    camera = VirtualCamera(tray, paced=False, seed=4)
    camera.open()
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 480))
    for number in range(34):
        if number == 12:
            tray.throw([1, 2, 3])
        film.write(camera.frame().pixels)
    film.release()
    return tmp_path / "film.avi"


def test_a_film_that_ends_in_mid_throw_is_said_and_rules_on_nothing(
    tray: VirtualTray, film_that_ends_in_mid_throw: Path
) -> None:
    receiver = Receiver(tray.die_set)
    camera = ReplayCamera(film_that_ends_in_mid_throw, paced=False)
    loop = CameraLoop(camera, receiver, lambda dice: _replay_pipeline(tray, dice))
    loop.start()
    until = time.monotonic() + 60
    while not loop.over and time.monotonic() < until:
        time.sleep(0.02)
    loop.stop()
    assert not [seen for seen in receiver.observations if seen.at_rest and seen.throw]
    assert receiver.reports[-1] == CameraReport(CameraStatus.ENDED, ENDED_IN_THROW)


def _replay_pipeline(tray: VirtualTray, dice: DieSet) -> Pipeline:
    return Pipeline(TrueFinder(tray), TrueReader(tray), ARRIVALS, dice, TrayLayout(), live=False)
