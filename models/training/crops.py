"""Training crops with their surroundings, so that they can be cut out again with jitter.

They come from rendered pictures, from what the finder takes for dice, from captured dice and from photographs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.dataset import Sample, SampleStore
from models.dataset.export_plan import TRAIN, split_by_date
from models.training.lying_dice import TrueDie
from models.training.picture_dataset import StoredPicture, in_workers
from models.training.posture_truth import PosturePicture, TrueLie
from referee.dice import FaceName
from vision.classification import Reader
from vision.detection import POSTURES, Finder
from vision.frame_reader import FrameReader
from vision.frames import Frame, Pixels
from vision.image_io import load_picture
from vision.kinds import CLASSES
from vision.observations import DieSighting
from vision.rectification import TrayView, straightened, unrectified_view, upright
from vision.tray_calibration import TrayLayout

NONE = len(CLASSES) - 1
UNKNOWN = -1
"""Label that the loss ignores: the face of a die too tilted to have one, the posture of no die."""

MIN_EDGE_PX = 12.0
"""Edge in pixels below which a die cannot be read."""


@dataclass(frozen=True, eq=False)
class TrainingCrop:
    """A die, or a place without one, with its surroundings.

    pixels: uint8, BGR. x, y, edge: centre and edge in these pixels; turned_degrees: clockwise rotation. face: index
    into CLASSES; posture: index into POSTURES; either may be UNKNOWN. is_upright: True if it is turned
    so that its sides are below its top, to be shown so; else any quarter turn will do.
    """

    pixels: npt.NDArray[np.uint8]
    x: float
    y: float
    edge: float
    turned_degrees: float
    face: int
    posture: int
    is_upright: bool = False


def cut_crops(pictures: Sequence[StoredPicture], seed: int) -> list[TrainingCrop]:
    """Return every legible die of the pictures, and about a third as many places without a die (face NONE)."""
    rng = np.random.default_rng(seed)
    found: list[TrainingCrop] = []
    for picture in tqdm(pictures, desc="crops", mininterval=5):
        pixels = picture.pixels()
        found += [crop_of_die(pixels, die) for die in picture.dice if _legible(die)]
        found += _background_crops(pixels, picture.dice, rng)
    return found


def _legible(die: TrueDie) -> bool:
    return die.clear and die.face in CLASSES and die.edge >= MIN_EDGE_PX


def crop_of_die(pixels: npt.NDArray[np.uint8], die: TrueDie) -> TrainingCrop:
    """Return a die of a picture (BGR) with its surroundings; the face is UNKNOWN if none is on top."""
    posture = POSTURES.index(die.posture)  # the postures' values are strings
    face = CLASSES.index(die.face) if die.clear else UNKNOWN
    return crop_around(pixels, (die.x, die.y, die.edge, die.turned_degrees), face, posture)


def crop_around(
    pixels: npt.NDArray[np.uint8], place: tuple[float, float, float, float], face: int, posture: int
) -> TrainingCrop:
    """Return a place (x, y, edge, rotation in degrees) of a picture (BGR) with its surroundings."""
    x, y, edge, turned = place
    reach = 1.5 * edge
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = pixels[top : int(y + reach) + 1, left : int(x + reach) + 1].copy()
    return TrainingCrop(part, x - left, y - top, edge, turned, face, posture)


def _background_crops(
    pixels: npt.NDArray[np.uint8], dice: Sequence[TrueDie], rng: np.random.Generator
) -> list[TrainingCrop]:
    """Return places without a top face: bare table, clutter, sides and corners of dice, and single pips."""
    height, width = pixels.shape[:2]
    found = [_pip_crop(pixels, die, rng) for die in dice if die.clear and die.edge > 50 and rng.random() < 0.25]
    for _ in range(1 + len(dice) // 4):
        edge = float(rng.uniform(20, 90))
        x, y = float(rng.uniform(edge, width - edge)), float(rng.uniform(edge, height - edge))
        if dice and rng.random() < 0.5:
            die = dice[int(rng.integers(len(dice)))]
            away, angle = die.edge * rng.uniform(0.7, 1.1), rng.uniform(0, 2 * np.pi)
            x, y, edge = die.x + away * np.cos(angle), die.y + away * np.sin(angle), die.edge
        inside = edge < x < width - edge and edge < y < height - edge
        if inside and all(np.hypot(d.x - x, d.y - y) > 0.6 * max(d.edge, edge) for d in dice):
            found.append(crop_around(pixels, (x, y, edge, float(rng.uniform(0, 90))), NONE, UNKNOWN))
    return found


def _pip_crop(pixels: npt.NDArray[np.uint8], die: TrueDie, rng: np.random.Generator) -> TrainingCrop:
    """Return a part of a die's face as large as a pip, which alone is no die."""
    dx, dy = rng.choice([-0.25, 0.0, 0.25], 2) * die.edge
    lean = np.radians(die.turned_degrees)
    x, y = die.x + dx * np.cos(lean) - dy * np.sin(lean), die.y + dx * np.sin(lean) + dy * np.cos(lean)
    return crop_around(pixels, (x, y, die.edge * rng.uniform(0.15, 0.35), float(rng.uniform(0, 90))), NONE, UNKNOWN)


