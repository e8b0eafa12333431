"""Dice learned from a few pictures: a face is where its pictures lie among the reader's features.

The pictures of a face scatter about its place, and the places of faces scatter about a middle, both as a normal
distribution (probabilistic linear discriminant analysis: Ioffe 2006, eq. 1 to 6). How widely was measured once, on
drawings that the reader was not trained on: that is the `Space`. From it a few pictures tell how likely any other
picture is to be the same face, and how likely to be none of those that were shown.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.dice import DieSet
from vision.assignment import Named
from vision.model_file import BrokenModel, checked

Floats = npt.NDArray[np.float64]

ARRAYS, TOLD = ("middle", "towards", "spread"), ("temperature", "accept_from", "reader")
"""What a Space's file holds: arrays, and what is told in words and figures."""

DAMAGES = (ValueError, LookupError, TypeError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What NumPy and zipfile make of an npz file that is damaged, or none."""

STRANGER = 0.02
"""How likely, before it is looked at, a die shows none of the faces that were taught."""


@dataclass(frozen=True, eq=False)
class Space:
    """Where faces can lie among the features.

    Features f of `size` numbers lie at (f - middle) @ towards, `directions` numbers, where the pictures of one
    face scatter about its place by 1 each way, and the places of faces about 0 by the square root of `spread`.
    `temperature` flattens probabilities, since no real scatter is that regular; `accept_from` is the least threshold
    of a lesson. `reader` is the beginning of the checksum of the reader that it was measured with.
    """

    middle: Floats
    towards: Floats
    spread: Floats
    temperature: float
    accept_from: float
    reader: str

    def place(self, features: npt.ArrayLike) -> Floats:
        """Where features (n x size) lie: n x directions."""
        return np.asarray((np.asarray(features, np.float64) - self.middle) @ self.towards, np.float64)

    def logs(self, places: Floats, shown: Sequence[Floats]) -> Floats:
        """The logarithm of how likely each of k faces, and last one never shown, appears at n places: n x (k + 1).

        Of each face some places are shown, m x directions; of which nothing is shown cannot be known: minus infinity.
        """
        known = [self._log_of(places, face) if len(face) else np.full(len(places), -np.inf) for face in shown]
        return np.stack([*known, self._log_of(places, np.empty((0, len(self.spread))))], axis=1)

    @staticmethod
    def shares(logs: Floats, temperature: float, stranger: float = STRANGER) -> Floats:
        """The probabilities of k faces and of none of them, from what `logs` gives: n x (k + 1).

        `stranger` is how likely it is none of them before it is looked at.
        """
        known = np.isfinite(logs)
        known[:, -1] = False
        each = (1 - stranger) / np.maximum(known.sum(axis=1, keepdims=True), 1)
        weighed = logs / temperature + np.log(np.where(known, each, stranger))
        grown = np.exp(weighed - weighed.max(axis=1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float64)

    def _log_of(self, places: Floats, shown: Floats) -> Floats:
        """The logarithm of how likely a face shown so appears at each of the places.

        Eq. 5 and 6 of Ioffe: of a face shown m times as spread s in a direction, another picture is expected at
        m s / (m s + 1) of their mean, scattered by 1 + s / (m s + 1).
        """
        count = len(shown)
        known = count * self.spread / (count * self.spread + 1)
        expected = known * shown.mean(axis=0) if count else np.zeros_like(self.spread)
        scatter = 1 + self.spread / (count * self.spread + 1)
        return np.asarray(-0.5 * (((places - expected) ** 2 / scatter).sum(axis=1) + np.log(scatter).sum()), np.float64)

    @property
    def version(self) -> str:
        """Which space it is: the beginning of its arrays' checksum."""
        arrays = (self.middle, self.towards, self.spread)
        return hashlib.sha256(b"".join(array.astype(np.float16).tobytes() for array in arrays)).hexdigest()[:8]

    def save(self, file: Path) -> None:
        """Write it to an npz file."""
        told = json.dumps({name: getattr(self, name) for name in TOLD}).encode()
        arrays = {name: getattr(self, name).astype(np.float16 if name == "towards" else np.float32) for name in ARRAYS}
        np.savez(file, told=np.frombuffer(told, np.uint8), **arrays)

    @classmethod
    def load(cls, file: Path) -> Space:
        """Read it from an npz file, held against its card. Raises BrokenModel."""
        contents, _ = checked(file)
        try:
            with np.load(BytesIO(contents), allow_pickle=False) as kept:
                told = json.loads(bytes(kept["told"]))
                middle, towards, spread = (np.asarray(kept[name], np.float64) for name in ARRAYS)
            return cls(middle, towards, spread, *(told[name] for name in TOLD))
        except DAMAGES as error:
            raise BrokenModel(f"the model {file} cannot be loaded: {error}") from error


@dataclass(frozen=True, eq=False)
class Example:
    """A picture of a die, as it is learned from: where it lies in the Space, and what it shows.

    `session` and `moment` say what it was taken together with: in one sitting, and in one picture.
    """

    place: Floats
    shows: Named
    session: str
    moment: str


@dataclass(frozen=True, eq=False)
class Lesson:
    """What was learned of a die set: its faces, each as the places of its pictures.

    A face is accepted from `accept_from` on.
    """

    space: Space
    faces: tuple[Named, ...]
    shown: tuple[Floats, ...]
    temperature: float
    accept_from: float

    @classmethod
    def of(cls, space: Space, examples: Sequence[Example]) -> Lesson:
        """The lesson of some examples, as sure as lessons are in general."""
        faces = tuple(dict.fromkeys(example.shows for example in examples))
        shown = tuple(np.array([one.place for one in examples if one.shows == face]) for face in faces)
        return cls(space, faces, shown, space.temperature, space.accept_from)

    def likely(self, places: Floats, stranger: float = STRANGER) -> Floats:
        """How likely each of n places shows each of `faces`, or, last, none of them: n x (faces + 1).

        `stranger` is how likely it is none of them before it is looked at.
        """
        return self.space.shares(self.space.logs(places, self.shown), self.temperature, stranger)

    def likely_of(self, features: npt.ArrayLike, stranger: float = STRANGER) -> Floats:
        """The same of features."""
        return self.likely(self.space.place(features), stranger)

    def untaught(self, dice: DieSet) -> float:
        """How likely a die of that set shows what was not taught: as many of all sides, and never surely or never."""
        sides = [((kind.name, side.name), count) for kind, count in dice.counts for side in kind.sides]
        strange = sum(count for named, count in sides if named not in self.faces)
        return float(np.clip(strange / max(sum(count for _, count in sides), 1), STRANGER, 1 - STRANGER))
