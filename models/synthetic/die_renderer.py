"""Render solid dice with rounded edges into a picture, in perspective, with shadows and the faults of a sensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Pixels
from models.synthetic.faces import FaceArt

# Poses of dice, a pinhole camera, and a light
#
# Table coordinates are millimetres: x to the right, y down the picture, z up; the table is z = 0. A camera that looks
# straight down therefore sees x increase to the right and y downwards, as pixels do, and a rotation from x to y is
# clockwise in the picture. Pixel coordinates (0, 0) are the centre of the first pixel.


Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pose:
    """The pose of a die: centre (3,) in millimetres, rotation (3, 3) from its own axes to the table's, and edge."""

    centre: Numbers
    turn: Numbers
    edge_mm: float = 16.0


@dataclass(frozen=True, eq=False)
class PinholeCamera:
    """A camera without distortion.

    matrix: projection (3, 4) from table millimetres to pixels; eye: its position; size: width and height in pixels.
    """

    matrix: Numbers
    eye: Numbers
    size: tuple[int, int]

    @classmethod
    def above(  # noqa: PLR0913 - a camera's place has these numbers
        cls,
        centre: tuple[float, float],
        height_mm: float,
        focal_px: float,
        size: tuple[int, int],
        *,
        tilt_degrees: float = 0.0,
        pan_degrees: float = 0.0,
    ) -> Self:
        """Return a camera `height_mm` over the table whose picture of `size` (width, height) is centred on `centre`.

        Tilt moves it towards the picture's lower edge, and pan clockwise around the centre, while it keeps looking at
        the centre.
        """
        tilt, pan = np.radians((tilt_degrees, pan_degrees))
        right = np.array([np.cos(pan), np.sin(pan), 0.0])
        near = np.array([-np.sin(pan), np.cos(pan), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        axes = np.stack([right, np.cos(tilt) * near - np.sin(tilt) * up, -np.sin(tilt) * near - np.cos(tilt) * up])
        eye = np.array([*centre, 0.0]) + height_mm * (np.tan(tilt) * near + up)
        inside = np.array([(focal_px, 0, (size[0] - 1) / 2), (0, focal_px, (size[1] - 1) / 2), (0, 0, 1)])
        return cls(inside @ np.column_stack([axes, -axes @ eye]), eye, size)

    def project(self, points: npt.ArrayLike) -> Numbers:
        """Return the pixels, (n, 2), of points in millimetres, (n, 3)."""
        seen = np.asarray(points, np.float64) @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def homography(self) -> Numbers:
        """Return the homography, (3, 3), from millimetres on the table plane to pixels."""
        return self.matrix[:, [0, 1, 3]]

    def scale_at(self, point: Numbers) -> float:
        """Return the pixels per millimetre at a point."""
        row = self.matrix[2]
        depth = float(row[:3] @ point + row[3])
        return float(np.linalg.norm(self.matrix[0, :3] - row[:3] * (self.size[0] - 1) / 2)) / depth


@dataclass(frozen=True)
class DirectionalLight:
    """A directional light with ambient light.

    direction: from the table to the light. colour: factors of blue, green and red. ambient: share of ambient light,
    0 to 1. softness: width of a shadow's edge as a share of the height of what casts it.
    """

    direction: tuple[float, float, float] = (-0.45, -0.55, 1.0)
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    ambient: float = 0.5
    softness: float = 0.35

    @property
    def towards(self) -> Numbers:
        """The direction as a unit vector, (3,)."""
        way = np.array(self.direction, np.float64)
        return np.asarray(way / np.linalg.norm(way))


# A fast model of a camera's sensor: blur, white balance, exposure, vignette, noise


_SPARE = 48  # pixels by which the noise is larger than the picture, so that it can lie differently each time


def emulate_sensor(  # noqa: PLR0913 - a chip has these faults, each with its own measure
    picture: Pixels,
    rng: np.random.Generator,
    *,
    noise: float = 3.0,
    blur: float = 0.6,
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
    vignette: float = 0.0,
) -> Pixels:
    """Return a picture (uint8, BGR) as a camera would deliver it.

    noise: standard deviation in grey levels. blur: standard deviation in pixels. gains: factors of blue, green and red.
    vignette: how much darker the corners are than the centre, 0 to 1.
    """
    seen: Pixels = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur) if blur > 0 else picture.copy(), np.uint8)
    if gains != (1.0, 1.0, 1.0):
        factors = gains[:1] if len({*gains}) == 1 else gains  # one table for all colours takes a quarter of the time
        levels = np.arange(256, dtype=np.float32)[:, None] * np.array(factors, np.float32)
        seen = np.asarray(cv2.LUT(seen, np.clip(levels, 0, 255).astype(np.uint8)[None]), np.uint8)
    if vignette > 0:
        cv2.multiply(seen, _falloff(seen.shape[:2], round(vignette, 2)), seen, 1 / 255)
    if noise > 0:
        _add_noise(seen, rng, noise)
    return seen


