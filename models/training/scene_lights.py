"""Which lamps are for which use, in every renderer."""

from models.synthetic.face_style import Use

ELEVATIONS: dict[Use, tuple[float, float]] = {Use.TRAINING: (32, 88), Use.CHOOSING: (24, 31), Use.SCORING: (15, 23)}
"""Elevation of the first light in degrees."""
WARMTHS: dict[Use, tuple[float, float]] = {Use.CHOOSING: (0.35, -0.3), Use.SCORING: (0.55, -0.45)}
"""Red minus blue of the first light where none of training's may be used: candle light, or a window."""
