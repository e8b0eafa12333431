"""Masks of letters, numerals and signs in free fonts that matplotlib brings: DejaVu, STIX and Computer Modern."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

Pixels = npt.NDArray[np.uint8]

FOLDER = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
FACES = (
    *(f"DejaVuSans{cut}" for cut in ("", "-Bold", "-Oblique", "-BoldOblique")),
    *(f"DejaVuSansMono{cut}" for cut in ("", "-Bold", "-Oblique", "-BoldOblique")),
    *(f"DejaVuSerif{cut}" for cut in ("", "-Bold", "-Italic", "-BoldItalic")),
    *(f"STIXGeneral{cut}" for cut in ("", "Bol", "Italic", "BolIta")),
    *("cmb10", "cmr10", "cmss10", "cmti10", "cmtt10"),
)
"""The fonts that have letters and digits, by file name."""
SIGNS = "DejaVuSans"
"""The font with most signs."""

_TALL = 120.0
_PAD = 3


@lru_cache(maxsize=2048)
def text_mask(text: str, face: str) -> Pixels:
    """Return a text in one of FACES as a mask (uint8, 255 for ink), cropped to the ink."""
    path = TextPath((0, 0), text, size=_TALL, prop=FontProperties(fname=str(FOLDER / f"{face}.ttf")))
    outlines = [np.asarray(outline, np.float64) for outline in path.to_polygons(closed_only=True)]
    points = np.concatenate(outlines)
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = np.ceil(high - low).astype(int) + 2 * _PAD
    mask = np.zeros((tall, wide), np.uint8)
    flipped = [((outline - (low[0], high[1])) * (1, -1) + _PAD) * 16 for outline in outlines]
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32) for outline in flipped], (255,), cv2.LINE_8, 4)
    left, top, wide, high_px = cv2.boundingRect(mask)
    return np.ascontiguousarray(mask[top : top + high_px, left : left + wide])
