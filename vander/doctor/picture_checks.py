"""Checks of a picture of the tray: what is seen in it, what is wrong and where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import Zone
from referee.phrases import decimal, spell_list
from referee.sentences import say, say_count
from vander.doctor import CheckSubject
from vision.feed_health import Illumination, MarkerSharpness, fine_detail, measure_illumination, measure_markers
from vision.frames import Frame, Pixels
from vision.observations import LEANING, TrackedDie
from vision.rectification import MARGIN_MM, camera_over, tray_outline
from vision.tray_calibration import Calibration, TrayLayout, calibrate, fit_calibration, locate
from vision.tray_markers import MARKERS, MIRRORED, SeenMarkers, find_markers
from web.schemas.access_schemas import DieInSight, Finding, Place, SeenMarker, SeenZone, TraySight, Verdict

# Checks of a picture of the tray: what is wrong with it, where in the picture, and what to do about it
#
# The limits of the light were measured on the virtual tray's pictures (20 throws of five sets at each of fifteen
# brightnesses): as many dice are read at a marker's white of 110 as at 220, nine in ten of those at 90 and eight in
# ten at 70. Too much light does less harm, until the markers themselves are washed out.
# Those of the sharpness: 25 throws of five sets at each of ten blurs, at 1280 and 640 pixels across (3.1 and 1.5
# pixels a millimetre). Dice are read without loss until the edges of the markers spread over 1.8 mm, and none at 2.0
# mm, where the markers are no longer found.


FOCUS = CheckSubject("focus", say("Focus"))
LIGHT = CheckSubject("light", say("Light"))
GLARE = CheckSubject("glare", say("Glare"))
TRAY = CheckSubject("tray", say("Tray and markers"))
TILT = CheckSubject("tilt", say("Tray and markers"))
MIRROR = CheckSubject("mirrored", say("Tray and markers"))

SOFT_MM, BLURRED_MM = 1.6, 1.9
"""Millimetres that a marker's edge may spread over: more is soft, and much more is too blurred."""
SHARP_PX = 2.2
"""Pixels: a narrower edge is as sharp as the picture can show, however few pixels a millimetre has."""
DIM, DARK = 110.0, 70.0
"""Levels of the markers' white: below the first, dice are asked about more often, below the second, much more."""
LEAST_MEAN = 25.0
"""The mean level of a picture without markers below which it is dark, whatever lies in it."""
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
STEEPEST_DEGREES = 55.0
"""Degrees from straight above at which the camera may look at the middle of the tray."""
SLANTED = 1.15
"""The ratio of opposite sides of the tray from which on its measures cannot be told from a picture."""
MISMEASURED = 0.08
"""Share by which a millimetre across and one down may differ if the tray's measures are right."""
GUESSED_FROM = 2
"""Markers from which on the place of the others is guessed: the corners of one alone err too much."""
MEASURE_INSIDE = say("Measure the tray inside, from wall to wall, and give its width and height with the corners.")
TAP_AGAIN = say("Open the corners, and drag them to where they are now.")
MORE_LIGHT = say("Put a lamp over the tray, or nearer.")
CLOSER = say("Move the camera nearer, until the tray fills the picture.")
OVER_THE_TRAY = say("Move the camera over the middle of the tray.")

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PictureMeasurements:
    """A picture (BGR), and its measurements, each made once when it is first needed."""

    pixels: Pixels
    layout: TrayLayout

    @cached_property
    def markers(self) -> SeenMarkers:
        return find_markers(self.pixels)

    @cached_property
    def sharpness(self) -> tuple[MarkerSharpness, ...]:
        grey = np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.float32)
        return measure_markers(grey, self.markers.corners)

    @property
    def calibration(self) -> Calibration | None:
        """The tray's calibration, None if it is not found."""
        return self.located[0]

    @cached_property
    def located(self) -> tuple[Calibration | None, str]:
        """The tray's calibration, and what is in doubt about it, or why there is none."""
        return locate(Frame(self.pixels, 1, 0.0), self.layout)

    @cached_property
    def plane(self) -> Calibration | None:
        """The tray's calibration, else a guess by two or three markers that are seen, else None."""
        if self.calibration is not None or not GUESSED_FROM <= len(self.markers.corners) < len(MARKERS):
            return self.calibration
        centres = {number: (float(x), float(y)) for number, (x, y) in self._expected_centres().items()}
        return fit_calibration(centres, self._expected_layout, (self.pixels.shape[1], self.pixels.shape[0]))

    @property
    def _expected_layout(self) -> TrayLayout:
        """The layout with the size of the mat whose markers are seen."""
        width, height = self.markers.of.size_mm or self.layout.size_mm
        return self.layout if self.layout.typed else replace(self.layout, width_mm=width, height_mm=height)

    def _expected_centres(self) -> dict[int, Points]:
        return {number: self.expected_corners(number).mean(axis=0) for number in MARKERS}

    def expected_corners(self, number: int) -> Points:
        """Return where a marker's corners must be, in pixels, by the markers that are seen: at least one is."""
        half, layout = self.layout.marker_mm / 2, self._expected_layout
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        known = np.concatenate([square + layout.corners_mm[other] for other in self.markers.corners])
        seen = np.concatenate(list(self.markers.corners.values())).astype(np.float64)
        to_pixels, _ = cv2.findHomography(known, seen)
        wanted = (square + layout.corners_mm[number])[None]
        return np.asarray(cv2.perspectiveTransform(wanted, to_pixels)[0], np.float64)

    @cached_property
    def light(self) -> Illumination:
        return measure_illumination(self.pixels, self.markers.corners, self.calibration)

    @property
    def outline(self) -> Place:
        """The marked rectangle, or what is seen of it; nothing where no marker is seen."""
        if self.plane is not None:
            return self.fractions(tray_outline(self.plane, 0.0))
        if not self.markers.corners:
            return ()
        hull = cv2.convexHull(np.concatenate(list(self.markers.corners.values())))
        return self.fractions(hull[:, 0])

    def fractions(self, corners: Iterable[Sequence[float]]) -> Place:
        """Return pixels of the picture as fractions of its width and height."""
        height, width = self.pixels.shape[:2]
        return tuple((float(x) / width, float(y) / height) for x, y in corners)


