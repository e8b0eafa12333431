"""Random colours and proportions of dice, and the plates on which glyphs are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import (
    Canvas,
    Colour,
    Material,
    Pixels,
    Points,
    Style,
    Use,
    bgr,
    contrast,
    curve,
    hsv,
    luma,
    mix,
    rounded_outline,
)

# Materials of dice


Field = npt.NDArray[np.float32]
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)


def body(colour: Colour, material: Material, size: int, rng: np.random.Generator) -> Pixels:
    """Return a square of the material: (size, size, 3), BGR."""
    return _MAKERS[material](colour, size, rng)


def clouds(size: int, cells: tuple[int, int], rng: np.random.Generator) -> Field:
    """Return smooth noise, (size, size), 0 to 1, with about `cells` (rows, columns) blobs."""
    coarse = rng.random((cells[0] + 1, cells[1] + 1), np.float32)
    return np.clip(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC), 0.0, 1.0).astype(np.float32)


def _plain(colour: Colour, size: int, _rng: np.random.Generator) -> Pixels:
    return np.full((size, size, 3), colour, np.uint8)


def _speckled(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    square = _plain(colour, size, rng)
    speck = mix(colour, _BLACK if luma(colour) > 110 else _WHITE, float(rng.uniform(0.2, 0.5)))
    for x, y in rng.integers(0, size * 16, (int(rng.integers(15, 60)), 2)).tolist():
        radius = int(rng.uniform(0.004, 0.014) * size * 16)
        cv2.circle(square, (x, y), max(radius, 6), speck, -1, cv2.LINE_AA, 4)
    return square


def _marbled(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    veins = np.abs(clouds(size, (3, 3), rng) + 0.5 * clouds(size, (7, 7), rng) - 0.75)
    share = np.clip(1.0 - veins * float(rng.uniform(4.0, 9.0)), 0.0, 1.0)
    other = mix(colour, _BLACK if luma(colour) > 110 else _WHITE, float(rng.uniform(0.12, 0.3)))
    return _blend(colour, other, share)


def _wooden(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    grain = 0.6 * clouds(size, (2, 24), rng) + 0.4 * clouds(size, (4, 60), rng)
    return _blend(colour, mix(colour, _BLACK, float(rng.uniform(0.15, 0.35))), grain)


def _translucent(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    axis = np.linspace(-1.0, 1.0, size, dtype=np.float32)
    lean = rng.uniform(-0.4, 0.4, 2)
    glow = 1.0 - 0.5 * ((axis[None, :] - lean[0]) ** 2 + (axis[:, None] - lean[1]) ** 2)
    share = np.clip(0.75 * glow + 0.4 * clouds(size, (4, 4), rng) - 0.2, 0.0, 1.0)
    return _blend(mix(colour, _BLACK, 0.15), mix(colour, _WHITE, 0.25), share)


def _cloudy(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    lumps = int(rng.integers(2, 6))
    other = mix(colour, _BLACK if rng.random() < 0.5 else _WHITE, float(rng.uniform(0.1, 0.3)))
    return _blend(colour, other, clouds(size, (lumps, lumps), rng))


def _flecked(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    square = _plain(colour, size, rng)
    for x, y in rng.integers(0, size, (int(rng.integers(20, 90)), 2)).tolist():
        fleck = mix(colour, _BLACK if rng.random() < 0.5 else _WHITE, float(rng.uniform(0.1, 0.4)))
        half = (int(rng.uniform(0.008, 0.025) * size) + 1, int(rng.uniform(0.004, 0.012) * size) + 1)
        cv2.ellipse(square, (x, y), half, float(rng.uniform(0, 180)), 0, 360, fleck, -1, cv2.LINE_AA)
    return square


def _brushed(colour: Colour, size: int, rng: np.random.Generator) -> Pixels:
    streaks = 0.5 * clouds(size, (1, 60), rng) + 0.5 * clouds(size, (2, 30), rng)
    return _blend(mix(colour, _BLACK, 0.12), mix(colour, _WHITE, float(rng.uniform(0.1, 0.25))), streaks)


def _blend(one: Colour, other: Colour, share: npt.NDArray[np.floating[Any]]) -> Pixels:
    start, way = np.array(one, np.float32), np.subtract(other, one).astype(np.float32)
    return np.asarray(start + share[..., None] * way, np.uint8)


_MAKERS = {
    Material.PLAIN: _plain,
    Material.SPECKLED: _speckled,
    Material.MARBLED: _marbled,
    Material.WOODEN: _wooden,
    Material.TRANSLUCENT: _translucent,
    Material.CLOUDY: _cloudy,
    Material.FLECKED: _flecked,
    Material.BRUSHED: _brushed,
}


# Bodies and inks that are hard to read: swirled, glittering, layered and clear bodies, inks of metal
#
# They are for training and scoring the second look; the virtual tray keeps the plain materials.


Rng = np.random.Generator

METALS: tuple[Colour, ...] = tuple(
    bgr(text) for text in ("#d4af37", "#e6c35c", "#b8862b", "#f0d98a", "#c0c0c8", "#e4e4ea", "#8d9099", "#b87333")
)
"""Gold, silver and copper."""


def fancy_body(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return a square of a swirled, glittering, layered or clear body: (size, size, 3), BGR."""
    makers = (_swirled, _swirled, _glittering, _layered, _clear)
    return makers[int(rng.integers(len(makers)))](colour, size, rng)


