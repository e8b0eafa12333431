"""Glyphs of the other dice: shields and walls for block, arrows for switch, bolts and stars."""

from __future__ import annotations

import numpy as np

from models.synthetic.canvas import Canvas, curve, mix, rounded_outline
from models.synthetic.face_style import Style
from models.synthetic.glyphs import (
    Glyph,
    Path,
    Rng,
    fill,
    jitter,
    rotate,
    stroke,
    words,
)
from models.synthetic.lettering import LETTERINGS, random_lettering, render_text
from models.synthetic.plates import PlateArea

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


def _bolt(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    fill(canvas, area, rotate(bolt_points(rng), float(rng.normal(0, 8))))


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


def _star(canvas: Canvas, area: PlateArea, _style: Style, rng: Rng) -> None:
    fill(canvas, area, star_outline(rng))


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
    "bolt": _bolt,
    "bolt-lined": _bolt_lined,
    "bolt-edged": _bolt_edged,
    "bolts": _bolts,
    "spark-line": _spark_line,
    "word": words("ZAP", "ZAP", "ZAP!"),
}
STAR_GLYPHS: dict[str, Glyph] = {
    "star": _star,
    "star-lined": _star_lined,
    "star-rounded": _star_rounded,
    "star-in-star": _star_in_star,
    "asterisk": _asterisk,
}
