"""Random trays for Blender's Cycles: mats on paper, cut-out markers, walls, floors, lamps, dice, and a camera above.

The origin is the middle of the marked rectangle, x to the right and y away from the tray's lower edge, in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from models.synthetic.canvas import Material, Use
from models.training.cycles_scene import AreaLight, Box, CyclesDie, CyclesScene, Finish, Light, Picture, SceneCamera
from models.training.lying_dice import (
    NO_SPHERE,
    Array,
    DiceTable,
    DieSurface,
    PlacedDie,
    Rng,
    Solid,
    Wanted,
    die_surface,
    engraved,
    turned,
)
from models.training.surfaces import ELEVATIONS, FAMILY_MAKERS, MAKERS, WARMTHS, surface
from models.training.texture_atlas import UnlitDie, random_unlit_die
from referee.dice import KindName

EDGE_MM = (10.0, 25.0)
EDGE_PIXELS = (20.0, 70.0)
VIEW_DEGREES = (38.0, 75.0)
STEEP_DEGREES, OBLIQUE_DEGREES, STEEP_SHARE = (0.0, 25.0), (25.0, 55.0), 0.6
"""How far the camera is tilted from straight down, and the share of pictures that are not oblique."""
SIZES, LARGE_SHARE = ((640, 480), (800, 600)), 0.06
CLOSER_SHARE = 0.15
"""Share of pictures too near for all four markers."""
MAT_SHARE, OUR_MAT_SHARE, WALLED_SHARE = 0.55, 0.5, 0.6
OUR_MATS = {(420.0, 297.0): (300.0, 225.0), (297.0, 210.0): (240.0, 165.0), (279.4, 215.9): (235.0, 165.0)}
"""Papers of our mats, and the rectangle of marker centres on each."""
PRINT_SCALES = (0.93, 1.0)
WIDTH_MM, ASPECT, MARKER_MM = (140.0, 420.0), (0.55, 1.0), (15.0, 40.0)
QUIET_CELLS = 1.2
"""White around a marker, in its cells, of which it has six to the side."""
PIXELS_PER_MM = 4.0
"""Of printed paper."""
SAME_DICE_SHARE = 0.5
CROWD, CROWD_DESIGNS = {"alone": (14, 31), "leaning": (8, 19), "stacked": (2, 7)}, (6, 13)
"""Dice, and designs, in a crowded tray: a picture teaches as much as it has dice."""
KINDS = {"d6": 0.42, "digits": 0.14, "traffic": 0.11, "signal": 0.09, "tossup": 0.05, "rollers-purple": 0.04,
         "rollers-black": 0.05, "switch": 0.1}  # fmt: skip
TEXTURE_PX = 1024


@dataclass(frozen=True, eq=False)
class MarkedFloor:
    """The marked rectangle, what it lies in, and where dice may lie.

    corners: (4, 2), of where dice may lie. boxes: paper, walls, table. walls: those of them that may hide something.
    """

    width_mm: float
    height_mm: float
    marker_mm: float
    corners: Array
    walled: bool
    boxes: tuple[Box, ...]
    walls: tuple[Solid, ...]

    @property
    def centres(self) -> Array:
        """Return the marker centres by id, (4, 2), clockwise from the top left."""
        return rectangle(self.width_mm, self.height_mm)


@dataclass(frozen=True, eq=False)
class DieDesign:
    """How dice of one design are drawn and made."""

    art: UnlitDie
    surface: DieSurface
    finish: Finish


@dataclass(frozen=True, eq=False)
class MarkedScene:
    """A scene with what is true of it: `designs` are those of `table.dice`."""

    scene: CyclesScene
    floor: MarkedFloor
    table: DiceTable
    designs: tuple[DieDesign, ...]


def rectangle(width: float, height: float) -> Array:
    """Return the corners (4, 2) of a rectangle about the origin, clockwise from the top left."""
    return np.array([(-width, height), (width, height), (width, -height), (-width, -height)]) / 2


def random_scene(rng: Rng, use: Use, *, crowded: bool = False) -> MarkedScene:
    """Return a random scene in the art, surfaces and lamps of a use; `crowded`, with as many dice as there is room."""
    edge = float(np.exp(rng.uniform(*np.log(EDGE_MM))))
    while True:
        floor = random_floor(rng, use, edge)
        camera = random_camera(rng, floor, edge)
        across = [edge_pixels(camera, np.array([*place, edge]), edge) for place in (*floor.centres * 0.7, (0.0, 0.0))]
        if EDGE_PIXELS[0] <= min(across) and max(across) <= EDGE_PIXELS[1]:
            break
    table = _laid_table(rng, floor, edge, crowded=crowded)
    different = int(rng.integers(*CROWD_DESIGNS)) if crowded else designs_of_a_table(rng)
    designs = random_designs(rng, use, len(table.dice), table.roundness, different)
    dice = [
        CyclesDie(die.solid, design.surface, design.art.pixels, design.finish)
        for die, design in zip(table.dice, designs, strict=True)
    ]
    props = [_prop(support, rng, use) for support in table.supports]
    lamps, sky, strength = random_light(rng, use, floor)
    scene = CyclesScene(camera, sky, strength, lamps, (*floor.boxes, *props), dice, seed=int(rng.integers(1 << 30)))
    return MarkedScene(scene, floor, table, tuple(designs))


def edge_pixels(camera: SceneCamera, place: Array, edge: float) -> float:
    """Return about how long an edge is in the picture, at a place in space."""
    ends = camera.project(np.array([place - edge / 2 * camera.axes[0], place + edge / 2 * camera.axes[0]]))
    return float(np.linalg.norm(ends[1] - ends[0]))


# The floor


def random_floor(rng: Rng, use: Use, edge: float) -> MarkedFloor:
    """Return a mat on paper or cut-out markers, in a tray with walls or on a table."""
    on_paper = rng.random() < MAT_SHARE
    sheet, size, marker = _random_sizes(rng, edge, ours=on_paper and rng.random() < OUR_MAT_SHARE)
    quiet = marker / 6 * QUIET_CELLS
    brim = np.full(2, marker / 2 + quiet) + rng.uniform(0, 12, 2)
    if on_paper:
        brim = np.maximum(brim, (np.array(sheet) - size) / 2)
    walled = bool(rng.random() < WALLED_SHARE)
    floor = rectangle(*(np.array(size) + 2 * brim))
    ground = -0.15 if on_paper else 0.0
    boxes = [_floor_box(rng, use, floor, walled, ground)]
    boxes += [_mat(rng, sheet, size, marker)] if on_paper else _cut_outs(rng, size, marker)
    walls = _walls(rng, use, floor) if walled else []
    return MarkedFloor(*size, marker, floor, walled, (*boxes, *walls), tuple(wall.solid for wall in walls))


def _random_sizes(rng: Rng, edge: float, ours: bool) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Return the paper's size, that of the rectangle of marker centres, and the side of a marker."""
    if ours:
        papers = list(OUR_MATS)
        paper = papers[int(rng.integers(len(papers)))]
        scale = 1.0 if rng.random() < 0.5 else float(rng.uniform(*PRINT_SCALES))
        width, height = OUR_MATS[paper]
        return paper, (width * scale, height * scale), 20.0 * scale
    widest = min(WIDTH_MM[1], 27 * edge)
    width = float(rng.uniform(WIDTH_MM[0], max(widest, WIDTH_MM[0] + 1)))
    height = width * float(rng.uniform(*ASPECT))
    marker = float(rng.uniform(MARKER_MM[0], min(MARKER_MM[1], max(0.26 * height, MARKER_MM[0] + 1))))
    margin = 2 * (marker / 2 + marker / 6 * QUIET_CELLS)
    return (
        (width + margin + float(rng.uniform(2, 40)), height + margin + float(rng.uniform(2, 40))),
        (width, height),
        marker,
    )