def _add_noise(picture: Pixels, rng: np.random.Generator, noise: float) -> None:
    high, wide = picture.shape[:2]
    more, less = _grain(high + _SPARE, wide + _SPARE, round(noise, 1))
    top, left = rng.integers(0, _SPARE, 2).tolist()
    cv2.add(picture, more[top : top + high, left : left + wide], picture)
    cv2.subtract(picture, less[top : top + high, left : left + wide], picture)


@lru_cache(maxsize=4)
def _grain(high: int, wide: int, noise: float) -> tuple[Pixels, Pixels]:
    """Return the positive and the negative part of the noise; the same in every run."""
    grain = np.random.default_rng(20).normal(0.0, noise, (high, wide, 3)).astype(np.float32)
    return np.rint(np.maximum(grain, 0)).astype(np.uint8), np.rint(np.maximum(-grain, 0)).astype(np.uint8)


@lru_cache(maxsize=4)
def _falloff(shape: tuple[int, int], vignette: float) -> Pixels:
    down, right = np.linspace(-1, 1, shape[0])[:, None], np.linspace(-1, 1, shape[1])[None, :]
    kept = 255 * (1 - vignette * (down**2 + right**2) / 2)
    return np.repeat(np.rint(kept).astype(np.uint8)[..., None], 3, axis=2)


# Render solid dice with rounded edges into a picture, in perspective, with shading and shadows
#
# A die's six faces come in the order +x, -x, +y, -y, +z, -z of its own axes. Each face's art is seen unmirrored from
# outside: that of +z with its top towards -y, that of -z likewise (turned over the y axis), and those of the four
# sides with their top towards +z. So a die with the unturned pose shows its fifth face to a camera above, upright.


Floats = npt.NDArray[np.float32]

ROUNDING = 0.13
"""Radius of the rounded edges as a share of the die's edge."""

FACE_FRAMES: Numbers = np.array(
    [
        [(0, -1, 0), (0, 0, -1), (1, 0, 0)],
        [(0, 1, 0), (0, 0, -1), (-1, 0, 0)],
        [(1, 0, 0), (0, 0, -1), (0, 1, 0)],
        [(-1, 0, 0), (0, 0, -1), (0, -1, 0)],
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(-1, 0, 0), (0, 1, 0), (0, 0, -1)],
    ],
    np.float64,
)
"""For each face, in the die's own axes: the art's right, the art's down, and the outward normal, (6, 3, 3)."""

_CORNERS: Numbers = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_SQUARE: Numbers = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_FINE = 2  # canvas pixels to a picture's pixel
_BITS = 4
_COARSE = 4  # picture's pixels to a pixel of the shadow map
_ENGRAVING = 0.9  # how steep the walls of a full-depth pip are
_SKY, _FLOOR = 0.62, 0.72  # ambient light on a wall, and on a wall's foot, as shares of that on a top
_SEAM = np.ones((3, 3), np.uint8)  # faces overlap by a canvas pixel, so that no gap shows between them
_CONTACT = 0.5  # how dark it is right under a die


def spun(angle: float) -> Numbers:
    """Return the rotation (3, 3) by an angle in radians about the vertical."""
    return np.array([(np.cos(angle), -np.sin(angle), 0.0), (np.sin(angle), np.cos(angle), 0.0), (0.0, 0.0, 1.0)])


