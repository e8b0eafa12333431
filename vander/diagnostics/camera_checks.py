"""Checks of the camera: whether frames come, how sharp and how well lit they are, and whether the tray is seen.

The limits of the light were measured on the virtual tray's pictures (20 throws of five sets at each of fifteen
brightnesses): as many dice are read at a marker's white of 110 as at 220, nine in ten of those at 90 and eight in ten
at 70. Too much light does less harm, until the markers themselves are washed out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from referee.phrases import as_sentence
from vander.diagnostics.camera_probe import CameraSample
from vander.diagnostics.doctor_check import CheckSubject, HealthCheck
from vander.diagnostics.focus import TURN, focus
from vision.frames import Frame, Pixels
from vision.lighting import Illumination, measure_illumination
from vision.tray_calibration import (
    MARKERS,
    Calibration,
    MarkerCorners,
    TrayLayout,
    calibrate,
    find_marker_corners,
    name_markers,
)
from web.schemas.diagnostics_schemas import Finding, Verdict

CAMERA = CheckSubject("camera", "Camera")
EXPOSURE = CheckSubject("exposure", "Exposure")
FOCUS = CheckSubject("focus", "Focus")
LIGHT = CheckSubject("light", "Light")
GLARE = CheckSubject("glare", "Glare")
TRAY = CheckSubject("tray", "Tray and markers")

SLOW, SLOWEST = 6.0, 2.5
"""Frames a second: fewer make the table slow, and much fewer miss a throw."""
SWING = 0.08
"""Share by which the brightness of successive frames may differ if the exposure is locked."""
DIM, DARK = 110.0, 70.0
"""Levels of the markers' white: below the first, dice are asked about more often, below the second, much more."""
WHITE = 250.0
"""A level of white above which nothing can be distinguished."""
WASHED_OUT = 230.0
"""The level of the tray's brightest part at which all is white; in good light it is 100 to 150."""
EVEN, ONE_SIDED = 0.55, 0.35
"""The ratio of the darkest corner's white to the brightest's."""
GLARE_MM2, FLOODED = 450.0, 0.05
"""The area of an overexposed patch larger than a die's face, and the share of the tray that may be overexposed."""
COMMON_DIE_MM = 16.0
COARSE_PX, TOO_COARSE_PX = 16.0, 12.0
"""Pixels across a common die: the virtual tray's dice are read without loss from 15, and at 12 one in 20 is lost."""
SLANTED, STEEP = 1.15, 1.4
"""The ratio of a millimetre's size at opposite sides of the tray."""
MISMEASURED = 0.08
"""Share by which a millimetre across and one down may differ if the tray's measures are right."""


@dataclass(frozen=True, eq=False)
class PictureMeasurements:
    """A camera's sample, and its measurements, each made once when it is first needed."""

    sample: CameraSample
    layout: TrayLayout

    @property
    def pixels(self) -> Pixels:
        """The last frame. Raises LookupError if there is none."""
        if self.sample.pixels is None or self.sample.trouble:
            raise LookupError("there is no picture to look at")
        return self.sample.pixels

    @cached_property
    def squares(self) -> dict[int, MarkerCorners]:
        """The markers that are seen."""
        return find_marker_corners(self.pixels)

    @cached_property
    def calibration(self) -> Calibration | None:
        """The tray's calibration, None if it is not found."""
        return calibrate(Frame(self.pixels, 1, 0.0), self.layout)

    @cached_property
    def light(self) -> Illumination:
        """The illumination of the tray."""
        return measure_illumination(self.pixels, self.squares, self.calibration)


def checks(picture: PictureMeasurements) -> tuple[HealthCheck, ...]:
    """Return all checks of a frame; without one, only the check that says so."""
    first = HealthCheck(CAMERA, lambda: check_camera(picture.sample))
    if picture.sample.pixels is None or picture.sample.trouble:
        return (first,)
    looks: tuple[tuple[CheckSubject, Callable[[PictureMeasurements], Finding]], ...] = (
        (EXPOSURE, lambda seen: check_exposure(seen.sample)),
        (FOCUS, check_focus),
        (LIGHT, check_light),
        (GLARE, check_glare),
        (TRAY, check_tray),
    )
    return first, *(HealthCheck(subject, _looking(look, picture)) for subject, look in looks)


def _looking(look: Callable[[PictureMeasurements], Finding], picture: PictureMeasurements) -> Callable[[], Finding]:
    return lambda: look(picture)


