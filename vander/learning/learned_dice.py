"""What a table has learned of the dice of one set while they were played with, as a value. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from referee.dice import DieSet
from vision.kinds import KindFace
from vision.table_evidence import EvidenceExample

ORIGIN_PARTS = 4
"""The name of a die of a throw: the run of the program, the pipelines before, the die's number, the throw."""
STOOD = "it stood"
"""Why the label of a weak example is believed: nobody contradicted the reading, and the throw was ruled on."""
WEAK_WEIGHT, MOST_WEAK = 0.2, 4
"""The weight of a weak example, and how many of them a face may have: together they weigh less than one answer."""
MOST_DICE = 500
"""Examples that are kept of a die set."""
COMPARED_DICE = 60
"""Dice of the first throws, and as many of the last, whose questions are compared."""


@dataclass(frozen=True, eq=False)
class LearnedDie:
    """A die of a throw that was learned from.

    at: when, ISO 8601 with its zone. by: the `LabelSource` in words, or STOOD. hardness: 0..1, one less the confidence
    with which the reader read it so by itself. before: what people had said it shows before they said this, or None.
    looked_at: True if somebody saw on the page that it looks like another face, and kept it as it is.
    """

    example: EvidenceExample
    at: str
    by: str
    hardness: float = 1.0
    before: KindFace | None = None
    looked_at: bool = False

    @property
    def origin(self) -> str:
        """The name of the die of a throw."""
        return self.example.origin

    @property
    def throw(self) -> int:
        """The number of its throw; 0 for a die that was learned again from its picture, by whose name it goes."""
        parts = self.origin.split("-")
        return int(parts[-1]) if len(parts) == ORIGIN_PARTS and parts[-1].isdecimal() else 0

    @property
    def label(self) -> KindFace:
        """The kind and face that it is believed to show."""
        return self.example.label

    @property
    def is_answer(self) -> bool:
        """True if a person said what it shows."""
        return self.example.is_answer

    def labelled(self, label: KindFace) -> LearnedDie:
        """Return the die with another label."""
        return replace(self, example=replace(self.example, label=label))


@dataclass(frozen=True)
class AskedThrow:
    """A throw that was ruled on: how many dice it had, and about how many of them people were asked."""

    dice: int
    asked: int


@dataclass(frozen=True)
class AskedDice:
    """The first and the last throws with a set of dice, each some COMPARED_DICE dice, and the number of all dice."""

    first: tuple[AskedThrow, ...] = ()
    last: tuple[AskedThrow, ...] = ()
    dice: int = 0

    def with_throw(self, throw: AskedThrow) -> AskedDice:
        """Return the counts with one more throw."""
        is_begun = _dice(self.first) >= COMPARED_DICE
        first, last = self.first if is_begun else (*self.first, throw), (*self.last, throw)
        while _dice(last[1:]) >= COMPARED_DICE:
            last = last[1:]
        return AskedDice(first, last, self.dice + throw.dice)

    @property
    def before(self) -> AskedThrow | None:
        """The first throws together; None while the last ones overlap with them."""
        return _together(self.first) if self.dice >= _dice(self.first) + _dice(self.last) else None

    @property
    def now(self) -> AskedThrow:
        """The last throws together."""
        return _together(self.last)


def _dice(throws: Iterable[AskedThrow]) -> int:
    return sum(throw.dice for throw in throws)


def _together(throws: Iterable[AskedThrow]) -> AskedThrow:
    counted = tuple(throws)
    return AskedThrow(_dice(counted), sum(throw.asked for throw in counted))


