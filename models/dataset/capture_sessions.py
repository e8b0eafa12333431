"""One session's folder: `session.toml`, `dice.jsonl`, `crops/` and `frames/`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
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

FRAME_QUALITY = 92
"""JPEG quality of the frames; the dice themselves are PNG, as the camera gave them."""


class CaptureFolder:
    """A session on disk, and how far its lines have been read."""

    def __init__(self, folder: Path, session: CaptureSession) -> None:
        self.folder, self.session = folder, session
        self.dice = folder / "dice.jsonl"
        self._read_to, self._line = 0, 0

    @classmethod
    def opened(cls, folder: Path) -> CaptureFolder:
        """The session in that folder. Raises BadSampleStore, FileNotFoundError."""
        text = (folder / "session.toml").read_bytes()
        try:
            table = tomllib.loads(text.decode())
            return cls(folder, _session_from(table, folder.name))
        except (DatasetError, ValueError, KeyError, TypeError):
            raise BadSampleStore(f"{folder / 'session.toml'} cannot be read; its session is left out") from None

    def make(self) -> None:
        """Make the folder, unless it is there. Raises OSError."""
        if (self.folder / "session.toml").exists():
            return
        session = self.session
        for name in ("crops", "frames"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        atomic_files.sync(self.folder.parent)
        table = {"die_set": session.die_set, "how": session.how, "begun_at": session.begun_at.isoformat()}
        atomic_files.write_whole(self.folder / "session.toml", tomli_w.dumps(table).encode())

    def crop(self, name: str) -> Path:
        """Where a die's picture is."""
        return self.folder / "crops" / f"{name}.png"

    def frame(self, name: str) -> Path:
        """Where a frame's picture is."""
        return self.folder / "frames" / f"{name}.jpg"

    def news(self) -> Iterator[tuple[str, Sample | None]]:
        """The lines since the last time, each a shot, or None where the shot is gone. A torn last line is none.

        Raises BadSample at the end, in one sentence, when lines could not be read.
        """
        broken = []
        for number, line in self._new_lines():
            try:
                record = parse_record(line)
                yield _told(record, self.session)
            except BadSample:
                broken.append(str(number))
        if broken:
            raise BadSample(f"{self.dice} cannot be read in line {', '.join(broken)}; what stood there is left out")

    def tell(self, samples: dict[str, Sample]) -> None:
        """Bring these dice, by name, up to the lines since the last time. Raises BadSample as `news` does."""
        for name, sample in self.news():
            samples.pop(name, None)
            if sample is not None:
                samples[name] = sample

    def _new_lines(self) -> list[tuple[int, bytes]]:
        try:
            with self.dice.open("rb") as file:
                file.seek(self._read_to)
                whole, newline, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return []
        self._read_to += len(whole) + len(newline)
        lines = list(enumerate(whole.split(b"\n") if newline else [], self._line + 1))
        self._line += len(lines)
        return lines

    def changed(self) -> bool:
        """Whether there are lines that have not been read. Raises FileNotFoundError when the session is gone."""
        self.folder.stat()
        with suppress(FileNotFoundError):
            return self.dice.stat().st_size > self._read_to
        return False

    def sweep(self, crops: set[str], frames: set[str]) -> None:
        """Do away with pictures that belong to no shot."""
        for kind, ending, kept in (("crops", ".png", crops), ("frames", ".jpg", frames)):
            for path in _listed(self.folder / kind):
                if path.suffix != ending or path.stem not in kept:
                    atomic_files.remove(path)

    def pictures(self) -> list[Path]:
        """The files of all its pictures."""
        return [path for kind in ("crops", "frames") for path in _listed(self.folder / kind)]

    def has(self) -> set[str]:
        """The names of the dice whose pictures are there."""
        return {path.stem for path in _listed(self.folder / "crops") if path.suffix == ".png"}


def _listed(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _told(record: dict[str, Any], session: CaptureSession) -> tuple[str, Sample | None]:
    if record.get("gone") is True:
        return checked_name(record.get("name"), "a picture"), None
    sample = parse_sample(record, session)
    return sample.name, sample


def _session_from(table: dict[str, Any], name: str) -> CaptureSession:
    begun_at = parse_time(table["begun_at"])
    return CaptureSession(checked_name(name, "a session"), checked_face(table["die_set"], "a die set"),
                   checked_origin(table["how"]), begun_at)  # fmt: skip


def read_picture(path: Path) -> Pixels | None:
    """The pixels of a picture kept here; None when it is not there or damaged."""
    with suppress(OSError):
        contents = np.frombuffer(path.read_bytes(), np.uint8)
        pixels = cv2.imdecode(contents, cv2.IMREAD_COLOR) if contents.size else None
        return None if pixels is None else np.asarray(pixels, np.uint8)
    return None


def frame_names(samples: Iterable[Sample]) -> set[str]:
    """The frames that these dice lie in."""
    return {sample.frame for sample in samples if sample.frame}
