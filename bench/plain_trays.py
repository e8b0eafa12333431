"""Trays without markers, drawn: a rim around a floor on a table, dice in it, by a camera that may be pushed.

Surfaces, rims, sizes, lamps and cameras differ from tray to tray. Nothing here was trained on: surfaces and the dice's
art are those for scoring, or for choosing where limits are set.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulator.physics import MARKER, QUIET, flat_rotation, marker_picture
from models import die_sets
from models.synthetic.canvas import Use
from models.synthetic.die_renderer import DirectionalLight, PinholeCamera, Pose, SolidDie, emulate_sensor, paint_dice
from models.synthetic.family_art import KindArt, family_art
from models.training.surfaces import FAMILY_MAKERS
from referee.dice import DieSet, KindName
from vision.frames import Pixels
from vision.image_io import decode_picture, encode_jpeg

SIZE = (1280, 960)
FINENESS = 2.5
"""Pixels a millimetre of the painted ground."""
AROUND_MM = 200.0
"""How far the table reaches around the tray."""
MARKER_MM = MARKER + 2 * QUIET
Numbers = npt.NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Nudge:
    """A push: of the camera in mm and degrees, and of the tray on the table."""

    eye_mm: tuple[float, float] = (0.0, 0.0)
    tilt: float = 0.0
    pan: float = 0.0
    tray_mm: tuple[float, float] = (0.0, 0.0)
    tray_turn: float = 0.0


@dataclass(frozen=True, eq=False)
class PlainTray:
    """A tray of inner width and height in mm, and how it is seen."""

    width_mm: float
    height_mm: float
    rim_mm: float
    rim_high_mm: float
    floor: Pixels
    table: Pixels
    rim: tuple[float, float, float]
    light: DirectionalLight
    above_mm: float
    tilt: float
    pan: float
    aside: tuple[float, float]
    noise: float
    blur: float
    quality: int
    dice: DieSet
    art: dict[KindName, KindArt]
    markers: bool = False
    nudge: Nudge = field(default_factory=Nudge)

    @property
    def lens(self) -> PinholeCamera:
        """The camera, where it was pushed to."""
        middle = np.array([self.width_mm, self.height_mm]) / 2 + self.aside + self.nudge.eye_mm
        share = 0.74 * min(SIZE[0] / self.width_mm, SIZE[1] / self.height_mm)
        tilt, pan = self.tilt + self.nudge.tilt, self.pan + self.nudge.pan
        focal = share * self.above_mm / np.cos(np.radians(self.tilt))
        return PinholeCamera.above(
            (float(middle[0]), float(middle[1])), self.above_mm, float(focal), SIZE, tilt_degrees=tilt, pan_degrees=pan
        )

    def on_table(self, points: Numbers) -> Numbers:
        """Return points of the tray (n, 2) where they lie on the table, after the tray was pushed."""
        turn = np.radians(self.nudge.tray_turn)
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        middle = np.array([self.width_mm, self.height_mm]) / 2
        return np.asarray((points - middle) @ matrix.T + middle + self.nudge.tray_mm)

    def corners(self, widened: float = 0.0) -> Numbers:
        """Return the corners of the floor, clockwise from the top left, moved outwards."""
        low, across, down = -widened, self.width_mm + widened, self.height_mm + widened
        return np.array([(low, low), (across, low), (across, down), (low, down)])

    def seen_corners(self) -> Numbers:
        """Return where a person sees the floor's corners: pixels (4, 2), the rim's where it hides the floor."""
        lens, floor = self.lens, self.on_table(self.corners())
        high = np.column_stack([floor, np.full(4, self.rim_high_mm)])
        low = np.column_stack([floor, np.zeros(4)])
        middle = lens.project([[*self.on_table(np.array([[self.width_mm, self.height_mm]]) / 2)[0], 0.0]])
        pairs = zip(lens.project(low), lens.project(high), strict=True)
        seen = [min(pair, key=lambda spot: float(np.linalg.norm(spot - middle[0]))) for pair in pairs]
        return np.array(seen)


def plain_tray(rng: Rng, use: Use, dice: str = "d6") -> PlainTray:
    """Return a tray of that use."""
    makers = FAMILY_MAKERS[use]
    width = float(rng.uniform(190, 330))
    height = width * float(rng.uniform(0.66, 0.9))
    side = round((width + 2 * AROUND_MM) * FINENESS)
    floor, table = (makers[int(rng.integers(len(makers)))](side, rng) for _ in range(2))
    bright, around, low = float(rng.uniform(0.7, 1.05)), float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.2, 1.0))
    warm = float(rng.uniform(-0.08, 0.14))
    light = DirectionalLight(
        (low * np.cos(around), low * np.sin(around), 1.0),
        (bright * (1 - warm), bright, bright * (1 + warm)),
        float(rng.uniform(0.35, 0.7)),
        float(rng.uniform(0.1, 0.6)),
    )
    found = die_sets.load(dice)
    tone = rng.uniform(30, 200)
    return PlainTray(
        width,
        height,
        float(rng.uniform(4, 14)),
        float(rng.uniform(6, 25)),
        floor,
        table,
        (tone * rng.uniform(0.6, 1), tone * rng.uniform(0.7, 1), tone),
        light,
        float(rng.uniform(420, 720)),
        float(rng.uniform(0, 20)),
        float(rng.normal(0, 5)),
        (float(rng.normal(0, 8)), float(rng.normal(0, 8))),
        float(rng.uniform(1, 5)),
        float(rng.uniform(0.3, 1.0)),
        int(rng.integers(70, 92)),
        found,
        family_art(found, use, rng),
    )


@dataclass(frozen=True, eq=False)
class LaidDie:
    """A die that lies flat in a tray: the side that is up, its face, and its place in mm of the tray."""

    kind: KindName
    side: int
    face: str
    x_mm: float
    y_mm: float
    yaw: float


def lay_dice(tray: PlainTray, count: int, rng: Rng) -> list[LaidDie]:
    """Lay dice flat, apart from one another and from where markers would lie."""
    kinds = [kind for kind, number in tray.dice.counts for _ in range(number)]
    edge, laid = tray.dice.edge_mm, list[LaidDie]()
    while len(laid) < count:
        x, y = (float(rng.uniform(edge * 0.75, most - edge * 0.75)) for most in (tray.width_mm, tray.height_mm))
        near_corner = min(x, tray.width_mm - x) < MARKER_MM + edge and min(y, tray.height_mm - y) < MARKER_MM + edge
        if near_corner or any(np.hypot(die.x_mm - x, die.y_mm - y) < 1.5 * edge for die in laid):
            continue
        kind, side = kinds[len(laid) % len(kinds)], int(rng.integers(6))
        laid.append(LaidDie(kind.name, side, str(kind.sides[side].name), x, y, float(rng.uniform(0, np.pi / 2))))
    return laid


def picture_of(tray: PlainTray, lying: list[LaidDie], rng: Rng, exposure: float = 1.0) -> Pixels:
    """Return the tray with its dice as the camera gives it."""
    lens, picture = tray.lens, _empty(tray).copy()
    solids = [_solid(tray, die) for die in lying]
    paint_dice(picture, lens, solids, tray.light)
    gains = (exposure,) * 3
    seen = emulate_sensor(picture, rng, noise=tray.noise, blur=tray.blur, gains=gains, vignette=0.15)
    return decode_picture(encode_jpeg(seen, tray.quality))


def hand_over(pixels: Pixels, rng: Rng) -> Pixels:
    """Return the picture with a forearm that reaches in over one edge."""
    found = pixels.copy()
    height, width = found.shape[:2]
    middle = np.array([width, height]) / 2
    way = float(rng.uniform(0, 2 * np.pi))
    tip = middle + rng.uniform(-0.15, 0.15, 2) * (width, height)
    end = tip + np.array([np.cos(way), np.sin(way)]) * width
    skin = tuple(float(part) for part in np.array([110, 140, 200]) * rng.uniform(0.4, 1.1))
    cv2.line(
        found, *(tuple(int(each) for each in spot) for spot in (tip, end)), skin, int(rng.uniform(60, 150)), cv2.LINE_AA
    )
    return found


@lru_cache(maxsize=4)
def _empty(tray: PlainTray) -> Pixels:
    """Return the tray without dice as its lens sees it: the same one for all throws."""
    lens = tray.lens
    picture = _ground(tray, lens)
    _walls(picture, tray, lens)
    return picture


def _ground(tray: PlainTray, lens: PinholeCamera) -> Pixels:
    table = tray.table.copy()
    to_canvas = np.array([[FINENESS, 0, AROUND_MM * FINENESS], [0, FINENESS, AROUND_MM * FINENESS]])
    here = tray.on_table(tray.corners())
    floor = cv2.warpAffine(
        tray.floor, _rigid(tray), table.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    away = np.array(tray.light.direction[:2]) * tray.rim_high_mm
    shadow = np.zeros(table.shape[:2], np.float32)
    ring = tray.on_table(tray.corners(tray.rim_mm))
    _fill(shadow, ring - away, to_canvas, 1.0)
    deep, wide = 0.6 * (1 - tray.light.ambient), 2 + 3 * tray.light.softness * tray.rim_high_mm
    dark = 1 - deep * _softened(shadow, wide)
    table = (table * dark[..., None].astype(np.float32)).astype(np.uint8)
    _fill(table, ring, to_canvas, tray.rim)
    inside = np.zeros(table.shape[:2], np.uint8)
    _fill(inside, here, to_canvas, 255)
    bright = np.zeros(table.shape[:2], np.float32)
    _fill(bright, here - away, to_canvas, 1.0)
    lit = floor * (1 - deep * (1 - _softened(bright, wide)))[..., None].astype(np.float32)
    table[inside > 0] = lit[inside > 0].astype(np.uint8)
    if tray.markers:
        _glue_markers(table, tray)
    gains = np.array([*tray.light.colour, 0.0])
    table = np.asarray(cv2.multiply(cv2.GaussianBlur(table, (0, 0), 0.6), gains), np.uint8)
    back = np.linalg.inv(np.vstack([to_canvas, [0, 0, 1]]))
    return np.asarray(
        cv2.warpPerspective(
            table, lens.homography() @ back, lens.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        ),
        np.uint8,
    )


def _softened(mask: npt.NDArray[np.float32], wide: float) -> npt.NDArray[np.float32]:
    """Return a blurred mask; so wide a blur is the same at a quarter of the size."""
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), max(wide / 4, 0.5))
    return np.asarray(cv2.resize(blurred, mask.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _glue_markers(table: Pixels, tray: PlainTray) -> None:
    reach, side = round(MARKER_MM / 2 * FINENESS), round(MARKER * FINENESS)
    spare = (2 * reach - side) // 2
    for number, (x, y) in enumerate(marker_places(tray)):
        left, top = round((x + AROUND_MM) * FINENESS) - reach, round((y + AROUND_MM) * FINENESS) - reach
        table[top : top + 2 * reach, left : left + 2 * reach] = 235
        cells = cv2.resize(marker_picture(number), (side, side), interpolation=cv2.INTER_NEAREST)
        inner = (22 + cells[..., None].astype(np.float64) * (235 - 22) / 255).astype(np.uint8)
        table[top + spare : top + spare + side, left + spare : left + spare + side] = inner


def marker_places(tray: PlainTray) -> Numbers:
    """Return where the markers' centres lie in mm of the tray: on the floor, in its corners."""
    return tray.corners(-MARKER_MM / 2 - 1)


