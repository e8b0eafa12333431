"""Pictures kept from play: dice that people said something of, and dice in doubt, which wait for somebody to say.

Only where the table has chosen so. What nobody spoke of is never taken for right.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from itertools import islice
from queue import Full, Queue
from threading import Thread

import numpy as np

from models.dataset import (
    DatasetError,
    FaceLabel,
    NewSample,
    NoSuchSample,
    Sample,
    SampleReading,
    SampleStore,
    SaveFailed,
    is_near_duplicate,
)
from models.dataset.table_labels import LabelSource, StatedFaces
from referee.dice import Die
from vander.storage.preferences import PreferenceStore
from vision.die_crops import RotatedSquare
from vision.frames import Pixels
from vision.image_source import ImageSource
from vision.observations import Posture, TrackedDie

log = logging.getLogger(__name__)

FEW = 12
"""A face with fewer labelled pictures is rare: of it easy ones are kept too."""
SURE_FROM = 0.97
"""A reading that was accepted with so much, and right, is an easy one."""
COMPARED = 24
"""A new picture is held against so many of the last ones of its face that can be read."""
THINNED_EVERY = 8
"""Kept pictures after which the quota is looked after: adding up a large collection takes a moment."""
MOST_TO_DO = 8
"""So many pictures of the tray may wait to be written; what comes while the disk is that slow is let go."""
MOST_REMEMBERED = 256
MEGABYTE = 1_000_000


@dataclass(frozen=True, eq=False)
class SettledDie:
    """A die as it came to rest: its own pixels and those around it, its place in them, and the tray that it lies in.

    `since` counts how often other dice were laid out, so that no number and throw stand for two dice.
    """

    die_set: str
    die: TrackedDie
    since: int
    pixels: Pixels
    place: RotatedSquare
    frame: Pixels | None
    in_frame: RotatedSquare | None
    model: str

    @property
    def key(self) -> tuple[int, int, int]:
        """What stands for this die in this throw."""
        return self.since, self.die.number, self.die.thrown


@dataclass(frozen=True, eq=False)
class RecordJob:
    """Dice of one tray, with what people said of each and how they came to; nothing of dice that wait for a label."""

    dice: tuple[SettledDie, ...]
    said: tuple[Die, ...] = ()
    how: LabelSource | None = None


class PlayRecorder:
    """Keeps pictures from play in a collection, on a thread of its own, as far as the table's choices allow.

    `model` gives the reader's version, asked whenever dice come to rest; `today` the day, since each is a session.
    The session calls `dice_settled` and `faces_stated` under its lock. What the disk refuses is in `trouble`.
    """

    def __init__(
        self,
        store: SampleStore,
        choices: PreferenceStore,
        model: Callable[[], str],
        today: Callable[[], date] = date.today,
    ) -> None:
        self._store, self._choices = store, choices
        self._model, self._today = model, today
        self._sight: ImageSource | None = None
        self._since = 0
        self._lying: Mapping[int, SettledDie] = {}
        self._to_do: Queue[RecordJob | None] = Queue(MOST_TO_DO)
        self._names: dict[tuple[int, int, int], str] = {}
        self._unthinned = 0
        self._lowered = False
        self._trouble = ""
        self._thread = Thread(target=self._run, name="keeper", daemon=True)

    @property
    def trouble(self) -> str:
        """Why the last pictures could not be kept, in one sentence, or ''."""
        return self._trouble

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Write what is still to be written, and end."""
        if self._thread.is_alive():
            self._to_do.put(None)
            self._thread.join()

    def prune_soon(self) -> None:
        """Look after the quota soon, since it was lowered; comes back at once."""
        self._lowered = True
        with suppress(Full):  # what is to be written first leads there as well
            self._to_do.put_nowait(RecordJob(()))

    # What the table says, under its lock

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], sight: ImageSource) -> None:
        """The dice of that set have come to rest; those in doubt wait for a label from now on."""
        if sight is not self._sight:
            self._sight, self._since = sight, self._since + 1
        self._lying = self._copied(die_set, dice, sight) if self._choices.now.keep_play else {}
        doubtful = tuple(lying for lying in self._lying.values() if _is_doubtful(lying.die))
        if doubtful:
            self._put(RecordJob(doubtful))

    def faces_stated(self, words: StatedFaces, how: LabelSource) -> None:
        """People said what some of the dice that came to rest last show."""
        meant = {number: self._lying[number] for number in words if number in self._lying}
        same = {number: lying for number, lying in meant.items() if lying.die.thrown == words[number][0]}
        if same:
            self._put(RecordJob(tuple(same.values()), tuple(words[number][1] for number in same), how))

    def _copied(self, die_set: str, dice: Sequence[TrackedDie], sight: ImageSource) -> Mapping[int, SettledDie]:
        """The dice with their pixels, before the pipeline looks elsewhere."""
        cut = sight.settled_tray()
        frame, left, top = cut or (None, 0.0, 0.0)
        model, since = self._model(), self._since
        copied = {}
        for die in dice:
            pixels, place = sight.die_with_surroundings(die.number)
            at = die.reading.sighting
            in_frame = RotatedSquare(at.x - left, at.y - top, at.edge, place.turned_degrees) if cut else None
            copied[die.number] = SettledDie(die_set, die, since, pixels, place, frame, in_frame, model)
        return copied

    def _put(self, work: RecordJob) -> None:
        try:
            self._to_do.put_nowait(work)
        except Full:
            log.warning("the disk is too slow for pictures of play: %d are not kept", len(work.dice))

    # What the thread does

    def _run(self) -> None:
        while (work := self._to_do.get()) is not None:
            self._try(partial(self._do, work))
        self._try(self._thin)

    def _try(self, do: Callable[[], None]) -> None:
        """Do it, and say once what stood in the way."""
        try:
            do()
        except (DatasetError, SaveFailed) as error:
            self._say(f"Pictures of play are not kept: {error}.")
        except Exception as error:
            log.exception("the keeping of pictures stumbled")
            self._say(f"Pictures of play are not kept: {error}.")
        else:
            self._trouble = ""

    def _say(self, sentence: str) -> None:
        if sentence != self._trouble:
            log.warning("%s", sentence)
        self._trouble = sentence

    def _do(self, work: RecordJob) -> None:
        if not self._choices.now.keep_play:
            return  # it was switched off meanwhile
        said: Iterable[Die | None] = work.said or [None] * len(work.dice)
        fresh = [
            (lying, die) for lying, die in zip(work.dice, said, strict=True) if self._is_fresh(lying, die, work.how)
        ]
        self._keep([(lying, die) for lying, die in fresh if self._is_worth_it(lying, die)], work.how)
        if self._lowered or self._unthinned >= THINNED_EVERY:
            self._thin()

    def _is_fresh(self, lying: SettledDie, said: Die | None, how: LabelSource | None) -> bool:
        """Whether this die in this throw is not kept yet; one that is gets the label, if there is one."""
        name = self._names.get(lying.key)
        if name is None:
            return True
        if said is None or said.face is None or how is None:
            return False
        return not name or not self._relabelled(name, said, how)

    def _relabelled(self, name: str, said: Die, how: LabelSource) -> bool:
        try:
            self._store.label([name], said.kind, str(said.face), str(how))
        except NoSuchSample:
            return False  # somebody threw it away, or it was thinned out
        return True

    def _is_worth_it(self, lying: SettledDie, said: Die | None) -> bool:
        """Whether a picture teaches something: it is hard, or its face is rare, and it is not there already."""
        self._remember(lying, "")
        face = said or _as_read(lying)
        alike = [
            sample for sample in self._store.samples(lying.die_set) if _shows(sample, face, labelled=said is not None)
        ]
        if said is not None and len(alike) >= FEW and not _is_hard(lying, said):
            return False
        latest = islice(self._store.with_pixels(reversed(alike)), COMPARED)
        return not any(is_near_duplicate(lying.pixels, pixels) for _, pixels in latest)

    def _keep(self, dice: Sequence[tuple[SettledDie, Die | None]], how: LabelSource | None) -> None:
        if not dice:
            return
        first = dice[0][0]
        day = f"play-{self._today():%Y%m%d}-{first.die_set}"
        session = self._store.start_session(first.die_set, "play", day)
        taken = [_taken(lying, said, how) for lying, said in dice]
        samples = self._store.save(session, first.die_set, first.frame, taken)
        self._unthinned += len(samples)
        for (lying, _), sample in zip(dice, samples, strict=True):
            self._remember(lying, sample.name)

    def _remember(self, lying: SettledDie, name: str) -> None:
        """Remember under which name a die is kept, '' for one that is not; the oldest are forgotten."""
        self._names[lying.key] = name
        while len(self._names) > MOST_REMEMBERED:
            del self._names[next(iter(self._names))]

    def _thin(self) -> None:
        """Throw pictures from play away that are too many, and no others; none where none are wanted."""
        if self._choices.now.keep_play:
            self._unthinned, self._lowered = 0, False
            self._store.prune(self._choices.now.quota_mb * MEGABYTE, origin="play")


