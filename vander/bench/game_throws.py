"""The throws of one family's game, from a labelled folder or from the simulator."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from models.synthetic.face_style import Use
from referee.dice import DieSet
from vander.bench.photo_scores import LabelError, LabelledDie, PhotoLabel, load_labels, parse_row
from vander.bench.simulated_families import family_game, simulated_family
from vision.frames import Pixels
from vision.image_io import decode_picture, load_picture

THROWS = 60
"""Throws of a simulated game."""
STILL = 0.1
"""A die with the same label within this share of its edge of where it lay was not thrown."""


@dataclass(frozen=True, eq=False)
class GameThrow:
    """One throw: its label, and its picture (uint8, BGR), loaded when it is needed.

    lay: for each die its place in the label before if it lies as it lay there, None if it was thrown.
    """

    label: PhotoLabel
    lay: tuple[int | None, ...]
    load: Callable[[], Pixels]


@dataclass(frozen=True, eq=False)
class FamilyGame:
    """A family's game: its name, its dice and its throws in order."""

    name: str
    dice: DieSet
    throws: tuple[GameThrow, ...]


def folder_game(folder: Path) -> FamilyGame:
    """Return the game of a labelled folder, in the order of its file names. Raises LabelError."""
    labels = sorted(load_labels(folder), key=lambda label: _by_number(label.file))
    if not labels:
        raise LabelError(f"{folder / 'labels.jsonl'} has no labels")
    dice = _checked_dice(labels)
    loads = [partial(load_picture, folder / label.file) for label in labels]
    return FamilyGame(folder.resolve().name, dice, _throws(labels, loads))


def simulated_game(game: str, number: int, throws: int = THROWS, use: Use = Use.SCORING) -> FamilyGame:
    """Return the game of the `number`-th simulated family of a game. Raises LabelError for an unknown game."""
    family = simulated_family(game, number, use)
    painted = list(family_game(family, throws, number))
    labels = [parse_row(throw.label) for throw in painted]
    loads = [partial(decode_picture, throw.jpeg) for throw in painted]
    return FamilyGame(f"{game}-{number}", family.dice, _throws(labels, loads))


def _by_number(file: str) -> list[tuple[int, str]]:
    """Return the key by which `throw_2` comes before `throw_10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", file)]


def _checked_dice(labels: Sequence[PhotoLabel]) -> DieSet:
    """Return the one set of all labels. Raises LabelError where they say too little to play by."""
    first = labels[0].there
    for label in labels:
        if first is None or label.there != first:
            raise LabelError(f"{label.file} names no die set, or another than {labels[0].file}: one game has one set")
        if not label.boxes:
            raise LabelError(f"{label.file} has faces without boxes: a game needs to know where each die lies")
        unnamed = next((die.face for die in label.dice if not die.kind), None)
        if unnamed is not None:
            raise LabelError(f"{label.file} has a die with {unnamed}, which is on several kinds or none: name its kind")
    assert first is not None  # noqa: S101  the loop refuses it
    return first


def _throws(labels: Sequence[PhotoLabel], loads: Sequence[Callable[[], Pixels]]) -> tuple[GameThrow, ...]:
    before = [(), *(label.dice for label in labels[:-1])]
    return tuple(
        GameThrow(label, tuple(_lay_at(die, lay) for die in label.dice), load)
        for label, lay, load in zip(labels, before, loads, strict=True)
    )


def _lay_at(die: LabelledDie, before: Sequence[LabelledDie]) -> int | None:
    """Return the place of the die with the same label that lay there before; None if there is none."""
    for n, one in enumerate(before):
        away = max(abs(one.x - die.x), abs(one.y - die.y))
        if (one.kind, one.face) == (die.kind, die.face) and away <= STILL * die.edge:
            return n
    return None