# Dice of pictures whose tray and postures are known, cut out as the reader gets them

CONTEXT_EDGES, CONTEXT_SIDE = 3.0, 128
"""A die with its surroundings: edges and pixels to the side."""
LABELLED_WITHIN, NO_DIE_BEYOND = 0.3, 0.75
"""In a die's edges: a sighting nearer than the first is that die; one farther from all than the second is none."""
SIMILAR_EDGES = (0.7, 1.4)
"""Of a sighting to that of the die."""
MOST_COVERED, MOST_LEAN = 0.15, 6.0
"""Share of a top face that may be hidden, and degrees it may lean, where its face is to be read."""


def crops_of_lying(pictures: Iterable[PosturePicture], finder: Finder, reader: Reader) -> list[TrainingCrop]:
    """Return what the finder sees in the pictures, upright: dice with their faces, and places without a die."""
    return [_crop_in(view, one, face) for view, seen in sighted_lying(pictures, finder, reader) for one, face in seen]


def looked_at(
    pictures: Iterable[PosturePicture], finder: Finder, reader: Reader
) -> Iterator[tuple[PosturePicture, TrayView, tuple[DieSighting, ...]]]:
    """Yield each picture with the view of it that the reader gets, and what the finder sees there."""
    looking = FrameReader(finder, reader, None, TrayLayout())
    for picture in tqdm(pictures, desc="looking", mininterval=5):
        frame = Frame(picture.pixels, 1, 0.0)
        yield picture, *looking.look(frame, looking.locate(frame)[0], None)


def sighted_lying(
    pictures: Iterable[PosturePicture], finder: Finder, reader: Reader
) -> Iterator[tuple[TrayView, list[tuple[DieSighting, int]]]]:
    """Yield each picture's view, and what the finder sees there with the class of what it shows."""
    for picture, view, sightings in looked_at(pictures, finder, reader):
        labelled = [(one, _lying_face(one, picture.dice)) for one in sightings]
        yield view, [(one, face) for one, face in labelled if face is not None]


def _lying_face(one: DieSighting, dice: Sequence[TrueLie]) -> int | None:
    """Return the class of what a sighting shows; None if that is ambiguous."""
    apart = [float(np.hypot(die.x - one.x, die.y - one.y)) / die.edge for die in dice]
    if not apart or min(apart) > NO_DIE_BEYOND:
        return NONE
    die = dice[int(np.argmin(apart))]
    low, high = SIMILAR_EDGES
    is_plain = not die.hidden and die.covered <= MOST_COVERED and die.lean_degrees <= MOST_LEAN
    is_that = min(apart) < LABELLED_WITHIN and low < one.edge / die.edge < high
    return CLASSES.index(FaceName(die.face)) if is_that and is_plain and die.face in CLASSES else None


