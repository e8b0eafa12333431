from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from true_pipeline import true_pipeline

from hardware.cameras.base import Camera, CameraReport, CameraStuck
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.throw_physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import DieSet
from referee.journal import Snapshot
from vander.app.camera_loop import Watch
from vander.session.session import Table
from vision.frames import Frame
from vision.pipeline import Pipeline

PATIENCE_S = 60.0


def wait_for(table: Table, holds: Callable[[Snapshot], bool]) -> Snapshot:
    until, now = time.monotonic() + PATIENCE_S, table.snapshot()
    while not holds(now):
        assert time.monotonic() < until, now
        now = table.wait(now.number, 0.5)
    return now


@pytest.fixture
def tray() -> VirtualTray:
    return VirtualTray("intersection", seed=2, size=(640, 480), mishaps=Mishaps(0.0, 0.0))


@pytest.fixture
def watch(table: Table, tray: VirtualTray) -> Iterator[Watch]:
    watching = Watch(VirtualCamera(tray, paced=False, seed=2), table, lambda _: true_pipeline(tray))
    watching.start()
    yield watching
    watching.stop()


@pytest.mark.usefixtures("watch")
def test_the_dice_on_the_tray_are_shown(table: Table) -> None:
    shown = wait_for(table, lambda now: len(now.dice) == 6)
    assert sorted(die.kind for die in shown.dice) == ["signal", *["traffic"] * 5]
    assert all(die.crop for die in shown.dice)


@pytest.mark.usefixtures("watch")
def test_a_camera_that_goes_away_is_said_and_comes_back(table: Table, tray: VirtualTray) -> None:
    wait_for(table, lambda now: len(now.dice) == 6)
    tray.trouble("unplugged")
    lost = wait_for(table, lambda now: bool(now.camera_trouble))
    assert lost.mood == "lost"
    assert len(lost.dice) == 6
    tray.trouble("")
    wait_for(table, lambda now: not now.camera_trouble and now.extras["table"] == "quiet")


@pytest.mark.usefixtures("watch")
def test_a_covered_lens_is_said_and_forgotten(table: Table, tray: VirtualTray) -> None:
    wait_for(table, lambda now: len(now.dice) == 6)
    tray.trouble("covered")
    assert "cover" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble.lower()
    tray.trouble("")
    wait_for(table, lambda now: not now.camera_trouble and now.extras["table"] == "quiet")


def test_a_camera_that_cannot_be_opened_at_the_start_is_said_and_looked_for(table: Table, tray: VirtualTray) -> None:
    tray.trouble("unplugged")
    watching = Watch(VirtualCamera(tray, paced=False), table, lambda _: true_pipeline(tray))
    watching.start()
    try:
        assert "unplugged" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        tray.trouble("")
        wait_for(table, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    finally:
        watching.stop()


class Pulse:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.beats = self.losses = self.sticks = 0

    def beat(self) -> None:
        self.beats += 1

    def lost(self) -> None:
        self.losses += 1

    def stuck(self) -> None:
        self.sticks += 1


class HangingCamera(VirtualCamera):
    """A camera whose driver hangs in this program."""

    def open(self) -> None:
        raise CameraStuck("the camera hangs in its driver; start Vander anew")


def test_a_camera_that_hangs_in_this_program_is_told_to_the_pulse_as_such(table: Table, tray: VirtualTray) -> None:
    pulse = Pulse()
    watching = Watch(HangingCamera(tray, paced=False), table, lambda _: true_pipeline(tray), pulse)
    watching.start()
    try:
        assert "hangs" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        wait_for(table, lambda _: pulse.sticks > 0)
    finally:
        watching.stop()
    assert pulse.losses == 0


def test_the_pulse_beats_with_fresh_frames_alone_and_hears_of_a_lost_camera(table: Table, tray: VirtualTray) -> None:
    pulse = Pulse()
    watching = Watch(VirtualCamera(tray, paced=False), table, lambda _: true_pipeline(tray), pulse)
    watching.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6)
        assert pulse.beats > 0
        assert pulse.losses == 0
        tray.trouble("frozen")
        wait_for(table, lambda now: "frozen" in now.camera_trouble)
        before = pulse.beats
        time.sleep(0.3)  # dozens of frames, all the same
        assert pulse.beats == before
        assert pulse.losses == 0
        tray.trouble("unplugged")
        wait_for(table, lambda _: pulse.losses > 0)
    finally:
        watching.stop()


