"""From a frame to the plane of the tray: the camera over it, the rectified view, and the crops of dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Frame, Pixels
from vision.observations import DieSighting
from vision.tray_calibration import Calibration, Homography

# The camera that a calibrated plane gives
#
# A homography of a plane holds the camera: with square pixels and the principal point in the middle of the picture, the
# focal length follows from the orthogonality of the plane's two axes (Zhang 2000). Seen from straight above, both axes
# look alike for every focal length; then what cameras over trays usually have must do, and the estimate says how far it
# may be off.

Floats = npt.NDArray[np.float64]

USUAL_FOCAL, FOCAL_SPREAD = 0.9, 0.3
"""Focal length of a usual camera as a share of the picture's long side, and the standard deviation of its logarithm:
0.77 for a Camera Module 3, 0.83 for a Camera Module 2, 0.6 to 1.6 for webcams and telephones."""
FOCALS: Floats = USUAL_FOCAL * np.exp(FOCAL_SPREAD * np.linspace(-3, 3, 121))
"""The focal lengths that are weighed, as shares of the long side."""
AXIS_ERROR = 0.004
"""Standard deviation of the axes' angle (radians) and of their relative lengths, as markers and a lens make it."""


@dataclass(frozen=True)
class PlaneCamera:
    """Where a camera is, in tray millimetres: x to the right, y down, z up from the table.

    focal_spread: relative standard deviation of the focal length, and so of the height above the table.
    """

    eye_mm: tuple[float, float, float]
    focal_px: float
    focal_spread: float

    @property
    def height_mm(self) -> float:
        """Height of the camera above the table."""
        return self.eye_mm[2]

    def slant_at(self, x_mm: float, y_mm: float) -> float:
        """Return the angle between the line of sight to a place of the table and the vertical, in degrees."""
        x, y, height = self.eye_mm
        return float(np.degrees(np.arctan2(np.hypot(x_mm - x, y_mm - y), height)))

    def plane_at(self, height_mm: float) -> Homography:
        """Return the homography from a plane at that height over the table to the table, as seen from the camera."""
        reach = self.height_mm / (self.height_mm - height_mm)
        x, y, _ = self.eye_mm
        return np.array([[reach, 0, x * (1 - reach)], [0, reach, y * (1 - reach)], [0, 0, 1]])


def camera_over(calibration: Calibration) -> PlaneCamera:
    return _camera(calibration.to_mm.tobytes(), calibration.size)


@lru_cache(maxsize=8)
def _camera(to_mm: bytes, size: tuple[int, int]) -> PlaneCamera:
    """Return the camera by a homography from pixels to millimetres, as bytes: a tray at rest is measured once."""
    middle = (size[0] - 1) / 2, (size[1] - 1) / 2
    to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    seen = to_middle @ np.linalg.inv(np.frombuffer(to_mm).reshape(3, 3))
    logarithms = np.log(FOCALS)
    misfit = _misfit(seen, FOCALS * max(size))
    weights = np.exp(-0.5 * (misfit - misfit.min()))
    weights /= weights.sum()
    mean = float(weights @ logarithms)
    spread = float(np.sqrt(weights @ (logarithms - mean) ** 2))
    focal = float(np.exp(mean)) * max(size)
    return PlaneCamera(_eye(seen, focal), focal, spread)


def _misfit(seen: Homography, focals: Floats) -> Floats:
    """Return for each focal length (pixels) minus twice the logarithm of its likelihood times its prior."""
    x, y = (np.stack([seen[0, k] / focals, seen[1, k] / focals, np.full(len(focals), seen[2, k])]) for k in (0, 1))
    lengths = np.linalg.norm(x, axis=0), np.linalg.norm(y, axis=0)
    angle = (x * y).sum(axis=0) / (lengths[0] * lengths[1])
    ratio = np.log(lengths[0] / lengths[1])
    usual = np.linspace(-3, 3, len(focals))
    return np.asarray((angle**2 + ratio**2) / AXIS_ERROR**2 + usual**2)


def _eye(seen: Homography, focal: float) -> tuple[float, float, float]:
    """Return the camera's place by a homography from millimetres to pixels about the principal point."""
    axes = seen / [[focal], [focal], [1.0]]
    axes /= np.linalg.norm(axes[:, :2], axis=0).mean()
    axes = axes if axes[2, 2] > 0 else -axes
    across, down, away = axes.T
    turn = np.column_stack([across, down, np.cross(across, down)])
    left, _, right = np.linalg.svd(turn)
    x, y, z = -(left @ right).T @ away
    return float(x), float(y), float(-z)


