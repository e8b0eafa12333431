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

from referee.phrases import as_sentence, decimal, in_a_row
from referee.sentences import as_title, as_whole, say
from vander.diagnostics.camera_probe import CameraSample
from vander.diagnostics.doctor_check import CheckSubject, HealthCheck
from vander.diagnostics.focus import TURN, focus
from vision.frames import Frame, Pixels
from vision.lighting import Illumination, measure_illumination
from vision.tray_calibration import Calibration, TrayLayout, locate
from vision.tray_markers import MARKERS, SeenMarkers, find_markers, name_markers
from web.schemas.diagnostics_schemas import Finding, Verdict

CAMERA = CheckSubject("camera", say("Camera"))
EXPOSURE = CheckSubject("exposure", say("Exposure"))
FOCUS = CheckSubject("focus", say("Focus"))
LIGHT = CheckSubject("light", say("Light"))
GLARE = CheckSubject("glare", say("Glare"))
TRAY = CheckSubject("tray", say("Tray and markers"))

AT_CABLE = say("Check its cable, and who else uses it; dice can be given by hand.")
IN_NETWORK = say("Open the camera's address in a browser, to see whether it works; dice can be given by hand.")
SLOW, SLOWEST = 6.0, 2.5
"""Frames a second: fewer make the table slow, and much fewer miss a throw."""
SWING = 0.08
"""Share by which the brightness of successive frames may differ if the exposure is locked."""
DIM, DARK = 110.0, 70.0
"""Levels of the markers' white: below the first, dice are asked about more often, below the second, much more."""
LEAST_MEAN = 25.0
"""The mean level of a tray without markers below which it is dim, whatever the colour of its floor."""
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
TAP_AGAIN = say("Open the corners on this page, and drag them to where they are now.")
MEASURE_INSIDE = say("Measure the tray inside, from wall to wall, and give its width and height with the corners.")
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
    def markers(self) -> SeenMarkers:
        """The markers that are seen."""
        return find_markers(self.pixels)

    @property
    def calibration(self) -> Calibration | None:
        """The tray's calibration, None if it is not found."""
        return self.located[0]

    @cached_property
    def located(self) -> tuple[Calibration | None, str]:
        """The tray's calibration, and what is in doubt about it, or why there is none."""
        return locate(Frame(self.pixels, 1, 0.0), self.layout)

    @cached_property
    def light(self) -> Illumination:
        """The illumination of the tray."""
        return measure_illumination(self.pixels, self.markers.corners, self.calibration)


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
        return CAMERA.bad(as_sentence(seen.trouble), IN_NETWORK if "://" in seen.name else AT_CABLE)
    if seen.pixels is None:
        return CAMERA.bad(
            say("{name} gives no picture.", name=seen.name),
            say("Check its cable, and that no other program uses it."),
        )
    height, width = seen.pixels.shape[:2]
    told = say("{name} gives pictures of {width} x {height}", name=seen.name, width=width, height=height)
    if not seen.live:
        return CAMERA.good(say("{told}: a recording, no camera.", told=told))
    if not seen.steady:  # it sends few pictures while nothing moves
        return CAMERA.good(say("{told} when the dice lie still.", told=told))
    if seen.count > 2 and not seen.fresh:
        return CAMERA.bad(
            say("{told}, but always the same one.", told=told),
            say("Unplug the camera and plug it in again, or restart the box."),
        )
    return _speed_finding(seen, say("{told}, {rate} a second", told=told, rate=decimal(seen.rate, 1)))


def _speed_finding(seen: CameraSample, told: str) -> Finding:
    if seen.rate >= SLOW:
        return CAMERA.good(say("{told}, each a new one.", told=told))
    told = say("{told}, where {least} or more are wanted.", told=told, least=f"{SLOW:g}")
    advice = say("Let nothing else run on the box, and check its heat and supply. A USB camera may need more light.")
    return CAMERA.bad(told, advice) if seen.rate < SLOWEST else CAMERA.unsure(told, advice)