def check_focus(seen: PictureMeasurements) -> Finding:
    """Check that the markers' edges are sharp."""
    if seen.layout.tapped is not None:
        return FOCUS.good(say("Without markers the sharpness can only be guessed at: look whether the dice are sharp."))
    if not seen.sharpness:
        return FOCUS.unsure(say("Without a marker the sharpness can only be guessed at."), seen.markers.fault or CLOSER)
    worst = max(seen.sharpness, key=lambda marker: spread_mm(marker, seen.layout))
    verdict = sharpness_verdict(worst, seen.layout)
    spread = decimal(spread_mm(worst, seen.layout), 1)
    measured = say("The markers' edges are spread over {spread} mm of the table.", spread=spread)
    if verdict is Verdict.GOOD:
        return replace(FOCUS.good(say("The picture is sharp.")), measured=measured)
    told = say("The picture is a little soft.") if verdict is Verdict.UNSURE else say("The picture is blurred.")
    advice = say("Wipe the lens. Then turn it, or move the camera away, until the picture is sharp.")
    place = seen.fractions(worst.corners)
    return Finding(FOCUS.name, FOCUS.title, verdict, told, advice, measured=measured, place=place)


def spread_mm(marker: MarkerSharpness, layout: TrayLayout) -> float:
    """Return how many millimetres of the table a marker's edges are spread over."""
    sides = np.linalg.norm(marker.corners - np.roll(marker.corners, -1, axis=0), axis=1)
    return marker.spread_px * layout.marker_mm / max(float(sides.mean()), 1e-9)


def sharpness_verdict(marker: MarkerSharpness, layout: TrayLayout) -> Verdict:
    spread = spread_mm(marker, layout)
    if spread <= SOFT_MM or marker.spread_px <= SHARP_PX:
        return Verdict.GOOD
    return Verdict.UNSURE if spread <= BLURRED_MM else Verdict.BAD


def check_light(seen: PictureMeasurements) -> Finding:
    """Check that the light is neither too dim, too bright nor one-sided."""
    found = seen.light
    if found.paper_levels and seen.layout.tapped is None:
        return _light_of_markers(seen)
    measured = say("The picture's mean level is {level} of 255.", level=round(found.mean))
    if found.mean < LEAST_MEAN:
        return replace(LIGHT.bad(say("It is too dark."), MORE_LIGHT), measured=measured)
    if seen.layout.tapped is not None:
        return replace(LIGHT.good(say("The light seems right.")), measured=measured)
    told = say("Without a marker the light can only be guessed at.")
    return replace(LIGHT.unsure(told, seen.markers.fault or CLOSER), measured=measured)


