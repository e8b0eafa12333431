"""Paint throws of families of dice of which two kinds have the same faces, and score readings of kinds.

A family is what one table has: for each kind a body, an ink and drawings, which all dice of the kind share. Its throws
lie on one surface with the tray's four markers, under lights of many colours, shadows and glare.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from models import die_sets
from models.synthetic.canvas import Colour, Material, Style, Use
from models.synthetic.die_renderer import (
    DirectionalLight,
    PinholeCamera,
    Pose,
    SolidDie,
    face_corners,
    paint_dice,
    spun,
)
from models.synthetic.faces import DRAWINGS, FaceArt, draw, random_style, use_of
from models.training.camera_emulation import emulate
from models.training.lying_dice import TrueDie, square_of
from models.training.picture_dataset import in_workers
from models.training.reading_scores import load_models, match
from models.training.surfaces import surface
from models.training.texture_atlas import Pixels, Rng
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel
from vision.frames import Frame
from vision.kinds import kinds_alike
from vision.model_file import wilson_interval
from vision.observations import DieReading
from vision.rectification import RotatedSquare, TrayView, crop, rectify, rotation_in_frame, unrectified_view
from vision.table_evidence import EvidenceExample, TableEvidence
from vision.tray_calibration import TrayLayout, calibrate

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


def random_family(name: str, rng: Rng, use: Use) -> DieFamily:
    """Return a family of Rollers or of `equal_kinds`, in drawings that are not of another use."""
    bodies = Bodies(str(rng.choice(list(Bodies), p=(0.3, 0.1, 0.35, 0.15, 0.1))))
    of = die_sets.load("rollers") if rng.random() < 0.7 else equal_kinds()
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
    return [Pose(np.array([*place, edge_mm / 2]), spun(rng.uniform(0, 2 * np.pi)), edge_mm) for place in places]


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
    x, y, edge, turned = square_of(camera.project(face_corners(pose)))
    return TrueDie(str(face), str(face), x, y, edge, turned, "flat", clear=True, kind=kind)


# Scores: asked about, and accepted with the right face on the wrong kind


BANDS = ((1, 1), (2, 3), (4, 60))
"""Throws of a family that are counted together, first and last."""
CERTAINTIES = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.01)
"""Limits of the probabilities of a kind that are counted together."""


@dataclass(frozen=True)
class ScoredKind:
    """The reading of the kind of one die whose face two kinds have, in a throw of a family (from 1)."""

    bodies: Bodies
    die_set: str
    throw: int
    face_right: bool
    kind_right: bool
    confidence: float
    asked: bool
    accepted: bool

    @property
    def is_wrong(self) -> bool:
        """True if it was accepted with the right face on the wrong kind."""
        return self.accepted and self.face_right and not self.kind_right


def score_kinds(families: range, throws: int, seed: int, use: Use, weights: Path) -> list[ScoredKind]:
    """Play families and return each reading of a kind. Who is asked names all dice of the throw, and it learns."""
    work = partial(_play_family, seed, throws, use, weights)
    return [one for family in in_workers(work, families, "families") for one in family]


def _play_family(seed: int, throws: int, use: Use, weights: Path, number: int) -> list[ScoredKind]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, tuple(Use).index(use), number])
    family = random_family(f"{number}", rng, use)
    return list(
        play(
            family,
            kind_pictures(family, throws, rng, use),
            *load_models(weights),
            PldaModel.load(weights / "space.npz"),
        )
    )


def play(
    family: DieFamily, pictures: Iterable[KindPicture], finder: Finder, reader: Reader, plda: PldaModel
) -> Iterator[ScoredKind]:
    """Read the throws of a family in turn, learning from what people say when they are asked."""
    evidence = TableEvidence(plda)
    for throw, picture in enumerate(pictures, 1):
        frame = Frame(picture.pixels, throw, 0.0)
        calibration = calibrate(frame, TrayLayout())
        view = unrectified_view(frame) if calibration is None else rectify(frame, calibration)
        met, _ = match(picture.dice, reader.with_evidence(evidence).read(view, finder.find(view), family.dice))
        found = [(truth, reading) for truth, reading in met if reading is not None]
        yield from (_scored(family, throw, *one) for one in found if _is_contested(family, one[0]))
        if any(not reading.kind_accepted for _, reading in found):
            evidence = evidence.with_examples(_answers(view, found, reader, plda, throw))


def _is_contested(family: DieFamily, truth: TrueDie) -> bool:
    return sum(truth.face in kind.faces for kind in kinds_alike(family.dice)) > 1


def _scored(family: DieFamily, throw: int, truth: TrueDie, reading: DieReading) -> ScoredKind:
    return ScoredKind(
        family.bodies,
        family.dice.name,
        throw,
        reading.face == truth.face,
        reading.kind == truth.kind,
        reading.kind_confidence,
        not reading.kind_accepted,
        reading.accepted,
    )


def _answers(
    view: TrayView, found: Sequence[tuple[TrueDie, DieReading]], reader: Reader, plda: PldaModel, throw: int
) -> list[EvidenceExample]:
    """Return what a person says of all dice of a throw."""
    places = [reading.sighting for _, reading in found]
    crops = [crop(view.frame.pixels, RotatedSquare(s.x, s.y, s.edge, rotation_in_frame(s, view))) for s in places]
    return [
        EvidenceExample(
            replace(features, body=np.array(reading.body, np.float32)),
            (KindName(truth.kind), FaceName(truth.face)),
            moment=str(throw),
        )
        for (truth, reading), features in zip(found, reader.describe(crops, plda), strict=True)
    ]


def kind_table(scored: Sequence[ScoredKind]) -> str:
    """Return the figures as text: by set, bodies and throw, with counts and 95 % intervals; and the reliability."""
    lines = [_line("all", scored)]
    for die_set in sorted({one.die_set for one in scored}):
        own = [one for one in scored if one.die_set == die_set]
        lines += [_line(f"{die_set}, {bodies}", [one for one in own if one.bodies is bodies]) for bodies in Bodies]
        lines += [
            _line(f"{die_set}, throws {first} to {last}", [one for one in own if first <= one.throw <= last])
            for first, last in BANDS
        ]
    lines += ["probability of the kind: right"]
    for low, high in pairwise(CERTAINTIES):
        within = [one for one in scored if low <= one.confidence < high]
        right = sum(one.kind_right for one in within)
        lines.append(f"  {low} to {min(high, 1.0)}: {_share(right, len(within))}")
    return "\n".join(line for line in lines if " of 0 " not in line)


def _line(what: str, scored: Sequence[ScoredKind]) -> str:
    asked, wrong = sum(one.asked for one in scored), sum(one.is_wrong for one in scored)
    count = len(scored)
    per_1000 = [1000 * limit for limit in wilson_interval(wrong, count)]
    return (
        f"{what}: asked for the kind {_share(asked, count)}; right face on the wrong kind {wrong} of {count}"
        f" (per 1000: {1000 * wrong / max(count, 1):.2f}, {per_1000[0]:.2f} to {per_1000[1]:.2f})"
    )


def _share(part: int, count: int) -> str:
    low, high = wilson_interval(part, count)
    return f"{part} of {count} = {100 * part / max(count, 1):.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"
