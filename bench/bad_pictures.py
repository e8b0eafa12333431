"""Pictures of mats that are wrong in some way, for `bench/contact.py`: what the page says of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import cv2
import numpy as np
import pypdfium2

from hardware.mat import mat_pdf
from vision.frames import Frame, Pixels
from vision.tray_calibration import Calibration, TrayLayout, locate

SIZE = (1280, 960)
"""Width and height of the camera's picture."""
DOTS_PER_MM = 5.0
POINTS_PER_MM = 72 / 25.4
NOISE, BLUR = 2.5, 0.7
"""Standard deviation of the sensor's noise in grey levels, and of the lens's blur in pixels."""
TABLE = (62, 84, 110)
"""The table's colour, BGR."""


class Place(NamedTuple):
    """Where a sheet lies in the picture: its middle in shares of the picture, its width as a share, its turn (degrees).

    tilt: how much nearer its upper edge seems, as a share.
    """

    x: float = 0.5
    y: float = 0.5
    width: float = 0.92
    turned: float = 1.5
    tilt: float = 0.05


@dataclass(frozen=True)
class BadPicture:
    """A picture of a table, and what is wrong with it; `before`: a good one that the camera gave first, if any."""

    what: str
    pixels: Pixels
    before: Pixels | None = None


@dataclass(frozen=True)
class BadPictureRow:
    """What came of a bad picture: whether the tray was located, and the sentence that the page shows."""

    what: str
    calibrated: bool
    sentence: str

    def cells(self) -> tuple[str, str, str]:
        """Return the row as the table shows it."""
        return self.what, "yes" if self.calibrated else "no", self.sentence


def shown_for(bad: BadPicture) -> BadPictureRow:
    """Return what is shown for a picture."""
    last: Calibration | None = None
    if bad.before is not None:
        last, _ = locate(Frame(bad.before, 1, 0.0), TrayLayout())
    found, doubt = locate(Frame(bad.pixels, 2, 1.0), TrayLayout(), last)
    return BadPictureRow(bad.what, found is not None, doubt)


def bad_pictures() -> Iterator[BadPicture]:
    """Yield good pictures of each mat, and then each fault."""
    for paper in ("a3", "a4", "letter"):
        yield BadPicture(f"one {paper} mat, as it should be", photographed((sheet(paper), Place())))
    good = photographed((sheet("a4"), Place()))
    for degrees in (90, 180, 270):
        width = 0.66 if degrees % 180 else 0.92
        yield BadPicture(
            f"an a4 mat turned by {degrees} degrees", photographed((sheet("a4"), Place(0.5, 0.5, width, degrees)))
        )
    yield BadPicture("upside down after it lay right", photographed((sheet("a4"), Place(turned=181.5))), good)
    yield BadPicture("two a4 mats side by side", photographed(*_two("a4", "a4")))
    yield BadPicture("an a3 and an a4 mat side by side", photographed(*_two("a3", "a4")))
    yield BadPicture("cut-out markers of an a4 and a letter mat mixed", photographed((mixed("a4", "letter"), Place())))
    for what, hide in (("covered", covered), ("half covered", half_covered)):
        yield BadPicture(f"a marker {what}", photographed((hide(sheet("a4")), Place())))
        yield BadPicture(f"a marker {what} after all were seen", photographed((hide(sheet("a4")), Place())), good)
    yield BadPicture("a marker cut by the picture's edge", photographed((sheet("a4"), Place(0.62, 0.5))))
    yield BadPicture("a mat on a screen", on_screen(photographed((sheet("a4"), Place()))))
    yield BadPicture("a mat on a screen next to the real one", beside_screen())
    yield BadPicture("markers printed mirrored", photographed((cv2.flip(sheet("a4"), 1), Place())))
    yield BadPicture("a picture that is mirrored", np.ascontiguousarray(cv2.flip(good, 1)))
    yield BadPicture("no mat at all", photographed())