def _floor_box(rng: Rng, use: Use, floor: Array, walled: bool, ground: float) -> Box:
    """Return the tray's floor or, without walls, the table."""
    size = floor[1] - floor[3] + 4 if walled else np.array([3000.0, 3000.0])
    half = np.array([*size, 4.0]) / 2
    return Box(Solid(np.array([0.0, 0.0, ground - 2.0]), np.eye(3), half), _surface(rng, use), _tile(rng), _cloth(rng))


def _surface(rng: Rng, use: Use) -> Picture:
    """Return a surface of a use; those of families are no training's, and so may be chosen and scored on."""
    makers = FAMILY_MAKERS[use] or MAKERS[use]
    return makers[int(rng.integers(len(makers)))](TEXTURE_PX, rng)


def _tile(rng: Rng) -> tuple[float, float]:
    wide = float(rng.uniform(220, 600))
    return wide, wide


def _cloth(rng: Rng) -> Finish:
    """Return the finish of a floor or a wall: cloth, felt, raw or varnished wood, leather."""
    inputs = {"Roughness": float(rng.uniform(0.25, 1.0)), "Specular IOR Level": float(rng.uniform(0.1, 0.5))}
    if rng.random() < 0.3:
        inputs |= {"Sheen Weight": float(rng.uniform(0.1, 0.5)), "Roughness": 0.9}
    return Finish(inputs, bump_mm=float(rng.uniform(0.1, 1.0)) if rng.random() < 0.8 else 0.0)


