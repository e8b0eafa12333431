"""The picture of a hand that reaches in from the lower edge: rounded strokes of flesh and cloth.

The light comes from the upper left. Colours are blue, green, red; layers are float32, height x width (x 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulator.viewpoint import ACROSS_MM
from vision.frames import Pixels

Layer = npt.NDArray[np.float32]

_SKIN = (128.0, 160.0, 214.0)
_CLOTH = (112.0, 74.0, 46.0)
_LAMP = (-0.42, -0.34, 0.84)
_NEARER = 1.09
"""How much larger things are seen at the height of the hand."""
_TURNED_DEGREES = -9.0
_SHADOW_PIXELS, _SHADOW_BLUR = (34, 26), 15.0
_SHADOW_DEPTH = 0.42


@dataclass(frozen=True)
class _Stroke:
    """A rounded stroke from one point to another (mm from the wrist, y towards the arm), from radius r0 to r1."""

    x0: float
    y0: float
    r0: float
    x1: float
    y1: float
    r1: float
    flatness: float = 1.0


_FLESH = (
    _Stroke(0, 60, 27, 0, -5, 23, 0.8),
    _Stroke(-19, -22, 17, -24, -74, 13, 0.75),
    _Stroke(-5, -16, 20, -7, -78, 13, 0.75),
    _Stroke(8, -16, 19, 10, -76, 13, 0.75),
    _Stroke(19, -18, 15, 25, -68, 12, 0.75),
    _Stroke(-25, -76, 10.5, -33, -112, 9, 1.0),
    _Stroke(-33, -112, 9, -37, -148, 6.8, 1.0),
    _Stroke(-7, -80, 10.5, -9, -122, 9.2, 1.0),
    _Stroke(-9, -122, 9.2, -10, -162, 7, 1.0),
    _Stroke(10, -78, 10, 15, -116, 8.8, 1.0),
    _Stroke(15, -116, 8.8, 18, -152, 6.8, 1.0),
    _Stroke(26, -68, 9, 35, -98, 7.8, 1.0),
    _Stroke(35, -98, 7.8, 41, -126, 6, 1.0),
    _Stroke(-20, -18, 14, -44, -48, 11.5, 0.9),
    _Stroke(-44, -48, 11.5, -57, -84, 8, 0.9),
)
_NAILS = ((-37.4, -150), (-10, -164.5), (18.4, -154.5), (41.6, -128), (-58, -86.5))
_SLEEVE = (_Stroke(0, 190, 46, 0, 20, 37, 0.9), _Stroke(0, 41, 39, 0, 37, 39, 0.95))
_CUFF_MM = 36.0
"""The sleeve ends there, square."""


@dataclass(frozen=True, eq=False)
class _HandLayers:
    """The hand as pixels, its cover (0 to 1), and the share of the light that its shadow leaves on the table."""

    pixels: Layer
    cover: Layer
    light: Layer


def prepare_hand(size: tuple[int, int]) -> None:
    """Draw the hand for pictures of that size and cache it, which takes about as long as ten frames."""
    _drawn(size)


def paint_hand(picture: Pixels, reach: float) -> None:
    """Paint the hand and its shadow over a BGR picture; `reach` is 0 outside and 1 as far in as it goes."""
    height, width = picture.shape[:2]
    down = round((1 - reach) * 0.75 * height)
    if down >= height:
        return
    hand = _drawn((width, height))
    part = picture[down:]
    seen = part * hand.light[: height - down, :, None]
    cover = hand.cover[: height - down, :, None]
    part[:] = seen + cover * (hand.pixels[: height - down] - seen)


@cache
def _drawn(size: tuple[int, int]) -> _HandLayers:
    flesh, cloth = _relief(_FLESH, size), _relief(_SLEEVE, size)
    cloth[_millimetres(size)[1] < _CUFF_MM] = 0.0
    sleeved = cloth > 0
    relief = np.where(sleeved, cloth, flesh)
    cover = np.asarray(cv2.GaussianBlur((relief > 0).astype(np.float32), (0, 0), 0.8), np.float32)
    pixels = np.where(sleeved[..., None], _cloth(size), _skin(size))
    pixels *= _shade(relief)[..., None]
    moved = np.array([(1, 0, _SHADOW_PIXELS[0]), (0, 1, _SHADOW_PIXELS[1])], np.float32)
    shadow = cv2.warpAffine(cover, moved, size, borderMode=cv2.BORDER_REPLICATE)
    light = 1 - _SHADOW_DEPTH * cv2.GaussianBlur(shadow, (0, 0), _SHADOW_BLUR)
    return _HandLayers(pixels, cover, np.asarray(light, np.float32))


def _relief(strokes: tuple[_Stroke, ...], size: tuple[int, int]) -> Layer:
    """Return the height of the strokes at each pixel, in mm; of overlapping ones the highest, 0 where there is none."""
    x, y = _millimetres(size)
    relief = np.zeros_like(x)
    for stroke in strokes:
        np.maximum(relief, _height(stroke, x, y), out=relief)
    smooth = cv2.GaussianBlur(relief, (0, 0), 0.004 * size[0])
    return np.asarray(np.where(relief > 0, np.maximum(smooth, 0.01), 0), np.float32)


def _height(stroke: _Stroke, x: Layer, y: Layer) -> Layer:
    along_x, along_y = stroke.x1 - stroke.x0, stroke.y1 - stroke.y0
    share = ((x - stroke.x0) * along_x + (y - stroke.y0) * along_y) / (along_x**2 + along_y**2)
    share = np.clip(share, 0, 1)
    radius = stroke.r0 + share * (stroke.r1 - stroke.r0)
    away = (x - stroke.x0 - share * along_x) ** 2 + (y - stroke.y0 - share * along_y) ** 2
    return np.asarray(stroke.flatness * np.sqrt(np.maximum(radius**2 - away, 0)), np.float32)


def _millimetres(size: tuple[int, int]) -> tuple[Layer, Layer]:
    """Return x and y of every pixel from the wrist, in mm; the wrist is near the picture's lower edge."""
    scale = size[0] / ACROSS_MM * _NEARER
    across = (np.arange(size[0], dtype=np.float32)[None, :] - 0.46 * size[0]) / scale
    down = (np.arange(size[1], dtype=np.float32)[:, None] - 0.88 * size[1]) / scale
    turned = np.radians(_TURNED_DEGREES)
    return (
        np.asarray(across * np.cos(turned) + down * np.sin(turned), np.float32),
        np.asarray(down * np.cos(turned) - across * np.sin(turned), np.float32),
    )


