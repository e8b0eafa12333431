"""Pictures with a known plane, and how each die in them lies: a folder of PNGs and `truth.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.lying_dice import ROUND, Array, face_axes, square_of, top_side
from vision.image_io import load_picture
from vision.tray_calibration import Calibration, TrayLayout

TRUTH = "truth.jsonl"
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
    face: str = ""
    """The reader's class of the top face, '' where it was not written down; so with the next two."""
    drawing: str = ""
    kind: str = ""
    corners: tuple[tuple[float, float], ...] = ()
    """The corners of the top face in pixels, as if the die's edges were sharp; () where not written down."""
    covered: float = 0.0
    """Share of the top face that other dice or walls hide."""


@dataclass(frozen=True, eq=False)
class PosturePicture:
    """A picture (uint8, BGR), where its tray lies, how its dice lie, and where the camera is, in tray millimetres.

    edge_mm: of the dice. marker_mm: side of the markers. markers_seen: ids of those that are in sight, whole.
    """

    pixels: npt.NDArray[np.uint8]
    calibration: Calibration
    dice: tuple[TrueLie, ...]
    eye_mm: tuple[float, float, float]
    edge_mm: float = EDGE_MM
    marker_mm: float = 20.0
    markers_seen: tuple[int, ...] = ()


def true_lie(
    centre: Array, turn: Array, edge: float, see: Callable[[Array], Array], to_tray: Callable[[Array], Array]
) -> tuple[TrueLie, int]:
    """Return how a die lies, alone and uncovered, and the number of the side that is up, in the order of its atlas.

    centre, turn, edge: in the scene's coordinates, z up. see: maps points (n, 3) of the scene to pixels. to_tray: maps
    points (n, 3) to tray millimetres (x right, y down, z up).
    """
    side = top_side(turn)
    normal, right, up = (turn @ axis for axis in face_axes(side))
    corners = centre + edge / 2 * np.array([normal + a * right + b * up for a, b in ROUND])
    seen = see(corners)
    x, y, across, turned = square_of(seen)
    ends = to_tray(np.array([centre, centre + normal]))
    axis = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    lie = TrueLie(
        x=x,
        y=y,
        edge=across,
        turned_degrees=turned,
        lean_degrees=float(np.degrees(np.arccos(np.clip(normal[2], -1, 1)))),
        stacked=False,
        hidden=False,
        touches=False,
        axis=_three(axis),
        centre_mm=_three(ends[0]),
        corners=tuple((float(a), float(b)) for a, b in seen),
    )
    return lie, side


def _three(vector: Array) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


def save(made: Iterable[PosturePicture], folder: Path, first: int = 0) -> None:
    """Write pictures and, a line each, their truth; `first` is the number of the first, before which all are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / TRUTH).open("a" if first else "w", encoding="utf-8") as truths:
        for number, one in enumerate(made, first):
            cv2.imwrite(str(folder / f"{number:05d}.png"), one.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            print(json.dumps(row_of(one)), file=truths, flush=True)


def count_saved(folder: Path) -> int:
    """Return how many pictures a folder has with their truth; half a line at its end is removed."""
    file = folder / TRUTH
    if not file.exists():
        return 0
    lines = file.read_text("utf-8").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        file.write_text("".join(lines[:-1]), "utf-8")
        return len(lines) - 1
    return len(lines)


def load(folder: Path) -> Iterator[PosturePicture]:
    for number, line in enumerate((folder / TRUTH).read_text("utf-8").splitlines()):
        pixels = load_picture(folder / f"{number:05d}.png")
        yield _picture_of(pixels, json.loads(line))


def _picture_of(pixels: npt.NDArray[np.uint8], row: dict[str, Any]) -> PosturePicture:
    layout = TrayLayout(width_mm=row["width_mm"], height_mm=row["height_mm"])
    centres = {int(number): (place[0], place[1]) for number, place in row["centres"].items()}
    size = pixels.shape[1], pixels.shape[0]
    calibration = Calibration(layout, np.array(row["to_mm"]), centres, size)
    dice = tuple(_lie_of(die) for die in row["dice"])
    x, y, z = row["eye_mm"]
    told = {name: row[name] for name in ("edge_mm", "marker_mm") if name in row}
    return PosturePicture(pixels, calibration, dice, (x, y, z), **told, markers_seen=tuple(row.get("markers_seen", ())))


def _lie_of(row: dict[str, Any]) -> TrueLie:
    corners = tuple((x, y) for x, y in row.get("corners", ()))
    return TrueLie(**{**row, "axis": tuple(row["axis"]), "centre_mm": tuple(row["centre_mm"]), "corners": corners})


def row_of(picture: PosturePicture) -> dict[str, object]:
    """Return the truth of a picture as a line of `truth.jsonl` has it."""
    calibration = picture.calibration
    return {
        "to_mm": calibration.to_mm.tolist(),
        "width_mm": calibration.layout.width_mm,
        "height_mm": calibration.layout.height_mm,
        "centres": dict(calibration.centres),
        "eye_mm": picture.eye_mm,
        "edge_mm": picture.edge_mm,
        "marker_mm": picture.marker_mm,
        "markers_seen": picture.markers_seen,
        "dice": [asdict(die) for die in picture.dice],
    }
