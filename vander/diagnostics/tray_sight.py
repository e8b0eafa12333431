"""What a picture of the tray shows: its markers, zones and dice where they are seen, and what is wrong with each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.dice import Zone
from referee.sentences import say
from vander.diagnostics.doctor_check import CheckSubject
from vander.diagnostics.picture_checks import (
    PictureMeasurements,
    check_focus,
    check_glare,
    check_light,
    check_tray,
    sharpness_verdict,
    spread_mm,
)
from vision.feed_health import fine_detail
from vision.frames import Frame, Pixels
from vision.observations import LEANING, TrackedDie
from vision.rectification import MARGIN_MM, tray_outline
from vision.tray_calibration import Calibration, TrayLayout, calibrate
from web.schemas.diagnostics_schemas import DieInSight, Finding, Place, SeenMarker, SeenZone, TraySight, Verdict

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
