"""Events for learning: dice at rest, faces that people state, and throws that were ruled on."""

from __future__ import annotations

from dataclasses import dataclass

from models.dataset.table_labels import CheckedDie, DieOfThrow, LabelSource, StatedFaces
from vision.observations import TrackedDie


@dataclass(frozen=True)
class DiceSettled:
    """The dice of a set have come to rest otherwise than before; those that count are `dice`."""

    die_set: str
    dice: tuple[TrackedDie, ...]


@dataclass(frozen=True)
class ThrowEnded:
    """Another throw lies there, or another game begins."""


@dataclass(frozen=True)
class DiceRecounted:
    """Dice and throws are counted from one again."""


@dataclass(frozen=True)
class ThrowRuled:
    """A throw that gave these dice their faces has been ruled on."""

    throw: int
    dice: tuple[CheckedDie, ...]


@dataclass(frozen=True)
class FacesStated:
    """People said what dice show; `source` is how it came that they said it."""

    faces: StatedFaces
    source: LabelSource


@dataclass(frozen=True)
class ReadingCorrected:
    """People corrected of themselves what a die was read as."""

    number: int
    throw: int


@dataclass(frozen=True)
class AnswerWithdrawn:
    """Earlier labels of these dice are invalid: the answer was taken back, or is being corrected."""

    dice: tuple[DieOfThrow, ...]


@dataclass(frozen=True)
class DoubtSettled:
    """Dice that were read in doubt, and that nobody was asked about, show this: the ruling that stands knows it."""

    faces: StatedFaces
    source: LabelSource = LabelSource.RULED


LabelEvent = (
    DiceSettled
    | ThrowEnded
    | DiceRecounted
    | ThrowRuled
    | FacesStated
    | ReadingCorrected
    | AnswerWithdrawn
    | DoubtSettled
)
