"""Captured dice: a sample with its line in `dice.jsonl`, the folder of its session, and errors of the data set."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

import tomli_w

from models import atomic_files
from models.atomic_files import is_plain, is_reserved
from referee.dice import Die
from vision.frames import Pixels
from vision.image_io import BadPicture, decode_picture
from vision.rectification import RotatedSquare


class DatasetError(ValueError):
    """The root of what this package raises; each message is one sentence.

    DatasetError
    ├── BadSampleStore                       a folder that is no sample store, or of a later format
    ├── BadSample                            a die, label or session that cannot be kept as it is
    ├── ExchangeError                        a set that cannot be imported, or a place to export to
    ├── NoSuchSample (LookupError)           no picture of that name
    └── NoSuchCaptureSession (LookupError)   no session of that name

    What cannot be written to disk is `models.atomic_files.SaveFailed`.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class BadSampleStore(DatasetError):
    """A folder that is no sample store, or of a later format."""


class BadSample(DatasetError):
    """A die, a label or a session that cannot be saved as it is."""


class ExchangeError(DatasetError):
    """A set of pictures that cannot be imported, or a place that nothing can be exported to."""


class NoSuchSample(DatasetError, LookupError):
    """No sample has that name."""


class NoSuchCaptureSession(DatasetError, LookupError):
    """No session has that name."""


ORIGINS = ("guided", "play", "import")
"""How a session of captured dice came about."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@dataclass(frozen=True)
class SampleReading:
    """What a model read: the likeliest face, its probability (0..1), whether it was accepted, and the next likeliest.

    `runners_up` are (face, probability); `model` is the model's version.
    """

    kind: str
    face: str
    confidence: float
    accepted: bool
    runners_up: tuple[tuple[str, float], ...] = ()
    model: str = ""


@dataclass(frozen=True)
class FaceLabel:
    """What a die shows, who said so in words ("guided capture", "corrected at the table"), and when (UTC)."""

    kind: str
    face: str
    by: str
    at: datetime


@dataclass(frozen=True)
class CaptureSession:
    """Dice captured in one go, with one die set, from one moment on (UTC). `origin` is one of ORIGINS."""

    name: str
    die_set: str
    origin: str
    begun_at: datetime


@dataclass(frozen=True)
class Sample:
    """One die in one picture.

    `name` is unique for ever: letters, digits, `-` and `_`. `place` is in pixels of the die's own picture, `in_frame`
    in those of the frame (None where the die is not in it). `frame` names the frame's picture, '' for none. `light` is
    the mean brightness around the die, 0..1. A sample without `label` waits for one.
    """

    name: str
    session: str
    die_set: str
    origin: str
    taken_at: datetime
    place: RotatedSquare
    frame: str = ""
    in_frame: RotatedSquare | None = None
    light: float = 0.0
    read: SampleReading | None = None
    label: FaceLabel | None = None


@dataclass(frozen=True, eq=False)
class NewSample:
    """A die to be saved: its pixels with those around it, about 3 edges wide, and its place in them.

    Pixels are height x width x 3, BGR, uint8.
    """

    pixels: Pixels
    place: RotatedSquare
    in_frame: RotatedSquare | None = None
    read: SampleReading | None = None
    label: FaceLabel | None = None
    light: float = 0.0


def with_face_renamed(sample: Sample, kind: str, face: str, other: str) -> Sample:
    """Return a sample with a face renamed in its label and its reading.

    Runners-up name no kind; they are taken to be of the reading's kind.
    """
    label, read = sample.label, sample.read
    if label and (label.kind, label.face) == (kind, face):
        label = replace(label, face=other)
    if read and read.kind == kind:
        ups = tuple((other if name == face else name, share) for name, share in read.runners_up)
        read = replace(read, face=other if read.face == face else read.face, runners_up=ups)
    return replace(sample, label=label, read=read)


def checked_name(name: object, what: str) -> str:
    """Return the name of a picture or a session if a file of any system may have it. Raises BadSample."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or is_reserved(name):
        raise BadSample(f"{quoted(name)} is no name for {what}; use up to 80 letters, digits, - and _")
    return name


