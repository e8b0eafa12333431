"""Take frames from a camera for a moment: how many come, how bright they are, and the last one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.cameras.base import Camera, CameraError
from referee.error_messages import message_of
from vision.frames import Pixels

SETTLING_S = 1.0
"""How long a camera that was just opened adjusts its exposure; its frames do not count meanwhile."""
LOOKING_S = 2.0
TIMEOUT_S = 2.0
"""A camera that gives no frame for this long is lost, as it is in play."""
POLL_S = 0.02
"""How often the running program is asked for a new frame."""
STRIDE = 9
"""Every how many rows and columns a pixel is taken, where only the level counts."""


@dataclass(frozen=True, eq=False)
class CameraSample:
    """What a camera gave in `seconds`: `count` frames, of which `fresh` differ from the one before.

    `pixels` is the last frame, None if none came; `levels` are the mean levels of all, 0 to 255; `live` is False for a
    recording, `steady` for a camera that sends few frames while nothing moves. `trouble` says what is wrong, or '';
    `notes` are sentences of the camera about itself.
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
    steady: bool = True

    @property
    def rate(self) -> float:
        """Frames a second."""
        return self.count / self.seconds if self.seconds else 0.0


def probe_camera(camera: Camera, name: str, seconds: float = LOOKING_S, settling_s: float = SETTLING_S) -> CameraSample:
    """Open a camera, take frames for `seconds` and close it. CameraError becomes the sample's `trouble`."""
    live = camera.is_live
    try:
        camera.open()
        _settle(camera, settling_s if live else 0.0)
        began = time.monotonic()
        pictures = _pictures(camera, began + seconds)
        sample = _measure(name, pictures, began, notes=camera.notes, live=live)
        return replace(sample, steady=camera.is_steady)
    except CameraError as error:
        return CameraSample(name, trouble=message_of(error), live=live, notes=camera.notes)
    finally:
        camera.close()


def _settle(camera: Camera, settling_s: float) -> None:
    until = time.monotonic() + settling_s
    while time.monotonic() < until and camera.frame(TIMEOUT_S) is not None:
        pass


def _pictures(camera: Camera, until: float) -> Iterator[Pixels]:
    while time.monotonic() < until and (frame := camera.frame(TIMEOUT_S)) is not None:
        yield frame.pixels


def sample_frames(
    name: str, frame: Callable[[], Pixels | None], trouble: str, notes: Sequence[str], seconds: float = 1.0
) -> CameraSample:
    """Return a sample of the frames that the running program takes; it keeps them all."""
    live = not name.startswith("replay:")
    if trouble:
        return CameraSample(name, frame(), trouble=trouble, notes=tuple(notes), live=live)
    began = time.monotonic()
    return _measure(name, _new_ones(frame, began + seconds), began, notes=tuple(notes), live=live, last=frame())


def _new_ones(frame: Callable[[], Pixels | None], until: float) -> Iterator[Pixels]:
    """Yield each new frame once."""
    last = frame()
    while time.monotonic() < until:
        now = frame()
        if now is not None and now is not last:
            last = now
            yield now
        time.sleep(POLL_S)


def _measure(  # noqa: PLR0913, PLR0917 - what was seen, and by whom
    name: str,
    pictures: Iterator[Pixels],
    began: float,
    notes: tuple[str, ...],
    live: bool,
    last: Pixels | None = None,
) -> CameraSample:
    """Return the sample of these frames, counted as they come."""
    levels: list[float] = []
    fresh = 0
    for pixels in pictures:
        fresh += last is not None and not np.array_equal(_sample(last), _sample(pixels))
        levels.append(float(_sample(pixels).mean()))
        last = pixels
    return CameraSample(name, last, len(levels), fresh, time.monotonic() - began, tuple(levels), notes=notes, live=live)


def _sample(pixels: Pixels) -> Pixels:
    return pixels[::STRIDE, ::STRIDE]
