"""What was learned in play, on disk: the features and labels of dice, and no pictures.

`features/NAME.jsonl` holds what was learned of one die set. Each line is a JSON object after its CRC-32 in hexadecimal
digits: a die, a throw that was counted, or the counts of all throws before it. A die's line names the reader whose
features it holds. Lines are appended; what is taken back or forgotten is removed by writing the file again.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from models import atomic_files
from referee.dice import FaceName, KindName
from referee.sentences import say
from vander.learning.learned_dice import MOST_DICE, AskedDice, AskedThrow, LearnedDice, LearnedDie
from vander.learning.lesson_store import reader_id
from vision.classification import Reader
from vision.fewshot import PldaModel
from vision.kinds import CLASSES, KindFace
from vision.table_evidence import DieFeatures, EvidenceExample, Singles

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
        """Return the store of what that reader describes with that model of its features."""
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
