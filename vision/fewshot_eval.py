"""How good a lesson is, told by its own pictures: each is read by what the others taught, and never by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.assignment import Named
from vision.fewshot import STRANGER, Example, Floats, Lesson, Space

MOST_PARTS = 200
"""So many times a lesson is learned anew at most, to find out how good it is."""
FLATTER = np.geomspace(0.5, 4.0, 13)
"""Temperatures that a lesson may have, as multiples of the usual one."""
STUBBORN = 4.0
"""How much the usual temperature is held to: as much as so many pictures that are each 2.7 times likelier with it."""
MOST_ACCEPTANCE = 0.999
CONFUSED = 0.03
"""The share of each other's pictures from which on two faces are said to be confused."""
ALIKE = 0.25
"""The same from which on two faces had better be one."""
DISOWNED, CLAIMED = 0.05, 0.8
"""A picture that its own face's others find less likely, and another face's more, looks mislabelled."""


@dataclass(frozen=True)
class Confused:
    """Two faces, and the share of their pictures that each has of the other's."""

    face: Named
    other: Named
    share: float

    @property
    def alike(self) -> bool:
        """Whether they had better be one face, or be shown again."""
        return self.share >= ALIKE


@dataclass(frozen=True, eq=False)
class Proof:
    """The lesson's pictures as the others read them.

    `likely` is examples x (faces + 1), last none of them; `by_session` says whether whole sessions were left out, which
    is the harder and the more honest way, or, where that cannot be, the pictures of one moment. `accepted` says which
    examples a lesson would accept, as whatever face, that took its temperature and threshold from the others.
    """

    lesson: Lesson
    examples: tuple[Example, ...]
    likely: Floats
    by_session: bool
    accepted: npt.NDArray[np.bool_]

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """For each example the place of its face among the lesson's."""
        return _labels(self.lesson, self.examples)

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Which examples the lesson would read right, asked or not."""
        own = self.likely[np.arange(len(self.examples)), self.labels]
        return np.asarray((self.likely[:, :-1].argmax(axis=1) == self.labels) & (own > 0))

    def confused(self) -> tuple[Confused, ...]:
        """The pairs of faces that are taken for each other, the worst first."""
        labels, faces = self.labels, self.lesson.faces
        shares = np.array([self.likely[labels == n, :-1].mean(axis=0) for n in range(len(faces))])
        both = (shares + shares.T) / 2
        pairs = [(n, m) for n in range(len(faces)) for m in range(n) if both[n, m] >= CONFUSED]
        pairs.sort(key=lambda pair: -both[pair])
        return tuple(Confused(faces[m], faces[n], float(both[n, m])) for n, m in pairs)

    def suspects(self) -> tuple[tuple[int, Named], ...]:
        """The examples that look mislabelled, with the face that each looks like, the worst first."""
        own = self.likely[np.arange(len(self.examples)), self.labels]
        other = self.likely[:, :-1].argmax(axis=1)
        claimed = self.likely[:, :-1].max(axis=1)
        found = np.nonzero((own < DISOWNED) & (claimed > CLAIMED))[0]
        alike = {frozenset((pair.face, pair.other)) for pair in self.confused() if pair.alike}
        told = [(int(n), self.lesson.faces[other[n]]) for n in found[np.argsort(own[found])]]
        return tuple((n, face) for n, face in told if frozenset((self.examples[n].shows, face)) not in alike)


def learn(space: Space, examples: Sequence[Example], stranger: float = STRANGER) -> Proof:
    """Learn from examples, find out how good that is, and let the lesson be as sure as it may be.

    Its temperature is the one with which its own pictures, left out, are likeliest; its threshold the least with which
    none of them would have been accepted as what it is not. What it would accept is told part by part, with the
    temperature and threshold that the *other* parts give: a threshold has no word in what it was chosen on. `stranger`
    is how likely, before it is looked at, a die shows none of the faces that are taught.
    """
    lesson = Lesson.of(space, examples)
    parts, by_session = _parts(examples)
    labels = _labels(lesson, examples)
    logs = _left_out(lesson, np.array([example.place for example in examples]), labels, parts)
    warmths = space.temperature * FLATTER
    likely = np.array([space.shares(logs, warmth, stranger) for warmth in warmths])
    costs = -np.log(np.maximum(likely[:, np.arange(len(labels)), labels], 1e-12))
    best = _coolest(costs)
    proof = Proof(lesson, tuple(examples), likely[best], by_session, np.zeros(len(labels), np.bool_))
    doubted = np.zeros(len(labels), np.bool_)
    doubted[[n for n, _ in proof.suspects()]] = True
    accepted = np.zeros(len(labels), np.bool_)
    for part in parts:
        others = np.ones(len(labels), np.bool_)
        others[part] = False
        warmth = _coolest(costs[:, others])
        least = _threshold(space, likely[warmth], proof.right | doubted | ~others)
        accepted[part] = likely[warmth][part, :-1].max(axis=1) >= least
    sure = replace(lesson, temperature=float(warmths[best]))
    sure = replace(sure, accept_from=_threshold(space, likely[best], proof.right | doubted))
    return replace(proof, lesson=sure, accepted=accepted)


def _labels(lesson: Lesson, examples: Sequence[Example]) -> npt.NDArray[np.int64]:
    """For each example the place of its face among the lesson's."""
    order = {face: n for n, face in enumerate(lesson.faces)}
    return np.array([order[example.shows] for example in examples], np.int64)


def _coolest(costs: Floats) -> int:
    """Which of the temperatures makes the examples likeliest; `costs` are temperatures x examples."""
    return int(np.argmin(costs.sum(axis=1) + STUBBORN * np.log(FLATTER) ** 2))


def _parts(examples: Sequence[Example]) -> tuple[list[npt.NDArray[np.int64]], bool]:
    """What is left out together: whole sessions, where every face was shown in two of them; else single moments."""
    met: dict[Named, set[str]] = {}
    for example in examples:
        met.setdefault(example.shows, set()).add(example.session)
    by_session = all(len(sessions) > 1 for sessions in met.values())
    names = [example.session if by_session else example.moment for example in examples]
    order = {name: n % MOST_PARTS for n, name in enumerate(dict.fromkeys(names))}
    part_of = np.array([order[name] for name in names])
    return [np.nonzero(part_of == part)[0] for part in np.unique(part_of)], by_session


def _left_out(
    lesson: Lesson, places: Floats, labels: npt.NDArray[np.int64], parts: Sequence[npt.NDArray[np.int64]]
) -> Floats:
    """The Space's `logs` of every place, each part of them told by the others: examples x (faces + 1).

    A face that is left out whole cannot be told then, and what shows it is none of the others.
    """
    logs = np.empty((len(places), len(lesson.faces) + 1))
    for part in parts:
        others = np.ones(len(places), np.bool_)
        others[part] = False
        shown = [places[others & (labels == n)] for n in range(len(lesson.faces))]
        logs[part] = lesson.space.logs(places[part], shown)
    return logs


def _threshold(space: Space, likely: Floats, harmless: npt.NDArray[np.bool_]) -> float:
    """The least threshold with which none is accepted as what it is not, but those that do no harm.

    They are right, or look mislabelled.
    """
    wrong = likely[~harmless, :-1].max(axis=1, initial=0.0)
    highest = float(wrong.max()) + 1e-3 if len(wrong) else 0.0
    return min(max(space.accept_from, highest), MOST_ACCEPTANCE)
