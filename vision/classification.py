"""Reading dice: each sighting is cut out upright and named by a small convolutional network.

The network knows drawings (`CLASSES`): a three is drawn as pips, as a digit or as a word. A die set says what a drawing
means on its dice. `crop` is the very function that the training cuts with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import DieKind, DieSet, FaceName, KindName
from vision.assignment import KindFace, allot
from vision.detection import ALIKE
from vision.fewshot import UNKNOWN_PRIOR, Lesson
from vision.frames import Pixels
from vision.model_file import BrokenModel, load_model
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import TrayView

INPUT_SIDE = 64
"""Pixels of the network's square input."""

INPUT_EDGES = 1.5
"""How many edges of the die the input covers."""

COARSE = 0.75
"""A die is averaged down, not sampled, when the input has fewer than this many pixels for one of the picture's."""

LEAST_FACE, LEAST_SIGHTING = 0.05, 0.6
"""A sighting below both is left out."""

INSIDE = 0.6
"""Edges of the larger die within which the middle of a smaller thing is a part of it."""

CAUTIOUS = 0.95
"""The least threshold of a lesson for dice of which it does not know every face."""

STRANGE = 0.02
"""What is less likely than this to be none of the faces that were taught is one of their dice."""

FAINT = 1e-6
"""How likely a face is that neither a drawing nor a lesson tells of, so that there is something to ask about."""

UNTOLD = FaceName("")
"""Whichever of those faces it is."""

NUMBERS = ("one", "two", "three", "four", "five", "six")

CLASSES: tuple[FaceName, ...] = tuple(
    FaceName(name)
    for name in (
        *(f"pip-{n}" for n in range(1, 7)),
        *(f"digit-{n}" for n in range(1, 7)),
        *("two", "three", "four", "happy", "star", "sad", "go", "slow", "stop", "green", "yellow", "red", "zap"),
        *("green-switch", "red-switch", "block", "blank", "none"),
    )
)
"""The drawings that the network tells apart; `none` is no face of any die."""

HOME_KINDS: tuple[tuple[KindName, tuple[str, ...]], ...] = (
    (KindName("d6"), ("pip-1", "pip-2", "pip-3", "pip-4", "pip-5", "pip-6", *(f"digit-{n}" for n in range(1, 7)))),
    (KindName("traffic"), ("two", "three", "four", "happy", "star", "sad")),
    (KindName("signal"), ("go", "slow", "stop")),
    (KindName("tossup"), ("green", "yellow", "red")),
    (KindName("rollers-black"), ("zap",)),
    (KindName("switch"), ("green-switch", "red-switch", "block", "blank")),
)
"""The kind that a face belongs to when no die set is given."""

NEAR_COLOUR = 8.0
"""Steps of Lab by which one body must be nearer than another to be 2.7 times as likely."""