def check_exposure(seen: CameraSample) -> Finding:
    """Check that the brightness is constant, and what the camera says of its exposure lock."""
    spread = swing(seen.levels)
    told = say("The brightness holds within {share} % from picture to picture.", share=round(100 * spread))
    if seen.live and spread > SWING:
        return EXPOSURE.unsure(
            say("The brightness swings by {share} % from picture to picture.", share=round(100 * spread)),
            say(
                "Look again without a hand in the picture. If it stays, a lamp flickers: use another one, or switch "
                "the camera's automatic exposure off."
            ),
        )
    if seen.notes:
        return EXPOSURE.unsure(
            in_a_row(told, *map(as_sentence, seen.notes)), say("Light the tray as in play and restart Vander.")
        )
    return EXPOSURE.good(told)


def swing(levels: Sequence[float]) -> float:
    """Return the range of levels as a share of their mean."""
    return (max(levels) - min(levels)) / max(sum(levels) / len(levels), 1.0) if levels else 0.0


def check_focus(seen: PictureMeasurements) -> Finding:
    """Check that the markers' edges are sharp."""
    found = focus(seen.pixels, seen.layout)
    told = as_title(found.told)
    if found.verdict is Verdict.GOOD and seen.layout.tapped is not None:
        return FOCUS.good(as_whole(found.told))
    if found.verdict is Verdict.GOOD:
        return FOCUS.good(say("{told}: sharp enough.", told=told))
    if seen.layout.tapped is not None:
        return FOCUS.unsure(as_whole(found.told), say("Wipe the lens, and give the tray more light."))
    if not found.markers:
        return FOCUS.unsure(
            found.told, say("Put the four markers into the picture, uncovered and lit, and look again.")
        )
    if found.verdict is Verdict.UNSURE:
        return FOCUS.unsure(say("{told}: soft.", told=told), TURN)
    return FOCUS.bad(say("{told}: too blurred.", told=told), TURN)


def check_light(seen: PictureMeasurements) -> Finding:
    """Check that the light is neither too dim, too bright nor one-sided."""
    found = seen.light
    if seen.layout.tapped is not None:
        return _light_without_markers(found)
    if not found.paper_levels:
        told = say(
            "The picture's mean level is {level} of 255; without a marker no more can be said.", level=round(found.mean)
        )
        return LIGHT.unsure(told, say("Put the four markers into the picture, and look again."))
    return _light_of_markers(found)


def _light_without_markers(found: Illumination) -> Finding:
    """Return what can be said of the light at a tray that is known by taps: how bright its picture is, and no more."""
    told = say("The tray's mean level is {level} of 255; without markers no more can be said.", level=round(found.mean))
    if found.mean < LEAST_MEAN:
        return LIGHT.unsure(
            told, say("Put a lamp over the tray, or nearer; dice are asked about more often in the dark.")
        )
    return LIGHT.good(told)


def _light_of_markers(found: Illumination) -> Finding:
    low, high = min(found.paper_levels.values()), max(found.paper_levels.values())
    told: str = say(
        "The markers' white stands at {low} to {high} of 255, the tray at {level}",
        low=round(low),
        high=round(high),
        level=round(found.mean),
    )
    uneven = found.evenness is not None and found.evenness < EVEN
    if low < DIM and not uneven:
        advice = say("Put a lamp over the tray, or nearer; dice are asked about more often in the dark.")
        if low < DARK:
            return LIGHT.bad(say("{told}: too dark.", told=told), advice)
        return LIGHT.unsure(say("{told}: dim.", told=told), advice)
    if low >= WHITE:
        advice = say("Dim the lamp or move it away: colours go first, then the markers.")
        washed_out = found.brightest >= WASHED_OUT
        return (LIGHT.bad if washed_out else LIGHT.unsure)(say("{told}: too bright.", told=told), advice)
    return _uneven(found, told) if uneven else LIGHT.good(say("{told}: bright enough and even.", told=told))


