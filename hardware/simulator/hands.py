"""The hand of the virtual tray: how it looks, which way it goes, and what it does."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulator import physics
from hardware.simulator.physics import STEPS_A_SECOND, DiePose, Trajectory, Vectors, carry
from hardware.simulator.scenery import ACROSS_MM
from models.synthetic.die_renderer import PinholeCamera
from vision.frames import Pixels

# Paths of hands that reach to dice, hold them and let go: the pose of each hand over time. Lengths in mm


REACHING_SECONDS = 0.3
"""How long a hand takes to reach in, or to leave."""
_SEAT_MM = 420.0
"""How far from the middle of the field a hand comes from and goes to: beyond the picture."""
_FOLLOWING_MM = 35.0
"""How far a hand goes on in the direction of a throw after it let go."""
SKINS = ((128.0, 160.0, 214.0), (150.0, 180.0, 228.0), (92.0, 124.0, 178.0), (58.0, 82.0, 128.0), (40.0, 56.0, 88.0))
CLOTHS = ((112.0, 74.0, 46.0), (52.0, 58.0, 132.0), (64.0, 64.0, 66.0), (176.0, 178.0, 172.0), (70.0, 104.0, 62.0))


@dataclass(frozen=True)
class HandLook:
    """What a hand looks like: colours (blue, green, red) of its skin and its sleeve, and whether it is a left one."""

    skin: tuple[float, float, float]
    cloth: tuple[float, float, float]
    is_left: bool


@dataclass(frozen=True)
class HandPose:
    """Where a hand is: its fingertips (mm), where its arm comes from (mm), whether it is open, and its look."""

    tip: tuple[float, float]
    seat: tuple[float, float]
    is_open: bool
    look: HandLook


@dataclass(frozen=True, eq=False)
class HandPath:
    """The way of a hand since a moment of the tray's time: fingertips (T x 2), and from which step on it is open."""

    since: float
    tips: Vectors
    opens_at: int
    seat: Vectors
    look: HandLook

    def is_over(self, now: float) -> bool:
        return now - self.since >= len(self.tips) / STEPS_A_SECOND

    def is_leaving(self, now: float) -> bool:
        """True once the hand has let go."""
        return self._step(now) >= self.opens_at

    def tip(self, now: float) -> Vectors:
        return np.asarray(self.tips[self._step(now)])

    def pose(self, now: float) -> HandPose:
        tip, seat = self.tips[self._step(now)], self.seat
        place = (float(tip[0]), float(tip[1]))
        return HandPose(place, (float(seat[0]), float(seat[1])), self.is_leaving(now), self.look)

    def _step(self, now: float) -> int:
        return min(max(round((now - self.since) * STEPS_A_SECOND), 0), len(self.tips) - 1)


def random_look(rng: np.random.Generator) -> HandLook:
    skin, cloth = SKINS[rng.integers(len(SKINS))], CLOTHS[rng.integers(len(CLOTHS))]
    return HandLook(skin, cloth, bool(rng.random() < 0.3))


def random_seat(rng: np.random.Generator) -> Vectors:
    """Return where the arm of a player at the lower edge comes from."""
    return np.array([physics.WIDTH / 2 + rng.uniform(-130, 130), physics.HEIGHT / 2 + _SEAT_MM])


def seat_behind(direction: Vectors) -> Vectors:
    """Return where the arm comes from that throws in that direction (unit vector)."""
    return np.asarray(physics.FIELD_MIDDLE - direction * _SEAT_MM)


def follow(since: float, held: Trajectory, at: tuple[Vectors, Vectors], look: HandLook) -> HandPath:
    """Return the path of a hand that reaches to a die, goes with it for as long as it is held, and leaves.

    at: where its fingertips are, and where its arm comes from.
    """
    (tip, seat), way = at, held.centres[:, :2]
    reach, leave = _between(tip, way[0]), _between(way[-1], seat)
    return HandPath(since, np.concatenate([reach, way, leave]), len(reach) + len(way) - 1, seat, look)


def pick_up_and_throw(since: float, held: Sequence[Trajectory], seat: Vectors, look: HandLook) -> HandPath:
    """Return the path of a hand that takes up dice which are held together, throws them, and leaves."""
    way = np.mean([each.centres[:, :2] for each in held], axis=0)
    ahead = way[-1] + physics.unit(physics.FIELD_MIDDLE - seat) * _FOLLOWING_MM
    swing = np.linspace(way[-1], ahead, round(0.08 * STEPS_A_SECOND))
    parts = [_between(seat, way[0]), way, swing, _between(ahead, seat)]
    return HandPath(since, np.concatenate(parts), len(parts[0]) + len(way), seat, look)


