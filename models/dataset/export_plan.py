"""What goes out: the pictures with their dice, whatever the form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.dataset.bounding_boxes import Box, box_of
from models.dataset.capture_sessions import decoded
from models.dataset.dataset_errors import BadExchange, NoSuchShot
from models.dataset.label_names import category
from models.dataset.sample_store import Collection
from models.dataset.samples import Session, Shot
from models.dataset.splits import split
from vision.classification import RotatedSquare


@dataclass(frozen=True)
class Boxed:
    """A die in a picture: where, and what it is called."""

    shot: Shot
    place: RotatedSquare
    box: Box
    category: str


@dataclass(frozen=True)
class Picture:
    """A picture that goes out with its size in pixels, its share (train, val, test) and its dice."""

    path: Path
    width: int
    height: int
    split: str
    dice: tuple[Boxed, ...]

    @property
    def name(self) -> str:
        """The file's name, by which no other picture is called."""
        return self.path.name

    @property
    def lone(self) -> bool:
        """Whether it is a die's own picture and no frame."""
        return self.path.parent.name == "crops"


@dataclass(frozen=True)
class Plan:
    """Everything that goes out: pictures with boxes, every die's own picture by the die's name, and the sessions.

    `sentences` say what the shares are not, or what stays here.
    """

    pictures: tuple[Picture, ...]
    crops: Mapping[str, Path]
    sessions: tuple[Session, ...]
    categories: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def dice(self) -> list[tuple[Picture, Boxed]]:
        """Every die with its picture."""
        return [(picture, die) for picture in self.pictures for die in picture.dice]


def plan(collection: Collection, die_set: str, waiting: bool) -> Plan:
    """What goes out of a collection: of one die set or all, with those that wait for a label or without.

    A frame goes out when all its dice do, since a die without its box would teach that it is none; the dice of the
    others go out as pictures of their own. Raises BadExchange, NoSuchShot.
    """
    listed = collection.shots(die_set)
    everything = tuple(shot for shot, _ in collection.with_pixels(listed))
    shots = [shot for shot in everything if waiting or shot.label]
    if not shots:
        raise BadExchange(f"there is nothing to put out of {die_set or 'the captured dice'}: no die has a label")
    used = {shot.session for shot in shots}
    sessions = tuple(session for session in collection.sessions(die_set) if session.name in used)
    shares = split(sessions, shots)
    drawing = _Drawing(collection, shares.of, len({session.die_set for session in sessions}) > 1)
    whole = {shot.name for shot in everything}
    framed = [dice for dice in _framed(listed, waiting) if all(die.name in whole for die in dice)]
    pictures = [drawing.frame(dice) for dice in framed]
    alone = [shot for shot in shots if shot.name not in {die.name for dice in framed for die in dice}]
    pictures += [drawing.crop(shot) for shot in alone]
    named = {die.category for picture in pictures for die in picture.dice}
    crops = {shot.name: collection.crop_path(shot.name) for shot in shots}
    left, lost = len(everything) - len(shots), len(listed) - len(everything)
    sentences = (
        shares.sentence,
        f"{left} dice that wait for a label stay here." if left else "",
        f"The pictures of {lost} dice are gone or damaged; they are left out." if lost else "",
    )
    return Plan(tuple(pictures), crops, sessions, tuple(sorted(named)), tuple(filter(None, sentences)))


def _framed(shots: tuple[Shot, ...], waiting: bool) -> list[list[Shot]]:
    """The dice of each frame that may go out as a whole."""
    frames: dict[tuple[str, str], list[Shot]] = defaultdict(list)
    for shot in shots:
        if shot.frame:
            frames[shot.session, shot.frame].append(shot)
    placed = [[shot for shot in dice if shot.in_frame] for dice in frames.values() if waiting or _all_said(dice)]
    return [dice for dice in placed if dice]


def _all_said(dice: list[Shot]) -> bool:
    return all(shot.label for shot in dice)


@dataclass(frozen=True)
class _Drawing:
    collection: Collection
    split_of: Mapping[str, str]
    with_set: bool

    def frame(self, dice: list[Shot]) -> Picture:
        path = self.collection.frame_path(dice[0].name)
        places = [(shot, shot.in_frame) for shot in dice]
        return self._picture(path, [(shot, place) for shot, place in places if place])

    def crop(self, shot: Shot) -> Picture:
        return self._picture(self.collection.crop_path(shot.name), [(shot, shot.place)])

    def _picture(self, path: Path | None, dice: list[tuple[Shot, RotatedSquare]]) -> Picture:
        pixels = None if path is None else decoded(path)
        if path is None or pixels is None:
            raise NoSuchShot(f"the picture {path} is gone or damaged; discard its dice")
        height, width = pixels.shape[:2]
        boxed = (Boxed(shot, at, box_of(at, width, height), category(shot, self.with_set)) for shot, at in dice)
        return Picture(path, width, height, self.split_of[dice[0][0].session], tuple(boxed))