def metallic(ink: Pixels, rng: Rng) -> Pixels:
    """Return an ink (premultiplied BGR and coverage) with the sheen of polished or brushed metal."""
    size = len(ink)
    turn = rng.uniform(0, 2 * np.pi)
    along = np.linspace(-1, 1, size, dtype=np.float32)
    across = np.cos(turn) * along[None, :] + np.sin(turn) * along[:, None]
    bands = np.sin(across * float(rng.uniform(1.0, 5.0)) + float(rng.uniform(0, 6.3)))
    shine = 1.0 + float(rng.uniform(0.1, 0.45)) * bands + 0.25 * (clouds(size, (12, 12), rng) - 0.5)
    lit = ink[..., :3].astype(np.float32) * shine[..., None]
    return np.dstack([np.minimum(lit, ink[..., 3:]), ink[..., 3:]]).astype(np.uint8)


def _swirled(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return two or three colours folded into one another, as in a poured resin."""
    warp = [float(rng.uniform(0.1, 0.5)) * size * (clouds(size, (3, 3), rng) - 0.5) for _ in range(2)]
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    cells = int(rng.integers(2, 7))
    field = cv2.remap(clouds(size, (cells, cells), rng), x + warp[0], y + warp[1], cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_REFLECT_101)  # fmt: skip
    share = np.clip((field - 0.5) * float(rng.uniform(2.0, 7.0)) + 0.5, 0, 1)
    return _blend(colour, _partner(colour, rng), share)


def _glittering(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return a body full of bright flakes."""
    square = np.full((size, size, 3), colour, np.float32)
    share = float(rng.uniform(0.02, 0.15))
    grain = float(rng.uniform(0.006, 0.016)) * size
    flakes = cv2.GaussianBlur(rng.random((size, size), np.float32), (0, 0), max(grain, 0.5))
    bright = np.clip((flakes - np.quantile(flakes, 1 - share)) * 40, 0, 1)[..., None]
    hues = cv2.resize(rng.uniform(90, 255, (16, 16, 3)).astype(np.float32), (size, size))
    return np.asarray(np.clip(square * (1 - bright) + hues * bright, 0, 255), np.uint8)


def _layered(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return two colours with a soft border between them."""
    turn = rng.uniform(0, 2 * np.pi)
    along = np.linspace(-1, 1, size, dtype=np.float32)
    across = np.cos(turn) * along[None, :] + np.sin(turn) * along[:, None] + rng.uniform(-0.6, 0.6)
    return _blend(colour, _partner(colour, rng), np.clip(across * float(rng.uniform(1.0, 8.0)) + 0.5, 0, 1))


def _clear(colour: Colour, size: int, rng: Rng) -> Pixels:
    """Return a clear body: bright where light gathers, with the blurred signs of the sides beneath."""
    glow = clouds(size, (3, 3), rng)[..., None] * float(rng.uniform(0.2, 0.6))
    square = np.array(colour, np.float32) * (1 - glow) + 255 * glow
    ghosts = np.zeros((size, size), np.float32)
    for x, y in rng.uniform(0.1, 0.9, (int(rng.integers(1, 7)), 2)) * size:
        cv2.circle(ghosts, (int(x), int(y)), int(rng.uniform(0.05, 0.12) * size), 1.0, -1)
    blurred = cv2.GaussianBlur(ghosts, (0, 0), float(rng.uniform(0.03, 0.07)) * size)[..., None]
    ghost = 255.0 if luma(colour) < 128 else 0.0
    faint = float(rng.uniform(0.05, 0.35)) * blurred
    return np.asarray(np.clip(square * (1 - faint) + ghost * faint, 0, 255), np.uint8)


def _partner(colour: Colour, rng: Rng) -> Colour:
    """Return a colour to go with another: mostly of similar lightness, so that ink stays legible on both."""
    partner = np.clip(np.array(colour) + rng.normal(0, 55, 3) + rng.normal(0, 15), 0, 255)
    blue, green, red = partner.astype(int).tolist()
    return blue, green, red


# Random colours and proportions of dice
#
# The body colours for training, choosing and scoring are disjoint.


WHITE, BLACK = bgr("#f6f6f4"), bgr("#121214")

BODIES: dict[str, Colour] = {
    "white": bgr("#f4f4f2"),
    "ivory": bgr("#efe6cf"),
    "cream": bgr("#f3ead6"),
    "black": bgr("#17171a"),
    "charcoal": bgr("#34363b"),
    "grey": bgr("#8f9296"),
    "red": bgr("#c0202a"),
    "wine": bgr("#6f1423"),
    "blue": bgr("#1f52ad"),
    "navy": bgr("#16244f"),
    "sky": bgr("#6fb0e0"),
    "green": bgr("#1f8a47"),
    "forest": bgr("#15492c"),
    "purple": bgr("#5b2a86"),
    "orange": bgr("#e8761c"),
    "yellow": bgr("#f0c822"),
    "oak": bgr("#c79a62"),
}
BODIES_CHOOSING: dict[str, Colour] = {
    "sand": bgr("#d8c3a0"),
    "slate": bgr("#4c5c6b"),
    "lavender": bgr("#b49ad6"),
    "lime": bgr("#a6ce39"),
}
BODIES_SCORING: dict[str, Colour] = {
    "teal": bgr("#14808a"),
    "pink": bgr("#e77fa6"),
    "bone": bgr("#dcd3bd"),
    "chocolate": bgr("#4a2c1d"),
}


@dataclass(frozen=True)
class _Bodies:
    """The body colours of one use: all, those for coloured signs, those for neutral ones, and those of blank sides."""

    all: dict[str, Colour]
    pale: tuple[str, ...]
    neutral: tuple[str, ...]
    bare: tuple[str, ...]


_PALE = ("white", "ivory", "cream")
_NEUTRAL = (*_PALE, "black", "charcoal", "grey")
_BODIES: dict[Use, _Bodies] = {
    Use.TRAINING: _Bodies(BODIES, _PALE, _NEUTRAL, (*_PALE, *_NEUTRAL, "purple", "wine", "oak", "orange", "navy")),
    Use.CHOOSING: _Bodies(BODIES_CHOOSING, ("sand",), ("sand", "slate"), ("sand", "slate", "lavender")),
    Use.SCORING: _Bodies(BODIES_SCORING, ("bone",), ("bone", "chocolate"), ("bone", "chocolate", "pink")),
}

_INKS = tuple(
    bgr(text)
    for text in ("#111113", "#f8f8f5", "#b8141f", "#12408f", "#0f6b34", "#d9a514", "#4a1f72", "#f3cf2e", "#e8e2d0")
)
_FANCY = (
    *(Material.MARBLED, Material.SPECKLED, Material.TRANSLUCENT) * 2,
    *(Material.CLOUDY, Material.FLECKED, Material.BRUSHED),
)
# Range of hues in degrees; a signal's amber and a panel's yellow may overlap, since their drawings differ.
_HUES: dict[str, tuple[float, float]] = {
    "green": (98.0, 158.0),
    "yellow": (46.0, 60.0),
    "amber": (33.0, 52.0),
    "red": (-13.0, 8.0),
    "blue": (202.0, 234.0),
}
_SIGN_INKS = {
    "go": "green",
    "slow": "amber",
    "stop": "red",
    "green": "green",
    "yellow": "yellow",
    "red": "red",
    "green-switch": "green",
    "red-switch": "red",
    "block": "blue",
}
_SIGNALS = ("go", "slow", "stop")
_UNCOLOURED = 0.25  # share of signs with another colour than usual, if their meaning does not depend on it
_PANEL_FACES = ("green", "yellow", "red")
_MIN_CONTRAST, _MIN_SIGN_CONTRAST = 80.0, 38.0
_SMILEY_INKS = tuple(bgr(text) for text in ("#ffd23c", "#f7c31e", "#ffe066", "#6db5ee", "#f4a6c0", "#8fd06a"))
_STAR_INKS = tuple(bgr(text) for text in ("#f2b61a", "#ffd23c", "#d4a017", "#c8c8cc"))


@dataclass(frozen=True)
class _Body:
    name: str
    colour: Colour
    material: Material


def random_face_style(drawing: str, rng: np.random.Generator, use: Use, like: Style | None) -> Style:
    """Return a random style in which the drawing is legible: ink contrasts with body, and accent with ink."""
    face, _, variant = drawing.partition("/")
    ground = _Body(like.name, like.body, like.material) if like else _random_body(face, variant, rng, use)
    ink = _ink(face, variant, ground.colour, rng)
    body = ink if (face, variant) in _FULL else ground.colour
    small = face.startswith("pip-") or "pips" in variant or variant in ("round", "ring", "red")
    return Style(
        ground.name,
        body,
        ink,
        _accent(face, variant, ink, ground.colour, rng),
        ground.material,
        size=float(rng.uniform(0.68, 1.35) if small else rng.uniform(0.86, 1.12)),
        weight=float(rng.uniform(0.75, 1.3)),
        spread=float(rng.uniform(0.82, 1.16)),
        depth=float(rng.choice((0.0, rng.uniform(0.3, 1.0)), p=(0.3, 0.7) if small else (0.7, 0.3))),
        wear=float(rng.choice((0.0, rng.uniform(0.1, 0.6)), p=(0.8, 0.2))),
        wobble=float(rng.uniform(0.0, 1.0)),
        mirrored=bool(rng.random() < 0.5),
    )


_FULL = {(face, "full") for face in _PANEL_FACES}


def _random_body(face: str, variant: str, rng: np.random.Generator, use: Use) -> _Body:
    name = str(rng.choice(_body_names(face, rng, use)))
    return _Body(name, _tinted(_BODIES[use].all[name], rng), _material(face, variant, name, rng))


def _body_names(face: str, rng: np.random.Generator, use: Use) -> tuple[str, ...]:
    bodies = _BODIES[use]
    if face == "blank":
        return bodies.bare
    if face in _SIGN_INKS:
        return bodies.pale if rng.random() < (0.85 if face in _PANEL_FACES else 0.6) else bodies.neutral
    return (*bodies.all, *bodies.neutral, *bodies.pale)


def _material(face: str, variant: str, name: str, rng: np.random.Generator) -> Material:
    if face == "blank":
        return Material(variant)
    if name == "oak":
        return Material.WOODEN
    if rng.random() < (0.85 if face in _SIGN_INKS else 0.6):
        return Material.PLAIN
    return _FANCY[int(rng.integers(len(_FANCY)))]


def _tinted(colour: Colour, rng: np.random.Generator) -> Colour:
    blue, green, red = (
        np.clip(np.array(colour) + rng.normal(0.0, 7.0, 3) + rng.normal(0.0, 8.0), 0, 255).astype(int).tolist()
    )
    return blue, green, red


def _ink(face: str, variant: str, body: Colour, rng: np.random.Generator) -> Colour:
    if face in _SIGN_INKS and not (_says_it(face, variant) and rng.random() < _UNCOLOURED):
        return _sign_ink(_SIGN_INKS[face], body, rng)
    if face in ("happy", "sad") and variant not in ("bare", "outline", "dark", "laughing") and rng.random() < 0.75:
        return _tinted(_SMILEY_INKS[int(rng.integers(len(_SMILEY_INKS)))], rng)
    if face in ("star", "zap") and rng.random() < 0.5:
        return _readable(tuple(_STAR_INKS), body, rng)
    if rng.random() < 0.65:
        return _tinted(WHITE if luma(body) < 128 else BLACK, rng)
    return _readable(_INKS, body, rng)


def _says_it(face: str, variant: str) -> bool:
    """True if a sign's shape or word has its meaning in any colour; a switch's never does."""
    sign = variant.partition("+")[2]
    return (face == "block" and sign not in ("", "nothing")) or (face in _SIGNALS and sign in ("word", "stander"))


def _sign_ink(hue: str, body: Colour, rng: np.random.Generator) -> Colour:
    low, high = _HUES[hue]
    light = hue in ("yellow", "amber")
    tries = [
        hsv(rng.uniform(low, high), rng.uniform(0.7, 1.0), rng.uniform(0.82, 1.0) if light else rng.uniform(0.45, 0.9))
        for _ in range(6)
    ]
    return next(
        (ink for ink in tries if contrast(ink, body) >= _MIN_SIGN_CONTRAST),
        max(tries, key=lambda ink: contrast(ink, body)),
    )


def _readable(inks: tuple[Colour, ...], ground: Colour, rng: np.random.Generator) -> Colour:
    fit = [ink for ink in inks if contrast(ink, ground) >= _MIN_CONTRAST]
    if not fit:
        return WHITE if luma(ground) < 128 else BLACK
    return _tinted(fit[int(rng.integers(len(fit)))], rng)


def _accent(face: str, variant: str, ink: Colour, body: Colour, rng: np.random.Generator) -> Colour:
    if variant == "red" and face.startswith("pip-"):
        red = hsv(rng.uniform(-8.0, 6.0), rng.uniform(0.75, 1.0), rng.uniform(0.6, 0.9))
        return red if contrast(red, body) >= 50.0 else ink
    if face in _SIGN_INKS:
        return _tinted(WHITE if luma(ink) < 150 else BLACK, rng)
    if contrast(body, ink) >= _MIN_CONTRAST and rng.random() < 0.4:
        return body
    return mix(WHITE if luma(ink) < 120 else BLACK, ink, float(rng.uniform(0.0, 0.2)))


# Plates, on which glyphs are drawn: discs, panels, octagons, triangles and others, solid, outlined or bordered


Path = npt.NDArray[np.float64]
Plate = Callable[[Canvas, Style, np.random.Generator], "PlateArea"]


@dataclass(frozen=True)
class PlateArea:
    """The area of a plate that is left for a glyph.

    ink: colour to draw in. ground: colour of the area, None for the die's body. half: half-width and half-height. at:
    its centre.
    """

    ink: Colour
    ground: Colour | None
    half: tuple[float, float]
    at: tuple[float, float] = (0.0, 0.0)

    @property
    def side(self) -> float:
        return 2 * min(self.half)

    def put(self, points: Points) -> Path:
        """Return points of the unit square (-0.5 to 0.5) moved into the area's square."""
        return np.asarray(self.at) + self.side * np.asarray(points, np.float64)


@dataclass(frozen=True)
class _Shape:
    """A plate's outline, and the half-width, half-height and centre of the area in it."""

    outline: Path
    half: tuple[float, float]
    at: tuple[float, float] = (0.0, 0.0)


def _disc(rng: np.random.Generator) -> _Shape:
    radius = float(rng.uniform(0.37, 0.46))
    return _Shape(curve((0, 0), (radius, radius), 0, 360), (0.7 * radius, 0.66 * radius))


def _square(corners: tuple[float, float], rng: np.random.Generator) -> _Shape:
    half = float(rng.uniform(0.36, 0.45))
    corner = float(rng.uniform(*corners))
    return _Shape(rounded_outline((0, 0), (half, half), corner), (0.84 * half, 0.8 * half))


def _regular(corners: int, first: float, rng: np.random.Generator) -> _Shape:
    radius = float(rng.uniform(0.4, 0.47))
    turns = np.radians(first + np.arange(corners) * 360 / corners)
    room = radius * np.cos(np.pi / corners)
    return _Shape(radius * np.stack([np.cos(turns), np.sin(turns)], axis=1), (0.74 * room, 0.7 * room))


def _diamond(rng: np.random.Generator) -> _Shape:
    reach = float(rng.uniform(0.44, 0.49))
    return _Shape(reach * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]), (0.52 * reach, 0.48 * reach))