@cache
def sheet(paper: str) -> Pixels:
    """Return a printed mat as pixels (BGR), DOTS_PER_MM to the millimetre."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mat.pdf"
        mat_pdf(path, paper)
        page = pypdfium2.PdfDocument(path)[0]
        shown = page.render(scale=DOTS_PER_MM / POINTS_PER_MM).to_numpy()
    return np.ascontiguousarray(shown[..., :3])


def photographed(*sheets: tuple[Pixels, Place]) -> Pixels:
    """Return what a camera sees of sheets on a table."""
    chance = np.random.default_rng(3)
    grain = cv2.resize(chance.normal(0, 1, (48, 64)).astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    seen = np.clip(np.array(TABLE, np.float32) * (1 + 0.08 * grain[..., None]), 0, 255)
    for paper, place in sheets:
        seen = _laid(seen, paper, place)
    seen = cv2.GaussianBlur(seen, (0, 0), BLUR) + chance.normal(0, NOISE, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


def _laid(seen: Pixels, paper: Pixels, place: Place) -> Pixels:
    """Return a picture with a sheet in it, in perspective."""
    height, width = paper.shape[:2]
    across = place.width * SIZE[0] / 2
    down = across * height / width
    turn = np.radians(place.turned)
    corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
    turned = corners @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    nearness = 1 + place.tilt * turned[:, 1:] / SIZE[1]
    where = np.array([place.x * SIZE[0], place.y * SIZE[1]]) + turned * nearness
    paper_corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    way = cv2.getPerspectiveTransform(paper_corners, where.astype(np.float32))
    small = cv2.GaussianBlur(paper, (0, 0), max(0.3, 0.4 * width / (2 * across)))
    shown = cv2.warpPerspective(small.astype(np.float32) * 0.88, way, SIZE, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), way, SIZE, flags=cv2.INTER_LINEAR)[..., None]
    return np.asarray(shown * mask + seen * (1 - mask), np.float32)


def _two(left: str, right: str) -> tuple[tuple[Pixels, Place], tuple[Pixels, Place]]:
    return (sheet(left), Place(0.25, 0.5, 0.48)), (sheet(right), Place(0.75, 0.5, 0.48))


def mixed(paper: str, other: str) -> Pixels:
    """Return a mat of which the two markers on the right are those of another paper."""
    ours, theirs = sheet(paper).copy(), sheet(other)
    height, width = ours.shape[:2]
    theirs = cv2.resize(theirs, (width, height), interpolation=cv2.INTER_AREA)
    for part in (slice(0, height // 3), slice(2 * height // 3, height)):
        ours[part, 4 * width // 5 :] = theirs[part, 4 * width // 5 :]
    return ours


def covered(paper: Pixels) -> Pixels:
    """Return a mat whose marker at the bottom right is hidden under something."""
    hidden, (height, width) = paper.copy(), paper.shape[:2]
    cv2.rectangle(hidden, (4 * width // 5, 2 * height // 3), (width, height), (40, 60, 150), -1)
    return hidden


def half_covered(paper: Pixels) -> Pixels:
    """Return a mat whose marker at the bottom right is hidden to the half."""
    hidden, (height, width) = paper.copy(), paper.shape[:2]
    cv2.rectangle(hidden, (int(0.9 * width), 2 * height // 3), (width, height), (40, 60, 150), -1)
    return hidden


def on_screen(shown: Pixels) -> Pixels:
    """Return a picture as a screen shows it to a camera: stripes of its lines against the sensor's."""
    rows, columns = np.mgrid[: shown.shape[0], : shown.shape[1]]
    moire = (
        1
        + 0.12 * np.sin(2 * np.pi * (0.47 * rows + 0.02 * columns))
        + 0.08 * np.sin(2 * np.pi * 0.031 * (rows + columns))
    )
    return np.clip(shown * moire[..., None], 0, 255).astype(np.uint8)


def beside_screen() -> Pixels:
    """Return a real mat with a smaller picture of such a mat on a screen next to it."""
    screen = cv2.resize(on_screen(photographed((sheet("a4"), Place()))), (760, 570), interpolation=cv2.INTER_AREA)
    return photographed((sheet("a4"), Place(0.36, 0.42, 0.68)), (screen, Place(0.86, 0.84, 0.25, -4.0)))
