"""A frame, and the protocol of everything that yields frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""Height x width x 3, blue-green-red, as OpenCV has it."""

SMALL_LONG_SIDE = 320
"""Pixels of the small picture's longer side, in which motion is looked for."""


class CameraError(OSError):
    """The root of what can go wrong with a camera."""


class NoSuchCamera(CameraError, LookupError):
    """No camera of that name can be opened; the message says what would help."""


class CameraStuck(NoSuchCamera):
    """The camera's driver hangs in this program: only a program that is started anew may open it again."""


class CameraLost(CameraError, ConnectionError):
    """The camera was there and gives no more frames. It may come back: `open` may be called again."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: its pixels, its number (from 1, growing), and when it was taken (seconds, monotonic).

    `small` is the same moment in small, SMALL_LONG_SIDE pixels long, from a camera that makes both by itself: each of
    its pixels stands for those around it. All frames of such a camera have it; it is None from every other.
    """

    pixels: Pixels
    number: int
    taken_at: float
    small: Pixels | None = None


class Camera(Protocol):
    """A source of frames. `open`, then `frame` again and again from one thread, then `close`."""

    name: str

    def open(self) -> None:
        """Start. May be called again after CameraLost. Raises NoSuchCamera."""

    def frame(self, timeout: float = 1.0) -> Frame | None:
        """The next frame; None when the source has ended (a replay). Raises CameraLost after `timeout` seconds."""

    def close(self) -> None:
        """Stop; harmless when not open."""