def poses(paths: Iterable[HandPath], now: float) -> tuple[HandPose, ...]:
    """Return where the hands are that are under way."""
    return tuple(path.pose(now) for path in paths if not path.is_over(now))


def _between(start: Vectors, end: Vectors) -> Vectors:
    share = physics.eased(np.linspace(0.0, 1.0, round(REACHING_SECONDS * STEPS_A_SECOND)))
    return np.asarray(start + share[:, None] * (end - start))


# The pictures of hands: one that reaches in from the lower edge, and those that go to dice
#
# They are rounded strokes of flesh and cloth. The light comes from the upper left. Colours are blue, green, red;
# layers are float32, height x width (x 3).


Layer = npt.NDArray[np.float32]
Affine = npt.NDArray[np.float64]
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
_NAIL_MM, _NAIL_TONE = 5.8, (186 / 128, 196 / 160, 232 / 214)
"""How far a nail reaches from its middle, and its colour as shares of the skin's."""
_CUFF_MM = 36.0
"""The sleeve ends there, square."""


@dataclass(frozen=True, eq=False)
class _HandLayers:
    """The hand as pixels, its cover (0 to 1), and the share of the light that its shadow leaves on the table."""

    pixels: Layer
    cover: Layer
    light: Layer


def prepare_hands(size: tuple[int, int]) -> None:
    """Draw the shapes of hands for pictures of that size and cache them, which takes about as long as ten frames."""
    _drawn(size)
    for is_open in (False, True):
        _going_shadow(is_open, size[0])


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
        drawn = _drawn_going(hand.look.skin, hand.look.cloth, hand.is_open, lens.size[0])
        shade = _going_shadow(hand.is_open, lens.size[0])
        plane = _plane(lens, hand)
        # The shadow falls to the lower right, as that of the dice.
        away = 0.02 * lens.size[0]
        cast = plane + np.array([(0, 0, away), (0, 0, 0.7 * away)])
        part, corner = _reached(picture, shade.shape, (plane, cast))
        if part.size:
            size = part.shape[1], part.shape[0]
            shadow = cv2.warpAffine(shade, cast - corner, size, flags=cv2.INTER_LINEAR)
            seen = cv2.warpAffine(drawn, plane - corner, size, flags=cv2.INTER_LINEAR)
            _blend(part, np.asarray(shadow, np.uint8), np.asarray(seen, np.uint8))


def _reached(picture: Pixels, canvas: tuple[int, ...], planes: tuple[Affine, ...]) -> tuple[Pixels, Affine]:
    """Return the part of a picture that a canvas (its height and width) covers, and how far in it begins (2 x 3)."""
    height, width = canvas
    corners = np.array([(x, y, 1) for x in (0, width) for y in (0, height)])
    places = np.concatenate([corners @ plane.T for plane in planes])
    most = picture.shape[1], picture.shape[0]
    left, top = np.clip(np.floor(places.min(axis=0)) - 1, 0, most).astype(int)
    right, bottom = np.clip(np.ceil(places.max(axis=0)) + 1, 0, most).astype(int)
    return picture[top:bottom, left:right], np.array([(0.0, 0.0, left), (0.0, 0.0, top)])


def _blend(part: Pixels, shadow: Pixels, seen: Pixels) -> None:
    """Darken a part of a picture by a shadow (0 to 255), and lay pixels (BGR and cover) over it."""
    left, top, width, height = cv2.boundingRect(cv2.max(shadow, np.ascontiguousarray(seen[..., 3])))
    box = np.s_[top : top + height, left : left + width]
    part, over = part[box], seen[box]
    light = 1 - _SHADOW_DEPTH / 255 * shadow[box].astype(np.float32)
    cover = over[..., 3].astype(np.float32) / 255
    part[:] = part * (light * (1 - cover))[..., None] + over[..., :3] * cover[..., None]


def _plane(lens: PinholeCamera, hand: HandPose) -> Affine:
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


