"""Pictures as the networks that read dice take them, and their outputs as probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels

Floats = npt.NDArray[np.float32]


def network_input(crops: Sequence[Pixels]) -> Floats:
    """Return upright BGR crops as a network takes them: float32, (n, 3, INPUT_SIDE, INPUT_SIDE), 0 to 1."""
    return np.asarray(cv2.dnn.blobFromImages(list(crops), 1 / 255), np.float32)


def softmax(logits: Floats) -> Floats:
    """Return probabilities along the last axis."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True), np.float32)


def rotated(crop: Pixels, quarters: int) -> Pixels:
    """Return a crop rotated by quarter turns."""
    return np.ascontiguousarray(np.rot90(crop, quarters))
