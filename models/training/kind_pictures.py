"""Paint throws of families of dice of which two kinds have the same faces, to fit and to score readings of kinds.

A family is what one table has: for each kind a body, an ink and drawings, which all dice of the kind share. Its throws
lie on one surface with the tray's four markers, under lights of many colours, shadows and glare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from models import die_sets
from models.synthetic.canvas import Colour
from models.synthetic.die_renderer import FACE_FRAMES, DirectionalLight, PinholeCamera, Pose, SolidDie, paint_dice
from models.synthetic.face_style import Material, Style, Use
from models.synthetic.faces import DRAWINGS, FaceArt, draw, random_style, use_of
from models.training.camera_emulation import emulate
from models.training.ground_truth import TrueDie
from models.training.surfaces import surface
from models.training.texture_atlas import Pixels, Rng
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.tray_calibration import TrayLayout

SIZE = (1024, 768)
"""Width and height of the pictures."""
ART = 96
"""Pixels a side of a drawn face."""
TABLE_MM = 460.0
"""Side of the painted surface."""
QUIET_CELLS = 1.2
"""Width of the paper around a marker, in its cells."""
CLOSEST_EDGES = 1.5
"""How near the centres of two dice may lie, in edges."""
FULL_SHARE = 0.7
"""Share of throws of all dice of the set; the others are of some of them."""
HANDS = ("round", "ring", "square", "target", "bold", "stroke", "duplex", "triplex", "angular")
"""The drawings of numbers on dice of families, pips and digits; each kind has one of them."""


class Bodies(StrEnum):
    """How the bodies of a family's two kinds relate to those that the die set tells."""

    TOLD = "as told"
    SWAPPED = "swapped"
    ARBITRARY = "arbitrary"
    DARK = "both dark"
    CLOSE = "close"


@dataclass(frozen=True, eq=False)
class DieFamily:
    """The dice of one table: of each kind, in the order of the set, the art of its faces by name."""

    name: str
    bodies: Bodies
    dice: DieSet
    arts: tuple[dict[FaceName, FaceArt], ...]


@dataclass(frozen=True, eq=False)
class KindPicture:
    """A picture of dice of a family (uint8, BGR) and what lies there."""

    pixels: Pixels
    dice: tuple[TrueDie, ...]


def equal_kinds() -> DieSet:
    """Return an artificial set: two kinds of three dice each, with the same faces and unspecified body colours."""
    sides = tuple(Face(FaceName(f"pip-{n}"), str(n)) for n in range(1, 7))
    kinds = (DieKind(KindName("mine"), "My die", sides), DieKind(KindName("yours"), "Your die", sides))
    return DieSet("equal", "Equal dice", tuple((kind, 3) for kind in kinds), 16.0)


def random_family(name: str, rng: Rng, use: Use, dice: DieSet | None = None) -> DieFamily:
    """Return a family of a set, else of Rollers or of `equal_kinds`, in drawings that are not of another use."""
    bodies = Bodies(str(rng.choice(list(Bodies), p=(0.3, 0.1, 0.35, 0.15, 0.1))))
    of = dice or (die_sets.load("rollers") if rng.random() < 0.7 else equal_kinds())
    colours = _body_colours(bodies, rng)
    arts = tuple(_faces_of_kind(kind, colour, rng, use) for kind, colour in zip(of.kinds, colours, strict=True))
    return DieFamily(name, bodies, of, arts)


def kind_pictures(family: DieFamily, count: int, rng: Rng, use: Use) -> Iterator[KindPicture]:
    """Yield pictures of throws of a family on one table, each under a light of its own."""
    ground = surface(round(TABLE_MM * 2), rng, use)
    camera = _random_camera(rng)
    edge_mm = float(family.dice.edge_mm * rng.uniform(0.9, 1.1))
    for _ in range(count):
        yield _paint_picture(family, ground, camera, edge_mm, rng)


def _body_colours(bodies: Bodies, rng: Rng) -> tuple[Colour, Colour]:
    """Return the colours of two bodies, BGR."""
    told = (_near((134, 42, 91), rng), _near((32, 28, 28), rng))
    match bodies:
        case Bodies.TOLD:
            return told
        case Bodies.SWAPPED:
            return told[::-1]
        case Bodies.DARK:
            return _apart(rng, (8, 22), 0, 60)
        case Bodies.CLOSE:
            return _apart(rng, (10, 25), 0, 255)
    return _apart(rng, (30, 300), 0, 255)