def check_camera(seen: CameraSample) -> Finding:
    """Check that frames come, how many a second, and that they differ."""
    if seen.trouble:
        return CAMERA.bad(
            as_sentence(seen.trouble), "Look to its cable and to who else uses it; dice can be given by hand."
        )
    if seen.pixels is None:
        return CAMERA.bad(f"{seen.name} gives no picture.", "Look to its cable, and that no other program uses it.")
    told = f"{seen.name} gives pictures of {seen.pixels.shape[1]} x {seen.pixels.shape[0]}"
    if not seen.live:
        return CAMERA.good(f"{told}: a recording, no camera.")
    if seen.count > 2 and not seen.fresh:
        return CAMERA.bad(
            f"{told}, but always the same one.", "Unplug the camera and plug it in again, or restart the box."
        )
    told += f", {seen.rate:.1f} a second"
    if seen.rate < SLOW:
        told = f"{told}, where {SLOW:g} or more are wanted."
        advice = "Let nothing else run on the box, and look to its heat and supply; a USB camera may need more light."
        return CAMERA.bad(told, advice) if seen.rate < SLOWEST else CAMERA.unsure(told, advice)
    return CAMERA.good(f"{told}, each a new one.")


def check_exposure(seen: CameraSample) -> Finding:
    """Check that the brightness is constant, and what the camera says of its exposure lock."""
    spread = swing(seen.levels)
    told = f"The brightness holds within {100 * spread:.0f} % from picture to picture"
    if seen.live and spread > SWING:
        return EXPOSURE.unsure(
            f"The brightness swings by {100 * spread:.0f} % from picture to picture.",
            "Look again without a hand in the picture. If it stays, a lamp flickers, or the camera's exposure is not "
            "locked: use another lamp, or switch the camera's automatic exposure off.",
        )
    if seen.notes:
        return EXPOSURE.unsure(
            " ".join([f"{told}.", *map(as_sentence, seen.notes)]), "Light the tray as in play and restart Vander."
        )
    return EXPOSURE.good(f"{told}.")


def swing(levels: Sequence[float]) -> float:
    """Return the range of levels as a share of their mean."""
    return (max(levels) - min(levels)) / max(sum(levels) / len(levels), 1.0) if levels else 0.0


def check_focus(seen: PictureMeasurements) -> Finding:
    """Check that the markers' edges are sharp."""
    found = focus(seen.pixels, seen.layout)
    if found.verdict is Verdict.GOOD:
        return FOCUS.good(f"{found.told[:-1]}: sharp enough.")
    if not found.markers:
        return FOCUS.unsure(found.told, "Put the four markers into the picture, uncovered and lit, and look again.")
    told = f"{found.told[:-1]}: {'soft' if found.verdict is Verdict.UNSURE else 'too blurred'}."
    return FOCUS.unsure(told, TURN) if found.verdict is Verdict.UNSURE else FOCUS.bad(told, TURN)


def check_light(seen: PictureMeasurements) -> Finding:
    """Check that the light is neither too dim, too bright nor one-sided."""
    found = seen.light
    if not found.paper_levels:
        told = f"The picture's mean level is {found.mean:.0f} of 255; without a marker no more can be said."
        return LIGHT.unsure(told, "Put the four markers into the picture, and look again.")
    low, high = min(found.paper_levels.values()), max(found.paper_levels.values())
    told = f"The markers' white stands at {low:.0f} to {high:.0f} of 255, the tray at {found.mean:.0f}"
    uneven = found.evenness is not None and found.evenness < EVEN
    if low < DIM and not uneven:
        advice = "Put a lamp over the tray, or nearer; dice are asked about more often in the dark."
        return (LIGHT.bad if low < DARK else LIGHT.unsure)(f"{told}: {'too dark' if low < DARK else 'dim'}.", advice)
    if low >= WHITE:
        advice = "Dim the lamp or move it away: colours go first, then the markers."
        washed_out = found.brightest >= WASHED_OUT
        return (LIGHT.bad if washed_out else LIGHT.unsure)(f"{told}: too bright.", advice)
    return _uneven(found, told) if uneven else LIGHT.good(f"{told}: bright enough and even.")


def _uneven(found: Illumination, told: str) -> Finding:
    share = found.evenness or 0.0
    dark = min(found.paper_levels, key=lambda number: found.paper_levels[number])
    told = f"{told}: {name_markers((dark,), corners=True)} gets {100 * share:.0f} % of the light of the brightest."
    advice = "Move the lamp to the middle, or add one at the dark side."
    bad = share < ONE_SIDED or found.paper_levels[dark] < DARK
    return (LIGHT.bad if bad else LIGHT.unsure)(told, advice)


