"""Teaching faces: how the features scatter, and how well a few pictures of dice never trained on are learned from.

Everything goes the way that it goes on the box: the finder finds the dice, the reader takes their features,
`vision.fewshot_eval` learns, and the reader reads the other pictures with that lesson.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.training.ground_truth import Truth
from models.training.picture_dataset import Kept
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.classification import Reader
from vision.detection import Finder
from vision.die_crops import RotatedSquare, crop
from vision.fewshot import Example, Floats, Lesson, PldaModel
from vision.fewshot_eval import fit_lesson
from vision.frames import Frame
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import TrayView, unrectified_view
from vision.statistics import wilson_interval

SMOOTHED = 0.1
"""Share of the mean scatter that is added in every direction, since scatter was measured on few faces."""
DIRECTIONS = 160
"""So many directions are kept, those in which faces lie farthest apart: more tell nothing more."""
LEAST_MET = 4
"""A look of a face met less often says nothing of scatter."""
SILENT = 0.001
"""The share of dice that a threshold may let through as what they are not, on the pictures it is chosen on."""
SHOWN = (5, 10)
"""So many pictures of a face are taught."""
SESSIONS = 3
"""The pictures that are taught are taken to be from so many sittings."""
KIND = KindName("taught")


@dataclass(frozen=True, eq=False)
class Sighted:
    """A clear die that lies flat, the look that it and its die's other faces share, and how the finder sighted it."""

    picture: int
    look: str
    truth: Truth
    sighting: DieSighting | None
    features: npt.NDArray[np.float32] | None


def sighted(pictures: Iterable[Kept], finder: Finder, reader: Reader) -> list[Sighted]:
    """Every clear flat die of the pictures, found by the finder and described by the reader."""
    found: list[Sighted] = []
    for number, kept in enumerate(tqdm(list(pictures), desc="sighting", mininterval=5)):
        view = unrectified_view(Frame(kept.pixels(), number, 0.0))
        found += _sighted_in(view, [die for die in kept.dice if die.clear and die.posture == "flat"], finder, reader)
    return found


def _sighted_in(view: TrayView, dice: Sequence[Truth], finder: Finder, reader: Reader) -> list[Sighted]:
    sightings = finder.find(view)
    nearest = [min(sightings, key=lambda one, die=die: _apart(die, one), default=None) for die in dice]  # type: ignore[misc]
    seen = [one if one and _apart(die, one) < die.edge / 2 else None for die, one in zip(dice, nearest, strict=True)]
    places = [RotatedSquare(one.x, one.y, one.edge, one.turned_degrees) for one in seen if one]
    features = iter(reader.features([crop(view.frame.pixels, place) for place in places]) if places else ())
    return [
        Sighted(view.frame.number, look_of(die), die, one, next(features) if one else None)
        for die, one in zip(dice, seen, strict=True)
    ]


def _apart(die: Truth, one: DieSighting) -> float:
    return float(np.hypot(die.x - one.x, die.y - one.y))


def look_of(die: Truth) -> str:
    """What a die's six faces have in common: their body, their hand, their inks."""
    return die.drawing.rpartition("/")[2]


def measured(met: Sequence[Sighted], reader: str) -> PldaModel:
    """How pictures of one drawing scatter among the features, and how drawings do. Its lessons accept everything."""
    places: dict[str, list[npt.NDArray[np.float32]]] = {}
    for one in met:
        if one.features is not None:
            places.setdefault(one.truth.drawing, []).append(one.features)
    drawings = [np.array(found, np.float64) for found in places.values() if len(found) >= LEAST_MET]
    within = _pooled(drawings)
    within += SMOOTHED * np.trace(within) / len(within) * np.eye(len(within))
    means = np.array([drawing.mean(axis=0) for drawing in drawings])
    between = np.cov(means.T) - within * float(np.mean([1 / len(drawing) for drawing in drawings]))
    towards, spread = _directions(within, between)
    return PldaModel(means.mean(axis=0), towards, spread, temperature=1.0, accept_from=0.0, reader=reader)


def _pooled(drawings: Sequence[Floats]) -> Floats:
    """The covariance of pictures about the mean of their drawing."""
    parts = [drawing - drawing.mean(axis=0) for drawing in drawings]
    count = sum(len(part) - 1 for part in parts)
    return np.asarray(sum(part.T @ part for part in parts) / count, np.float64)


