"""The table, the tray and the light of the virtual tray, and the camera that looks at it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulator import physics
from models.synthetic.die_renderer import DirectionalLight, PinholeCamera
from vision.frames import Pixels

# Where the virtual camera is: 65 cm above the tray and towards the players, so that the view has perspective
#
# Table coordinates are millimetres as in `geometry`; places in the picture are fractions of its width and height.


SIZE = (1280, 960)
"""Width and height of the picture, in pixels."""
ABOVE_MM, TILT_DEGREES = 650.0, 8.0
ACROSS_MM = 416.0
"""About how much of the table a picture's width shows."""

LIGHT = DirectionalLight(direction=(-0.5, -0.4, 1.0), colour=(0.96, 1.0, 1.03), ambient=0.52, softness=0.22)
"""A warm lamp to the upper left, in a bright room; the colour is blue, green, red."""


@cache
def lens_for(size: tuple[int, int]) -> PinholeCamera:
    """Return the lens for pictures of that width and height, which are as 4 to 3."""
    focal_px = ABOVE_MM * size[0] / ACROSS_MM
    return PinholeCamera.above(
        (physics.WIDTH / 2, physics.HEIGHT / 2), ABOVE_MM, focal_px, size, tilt_degrees=TILT_DEGREES
    )


def place_in_view(lens: PinholeCamera, pose: physics.DiePose) -> tuple[float, float]:
    x, y = np.asarray(lens.project(pose.centre[None]), np.float64)[0] / lens.size
    return float(x), float(y)


def is_in_view(lens: PinholeCamera, pose: physics.DiePose, margin_mm: float = 0.0) -> bool:
    """Return True if the middle of a die is in the picture, or at most that far beyond its edges."""
    x, y = place_in_view(lens, pose)
    margin = margin_mm / ACROSS_MM
    return -margin < x < 1 + margin and -margin < y < 1 + margin


def width_in_view(lens: PinholeCamera, pose: physics.DiePose, edge: float) -> float:
    """Return how wide a die of that edge (mm) is seen, as a fraction of the picture's width."""
    ends = np.asarray(lens.project(pose.centre + np.array([(-edge / 2, 0, 0), (edge / 2, 0, 0)])), np.float64)
    return float(np.linalg.norm(ends[1] - ends[0])) / lens.size[0]


def straightening(lens: PinholeCamera, edge: float) -> tuple[float, ...]:
    """Return the homography, row by row, from fractions of a picture to those of the tray from straight above.

    It holds for the middles of dice of that edge; the tray is shown as by `vision.rectification`.
    """
    margin = physics.UPRIGHT_MARGIN
    plan = np.array(
        [
            (-margin, -margin),
            (physics.WIDTH + margin, -margin),
            (physics.WIDTH + margin, physics.HEIGHT + margin),
            (-margin, physics.HEIGHT + margin),
        ]
    )
    seen = np.asarray(lens.project(np.column_stack([plan, np.full(4, edge / 2)])) / lens.size, np.float32)
    whole = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    return tuple(float(each) for each in cv2.getPerspectiveTransform(seen, whole).ravel())


def point_on_table(lens: PinholeCamera, x: float, y: float, edge: float) -> physics.Vectors:
    """Return the point of the table, x and y in mm, on which a die of that edge is seen at a place of the picture."""
    corners = np.array([(0, 0), (physics.WIDTH, 0), (physics.WIDTH, physics.HEIGHT), (0, physics.HEIGHT)], np.float64)
    raised = np.column_stack([corners, np.full(4, edge / 2)])
    seen = np.asarray(lens.project(raised), np.float32)
    back = cv2.getPerspectiveTransform(seen, corners.astype(np.float32))
    # A little inside, so that what is put down at the very edge can be seen and taken again.
    inside = np.clip((x, y), 0.025, 0.975) * lens.size
    return np.asarray(cv2.perspectiveTransform(inside.reshape(1, 1, 2), back), np.float64).reshape(2)


# The picture of the virtual table without dice: walnut, an oak board with four markers, green felt in a fence
#
# The ground is painted on a plane with `FINENESS` pixels a millimetre and projected into the picture through the
# lens; what stands up from it (fence and lath) follows on planes of its own. Colours are blue, green, red; layers are
# float32, height x width (x 3).


Layer = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

FINENESS = 3
"""Pixels a millimetre on the ground: finer than in a picture 1280 pixels wide, and four layers fit in 100 MB."""
_LEFT, _TOP, _RIGHT, _BOTTOM = -110.0, -90.0, physics.WIDTH + 110.0, physics.HEIGHT + 110.0
_SHADE = 5.0, 4.0
"""How far the fence throws its shadow, across and down in mm: the lamp is at the upper left."""