def check_glare(seen: PictureMeasurements) -> Finding:
    """Check that nothing in the tray is overexposed."""
    found, tray_seen = seen.light, seen.calibration
    patch = found.glare_px / scale(tray_seen) ** 2 if tray_seen else 0.0
    told = f"{100 * found.overexposed:.1f} % of the tray is burnt out"
    advice = "Move the lamp until its reflection is gone: to the side, or behind a sheet of white paper."
    if found.overexposed >= FLOODED:
        return GLARE.bad(f"{told}.", advice)
    if patch >= GLARE_MM2:
        return GLARE.unsure(f"{told}, the largest patch about {patch**0.5:.0f} mm wide.", advice)
    return GLARE.good(f"{told}: no glare.")


def check_tray(seen: PictureMeasurements) -> Finding:
    """Check that all markers are seen, how large dice are, and how straight the camera looks down."""
    found = seen.calibration
    if found is None:
        return TRAY.bad(*_missing(seen.squares))
    pixels = scale(found)
    width = COMMON_DIE_MM * pixels
    told = f"All four markers are seen; a millimetre is {pixels:.2f} pixels and a die of 16 mm {width:.0f} pixels wide"
    if width < COARSE_PX:
        advice = "Hang the camera nearer, so that the tray fills its picture."
        return (TRAY.bad if width < TOO_COARSE_PX else TRAY.unsure)(f"{told}: too small.", advice)
    return _straight(found, told)


def _straight(found: Calibration, told: str) -> Finding:
    slant, stretch = slanted(found), stretched(found)
    told = f"{told}; the near side looks {100 * (slant - 1):.0f} % larger than the far one"
    if slant > SLANTED:
        advice = "Hang the camera over the middle of the tray, looking straight down."
        return (TRAY.bad if slant > STEEP else TRAY.unsure)(f"{told}.", advice)
    if abs(stretch - 1) > MISMEASURED:
        return TRAY.unsure(
            f"{told}. But a millimetre across is {100 * abs(stretch - 1):.0f} % "
            f"{'more' if stretch > 1 else 'fewer'} pixels than one down.",
            "Measure from marker to marker, middle to middle, for VANDER_TRAY_WIDTH_MM and VANDER_TRAY_HEIGHT_MM.",
        )
    return TRAY.good(f"{told}.")


def _missing(squares: dict[int, MarkerCorners]) -> tuple[str, str]:
    hidden = tuple(number for number in MARKERS if number not in squares)
    if not hidden:
        return (
            "All four markers are seen, but they do not look flat, or do not go round clockwise from the top left: "
            "0, 1, 2, 3.",
            "Lay the markers flat and in that order. Measure the tray between the markers' middles for "
            "VANDER_TRAY_WIDTH_MM and VANDER_TRAY_HEIGHT_MM.",
        )
    return (
        f"{name_markers(hidden, corners=True)} cannot be seen.",
        "All four must be in the picture: whole, flat, uncovered, lit and sharp. `vander mat` prints them.",
    )


def scale(found: Calibration) -> float:
    """Return pixels per millimetre in the middle of the tray."""
    across, down = _scales(found, found.layout.width_mm / 2, found.layout.height_mm / 2)
    return float(np.sqrt(across * down))


def stretched(found: Calibration) -> float:
    """Return pixels per millimetre across divided by those down, in the middle: 1 if the tray's measures are right."""
    across, down = _scales(found, found.layout.width_mm / 2, found.layout.height_mm / 2)
    return across / down


def slanted(found: Calibration) -> float:
    """Return the largest ratio of opposite sides, 1 for a camera that looks straight down."""
    sides = [
        float(np.hypot(*np.subtract(found.centres[a], found.centres[b]))) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))
    ]
    ratios = (sides[0] / sides[2], sides[1] / sides[3])
    return max(max(ratio, 1 / ratio) for ratio in ratios)


def _scales(found: Calibration, x: float, y: float) -> tuple[float, float]:
    """Return pixels per millimetre, across and down, at a place of the tray in mm."""
    places = np.array([[[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]], np.float64)
    left, right, above, below = cv2.perspectiveTransform(places, np.linalg.inv(found.to_mm))[0]
    return float(np.hypot(*(right - left))) / 2, float(np.hypot(*(below - above))) / 2
