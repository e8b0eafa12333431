from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from true_pipeline import true_pipeline

from hardware.cameras.base import WORKING, Camera, CameraLost, CameraReport, CameraStatus, CameraStuck
from hardware.cameras.camera_process import CameraProcess, ProcessTimeouts
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.dice import DieSet
from referee.snapshot import Snapshot, TrayActivity
from vander.app.camera_loop import (
    FRAME_TIMEOUT_S,
    MANY_RESTARTS,
    RARE_PAUSE_S,
    CameraLoop,
    CameraRecovery,
    error_report,
    failure_report,
    feed_report,
)
from vander.table.session import Session
from vision.feed_health import FeedFault
from vision.frames import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline

PATIENCE_S = 60.0
PATIENT = ProcessTimeouts(opening_s=60.0, grace_s=60.0, closing_s=60.0, reaping_s=60.0)
HASTY = replace(PATIENT, grace_s=0.5 - FRAME_TIMEOUT_S)
"""A frame is waited for half a second."""


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
    """Keeps what it is told: the camera's trouble at each turn of the loop, '' for none."""

    def __init__(self) -> None:
        self.beats = 0
        self.troubles: list[str] = []

    def beat(self, trouble: str = "") -> None:
        self.beats += 1
        if self.troubles[-1:] != [trouble]:
            self.troubles.append(trouble)


