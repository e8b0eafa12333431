"""Pictures with a known plane, and how each die in them lies: a folder of PNGs and `truth.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.image_io import load_picture
from vision.tray_calibration import Calibration, TrayLayout

EDGE_MM = 16.0
"""Edge of the dice by their die set."""


@dataclass(frozen=True)
class TrueLie:
    """How one die lies.

    x, y, edge: centre and edge of its top face in pixels; lean_degrees: angle of its top face against the table;
    stacked: True if it stands on another; hidden: True if another stands on it.
    """

    x: float
    y: float
    edge: float
    turned_degrees: float
    lean_degrees: float
    stacked: bool
    hidden: bool
    touches: bool
    axis: tuple[float, float, float]
    """Unit normal of the top face, in the tray's axes (x right, y down, z up)."""
    centre_mm: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class PosturePicture:
    """A picture (uint8, BGR), where its tray lies, how its dice lie, and where the camera is, in tray millimetres."""

    pixels: npt.NDArray[np.uint8]
    calibration: Calibration
    dice: tuple[TrueLie, ...]
    eye_mm: tuple[float, float, float]


def save(made: Iterable[PosturePicture], folder: Path) -> None:
    """Write pictures and, a line each, their truth."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as truths:
        for number, one in enumerate(made):
            cv2.imwrite(str(folder / f"{number:05d}.png"), one.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            print(json.dumps(_row(one)), file=truths, flush=True)


def load(folder: Path) -> Iterator[PosturePicture]:
    """Yield the pictures of a folder in order."""
    for number, line in enumerate((folder / "truth.jsonl").read_text("utf-8").splitlines()):
        pixels = load_picture(folder / f"{number:05d}.png")
        yield _picture_of(pixels, json.loads(line))


def _picture_of(pixels: npt.NDArray[np.uint8], row: dict[str, Any]) -> PosturePicture:
    layout = TrayLayout(width_mm=row["width_mm"], height_mm=row["height_mm"])
    centres = {int(number): (place[0], place[1]) for number, place in row["centres"].items()}
    size = pixels.shape[1], pixels.shape[0]
    calibration = Calibration(layout, np.array(row["to_mm"]), centres, size)
    dice = tuple(
        TrueLie(**{**die, "axis": tuple(die["axis"]), "centre_mm": tuple(die["centre_mm"])}) for die in row["dice"]
    )
    x, y, z = row["eye_mm"]
    return PosturePicture(pixels, calibration, dice, (x, y, z))


def _row(picture: PosturePicture) -> dict[str, object]:
    calibration = picture.calibration
    return {
        "to_mm": calibration.to_mm.tolist(),
        "width_mm": calibration.layout.width_mm,
        "height_mm": calibration.layout.height_mm,
        "centres": dict(calibration.centres),
        "eye_mm": picture.eye_mm,
        "dice": [asdict(die) for die in picture.dice],
    }