def _directions(within: Floats, between: Floats) -> tuple[Floats, Floats]:
    """DIRECTIONS in which the scatter within is 1 and that between is diagonal, and that diagonal (Ioffe, fig. 2)."""
    whitened = np.linalg.cholesky(np.linalg.inv(within))
    spread, turned = np.linalg.eigh(whitened.T @ between @ whitened)  # in rising order
    towards = whitened @ turned[:, -DIRECTIONS:]
    return np.asarray(towards, np.float64), np.maximum(np.asarray(spread[-DIRECTIONS:], np.float64), 1e-3)


@dataclass(frozen=True, eq=False)
class Course:
    """A die to be taught: some pictures of each of its faces to learn from, and the others to be read afterwards."""

    faces: tuple[str, ...]
    taught: tuple[Sighted, ...]
    left: tuple[Sighted, ...]

    def examples(self, plda: PldaModel) -> list[Example]:
        """What is learned from; the pictures of a face are shared out among SESSIONS sittings."""
        met: dict[str, int] = {}
        found = []
        for one in self.taught:
            met[one.truth.face] = met.get(one.truth.face, -1) + 1
            session = f"sitting {met[one.truth.face] % SESSIONS}"
            assert one.features is not None  # noqa: S101 - `courses` takes no other
            (place,) = plda.project(one.features[None])
            found.append(Example(place, (KIND, FaceName(one.truth.face)), session, str(one.picture)))
        return found


def courses(met: Sequence[Sighted], shown: int, seed: int = 1) -> list[Course]:
    """Every look of which at least three faces are met more often than they are shown, in pictures by chance."""
    rng = np.random.default_rng(seed)
    looks: dict[str, dict[str, list[Sighted]]] = {}
    for one in (met[int(k)] for k in rng.permutation(len(met))):
        looks.setdefault(one.look, {}).setdefault(one.truth.face, []).append(one)
    return [course for faces in looks.values() if (course := _course(faces, shown)) is not None]


def _course(faces: Mapping[str, Sequence[Sighted]], shown: int) -> Course | None:
    parts = {face: _parted(met, shown) for face, met in faces.items()}
    known = {face: (taught, left) for face, (taught, left) in parts.items() if len(taught) == shown and left}
    if len(known) < 3:
        return None
    taught, left = (tuple(chain.from_iterable(part[k] for part in known.values())) for k in (0, 1))
    return Course(tuple(known), taught, left)


def _parted(met: Sequence[Sighted], shown: int) -> tuple[list[Sighted], list[Sighted]]:
    """The first pictures in which the finder found the die, to be taught, and all others."""
    seen = [one for one in met if one.features is not None][:shown]
    return seen, [one for one in met if not any(one is other for other in seen)]


def chosen(plda: PldaModel, met: Sequence[Sighted]) -> PldaModel:
    """The space with the temperature and the least threshold that serve best where the fewest pictures are shown."""
    found = [(course.examples(plda), course) for course in courses(met, min(SHOWN))]
    temperature = min(np.geomspace(0.5, 40, 31), key=lambda t: sum(_cost(plda, *one, float(t)) for one in found))
    warmed = PldaModel(plda.mean, plda.projection, plda.between_variance, float(temperature), 0.0, plda.reader)
    outcomes = [pair for examples, course in found for pair in _outcomes(warmed, examples, course)]
    accept = _threshold(outcomes)
    return PldaModel(
        plda.mean, plda.projection, plda.between_variance, round(float(temperature), 3), accept, plda.reader
    )


def _likely(plda: PldaModel, examples: Sequence[Example], course: Course) -> tuple[Floats, npt.NDArray[np.int64]]:
    """How likely the pictures left are each face, and which face each really shows."""
    lesson = Lesson.from_examples(plda, examples)
    left = [(one, one.features) for one in course.left if one.features is not None]
    order = {face: n for n, (_, face) in enumerate(lesson.faces)}
    likely = lesson.probabilities_of(np.array([features for _, features in left]))
    return likely, np.array([order[FaceName(one.truth.face)] for one, _ in left])


def _cost(plda: PldaModel, examples: Sequence[Example], course: Course, temperature: float) -> float:
    warmed = PldaModel(plda.mean, plda.projection, plda.between_variance, temperature, 0.0, plda.reader)
    likely, faces = _likely(warmed, examples, course)
    return float(-np.log(np.maximum(likely[np.arange(len(faces)), faces], 1e-9)).sum())