def _uneven(found: Illumination, told: str) -> Finding:
    share = found.evenness or 0.0
    dark = min(found.paper_levels, key=lambda number: found.paper_levels[number])
    told = say(
        "{told}: {marker} gets {share} % of the light of the brightest.",
        told=told,
        marker=name_markers((dark,), corners=True),
        share=round(100 * share),
    )
    advice = say("Move the lamp to the middle, or add one at the dark side.")
    bad = share < ONE_SIDED or found.paper_levels[dark] < DARK
    return (LIGHT.bad if bad else LIGHT.unsure)(told, advice)


def check_glare(seen: PictureMeasurements) -> Finding:
    """Check that nothing in the tray is overexposed."""
    found, tray_seen = seen.light, seen.calibration
    patch = found.glare_px / scale(tray_seen) ** 2 if tray_seen else 0.0
    told = say("{share} % of the tray is burnt out", share=decimal(100 * found.overexposed, 1))
    advice = say("Move the lamp until its reflection is gone: to the side, or behind a sheet of white paper.")
    if found.overexposed >= FLOODED:
        return GLARE.bad(as_whole(told), advice)
    if patch >= GLARE_MM2:
        return GLARE.unsure(
            say("{told}, the largest patch about {width} mm wide.", told=told, width=round(patch**0.5)), advice
        )
    return GLARE.good(say("{told}: no glare.", told=told))


def check_tray(seen: PictureMeasurements) -> Finding:
    """Check that all markers are seen, how large dice are, and how straight the camera looks down."""
    found = seen.calibration
    if found is None:
        return TRAY.bad(*(_missing(seen.markers) if seen.layout.tapped is None else (seen.located[1], TAP_AGAIN)))
    pixels = scale(found)
    width = COMMON_DIE_MM * pixels
    told = _size_in_words(seen.layout, pixels, width)
    if width < COARSE_PX:
        advice = say("Hang the camera nearer, so that the tray fills its picture.")
        return (TRAY.bad if width < TOO_COARSE_PX else TRAY.unsure)(say("{told}: too small.", told=told), advice)
    return _straight(found, told)


def _size_in_words(layout: TrayLayout, pixels: float, width: float) -> str:
    if layout.tapped is not None:
        return say(
            "The tray's corners are tapped; a millimetre is {pixels} pixels and a die of 16 mm {width} wide",
            pixels=decimal(pixels, 2),
            width=round(width),
        )
    return say(
        "All four markers are seen; a millimetre is {pixels} pixels and a die of 16 mm {width} pixels wide",
        pixels=decimal(pixels, 2),
        width=round(width),
    )


def _straight(found: Calibration, told: str) -> Finding:
    slant, stretch = slanted(found), stretched(found)
    share = round(100 * (slant - 1))
    told = say("{told}; the near side looks {share} % larger than the far one.", told=told, share=share)
    if slant > SLANTED:
        advice = say("Hang the camera over the middle of the tray, looking straight down.")
        return (TRAY.bad if slant > STEEP else TRAY.unsure)(told, advice)
    if abs(stretch - 1) > MISMEASURED and found.layout.tapped is not None:
        return TRAY.unsure(in_a_row(told, _stretch_in_words(stretch)), MEASURE_INSIDE)
    if found.doubt:
        return TRAY.unsure(told, found.doubt)
    return TRAY.good(told)


def _stretch_in_words(stretch: float) -> str:
    share = round(100 * abs(stretch - 1))
    if stretch > 1:
        return say("But a millimetre across is {share} % more pixels than one down.", share=share)
    return say("But a millimetre across is {share} % fewer pixels than one down.", share=share)


def _missing(seen: SeenMarkers) -> tuple[str, str]:
    hidden = tuple(number for number in MARKERS if number not in seen.corners)
    if seen.fault:
        return seen.fault, say("Then the tray is found by itself.")
    if not hidden:
        return (
            say("All four markers are seen, but not flat, or not clockwise from the top left: 0, 1, 2, 3."),
            say("Lay the markers flat and in that order."),
        )
    return (
        say("{markers} cannot be seen.", markers=name_markers(hidden, corners=True)),
        say(
            "All four must be in the picture: whole, flat, uncovered, lit and sharp. Print the mat with them from "
            "/mat/a4.pdf at this address, or with `vander mat`."
        ),
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