def _shade(relief: Layer) -> Layer:
    scale = relief.shape[1] / ACROSS_MM
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3) / 8 * scale
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3) / 8 * scale
    steepness = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lit = (-slope_x * _LAMP[0] - slope_y * _LAMP[1] + _LAMP[2]) / steepness
    return np.asarray(0.5 + 0.55 * np.clip(lit, 0, 1), np.float32)


def _skin(size: tuple[int, int]) -> Layer:
    rng = np.random.default_rng(3)
    mottled = cv2.resize(rng.normal(0, 1, (48, 64)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    skin = np.array(_SKIN, np.float32) * np.asarray(1 + 0.022 * mottled[..., None], np.float32)
    x, y = _millimetres(size)
    for nail_x, nail_y in _NAILS:
        nail = np.clip(2.2 - (((x - nail_x) / 4.6) ** 2 + ((y - nail_y) / 5.8) ** 2) * 2.2, 0, 1)
        share = 0.5 * np.asarray(nail, np.float32)[..., None]
        skin *= 1 - share
        skin += share * np.array((186, 196, 232), np.float32)
    return skin


def _cloth(size: tuple[int, int]) -> Layer:
    x, y = _millimetres(size)
    knit = 1 + 0.07 * np.sin(x * 2.6) * (0.6 + 0.4 * np.sin(y * 1.9))
    return np.asarray(np.array(_CLOTH, np.float32) * knit[..., None], np.float32)
