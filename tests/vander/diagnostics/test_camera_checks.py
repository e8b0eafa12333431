"""What the doctor says of the camera's picture, on the virtual tray's pictures and on what may go wrong with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.cameras.base import Camera, CameraLost
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vander.diagnostics import camera_checks
from vander.diagnostics.camera_checks import PictureMeasurements
from vander.diagnostics.camera_probe import CameraSample, probe_camera, sample_frames
from vander.diagnostics.doctor_check import run_checks
from vander.diagnostics.focus import BLURRED_MM, SOFT_MM, focus, share_of
from vision.frames import Frame, Pixels
from vision.tray_calibration import TrayLayout, calibrate
from web.schemas.diagnostics_schemas import Finding, Verdict

GOOD, UNSURE, BAD = Verdict.GOOD, Verdict.UNSURE, Verdict.BAD


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    camera = VirtualCamera(VirtualTray("intersection", seed=1), paced=False, seed=1)
    camera.open()
    frame = camera.frame()
    camera.close()
    return frame.pixels


def seen(pixels: Pixels | None, trouble: str = "", notes: tuple[str, ...] = ()) -> CameraSample:
    return CameraSample("picamera:0", pixels, 30, 30, 2.0, (76.0, 77.0), trouble, notes)


def found(sample: CameraSample, layout: TrayLayout | None = None) -> dict[str, Finding]:
    return {
        told.name: told
        for told in run_checks(camera_checks.checks(PictureMeasurements(sample, layout or TrayLayout())))
    }


def lit(pixels: Pixels, share: float) -> Pixels:
    return np.asarray(np.clip(pixels.astype(np.float32) * share, 0, 255), np.uint8)


def blurred(pixels: Pixels, by: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), by), np.uint8)


def test_a_good_picture_is_good_in_every_way_and_told_in_figures(pixels: Pixels) -> None:
    told = found(seen(pixels))
    assert list(told) == ["camera", "exposure", "focus", "light", "glare", "tray"]
    assert {finding.verdict for finding in told.values()} == {GOOD}
    assert told["camera"].told == "picamera:0 gives pictures of 1280 x 960, 15.0 a second, each a new one."
    assert "spread over 0.9 mm" in told["focus"].told
    assert "a millimetre is 3.03 pixels and a die of 16 mm 49 pixels wide" in told["tray"].told


def test_without_a_picture_only_the_camera_is_spoken_of() -> None:
    for sample in (seen(None), seen(None, "the camera is gone")):
        (told,) = found(sample).values()
        assert (told.name, told.verdict) == ("camera", BAD)
        assert told.advice


def test_what_was_seen_before_the_camera_was_lost_is_not_taken_for_now(pixels: Pixels) -> None:
    told = found(seen(pixels, "the camera is gone"))
    assert list(told) == ["camera"]
    assert told["camera"].told == "The camera is gone."


@pytest.mark.parametrize(
    ("change", "verdict", "says"),
    [
        ({"fresh": 0}, BAD, "always the same one"),
        ({"count": 9}, UNSURE, "4.5 a second, where 6 or more are wanted"),
        ({"count": 3, "fresh": 3}, BAD, "1.5 a second"),
        ({"count": 3, "fresh": 0, "live": False}, GOOD, "a recording"),
        ({"steady": False, "count": 3, "fresh": 0}, GOOD, "when the dice lie still"),
    ],
)
def test_slow_and_frozen_cameras_are_told_apart(
    pixels: Pixels, change: dict[str, Any], verdict: Verdict, says: str
) -> None:
    told = camera_checks.check_camera(replace(seen(pixels), **change))
    assert told.verdict is verdict
    assert says in told.told


def test_brightness_that_swings_is_not_locked(pixels: Pixels) -> None:
    told = camera_checks.check_exposure(replace(seen(pixels), levels=(70.0, 71.0, 85.0)))
    assert told.verdict is UNSURE
    assert "swings by 20 %" in told.told


def test_what_the_camera_says_of_its_own_exposure_is_passed_on(pixels: Pixels) -> None:
    told = camera_checks.check_exposure(
        seen(pixels, notes=("the exposure does not hold: 9000 us where 12000 were set",))
    )
    assert told.verdict is UNSURE
    assert "The exposure does not hold: 9000 us where 12000 were set." in told.told


@pytest.mark.parametrize(("by", "verdict"), [(0.8, GOOD), (2.0, UNSURE), (2.6, BAD)])
def test_the_blurrier_the_worse(pixels: Pixels, by: float, verdict: Verdict) -> None:
    assert found(seen(blurred(pixels, by)))["focus"].verdict is verdict


def test_a_small_picture_is_as_sharp_as_its_pixels_let_it_be(pixels: Pixels) -> None:
    small = np.asarray(cv2.resize(pixels, (400, 300), interpolation=cv2.INTER_AREA), np.uint8)
    assert found(seen(small))["focus"].verdict is GOOD


def test_the_part_of_the_picture_that_everybody_is_shown_is_told_while_all_markers_are_seen(pixels: Pixels) -> None:
    corners = focus(pixels, TrayLayout()).tray
    assert len(corners) == 4
    found = calibrate(Frame(pixels, 1, 0.0), TrayLayout())
    assert found is not None
    height, width = pixels.shape[:2]
    outline = np.float32([[x * width, y * height] for x, y in corners])
    assert all(cv2.pointPolygonTest(outline, centre, measureDist=False) > 0 for centre in found.centres.values())
    covered = pixels.copy()
    x, y = (round(place) for place in found.centres[2])
    covered[y - 60 : y + 60, x - 60 : x + 60] = 128
    assert focus(covered, TrayLayout()).tray == ()


def test_the_meter_rises_all_the_way_as_the_lens_is_turned_into_focus(pixels: Pixels) -> None:
    shares = [focus(blurred(pixels, by), TrayLayout()).share for by in (12, 6, 3, 2, 1, 0.4)]
    assert shares == sorted(shares)
    assert shares[0] < 0.25
    assert shares[-1] > 0.8
    assert share_of(0.1) == 1.0
    assert share_of(SOFT_MM) > share_of(BLURRED_MM) > 1 / 3


def test_the_focus_shows_where_each_marker_is(pixels: Pixels) -> None:
    told = focus(pixels, TrayLayout())
    assert [marker.number for marker in told.markers] == [0, 1, 2, 3]
    left_top, right_top = told.markers[0].corners, told.markers[1].corners
    assert all(0 < x < 0.3 and 0 < y < 0.3 for x, y in left_top)
    assert all(0.7 < x < 1 and 0 < y < 0.3 for x, y in right_top)


@pytest.mark.parametrize(
    ("share", "verdict", "says"),
    [
        (0.25, BAD, "too dark"),
        (0.45, UNSURE, "dim"),
        (1.0, GOOD, "bright enough and even"),
        (1.5, UNSURE, "too bright"),
    ],
)
def test_light_is_wanted_neither_too_little_nor_too_much(
    pixels: Pixels, share: float, verdict: Verdict, says: str
) -> None:
    told = found(seen(lit(pixels, share)))["light"]
    assert told.verdict is verdict
    assert says in told.told


def test_the_dark_corner_is_named(pixels: Pixels) -> None:
    fall = (
        np.linspace(1.0, 0.4, pixels.shape[1])[None, :, None] * np.linspace(1.0, 0.92, pixels.shape[0])[:, None, None]
    )
    told = found(seen(np.asarray(np.clip(pixels * fall * 1.2, 0, 255), np.uint8)))["light"]
    assert told.verdict is UNSURE
    assert "Marker 2 (bottom right)" in told.told


def test_a_lamp_that_is_mirrored_in_the_tray_is_glare(pixels: Pixels) -> None:
    mirrored = pixels.copy()
    cv2.circle(mirrored, (500, 400), 70, (255, 255, 255), -1)
    told = found(seen(mirrored))["glare"]
    assert told.verdict is UNSURE
    assert "mm wide" in told.told
    cv2.circle(mirrored, (500, 400), 160, (255, 255, 255), -1)
    assert found(seen(mirrored))["glare"].verdict is BAD


def test_hidden_markers_are_named_with_their_corners(pixels: Pixels) -> None:
    hidden = pixels.copy()
    hidden[:, 1000:] = 60
    told = found(seen(hidden))["tray"]
    assert (told.verdict, told.told) == (BAD, "Markers 1 (top right) and 2 (bottom right) cannot be seen.")


def test_a_tray_that_is_small_in_the_picture_is_told(pixels: Pixels) -> None:
    far = np.full((480, 640, 3), 60, np.uint8)
    far[100:400, 100:500] = cv2.resize(pixels, (400, 300), interpolation=cv2.INTER_AREA)
    told = found(seen(far))["tray"]
    assert told.verdict is UNSURE
    assert "15 pixels wide: too small" in told.told


def test_a_camera_that_looks_from_the_side_is_told(pixels: Pixels) -> None:
    height, width = pixels.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    aslant = np.array([(180, 0), (width - 180, 0), (width, height), (0, height)], np.float32)
    turned = cv2.warpPerspective(pixels, cv2.getPerspectiveTransform(corners, aslant), (width, height))
    told = found(seen(np.asarray(turned, np.uint8)))["tray"]
    assert told.verdict in {UNSURE, BAD}
    assert "straight down" in told.advice


def test_measures_that_do_not_fit_the_tray_are_told(pixels: Pixels) -> None:
    told = found(seen(pixels), TrayLayout(width_mm=335.0, typed=True))["tray"]
    assert told.verdict is UNSURE
    assert told.advice == "The tray is set to 335 x 225 mm, but its markers show 300 x 225 mm: take the setting away."


def test_the_doctor_looks_through_a_camera_and_closes_it() -> None:
    camera = VirtualCamera(VirtualTray("d6", seed=2), paced=False, seed=2)
    sample = probe_camera(camera, "virtual", seconds=0.2, settling_s=0.05)
    assert sample.pixels is not None
    assert sample.count == sample.fresh + 1 > 1
    with pytest.raises(CameraLost):
        camera.frame()


def test_a_camera_that_is_not_there_is_an_answer_and_no_error() -> None:
    tray = VirtualTray("d6", seed=2)
    tray.trouble("unplugged")
    sample = probe_camera(VirtualCamera(tray, paced=False), "virtual")
    assert sample.pixels is None
    assert "unplugged" in sample.trouble


class Loop(Camera):
    """A camera that shows one picture some times over, as a short recording does; it has something to say."""

    name = "loop"

    def __init__(self, pixels: Pixels, times: int) -> None:
        self._pixels, self._left = pixels, times

    @property
    def is_live(self) -> bool:
        return False

    @property
    def notes(self) -> tuple[str, ...]:
        return ("it is a loop",)

    def open(self) -> None:
        pass

    def frame(self, timeout: float = 1.0) -> Frame | None:
        self._left -= 1
        return Frame(self._pixels, 1, 0.0) if self._left >= 0 else None

    def close(self) -> None:
        pass


def test_a_recording_is_looked_at_to_its_end(pixels: Pixels) -> None:
    sample = probe_camera(Loop(pixels, 5), "replay:loop")
    assert (sample.count, sample.fresh, sample.notes, sample.live) == (5, 0, ("it is a loop",), False)


def test_somebody_elses_pictures_are_counted_without_taking_any(pixels: Pixels) -> None:
    shown = iter([pixels, pixels, pixels.copy(), *[lit(pixels, 0.9)] * 10_000])
    sample = sample_frames("usb:0", lambda: next(shown), "", (), seconds=0.5)
    assert (sample.count, sample.fresh) == (2, 1)
    assert sample_frames("usb:0", lambda: pixels, "it is gone", (), seconds=5).trouble == "it is gone"


def test_a_network_camera_is_looked_for_in_the_browser_and_not_at_its_cable() -> None:
    found = camera_checks.check_camera(
        CameraSample("http://192.168.1.20:8080", trouble="Nobody answers at http://192.168.1.20:8080")
    )
    assert found.advice.startswith("Open the camera's address in a browser")
    assert "cable" in camera_checks.check_camera(CameraSample("usb:0", trouble="usb:0 gave no frame")).advice