GREEN = "green"
FELTS: dict[str, Colour] = {
    GREEN: (72.0, 88.0, 38.0),
    "blue": (104.0, 66.0, 40.0),
    "red": (44.0, 40.0, 112.0),
    "grey": (74.0, 72.0, 70.0),
}
"""The colours of felt that a tray may be lined with, by name."""
_PRINT_LIGHTER = 32.0, 34.0, 32.0
"""Grey levels by which the print is lighter than the felt."""
_PAPER: Colour = (232.0, 236.0, 238.0)
_INK: Colour = (26.0, 25.0, 25.0)
_WALNUT: tuple[Colour, Colour] = ((62.0, 84.0, 112.0), (40.0, 56.0, 80.0))
_OAK: tuple[Colour, Colour] = ((112.0, 154.0, 190.0), (86.0, 124.0, 160.0))
_CHERRY: tuple[Colour, Colour] = ((58.0, 92.0, 146.0), (40.0, 66.0, 112.0))


@cache
def scenery(size: tuple[int, int], felt: str = GREEN) -> Pixels:
    """Return the BGR picture of the empty tray, of that width and height, with felt of one of FELTS.

    It is cached and read-only.
    """
    rng = np.random.default_rng(7)
    lens = lens_for(size)
    picture = _laid(_ground(rng, FELTS[felt]), lens, 0.0)
    _fence(picture, lens, rng)
    picture *= _light(size)[..., None]
    kept = np.clip(picture, 0, 255).astype(np.uint8)
    kept.flags.writeable = False
    return kept


def _ground(rng: np.random.Generator, colour: Colour) -> Layer:
    ground = _wood(_WALNUT, rng, plank_mm=70.0)
    board = _mask([_box(*physics.BOARD)])
    _shade(ground, _blurred(_shifted(board, 2.5, 2.5), 2.0), 0.55)
    _lay(ground, _wood(_OAK, rng), board)
    felt = _mask([physics.octagon()])
    _lay(ground, _felt(rng, colour), felt)
    ring = _mask([physics.octagon(physics.FENCE_WIDTH)]) - felt
    near, cast = _blurred(ring, 2.2), _blurred(_shifted(ring, *_SHADE), 1.2)
    _shade(ground, np.asarray(np.clip(0.7 * near + 0.75 * cast, 0, 1), np.float32), 0.5)
    _print_bay(ground, colour)
    for number, centre in enumerate(physics.marker_centres()):
        _glue_marker(ground, number, centre)
    return ground


def _fence(picture: Layer, lens: PinholeCamera, rng: np.random.Generator) -> None:
    wood = _wood(_CHERRY, rng)
    _stand_walls(picture, lens)
    ring = _mask([physics.octagon(physics.FENCE_WIDTH)]) - _mask([physics.octagon(1.0)])
    # The edges of the top catch less light than its middle, as a rounded strip of wood does.
    rounded = 0.82 + 0.3 * _blurred(ring, 1.6)
    _lay(picture, _laid(wood * rounded[..., None], lens, physics.FENCE_HEIGHT), _laid(ring, lens, physics.FENCE_HEIGHT))
    lath = _mask(
        [_box(physics.BAY - physics.LATH_WIDTH / 2, -3.0, physics.BAY + physics.LATH_WIDTH / 2, physics.HEIGHT + 3.0)]
    )
    _lay(picture, _laid(wood * 1.12, lens, physics.LATH_HEIGHT), _laid(lath, lens, physics.LATH_HEIGHT))


