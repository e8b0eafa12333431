"""Fit the PLDA model of few-shot learning, and score lessons on dice never trained on.

The procedure is that of the running program: the finder finds the dice, the reader computes their features,
`vision.fewshot` fits a lesson, and the reader reads the other pictures with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.training.lying_dice import TrueDie
from models.training.picture_dataset import StoredPicture
from models.training.reading_scores import share_line
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import Example, Floats, Lesson, PldaModel, fit_lesson
from vision.frames import Frame
from vision.observations import LEANING, DieReading, DieSighting
from vision.rectification import RotatedSquare, TrayView, crop, unrectified_view

SHRINKAGE = 0.1
"""Share of the mean within-class variance added in every direction: it is estimated on few faces."""
DIMENSIONS = 160
"""Dimensions of the embedding, those of largest between-class variance: more did not improve the readings."""
MIN_EXAMPLES = 4
"""A drawing with fewer examples is not used to estimate covariances."""
MAX_SILENT_ERRORS = 0.001
"""Share of dice that a threshold may accept with a wrong face, on the pictures it is chosen on."""
SHOTS = (5, 10)
"""Numbers of examples of a face that are scored."""
SESSIONS = 3
"""The examples are divided among so many capture sessions."""
KIND = KindName("taught")


@dataclass(frozen=True, eq=False)
class FoundDie:
    """A clear flat die of a picture, as finder and reader see it.

    picture: its index. style: what the die's six faces have in common. sighting: None if the finder missed it.
    features: the reader's features, float32; None without a sighting.
    """

    picture: int
    style: str
    truth: TrueDie
    sighting: DieSighting | None
    features: npt.NDArray[np.float32] | None


def find_dice(pictures: Iterable[StoredPicture], finder: Finder, reader: Reader) -> list[FoundDie]:
    """Return every clear flat die of the pictures, with the finder's sighting and the reader's features."""
    found: list[FoundDie] = []
    for number, picture in enumerate(tqdm(list(pictures), desc="finding dice", mininterval=5)):
        view = unrectified_view(Frame(picture.pixels(), number, 0.0))
        found += _find_dice_in(
            view, [die for die in picture.dice if die.clear and die.posture == "flat"], finder, reader
        )
    return found


def _find_dice_in(view: TrayView, dice: Sequence[TrueDie], finder: Finder, reader: Reader) -> list[FoundDie]:
    sightings = finder.find(view)
    nearest = [min(sightings, key=lambda one, die=die: _distance(die, one), default=None) for die in dice]  # type: ignore[misc]
    seen = [one if one and _distance(die, one) < die.edge / 2 else None for die, one in zip(dice, nearest, strict=True)]
    places = [RotatedSquare(one.x, one.y, one.edge, one.turned_degrees) for one in seen if one]
    features = iter(reader.features([crop(view.frame.pixels, place) for place in places]) if places else ())
    return [
        FoundDie(view.frame.number, style_of(die), die, one, next(features) if one else None)
        for die, one in zip(dice, seen, strict=True)
    ]


def _distance(die: TrueDie, one: DieSighting) -> float:
    return float(np.hypot(die.x - one.x, die.y - one.y))


def style_of(die: TrueDie) -> str:
    """Return the name of a die's style, which its six faces have in common: body, lettering, inks."""
    return die.drawing.rpartition("/")[2]


def fit_plda(dice: Sequence[FoundDie], reader: str) -> PldaModel:
    """Estimate the PLDA model of a reader's features; its threshold is 0, so that its lessons accept everything.

    The classes are drawings. The between-class covariance is that of the class means, less the part that their
    within-class covariance causes.
    """
    by_drawing: dict[str, list[npt.NDArray[np.float32]]] = {}
    for one in dice:
        if one.features is not None:
            by_drawing.setdefault(one.truth.drawing, []).append(one.features)
    drawings = [np.array(found, np.float64) for found in by_drawing.values() if len(found) >= MIN_EXAMPLES]
    within = _pooled(drawings)
    within += SHRINKAGE * np.trace(within) / len(within) * np.eye(len(within))
    means = np.array([drawing.mean(axis=0) for drawing in drawings])
    between = np.cov(means.T) - within * float(np.mean([1 / len(drawing) for drawing in drawings]))
    projection, variance = _discriminant_projection(within, between)
    return PldaModel(means.mean(axis=0), projection, variance, temperature=1.0, accept_from=0.0, reader=reader)


