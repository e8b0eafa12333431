"""Learning in play: dice as they came to rest are recorded, described and learned on a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import islice
from queue import Full, Queue
from threading import Thread

import numpy as np

from models import dataset
from models.dataset.samples import CheckedDie, DieOfThrow, LabelSource, StatedFaces
from referee.dice import Die, FaceName, KindName
from referee.sentences import message_of, say
from vander.learning.learned_dice import MOST_DICE, STOOD, WEAK_WEIGHT, AskedThrow, LearnedDie
from vander.learning.play_evidence import PlayEvidence
from vander.storage.preferences import PreferenceStore
from vision.classification import Reader
from vision.fewshot import PldaModel
from vision.frame_reader import ImageSource
from vision.frames import Pixels
from vision.image_io import encode_jpeg
from vision.observations import LEANING, Posture, TrackedDie
from vision.rectification import RotatedSquare, crop
from vision.table_evidence import DieFeatures, EvidenceExample

# Dice of play as they came to rest, copied with their pixels before the camera sees the next frame


SURE_FROM = 0.97
"""A right reading that was accepted with at least this confidence is an easy one."""

DieKey = tuple[int, int, int]
"""A count of the pipelines so far, a die's number and its throw: unique even where numbers and throws start again."""


@dataclass(frozen=True, eq=False)
class SettledDie:
    """A die as it came to rest: its pixels with those around it, its place in them, and the tray that it lies in.

    `model` is the version of the reader that read it.
    """

    die_set: str
    die: TrackedDie
    pipeline: int
    pixels: Pixels
    place: RotatedSquare
    frame: Pixels | None
    in_frame: RotatedSquare | None
    model: str

    @property
    def key(self) -> DieKey:
        """The die in this throw."""
        return self.pipeline, self.die.number, self.die.thrown

    @property
    def as_read(self) -> Die:
        """What the reader says that it shows."""
        return Die(self.die.reading.kind, self.die.reading.face)

    @property
    def is_doubtful(self) -> bool:
        """True if a label would help: it was not accepted, and lies flat. A leaning die shows no face to learn."""
        return not self.die.reading.accepted and self.die.reading.sighting.posture not in LEANING

    def is_hard(self, shows: Die) -> bool:
        """True if the reader was wrong or not sure of what the die shows."""
        reading = self.die.reading
        return not reading.accepted or reading.confidence < SURE_FROM or shows != self.as_read

    def new_sample(self, shows: Die | None, source: LabelSource | None) -> dataset.NewSample:
        """Return the die as a sample, labelled with what people said that it shows, if they did."""
        reading = self.die.reading
        read = dataset.SampleReading(
            reading.kind,
            reading.face,
            reading.confidence,
            reading.accepted,
            tuple((str(face), share) for face, share in reading.runners_up),
            self.model,
        )
        label = (
            dataset.FaceLabel(shows.kind, str(shows.face), str(source), datetime.now(UTC)) if shows and source else None
        )
        return dataset.NewSample(self.pixels, self.place, self.in_frame, read, label, float(np.mean(self.pixels)) / 255)


