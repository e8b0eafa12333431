"""Glyphs (symbols, words and numerals) with random proportions, drawn into the area that a plate leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Canvas, Colour, curve
from models.synthetic.face_style import Style
from models.synthetic.lettering import LETTERINGS, random_lettering, render_numeral, render_text
from models.synthetic.plates import PlateArea

Path = npt.NDArray[np.float64]
Rng = np.random.Generator
Glyph = Callable[[Canvas, PlateArea, Style, Rng], None]

_NUMBERS = {1: "ONE", 2: "TWO", 3: "THREE", 4: "FOUR", 5: "FIVE", 6: "SIX"}
_CASES: tuple[Callable[[str], str], ...] = (str.upper, str.upper, str.title, str.lower)


def nothing(_canvas: Canvas, _field: PlateArea, _style: Style, _rng: Rng) -> None:
    """Draw nothing: the plate alone is the sign."""


def fill(
    canvas: Canvas, area: PlateArea, points: Sequence[tuple[float, float]] | Path, ink: Colour | None = None
) -> None:
    """Fill a polygon, given in the unit square, with the area's ink or another."""
    canvas.polygon(area.put(points), area.ink if ink is None else ink)


def stroke(canvas: Canvas, area: PlateArea, points: Sequence[tuple[float, float]] | Path, width: float) -> None:
    """Draw a polyline, given in the unit square; `width` is a share of the area's side."""
    canvas.line(area.put(points), width * area.side, area.ink)


def spot(canvas: Canvas, area: PlateArea, x: float, y: float, radius: float) -> None:
    """Draw a disc, given in the unit square."""
    canvas.polygon(area.put(curve((x, y), (radius, radius), 0, 360)), area.ink)


def jitter(points: Sequence[tuple[float, float]] | Path, rng: Rng, by: float = 0.012) -> Path:
    """Return points moved at random, with standard deviation `by`."""
    path = np.asarray(points, np.float64)
    return np.asarray(path + rng.normal(0.0, by, path.shape))


def rotate(points: Sequence[tuple[float, float]] | Path, degrees: float) -> Path:
    """Return points rotated about the origin, clockwise in the picture."""
    lean = np.radians(degrees)
    turn = np.array([(np.cos(lean), np.sin(lean)), (-np.sin(lean), np.cos(lean))])
    return np.asarray(np.asarray(points, np.float64) @ turn)


def _words(choices: Sequence[str], canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    word = str(rng.choice(choices))
    case = _CASES[int(rng.integers(len(_CASES)))]
    lettering = random_lettering(str(rng.choice(LETTERINGS)), rng)
    wide, high = area.half
    canvas.stamp(render_text(case(word), lettering), area.at, (wide, high), area.ink)


def words(*choices: str) -> Glyph:
    """Return a glyph that draws one of the words, in random lettering and case."""
    return partial(_words, choices)


def _numeral(count: int, make: str, canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    tall = area.half[1] * float(rng.uniform(0.8, 1.0))
    canvas.stamp(render_numeral(count, random_lettering(make, rng), rng), area.at, (area.half[0], tall), area.ink)


def numerals(count: int) -> dict[str, Glyph]:
    """Return a numeral's glyphs, one for each family of lettering."""
    return {make: partial(_numeral, count, make) for make in LETTERINGS}


def _number_and_word(count: int, canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    over = 1 if rng.random() < 0.75 else -1
    (x, y), (wide, high) = area.at, area.half
    makes = [str(rng.choice(("round", "slab", "quill", "upright", "slanted"))) for _ in range(2)]
    digit, word = (
        render_numeral(count, random_lettering(makes[0], rng), rng),
        render_text(_NUMBERS[count], random_lettering(makes[1], rng)),
    )
    canvas.stamp(digit, (x, y - over * 0.3 * high), (wide, 0.62 * high), area.ink)
    canvas.stamp(word, (x, y + over * 0.72 * high), (wide, 0.26 * high), area.ink)


def number_words(count: int) -> dict[str, Glyph]:
    """Return the glyphs of a number's English name, alone and with its numeral."""
    return {"word": words(_NUMBERS[count]), "numeral-and-word": partial(_number_and_word, count)}
