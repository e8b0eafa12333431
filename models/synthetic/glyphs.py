"""Glyphs of all signs (symbols, words and numerals), and faces composed of a plate and a glyph, `octagon+hand`.

So many more drawings come about than one would draw by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from zlib import crc32

import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import (
    LETTERINGS,
    Canvas,
    Colour,
    Style,
    Use,
    bgr,
    curve,
    luma,
    mix,
    random_lettering,
    render_numeral,
    render_text,
    rounded_outline,
)
from models.synthetic.palette import PLATES, Plate, PlateArea
from referee.dice import FaceName

# Glyphs with random proportions, drawn into the area that a plate leaves


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


def jitter(points: Sequence[tuple[float, float]] | Path, rng: Rng) -> Path:
    path = np.asarray(points, np.float64)
    return np.asarray(path + rng.normal(0.0, 0.012, path.shape))


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


# Block


def _crossed(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    reach, width = float(rng.uniform(0.3, 0.4)), float(rng.uniform(0.11, 0.2)) * style.weight
    for way in (-1, 1):
        stroke(canvas, area, jitter([(-reach, -reach * way), (reach, reach * way)], rng), width)


def _barred(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    radius, width = float(rng.uniform(0.36, 0.43)), float(rng.uniform(0.09, 0.14)) * style.weight
    reach, way = 0.7 * radius, 1 if rng.random() < 0.5 else -1
    stroke(canvas, area, curve((0, 0), (radius, radius), 0, 366), width)
    stroke(canvas, area, [(-reach, -reach * way), (reach, reach * way)], width)


def _shield(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    half, waist = float(rng.uniform(0.34, 0.43)), float(rng.uniform(-0.04, 0.1))
    dip = float(rng.uniform(-0.06, 0.06))
    right = np.array(
        [(0.0, -0.44 + dip), (half, -0.44), (half, waist), (0.74 * half, 0.24), (0.36 * half, 0.4), (0.0, 0.5)]
    )
    outline = np.concatenate([right, (right * (-1, 1))[:0:-1]])
    match int(rng.integers(3)):
        case 0:
            fill(canvas, area, outline)
        case 1:
            stroke(canvas, area, np.concatenate([outline, outline[:2]]), 0.09 * style.weight)
        case _:
            fill(canvas, area, outline)
            canvas.polygon(area.put(outline[len(right) - 1 :] * 0.72), area.ground)


def _lock(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    half, top = float(rng.uniform(0.28, 0.38)), float(rng.uniform(-0.06, 0.02))
    bow, width = float(rng.uniform(0.17, 0.23)), 0.09 * style.weight
    hoop = curve((0.0, top - 0.14), (bow, 0.24), 180, 360)
    stroke(canvas, area, np.concatenate([[(-bow, top + 0.05)], hoop, [(bow, top + 0.05)]]), width)
    fill(canvas, area, rounded_outline((0.0, (top + 0.48) / 2), (half, (0.48 - top) / 2), 0.06))
    if rng.random() < 0.7:
        middle = (top + 0.48) / 2
        canvas.polygon(area.put(curve((0.0, middle - 0.03), (0.06, 0.06), 0, 360)), area.ground)
        canvas.polygon(
            area.put([(-0.03, middle), (0.03, middle), (0.045, middle + 0.13), (-0.045, middle + 0.13)]), area.ground
        )


def _wall(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    rows, joint = int(rng.integers(3, 5)), float(rng.uniform(0.04, 0.06))
    high, wide = 0.9 / rows, float(rng.uniform(0.36, 0.5))
    for row in range(rows):
        y = -0.45 + (row + 0.5) * high
        edges = np.arange(-0.45 - (wide / 2 if row % 2 else 0.0), 0.45, wide)
        for left in edges:
            low, up = max(left, -0.45), min(left + wide - joint, 0.45)
            if up - low > 0.05:
                fill(canvas, area, rounded_outline(((low + up) / 2, y), ((up - low) / 2, (high - joint) / 2), 0.01))


def _grating(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    count = int(rng.integers(3, 6))
    for x in np.linspace(-0.36, 0.36, count):
        stroke(canvas, area, [(x, -0.42), (x, 0.42)], 0.5 / (2 * count - 1))
    for y in (-0.36, 0.36):
        stroke(canvas, area, [(-0.44, y), (0.44, y)], 0.08)


# Switch


def _straight_swap(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    apart, half = float(rng.uniform(0.16, 0.24)), float(rng.uniform(0.12, 0.19))
    neck, width = float(rng.uniform(0.1, 0.24)), float(rng.uniform(0.08, 0.14)) * style.weight
    upright = 90.0 * int(rng.integers(2))
    way = 1 if rng.random() < 0.5 else -1
    for side in (-1, 1):
        ahead = side * way
        shaft = np.array([(-0.42 * ahead, side * apart), (ahead * neck, side * apart)])
        head = np.array(
            [(0.48 * ahead, side * apart), (ahead * neck, side * apart - half), (ahead * neck, side * apart + half)]
        )
        stroke(canvas, area, rotate(shaft, upright), width)
        fill(canvas, area, rotate(head, upright))


def _thin_swap(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    apart, barb = float(rng.uniform(0.15, 0.24)), float(rng.uniform(0.12, 0.2))
    width, upright = float(rng.uniform(0.07, 0.11)) * style.weight, 90.0 * int(rng.integers(2))
    both = rng.random() < 0.4
    for side in (-1, 1):
        y, tip = side * apart, 0.42 * side
        stroke(canvas, area, rotate([(-tip, y), (tip, y)], upright), width)
        stroke(canvas, area, rotate([(tip - side * barb, y - barb * side * (not both)), (tip, y)], upright), width)
        stroke(canvas, area, rotate([(tip - side * barb, y + barb), (tip, y)], upright), width)


def _arc_arrow(canvas: Canvas, area: PlateArea, arc: tuple[float, float, float], width: float, head: float) -> None:
    """Draw an arc (radius, start and sweep in degrees) with an arrowhead; a positive sweep is clockwise."""
    radius, start, sweep = arc
    stroke(canvas, area, curve((0, 0), (radius, radius), start, start + sweep), width)
    end, way = np.radians(start + sweep), np.sign(sweep)
    out = np.array([np.cos(end), np.sin(end)])
    ahead = way * np.array([-np.sin(end), np.cos(end)])
    foot = out * radius
    fill(canvas, area, np.array([foot + ahead * head * 1.25, foot + out * head, foot - out * head]))


def _circling(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    count, radius = int(rng.choice((1, 2, 2, 2, 3))), float(rng.uniform(0.27, 0.34))
    width, head = float(rng.uniform(0.08, 0.12)) * style.weight, float(rng.uniform(0.13, 0.19))
    way, start = (1 if rng.random() < 0.7 else -1), float(rng.uniform(0, 360))
    gap = np.degrees(1.35 * head / radius) + 12
    for k in range(count):
        _arc_arrow(canvas, area, (radius, start + k * 360 / count, way * (360 / count - gap)), width, head)


def _curved_swap(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    rise, width = float(rng.uniform(0.14, 0.26)), float(rng.uniform(0.08, 0.12)) * style.weight
    head, way = float(rng.uniform(0.13, 0.18)), (1 if rng.random() < 0.5 else -1)
    for side in (-1, 1):
        bow = curve((0.0, side * 0.12), (0.36, rise), 180, 360 - 18) * (side * way, 1.0 if side < 0 else -1.0)
        bow = bow if side < 0 else np.stack([bow[:, 0], -(bow[:, 1])], axis=1) * (1, -1) + (0.0, 0.24)
        stroke(canvas, area, bow, width)
        tip, back = bow[-1], bow[-4]
        ahead = (tip - back) / np.linalg.norm(tip - back)
        out = np.array([-ahead[1], ahead[0]])
        fill(canvas, area, np.array([tip + ahead * head * 1.2, tip + out * head, tip - out * head]))


def _shuffle(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    apart, width = float(rng.uniform(0.2, 0.28)), float(rng.uniform(0.08, 0.12)) * style.weight
    head, turn = float(rng.uniform(0.11, 0.16)), 90.0 * int(rng.integers(4))
    for side in (-1, 1):
        line = [(-0.44, side * apart), (-0.2, side * apart), (0.12, -side * apart), (0.28, -side * apart)]
        stroke(canvas, area, rotate(line, turn), width)
        y = -side * apart
        fill(canvas, area, rotate([(0.48, y), (0.24, y - head), (0.24, y + head)], turn))


def _letter(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    make = str(rng.choice([make for make in LETTERINGS if make != "stencil"]))
    canvas.stamp(render_text("S", random_lettering(make, rng)), area.at, area.half, area.ink)


def _toggle(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    high, way = float(rng.uniform(0.19, 0.26)), (1 if rng.random() < 0.5 else -1)
    canvas.polygon(area.put(rounded_outline((0, 0), (0.46, high), high - 0.001)), area.ink)
    knob = curve((way * (0.46 - high), 0.0), (0.78 * high, 0.78 * high), 0, 360)
    canvas.polygon(area.put(knob), area.ground)


# Zap


def bolt_points(rng: Rng) -> Path:
    """Return the outline of a lightning bolt: a zigzag of two or three turns that ends in a point at the bottom."""
    zigs, lean = int(rng.choice((1, 1, 1, 2))), float(rng.uniform(0.1, 0.3))
    heights = np.linspace(-0.5, 0.5, zigs + 2)
    right, left = [], []
    top = float(rng.uniform(0.06, 0.24))
    x, half = lean * float(rng.uniform(0.2, 1.2)), top
    right.append((x + half, -0.5))
    left.append((x - half, -0.5))
    for k in range(1, zigs + 1):
        y, width = heights[k] + float(rng.normal(0, 0.03)), half * (1 - k / (zigs + 2)) + 0.05
        jut, step = float(rng.uniform(0.12, 0.26)), float(rng.uniform(0.02, 0.12))
        x -= lean * 1.1
        right += [(x + width + 0.02, y - step), (x + width + jut, y - step - float(rng.uniform(-0.02, 0.04)))]
        left += [(x - width - jut * 0.9, y + step), (x - width * 0.2, y + step - float(rng.uniform(-0.02, 0.04)))]
        x += lean * 0.8
    tip = (x - lean * float(rng.uniform(0.6, 1.4)), 0.5)
    outline = np.array([*right, tip, *left[::-1]])
    outline -= (outline.min(axis=0) + outline.max(axis=0)) / 2
    outline /= max(np.ptp(outline, axis=0).max(), 1e-6)
    return outline * (1 if rng.random() < 0.5 else -1, 1)


def _bolt_lined(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    outline = bolt_points(rng) * 0.92
    stroke(canvas, area, np.concatenate([outline, outline[:2]]), float(rng.uniform(0.05, 0.08)) * style.weight)


def _bolt_edged(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    outline, width = bolt_points(rng) * 0.9, float(rng.uniform(0.08, 0.14))
    other = style.accent if area.ink == style.ink else style.ink
    edge = other if other != area.ground else mix(area.ink, (0, 0, 0), 0.5)
    canvas.line(area.put(outline), width * area.side, edge, closed=True)
    fill(canvas, area, outline)


def _bolts(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    outline = bolt_points(rng) * (0.62, 0.85)
    for x in (-0.24, 0.24):
        fill(canvas, area, outline + np.array([x, 0.0]))


def _spark_line(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    """Draw a bolt as one thick zigzag line."""
    jut = float(rng.uniform(0.14, 0.26))
    way = 1 if rng.random() < 0.5 else -1
    low = float(rng.uniform(0.02, 0.12))
    line = jitter([(0.12, -0.46), (-jut, low), (jut, -low), (-0.12, 0.46)], rng) * (way, 1)
    stroke(canvas, area, line, float(rng.uniform(0.1, 0.16)) * style.weight)


# Stars


def star_outline(rng: Rng) -> Path:
    """Return the outline of a star with four to eight tips, mostly five, and random waist."""
    tips = int(rng.choice((4, 5, 6, 7, 8), p=(0.14, 0.5, 0.16, 0.08, 0.12)))
    waist = float(rng.uniform(0.34, 0.62)) if tips != 4 else float(rng.uniform(0.24, 0.46))
    turns = np.radians(-90 + np.arange(2 * tips) * 180 / tips)
    radii = np.where(np.arange(2 * tips) % 2, 0.5 * waist, 0.5) * (1 + rng.normal(0, 0.02, 2 * tips))
    return np.stack([radii * np.cos(turns), radii * np.sin(turns)], axis=1)


def _star_lined(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    outline = star_outline(rng) * 0.92
    stroke(canvas, area, np.concatenate([outline, outline[:2]]), float(rng.uniform(0.06, 0.1)) * style.weight)


def _star_rounded(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    outline, width = star_outline(rng) * 0.82, float(rng.uniform(0.1, 0.18))
    fill(canvas, area, outline)
    stroke(canvas, area, np.concatenate([outline, outline[:2]]), width)


def _star_in_star(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    outline, share = star_outline(rng), float(rng.uniform(0.4, 0.66))
    other = style.accent if area.ink == style.ink else style.ink
    fill(canvas, area, outline)
    canvas.polygon(area.put(outline * share), area.ground if rng.random() < 0.5 else other)


def _asterisk(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    """Draw a star of crossing strokes."""
    arms, width = int(rng.choice((5, 6, 8))), float(rng.uniform(0.09, 0.14)) * style.weight
    for k in range(arms):
        stroke(canvas, area, rotate([(0.0, 0.0), (0.0, -0.44)], k * 360 / arms), width)


BLOCK_GLYPHS: dict[str, Glyph] = {
    "word": words("BLOCK"),
    "crossed": _crossed,
    "barred": _barred,
    "shield": _shield,
    "lock": _lock,
    "wall": _wall,
    "grating": _grating,
}
SWITCH_GLYPHS: dict[str, Glyph] = {
    "straight": _straight_swap,
    "thin": _thin_swap,
    "circling": _circling,
    "curved": _curved_swap,
    "shuffle": _shuffle,
    "letter": _letter,
    "toggle": _toggle,
    "word": words("SWITCH", "SWITCH", "SWAP"),
}
BOLT_GLYPHS: dict[str, Glyph] = {
    "bolt": lambda canvas, area, _style, rng: fill(canvas, area, rotate(bolt_points(rng), float(rng.normal(0, 8)))),
    "bolt-lined": _bolt_lined,
    "bolt-edged": _bolt_edged,
    "bolts": _bolts,
    "spark-line": _spark_line,
    "word": words("ZAP", "ZAP", "ZAP!"),
}
STAR_GLYPHS: dict[str, Glyph] = {
    "star": lambda canvas, area, _style, rng: fill(canvas, area, star_outline(rng)),
    "star-lined": _star_lined,
    "star-rounded": _star_rounded,
    "star-in-star": _star_in_star,
    "asterisk": _asterisk,
}


# The Signal die: arrows and walkers for go, warnings and snails for slow, hands and bars for stop


# Go


def _arrow_points(rng: Rng) -> Path:
    half, neck = float(rng.uniform(0.28, 0.46)), float(rng.uniform(0.07, 0.19))
    throat, foot = float(rng.uniform(-0.14, 0.06)), float(rng.uniform(0.36, 0.5))
    barb, flare = throat + float(rng.uniform(-0.02, 0.12)), neck * float(rng.uniform(0.8, 1.2))
    right = [(0.0, -0.5), (half, barb), (neck, throat), (flare, foot)]
    return np.array(right + [(-x, y) for x, y in right[:0:-1]])


def _arrow(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    fill(canvas, area, rotate(jitter(_arrow_points(rng), rng), 90.0 * int(rng.integers(4))))


def _line_arrow(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    width, half = float(rng.uniform(0.1, 0.17)) * style.weight, float(rng.uniform(0.24, 0.38))
    turn = 90.0 * int(rng.integers(4))
    stroke(canvas, area, rotate([(0.0, 0.44), (0.0, -0.42)], turn), width)
    stroke(canvas, area, rotate([(-half, -0.42 + half), (0.0, -0.42), (half, -0.42 + half)], turn), width)


def _chevrons(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    count, half = int(rng.integers(1, 4)), float(rng.uniform(0.28, 0.44))
    width, turn = min(0.16 * style.weight, 0.5 / (count + 1)), 90.0 * int(rng.integers(4))
    for y in np.linspace(-0.3, 0.3, count) if count > 1 else (0.0,):
        stroke(canvas, area, rotate([(-half, y + 0.17), (0.0, y - 0.17), (half, y + 0.17)], turn), width)


def _play(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    turn, deep = 90.0 * int(rng.integers(4)), float(rng.uniform(0.36, 0.46))
    if rng.random() < 0.3:
        for shift in (-0.2, 0.2):
            fill(canvas, area, rotate([(shift + 0.22, 0.0), (shift - 0.18, -0.36), (shift - 0.18, 0.36)], turn))
    else:
        fill(canvas, area, rotate(jitter([(deep, 0.0), (-0.34, -0.45), (-0.34, 0.45)], rng), turn))


def _walker(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    width, stride = 0.105 * min(style.weight, 1.15), float(rng.uniform(0.16, 0.26))
    way = 1 if rng.random() < 0.5 else -1
    lean = np.array([(way, 1.0)])
    spot(canvas, area, way * 0.05, -0.39, 0.1)
    parts = (
        ([(0.03, -0.22), (0.0, 0.1)], width * 1.5),
        ([(0.0, 0.1), (stride * 0.7, 0.26), (stride * 0.85, 0.47)], width),
        ([(0.0, 0.1), (-stride * 0.5, 0.3), (-stride * 1.1, 0.47)], width),
        ([(0.03, -0.2), (0.2, -0.05), (0.28, 0.07)], width * 0.8),
        ([(0.03, -0.2), (-0.14, -0.06), (-0.2, 0.08)], width * 0.8),
    )
    for points, thick in parts:
        stroke(canvas, area, jitter(points, rng) * lean, thick)


def _tick(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    points = [(-0.38, float(rng.uniform(0.0, 0.1))), (-0.1, 0.34), (0.4, float(rng.uniform(-0.4, -0.26)))]
    stroke(canvas, area, points, float(rng.uniform(0.12, 0.18)) * style.weight)


def _lamps(lit: int, canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    """Draw a traffic light with one lamp lit, in the sign's own colour, upright or horizontal."""
    lying, light = rng.random() < 0.35, luma(area.ground or (255, 255, 255)) > 90
    housing = bgr("#22262c") if light else bgr("#c4c8cc")
    dark, size = mix(housing, (110, 110, 110), float(rng.uniform(0.2, 0.7))), float(rng.uniform(0.11, 0.14))
    lamp = style.ink
    half = (0.5, 0.2) if lying else (0.2, 0.5)
    canvas.polygon(area.put(rounded_outline((0, 0), half, float(rng.uniform(0.02, 0.19)))), housing)
    for place, away in enumerate((-0.3, 0.0, 0.3)):
        spot = curve((away, 0.0) if lying else (0.0, away), (size, size), 0, 360)
        canvas.polygon(area.put(spot), lamp if place == lit else dark)