@cache
def _going_shape(is_open: bool, width: int) -> _HandShape:
    """Return a hand that goes to dice, upright on its canvas, for pictures of that width."""
    left, top, right, bottom = _CANVAS_MM
    scale = _canvas_scale(width)
    size = len(np.arange(left, right, 1 / scale)), len(np.arange(top, bottom, 1 / scale))
    plan = _Plan(size, scale, (-left * scale, -top * scale))
    return _shape(plan, _FLESH if is_open else _GRIP, _ARM, _NAILS if is_open else _GRIP_NAILS)


@lru_cache(maxsize=4)
def _drawn_going(skin: Colour, cloth: Colour, is_open: bool, width: int) -> Pixels:
    """Return blue, green, red and cover (4 x 8 bits) of a hand on its canvas; the last two looks are cached."""
    shape = _going_shape(is_open, width)
    return np.dstack([np.clip(shape.coloured(skin, cloth), 0, 255), 255 * shape.cover]).astype(np.uint8)


@cache
def _going_shadow(is_open: bool, width: int) -> Pixels:
    """Return the soft shadow of a hand on its canvas, 0 to 255."""
    cover = (255 * _going_shape(is_open, width).cover).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(cover, (0, 0), 2.5 * _canvas_scale(width)), np.uint8)


@cache
def _drawn(size: tuple[int, int]) -> _HandLayers:
    scale = size[0] / ACROSS_MM
    plan = _Plan(size, scale, (0.46 * size[0], 0.88 * size[1]), _NEARER, np.radians(_TURNED_DEGREES))
    shape = _shape(plan, _FLESH, _SLEEVE, _NAILS)
    moved = np.array([(1, 0, _SHADOW_PIXELS[0]), (0, 1, _SHADOW_PIXELS[1])], np.float32)
    shadow = cv2.warpAffine(shape.cover, moved, size, borderMode=cv2.BORDER_REPLICATE)
    light = 1 - _SHADOW_DEPTH * cv2.GaussianBlur(shadow, (0, 0), _SHADOW_BLUR)
    return _HandLayers(shape.coloured(_SKIN, _CLOTH), shape.cover, np.asarray(light, np.float32))


class _Plan:
    """A canvas of so many pixels, and the millimetres from the wrist at each: `x` across and `y` along the arm.

    wrist: its pixel. nearer: how much larger than `scale`, in pixels a millimetre, things are seen. turned: radians.
    """

    def __init__(
        self, size: tuple[int, int], scale: float, wrist: tuple[float, float], nearer: float = 1.0, turned: float = 0.0
    ) -> None:
        self.size, self.scale = size, scale
        self._wrist, self._seen, self._turned = wrist, scale * nearer, turned
        across = (np.arange(size[0], dtype=np.float32)[None, :] - wrist[0]) / self._seen
        down = (np.arange(size[1], dtype=np.float32)[:, None] - wrist[1]) / self._seen
        self.x = np.asarray(across * np.cos(turned) + down * np.sin(turned), np.float32)
        self.y = np.asarray(down * np.cos(turned) - across * np.sin(turned), np.float32)

    def box(self, ends: Iterable[tuple[float, float]], radius: float) -> tuple[slice, slice]:
        """Return the rows and columns within that many mm of the ends of a stroke, and between them."""
        cos, sin = np.cos(self._turned), np.sin(self._turned)
        pixels = np.array([(x * cos - y * sin, x * sin + y * cos) for x, y in ends]) * self._seen + self._wrist
        first = np.clip(np.floor(pixels.min(axis=0) - radius * self._seen), 0, self.size).astype(int)
        last = np.clip(np.ceil(pixels.max(axis=0) + radius * self._seen) + 1, 0, self.size).astype(int)
        return slice(first[1], last[1]), slice(first[0], last[0])


@dataclass(frozen=True, eq=False)
class _HandShape:
    """A hand in its sleeve, uncoloured: light as shares of the colours (x 3), where cloth is, cover (0 to 1)."""

    texture: Layer
    sleeved: npt.NDArray[np.bool_]
    cover: Layer

    def coloured(self, skin: Colour, cloth: Colour) -> Layer:
        """Return its pixels, blue, green, red."""
        colours = np.where(self.sleeved[..., None], np.array(cloth, np.float32), np.array(skin, np.float32))
        return np.asarray(self.texture * colours, np.float32)