def _apart(rng: Rng, distances: tuple[float, float], low: float, high: float) -> tuple[Colour, Colour]:
    """Return two random colours with a distance in CIE L*a*b* within limits, of a lightness (0 to 255) within."""
    while True:
        lab = rng.uniform((low, 88, 88), (high, 178, 178), (2, 3))
        if distances[0] < float(np.linalg.norm((lab[0] - lab[1]) * (0.4, 1, 1))) < distances[1]:
            pixels = cv2.cvtColor(lab[None].astype(np.uint8), cv2.COLOR_LAB2BGR)[0].astype(int).tolist()
            return tuple(pixels[0]), tuple(pixels[1])


def _near(colour: Colour, rng: Rng) -> Colour:
    blue, green, red = np.clip(np.array(colour) + rng.normal(0, 10, 3), 5, 250).astype(int).tolist()
    return blue, green, red


def _faces_of_kind(kind: DieKind, colour: Colour, rng: Rng, use: Use) -> dict[FaceName, FaceArt]:
    """Return the art of a kind's faces on one body, all numbers in one hand."""
    plain = rng.random() < 0.6
    material = Material.PLAIN if plain else Material(str(rng.choice([one for one in Material if one != "wooden"])))
    like = Style("body", colour, colour, colour, material)
    hands = [hand for hand in HANDS if use_of(_number(FaceName("pip-1"), hand)) in (Use.TRAINING, use)]
    hand = str(rng.choice(hands))
    _, numbers = random_style(FaceName("pip-1"), rng, use, like)
    drawn = {face: random_style(face, rng, use, like) for face in kind.faces}
    drawn |= {face: (_number(face, hand), numbers) for face in kind.faces if face.startswith("pip-")}
    return {face: draw(drawing, style, ART, rng) for face, (drawing, style) in drawn.items()}


def _number(face: FaceName, hand: str) -> str:
    drawing = f"{face}/{hand}"
    return drawing if drawing in DRAWINGS[face] else f"{face.replace('pip', 'digit')}/{hand}"


def _random_camera(rng: Rng) -> PinholeCamera:
    layout, height = TrayLayout(), float(rng.uniform(450, 900))
    across = float(rng.uniform(400, 470))
    return PinholeCamera.above(
        (layout.width_mm / 2, layout.height_mm / 2),
        height,
        height * SIZE[0] / across,
        SIZE,
        tilt_degrees=float(min(25.0, abs(rng.normal(0, 10)))),
        pan_degrees=float(rng.normal(0, 5)),
    )


def _paint_picture(family: DieFamily, ground: Pixels, camera: PinholeCamera, edge_mm: float, rng: Rng) -> KindPicture:
    picture = _table(ground, camera)
    ambient, softness = float(rng.uniform(0.35, 0.75)), float(rng.uniform(0.05, 0.6))
    around, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.3)
    light = DirectionalLight((low * np.cos(around), low * np.sin(around), 1.0), (1.0, 1.0, 1.0), ambient, softness)
    gloss = float(rng.uniform(0, 1.0))
    chosen = _thrown(family, rng)
    poses = _poses(len(chosen), edge_mm, rng)
    lying = [
        SolidDie(pose, _six(family.arts[kind], face, rng), gloss)
        for (kind, face), pose in zip(chosen, poses, strict=True)
    ]
    paint_dice(picture, camera, lying, light)
    truth = tuple(
        _true_die(family.dice.kinds[kind].name, face, pose, camera)
        for (kind, face), pose in zip(chosen, poses, strict=True)
    )
    return KindPicture(emulate(_lit(picture, rng), rng, float(rng.uniform(0.1, 0.6))), truth)


def _table(ground: Pixels, camera: PinholeCamera) -> Pixels:
    """Return the empty table with its markers."""
    scale = len(ground) / TABLE_MM
    layout = TrayLayout()
    flat = ground.copy()
    cell = layout.marker_mm / 6
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    offset = np.array([(TABLE_MM - layout.width_mm) / 2, (TABLE_MM - layout.height_mm) / 2])
    for number, corner in enumerate(layout.corners_mm):
        reach = layout.marker_mm / 2 + QUIET_CELLS * cell
        side = round(2 * reach * scale)
        left, top = np.round((offset + corner - reach) * scale).astype(int)
        inner = round(layout.marker_mm * scale)
        marker = cv2.aruco.generateImageMarker(dictionary, number, inner)
        paper = np.full((side, side), 255, np.uint8)
        at = (side - inner) // 2
        paper[at : at + inner, at : at + inner] = marker
        flat[top : top + side, left : left + side] = np.where(paper[..., None] > 0, (238, 236, 232), (25, 25, 26))
    to_table = np.array([[1 / scale, 0, -offset[0]], [0, 1 / scale, -offset[1]], [0, 0, 1]])
    way = camera.homography() @ to_table
    return np.asarray(
        cv2.warpPerspective(flat, way, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101), np.uint8
    )