def checked_face(name: object, what: str) -> str:
    """Return the name of a die set, kind or face. Raises BadSample."""
    if not isinstance(name, str) or not is_plain(name):
        raise BadSample(f"{quoted(name)} is no name for {what}; use up to 60 small letters, digits and -")
    return name


def quoted(value: object) -> str:
    """Return a value for use in a sentence: unprintable characters are escaped, long text is cut to 60 characters."""
    text = ascii(value) if not isinstance(value, str) or not value.isprintable() else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def checked_origin(origin: object) -> str:
    """Return an origin if it is one of ORIGINS. Raises BadSample."""
    if origin not in ORIGINS:
        raise BadSample(f"{quoted(origin)} is no way of capturing; there are {', '.join(ORIGINS)}")
    return str(origin)


def checked_place(place: RotatedSquare) -> RotatedSquare:
    """Return a place whose numbers are finite and whose edge is positive. Raises BadSample."""
    numbers = (place.x, place.y, place.edge, place.turned_degrees)
    if not all(math.isfinite(number) and abs(number) < 1e6 for number in numbers) or place.edge <= 0:
        raise BadSample(f"{place} is no place of a die")
    return place


def checked_label(label: FaceLabel) -> FaceLabel:
    """Return a label whose names are valid and whose time has a zone. Raises BadSample."""
    checked_face(label.kind, "a kind"), checked_face(label.face, "a face")
    if label.at.tzinfo is None:
        raise BadSample("a label's time needs its zone; take it in UTC")
    return label


def format_line(sample: Sample) -> str:
    """Format a sample as its line in dice.jsonl, without the line end; session.toml holds the session's own facts."""
    return json.dumps(sample_record(sample), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def deletion_line(name: str) -> str:
    return json.dumps({"name": name, "gone": True}, separators=(",", ":"))


def sample_record(sample: Sample) -> dict[str, Any]:
    return {
        "name": sample.name,
        "taken_at": sample.taken_at.isoformat(),
        "place": _numbers(sample.place),
        "frame": sample.frame,
        "in_frame": sample.in_frame and _numbers(sample.in_frame),
        "light": round(float(sample.light), 4),
        "read": sample.read and _record_of_read(sample.read),
        "label": sample.label and _record_of_label(sample.label),
    }


def _numbers(place: RotatedSquare) -> list[float]:
    return [round(float(n), 3) for n in (place.x, place.y, place.edge, place.turned_degrees)]


def _record_of_read(read: SampleReading) -> dict[str, Any]:
    return {
        "kind": read.kind,
        "face": read.face,
        "confidence": round(float(read.confidence), 4),
        "accepted": bool(read.accepted),
        "runners_up": [[face, round(float(share), 4)] for face, share in read.runners_up],
        "model": read.model,
    }


def _record_of_label(label: FaceLabel) -> dict[str, Any]:
    return {"kind": label.kind, "face": label.face, "by": label.by, "at": label.at.isoformat()}


def normalized(sample: Sample) -> Sample:
    """Return a sample as its line would give it back: numbers rounded, everything checked. Raises BadSample."""
    return parse_sample(
        sample_record(sample), CaptureSession(sample.session, sample.die_set, sample.origin, sample.taken_at)
    )


def parse_record(line: str | bytes) -> dict[str, Any]:
    """Parse a line into its object. Raises BadSample."""
    try:
        record = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadSample("cannot be read") from None
    if not isinstance(record, dict):
        raise BadSample("is no object")
    return record


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def parse_sample(record: object, session: CaptureSession) -> Sample:
    """Parse a sample of a session from the object of its line. Raises BadSample."""
    if not isinstance(record, dict):
        raise BadSample("is no object")
    try:
        return _sample_from(record, session)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadSample):
            raise
        raise BadSample(f"the die {quoted(record.get('name'))} lacks something, or has it in another form") from None


def _sample_from(record: Mapping[str, Any], session: CaptureSession) -> Sample:
    within, read, label, frame = record["in_frame"], record["read"], record["label"], _text(record["frame"])
    return Sample(
        name=checked_name(record["name"], "a picture"),
        session=session.name,
        die_set=session.die_set,
        origin=session.origin,
        taken_at=parse_time(record["taken_at"]),
        place=_place_from(record["place"]),
        frame=frame and checked_name(frame, "a frame"),
        in_frame=None if within is None else _place_from(within),
        light=min(1.0, max(0.0, _number(record["light"]))),
        read=None if read is None else _read_from(read),
        label=None if label is None else _label_from(label),
    )