def _crop_in(view: TrayView, one: DieSighting, face: int) -> TrainingCrop:
    sight = view.sight_at(one.x_mm, one.y_mm)
    turned = upright(one.turned_degrees, sight.down)
    if view.calibration is None:
        made = crop_around(view.frame.pixels, (one.x, one.y, one.edge, turned), face, UNKNOWN)
        return replace(made, is_upright=sight.may_be_oblique)
    pixels = straightened(view, replace(one, turned_degrees=turned), CONTEXT_EDGES, CONTEXT_SIDE)
    middle, edge = (CONTEXT_SIDE - 1) / 2, CONTEXT_SIDE / CONTEXT_EDGES
    return TrainingCrop(pixels, middle, middle, edge, 0.0, face, UNKNOWN, is_upright=sight.may_be_oblique)


# Hard negatives: what the finder takes for dice and is none, so that the reader learns to reject it


CHUNK = 40
"""Pictures per task of a worker process."""

PICTURE_STEP, MAX_PER_PICTURE = 2, 6
"""Every second picture is searched, and at most so many hard negatives are taken from one, the surest."""

MIN_DISTANCE_EDGES = 0.75
"""A detection farther than this from the centre of every die, in edges, is no badly placed die."""


def hard_negatives_of(pictures: Sequence[StoredPicture], finder: Path) -> list[TrainingCrop]:
    """Return the hard negatives of some of the pictures for a finder (an ONNX file)."""
    some = pictures[::PICTURE_STEP]
    chunks = [some[k : k + CHUNK] for k in range(0, len(some), CHUNK)]
    return [crop for chunk in in_workers(partial(_hard_negatives, finder), chunks, "hard negatives") for crop in chunk]


def _hard_negatives(weights: Path, pictures: Sequence[StoredPicture]) -> list[TrainingCrop]:
    finder = Finder(weights)
    return [crop for picture in pictures for crop in hard_negatives_in(picture, finder)]


def hard_negatives_in(picture: StoredPicture, finder: Finder) -> list[TrainingCrop]:
    """Return the hard negatives of one picture, the surest first."""
    pixels = picture.pixels()
    sighted = finder.find(unrectified_view(Frame(pixels, 0, 0.0)))
    return [
        crop_around(pixels, (one.x, one.y, one.edge, one.turned_degrees), NONE, UNKNOWN)
        for one in sighted
        if all(
            math.hypot(one.x - die.x, one.y - die.y) > MIN_DISTANCE_EDGES * max(die.edge, one.edge)
            for die in picture.dice
        )
    ][:MAX_PER_PICTURE]


# Captured dice: those labelled with one of the reader's drawings; whole sessions are held out for testing


CAPTURED_REPEATS = 3
"""How often each die is repeated: captured dice are few, but real."""


@dataclass(frozen=True, eq=False)
class CapturedCrops:
    """The crops to train on, how many dice are held out for testing, and the count of faces that are no drawing."""

    crops: list[TrainingCrop]
    held_out: int
    unknown_faces: Counter[str]

    def __str__(self) -> str:
        unknown_faces = ", ".join(f"{count} x {face}" for face, count in self.unknown_faces.most_common(5)) or "none"
        dice = len(self.crops) // CAPTURED_REPEATS
        return (
            f"{dice} captured dice; {self.held_out} kept back for testing; of faces not to be trained: {unknown_faces}"
        )


def load_captured_crops(folder: Path) -> CapturedCrops:
    """Return the captured dice of a folder. Raises DatasetError."""
    store = SampleStore(folder)
    labelled = [sample for sample in store.samples() if sample.label]
    parts = split_by_date(store.sessions(), labelled)
    known = [sample for sample in labelled if _face(sample) in CLASSES]
    trained = [sample for sample in known if parts.of[sample.session] == TRAIN]
    found = [_crop_of(sample, pixels) for sample, pixels in store.with_pixels(trained)]
    unknown_faces = Counter(_face(sample) for sample in labelled if _face(sample) not in CLASSES)
    return CapturedCrops(found * CAPTURED_REPEATS, len(known) - len(trained), unknown_faces)


def _face(sample: Sample) -> str:
    return sample.label.face if sample.label else ""


def _crop_of(sample: Sample, pixels: Pixels) -> TrainingCrop:
    """Return the crop of a captured die; its posture is UNKNOWN, since nobody labelled it."""
    place = sample.place
    face = CLASSES.index(_face(sample))  # the faces are strings
    return TrainingCrop(pixels, place.x, place.y, place.edge, place.turned_degrees, face, UNKNOWN)


