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
from models import die_sets
from vander.doctor import health_checks, run_checks
from vander.doctor.health_checks import CameraSample, probe_camera, sample_frames
from vander.doctor.picture_checks import (
    BLURRED_MM,
    SOFT_MM,
    PictureMeasurements,
    look_at_tray,
    share_of,
    tilt_degrees,
)
from vander.resources import models_and_stores
from vision.frames import Frame, Pixels
from vision.observations import Posture, TrackedDie
from vision.rectification import TrayView, rectify
from vision.tray_calibration import TrayLayout, calibrate
from vision.tray_markers import MIRRORED, find_markers
from web.schemas.access_schemas import Finding, TraySight, Verdict

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
    return {told.name: told for told in run_checks(health_checks.checks(sample, layout or TrayLayout()))}


def sight(pixels: Pixels) -> TraySight:
    return look_at_tray(PictureMeasurements(pixels, TrayLayout()))


def lit(pixels: Pixels, share: float) -> Pixels:
    return np.asarray(np.clip(pixels.astype(np.float32) * share, 0, 255), np.uint8)


def blurred(pixels: Pixels, by: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), by), np.uint8)


def test_a_good_picture_is_good_in_every_way_and_told_in_figures(pixels: Pixels) -> None:
    told = found(seen(pixels))
    assert list(told) == ["camera", "exposure", "focus", "light", "glare", "tray"]
    assert {finding.verdict for finding in told.values()} == {GOOD}
    assert told["camera"].told == "picamera:0 gives pictures of 1280 x 960, 15.0 a second, each a new one."
    assert "spread over 0.9 mm" in told["focus"].measured
    assert "A millimetre is 3.03 pixels, a die of 16 mm 49 pixels wide." in told["tray"].measured


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
    told = health_checks.check_camera(replace(seen(pixels), **change))
    assert told.verdict is verdict
    assert says in told.told


def test_brightness_that_swings_is_not_locked(pixels: Pixels) -> None:
    told = health_checks.check_exposure(replace(seen(pixels), levels=(70.0, 71.0, 85.0)))
    assert told.verdict is UNSURE
    assert "swings by 20 %" in told.told


