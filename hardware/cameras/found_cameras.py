"""The cameras that are plugged into this machine, by what Linux says of them: none is opened for that.

A webcam is a video device behind USB, or one that a program makes (v4l2loopback); of the several devices of a webcam
the first gives pictures. A Raspberry Pi camera is known by its sensor: the video devices of a Pi are there without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardware.cameras.camera_address import address_of

VIDEO = "sys/class/video4linux"
BY_ID = "dev/v4l/by-id"
PLUGGED = ("/usb", "/virtual/")
"""Parts of the path of a device that is plugged in, or made by a program; those of a Pi itself have neither."""
SENSOR = re.compile(r"(imx|ov|arducam|s5k|gc)[0-9a-z]*", re.IGNORECASE)
"""How the names of camera sensors begin, such as `imx708_wide`; a lens's motor has a device with another name."""

NUMBER = re.compile(r"[0-9]+$")


@dataclass(frozen=True)
class FoundCamera:
    """A camera that is plugged in: its name as `open_camera` takes it, and what its maker calls it."""

    name: str
    title: str


def found_cameras(root: Path = Path("/")) -> tuple[FoundCamera, ...]:
    """Return the cameras that are plugged in now, those of a Pi first; `root` is where the machine's files begin."""
    return (*_pi_cameras(root), *_webcams(root))


def identity_of(name: str) -> str:
    """Return the same text for two names of one camera: `usb:0` and the path of its device are one."""
    kind, _, place = name.partition(":")
    if kind == "usb":
        return f"/dev/video{place or 0}" if not place or place.isdigit() else str(Path(place).resolve())
    return address_of(name) or (kind if kind == "virtual" else name)


def _pi_cameras(root: Path) -> Iterator[FoundCamera]:
    sensors = [name for path in _numbered(root, "v4l-subdev*") if SENSOR.match(name := _text(path / "name"))]
    for number, sensor in enumerate(sensors):
        yield FoundCamera(f"picamera:{number}", sensor.split()[0])


def _webcams(root: Path) -> Iterator[FoundCamera]:
    lasting = {path.resolve().name: path for path in sorted((root / BY_ID).glob("*"))}
    for path in _numbered(root, "video*"):
        is_plugged = any(part in str(path.resolve()) for part in PLUGGED)
        if not is_plugged or _text(path / "index") not in ("0", ""):
            continue
        # A number is given in the order of plugging in: after a restart it may be another webcam's.
        place = f"/{BY_ID}/{lasting[path.name].name}" if path.name in lasting else path.name.removeprefix("video")
        yield FoundCamera(f"usb:{place}", _text(path / "name") or path.name)


def _numbered(root: Path, pattern: str) -> list[Path]:
    """Return the devices of that pattern in the order of their numbers."""
    numbers = {path: int(found[0]) for path in (root / VIDEO).glob(pattern) if (found := NUMBER.search(path.name))}
    return sorted(numbers, key=lambda path: numbers[path])


def _text(path: Path) -> str:
    """Return what a file of the kernel says; '' where it cannot be read."""
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
