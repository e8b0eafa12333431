"""Families on the simulator: a game's dice in art of their own, on one tray, under one light, by one camera.

A family's pictures are painted, not rendered by MuJoCo, so that nothing but the program itself is needed. Nothing of a
family is trained on: its art, bodies and surface are for choosing or for scoring (`Use`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.simulator.physics import (
    HEIGHT,
    MARKER,
    QUIET,
    WIDTH,
    flat_rotation,
    is_free,
    marker_centres,
    marker_picture,
)
from models import die_sets
from models.synthetic import die_renderer
from models.synthetic.canvas import Use
from models.synthetic.family_art import KindArt, family_art
from models.training.surfaces import FAMILY_MAKERS
from referee.dice import DieSet, KindName
from vander.bench.photo_scores import LabelError, LabelledDie, PhotoLabel, load_labels, parse_row
from vision import rectification
from vision.frame_reader import CameraPicture, TrayPicture
from vision.frames import Frame, Pixels
from vision.image_io import decode_picture, encode_jpeg, load_picture
from vision.observations import DieSighting, Observation
from vision.tray_calibration import TrayLayout, locate

GAMES = ("intersection", "rollers", "switch-16", "toss-up", "dice-county-fair")
"""The games that families are made for; each is played with the die set of its name."""

EDGES = (25.0, 70.0)
"""Range of the dice's edges in pixels."""
MOST_WITH_MARKERS = 56.0
"""Largest edge in pixels with markers: the tray has to fit into the picture."""
WHOLE_MM, NEAR_MM = (372.0, 286.0), (236.0, 182.0)
"""What the picture shows of the table: the tray with its markers, or its middle alone."""
FIELD_MM = (200.0, 150.0)
"""The area around the tray's middle in which dice come to rest."""
ALL_DICE_SHARE = 0.6
"""Share of throws with all dice; in the others some lie as they did."""
TOUCHING_SHARE = 0.3
"""Share of throws in which a die comes to rest against another."""
ROOM = 1.08
"""Edges that a die takes, so that dice which do not touch show a gap."""
FLICKER = 0.01
"""Standard deviation of the exposure from throw to throw, as a share of it."""
FINENESS = 3.0
"""Pixels a millimetre at which the ground is painted."""

Rng = np.random.Generator
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FamilyCamera:
    """The camera of a family and what it adds to a picture.

    noise in grey levels, blur in pixels, gains of blue, green and red, vignette and JPEG quality as `emulate_sensor`
    and JPEG have them.
    """

    lens: die_renderer.PinholeCamera
    noise: float
    blur: float
    gains: tuple[float, float, float]
    vignette: float
    quality: int


@dataclass(frozen=True, eq=False)
class Family:
    """A family: its dice and how they are seen. `ground` is the empty table as the lens shows it: uint8, BGR."""

    dice: DieSet
    art: dict[KindName, KindArt]
    ground: Pixels
    light: die_renderer.DirectionalLight
    camera: FamilyCamera
    gloss: float
    markers: bool


@dataclass(frozen=True, eq=False)
class LyingDie:
    """A die at rest: its kind, the side that is up, and where it lies."""

    kind: KindName
    side: int
    pose: die_renderer.Pose


@dataclass(frozen=True, eq=False)
class FamilyThrow:
    """A throw of a family's game as the camera gives it: a JPEG file, and its line of `labels.jsonl`."""

    jpeg: bytes
    label: dict[str, Any]

    @property
    def pixels(self) -> Pixels:
        """The picture: uint8, BGR."""
        return decode_picture(self.jpeg)


def simulated_family(game: str, number: int, use: Use = Use.SCORING) -> Family:
    """Return the `number`-th family of a game (from 1); the same for the same number and use. Raises LabelError."""
    dice = die_sets.load(check_game(game))
    rng = np.random.default_rng([GAMES.index(game), number, tuple(Use).index(use), 0])
    return family_of(dice, family_art(dice, use, rng), use, rng)


def family_of(dice: DieSet, art: dict[KindName, KindArt], use: Use, rng: Rng) -> Family:
    """Return these dice on a table, under a light and by a camera of that use."""
    markers = bool(rng.random() < 0.6)
    camera = _camera(markers, dice.edge_mm, rng)
    bright = float(rng.uniform(0.75, 1.05))
    light = _light(bright, rng)
    ground = np.clip(_ground(camera.lens, markers, use, rng) * np.array(light.colour), 0, 255).astype(np.uint8)
    return Family(dice, art, ground, light, camera, float(rng.uniform(0.05, 0.7)), markers)