def _shape(plan: _Plan, flesh: tuple[_Stroke, ...], sleeve: tuple[_Stroke, ...], nails: _Nails) -> _HandShape:
    skin, cloth = _relief(flesh, plan), _relief(sleeve, plan)
    cloth[plan.y < _CUFF_MM] = 0.0
    sleeved = cloth > 0
    relief = np.where(sleeved, cloth, skin)
    cover = np.asarray(cv2.GaussianBlur((relief > 0).astype(np.float32), (0, 0), 0.8), np.float32)
    texture = np.where(sleeved[..., None], _knit(plan)[..., None], _skin(plan, nails))
    return _HandShape(texture * _shade(relief, plan.scale)[..., None], sleeved, cover)


def _relief(strokes: tuple[_Stroke, ...], plan: _Plan) -> Layer:
    """Return the height of the strokes at each pixel, in mm; of overlapping ones the highest, 0 where there is none."""
    relief = np.zeros_like(plan.x)
    for stroke in strokes:
        box = plan.box(((stroke.x0, stroke.y0), (stroke.x1, stroke.y1)), max(stroke.r0, stroke.r1))
        np.maximum(relief[box], _height(stroke, plan.x[box], plan.y[box]), out=relief[box])
    smooth = cv2.GaussianBlur(relief, (0, 0), 0.004 * ACROSS_MM * plan.scale)
    return np.asarray(np.where(relief > 0, np.maximum(smooth, 0.01), 0), np.float32)


def _height(stroke: _Stroke, x: Layer, y: Layer) -> Layer:
    along_x, along_y = stroke.x1 - stroke.x0, stroke.y1 - stroke.y0
    share = ((x - stroke.x0) * along_x + (y - stroke.y0) * along_y) / (along_x**2 + along_y**2)
    share = np.clip(share, 0, 1)
    radius = stroke.r0 + share * (stroke.r1 - stroke.r0)
    away = (x - stroke.x0 - share * along_x) ** 2 + (y - stroke.y0 - share * along_y) ** 2
    return np.asarray(stroke.flatness * np.sqrt(np.maximum(radius**2 - away, 0)), np.float32)


def _shade(relief: Layer, scale: float) -> Layer:
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3) / 8 * scale
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3) / 8 * scale
    steepness = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lit = (-slope_x * _LAMP[0] - slope_y * _LAMP[1] + _LAMP[2]) / steepness
    return np.asarray(0.5 + 0.55 * np.clip(lit, 0, 1), np.float32)


def _skin(plan: _Plan, nails: _Nails) -> Layer:
    """Return the light of skin as shares of its tone (x 3): mottled, and with lighter nails."""
    rng = np.random.default_rng(3)
    mottled = cv2.resize(rng.normal(0, 1, (48, 64)).astype(np.float32), plan.size, interpolation=cv2.INTER_CUBIC)
    skin = np.repeat(np.asarray(1 + 0.022 * mottled[..., None], np.float32), 3, axis=2)
    for nail_x, nail_y in nails:
        box = plan.box([(nail_x, nail_y)], _NAIL_MM)
        away = ((plan.x[box] - nail_x) / 4.6) ** 2 + ((plan.y[box] - nail_y) / 5.8) ** 2
        share = 0.5 * np.asarray(np.clip(2.2 - 2.2 * away, 0, 1), np.float32)[..., None]
        skin[box] = skin[box] * (1 - share) + share * np.array(_NAIL_TONE, np.float32)
    return skin


def _knit(plan: _Plan) -> Layer:
    """Return the light of cloth as shares of its colour."""
    return np.asarray(1 + 0.07 * np.sin(plan.x * 2.6) * (0.6 + 0.4 * np.sin(plan.y * 1.9)), np.float32)


# What hands do with dice on the virtual tray: pick up, carry, turn, knock off. All lengths in mm, times in seconds