def _place_from(numbers: Any) -> RotatedSquare:  # noqa: ANN401 - whatever JSON holds
    x, y, edge, turned = (_number(number) for number in numbers)
    return checked_place(RotatedSquare(x, y, edge, turned))


def _number(value: Any) -> float:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(value)
    return float(value)


def _text(value: Any, most: int = 200) -> str:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise TypeError(value)
    return value


def _read_from(record: Mapping[str, Any]) -> SampleReading:
    ups = tuple((_text(face), _number(share)) for face, share in record["runners_up"])
    sure, accepted = _number(record["confidence"]), record["accepted"] is True
    return SampleReading(_text(record["kind"]), _text(record["face"]), sure, accepted, ups, _text(record["model"]))


def _label_from(record: Mapping[str, Any]) -> FaceLabel:
    return checked_label(FaceLabel(record["kind"], record["face"], _text(record["by"]), parse_time(record["at"])))


def parse_time(text: Any) -> datetime:  # noqa: ANN401 - whatever JSON or TOML holds
    """Parse ISO 8601 text with a zone into a time in UTC. Raises ValueError and TypeError."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("a moment without its zone")
    return at.astimezone(UTC)


FRAME_QUALITY = 92
"""JPEG quality of the frames; the crops are PNG, as the camera gave them."""


class CaptureFolder:
    """The folder of one session, and how far its lines have been read. `lines` is the path of `dice.jsonl`."""

    def __init__(self, path: Path, session: CaptureSession) -> None:
        self.path, self.session = path, session
        self.lines = path / "dice.jsonl"
        self._read_bytes, self._read_lines = 0, 0

    @classmethod
    def open(cls, path: Path) -> CaptureFolder:
        """Open the session in a folder. Raises BadSampleStore and FileNotFoundError."""
        text = (path / "session.toml").read_bytes()
        try:
            return cls(path, _session_from(tomllib.loads(text.decode()), path.name))
        except (DatasetError, ValueError, KeyError, TypeError, RecursionError):
            raise BadSampleStore(f"{path / 'session.toml'} cannot be read; its session is left out") from None

    def make(self) -> None:
        """Make the folder, unless it is there. Raises OSError."""
        if (self.path / "session.toml").exists():
            return
        for name in ("crops", "frames"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        atomic_files.sync_folder(self.path.parent)
        session = self.session
        table = {"die_set": session.die_set, "how": session.origin, "begun_at": session.begun_at.isoformat()}
        atomic_files.write_atomically(self.path / "session.toml", tomli_w.dumps(table).encode())

    def crop(self, name: str) -> Path:
        """Return the path of a sample's picture."""
        return self.path / "crops" / f"{name}.png"

    def frame(self, name: str) -> Path:
        return self.path / "frames" / f"{name}.jpg"

    def new_lines(self) -> Iterator[tuple[str, Sample | None]]:
        """Yield the lines added since the last call as (name, sample), with None for a deleted sample.

        A last line without its line end is left for later. Raises BadSample at the end where lines could not be read.
        """
        broken = []
        for number, line in self._unread():
            try:
                yield _named_sample(parse_record(line), self.session)
            except BadSample:
                broken.append(str(number))
        if broken:
            raise BadSample(f"{self.lines} cannot be read in line {', '.join(broken)}; what stood there is left out")

    def update(self, samples: dict[str, Sample]) -> None:
        """Apply the new lines to samples by name. Raises BadSample as `new_lines` does."""
        for name, sample in self.new_lines():
            samples.pop(name, None)
            if sample is not None:
                samples[name] = sample

    def _unread(self) -> list[tuple[int, bytes]]:
        try:
            with self.lines.open("rb") as file:
                file.seek(self._read_bytes)
                whole, newline, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return []
        self._read_bytes += len(whole) + len(newline)
        lines = list(enumerate(whole.split(b"\n") if newline else [], self._read_lines + 1))
        self._read_lines += len(lines)
        return lines

    def has_new_lines(self) -> bool:
        """True if there are lines that have not been read. Raises FileNotFoundError where the session is gone."""
        self.path.stat()
        with suppress(FileNotFoundError):
            return self.lines.stat().st_size > self._read_bytes
        return False

    def delete_pictures_except(self, crops: set[str], frames: set[str]) -> None:
        for kind, ending, wanted in (("crops", ".png", crops), ("frames", ".jpg", frames)):
            for path in _listed(self.path / kind):
                if path.suffix != ending or path.stem not in wanted:
                    atomic_files.remove(path)

    def pictures(self) -> list[Path]:
        return [path for kind in ("crops", "frames") for path in _listed(self.path / kind)]

    def sample_names(self) -> set[str]:
        return {path.stem for path in _listed(self.path / "crops") if path.suffix == ".png"}