# Photographs whose licence allows training; they are excluded wherever photographs are scored
#
# The labels give a box around every die with its visible sides, or around its upper face alone; where the top face is
# in there is what a finder says. What a finder takes for a die and is the side of one shows no face.


ALLOWED: Mapping[str, str] = {
    "epanemu_*": "Epanemu's dice (CC BY 4.0)",
    "penlington_*[02468]": "half of Penlington's dice (MIT)",
}
"""Photographs, by a pattern of their files' names, whose licence allows training, and the words for the card."""
UPPER_FACES = "penlington"
"""The source whose boxes mark the upper face alone, and of a one sometimes its pip."""
TOP_ABOVE, SIDE_BELOW = -0.06, 0.12
"""Where in the box of a die seen aslant the middle of a sighting lies, as a share of its height from the box's middle:
above the first it is the top face, below the second a side, and between the two it may be either."""

PHOTOGRAPH_REPEATS = 5
"""How often each die is repeated: they are few, and nothing else is real."""


def crops_of_photographs(folder: Path, finder: Path) -> list[TrainingCrop]:
    """Return the dice, and the hard negatives of a finder, in the allowed photographs of a labelled folder."""
    loaded = Finder(finder)
    found: list[TrainingCrop] = []
    for row in allowed(folder):
        pixels = load_picture(folder / row["file"])
        sightings = loaded.find(unrectified_view(Frame(pixels, 0, 0.0)))
        found += [crop for one in sightings for crop in crop_of_sighting(pixels, one, row)]
    return found * PHOTOGRAPH_REPEATS


def allowed(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the labels of the photographs that have boxes and may be trained on."""
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if "dice" in row and any(fnmatch(Path(row["file"]).stem.lower(), name) for name in ALLOWED):
            yield row


def crop_of_sighting(pixels: npt.NDArray[np.uint8], one: DieSighting, row: dict[str, Any]) -> list[TrainingCrop]:
    """Return the crop of a sighting, upright, with what it shows: a face or none; nothing where that is ambiguous."""
    has_upper_faces = Path(row["file"]).stem.startswith(UPPER_FACES)
    face = _upper_face(one, row["dice"]) if has_upper_faces else _face_in_box(one, row["dice"], row["view"])
    if face is None:
        return []
    place = one.x, one.y, one.edge, upright(one.turned_degrees, np.array([0.0, 1.0]))
    return [replace(crop_around(pixels, place, face, UNKNOWN), is_upright=True)]


def _upper_face(one: DieSighting, boxes: list[dict[str, Any]]) -> int | None:
    """Return the class of what is seen where boxes mark upper faces; None if that is ambiguous."""
    for box in boxes:
        across, down = (max(box[side], 0.8 * one.edge) for side in ("w", "h"))
        if abs(box["cx"] - one.x) < 0.42 * across and abs(box["cy"] - one.y) < 0.42 * down:
            return CLASSES.index(box["face"]) if 0.5 * max(box["w"], box["h"]) < one.edge else None
    is_far = all(
        np.hypot(box["cx"] - one.x, box["cy"] - one.y) > 0.6 * max(box["w"], box["h"], one.edge) for box in boxes
    )
    return NONE if is_far else None


def _face_in_box(one: DieSighting, boxes: list[dict[str, Any]], view: str) -> int | None:
    """Return the same where boxes mark whole dice."""
    inside = [box for box in boxes if abs(box["cx"] - one.x) < box["w"] / 2 and abs(box["cy"] - one.y) < box["h"] / 2]
    if not inside:
        near = any(np.hypot(box["cx"] - one.x, box["cy"] - one.y) < max(box["w"], box["h"]) for box in boxes)
        return None if near else NONE
    box = inside[0]
    if len(inside) > 1 or not 0.5 * max(box["w"], box["h"]) < one.edge < 1.1 * max(box["w"], box["h"]):
        return None
    below = (one.y - box["cy"]) / box["h"]
    if view != "oblique" or below < TOP_ABOVE:
        return CLASSES.index(box["face"])
    return NONE if below > SIDE_BELOW else None
