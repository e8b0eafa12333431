"""Learning in play: what people say of dice, and readings that stood, are described on a thread of its own.

A die's pixels stay in memory until the die is described, and of the last ones a small picture for the page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from queue import Full, Queue
from threading import Thread

import numpy as np

from models.dataset import Sample, SampleStore
from models.dataset.table_labels import CheckedDie, DieOfThrow, LabelSource, StatedFaces
from referee.dice import Die, FaceName, KindName
from vander.learning.learned_dice import MOST_DICE, STOOD, WEAK_WEIGHT, AskedThrow, LearnedDie
from vander.learning.play_evidence import PlayEvidence
from vander.learning.settled_dice import DieKey, SettledDice, SettledDie
from vision.classification import Reader
from vision.fewshot import PldaModel
from vision.frame_reader import ImageSource
from vision.frames import Pixels
from vision.image_io import encode_jpeg
from vision.observations import Posture, TrackedDie
from vision.rectification import RotatedSquare, crop
from vision.table_evidence import DieFeatures, EvidenceExample

log = logging.getLogger(__name__)

BATCH = 32
"""Dice described at once; more would only take more memory."""
MOST_TASKS = 64
"""Tasks that may wait for the learner's thread; while it is slower than that, dice are not learned from."""
MOST_PICTURES = 200
"""Small pictures of learned dice that stay in memory, for the page only."""
SAID = frozenset(str(source) for source in LabelSource if source is not LabelSource.RULED)
"""Why a sample of play is labelled, where a person said so."""
LIES_BADLY = (Posture.COCKED, Posture.STACKED)
"""How a die lies of which nothing is learned: its top face is not seen as that of a die that lies flat."""


@dataclass(frozen=True, eq=False)
class StatedDie:
    """A die as it came to rest, what it shows, and why that is believed: a `LabelSource` in words, or STOOD."""

    settled: SettledDie
    shows: Die
    by: str

    @property
    def hardness(self) -> float:
        """How hard it is to read, 0..1: one less the reading's confidence, 1 where it was read otherwise."""
        return 1.0 - self.settled.die.reading.confidence if self.settled.as_read == self.shows else 1.0


@dataclass(frozen=True, eq=False)
class LearningTask:
    """What happened with the dice of one set: dice to learn, throws to count, or origins of dice to forget.

    `resets` is how often all of the set had been forgotten then.
    """

    die_set: str
    resets: int = 0
    dice: Sequence[StatedDie] = ()
    throws: Sequence[AskedThrow] = ()
    forgotten: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class DieDescriber:
    """Describes dice by what a reader makes of their pixels."""

    reader: Reader
    plda: PldaModel

    def describe(self, dice: Sequence[tuple[Pixels, RotatedSquare]]) -> list[DieFeatures]:
        """Return what is remembered of dice that are cut out with their surroundings."""
        crops = [crop(pixels, place) for pixels, place in dice]
        parts = (self.reader.describe(crops[n : n + BATCH], self.plda) for n in range(0, len(crops), BATCH))
        return [features for part in parts for features in part]


