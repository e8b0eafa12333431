"""A table that learns from its first game as any table does: with the stores and the learner of the program itself."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from models.dataset.table_labels import CheckedDie, LabelSource
from referee.dice import Die, DieSet
from vander.bench.first_game import Place, RuledThrow
from vander.learning.die_set_lessons import LearningStores
from vander.learning.learning_service import LearningService
from vander.learning.play_learner import DieDescriber, PlayLearner
from vander.resources.data_stores import open_learning_stores
from vander.resources.vision_models import LoadedModels
from vander.storage import settings
from vision.frame_reader import DieReader
from vision.observations import TrackedDie

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
        """Tell the learner of a throw as the session does."""
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
