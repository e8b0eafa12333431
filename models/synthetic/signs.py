"""Draw stars, bolts, the signs of the Signal and Switch dice, and the panels of Toss Up!."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Canvas, Colour, Style, bgr, curve, luma, mix, rounded_outline

Artist = Callable[[Canvas, Style, np.random.Generator], None]
Path = npt.NDArray[np.float64]

_BOLD = cv2.FONT_HERSHEY_DUPLEX
_HOUSING, _PALE_HOUSING = bgr("#22262c"), bgr("#b8bcc2")
_SIGN_RADIUS = 0.31  # of the signal's disc: its width stays below two thirds of the face, a panel's never does


def star_points(tips: int, outer: float, waist: float) -> Path:
    """Return the outline of a star with its first tip up; `waist` is the inner radius as a share of the outer."""
    turns = np.radians(-90 + np.arange(2 * tips) * 180 / tips)
    radii = np.where(np.arange(2 * tips) % 2, outer * waist, outer)
    return np.stack([radii * np.cos(turns), radii * np.sin(turns)], axis=1)


def _star(tips: int, waist: float, canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.polygon(star_points(tips, 0.41 * style.size, waist * rng.uniform(0.9, 1.12)), style.ink)


def _star_outlined(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    outline = star_points(5, 0.38 * style.size, 0.42 * rng.uniform(0.9, 1.15))
    canvas.line(outline, 0.045 * style.weight, style.ink, closed=True)


def _star_rounded(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    outline = star_points(5, 0.34 * style.size, 0.55 * rng.uniform(0.92, 1.08))
    canvas.polygon(outline, style.ink)
    canvas.line(outline, 0.11, style.ink, closed=True)


def _star_on_panel(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.square(0.42, 0.05, style.ink)
    canvas.polygon(star_points(5, 0.33 * style.size, 0.42 * rng.uniform(0.9, 1.1)), style.accent)


def _star_in_disc(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.41, style.ink)
    canvas.polygon(star_points(5, 0.34 * style.size, 0.42 * rng.uniform(0.9, 1.1)), style.accent)


def _star_faceted(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    outline = star_points(5, 0.42 * style.size, 0.42)
    canvas.polygon(outline, style.ink)
    for index in range(0, 10, 2):
        canvas.polygon(np.array([(0, 0), outline[index], outline[index - 1]]), mix(style.ink, (0, 0, 0), 0.35))


STARS: dict[str, Artist] = {
    "filled": partial(_star, 5, 0.42),
    "outlined": _star_outlined,
    "sparkle": partial(_star, 4, 0.34),
    "rounded": _star_rounded,
    "six-point": partial(_star, 6, 0.56),
    "panel": _star_on_panel,
    "disc": _star_in_disc,
    "faceted": _star_faceted,
}

_BOLTS: dict[str, Path] = {
    "classic": np.array([(0.1, -0.5), (-0.3, 0.08), (-0.04, 0.08), (-0.12, 0.5), (0.3, -0.12), (0.04, -0.12)]),
    "slim": np.array([(0.2, -0.5), (-0.22, 0.06), (0.02, 0.03), (-0.2, 0.5), (0.24, -0.1), (-0.01, -0.06)]),
    "jagged": np.array(
        [
            (-0.2, -0.5), (0.14, -0.24), (0.04, -0.18), (0.26, 0.06), (0.14, 0.11), (0.32, 0.5),
            (-0.08, 0.2), (0.03, 0.14), (-0.2, -0.04), (-0.1, -0.1), (-0.38, -0.34),
        ]
    ),
    "broad": np.array([(-0.12, -0.5), (0.26, -0.5), (0.1, -0.14), (0.34, -0.14), (-0.18, 0.5),
                       (-0.04, 0.04), (-0.3, 0.04)]),
}  # fmt: skip


def _bolt(name: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.polygon(_BOLTS[name] * 0.82 * style.size, style.ink)


def _bolt_outlined(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.line(_BOLTS["classic"] * 0.78 * style.size, 0.05 * style.weight, style.ink, closed=True)


def _bolt_edged(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.line(_BOLTS["broad"] * 0.72 * style.size, 0.08 * style.weight, style.accent, closed=True)
    canvas.polygon(_BOLTS["broad"] * 0.72 * style.size, style.ink)


def _bolt_in_disc(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.41, style.ink)
    canvas.polygon(_BOLTS["classic"] * 0.66 * style.size, style.accent)


def _bolt_in_burst(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.polygon(star_points(11, 0.45, 0.72), style.ink)
    canvas.polygon(_BOLTS["slim"] * 0.62 * style.size, style.accent)


BOLTS: dict[str, Artist] = {
    **{name: partial(_bolt, name) for name in _BOLTS},
    "outlined": _bolt_outlined,
    "edged": _bolt_edged,
    "disc": _bolt_in_disc,
    "burst": _bolt_in_burst,
}


def _sign_disc(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    radius = _SIGN_RADIUS * min(style.size, 1.0)
    canvas.disc(0, 0, radius, mix(style.ink, (0, 0, 0), 0.45))
    canvas.disc(0, 0, radius - 0.035, style.ink)


def _word(word: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.text(word, _BOLD, (0.84, 0.4 * style.size), 0.055 * style.weight, style.ink)


def _word_in_disc(word: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4, style.ink)
    canvas.text(word, _BOLD, (0.62, 0.28), 0.045 * style.weight, style.accent)


def _word_on_plate(word: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.square(0.41, 0.1, style.ink)
    canvas.text(word, _BOLD, (0.7, 0.34), 0.05 * style.weight, style.accent)


def _lamps(lit: int, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    housing = _HOUSING if luma(style.body) > 90 else _PALE_HOUSING
    canvas.rounded_rectangle((0, 0), (0.19, 0.44), 0.07, housing)
    for place, y in enumerate((-0.28, 0.0, 0.28)):
        canvas.disc(0, y, 0.12, style.ink if place == lit else mix(housing, (90, 90, 90), 0.5))


def _arrow_up(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    half, neck = 0.3 * style.size, 0.12 * style.weight
    tip, foot = -0.4 * style.size, 0.38 * style.size
    outline = [(0.0, tip), (half, 0.0), (neck, 0.0), (neck, foot), (-neck, foot), (-neck, 0.0), (-half, 0.0)]
    canvas.polygon(outline, style.ink)


def _arrow_in_disc(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4, style.ink)
    arrow = Style(style.name, style.ink, style.accent, style.ink, size=0.62, weight=0.75)
    _arrow_up(canvas, arrow, rng)


GO: dict[str, Artist] = {
    "disc": _sign_disc,
    "word": partial(_word, "GO"),
    "arrow": _arrow_up,
    "disc-arrow": _arrow_in_disc,
    "disc-word": partial(_word_in_disc, "GO"),
    "lamps": partial(_lamps, 2),
    "plate": partial(_word_on_plate, "GO"),
}


def _triangle(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    outline = np.array([(0.0, -0.36), (0.4, 0.31), (-0.4, 0.31)]) * style.size
    canvas.polygon(outline, style.ink)
    canvas.line(outline, 0.05, style.ink, closed=True)
    canvas.line([(0.0, -0.12 * style.size), (0.0, 0.1 * style.size)], 0.06, style.accent)
    canvas.disc(0.0, 0.21 * style.size, 0.035, style.accent)


def _diamond(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    for reach, ink in ((0.47, style.ink), (0.4, style.accent), (0.365, style.ink)):
        wide = reach * min(style.size, 1.0)
        canvas.polygon([(0, -wide), (wide, 0), (0, wide), (-wide, 0)], ink)


def _waves(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.square(0.41, 0.08, style.ink)
    across = np.linspace(-0.3, 0.3, 40)
    for y in (-0.19, 0.0, 0.19):
        wave = np.stack([across, y + 0.05 * np.sin(across * 4 * np.pi / 0.6)], axis=1)
        canvas.line(wave, 0.045 * style.weight, style.accent)


SLOW: dict[str, Artist] = {
    "disc": _sign_disc,
    "word": partial(_word, "SLOW"),
    "disc-word": partial(_word_in_disc, "SLOW"),
    "triangle": _triangle,
    "diamond": _diamond,
    "waves": _waves,
    "lamps": partial(_lamps, 1),
    "plate": partial(_word_on_plate, "SLOW"),
}


def _octagon_points(radius: float) -> Path:
    turns = np.radians(22.5 + np.arange(8) * 45)
    return np.stack([radius * np.cos(turns), radius * np.sin(turns)], axis=1)


def _octagon(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    radius = 0.43 * min(style.size, 1.0)
    canvas.polygon(_octagon_points(radius), style.ink)
    canvas.line(_octagon_points(radius - 0.055), 0.03, style.accent, closed=True)


def _octagon_word(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    _octagon(canvas, style, rng)
    canvas.text("STOP", _BOLD, (0.6, 0.24), 0.04 * style.weight, style.accent)


def _no_entry(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.4 * min(style.size, 1.05), style.ink)
    canvas.rounded_rectangle((0, 0), (0.27, 0.07), 0.02, style.accent)


def _hand(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    ink = style.accent if rng.random() < 0.6 else style.ink
    if ink == style.accent:
        canvas.polygon(_octagon_points(0.44), style.ink)
    canvas.rounded_rectangle((0.02, 0.12), (0.13, 0.14), 0.05, ink)
    for x, tip in ((-0.09, -0.16), (-0.018, -0.24), (0.054, -0.22), (0.126, -0.13)):
        canvas.line([(x, 0.1), (x, tip)], 0.058, ink)
    canvas.line([(-0.07, 0.2), (-0.19, 0.02)], 0.06, ink)


STOP: dict[str, Artist] = {
    "octagon": _octagon,
    "octagon-word": _octagon_word,
    "bar": _no_entry,
    "hand": _hand,
    "disc": _sign_disc,
    "word": partial(_word, "STOP"),
    "lamps": partial(_lamps, 0),
    "plate": partial(_word_on_plate, "STOP"),
}


def _bowed(half: float, bow: float) -> Path:
    across = np.linspace(-1.0, 1.0, 20)[:-1]
    side = np.stack([across * half, -half + bow * (1.0 - across**2)], axis=1)
    quarter = np.array([(0.0, -1.0), (1.0, 0.0)])
    return np.concatenate([side @ np.linalg.matrix_power(quarter, -turn) for turn in range(4)])


def _panel(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    outline = _bowed(0.44 * style.size, rng.uniform(0.03, 0.09))
    canvas.polygon(outline, style.ink)


def _big_square(corner: float, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.square(0.43 * style.size, corner, style.ink)


def _big_disc(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.disc(0, 0, max(0.435 * style.size, 0.41), style.ink)


def _framed(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.square(0.46, 0.1, style.ink)
    canvas.line(rounded_outline((0, 0), (0.4, 0.4), 0.07), 0.025, mix(style.ink, style.body, 0.7), closed=True)


PANELS: dict[str, Artist] = {
    "panel": _panel,
    "full": lambda canvas, style, _rng: canvas.square(0.75, 0.0, style.ink),
    "rounded": partial(_big_square, 0.13),
    "square": partial(_big_square, 0.02),
    "disc": _big_disc,
    "framed": _framed,
}


def _swap_arrows(canvas: Canvas, ink: Colour, scale: float, weight: float) -> None:
    for way in (-1, 1):
        y, tip = way * 0.15 * scale, way * 0.36 * scale
        neck, head = tip - way * 0.17 * scale, 0.13 * scale
        canvas.line([(-tip * 0.92, y), (neck, y)], 0.09 * weight * scale, ink)
        canvas.polygon([(tip, y), (neck, y - head), (neck, y + head)], ink)


def _round_arrows(canvas: Canvas, ink: Colour, scale: float, weight: float) -> None:
    radius = 0.27 * scale
    for start in (200, 20):
        arc = curve((0, 0), (radius, radius), start, start + 115)
        canvas.line(arc, 0.085 * weight * scale, ink)
        end = np.radians(start + 118)
        tip, out = np.array([np.cos(end), np.sin(end)]), np.array([-np.sin(end), np.cos(end)])
        foot = tip * radius
        canvas.polygon(np.array([foot + tip * 0.14 * scale, foot + out * 0.2 * scale, foot - tip * 0.14 * scale]), ink)


def _letter(canvas: Canvas, ink: Colour, scale: float, weight: float) -> None:
    canvas.text("S", _BOLD, (0.6, 0.62 * scale), 0.09 * weight, ink)


def _switch_word(canvas: Canvas, ink: Colour, scale: float, weight: float) -> None:
    canvas.text("SWITCH", _BOLD, (0.86 * scale, 0.4), 0.04 * weight, ink)


Emblem = Callable[[Canvas, Colour, float, float], None]


def _on_body(emblem: Emblem, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    emblem(canvas, style.ink, style.size, style.weight)


def _on_panel(emblem: Emblem, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.square(0.43, 0.09, style.ink)
    emblem(canvas, style.accent, 0.88 * style.size, style.weight)


def _on_disc(emblem: Emblem, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.42, style.ink)
    emblem(canvas, style.accent, 0.8 * style.size, style.weight)


SWITCHES: dict[str, Artist] = {
    "swap": partial(_on_body, _swap_arrows),
    "circle": partial(_on_body, _round_arrows),
    "letter": partial(_on_body, _letter),
    "word": partial(_on_body, _switch_word),
    "panel-swap": partial(_on_panel, _swap_arrows),
    "panel-letter": partial(_on_panel, _letter),
    "disc-swap": partial(_on_disc, _swap_arrows),
    "panel-circle": partial(_on_panel, _round_arrows),
    "panel-word": partial(_on_panel, _switch_word),
}


def _shield_points(scale: float) -> Path:
    right = np.array([(0.34, -0.36), (0.34, -0.02), (0.26, 0.2), (0.12, 0.34), (0.0, 0.42)])
    return np.concatenate([right, (right * (-1, 1))[::-1]]) * scale


def _shield(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    canvas.polygon(_shield_points(style.size), style.ink)
    if rng.random() < 0.5:
        canvas.line(_shield_points(0.8 * style.size), 0.03, style.accent, closed=True)


def _crossed(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    radius = 0.34 * style.size
    reach = radius * 0.7
    canvas.ring(0, 0, radius, 0.09 * style.weight, style.ink)
    canvas.line([(-reach, -reach), (reach, reach)], 0.09 * style.weight, style.ink)


def _x_on_plate(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.square(0.42, 0.1, style.ink)
    for way in (-1, 1):
        canvas.line([(-0.22, -0.22 * way), (0.22, 0.22 * way)], 0.11 * style.weight, style.accent)


def _shield_on_disc(canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    canvas.disc(0, 0, 0.43, style.ink)
    canvas.polygon(_shield_points(0.68), style.accent)


BLOCKS: dict[str, Artist] = {
    "panel": partial(_big_square, 0.07),
    "disc": _big_disc,
    "shield": _shield,
    "crossed": _crossed,
    "word": partial(_word_on_plate, "BLOCK"),
    "cross": _x_on_plate,
    "shield-disc": _shield_on_disc,
}