def _light_of_markers(seen: PictureMeasurements) -> Finding:
    found, levels = seen.light, seen.light.paper_levels
    low, high = min(levels.values()), max(levels.values())
    measured = say(
        "The markers' white stands at {low} to {high} of 255, the tray at {level}.",
        low=round(low),
        high=round(high),
        level=round(found.mean),
    )
    uneven = found.evenness is not None and found.evenness < EVEN
    if uneven:
        finding = _uneven(seen, found.evenness or 0.0)
    elif low < DIM:
        dark = low < DARK
        told = say("It is too dark.") if dark else say("It is a little dark.")
        finding = replace((LIGHT.bad if dark else LIGHT.unsure)(told, MORE_LIGHT), place=seen.outline)
    elif low >= WHITE:
        verdict = LIGHT.bad if found.brightest >= WASHED_OUT else LIGHT.unsure
        finding = replace(verdict(say("It is too bright."), say("Dim the lamp, or move it away.")), place=seen.outline)
    else:
        finding = LIGHT.good(say("The light is bright enough and even."))
    return replace(finding, measured=measured)


def _uneven(seen: PictureMeasurements, share: float) -> Finding:
    levels = seen.light.paper_levels
    dark = min(levels, key=lambda number: levels[number])
    bad = share < ONE_SIDED or levels[dark] < DARK
    told = say("It is too dark on this side, at marker {number}.", number=dark)
    advice = say("Move the lamp to the middle, or add one on this side.")
    return replace((LIGHT.bad if bad else LIGHT.unsure)(told, advice), place=seen.fractions(seen.markers.corners[dark]))


def check_glare(seen: PictureMeasurements) -> Finding:
    """Check that nothing in the tray is overexposed."""
    found, tray_seen = seen.light, seen.calibration
    patch = found.glare_px / scale(tray_seen) ** 2 if tray_seen else 0.0
    measured = say(
        "{share} % of the tray is burnt out, the largest patch about {width} mm wide.",
        share=decimal(100 * found.overexposed, 1),
        width=round(patch**0.5),
    )
    if found.overexposed < FLOODED and patch < GLARE_MM2:
        return replace(GLARE.good(say("No lamp is mirrored in the tray.")), measured=measured)
    left, top, width, height = found.glare_box
    corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    advice = say("Move the lamp until its reflection is gone.")
    finding = (GLARE.bad if found.overexposed >= FLOODED else GLARE.unsure)(say("A lamp is mirrored here."), advice)
    return replace(finding, measured=measured, place=seen.fractions(corners))


def check_tray(seen: PictureMeasurements) -> tuple[Finding, ...]:
    """Check that the tray is seen whole, how large dice are in it, and how far from above the camera looks.

    Return what is wrong, worst first, or one good finding.
    """
    if seen.layout.tapped is None and seen.markers.fault == MIRRORED:
        return (MIRROR.bad(say("The picture is mirrored."), say("Turn it round.")),)
    if seen.plane is not None and tilt_degrees(seen.plane) > STEEPEST_DEGREES:
        told = say("The camera looks from too far to the side.")
        return (replace(TILT.bad(told, OVER_THE_TRAY), place=seen.outline),)
    if seen.calibration is None:
        return _missing(seen)
    pixels = scale(seen.calibration)
    measured = say(
        "A millimetre is {pixels} pixels, a die of 16 mm {width} pixels wide. "
        "The camera looks {degrees} degrees from straight above.",
        pixels=decimal(pixels, 2),
        width=round(COMMON_DIE_MM * pixels),
        degrees=round(tilt_degrees(seen.calibration)),
    )
    wrong = [*_too_small(pixels), *_mismeasured(seen.calibration)]
    found = wrong or [TRAY.good(say("The tray is seen whole."))]
    return tuple(replace(each, measured=measured, place=seen.outline if wrong else ()) for each in found)


def _too_small(pixels: float) -> list[Finding]:
    width = COMMON_DIE_MM * pixels
    told = say("The tray is too small in the picture.")
    return [(TRAY.bad if width < TOO_COARSE_PX else TRAY.unsure)(told, CLOSER)] if width < COARSE_PX else []


