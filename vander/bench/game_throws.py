"""The throws of the game of one family, from a labelled folder or the simulator, and their pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from models.synthetic.canvas import Use
from referee.dice import DieSet
from vander.bench.photo_scores import LabelError, LabelledDie, PhotoLabel, load_labels, parse_row
from vander.bench.simulated_families import family_game, simulated_family
from vision.frame_reader import CameraPicture, TrayPicture
from vision.frames import Frame, Pixels
from vision.image_io import decode_picture, load_picture
from vision.observations import DieSighting, Observation
from vision.rectification import (
    RotatedSquare,
    TrayView,
    cut_for_display,
    cut_with_surroundings,
    rectify,
    rotation_in_frame,
    unrectified_view,
)
from vision.tray_calibration import TrayLayout, locate

# The throws of one family's game, from a labelled folder or from the simulator


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


# The pictures of one photographed throw, as those who learn from it need them


def view_of(pixels: Pixels) -> TrayView:
    """Return a photograph (BGR) as the reader sees it: from straight above if all markers are in sight."""
    frame = Frame(pixels, 1, 0.0)
    calibration, _ = locate(frame, TrayLayout(), None)
    return unrectified_view(frame) if calibration is None else rectify(frame, calibration)


@dataclass(frozen=True)
class ThrowImages:
    """The pictures of the dice of one observation; an `ImageSource` that keeps no tray."""

    pixels: Pixels
    observation: Observation

    @cached_property
    def view(self) -> TrayView:
        """The photograph as the reader saw it."""
        return view_of(self.pixels)

    def die_image(self, number: int) -> Pixels:
        return cut_for_display(self.pixels, self._sighting(number))

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        """Return one die with what lies around it, and its place in that picture."""
        sighting = self._sighting(number)
        return cut_with_surroundings(self.pixels, sighting, rotation_in_frame(sighting, self.view))

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return None: nobody keeps the tray."""
        return None

    def current_picture(self) -> CameraPicture | None:
        """Return None: nobody watches."""
        return None

    def settled_picture(self) -> TrayPicture | None:
        """Return None: no evidence is kept."""
        return None

    def _sighting(self, number: int) -> DieSighting:
        return next(die.reading.sighting for die in self.observation.dice if die.number == number)