def _stand_walls(picture: Layer, lens: PinholeCamera) -> None:
    """Draw the inner sides of the fence, which all face a camera above the middle."""
    canvas = np.clip(picture, 0, 255).astype(np.uint8)
    base, top = physics.octagon(), physics.octagon(1.0)
    for side in range(8):
        ends = [base[side], base[(side + 1) % 8], top[(side + 1) % 8], top[side]]
        heights = (0.0, 0.0, physics.FENCE_HEIGHT, physics.FENCE_HEIGHT)
        seen = np.asarray(lens.project(np.array([[*end, high] for end, high in zip(ends, heights, strict=True)])))
        facing = base[(side + 1) % 8] - base[side]
        bright = 0.62 + 0.25 * float((facing[0] * -0.6 + facing[1] * 0.8) / np.linalg.norm(facing))
        colour = tuple(bright * channel for channel in _CHERRY[1])
        cv2.fillConvexPoly(canvas, np.round(seen * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    picture[:] = canvas


def _print_bay(ground: Layer, felt: Colour) -> None:
    strokes = np.zeros(ground.shape[:2], np.uint8)
    bay = physics.WIDTH - physics.BAY
    cv2.line(
        strokes, _pixel(physics.BAY + 4, bay), _pixel(physics.WIDTH - 1, bay), 255, round(0.9 * FINENESS), cv2.LINE_AA
    )
    cv2.circle(strokes, _pixel(*physics.SPOT), 14 * FINENESS, 255, round(1.3 * FINENESS), cv2.LINE_AA)
    _lay(ground, np.full_like(ground, np.add(felt, _PRINT_LIGHTER)), strokes.astype(np.float32) * (0.75 / 255))


def _glue_marker(ground: Layer, number: int, centre: physics.Vectors) -> None:
    reach = physics.MARKER / 2 + physics.QUIET
    left, top = _pixel(centre[0] - reach, centre[1] - reach)
    side = round(2 * reach * FINENESS)
    cells = np.pad(physics.marker_picture(number), 1, constant_values=255)
    inner = cv2.resize(cells[1:-1, 1:-1], [round(physics.MARKER * FINENESS)] * 2, interpolation=cv2.INTER_NEAREST)
    white = np.pad(inner, (side - len(inner)) // 2, constant_values=255)[..., None].astype(np.float32) / 255
    ground[top : top + side, left : left + side] = np.array(_INK) + white * np.subtract(_PAPER, _INK)


def _felt(rng: np.random.Generator, colour: Colour) -> Layer:
    height, width = _shape()
    fibres = cv2.GaussianBlur(rng.standard_normal((height, width), np.float32), (0, 0), 1.1)
    clouds = cv2.resize(rng.normal(0, 1, (height // 60, width // 60)).astype(np.float32), (width, height))
    pile = np.asarray(1.0 + 0.13 * fibres + 0.028 * clouds, np.float32)
    return np.asarray(np.array(colour, np.float32) * pile[..., None], np.float32)


def _wood(tones: tuple[Colour, Colour], rng: np.random.Generator, plank_mm: float = 0.0) -> Layer:
    height, width = _shape()
    streaks = sum(
        share
        * cv2.resize(rng.normal(0, 1, (height // fine, max(2, width // long))).astype(np.float32), (width, height))
        for share, fine, long in ((0.5, 3, 160), (0.35, 9, 320), (0.5, 40, 420))
    )
    share = np.clip(0.5 + 0.3 * np.asarray(streaks), 0, 1)
    light, dark = np.array(tones[0], np.float32), np.array(tones[1], np.float32)
    wood = share[..., None].astype(np.float32) * (light - dark)
    wood += dark
    if plank_mm:
        _joint(wood, round(plank_mm * FINENESS), rng)
    return np.asarray(wood, np.float32)


def _joint(wood: Layer, breadth: int, rng: np.random.Generator) -> None:
    for top in range(0, len(wood), breadth):
        wood[top : top + breadth] *= rng.uniform(0.88, 1.1)
        wood[top : top + 3] *= 0.6


def _light(size: tuple[int, int]) -> Layer:
    """Return the brightness of each pixel: the lamp at the upper left, and the dark corners of the lens."""
    across = np.linspace(-1, 1, size[0], dtype=np.float32)[None, :]
    down = np.linspace(-0.75, 0.75, size[1], dtype=np.float32)[:, None]
    lamp = 1.1 - 0.10 * ((across + 0.35) ** 2 + (down + 0.3) ** 2)
    vignette = 1.0 - 0.11 * (across**2 + down**2) ** 2
    return np.asarray(lamp * vignette, np.float32)


def _laid(layer: Layer, lens: PinholeCamera, above: float) -> Layer:
    """Return a layer of the ground's extent as the lens sees it at that height (mm)."""
    corners = _box(_LEFT, _TOP, _RIGHT, _BOTTOM)
    seen = np.asarray(lens.project(np.column_stack([corners, np.full(4, above)])), np.float32)
    own = np.array([(0, 0), (_shape()[1], 0), (_shape()[1], _shape()[0]), (0, _shape()[0])], np.float32)
    plane = cv2.getPerspectiveTransform(own - 0.5, seen)
    soft = cv2.GaussianBlur(layer, (0, 0), 0.7)
    return np.asarray(cv2.warpPerspective(soft, plane, lens.size, flags=cv2.INTER_LINEAR), np.float32)


def _lay(ground: Layer, layer: Layer, cover: Layer) -> None:
    """Blend a layer over the ground by its cover; the layer is overwritten, so that no third one is held in memory."""
    layer -= ground
    layer *= cover[..., None]
    ground += layer


def _shade(ground: Layer, cover: Layer, depth: float) -> None:
    ground *= 1 - depth * cover[..., None]


def _blurred(mask: Layer, spread_mm: float) -> Layer:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), spread_mm * FINENESS), np.float32)


def _shifted(mask: Layer, across: float, down: float) -> Layer:
    way = np.array([(1, 0, across * FINENESS), (0, 1, down * FINENESS)], np.float32)
    return np.asarray(cv2.warpAffine(mask, way, mask.shape[::-1]), np.float32)


def _mask(shapes: list[physics.Vectors]) -> Layer:
    mask = np.zeros(_shape(), np.uint8)  # OpenCV smooths edges only in 8 bits
    for shape in shapes:
        points = np.round((shape - (_LEFT, _TOP)) * FINENESS * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    return np.asarray(mask, np.float32) / np.float32(255)


def _box(left: float, top: float, right: float, bottom: float) -> physics.Vectors:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


def _pixel(x: float, y: float) -> tuple[int, int]:
    return round((x - _LEFT) * FINENESS), round((y - _TOP) * FINENESS)


def _shape() -> tuple[int, int]:
    return round((_BOTTOM - _TOP) * FINENESS), round((_RIGHT - _LEFT) * FINENESS)
