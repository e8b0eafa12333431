from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from true_eye import true_eye

from assistant.table import Table
from assistant.watch import Watch
from hardware.virtual.camera import VirtualCamera
from hardware.virtual.tray import VirtualTray
from referee.dice import DieSet
from referee.journal import Snapshot
from vision.eye import Eye

PATIENCE_S = 60.0


def wait_for(table: Table, holds: Callable[[Snapshot], bool]) -> Snapshot:
    until, now = time.monotonic() + PATIENCE_S, table.snapshot()
    while not holds(now):
        assert time.monotonic() < until, now
        now = table.wait(now.number, 0.5)
    return now


@pytest.fixture
def tray() -> VirtualTray:
    return VirtualTray("intersection", seed=2, size=(640, 480))


@pytest.fixture
def watch(table: Table, tray: VirtualTray) -> Iterator[Watch]:
    watching = Watch(VirtualCamera(tray, paced=False, seed=2), table, lambda _: true_eye(tray))
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
    watching = Watch(VirtualCamera(tray, paced=False), table, lambda _: true_eye(tray))
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
        self.beats = self.losses = 0

    def beat(self) -> None:
        self.beats += 1

    def lost(self) -> None:
        self.losses += 1


def test_the_pulse_beats_with_fresh_frames_alone_and_hears_of_a_lost_camera(table: Table, tray: VirtualTray) -> None:
    pulse = Pulse()
    watching = Watch(VirtualCamera(tray, paced=False), table, lambda _: true_eye(tray), pulse)
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

    def stumble_once(_: DieSet) -> Eye:
        opened.append(1)
        if len(opened) == 1:
            raise ZeroDivisionError("nobody expected this")
        return true_eye(tray)

    watching = Watch(VirtualCamera(tray, paced=False), table, stumble_once)
    watching.start()
    try:
        assert "nobody expected this" in wait_for(table, lambda now: bool(now.camera_trouble)).notice
        wait_for(table, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    finally:
        watching.stop()
    assert "nobody expected this" in caplog.text