def test_what_the_camera_says_of_its_own_exposure_is_passed_on(pixels: Pixels) -> None:
    told = health_checks.check_exposure(
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
    corners = sight(pixels).shown
    assert len(corners) == 4
    found = calibrate(Frame(pixels, 1, 0.0), TrayLayout())
    assert found is not None
    height, width = pixels.shape[:2]
    outline = np.float32([[x * width, y * height] for x, y in corners])
    assert all(cv2.pointPolygonTest(outline, centre, measureDist=False) > 0 for centre in found.centres.values())
    covered = pixels.copy()
    x, y = (round(place) for place in found.centres[2])
    covered[y - 60 : y + 60, x - 60 : x + 60] = 128
    assert sight(covered).shown == ()


def test_the_meter_rises_all_the_way_as_the_lens_is_turned_into_focus(pixels: Pixels) -> None:
    shares = [sight(blurred(pixels, by)).sharpness for by in (12, 6, 3, 2, 1, 0.4)]
    assert shares == sorted(shares)
    assert shares[0] < 0.25
    assert shares[-1] > 0.8
    assert share_of(0.1) == 1.0
    assert share_of(SOFT_MM) > share_of(BLURRED_MM) > 1 / 3


def test_it_is_told_where_each_marker_is(pixels: Pixels) -> None:
    told = sight(pixels)
    assert [marker.number for marker in told.markers] == [0, 1, 2, 3]
    left_top, right_top = told.markers[0].corners, told.markers[1].corners
    assert all(0 < x < 0.3 and 0 < y < 0.3 for x, y in left_top)
    assert all(0.7 < x < 1 and 0 < y < 0.3 for x, y in right_top)


@pytest.mark.parametrize(
    ("share", "verdict", "says"),
    [
        (0.25, BAD, "too dark"),
        (0.45, UNSURE, "a little dark"),
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
    assert "at marker 2" in told.told
    assert np.mean(told.place, axis=0) == pytest.approx((0.92, 0.9), abs=0.06)


def test_a_lamp_that_is_mirrored_in_the_tray_is_glare(pixels: Pixels) -> None:
    mirrored = pixels.copy()
    cv2.circle(mirrored, (500, 400), 70, (255, 255, 255), -1)
    told = found(seen(mirrored))["glare"]
    assert told.verdict is UNSURE
    assert "mm wide" in told.measured
    assert np.mean(told.place, axis=0) == pytest.approx((500 / 1280, 400 / 960), abs=0.02)
    cv2.circle(mirrored, (500, 400), 160, (255, 255, 255), -1)
    assert found(seen(mirrored))["glare"].verdict is BAD


def place_of(finding: Finding) -> tuple[float, float]:
    x, y = np.mean(finding.place, axis=0)
    return float(x), float(y)


def without(pixels: Pixels, *numbers: int) -> Pixels:
    """The picture with some markers covered."""
    covered = pixels.copy()
    for x, y in (find_markers(pixels).centres[number] for number in numbers):
        covered[max(0, round(y) - 60) : round(y) + 60, max(0, round(x) - 60) : round(x) + 60] = 128
    return covered


@pytest.mark.parametrize("numbers", [(2,), (0,), (1, 2), (0, 1, 3)])
def test_each_covered_marker_is_named_at_its_place(pixels: Pixels, numbers: tuple[int, ...]) -> None:
    told = sight(without(pixels, *numbers)).findings
    assert [finding.told for finding in told] == [f"Marker {number} is covered." for number in numbers]
    centres = find_markers(pixels).centres
    for finding, number in zip(told, numbers, strict=True):
        wanted = np.divide(centres[number], (pixels.shape[1], pixels.shape[0]))
        assert place_of(finding) == pytest.approx(tuple(wanted), abs=0.02 if len(numbers) == 1 else 0.08)
        assert (finding.verdict, finding.advice) == (BAD, "Clear it.")


def test_a_marker_outside_the_picture_is_named_at_the_edge(pixels: Pixels) -> None:
    told = sight(np.ascontiguousarray(pixels[:, : round(find_markers(pixels).centres[1][0]) - 40])).findings
    assert [finding.told for finding in told[:2]] == [
        "Marker 1 is outside the picture.",
        "Marker 2 is outside the picture.",
    ]
    assert place_of(told[0])[0] == 1.0


def test_a_mirrored_picture_is_told_as_that_and_as_nothing_else(pixels: Pixels) -> None:
    told = sight(np.ascontiguousarray(pixels[:, ::-1])).findings
    assert [(finding.name, finding.told) for finding in told] == [("mirrored", "The picture is mirrored.")]
    assert sight(np.ascontiguousarray(pixels[::-1, ::-1])).findings == ()
    whole = found(seen(np.ascontiguousarray(pixels[:, ::-1])))
    assert {whole[name].advice for name in ("focus", "light")} == {MIRRORED}, "nearer would help nothing"


def test_a_picture_without_a_mat_says_so_and_one_in_the_dark_says_that(pixels: Pixels) -> None:
    (told,) = sight(np.full_like(pixels, 120)).findings
    assert told.told == "No marker of the mat is in sight."
    (told,) = sight(np.full_like(pixels, 6)).findings
    assert told.told == "It is too dark."


def test_a_good_picture_has_zones_where_they_lie_and_nothing_wrong(pixels: Pixels) -> None:
    told = sight(pixels)
    assert told.findings == ()
    assert [zone.name for zone in told.zones] == ["field", "signal", "aside"]
    field, signal, aside = (np.array(zone.corners) for zone in told.zones)
    assert field.mean(axis=0)[0] < 0.5 < signal.mean(axis=0)[0]
    assert signal.mean(axis=0)[1] < aside.mean(axis=0)[1]


def read_in(pixels: Pixels) -> tuple[TrackedDie, ...]:
    pipeline = models_and_stores.LoadedModels.load().pipeline(die_sets.load("intersection"), TrayLayout(), live=False)
    pipeline.process(Frame(pixels, 1, 0.0))
    return pipeline.finish().dice


def test_dice_are_shown_where_they_lie_and_each_doubted_one_is_named_there(pixels: Pixels) -> None:
    dice = read_in(pixels)
    seen = look_at_tray(PictureMeasurements(pixels, TrayLayout()), dice)
    assert len(seen.dice) == 6
    assert seen.findings == ()
    for die, shown in zip(dice, seen.dice, strict=True):
        x, y = np.mean(shown.corners, axis=0) * (1280, 960)
        assert (x, y) == pytest.approx((die.reading.sighting.x, die.reading.sighting.y), abs=1)
        sides = np.linalg.norm((np.array(shown.corners) - np.roll(shown.corners, 1, axis=0)) * (1280, 960), axis=1)
        assert sides == pytest.approx(die.reading.sighting.edge, rel=0.1)
    first, second, *_ = dice
    leaning = replace(first.reading, sighting=replace(first.reading.sighting, posture=Posture.COCKED))
    doubted = (replace(first, reading=leaning), replace(second, reading=replace(second.reading, accepted=False)))
    told = look_at_tray(PictureMeasurements(pixels, TrayLayout()), doubted).findings
    assert [finding.told for finding in told] == ["This die leans.", "This die cannot be read for certain."]
    assert [finding.place for finding in told] == [shown.corners for shown in seen.dice[:2]]
    assert {finding.verdict for finding in told} == {UNSURE}


def test_a_tray_that_is_small_in_the_picture_is_told(pixels: Pixels) -> None:
    far = np.full((480, 640, 3), 60, np.uint8)
    far[100:400, 100:500] = cv2.resize(pixels, (400, 300), interpolation=cv2.INTER_AREA)
    told = found(seen(far))["tray"]
    assert told.verdict is UNSURE
    assert told.told == "The tray is too small in the picture."
    assert "15 pixels wide" in told.measured
    assert told.place


def straightened(frame: Frame) -> TrayView:
    found = calibrate(frame, TrayLayout())
    assert found is not None
    return rectify(frame, found, pixels_per_mm=3.0)


def seen_from(degrees: float) -> Pixels:
    """The flat tray as a camera sees it that looks at its middle from so far off the vertical, from 480 mm away."""
    camera = VirtualCamera(VirtualTray("intersection", seed=1), paced=False, seed=1)
    camera.open()
    flat = straightened(camera.frame())
    camera.close()
    turn = np.radians(degrees)
    ahead = np.array([0, -np.sin(turn), -np.cos(turn)])
    axes = np.array([[1, 0, 0], [0, np.cos(turn), -np.sin(turn)], ahead])
    eye = np.array([150.0, 112.5, 0]) - 480 * ahead
    to_picture = np.array([[1100.0, 0, 640], [0, 1100, 480], [0, 0, 1]]) @ axes
    plane = np.column_stack([to_picture[:, 0], to_picture[:, 1], -to_picture @ eye])
    return np.asarray(cv2.warpPerspective(flat.pixels, plane @ flat.to_mm, (1280, 960)), np.uint8)


@pytest.mark.parametrize(("degrees", "is_too_steep"), [(20, False), (45, False), (52, False), (62, True)])
def test_a_camera_that_looks_from_too_far_to_the_side_is_told(degrees: float, is_too_steep: bool) -> None:
    seen = PictureMeasurements(seen_from(degrees), TrayLayout())
    assert seen.plane is not None
    assert tilt_degrees(seen.plane) == pytest.approx(degrees, abs=5)
    told = [finding for finding in look_at_tray(seen).findings if finding.name == "tilt"]
    assert [finding.advice for finding in told] == ["Move the camera over the middle of the tray."] * is_too_steep
    assert all(len(finding.place) == 4 for finding in told)


def test_measures_that_do_not_fit_the_tray_are_told(pixels: Pixels) -> None:
    told = found(seen(pixels), TrayLayout(width_mm=335.0, typed=True))["tray"]
    assert told.verdict is UNSURE
    assert told.told == "The tray is set to 335 x 225 mm, but its markers show 300 x 225 mm: take the setting away."


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
    found = health_checks.check_camera(
        CameraSample("http://192.168.1.20:8080", trouble="Nobody answers at http://192.168.1.20:8080")
    )
    assert found.advice.startswith("Open the camera's address in a browser")
    assert "cable" in health_checks.check_camera(CameraSample("usb:0", trouble="usb:0 gave no frame")).advice


def test_a_recording_that_is_over_has_no_cable() -> None:
    told = health_checks.check_camera(CameraSample("replay:/films/one.mp4", trouble="the recording is over"))
    assert told.advice == "Choose it again to play it from its beginning, or choose another camera."