@dataclass(frozen=True, eq=False)
class LearnedDice:
    """The dice of one set that were learned from, oldest first, and how much was asked. A change makes a new value."""

    dice: tuple[LearnedDie, ...] = ()
    asked: AskedDice = AskedDice()

    @cached_property
    def by_origin(self) -> dict[str, LearnedDie]:
        """The dice by the names of their origins."""
        return {die.origin: die for die in self.dice}

    @property
    def examples(self) -> tuple[EvidenceExample, ...]:
        """The examples, oldest first."""
        return tuple(die.example for die in self.dice)

    @property
    def answers(self) -> int:
        """How many dice people said something of."""
        return sum(die.is_answer for die in self.dice)

    @property
    def counts(self) -> Counter[KindFace]:
        """How many dice people said something of, by kind and face."""
        return Counter(die.label for die in self.dice if die.is_answer)

    def with_die(self, die: LearnedDie) -> LearnedDice:
        """Return the value with one more die; it replaces what was learned of that die in that throw.

        A reading that stood replaces nothing that a person said. Of two answers that contradict each other the later
        counts; what stood because of the earlier goes with it.
        """
        known = self.by_origin.get(die.origin)
        if known is None:
            return self._bounded((*self.dice, die))
        if known.is_answer and not die.is_answer:
            return self
        if known.label == die.label:
            return replace(self, dice=tuple(die if one is known else one for one in self.dice))
        before = known.label if known.is_answer else None
        left = self.without(die.origin)
        return left._bounded((*left.dice, replace(die, before=before)))

    def without(self, origin: str) -> LearnedDice:
        """Return the value without that die, and without the readings of its face that stood since."""
        known = self.by_origin.get(origin)
        if known is None:
            return self
        place = self.dice.index(known)
        since = (die for die in self.dice[place + 1 :] if die.is_answer or die.label != known.label)
        return replace(self, dice=(*self.dice[:place], *since))

    def renamed(self, face: KindFace, other: KindFace) -> LearnedDice:
        """Return the value after two faces of a die were made one: the dice of `other` show `face`."""
        return replace(self, dice=tuple(die.labelled(face) if die.label == other else die for die in self.dice))

    def of_set(self, dice: DieSet) -> LearnedDice:
        """Return the value without faces that the set does not have."""
        known = {(kind.name, face) for kind in dice.kinds for face in kind.faces}
        return replace(self, dice=tuple(die for die in self.dice if die.label in known))

    def with_throw(self, throw: AskedThrow) -> LearnedDice:
        """Return the value with one more throw counted."""
        return replace(self, asked=self.asked.with_throw(throw))

    def wants_weak(self, label: KindFace, hardness: float) -> bool:
        """True if a reading of that face that stood is worth remembering: there are few, or an easier one."""
        weak = [die.hardness for die in self.dice if die.label == label and not die.is_answer]
        return len(weak) < MOST_WEAK or min(weak) < hardness

    def _bounded(self, dice: tuple[LearnedDie, ...]) -> LearnedDice:
        """Return the value with these dice, less those that teach least where they are too many."""
        dice = _with_few_weak(dice)
        while len(dice) > MOST_DICE:
            least = _least(dice)
            dice = tuple(die for die in dice if die is not least)
        return replace(self, dice=dice)


def _with_few_weak(dice: tuple[LearnedDie, ...]) -> tuple[LearnedDie, ...]:
    """Return the dice with MOST_WEAK weak ones of each face at most: the hardest, of equally hard ones the latest."""
    crowded = [label for label, count in _weak_counts(dice).items() if count > MOST_WEAK]
    for label in crowded:
        weak = [die for die in dice if die.label == label and not die.is_answer]
        kept = set(map(id, sorted(weak, key=lambda die: (die.hardness, die.at))[-MOST_WEAK:]))
        dice = tuple(die for die in dice if die.is_answer or die.label != label or id(die) in kept)
    return dice


def _weak_counts(dice: Iterable[LearnedDie]) -> Counter[KindFace]:
    return Counter(die.label for die in dice if not die.is_answer)


def _least(dice: tuple[LearnedDie, ...]) -> LearnedDie:
    """Return the die to forget first: a weak one, else one of the commonest face; of these the easiest and oldest."""
    counts = Counter(die.label for die in dice)
    return min(dice, key=lambda die: (die.is_answer, -counts[die.label], die.hardness))
