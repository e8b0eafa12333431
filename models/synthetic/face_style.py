"""The style of a face: body, inks, and the proportions of the drawing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from models.synthetic.canvas import Colour


class Material(StrEnum):
    """The material of a die's body."""

    PLAIN = "plain"
    SPECKLED = "speckled"
    MARBLED = "marbled"
    WOODEN = "wooden"
    TRANSLUCENT = "translucent"
    CLOUDY = "cloudy"
    FLECKED = "flecked"
    BRUSHED = "brushed"


class Use(StrEnum):
    """The use of a drawing, colour, surface or light; the uses are disjoint."""

    TRAINING = "training"
    CHOOSING = "choosing"
    """For what training cannot set: the temperature, the acceptance threshold, which weights to keep."""
    SCORING = "scoring"


@dataclass(frozen=True)
class Style:
    """How one face is drawn.

    ink: colour on the body; accent: colour on the ink (a smile on its disc, a word on its panel). size, weight,
    spread: factors of the drawing's size, stroke width and pip distance. depth: of the engraving, 0 to 1. wear: share
    of the ink rubbed off, 0 to 1. wobble: how carelessly it is printed, 0 to 1.
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
