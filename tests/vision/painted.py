"""A painted tray: markers, dice as coloured squares, a sleeve, sensor noise; and eyes that know its colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from referee.dice import DieSet, FaceName, KindName
from vision.arrival import Arrival
from vision.frames import Frame, Pixels
from vision.motion_burst import BurstFilm
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import TrayView
from vision.tray_calibration import TrayLayout

LAYOUT = TrayLayout()
SCALE, LEFT, TOP = 3.2, 160.0, 120.0
EDGE_MM = 16.0
SLEEVE = 52, 50, 48
FACES = {"happy": (40, 40, 230), "star": (40, 220, 40), "sad": (230, 60, 40), "two": (30, 210, 230)}


@dataclass(frozen=True)
class Piece:
    """A die on the painted tray, at its millimetres."""

    x: float
    y: float
    face: str = "happy"
    turned: float = 0.0


def paint(
    pieces: Iterable[Piece] = (),
    *,
    hidden: Sequence[int] = (),
    sleeve: float = 0.0,
    light: float = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
    seed: int = 0,
    size: tuple[int, int] = (1280, 960),
) -> Pixels:
    """A picture of the tray. `sleeve`: how far, in mm, an arm reaches in from below; `hidden` markers are not drawn."""
    picture = np.empty((960, 1280, 3), np.float32)
    picture[:] = np.linspace(95, 120, 1280)[None, :, None] * (1.0, 1.02, 1.05)
    _draw_markers(picture, hidden)
    for piece in pieces:
        _draw_piece(picture, piece)
    if sleeve:
        corners = np.array([[500, 960], [540, 960 - sleeve * SCALE], [760, 960 - sleeve * SCALE], [820, 960]], np.int32)
        cv2.fillConvexPoly(picture, corners, SLEEVE)
    if any(shift):
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
        picture = cv2.warpAffine(picture, move, (1280, 960), borderMode=cv2.BORDER_REPLICATE)
    picture = picture * np.float32(light)
    if size != (1280, 960):
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.add(picture, _noise(seed, size), dtype=cv2.CV_8U), np.uint8)


@cache
def _noise_bank() -> np.ndarray:
    return np.random.default_rng(0).normal(0, 2.5, (1024, 1408, 3)).astype(np.float32)


def _noise(seed: int, size: tuple[int, int]) -> np.ndarray:
    """A sensor's noise, another for each seed: a window of one large field, which is quicker than new noise."""
    top, left = seed * 7 % 61, seed * 13 % 127
    return _noise_bank()[top : top + size[1], left : left + size[0]]


def _draw_markers(picture: np.ndarray, hidden: Sequence[int]) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(LAYOUT.marker_mm * SCALE)
    for number, (x, y) in enumerate(LAYOUT.corners_mm):
        if number in hidden:
            continue
        left, top = round(LEFT + x * SCALE - side / 2), round(TOP + y * SCALE - side / 2)
        picture[top - 12 : top + side + 12, left - 12 : left + side + 12] = 235
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        picture[top : top + side, left : left + side] = np.where(marker > 0, 235, 20)[..., None]


def _draw_piece(picture: np.ndarray, piece: Piece) -> None:
    middle = LEFT + piece.x * SCALE, TOP + piece.y * SCALE
    corners = cv2.boxPoints((middle, (EDGE_MM * SCALE, EDGE_MM * SCALE), piece.turned))
    cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), FACES[piece.face])


class Film:
    """Makes frames at 15 a second, each with noise of its own."""

    def __init__(self) -> None:
        self.number = 0

    def frame(self, pixels: Pixels) -> Frame:
        self.number += 1
        return Frame(pixels, self.number, self.number / 15)

    def still(self, pieces: Sequence[Piece] = (), count: int = 8, **look: object) -> list[Frame]:
        """The same table for a while."""
        return [self.frame(paint(pieces, seed=self.number, **look)) for _ in range(count)]

    def tumble(self, pieces: Sequence[Piece], resting: Sequence[Piece] = (), count: int = 10) -> list[Frame]:
        """Pieces roll in from the upper left and come to rest, slower and slower."""
        shots = [[_on_the_way(piece, (k + 1) / count) for piece in pieces] for k in range(count)]
        return [self.frame(paint([*resting, *shot], seed=self.number)) for shot in shots]

    def reach(self, before: Sequence[Piece], after: Sequence[Piece], depth: float = 230.0) -> list[Frame]:
        """An arm comes in, changes the table under its hand, and goes out again."""
        ways = [depth * k / 5 for k in range(1, 6)]
        shots = [(before, way) for way in ways] + [(after, way) for way in ways[::-1]]
        return [self.frame(paint(pieces, sleeve=way, seed=self.number)) for pieces, way in shots]