def _mismeasured(found: Calibration) -> list[Finding]:
    if found.layout.tapped is None:
        return [TRAY.unsure(found.doubt, "")] if found.doubt else []
    stretch = stretched(found)
    if slanted(found) > SLANTED or abs(stretch - 1) <= MISMEASURED:
        return []
    share = round(100 * abs(stretch - 1))
    told = (
        say("A millimetre across is {share} % more pixels than one down.", share=share)
        if stretch > 1
        else say("A millimetre across is {share} % fewer pixels than one down.", share=share)
    )
    return [TRAY.unsure(told, MEASURE_INSIDE)]


def _missing(seen: PictureMeasurements) -> tuple[Finding, ...]:
    """Return why the tray is not found: each hidden marker at its place, or what all of them have in common."""
    if seen.layout.tapped is not None:
        return (TRAY.bad(seen.located[1], TAP_AGAIN),)
    if seen.markers.fault:
        return (replace(TRAY.bad(seen.markers.fault, ""), place=seen.outline),)
    hidden = [number for number in MARKERS if number not in seen.markers.corners]
    if not hidden:
        advice = say("Lay the markers flat and in their order: 0, 1, 2, 3 clockwise from the top left.")
        return (replace(TRAY.bad(seen.located[1], advice), place=seen.outline),)
    if not seen.markers.corners:
        told = say("No marker of the mat is in sight.")
        return (TRAY.bad(told, say("Lay the mat where the camera sees all four of its black squares.")),)
    names = spell_list([str(number) for number in sorted(seen.markers.corners)], "and")
    measured = say_count("Marker {names} is seen.", "Markers {names} are seen.", len(seen.markers.corners), names=names)
    return tuple(replace(_hidden(seen, number), measured=measured) for number in hidden)


def _hidden(seen: PictureMeasurements, number: int) -> Finding:
    """Return that a marker is covered, or outside the picture, at the place where it must be."""
    expected = seen.expected_corners(number)
    height, width = seen.pixels.shape[:2]
    x, y = expected.mean(axis=0)
    place = seen.fractions(np.clip(expected, 0, (width, height)))
    if 0 <= x < width and 0 <= y < height:
        return replace(TRAY.bad(say("Marker {number} is covered.", number=number), say("Clear it.")), place=place)
    told = say("Marker {number} is outside the picture.", number=number)
    return replace(TRAY.bad(told, say("Move the camera until all four corners are in the picture.")), place=place)


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


def tilt_degrees(found: Calibration) -> float:
    """Return how far from straight above the camera looks at the middle of the tray, 0 to 90 degrees."""
    x, y, z = camera_over(found).eye_mm
    aside = np.hypot(x - found.layout.width_mm / 2, y - found.layout.height_mm / 2)
    return float(np.degrees(np.arctan2(aside, z)))