def _pooled(drawings: Sequence[Floats]) -> Floats:
    """Return the pooled within-class covariance: of features about the mean of their drawing."""
    parts = [drawing - drawing.mean(axis=0) for drawing in drawings]
    count = sum(len(part) - 1 for part in parts)
    return np.asarray(sum(part.T @ part for part in parts) / count, np.float64)


def _discriminant_projection(within: Floats, between: Floats) -> tuple[Floats, Floats]:
    """DIRECTIONS in which the scatter within is 1 and that between is diagonal, and that diagonal (Ioffe, fig. 2)."""
    whitened = np.linalg.cholesky(np.linalg.inv(within))
    variance, eigenvectors = np.linalg.eigh(whitened.T @ between @ whitened)  # in ascending order
    projection = whitened @ eigenvectors[:, -DIMENSIONS:]
    return np.asarray(projection, np.float64), np.maximum(np.asarray(variance[-DIMENSIONS:], np.float64), 1e-3)


@dataclass(frozen=True, eq=False)
class Episode:
    """A few-shot episode with one die: the support set to learn its faces from, and the query set to read."""

    faces: tuple[str, ...]
    support: tuple[FoundDie, ...]
    query: tuple[FoundDie, ...]

    def examples(self, plda: PldaModel) -> list[Example]:
        """Return the support set as examples, those of a face divided among SESSIONS sessions."""
        seen: dict[str, int] = {}
        found = []
        for one in self.support:
            seen[one.truth.face] = seen.get(one.truth.face, -1) + 1
            session = f"session {seen[one.truth.face] % SESSIONS}"
            assert one.features is not None  # noqa: S101 - `courses` takes no other
            (embedding,) = plda.project(one.features[None])
            found.append(Example(embedding, (KIND, FaceName(one.truth.face)), session, str(one.picture)))
        return found


def episodes(dice: Sequence[FoundDie], shots: int, seed: int = 1) -> list[Episode]:
    """Return an episode for each style with at least three faces of more than `shots` examples, in random order."""
    rng = np.random.default_rng(seed)
    styles: dict[str, dict[str, list[FoundDie]]] = {}
    for one in (dice[int(k)] for k in rng.permutation(len(dice))):
        styles.setdefault(one.style, {}).setdefault(one.truth.face, []).append(one)
    return [episode for faces in styles.values() if (episode := _episode(faces, shots)) is not None]


def _episode(faces: Mapping[str, Sequence[FoundDie]], shots: int) -> Episode | None:
    parts = {face: _split(dice, shots) for face, dice in faces.items()}
    known = {face: (support, query) for face, (support, query) in parts.items() if len(support) == shots and query}
    if len(known) < 3:
        return None
    support, query = (tuple(chain.from_iterable(part[k] for part in known.values())) for k in (0, 1))
    return Episode(tuple(known), support, query)


def _split(dice: Sequence[FoundDie], shots: int) -> tuple[list[FoundDie], list[FoundDie]]:
    """Return the support set, the first examples in which the finder found the die, and all others."""
    seen = [one for one in dice if one.features is not None][:shots]
    return seen, [one for one in dice if not any(one is other for other in seen)]


def calibrate_plda(plda: PldaModel, dice: Sequence[FoundDie]) -> PldaModel:
    """Return the model with the temperature and threshold that are best for the fewest examples.

    The temperature minimises the negative log-likelihood of the query sets (Guo et al. 2017).
    """
    found = [(episode.examples(plda), episode) for episode in episodes(dice, min(SHOTS))]
    temperature = min(np.geomspace(0.5, 40, 31), key=lambda t: sum(_loss(plda, *one, float(t)) for one in found))
    scaled = replace(plda, temperature=float(temperature), accept_from=0.0)
    outcomes = [pair for examples, episode in found for pair in _outcomes(scaled, examples, episode)]
    accept = _threshold(outcomes)
    return replace(plda, temperature=round(float(temperature), 3), accept_from=accept)