LOOKALIKES: tuple[tuple[str, ...], ...] = (
    ("go", "green", "green-switch"),
    ("slow", "yellow"),
    ("stop", "red", "red-switch"),
    *((f"pip-{n + 1}", f"digit-{n + 1}", number) for n, number in enumerate(NUMBERS)),
)
"""Drawings that stand for one another where a die has only one of them."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class RotatedSquare:
    """Where a die lies in a picture: the middle and the edge of its top face in pixels, and its turn."""

    x: float
    y: float
    edge: float
    turned_degrees: float


def crop(pixels: Pixels, place: RotatedSquare) -> Pixels:
    """The die, upright, SIDE pixels square and REACH edges wide; what lies beyond the picture is mirrored."""
    part, near = _around(pixels, place)
    turn = cv2.getRotationMatrix2D((near.x, near.y), near.turned_degrees, INPUT_SIDE / (INPUT_EDGES * near.edge))
    turn = np.add(turn, [[0, 0, INPUT_SIDE / 2 - near.x], [0, 0, INPUT_SIDE / 2 - near.y]])
    cut = cv2.warpAffine(
        part, turn, (INPUT_SIDE, INPUT_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(cut, np.uint8)


def _around(pixels: Pixels, place: RotatedSquare) -> tuple[Pixels, RotatedSquare]:
    """The neighbourhood of a die and its place in there, averaged down where the die is much larger than the input."""
    height, width = pixels.shape[:2]
    left, right = (int(np.clip(place.x + side * INPUT_EDGES * place.edge, 0, width - 1)) for side in (-1, 1))
    top, bottom = (int(np.clip(place.y + side * INPUT_EDGES * place.edge, 0, height - 1)) for side in (-1, 1))
    part = pixels[top : bottom + 1, left : right + 1]
    factor = INPUT_SIDE / (INPUT_EDGES * place.edge)
    if factor > COARSE:
        return part, RotatedSquare(place.x - left, place.y - top, place.edge, place.turned_degrees)
    size = (max(1, round(part.shape[1] * factor)), max(1, round(part.shape[0] * factor)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    x, y = (place.x - left + 0.5) * factor - 0.5, (place.y - top + 0.5) * factor - 0.5
    return np.asarray(small, np.uint8), RotatedSquare(x, y, place.edge * factor, place.turned_degrees)


def network_input(crops: Sequence[Pixels]) -> Floats:
    """Crops as the network takes them: n x 3 x SIDE x SIDE, 0..1."""
    return np.asarray(cv2.dnn.blobFromImages(list(crops), 1 / 255), np.float32)


def softmax(logits: Floats) -> Floats:
    """Probabilities along the last axis."""
    grown = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float32)


class Reader:
    """Reads sightings. Several threads may use it: nothing in it changes, and its session may run in all of them.

    A die has no upper edge, so a crop that is not clear at a glance is looked at from all four sides.
    A reading is accepted when the die lies flat, the finder thinks a die likelier than not, and the face's probability
    reaches the threshold that the card says was chosen. A reader may have a lesson: then the faces that were taught are
    read by it, and only what it does not know by the network's own drawings.
    """

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        if tuple(card["classes"]) != CLASSES:
            raise BrokenModel(f"the model {weights} knows other faces than this program; install it again")
        self._temperature = float(card["temperature"])
        self._accept = float(card["accept_from"])
        self._glance = float(card["glance_from"])
        self._sighting_from = float(card["sighting_from"])
        self._die_from = float(card["die_from"])
        self._judges = True
        self._lesson: Lesson | None = None
        self.version = str(card["sha256"])[:12]
        """Which reader it is: the beginning of its checksum."""

    @property
    def accept_from(self) -> float:
        """The probability from which on a face stands."""
        return self._accept

    def with_lesson(self, lesson: Lesson | None) -> Reader:
        """The same reader with a lesson in place of the one it may have, or with none."""
        other = copy(self)
        other._lesson = lesson
        return other

    def without_rejection(self) -> Reader:
        """The same reader, but leaving out nothing that the finder takes for a die: dice that nobody has seen yet."""
        other = copy(self)
        other._judges = False
        return other

    def features(self, cuts: Sequence[Pixels]) -> Floats:
        """The network's features of each crop, n x size: the mean of its looks from all four sides, of length 1."""
        return _one_length([self._run([_quarter(cut, quarters) for cut in cuts])[2] for quarters in range(4)])

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        """A reading for each sighting that is a die; what the network takes for no face at all is left out.

        With a die set all dice are weighed together, since it has only so many of each kind.
        """
        looks = self._looks(view, sightings, dice)
        looks = whole_dice([look for look in looks if look.none <= self._die_from or not self._judges])
        if not looks:
            return ()
        weighed = [self._weighed(look, dice) for look in looks]
        nones = [self._none(*one) for one in zip(looks, weighed, strict=True)]
        named = weighed if dice is None else allot(weighed, nones, dice)
        readings = (self._reading(*row, dice) for row in zip(looks, named, strict=True))
        return tuple(reading for reading in readings if not (self._judges and hardly_a_die(reading)))

    def _looks(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> list[Look]:
        """What the network says of each sighting."""
        if not sightings:
            return []
        cuts = [crop(view.frame.pixels, RotatedSquare(s.x, s.y, s.edge, rotation_in_frame(s, view))) for s in sightings]
        shares, leans, features = self._run(cuts)
        taught: Sequence[Floats | None] = [None] * len(cuts)
        doubtful = np.nonzero(shares.max(axis=1) < self._glance)[0] if self._lesson is None else np.arange(len(cuts))
        if len(doubtful):
            turned = [self._run([_quarter(cuts[n], quarters) for n in doubtful]) for quarters in (1, 2, 3)]
            for whole, others in zip((shares, leans), ([turn[k] for turn in turned] for k in (0, 1)), strict=True):
                whole[doubtful] = np.mean([whole[doubtful], *others], axis=0)
            if self._lesson is not None:
                features = _one_length([features, *(turn[2] for turn in turned)])
                stranger = UNKNOWN_PRIOR if dice is None else self._lesson.unknown_prior(dice)
                taught = list(self._lesson.probabilities_of(features, stranger).astype(np.float32))
        return [Look(*row) for row in zip(sightings, cuts, shares, leans, taught, strict=True)]

    def _run(self, cuts: Sequence[Pixels]) -> tuple[Floats, Floats, Floats]:
        """The probabilities of CLASSES and of the postures for each crop, and its features."""
        names = ["faces", "postures", "features"]
        logits, postures, features = self._session.run(names, {"crops": network_input(cuts)})
        return softmax(logits / self._temperature), softmax(postures), features

    def _weighed(self, look: Look, dice: DieSet | None) -> dict[KindFace, float]:
        """How likely the die alone is each kind and face."""
        worth = self._worth(look)
        return {named: worth * share for named, share in self._likely(look, dice).items()}

    def _likely(self, look: Look, dice: DieSet | None) -> dict[KindFace, float]:
        """How likely the die is each kind and face: what was taught by the lesson, the rest by the drawings.

        A face that was taught and no longer belongs to the set is none of them. What is left over is UNTOLD where the
        set has faces that nothing tells of: it may be any of those, so that no other is taken for granted.
        """
        owned, known, stranger = _faces(dice), dict[KindFace, float](), 1.0
        if self._lesson is not None and look.taught is not None:
            taught = zip(self._lesson.faces, map(float, look.taught), strict=False)
            known = {named: share for named, share in taught if dice is None or named in owned}
            stranger = float(look.taught[-1])
        drawn = {name: share for name, share in likely_faces(look.shares, dice, look.cut).items() if name not in known}
        silent = [named for named in owned if named not in known and named not in drawn]
        rest = stranger * max(0.0, 1.0 - sum(drawn.values()) - float(look.shares[-1]))
        untold = {(kind, UNTOLD): rest * count / len(silent) for kind, count in Counter(k for k, _ in silent).items()}
        faint = dict.fromkeys(silent, FAINT)
        return known | {named: stranger * share for named, share in drawn.items()} | faint | untold

    def _none(self, look: Look, weighed: Mapping[KindFace, float]) -> float:
        """How likely it is no die at all, or, where there is a lesson, a stranger: that is weighed in there already."""
        if look.taught is not None:
            return max(0.0, 1.0 - sum(weighed.values()))
        return 1.0 - self._worth(look) * (1.0 - look.none)

    def _worth(self, look: Look) -> float:
        """What the finder doubts weighs half."""
        return 1.0 if self._is_there(look) else 0.5

    def _is_there(self, look: Look) -> bool:
        """Whether the finder thinks a die likelier than not, or it is known by its lesson."""
        return look.sighting.confidence >= self._sighting_from or look.is_known

    def _reading(self, look: Look, named: Mapping[KindFace, float], dice: DieSet | None) -> DieReading:
        faces: dict[FaceName, float] = {}
        for (_, face), share in named.items():
            if face != UNTOLD:
                faces[face] = faces.get(face, 0.0) + share
        (face, sure), *others = sorted(faces.items(), key=lambda item: -item[1])
        kind, _ = max((name for name in named if name[1] == face), key=lambda name: named[name])
        flat = look.sighting.posture is Posture.FLAT and float(look.leans[0]) > 0.5
        posture = look.sighting.posture if flat or look.sighting.posture is not Posture.FLAT else Posture.COCKED
        accepted = flat and sure >= self._threshold((kind, face), dice) and self._is_there(look)
        likely = tuple((other, float(share)) for other, share in others if share >= 0.001)[:4]
        return DieReading(replace(look.sighting, posture=posture), kind, face, round(float(sure), 4), accepted, likely)

    def _threshold(self, named: KindFace, dice: DieSet | None) -> float:
        """The probability from which on this face stands: higher where it may be a face that nobody taught."""
        if self._lesson is None or named not in self._lesson.faces:
            return self._accept
        whole = dice is None or self._lesson.unknown_prior(dice) <= UNKNOWN_PRIOR
        return self._lesson.accept_from if whole else max(self._lesson.accept_from, CAUTIOUS)


@dataclass(frozen=True, eq=False)
class Look:
    """A sighting, its crop, and the network's probabilities: of CLASSES, and of flat, cocked and stacked.

    `taught` are those of a lesson's faces and, last, of none of them; None without a lesson.
    """

    sighting: DieSighting
    cut: Pixels
    shares: Floats
    leans: Floats
    taught: Floats | None = None

    @property
    def none(self) -> float:
        """How likely it shows nothing that is known: neither one of CLASSES nor a face that was taught."""
        return float(self.shares[-1] if self.taught is None else min(self.shares[-1], self.taught[-1]))

    @property
    def is_known(self) -> bool:
        """Whether a lesson surely knows it, so that it is a die even where the finder doubts it."""
        return self.taught is not None and float(self.taught[-1]) < STRANGE

    @property
    def worth(self) -> float:
        """How surely a die is there, to finder and reader together."""
        return self.sighting.confidence * (1.0 - self.none)


def hardly_a_die(reading: DieReading) -> bool:
    """Whether neither the finder is sure of a die nor any face likely: a key, a tile, a coin, and no die in doubt."""
    return reading.confidence < LEAST_FACE and reading.sighting.confidence < LEAST_SIGHTING


def whole_dice(looks: Sequence[Look]) -> list[Look]:
    """The looks, less the pips of a larger die and the crowds of smaller ones: whichever of the two is likelier one."""
    kept: list[Look] = []
    for look in sorted(looks, key=lambda one: -one.worth):
        if not any(_one_in_the_other(look.sighting, other.sighting) for other in kept):
            kept.append(look)
    return kept


def _one_in_the_other(one: DieSighting, other: DieSighting) -> bool:
    small, large = sorted((one.edge, other.edge))
    return large > ALIKE * small and np.hypot(one.x - other.x, one.y - other.y) < INSIDE * large


def _one_length(turns: Sequence[Floats]) -> Floats:
    """The mean of the looks from all sides, made to length 1."""
    mean = np.mean(turns, axis=0)
    return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), np.float32)