def check_game(game: str) -> str:
    """Return the name of a game that there are families of. Raises LabelError for any other."""
    if game not in GAMES:
        raise LabelError(f"there are no simulated families of {game!r}; there are {', '.join(GAMES)}")
    return game


def _camera(markers: bool, edge_mm: float, rng: Rng) -> FamilyCamera:
    edge = float(np.exp(rng.uniform(*np.log((EDGES[0], MOST_WITH_MARKERS if markers else EDGES[1])))))
    height, tilt = float(rng.uniform(380, 750)), float(rng.uniform(0, 14))
    whole = WHOLE_MM if markers else NEAR_MM
    size = (round(edge / edge_mm * whole[0]), round(edge / edge_mm * whole[1]))
    focal = edge / edge_mm * (height / np.cos(np.radians(tilt)) - edge_mm)
    lens = die_renderer.PinholeCamera.above(
        (WIDTH / 2, HEIGHT / 2), height, focal, size, tilt_degrees=tilt, pan_degrees=float(rng.normal(0, 3))
    )
    gains = tuple(float(gain) for gain in np.clip(rng.normal(1.0, 0.04, 3), 0.88, 1.12))
    return FamilyCamera(
        lens,
        noise=float(rng.uniform(1.0, 6.0)),
        blur=float(rng.uniform(0.3, 1.0)),
        gains=(gains[0], gains[1], gains[2]),
        vignette=float(rng.uniform(0.0, 0.25)),
        quality=int(rng.integers(60, 95)),
    )


def _light(bright: float, rng: Rng) -> die_renderer.DirectionalLight:
    """Return a light between cold and warm, low or high, hard or soft; its colour carries the exposure."""
    around, low, warm = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.1), rng.uniform(-0.08, 0.14)
    return die_renderer.DirectionalLight(
        (float(low * np.cos(around)), float(low * np.sin(around)), 1.0),
        (bright * (1 - warm), bright, bright * (1 + warm)),
        float(rng.uniform(0.35, 0.7)),
        float(rng.uniform(0.1, 0.6)),
    )


