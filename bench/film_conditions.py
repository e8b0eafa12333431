"""What cameras and files do to a film: other rates, sizes, lamps and formats, made from the film while it is played.

A condition takes a film's pictures with their times (seconds) and gives others. A container writes them to a file,
which is then read as `replay:` reads it.
"""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np

from hardware.cameras.replay import ReplayCamera
from vision.frames import Frame, Pixels

RATE = 30.0
"""Pictures a second of a film that nothing was done to."""
MAINS_HZ = 50.0
"""A lamp on the mains is brightest twice in each of its periods."""
READOUT_SECONDS = 0.02
"""Time from the first line of a rolling shutter to the last: of a usual webcam."""
BANDING = 0.12
"""By which share a cheap LED lamp's light goes up and down, as far as an exposure of some milliseconds shows it."""
BEAT_HZ, BEAT = 1.3, 0.1
"""How often pictures become brighter and darker where the lamp beats with the camera's rate, and by how much."""
HUNTING_SECONDS, HUNTING = 2.2, 0.22
"""The period and the share of an exposure that swings without end around the right one."""
STEP_SECONDS, STEPS = 1.4, (1.0, 1.14, 1.04, 0.9, 0.98)
"""How often an exposure is set anew, and to what."""
VARIABLE_SEED = 5


class Shot(NamedTuple):
    """A picture and its time in seconds from the film's beginning."""

    at: float
    pixels: Pixels


Change: TypeAlias = Callable[[Iterator[Shot]], Iterator[Shot]]
"""Turns a film's pictures into others."""


def unchanged(shots: Iterator[Shot]) -> Iterator[Shot]:
    """Return a film's pictures."""
    return shots


@dataclass(frozen=True)
class Container:
    """A file format: the ending of its name, how ffmpeg makes one, and what a `second` run of it notes in a copy."""

    suffix: str
    options: tuple[str, ...]
    second: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condition:
    """What is done to a film. `rate`: pictures a second that are filmed. `live`: as a camera gives them, not a file."""

    name: str
    rate: float = RATE
    change: Change = unchanged
    container: Container | None = None
    live: bool = True
    is_quick: bool = False

    def frames(self, shots: Iterator[Shot], folder: Path) -> Iterator[Frame]:
        """Yield the pictures as a camera or a file gives them; `folder` takes the file."""
        changed = self.change(shots)
        if self.container is None:
            return (Frame(shot.pixels, number, shot.at) for number, shot in enumerate(changed, 1))
        return _replayed(_written(changed, self.container, self.rate, folder / f"film{self.container.suffix}"))


def every(change: Callable[[Pixels, float], Pixels]) -> Change:
    """Return what changes each picture by itself and its time."""

    def changed(shots: Iterator[Shot]) -> Iterator[Shot]:
        return (Shot(at, np.ascontiguousarray(change(pixels, at))) for at, pixels in shots)

    return changed


def sized(long_side: int) -> Change:
    """Return what scales pictures to a longer side of so many pixels."""

    def scaled(pixels: Pixels, _: float) -> Pixels:
        scale = long_side / max(pixels.shape[:2])
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        size = tuple(2 * round(side * scale / 2) for side in pixels.shape[1::-1])
        return np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)

    return every(scaled)


def lit(gain: Callable[[float], float]) -> Change:
    """Return what makes the whole picture brighter by a factor at each time."""
    return every(lambda pixels, at: np.asarray(cv2.convertScaleAbs(pixels, alpha=gain(at)), np.uint8))


def banded(pixels: Pixels, at: float) -> Pixels:
    """Return a picture of which each line was lit by the mains at its own moment."""
    lines = at + READOUT_SECONDS * np.arange(len(pixels)) / len(pixels)
    gains = 1 + BANDING * np.cos(4 * math.pi * MAINS_HZ * lines)
    return np.clip(pixels * gains[:, None, None].astype(np.float32), 0, 255).astype(np.uint8)


def hunts(at: float) -> float:
    """Return the gain of an exposure that swings."""
    return 1 + HUNTING * math.sin(2 * math.pi * at / HUNTING_SECONDS)


def steps(at: float) -> float:
    """Return the gain of an exposure that is set anew every now and then."""
    return STEPS[int(at / STEP_SECONDS) % len(STEPS)]


def beats(at: float) -> float:
    """Return the gain of a lamp that beats with the camera's rate."""
    return 1 + BEAT * math.cos(2 * math.pi * BEAT_HZ * at)


