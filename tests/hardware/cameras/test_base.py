"""What every camera offers, and the one table of sentences about cameras."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.cameras import open_camera
from hardware.cameras.base import (
    SENTENCES,
    WORKING,
    CameraError,
    CameraLost,
    CameraReport,
    CameraStatus,
    CameraStuck,
    NoSuchCamera,
)
from vision.feed_health import FeedFault


def test_every_status_has_its_sentence_and_only_a_working_camera_an_empty_one() -> None:
    assert set(SENTENCES) == set(CameraStatus)
    assert [status for status in CameraStatus if not SENTENCES[status]] == [CameraStatus.WORKING]


def test_a_report_says_what_the_camera_itself_advises_before_the_sentence_of_its_status() -> None:
    assert CameraReport(CameraStatus.LOST).sentence == SENTENCES[CameraStatus.LOST]
    assert CameraReport(CameraStatus.LOST, "Look to its ribbon cable.").sentence == "Look to its ribbon cable."
    assert (WORKING.sentence, WORKING.is_working) == ("", True)
    assert not CameraReport(CameraStatus.FROZEN).is_working


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NoSuchCamera, CameraStatus.MISSING),
        (CameraStuck, CameraStatus.STUCK),
        (CameraLost, CameraStatus.LOST),
    ],
)
def test_an_error_knows_the_status_that_it_means(error: type[CameraError], status: CameraStatus) -> None:
    assert error("usb:0 is gone").status is status


def test_every_fault_of_a_feed_is_a_status() -> None:
    assert {fault.name for fault in FeedFault} <= {status.name for status in CameraStatus}


@pytest.mark.parametrize(
    ("name", "is_live", "has_simulator"),
    [("virtual", True, True), ("usb:0", True, False), ("picamera:0", True, False)],
)
def test_a_camera_says_whether_it_is_live_and_simulated(name: str, is_live: bool, has_simulator: bool) -> None:
    camera = open_camera(name)
    assert (camera.is_live, camera.simulator is not None, camera.notes) == (is_live, has_simulator, ())


def test_a_recording_is_not_live(tmp_path: Path) -> None:
    camera = open_camera(f"replay:{tmp_path}")
    assert (camera.is_live, camera.simulator, camera.notes) == (False, None, ())
