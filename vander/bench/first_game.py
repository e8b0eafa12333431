"""`vander bench first-game`: play the first game with dice that nobody has seen, and learn as a table learns.

Each picture is a throw. Each doubt is answered from the label, as a person would: dice that look alike are asked about
together, and one question tells which die is of which kind.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

import numpy as np

from models.dataset import FaceLabel, NewSample
from models.dataset.samples import CheckedDie, LabelSource
from referee.dice import Die, DieSet, FaceName, KindName
from referee.sentences import Refused
from vander.bench.photo_benchmark import readings
from vander.bench.photo_scores import LabelError, LabelledDie, canonical_face, match
from vander.bench.simulated_families import FamilyGame, GameThrow, ThrowImages, view_of
from vander.learning.die_set_lessons import LearningStores
from vander.learning.learning_service import LearningService
from vander.learning.play_learner import DieDescriber, PlayLearner
from vander.resources.models_and_stores import LoadedModels, open_learning_stores
from vander.storage import settings
from vision.detection import Finder
from vision.frame_reader import DieReader
from vision.kinds import KindFace
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie
from vision.pipeline import read_photograph
from vision.rectification import cut_with_surroundings, rotation_in_frame
from vision.tray_calibration import TrayLayout

LIES_BADLY = (Posture.COCKED, Posture.STACKED)
"""Postures of dice that are asked about whatever they show; no label has such a die."""

Place = tuple[int, int]
"""A die of a game: the number of its throw, from 1, and its place in the label, from 0."""


class Became(StrEnum):
    """What became of a die of a throw."""

    RIGHT = "right"
    ASKED = "asked"
    WRONG = "silently wrong"
    MISSED = "missed"


@dataclass(frozen=True)
class ThrowScore:
    """Counts over throws.

    `dice` were thrown; those that lie as they lay are not counted. `asked` were asked about, of which `asked_kind` are
    questions for a kind alone, and `asked_posture` are dice that seem to lean or to lie on another. `wrong` are
    silently wrong by face or kind, of which `wrong_kind` have the right face. `missed` dice were not found; `phantoms`
    were accepted where no die is.
    """

    dice: int = 0
    asked: int = 0
    asked_kind: int = 0
    asked_posture: int = 0
    wrong: int = 0
    wrong_kind: int = 0
    missed: int = 0
    phantoms: int = 0

    def __add__(self, other: ThrowScore) -> ThrowScore:
        return ThrowScore(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))


@dataclass(frozen=True, eq=False)
class ReadDie:
    """A labelled die with what was seen there.

    place: which die of the game it is. lay: its place in the throw before if it lies as it lay, None if it was thrown.
    tracked: what was seen there; None for a die that was missed.
    """

    place: Place
    die: LabelledDie
    lay: int | None
    tracked: TrackedDie | None

    @property
    def reading(self) -> DieReading | None:
        """The reading that lies on it; None if it was missed."""
        return self.tracked.reading if self.tracked else None

    @property
    def truth(self) -> KindFace:
        return KindName(self.die.kind), FaceName(self.die.face)

    @property
    def became(self) -> Became:
        if self.reading is None:
            return Became.MISSED
        if not self.reading.accepted:
            return Became.ASKED
        return Became.RIGHT if self.read == self.truth else Became.WRONG

    @property
    def read(self) -> KindFace | None:
        """The kind and face that it was read as; a number is named by its pips."""
        if self.reading is None:
            return None
        return self.reading.kind, FaceName(canonical_face(self.reading.face, None))

    @property
    def only_kind_asked(self) -> bool:
        """True if nobody has to say its face, but which kind it is."""
        return self.reading is not None and self.reading.only_kind_doubted


@dataclass(frozen=True)
class Answer:
    """What a person said that a die shows; `false` if that is not so."""

    label: KindFace
    false: bool = False


@dataclass(frozen=True, eq=False)
class RuledThrow:
    """A throw that was ruled on: its number, its pictures, its dice, and what people said of some of them."""

    number: int
    images: ThrowImages
    dice: tuple[ReadDie, ...]
    answers: Mapping[Place, Answer]


@dataclass(frozen=True, eq=False)
class UntaughtTable:
    """A table that learns nothing: the baseline."""

    reader: DieReader

    def learn(self, throw: RuledThrow) -> float | None:
        return None

    def suspects(self) -> frozenset[Place]:
        return frozenset()


@dataclass(frozen=True, eq=False)
class PlayedThrow:
    """A throw as it was played: its number, its score, and the time of its update, None without one.

    mistaken: true and read kind and face of the dice that were silently wrong.
    """

    number: int
    score: ThrowScore
    update_ms: float | None
    mistaken: tuple[tuple[KindFace, KindFace], ...]


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A family's game as it was played.

    Of the `answers` so many were `false`; of these `named` looked false in the end, and so did `accused` true ones.
    """

    name: str
    throws: tuple[PlayedThrow, ...]
    answers: int = 0
    false: int = 0
    named: int = 0
    accused: int = 0

    @property
    def score(self) -> ThrowScore:
        return sum((throw.score for throw in self.throws), ThrowScore())