def _triangle(rng: np.random.Generator) -> _Shape:
    half, top, foot = float(rng.uniform(0.4, 0.46)), float(rng.uniform(-0.43, -0.36)), float(rng.uniform(0.3, 0.38))
    return _Shape(np.array([(0, top), (half, foot), (-half, foot)]), (0.2, 0.2), (0.0, foot - 0.27))


def _pennant(rng: np.random.Generator) -> _Shape:
    shape = _triangle(rng)
    return _Shape(-shape.outline, shape.half, (0.0, -shape.at[1]))


def _strip(corner: float, rng: np.random.Generator) -> _Shape:
    wide, high = float(rng.uniform(0.41, 0.46)), float(rng.uniform(0.24, 0.33))
    return _Shape(rounded_outline((0, 0), (wide, high), corner * high), (0.84 * wide, 0.8 * high))


def _badge(rng: np.random.Generator) -> _Shape:
    lobes, radius, deep = int(rng.integers(9, 17)), float(rng.uniform(0.4, 0.44)), float(rng.uniform(0.02, 0.04))
    turns = np.radians(np.arange(0, 360, 2))
    reach = radius + deep * np.cos(lobes * turns)
    return _Shape((reach * np.array([np.cos(turns), np.sin(turns)])).T, (0.66 * radius, 0.62 * radius))


