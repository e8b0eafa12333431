"""The ground truth of a training picture: every die in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class TrueDie:
    """The ground truth of one die in a picture. Its fields are the keys of `truth-*.jsonl`.

    face: the reader's class; drawing: name of the drawing; x, y, edge: centre and edge of the top face in pixels;
    turned_degrees: clockwise rotation, 0 to 90; posture: value of a `Posture`; clear: False if the die is cut off,
    hidden or so tilted that no face is on top; kind: its kind in the game's die set, '' for none.
    """

    face: str
    drawing: str
    x: float
    y: float
    edge: float
    turned_degrees: float
    posture: str
    clear: bool
    kind: str = ""


@dataclass(frozen=True)
class RenderedPicture:
    """A picture (uint8, (height, width, 3), BGR) with its ground truth; `game` names the die set, '' for a mixture."""

    pixels: npt.NDArray[np.uint8]
    dice: tuple[TrueDie, ...]
    game: str = ""
