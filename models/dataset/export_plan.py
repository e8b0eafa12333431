"""What an export contains: pictures with their dice, whatever the format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.dataset.bounding_boxes import BoundingBox, box_of
from models.dataset.capture_sessions import read_picture
from models.dataset.dataset_errors import ExchangeError, NoSuchSample
from models.dataset.label_names import category_of
from models.dataset.sample_store import SampleStore
from models.dataset.samples import CaptureSession, Sample
from models.dataset.splits import split_by_date
from vision.rectification import RotatedSquare


@dataclass(frozen=True)
class BoxedDie:
    """A die in a picture: its place, its box in pixels, and its category."""

    sample: Sample
    place: RotatedSquare
    box: BoundingBox
    category: str


@dataclass(frozen=True)
class ExportPicture:
    """An exported picture: its size in pixels, its split (train, val, test) and its dice."""

    path: Path
    width: int
    height: int
    split: str
    dice: tuple[BoxedDie, ...]

    @property
    def name(self) -> str:
        """The file's name, which no other picture has."""
        return self.path.name

    @property
    def lone(self) -> bool:
        """True if this is a sample's own picture and no frame."""
        return self.path.parent.name == "crops"


@dataclass(frozen=True)
class ExportPlan:
    """Everything that is exported: pictures with boxes, every sample's own picture by its name, and the sessions.

    `sentences` tell people what the splits lack, or what is left out.
    """

    pictures: tuple[ExportPicture, ...]
    crops: Mapping[str, Path]
    sessions: tuple[CaptureSession, ...]
    categories: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def dice(self) -> list[tuple[ExportPicture, BoxedDie]]:
        """Return every die with its picture."""
        return [(picture, die) for picture in self.pictures for die in picture.dice]


def plan_export(store: SampleStore, die_set: str, waiting: bool) -> ExportPlan:
    """Plan the export of one die set or of all, with the samples that wait for a label or without them.

    A frame is exported when all its dice are, since a die without a box would teach that it is none; the dice of other
    frames are exported as pictures of their own. Raises ExchangeError and NoSuchSample.
    """
    listed = store.samples(die_set)
    everything = tuple(sample for sample, _ in store.with_pixels(listed))
    samples = [sample for sample in everything if waiting or sample.label]
    if not samples:
        raise ExchangeError(f"there is nothing to put out of {die_set or 'the captured dice'}: no die has a label")
    used = {sample.session for sample in samples}
    sessions = tuple(session for session in store.sessions(die_set) if session.name in used)
    shares = split_by_date(sessions, samples)
    builder = _PictureBuilder(store, shares.of, len({session.die_set for session in sessions}) > 1)
    whole = {sample.name for sample in everything}
    framed = [dice for dice in _framed(listed, waiting) if all(die.name in whole for die in dice)]
    pictures = [builder.frame(dice) for dice in framed]
    alone = [sample for sample in samples if sample.name not in {die.name for dice in framed for die in dice}]
    pictures += [builder.crop(sample) for sample in alone]
    named = {die.category for picture in pictures for die in picture.dice}
    crops = {sample.name: store.crop_path(sample.name) for sample in samples}
    left, lost = len(everything) - len(samples), len(listed) - len(everything)
    sentences = (
        shares.sentence,
        f"{left} dice that wait for a label stay here." if left else "",
        f"The pictures of {lost} dice are gone or damaged; they are left out." if lost else "",
    )
    return ExportPlan(tuple(pictures), crops, sessions, tuple(sorted(named)), tuple(filter(None, sentences)))


def _framed(samples: tuple[Sample, ...], waiting: bool) -> list[list[Sample]]:
    """Return the samples of each frame that may be exported as a whole."""
    frames: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.frame:
            frames[sample.session, sample.frame].append(sample)
    placed = [
        [sample for sample in dice if sample.in_frame] for dice in frames.values() if waiting or _all_labelled(dice)
    ]
    return [dice for dice in placed if dice]


def _all_labelled(dice: list[Sample]) -> bool:
    return all(sample.label for sample in dice)


@dataclass(frozen=True)
class _PictureBuilder:
    store: SampleStore
    split_of: Mapping[str, str]
    with_set: bool

    def frame(self, dice: list[Sample]) -> ExportPicture:
        path = self.store.frame_path(dice[0].name)
        places = [(sample, sample.in_frame) for sample in dice]
        return self._picture(path, [(sample, place) for sample, place in places if place])

    def crop(self, sample: Sample) -> ExportPicture:
        return self._picture(self.store.crop_path(sample.name), [(sample, sample.place)])

    def _picture(self, path: Path | None, dice: list[tuple[Sample, RotatedSquare]]) -> ExportPicture:
        pixels = None if path is None else read_picture(path)
        if path is None or pixels is None:
            raise NoSuchSample(f"the picture {path} is gone or damaged; discard its dice")
        height, width = pixels.shape[:2]
        boxed = (
            BoxedDie(sample, at, box_of(at, width, height), category_of(sample, self.with_set)) for sample, at in dice
        )
        return ExportPicture(path, width, height, self.split_of[dice[0][0].session], tuple(boxed))