def _walls(rng: Rng, use: Use, floor: Array) -> list[Box]:
    texture, tile, finish = _surface(rng, use), _tile(rng), _cloth(rng)
    thick, high = float(rng.uniform(3, 14)), float(np.exp(rng.uniform(np.log(5), np.log(45))))
    walls = []
    for k in range(4):
        start, end = floor[k], floor[(k + 1) % 4]
        outward = (start + end) / 2 / np.linalg.norm((start + end) / 2)
        long = float(np.linalg.norm(end - start)) + 2 * thick * (k % 2)
        middle = (start + end) / 2 + outward * thick / 2
        along = (end - start) / np.linalg.norm(end - start)
        half = np.array([long, thick, high + 4]) / 2
        solid = Solid(np.array([*middle, high / 2 - 2]), turned(float(np.arctan2(along[1], along[0]))), half)
        walls.append(Box(solid, texture, tile, finish, bevel=min(thick, high) * float(rng.uniform(0.05, 0.4))))
    table = Solid(np.array([0.0, 0.0, -8.0]), np.eye(3), np.array([1500.0, 1500.0, 2.0]))
    return [*walls, Box(table, _surface(rng, use), _tile(rng), _cloth(rng))]


_PAPER = Finish({"Roughness": 0.85, "Specular IOR Level": 0.25})