class PlayLearner:
    """Learns from the dice of play on a thread of its own.

    `is_on` says whether the dice of a set are learned from. The session calls what stands under its lock; each call
    returns at once. A task is done within a second of the call.
    """

    def __init__(
        self,
        evidence: PlayEvidence,
        samples: SampleStore,
        describer: DieDescriber,
        is_on: Callable[[str], bool],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._evidence, self._samples, self._describer = evidence, samples, describer
        self._is_on, self._now = is_on, now
        self._run = f"{now():%Y%m%dT%H%M%S}"
        self._die_set = ""
        self._settled = SettledDice(lambda: describer.reader.version, with_tray=False)
        self._tasks: Queue[LearningTask | None] = Queue(MOST_TASKS)
        self._pictures: dict[str, bytes] = {}
        self._thread = Thread(target=self._work, name="play-learner", daemon=True)

    def start(self) -> None:
        """Start to learn."""
        self._thread.start()

    def stop(self) -> None:
        """Learn what is waiting, and end."""
        if self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()

    def picture(self, origin: str) -> bytes | None:
        """Return a JPEG of a die that was learned from lately; None where it is no longer in memory."""
        return self._pictures.get(origin)

    # Under the session's lock

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        """The dice of that set have come to rest."""
        self._die_set = die_set
        if self._is_on(die_set):
            self._settled.settle(die_set, dice, images)
        else:
            self._settled.follow(images)

    def faces_stated(self, faces: StatedFaces, source: LabelSource) -> None:
        """It is known now what some of the dice that came to rest last show."""
        stated = (StatedDie(die, shows, str(source)) for die, shows in self._settled.stated(faces).items())
        self._put(dice=tuple(stated))

    def throw_ruled(self, dice: Sequence[CheckedDie]) -> None:
        """A throw was ruled on with these dice: what nobody contradicted stood."""
        asked = AskedThrow(len(dice), sum(die.said is LabelSource.ANSWERED for die in dice))
        found = ((die, self._settled.find(die.number, die.throw)) for die in dice if die.by_itself)
        stood = (StatedDie(settled, die.die, STOOD) for die, settled in found if settled is not None)
        self._put(dice=tuple(stood), throws=(asked,) if dice else ())

    def answers_withdrawn(self, dice: Sequence[DieOfThrow]) -> None:
        """Forget what was learned from earlier answers about these dice."""
        self._put(forgotten=[self._origin(self._settled.key(*die)) for die in dice])

    def _put(
        self, dice: Sequence[StatedDie] = (), throws: Sequence[AskedThrow] = (), forgotten: Sequence[str] = ()
    ) -> None:
        name = self._die_set
        if not name or not (self._is_on(name) and (dice or throws or forgotten)):
            return
        try:
            self._tasks.put_nowait(LearningTask(name, self._evidence.lesson(name).resets, dice, throws, forgotten))
        except Full:
            log.warning("play learner: %d dice not learned from: the learner is too slow", len(dice))

    # On the learner's thread

    def _work(self) -> None:
        for name in self._evidence.outdated():
            self._try(partial(self._relearn, name))
        while (task := self._tasks.get()) is not None:
            self._try(partial(self._do, task))
        self._try(self._evidence.save)

    def _try(self, do: Callable[[], None]) -> None:
        """Do it; play does not depend on whether it can be done."""
        try:
            do()
        except Exception:
            log.exception("play learner: failed")

    def _do(self, task: LearningTask) -> None:
        if task.forgotten:
            self._evidence.withdraw(task.die_set, task.forgotten)
        known = self._evidence.lesson(task.die_set).learned
        wanted = [
            die
            for die in task.dice
            if die.settled.die.reading.sighting.posture not in LIES_BADLY
            and (die.by in SAID or known.wants_weak((die.shows.kind, _face(die.shows)), die.hardness))
        ]
        if wanted or task.throws:
            self._evidence.add(task.die_set, self._learned(wanted), task.throws, task.resets)

    def _learned(self, dice: Sequence[StatedDie]) -> list[LearnedDie]:
        described = self._describer.describe([(die.settled.pixels, die.settled.place) for die in dice])
        at = self._now().isoformat(timespec="seconds")
        learned = []
        for die, features in zip(dice, described, strict=True):
            origin, settled = self._origin(die.settled.key), die.settled
            self._remember(origin, settled.pixels)
            example = EvidenceExample(
                _as_lit(features, settled.die.reading.body),
                (die.shows.kind, _face(die.shows)),
                1.0 if die.by in SAID else WEAK_WEIGHT,
                origin,
                self._run,
                f"{self._run}-{settled.pipeline}-{settled.die.thrown}",
            )
            learned.append(LearnedDie(example, at, die.by, die.hardness))
        return learned

    def _remember(self, origin: str, pixels: Pixels) -> None:
        """Keep a small picture in memory; the oldest are dropped."""
        pictures = {**self._pictures, origin: encode_jpeg(pixels)}
        for oldest in list(pictures)[: max(0, len(pictures) - MOST_PICTURES)]:
            del pictures[oldest]
        self._pictures = pictures

    def _origin(self, key: DieKey) -> str:
        """Return the name of a die of a throw."""
        return "-".join((self._run, *map(str, key)))

    def _relearn(self, name: str) -> None:
        """Learn again, with the reader of now, what people said of dice of play whose pictures were kept."""
        said = [one for one in self._samples.samples(name) if one.origin == "play" and one.label]
        kept = [*self._samples.with_pixels([one for one in said if one.label and one.label.by in SAID][-MOST_DICE:])]
        described = self._describer.describe([(pixels, sample.place) for sample, pixels in kept])
        pairs = zip((sample for sample, _ in kept), described, strict=True)
        self._evidence.relearn(name, [_of_sample(*pair) for pair in pairs])


def _as_lit(features: DieFeatures, body: Sequence[float]) -> DieFeatures:
    """Return the features with the body's colour as it was read, in the light of the tray; unchanged without one."""
    return replace(features, body=np.array(body, np.float32)) if body else features


def _face(die: Die) -> FaceName:
    return die.face or FaceName("")


def _of_sample(sample: Sample, features: DieFeatures) -> LearnedDie:
    """Return what is learned of a picture of play that was kept."""
    label = sample.label
    if label is None:
        raise ValueError(f"{sample.name} has no label")
    read = sample.read
    is_read = read is not None and (read.kind, read.face) == (label.kind, label.face)
    hardness = 1.0 - read.confidence if read is not None and is_read else 1.0
    shows = KindName(label.kind), FaceName(label.face)
    example = EvidenceExample(features, shows, 1.0, sample.name, sample.session, sample.name.rpartition("-")[0])
    return LearnedDie(example, label.at.isoformat(timespec="seconds"), label.by, hardness)