def _is_doubtful(die: TrackedDie) -> bool:
    """Whether a label would help: a die that leans shows no face that anybody could learn."""
    return not die.reading.accepted and die.reading.sighting.posture is Posture.FLAT


def _is_hard(lying: SettledDie, said: Die) -> bool:
    reading = lying.die.reading
    return not reading.accepted or reading.confidence < SURE_FROM or said != _as_read(lying)


def _as_read(lying: SettledDie) -> Die:
    return Die(lying.die.reading.kind, lying.die.reading.face)


def _shows(sample: Sample, die: Die, *, labelled: bool) -> bool:
    """Whether a kept picture has such a label, or waits for one and was read so."""
    told = sample.label if labelled else sample.read
    if told is None or labelled != (sample.label is not None):
        return False
    return (told.kind, told.face) == (die.kind, die.face)


def _taken(lying: SettledDie, said: Die | None, how: LabelSource | None) -> NewSample:
    reading = lying.die.reading
    read = SampleReading(
        reading.kind,
        reading.face,
        reading.confidence,
        reading.accepted,
        tuple((str(face), share) for face, share in reading.runners_up),
        lying.model,
    )
    label = FaceLabel(said.kind, str(said.face), str(how), datetime.now(UTC)) if said and how else None
    light = float(np.mean(lying.pixels)) / 255
    return NewSample(lying.pixels, lying.place, lying.in_frame, read, label, light)