def test_what_nobody_expected_is_said_on_the_page_and_the_watching_goes_on(
    table: Table, tray: VirtualTray, caplog: pytest.LogCaptureFixture
) -> None:
    opened: list[Any] = []

    def stumble_once(_: DieSet) -> Pipeline:
        opened.append(1)
        if len(opened) == 1:
            raise ZeroDivisionError("nobody expected this")
        return true_pipeline(tray)

    watching = Watch(VirtualCamera(tray, paced=False), table, stumble_once)
    watching.start()
    try:
        assert "nobody expected this" in wait_for(table, lambda now: bool(now.camera_trouble)).notice
        wait_for(table, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    finally:
        watching.stop()
    assert "nobody expected this" in caplog.text


class DarkCamera(Camera):
    """Gives the same black picture again and again, as a covered sensor may."""

    name = "dark"

    def __init__(self) -> None:
        self._number = 0

    def open(self) -> None:
        """There is nothing to open."""

    def frame(self, timeout: float = 1.0) -> Frame:
        time.sleep(min(timeout, 0.01))
        self._number += 1
        return Frame(np.zeros((480, 640, 3), np.uint8), self._number, self._number / 15)

    def close(self) -> None:
        """There is nothing to close."""


def test_a_sensor_that_gives_the_same_black_again_and_again_is_a_camera_that_is_lost(
    table: Table, tray: VirtualTray
) -> None:
    pulse = Pulse()
    watching = Watch(DarkCamera(), table, lambda _: true_pipeline(tray), pulse)
    watching.start()
    try:
        assert "covered" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        wait_for(table, lambda _: pulse.losses > 0)
        assert pulse.beats <= 1
    finally:
        watching.stop()


def test_what_cannot_be_written_is_said_as_such_and_tried_again_with_the_camera_open(
    table: Table, tray: VirtualTray, tmp_path: Path
) -> None:
    table.start("intersection", ["Ann"], {})
    watching = Watch(VirtualCamera(tray, paced=False, seed=2), table, lambda _: true_pipeline(tray))
    watching.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6 and now.extras["table"] == "quiet")
        with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as database:
            database.execute("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no room'); END")
            tray.throw([1, 2, 3, 4, 5, 6])
            full = wait_for(table, lambda now: "no room" in now.extras["worries"])
            assert (full.camera_trouble, full.extras["by_hand"], full.last) == ("", "", ())
            assert watching.pixels is not None
            database.execute("DROP TRIGGER full")
        assert len(wait_for(table, lambda now: bool(now.last)).last) == 1
        wait_for(table, lambda now: now.extras["worries"] == "")
    finally:
        watching.stop()


class SpeechlessTable:
    """A table whose trouble cannot be said at first."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.tries = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def report_camera(self, report: CameraReport) -> None:
        self.tries += 1
        if self.tries < 3:
            raise ZeroDivisionError("nobody can say this")
        self._table.report_camera(report)


def test_not_even_a_trouble_that_cannot_be_said_ends_the_watching(
    table: Table, tray: VirtualTray, caplog: pytest.LogCaptureFixture
) -> None:
    speechless = SpeechlessTable(table)
    watching = Watch(VirtualCamera(tray, paced=False), speechless, lambda _: true_pipeline(tray))
    watching.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6 and speechless.tries > 3)
    finally:
        watching.stop()
    assert "nobody can say this" in caplog.text