class SettledDice:
    """The dice that came to rest last. `model` returns the version of the reader; `with_tray`: keep their tray too."""

    def __init__(self, model: Callable[[], str], *, with_tray: bool = True) -> None:
        self._model, self._with_tray = model, with_tray
        self._images: ImageSource | None = None
        self._pipelines = 0
        self._dice: Mapping[int, SettledDie] = {}

    def settle(self, die_set: str, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        """Copy dice that came to rest, with their pixels."""
        self.follow(images)
        tray = images.settled_tray() if self._with_tray else None
        frame, left, top = tray or (None, 0.0, 0.0)
        model, settled = self._model(), {}
        for die in dice:
            pixels, place = images.die_with_surroundings(die.number)
            at = die.reading.sighting
            in_frame = RotatedSquare(at.x - left, at.y - top, at.edge, place.turned_degrees) if tray else None
            settled[die.number] = SettledDie(die_set, die, self._pipelines, pixels, place, frame, in_frame, model)
        self._dice = settled

    def follow(self, images: ImageSource) -> None:
        """Forget the dice, and note whether another pipeline has started, which counts dice and throws from one."""
        self._dice = {}
        if images is not self._images:
            self._images, self._pipelines = images, self._pipelines + 1

    @property
    def doubtful(self) -> tuple[SettledDie, ...]:
        """The dice that a label would help."""
        return tuple(die for die in self._dice.values() if die.is_doubtful)

    def find(self, number: int, throw: int) -> SettledDie | None:
        """Return the die of that number if it still lies as it was thrown then."""
        settled = self._dice.get(number)
        return settled if settled is not None and settled.die.thrown == throw else None

    def key(self, number: int, throw: int) -> DieKey:
        """Return what names a die of a throw of the pipeline that counts now."""
        return self._pipelines, number, throw

    def stated(self, faces: StatedFaces) -> dict[SettledDie, Die]:
        """Return what people said of dice that still lie as they were thrown then."""
        known = ((self.find(number, throw), die) for number, (throw, die) in faces.items())
        return {settled: die for settled, die in known if settled is not None}


# Samples recorded from play: dice that people labelled, and doubtful dice, which wait for a label
#
# Only where the table has chosen so. What nobody labelled is never taken for right.


log = logging.getLogger(__name__)

FEW = 12
"""A face with fewer labelled samples is rare: easy ones of it are saved too."""
COMPARED = 24
"""A new picture is compared with this many of the last readable ones of its face."""
PRUNED_EVERY = 8
"""Saved samples after which the quota is checked: measuring a large store takes a moment."""
MOST_JOBS = 8
"""Jobs that may wait for the disk; while it is slower than that, samples are dropped."""
MOST_REMEMBERED = 256
MEGABYTE = 1_000_000


@dataclass(frozen=True, eq=False)
class RecordJob:
    """Dice of one tray, each with what people said that it shows, or None; `source` is how they came to say it."""

    dice: Sequence[tuple[SettledDie, Die | None]]
    source: LabelSource | None = None


class PlayRecorder:
    """Saves samples from play on a thread of its own, as far as the table's preferences allow.

    `model` returns the reader's version, `today` the day, since each day is a session. The session calls
    `dice_settled` and `faces_stated` under its lock; both return at once. What the disk refuses is in `trouble`.
    """

    def __init__(
        self,
        store: dataset.SampleStore,
        preferences: PreferenceStore,
        model: Callable[[], str],
        today: Callable[[], date] = date.today,
    ) -> None:
        self._store, self._preferences, self._today = store, preferences, today
        self._settled = SettledDice(model)
        self._jobs: Queue[RecordJob | None] = Queue(MOST_JOBS)
        self._names: dict[DieKey, str] = {}
        self._unpruned = 0
        self._must_prune = False
        self._trouble = ""
        self._thread = Thread(target=self._run, name="play-recorder", daemon=True)

    @property
    def trouble(self) -> str:
        """Why the last samples could not be saved, in one sentence, or ''."""
        return self._trouble

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Save what is waiting, and end."""
        if self._thread.is_alive():
            self._jobs.put(None)
            self._thread.join()

    def prune_soon(self) -> None:
        """Check the quota soon, since it may have been lowered; returns at once."""
        self._must_prune = True
        with suppress(Full):  # the jobs that wait lead there as well
            self._jobs.put_nowait(RecordJob(()))

    # Under the session's lock

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], sight: ImageSource) -> None:
        """The dice of that set have come to rest; those in doubt wait for a label from now on."""
        if not self._preferences.current.keep_play:
            self._settled.follow(sight)
            return
        self._settled.settle(die_set, dice, sight)
        if doubtful := self._settled.doubtful:
            self._put(RecordJob([(die, None) for die in doubtful]))

    def faces_stated(self, words: StatedFaces, how: LabelSource) -> None:
        """People said what some of the dice that came to rest last show."""
        if stated := self._settled.stated(words):
            self._put(RecordJob([*stated.items()], how))

    def _put(self, job: RecordJob) -> None:
        try:
            self._jobs.put_nowait(job)
        except Full:
            log.warning("play recorder: %d samples dropped: the disk is too slow", len(job.dice))

    # On the recorder's thread

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            self._try(partial(self._do, job))
        self._try(self._prune)

    def _try(self, do: Callable[[], None]) -> None:
        """Do it, and report once what prevents it."""
        try:
            do()
        except (dataset.DatasetError, dataset.SaveFailed) as error:
            self._report(say("Pictures of play are not kept: {error}.", error=message_of(error)))
        except Exception as error:
            log.exception("play recorder: failed")
            self._report(say("Pictures of play are not kept: {error}.", error=message_of(error)))
        else:
            self._trouble = ""

    def _report(self, sentence: str) -> None:
        if sentence != self._trouble:
            log.warning("play recorder: not saved: %s", sentence)
        self._trouble = sentence

    def _do(self, job: RecordJob) -> None:
        if not self._preferences.current.keep_play:
            return  # it was switched off meanwhile
        new = [(die, shows) for die, shows in job.dice if self._is_new(die, shows, job.source)]
        self._save([(die, shows) for die, shows in new if self._is_worth_saving(die, shows)], job.source)
        if self._must_prune or self._unpruned >= PRUNED_EVERY:
            self._prune()

    def _is_new(self, die: SettledDie, shows: Die | None, source: LabelSource | None) -> bool:
        """True if this die in this throw is not saved yet; a saved one gets the label, if there is one."""
        name = self._names.get(die.key)
        if name is None:
            return True
        if shows is None or shows.face is None or source is None:
            return False
        return not name or not self._relabel(name, shows, source)

    def _relabel(self, name: str, shows: Die, source: LabelSource) -> bool:
        """Label a saved sample, and return False where it was deleted meanwhile."""
        try:
            self._store.label([name], shows.kind, str(shows.face), str(source))
        except dataset.NoSuchSample:
            return False
        return True

    def _is_worth_saving(self, die: SettledDie, shows: Die | None) -> bool:
        """True if a sample teaches something: it is hard, or its face is rare, and it is no near-duplicate."""
        self._remember(die, "")
        face = shows or die.as_read
        same_face = [one for one in self._store.samples(die.die_set) if _shows(one, face, labelled=shows is not None)]
        if shows is not None and len(same_face) >= FEW and not die.is_hard(shows):
            return False
        latest = islice(self._store.with_pixels(reversed(same_face)), COMPARED)
        return not any(dataset.is_near_duplicate(die.pixels, pixels) for _, pixels in latest)

    def _save(self, dice: Sequence[tuple[SettledDie, Die | None]], source: LabelSource | None) -> None:
        if not dice:
            return
        first = dice[0][0]
        day = f"play-{self._today():%Y%m%d}-{first.die_set}"
        session = self._store.start_session(first.die_set, "play", day)
        new = [die.new_sample(shows, source) for die, shows in dice]
        samples = self._store.save(session, first.die_set, first.frame, new)
        self._unpruned += len(samples)
        for (die, _), sample in zip(dice, samples, strict=True):
            self._remember(die, sample.name)

    def _remember(self, die: SettledDie, name: str) -> None:
        """Remember a die's sample, '' where it was not saved; the oldest are forgotten."""
        self._names[die.key] = name
        while len(self._names) > MOST_REMEMBERED:
            del self._names[next(iter(self._names))]

    def _prune(self) -> None:
        """Delete samples from play, and no others, down to the quota; none while play is not recorded."""
        if self._preferences.current.keep_play:
            self._unpruned, self._must_prune = 0, False
            dataset.prune(self._store, self._preferences.current.quota_mb * MEGABYTE, origin="play")


def _shows(sample: dataset.Sample, die: Die, *, labelled: bool) -> bool:
    """True if a sample has this label, or waits for one and was read so."""
    stated = sample.label if labelled else sample.read
    if stated is None or labelled != (sample.label is not None):
        return False
    return (stated.kind, stated.face) == (die.kind, die.face)


# Learning in play: what people say of dice, and readings that stood, are described on a thread of its own
#
# A die's pixels stay in memory until the die is described, and of the last ones a small picture for the page.


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
        samples: dataset.SampleStore,
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


def _of_sample(sample: dataset.Sample, features: DieFeatures) -> LearnedDie:
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