# Slow


def _exclaimed(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    top, width = float(rng.uniform(0.07, 0.13)) * style.weight, float(rng.uniform(0.04, 0.1))
    fill(canvas, area, [(-top, -0.48), (top, -0.48), (width, 0.17), (-width, 0.17)])
    spot(canvas, area, 0.0, 0.38, float(rng.uniform(0.08, 0.11)))


def _waves(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    count, high, turns = int(rng.integers(2, 4)), float(rng.uniform(0.05, 0.1)), float(rng.uniform(1.5, 3.0))
    across = np.linspace(-0.45, 0.45, 40)
    for y in np.linspace(-0.3, 0.3, count):
        wave = np.stack([across, y + high * np.sin(across * 2 * np.pi * turns)], axis=1)
        stroke(canvas, area, wave, 0.09 * style.weight)


def _turtle(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    way = np.array([(1.0 if rng.random() < 0.5 else -1.0, 1.0)])
    shell = curve((0.0, 0.08), (0.36, float(rng.uniform(0.3, 0.4))), 180, 360)
    fill(canvas, area, np.concatenate([shell, [(0.36, 0.16), (-0.36, 0.16)]]) * way)
    for x in (-0.22, 0.2):
        stroke(canvas, area, np.array([(x, 0.16), (x + 0.03, 0.3)]) * way, 0.13)
    stroke(canvas, area, np.array([(0.3, 0.12), (0.41, 0.0)]) * way, 0.12 * style.weight)


def _snail(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    way, turns = np.array([(1.0 if rng.random() < 0.5 else -1.0, 1.0)]), np.linspace(0, 4.2 * np.pi, 60)
    reach = np.linspace(0.03, float(rng.uniform(0.25, 0.3)), 60)
    shell = np.stack([-0.07 + reach * np.cos(turns), -0.02 + reach * np.sin(turns)], axis=1)
    stroke(canvas, area, shell * way, 0.07 * style.weight)
    stroke(canvas, area, np.array([(-0.42, 0.3), (0.24, 0.3), (0.34, 0.2), (0.38, -0.04)]) * way, 0.1 * style.weight)


def _hourglass(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    half, waist = float(rng.uniform(0.26, 0.36)), float(rng.uniform(0.02, 0.06))
    fill(canvas, area, [(-half, -0.42), (half, -0.42), (waist, 0.0), (half, 0.42), (-half, 0.42), (-waist, 0.0)])
    for y in (-0.44, 0.44):
        stroke(canvas, area, [(-half - 0.04, y), (half + 0.04, y)], 0.09)


# Stop


def _hand(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    width, spread = float(rng.uniform(0.1, 0.13)), float(rng.uniform(0.0, 0.3))
    way = np.array([(1.0 if rng.random() < 0.5 else -1.0, 1.0)])
    palm = rounded_outline((0.02, 0.24), (0.24, 0.25), 0.09)
    fill(canvas, area, palm * way)
    for k, tip in enumerate((-0.3, -0.44, -0.4, -0.24)):
        x = -0.165 + 0.125 * k
        away = x + spread * 0.3 * (k - 1.5) / 1.5
        stroke(canvas, area, np.array([(x, 0.15), (away, tip + rng.normal(0, 0.02))]) * way, width)
    stroke(canvas, area, np.array([(-0.15, 0.34), (-0.38, float(rng.uniform(-0.02, 0.1)))]) * way, width * 1.05)


def _stander(canvas: Canvas, area: PlateArea, style: Style, rng: Rng) -> None:
    width, hip = 0.12 * min(style.weight, 1.15), float(rng.uniform(0.08, 0.14))
    spot(canvas, area, 0.0, -0.39, float(rng.uniform(0.09, 0.115)))
    fill(canvas, area, rounded_outline((0.0, -0.07), (hip, 0.19), 0.05))
    reach = float(rng.uniform(0.04, 0.3))
    for way in (-1, 1):
        stroke(canvas, area, [(way * hip * 0.6, 0.1), (way * hip * 0.75, 0.47)], width)
        elbow = (way * (hip + 0.1 + 0.3 * reach), -0.02)
        stroke(canvas, area, [(way * hip, -0.19), elbow, (way * (hip + reach * 0.6), 0.14)], width * 0.75)


def _entry_bar(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    half = float(rng.uniform(0.4, 0.5)), float(rng.uniform(0.09, 0.15))
    fill(canvas, area, rounded_outline((0, 0), half, float(rng.uniform(0.005, 0.05))))


GO_GLYPHS: dict[str, Glyph] = {
    "word": words("GO", "GO", "GO", "GO!"),
    "arrow": _arrow,
    "line-arrow": _line_arrow,
    "chevrons": _chevrons,
    "play": _play,
    "walker": _walker,
    "tick": _tick,
    "light": partial(_lamps, 2),
}
SLOW_GLYPHS: dict[str, Glyph] = {
    "word": words("SLOW"),
    "exclaimed": _exclaimed,
    "waves": _waves,
    "turtle": _turtle,
    "snail": _snail,
    "hourglass": _hourglass,
    "light": partial(_lamps, 1),
}
STOP_GLYPHS: dict[str, Glyph] = {
    "word": words("STOP"),
    "hand": _hand,
    "stander": _stander,
    "entry-bar": _entry_bar,
    "light": partial(_lamps, 0),
}


# Faces composed of a plate and a glyph


Artist = Callable[[Canvas, Style, np.random.Generator], None]

BARE = "bare"
_SIXTH = 6
_SQUARE, _DISC = frozenset({"panel", "rounded"}), frozenset({"disc"})
_ROOMY = frozenset(PLATES) - {"triangle", "pennant", "diamond", "pentagon", "house"}
_SIGNS = frozenset(PLATES) - {"crest", "pennant", "arch", "house"}
_ANY = frozenset(PLATES)
_STOPS = frozenset({"octagon"})
"""Plates that mean stop whatever is on them."""
_SHOWN = frozenset(
    {"disc+word", "disc+bolt", "disc+straight", "panel+straight", "rounded+straight", "panel+letter", "rounded+letter"}
)
"""Pairs that resemble a single drawing in training, so that holding them out would test nothing."""


def _composed(plate: Plate, glyph: Glyph, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    glyph(canvas, plate(canvas, style, rng), style, rng)


def _pairs(glyphs: Mapping[str, Glyph], plates: Iterable[str], narrow: Iterable[str] = ("word",)) -> dict[str, Artist]:
    """Return every glyph on every plate; the `narrow` ones only on plates with enough room."""
    narrow = set(narrow)
    return {
        f"{plate}+{name}": partial(_composed, PLATES[plate], glyph)
        for name, glyph in glyphs.items()
        for plate in sorted(plates)
        if name not in narrow or plate in _ROOMY
    }


def _empty(*plates: str) -> dict[str, Artist]:
    return {f"{plate}+nothing": partial(_composed, PLATES[plate], nothing) for plate in plates}


def _numeral_pairs(count: int) -> dict[str, Artist]:
    return _pairs(numerals(count), _ANY, LETTERINGS[4:6])


def _number_pairs(count: int) -> dict[str, Artist]:
    return _numeral_pairs(count) | _pairs(
        {"word": words(_NUMBERS[count]), "numeral-and-word": partial(_number_and_word, count)}, _ROOMY
    )


def _stop_pairs() -> dict[str, Artist]:
    """Return the pairs for stop without the bare entry bar, which means nothing without a plate."""
    return {name: artist for name, artist in _pairs(STOP_GLYPHS, _SIGNS).items() if name != f"{BARE}+entry-bar"}


COMPOSITIONS: dict[FaceName, dict[str, Artist]] = {
    **{FaceName(f"digit-{count}"): _numeral_pairs(count) for count in range(1, 7)},
    FaceName("star"): _pairs(STAR_GLYPHS, _ANY),
    **{FaceName(name): _number_pairs(count) for count, name in ((2, "two"), (3, "three"), (4, "four"))},
    FaceName("go"): _pairs(GO_GLYPHS, _SIGNS),
    FaceName("slow"): _pairs(SLOW_GLYPHS, _SIGNS) | _empty("triangle", "diamond"),
    FaceName("stop"): _stop_pairs() | _empty("octagon"),
    FaceName("zap"): _pairs(BOLT_GLYPHS, _ANY),
    FaceName("green-switch"): _pairs(SWITCH_GLYPHS, _SIGNS - _STOPS),
    FaceName("red-switch"): _pairs(SWITCH_GLYPHS, _SIGNS - _STOPS),
    FaceName("block"): _pairs(BLOCK_GLYPHS, _SIGNS) | _empty("hexagon", "crest", "panel", "rounded"),
}
"""The compositions of each face that has any, by name."""


def relative_frequency(face: FaceName, variant: str) -> float:
    """Return the relative frequency of a composition among those of its face: bare glyphs and words are commonest."""
    plate, _, glyph = variant.partition("+")
    if plate == BARE:
        return 12.0 if face.startswith("digit-") else 4.0
    return 4.0 if glyph.endswith("word") else 1.0


def use_of(face: FaceName, variant: str) -> Use:
    """Return the use of a composition.

    A sixth of all pairs are held out of training by the CRC-32 of their name, the same for every face, and so are pairs
    that resemble a held-out single drawing, such as a word on a square plate. The checksum divides these between
    choosing and scoring.
    """
    plate, _, glyph = variant.partition("+")
    checksum = crc32(variant.encode())
    held_out = plate != BARE and variant not in _SHOWN and checksum % _SIXTH == 0
    if not held_out and not _resembles_held_out(face, plate, glyph):
        return Use.TRAINING
    return Use.CHOOSING if checksum // _SIXTH % 2 else Use.SCORING


def _resembles_held_out(face: FaceName, plate: str, glyph: str) -> bool:
    if face in ("go", "slow", "stop"):
        return plate in _SQUARE and glyph == "word"
    if face in ("green-switch", "red-switch"):
        return plate in _SQUARE and glyph in ("word", "circling")
    if face == "block":
        return (plate in _SQUARE and glyph == "crossed") or (plate in _DISC and glyph == "shield")
    if face == "star":
        return plate in _DISC
    return (face.startswith("digit-") or face in ("two", "three", "four")) and plate in _SQUARE | _DISC