def _quarter(cut: Pixels, quarters: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(cut, quarters))


def rotation_in_frame(sighting: DieSighting, view: TrayView) -> float:
    """The die's turn in the frame, where the rectified view may itself be turned against the frame."""
    lean = np.radians(sighting.turned_degrees)
    middle = cv2.perspectiveTransform(np.array([[[sighting.x, sighting.y]]]), np.linalg.inv(view.to_frame))[0, 0]
    ahead = middle + 10 * np.array([np.cos(lean), np.sin(lean)])
    there = cv2.perspectiveTransform(ahead[None, None], view.to_frame)[0, 0]
    return float(np.degrees(np.arctan2(there[1] - sighting.y, there[0] - sighting.x)) % 90)


def likely_faces(shares: Floats, dice: DieSet | None, cut: Pixels) -> dict[KindFace, float]:
    """The probability of every kind and face. `shares` are in the order of CLASSES; `cut` tells the body's colour.

    A drawing that several kinds have is shared out among them by how near the body is to the colours of theirs.
    """
    likely: dict[KindFace, float] = {}
    for meant, share in zip(_all_meanings(dice), shares, strict=False):
        bodies = _by_body([kind for kind, _ in meant], cut, dice) if dice and len(meant) > 1 else [1.0] * len(meant)
        for named, part in zip(meant, bodies, strict=True):
            likely[named] = likely.get(named, 0.0) + float(share) * part
    return likely