# The rectified view

Points = npt.NDArray[np.float64]

PIXELS_PER_MM = 1.0
"""Enough for common dice. More takes longer to search."""
WELL_SEEN_PX, BEST_SEEN_PX = (11.0, 24.0), 16.0
"""Edges in view pixels between which the finder needs no other scale, and the edge that it gets else."""
MARGIN_MM = 60.0
"""How much of the table around the marked rectangle is in view, for dice that left the tray."""
HALVE_FROM = 1.8
"""Frame pixels per view pixel from which on the frame is halved first: sampling alone would alias fine patterns."""

TRAY_MARGIN_MM = 12.0
"""How much of a stored picture is kept around the marked rectangle: the markers, and no more of the room."""
GREY = 118
"""Level (all three colours) that replaces the room in a stored picture."""


OBLIQUE_FROM = 25.0
"""Degrees between a line of sight and the vertical from which on a side of a die may be read together with its top."""


@dataclass(frozen=True, eq=False)
class LineOfSight:
    """How the camera sees a place: degrees from the vertical, None if nobody knows; and where a die's sides are seen.

    down: the direction from the top of a die towards its foot, (2,), in the axes of the view.
    """

    degrees: float | None
    down: Points

    @property
    def may_be_oblique(self) -> bool:
        """True unless it is known that no side of a die can be seen well."""
        return self.degrees is None or self.degrees >= OBLIQUE_FROM


UPRIGHT_PICTURE = LineOfSight(None, np.array([0.0, 1.0]))
"""How dice are seen in a picture without a tray: people hold a camera upright, so that sides are below tops."""


@dataclass(frozen=True, eq=False)
class TrayView:
    """A frame prepared for the finder.

    pixels: uint8, BGR, from straight above if there is a calibration. to_frame, to_mm: homographies from view pixels to
    frame pixels and to tray millimetres; without a calibration `to_mm` maps to frame pixels too, since their size is
    not known. mm_per_pixel: the unit of `to_mm` per view pixel. edge_mm: the dice's edge as far as earlier tables told
    it, in tray millimetres; None if none did.
    """

    frame: Frame
    calibration: Calibration | None
    pixels: Pixels
    to_frame: Homography
    to_mm: Homography
    mm_per_pixel: float
    edge_mm: float | None = None

    def sight_at(self, x_mm: float, y_mm: float) -> LineOfSight:
        """Return how the camera sees a place of the view."""
        if self.calibration is None:
            return UPRIGHT_PICTURE
        camera = camera_over(self.calibration)
        down = np.array(camera.eye_mm[:2]) - (x_mm, y_mm)
        return LineOfSight(camera.slant_at(x_mm, y_mm), down)


def scale_for(edge_mm: float) -> float:
    """Return the pixels per millimetre at which the finder sees dice of that edge well."""
    low, high = WELL_SEEN_PX
    return PIXELS_PER_MM if low <= edge_mm * PIXELS_PER_MM <= high else BEST_SEEN_PX / edge_mm


def rectify(
    frame: Frame, calibration: Calibration, pixels_per_mm: float = PIXELS_PER_MM, margin_mm: float = MARGIN_MM
) -> TrayView:
    """Return the marked rectangle with a margin, from straight above."""
    layout = calibration.layout
    width = round((layout.width_mm + 2 * margin_mm) * pixels_per_mm)
    height = round((layout.height_mm + 2 * margin_mm) * pixels_per_mm)
    mm = 1 / pixels_per_mm
    to_mm = np.array([[mm, 0, mm / 2 - margin_mm], [0, mm, mm / 2 - margin_mm], [0, 0, 1]])
    to_frame = np.linalg.inv(calibration.to_mm) @ to_mm
    pixels = _warp(frame.pixels, to_frame / to_frame[2, 2], (width, height))
    return TrayView(frame, calibration, pixels, to_frame / to_frame[2, 2], to_mm, mm)


