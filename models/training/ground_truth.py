"""What is known of a training picture: the truth of every die in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Truth:
    """A die in a picture: face and drawing, centre and edge of its top face in pixels, turn 0..90, posture, kind.

    `clear` is False where the die is cut, hidden or so tilted that no face can be said to lie on top.
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
class Scene:
    """A picture with its truth; `game` names the die set that lies there, '' where it is a medley of dice."""

    pixels: npt.NDArray[np.uint8]
    dice: tuple[Truth, ...]
    game: str = ""
