"""What the table is asked or told to do, each kind as a value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from models.dataset.table_labels import DieOfThrow
from referee.dice import Die, KindName
from referee.snapshot import Question
from vander.session.match import Way


@dataclass(frozen=True)
class Prompt:
    """A question that is open; where it asks whether an answer is sure, `sure_of` is the question that was answered."""

    question: Question
    sure_of: Question | None = field(default=None, kw_only=True)

    def asks_the_same(self, other: Prompt) -> bool:
        """True if both ask the same, whatever their numbers and pictures."""
        asked = other.question
        like_other = replace(self.question, number=asked.number, picture=asked.picture, crops=asked.crops)
        return replace(self, question=like_other) == other

    def numbered(self, number: int) -> Prompt:
        """Return the same prompt with its question's number."""
        return replace(self, question=replace(self.question, number=number))


@dataclass(frozen=True)
class FaceQuestion(Prompt):
    """The question what a die shows, or what several dice show that look alike."""


@dataclass(frozen=True)
class KindQuestion(Prompt):
    """The question which die of a throw is of a kind."""

    kind: KindName


@dataclass(frozen=True)
class Breach:
    """A breach of the rules: its sentence, its rule, and the name of its picture or ''."""

    sentence: str
    rule: str
    evidence: str = field(default="", compare=False)


@dataclass(frozen=True)
class MeaningQuestion(Prompt):
    """The question what happened. The first answers stand for `ways`; "left lying" stands for the `breach`."""

    ways: tuple[Way, ...] = ()
    breach: Breach | None = None


@dataclass(frozen=True)
class LeanedQuestion(Prompt):
    """The question whether a die leaned that was thrown again after its throw was ruled on; if not, it was the breach.

    `entry` is the throw in which it showed `old`; it shows `new` now.
    """

    breach: Breach
    entry: int
    old: Die
    new: Die


@dataclass(frozen=True)
class WhoThrewQuestion(MeaningQuestion):
    """The question who threw, the first step of several: the answers are seats, and each has ways of its own."""


@dataclass(frozen=True)
class HowFarQuestion(MeaningQuestion):
    """The question how far a player went before a throw, such as to which card; the answers stand for `ways`."""


@dataclass(frozen=True)
class BreachQuestion(Prompt):
    """The question after a recorded breach: put the dice right, or go on as they lie."""


@dataclass(frozen=True)
class MismatchQuestion(Prompt):
    """The question about dice that do not lie as the journal has them: put them right, or go on as they lie."""


@dataclass(frozen=True)
class ThrownQuestion(Prompt):
    """The question whether dice were thrown that nobody saw tumble, each for its throw."""

    asked: tuple[DieOfThrow, ...] = ()


@dataclass(frozen=True)
class InterventionQuestion(Prompt):
    """What hands did that has to be put right: it is done, or people say that dice were thrown, or go on as they lie.

    `asked` are the dice of which that may be said.
    """

    asked: tuple[DieOfThrow, ...] = ()


@dataclass(frozen=True)
class UnseenThrowQuestion(MismatchQuestion):
    """The question whether dice that lie wrong were thrown while nobody saw it. The first answers stand for `ways`."""

    ways: tuple[Way, ...] = ()


@dataclass(frozen=True)
class SetFlatQuestion(Prompt):
    """The question whether leaning dice count that a hand has set flat, or are thrown again."""


@dataclass(frozen=True)
class LeaningQuestion(Prompt):
    """The question about dice that seem to lean: they are thrown again, or set down if they were kept, or lie flat."""


@dataclass(frozen=True)
class Mismatch:
    """The dice do not lie as the journal has them; `sentence` says where."""

    sentence: str
