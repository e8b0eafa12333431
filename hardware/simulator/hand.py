"""The pictures of hands: one that reaches in from the lower edge, and those that go to dice.

They are rounded strokes of flesh and cloth. The light comes from the upper left. Colours are blue, green, red; layers
are float32, height x width (x 3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulator.hand_paths import HandLook, HandPose
from hardware.simulator.viewpoint import ACROSS_MM
from models.synthetic.die_renderer import PinholeCamera
from vision.frames import Pixels

Layer = npt.NDArray[np.float32]
Colour = tuple[float, float, float]
_Nails = tuple[tuple[float, float], ...]
"""Where fingernails are, in mm from the wrist."""

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
_GRIP = (
    *_FLESH[:5],
    _Stroke(-25, -76, 10.5, -26, -100, 9, 1.0),
    _Stroke(-26, -100, 9, -15, -119, 7, 1.0),
    _Stroke(-7, -80, 10.5, -9, -106, 9.2, 1.0),
    _Stroke(-9, -106, 9.2, -5, -122, 7, 1.0),
    _Stroke(10, -78, 10, 10, -100, 8.8, 1.0),
    _Stroke(10, -100, 8.8, 3, -115, 6.8, 1.0),
    _Stroke(26, -68, 9, 25, -86, 7.8, 1.0),
    _Stroke(25, -86, 7.8, 15, -102, 6, 1.0),
    _Stroke(-20, -18, 14, -47, -50, 11.5, 0.9),
    _Stroke(-47, -50, 11.5, -33, -106, 8, 0.9),
)
"""A hand whose fingertips meet round a die."""
_TIP = (-14.0, -117.0)
"""Where the fingertips meet, in mm from the wrist."""
_ARM = (_Stroke(0, 460, 52, 0, 20, 37, 0.9), _Stroke(0, 41, 39, 0, 37, 39, 0.95))
_GRIP_NAILS = ((-17, -123), (-6, -126), (2, -119), (14, -106), (-33, -112))
_CANVAS_MM = (-80.0, -180.0, 90.0, 470.0)
"""Left, top, right and bottom of the canvas of a hand that goes to dice, from the wrist."""
_LEAST_REACH_MM = 0.001
"""Fingertips nearer than this to where the arm comes from have no direction: the hand has not come yet, or has left."""
_HIGHER = 1.16
"""How much larger an arm above the table is seen."""
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


def paint_hands(picture: Pixels, lens: PinholeCamera, hands: Iterable[HandPose]) -> None:
    """Paint hands that go to dice, with their shadows, over a BGR picture."""
    for hand in hands:
        if math.dist(hand.tip, hand.seat) < _LEAST_REACH_MM:
            continue
        layers = _drawn_going(hand.look, hand.is_open, lens.size[0])
        plane = _plane(lens, hand)
        # The shadow falls to the lower right, as that of the dice.
        away = 0.02 * lens.size[0]
        cast = plane + np.array([(0, 0, away), (0, 0, 0.7 * away)])
        shadow = cv2.warpAffine(layers.shadow, cast, lens.size, flags=cv2.INTER_LINEAR)
        seen = cv2.warpAffine(layers.pixels, plane, lens.size, flags=cv2.INTER_LINEAR)
        _blend(picture, np.asarray(shadow, np.uint8), np.asarray(seen, np.uint8))


def _blend(picture: Pixels, shadow: Pixels, seen: Pixels) -> None:
    """Darken a picture by a shadow (0 to 255), and lay pixels (BGR and cover) over it, where there are any."""
    left, top, width, height = cv2.boundingRect(cv2.max(shadow, np.ascontiguousarray(seen[..., 3])))
    box = np.s_[top : top + height, left : left + width]
    part, over = picture[box], seen[box]
    light = 1 - _SHADOW_DEPTH / 255 * shadow[box].astype(np.float32)
    cover = over[..., 3].astype(np.float32) / 255
    part[:] = part * (light * (1 - cover))[..., None] + over[..., :3] * cover[..., None]


def _plane(lens: PinholeCamera, hand: HandPose) -> npt.NDArray[np.float64]:
    """Return the affine map from the canvas of a hand to the picture, the fingertips where they are (2 x 3)."""
    points = np.array([(*hand.tip, 30.0), (*hand.seat, 30.0)])
    tip, seat = np.asarray(lens.project(points), np.float64)
    along = (seat - tip) / np.linalg.norm(seat - tip)
    across = np.array([along[1], -along[0]]) * (-1.0 if hand.look.is_left else 1.0)
    turned = np.column_stack([across, along]) * _HIGHER
    scale = _canvas_scale(lens.size[0])
    own = (np.array(_TIP) - _CANVAS_MM[:2]) * scale
    return np.column_stack([turned, tip - turned @ own])


def _canvas_scale(width: int) -> float:
    """Return the pixels a millimetre of a hand's canvas, for pictures of that width."""
    return width / ACROSS_MM


@dataclass(frozen=True, eq=False)
class _GoingLayers:
    """A hand that goes to dice, upright on its canvas: blue, green, red and cover (4 x 8 bits), and its soft shadow."""

    pixels: Pixels
    shadow: Pixels


