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

from hardware.cameras.base import WORKING, Camera, CameraLost, CameraReport, CameraStatus, CameraStuck, NoSuchCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.simulated_throw import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import DieSet
from referee.snapshot import Snapshot, TrayActivity
from vander.app.camera_loop import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    CameraLoop,
    LifeSign,
    error_report,
    failure_report,
    feed_report,
    next_pause_s,
    sign_of_frame,
    sign_of_report,
)
from vander.session.session import Session
from vision.feed_health import FeedFault
from vision.frames import Frame
from vision.pipeline import Pipeline

PATIENCE_S = 60.0


def wait_for(table: Session, holds: Callable[[Snapshot], bool]) -> Snapshot:
    until, now = time.monotonic() + PATIENCE_S, table.snapshot()
    while not holds(now):
        assert time.monotonic() < until, now
        now = table.wait(now.number, 0.5)
    return now


@pytest.fixture
def tray() -> VirtualTray:
    return VirtualTray("intersection", seed=2, size=(640, 480), mishaps=Mishaps(0.0, 0.0))


@pytest.fixture
def loop(table: Session, tray: VirtualTray) -> Iterator[CameraLoop]:
    loop = CameraLoop(VirtualCamera(tray, paced=False, seed=2), table, lambda _: true_pipeline(tray))
    loop.start()
    yield loop
    loop.stop()


@pytest.mark.usefixtures("loop")
def test_the_dice_on_the_tray_are_shown(table: Session) -> None:
    shown = wait_for(table, lambda now: len(now.dice) == 6)
    assert sorted(die.kind for die in shown.dice) == ["signal", *["traffic"] * 5]
    assert all(die.crop for die in shown.dice)


@pytest.mark.usefixtures("loop")
def test_a_camera_that_goes_away_is_said_and_comes_back(table: Session, tray: VirtualTray) -> None:
    wait_for(table, lambda now: len(now.dice) == 6)
    tray.trouble("unplugged")
    lost = wait_for(table, lambda now: bool(now.camera_trouble))
    assert lost.mood == "lost"
    assert len(lost.dice) == 6
    tray.trouble("")
    wait_for(table, lambda now: not now.camera_trouble and now.tray == TrayActivity.AT_REST)


@pytest.mark.usefixtures("loop")
def test_a_covered_lens_is_said_and_forgotten(table: Session, tray: VirtualTray) -> None:
    wait_for(table, lambda now: len(now.dice) == 6)
    tray.trouble("covered")
    assert "cover" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble.lower()
    tray.trouble("")
    wait_for(table, lambda now: not now.camera_trouble and now.tray == TrayActivity.AT_REST)