def _listed(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _named_sample(record: dict[str, Any], session: CaptureSession) -> tuple[str, Sample | None]:
    if record.get("gone") is True:
        return checked_name(record.get("name"), "a picture"), None
    sample = parse_sample(record, session)
    return sample.name, sample


def _session_from(table: dict[str, Any], name: str) -> CaptureSession:
    begun_at = parse_time(table["begun_at"])
    return CaptureSession(checked_name(name, "a session"), checked_face(table["die_set"], "a die set"),
                   checked_origin(table["how"]), begun_at)  # fmt: skip


def append_lines(sessions: Path, lines: Iterable[tuple[str, str]]) -> None:
    """Append (session, line) to the lines of the sessions in a folder: to all of them, or to none. Raises OSError."""
    by_session: dict[str, list[str]] = {}
    for session, line in lines:
        by_session.setdefault(session, []).append(f"{line}\n")
    paths = {sessions / session / "dice.jsonl": texts for session, texts in by_session.items()}
    atomic_files.append_to_all({path: "".join(texts) for path, texts in paths.items()})


def read_picture(path: Path) -> Pixels | None:
    """Return a stored picture (height x width x 3, BGR, uint8), or None where it is missing or damaged."""
    with suppress(OSError, BadPicture):
        return decode_picture(path.read_bytes(), shortest_side=1)  # a small die is a small picture
    return None


def frame_names(samples: Iterable[Sample]) -> set[str]:
    return {sample.frame for sample in samples if sample.frame}


# Labels that people give at the table: the faces they state, the occasion, and the throws they are asked about


StatedFaces = Mapping[int, tuple[int, Die]]
"""The faces that people stated: for a die's number, the throw that gave it its face, and the die with that face."""


DieOfThrow = tuple[int, int]
"""A die's number, and the throw that gave it its face."""


class LabelSource(StrEnum):
    """Why it is believed what a die shows; the `by` of its label. A person said so, except where it was RULED."""

    ANSWERED = "answered at the table"
    CORRECTED = "corrected at the table"
    CONFIRMED = "confirmed at the table"
    CHECKED = "checked at the table"
    RULED = "settled by a ruling"
    """Nobody was asked about the doubt, and the game knows the face all the same: weaker than an answer."""


@dataclass(frozen=True)
class CheckedDie:
    """A die of a throw that was ruled on. `die` is its reading, `picture` the name of its picture.

    `accepted`: the reading was accepted; `said`: the occasion on which a person stated what the die shows, or None.
    """

    number: int
    throw: int
    die: Die
    picture: str = ""
    accepted: bool = True
    said: LabelSource | None = None

    @property
    def by_itself(self) -> bool:
        """True if the reading was accepted and nobody stated what the die shows."""
        return self.accepted and self.said is None


@dataclass(frozen=True)
class SpotCheck:
    """A throw that people are asked about: the dice of it that were read without help."""

    number: int
    dice: tuple[CheckedDie, ...]


@dataclass(frozen=True)
class AnsweredCheck:
    """A throw of which people said whether it was read right: its game and entry, and what stands of its checked dice.

    dice: each die as it was read, and as it is. at: when people said so, ISO 8601, '' before that is kept.
    """

    game: int
    entry: int
    dice: tuple[tuple[Die, Die], ...]
    at: str = ""

    @property
    def wrong(self) -> int:
        """How many dice were read wrong."""
        return sum(read != true for read, true in self.dice)