def _thrown(family: DieFamily, rng: Rng) -> list[tuple[int, FaceName]]:
    """Return the index of the kind and the face of each die that lies there."""
    all_of = [n for n, (_, count) in enumerate(family.dice.counts) for _ in range(count)]
    rng.shuffle(all_of)
    some = all_of if rng.random() < FULL_SHARE else all_of[: int(rng.integers(1, len(all_of)))]
    return [(n, FaceName(str(rng.choice([side.name for side in family.dice.kinds[n].sides])))) for n in some]


def _poses(count: int, edge_mm: float, rng: Rng) -> list[Pose]:
    layout, places = TrayLayout(), list[np.ndarray]()
    while len(places) < count:
        place = rng.uniform((30, 30), (layout.width_mm - 30, layout.height_mm - 30))
        if all(np.linalg.norm(place - other) > CLOSEST_EDGES * edge_mm for other in places):
            places.append(place)
    return [Pose(np.array([*place, edge_mm / 2]), _spin(rng), edge_mm) for place in places]


def _spin(rng: Rng) -> np.ndarray:
    turn = rng.uniform(0, 2 * np.pi)
    return np.array([(np.cos(turn), -np.sin(turn), 0.0), (np.sin(turn), np.cos(turn), 0.0), (0.0, 0.0, 1.0)])


def _six(
    arts: dict[FaceName, FaceArt], up: FaceName, rng: Rng
) -> tuple[FaceArt, FaceArt, FaceArt, FaceArt, FaceArt, FaceArt]:
    """Return the faces for the renderer, whose fifth faces the camera; any others are at the sides."""
    others = [arts[FaceName(str(name))] for name in rng.permutation([face for face in arts if face != up])]
    return others[0], others[1], others[2], others[3], arts[up], others[4]


def _lit(picture: Pixels, rng: Rng) -> Pixels:
    """Return the picture under a coloured lamp whose light falls off, with shadows of things and hands, and glare."""
    high, wide = picture.shape[:2]
    y, x = np.ogrid[0 : 1 : high * 1j, 0 : 1 : wide * 1j]
    slope = rng.normal(0, 0.18, 2)
    bright = 1 + slope[0] * (x - 0.5) + slope[1] * (y - 0.5)
    if rng.random() < 0.2:
        edge = rng.uniform(0.2, 0.8)
        along = (x if rng.random() < 0.5 else y) - edge
        bright = bright * (1 - rng.uniform(0.15, 0.45) / (1 + np.exp(-along * rng.uniform(15, 120))))
    colour = np.exp(rng.normal(0, 0.08, 3))
    if rng.random() < 0.3:
        colour = colour * np.array([rng.uniform(0.4, 0.7), rng.uniform(0.72, 0.9), 1.1])
    elif rng.random() < 0.15:
        colour = colour * np.array([1.1, rng.uniform(0.85, 1.0), rng.uniform(0.5, 0.75)])
    bright = (bright * rng.uniform(0.7, 1.25)).astype(np.float32)
    lit = picture * bright[..., None] * colour.astype(np.float32)
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(1, 4))):
            at, reach = rng.uniform(0.2, 0.8, 2), rng.uniform(0.01, 0.05)
            glow = np.exp(-((x - at[0]) ** 2 + (0.75 * (y - at[1])) ** 2) / (2 * reach**2))
            lit += (rng.uniform(60, 255) * glow).astype(np.float32)[..., None] * colour.astype(np.float32)
    return np.clip(lit, 0, 255).astype(np.uint8)


def _true_die(kind: KindName, face: FaceName, pose: Pose, camera: PinholeCamera) -> TrueDie:
    right, down, normal = (pose.turn @ axis for axis in FACE_FRAMES[4])
    half = pose.edge_mm / 2
    corners = [pose.centre + half * (normal + a * right + b * down) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    spots = camera.project(np.array(corners))
    (x, y), edges = spots.mean(axis=0), np.roll(spots, -1, 0) - spots
    turned = float(np.degrees(np.arctan2(edges[0, 1], edges[0, 0])) % 90)
    edge = float(np.linalg.norm(edges, axis=1).mean())
    return TrueDie(str(face), str(face), float(x), float(y), edge, turned, "flat", clear=True, kind=kind)