def tray_outline(calibration: Calibration, margin_mm: float = TRAY_MARGIN_MM) -> Points:
    """Return the corners of the marked rectangle with a narrow margin: float64, (4, 2), frame pixels, clockwise."""
    width, height = calibration.layout.width_mm, calibration.layout.height_mm
    low, across, down = -margin_mm, width + margin_mm, height + margin_mm
    corners = np.array([[[low, low], [across, low], [across, down], [low, down]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners, np.linalg.inv(calibration.to_mm))[0], np.float64)


def crop_to_tray(
    pixels: Pixels, calibration: Calibration, margin_mm: float = TRAY_MARGIN_MM
) -> tuple[Pixels, float, float]:
    """Return a frame (BGR) cut to the tray outline, and the cut's origin in the frame (x, y).

    Pixels of the cut outside the outline are GREY.
    """
    outline = tray_outline(calibration, margin_mm)
    most = pixels.shape[1], pixels.shape[0]
    left, top = (int(np.clip(np.floor(outline[:, k].min()), 0, most[k] - 1)) for k in (0, 1))
    right, bottom = (int(np.clip(np.ceil(outline[:, k].max()), 0, most[k] - 1)) for k in (0, 1))
    cut = pixels[top : bottom + 1, left : right + 1].copy()
    inside = np.zeros(cut.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(outline - (left, top)).astype(np.int32)], 255)
    cut[inside == 0] = GREY
    return cut, float(left), float(top)


def unrectified_view(frame: Frame, long_side: int | None = None) -> TrayView:
    """Return a view of a frame without markers, resized to a long side of `long_side` pixels unless that is None."""
    height, width = frame.pixels.shape[:2]
    scale = 1.0 if long_side is None else long_side / max(width, height)
    pixels = frame.pixels if scale == 1.0 else _resize(frame.pixels, scale)
    x, y = width / pixels.shape[1], height / pixels.shape[0]
    to_frame = np.array([[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]])
    return TrayView(frame, None, pixels, to_frame, to_frame, 1 / scale)


def _resize(pixels: Pixels, scale: float) -> Pixels:
    size = max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)


def _warp(pixels: Pixels, to_frame: Homography, size: tuple[int, int]) -> Pixels:
    """Return the view of size (width, height); `to_frame` maps its pixels to those of the frame."""
    if _frame_pixels_per_view_pixel(to_frame, size) > HALVE_FROM:
        pixels = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        to_frame = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]]) @ to_frame
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(pixels, to_frame, size, flags=flags), np.uint8)


def _frame_pixels_per_view_pixel(to_frame: Homography, size: tuple[int, int]) -> float:
    """Return how many frame pixels a view pixel spans in the middle of the view."""
    x, y = size[0] / 2, size[1] / 2
    points = np.array([[[x, y], [x + 1, y]]], np.float64)
    here, there = cv2.perspectiveTransform(points, to_frame)[0]
    return float(np.hypot(*(there - here)))


# Crops of dice
#
# All pictures are uint8, (height, width, 3), BGR. Positions are in pixels, and the centre of the first pixel is (0, 0).

INPUT_SIDE = 64
"""Pixels a side of the reader's square input."""
INPUT_EDGES = 1.5
"""Width of the reader's input in edges of the die."""
DOWNSCALE_BELOW = 0.75
"""Below this many input pixels per picture pixel the picture is area-averaged first: sampling alone would alias."""

OVERSAMPLED = 2
"""Samples a pixel and axis of what is cut out of a plane: of dice that are large in the frame one would alias."""

SURROUNDINGS_EDGES = 3.0
"""Width of a stored crop in edges of the die: enough to cut the die out again a little off its centre."""
MAX_SURROUNDINGS = 192
"""Pixels of a stored crop's longer side at most."""
DISPLAY_SIDE = 96
"""Pixels a side of a crop for display."""
DISPLAY_EDGES = 1.7
"""Width of a crop for display in edges of the die."""


@dataclass(frozen=True)
class RotatedSquare:
    """The top face of a die in a picture: centre (x, y) and edge in pixels, and clockwise rotation in degrees."""

    x: float
    y: float
    edge: float
    turned_degrees: float