def _scales(found: Calibration, x: float, y: float) -> tuple[float, float]:
    """Return pixels per millimetre, across and down, at a place of the tray in mm."""
    places = np.array([[[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]], np.float64)
    left, right, above, below = cv2.perspectiveTransform(places, np.linalg.inv(found.to_mm))[0]
    return float(np.hypot(*(right - left))) / 2, float(np.hypot(*(below - above))) / 2


# What a picture of the tray shows: its markers, zones and dice where they are seen, and what is wrong with each


DICE = CheckSubject("dice", say("Dice"))

SHARPEST_MM, LOST_MM = 0.6, 2.2
"""Spreads that the meter shows as full and as a third: the sharpest of a lens, and where markers are lost."""
WITHOUT = 1 / 3
"""The most that the meter shows while no marker is found."""
MOST_DETAIL = 0.4
"""The share of fine detail in a sharp picture of a tray."""
WORST_FIRST = (Verdict.BAD, Verdict.UNSURE)


def look_at_tray(seen: PictureMeasurements, dice: Sequence[TrackedDie] = ()) -> TraySight:
    """Return what a picture shows; `dice` are those last read in it. Takes some hundredths of a second."""
    found = seen.calibration
    return TraySight(
        tuple(wrong_findings(seen, dice)),
        tuple(
            SeenMarker(marker.number, seen.fractions(marker.corners), sharpness_verdict(marker, seen.layout))
            for marker in seen.sharpness
        ),
        _zones(seen, found) if found is not None else (),
        tuple(_seen_die(seen, die, found) for die in _inside(dice)),
        sharpness(seen),
        seen.fractions(tray_outline(found, MARGIN_MM)) if found is not None else (),
        seen.layout.tapped is not None,
    )


def wrong_findings(seen: PictureMeasurements, dice: Sequence[TrackedDie] = ()) -> list[Finding]:
    """Return what is wrong with a picture, worst first. Without a marker nothing is said that takes one to know."""
    light = check_light(seen)
    if not seen.markers.corners and seen.layout.tapped is None:
        return [light] if light.verdict is Verdict.BAD else list(check_tray(seen))
    found = [*check_tray(seen), light, check_glare(seen), check_focus(seen), *_doubted_dice(seen, dice)]
    return [each for verdict in WORST_FIRST for each in found if each.verdict is verdict]


def sharpness(seen: PictureMeasurements) -> float:
    """Return the reading of the meter for whoever turns a lens, 0 to 1."""
    if not seen.sharpness:
        return WITHOUT * min(1.0, fine_detail(seen.pixels) / MOST_DETAIL)
    return share_of(max(spread_mm(marker, seen.layout) for marker in seen.sharpness))


def share_of(spread: float) -> float:
    """Return the meter's reading for edges that spread over so many millimetres, 0 to 1."""
    sharp = (LOST_MM - spread) / (LOST_MM - SHARPEST_MM)
    return WITHOUT + (1 - WITHOUT) * float(np.clip(sharp, 0.0, 1.0))


def tapped_outline(pixels: Pixels, layout: TrayLayout) -> Place:
    """Return the corners of a tray that is known by taps, as fractions of the picture; none where it is not seen."""
    found = calibrate(Frame(pixels, 1, 0.0), layout)
    return PictureMeasurements(pixels, layout).fractions(tray_outline(found, 0.0)) if found else ()


def _inside(dice: Sequence[TrackedDie]) -> list[TrackedDie]:
    return [die for die in dice if die.zone is not Zone.OUT]


def _doubted_dice(seen: PictureMeasurements, dice: Sequence[TrackedDie]) -> list[Finding]:
    return [
        _die_finding(die, _die_corners(seen, die, seen.calibration))
        for die in _inside(dice)
        if die.reading.sighting.posture in LEANING or not die.reading.accepted
    ]


def _die_finding(die: TrackedDie, place: Place) -> Finding:
    if die.reading.sighting.posture in LEANING:
        told, advice = say("This die leans."), say("Lay it flat.")
    else:
        told = say("This die cannot be read for certain.")
        advice = say("Choose its game next. If it stays so, give it more light.")
    return Finding(DICE.name, DICE.title, Verdict.UNSURE, told, advice, place=place)


def _seen_die(seen: PictureMeasurements, die: TrackedDie, found: Calibration | None) -> DieInSight:
    reading = die.reading
    return DieInSight(_die_corners(seen, die, found), reading.face, reading.accepted)


def _die_corners(seen: PictureMeasurements, die: TrackedDie, found: Calibration | None) -> Place:
    """Return the top face of a die about its centre in the picture, turned and slanted as the tray is."""
    sighting = die.reading.sighting
    turn = np.radians(sighting.turned_degrees)
    half = sighting.edge_mm / 2 * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([-half[0] - half[1], half[0] - half[1], half[0] + half[1], half[1] - half[0]])
    place = (sighting.x_mm, sighting.y_mm)
    to_frame = np.eye(3) if found is None else np.linalg.inv(found.to_mm)
    around, middle = np.split(cv2.perspectiveTransform(np.array([[*(corners + place), place]]), to_frame)[0], [4])
    return seen.fractions(around - middle + (sighting.x, sighting.y))


def _zones(seen: PictureMeasurements, found: Calibration) -> tuple[SeenZone, ...]:
    """Return the zones of the tray as they lie in the picture."""
    layout = found.layout
    brim = layout.brim_mm if layout.tapped is None else 0.0
    left, top, right, bottom = -brim, -brim, layout.width_mm + brim, layout.height_mm + brim
    if not layout.bay:
        return (_zone(seen, found, Zone.FIELD, (left, top, right, bottom)),)
    bay = layout.width_mm - layout.bay_mm
    return (
        _zone(seen, found, Zone.FIELD, (left, top, bay, bottom)),
        _zone(seen, found, Zone.SIGNAL, (bay, top, right, layout.bay_mm)),
        _zone(seen, found, Zone.ASIDE, (bay, layout.bay_mm, right, bottom)),
    )


def _zone(
    seen: PictureMeasurements, found: Calibration, zone: Zone, area_mm: tuple[float, float, float, float]
) -> SeenZone:
    left, top, right, bottom = area_mm
    corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float64)
    return SeenZone(zone, seen.fractions(cv2.perspectiveTransform(corners, np.linalg.inv(found.to_mm))[0]))