def _arch(rng: np.random.Generator) -> _Shape:
    half, shoulder = float(rng.uniform(0.34, 0.41)), float(rng.uniform(-0.12, 0.02))
    roof = curve((0, shoulder), (half, 0.42 + shoulder), 180, 360)
    return _Shape(np.concatenate([roof, [(half, 0.42), (-half, 0.42)]]), (0.8 * half, 0.26), (0.0, 0.08))


def _crest(rng: np.random.Generator) -> _Shape:
    half, waist = float(rng.uniform(0.34, 0.41)), float(rng.uniform(-0.02, 0.1))
    right = np.array([(half, -0.4), (half, waist), (0.72 * half, 0.24), (0.36 * half, 0.37), (0.0, 0.45)])
    return _Shape(np.concatenate([right, (right * (-1, 1))[::-1]]), (0.78 * half, 0.24), (0.0, -0.06))


def _house(rng: np.random.Generator) -> _Shape:
    half, eaves = float(rng.uniform(0.34, 0.42)), float(rng.uniform(-0.16, -0.04))
    outline = np.array([(0, -0.45), (half, eaves), (half, 0.4), (-half, 0.4), (-half, eaves)])
    return _Shape(outline, (0.8 * half, 0.24), (0.0, 0.1))


def bare(_canvas: Canvas, style: Style, rng: np.random.Generator) -> PlateArea:
    """Return the area of the whole face, without a plate."""
    half = 0.42 * min(style.size, 1.05) * float(rng.uniform(0.82, 1.0))
    return PlateArea(style.ink, None, (half, 0.92 * half))