@dataclass(frozen=True)
class Answering:
    """How people answer: so many of their answers (0 to 1) are false, chosen by a seed."""

    false_share: float = 0.0
    seed: int = 1


def play(
    game: FamilyGame,
    models: LoadedModels,
    table: PlayTable | UntaughtTable,
    answering: Answering,
    left_out: frozenset[Place] = frozenset(),
) -> PlayedGame:
    """Play a family's game; dice in `left_out` were shown to the table before and are not counted."""
    rng = np.random.default_rng(answering.seed)
    played, answers, before = list[PlayedThrow](), dict[Place, Answer](), list[Became]()
    for number, throw in enumerate(game.throws, 1):
        pixels = throw.load()
        seen = read_photograph(pixels, models.finder, table.reader, game.dice, TrayLayout())
        dice, phantoms = read_dice(number, throw, seen)
        thrown = tuple(one for one in dice if one.lay is None)
        said = _answers(thrown, game.dice, answering.false_share, rng)
        counted = [one for one in dice if one.place not in left_out]
        took = table.learn(RuledThrow(number, ThrowImages(pixels, seen), thrown, said))
        played.append(PlayedThrow(number, _score(counted, phantoms, before), took, _mistaken(counted, before)))
        answers |= said
        before = [_stands(one, before) for one in dice]
    return _played(game.name, played, answers, table.suspects())


def _played(
    name: str, throws: Sequence[PlayedThrow], answers: Mapping[Place, Answer], suspects: frozenset[Place]
) -> PlayedGame:
    false = {place for place, answer in answers.items() if answer.false}
    true = answers.keys() - false
    return PlayedGame(name, tuple(throws), len(answers), len(false), len(false & suspects), len(true & suspects))


def read_dice(number: int, throw: GameThrow, seen: Observation) -> tuple[tuple[ReadDie, ...], int]:
    """Return the dice of a throw with the readings that lie on them, and the number of accepted phantoms."""
    read = readings(seen)
    by_read = {id(one): tracked for one, tracked in zip(read, seen.dice, strict=True)}
    on = {id(die): by_read[id(one)] for die, one in match(throw.label.dice, read)}
    dice = tuple(
        ReadDie((number, n), die, lay, on.get(id(die)))
        for n, (die, lay) in enumerate(zip(throw.label.dice, throw.lay, strict=True))
    )
    met = {tracked.number for tracked in on.values()}
    return dice, sum(die.reading.accepted for die in seen.dice if die.number not in met)


