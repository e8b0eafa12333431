"""Glyphs of the Signal die: arrows and walkers for go, warnings and snails for slow, hands and bars for stop."""

from __future__ import annotations

from functools import partial

import numpy as np

from models.synthetic.canvas import Canvas, bgr, curve, luma, mix, rounded_outline
from models.synthetic.face_style import Style
from models.synthetic.glyphs import (
    Glyph,
    Path,
    Rng,
    fill,
    jitter,
    rotate,
    spot,
    stroke,
    words,
)
from models.synthetic.plates import PlateArea

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