def _outcomes(plda: PldaModel, examples: Sequence[Example], course: Course) -> list[tuple[float, bool]]:
    """For each picture left how sure the lesson is of its likeliest face, and whether that is right."""
    likely, faces = _likely(plda, examples, course)
    best = likely[:, :-1].argmax(axis=1)
    return [(float(row[face]), bool(face == true)) for row, face, true in zip(likely, best, faces, strict=True)]


def _threshold(outcomes: Sequence[tuple[float, bool]]) -> float:
    """The least threshold that lets no more than SILENT of all through as what they are not."""
    allowed = int(SILENT * len(outcomes))
    wrong = sorted((sure for sure, right in outcomes if not right), reverse=True)
    return round(min(max(0.5, wrong[allowed] + 1e-3 if len(wrong) > allowed else 0.0), 0.999), 3)


@dataclass(frozen=True)
class Scored:
    """What became of the dice that were read by a lesson; `wrong` are those accepted as what they are not.

    `slanting` are asked about because they seem to lean or to lie on another die, whatever they show.
    """

    shown: int
    looks: int
    dice: int
    found: int
    accepted: int
    slanting: int
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        lines = (
            ("right of the accepted", self.accepted - len(self.wrong), self.accepted),
            ("asked about", self.found - self.accepted, self.found),
            ("of these for what they show", self.found - self.accepted - self.slanting, self.found),
            ("found", self.found, self.dice),
        )
        told = "\n".join(f"{what}: {_figure(hits, count)}" for what, hits, count in lines)
        return f"{self.looks} looks, {self.shown} pictures of each face shown\n{told}"


def _figure(hits: int, count: int) -> str:
    low, high = wilson_interval(hits, count)
    return (
        f"{hits} of {count} = {100 * hits / max(count, 1):.2f} % (95 % interval {100 * low:.2f} to {100 * high:.2f} %)"
    )


def score(pictures: Sequence[Kept], met: Sequence[Sighted], reader: Reader, plda: PldaModel, shown: int) -> Scored:
    """Teach every look with so many pictures a face, and read the others."""
    found = courses(met, shown)
    outcomes: list[tuple[Sighted, DieReading | None]] = []
    for course in tqdm(found, desc=f"{shown} a face", mininterval=5):
        taught = reader.with_lesson(fit_lesson(plda, course.examples(plda)).lesson)
        outcomes += _read(pictures, course, taught)
    read = [(one, reading) for one, reading in outcomes if reading is not None]
    stands = [(one, reading) for one, reading in read if reading.accepted]
    wrong = [f"{one.truth.drawing} as {reading.face}" for one, reading in stands if reading.face != one.truth.face]
    slanting = sum(not reading.accepted and reading.sighting.posture is not Posture.FLAT for _, reading in read)
    return Scored(shown, len(found), len(outcomes), len(read), len(stands), slanting, tuple(wrong))


def _read(pictures: Sequence[Kept], course: Course, taught: Reader) -> Iterable[tuple[Sighted, DieReading | None]]:
    """Each picture left of a course with its reading, if it has one; the dice of a picture are read together."""
    sides = tuple(Face(FaceName(face), face) for face in course.faces)
    for number in dict.fromkeys(one.picture for one in course.left):
        dice = [one for one in course.left if one.picture == number]
        owned = DieSet("taught", "Taught dice", ((DieKind(KIND, "Taught die", sides), len(dice)),), 16.0)
        view = unrectified_view(Frame(pictures[number].pixels(), number, 0.0))
        readings = taught.read(view, [one.sighting for one in dice if one.sighting], owned)
        by_place = {(reading.sighting.x, reading.sighting.y): reading for reading in readings}
        for one in dice:
            yield one, by_place.get((one.sighting.x, one.sighting.y)) if one.sighting else None


def card(met: Sequence[Sighted], plda: PldaModel) -> dict[str, str | float]:
    """What the card of a space tells of it."""
    looks, drawings = len({one.look for one in met}), len({one.truth.drawing for one in met})
    return {
        "name": "space",
        "purpose": "tells how pictures of one face scatter among the reader's features, so that a few teach a face",
        "reader": plda.reader,
        "directions": len(plda.between_variance),
        "temperature": plda.temperature,
        "accept_from": plda.accept_from,
        "chosen_on": f"{len(met)} dice of {looks} looks, {drawings} drawings, of which none is trained or scored on",
        "remade_by": "make models",
    }