def _ground(lens: die_renderer.PinholeCamera, markers: bool, use: Use, rng: Rng) -> Pixels:
    """Return the empty table as the lens sees it, unlit: a surface of that use, with the tray's markers on request."""
    makers = FAMILY_MAKERS[use]
    margin = 130.0
    shape = round((WIDTH + 2 * margin) * FINENESS), round((HEIGHT + 2 * margin) * FINENESS)
    table = makers[int(rng.integers(len(makers)))](max(shape), rng)[: shape[1], : shape[0]].copy()
    if markers:
        for number, centre in enumerate(marker_centres()):
            _glue(table, number, (centre + margin) * FINENESS)
    table = np.asarray(cv2.GaussianBlur(table, (0, 0), 0.8), np.uint8)
    to_mm = np.array([[1 / FINENESS, 0, -margin], [0, 1 / FINENESS, -margin], [0, 0, 1]])
    how = cv2.INTER_AREA if lens.scale_at(np.zeros(3)) < FINENESS / 2 else cv2.INTER_LINEAR
    return np.asarray(
        cv2.warpPerspective(table, lens.homography() @ to_mm, lens.size, flags=how, borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )


def _glue(table: Pixels, number: int, centre: Numbers) -> None:
    side, reach = round(MARKER * FINENESS), round((MARKER / 2 + QUIET) * FINENESS)
    left, top = (centre - reach).round().astype(int)
    table[top : top + 2 * reach, left : left + 2 * reach] = 240
    inner = cv2.resize(marker_picture(number), (side, side), interpolation=cv2.INTER_NEAREST)
    spare = (2 * reach - side) // 2
    black = 22 + inner[..., None].astype(np.float64) * (240 - 22) / 255
    table[top + spare : top + spare + side, left + spare : left + spare + side] = black.astype(np.uint8)


def family_game(family: Family, throws: int, seed: int) -> Iterator[FamilyThrow]:
    """Yield the throws of a game: of all dice, or of a few while the others lie as they did."""
    rng = np.random.default_rng(seed)
    kinds = [kind.name for kind, count in family.dice.counts for _ in range(count)]
    lying = dict[int, LyingDie]()
    for number in range(throws):
        thrown = _thrown(len(kinds), number == 0 or rng.random() < ALL_DICE_SHARE, rng)
        lying = {k: die for k, die in lying.items() if k not in thrown}
        for k in thrown:
            lying[k] = LyingDie(kinds[k], int(rng.integers(6)), _free_pose(family, list(lying.values()), rng))
        dice = list(lying.values())
        yield FamilyThrow(_jpeg(family, dice, rng), _row(family, dice, number + 1))


def _thrown(dice: int, all_of_them: bool, rng: Rng) -> list[int]:
    """Return which dice are thrown, in random order."""
    return [int(k) for k in rng.permutation(dice)[: dice if all_of_them else int(rng.integers(1, dice))]]


def _free_pose(family: Family, lying: Sequence[LyingDie], rng: Rng) -> die_renderer.Pose:
    """Return a free pose in the field, at times against a lying die."""
    edge = family.dice.edge_mm
    centres = np.array([die.pose.centre[:2] for die in lying]).reshape(-1, 2)
    yaws = np.array([float(np.arctan2(die.pose.turn[1, 0], die.pose.turn[0, 0])) for die in lying])
    against = bool(lying) and rng.random() < TOUCHING_SHARE / 2
    while True:
        place, yaw = np.array([WIDTH, HEIGHT]) / 2 + rng.uniform(-0.5, 0.5, 2) * FIELD_MM, rng.uniform(0, np.pi / 2)
        if against:
            n = int(rng.integers(len(lying)))
            yaw, way = yaws[n], yaws[n] + np.pi / 2 * int(rng.integers(4))
            slide = rng.uniform(-0.5, 0.5)
            aside = np.array([-np.sin(way), np.cos(way)]) * slide
            place = centres[n] + edge * (1.01 * np.array([np.cos(way), np.sin(way)]) + aside)
        against = against and rng.random() < 0.9  # a die with no free side is left alone in the end
        inside = (np.abs(place - np.array([WIDTH, HEIGHT]) / 2) <= np.array(FIELD_MM) / 2).all()
        if inside and is_free(place, float(yaw), (centres, yaws), edge if against else ROOM * edge):
            return die_renderer.Pose(np.array([*place, edge / 2]), die_renderer.spun(float(yaw)), edge)


def _jpeg(family: Family, lying: Sequence[LyingDie], rng: Rng) -> bytes:
    """Return the picture of what lies there as the camera gives it."""
    picture, camera = family.ground.copy(), family.camera
    die_renderer.paint_dice(picture, camera.lens, [_solid(family, die) for die in lying], family.light)
    exposure = 1.0 + FLICKER * float(rng.normal())
    gains = (camera.gains[0] * exposure, camera.gains[1] * exposure, camera.gains[2] * exposure)
    seen = die_renderer.emulate_sensor(
        picture, rng, noise=camera.noise, blur=camera.blur, gains=gains, vignette=camera.vignette
    )
    return encode_jpeg(seen, camera.quality)


def _solid(family: Family, die: LyingDie) -> die_renderer.SolidDie:
    sides = family.dice.kind(die.kind).sides
    faces = [family.art[die.kind].faces[side.name] for side in sides]
    turn = die.pose.turn @ flat_rotation(die.side, 0.0)
    pose = die_renderer.Pose(die.pose.centre, turn, die.pose.edge_mm)
    return die_renderer.SolidDie(pose, (faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]), family.gloss)


def _row(family: Family, lying: Sequence[LyingDie], number: int) -> dict[str, Any]:
    dice = [_die_label(family, die) for die in lying]
    return {
        "file": f"throw_{number:03}.jpg",
        "kind": "rendered",
        "view": "top-down",
        "set": family.dice.name,
        "dice": dice,
    }


def _die_label(family: Family, die: LyingDie) -> dict[str, Any]:
    """Return a die's label; the box is that of its top face."""
    spots = family.camera.lens.project(die_renderer.face_corners(die.pose))
    (cx, cy), (w, h) = spots.mean(axis=0), np.ptp(spots, axis=0)
    face = family.dice.kind(die.kind).sides[die.side].name
    place = {name: round(float(value), 1) for name, value in (("cx", cx), ("cy", cy), ("w", w), ("h", h))}
    return {"face": str(face), "kind": str(die.kind), **place}


# The throws of one family's game, from a labelled folder or from the simulator


THROWS = 60
"""Throws of a simulated game."""
STILL = 0.1
"""A die with the same label within this share of its edge of where it lay was not thrown."""


@dataclass(frozen=True, eq=False)
class GameThrow:
    """One throw: its label, and its picture (uint8, BGR), loaded when it is needed.

    lay: for each die its place in the label before if it lies as it lay there, None if it was thrown.
    """

    label: PhotoLabel
    lay: tuple[int | None, ...]
    load: Callable[[], Pixels]


