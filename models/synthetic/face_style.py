"""What a face is drawn with: body, inks, and the shape of the drawing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from models.synthetic.canvas import Colour


class Material(StrEnum):
    """What the body is made of."""

    PLAIN = "plain"
    SPECKLED = "speckled"
    MARBLED = "marbled"
    WOODEN = "wooden"
    TRANSLUCENT = "translucent"
    CLOUDY = "cloudy"
    FLECKED = "flecked"
    BRUSHED = "brushed"


class Use(StrEnum):
    """What a drawing, a colour, a surface or a lamp is for: no two of these ever share one."""

    TRAINING = "training"
    CHOOSING = "choosing"
    """What training cannot set is chosen on these: the temperature, where acceptance begins, which weights to keep."""
    SCORING = "scoring"


@dataclass(frozen=True)
class Style:
    """How one face is drawn.

    `ink` draws upon the body and `accent` upon the ink (a smile on its disc, a word on its panel).
    `size`, `weight` and `spread` are 1 for the usual drawing: how large it is, how thick its strokes, how far apart
    its pips. `depth` (0..1) is how deep the ink is engraved, `wear` (0..1) how much of it has rubbed off and
    `wobble` (0..1) how carelessly it sits.
    """

    name: str
    body: Colour
    ink: Colour
    accent: Colour
    material: Material = Material.PLAIN
    size: float = 1.0
    weight: float = 1.0
    spread: float = 1.0
    depth: float = 0.0
    wear: float = 0.0
    wobble: float = 0.0
    mirrored: bool = False
