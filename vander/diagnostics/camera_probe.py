"""Looking through the camera for a moment: how many pictures come, and what the last one shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.cameras.base import Camera, CameraError
from vision.frames import Pixels

SETTLING_S = 1.0
"""So long a camera that was just opened finds its exposure; what it gives meanwhile does not count."""
LOOKING_S = 2.0
TIMEOUT_S = 2.0
"""A camera that gives no picture for so long is lost, as it is in play."""
GLANCE_S = 0.02
"""How often somebody else's camera is looked at for a new picture."""
BETWEEN = 9
"""Pixels of which one is looked at, in rows and columns, where only their level counts."""


@dataclass(frozen=True, eq=False)
class CameraSample:
    """What a camera gave in `seconds`: `count` pictures, of which `fresh` were other than the one before.

    `pixels` is the last, None where none came; `levels` are the mean levels of all, 0 to 255; `live` is False for a
    recording. `trouble` is what is wrong, '' for nothing, and `notes` what the camera says of itself, as sentences.
    """

    name: str
    pixels: Pixels | None = None
    count: int = 0
    fresh: int = 0
    seconds: float = 0.0
    levels: tuple[float, ...] = ()
    trouble: str = ""
    notes: tuple[str, ...] = ()
    live: bool = True

    @property
    def rate(self) -> float:
        """Pictures a second."""
        return self.count / self.seconds if self.seconds else 0.0


def gaze(camera: Camera, name: str, looking_s: float = LOOKING_S, settling_s: float = SETTLING_S) -> CameraSample:
    """Open a camera, look through it for a moment and close it. What is wrong with it is in the answer."""
    live = camera.is_live
    try:
        camera.open()
        _settle(camera, settling_s if live else 0.0)
        began = time.monotonic()
        pictures = _pictures(camera, began + looking_s)
        return _sighted(name, pictures, began, notes=camera.notes, live=live)
    except CameraError as error:
        return CameraSample(name, trouble=str(error), live=live, notes=camera.notes)
    finally:
        camera.close()


def _settle(camera: Camera, settling_s: float) -> None:
    until = time.monotonic() + settling_s
    while time.monotonic() < until and camera.frame(TIMEOUT_S) is not None:
        pass


def _pictures(camera: Camera, until: float) -> Iterator[Pixels]:
    while time.monotonic() < until and (frame := camera.frame(TIMEOUT_S)) is not None:
        yield frame.pixels


def watch(
    name: str, frame: Callable[[], Pixels | None], trouble: str, notes: Sequence[str], looking_s: float = 1.0
) -> CameraSample:
    """Look for a moment at the pictures that somebody else takes. Takes none of them away."""
    live = not name.startswith("replay:")
    if trouble:
        return CameraSample(name, frame(), trouble=trouble, notes=tuple(notes), live=live)
    began = time.monotonic()
    return _sighted(name, _new_ones(frame, began + looking_s), began, notes=tuple(notes), live=live, last=frame())


def _new_ones(frame: Callable[[], Pixels | None], until: float) -> Iterator[Pixels]:
    """Each picture once, as it comes."""
    last = frame()
    while time.monotonic() < until:
        now = frame()
        if now is not None and now is not last:
            last = now
            yield now
        time.sleep(GLANCE_S)


def _sighted(  # noqa: PLR0913, PLR0917 - what was seen, and by whom
    name: str,
    pictures: Iterator[Pixels],
    began: float,
    notes: tuple[str, ...],
    live: bool,
    last: Pixels | None = None,
) -> CameraSample:
    """Count the pictures as they come."""
    levels: list[float] = []
    fresh = 0
    for pixels in pictures:
        fresh += last is not None and not np.array_equal(_sample(last), _sample(pixels))
        levels.append(float(_sample(pixels).mean()))
        last = pixels
    return CameraSample(name, last, len(levels), fresh, time.monotonic() - began, tuple(levels), notes=notes, live=live)


def _sample(pixels: Pixels) -> Pixels:
    return pixels[::BETWEEN, ::BETWEEN]