@lru_cache(maxsize=16)
def _faces(dice: DieSet | None) -> tuple[KindFace, ...]:
    """Every kind and face of a set; none where any may lie there."""
    return tuple((kind.name, face) for kind in dice.kinds for face in kind.faces) if dice else ()


@lru_cache(maxsize=16)
def _all_meanings(dice: DieSet | None) -> tuple[list[KindFace], ...]:
    """What each of CLASSES but the last, which is no face, can mean."""
    return tuple(faces_of_drawing(drawing, dice) for drawing in CLASSES[:-1])


def faces_of_drawing(drawing: FaceName, dice: DieSet | None) -> list[KindFace]:
    """What a drawing can mean on the dice of a set: the face itself, else a lookalike; nothing where it has neither."""
    if dice is None:
        return [(kind, drawing) for kind, faces in HOME_KINDS if drawing in faces]
    alike = next((group for group in LOOKALIKES if drawing in group), (drawing,))
    found = [(kind.name, _meant(drawing, alike, kind)) for kind in dice.kinds]
    exact = [(kind, face) for kind, face in found if face == drawing]
    return exact or [(kind, face) for kind, face in found if face is not None]


def _meant(drawing: FaceName, alike: Sequence[str], kind: DieKind) -> FaceName | None:
    if drawing in kind.faces:
        return drawing
    return next((face for face in kind.faces if face in alike), None)


def _by_body(kinds: Sequence[KindName], cut: Pixels, dice: DieSet) -> list[float]:
    """The shares of kinds in a die of this crop, by the colours of their bodies."""
    distances = np.array([_colour_distance(cut, dice.kind(kind).bodies) for kind in kinds])
    nearness = np.exp(-(distances - distances.min()) / NEAR_COLOUR)
    return [float(share) for share in nearness / nearness.sum()]


def _colour_distance(cut: Pixels, bodies: Sequence[str]) -> float:
    """How far (in Lab) the crop's commonest colour is from the nearest of the bodies (#rrggbb); 0 of no known body."""
    inner = cut[INPUT_SIDE // 4 : -INPUT_SIDE // 4, INPUT_SIDE // 4 : -INPUT_SIDE // 4].reshape(-1, 1, 3)
    lab = np.median(cv2.cvtColor(inner, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float64), axis=0)
    return min((float(np.linalg.norm(_lab(body) - lab)) for body in bodies), default=0.0)


@cache
def _lab(body: str) -> npt.NDArray[np.uint8]:
    colour = np.array([[[int(body[k : k + 2], 16) for k in (5, 3, 1)]]], np.uint8)
    return np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2LAB)[0, 0])