@pytest.mark.parametrize("trouble", ["frozen", "covered", "unplugged"])
def test_the_watchdog_is_fed_while_the_camera_is_in_trouble_and_the_page_says_so(
    trouble: str, table: Session, tray: VirtualTray
) -> None:
    watchdog = CountingWatchdog()
    loop = CameraLoop(VirtualCamera(tray, paced=False), table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        wait_for(table, lambda now: len(now.dice) == 6)
        assert watchdog.troubles == [""]
        tray.trouble(trouble)
        said = wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        before = watchdog.beats
        wait_for(table, lambda _: watchdog.beats > before + 2)
        assert said in watchdog.troubles
        assert "" not in watchdog.troubles[1:]
    finally:
        loop.stop()


class StuckCamera(VirtualCamera):
    """A camera whose driver hangs."""

    def open(self) -> None:
        raise CameraStuck("the camera hangs in its driver; restart the box")


def test_a_camera_that_hangs_in_its_driver_for_good_is_said_and_keeps_the_watchdog_fed(
    table: Session, tray: VirtualTray
) -> None:
    watchdog = CountingWatchdog()
    loop = CameraLoop(StuckCamera(tray, paced=False), table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        assert "restart the box" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        wait_for(table, lambda _: watchdog.beats > 2)
    finally:
        loop.stop()
    assert watchdog.troubles == ["The camera hangs in its driver; restart the box."]


class HangingPipeline:
    """A pipeline that never comes back from its tenth frame, until it is let go."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self.hangs, self.let_go = Event(), Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipeline, name)

    def process(self, frame: Frame) -> Observation:
        if frame.number >= 10:
            self.hangs.set()
            self.let_go.wait()
        return self._pipeline.process(frame)


def test_a_loop_that_hangs_feeds_no_watchdog(table: Session, tray: VirtualTray) -> None:
    watchdog, pipeline = CountingWatchdog(), HangingPipeline(true_pipeline(tray))
    loop = CameraLoop(VirtualCamera(tray, paced=False), table, lambda _: pipeline, watchdog)
    loop.start()
    try:
        assert pipeline.hangs.wait(PATIENCE_S)
        time.sleep(0.3)
        assert watchdog.beats == 9
    finally:
        pipeline.let_go.set()
        loop.stop()


def test_a_program_that_fails_again_and_again_feeds_no_watchdog(table: Session, tray: VirtualTray) -> None:
    def fail(_: DieSet) -> Pipeline:
        raise ZeroDivisionError("nobody expected this")

    watchdog = CountingWatchdog()
    loop = CameraLoop(VirtualCamera(tray, paced=False), table, fail, watchdog)
    loop.start()
    try:
        wait_for(table, lambda now: "nobody expected this" in now.camera_trouble)
        time.sleep(0.3)
    finally:
        loop.stop()
    assert watchdog.beats == 0


def faulty(kind: str, *arguments: str | int) -> CameraProcess:
    """A camera that goes wrong, in a process of its own."""
    timeouts = HASTY if "hang" in (*arguments, kind[:4].lower()) else PATIENT
    return CameraProcess("steady:0", f"faulty_cameras:{kind}", *arguments, timeouts=timeouts)


@contextmanager
def watched(table: RecordingTable, camera: CameraProcess, tray: VirtualTray) -> Iterator[CountingWatchdog]:
    watchdog = CountingWatchdog()
    loop = CameraLoop(camera, table, lambda _: true_pipeline(tray), watchdog)
    loop.start()
    try:
        yield watchdog
    finally:
        loop.stop()


def go_on_by_hand(table: Session) -> None:
    """Do the first thing that the page offers: give a throw by hand, or tap what hands do."""
    now = table.snapshot()
    assert now.game is not None
    assert now.state is not None
    offers = [offer for offer in now.offers if offer.action.verb not in (*now.game.grave, now.game.lost)]
    action = offers[0].action
    if action.is_throw:
        assert now.manual_entry
        faces = (now.state.dice.kind(die.kind).sides[0].name for die in action.dice)
        dice = tuple(replace(die, face=face) for die, face in zip(action.dice, faces, strict=True))
        table.by_hand(str(replace(action, dice=dice)), now.step)
    else:
        table.act(str(action), step=now.step)


def _next_process(camera: CameraProcess, known: set[int | None]) -> int:
    """Wait for another process of the camera; asked often, since one that fails at once lives for a moment."""
    until = time.monotonic() + PATIENCE_S
    while (found := camera.process) is None or found in known:
        assert time.monotonic() < until, "the camera was not restarted"
        time.sleep(0.005)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "arguments", "status"),
    [
        ("Repeating", (), CameraStatus.FROZEN),
        ("Failing", ("frame", "hang"), CameraStatus.LOST),
        ("Failing", ("frame", "exit"), CameraStatus.LOST),
        ("Failing", ("open", "exit"), CameraStatus.MISSING),
        ("HangLater", (), CameraStatus.LOST),
    ],
)
def test_dice_are_given_by_hand_while_the_camera_is_restarted_again_and_again(
    kind: str, arguments: tuple[str, ...], status: CameraStatus, table: Session, tray: VirtualTray
) -> None:
    camera, recording, processes = faulty(kind, *arguments), RecordingTable(table), set[int | None]()
    with watched(recording, camera, tray) as watchdog:
        wait_for(table, lambda _: recording.statuses[-1:] == [status])
        table.start("intersection", ["Ann"], {})
        while len(processes) < 3:
            before = table.snapshot().step
            go_on_by_hand(table)
            assert table.snapshot().step != before
            processes.add(_next_process(camera, processes))
        assert watchdog.beats > 3
    assert recording.statuses in ([status], [CameraStatus.WORKING, status])
    assert recording.statuses[-1] is status


@pytest.mark.slow
def test_a_frozen_camera_that_a_restart_mends_is_back(table: Session, tray: VirtualTray, tmp_path: Path) -> None:
    cure, recording = tmp_path / "cure", RecordingTable(table)
    with watched(recording, faulty("Repeating", str(cure)), tray):
        wait_for(table, lambda _: recording.statuses[-1:] == [CameraStatus.FROZEN])
        cure.touch()
        wait_for(table, lambda _: recording.statuses[-1:] == [CameraStatus.WORKING])
    assert recording.statuses == [CameraStatus.WORKING, CameraStatus.FROZEN, CameraStatus.WORKING]


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
        self.frames = self.openings = 0

    def open(self) -> None:
        self.openings += 1

    def frame(self, timeout: float = 1.0) -> Frame:
        time.sleep(min(timeout, 0.01))
        self.frames += 1
        return Frame(np.zeros((480, 640, 3), np.uint8), self.frames, self.frames / 15)

    def close(self) -> None:
        """There is nothing to close."""


def test_a_sensor_that_gives_the_same_black_again_and_again_is_covered_and_not_restarted(
    table: Session, tray: VirtualTray
) -> None:
    camera = DarkCamera()
    loop = CameraLoop(camera, table, lambda _: true_pipeline(tray))
    loop.start()
    try:
        assert "covered" in wait_for(table, lambda now: bool(now.camera_trouble)).camera_trouble
        frames = camera.frames
        wait_for(table, lambda _: camera.frames > frames + 60)  # four seconds of its clock
        assert camera.openings == 1
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


FROZEN = feed_report(FeedFault.FROZEN)


def failed(times: int, report: CameraReport = FROZEN) -> CameraRecovery:
    recovery = CameraRecovery()
    for _ in range(times):
        recovery = recovery.failed(report)
    return recovery


def test_pauses_double_up_to_the_longest_and_are_rare_for_a_camera_that_restarts_in_vain() -> None:
    lost = error_report(CameraLost("it is gone"))
    assert [failed(times, lost).pause_s for times in (1, 2, 3, 4, 5, 6, 99)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert [failed(times).pause_s for times in (1, MANY_RESTARTS, MANY_RESTARTS + 1)] == [0.5, 8.0, RARE_PAUSE_S]
    assert failed(99, error_report(CameraStuck("it hangs"))).pause_s == RARE_PAUSE_S


def test_a_camera_that_stays_frozen_is_said_to_need_more_than_a_restart() -> None:
    assert failed(1).trouble == failed(MANY_RESTARTS).trouble == CameraReport(CameraStatus.FROZEN)
    assert "restart the box" in failed(MANY_RESTARTS + 1).trouble.sentence


def test_a_camera_that_failed_is_believed_after_a_second_of_good_frames() -> None:
    recovery = failed(3)
    for at in (10.0, 10.9):
        recovery = recovery.saw(True, at)
    assert (recovery.is_over, recovery.trouble.status) == (False, CameraStatus.FROZEN)
    recovery = recovery.saw(False, 10.95).saw(True, 11.0).saw(True, 11.9)
    assert (recovery.is_over, recovery.failures) == (False, 3)
    assert recovery.saw(True, 12.0) == CameraRecovery()


def test_a_camera_that_never_failed_is_believed_at_once_and_whatever_it_shows() -> None:
    assert CameraRecovery().saw(True, 1.0).saw(False, 2.0) == CameraRecovery()
