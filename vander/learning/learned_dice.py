"""What a table has learned of the dice of one set while they were played with, as a value and on disk."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from models import atomic_files
from referee.dice import DieSet, FaceName, KindName
from referee.sentences import say
from vander.learning.lesson_store import reader_id
from vision.classification import Reader
from vision.fewshot import PldaModel
from vision.kinds import CLASSES, KindFace
from vision.table_evidence import DieFeatures, EvidenceExample, Singles

# What a table has learned of the dice of one set while they were played with, as a value. Pure


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
        return self.example.label

    @property
    def is_answer(self) -> bool:
        """True if a person said what it shows."""
        return self.example.is_answer

    def labelled(self, label: KindFace) -> LearnedDie:
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
    def borne_out(self) -> float:
        """Share (0 to 1) of the reader's doubts that people's answers bore out, as if one more doubt had been right.

        A reader that doubts three dice by a third each expects one to be another than it read.
        """
        doubts = [die.hardness for die in self.dice if die.is_answer]
        return min(1.0, (1 + sum(doubt >= 1 for doubt in doubts)) / (1 + sum(doubts)))

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


# What was learned in play, on disk: the features and labels of dice, and no pictures
#
# `features/NAME.jsonl` holds what was learned of one die set. Each line is a JSON object after its CRC-32 in
# hexadecimal digits: a die, a throw that was counted, or the counts of all throws before it. A die's line names the
# reader whose features it holds. Lines are appended; what is taken back or forgotten is removed by writing the file
# again.


MOST_LINES = 4 * MOST_DICE
"""A longer file is written again, with what is remembered only."""
LARGEST = 32_000_000
"""Bytes. No file grows that large: a larger one is damaged."""
DAMAGED = ".damaged.jsonl"


@dataclass(frozen=True)
class FeatureSizes:
    """How many numbers describe a die: in its embedding, and by the network's classes."""

    embedding: int
    classes: int


@dataclass(frozen=True, eq=False)
class StoredFeatures:
    """What a file holds. `outdated` dice were learned with another reader; `unreadable` lines are damaged."""

    learned: LearnedDice = field(default_factory=LearnedDice)
    outdated: int = 0
    unreadable: int = 0
    lines: int = 0


class FeatureStore:
    """The files of a folder, for a reader (`reader_id`). It has no lock: one thread at a time changes a die set's."""

    def __init__(self, folder: Path, reader: str, sizes: FeatureSizes) -> None:
        self._folder, self.reader, self._sizes = folder, reader, sizes

    @classmethod
    def for_reader(cls, folder: Path, reader: Reader, plda: PldaModel) -> FeatureStore:
        return cls(folder, reader_id(reader, plda), FeatureSizes(len(plda.between_variance), len(CLASSES)))

    def names(self) -> tuple[str, ...]:
        """Return the die sets of which something was learned."""
        files = self._folder.glob("*.jsonl")
        return tuple(sorted(path.name[: -len(".jsonl")] for path in files if not path.name.endswith(DAMAGED)))

    def load(self, name: str) -> StoredFeatures:
        """Return what is sound of a die set's file; nothing where there is none."""
        try:
            path = self._path(name)
            lines = path.read_bytes().splitlines(keepends=True) if path.stat().st_size <= LARGEST else [b"too large\n"]
        except FileNotFoundError:
            return StoredFeatures()
        except OSError:
            return StoredFeatures(unreadable=1)
        return self._parsed(lines)

    def append(self, name: str, dice: Iterable[LearnedDie], throws: Iterable[AskedThrow] = ()) -> None:
        """Add dice and throws to a file, durably: all of them, or none. Raises SaveFailed."""
        lines = (*self._lines(dice), *(_line({"throw": _throw_json(throw)}) for throw in throws))
        with atomic_files.saving(_of(name)):
            self._folder.mkdir(atomic_files.PRIVATE_FOLDER, parents=True, exist_ok=True)
            atomic_files.append_durably(self._path(name), "".join(lines))

    def write(self, name: str, learned: LearnedDice) -> None:
        """Write a file again with just this, or leave it as it is. Raises SaveFailed."""
        lines = (_line({"asked": _counts_json(learned.asked)}), *self._lines(learned.dice))
        with atomic_files.saving(_of(name)):
            self._folder.mkdir(atomic_files.PRIVATE_FOLDER, parents=True, exist_ok=True)
            atomic_files.write_atomically(self._path(name), "".join(lines).encode())

    def set_aside(self, name: str) -> None:
        """Copy a damaged file next to itself, for whoever wants to look into it. Raises SaveFailed."""
        with atomic_files.saving(_of(name)):
            atomic_files.write_atomically(self._folder / f"{name}{DAMAGED}", self._path(name).read_bytes())

    def delete(self, name: str) -> None:
        """Delete all that was learned of a die set. Raises SaveFailed."""
        with atomic_files.saving(_of(name)):
            for path in (self._path(name), self._folder / f"{name}{DAMAGED}"):
                path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"

    def _lines(self, dice: Iterable[LearnedDie]) -> list[str]:
        return [_line({"die": {**_die_json(die), "reader": self.reader}}) for die in dice]

    def _parsed(self, lines: Sequence[bytes]) -> StoredFeatures:
        """Return what these lines hold; a last one that a power cut left unfinished is as if never written."""
        learned, outdated, unreadable = LearnedDice(), set[str](), 0
        for line in lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines:
            try:
                learned, old = self._with_line(learned, line)
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                unreadable += 1
            else:
                outdated |= old
        return StoredFeatures(learned, len(outdated), unreadable, len(lines))

    def _with_line(self, learned: LearnedDice, line: bytes) -> tuple[LearnedDice, set[str]]:
        """Return what was learned with one more line, and the origin of a die that another reader described."""
        ((what, value),) = _record(line).items()
        if what == "throw":
            return learned.with_throw(_throw(value)), set()
        if what == "asked":
            return replace(learned, asked=_counts(value)), set()
        die = _die(value, self._sizes)
        return (learned.with_die(die), set()) if value["reader"] == self.reader else (learned, {die.origin})