def crop(pixels: Pixels, square: RotatedSquare, edges: float = INPUT_EDGES, side: int = INPUT_SIDE) -> Pixels:
    """Return the die upright, `side` pixels square and `edges` of it wide; beyond the picture it is mirrored."""
    part, near = _neighbourhood(pixels, square, edges, side)
    turn = cv2.getRotationMatrix2D((near.x, near.y), near.turned_degrees, side / (edges * near.edge))
    turn = np.add(turn, [[0, 0, side / 2 - near.x], [0, 0, side / 2 - near.y]])
    size = (side, side)
    upright = cv2.warpAffine(part, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(upright, np.uint8)


def _neighbourhood(pixels: Pixels, square: RotatedSquare, edges: float, side: int) -> tuple[Pixels, RotatedSquare]:
    """Return the part of a picture around a die and the die's square in it, downscaled where the die is large."""
    height, width = pixels.shape[:2]
    left, right = (int(np.clip(square.x + way * edges * square.edge, 0, width - 1)) for way in (-1, 1))
    top, bottom = (int(np.clip(square.y + way * edges * square.edge, 0, height - 1)) for way in (-1, 1))
    part = pixels[top : bottom + 1, left : right + 1]
    factor = side / (edges * square.edge)
    if factor > DOWNSCALE_BELOW:
        return part, RotatedSquare(square.x - left, square.y - top, square.edge, square.turned_degrees)
    size = (max(1, round(part.shape[1] * factor)), max(1, round(part.shape[0] * factor)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    x, y = (square.x - left + 0.5) * factor - 0.5, (square.y - top + 0.5) * factor - 0.5
    return np.asarray(small, np.uint8), RotatedSquare(x, y, square.edge * factor, square.turned_degrees)


def upright_crop(view: TrayView, sighting: DieSighting) -> Pixels:
    """Return a die of a view as the reader takes it, turned so that what is seen of its sides is below its top.

    In a tray's plane a top face is a square however the camera leans, so that it is cut out there.
    """
    turned = upright(sighting.turned_degrees, view.sight_at(sighting.x_mm, sighting.y_mm).down)
    if view.calibration is None:
        return crop(view.frame.pixels, RotatedSquare(sighting.x, sighting.y, sighting.edge, turned))
    return straightened(view, replace(sighting, turned_degrees=turned), INPUT_EDGES, INPUT_SIDE)


def upright(turned_degrees: float, down: npt.NDArray[np.float64]) -> float:
    """Return the quarter turn of a rotation (degrees) at which a direction of the picture, (2,), points down best."""
    below = float(np.degrees(np.arctan2(down[1], down[0]))) - 90
    return below + (turned_degrees - below + 45) % 90 - 45


def straightened(view: TrayView, sighting: DieSighting, edges: float, side: int) -> Pixels:
    """Return a die upright in the plane of the view, `edges` of it wide and `side` pixels square."""
    lean = np.radians(sighting.turned_degrees)
    fine = OVERSAMPLED * side
    step = edges * sighting.edge_mm / fine
    turn = step * np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    corner = np.array([sighting.x_mm, sighting.y_mm]) - turn @ np.full(2, (fine - 1) / 2)
    to_plane = np.vstack([np.column_stack([turn, corner]), [0, 0, 1]])
    to_frame = view.to_frame @ np.linalg.inv(view.to_mm) @ to_plane
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(
        view.frame.pixels, to_frame, (fine, fine), flags=flags, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def rotation_in_frame(sighting: DieSighting, view: TrayView) -> float:
    """Return the die's rotation in the frame, 0 to 90 degrees clockwise.

    `sighting.turned_degrees` is in the view, which may itself be rotated and skewed against the frame.
    """
    lean = np.radians(sighting.turned_degrees)
    middle = cv2.perspectiveTransform(np.array([[[sighting.x, sighting.y]]]), np.linalg.inv(view.to_frame))[0, 0]
    ahead = middle + 10 * np.array([np.cos(lean), np.sin(lean)])
    there = cv2.perspectiveTransform(ahead[None, None], view.to_frame)[0, 0]
    return float(np.degrees(np.arctan2(there[1] - sighting.y, there[0] - sighting.x)) % 90)


def cut_with_surroundings(pixels: Pixels, sighting: DieSighting, turned_degrees: float) -> tuple[Pixels, RotatedSquare]:
    """Return a die with its surroundings, not rotated, and its square in there.

    SURROUNDINGS_EDGES wide, less where the picture ends, and downscaled to MAX_SURROUNDINGS. `turned_degrees` is the
    die's rotation in the frame.
    """
    reach = SURROUNDINGS_EDGES / 2 * sighting.edge
    left, top = max(0, int(sighting.x - reach)), max(0, int(sighting.y - reach))
    part = pixels[top : int(sighting.y + reach) + 1, left : int(sighting.x + reach) + 1]
    scale = min(1.0, MAX_SURROUNDINGS / max(part.shape[:2]))
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = ((position + 0.5) * scale - 0.5 for position in (sighting.x - left, sighting.y - top))
    return part.copy(), RotatedSquare(x, y, sighting.edge * scale, turned_degrees)


def cut_for_display(pixels: Pixels, sighting: DieSighting, side: int = DISPLAY_SIDE) -> Pixels:
    """Return the square around a die, `side` pixels wide; beyond the picture its border is repeated."""
    width = max(2, round(sighting.edge * DISPLAY_EDGES))
    cut = cv2.getRectSubPix(pixels, (width, width), (sighting.x, sighting.y))
    how = cv2.INTER_AREA if width > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(cut, (side, side), interpolation=how), np.uint8)