PICKING_UP_SECONDS, SHAKING_SECONDS = 0.35, 0.2
CARRYING_SPEED = 700.0
"""Millimetres a second at which a hand carries a die."""
CARRYING_HEIGHT = 28.0
TURNING_SECONDS, TURNING_HEIGHT = 0.6, 14.0
IN_THE_HAND = (physics.WIDTH / 2, physics.HEIGHT + 110.0)
"""Where dice are that are away: beyond the lower edge of the picture."""
BRINGING_SECONDS = 0.16
"""How long a hand takes from out of view to where it lets go."""
LETTING_GO_SECONDS = REACHING_SECONDS + PICKING_UP_SECONDS + SHAKING_SECONDS + BRINGING_SECONDS
"""Seconds from the moment at which a hand reaches in to the one at which its dice fly."""
IN_HAND_MM = 290.0
"""How far from the middle of the field a hand shakes its dice: beyond the picture."""
KNOCKING_SECONDS = 0.1
"""How long a hand pushes a die that it knocks off."""
FALLING_SECONDS, FALLING_WAY = 0.8, 420.0
DROPPING_HEIGHT = 35.0, 55.0
"""Millimetres between the table and a die that fingers let go, from and to."""
SLIDING_SPEED = 160.0
"""Millimetres a second at which a finger pushes a die over the felt."""
_DROP_WAY = 14.0
"""About how far a die that is dropped rolls on, in mm."""
_BOUNCES = (0.42, 0.4)
"""The share of its speed that a dropped die keeps at its first bounce and at its second."""


def pose_in_hand(rng: np.random.Generator) -> DiePose:
    """Return the pose of a die in the hand, with a random face."""
    return DiePose(np.array([*IN_THE_HAND, 20.0]), physics.flat_rotation(int(rng.integers(6)), 0.0))


def bring_and_throw(start: DiePose, seat: Vectors, flight: Trajectory) -> Trajectory:
    """Take a die out of view in the hand, shake it there, bring it to where the hand lets go, and let it fly."""
    first = flight.at(0)
    hidden = DiePose(
        np.array([*(physics.FIELD_MIDDLE + physics.unit(seat - physics.FIELD_MIDDLE) * IN_HAND_MM), 20.0]),
        first.rotation,
    )
    lifted = carry(start, DiePose(hidden.centre, start.rotation), PICKING_UP_SECONDS, CARRYING_HEIGHT)
    held = lifted.then(physics.hold(round(SHAKING_SECONDS * STEPS_A_SECOND), hidden))
    return held.then(carry(hidden, first, BRINGING_SECONDS, 0.0)).then(flight)


def wait_for_throw(now: DiePose, is_moving: bool, push: Trajectory) -> Trajectory:
    """Keep a die that a throw will push where it is until the throw begins; one still moving gets there meanwhile."""
    waiting = round(LETTING_GO_SECONDS * STEPS_A_SECOND)
    before = carry(now, push.at(0), waiting / STEPS_A_SECOND, 0.0) if is_moving else physics.hold(waiting, now)
    return before.then(push)


def carry_over(start: DiePose, end: DiePose) -> Trajectory:
    far = float(np.linalg.norm(end.centre - start.centre))
    return carry(start, end, 0.25 + far / CARRYING_SPEED, CARRYING_HEIGHT)


def set_down(start: DiePose, end: DiePose) -> Trajectory:
    """Carry a die at a hand's speed, and turn it in the fingers on the way so that it lies as asked."""
    far = float(np.linalg.norm(end.centre - start.centre))
    return physics.carry_turning(start, end, 0.45 + far / CARRYING_SPEED, CARRYING_HEIGHT)


def drop(start: DiePose, end: DiePose, edge: float, rng: np.random.Generator) -> Trajectory:
    """Hold a die in the fingers above the table and let it fall: it bounces twice, low, and rolls a little."""
    falling = _fall(end, edge, rng)
    held = falling.at(0)
    far = float(np.linalg.norm(held.centre - start.centre))
    carried = physics.carry_turning(start, held, 0.3 + far / CARRYING_SPEED, CARRYING_HEIGHT / 2)
    return carried.then(physics.hold(round(0.1 * STEPS_A_SECOND), held)).then(falling)


def slide(start: DiePose, end: DiePose) -> Trajectory:
    """Push a die over the felt with a finger."""
    far = float(np.linalg.norm(end.centre - start.centre))
    return carry(start.upright, end, 0.1 + far / SLIDING_SPEED, 0.0)


def held_part(trajectory: Trajectory, edge: float) -> Trajectory:
    """Return the part of a movement in which the die is in the fingers: all but its fall, where it is dropped."""
    heights = trajectory.centres[:, 2]
    highest = len(heights) - 1 - int(np.argmax(heights[::-1] > 0.97 * heights.max()))
    falls = heights[highest] > edge and bool((np.diff(heights[highest:]) > 0.05).any())
    return trajectory.part(0.0, highest / STEPS_A_SECOND) if falls else trajectory