def face_corners(pose: Pose, number: int = 4) -> Numbers:
    """Return the corners, (4, 3) in millimetres, of a side of a die, in turn; 4 is the side that the camera faces."""
    right, down, normal = (pose.turn @ axis for axis in FACE_FRAMES[number])
    return np.array([pose.centre + pose.edge_mm / 2 * (normal + a * right + b * down) for a, b in _SQUARE])


@dataclass(frozen=True, eq=False)
class SolidDie:
    """A die: its pose, the art of its six faces (+x, -x, +y, -y, +z, -z), and its gloss (0 matt to 1 wet)."""

    pose: Pose
    faces: tuple[FaceArt, FaceArt, FaceArt, FaceArt, FaceArt, FaceArt]
    gloss: float = 0.35


def paint_dice(picture: Pixels, lens: PinholeCamera, dice: Sequence[SolidDie], light: DirectionalLight) -> None:
    """Render the shadows and then the dice, the far ones first, into the picture in place.

    The picture (uint8, BGR) has the camera's size and shows the table under the same light.
    """
    _cast_shadows(picture, lens, [die.pose for die in dice], light)
    for die in sorted(dice, key=lambda die: -float(np.linalg.norm(die.pose.centre - lens.eye))):
        _paint_die(picture, lens, die, light)


