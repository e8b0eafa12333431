"""Where the virtual camera hangs: 65 cm over the tray, towards the players' side, so that the view has perspective."""

from __future__ import annotations

from functools import cache

from hardware.simulator.geometry import HEIGHT, WIDTH
from models.synthetic.die_renderer import Lens, Light

SIZE = (1280, 960)
ABOVE_MM, TILT_DEGREES = 650.0, 8.0
ACROSS_MM = 416.0
"""About how much of the table a picture's width shows."""

LIGHT = Light(direction=(-0.5, -0.4, 1.0), colour=(0.96, 1.0, 1.03), ambient=0.52, softness=0.22)
"""A warm lamp to the upper left, and a bright room."""


@cache
def lens_for(size: tuple[int, int]) -> Lens:
    """The lens for pictures of that width and height, four by three."""
    focal_px = ABOVE_MM * size[0] / ACROSS_MM
    return Lens.above((WIDTH / 2, HEIGHT / 2), ABOVE_MM, focal_px, size, tilt_degrees=TILT_DEGREES)
