"""Dice of play as they came to rest, copied with their pixels before the camera sees the next frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from models.dataset import FaceLabel, NewSample, SampleReading
from models.dataset.table_labels import LabelSource, StatedFaces
from referee.dice import Die
from vision.frame_reader import ImageSource
from vision.frames import Pixels
from vision.observations import LEANING, TrackedDie
from vision.rectification import RotatedSquare

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

    def new_sample(self, shows: Die | None, source: LabelSource | None) -> NewSample:
        """Return the die as a sample, labelled with what people said that it shows, if they did."""
        reading = self.die.reading
        read = SampleReading(
            reading.kind,
            reading.face,
            reading.confidence,
            reading.accepted,
            tuple((str(face), share) for face, share in reading.runners_up),
            self.model,
        )
        label = FaceLabel(shows.kind, str(shows.face), str(source), datetime.now(UTC)) if shows and source else None
        return NewSample(self.pixels, self.place, self.in_frame, read, label, float(np.mean(self.pixels)) / 255)


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