def with_markers(tray: PlainTray) -> PlainTray:
    """Return the same tray with markers in its corners."""
    return replace(tray, markers=True)


def _rigid(tray: PlainTray) -> Numbers:
    """Return how the tray was pushed, in pixels of the ground."""
    points = np.array([(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)])
    before, after = ((each + AROUND_MM) * FINENESS for each in (points, tray.on_table(points)))
    return np.asarray(cv2.getAffineTransform(before.astype(np.float32), after.astype(np.float32)))


def _fill(canvas: npt.NDArray[np.generic], points: Numbers, to_canvas: Numbers, colour: object) -> None:
    spots = points @ to_canvas[:, :2].T + to_canvas[:, 2]
    cv2.fillPoly(
        canvas, [np.round(spots * 16).astype(np.int32)], colour, cv2.LINE_AA if canvas.dtype == np.uint8 else 8, 4
    )


def _walls(picture: Pixels, tray: PlainTray, lens: PinholeCamera) -> None:
    """Draw the rim's outer walls, its inner walls that face the camera, and its top."""
    for widened, faces in ((tray.rim_mm, -1), (0.0, 1)):
        base = tray.on_table(tray.corners(widened))
        for side in range(4):
            ends = [base[side], base[(side + 1) % 4]]
            along = ends[1] - ends[0]
            inward = np.array([-along[1], along[0]]) * faces
            if inward @ (lens.eye[:2] - ends[0]) <= 0 and faces < 0:
                continue
            spots = lens.project(
                [[*ends[0], 0], [*ends[1], 0], [*ends[1], tray.rim_high_mm], [*ends[0], tray.rim_high_mm]]
            )
            facing = float(inward @ np.array(tray.light.direction[:2])) / float(np.linalg.norm(inward))
            bright = (0.55 + 0.3 * facing) * np.array(tray.light.colour)
            colour = tuple(float(np.clip(part, 0, 255)) for part in np.array(tray.rim) * bright)
            cv2.fillConvexPoly(picture, np.round(spots * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    _rim_top(picture, tray, lens)


def _rim_top(picture: Pixels, tray: PlainTray, lens: PinholeCamera) -> None:
    outer, inner = (
        lens.project(np.column_stack([tray.on_table(tray.corners(widened)), np.full(4, tray.rim_high_mm)]))
        for widened in (tray.rim_mm, 0.0)
    )
    mask = np.zeros(picture.shape[:2], np.uint8)
    for spots, level in ((outer, 255), (inner, 0)):
        cv2.fillPoly(mask, [np.round(spots * 16).astype(np.int32)], level, cv2.LINE_8, 4)
    colour = np.clip(np.array(tray.rim) * np.array(tray.light.colour), 0, 255)
    share = cv2.GaussianBlur(mask, (0, 0), 0.7)[..., None] / 255.0
    picture[:] = (picture * (1 - share) + colour * share).astype(np.uint8)


def _solid(tray: PlainTray, die: LaidDie) -> SolidDie:
    faces = [tray.art[die.kind].faces[side.name] for side in tray.dice.kind(die.kind).sides]
    turn = np.array(
        [(np.cos(die.yaw), -np.sin(die.yaw), 0.0), (np.sin(die.yaw), np.cos(die.yaw), 0.0), (0.0, 0.0, 1.0)]
    )
    place = tray.on_table(np.array([[die.x_mm, die.y_mm]]))[0]
    edge = tray.dice.edge_mm
    pose = Pose(np.array([*place, edge / 2]), turn @ flat_rotation(die.side, 0.0), edge)
    return SolidDie(pose, (faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]), 0.3)