def _cast_shadows(picture: Pixels, lens: PinholeCamera, poses: Sequence[Pose], light: DirectionalLight) -> None:
    darkness = np.zeros((-(-lens.size[1] // _COARSE), -(-lens.size[0] // _COARSE)), np.uint8)
    for pose in poses:
        _cast_shadow(darkness, lens, pose, light)
    left, top, wide, high = (side * _COARSE for side in cv2.boundingRect(darkness))
    if wide and high:
        _darken(picture[top : top + high, left : left + wide], darkness, (left // _COARSE, top // _COARSE))


def _darken(part: Pixels, darkness: Pixels, at: tuple[int, int]) -> None:
    high, wide = part.shape[:2]
    coarse = darkness[at[1] : at[1] + -(-high // _COARSE), at[0] : at[0] + -(-wide // _COARSE)]
    shade = cv2.resize(255 - coarse, (wide, high), interpolation=cv2.INTER_LINEAR)
    cv2.multiply(part, cv2.cvtColor(shade, cv2.COLOR_GRAY2BGR), part, 1 / 255)


def _cast_shadow(darkness: Pixels, lens: PinholeCamera, pose: Pose, light: DirectionalLight) -> None:
    corners = pose.centre + 0.48 * pose.edge_mm * _CORNERS @ pose.turn.T
    heights, way = np.maximum(corners[:, 2:], 0.0), light.towards
    cast = corners * (1, 1, 0) - heights * (way / way[2]) * (1, 1, 0)
    blur = light.softness * float(pose.centre[2]) * lens.scale_at(pose.centre)
    _stamp(darkness, lens.project(cast), blur, 1.0 - light.ambient)
    gap = float(corners[:, 2].min())
    foot = pose.centre + (corners - pose.centre) * 1.06
    touch = _CONTACT * float(np.exp(-max(gap, 0.0) / (0.25 * pose.edge_mm)))
    _stamp(darkness, lens.project(foot * (1, 1, 0)), 0.08 * pose.edge_mm * lens.scale_at(pose.centre), touch)


def _stamp(darkness: Pixels, outline: Numbers, blur: float, strength: float) -> None:
    """Darken a blurred outline (pixels of the picture) in the coarse shadow map, by the maximum."""
    spots = outline / _COARSE
    sigma = max(blur / _COARSE, 0.5)
    low = np.floor(spots.min(axis=0) - 3 * sigma).astype(int)
    high = np.ceil(spots.max(axis=0) + 3 * sigma).astype(int) + 1
    first, last = np.maximum(low, 0), np.minimum(high, darkness.shape[::-1])
    if not (first < last).all() or (high - low).max() > 4 * max(darkness.shape):
        return
    mask = np.zeros(tuple((high - low)[::-1]), np.uint8)
    _fill(mask, spots - low, round(255 * strength))
    cv2.GaussianBlur(mask, (0, 0), sigma, mask)
    (x0, y0), (x1, y1), (left, top) = first, last, low
    part = darkness[y0:y1, x0:x1]
    np.maximum(part, mask[y0 - top : y1 - top, x0 - left : x1 - left], out=part)


def _fill(mask: Pixels, points: Numbers, value: int) -> None:
    hull = cv2.convexHull(points.astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull * (1 << _BITS)).astype(np.int32), (value,), cv2.LINE_8, _BITS)


def _paint_die(picture: Pixels, lens: PinholeCamera, die: SolidDie, light: DirectionalLight) -> None:
    low, high = _extent(_silhouette(lens, die.pose))
    first, last = np.maximum(low, 0), np.minimum(high, lens.size)
    if not (first < last).all():
        return
    crop = slice(first[1] - low[1], last[1] - low[1]), slice(first[0] - low[0], last[0] - low[0])
    art, alpha = (layer[crop] for layer in _drawn_die(_Sight(lens, die, light)))
    part = picture[first[1] : last[1], first[0] : last[0]]
    weight = np.asarray(alpha, np.float32) / 255
    part[:] = cv2.blendLinear(np.ascontiguousarray(art), np.ascontiguousarray(part), weight, 1 - weight)


@dataclass(frozen=True)
class _Sight:
    """A die as a camera sees it under a light. Two are equal if they give the same pixels."""

    lens: PinholeCamera
    die: SolidDie = field(compare=False)
    light: DirectionalLight
    alike: tuple[object, ...] = field(init=False)

    def __post_init__(self) -> None:
        pose = self.die.pose
        numbers = (pose.centre.tobytes(), np.ascontiguousarray(pose.turn).tobytes(), pose.edge_mm, self.die.gloss)
        object.__setattr__(self, "alike", (self.die.faces, *numbers))


# Dice at rest are most of the dice of a film, and look the same in every frame.
@lru_cache(maxsize=64)
def _drawn_die(sight: _Sight) -> tuple[Pixels, Pixels]:
    """Return the pixels (BGR) of a die within its outline's extent, and its cover from 0 to 255."""
    lens, die = sight.lens, sight.die
    outline = _silhouette(lens, die.pose)
    low, high = _extent(outline)
    wide, tall = (high - low) * _FINE
    canvas, cover = np.zeros((tall, wide, 3), np.uint8), np.zeros((tall, wide), np.uint8)
    _fill(cover, _on_canvas(outline, low), 255)
    _paint_faces(canvas, lens, die, sight.light, low)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    art, alpha = (cv2.resize(layer, size, interpolation=cv2.INTER_AREA) for layer in (canvas, cover))
    return np.asarray(art, np.uint8), np.asarray(alpha, np.uint8)


def _extent(outline: Numbers) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    """Return the first pixel of an outline, across and down, and the one after its last, with a margin."""
    return np.floor(outline.min(axis=0)).astype(int) - 1, np.ceil(outline.max(axis=0)).astype(int) + 2


def _silhouette(lens: PinholeCamera, pose: Pose) -> Numbers:
    """Return pixels around the spheres in the die's eight corners; their convex hull is its rounded outline."""
    radius = ROUNDING * pose.edge_mm
    middles = pose.centre + (pose.edge_mm / 2 - radius) * _CORNERS @ pose.turn.T
    view = pose.centre - lens.eye
    side = np.cross(view, (0.0, 1.0, 0.1))
    side /= np.linalg.norm(side)
    above = np.cross(side, view)
    above /= np.linalg.norm(above)
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)[:, None]
    circle = radius * (np.cos(angles) * side + np.sin(angles) * above)
    return lens.project((middles[:, None] + circle).reshape(-1, 3))


def _on_canvas(points: Numbers, origin: npt.NDArray[np.int_]) -> Numbers:
    return np.asarray((points - origin + 0.5) * _FINE - 0.5)


def _paint_faces(
    canvas: Pixels, lens: PinholeCamera, die: SolidDie, light: DirectionalLight, origin: npt.NDArray[np.int_]
) -> None:
    pose, reach = die.pose, die.pose.edge_mm / 2
    for art, own in zip(die.faces, FACE_FRAMES, strict=True):
        frame = own @ pose.turn.T
        middle = pose.centre + reach * frame[2]
        if frame[2] @ (lens.eye - middle) <= 0:
            continue
        spots = _on_canvas(lens.project(middle + reach * _SQUARE @ frame[:2]), origin)
        _warp_face(canvas, _shaded(art, frame, die, light, lens.eye), spots)


def _warp_face(canvas: Pixels, lit: Pixels, spots: Numbers) -> None:
    """Warp a face onto the canvas, its corners (clockwise from the top left) onto `spots`."""
    limit = canvas.shape[1::-1]
    low = np.clip(np.floor(spots.min(axis=0)).astype(int) - 2, 0, limit)
    high = np.clip(np.ceil(spots.max(axis=0)).astype(int) + 3, 0, limit)
    size = tuple(int(side) for side in high - low)
    if min(size) < 1:
        return
    corners = (_SQUARE + 1) * len(lit) / 2 - 0.5
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), (spots - low).astype(np.float32))
    seen = cv2.warpPerspective(lit, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.uint8)
    _fill(mask, spots - low, 255)
    cv2.copyTo(seen, cv2.dilate(mask, _SEAM), canvas[low[1] : high[1], low[0] : high[0]])


def _shaded(art: FaceArt, frame: Numbers, die: SolidDie, light: DirectionalLight, eye: Numbers) -> Pixels:
    """Return the face's art with shading and specular light, in the art's own square."""
    way, view = light.towards, eye - die.pose.centre
    half = way + view / np.linalg.norm(view)
    half /= np.linalg.norm(half)
    normals = _normals(art)
    lamp, up, mirror = np.moveaxis(
        normals @ (frame @ np.stack([way, (0, 0, 1), half], axis=1)).astype(np.float32), 2, 0
    )
    fill = light.ambient * (_SKY + (1 - _SKY) * up)
    shade = (fill + (1 - light.ambient) * np.maximum(lamp, 0) / way[2]) * _floor_occlusion(
        frame, die.pose, len(normals)
    )
    shine = 150 * die.gloss * np.square(np.square(np.square(np.square(np.square(np.maximum(mirror, 0))))))
    lit = art.pixels * (shade * (1 - 0.15 * art.relief))[..., None] + shine[..., None]
    return np.asarray(np.clip(lit * np.array(light.colour, np.float32), 0, 255), np.uint8)


def _floor_occlusion(frame: Numbers, pose: Pose, size: int) -> Floats:
    """Return the share of light, (size, size), that the table leaves each spot of a face by its height."""
    along = np.linspace(-0.5, 0.5, size)
    heights = 0.5 * frame[2, 2] + along[None, :] * frame[0, 2] + along[:, None] * frame[1, 2]
    height = np.clip((pose.centre[2] + pose.edge_mm * heights) / (0.7 * pose.edge_mm), 0, 1)
    return np.asarray(_FLOOR + (1 - _FLOOR) * height, np.float32)


@lru_cache(maxsize=128)
def _normals(art: FaceArt) -> Floats:
    """Return the unit normals (right, down, out) of a face with its rounded edges and its engraving."""
    normals = rounded_normals(len(art.relief))
    if not art.relief.any():
        return normals
    steep = _ENGRAVING * len(art.relief) / 64
    dented = normals.copy()
    dented[..., 0] += steep * cv2.Sobel(art.relief, cv2.CV_32F, 1, 0, ksize=3)
    dented[..., 1] += steep * cv2.Sobel(art.relief, cv2.CV_32F, 0, 1, ksize=3)
    return np.asarray(dented / np.linalg.norm(dented, axis=2, keepdims=True), np.float32)


@cache
def rounded_normals(size: int) -> Floats:
    """Return the unit normals (right, down, out), (size, size, 3), of a flat face with rounded edges."""
    along = (np.arange(size) + 0.5) / size - 0.5
    spots = np.stack([*np.meshgrid(along, along), np.full((size, size), 0.5)], axis=2)
    core = 0.5 - ROUNDING
    bent = spots - np.clip(spots, -core, core)
    return np.asarray(bent / np.linalg.norm(bent, axis=2, keepdims=True), np.float32)