def _solid(
    shape: Callable[[np.random.Generator], _Shape], canvas: Canvas, style: Style, rng: np.random.Generator
) -> PlateArea:
    """Draw the shape solid, sometimes with a line of the accent colour along its edge."""
    plate = _jogged(shape(rng), rng)
    canvas.polygon(plate.outline, style.ink)
    if rng.random() < 0.35:
        share = float(rng.uniform(0.84, 0.92))
        canvas.line(_about(plate, share), float(rng.uniform(0.015, 0.035)), style.accent, closed=True)
    return PlateArea(style.accent, style.ink, plate.half, plate.at)


def _lined(
    shape: Callable[[np.random.Generator], _Shape], canvas: Canvas, style: Style, rng: np.random.Generator
) -> PlateArea:
    """Draw the shape's outline in ink, on the body or on the accent, as a road sign's red border on white."""
    plate, width = _jogged(shape(rng), rng), float(rng.uniform(0.03, 0.08)) * style.weight
    filled = rng.random() < 0.5
    if filled:
        canvas.polygon(plate.outline, style.accent)
    canvas.line(_about(plate, 1.0 - width), width, style.ink, closed=True)
    if rng.random() < 0.2:
        canvas.line(_about(plate, 0.98 - 2.2 * width), 0.4 * width, style.ink, closed=True)
    half = (plate.half[0] - 0.8 * width, plate.half[1] - 0.8 * width)
    return PlateArea(style.ink, style.accent if filled else None, half, plate.at)


