"""What the reader would say of a die, made by hand."""

import numpy as np

from vision.kinds import CLASSES
from vision.rectification import INPUT_SIDE


def shares(**faces: float) -> np.ndarray:
    """Return class probabilities by name, `pip_3` for `pip-3`; 0 for all others."""
    given = {name.replace("_", "-"): share for name, share in faces.items()}
    return np.array([given.get(name, 0.0) for name in CLASSES], np.float32)


def a_body(colour: str) -> np.ndarray:
    """Return a crop of one colour (#rrggbb)."""
    return np.full((INPUT_SIDE, INPUT_SIDE, 3), [int(colour[k : k + 2], 16) for k in (5, 3, 1)], np.uint8)
