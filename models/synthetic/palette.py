"""Random colours and proportions of dice.

The body colours for training, choosing and scoring are disjoint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.synthetic.canvas import Colour, bgr, contrast, hsv, luma, mix
from models.synthetic.face_style import Material, Style, Use

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
    ground = _body_like(like) if like else _random_body(face, variant, rng, use)
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


def _body_like(style: Style) -> _Body:
    return _Body(style.name, style.body, style.material)


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