def _query_probabilities(
    plda: PldaModel, examples: Sequence[Example], episode: Episode
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the face probabilities of the query set, and the index of each true face."""
    lesson = Lesson.from_examples(plda, examples)
    query = [(one, one.features) for one in episode.query if one.features is not None]
    order = {face: n for n, (_, face) in enumerate(lesson.faces)}
    probabilities = lesson.probabilities_of(np.array([features for _, features in query]))
    return probabilities, np.array([order[FaceName(one.truth.face)] for one, _ in query])


def _loss(plda: PldaModel, examples: Sequence[Example], episode: Episode, temperature: float) -> float:
    scaled = replace(plda, temperature=temperature, accept_from=0.0)
    probabilities, faces = _query_probabilities(scaled, examples, episode)
    return float(-np.log(np.maximum(probabilities[np.arange(len(faces)), faces], 1e-9)).sum())


def _outcomes(plda: PldaModel, examples: Sequence[Example], episode: Episode) -> list[tuple[float, bool]]:
    """Return for each die of the query set the probability of its most probable face, and whether that is right."""
    probabilities, faces = _query_probabilities(plda, examples, episode)
    best = probabilities[:, :-1].argmax(axis=1)
    return [(float(row[face]), bool(face == true)) for row, face, true in zip(probabilities, best, faces, strict=True)]


def _threshold(outcomes: Sequence[tuple[float, bool]]) -> float:
    """Return the lowest threshold that accepts at most MAX_SILENT_ERRORS of all with a wrong face."""
    allowed = int(MAX_SILENT_ERRORS * len(outcomes))
    wrong = sorted((confidence for confidence, right in outcomes if not right), reverse=True)
    return round(min(max(0.5, wrong[allowed] + 1e-3 if len(wrong) > allowed else 0.0), 0.999), 3)


@dataclass(frozen=True)
class FewshotScore:
    """How lessons read the query sets.

    shots: examples per face; styles: episodes; dice, found, accepted: counts; not_flat: asked about since they seem to
    lean or to be stacked, whatever they show; wrong: what was accepted with a wrong face.
    """

    shots: int
    styles: int
    dice: int
    found: int
    accepted: int
    not_flat: int
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        lines = (
            ("right of the accepted", self.accepted - len(self.wrong), self.accepted),
            ("asked about", self.found - self.accepted, self.found),
            ("of these for what they show", self.found - self.accepted - self.not_flat, self.found),
            ("found", self.found, self.dice),
        )
        lines_text = "\n".join(share_line(*line) for line in lines)
        return f"{self.styles} styles, {self.shots} examples of each face\n{lines_text}"


def score(
    pictures: Sequence[StoredPicture], dice: Sequence[FoundDie], reader: Reader, plda: PldaModel, shots: int
) -> FewshotScore:
    """Fit a lesson to the support set of every episode, and read its query set with it."""
    found = episodes(dice, shots)
    outcomes: list[tuple[FoundDie, DieReading | None]] = []
    for episode in tqdm(found, desc=f"{shots} examples a face", mininterval=5):
        taught_reader = reader.with_lesson(fit_lesson(plda, episode.examples(plda)).lesson)
        outcomes += _read(pictures, episode, taught_reader)
    read = [(one, reading) for one, reading in outcomes if reading is not None]
    stands = [(one, reading) for one, reading in read if reading.accepted]
    wrong = [
        f"{one.truth.drawing} as {reading.face}"
        for one, reading in stands
        if (reading.kind, reading.face) != (KIND, one.truth.face)
    ]
    not_flat = sum(not reading.accepted and reading.sighting.posture in LEANING for _, reading in read)
    return FewshotScore(shots, len(found), len(outcomes), len(read), len(stands), not_flat, tuple(wrong))


def _read(
    pictures: Sequence[StoredPicture], episode: Episode, reader: Reader
) -> Iterable[tuple[FoundDie, DieReading | None]]:
    """Yield each die of the query set with its reading or None; the dice of a picture are read together."""
    sides = tuple(Face(FaceName(face), face) for face in episode.faces)
    for number in dict.fromkeys(one.picture for one in episode.query):
        dice = [one for one in episode.query if one.picture == number]
        owned = DieSet("taught", "Taught dice", ((DieKind(KIND, "Taught die", sides), len(dice)),), 16.0)
        view = unrectified_view(Frame(pictures[number].pixels(), number, 0.0))
        readings = reader.read(view, [one.sighting for one in dice if one.sighting], owned)
        by_place = {(reading.sighting.x, reading.sighting.y): reading for reading in readings}
        for one in dice:
            yield one, by_place.get((one.sighting.x, one.sighting.y)) if one.sighting else None


def card(dice: Sequence[FoundDie], plda: PldaModel) -> dict[str, str | float]:
    styles, drawings = len({one.style for one in dice}), len({one.truth.drawing for one in dice})
    return {
        "name": "space",
        "purpose": "PLDA model of the reader's features, by which a few examples teach a face",
        "reader": plda.reader,
        "directions": len(plda.between_variance),
        "temperature": plda.temperature,
        "accept_from": plda.accept_from,
        "chosen_on": f"{len(dice)} dice of {styles} styles, {drawings} drawings, of which none is trained or scored on",
        "remade_by": "make models",
    }
