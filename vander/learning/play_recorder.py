"""Samples recorded from play: dice that people labelled, and doubtful dice, which wait for a label.

Only where the table has chosen so. What nobody labelled is never taken for right.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import islice
from queue import Full, Queue
from threading import Thread

from models.dataset import DatasetError, NoSuchSample, Sample, SampleStore, SaveFailed, is_near_duplicate, prune
from models.dataset.table_labels import LabelSource, StatedFaces
from referee.dice import Die
from referee.error_messages import message_of
from referee.sentences import say
from vander.learning.settled_dice import DieKey, SettledDice, SettledDie
from vander.storage.preferences import PreferenceStore
from vision.frame_reader import ImageSource
from vision.observations import TrackedDie

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
        store: SampleStore,
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
        """Start to save."""
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
        except (DatasetError, SaveFailed) as error:
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
        except NoSuchSample:
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
        return not any(is_near_duplicate(die.pixels, pixels) for _, pixels in latest)

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
            prune(self._store, self._preferences.current.quota_mb * MEGABYTE, origin="play")


def _shows(sample: Sample, die: Die, *, labelled: bool) -> bool:
    """True if a sample has this label, or waits for one and was read so."""
    stated = sample.label if labelled else sample.read
    if stated is None or labelled != (sample.label is not None):
        return False
    return (stated.kind, stated.face) == (die.kind, die.face)
