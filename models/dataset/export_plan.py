"""What an export contains: pictures with their dice, split by date, and the manifest by which it can be imported."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from models.dataset.foreign_annotations import BoundingBox, FileTree, box_of, category_of
from models.dataset.pruning import FaceKey, face_key
from models.dataset.sample_store import SampleStore
from models.dataset.samples import (
    BadSample,
    CaptureSession,
    ExchangeError,
    NoSuchSample,
    Sample,
    checked_face,
    checked_name,
    checked_origin,
    parse_record,
    parse_sample,
    parse_time,
    quoted,
    read_picture,
    sample_record,
)
from referee.phrases import counted
from vision.rectification import RotatedSquare

# The manifest of an export, `vander.jsonl`, from which it can be imported exactly
#
# The first line states the format; then comes a line for each session, and a line for each sample.


NAME = "vander.jsonl"
FORMAT = 1


@dataclass(frozen=True)
class ManifestRow:
    """A sample as it was exported.

    `picture` is the file in which it has its box, `crop` its own picture, `frame` its frame or '', as names in the
    export's folder; `split` is train, val or test.
    """

    sample: Sample
    picture: str
    crop: str
    frame: str
    split: str


def format_manifest(form: str, sessions: Iterable[CaptureSession], rows: Iterable[ManifestRow]) -> str:
    """Return the text of vander.jsonl."""
    lines: list[dict[str, Any]] = [{"vander": FORMAT, "form": form}]
    lines += [_session_record(session) for session in sessions]
    lines += [_row_record(row) for row in rows]
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)


def _session_record(session: CaptureSession) -> dict[str, Any]:
    begun_at = session.begun_at.isoformat()
    return {"session": session.name, "die_set": session.die_set, "how": session.origin, "begun_at": begun_at}


def _row_record(row: ManifestRow) -> dict[str, Any]:
    files = {"picture": row.picture, "crop": row.crop, "frame": row.frame, "split": row.split}
    return {"in": row.sample.session, "die": sample_record(row.sample), **files}


def read_manifest(tree: FileTree, root: str) -> tuple[list[CaptureSession], list[ManifestRow]]:
    """Return the sessions and rows of an export of Vander; none where another program made the folder.

    Raises ExchangeError.
    """
    name = f"{root}{NAME}"
    if name not in tree.files:
        return [], []
    lines = [line for line in tree.text(name).splitlines() if line.strip()]
    try:
        records = [parse_record(line) for line in lines]
        if not records or records[0].get("vander") != FORMAT:
            raise BadSample(f"says no form {FORMAT} in its first line")
        sessions = {str(r["session"]): _session(r) for r in records[1:] if "session" in r}
        return list(sessions.values()), [_row(r, sessions, root) for r in records[1:] if "die" in r]
    except (KeyError, TypeError, ValueError) as error:
        why = str(error) if isinstance(error, BadSample) else "holds a line that cannot be read"
        raise ExchangeError(f"{quoted(name)} cannot be taken in: {why}") from None


def _session(record: dict[str, Any]) -> CaptureSession:
    name, die_set = checked_name(record["session"], "a session"), checked_face(record["die_set"], "a die set")
    return CaptureSession(name, die_set, checked_origin(record["how"]), parse_time(record["begun_at"]))


def _row(record: dict[str, Any], sessions: dict[str, CaptureSession], root: str) -> ManifestRow:
    sample = parse_sample(record["die"], sessions[record["in"]])
    files = [str(record[key]) for key in ("picture", "crop", "frame")]
    picture, crop, frame = (file and f"{root}{file}" for file in files)
    return ManifestRow(sample, picture, crop, frame, str(record["split"]))


# Train, val and test splits, by the date of a session and never by picture
#
# Pictures of one evening are too alike to test on what the others taught, so all sessions of a date are in one split.


TRAIN, VAL, TEST = "train", "val", "test"
SPLITS = (TRAIN, VAL, TEST)
HELD_OUT = 0.15
"""The fraction of the dates that val and test get, each; at least one date."""


@dataclass(frozen=True)
class DatasetSplit:
    """Train, val or test for each session's name; and a sentence for people where there are too few dates."""

    of: Mapping[str, str]
    sentence: str = ""


def split_by_date(sessions: Iterable[CaptureSession], samples: Iterable[Sample]) -> DatasetSplit:
    """Split sessions by their date (UTC); the same sessions are always split alike.

    The date with most samples is for training, and every face keeps a date there. Where val or test would be empty,
    everything is for training.
    """
    date_of = {session.name: f"{session.begun_at:%Y-%m-%d}" for session in sessions}
    faces: dict[str, Counter[FaceKey]] = defaultdict(Counter)
    for sample in samples:
        faces[date_of[sample.session]][face_key(sample)] += 1
    held = _held_out(faces)
    if set(held.values()) != {VAL, TEST}:
        return DatasetSplit(dict.fromkeys(date_of, TRAIN), _too_few(len(faces)))
    return DatasetSplit({name: held.get(date, TRAIN) for name, date in date_of.items()})


def _held_out(faces: Mapping[str, Counter[FaceKey]]) -> dict[str, str]:
    most = max(faces, key=lambda date: (faces[date].total(), date), default="")
    wanted = max(1, round(HELD_OUT * len(faces)))
    held: dict[str, str] = {}
    for date in sorted(faces.keys() - {most}, key=lambda date: sha256(date.encode()).hexdigest()):
        rest = {face for other in faces.keys() - held.keys() - {date} for face in faces[other]}
        if len(held) < 2 * wanted and rest >= faces[date].keys():
            held[date] = VAL if len(held) % 2 else TEST
    return held


def _too_few(dates: int) -> str:
    return (
        f"Sessions of {counted(dates, 'date')} are too few to set some aside, "
        "so that every face can be learned on one and tested on another: all of it is for training."
    )


# What an export contains: pictures with their dice, whatever the format


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
        f"Not put out, since they wait for a label: {counted(left, 'die')}." if left else "",
        f"Left out, since the picture is gone or damaged: {counted(lost, 'die')}." if lost else "",
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