def _either(
    shape: Callable[[np.random.Generator], _Shape], canvas: Canvas, style: Style, rng: np.random.Generator
) -> PlateArea:
    return (_solid if rng.random() < 0.6 else _lined)(shape, canvas, style, rng)


def _about(plate: _Shape, share: float) -> Path:
    middle = (plate.outline.min(axis=0) + plate.outline.max(axis=0)) / 2
    if len(plate.outline) == 3:
        middle = plate.outline.mean(axis=0)
    return np.asarray(middle + share * (plate.outline - middle))


def _jogged(plate: _Shape, rng: np.random.Generator) -> _Shape:
    """Return the plate slightly wider or narrower."""
    wide, high = rng.normal(1.0, 0.025, 2).clip(0.94, 1.05)
    return _Shape(plate.outline * (wide, high), (plate.half[0] * wide, plate.half[1] * high), plate.at)


_SHARP, _ROUND = partial(_square, (0.0, 0.02)), partial(_square, (0.06, 0.17))

PLATES: dict[str, Plate] = {
    "bare": bare,
    "disc": partial(_solid, _disc),
    "ring": partial(_lined, _disc),
    "panel": partial(_solid, _SHARP),
    "rounded": partial(_solid, _ROUND),
    "frame": partial(_lined, _SHARP),
    "roundframe": partial(_lined, _ROUND),
    "octagon": partial(_either, partial(_regular, 8, 22.5)),
    "hexagon": partial(_either, partial(_regular, 6, 0.0)),
    "pentagon": partial(_either, partial(_regular, 5, -90.0)),
    "diamond": partial(_either, _diamond),
    "triangle": partial(_either, _triangle),
    "pennant": partial(_either, _pennant),
    "pill": partial(_either, partial(_strip, 0.98)),
    "bar": partial(_either, partial(_strip, 0.08)),
    "badge": partial(_either, _badge),
    "arch": partial(_either, _arch),
    "crest": partial(_either, _crest),
    "house": partial(_either, _house),
}
"""Every plate by name; `bare` is no plate."""
