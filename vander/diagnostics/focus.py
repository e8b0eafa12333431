"""The sharpness of the picture, for a finding and for the focus meter.

The limits were measured on the virtual tray: 25 throws of five sets at each of ten blurs, at 1280 and 640 pixels across
(3.1 and 1.5 pixels a millimetre). Dice are read without loss until the edges of the markers spread over 1.8 mm, and
none at 2.0 mm, where the markers are no longer found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from referee.phrases import decimal
from referee.sentences import say
from vision.frames import Frame, Pixels
from vision.rectification import MARGIN_MM, tray_outline
from vision.sharpness import MarkerSharpness, fine_detail, marker_sharpness
from vision.tray_calibration import TrayLayout, calibrate
from vision.tray_markers import MARKERS
from web.schemas.diagnostics_schemas import Focus, SeenMarker, Verdict

SOFT_MM, BLURRED_MM = 1.6, 1.9
"""Millimetres that a marker's edge may spread over: more is soft, and much more is too blurred."""
SHARP_PX = 2.2
"""Pixels: a narrower edge is as sharp as the picture can show, however few pixels a millimetre has."""
SHARPEST_MM, LOST_MM = 0.6, 2.2
"""Spreads that the meter shows as full and as a third: the sharpest of a lens, and where markers are lost."""
WITHOUT = 1 / 3
"""The most that the meter shows while no marker is found."""
MOST_DETAIL = 0.4
"""The share of fine detail in a sharp picture of a tray."""
TURN = say(
    "Wipe the lens, then turn it until the meter on the page /doctor is highest. A Camera Module 3 has no ring: hang "
    "it 65 cm above the tray."
)


def focus(pixels: Pixels, layout: TrayLayout) -> Focus:
    """Return the sharpness of a picture. Takes some hundredths of a second."""
    if layout.tapped is not None:
        return _focus_without_markers(pixels, layout)
    markers = marker_sharpness(pixels)
    if not markers:
        share = WITHOUT * min(1.0, fine_detail(pixels) / MOST_DETAIL)
        return Focus(Verdict.BAD, say("No marker is seen, so that the sharpness can only be guessed at."), share)
    spread = max(_spread_mm(marker, layout) for marker in markers)
    return Focus(
        max((_verdict(marker, layout) for marker in markers), key=list(Verdict).index),
        say("The markers' edges are spread over {spread} mm of the table.", spread=decimal(spread, 1)),
        share_of(spread),
        tuple(_seen(marker, pixels, layout) for marker in markers),
        _shown_part(pixels, layout) if len(markers) == len(MARKERS) else (),
    )


def _focus_without_markers(pixels: Pixels, layout: TrayLayout) -> Focus:
    """Return what can be said of the sharpness at a tray that is known by taps: nothing is measured."""
    share = min(1.0, fine_detail(pixels) / MOST_DETAIL)
    told = say("Without markers the sharpness can only be guessed at: look whether the dice are sharp.")
    verdict = Verdict.GOOD if share >= WITHOUT else Verdict.UNSURE
    return Focus(verdict, told, WITHOUT * share, (), _shown_part(pixels, layout))


def share_of(spread_mm: float) -> float:
    """Return the meter's reading, 0 to 1."""
    sharp = (LOST_MM - spread_mm) / (LOST_MM - SHARPEST_MM)
    return WITHOUT + (1 - WITHOUT) * float(np.clip(sharp, 0.0, 1.0))


def _spread_mm(marker: MarkerSharpness, layout: TrayLayout) -> float:
    sides = np.linalg.norm(marker.corners - np.roll(marker.corners, -1, axis=0), axis=1)
    return marker.spread_px * layout.marker_mm / max(float(sides.mean()), 1e-9)


def _verdict(marker: MarkerSharpness, layout: TrayLayout) -> Verdict:
    spread = _spread_mm(marker, layout)
    if spread <= SOFT_MM or marker.spread_px <= SHARP_PX:
        return Verdict.GOOD
    return Verdict.UNSURE if spread <= BLURRED_MM else Verdict.BAD


def _shown_part(pixels: Pixels, layout: TrayLayout) -> tuple[tuple[float, float], ...]:
    found = calibrate(Frame(pixels, 1, 0.0), layout)
    return _fractions(tray_outline(found, MARGIN_MM), pixels) if found else ()


def tapped_outline(pixels: Pixels, layout: TrayLayout) -> tuple[tuple[float, float], ...]:
    """Return the corners of a tray that is known by taps, as fractions of the picture; none where it is not seen."""
    found = calibrate(Frame(pixels, 1, 0.0), layout)
    return _fractions(tray_outline(found, 0.0), pixels) if found else ()


def _fractions(corners: Iterable[Sequence[float]], pixels: Pixels) -> tuple[tuple[float, float], ...]:
    height, width = pixels.shape[:2]
    return tuple((float(x) / width, float(y) / height) for x, y in corners)


def _seen(marker: MarkerSharpness, pixels: Pixels, layout: TrayLayout) -> SeenMarker:
    return SeenMarker(marker.number, _fractions(marker.corners, pixels), _verdict(marker, layout))
