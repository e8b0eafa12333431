"""What the camera gives: whether pictures come, how sharp and how well lit they are, and whether the tray is in them.

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

from referee.text import as_sentence
from vander.diagnostics.camera_probe import CameraSample
from vander.diagnostics.focus import TURN, focus
from vander.diagnostics.health_check import CheckSubject, HealthCheck
from vision.calibration import (
    MARKERS,
    Calibration,
    MarkerCorners,
    TrayLayout,
    calibrate,
    find_marker_corners,
    name_markers,
)
from vision.frames import Frame, Pixels
from vision.lighting import Illumination, measure_illumination
from web.schemas.diagnostics_schemas import Finding, Verdict

CAMERA = CheckSubject("camera", "Camera")
EXPOSURE = CheckSubject("exposure", "Exposure")
FOCUS = CheckSubject("focus", "Focus")
LIGHT = CheckSubject("light", "Light")
GLARE = CheckSubject("glare", "Glare")
TRAY = CheckSubject("tray", "Tray and markers")

SLOW, SLOWEST = 6.0, 2.5
"""Pictures a second: fewer make the table slow, and much fewer lose a throw."""
SWING = 0.08
"""Share by which the brightness of pictures taken one after the other may differ, when it is held."""
DIM, DARK = 110.0, 70.0
"""Levels of the markers' white: below the first dice are asked about more often, below the second much more often."""
WHITE = 250.0
"""A level of white at which nothing brighter can be told apart."""
WASHED_OUT = 230.0
"""The brightest of the tray, at which all is white; a tray in good light has 100 to 150 there."""
EVEN, ONE_SIDED = 0.55, 0.35
"""The darkest corner's white to the brightest's."""
GLARE_MM2, FLOODED = 450.0, 0.05
"""A burnt-out patch so large is more than a bright die's face; and the share of the tray that may be burnt out."""
COMMON_DIE_MM = 16.0
COARSE_PX, TOO_COARSE_PX = 16.0, 12.0
"""Pixels across a common die: from 15 on the virtual tray's dice are read as ever, and at 12 one in twenty is lost."""
SLANTED, STEEP = 1.15, 1.4
"""How much larger a millimetre looks at one side of the tray than at the opposite one."""
MISMEASURED = 0.08
"""Share by which a millimetre across and one down may differ, seen from above, where the tray's measures are right."""


@dataclass(frozen=True, eq=False)
class PictureMeasurements:
    """What was seen, and what can be measured in it; measured once, when it is first asked for."""

    sighted: CameraSample
    layout: TrayLayout

    @property
    def pixels(self) -> Pixels:
        """The last picture. Raises LookupError where none came."""
        if self.sighted.pixels is None or self.sighted.trouble:
            raise LookupError("there is no picture to look at")
        return self.sighted.pixels

    @cached_property
    def squares(self) -> dict[int, MarkerCorners]:
        """The markers in sight."""
        return find_marker_corners(self.pixels)

    @cached_property
    def calibration(self) -> Calibration | None:
        """Where the tray is."""
        return calibrate(Frame(self.pixels, 1, 0.0), self.layout)

    @cached_property
    def light(self) -> Illumination:
        """How it is lit."""
        return measure_illumination(self.pixels, self.squares, self.calibration)


def checks(picture: PictureMeasurements) -> tuple[HealthCheck, ...]:
    """All that can be said of a picture; without one only that there is none."""
    first = HealthCheck(CAMERA, lambda: camera(picture.sighted))
    if picture.sighted.pixels is None or picture.sighted.trouble:
        return (first,)
    looks: tuple[tuple[CheckSubject, Callable[[PictureMeasurements], Finding]], ...] = (
        (EXPOSURE, lambda seen: exposure(seen.sighted)),
        (FOCUS, sharp),
        (LIGHT, lit),
        (GLARE, glaring),
        (TRAY, tray),
    )
    return first, *(HealthCheck(subject, _looking(look, picture)) for subject, look in looks)


def _looking(look: Callable[[PictureMeasurements], Finding], picture: PictureMeasurements) -> Callable[[], Finding]:
    return lambda: look(picture)


def camera(seen: CameraSample) -> Finding:
    """Whether pictures come, how many a second, and whether they are new ones."""
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
            f"{told}, but always the same one.", "Unplug the camera and plug it in again, or start Vander anew."
        )
    told += f", {seen.rate:.1f} a second"
    if seen.rate < SLOW:
        told = f"{told}, where {SLOW:g} or more are wanted."
        advice = "Let nothing else run on the box, and look to its heat and supply; a USB camera may need more light."
        return CAMERA.bad(told, advice) if seen.rate < SLOWEST else CAMERA.unsure(told, advice)
    return CAMERA.good(f"{told}, each a new one.")