def test_a_camera_that_cannot_be_opened_at_the_start_is_said_and_looked_for(table: Session, tray: VirtualTray) -> None:
    tray.trouble("unplugged")
    loop = CameraLoop(VirtualCamera(tray, paced=False), table, lambda _: true_pipeline(tray))
    loop.start()
    try:
        assert "unplugged" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        tray.trouble("")
        wait_for(table, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    finally:
        loop.stop()


class CountingWatchdog:
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
        raise CameraStuck("the camera hangs in its driver; restart Vander")


def test_a_camera_that_hangs_in_this_program_is_told_to_the_watchdog_as_such(table: Session, tray: VirtualTray) -> None:
    watchdog = CountingWatchdog()
    loop = CameraLoop(HangingCamera(tray, paced=False), table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        assert "hangs" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        wait_for(table, lambda _: watchdog.sticks > 0)
    finally:
        loop.stop()
    assert watchdog.losses == 0


def test_the_watchdog_beats_with_fresh_frames_alone_and_hears_of_a_lost_camera(
    table: Session, tray: VirtualTray
) -> None:
    watchdog = CountingWatchdog()
    loop = CameraLoop(VirtualCamera(tray, paced=False), table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6)
        assert watchdog.beats > 0
        assert watchdog.losses == 0
        tray.trouble("frozen")
        wait_for(table, lambda now: "frozen" in now.camera_trouble)
        before = watchdog.beats
        time.sleep(0.3)  # dozens of frames, all the same
        assert watchdog.beats == before
        assert watchdog.losses == 0
        tray.trouble("unplugged")
        wait_for(table, lambda _: watchdog.losses > 0)
    finally:
        loop.stop()


def test_what_nobody_expected_is_said_on_the_page_and_the_loop_goes_on(
    table: Session, tray: VirtualTray, caplog: pytest.LogCaptureFixture
) -> None:
    opened: list[Any] = []

    def fail_once(_: DieSet) -> Pipeline:
        opened.append(1)
        if len(opened) == 1:
            raise ZeroDivisionError("nobody expected this")
        return true_pipeline(tray)

    loop = CameraLoop(VirtualCamera(tray, paced=False), table, fail_once)
    loop.start()
    try:
        assert "nobody expected this" in wait_for(table, lambda now: bool(now.camera_trouble)).notice
        wait_for(table, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    finally:
        loop.stop()
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
    table: Session, tray: VirtualTray
) -> None:
    watchdog = CountingWatchdog()
    loop = CameraLoop(DarkCamera(), table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        assert "covered" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        wait_for(table, lambda _: watchdog.losses > 0)
        assert watchdog.beats <= 1
    finally:
        loop.stop()


def test_what_cannot_be_written_is_said_as_such_and_tried_again_with_the_camera_open(
    table: Session, tray: VirtualTray, tmp_path: Path
) -> None:
    table.start("intersection", ["Ann"], {})
    loop = CameraLoop(VirtualCamera(tray, paced=False, seed=2), table, lambda _: true_pipeline(tray))
    loop.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6 and now.tray == TrayActivity.AT_REST)
        with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as database:
            database.execute("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no room'); END")
            tray.throw([1, 2, 3, 4, 5, 6])
            full = wait_for(table, lambda now: "no room" in " ".join(now.alerts))
            assert (full.camera_trouble, full.manual_entry, full.last) == ("", False, ())
            assert loop.pixels is not None
            database.execute("DROP TRIGGER full")
        assert len(wait_for(table, lambda now: bool(now.last)).last) == 1
        wait_for(table, lambda now: now.alerts == ())
    finally:
        loop.stop()


class FailingTable:
    """A table whose trouble cannot be said at first."""

    def __init__(self, table: Session) -> None:
        self._table = table
        self.tries = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def report_camera(self, report: CameraReport) -> None:
        self.tries += 1
        if self.tries < 3:
            raise ZeroDivisionError("nobody can say this")
        self._table.report_camera(report)


def test_not_even_a_trouble_that_cannot_be_said_ends_the_loop(
    table: Session, tray: VirtualTray, caplog: pytest.LogCaptureFixture
) -> None:
    failing = FailingTable(table)
    loop = CameraLoop(VirtualCamera(tray, paced=False), failing, lambda _: true_pipeline(tray))
    loop.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6 and failing.tries > 3)
    finally:
        loop.stop()
    assert "nobody can say this" in caplog.text


class RecordingTable(FailingTable):
    """A table that keeps every report of the camera."""

    def __init__(self, table: Session) -> None:
        super().__init__(table)
        self.statuses: list[CameraStatus] = []

    def report_camera(self, report: CameraReport) -> None:
        if self.statuses[-1:] != [report.status]:
            self.statuses.append(report.status)
        self._table.report_camera(report)


def test_the_camera_is_reported_by_its_status(table: Session, tray: VirtualTray) -> None:
    recording = RecordingTable(table)
    loop = CameraLoop(VirtualCamera(tray, paced=False, seed=2), recording, lambda _: true_pipeline(tray))
    loop.start()
    try:
        for trouble, status in (("", "working"), ("covered", "dark"), ("", "working"), ("unplugged", "missing")):
            tray.trouble(trouble)
            wait_for(table, lambda _, status=status: recording.statuses[-1:] == [status])  # type: ignore[misc]
    finally:
        loop.stop()
    assert recording.statuses[-2:] == [CameraStatus.LOST, CameraStatus.MISSING]


def test_a_report_holds_what_the_camera_advises() -> None:
    assert error_report(CameraLost("usb:0 is gone")) == CameraReport(CameraStatus.LOST, "Usb:0 is gone.")
    assert "by zero" in failure_report(ZeroDivisionError("division by zero")).sentence
    assert feed_report(None) == WORKING
    assert {feed_report(fault).status.name for fault in FeedFault} == {fault.name for fault in FeedFault}


@pytest.mark.parametrize(
    ("report", "sign"),
    [
        (error_report(CameraStuck("it hangs")), LifeSign.STUCK),
        (error_report(CameraLost("it is gone")), LifeSign.LOST),
        (error_report(NoSuchCamera("there is none")), LifeSign.LOST),
        (failure_report(ZeroDivisionError()), LifeSign.NONE),
    ],
)
def test_only_the_end_of_frames_that_is_the_cameras_own_is_told_to_the_watchdog(
    report: CameraReport, sign: LifeSign
) -> None:
    assert sign_of_report(report) is sign


@pytest.mark.parametrize(
    ("is_fresh", "is_blind", "fault", "sign"),
    [
        (True, False, None, LifeSign.ALIVE),
        (True, True, FeedFault.DARK, LifeSign.ALIVE),
        (False, True, FeedFault.COVERED, LifeSign.LOST),
        (False, True, None, LifeSign.NONE),
        (False, False, FeedFault.FROZEN, LifeSign.NONE),
    ],
)
def test_a_frame_is_a_sign_of_life_only_if_it_is_fresh(
    is_fresh: bool, is_blind: bool, fault: FeedFault | None, sign: LifeSign
) -> None:
    assert sign_of_frame(is_fresh, is_blind, fault) is sign


def test_pauses_double_up_to_the_longest() -> None:
    pauses = [FIRST_PAUSE_S]
    while pauses[-1] < LONGEST_PAUSE_S:
        pauses.append(next_pause_s(pauses[-1]))
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0]
    assert next_pause_s(LONGEST_PAUSE_S) == LONGEST_PAUSE_S