def turn_to(start: DiePose, end: DiePose) -> Trajectory:
    """Lift a die a little and turn it in the fingers where it lies."""
    return physics.carry_turning(start, end, TURNING_SECONDS, TURNING_HEIGHT)


def about_vertical(angle: float) -> Vectors:
    return physics.rotation_about(np.array([0.0, 0.0, 1.0]), angle)


def jolt(start: DiePose, end: DiePose) -> Trajectory:
    """Let a die jump a little, as it does when somebody bumps the table."""
    return carry(start, end, 0.12, 2.0)


def fall_beside(start: DiePose, place: Vectors, edge: float) -> Trajectory:
    """Let a die whose support was taken away fall to a place (x and y) on the table."""
    return carry(start, DiePose(np.array([*place, edge / 2]), start.rotation), 0.15, 0.0)


def _fall(end: DiePose, edge: float, rng: np.random.Generator) -> Trajectory:
    """Return the fall of a die from the fingers (mm, seconds): at first at rest, at last as asked."""
    speed = float(np.sqrt(2 * physics.GRAVITY * rng.uniform(*DROPPING_HEIGHT)))
    ups = (0.0, speed * _BOUNCES[0], speed * _BOUNCES[0] * _BOUNCES[1])
    hops = [_hop(up, speed**2 / (2 * physics.GRAVITY) if up == 0.0 else 0.0) for up in ups]
    heights = np.concatenate([*hops, np.zeros(4)])
    fallen = len(hops[0])
    rolled = np.concatenate([np.zeros(fallen), 1 - (1 - np.linspace(0, 1, len(heights) - fallen)) ** 2])
    angle = float(rng.uniform(0, 2 * np.pi))
    way = _DROP_WAY * float(rng.uniform(0.3, 1.5)) * np.array([np.cos(angle), np.sin(angle)])
    places = end.centre[:2] + (rolled - 1.0)[:, None] * way
    spins = physics.rolling_spins(np.gradient(places, 1.0 / STEPS_A_SECOND, axis=0), edge)
    return physics.lift_to_ground(physics.spin_backwards(np.column_stack([places, heights]), end.rotation, spins), edge)


def _hop(up: float, from_height: float) -> Vectors:
    """Return the heights of a flight that begins at a height with an upward speed and ends on the ground."""
    seconds = (up + np.sqrt(up**2 + 2 * physics.GRAVITY * from_height)) / physics.GRAVITY
    times = np.arange(0.0, seconds, 1.0 / STEPS_A_SECOND)
    return np.asarray(np.maximum(from_height + up * times - physics.GRAVITY / 2 * times**2, 0.0))


def turn_over(start: DiePose, place: Vectors, turn: Vectors, edge: float) -> Trajectory:
    """Lift a die a little, turn it (axis times radians) and put it down at a place (x and y)."""
    return physics.turn_in_hand(start, np.array([*place, edge / 2]), turn, TURNING_SECONDS, TURNING_HEIGHT)


def knock_off(start: DiePose, edge: float) -> Trajectory:
    """Push a die so that it rolls over the nearest edge of the picture."""
    off_centre = (start.centre[:2] - (physics.WIDTH / 2, physics.HEIGHT / 2)) / (physics.WIDTH, physics.HEIGHT)
    is_nearest = np.abs(off_centre) == np.abs(off_centre).max()
    direction = np.where(is_nearest, np.where(off_centre < 0, -1.0, 1.0), 0.0)
    direction /= np.linalg.norm(direction)
    steps = round(FALLING_SECONDS * STEPS_A_SECOND)
    along = np.linspace(0.0, FALLING_WAY, steps)
    hops = 26.0 * np.abs(np.sin(np.pi * along / 90.0)) ** 0.6
    centres = np.column_stack([start.centre[:2] + along[:, None] * direction, hops])
    spin = physics.rolling_spins(np.repeat(direction[None] * FALLING_WAY, steps, axis=0), edge)[0]
    speed = float(np.linalg.norm(spin))
    angles = [speed * step / STEPS_A_SECOND for step in range(steps)]
    rotations = np.stack([physics.rotation_about(spin / speed, angle) @ start.rotation for angle in angles])
    return physics.lift_to_ground(Trajectory(centres, rotations), edge)
