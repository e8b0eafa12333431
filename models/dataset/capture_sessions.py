"""One session's folder: `session.toml`, `dice.jsonl`, `crops/` and `frames/`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w

from models import atomic_files
from models.dataset.dataset_errors import BadSample, BadSampleStore, DatasetError
from models.dataset.samples import (
    CaptureSession,
    Sample,
    checked_face,
    checked_name,
    checked_origin,
    parse_record,
    parse_sample,
    parse_time,
)
from vision.frames import Pixels
from vision.image_io import BadPicture, decode_picture

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
        """Return the path of a frame's picture."""
        return self.path / "frames" / f"{name}.jpg"

    def new_lines(self) -> Iterator[tuple[str, Sample | None]]:
        """Yield the lines added since the last call as (name, sample), with None for a deleted sample.

        A last line without its line end is left for later. Raises BadSample at the end where lines could not be read.
        """
        broken = []
        for number, line in self._unread():
            try:
                yield _sample_from(parse_record(line), self.session)
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
        """Delete every picture but the crops and frames of these names."""
        for kind, ending, wanted in (("crops", ".png", crops), ("frames", ".jpg", frames)):
            for path in _listed(self.path / kind):
                if path.suffix != ending or path.stem not in wanted:
                    atomic_files.remove(path)

    def pictures(self) -> list[Path]:
        """Return the files of all pictures."""
        return [path for kind in ("crops", "frames") for path in _listed(self.path / kind)]

    def sample_names(self) -> set[str]:
        """Return the names of the samples whose picture is there."""
        return {path.stem for path in _listed(self.path / "crops") if path.suffix == ".png"}


def _listed(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _sample_from(record: dict[str, Any], session: CaptureSession) -> tuple[str, Sample | None]:
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
    """Return the names of the frames that these samples lie in."""
    return {sample.frame for sample in samples if sample.frame}