def _answers(
    dice: Sequence[ReadDie], owned: DieSet, false_share: float, rng: np.random.Generator
) -> dict[Place, Answer]:
    """Return what a person says of the dice in doubt; those that show the same are asked about together."""
    doubted = [one for one in dice if one.became is Became.ASKED]
    said = dict[tuple[KindFace, bool], Answer]()
    for one in doubted:
        question = one.truth, one.only_kind_asked
        if question not in said:
            others = _other_labels(*question, owned)
            false = bool(others) and bool(rng.random() < false_share)
            said[question] = Answer(others[int(rng.integers(len(others)))] if false else one.truth, false)
    return {one.place: said[one.truth, one.only_kind_asked] for one in doubted}


def _other_labels(truth: KindFace, only_kind: bool, owned: DieSet) -> list[KindFace]:
    """Return what a mistaken person could say: another face of that die or, asked for the kind alone, another kind."""
    kind, face = truth
    if only_kind:
        return [(other.name, face) for other in owned.kinds if other.name != kind and face in other.faces]
    return [(kind, other) for other in owned.kind(kind).faces if other != face]


def _score(dice: Sequence[ReadDie], phantoms: int, before: Sequence[Became]) -> ThrowScore:
    thrown, mistaken = [one for one in dice if one.lay is None], _mistaken(dice, before)
    doubted = [one for one in thrown if one.became is Became.ASKED]
    kinds = int(any(one.only_kind_asked for one in doubted))  # one tap tells the kinds of all
    return ThrowScore(
        dice=len(thrown),
        asked=sum(not one.only_kind_asked for one in doubted) + kinds,
        asked_kind=kinds,
        asked_posture=sum(one.reading is not None and one.reading.sighting.posture in LIES_BADLY for one in doubted),
        wrong=len(mistaken),
        wrong_kind=sum(true[1] == read[1] for true, read in mistaken),
        missed=sum(one.became is Became.MISSED for one in thrown),
        phantoms=phantoms,
    )


def _mistaken(dice: Sequence[ReadDie], before: Sequence[Became]) -> tuple[tuple[KindFace, KindFace], ...]:
    """Return the true and the read kind and face of the dice that are silently wrong, and were not so already."""
    wrong = [one for one in dice if one.became is Became.WRONG and (one.lay is None or before[one.lay] is Became.RIGHT)]
    return tuple((one.truth, one.read) for one in wrong if one.read)


def _stands(one: ReadDie, before: Sequence[Became]) -> Became:
    """Return the outcome for a die: an unmoved die keeps the earlier reading or answer."""
    if one.lay is None or (before[one.lay] is Became.RIGHT and one.became is Became.WRONG):
        return one.became
    return before[one.lay]


# A table that learns from its first game as any table does: with the stores and the learner of the program itself


BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
"""When the first throw is made; another follows each minute."""


class PlayTable:
    """A table in a data folder of its own, on which dice of one set are played with.

    The learner works as at the table, but is waited for after each throw.
    """

    def __init__(self, folder: Path, dice: DieSet, models: LoadedModels) -> None:
        self.stores: LearningStores = open_learning_stores(settings.load(data_dir=folder), models)
        self.service = LearningService(self.stores, models.reader, models.plda)
        self._describer = DieDescriber(models.reader, models.plda)
        self._dice = dice
        self._places = dict[str, Place]()

    @property
    def reader(self) -> DieReader:
        """The reader with the lesson in use and what was learned in play."""
        return self.service.reader()

    def learn(self, throw: RuledThrow) -> float | None:
        """Learn from a throw; return the processor's milliseconds until it is in use, None if nobody said anything."""
        seen = {one.place: one.tracked for one in throw.dice if one.tracked is not None}
        now = BEGAN + timedelta(minutes=throw.number)
        learner = PlayLearner(self.stores.played, self.stores.samples, self._describer, lambda _: True, lambda: now)
        self._places |= {f"{now:%Y%m%dT%H%M%S}-1-{die.number}-": place for place, die in seen.items()}
        self._tell(learner, throw, seen)
        began = time.process_time()
        learner.start()
        learner.stop()
        return 1000 * (time.process_time() - began) if throw.answers else None

    def suspects(self) -> frozenset[Place]:
        """Return the dice of which an answer looks false."""
        origins = [suspect.example.origin for suspect in self.stores.played.suspects(self._dice.name)]
        return frozenset(place for start, place in self._places.items() if any(o.startswith(start) for o in origins))

    def _tell(self, learner: PlayLearner, throw: RuledThrow, seen: dict[Place, TrackedDie]) -> None:
        said = {place: Die(*answer.label) for place, answer in throw.answers.items() if place in seen}
        learner.dice_settled(self._dice.name, list(seen.values()), throw.images)
        if said:
            faces = {seen[place].number: (seen[place].thrown, shows) for place, shows in said.items()}
            learner.faces_stated(faces, LabelSource.ANSWERED)
        learner.throw_ruled([_checked(die, said.get(place)) for place, die in seen.items()])