def _of(name: str) -> str:
    return say("what was learned of {dice}", dice=name)


def _line(record: Mapping[str, Any]) -> str:
    text = json.dumps(record)
    return f"{zlib.crc32(text.encode()):08x} {text}\n"


def _record(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises ValueError."""
    check, _, text = line.rstrip(b"\n").partition(b" ")
    if int(check, 16) != zlib.crc32(text):
        raise ValueError("the line was changed")
    record = json.loads(text)
    if not isinstance(record, dict) or record.keys() - {"die", "throw", "asked"}:
        raise ValueError("the line is of another form")
    return record


def _die_json(die: LearnedDie) -> dict[str, Any]:
    example, features = die.example, die.example.features
    return {
        "origin": example.origin,
        "label": list(example.label),
        "weight": example.weight,
        "session": example.session,
        "moment": example.moment,
        "at": die.at,
        "by": die.by,
        "hardness": die.hardness,
        "before": list(die.before) if die.before else None,
        "looked_at": die.looked_at,
        "embedding": _packed(features.embedding),
        "classes": _packed(features.class_probabilities),
        "body": _packed(features.body),
    }


def _die(value: Mapping[str, Any], sizes: FeatureSizes) -> LearnedDie:
    embedding, classes = _unpacked(value["embedding"], sizes.embedding), _unpacked(value["classes"], sizes.classes)
    features = DieFeatures(embedding, classes, _unpacked(value["body"]))
    weight, texts = float(value["weight"]), [str(value[name]) for name in ("origin", "session", "moment")]
    if not 0 < weight <= 1:
        raise ValueError(f"a weight is {weight}")
    return LearnedDie(
        EvidenceExample(features, _kind_face(value["label"]), weight, *texts),
        at=str(value["at"]),
        by=str(value["by"]),
        hardness=float(value["hardness"]),
        before=_kind_face(value["before"]) if value["before"] else None,
        looked_at=bool(value["looked_at"]),
    )


def _kind_face(value: Sequence[str]) -> KindFace:
    kind, face = value
    return KindName(str(kind)), FaceName(str(face))


def _packed(numbers: Singles) -> str:
    return base64.b64encode(np.asarray(numbers, "<f4").tobytes()).decode()


def _unpacked(text: str, size: int | None = None) -> Singles:
    """Return numbers, so many where `size` is given. Raises ValueError."""
    numbers = np.frombuffer(base64.b64decode(text, validate=True), "<f4").astype(np.float32)
    if not np.isfinite(numbers).all() or size not in (None, len(numbers)):
        raise ValueError("numbers are missing")
    return numbers


def _throw_json(throw: AskedThrow) -> list[int]:
    return [throw.dice, throw.asked]


def _throw(value: Sequence[int]) -> AskedThrow:
    dice, asked = map(int, value)
    if not 0 <= asked <= dice:
        raise ValueError(f"{asked} of {dice} dice")
    return AskedThrow(dice, asked)


def _counts_json(asked: AskedDice) -> dict[str, Any]:
    throws = {"first": asked.first, "last": asked.last}
    return {name: [_throw_json(throw) for throw in rows] for name, rows in throws.items()} | {"dice": asked.dice}


def _counts(value: Mapping[str, Any]) -> AskedDice:
    first, last = (tuple(map(_throw, value[name])) for name in ("first", "last"))
    return AskedDice(first, last, int(value["dice"]))