@cache
def _drawn_going(look: HandLook, is_open: bool, width: int) -> _GoingLayers:
    left, top, right, bottom = _CANVAS_MM
    scale = _canvas_scale(width)
    x = np.arange(left, right, 1 / scale, dtype=np.float32)[None, :]
    y = np.arange(top, bottom, 1 / scale, dtype=np.float32)[:, None]
    plan = _Plan(np.broadcast_to(x, (len(y), x.shape[1])), np.broadcast_to(y, (len(y), x.shape[1])), scale)
    nails = _NAILS if is_open else _GRIP_NAILS
    pixels, cover = _painted(plan, _FLESH if is_open else _GRIP, _ARM, nails, look)
    seen = np.dstack([np.clip(pixels, 0, 255), 255 * cover]).astype(np.uint8)
    return _GoingLayers(seen, cv2.GaussianBlur(seen[..., 3], (0, 0), 2.5 * scale).astype(np.uint8))


@cache
def _drawn(size: tuple[int, int]) -> _HandLayers:
    plan = _Plan(*_millimetres(size), size[0] / ACROSS_MM)
    pixels, cover = _painted(plan, _FLESH, _SLEEVE, _NAILS, HandLook(_SKIN, _CLOTH, False))
    moved = np.array([(1, 0, _SHADOW_PIXELS[0]), (0, 1, _SHADOW_PIXELS[1])], np.float32)
    shadow = cv2.warpAffine(cover, moved, size, borderMode=cv2.BORDER_REPLICATE)
    light = 1 - _SHADOW_DEPTH * cv2.GaussianBlur(shadow, (0, 0), _SHADOW_BLUR)
    return _HandLayers(pixels, cover, np.asarray(light, np.float32))


@dataclass(frozen=True, eq=False)
class _Plan:
    """The millimetres from the wrist at every pixel, across and along the arm, and the pixels a millimetre."""

    x: Layer
    y: Layer
    scale: float


def _painted(
    plan: _Plan, flesh: tuple[_Stroke, ...], sleeve: tuple[_Stroke, ...], nails: _Nails, look: HandLook
) -> tuple[Layer, Layer]:
    """Return the pixels (BGR) of a hand in its sleeve, and its cover, 0 to 1."""
    skin, cloth = _relief(flesh, plan), _relief(sleeve, plan)
    cloth[plan.y < _CUFF_MM] = 0.0
    sleeved = cloth > 0
    relief = np.where(sleeved, cloth, skin)
    cover = np.asarray(cv2.GaussianBlur((relief > 0).astype(np.float32), (0, 0), 0.8), np.float32)
    pixels = np.where(sleeved[..., None], _cloth(plan, look.cloth), _skin(plan, look.skin, nails))
    return pixels * _shade(relief, plan.scale)[..., None], cover


def _relief(strokes: tuple[_Stroke, ...], plan: _Plan) -> Layer:
    """Return the height of the strokes at each pixel, in mm; of overlapping ones the highest, 0 where there is none."""
    relief = np.zeros_like(plan.x)
    for stroke in strokes:
        np.maximum(relief, _height(stroke, plan.x, plan.y), out=relief)
    smooth = cv2.GaussianBlur(relief, (0, 0), 0.004 * ACROSS_MM * plan.scale)
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


def _shade(relief: Layer, scale: float) -> Layer:
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3) / 8 * scale
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3) / 8 * scale
    steepness = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lit = (-slope_x * _LAMP[0] - slope_y * _LAMP[1] + _LAMP[2]) / steepness
    return np.asarray(0.5 + 0.55 * np.clip(lit, 0, 1), np.float32)


def _skin(plan: _Plan, tone: Colour, nails: _Nails) -> Layer:
    rng = np.random.default_rng(3)
    size = (plan.x.shape[1], plan.x.shape[0])
    mottled = cv2.resize(rng.normal(0, 1, (48, 64)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    skin = np.array(tone, np.float32) * np.asarray(1 + 0.022 * mottled[..., None], np.float32)
    for nail_x, nail_y in nails:
        nail = np.clip(2.2 - (((plan.x - nail_x) / 4.6) ** 2 + ((plan.y - nail_y) / 5.8) ** 2) * 2.2, 0, 1)
        share = 0.5 * np.asarray(nail, np.float32)[..., None]
        skin *= 1 - share
        skin += share * np.array(_nail_tone(tone), np.float32)
    return skin


def _nail_tone(tone: Colour) -> Colour:
    """Return the colour of nails on skin of that tone: lighter, and by as much as on _SKIN."""
    blue, green, red = (own * nail / usual for own, nail, usual in zip(tone, (186, 196, 232), _SKIN, strict=True))
    return blue, green, red


def _cloth(plan: _Plan, colour: Colour) -> Layer:
    knit = 1 + 0.07 * np.sin(plan.x * 2.6) * (0.6 + 0.4 * np.sin(plan.y * 1.9))
    return np.asarray(np.array(colour, np.float32) * knit[..., None], np.float32)