def marker_picture(number: int, side: int) -> Picture:
    """Return a marker (uint8, grey) whose cells are whole pixels, and about `side` wide."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = cv2.aruco.generateImageMarker(dictionary, number, 6)
    return np.asarray(cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST), np.uint8)


def _mat(rng: Rng, sheet: tuple[float, float], size: tuple[float, float], marker: float) -> Box:
    """Return a printed mat: paper with the markers and, mostly, the lines and words of ours."""
    wide, high = (round(side * PIXELS_PER_MM) for side in sheet)
    grey = np.full((high, wide), 255, np.uint8)
    middle = np.array([wide, high]) / 2
    places = middle + rectangle(*size) * (1, -1) * PIXELS_PER_MM
    if rng.random() < 0.85:
        _draw_lines(grey, places, marker * PIXELS_PER_MM, rng)
    side = round(marker * PIXELS_PER_MM)
    for number, place in enumerate(places):
        # The picture is shifted by parts of a pixel, so that the printed centre is exactly where it is said to be.
        left, top = place - side / 2
        shift = np.array([[1, 0, left], [0, 1, top]])
        quiet = cv2.copyMakeBorder(marker_picture(number, side), 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=255)
        shift[:, 2] -= 3
        printed = cv2.warpAffine(quiet, shift, (wide, high), borderValue=255)
        x, y = np.floor(place - side / 2).astype(int)
        grey[max(y - 2, 0) : y + side + 3, max(x - 2, 0) : x + side + 3] = 255
        grey = np.minimum(grey, printed)
    half = np.array([*sheet, 0.15]) / 2
    return Box(Solid(np.array([0.0, 0.0, -0.075]), np.eye(3), half), _on_paper(grey, rng), sheet, _PAPER)


def _on_paper(grey: Picture, rng: Rng) -> Picture:
    """Return what is printed, in the colours of paper and ink."""
    paper = np.array([1, 1, 1]) * rng.uniform(205, 250) - np.array([rng.uniform(0, 18), rng.uniform(0, 6), 0])
    ink = rng.uniform(8, 50) * np.array([1, 1, 1])
    share = grey[..., None].astype(np.float32) / 255
    return np.asarray(ink + share * (paper - ink), np.uint8)


def _draw_lines(grey: Picture, places: Array, marker: float, rng: Rng) -> None:
    """Draw the zones, the ruler and the words of our mats."""
    line, thick = 191, max(1, round(0.4 * PIXELS_PER_MM))
    brim = 0.75 * marker
    left, top = places[0] - brim
    right, bottom = places[2] + brim
    bay = places[2][0] - (places[2][0] - places[0][0]) / 5
    spot = places[0][1] + (places[2][0] - places[0][0]) / 5
    around = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    for start, end in (*pairwise(around), ((bay, top), (bay, bottom)), ((bay, spot), (right, spot))):
        cv2.line(grey, _whole(start), _whole(end), line, thick, cv2.LINE_AA)
    ruler = (left + bay) / 2 - 50 * PIXELS_PER_MM, places[2][1] + 6 * PIXELS_PER_MM
    cv2.line(grey, _whole(ruler), _whole((ruler[0] + 100 * PIXELS_PER_MM, ruler[1])), 115, thick, cv2.LINE_AA)
    words = "Vander mat, from marker centre to marker centre. Print at 100 %, without fitting to the page."
    for text, place in (
        (words, (places[0][0] + marker, top + 5 * PIXELS_PER_MM)),
        ("field", (bay - 9 * PIXELS_PER_MM, bottom - 2 * PIXELS_PER_MM)),
        ("aside", (bay + 2 * PIXELS_PER_MM, bottom - 2 * PIXELS_PER_MM)),
    ):
        cv2.putText(grey, text, _whole(place), cv2.FONT_HERSHEY_SIMPLEX, 0.1 * PIXELS_PER_MM, 115, 1, cv2.LINE_AA)


def _whole(place: tuple[float, float]) -> tuple[int, int]:
    return round(place[0]), round(place[1])


def _cut_outs(rng: Rng, size: tuple[float, float], marker: float) -> list[Box]:
    """Return four markers cut out of paper, each laid down a little askew."""
    found = []
    for number, place in enumerate(rectangle(*size)):
        cell = round(marker * PIXELS_PER_MM / 6)
        border = max(2, round(cell * QUIET_CELLS))
        grey = cv2.copyMakeBorder(
            marker_picture(number, 6 * cell), border, border, border, border, cv2.BORDER_CONSTANT, value=255
        )
        side = marker * len(grey) / (6 * cell)
        half = np.array([side, side, 0.2]) / 2
        askew = float(np.radians(np.clip(rng.normal(0, 2.5), -7, 7)))
        solid = Solid(np.array([*place, 0.1]), turned(askew), half)
        found.append(Box(solid, _on_paper(np.asarray(grey, np.uint8), rng), (side, side), _PAPER))
    return found


# The dice


def _laid_table(rng: Rng, floor: MarkedFloor, edge: float, *, crowded: bool) -> DiceTable:
    kept = [(place, floor.marker_mm * 0.75) for place in floor.centres if rng.random() < 0.93]
    table = DiceTable(floor.corners, edge, float(rng.uniform(0.06, 0.42)), floor.walled, kept, rng)
    wanted = Wanted(
        alone=int(rng.integers(2, 9)),
        rows=int(rng.choice((0, 1, 2, 3), p=(0.25, 0.35, 0.25, 0.15))),
        at_walls=int(rng.integers(0, 4)),
        leaning=int(rng.choice((0, 1, 2, 3, 4), p=(0.25, 0.25, 0.2, 0.15, 0.15))),
        stacked=int(rng.random() < 0.55),
    )
    crowd = {how: int(rng.integers(*many)) for how, many in CROWD.items()} if crowded else {}
    table.put_down(replace(wanted, **crowd))
    return table


def designs_of_a_table(rng: Rng) -> int:
    """Return how many designs dice on one table have: all are alike, or there are some of each of a few."""
    return 1 if rng.random() < SAME_DICE_SHARE else int(rng.integers(2, 7))


def random_designs(rng: Rng, use: Use, count: int, roundness: float, different: int) -> list[DieDesign]:
    """Return the designs of so many dice, some of each of so many `different` ones."""
    inner = float(rng.uniform(1.32, 1.6)) if rng.random() < 0.4 else NO_SPHERE
    designs = [_random_design(rng, use, roundness, inner) for _ in range(different)]
    return [designs[int(rng.integers(len(designs)))] for _ in range(count)]


def _random_design(rng: Rng, use: Use, roundness: float, sphere: float) -> DieDesign:
    kind = KindName(str(rng.choice(list(KINDS), p=list(KINDS.values()))))
    art = random_unlit_die(kind, rng, use)
    shape = die_surface(roundness, inner=44 if art.relief.any() else 12, sphere=sphere)
    return DieDesign(art, engraved(shape, art.relief, float(rng.uniform(0.04, 0.12))), _plastic(art.material, rng))


def _plastic(material: Material, rng: Rng) -> Finish:
    """Return a glossy, satin or matte body, or a clear one."""
    how = rng.random()
    rough = rng.uniform(0.04, 0.25) if how < 0.6 else rng.uniform(0.25, 0.5) if how < 0.85 else rng.uniform(0.5, 0.9)
    inputs = {"Roughness": float(rough), "IOR": float(rng.uniform(1.35, 1.55))}
    if material is Material.BRUSHED:
        inputs |= {"Metallic": float(rng.uniform(0.5, 0.9)), "Roughness": float(rng.uniform(0.25, 0.45))}
    elif material is Material.TRANSLUCENT or (material is Material.PLAIN and rng.random() < 0.15):
        inputs["Roughness"] = float(rng.uniform(0.02, 0.3))
        return Finish(inputs, clearness=float(rng.uniform(0.5, 0.95)))
    if how < 0.6 and rng.random() < 0.3:
        inputs["Coat Weight"] = float(rng.uniform(0.4, 1.0))
    return Finish(inputs)


def _prop(support: Solid, rng: Rng, use: Use) -> Box:
    finish = Finish({"Metallic": 0.9, "Roughness": 0.3}) if support.round and rng.random() < 0.6 else _cloth(rng)
    return Box(support, surface(128, rng, use), (40.0, 40.0), finish)


# Light


def random_light(rng: Rng, use: Use, floor: MarkedFloor) -> tuple[list[AreaLight], Light, float]:
    """Return lamps, the room that surrounds the table and its strength: white paper is about as bright as white."""
    level = float(rng.uniform(0.55, 1.1))
    from_room = float(rng.uniform(0.15, 0.7))
    count = int(rng.choice((1, 2, 3), p=(0.55, 0.3, 0.15)))
    shares = rng.dirichlet([3.0, *([1.0] * (count - 1))]) * (1 - from_room)
    lamps = [
        _random_lamp(rng, use if k == 0 else Use.TRAINING, floor, np.pi * level * float(share))
        for k, share in enumerate(shares)
    ]
    return lamps, _random_room(rng), level * from_room


def _random_lamp(rng: Rng, use: Use, floor: MarkedFloor, irradiance: float) -> AreaLight:
    """Return a window, a ceiling lamp or a desk lamp; its height and colour are those of a use."""
    around, height = float(rng.uniform(0, 2 * np.pi)), float(np.radians(rng.uniform(*ELEVATIONS[use])))
    warmth = float(rng.normal(0, 0.12) if use is Use.TRAINING else rng.choice(WARMTHS[use]))
    red, green, blue = np.clip(np.array([1 + warmth, 1.0, 1 - warmth]), 0.2, 1.8).tolist()
    colour = (red, green, blue)
    how = str(rng.choice(("window", "ceiling", "desk"), p=(0.35, 0.3, 0.35)))
    far, size = {
        "window": (rng.uniform(900, 3000), rng.uniform(500, 1600, 2)),
        "ceiling": (rng.uniform(1200, 2600), rng.uniform(150, 900, 2)),
        "desk": (rng.uniform(350, 900), np.repeat(rng.uniform(20, 160), 2)),
    }[how]
    place = float(far) * np.array([np.cos(height) * np.cos(around), np.cos(height) * np.sin(around), np.sin(height)])
    target = np.array([*(rng.uniform(-0.3, 0.3, 2) * (floor.width_mm, floor.height_mm)), 0.0])
    round_ = how == "desk" or (how == "ceiling" and rng.random() < 0.5)
    # A low lamp's light falls aslant: the irradiance is that of the table.
    return AreaLight(
        place, target, (float(size[0]), float(size[1])), irradiance / max(float(np.sin(height)), 0.35), colour, round_
    )


def _random_room(rng: Rng) -> Light:
    """Return a room around the table: walls, a ceiling, windows and lamps; what it gives the table is 1."""
    high, wide = 64, 128
    up = np.linspace(1, -1, high)[:, None]
    room: Array = np.ones((high, wide, 3))
    walls, ceiling, floor = (rng.uniform(0.1, 1.0) * (1 + rng.normal(0, 0.08, 3)) for _ in range(3))
    room[:] = np.where(up[..., None] > 0.5, ceiling, np.where(up[..., None] > 0, walls, floor * 0.4))
    for _ in range(int(rng.integers(0, 5))):
        tall, broad = int(rng.integers(3, 16)), int(rng.integers(4, 28))
        row, column = int(rng.integers(4, high // 2 - 2)), int(rng.integers(0, wide))
        rows, columns = slice(row, min(row + tall, high // 2)), np.arange(column, column + broad) % wide
        room[rows, columns] = rng.uniform(2, 10) * (1 + rng.normal(0, 0.12, 3))
    blurred = cv2.GaussianBlur(np.tile(room, (1, 3, 1)), (0, 0), float(rng.uniform(0.6, 3)))
    room = np.asarray(blurred[:, wide : 2 * wide], np.float64)
    elevation = np.pi / 2 * up[: high // 2, 0]
    weights = np.sin(elevation) * np.cos(elevation)
    mean = (room[: high // 2].mean(axis=(1, 2)) * weights).sum() / weights.sum()
    return np.asarray(room / mean, np.float32)


# The camera


def random_camera(rng: Rng, floor: MarkedFloor, edge: float) -> SceneCamera:
    """Return a camera that mostly sees all four markers."""
    size = SIZES[int(rng.random() < LARGE_SHARE)]
    tilt = np.radians(rng.uniform(*(STEEP_DEGREES if rng.random() < STEEP_SHARE else OBLIQUE_DEGREES)))
    view = float(rng.uniform(*VIEW_DEGREES))
    # Players sit at the tray's lower edge; the camera may stand anywhere.
    roll = float(rng.normal(0, 0.1) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi))
    around = roll - np.pi / 2 + float(rng.normal(0, 0.2)) if rng.random() < 0.6 else float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    target = np.array([*(rng.uniform(-0.06, 0.06, 2) * (floor.width_mm, floor.height_mm)), 0.0])
    reach = floor.centres + np.sign(floor.centres) * 0.75 * floor.marker_mm
    corners = np.column_stack([reach, np.zeros(4)])
    margin = float(rng.uniform(4, 30))
    near, far = 60.0, 4000.0
    for _ in range(24):
        middle = (near + far) / 2
        camera = aimed(target + middle * way, target, roll, view, size)
        near, far = (near, middle) if sees(camera, corners, margin) else (middle, far)
    distance = far * (float(rng.uniform(0.55, 0.85)) if rng.random() < CLOSER_SHARE else 1.0)
    return aimed(target + distance * way, target, roll, view, size)


def aimed(place: Array, target: Array, roll: float, view_degrees: float, size: tuple[int, int]) -> SceneCamera:
    """Return a camera that looks at a target; the direction `roll` of the table is to the picture's right."""
    back = (place - target) / np.linalg.norm(place - target)
    up = np.cross(back, np.array([np.cos(roll), np.sin(roll), 0.0]))
    up /= np.linalg.norm(up)
    return SceneCamera(place, np.stack([np.cross(up, back), up, back]), view_degrees, size)


def sees(camera: SceneCamera, points: Array, margin: float) -> bool:
    """True if all points (n, 3) are in the picture and before the camera, `margin` pixels from its edge."""
    deep = (points - camera.place) @ camera.axes[2]
    if (deep > -1).any():
        return False
    seen = camera.project(points)
    return bool((seen > margin).all() and (seen < np.array(camera.size) - 1 - margin).all())


def solids_of(dice: Sequence[PlacedDie], floor: MarkedFloor) -> list[Solid]:
    """Return what may hide something: dice and walls."""
    return [*(die.solid for die in dice), *floor.walls]
