"""Signs that belong to no set: letters, runes, arrows and others, to score how often one is taken for a face.

No model is trained or chosen on these drawings; the second look has learned other signs, and some of these characters
in other lettering (`models.training.stray_signs`). Signs that could be meant for a known face are left out: S for a
switch, X for a block, O for a panel, Z and a lying N for a two, and the straight arrow that means go.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from models.synthetic.canvas import Canvas, curve
from models.synthetic.face_style import Style
from models.synthetic.faces import FaceArt, print_face
from models.synthetic.numerals import FONTS

Strokes = Sequence[Sequence[tuple[float, float]]]

_TEXTS = ("-", "+", "=", "?", "&", "%", "#", *"AEFHJKLMPQRTVWY")
_NAMES = {"-": "minus", "+": "plus", "=": "equals", "?": "question", "&": "and", "%": "percent", "#": "hash"}
_STEM = ((-0.2, -0.45), (-0.2, 0.45))
_STROKES: dict[str, Strokes] = {
    "rune-fehu": (_STEM, ((-0.2, -0.05), (0.2, -0.4)), ((-0.2, 0.15), (0.25, -0.2))),
    "rune-uruz": (((-0.25, 0.45), (-0.25, -0.45), (0.25, -0.15), (0.25, 0.45)),),
    "rune-thurisaz": (_STEM, ((-0.2, -0.2), (0.2, 0.0), (-0.2, 0.2))),
    "rune-ansuz": (_STEM, ((-0.2, -0.45), (0.2, -0.2)), ((-0.2, -0.15), (0.2, 0.1))),
    "rune-raido": (_STEM, ((-0.2, -0.45), (0.2, -0.22), (-0.2, 0.0), (0.25, 0.45))),
    "rune-hagalaz": (_STEM, ((0.2, -0.45), (0.2, 0.45)), ((-0.2, -0.1), (0.2, 0.15))),
    "rune-naudiz": (((0.0, -0.45), (0.0, 0.45)), ((-0.22, -0.12), (0.22, 0.15))),
    "rune-algiz": (((0.0, -0.45), (0.0, 0.45)), ((-0.3, -0.45), (0.0, -0.08), (0.3, -0.45))),
    "rune-berkano": (((-0.2, -0.45), (-0.2, 0.45), (0.22, 0.22), (-0.2, 0.0), (0.22, -0.22), (-0.2, -0.45)),),
    "rune-othala": (((-0.28, 0.45), (0.25, -0.1), (0.0, -0.45), (-0.25, -0.1), (0.28, 0.45)),),
    "rune-dagaz": (((-0.3, -0.35), (-0.3, 0.35), (0.3, -0.35), (0.3, 0.35), (-0.3, -0.35)),),
    "arrow-both-ways": (
        ((0.0, -0.42), (0.0, 0.42)),
        ((-0.2, -0.22), (0.0, -0.44), (0.2, -0.22)),
        ((-0.2, 0.22), (0.0, 0.44), (0.2, 0.22)),
    ),
    "arrow-bent": (((-0.3, 0.42), (-0.3, -0.15), (0.3, -0.15)), ((0.1, -0.36), (0.34, -0.15), (0.1, 0.06))),
    "arrow-back": (
        ((0.3, -0.4), (0.3, 0.15), (-0.3, 0.15)),
        ((-0.1, -0.06), (-0.34, 0.15), (-0.1, 0.36)),
    ),
    "root": (((-0.42, 0.05), (-0.28, -0.02), (-0.1, 0.4), (0.1, -0.4), (0.42, -0.4)),),
    "sum": (((0.28, -0.3), (0.28, -0.42), (-0.28, -0.42), (0.05, 0.0), (-0.28, 0.42), (0.28, 0.42), (0.28, 0.3)),),
    "infinity": (
        curve((-0.2, 0.0), (0.19, 0.19), 30, 330).tolist(),
        curve((0.2, 0.0), (0.19, 0.19), 210, 510).tolist(),
        ((-0.04, -0.1), (0.04, 0.1)),
    ),
    "psi": (((0.0, -0.45), (0.0, 0.45)), curve((0.0, -0.2), (0.3, 0.3), 0, 180).tolist()),
}
SIGNS: tuple[str, ...] = (*(_NAMES.get(text, f"letter-{text.lower()}") for text in _TEXTS), *_STROKES)
"""The names of all signs."""


def draw_sign(sign: str, style: Style, size: int, rng: np.random.Generator) -> FaceArt:
    """Draw a sign on a die's body, (size, size), reproducible by the generator's state."""
    return print_face(partial(_write if sign not in _STROKES else _stroke, sign), style, size, rng)


def _write(sign: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    text = next(text for text in _TEXTS if _NAMES.get(text, f"letter-{text.lower()}") == sign)
    canvas.text(text, FONTS["duplex"], (0.6, 0.62), 0.09 * style.weight, style.ink)


def _stroke(sign: str, canvas: Canvas, style: Style, _rng: np.random.Generator) -> None:
    for points in _STROKES[sign]:
        canvas.line(0.68 * np.asarray(points), 0.085 * style.weight, style.ink)