def exposure(seen: CameraSample) -> Finding:
    """Whether the brightness holds from picture to picture, and what the camera says of its own locking."""
    swing = swing_of(seen.levels)
    told = f"The brightness holds within {100 * swing:.0f} % from picture to picture"
    if seen.live and swing > SWING:
        return EXPOSURE.unsure(
            f"The brightness swings by {100 * swing:.0f} % from picture to picture.",
            "Look again without a hand in the picture. If it stays, a lamp flickers, or the camera's exposure is not "
            "locked: use another lamp, or switch the camera's automatic exposure off.",
        )
    if seen.notes:
        return EXPOSURE.unsure(
            " ".join([f"{told}.", *map(as_sentence, seen.notes)]), "Light the tray as in play and start Vander anew."
        )
    return EXPOSURE.good(f"{told}.")


def swing_of(levels: Sequence[float]) -> float:
    """The share by which levels differ from one another."""
    return (max(levels) - min(levels)) / max(sum(levels) / len(levels), 1.0) if levels else 0.0


def sharp(seen: PictureMeasurements) -> Finding:
    """Whether the markers' edges are sharp."""
    found = focus(seen.pixels, seen.layout)
    if found.verdict is Verdict.GOOD:
        return FOCUS.good(f"{found.told[:-1]}: sharp enough.")
    if not found.markers:
        return FOCUS.unsure(found.told, "Put the four markers into the picture, uncovered and lit, and look again.")
    told = f"{found.told[:-1]}: {'soft' if found.verdict is Verdict.UNSURE else 'too blurred'}."
    return FOCUS.unsure(told, TURN) if found.verdict is Verdict.UNSURE else FOCUS.bad(told, TURN)


def lit(seen: PictureMeasurements) -> Finding:
    """Whether there is light enough, not too much, and from more than one side."""
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


def glaring(seen: PictureMeasurements) -> Finding:
    """Whether something in the tray is burnt out."""
    found, tray_seen = seen.light, seen.calibration
    patch = found.glare_px / scale(tray_seen) ** 2 if tray_seen else 0.0
    told = f"{100 * found.overexposed:.1f} % of the tray is burnt out"
    advice = "Move the lamp until its reflection is gone: to the side, or behind a sheet of white paper."
    if found.overexposed >= FLOODED:
        return GLARE.bad(f"{told}.", advice)
    if patch >= GLARE_MM2:
        return GLARE.unsure(f"{told}, the largest patch about {patch**0.5:.0f} mm wide.", advice)
    return GLARE.good(f"{told}: no glare.")


def tray(seen: PictureMeasurements) -> Finding:
    """Whether all markers are seen, how large dice look, and how straight the camera looks down."""
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
            "All four markers are seen, but they do not look flat by the tray's measures, or do not go round clockwise "
            "from the top left: 0, 1, 2, 3.",
            "Lay the markers flat and in that order, and measure the tray from marker to marker, middle to middle, for "
            "VANDER_TRAY_WIDTH_MM and VANDER_TRAY_HEIGHT_MM.",
        )
    return (
        f"{name_markers(hidden, corners=True)} cannot be seen.",
        "All four must be in the picture: whole, flat, uncovered, lit and sharp. `vander mat` prints them.",
    )


def scale(found: Calibration) -> float:
    """Pixels to a millimetre in the middle of the tray."""
    across, down = _scales(found, found.layout.width_mm / 2, found.layout.height_mm / 2)
    return float(np.sqrt(across * down))


def stretched(found: Calibration) -> float:
    """Pixels to a millimetre across, to those down, in the middle of the tray: 1 where its measures are right."""
    across, down = _scales(found, found.layout.width_mm / 2, found.layout.height_mm / 2)
    return across / down


def slanted(found: Calibration) -> float:
    """How much larger a side of the tray looks than the opposite one, 1 for a camera that looks straight down."""
    sides = [
        float(np.hypot(*np.subtract(found.centres[a], found.centres[b]))) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))
    ]
    ratios = (sides[0] / sides[2], sides[1] / sides[3])
    return max(max(ratio, 1 / ratio) for ratio in ratios)


def _scales(found: Calibration, x: float, y: float) -> tuple[float, float]:
    """Pixels to a millimetre, across and down, at a place of the tray."""
    places = np.array([[[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]], np.float64)
    left, right, above, below = cv2.perspectiveTransform(places, np.linalg.inv(found.to_mm))[0]
    return float(np.hypot(*(right - left))) / 2, float(np.hypot(*(below - above))) / 2