def _checked(die: TrackedDie, said: Die | None) -> CheckedDie:
    reading = die.reading
    shows, source = said or Die(reading.kind, reading.face), LabelSource.ANSWERED if said else None
    return CheckedDie(die.number, die.thrown, shows, accepted=reading.accepted, said=source)


# Teach a family's dice before its first game, by their first pictures in the labelled folder


SESSION = "taught"
BY = "guided capture"


@dataclass(frozen=True)
class TeachingPlan:
    """So many pictures of each face, of one kind or (kind '') of all."""

    pictures: int
    kind: str = ""


def teach(game: FamilyGame, table: PlayTable, finder: Finder, plan: TeachingPlan) -> frozenset[Place]:
    """Teach a table the first dice of each face, and return them: they are not to be scored.

    Raises LabelError for an unknown kind, and where the table does not learn from so few.
    """
    if plan.kind and plan.kind not in {str(kind.name) for kind in game.dice.kinds}:
        kinds = ", ".join(str(kind.name) for kind in game.dice.kinds)
        raise LabelError(f"the dice of {game.dice.title} have no kind {plan.kind!r}; there are {kinds}")
    shown = dict(_first_dice(game, plan))
    by_throw = defaultdict[int, dict[int, KindFace]](dict)
    for (number, n), shows in shown.items():
        by_throw[number][n] = shows
    samples = table.stores.samples
    session = samples.start_session(game.dice.name, "guided", SESSION)
    for number, wanted in by_throw.items():
        samples.save(session, game.dice.name, None, list(_samples(game.throws[number - 1], wanted, finder)))
    try:
        table.service.teach(game.dice.name)
    except Refused as refused:
        raise LabelError(f"the dice cannot be taught: {refused}") from None
    return frozenset(shown)


def _first_dice(game: FamilyGame, plan: TeachingPlan) -> Iterator[tuple[Place, KindFace]]:
    """Yield the first thrown dice of each face with what they show."""
    seen = Counter[KindFace]()
    for number, throw in enumerate(game.throws, 1):
        for n, die in enumerate(throw.label.dice):
            shows = KindName(die.kind), FaceName(die.face)
            if throw.lay[n] is None and plan.kind in ("", die.kind) and seen[shows] < plan.pictures:
                seen[shows] += 1
                yield (number, n), shows


def _samples(throw: GameThrow, wanted: dict[int, KindFace], finder: Finder) -> Iterator[NewSample]:
    """Yield the wanted dice that the finder finds, by their place in the label, as they are captured."""
    pixels = throw.load()
    view = view_of(pixels)
    sightings = finder.find(view)
    for n, (kind, face) in wanted.items():
        sighting = _nearest(throw.label.dice[n], sightings)
        if sighting is not None:
            cut, place = cut_with_surroundings(pixels, sighting, rotation_in_frame(sighting, view))
            yield NewSample(cut, place, label=FaceLabel(str(kind), str(face), BY, datetime.now(UTC)))


def _nearest(die: LabelledDie, sightings: tuple[DieSighting, ...]) -> DieSighting | None:
    def away(one: DieSighting) -> float:
        return max(abs(one.x - die.x), abs(one.y - die.y))

    near = min(sightings, key=away, default=None)
    return near if near is not None and away(near) <= die.edge / 3 else None