def _on_the_way(piece: Piece, done: float) -> Piece:
    left = (1 - done) ** 2
    faces = list(FACES)
    face = piece.face if done > 0.8 else faces[(int(done * 10) + len(piece.face)) % len(faces)]
    return Piece(piece.x - 90 * left, piece.y - 60 * left, face, piece.turned + 200 * left)


class ColourFinder:
    """Finds squares of strong colour."""

    def __init__(self) -> None:
        self.calls = 0

    def find(self, view: TrayView, *, thoroughly: bool = False) -> tuple[DieSighting, ...]:
        self.calls += 1
        spread = view.pixels.max(axis=2).astype(int) - view.pixels.min(axis=2)
        outlines, _ = cv2.findContours((spread > 90).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        boxes = [cv2.minAreaRect(outline) for outline in outlines]
        return tuple(_sighting(view, box) for box in boxes if min(box[1]) * view.mm_per_pixel > 8)


def _sighting(view: TrayView, box: tuple) -> DieSighting:
    corners = cv2.boxPoints(box).astype(np.float64)
    points = np.vstack([corners.mean(axis=0), corners])[None]
    in_mm, in_frame = (cv2.perspectiveTransform(points, plane)[0] for plane in (view.to_mm, view.to_frame))
    edges = [float(np.linalg.norm(places[2] - places[1])) for places in (in_mm, in_frame)]
    where = {"x_mm": in_mm[0, 0], "y_mm": in_mm[0, 1], "x": in_frame[0, 0], "y": in_frame[0, 1]}
    numbers = {name: float(value) for name, value in where.items()}
    turned = float(box[2]) % 90
    return DieSighting(
        **numbers, edge_mm=edges[0], edge=edges[1], turned_degrees=turned, posture=Posture.FLAT, confidence=0.9
    )


class ColourReader:
    """Names a die's face by its colour. `doubts` makes it unsure of a face."""

    def __init__(self, doubts: str = "") -> None:
        self.doubts = doubts
        self.accept_from = 0.0

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        return tuple(self._reading(view.frame.pixels, sighting) for sighting in sightings)

    def _reading(self, pixels: Pixels, at: DieSighting) -> DieReading:
        colour = pixels[round(at.y), round(at.x)].astype(float)
        face = min(FACES, key=lambda name: float(np.linalg.norm(colour - FACES[name])))
        return reading(face=face, sure=0.6 if face == self.doubts else 0.99, at=at)


def sighting(x: float, y: float) -> DieSighting:
    """A flat die at a place of the painted tray."""
    return DieSighting(x, y, EDGE_MM, 0.0, Posture.FLAT, 0.9, LEFT + x * SCALE, TOP + y * SCALE, EDGE_MM * SCALE)


def reading(
    x: float = 0.0, y: float = 0.0, face: str = "happy", sure: float = 0.99, *, at: DieSighting | None = None
) -> DieReading:
    """A Traffic die read there; below 0.9 it is not accepted, and star or sad is the runner-up."""
    other = FaceName("sad" if face == "star" else "star")
    others = ((other, round(1 - sure, 4)),)
    return DieReading(at or sighting(x, y), KindName("traffic"), FaceName(face), sure, sure >= 0.9, others)


def leaning(read: DieReading) -> DieReading:
    """The same die, cocked."""
    return replace(read, sighting=replace(read.sighting, posture=Posture.COCKED), accepted=False)


def colour_arrivals(film: BurstFilm, places: Sequence[tuple[float, float, float]]) -> list[Arrival]:
    """Know how pieces came: what appeared while a sleeve was in sight was moved by hand, the rest was thrown."""
    return [_colour_arrival(film, *place) for place in places]


def _colour_arrival(film: BurstFilm, x: float, y: float, edge: float) -> Arrival:
    left, top = (max(0, int(at - edge / 4)) for at in (x, y))
    part = slice(top, int(y + edge / 4) + 1), slice(left, int(x + edge / 4) + 1)
    states = [film.before, *(picture.pixels for picture in film.pictures)]
    known = [float(cv2.absdiff(one[part], film.after[part]).mean()) < 15 for one in states]
    longest = max((picture.after for picture in film.pictures), default=0.0)
    if known[0]:
        return Arrival(thrown=0.0, moved=0.0, turned=0.0, untouched=1.0, longest_step=longest)
    came = known.index(True) if True in known else len(film.pictures)
    arrived = film.pictures[came - 1].at if film.pictures else 0.0
    if any(map(_shows_sleeve, states[max(came - 1, 0) : came + 1])):
        return Arrival(thrown=0.0, moved=0.5, turned=0.5, untouched=0.0, longest_step=longest, arrived_at=arrived)
    return Arrival(thrown=0.99, moved=0.01, turned=0.0, untouched=0.0, longest_step=longest, arrived_at=arrived)


def _shows_sleeve(pixels: Pixels) -> bool:
    return float((cv2.absdiff(pixels, np.full_like(pixels, SLEEVE)).max(axis=2) < 12).mean()) > 0.02