@dataclass(frozen=True, eq=False)
class FamilyGame:
    """A family's game: its name, its dice and its throws in order."""

    name: str
    dice: DieSet
    throws: tuple[GameThrow, ...]


def folder_game(folder: Path) -> FamilyGame:
    """Return the game of a labelled folder, in the order of its file names. Raises LabelError."""
    labels = sorted(load_labels(folder), key=lambda label: _by_number(label.file))
    if not labels:
        raise LabelError(f"{folder / 'labels.jsonl'} has no labels")
    dice = _checked_dice(labels)
    loads = [partial(load_picture, folder / label.file) for label in labels]
    return FamilyGame(folder.resolve().name, dice, _throws(labels, loads))


def simulated_game(game: str, number: int, throws: int = THROWS, use: Use = Use.SCORING) -> FamilyGame:
    """Return the game of the `number`-th simulated family of a game. Raises LabelError for an unknown game."""
    family = simulated_family(game, number, use)
    painted = list(family_game(family, throws, number))
    labels = [parse_row(throw.label) for throw in painted]
    loads = [partial(decode_picture, throw.jpeg) for throw in painted]
    return FamilyGame(f"{game}-{number}", family.dice, _throws(labels, loads))


def _by_number(file: str) -> list[tuple[int, str]]:
    """Return the key by which `throw_2` comes before `throw_10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", file)]


def _checked_dice(labels: Sequence[PhotoLabel]) -> DieSet:
    """Return the one set of all labels. Raises LabelError where they say too little to play by."""
    first = labels[0].there
    for label in labels:
        if first is None or label.there != first:
            raise LabelError(f"{label.file} names no die set, or another than {labels[0].file}: one game has one set")
        if not label.boxes:
            raise LabelError(f"{label.file} has faces without boxes: a game needs to know where each die lies")
        unnamed = next((die.face for die in label.dice if not die.kind), None)
        if unnamed is not None:
            raise LabelError(f"{label.file} has a die with {unnamed}, which is on several kinds or none: name its kind")
    assert first is not None  # noqa: S101  the loop refuses it
    return first


def _throws(labels: Sequence[PhotoLabel], loads: Sequence[Callable[[], Pixels]]) -> tuple[GameThrow, ...]:
    before = [(), *(label.dice for label in labels[:-1])]
    return tuple(
        GameThrow(label, tuple(_lay_at(die, lay) for die in label.dice), load)
        for label, lay, load in zip(labels, before, loads, strict=True)
    )


def _lay_at(die: LabelledDie, before: Sequence[LabelledDie]) -> int | None:
    """Return the place of the die with the same label that lay there before; None if there is none."""
    for n, one in enumerate(before):
        away = max(abs(one.x - die.x), abs(one.y - die.y))
        if (one.kind, one.face) == (die.kind, die.face) and away <= STILL * die.edge:
            return n
    return None


# The pictures of one photographed throw, as those who learn from it need them


def view_of(pixels: Pixels) -> rectification.TrayView:
    """Return a photograph (BGR) as the reader sees it: from straight above if all markers are in sight."""
    frame = Frame(pixels, 1, 0.0)
    calibration, _ = locate(frame, TrayLayout(), None)
    return rectification.unrectified_view(frame) if calibration is None else rectification.rectify(frame, calibration)


@dataclass(frozen=True)
class ThrowImages:
    """The pictures of the dice of one observation; an `ImageSource` that keeps no tray."""

    pixels: Pixels
    observation: Observation

    @cached_property
    def view(self) -> rectification.TrayView:
        """The photograph as the reader saw it."""
        return view_of(self.pixels)

    def die_image(self, number: int) -> Pixels:
        return rectification.cut_for_display(self.pixels, self._sighting(number))

    def die_with_surroundings(self, number: int) -> tuple[Pixels, rectification.RotatedSquare]:
        """Return one die with what lies around it, and its place in that picture."""
        sighting = self._sighting(number)
        return rectification.cut_with_surroundings(
            self.pixels, sighting, rectification.rotation_in_frame(sighting, self.view)
        )

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return None: nobody keeps the tray."""
        return None

    def current_picture(self) -> CameraPicture | None:
        """Return None: nobody watches."""
        return None

    def settled_picture(self) -> TrayPicture | None:
        """Return None: no evidence is kept."""
        return None

    def _sighting(self, number: int) -> DieSighting:
        return next(die.reading.sighting for die in self.observation.dice if die.number == number)