def dropped(shots: Iterator[Shot]) -> Iterator[Shot]:
    """Leave out pictures by chance, up to four in a row, as a phone does where it is dark or busy."""
    chance = np.random.default_rng(VARIABLE_SEED)
    left_out = 0
    for shot in shots:
        if left_out:
            left_out -= 1
            continue
        yield shot
        left_out = int(chance.choice([0, 0, 1, 2, 4]))


def stuttering(shots: Iterator[Shot]) -> Iterator[Shot]:
    """Leave out pictures, and give the others at uneven times."""
    chance = np.random.default_rng(VARIABLE_SEED)
    return (Shot(at + float(chance.uniform(0, 0.8 / RATE)), pixels) for at, pixels in dropped(shots))


H264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "23")
FORMATS: Mapping[str, Container] = {
    "mp4, H.264": Container(".mp4", H264),
    "avi, Motion JPEG": Container(".avi", ("-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p")),
    "webm, VP9": Container(".webm", ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M")),
    "gif": Container(".gif", ("-filter_complex", "fps=15,split[a][b];[a]palettegen[p];[b][p]paletteuse")),
    "mov, HEVC": Container(
        ".mov",
        (
            "-c:v",
            "libx265",
            "-preset",
            "ultrafast",
            "-x265-params",
            "log-level=error",
            "-tag:v",
            "hvc1",
            "-pix_fmt",
            "yuv420p",
        ),
    ),
    "mp4, turned by its own note": Container(".mp4", H264, ("-metadata:s:v:0", "rotate=90")),
    "mp4, uneven times": Container(
        ".mp4", (*H264, "-vf", "select='not(between(mod(n,17),3,6)+between(mod(n,29),11,12))'", "-vsync", "vfr")
    ),
}
"""The public formats of films, by their names in the table."""


def conditions() -> tuple[Condition, ...]:
    """Return all that is done to the films."""
    quarter, half, back = cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE
    return (
        *(Condition(name, container=made, live=False, is_quick=name == "gif") for name, made in FORMATS.items()),
        *(Condition(f"{rate} a second", rate=rate, is_quick=rate in {5, 10}) for rate in (5, 10, 15, 24, 30, 60)),
        Condition("uneven times", change=stuttering),
        *(Condition(f"long side {side}", change=sized(side)) for side in (480, 854, 1280, 1920)),
        Condition("long side 3840, 15 a second", rate=15, change=sized(3840)),
        Condition("turned by 90 degrees", change=every(lambda pixels, _: np.asarray(cv2.rotate(pixels, quarter)))),
        Condition("turned by 270 degrees", change=every(lambda pixels, _: np.asarray(cv2.rotate(pixels, back)))),
        Condition("upside down", change=every(lambda pixels, _: np.asarray(cv2.rotate(pixels, half)))),
        Condition("mirrored", change=every(lambda pixels, _: np.asarray(cv2.flip(pixels, 1)))),
        Condition("lamp that flickers: bands", change=every(banded), is_quick=True),
        Condition("lamp that flickers: beat", change=lit(beats)),
        Condition("exposure that swings", change=lit(hunts), is_quick=True),
        Condition("exposure in steps", change=lit(steps)),
    )


def can_encode() -> bool:
    """True if ffmpeg is there to make the formats."""
    return shutil.which("ffmpeg") is not None


def _written(shots: Iterator[Shot], container: Container, rate: float, path: Path) -> Path:
    """Write pictures to a file. Raises OSError without ffmpeg, CalledProcessError where it cannot make the format."""
    first = next(shots)
    height, width = first.pixels.shape[:2]
    raw = ("-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", f"{rate:g}")
    command = ["ffmpeg", "-v", "error", "-y", *raw, "-i", "-", *container.options, "-threads", "1", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as running:  # noqa: S603 -- made of nothing that is given
        assert running.stdin is not None
        for shot in chain((first,), shots):
            running.stdin.write(shot.pixels.tobytes())
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    if not container.second:
        return path
    noted = path.with_stem("noted")
    again = ["ffmpeg", "-v", "error", "-y", "-i", str(path), "-c", "copy", *container.second, str(noted)]
    subprocess.run(again, check=True)  # noqa: S603 -- as above
    return noted


def _replayed(path: Path) -> Iterator[Frame]:
    """Yield a file's frames in the film's own time, which begins at 0."""
    camera = ReplayCamera(path, paced=False)
    camera.open()
    began = None
    try:
        while (frame := camera.frame()) is not None:
            began = frame.taken_at if began is None else began
            yield replace(frame, taken_at=frame.taken_at - began)
    finally:
        camera.close()
